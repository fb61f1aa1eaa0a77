//! The numbers that are printed with the units and guns that a contest names, by the fields that stand
//! in their place: what is changed when a contest says by how much.

use super::firers;
use super::targets;
use crate::form::Form;

/// The printed numbers of one table of a contest; of a target or a firer, or none.
pub fn printed(table: &Form) -> Vec<(&'static str, i64)> {
    let mut numbers = targets::printed(table);
    numbers.extend(firers::printed(table));
    numbers
}
