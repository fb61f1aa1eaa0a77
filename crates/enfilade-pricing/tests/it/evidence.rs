//! Prices from odd evidence, which a file can have.

use enfilade_pricing::evidence::{
    AssumptionCase, BattleEvidence, PointsAndWinShare, WeaponWinCurves,
};
use enfilade_pricing::price::{ArsenalPrices, PricingSettings, prices_from_evidence};

use crate::known_prices::{Design, planted};

const DESIGN: Design = Design {
    weapons: 6,
    opponents: 3,
    scenarios: 2,
    between: 0.2,
    within: 0.1,
    common: 0.1,
    model: 0.05,
    assumptions: 1,
    trials: None,
    errors: &[1.0, 1.3, 0.7],
    scatter: 0.0,
    exponent: 1.0,
};

fn evidence() -> BattleEvidence {
    planted(&DESIGN, 3).evidence
}

fn priced(evidence: &BattleEvidence) -> ArsenalPrices {
    prices_from_evidence(evidence, &PricingSettings::default()).expect("the evidence is whole")
}

/// A scenario written twice against the same opponent, at half of its weight each, is that
/// scenario.
#[test]
fn a_scenario_written_twice_is_the_same_scenario() {
    let evidence = evidence();
    let once = priced(&evidence);
    for s in 0..evidence.scenarios.len() {
        let mut twice = evidence.clone();
        let copy = evidence.scenarios.len();
        twice.scenarios[s].weight *= 0.5;
        twice.scenarios.push(twice.scenarios[s].clone());
        let same = evidence.battles.iter().filter(|battle| battle.scenario == s);
        twice
            .battles
            .extend(same.map(|battle| WeaponWinCurves { scenario: copy, ..battle.clone() }));
        for (a, b) in once.weapons.iter().zip(&priced(&twice).weapons) {
            let [a, b] =
                [a, b].map(|weapon| weapon.even_price_if_any().expect("it is priced").price);
            assert!((a.best / b.best - 1.0).abs() < 1e-9, "{s}");
            assert!((a.high / b.high - 1.0).abs() < 1e-9, "{s}");
        }
    }
}

/// Evidence with every curve replaced.
fn with_curves(curve: impl Fn(&WeaponWinCurves) -> Vec<PointsAndWinShare>) -> BattleEvidence {
    let mut evidence = evidence();
    for battle in &mut evidence.battles {
        battle.curve = curve(battle);
    }
    evidence
}

#[test]
fn odd_evidence_is_priced_or_refused_and_never_a_panic() {
    let flat = |won: f64, trials| {
        move |battle: &WeaponWinCurves| -> Vec<PointsAndWinShare> {
            let meeting =
                |m: &PointsAndWinShare| PointsAndWinShare { points: m.points, won, trials };
            battle.curve.iter().map(meeting).collect()
        }
    };
    for won in [0.0, 0.5, 1.0] {
        for trials in [None, Some(1), Some(1_000_000)] {
            for weapon in priced(&with_curves(flat(won, trials))).weapons {
                let worth = weapon.worth;
                assert!(worth.best.is_finite() && worth.best > 0.0, "{won} {weapon:?}");
                assert!(worth.low.is_finite() && worth.high.is_finite());
                // A level curve says nothing.
                assert!(weapon.even.is_err(), "{won} {weapon:?}");
            }
        }
    }
    let mut small = evidence();
    small.weapons.truncate(1);
    small.scenarios.truncate(1);
    small.battles.retain(|battle| battle.weapon == 0 && battle.scenario == 0);
    let alone = &priced(&small).weapons[0];
    assert_eq!(
        alone.finding_on_price().expect("it has a price").verdict.label_in_reports(),
        "open"
    );
}

#[test]
fn evidence_that_cannot_be_priced_is_refused_with_its_reason() {
    let refused = |change: fn(&mut BattleEvidence)| {
        let mut evidence = evidence();
        change(&mut evidence);
        let error = prices_from_evidence(&evidence, &PricingSettings::default())
            .expect_err("it cannot be priced");
        error.to_string()
    };
    assert!(refused(|e| e.weapons.clear()).contains("at least one weapon"));
    assert!(refused(|e| e.weapons[2].price = Some(0.0)).contains("\"weapon 2\" must be above 0"));
    assert!(refused(|e| e.weapons[2].price = Some(f64::NAN)).contains("above 0"));
    assert!(refused(|e| e.scenarios.iter_mut().for_each(|s| s.weight = 0.0)).contains("not all"));
    assert!(refused(|e| e.battles.clear()).contains("no battle to price"));
    let missing =
        |e: &mut BattleEvidence| e.battles.retain(|battle| battle.scenario + battle.weapon > 0);
    assert!(refused(missing).contains("no battle to price \"weapon 0\""));
}

/// The price of a weapon sets the scale of all if its worth is known against half of its opponents,
/// and not if only against a third.
#[test]
fn a_worth_that_is_known_by_half_sets_the_scale() {
    for (opponents, known, counts) in [(2, 1, true), (3, 1, false), (3, 2, true)] {
        let mut evidence = planted(&Design { opponents, scenarios: 1, ..DESIGN }, 3).evidence;
        for battle in &mut evidence.battles {
            if battle.weapon == 0 && battle.scenario >= known {
                // It wins at all numbers that were tried.
                battle.curve.iter_mut().for_each(|point| point.won = 0.9);
            }
        }
        let k = |evidence: &BattleEvidence| priced(evidence).scale.expect("five have prices").k;
        let all = k(&evidence);
        evidence.weapons[0].price = None;
        assert_eq!(all != k(&evidence), counts, "{known} of {opponents}");
    }
}

/// A copy that never fires has fought in one scenario alone: half way between 40 and 60 points it
/// wins half.
#[test]
fn a_copy_without_fire_is_worth_what_it_is_where_it_fought() {
    let mut evidence = evidence();
    let point = |points: f64, won: f64| PointsAndWinShare { points, won, trials: None };
    let fought = |battle: &&mut WeaponWinCurves| {
        (battle.weapon, battle.scenario, battle.model) == (0, 1, AssumptionCase::Default)
    };
    for battle in evidence.battles.iter_mut().filter(fought) {
        battle.silent = vec![point(40.0, 0.6), point(60.0, 0.4)];
    }
    let weapons = priced(&evidence).weapons;
    let idle = weapons[0].idle_worth.expect("it fought");
    assert!((idle - 50.0).abs() < 1e-6 && weapons[1].idle_worth.is_none(), "{idle}");
}

/// Eight points of 100 battles each, in six scenarios.
#[test]
fn battles_that_were_rolled_are_counted_over_all_scenarios() {
    let rolled = planted(&Design { trials: Some(100), ..DESIGN }, 3).evidence;
    assert!(priced(&rolled).weapons.iter().all(|weapon| weapon.trials == Some(4800)));
    assert!(priced(&evidence()).weapons.iter().all(|weapon| weapon.trials.is_none()));
}

/// An assumption that makes every weapon worth a fifth less at one end and a tenth more at the
/// other moves no price: the others cost as much less or more.
#[test]
fn what_all_weapons_share_moves_no_price() {
    let mut evidence = planted(&Design { model: 0.0, ..DESIGN }, 3).evidence;
    for battle in &mut evidence.battles {
        let factor = match battle.model {
            AssumptionCase::Default => 1.0,
            AssumptionCase::Low(_) => 0.8,
            AssumptionCase::High(_) => 1.1,
        };
        battle.curve.iter_mut().for_each(|point| point.points *= factor);
    }
    for weapon in priced(&evidence).weapons {
        let even = weapon.even_price_if_any().expect("it is priced");
        let (low, high) = even.assumption_prices[0];
        for end in [low, high] {
            assert!((end / even.price.best - 1.0).abs() < 1e-6, "{even:?}");
        }
        // Nothing is a bound: that is 0 in a table, and not −0.
        assert!(weapon.bounded_share == 0.0 && weapon.bounded_share.is_sign_positive());
    }
}
