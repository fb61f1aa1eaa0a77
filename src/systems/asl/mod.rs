//! Fire attacks on the Infantry Fire Table of a squad-level game of the Second World War.
//!
//! Source: A7 Fire Attacks (A7.1–A7.9); what A7 leans on (morale checks, leader loss, wounds,
//! breakdown, ELR) from the sections it names. What is not played is listed in [`SYSTEM`].

mod attack;
mod data;
mod drm;
mod fire;
mod numbers;
mod ordeal;
mod outcome;
mod roster;
mod targets;
mod tell;
mod unit;
mod vehicles;

use super::{Shelf, System};

/// The catalogue entry.
pub static SYSTEM: System = System {
    id: "asl",
    title: "Fire attacks on the Infantry Fire Table",
    source: "squad-level rules of the Second World War, section A7 Fire Attacks",
    dice: "2d6 (coloured and white), 1d6",
    actions: &[fire::ACTION],
    shelves,
    readings: &[],
    not_modelled: &[],
};

fn shelves() -> Vec<Shelf> {
    Vec::new()
}
