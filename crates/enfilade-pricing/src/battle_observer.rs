//! Observer of battles, which may stop them.

use super::evidence::{ContestNote, WeaponWinCurves};

/// Record of a weapon in a scenario: its battle in every case that is fought, the default first,
/// and the remarks of its contests.
pub type BattlesAndContestNotes = (Vec<WeaponWinCurves>, Vec<ContestNote>);

/// Observes the work, and may stop it.
pub trait BattleObserver: Sync {
    /// Returns the record of a weapon in a scenario if it is known: then the battle is not fought.
    fn lookup_known_battles(
        &self,
        _weapon: usize,
        _scenario: usize,
    ) -> Option<BattlesAndContestNotes> {
        None
    }

    /// Stores the record of a weapon in a scenario that was not known before.
    fn store_fought_battles(
        &self,
        _weapon: usize,
        _scenario: usize,
        _fought: &BattlesAndContestNotes,
    ) {
    }

    /// Receives the battle of a weapon that has fought in a scenario, with every assumption at its
    /// default.
    fn note_battle_at_defaults(&self, _battle: &WeaponWinCurves) {}

    /// Whether the work continues.
    fn should_continue(&self) -> bool {
        true
    }
}

/// An observer that does nothing.
#[derive(Debug)]
pub struct NoBattleObserver;

impl BattleObserver for NoBattleObserver {}
