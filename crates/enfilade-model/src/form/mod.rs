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
mod minimal_contest;
#[doc(hidden)]
pub mod name_matching;
#[doc(hidden)]
pub mod sanitize;
pub mod validate;
mod value;

pub use fault::{Fault, MAX_COLLECTED_FAULTS, combine_results, fault_prefixer, read_each_table};
pub use field::{
    DefaultValue, ENTRY_COUNT_RANGE, Field, FieldType, Fields, ROW_NAME, Words, name_in_words,
};
pub use name_matching::join_or;
#[doc(hidden)]
pub use value::NumbersVaryingInGrid;
pub use value::{Form, Value};
