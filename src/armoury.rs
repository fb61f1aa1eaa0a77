//! What a unit of a rulebook carries, as an arsenal fields it.
//!
//! A contest says what a shot does. It does not say which weapons a unit fires in an activation, how
//! many of each, and how often. A rulebook whose units carry several says so here, in words that are
//! no rulebook's own: who fields units needs neither its special rules nor the columns of its data.

use crate::form::names::NameList;
use crate::form::{Fault, Form};

/// The units of a rulebook and what they carry.
#[derive(Clone, Copy, Debug)]
pub struct Armoury {
    /// The names that units go by, printed and short.
    pub names: fn() -> &'static NameList,
    /// The built-in unit that a name means, whatever its case and spacing.
    pub unit: fn(&str) -> Option<Unit>,
    /// The weapon that a form describes by those fields of an attack that it has; faults are under
    /// the names of the fields.
    pub described: fn(&Form) -> Result<Arm, Vec<Fault>>,
}

/// A built-in unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its printed name.
    pub name: String,
    /// Points of one model, where they are printed.
    pub points: Option<u32>,
    /// Damage that one model takes before it is gone.
    pub health: u8,
    /// Its weapons with fixed numbers, in printed order.
    pub arms: Vec<Arm>,
}

/// A weapon of a unit, or several of them that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// Its printed name; `None` where numbers describe it.
    pub name: Option<String>,
    /// How many of them a model has, at least 1. Each fires by itself.
    pub count: u8,
    /// Of the weapons of a unit with the same number here, one is fired in an activation.
    pub alternative: Option<u16>,
    /// How often it can be fired in a game; `None`: as often as anybody likes.
    pub rounds: Option<u16>,
    /// Whether damage to who carries it takes shots away.
    pub reduced: bool,
    /// Whether it is for Close Quarters, and for nothing else.
    pub close_quarters: bool,
}
