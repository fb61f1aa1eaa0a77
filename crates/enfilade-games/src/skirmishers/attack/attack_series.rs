//! Attacks in sequence on the same troopers, before the first die.

use std::num::NonZeroU32;

use super::super::aim::{Aim, Marks};
use super::super::hit_card::{Card, Damage};
use super::super::unit_card::UnitCard;

/// Largest number of targets.
pub const MAX_TARGETS: usize = 20;

/// Attacks on the same troopers, in any order of targets.
pub struct Attack {
    /// Target number.
    pub aim: Aim,
    /// Damage of a hit.
    pub damage: Damage,
    /// Rules for marking hits.
    pub marks: Marks,
    /// Unmarked cards of the targets, in the order of the contest.
    pub fresh: Vec<Card>,
    /// Cards before the first of these attacks.
    pub before: Vec<Card>,
    /// Columns of the unit card.
    pub unit: UnitCard,
    /// Number of attacks.
    pub shots: u8,
    /// Bonus of armour and experience on the AP.
    pub additions: i64,
    /// Point value of the weapon.
    pub pv: Option<NonZeroU32>,
}

impl Attack {
    /// Returns the number of targets.
    pub fn targets(&self) -> u8 {
        self.fresh.len() as u8
    }
}
