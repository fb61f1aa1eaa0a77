//! Walks over a rule once, line by line, and writes its code.
//!
//! Every value is known by its kind and its range; a number that is known is a range of one, and
//! costs no code. So the same walk does two things. When a file is read, no contest is at hand and
//! fields are ranges: what is wrong is told, and the code is thrown away. For a contest its fields
//! are known: tests of them are decided, loops over its tables are written out, and what is left is
//! the code of this contest.

mod asking;
mod assign;
mod bags;
mod calls;
mod carries;
mod conditions;
mod counts;
mod definite;
mod dice;
mod expr;
mod flow;
mod grows;
mod loops;
mod names;
mod picks;
mod reckon;
mod reports;
mod scan;
mod settled;
mod shown;
mod tables;
mod things;
mod values;
mod walker;
mod write;

pub use asking::Asks;
pub(crate) use reckon::mirrored;
pub use scan::{
    all_assigned, columns, each_given, each_inner, each_line, each_name, each_of_lines, each_path,
};
pub use settled::{Settled, Slots};
pub use values::{Choice, Reported};
pub use walker::{Thrift, Walker, Why};
