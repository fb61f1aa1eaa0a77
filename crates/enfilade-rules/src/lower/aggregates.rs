//! Counts of list items, and sums over a list.

use super::lowered_value::{Bind, List, Num, Target, Value};
use super::range_arithmetic;
use super::views::Expressions;
use crate::diagnostics::Span;
use crate::syntax::ast::{Expr, Members, Op as Sign, Says};
use crate::types::{Fixed, Kind, LIST, Range};
use crate::vm::code::{Op, Two};

impl<'g> Expressions<'_, 'g> {
    /// Lowers `count(n d6 >= 4)` and `count(list is x)`.
    pub(super) fn count(&mut self, of: &'g Expr, sign: Sign, bound: &'g Expr, span: &Span) -> Num {
        if let Says::Pool(pool) = &of.what {
            return self.dice().pool(pool, Some((sign, bound)), span);
        }
        let list = match self.value(of, None) {
            Value::Fixed(Fixed::Maybe(inner)) => Value::Fixed((*inner).clone()),
            list => list,
        };
        if let Value::Fixed(Fixed::List(items, Some((_, most)))) = &list {
            if let Some(item) = items.first() {
                let item = self.as_number(Value::Fixed(item.clone()), &of.span);
                self.compared(item, sign, bound, span);
            }
            return self.emitter.ranged(Range::new(Kind::Number, 0, (*most).max(1)), span);
        }
        let help = "`count(u in units where …)` counts items of a bag";
        let items = match self.several_of(list, &of.span, ("expected dice or a list", help)) {
            Ok(items) => items,
            Err(num) => return num,
        };
        let mut sum = Num::of(0);
        for item in items {
            let item = self.as_number(item, &of.span);
            let passes = self.compared(item, sign, bound, span);
            sum = self.emitter.joined(Two::Add, sum, passes, span);
        }
        sum
    }

    /// Returns the items of a list. If the value is no list, reports it and returns an error
    /// operand.
    fn several_of(
        &mut self,
        list: Value,
        span: &Span,
        (problem, help): (&str, &str),
    ) -> Result<Vec<Value>, Num> {
        match list {
            Value::List(List { base, len, kind }) => {
                Ok((base..base + len).map(|reg| Value::Num(self.emitter.var(reg, kind))).collect())
            }
            Value::Fixed(Fixed::List(items, _)) => {
                Ok(super::loops::counted(&items).iter().cloned().map(Value::Fixed).collect())
            }
            Value::Fixed(Fixed::Absent(_)) => Ok(Vec::new()),
            Value::Num(num) if num.range.kind == Kind::Any => Err(num),
            _ => Err(self.emitter.wrong(span, problem, help)),
        }
    }

    /// Lowers a test of an item to 0 or 1.
    fn compared(&mut self, item: Num, sign: Sign, bound: &'g Expr, span: &Span) -> Num {
        let Some(test) = range_arithmetic::test_of(sign) else { return self.emitter.anything() };
        let bound_num = self.number(bound, Some(item.range.kind));
        let bound_num = self.of_kind(bound_num, item.range.kind, &bound.span);
        let mut passes = self.emitter.joined(test, item, bound_num, span);
        passes.range.kind = Kind::Number;
        passes
    }

    /// Lowers `count(x in xs where c)` and `sum(e for x in xs where c)`.
    pub(super) fn over(&mut self, summand: Option<&'g Expr>, of: &'g Members, span: &Span) -> Num {
        for inner in summand.into_iter().chain(&of.when) {
            self.no_dice(inner, if summand.is_some() { "sum" } else { "count" });
        }
        let list = match self.value(&of.all, None) {
            Value::Bag(bag) => return self.bags().over_bag(summand, Some(of), bag, span),
            Value::Fixed(Fixed::List(items, Some(_))) => {
                return self.over_unknown(summand, of, items.first().cloned(), span);
            }
            list => list,
        };
        let problem = super::loops::one_of(&of.all);
        let wrong = (problem.as_str(), "use a list, a list of records or a bag");
        let items = match self.several_of(list, &of.all.span, wrong) {
            Ok(items) => items,
            Err(num) => return num,
        };
        let into = self.emitter.fresh(span);
        let mut sum = Num::of(0);
        for item in items {
            sum = self.add_one(summand, of, item, sum, into, span);
        }
        sum
    }

    /// Lowers a sum over a list of unknown length: one item represents all.
    fn over_unknown(
        &mut self,
        summand: Option<&'g Expr>,
        of: &'g Members,
        item: Option<Fixed>,
        span: &Span,
    ) -> Num {
        let into = self.emitter.fresh(span);
        if let Some(item) = item {
            self.add_one(summand, of, Value::Fixed(item), Num::of(0), into, span);
        }
        let range = match summand {
            Some(_) => self.scopes.game.all_of(Kind::Number),
            None => Range::new(Kind::Number, 0, LIST),
        };
        Num { range, at: into }
    }

    /// Adds the summand of an item if its condition holds.
    fn add_one(
        &mut self,
        summand: Option<&'g Expr>,
        of: &'g Members,
        item: Value,
        sum: Num,
        into: u8,
        span: &Span,
    ) -> Num {
        let known = self.scopes.known();
        self.scopes.bind(&of.name.text, Bind::Is(item));
        if of.when.is_some() && (sum.known().is_some() || sum.at != into) {
            self.emitter.put_copy(into, sum, span);
        }
        let mut next = Target::default();
        let when = of.when.as_ref();
        let decided = when.map_or(Some(true), |when| self.jump_if(when, false, &mut next));
        let sum = match decided {
            Some(false) => sum,
            Some(true) => {
                let one = self.one_more(summand);
                self.emitter.joined(Two::Add, sum, one, span)
            }
            None => {
                let one = self.one_more(summand);
                let sum = self.sum_in(into, sum, one, span);
                self.emitter.land(next);
                sum
            }
        };
        self.scopes.forget(known);
        sum
    }

    /// Adds to a sum in a register on one of two paths, and returns the sum with the range of both.
    fn sum_in(&mut self, into: u8, sum: Num, one: Num, span: &Span) -> Num {
        let (lo, hi) = (sum.range.lo + one.range.lo, sum.range.hi + one.range.hi);
        let (lo, hi) = (sum.range.lo.min(lo), sum.range.hi.max(hi));
        let one = self.emitter.in_reg(one, span);
        self.emitter.emit(Op::Bin(Two::Add, into, into, one), span);
        // The sum is in a register even if its only possible value is 0.
        Num { range: Range::new(Kind::Number, lo, hi.max(lo + 1)), at: into }
    }

    /// Lowers the summand of one item; it is 1 for a count.
    fn one_more(&mut self, summand: Option<&'g Expr>) -> Num {
        match summand {
            Some(summand) => self.whole(summand),
            None => Num::of(1),
        }
    }
}
