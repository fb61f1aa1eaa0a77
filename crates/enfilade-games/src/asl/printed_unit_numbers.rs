//! Printed numbers of the units and guns that a contest names, by the fields that can replace them:
//! the base of relative values.

use super::firers;
use super::targets;
use enfilade_model::form::Form;
use enfilade_model::form::field_macros::FieldGroupFromForm;

/// Returns the printed numbers of one table of a contest: of a target, a firer, or none.
pub fn printed_numbers_for_form(table: &str, form: &Form) -> Vec<(&'static str, i64)> {
    match table {
        "target" => targets::printed_numbers_of_target_unit(&FieldGroupFromForm::read(form)),
        "firer" => firers::printed_gun_numbers(&FieldGroupFromForm::read(form)),
        _ => Vec::new(),
    }
}
