//! Names find what they mean: from the trees of all files to the game that they declare.

pub(crate) mod action_facts;
mod carried_fields;
pub(crate) mod declare;
pub(crate) mod extend;
pub(crate) mod field_types;
pub(crate) mod game;
pub(crate) mod printed_cells;
pub(crate) mod uses;

/// The table of a contest that changes cells.
pub const CHANGE: &str = "change";
/// How many there are of a record.
pub const COUNT: &str = "count";
