//! Warnings about columns of dice that no rule rolls. A `d6` in a cell is the number 6, and only
//! `d(gun.damage)` makes it a die, so `x = gun.damage` is rarely intended.

use rustc_hash::FxHashSet;

use super::visit_exprs_of_rulebook;
use crate::diagnostics::{Faults, Span};
use crate::resolve::game::{ColumnType, ResolvedRulebook, ValueShape};
use crate::resolve::used_names::{visit_expr_and_descendants, visit_names_read};
use crate::syntax::ast::{DefaultExpr, Expr, ExprKind, Operator};
use crate::value_types::ScalarType;

/// Warns where columns of dice are read in a rulebook that never rolls them. Does not warn if the
/// rulebook rolls a computed number, which may come from such a column.
pub(crate) fn warn_of_unused_dice_columns(game: &ResolvedRulebook, faults: &mut Faults) {
    let dice = names_of_dice_columns(game);
    if dice.is_empty() {
        return;
    }
    let mut uses = RulebookColumnUses::default();
    visit_exprs_of_rulebook(game, &mut |expr| {
        visit_expr_and_descendants(expr, &mut |inner| uses.note_dice_columns(game, inner))
    });
    for default in game.fields.iter().filter(|field| matches!(field.shape, ValueShape::Die(..))) {
        default
            .default
            .iter()
            .flat_map(DefaultExpr::exprs)
            .for_each(|value| uses.note_rolled_columns(game, value));
    }
    if uses.doubt {
        return;
    }
    for (column, path, span) in uses.read {
        if dice.contains(column) && !uses.rolled.contains(column) && !uses.compared.contains(&span)
        {
            let problem = format!("`{column}` contains dice, and this reads their number of sides");
            let help = format!(
                "use `d({path})` to roll one; write sides that are only a number without the d"
            );
            faults.add_fault_at_span(span, problem, help);
        }
    }
}

/// Returns the names of columns that contain dice in every block that has them.
fn names_of_dice_columns(game: &ResolvedRulebook) -> FxHashSet<&str> {
    let (mut dice, mut others) = (FxHashSet::default(), FxHashSet::default());
    for block in &game.data {
        for (at, column) in block.columns.iter().enumerate() {
            let is_dice = block.kinds.get(at) == Some(&ColumnType::Typed(ScalarType::Number))
                && block.printed_cells.iter().any(|row| row[at].starts_with('d'));
            if is_dice { &mut dice } else { &mut others }.insert(column.as_str());
        }
    }
    let inner = game.records.iter().flat_map(|record| &record.fields);
    others.extend(inner.map(|field| field.name.text.as_str()));
    dice.retain(|column| !others.contains(column));
    dice
}

/// Uses of columns in a rulebook.
#[derive(Default)]
struct RulebookColumnUses<'g> {
    /// Columns that are read, as written and with their place.
    read: Vec<(&'g str, String, Span)>,
    /// Columns that give the sides of dice.
    rolled: FxHashSet<&'g str>,
    /// Places of columns in a comparison.
    compared: FxHashSet<Span>,
    /// Whether a rule computes sides.
    doubt: bool,
}

impl<'g> RulebookColumnUses<'g> {
    fn note_dice_columns(&mut self, game: &ResolvedRulebook, expr: &'g Expr) {
        match &expr.kind {
            ExprKind::Member(_, column) => {
                let path = expr.as_path().unwrap_or_else(|| format!("….{}", column.text));
                self.read.push((&column.text, path, expr.span.clone()));
            }
            ExprKind::Pool(pool) => self.note_rolled_columns(game, &pool.sides),
            ExprKind::Binary(op, a, b)
                if !matches!(op, Operator::Add | Operator::Sub | Operator::Mul | Operator::Div) =>
            {
                self.compared.extend([a.span.clone(), b.span.clone()]);
            }
            _ => {}
        }
    }

    fn note_rolled_columns(&mut self, game: &ResolvedRulebook, sides: &'g Expr) {
        visit_expr_and_descendants(sides, &mut |inner| match &inner.kind {
            ExprKind::Member(_, column) => drop(self.rolled.insert(&column.text)),
            ExprKind::Call(..) => self.doubt = true,
            _ => {}
        });
        // The value before a `.` is not a number.
        let mut path = sides;
        while let ExprKind::Member(of, _) = &path.kind {
            path = of;
        }
        if std::ptr::eq(path, sides) {
            let own = |name| {
                game.actions
                    .iter()
                    .flat_map(|action| &action.fields)
                    .any(|own| own.name.text == name)
            };
            visit_names_read(sides, &mut |name| {
                self.doubt |= game.index_of_top_level_field(name).is_none() && !own(name)
            });
        }
    }
}
