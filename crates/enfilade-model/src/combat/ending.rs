//! How a combat ended, as the engines see it.

use crate::shared::Text;

/// The most outcome fields, and the most measures, that one action may declare, or a chain of them together.
pub const MAX_COLUMNS: usize = 32;

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

impl Later {
    /// The field that it is about, by its path.
    pub fn path(&self) -> &str {
        match self {
            Later::Is(path, _)
            | Later::Highest(path, _)
            | Later::Untold(path)
            | Later::Tables(path, _)
            | Later::Numbers(path, _)
            | Later::Written(path, _) => path,
        }
    }

    /// Whether nothing is left of it, as far as that shows without its field.
    pub fn is_nothing(&self) -> bool {
        match self {
            Later::Is(_, number) => *number < 0,
            Later::Highest(_, count) => *count == 0,
            Later::Tables(_, rows) => rows.is_empty(),
            Later::Numbers(_, numbers) => numbers.is_empty(),
            Later::Written(_, rows) => rows.is_empty(),
            Later::Untold(_) => false,
        }
    }
}

/// A table that is written anew: by field its numbers, of which one that is no list takes the first.
pub type Written = Vec<(Text, Vec<i32>)>;

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
    /// These numbers stand in the list; nothing is left where there are none.
    Numbers(Text, Vec<i32>),
    /// These tables stand there, written anew: by field its numbers. Nothing is left where there are none.
    Written(Text, Vec<Written>),
}
