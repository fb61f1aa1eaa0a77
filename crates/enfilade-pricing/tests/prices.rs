//! The principles of a price that a designer can act on, each with its test: no weapon affects its
//! own price, one wrong price moves the others little, an unknown worth is not priced, an added
//! line gives the range that was announced. On planted arsenals and, through the rules, on small
//! real ones.

mod known;
mod priced;

use enfilade_games::built_in_catalogue;
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::battle_runs::{BattleSettings as Gathering, NoBattleObserver, run_battles};
use enfilade_pricing::evidence::{AssumptionCase, BattleEvidence, PointsAndWinShare};
use enfilade_pricing::price::best_addition::ArsenalFileAddition;
use enfilade_pricing::price::price_changes::compare_pricings;
use enfilade_pricing::price::verdict::PriceVerdict;
use enfilade_pricing::price::worth::WorthBound;
use enfilade_pricing::price::{
    ArsenalPrices, PricingSettings, ScaleSource, UnpricedReason, prices_from_evidence,
};

use known::{Design, planted};
use priced::{DESIGN, even, priced};

/// Returns the evidence with another price of one weapon.
fn with_price(evidence: &BattleEvidence, weapon: usize, price: Option<f64>) -> BattleEvidence {
    let mut other = evidence.clone();
    other.weapons[weapon].price = price;
    other
}

/// To the last digit: price, range, best addition and worth.
#[test]
fn nobody_votes_on_his_own_price() {
    for weapons in [3, 5, 13] {
        let design = Design { weapons, ..DESIGN };
        let evidence = planted(&design, 4).evidence;
        let all = priced(&evidence);
        for w in 0..weapons {
            let before = &all.weapons[w];
            let own = before.price.expect("it has a price");
            for price in [None, Some(0.1 * own), Some(10.0 * own), Some(1.0)] {
                let changed = priced(&with_price(&evidence, w, price));
                let after = &changed.weapons[w];
                assert_eq!(even(after).price, even(before).price, "{w} {price:?}");
                assert_eq!(even(after).at90, even(before).at90, "{w} {price:?}");
                assert_eq!(even(after).best_addition, even(before).best_addition, "{w} {price:?}");
                assert_eq!(
                    even(after).assumption_prices,
                    even(before).assumption_prices,
                    "{w} {price:?}"
                );
                assert_eq!(
                    even(after).relative_worth,
                    even(before).relative_worth,
                    "{w} {price:?}"
                );
                assert_eq!(after.worth, before.worth, "{w} {price:?}");
                assert_eq!(after.finding_on_price().is_some(), price.is_some());
                assert_eq!(even(after).is_in_list_points, weapons > 4);
            }
        }
    }
}

/// A candidate has no effect: the others are the same without it.
#[test]
fn a_candidate_moves_nobody() {
    let evidence = planted(&DESIGN, 7).evidence;
    let mut without = evidence.clone();
    let last = evidence.weapons.len() - 1;
    without.weapons.truncate(last);
    without.battles.retain(|battle| battle.weapon < last);
    let (with, without) = (priced(&with_price(&evidence, last, None)), priced(&without));
    for (a, b) in with.weapons.iter().zip(&without.weapons) {
        assert_eq!(a.even, b.even, "{}", a.name);
    }
    assert_eq!(with.scale, without.scale);
    // Fewer than four others: points of the opponents' troops, and the even price is the worth.
    let small = planted(&Design { weapons: 4, ..DESIGN }, 7).evidence;
    let pricing = priced(&small);
    for weapon in &pricing.weapons {
        assert!(!even(weapon).is_in_list_points);
        assert_eq!(even(weapon).price, weapon.worth);
    }
    assert_eq!(priced(&with_price(&small, 0, None)).weapons[0].verdict_on_price(), None);
}

/// Largest change of another even price by a wrong one, in log price.
fn worst_other(a: &ArsenalPrices, b: &ArsenalPrices, liar: usize) -> f64 {
    let pairs = a.weapons.iter().zip(&b.weapons).enumerate();
    let others = pairs.filter(|(w, _)| *w != liar);
    let off = others.map(|(_, (a, b))| (even(a).price.best / even(b).price.best).ln().abs());
    off.fold(0.0, f64::max)
}

/// Twelve whose prices scatter by 10 % about worth to the power 0.7, 1 and 1.4, one of them ten
/// times too dear or too cheap: no other even price moves by more than 5 % if prices follow the
/// worth, and by no more than a quarter if they do not, because then no one scale holds.
#[test]
fn one_liar_moves_the_others_little() {
    for (exponent, most) in [(0.7, 0.25), (1.0, 0.05), (1.4, 0.25)] {
        let mut moved = Vec::new();
        let design = Design { weapons: 12, exponent, scatter: 0.1, ..DESIGN };
        for seed in 0..6 {
            let evidence = planted(&design, seed).evidence;
            let clean = priced(&evidence);
            for liar in 0..evidence.weapons.len() {
                let own = evidence.weapons[liar].price.expect("it has a price");
                for factor in [0.1, 10.0] {
                    let lied = priced(&with_price(&evidence, liar, Some(factor * own)));
                    moved.push(worst_other(&lied, &clean, liar).exp_m1());
                }
            }
        }
        let worst = moved.into_iter().fold(0.0, f64::max);
        assert!(worst <= most, "exponent {exponent}: {worst}");
    }
}

/// A line that fixes an assumption gives exactly the range that was announced.
#[test]
fn the_line_to_write_gives_the_range_it_says() {
    let design = Design { model: 0.4, scatter: 0.05, ..DESIGN };
    let evidence = planted(&design, 2).evidence;
    let mut tried = 0;
    for (w, weapon) in priced(&evidence).weapons.iter().enumerate() {
        let before = even(weapon);
        let lever = before.best_addition.as_ref().expect("something is in doubt");
        assert!(lever.half < (before.price.high / before.price.best).ln());
        let ArsenalFileAddition::Assumption(name, _) = &lever.write else {
            continue;
        };
        let mut named = evidence.assumptions.iter();
        let place = named.position(|a| a.name == *name).expect("one of them");
        let mut fixed = evidence.clone();
        fixed.battles.retain(|b| {
            b.model != AssumptionCase::Low(place) && b.model != AssumptionCase::High(place)
        });
        let pricing = priced(&fixed);
        let after = even(&pricing.weapons[w]);
        let half = (after.price.high / after.price.best).ln();
        assert!((half - lever.half).abs() < 1e-12, "{w}");
        tried += 1;
    }
    assert!(tried > 3, "{tried}");
}

/// Planted: an assumption moves every worth by the same amount down and up, so the even price lies
/// in the middle of those at its ends.
#[test]
fn the_ends_of_an_assumption_are_told() {
    let settings = PricingSettings { scale: ScaleSource::By(2.0), ..PricingSettings::default() };
    let evidence = planted(&Design { weapons: 6, ..DESIGN }, 3).evidence;
    for weapon in prices_from_evidence(&evidence, &settings).expect("it is whole").weapons {
        let even = even(&weapon);
        assert_eq!(even.assumption_prices.len(), 2);
        for (low, high) in &even.assumption_prices {
            let off = ((low * high).ln() - 2.0 * even.price.best.ln()).abs();
            assert!(off < 1e-6, "{}: {off}", weapon.name);
            assert!(low != high);
        }
    }
}

/// Three verdicts, and none for a candidate or below three opponents.
#[test]
fn verdicts_follow_from_range_and_tolerance() {
    let design = Design {
        weapons: 40,
        opponents: 10,
        errors: &[1.0, 1.0, 1.0, 1.9, 0.5],
        scatter: 0.0,
        exponent: 1.0,
        between: 0.05,
        within: 0.03,
        model: 0.02,
        ..DESIGN
    };
    let pricing = priced(&planted(&design, 3).evidence);
    let mut seen = Vec::new();
    for weapon in &pricing.weapons {
        let (range, price) = (even(weapon).price, weapon.price.expect("it has one"));
        let verdict = weapon.verdict_on_price().expect("it has a price");
        let off = (price / range.best).ln().abs();
        match verdict {
            PriceVerdict::Right => assert!(off < 1.25_f64.ln()),
            PriceVerdict::TooDear => assert!(price > range.high && off > 1.25_f64.ln()),
            PriceVerdict::TooCheap => assert!(price < range.low && off > 1.25_f64.ln()),
            PriceVerdict::Open | PriceVerdict::NoOnePrice => {}
        }
        seen.push(verdict);
    }
    for verdict in [PriceVerdict::Right, PriceVerdict::TooDear, PriceVerdict::TooCheap] {
        assert!(seen.contains(&verdict), "{verdict:?} {seen:?}");
    }
}

/// Each reason, on the weapon that was made for it; none of them affects the scale.
#[test]
fn what_is_not_known_is_not_priced() {
    let evidence = planted(&DESIGN, 5).evidence;
    let change = |f: &dyn Fn(&mut BattleEvidence)| {
        let mut other = evidence.clone();
        f(&mut other);
        let pricing = priced(&other);
        let without = priced(&with_price(&other, 0, None));
        assert_eq!(pricing.scale, without.scale, "it votes");
        assert!(pricing.weapons[1..].iter().all(|weapon| weapon.even.is_ok()));
        pricing.weapons[0].even.clone().expect_err("it is not priced")
    };
    let curve = |won: fn(&PointsAndWinShare) -> f64| {
        change(&|e: &mut BattleEvidence| {
            for battle in e.battles.iter_mut().filter(|battle| battle.weapon == 0) {
                battle.curve.iter_mut().for_each(|m| m.won = won(m));
            }
        })
    };
    assert_eq!(curve(|_| 0.5), UnpricedReason::Flat);
    assert_eq!(curve(|_| 0.9), UnpricedReason::OutsideCurves(WorthBound::AtLeast));
    assert_eq!(curve(|_| 0.1), UnpricedReason::OutsideCurves(WorthBound::AtMost));
    let silent = change(&|e: &mut BattleEvidence| {
        e.battles.iter_mut().filter(|b| b.weapon == 0).for_each(|b| b.fires = false);
    });
    assert_eq!(silent, UnpricedReason::Harmless(Vec::new()));
    let carrier = change(&|e: &mut BattleEvidence| {
        e.weapons[0].unseen = Some("carries troops".to_owned());
    });
    assert_eq!(carrier, UnpricedReason::NotModelled("carries troops".to_owned()));
}

fn read(text: &str) -> Arsenal {
    Arsenal::read_arsenal_text(&built_in_catalogue(), "test", text)
        .unwrap_or_else(|error| panic!("{error:?}"))
}

fn shot(weapons: &str, scenarios: &str) -> ArsenalPrices {
    let text = format!("system = 'skirmishers'\n{weapons}{scenarios}");
    let evidence =
        run_battles(&read(&text), &Gathering::default(), &NoBattleObserver).expect("it is whole");
    priced(&evidence)
}

const FIELDS: &str = "[[scenario]]\nname = 'long fields of fire'\nrange = [140, 110, 80, 60]\n\
    moves = 4\ntarget = { troopers = 4 }\n";

/// A weapon that never hits is worth no more than its presence, is not priced, and the report gives
/// the reason; a copy of a trooper costs a trooper.
#[test]
fn a_stone_stands_on_the_floor_and_a_trooper_costs_a_trooper() {
    let stone = "[[weapon]]\nname = 'stone'\ndamage = '1X'\nshort = 1\nlong = 2\nprice = 10\n";
    let pricing = shot(&format!("{stone}[[weapon]]\nname = 'rifle'\n"), FIELDS);
    let [stone, rifle] = &pricing.weapons[..] else { panic!("two weapons") };
    let floor = stone.idle_worth.expect("it was fought");
    assert!((stone.worth.best - floor).abs() < 1e-9, "{floor}");
    assert_eq!(stone.even, Err(UnpricedReason::Harmless(Vec::new())));
    assert!((rifle.worth.best - 159.0).abs() < 1e-9);
    assert!(rifle.idle_worth.expect("fought") < 159.0);
    // Eight of one's like are worth eight of them.
    assert!((rifle.eighth.expect("not flat") - 1.0).abs() < 1e-9);
}

/// A custom weapon needs no price, one opponent gives a wide range and no verdict, and more
/// opponents narrow it.
#[test]
fn less_knowledge_is_not_a_narrower_range() {
    let gun = "[[weapon]]\nname = 'Autocannon'\ndamage = '9X'\nshort = 60\nlong = 160\ncrew = 3\n";
    let other = |n: i32, armour: &str| {
        format!(
            "[[scenario]]\nname = 'other {n}'\nrange = [100, 60]\nmoves = 2\n\
             target = {{ troopers = 4, armour = '{armour}' }}\n"
        )
    };
    let width = |pricing: &ArsenalPrices| {
        let price = even(&pricing.weapons[0]).price;
        (price.high / price.low).ln()
    };
    let one = shot(gun, FIELDS);
    assert!(width(&one) > 2.0 * 1.7_f64.ln(), "{}", width(&one));
    assert_eq!(one.weapons[0].verdict_on_price(), None);
    let priced = format!("{gun}price = 1\n");
    assert_eq!(shot(&priced, FIELDS).weapons[0].verdict_on_price(), Some(PriceVerdict::Open));
    let two = shot(gun, &format!("{FIELDS}{}", other(1, "none")));
    assert!(width(&two) < width(&one));
    let alike = [1, 2, 3].map(|n| other(n, "none")).concat();
    let four = format!("{FIELDS}{alike}");
    assert!(width(&shot(gun, &four)) < width(&two));
    // A guess would change nothing.
    let guess = |price: i32| {
        let guessed = shot(&format!("{gun}price = {price}\n"), FIELDS);
        even(&guessed.weapons[0]).price
    };
    let alone = even(&one.weapons[0]).price;
    for price in [30, 300, 3000] {
        assert_eq!(guess(price), alone);
    }
}

/// A weapon worth nothing against most and much against some: as many battles are won as lost over
/// all at points that were fought, so it has a price.
#[test]
fn what_is_nothing_against_most_is_priced_by_the_rest() {
    let mut evidence =
        planted(&Design { weapons: 6, opponents: 5, scenarios: 1, ..DESIGN }, 1).evidence;
    let meeting = |points: f64, won: f64| PointsAndWinShare { points, won, trials: None };
    for battle in evidence.battles.iter_mut().filter(|battle| battle.weapon == 0) {
        battle.curve = match battle.scenario {
            0 | 1 => vec![meeting(0.0, 0.9), meeting(100.0, 0.8), meeting(200.0, 0.1)],
            // Half with nothing on the other side, and less with any troops.
            _ => vec![meeting(0.0, 0.5), meeting(5.0, 0.45), meeting(100.0, 0.05)],
        };
    }
    let all = priced(&evidence);
    // By hand: 2/5 of the wins of the first and 3/5 of the wins of the others are one half below
    // 100 points.
    let found = all.weapons[0].worth.best;
    assert!(all.weapons[0].even.is_ok() && (5.0..100.0).contains(&found), "{found}");
    // The current price does not affect the cost of a point: that is the same without it.
    let k = |pricing: &ArsenalPrices| pricing.scale.as_ref().expect("five others have prices").k;
    assert_eq!(k(&all), k(&priced(&with_price(&evidence, 0, None))));
    for battle in evidence.battles.iter_mut().filter(|battle| battle.weapon == 0) {
        battle.curve = vec![meeting(0.0, 0.5), meeting(5.0, 0.45), meeting(100.0, 0.05)];
    }
    let none = priced(&evidence).weapons[0].even.clone();
    assert_eq!(none, Err(UnpricedReason::OutsideCurves(WorthBound::AtMost)));
}

/// A scale that a file settles: by the factor, and by a unit whose price is then its even price and
/// is not judged.
#[test]
fn a_file_settles_the_scale() {
    let evidence = planted(&DESIGN, 3).evidence;
    let by = |scale| {
        prices_from_evidence(&evidence, &PricingSettings { scale, ..PricingSettings::default() })
            .expect("whole")
    };
    let said = by(ScaleSource::By(0.5));
    for weapon in &said.weapons {
        assert!((even(weapon).price.best / (0.5 * weapon.worth.best) - 1.0).abs() < 1e-12);
    }
    let scale = said.scale.expect("it is said");
    assert_eq!((scale.k.low, scale.k.best, scale.k.high), (0.5, 0.5, 0.5));
    let unit = by(ScaleSource::ByUnit(2));
    let (right, own) = (even(&unit.weapons[2]), evidence.weapons[2].price.expect("it has one"));
    assert!((right.price.best / own - 1.0).abs() < 1e-12 && right.finding.is_none());
    assert!((right.price.high / right.price.low - 1.0).abs() < 1e-12, "{right:?}");
    let ratio = |pricing: &ArsenalPrices, w: usize| {
        even(&pricing.weapons[w]).price.best / even(&pricing.weapons[2]).price.best
    };
    let free = by(ScaleSource::ByPrices);
    for w in 0..13 {
        let counts = even(&free.weapons[w]).relative_worth / even(&free.weapons[2]).relative_worth;
        assert!((ratio(&unit, w) / counts - 1.0).abs() < 1e-9, "{w}");
        assert!(w == 2 || even(&unit.weapons[w]).price.high > even(&unit.weapons[w]).price.best);
    }
    let candidate = with_price(&evidence, 2, None);
    let refused = prices_from_evidence(
        &candidate,
        &PricingSettings { scale: ScaleSource::ByUnit(2), ..PricingSettings::default() },
    );
    assert!(refused.expect_err("it has none").to_string().contains("it has no price"));
}

/// Prices that scatter by a half follow no one scale: then units are shown relative to the cheapest
/// that is not wrong.
#[test]
fn where_prices_follow_no_scale_units_are_set_beside_one() {
    let evidence = planted(&Design { scatter: 0.8, ..DESIGN }, 11).evidence;
    let pricing = priced(&evidence);
    assert!(
        pricing.scale.as_ref().is_some_and(|scale| scale.do_prices_disagree_with_scale()),
        "{:?}",
        pricing.scale
    );
    let one = pricing.reference_unit.expect("one of them is not wrong");
    let price = |w: usize| evidence.weapons[w].price.expect("it has one");
    for (w, weapon) in pricing.weapons.iter().enumerate() {
        let wrong = weapon.verdict_on_price().expect("it has a price").is_price_wrong();
        assert!(wrong || price(w) >= price(one), "{w} is cheaper");
        let beside = even(weapon).in_reference_units.expect("it is set beside it");
        let counts = even(weapon).relative_worth / even(&pricing.weapons[one]).relative_worth;
        assert!((beside.best / counts - 1.0).abs() < 1e-12 && beside.low <= beside.best);
        assert_eq!(beside.low == beside.best, w == one, "only the unit itself is certain");
    }
    let steady = priced(&planted(&Design { scatter: 0.05, ..DESIGN }, 11).evidence);
    assert_eq!(steady.reference_unit, None);
}

/// The pricing with other log worths: moved by `steps` in each scenario, and by `assumed` less and
/// more at the ends of an assumption.
fn moved(pricing: &ArsenalPrices, steps: [f64; 2], assumed: f64) -> ArsenalPrices {
    let mut other = pricing.clone();
    for (case, table) in &mut other.worths {
        let end = match case {
            AssumptionCase::Default => 0.0,
            AssumptionCase::Low(_) => -assumed,
            AssumptionCase::High(_) => assumed,
        };
        for row in table {
            row.iter_mut().zip(steps).for_each(|(worth, step)| worth.log += step + end);
        }
    }
    other
}

/// By hand: log worths change by 0.9 against one opponent and by 1.1 against the other, a variance
/// of 0.01 at four degrees of freedom, and by 0.06 less or more at the ends of an assumption, one
/// of 0.0012.
#[test]
fn a_change_has_the_range_of_opponents_and_assumptions() {
    let design = Design { weapons: 3, opponents: 2, scenarios: 1, assumptions: 1, ..DESIGN };
    let a = priced(&planted(&design, 2).evidence);
    let b = moved(&a, [0.9, 1.1], 0.06);
    let half = (2.776_445_f64.powi(2) * 0.01 + 1.959_964_f64.powi(2) * 0.0012).sqrt();
    for (from, to, log) in [(&a, &b, 1.0_f64), (&b, &a, -1.0)] {
        for weapon in compare_pricings(from, to).changes {
            let change = weapon.change.expect("scenarios are shared");
            let found = [Some(change.best), change.low, change.high];
            for (found, expected) in found.iter().zip([log, log - half, log + half]) {
                let found = found.expect("there are two opponents").ln();
                assert!((found - expected).abs() < 1e-6, "{change:?}");
            }
            assert!(weapon.is_significant, "{change:?}");
        }
    }
}

/// Against one opponent a change has no interval, so that it is never sure; without a scale prices
/// are in points of its troops, on both sides.
#[test]
fn a_change_against_one_opponent_is_never_sure() {
    let design = Design { weapons: 3, opponents: 1, ..DESIGN };
    let a = priced(&planted(&design, 2).evidence);
    let b = moved(&a, [2.0, 2.1], 0.0);
    for (weapon, before) in compare_pricings(&a, &b).changes.iter().zip(&a.weapons) {
        let change = weapon.change.expect("scenarios are shared");
        assert!((change.best.ln() - 2.05).abs() < 1e-9 && !weapon.is_significant, "{change:?}");
        assert_eq!((change.low, change.high), (None, None));
        let price = weapon.a.even.expect("it is priced");
        assert!((price / even(before).price.best - 1.0).abs() < 1e-12, "{price}");
    }
}

/// Prices in steps of fives are shown in those steps, and their ranges from the first step inside
/// to the last; the numbers themselves are unrounded.
#[test]
fn prices_are_shown_on_the_steps_of_the_game() {
    let mut evidence = planted(&DESIGN, 5).evidence;
    for weapon in &mut evidence.weapons {
        weapon.price = weapon.price.map(|price| (5.0 * (price / 5.0).round()).max(5.0));
    }
    for weapon in priced(&evidence).weapons {
        let even = even(&weapon);
        let (shown, exact) = (even.rounded, even.price);
        assert!((shown.best - exact.best).abs() <= 2.5 || shown.best == 5.0, "{even:?}");
        assert!(shown.low <= shown.best && shown.best <= shown.high, "{even:?}");
        for shown in [shown.low, shown.best, shown.high] {
            assert!(shown % 5.0 == 0.0 && shown >= 5.0, "{shown}");
        }
        // A step inside, and the next one beyond is outside.
        assert!(shown.low >= exact.low || shown.low == shown.best, "{even:?}");
        assert!(shown.high <= exact.high || shown.high == shown.best, "{even:?}");
        assert!(shown.low - 5.0 < exact.low && shown.high + 5.0 > exact.high, "{even:?}");
    }
}
