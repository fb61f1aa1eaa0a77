//! What editors and people ask of a rulebook: its form, its tables, what its rules remember.

pub mod formatter;
pub(crate) mod inspect;
pub mod printed_tables;
