//! Range arithmetic: the range of an operation's result, and operations that can be dropped.

use super::lowered_value::Num;
use crate::syntax::ast::Op as Sign;
use crate::types::{Kind, Range, STORED};
use crate::vm::code::Two;

/// Returns the binary operation of an arithmetic operator.
pub(super) fn two(sign: Sign) -> Option<Two> {
    Some(match sign {
        Sign::Add => Two::Add,
        Sign::Sub => Two::Sub,
        Sign::Mul => Two::Mul,
        Sign::Div => Two::Div,
        Sign::Is => Two::Eq,
        Sign::Not => Two::Ne,
        Sign::Less => Two::Lt,
        Sign::Most => Two::Le,
        Sign::More => Two::Gt,
        Sign::Least => Two::Ge,
        Sign::AtLeast => Two::Max,
        Sign::AtMost => Two::Min,
        Sign::And | Sign::Or => return None,
    })
}

/// Returns the comparison of an operator.
pub(super) fn test_of(sign: Sign) -> Option<Two> {
    two(sign).filter(|two| two.is_test())
}

/// Returns the negation of a comparison.
pub(super) fn inverse(two: Two) -> Two {
    match two {
        Two::Eq => Two::Ne,
        Two::Ne => Two::Eq,
        Two::Lt => Two::Ge,
        Two::Ge => Two::Lt,
        Two::Le => Two::Gt,
        Two::Gt => Two::Le,
        other => other,
    }
}

/// Returns the range of an operation's result.
pub(super) fn reckoned(two: Two, a: Range, b: Range, kind: Kind) -> Range {
    let test = |sure: bool, never: bool| match (sure, never) {
        (true, _) => (1, 1),
        (_, true) => (0, 0),
        _ => (0, 1),
    };
    let (lo, hi) = match two {
        Two::Lt => test(a.hi < b.lo, a.lo >= b.hi),
        Two::Le => test(a.hi <= b.lo, a.lo > b.hi),
        Two::Gt => test(a.lo > b.hi, a.hi <= b.lo),
        Two::Ge => test(a.lo >= b.hi, a.hi < b.lo),
        Two::Eq | Two::Ne => {
            let apart = a.hi < b.lo || b.hi < a.lo;
            let same = a.known().is_some() && a.known() == b.known();
            match two {
                Two::Eq => test(same, apart),
                _ => test(apart, same),
            }
        }
        // A quotient is not monotonic around a divisor of 0.
        Two::Div | Two::Up if b.lo <= 0 && b.hi >= 0 => STORED,
        _ => {
            // Monotonic in each operand, so that the extremes are at the ends of both ranges.
            let ends = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)];
            let far = (i64::from(i32::MIN), i64::from(i32::MAX));
            let ends = ends.map(|(x, y)| two.of(x, y));
            let low = ends.iter().map(|end| end.unwrap_or(far.0)).min();
            let high = ends.iter().map(|end| end.unwrap_or(far.1)).max();
            (low.unwrap_or(far.0), high.unwrap_or(far.1))
        }
    };
    Range::new(kind, lo, hi)
}

/// Returns the operand that an operation leaves unchanged, such as the other summand of 0.
pub(super) fn unchanged(two: Two, a: Num, b: Num) -> Option<Num> {
    let (a_is, b_is) = (a.known(), b.known());
    match two {
        Two::Add if a_is == Some(0) => Some(b),
        Two::Add | Two::Sub if b_is == Some(0) => Some(a),
        Two::Mul if a_is == Some(1) => Some(b),
        Two::Mul | Two::Div | Two::Up if b_is == Some(1) => Some(a),
        Two::Max if a.range.lo >= b.range.hi => Some(a),
        Two::Max if b.range.lo >= a.range.hi => Some(b),
        Two::Min if a.range.hi <= b.range.lo => Some(a),
        Two::Min if b.range.hi <= a.range.lo => Some(b),
        _ => None,
    }
}
