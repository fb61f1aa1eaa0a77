//! Arsenals of built-in games, read and set up for tests.

// Each test uses a part of this module.
#![allow(dead_code)]

use std::sync::LazyLock;

use enfilade_games::built_in_catalogue;
use enfilade_model::catalogue::Catalogue;
use enfilade_model::error::InputError;
use enfilade_model::weapons::{BattleSetup, BattleUnit};
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::battle_runs::{BattleSettings, NoBattleObserver, run_battles};
use enfilade_pricing::contest_cache::ContestCache;
use enfilade_pricing::error::PricingError;
use enfilade_pricing::evidence::{AssumptionCase, BattleEvidence};
use enfilade_study::error::StudyError;

/// The built-in games.
pub static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(built_in_catalogue);

pub fn read(text: &str) -> Arsenal {
    Arsenal::read_arsenal_text(&BUILT_IN, "test", text)
        .unwrap_or_else(|error| panic!("{:?}", told(error)))
}

/// Path, problem and help of every fault.
pub fn told(error: PricingError) -> Vec<(String, String, String)> {
    let PricingError::Study(StudyError::Input(InputError { faults, .. })) = error else {
        panic!("{error}")
    };
    let told = faults.into_iter().map(|located| {
        let fault = located.fault;
        (fault.path, fault.problem, fault.help.unwrap_or_default())
    });
    told.collect()
}

pub fn refused(text: &str) -> Vec<(String, String, String)> {
    told(Arsenal::read_arsenal_text(&BUILT_IN, "test", text).expect_err("it has faults"))
}

/// The battle of the first weapon in the first scenario.
pub fn staged(text: &str) -> BattleSetup {
    set_up(&read(text), 0)
}

/// The battle of a weapon in the first scenario.
pub fn set_up(arsenal: &Arsenal, weapon: usize) -> BattleSetup {
    let assumed = arsenal.values_of_rulebook_assumptions(AssumptionCase::Default);
    let (gun, there) = (&arsenal.weapons[weapon], &arsenal.scenarios[0].setting);
    let staged = arsenal.set_up_weapon(gun, there, &assumed, &kernels(arsenal));
    staged.expect("it was staged when it was read").0
}

/// The share of its fire in so many activations that a unit loses by beginning in `condition` and
/// not whole, by the chances of its recovery.
pub fn lost_fire(unit: &BattleUnit, condition: usize, activations: usize) -> f64 {
    let mut fired = vec![0.0; unit.conditions.len() + 1];
    for _ in 0..activations {
        let now = unit.conditions.iter().map(|condition| {
            condition.fires + condition.rest.iter().map(|&(to, p)| p * fired[to]).sum::<f64>()
        });
        // Whoever is gone does not fire.
        fired = now.chain([0.0]).collect();
    }
    1.0 - fired[condition] / fired[unit.start]
}

/// Chances of 36 that 2d6 are `needed` or more.
pub fn chance(needed: i32) -> f64 {
    let ways = |sum: i32| f64::from(6 - (sum - 7).abs());
    (needed.max(2)..=12).map(ways).sum::<f64>() / 36.0
}

pub fn gathered(text: &str, settings: &BattleSettings) -> BattleEvidence {
    run_battles(&read(text), settings, &NoBattleObserver).expect("nothing stops it")
}

/// Contests of the game of an arsenal.
pub fn kernels(arsenal: &Arsenal) -> ContestCache {
    arsenal.new_contest_cache(&BattleSettings { trials: 1000, ..BattleSettings::default() })
}
