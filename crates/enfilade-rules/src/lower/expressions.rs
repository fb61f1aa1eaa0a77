//! Expressions: constant values, and code for all others.

use std::sync::Arc;

use super::emitter::Emitter;
use super::lowered_value::{Looked, Num, Value};
use super::lowering::Lowering;
use super::range_arithmetic;
use super::views::Expressions;
use crate::diagnostics::Span;
use crate::resolve::uses;
use crate::syntax::ast::{Expr, Op as Sign, Says};
use crate::types::{Fixed, Kind, Range, STORED};
use crate::vm::code::{ListCell, Op, Two};

impl<'g> Lowering<'g> {
    /// Lowers an expression to a number of any type. A word without its list is looked up in the
    /// list `want`.
    pub(super) fn number(&mut self, expr: &'g Expr, want: Option<Kind>) -> Num {
        let value = self.value(expr, want);
        self.as_number(value, &expr.span)
    }

    /// Lowers an expression to a whole number.
    pub(super) fn whole(&mut self, expr: &'g Expr) -> Num {
        let num = self.number(expr, Some(Kind::Number));
        self.of_kind(num, Kind::Number, &expr.span)
    }

    /// Reports a number of another type.
    pub(super) fn of_kind(&mut self, num: Num, kind: Kind, span: &Span) -> Num {
        if num.range.kind.goes_with(kind) {
            return num;
        }
        let found = self.scopes.game.kind_name(num.range.kind);
        let expected = self.scopes.game.kind_name(kind);
        let (problem, help) = match (num.range.kind, kind) {
            (Kind::YesNo, Kind::Number) => {
                let help = "`(1 if …)` is 1 where it holds, else 0";
                ("a yes/no is no number".to_owned(), help)
            }
            (Kind::Word(_), Kind::Number) => {
                let help = "`step(word, 1)` is the next word; a table gives a number for each";
                (format!("expected {expected}, found {found}"), help)
            }
            (_, Kind::YesNo) => {
                let help = "a test such as `x > 0` is a yes or no";
                (format!("expected {expected}, found {found}"), help)
            }
            _ => (format!("expected {expected}, found {found}"), ""),
        };
        self.emitter.wrong(span, problem, help)
    }

    /// Converts a value to a number.
    pub(super) fn as_number(&mut self, value: Value, span: &Span) -> Num {
        let what = match value {
            Value::Num(num) => return num,
            Value::Fixed(fixed) => return self.fixed_number(&fixed, span),
            Value::Chosen(of, place) => return self.expressions().chosen_number(&of, place, span),
            Value::Cell(..) => "a printed cell: `match` it, or test it with `is`",
            Value::List(_) => "a list: name one of its places, as in `xs[1]`",
            Value::Bag(_) => "a bag: `each u in …` visits its items",
            Value::Thing(..) => "an item of a bag: name a value of it, as in `u.hurt`",
        };
        self.emitter.wrong(span, format!("this is {what}"), "")
    }

    /// Converts a contest value to a number.
    pub(super) fn fixed_number(&mut self, fixed: &Fixed, span: &Span) -> Num {
        let what = match fixed {
            Fixed::Number(range) => return self.expressions().field_number(*range, span),
            Fixed::Asked(range, slot) => return self.emitter.asked(*range, *slot, span),
            Fixed::Row(row) => {
                return match row.asked {
                    Some(slot) => self.emitter.asked(row.place, slot, span),
                    None => self.emitter.ranged(row.place, span),
                };
            }
            Fixed::Maybe(inner) => return self.fixed_number(inner, span),
            Fixed::Absent(why) => {
                let why = why.to_string();
                return self.emitter.wrong(span, why, "`given(…)` asks whether it is there");
            }
            Fixed::Cell(..) => "a printed cell: `match` it, or test it with `is`",
            Fixed::List(..) => "a list: name one of its places, as in `xs[1]`",
            Fixed::Record(_) => "a record: name one of its fields, as in `unit.models`",
            Fixed::Marks(..) => "a list of specials: name one of them",
        };
        self.emitter.wrong(span, format!("this is {what}"), "")
    }

    /// Lowers an expression.
    pub(super) fn value(&mut self, expr: &'g Expr, want: Option<Kind>) -> Value {
        if self.emitter.is_full(&expr.span) {
            return Value::Num(self.emitter.anything());
        }
        let span = &expr.span;
        match &expr.what {
            Says::Number(number) => Value::Num(Num::of(*number)),
            Says::Yes(yes) => Value::Num(Num::one(Kind::YesNo, (*yes).into())),
            Says::Name(name) => self.expressions().named(name, span, want),
            Says::Column(of, column) => self.expressions().column(of, column, span),
            Says::Place(of, place) => self.expressions().element(of, place, span),
            Says::Call(name, arguments) => self.call(name, arguments, span),
            Says::Pool(pool) => Value::Num(self.dice().pool(pool, None, span)),
            Says::Count(of, sign, bound) => {
                Value::Num(self.expressions().count(of, *sign, bound, span))
            }
            Says::Over(summand, of) => {
                Value::Num(self.expressions().over(summand.as_deref(), of, span))
            }
            Says::Up(inner) => Value::Num(self.expressions().up(inner)),
            Says::Given(inner) => Value::Num(self.expressions().given(inner)),
            Says::Minus(inner) => Value::Num(self.expressions().negated(inner, span)),
            Says::Not(_) | Says::Two(Sign::And | Sign::Or, ..) => {
                Value::Num(self.expressions().truth(expr))
            }
            Says::Two(sign, a, b) => Value::Num(self.expressions().both(*sign, a, b, span)),
            Says::If(when, then, other) => {
                self.expressions().either(when, then, other.as_deref(), want, span)
            }
        }
    }
}

impl<'g> Expressions<'_, 'g> {
    /// Returns a number of the contest: a constant, or an unknown one in a register during a check.
    fn field_number(&mut self, range: Range, span: &Span) -> Num {
        let known = match range.known() {
            Some(_) if self.emitter.thrift.folds || self.checks() => return Num { range, at: 0 },
            known => known,
        };
        let at = self.emitter.fresh(span);
        let Some(known) = known else { return Num { range, at } };
        self.emitter.constant(at, known, span);
        let all = self.scopes.game.all_of(range.kind);
        let range = Range::new(range.kind, all.lo.max(known - 1), all.hi.min(known + 1));
        Num { range, at }
    }

    /// Looks up the number of one of several values by an index that is not constant.
    pub(super) fn chosen_number(&mut self, of: &Arc<[Fixed]>, place: Num, span: &Span) -> Num {
        if self.checks() {
            return self.one_of_unknown(of, span);
        }
        let (mut kind, mut blank, mut values) = (Kind::Any, None, Vec::with_capacity(of.len()));
        for fixed in of.iter() {
            let range = match fixed {
                Fixed::Number(range) => Some(*range),
                Fixed::Row(row) => Some(row.place),
                Fixed::Absent(why) => {
                    blank = Some(why.to_string());
                    None
                }
                other => return self.fixed_number(&other.clone(), span),
            };
            kind = range.map_or(kind, |range| range.kind);
            values.push(range.and_then(|range| range.known()));
        }
        let num = self.emitter.looked_up(kind, &values, place, span);
        // Meaning of a blank cell for the lookup that was just emitted.
        if num.known().is_none() {
            self.emitter.program.blanks.extend(blank.map(|why| (span.clone(), why)));
        }
        num
    }

    /// Returns a number that covers all elements, where neither the index nor the contest is known.
    pub(super) fn one_of_unknown(&mut self, of: &Arc<[Fixed]>, span: &Span) -> Num {
        let mut all: Option<Range> = None;
        for fixed in of.iter() {
            let range = self.fixed_number(fixed, span).range;
            all = Some(all.map_or(range, |all| all.or(range)));
        }
        self.emitter.ranged(all.unwrap_or(Range::new(Kind::Any, STORED.0, STORED.1)), span)
    }

    /// Lowers `-x`.
    fn negated(&mut self, inner: &'g Expr, span: &Span) -> Num {
        let num = self.whole(inner);
        self.emitter.joined(Two::Sub, Num::of(0), num, span)
    }

    /// Lowers `up(a / b)`.
    pub(super) fn up(&mut self, inner: &'g Expr) -> Num {
        match &inner.what {
            Says::Two(Sign::Div, a, b) => {
                let a = self.whole(a);
                let a = self.kept(a, b, &inner.span);
                let b = self.whole(b);
                self.emitter.joined(Two::Up, a, b, &inner.span)
            }
            _ => self.whole(inner),
        }
    }

    /// Saves a number that the evaluation of `after` might change.
    pub(super) fn kept(&mut self, num: Num, after: &Expr, span: &Span) -> Num {
        match usize::from(num.at) >= self.emitter.mark || !uses::changes(self.scopes.game, after) {
            true => num,
            false => self.emitter.copied(num, span),
        }
    }

    /// Lowers a binary operation.
    pub(super) fn both(&mut self, sign: Sign, a: &'g Expr, b: &'g Expr, span: &Span) -> Num {
        let Some(two) = range_arithmetic::two(sign) else { return self.emitter.anything() };
        let (a, b) = self.pair(two, a, b);
        self.emitter.joined(two, a, b, span)
    }
}

impl Emitter {
    /// Looks up one of several numbers by an index from 0; `None` is a blank.
    pub(super) fn looked_up(
        &mut self,
        kind: Kind,
        values: &[Option<i64>],
        place: Num,
        span: &Span,
    ) -> Num {
        let cells: Vec<_> = values.iter().map(|value| value.map(Looked::Is)).collect();
        self.looked_up_cells(kind, &cells, place, span)
    }

    /// Looks up one of several cells, some of which may be parameters.
    pub(super) fn looked_up_cells(
        &mut self,
        kind: Kind,
        cells: &[Option<Looked>],
        place: Num,
        span: &Span,
    ) -> Num {
        if let Some(known) = place.known() {
            return self.at_known(kind, cells, known, span);
        }
        let ranges = cells.iter().flatten().map(|cell| match cell {
            Looked::Is(value) => Range::one(kind, *value),
            Looked::Asked(range, _) => Range { kind, ..*range },
        });
        let Some(range) = ranges.reduce(Range::or) else {
            return self.wrong(span, "the cell is blank", "");
        };
        let reached = place.range.lo >= 0 && place.range.hi < cells.len() as i64;
        if range.known().is_some() && reached && cells.iter().all(Option::is_some) {
            return Num { range, at: 0 };
        }
        let list = cells.iter().map(|cell| match cell {
            None => ListCell::Blank,
            Some(Looked::Is(value)) => ListCell::Is(*value as i32),
            Some(Looked::Asked(_, slot)) => ListCell::Field(*slot),
        });
        let list: Box<[ListCell]> = list.collect();
        let known = self.program.lists.iter().position(|known| *known == list);
        let list = known.unwrap_or_else(|| {
            self.program.lists.push(list);
            self.program.lists.len() - 1
        });
        // The range of one value is narrower than that of the list at either end.
        let found = self.made(range, span, |at| Op::Look(at, list as u16, place.at));
        self.parameters.trace_list(found.at, &self.program.lists[list]);
        found
    }

    /// Returns the cell at a constant index.
    fn at_known(&mut self, kind: Kind, cells: &[Option<Looked>], known: i64, span: &Span) -> Num {
        match usize::try_from(known).ok().and_then(|at| cells.get(at)) {
            Some(Some(Looked::Is(value))) => Num::one(kind, *value),
            Some(Some(Looked::Asked(range, slot))) => {
                self.asked(Range { kind, ..*range }, *slot, span)
            }
            Some(None) => self.wrong(span, "the cell is blank", ""),
            None => {
                let (places, at) = (cells.len(), known + 1);
                let problem = format!("the list has places 1 to {places}, not {at}");
                self.wrong(span, problem, "")
            }
        }
    }
}
