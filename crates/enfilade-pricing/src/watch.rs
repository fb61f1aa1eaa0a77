//! Observer of battles, which may stop them.

use super::evidence::{Battle, Note};

/// Record of a weapon in a scenario: its battle in every case that is fought, the default first,
/// and the remarks of its contests.
pub type Fought = (Vec<Battle>, Vec<Note>);

/// Observes the work, and may stop it.
pub trait Watch: Sync {
    /// Returns the record of a weapon in a scenario if it is known: then the battle is not fought.
    fn known(&self, _weapon: usize, _scenario: usize) -> Option<Fought> {
        None
    }

    /// Stores the record of a weapon in a scenario that was not known before.
    fn learnt(&self, _weapon: usize, _scenario: usize, _fought: &Fought) {}

    /// Counts a weapon that has fought in a scenario.
    fn fought(&self, _weapon: usize, _scenario: usize) {}

    /// Receives a battle with every assumption at its default.
    fn first(&self, _battle: &Battle) {}

    /// Whether the work continues.
    fn go_on(&self) -> bool {
        true
    }
}

/// An observer that does nothing.
#[derive(Debug)]
pub struct Unwatched;

impl Watch for Unwatched {}
