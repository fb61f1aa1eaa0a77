//! Resolution of names: from the trees of all files to the game that they declare.

pub(crate) mod action_facts;
mod carried_paths;
pub(crate) mod field_types;
pub(crate) mod game;
mod lookalikes;
pub(crate) mod name_faults;
pub(crate) mod printed_cells;
pub(crate) mod resolve_declarations;
pub(crate) mod rulebook_extension;
pub(crate) mod symbol_die;
pub(crate) mod tables;
pub(crate) mod used_names;

/// Name of the contest's table of changed cells.
pub const CHANGE_FIELD: &str = "change";
/// Name of the field that counts equal records.
pub const RECORD_COUNT_FIELD: &str = "count";
