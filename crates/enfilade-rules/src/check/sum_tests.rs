//! Warnings about dice in assigned values: tests of a sum that may be meant for each die, as in
//! `hits = 3d6 >= 4`, and pools that keep all of their dice.

use std::ops::Range;

use super::kept_dice::warn_of_pools_kept_whole;
use crate::diagnostics::Faults;
use crate::syntax::ast::{
    AssignedValue, DeclarationKind, Expr, ExprKind, FieldDecl, FieldOrCheckLine, Operator,
    PoolExpr, RulebookAst, ShowMeasureOrCarryLine, Stmt, StmtKind, TypeExpr,
};
use enfilade_model::error::FaultWithByteSpan;

/// Warns about each value in `text`, the rulebook's own file, that keeps every die of a pool in a
/// sum, or compares the sum of several dice with a number that a single die can show. Brackets
/// around the dice confirm that the sum is meant.
pub fn find_doubtful_sum_tests(file: &RulebookAst, text: &str) -> Vec<FaultWithByteSpan> {
    let mut faults = Faults::default();
    for declared in file.declarations.iter().filter(|one| one.name.span.start < text.len()) {
        let (items, body, shows): (&[FieldOrCheckLine], _, _) = match &declared.kind {
            DeclarationKind::Part(part) => (&[], &part.body, &part.shows),
            DeclarationKind::Action(action) => (&action.items, &action.body, &action.shows),
            _ => continue,
        };
        let sums = DiceSumTestWarnings { file, items, text };
        let mut each = |value: &Expr| {
            sums.check_assigned_sum(value, &mut faults);
            warn_of_pools_kept_whole(value, text, &mut faults);
        };
        visit_assigned_values(body, &mut each);
        for report in shows {
            if let ShowMeasureOrCarryLine::Show { value: Some(value), .. } = report {
                each(value);
            }
        }
    }
    faults.into_sorted()
}

/// Visits the values that lines assign to names.
fn visit_assigned_values(lines: &[Stmt], take: &mut impl FnMut(&Expr)) {
    for line in lines {
        if let StmtKind::Assign(_, 0, AssignedValue::One(value)) = &line.kind {
            take(value);
        }
        line.kind.child_blocks().into_iter().for_each(|block| visit_assigned_values(block, take));
    }
}

struct DiceSumTestWarnings<'f> {
    file: &'f RulebookAst,
    /// Own fields of the action.
    items: &'f [FieldOrCheckLine],
    text: &'f str,
}

impl DiceSumTestWarnings<'_> {
    fn check_assigned_sum(&self, value: &Expr, faults: &mut Faults) {
        let ExprKind::Binary(op @ (Operator::GreaterOrEqual | Operator::Greater), of, bound) =
            &value.kind
        else {
            return;
        };
        let ExprKind::Pool(pool) = &of.kind else { return };
        let (Some(sides), Some(most)) = (pool.sides.literal_number(), self.upper_bound_of(bound))
        else {
            return;
        };
        let between = self.text.get(of.span.end..bound.span.start);
        let each_can = most <= sides - i64::from(*op == Operator::Greater);
        let is_bracketed = between.is_none_or(|between| between.contains(')'));
        if !adds_several_dice(pool) || !each_can || is_bracketed {
            return;
        }
        let written = |span: Range<usize>| self.text.get(span).unwrap_or_default().trim();
        let (whole, dice) = (written(value.span.clone()), written(of.span.clone()));
        let test = written(of.span.end..value.span.end);
        let problem = format!("`{whole}` tests the sum of the dice");
        let help = format!(
            "write `count({whole})` for the number of dice that pass it, or \
             `({dice}) {test}` to confirm the sum"
        );
        faults.add_fault_at_span(value.span.clone(), problem, help);
    }

    /// Returns the largest value of a number: a literal, or a field with bounds.
    fn upper_bound_of(&self, bound: &Expr) -> Option<i64> {
        let ExprKind::Name(name) = &bound.kind else { return bound.literal_number() };
        let own = self.items.iter().find_map(|item| match item {
            FieldOrCheckLine::Field(known, field) if known.text == *name => Some(field),
            _ => None,
        });
        let top = || {
            self.file.declarations.iter().find_map(|declared| match &declared.kind {
                DeclarationKind::Field(field) if declared.name.text == *name => Some(field),
                _ => None,
            })
        };
        match own.or_else(top) {
            Some(FieldDecl { kind: TypeExpr::Range(_, most, _), .. }) => Some(*most),
            _ => None,
        }
    }
}

/// Returns whether a pool adds up all of several dice.
fn adds_several_dice(pool: &PoolExpr) -> bool {
    let several = pool.count.as_ref().is_some_and(|count| count.literal_number() != Some(1));
    several && !pool.tens && pool.keep.is_none()
}
