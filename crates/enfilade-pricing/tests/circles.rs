//! Units that beat each other in a circle: which of them have one price, and at what price one
//! fights even that wins nothing against one of its opponents.

mod known;
mod priced;

use enfilade_pricing::evidence::{
    AssumptionCase, BattleEvidence, PointsAndWinShare, WeaponWinCurves,
};
use enfilade_pricing::price::verdict::PriceVerdict;
use enfilade_pricing::price::{ArsenalPrices, WeaponPrice};

use known::{Design, planted};
use priced::{DESIGN, even, priced};

/// One unit in three kinds, each of which beats the next: log odds fall evenly, so each is worth
/// `edge` times a trooper of the kind it beats, and a trooper over `edge` of the one that beats it.
fn circle(edge: f64) -> BattleEvidence {
    circle_of(3, edge)
}

/// Such a circle of more kinds, each of which is even with those that are not beside it.
fn circle_of(kinds: usize, edge: f64) -> BattleEvidence {
    let design = Design { weapons: kinds, opponents: kinds, scenarios: 1, ..DESIGN };
    let mut evidence = planted(&design, 1).evidence;
    evidence.assumptions.clear();
    evidence.battles.retain(|battle| battle.model == AssumptionCase::Default);
    let worth = |battle: &WeaponWinCurves| match (battle.scenario + kinds - battle.weapon) % kinds {
        1 => 100.0 * edge,
        ahead if ahead + 1 == kinds => 100.0 / edge,
        _ => 100.0,
    };
    for battle in &mut evidence.battles {
        let worth = worth(battle);
        let meeting = |step: i32| {
            let points = worth * (0.25 * f64::from(step)).exp();
            PointsAndWinShare { points, won: 1.0 / (1.0 + (points / worth).powi(2)), trials: None }
        };
        battle.curve = (-10..=10).map(meeting).collect();
    }
    evidence
}

/// If each of a circle is met by all, none has one price if its edge is beyond the tolerance:
/// against the one that it beats it costs `edge` times as much as on average, against the other as
/// much less. A price beyond both is wrong against every opponent.
#[test]
fn who_is_met_by_all_may_have_no_one_price() {
    let met = |edge: f64, last: f64| {
        let mut evidence = circle(edge);
        evidence.battles.iter_mut().for_each(|b| b.mirror = b.weapon == b.scenario);
        let prices = [100.0, 100.0, last];
        evidence.weapons.iter_mut().zip(prices).for_each(|(w, price)| w.price = Some(price));
        priced(&evidence)
    };
    let verdicts = |pricing: &ArsenalPrices| -> Vec<Option<PriceVerdict>> {
        pricing.weapons.iter().map(WeaponPrice::verdict_on_price).collect()
    };
    assert!(!verdicts(&met(1.2, 100.0)).contains(&Some(PriceVerdict::NoOnePrice)));
    let far = met(1.6, 100.0);
    assert_eq!(verdicts(&far), [Some(PriceVerdict::NoOnePrice); 3]);
    for (unit, weapon) in far.weapons.iter().enumerate() {
        let (even, apart) = (even(weapon), even(weapon).opponent_prices.expect("no one price"));
        assert!((apart.low * 1.6 / even.price.best - 1.0).abs() < 1e-6, "{apart:?}");
        assert!((apart.high / 1.6 / even.price.best - 1.0).abs() < 1e-6, "{apart:?}");
        assert_eq!(apart.opponents, [(unit + 2) % 3, (unit + 1) % 3]);
    }
    // Ten times the price is too much against either.
    let dear = verdicts(&met(1.6, 1000.0));
    assert_eq!(
        dear,
        [PriceVerdict::NoOnePrice, PriceVerdict::NoOnePrice, PriceVerdict::TooDear].map(Some)
    );
    let units = far.units.expect("all are met");
    assert!(units.edges.edge_share_prices_could_mend().expect("uneven").abs() < 1e-9);
    // If one is met by none there are no such edges.
    let mut evidence = circle(1.6);
    evidence.battles.iter_mut().for_each(|b| b.mirror = b.weapon == b.scenario && b.weapon > 0);
    assert!(priced(&evidence).units.is_none());
    // So it is if the only scenario that meets it does not count, unless forty others stand for all.
    let compared = |kinds: usize| {
        let mut evidence = circle_of(kinds, 1.6);
        evidence.battles.iter_mut().for_each(|b| b.mirror = b.weapon == b.scenario);
        evidence.scenarios[0].weight = 0.0;
        priced(&evidence).units.map(|units| units.places)
    };
    assert_eq!([3, 40, 41].map(compared), [None, None, Some((1..=40).collect())]);
}

/// A circle of three has one price, by symmetry.
#[test]
fn a_symmetric_circle_has_one_price() {
    for edge in [1.1, 1.6, 4.0] {
        let pricing = priced(&circle(edge));
        let prices: Vec<f64> =
            pricing.weapons.iter().map(|weapon| even(weapon).price.best).collect();
        for price in &prices {
            assert!((price / prices[0] - 1.0).abs() < 1e-9, "{edge}: {prices:?}");
        }
    }
}

/// Against one of three it wins nothing, at any number: it has a price all the same, the one at
/// which it wins three in four of the other battles; log odds ln 3 of a curve in squares are at
/// 1/√3 of the even points.
#[test]
fn worth_nothing_to_somebody_is_a_price() {
    let mut evidence = circle(1.0);
    for battle in evidence.battles.iter_mut().filter(|b| b.weapon == 0 && b.scenario == 1) {
        battle.curve = [0.0, 50.0, 100.0]
            .map(|points| PointsAndWinShare { points, won: 1e-9, trials: None })
            .to_vec();
    }
    let found = even(&priced(&evidence).weapons[0]).price.best;
    assert!((found / (100.0 / 3f64.sqrt()) - 1.0).abs() < 0.01, "{found}");
}
