//! What grows in a loop without end, and is bounded by nothing.

use super::scan::{each_inner, each_line, names};
use crate::rulebook::fault::Span;
use crate::rulebook::tree::{Do, Expr, Op as Sign, Says, Stmt, Value};

/// Names that some lines only ever add to, with where: no line bounds them, gives them another value
/// or tests them.
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

/// Whether an expression tests or bounds what it names.
fn is_test(expr: &Expr) -> bool {
    match &expr.what {
        Says::Two(sign, ..) => !matches!(sign, Sign::Add | Sign::Sub | Sign::Mul | Sign::Div),
        Says::Call(..) => true,
        _ => false,
    }
}

fn additions<'e>(lines: &'e [Stmt], grown: &mut Vec<(&'e str, Span)>, set: &mut Vec<&'e str>) {
    for line in lines {
        match &line.what {
            Do::Set(place, sign, Value::One(value)) => {
                let Says::Name(name) = &place.what else {
                    continue;
                };
                let mut read = Vec::new();
                names(value, &mut read);
                if *sign != 0 || read.contains(&name.as_str()) {
                    grown.push((name, line.span.clone()));
                } else {
                    set.push(name);
                }
            }
            Do::If(arms, other) => {
                arms.iter().for_each(|(_, body)| additions(body, grown, set));
                additions(other, grown, set);
            }
            Do::For(.., body) | Do::Each(.., body) | Do::Pick(.., body) | Do::Repeat(body) => {
                additions(body, grown, set);
            }
            Do::Match(_, arms, other) => {
                arms.iter().for_each(|arm| additions(&arm.body, grown, set));
                other.iter().for_each(|body| additions(body, grown, set));
            }
            Do::Choose(_, _, options) => {
                options.iter().for_each(|(_, body)| additions(body, grown, set));
            }
            _ => {}
        }
    }
}
