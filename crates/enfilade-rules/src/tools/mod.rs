//! Tools for editors and authors: completions, mends, the formatter, tables of a text, and inspection of saved states.

#[doc(hidden)]
pub mod completions;
pub mod formatter;
#[doc(hidden)]
pub mod mends;
pub mod printed_tables;
pub(crate) mod state_inspection;
