//! Forms that a designer fills in: the fields of a contest, their values, and their meaning.
//!
//! An action declares its fields once, as data. This declaration is used for the checks of a file,
//! the defaults, the list that `enfilade systems` prints, the JSON Schema for editors, the grid
//! axes and the typed columns of the results. A [`Form`] is a table that passed the checks.

pub mod again;
pub mod check;
mod expected;
mod fault;
mod field;
pub mod groups;
mod hexes;
pub mod names;
mod plain;
#[doc(hidden)]
pub mod rows;
pub mod shown;
mod value;

pub use fault::{FAULTS, Fault, both, each, within};
pub use field::{ENTRIES, Field, Fields, Kind, Preset, ROW_NAME, Words, in_words};
pub use names::one_of;
#[doc(hidden)]
pub use value::Moved;
pub use value::{Form, Value};
