//! Warnings about columns of dice that no rule rolls. A `d6` in a cell is the number 6, and only
//! `d(gun.damage)` makes it a die, so `x = gun.damage` is rarely intended.

use rustc_hash::FxHashSet;

use super::each_expr;
use crate::diagnostics::{Faults, Span};
use crate::resolve::game::{Column, Game, Holds};
use crate::resolve::uses::{each_inner, each_name};
use crate::syntax::ast::{Default, Expr, Op, Says};
use crate::types::Kind;

/// Warns where columns of dice are read in a rulebook that never rolls them. Does not warn if the
/// rulebook rolls a computed number, which may come from such a column.
pub(crate) fn unrolled(game: &Game, faults: &mut Faults) {
    let dice = columns_of_dice(game);
    if dice.is_empty() {
        return;
    }
    let mut seen = Seen::default();
    each_expr(game, &mut |expr| each_inner(expr, &mut |inner| seen.look(game, inner)));
    for default in game.fields.iter().filter(|field| matches!(field.holds, Holds::Die(..))) {
        default.default.iter().flat_map(Default::exprs).for_each(|value| seen.rolls(game, value));
    }
    if seen.doubt {
        return;
    }
    for (column, path, span) in seen.read {
        if dice.contains(column) && !seen.rolled.contains(column) && !seen.compared.contains(&span)
        {
            let problem = format!("`{column}` contains dice, and this reads their number of sides");
            let help = format!(
                "use `d({path})` to roll one; write sides that are only a number without the d"
            );
            faults.note(span, problem, help);
        }
    }
}

/// Returns the names of columns that contain dice in every block that has them.
fn columns_of_dice(game: &Game) -> FxHashSet<&str> {
    let (mut dice, mut others) = (FxHashSet::default(), FxHashSet::default());
    for block in &game.data {
        for (at, column) in block.columns.iter().enumerate() {
            let is_dice = block.kinds.get(at) == Some(&Column::Of(Kind::Number))
                && block.printed.iter().any(|row| row[at].starts_with('d'));
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
struct Seen<'g> {
    /// Columns that are read, as written and with their place.
    read: Vec<(&'g str, String, Span)>,
    /// Columns that give the sides of dice.
    rolled: FxHashSet<&'g str>,
    /// Places of columns in a comparison.
    compared: FxHashSet<Span>,
    /// Whether a rule computes sides.
    doubt: bool,
}

impl<'g> Seen<'g> {
    fn look(&mut self, game: &Game, expr: &'g Expr) {
        match &expr.what {
            Says::Column(_, column) => {
                let path = expr.path().unwrap_or_else(|| format!("….{}", column.text));
                self.read.push((&column.text, path, expr.span.clone()));
            }
            Says::Pool(pool) => self.rolls(game, &pool.sides),
            Says::Two(op, a, b) if !matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div) => {
                self.compared.extend([a.span.clone(), b.span.clone()]);
            }
            _ => {}
        }
    }

    fn rolls(&mut self, game: &Game, sides: &'g Expr) {
        each_inner(sides, &mut |inner| match &inner.what {
            Says::Column(_, column) => drop(self.rolled.insert(&column.text)),
            Says::Call(..) => self.doubt = true,
            _ => {}
        });
        // The value before a `.` is not a number.
        let mut path = sides;
        while let Says::Column(of, _) = &path.what {
            path = of;
        }
        if std::ptr::eq(path, sides) {
            let own = |name| {
                game.actions
                    .iter()
                    .flat_map(|action| &action.fields)
                    .any(|own| own.name.text == name)
            };
            each_name(sides, &mut |name| self.doubt |= game.field(name).is_none() && !own(name));
        }
    }
}
