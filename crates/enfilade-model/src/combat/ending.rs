//! Endings of a combat, as the engines see them.

use crate::static_or_shared::Text;

/// Largest number of outcome fields, and of measures, of one action or of a chain of actions
/// together.
pub const MAX_OUTCOME_COLUMNS: usize = 32;

/// Row of integers with room for [`MAX_OUTCOME_COLUMNS`]; unused places are 0.
pub type OutcomeRow = [i32; MAX_OUTCOME_COLUMNS];

/// Outcome as the engines see it: the values of its fields and its weight in each measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ending {
    /// Values of the outcome fields, in the order of
    /// [`AnyCombat::outcome_fields`](super::AnyCombat::outcome_fields).
    pub fields: OutcomeRow,
    /// Weights in the measures, in the order of
    /// [`AnyCombat::measures`](super::AnyCombat::measures).
    pub weights: OutcomeRow,
}

impl FieldChange {
    /// Returns the path of the field.
    pub fn changed_field_path(&self) -> &str {
        match self {
            FieldChange::Is(path, _)
            | FieldChange::Highest(path, _)
            | FieldChange::Untold(path)
            | FieldChange::Tables(path, _)
            | FieldChange::Numbers(path, _)
            | FieldChange::Written(path, _) => path,
        }
    }

    /// Returns whether nothing is left of the field, as far as the change itself shows.
    pub fn removes_whole_field(&self) -> bool {
        match self {
            FieldChange::Is(_, number) => *number < 0,
            FieldChange::Highest(_, count) => *count == 0,
            FieldChange::Tables(_, rows) => rows.is_empty(),
            FieldChange::Numbers(_, numbers) => numbers.is_empty(),
            FieldChange::Written(_, rows) => rows.is_empty(),
            FieldChange::Untold(_) => false,
        }
    }
}

/// Rewritten table: for each field its numbers; a field that is not a list takes the first.
pub type RewrittenTable = Vec<(Text, Vec<i32>)>;

/// Change of a field of the contest, for an action that follows this ending. Fields are named by
/// their paths, such as `target.pins`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldChange {
    /// The field has this number: 0 or 1 for a switch, the index in the list for a word or a name,
    /// the number of sides for a die. A number below the field's minimum means that nothing is left
    /// of the table with the field.
    Is(Text, i32),
    /// Only this many of a list are left, the highest.
    Highest(Text, usize),
    /// The change cannot be expressed in the contest's fields.
    Untold(Text),
    /// These of several tables are left: their indexes, each with its changed fields.
    Tables(Text, Vec<(usize, Vec<(Text, i32)>)>),
    /// The list has these numbers; nothing is left when it is empty.
    Numbers(Text, Vec<i32>),
    /// The tables are rewritten: for each field its numbers. Nothing is left when there are none.
    Written(Text, Vec<RewrittenTable>),
}
