//! Attacks one after another on the same troopers, before anybody rolls.

use std::num::NonZeroU32;

use super::super::aim::{Aim, Marks};
use super::super::card::{Card, Damage};

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
    /// The card of an unhurt target.
    pub fresh: Card,
    /// Attacks.
    pub shots: u8,
    /// Targets, all alike.
    pub targets: u8,
    /// What armour and experience add to their AP.
    pub additions: i64,
    /// Point value of the weapon.
    pub pv: Option<NonZeroU32>,
}
