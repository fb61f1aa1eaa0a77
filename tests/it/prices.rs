//! The principles of a price a designer can act on, each with its test: nobody votes on his own
//! price, one liar moves the others little, what is not known is not priced, a line to write gives the range it
//! says. On planted arsenals and, through the rules, on small real ones.

use enfilade::pricing::evidence::{Evidence, Meeting, Model};
use enfilade::pricing::gather::{Settings as Gathering, Unwatched, gather};
use enfilade::pricing::price::lever::Write;
use enfilade::pricing::price::verdict::Verdict;
use enfilade::pricing::price::worth::Bound;
use enfilade::pricing::price::{Anchor, Fair, Priced, Pricing, Settings, Unpriced, price};
use enfilade::stats::line::Fit;

use super::arsenal::read;
use super::known_prices::{Design, planted};

/// Thirteen weapons whose prices scatter by 20 % around their worth.
const DESIGN: Design = Design {
    weapons: 13,
    opponents: 5,
    scenarios: 2,
    between: 0.12,
    within: 0.08,
    common: 0.2,
    model: 0.04,
    assumptions: 2,
    trials: None,
    errors: &[1.0],
    scatter: 0.2,
    exponent: 1.2,
};

fn priced(evidence: &Evidence) -> Pricing {
    price(evidence, &Settings::default()).expect("the evidence is whole")
}

fn fair(weapon: &Priced) -> &Fair {
    weapon.priced().expect("it is priced")
}

/// The same with another price of one weapon.
fn with_price(evidence: &Evidence, weapon: usize, price: Option<f64>) -> Evidence {
    let mut other = evidence.clone();
    other.weapons[weapon].price = price;
    other
}

/// Principles 1 and 2, to the last digit: range, shares and lever with it.
#[test]
fn nobody_votes_on_his_own_price() {
    for weapons in [9, 13] {
        let design = Design { weapons, ..DESIGN };
        let evidence = planted(&design, 4).evidence;
        let all = priced(&evidence);
        for w in 0..weapons {
            let before = &all.weapons[w];
            let own = before.price.expect("it has a price");
            for price in [None, Some(0.1 * own), Some(10.0 * own), Some(1.0)] {
                let changed = priced(&with_price(&evidence, w, price));
                let after = &changed.weapons[w];
                assert_eq!(fair(after).price, fair(before).price, "{w} {price:?}");
                assert_eq!(fair(after).shares, fair(before).shares, "{w} {price:?}");
                assert_eq!(fair(after).lever, fair(before).lever, "{w} {price:?}");
                if price.is_some() {
                    assert_eq!(fair(after).by_mix, fair(before).by_mix, "{w} {price:?}");
                }
                assert_eq!(after.worth, before.worth, "{w} {price:?}");
                assert_eq!(after.judged().is_some(), price.is_some());
                assert_eq!(fair(after).anchor, Anchor::Arsenal);
            }
        }
    }
}

/// A candidate takes no part: the others are what they are without it.
#[test]
fn a_candidate_moves_nobody() {
    let evidence = planted(&DESIGN, 7).evidence;
    let mut without = evidence.clone();
    let last = evidence.weapons.len() - 1;
    without.weapons.truncate(last);
    without.battles.retain(|battle| battle.weapon < last);
    let (with, without) = (priced(&with_price(&evidence, last, None)), priced(&without));
    for (a, b) in with.weapons.iter().zip(&without.weapons) {
        assert_eq!(a.fair, b.fair, "{}", a.name);
    }
    assert_eq!((with.mixes, with.unused), (without.mixes, without.unused));
    // Fewer than eight others: points of the reference troops, and no verdict for want of a price.
    let small = planted(&Design { weapons: 8, ..DESIGN }, 7).evidence;
    let pricing = priced(&small);
    for weapon in &pricing.weapons {
        assert_eq!(fair(weapon).anchor, Anchor::Reference);
        assert_eq!(fair(weapon).price, weapon.worth);
    }
    assert_eq!(priced(&with_price(&small, 0, None)).weapons[0].verdict(), None);
}

/// Standard error of the line through the other weapons, at the worth of this one.
fn line_error(pricing: &Pricing, own: usize) -> f64 {
    let others = pricing.weapons.iter().enumerate().filter(|(w, _)| *w != own);
    let point = |(_, weapon): (usize, &Priced)| {
        (weapon.worth.best.ln(), weapon.price.expect("it has one").ln())
    };
    let fit = Fit::through(&others.map(point).collect::<Vec<_>>()).expect("points");
    fit.variance(pricing.weapons[own].worth.best.ln()).sqrt()
}

/// How far a lie moves the worst of the other best guesses, in log price.
fn worst_other(a: &Pricing, b: &Pricing, liar: usize) -> f64 {
    let pairs = a.weapons.iter().zip(&b.weapons).enumerate();
    let others = pairs.filter(|(w, _)| *w != liar);
    let off = others.map(|(_, (a, b))| (fair(a).price.best / fair(b).price.best).ln().abs());
    off.fold(0.0, f64::max)
}

/// The value below which so many of them lie.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() as f64 * share) as usize]
}

/// Principle 3, where twice the worth costs 1.83, 2 and 2.64 times: for nine in ten liars the worst
/// other best guess moves by no more than the largest standard error of a line. Ten times too much is
/// thrown away: for nine in ten liars the others are where they are without it.
#[test]
fn one_liar_moves_the_others_little() {
    for exponent in [0.87, 1.0, 1.4] {
        let (mut moved, mut worst, mut unused) = (Vec::new(), Vec::new(), 0);
        let design = Design { exponent, ..DESIGN };
        for seed in 0..4 {
            let evidence = planted(&design, seed).evidence;
            let clean = priced(&evidence);
            let largest = (0..clean.weapons.len()).map(|w| line_error(&clean, w));
            let largest = largest.fold(0.0, f64::max);
            for liar in 0..evidence.weapons.len() {
                let own = evidence.weapons[liar].price.expect("it has a price");
                let left_out = priced(&with_price(&evidence, liar, None));
                for factor in [0.1, 10.0] {
                    let lied = priced(&with_price(&evidence, liar, Some(factor * own)));
                    unused += usize::from(lied.unused.contains(&liar));
                    moved.push(worst_other(&lied, &clean, liar) / largest);
                    if factor > 1.0 {
                        worst.push(worst_other(&lied, &left_out, liar));
                    }
                }
            }
        }
        let (ninth, far) = (quantile(&mut moved, 0.9), quantile(&mut worst, 0.9));
        assert!(ninth <= 1.0, "exponent {exponent}: {ninth}");
        assert!(far <= 0.05, "exponent {exponent}: {far}");
        assert!(10 * unused >= 9 * moved.len(), "exponent {exponent}: {unused}");
    }
}

/// What is said of single prices is what pricing again without them, or with ten times as much, gives.
#[test]
fn how_much_best_guesses_lean_on_single_prices_is_told() {
    let evidence = planted(&DESIGN, 5).evidence;
    let clean = priced(&evidence);
    let lean = clean.lean().expect("there is a line");
    for (told, factor) in [(lean.without, None), (lean.tenfold, Some(10.0))] {
        let moved = |w: usize| {
            let own = evidence.weapons[w].price.expect("it has a price");
            let again = priced(&with_price(&evidence, w, factor.map(|factor| factor * own)));
            worst_other(&again, &clean, w)
        };
        let all: Vec<f64> = (0..evidence.weapons.len()).map(moved).collect();
        let largest = all.iter().copied().fold(0.0, f64::max);
        assert!((told.by.abs() - largest).abs() < 1e-9, "{told:?} {largest}");
        assert!((all[told.price] - largest).abs() < 1e-9 && told.guess != told.price, "{told:?}");
    }
}

/// Principle 6: a line that fixes an assumption gives the very range it promised.
#[test]
fn the_line_to_write_gives_the_range_it_says() {
    let design = Design { model: 0.4, scatter: 0.05, ..DESIGN };
    let evidence = planted(&design, 2).evidence;
    let mut tried = 0;
    for (w, weapon) in priced(&evidence).weapons.iter().enumerate() {
        let before = fair(weapon);
        let lever = before.lever.as_ref().expect("something is in doubt");
        assert!(lever.half < (before.price.high / before.price.best).ln());
        let Write::Assumption(name, _) = &lever.write else {
            continue;
        };
        let mut named = evidence.assumptions.iter();
        let place = named.position(|a| a.name == *name).expect("one of them");
        let mut fixed = evidence.clone();
        fixed.battles.retain(|b| b.model != Model::Low(place) && b.model != Model::High(place));
        let pricing = priced(&fixed);
        let after = fair(&pricing.weapons[w]);
        let half = (after.price.high / after.price.best).ln();
        assert!((half - lever.half).abs() < 1e-12, "{w}");
        tried += 1;
    }
    assert!(tried > 3, "{tried}");
}

/// Planted: an assumption moves every worth by as much down as up, so the best guess lies in the middle
/// of those at its ends.
#[test]
fn the_ends_of_an_assumption_are_told() {
    let settings = Settings { anchor: Some(Anchor::Reference), ..Settings::default() };
    let evidence = planted(&Design { weapons: 6, ..DESIGN }, 3).evidence;
    for weapon in price(&evidence, &settings).expect("it is whole").weapons {
        let fair = fair(&weapon);
        assert_eq!(fair.ends.len(), 2);
        for (low, high) in &fair.ends {
            assert!(
                ((low * high).ln() - 2.0 * fair.price.best.ln()).abs() < 1e-6,
                "{}",
                weapon.name
            );
            assert!(low != high);
        }
    }
}

/// Principle 6: three verdicts, and none for a candidate or below three opponents.
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
        let (range, price) = (fair(weapon).price, weapon.price.expect("it has one"));
        let verdict = weapon.verdict().expect("it has a price");
        let off = (price / range.best).ln().abs();
        match verdict {
            Verdict::Fine => assert!(off < 1.25_f64.ln()),
            Verdict::Over => assert!(price > range.high && off > 1.25_f64.ln()),
            Verdict::Under => assert!(price < range.low && off > 1.25_f64.ln()),
            Verdict::CannotTell => {}
        }
        seen.push(verdict);
    }
    for verdict in [Verdict::Fine, Verdict::Over, Verdict::Under] {
        assert!(seen.contains(&verdict), "{verdict:?} {seen:?}");
    }
}

/// Principle 7: each reason, on the weapon it is made for; none of them has a say in the line.
#[test]
fn what_is_not_known_is_not_priced() {
    let evidence = planted(&DESIGN, 5).evidence;
    let change = |f: &dyn Fn(&mut Evidence)| {
        let mut other = evidence.clone();
        f(&mut other);
        let pricing = priced(&other);
        assert_eq!(pricing.line.as_ref().map(|line| line.weights.len()), Some(12));
        assert!(pricing.weapons[1..].iter().all(|weapon| weapon.fair.is_ok()));
        pricing.weapons[0].fair.clone().expect_err("it is not priced")
    };
    let curve = |won: fn(&Meeting) -> f64| {
        change(&|e: &mut Evidence| {
            for battle in e.battles.iter_mut().filter(|battle| battle.weapon == 0) {
                battle.curve.iter_mut().for_each(|m| m.won = won(m));
            }
        })
    };
    assert_eq!(curve(|_| 0.5), Unpriced::Flat);
    assert_eq!(curve(|_| 0.9), Unpriced::Beyond(Bound::AtLeast));
    assert_eq!(curve(|_| 0.1), Unpriced::Beyond(Bound::AtMost));
    let silent = change(&|e: &mut Evidence| {
        e.battles.iter_mut().filter(|b| b.weapon == 0).for_each(|b| b.fires = false);
    });
    assert_eq!(silent, Unpriced::Harmless);
    let carrier = change(&|e: &mut Evidence| {
        e.weapons[0].unseen = Some("carries troops".to_owned());
    });
    assert_eq!(carrier, Unpriced::Unseen("carries troops".to_owned()));
}

/// Principle 11: pure noise around the line, 130 weapons: no trend along worth, though dear ones are
/// over by construction; a kind that is off is found.
#[test]
fn noise_is_no_finding_along_worth() {
    let design =
        Design { weapons: 130, opponents: 3, scenarios: 1, assumptions: 0, scatter: 0.4, ..DESIGN };
    let mut evidence = planted(&design, 1).evidence;
    for weapon in evidence.weapons.iter_mut().take(12) {
        weapon.traits = vec!["Command".to_owned()];
        weapon.price = weapon.price.map(|price| 2.0 * price);
    }
    let pricing = priced(&evidence);
    assert_eq!(pricing.along_worth.len(), 5);
    for fifth in &pricing.along_worth {
        assert!(fifth.mean.abs() < 4.0 * fifth.error, "{fifth:?}");
    }
    let [command] = &pricing.by_kind[..] else { panic!("{:?}", pricing.by_kind) };
    assert!((command.mean - 2f64.ln()).abs() < 0.4, "{command:?}");
}

fn shot(weapons: &str, scenarios: &str) -> Pricing {
    let text = format!("system = 'skirmishers'\n{weapons}{scenarios}");
    let evidence = gather(&read(&text), &Gathering::default(), &Unwatched).expect("it is whole");
    priced(&evidence)
}

const FIELDS: &str = "[[scenario]]\nname = 'long fields of fire'\nrange = [140, 110, 80, 60]\n\
    moves = 4\ntarget = { troopers = 4 }\n";

/// Principle 8 and finding 2.7: what never hits stands on the floor, is not priced, and says so; a
/// copy of a trooper costs a trooper.
#[test]
fn a_stone_stands_on_the_floor_and_a_trooper_costs_a_trooper() {
    let stone = "[[weapon]]\nname = 'stone'\ndamage = '1X'\nshort = 1\nlong = 2\nprice = 10\n";
    let pricing = shot(&format!("{stone}[[weapon]]\nname = 'rifle'\n"), FIELDS);
    let [stone, rifle] = &pricing.weapons[..] else { panic!("two weapons") };
    let floor = stone.floor.expect("it was fought");
    assert!((stone.worth.best - floor).abs() < 1e-9, "{floor}");
    assert_eq!(stone.fair, Err(Unpriced::Harmless));
    assert_eq!((stone.floored, rifle.floored), (1.0, 0.0));
    assert!((rifle.worth.best - 159.0).abs() < 1e-9);
    assert!(rifle.floor.expect("fought") < 159.0);
    assert!((rifle.copies[1].expect("not flat") - 159.0).abs() < 1e-9);
}

/// Findings 2.4 and 2.5: a weapon of one's own needs no price, one opponent gives a wide range and no
/// verdict, and more opponents narrow it.
#[test]
fn less_knowledge_is_not_a_narrower_range() {
    let gun = "[[weapon]]\nname = 'Autocannon'\ndamage = '9X'\nshort = 60\nlong = 160\ncrew = 3\n";
    let other = |n: i32, armour: &str| {
        format!(
            "[[scenario]]\nname = 'other {n}'\nrange = [100, 60]\nmoves = 2\n\
             target = {{ troopers = 4, armour = '{armour}' }}\n"
        )
    };
    let width = |pricing: &Pricing| {
        let price = fair(&pricing.weapons[0]).price;
        (price.high / price.low).ln()
    };
    let one = shot(gun, FIELDS);
    assert!(width(&one) > 2.0 * 1.7_f64.ln(), "{}", width(&one));
    assert_eq!(one.weapons[0].verdict(), None);
    let priced = format!("{gun}price = 1\n");
    assert_eq!(shot(&priced, FIELDS).weapons[0].verdict(), Some(Verdict::CannotTell));
    let two = shot(gun, &format!("{FIELDS}{}", other(1, "none")));
    assert!(width(&two) < width(&one));
    let alike = [1, 2, 3].map(|n| other(n, "none")).concat();
    let four = format!("{FIELDS}{alike}");
    assert!(width(&shot(gun, &four)) < width(&two));
    // What a guess would change: nothing.
    let guess = |price: i32| {
        let guessed = shot(&format!("{gun}price = {price}\n"), FIELDS);
        fair(&guessed.weapons[0]).price
    };
    let alone = fair(&one.weapons[0]).price;
    for price in [30, 300, 3000] {
        assert_eq!(guess(price), alone);
    }
}

/// Worths and prices of the weapons that have both in a report of the house.
fn published(report: &str) -> Vec<(f64, f64)> {
    let path = format!("{}/reports/{report}/balance.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("it is published");
    let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let weapons = json["weapons"].as_array().expect("a list").iter();
    let priced = weapons.filter(|weapon| weapon["fair"].is_object() || weapon["fair"].is_number());
    let point = |weapon: &serde_json::Value| {
        Some((weapon["worth"]["best"].as_f64()?.ln(), weapon["price"].as_f64()?.ln()))
    };
    priced.filter_map(point).collect()
}

/// Principle 3 on what ships, by the worths that were published: every liar of the small arsenal, every
/// seventh of the large one. An honest price that is left out moves nobody by more than the largest
/// standard error of a line. Of a hundred units no liar does more either; of the thirteen crewed weapons and small arms, whose prices scatter by
/// a half, ten times is only four and a half scales, and is not always thrown away: there it is one and
/// three quarters for the worst, and within one for two liars in three. What throws away more
/// covers less (`DESIGN.md`).
#[test]
fn liars_on_the_arsenals_of_the_house_move_the_others_little() {
    for (report, least, [two_thirds, ninth, worst]) in
        [("crewed-weapons", 13, [1.0, 1.75, 1.75]), ("dropzone-arsenal", 100, [1.0, 1.0, 1.0])]
    {
        let points = published(report);
        assert!(points.len() >= least, "{report}: {}", points.len());
        let line = |prices: &[(f64, f64)], own: usize, out: Option<usize>| {
            let others = prices.iter().enumerate().filter(|(w, _)| *w != own && Some(*w) != out);
            let fit = Fit::through(&others.map(|(_, point)| *point).collect::<Vec<_>>());
            let (fit, x) = (fit.expect("points"), prices[own].0);
            (fit.line.at(x), fit.variance(x).sqrt())
        };
        let clean: Vec<(f64, f64)> = (0..points.len()).map(|w| line(&points, w, None)).collect();
        let largest = clean.iter().map(|(_, error)| *error).fold(0.0, f64::max);
        let moved = |prices: &[(f64, f64)], liar: usize, out: Option<usize>| {
            let others = (0..points.len()).filter(|w| *w != liar);
            let each = others.map(|w| (line(prices, w, out).0 - clean[w].0).abs());
            each.fold(0.0, f64::max) / largest
        };
        let mut lied = Vec::new();
        for liar in (0..points.len()).step_by(points.len() / 13) {
            let left_out = moved(&points, liar, Some(liar));
            assert!(left_out <= 1.0, "{report}: {liar} left out moves another by {left_out}");
            for off in [10f64.ln(), -10f64.ln()] {
                let mut prices = points.clone();
                prices[liar].1 += off;
                lied.push(moved(&prices, liar, None));
            }
        }
        let found = [2.0 / 3.0, 0.9, 0.999].map(|share| quantile(&mut lied, share));
        println!("{report}: {found:?} of {largest}");
        for (found, most) in found.into_iter().zip([two_thirds, ninth, worst]) {
            assert!(found <= most, "{report}: {found} {most}");
        }
    }
}
