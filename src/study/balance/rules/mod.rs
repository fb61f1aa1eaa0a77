//! The systems that an arsenal can be of: which fields their weapons and scenarios have, and how
//! a weapon in a scenario is staged for a battle.
//!
//! A system here knows which contests of its catalogue entry say what a shot does, and asks them
//! by name. No rule is told a second time: target numbers, hits, wounds and saves are the engine's.

mod aic;
mod dropzone;
pub mod ladder;
mod skirmishers;

use super::battle::{Round, Staging};
use super::durability::harm;
use super::kernel::{Checked, Kernels};
use super::scenario::{Assumed, Scenario};
use crate::form::{Fault, Fields, Form};

use super::arsenal::Weapon;
use super::evidence::{Denied, Exchange};

/// What a system needs to price weapons.
pub struct Rules {
    /// The system's id.
    pub id: &'static str,
    /// Fields of a `[[weapon]]`.
    pub weapon: Fields,
    /// Fields of a `[[scenario]]`.
    pub scenario: Fields,
    /// Assumptions of this system beside the common ones.
    pub assumptions: &'static [super::scenario::Preset],
    /// What a weapon is, or what its file does not say: its printed price, faults of its fields.
    pub printed_price: fn(&str, &Form) -> Checked<Option<f64>>,
    /// Stages a weapon in a scenario. Faults of the weapon's fields are under `weapon`, those of
    /// the scenario's under `scenario`.
    pub stage: fn(&Kernels, &Weapon, &Scenario, &Assumed) -> Checked<Staging>,
    /// Points that an activation of the weapon denies a whole enemy force.
    pub denied: fn(&Staging, &Scenario) -> Denied,
    /// What pins and breaks are worth in a scenario, from the rules' own rally.
    pub exchange: fn(&Kernels, &Scenario, &Assumed) -> Checked<Exchange>,
}

/// Every system that an arsenal can be of.
pub fn all() -> &'static [&'static Rules] {
    static ALL: &[&Rules] = &[&aic::RULES, &dropzone::RULES, &skirmishers::RULES];
    ALL
}

/// Puts faults under the table they are in.
fn within(outer: &'static str) -> impl Fn(Vec<Fault>) -> Vec<Fault> {
    move |faults| {
        let seen = faults.into_iter().map(|fault| fault.within(outer));
        seen.collect()
    }
}

/// What is denied where a trooper is whole or gone: troopers lost in an activation, no more than
/// there are, at their points.
fn kills_denied(staging: &Staging, scenario: &Scenario) -> Denied {
    let left = |to: usize| if to == 0 { 1.0 } else { 0.0 };
    let all = scenario.troopers() as f64;
    let killed = |round: &Round| harm(round.weapon_shots, &round.by_weapon, left).min(all);
    let sum: f64 = staging.rounds.iter().map(killed).sum();
    Denied {
        kill: sum / staging.rounds.len() as f64 * staging.troop_points,
        ..Denied::default()
    }
}
