//! Tools for editors and authors: the formatter, tables of a text, and inspection of saved states.

pub mod formatter;
pub mod printed_tables;
pub(crate) mod state_inspection;
