//! Tests and conditional jumps: a constant test is decided at compile time.

use super::lowered_value::{Num, Target, Value};
use super::lowering::Lowering;
use super::range_arithmetic;
use super::scopes::Scopes;
use super::views::Expressions;
use crate::diagnostics::Span;
use crate::syntax::ast::{Expr, Op as Sign, Says};
use crate::types::{Fixed, Kind, Range};
use crate::vm::code::Two;

/// Number, or a printed cell with its word and its number.
type Cell = (Num, Option<Num>);

impl<'g> Lowering<'g> {
    /// Splits a printed cell of the contest into its word and its number.
    pub(super) fn opened(&mut self, value: Value, span: &Span) -> Value {
        match value {
            Value::Fixed(Fixed::Cell(word, number)) => {
                let word = self.fixed_number(&Fixed::Number(word), span);
                let number = self.fixed_number(&Fixed::Number(number), span);
                Value::Cell(word, number)
            }
            other => other,
        }
    }

    /// Emits a jump that is taken if a test has the outcome `when`. If the outcome is constant,
    /// returns it and emits nothing.
    pub(super) fn jump_if(&mut self, expr: &'g Expr, when: bool, to: &mut Target) -> Option<bool> {
        if self.emitter.is_full(&expr.span) || self.emitter.is_dead() {
            return None;
        }
        match &expr.what {
            Says::Not(inner) => self.jump_if(inner, !when, to).map(|known| !known),
            Says::Two(sign @ (Sign::And | Sign::Or), a, b) => {
                // Outcome of the first operand that decides the whole test.
                let decides = *sign == Sign::Or;
                self.expressions().jump_if_both(a, b, decides, when, to)
            }
            Says::Two(sign, a, b) if range_arithmetic::test_of(*sign).is_some() => {
                let test = range_arithmetic::test_of(*sign)?;
                let (x, y) = self.expressions().pair(test, a, b);
                self.expressions().jump_if_test(test, x, y, when, to, &expr.span)
            }
            _ => {
                let num = self.number(expr, Some(Kind::YesNo));
                let num = self.of_kind(num, Kind::YesNo, &expr.span);
                let one = Num::one(Kind::YesNo, 1);
                self.expressions().jump_if_test(Two::Eq, num, one, when, to, &expr.span)
            }
        }
    }
}

impl<'g> Expressions<'_, 'g> {
    /// Lowers both operands of an operator, with compatible types.
    pub(super) fn pair(&mut self, two: Two, a: &'g Expr, b: &'g Expr) -> (Num, Num) {
        if !two.is_test() {
            let left = self.whole(a);
            let left = self.kept(left, b, &a.span);
            return (left, self.whole(b));
        }
        // The word is usually the right operand of `is`, and the left one determines its list.
        let is_word =
            |expr: &Expr| matches!(&expr.what, Says::Name(name) if self.scopes.is_word_only(name));
        if is_word(a) && !is_word(b) {
            let right = self.tested(b, None);
            let left = self.number(a, Some(right.range.kind));
            return self.same_kind(two, left, right, a, b);
        }
        let left = self.tested(a, None);
        let left = self.kept(left, b, &a.span);
        let right = self.tested(b, Some(left.range.kind));
        self.same_kind(two, left, right, a, b)
    }

    /// Lowers an operand of a test; a printed cell counts as its word.
    pub(super) fn tested(&mut self, expr: &'g Expr, want: Option<Kind>) -> Num {
        match self.value(expr, want) {
            Value::Cell(word, _) => word,
            Value::Fixed(Fixed::Cell(word, _)) => {
                self.fixed_number(&Fixed::Number(word), &expr.span)
            }
            value => self.as_number(value, &expr.span),
        }
    }

    /// Checks that two operands can be compared: equal types, with an order if the operator needs
    /// one.
    pub(super) fn same_kind(&mut self, two: Two, a: Num, b: Num, x: &Expr, y: &Expr) -> (Num, Num) {
        if !a.range.kind.goes_with(b.range.kind) {
            let b = self.of_kind(b, a.range.kind, &y.span);
            return (a, b);
        }
        let ordered = !matches!(two, Two::Eq | Two::Ne);
        if ordered && matches!(a.range.kind, Kind::YesNo | Kind::Row(_)) {
            let kind = self.scopes.game.kind_name(a.range.kind);
            let span = x.span.start..y.span.end;
            let nothing = self.emitter.wrong(
                &span,
                format!("{kind} has no order, so it cannot be compared with `<` or `>`"),
                "",
            );
            return (nothing, b);
        }
        (a, b)
    }

    /// Lowers `a if c else b`.
    pub(super) fn either(
        &mut self,
        when: &'g Expr,
        then: &'g Expr,
        other: Option<&'g Expr>,
        want: Option<Kind>,
        span: &Span,
    ) -> Value {
        let into = self.emitter.fresh_row(2, span);
        let mut no = Target::default();
        let decided = self.jump_if(when, false, &mut no);
        match (decided, other) {
            (Some(true), _) => return self.value(then, want),
            (Some(false), Some(other)) => return self.value(other, want),
            (Some(false), None) => return Value::Num(Num::of(0)),
            _ => {}
        }
        let first = self.value(then, want);
        let first = self.placed(first, into, &then.span);
        let mut end = Target::default();
        self.emitter.jump(&mut end, span);
        self.emitter.land(no);
        let (second, at) = match other {
            Some(other) => (self.value(other, want.or(Some(first.0.range.kind))), &other.span),
            None => (Value::Num(Num::of(0)), span),
        };
        let second = self.placed(second, into, at);
        self.emitter.land(end);
        self.either_of(first, second, into, at)
    }

    /// Returns the value of registers that were written on two paths with values of one type.
    fn either_of(&mut self, first: Cell, second: Cell, into: u8, span: &Span) -> Value {
        let (one, other) = (first.0.range, second.0.range);
        if !one.kind.goes_with(other.kind) || first.1.is_some() != second.1.is_some() {
            let (expected, found) =
                (self.scopes.game.kind_name(one.kind), self.scopes.game.kind_name(other.kind));
            let problem = format!("cannot compare {expected} with {found}");
            return Value::Num(self.emitter.wrong(span, problem, ""));
        }
        let value = Num { range: one.or(other), at: into };
        match first.1.zip(second.1) {
            Some((a, b)) => Value::Cell(value, Num { range: a.range.or(b.range), at: into + 1 }),
            None => Value::Num(value),
        }
    }

    /// Stores a number or a printed cell in registers.
    fn placed(&mut self, value: Value, into: u8, span: &Span) -> Cell {
        let value = self.opened(value, span);
        match value {
            Value::Cell(word, number) => {
                self.emitter.put(into, word, span);
                self.emitter.put(into + 1, number, span);
                (word, Some(number))
            }
            value => {
                let num = self.as_number(value, span);
                self.emitter.put(into, num, span);
                (num, None)
            }
        }
    }

    /// Lowers a test to 0 or 1.
    pub(super) fn truth(&mut self, expr: &'g Expr) -> Num {
        let into = self.emitter.fresh(&expr.span);
        let mut no = Target::default();
        if let Some(known) = self.jump_if(expr, false, &mut no) {
            return Num::one(Kind::YesNo, known.into());
        }
        let mut end = Target::default();
        self.emitter.constant(into, 1, &expr.span);
        self.emitter.jump(&mut end, &expr.span);
        self.emitter.land(no);
        self.emitter.constant(into, 0, &expr.span);
        self.emitter.land(end);
        Num { range: Range::new(Kind::YesNo, 0, 1), at: into }
    }

    /// Lowers a jump on `and` or `or`; the second operand is evaluated only if the first does not
    /// decide.
    pub(super) fn jump_if_both(
        &mut self,
        a: &'g Expr,
        b: &'g Expr,
        decides: bool,
        when: bool,
        to: &mut Target,
    ) -> Option<bool> {
        let span = &a.span;
        let mut past = Target::default();
        let early = if when == decides { &mut *to } else { &mut past };
        match self.jump_if(a, decides, early) {
            Some(known) if known == decides => return Some(decides),
            Some(_) => return self.jump_if(b, when, to),
            None => {}
        }
        if !self.emitter.is_dead() && self.jump_if(b, when, to) == Some(when) {
            self.emitter.jump(to, span);
        }
        self.emitter.land(past);
        None
    }

    /// Emits a jump on a test of two numbers.
    pub(super) fn jump_if_test(
        &mut self,
        test: Two,
        a: Num,
        b: Num,
        when: bool,
        to: &mut Target,
        span: &Span,
    ) -> Option<bool> {
        let known = range_arithmetic::reckoned(test, a.range, b.range, Kind::YesNo).known();
        if known.is_some() && !self.checks() {
            return Some(known == Some(1));
        }
        // The instruction jumps unless its test holds.
        let test = if when { range_arithmetic::inverse(test) } else { test };
        let (test, a, b) = match (a.known(), test.mirrored()) {
            (Some(_), Some(mirrored)) => (mirrored, b, a),
            _ => (test, a, b),
        };
        let x = self.emitter.in_reg(a, span);
        let op = self.emitter.unless(test, x, b, span);
        self.emitter.may_jump(op, to, span);
        None
    }
}

impl<'g> Scopes<'g> {
    /// Returns whether a name can only be a word.
    pub(super) fn is_word_only(&self, name: &str) -> bool {
        self.local(name).is_none()
            && self.own_field(name).is_none()
            && !self.game.names.contains_key(name)
            && self.game.word_lists.contains_key(name)
    }
}
