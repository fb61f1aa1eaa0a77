//! Who watches battles being fought, and may stop them.

use super::evidence::{Battle, Note};

/// What became of a weapon in a scenario: its battle under every model that is fought, the default first, and what
/// its contests remark.
pub type Fought = (Vec<Battle>, Vec<Note>);

/// Who watches the work, and may stop it.
pub trait Watch: Sync {
    /// What became of a weapon in a scenario, where somebody knows it: then it is not fought.
    fn known(&self, _weapon: usize, _scenario: usize) -> Option<Fought> {
        None
    }

    /// This became of a weapon in a scenario, and was not known.
    fn learnt(&self, _weapon: usize, _scenario: usize, _fought: &Fought) {}

    /// A weapon has fought in a scenario.
    fn fought(&self, _weapon: usize, _scenario: usize) {}

    /// It has, and this is how with every assumption at its default.
    fn first(&self, _battle: &Battle) {}

    /// Whether to go on.
    fn go_on(&self) -> bool {
        true
    }
}

/// Nobody watches.
#[derive(Debug)]
pub struct Unwatched;

impl Watch for Unwatched {}
