//! Attacks one after another on the same troopers, before anybody rolls.

use std::num::NonZeroU32;

use super::super::aim::{Aim, Marks};
use super::super::hit_card::{Card, Damage};
use super::super::unit_card::UnitCard;

/// The most targets.
pub const MAX_TARGETS: usize = 20;

/// Attacks on the same troopers, whoever of them is attacked next.
pub struct Attack {
    /// The target number.
    pub aim: Aim,
    /// What a hit does.
    pub damage: Damage,
    /// How hits are marked.
    pub marks: Marks,
    /// The cards of the targets in the order in which they stand, when nobody has struck them.
    pub fresh: Vec<Card>,
    /// The same before the first of these attacks.
    pub before: Vec<Card>,
    /// The columns of their unit card.
    pub unit: UnitCard,
    /// Attacks.
    pub shots: u8,
    /// What armour and experience add to their AP.
    pub additions: i64,
    /// Point value of the weapon.
    pub pv: Option<NonZeroU32>,
}

impl Attack {
    /// How many targets there are.
    pub fn targets(&self) -> u8 {
        self.fresh.len() as u8
    }
}
