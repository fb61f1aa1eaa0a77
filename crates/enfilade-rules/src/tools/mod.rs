//! Tools for editors and authors: completions, mends, the formatter, tables of a text, and inspection of saved states.

pub mod completions;
pub mod formatter;
pub mod mends;
pub mod printed_tables;
pub(crate) mod state_inspection;
