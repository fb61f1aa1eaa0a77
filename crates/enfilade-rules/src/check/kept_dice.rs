//! Warnings about pools that keep all of their dice: `d6 + d8 high 1` keeps one die of one.

use crate::diagnostics::Faults;
use crate::resolve::used_names::visit_expr_and_descendants;
use crate::syntax::ast::{Expr, ExprKind, Operator, PoolExpr};

/// Warns where `high` or `low` keeps every die of a pool in `text`, the rulebook's own file.
pub(super) fn warn_of_pools_kept_whole(value: &Expr, text: &str, faults: &mut Faults) {
    visit_expr_and_descendants(value, &mut |expr| {
        if let ExprKind::Binary(Operator::Add, left, right) = &expr.kind
            && let (ExprKind::Pool(first), ExprKind::Pool(pool)) = (&left.kind, &right.kind)
            && let Some((highest, kept)) = kept_dice_if_all(pool)
        {
            let written = |expr: &Expr| text.get(expr.span.clone()).unwrap_or_default().trim();
            let sign = if highest { "high" } else { "low" };
            let dice = written(right).split([' ', '(']).next().unwrap_or_default();
            let problem = format!("`{sign} {kept}` keeps every die of `{dice}`");
            let help = match first.count.is_none() && first.keep.is_none() {
                true => format!("write `[{}, {dice}] {sign} {kept}`", written(left)),
                false => format!("remove `{sign} {kept}`, or keep fewer than {kept}"),
            };
            faults.add_fault_at_span(right.span.clone(), problem, help);
        }
    });
}

/// Returns whether the highest are kept and how many, where that is every die of the pool.
fn kept_dice_if_all(pool: &PoolExpr) -> Option<(bool, i64)> {
    let (highest, kept) = pool.keep.as_ref()?;
    let kept = kept.literal_number()?;
    let count = pool.count.as_ref().map_or(Some(1), Expr::literal_number)?;
    (pool.again.is_none() && kept >= count).then_some((*highest, kept))
}
