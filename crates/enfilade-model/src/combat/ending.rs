//! How a combat ended, as the engines see it.

use crate::shared::Text;

/// The most outcome fields, and the most measures, that one action may declare.
pub const MAX_COLUMNS: usize = 20;

/// A row of integers with room for [`MAX_COLUMNS`]; unused places are 0.
pub type Row = [i32; MAX_COLUMNS];

/// An outcome as the engines see it: the values of its fields and its weight in each measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ending {
    /// Values of the outcome fields, in the order of [`AnyCombat::fields`](super::AnyCombat::fields).
    pub fields: Row,
    /// Weights in the measures, in the order of [`AnyCombat::measures`](super::AnyCombat::measures).
    pub weights: Row,
}

/// What has become of a field of the contest, for whoever goes on from how it ended. Fields go by their paths,
/// such as `target.pins`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Later {
    /// It holds this number: of a switch 0 or 1, of a word or a name its index in the list, of a die its
    /// sides. Below the least that the field can hold, nothing is left of what it belongs to.
    Is(Text, i32),
    /// Of a list so many are left, the highest.
    Highest(Text, usize),
    /// What becomes of it is more than its contest can say.
    Untold(Text),
    /// Of several tables these are left: which, and what is other in each.
    Tables(Text, Vec<(usize, Vec<(Text, i32)>)>),
}
