//! Tools for editors and authors: completions, mends, the formatter, tables of a text, and
//! inspection of saved states.

pub mod formatter;
#[doc(hidden)]
pub mod mends;
#[doc(hidden)]
pub mod name_completions;
pub mod printed_tables;
pub(crate) mod state_inspection;
