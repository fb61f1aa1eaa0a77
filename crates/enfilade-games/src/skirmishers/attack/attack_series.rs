//! Attacks in sequence on the same troopers, before the first die.

use std::num::NonZeroU32;

use super::super::aim::{HitMarking, TargetNumber};
use super::super::hit_card::{HitCard, LethalAndBludgeoning};
use super::super::unit_card::UnitCard;

/// Largest number of targets.
pub const MAX_ATTACK_TARGETS: usize = 20;

/// Attacks on the same troopers, in any order of targets.
pub struct AttackSeries {
    /// Target number.
    pub aim: TargetNumber,
    /// Damage of a hit.
    pub damage: LethalAndBludgeoning,
    /// Rules for marking hits.
    pub marks: HitMarking,
    /// Unmarked cards of the targets, in the order of the contest.
    pub fresh: Vec<HitCard>,
    /// Cards before the first of these attacks.
    pub before: Vec<HitCard>,
    /// Columns of the unit card.
    pub unit: UnitCard,
    /// Number of attacks.
    pub shots: u8,
    /// Bonus of armour and experience on the AP.
    pub additions: i64,
    /// Point value of the weapon.
    pub pv: Option<NonZeroU32>,
}

impl AttackSeries {
    /// Returns the number of targets.
    pub fn target_count(&self) -> u8 {
        self.fresh.len() as u8
    }
}
