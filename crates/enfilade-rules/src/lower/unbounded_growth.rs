//! Variables that grow without bound in an endless loop.

use crate::diagnostics::Span;
use crate::resolve::used_names::{
    collect_names_in_expr, visit_expr_and_descendants, visit_exprs_and_targets,
};
use crate::syntax::ast::{AssignedValue, Expr, ExprKind, Operator as Sign, Stmt, StmtKind};

/// Returns the names that some lines only add to, with their places: no line bounds, assigns or
/// tests them.
pub(super) fn find_unbounded_names(lines: &[Stmt]) -> Vec<(&str, Span)> {
    let (mut grown, mut set) = (Vec::new(), Vec::new());
    collect_added_and_set_names(lines, &mut grown, &mut set);
    let mut tested = Vec::new();
    let mut rolls = false;
    visit_exprs_and_targets(
        lines,
        &mut |expr| {
            visit_expr_and_descendants(expr, &mut |inner| {
                rolls |= matches!(inner.kind, ExprKind::Pool(_));
                if expr_tests_or_bounds_names(inner) {
                    collect_names_in_expr(inner, &mut tested);
                }
            });
        },
        &mut |_| {},
    );
    grown.retain(|(name, _)| rolls && !set.contains(name) && !tested.contains(name));
    grown
}

/// Returns whether an expression tests or bounds the names in it.
fn expr_tests_or_bounds_names(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(sign, ..) => {
            !matches!(sign, Sign::Add | Sign::Sub | Sign::Mul | Sign::Div)
        }
        ExprKind::Call(..) => true,
        _ => false,
    }
}

fn collect_added_and_set_names<'e>(
    lines: &'e [Stmt],
    grown: &mut Vec<(&'e str, Span)>,
    set: &mut Vec<&'e str>,
) {
    for line in lines {
        if let StmtKind::Assign(place, sign, AssignedValue::One(value)) = &line.kind
            && let ExprKind::Name(name) = &place.kind
        {
            let mut read = Vec::new();
            collect_names_in_expr(value, &mut read);
            if *sign != 0 || read.contains(&name.as_str()) {
                grown.push((name, line.span.clone()));
            } else {
                set.push(name);
            }
        }
        line.kind
            .child_blocks()
            .into_iter()
            .for_each(|block| collect_added_and_set_names(block, grown, set));
    }
}
