//! Tools for editors and authors: the formatter, tables of a text, and inspection of saved states.

pub mod formatter;
pub(crate) mod inspect;
pub mod printed_tables;
