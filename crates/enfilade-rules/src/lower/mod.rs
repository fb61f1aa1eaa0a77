//! Walks over a rule once, line by line, and writes its code.
//!
//! Every value is known by its kind and its range; a number that is known is a range of one, and
//! costs no code. So the same walk does two things. When a file is read, no contest is at hand and
//! fields are ranges: what is wrong is told, and the code is thrown away. For a contest its fields
//! are known: tests of them are decided, loops over its tables are written out, and what is left is
//! the code of this contest.

mod aggregates;
mod assignment;
mod author_text;
mod bag_items;
mod bag_layout;
mod bag_loops;
mod calls;
mod carried_fields;
pub(crate) mod changed_cells;
pub(crate) mod compile;
mod conditions;
mod contest_checks;
mod contest_parameters;
pub(crate) mod contest_values;
mod definite_assignment;
mod dice_pools;
mod emitter;
mod expressions;
mod hoisting;
mod known_choices;
mod loops;
mod lowered_value;
mod lowering;
mod measures;
mod name_lookup;
mod parameter_trace;
mod range_arithmetic;
mod reports;
mod scopes;
mod statements;
mod table_lookup;
mod unbounded_growth;
mod views;

pub use emitter::Why;
pub use hoisting::{Settled, Slots};
pub use lowered_value::{Choice, Reported};
pub use lowering::Lowering;
pub use parameter_trace::Asks;
