//! Forms that a designer fills in: the fields of a contest, their values, and their meaning.
//!
//! An action declares its fields once, as data. This declaration is used for the checks of a file,
//! the defaults, the list that `enfilade systems` prints, the JSON Schema for editors, the grid
//! axes and the typed columns of the results. A [`Form`] is a table that passed the checks.

pub mod bounds;
pub mod const_clone;
mod expected;
mod fault;
mod field;
pub mod field_groups;
#[doc(hidden)]
pub mod field_macros;
mod hexes;
mod minimal;
pub mod name_matching;
pub mod sanitize;
pub mod validate;
mod value;

pub use fault::{FAULTS, Fault, both, each, within};
pub use field::{ENTRIES, Field, Fields, Kind, Preset, ROW_NAME, Words, in_words};
pub use name_matching::one_of;
#[doc(hidden)]
pub use value::Moved;
pub use value::{Form, Value};
