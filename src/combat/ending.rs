//! How a combat ended, as the engines see it.

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
