//! The numbers that are printed with the units and guns that a contest names, by the fields that stand
//! in their place: what is changed when a contest says by how much.

use super::firers;
use super::targets;
use enfilade_model::form::Form;
use enfilade_model::form::field_macros::Group;

/// The printed numbers of one table of a contest; of a target or a firer, or none.
pub fn printed(table: &str, form: &Form) -> Vec<(&'static str, i64)> {
    match table {
        "target" => targets::printed(&Group::read(form)),
        "firer" => firers::printed(&Group::read(form)),
        _ => Vec::new(),
    }
}
