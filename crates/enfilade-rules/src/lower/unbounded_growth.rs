//! Variables that grow without bound in an endless loop.

use crate::diagnostics::Span;
use crate::resolve::uses::{each_inner, each_line, names};
use crate::syntax::ast::{Do, Expr, Op as Sign, Says, Stmt, Value};

/// Returns the names that some lines only add to, with their places: no line bounds, assigns or
/// tests them.
pub(super) fn unbounded(lines: &[Stmt]) -> Vec<(&str, Span)> {
    let (mut grown, mut set) = (Vec::new(), Vec::new());
    additions(lines, &mut grown, &mut set);
    let mut tested = Vec::new();
    let mut rolls = false;
    each_line(
        lines,
        &mut |expr| {
            each_inner(expr, &mut |inner| {
                rolls |= matches!(inner.what, Says::Pool(_));
                if is_test(inner) {
                    names(inner, &mut tested);
                }
            });
        },
        &mut |_| {},
    );
    grown.retain(|(name, _)| rolls && !set.contains(name) && !tested.contains(name));
    grown
}

/// Returns whether an expression tests or bounds the names in it.
fn is_test(expr: &Expr) -> bool {
    match &expr.what {
        Says::Two(sign, ..) => !matches!(sign, Sign::Add | Sign::Sub | Sign::Mul | Sign::Div),
        Says::Call(..) => true,
        _ => false,
    }
}

fn additions<'e>(lines: &'e [Stmt], grown: &mut Vec<(&'e str, Span)>, set: &mut Vec<&'e str>) {
    for line in lines {
        if let Do::Set(place, sign, Value::One(value)) = &line.what
            && let Says::Name(name) = &place.what
        {
            let mut read = Vec::new();
            names(value, &mut read);
            if *sign != 0 || read.contains(&name.as_str()) {
                grown.push((name, line.span.clone()));
            } else {
                set.push(name);
            }
        }
        line.what.blocks().into_iter().for_each(|block| additions(block, grown, set));
    }
}
