//! Numbers checked while a rule runs: results of operations, variables, places of lists.

use super::code::BinOp;
use crate::value_types::VARIABLE_RANGE;

/// Computes a binary operation; the error is an overflow, or a division by 0.
#[inline(always)]
pub(super) fn checked_binary_op(two: BinOp, a: i64, b: i64) -> Result<i64, String> {
    two.checked_result(a, b).ok_or_else(|| arithmetic_fault_text(b))
}

/// Checks that a variable can hold a number.
#[inline(always)]
pub(super) fn check_fits_variable(value: i64) -> Result<i64, String> {
    if (VARIABLE_RANGE.0..=VARIABLE_RANGE.1).contains(&value) {
        Ok(value)
    } else {
        Err(overflow_fault_text(value))
    }
}

/// Returns the register of a list element.
#[inline(always)]
pub(super) fn list_register(base: u8, count: u8, place: i64) -> Result<usize, String> {
    register_of_list_place(base, count, place).ok_or_else(|| index_fault_text(count.into(), place))
}

pub(crate) fn register_of_list_place(base: u8, count: u8, place: i64) -> Option<usize> {
    (1..=i64::from(count)).contains(&place).then(|| usize::from(base) + place as usize - 1)
}

#[cold]
pub(crate) fn overflow_fault_text(value: i64) -> String {
    format!("a variable holds −32 768 to 32 767, not {value}")
}

#[cold]
fn arithmetic_fault_text(divisor: i64) -> String {
    match divisor {
        0 => "nothing can be divided by 0".to_owned(),
        _ => "integer overflow: values must fit 32 bits".to_owned(),
    }
}

#[cold]
pub(super) fn index_fault_text(places: usize, place: i64) -> String {
    format!("the list has places 1 to {places}, not {place}")
}
