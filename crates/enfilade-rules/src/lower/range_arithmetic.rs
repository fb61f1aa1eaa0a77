//! Range arithmetic: the range of an operation's result, and operations that can be dropped.

use super::lowered_value::Operand;
use crate::syntax::ast::Operator as Sign;
use crate::value_types::{ScalarType, VARIABLE_RANGE, ValueRange};
use crate::vm::code::BinOp;

/// Returns the binary operation of an arithmetic operator.
pub(super) fn binary_op_of_sign(sign: Sign) -> Option<BinOp> {
    Some(match sign {
        Sign::Add => BinOp::Add,
        Sign::Sub => BinOp::Sub,
        Sign::Mul => BinOp::Mul,
        Sign::Div => BinOp::Div,
        Sign::Equal => BinOp::Eq,
        Sign::NotEqual => BinOp::Ne,
        Sign::Less => BinOp::Lt,
        Sign::LessOrEqual => BinOp::Le,
        Sign::Greater => BinOp::Gt,
        Sign::GreaterOrEqual => BinOp::Ge,
        Sign::AtLeast => BinOp::Max,
        Sign::AtMost => BinOp::Min,
        Sign::And | Sign::Or => return None,
    })
}

/// Returns the comparison of an operator.
pub(super) fn comparison_op(sign: Sign) -> Option<BinOp> {
    binary_op_of_sign(sign).filter(|two| two.is_comparison())
}

/// Returns the negation of a comparison.
pub(super) fn negate_comparison(two: BinOp) -> BinOp {
    match two {
        BinOp::Eq => BinOp::Ne,
        BinOp::Ne => BinOp::Eq,
        BinOp::Lt => BinOp::Ge,
        BinOp::Ge => BinOp::Lt,
        BinOp::Le => BinOp::Gt,
        BinOp::Gt => BinOp::Le,
        other => other,
    }
}

/// Returns the range of an operation's result.
pub(super) fn range_of_op(
    two: BinOp,
    a: ValueRange,
    b: ValueRange,
    kind: ScalarType,
) -> ValueRange {
    let test = |sure: bool, never: bool| match (sure, never) {
        (true, _) => (1, 1),
        (_, true) => (0, 0),
        _ => (0, 1),
    };
    let (lo, hi) = match two {
        BinOp::Lt => test(a.hi < b.lo, a.lo >= b.hi),
        BinOp::Le => test(a.hi <= b.lo, a.lo > b.hi),
        BinOp::Gt => test(a.lo > b.hi, a.hi <= b.lo),
        BinOp::Ge => test(a.lo >= b.hi, a.hi < b.lo),
        BinOp::Eq | BinOp::Ne => {
            let apart = a.hi < b.lo || b.hi < a.lo;
            let same = a.only_number().is_some() && a.only_number() == b.only_number();
            match two {
                BinOp::Eq => test(same, apart),
                _ => test(apart, same),
            }
        }
        // A quotient is not monotonic around a divisor of 0. By 1 or -1 it may be as wide as the
        // number that is divided, which may be wider than a variable.
        BinOp::Div | BinOp::DivUp if b.lo <= 0 && b.hi >= 0 => {
            let most = a.lo.abs().max(a.hi.abs());
            (VARIABLE_RANGE.0.min(-most), VARIABLE_RANGE.1.max(most))
        }
        _ => {
            // Monotonic in each operand, so that the extremes are at the ends of both ranges.
            let ends = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)];
            let far = (i64::from(i32::MIN), i64::from(i32::MAX));
            let ends = ends.map(|(x, y)| two.checked_result(x, y));
            let low = ends.iter().map(|end| end.unwrap_or(far.0)).min();
            let high = ends.iter().map(|end| end.unwrap_or(far.1)).max();
            (low.unwrap_or(far.0), high.unwrap_or(far.1))
        }
    };
    ValueRange::new(kind, lo, hi)
}

/// Returns the operand that an operation leaves unchanged, such as the other summand of 0.
pub(super) fn operand_left_unchanged(two: BinOp, a: Operand, b: Operand) -> Option<Operand> {
    let (a_is, b_is) = (a.as_constant(), b.as_constant());
    match two {
        BinOp::Add if a_is == Some(0) => Some(b),
        BinOp::Add | BinOp::Sub if b_is == Some(0) => Some(a),
        BinOp::Mul if a_is == Some(1) => Some(b),
        BinOp::Mul | BinOp::Div | BinOp::DivUp if b_is == Some(1) => Some(a),
        BinOp::Max if a.range.lo >= b.range.hi => Some(a),
        BinOp::Max if b.range.lo >= a.range.hi => Some(b),
        BinOp::Min if a.range.hi <= b.range.lo => Some(a),
        BinOp::Min if b.range.hi <= a.range.lo => Some(b),
        _ => None,
    }
}
