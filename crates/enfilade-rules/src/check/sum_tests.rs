//! Warnings about tests of a sum of dice that may be meant for each die: `hits = 3d6 >= 4`.

use std::ops::Range;

use crate::diagnostics::Faults;
use crate::syntax::ast::{
    Do, Expr, Field, File, Item, Kind, Op, Pool, Report, Says, Stmt, Value, What,
};
use enfilade_model::error::LocatedFault;

/// Warns about each value in `text`, the rulebook's own file, that compares the sum of several dice
/// with a number that a single die can show. Brackets around the dice confirm that the sum is
/// meant.
pub fn doubtful_sums(file: &File, text: &str) -> Vec<LocatedFault> {
    let mut told = Faults::default();
    for declared in file.declared.iter().filter(|one| one.name.span.start < text.len()) {
        let (items, body, shows): (&[Item], _, _) = match &declared.what {
            What::Part(part) => (&[], &part.body, &part.shows),
            What::Action(action) => (&action.items, &action.body, &action.shows),
            _ => continue,
        };
        let sums = Sums { file, items, text };
        let mut each = |value: &Expr| sums.ask(value, &mut told);
        each_value(body, &mut each);
        for report in shows {
            if let Report::Show { value: Some(value), .. } = report {
                each(value);
            }
        }
    }
    told.sorted()
}

/// Visits the values that lines assign to names.
fn each_value(lines: &[Stmt], take: &mut impl FnMut(&Expr)) {
    for line in lines {
        if let Do::Set(_, 0, Value::One(value)) = &line.what {
            take(value);
        }
        line.what.blocks().into_iter().for_each(|block| each_value(block, take));
    }
}

struct Sums<'f> {
    file: &'f File,
    /// Own fields of the action.
    items: &'f [Item],
    text: &'f str,
}

impl Sums<'_> {
    fn ask(&self, value: &Expr, told: &mut Faults) {
        let Says::Two(op @ (Op::Least | Op::More), of, bound) = &value.what else { return };
        let Says::Pool(pool) = &of.what else { return };
        let (Some(sides), Some(most)) = (pool.sides.literal(), self.highest(bound)) else { return };
        let between = self.text.get(of.span.end..bound.span.start);
        let each_can = most <= sides - i64::from(*op == Op::More);
        let is_bracketed = between.is_none_or(|between| between.contains(')'));
        if !is_several(pool) || !each_can || is_bracketed {
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
        told.note(value.span.clone(), problem, help);
    }

    /// Returns the largest value of a number: a literal, or a field with bounds.
    fn highest(&self, bound: &Expr) -> Option<i64> {
        let Says::Name(name) = &bound.what else { return bound.literal() };
        let own = self.items.iter().find_map(|item| match item {
            Item::Field(known, field) if known.text == *name => Some(field),
            _ => None,
        });
        let top = || {
            self.file.declared.iter().find_map(|declared| match &declared.what {
                What::Field(field) if declared.name.text == *name => Some(field),
                _ => None,
            })
        };
        match own.or_else(top) {
            Some(Field { kind: Kind::Range(_, most, _), .. }) => Some(*most),
            _ => None,
        }
    }
}

/// Returns whether a pool adds up all of several dice.
fn is_several(pool: &Pool) -> bool {
    let several = pool.count.as_ref().is_some_and(|count| count.literal() != Some(1));
    several && !pool.tens && pool.keep.is_none()
}
