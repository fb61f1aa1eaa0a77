//! Ten units of a real game against each other: lists bought at their worth are nearly even, and
//! the remaining unevenness is the part that no price can mend.

mod given;

use enfilade_games::built_in_catalogue;
use enfilade_pricing::army_lists::ListBattleSimulator;
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::battle_runs::{BattleSettings, NoBattleObserver};
use enfilade_pricing::opponents::UnitsForEitherSide;
use enfilade_pricing::unit_edges::UnitEdgeMatrix;
use given::TEN;

/// The ten on open ground; all other assumptions are those of the reference battles.
fn ten() -> UnitsForEitherSide {
    let mut text = "system = 'dropzone'\n[assumptions]\ndiscount = [1, 1, 1]\n".to_owned();
    TEN.iter().for_each(|(name, _)| text += &format!("[[weapon]]\nname = '{name}'\n"));
    text += "[[scenario]]\nname = 'open'\nrange = [36, 30, 24, 18, 12, 6]\n\
             target = { unit = 'UCM/Sabre Tank', troopers = 5 }\n";
    let arsenal =
        Arsenal::read_arsenal_text(&built_in_catalogue(), "ten", &text).expect("it is in order");
    UnitsForEitherSide::new(&arsenal, &BattleSettings::default())
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().sum::<f64>() / values.count() as f64
}

#[test]
fn ten_units_against_each_other() {
    let opponents = ten();
    assert_eq!(opponents.units, (0..10).collect::<Vec<_>>());
    let worth = opponents
        .log_worths_by_opponent(&BattleSettings::default(), &NoBattleObserver)
        .expect("nothing stops it");
    // One of a kind is worth one of the same kind.
    (0..10).for_each(|i| assert!(worth[i][i].abs() < 0.02, "{}: {}", TEN[i].0, worth[i][i]));
    let level = |j: usize| mean(worth.iter().map(|row| row[j]));
    let log = |i: usize| mean((0..10).map(|j| worth[i][j] - level(j)));
    let even: Vec<f64> = (0..10).map(|i| 35.0 * (log(i) - log(0)).exp()).collect();
    let printed: Vec<f64> = TEN.iter().map(|unit| unit.1).collect();
    println!("even {even:?}");

    let encounter = opponents.fire_between_all_units().expect("all are staged");
    let battle = ListBattleSimulator::for_encounter(
        &encounter,
        opponents.settings_for_list_battle(500.0, 1),
    );
    let [then, now] =
        [&even, &printed].map(|prices| battle.measure_price_evenness(prices).expect("bought"));
    println!(
        "even {} {:?}, printed {} {:?}",
        then.mean_distance_from_even(),
        then.symmetric_80_percent_of_wins(),
        now.mean_distance_from_even(),
        now.symmetric_80_percent_of_wins()
    );
    assert!(then.mean_distance_from_even() <= 0.14 && now.mean_distance_from_even() >= 0.3);

    let edges = |prices: &[f64]| UnitEdgeMatrix::new(&worth, prices).expect("ten units");
    for (name, prices) in [("printed", &printed), ("even", &even)] {
        let found = edges(prices);
        let outbought: Vec<_> =
            (0..10).map(|i| (TEN[i].0, found.best_dominating_mix_factor(i))).collect();
        let missed: Vec<_> = (0..10).map(|i| found.mix_loss_without(i)).collect();
        println!(
            "{name}: size {} company {} mendable {:?} circle {:?}",
            found.root_mean_square(),
            found.company,
            found.edge_share_prices_could_mend(),
            found.find_strongest_cycle().map(|c| c.map(|i| TEN[i].0))
        );
        println!("outbought {outbought:?}\nmissed {missed:?}\nmix {:?}", found.find_unbeaten_mix());
        let none: Vec<_> = (0..10)
            .filter(|i| found.has_no_single_price(*i, &[1.0; 10], 0.25))
            .map(|i| TEN[i].0)
            .collect();
        println!(
            "no one price {none:?}; counter of the Caiman {:?}, of the Rocket {:?}",
            found.worst_opponent_of(7),
            found.worst_opponent_of(8)
        );
    }
    // Prices could mend most of what is uneven at the printed ones, and little at the even ones.
    let share = |prices| edges(prices).edge_share_prices_could_mend().expect("uneven");
    assert!(share(&printed) > 0.7 && share(&even) < 0.35);
    // Several are never worth buying now, none at the even prices.
    let outbought =
        |prices| (0..10).filter(|i| edges(prices).best_dominating_mix_factor(*i).is_some()).count();
    assert!(outbought(&printed) >= 4 && outbought(&even) == 0);
    assert!(edges(&even).has_no_single_price(8, &[1.0; 10], 0.25));
}

/// Men with other arms are opponents; a gun that several men serve is none.
#[test]
fn what_cannot_stand_on_both_sides_is_left_out() {
    let text = include_str!("../../../experiments/crewed_weapons.toml");
    let arsenal =
        Arsenal::read_arsenal_text(&built_in_catalogue(), "guns", text).expect("it is in order");
    let opponents = UnitsForEitherSide::new(&arsenal, &BattleSettings::default());
    let has = |name: &str| opponents.arsenal.weapons.iter().any(|weapon| weapon.name == name);
    assert!(has("rifle") && has("LMG") && !has("MMG") && !has("HMG"));
    assert!(arsenal.weapons.iter().any(|weapon| weapon.name == "HMG"));
}
