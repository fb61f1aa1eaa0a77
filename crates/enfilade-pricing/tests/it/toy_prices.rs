//! Weapons that are priced because their rulebook says which of its names mean what: the toy game
//! in Rust. Expected numbers are counted by hand.

use enfilade_model::error::InputError;
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::battle_runs::{BattleSettings, NoBattleObserver, run_battles};
use enfilade_pricing::error::PricingError;
use enfilade_pricing::price::{self, ArsenalPrices, prices_from_evidence};
use enfilade_study::error::StudyError;
use enfilade_testkit::toy;

use crate::arsenals::set_up;

fn priced(arsenal: &Arsenal) -> ArsenalPrices {
    let evidence = run_battles(arsenal, &BattleSettings::default(), &NoBattleObserver)
        .expect("nothing stops it");
    prices_from_evidence(&evidence, &price::PricingSettings::default()).expect("it is whole")
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
}

const TOY: &str = "system = 'toy'
[[weapon]]
name = 'repeater'
shots = 2
needed = 3
in_cover = true
[[weapon]]
name = 'musket'
shots = 1
needed = 5
[[weapon]]
name = 'cannon'
shots = 8
needed = 4
[[scenario]]
name = 'field'
moves = 3
target = { shots = 1, needed = 5, troopers = 4, points_each = 10 }
";

/// Two dice on 3 and more are two shots of two thirds; a musket on 5 and more is one of a third,
/// and in cover of a sixth. Eight dice at four models take four at most, and 4 − Σ P(fewer) on
/// average.
#[test]
fn the_toy_game_is_priced_by_its_names() {
    let arsenal = Arsenal::read_arsenal_text(&toy::CATALOGUE, "test", TOY).expect("it is in order");
    let repeater = set_up(&arsenal, 0);
    let round = &repeater.rounds[0];
    assert_eq!((round.weapon_shots, round.troop_shots, repeater.rounds.len()), (2, 1, 3));
    close(round.by_weapon[0][1].1, 2.0 / 3.0);
    close(round.on_troops[0][1].1, 1.0 / 3.0);
    close(round.on_weapon[0][1].1, 1.0 / 6.0);
    // Of eight fair coins 0, 1, 2, 3 heads in 1, 8, 28, 56 of 256 cases.
    let cannon = set_up(&arsenal, 2);
    let fewer = f64::from(4 + 3 * 8 + 2 * 28 + 56) / 256.0;
    assert_eq!(cannon.rounds[0].weapon_shots, 4);
    close(cannon.rounds[0].by_weapon[0][1].1, (4.0 - fewer) / 4.0);
    let pricing = priced(&arsenal);
    let worth: Vec<f64> = pricing.weapons.iter().map(|weapon| weapon.worth.best).collect();
    // Who carries what the troops carry is worth what each of them costs.
    assert!((worth[1] - 10.0).abs() < 1e-9, "{worth:?}");
    assert!(worth[0] > 20.0 && worth[2] > worth[0], "{worth:?}");
}

/// What is missing is told as in any arsenal.
#[test]
fn a_toy_weapon_without_fields_is_refused() {
    let text = TOY.replace("shots = 8\nneeded = 4\n", "");
    let Err(PricingError::Study(StudyError::Input(InputError { faults, .. }))) =
        Arsenal::read_arsenal_text(&toy::CATALOGUE, "test", &text)
    else {
        panic!("it has faults")
    };
    let fault = &faults[0].fault;
    assert!(fault.problem.contains("no profile"), "{fault:?}");
    assert_eq!(fault.help.as_deref(), Some("give its `shots`, `needed`"));
}
