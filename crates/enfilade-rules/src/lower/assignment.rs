//! Assignments to names, list elements and bag items.

use super::emitter::Emitter;
use super::lowered_value::{Bind, List, Num, Place, Value};
use super::lowering::Lowering;
use super::scopes::Scopes;
use super::views::Assignments;
use crate::diagnostics::{Span, near};
use crate::syntax::ast::Value as Given;
use crate::syntax::ast::{Expr, Says};
use crate::types::{Fixed, Kind, LIST, STORED};
use crate::vm::code::{Op, Two};
use crate::vm::machine::past;
use crate::vm::trace_marks::{Mark, Said};
impl<'g> Lowering<'g> {
    /// Checks that nothing else has the name of a new variable, and reports a clash.
    pub(super) fn is_new(&mut self, name: &str, span: &Span) -> bool {
        let Some(taken) = self.scopes.taken(name) else { return true };
        let problem = format!("`{name}` is {taken} already and cannot be declared again");
        self.emitter.wrong(span, problem, "give it another name");
        false
    }
}

impl<'g> Assignments<'_, 'g> {
    /// Lowers `x = e` and `x += e`.
    pub(super) fn set(
        &mut self,
        place: &'g Expr,
        sign: i8,
        value: &'g Given,
        span: &Span,
    ) -> usize {
        if let Says::Name(name) = &place.what
            && self.scopes.local(name).is_none()
            && sign == 0
        {
            return self.make(name, place, value, span);
        }
        match self.place(place) {
            Some(into) => self.put_into(into, sign, value, span),
            // The value is checked even without a valid target.
            None => {
                if let Given::One(value) = value {
                    self.value(value, None);
                }
            }
        }
        0
    }

    /// Assigns a value to an existing target, or adds to it.
    fn put_into(&mut self, into: Place, sign: i8, value: &'g Given, span: &Span) {
        match (value, into) {
            (Given::One(value), into) => self.assign(into, sign, value, span),
            (Given::List(items), Place::List(list)) if items.len() == usize::from(list.len) => {
                for (at, item) in items.iter().enumerate() {
                    self.assign(Place::Var(list.base + at as u8, list.kind), 0, item, span);
                }
            }
            (Given::List(items), Place::List(list)) => {
                let (has, len) = (items.len(), list.len);
                self.emitter.wrong(span, format!("the list has {len} places, not {has}"), "");
            }
            (Given::List(_), _) => {
                self.emitter.wrong(span, "a list cannot be used here", "assign it to a new name");
            }
            (Given::Bag(..), _) => {
                self.emitter.wrong(
                    span,
                    "a bag cannot be assigned again",
                    "assign it to a new name",
                );
            }
        }
    }

    /// Declares a name at its first `=`. Returns the number of registers that it occupies.
    fn make(&mut self, name: &'g str, place: &Expr, value: &'g Given, span: &Span) -> usize {
        if !self.is_new(name, &place.span) {
            return 0;
        }
        match value {
            Given::One(value) => self.make_one(name, value, span),
            Given::List(items) if items.len() as i64 > LIST => {
                self.emitter.wrong(span, format!("a list has at most {LIST} places"), "");
                0
            }
            Given::List(items) => self.make_list(name, items, span),
            Given::Bag(of, with, kept) => {
                let registers = self.bags().make_bag(name, of, with, span);
                self.bags().told_things(name, kept, span);
                registers
            }
        }
    }

    /// Declares a name for one value: a number, a printed cell, or a list of the rule.
    fn make_one(&mut self, name: &'g str, value: &'g Expr, span: &Span) -> usize {
        let base = self.emitter.top;
        let reserved = self.scopes.reserved_for(name);
        let reg = self.emitter.fresh_row(2, span);
        let found = self.value(value, reserved.and_then(|(_, kind)| kind));
        match self.opened(found, &value.span) {
            Value::Cell(word, number) => {
                self.store_cell(reg, word, number, span);
                self.scopes.bind(name, Bind::Place(Place::Cell(reg, word.range.kind)));
                2
            }
            Value::List(list) => {
                // In ascending order, because the source and target registers may overlap in a list
                // that was just built.
                self.emitter.release(base);
                let own = self.emitter.copied_list(list, span);
                self.scopes.bind(name, Bind::Place(Place::List(own)));
                list.len.into()
            }
            Value::Fixed(Fixed::List(items, None)) => {
                self.emitter.release(base);
                self.list_of_fixed(name, &items, span)
            }
            found => {
                let mut num = self.as_number(found, &value.span);
                let (reg, kept) = reserved.map_or((reg, 1), |(reserved, _)| (reserved, 0));
                if let Some((_, Some(kind))) = reserved {
                    num = self.of_kind(num, kind, &value.span);
                    num.range.kind = kind;
                }
                self.scopes.holds(name, num.range.kind);
                self.scopes.bind(name, Bind::Place(Place::Var(reg, num.range.kind)));
                self.store_told(reg, num, span);
                kept
            }
        }
    }

    /// Stores a printed cell in two registers: its word, and its number.
    fn store_cell(&mut self, reg: u8, word: Num, number: Num, span: &Span) {
        self.emitter.store(reg, word, span);
        self.emitter.store(reg + 1, number, span);
    }

    /// Stores a number in a variable and traces the new value.
    fn store_told(&mut self, reg: u8, num: Num, span: &Span) {
        self.emitter.store(reg, num, span);
        self.tell_place(reg, num.range.kind, span);
    }

    /// Declares a list of the rule in consecutive registers, each computed in place.
    pub(super) fn make_list(&mut self, name: &'g str, items: &'g [Expr], span: &Span) -> usize {
        let base = self.emitter.fresh_row(items.len(), span);
        let mut kind = Kind::Any;
        for (at, item) in items.iter().enumerate() {
            let num = self.number(item, Some(kind));
            let num = self.of_kind(num, kind, &item.span);
            if kind == Kind::Any {
                kind = num.range.kind;
            }
            self.emitter.store(base + at as u8, num, span);
        }
        let list = List { base, len: items.len() as u8, kind };
        self.scopes.bind(name, Bind::Place(Place::List(list)));
        items.len()
    }

    /// Declares a list of the rule with the values of a list of the contest.
    pub(super) fn list_of_fixed(&mut self, name: &'g str, items: &[Fixed], span: &Span) -> usize {
        let base = self.emitter.fresh_row(items.len(), span);
        let mut kind = Kind::Number;
        for (at, item) in items.iter().enumerate() {
            let num = self.as_number(Value::Fixed(item.clone()), span);
            kind = num.range.kind;
            self.emitter.store(base + at as u8, num, span);
        }
        let len = items.len() as u8;
        self.scopes.bind(name, Bind::Place(Place::List(List { base, len, kind })));
        items.len()
    }

    /// Assigns a value to a target, or adds to it.
    pub(super) fn assign(&mut self, into: Place, sign: i8, value: &'g Expr, span: &Span) {
        if let Place::Cell(reg, kind) = into {
            return self.assign_cell(reg, kind, value, span);
        }
        if let Place::List(list) = into {
            return self.assign_list(list, value, span);
        }
        let kind = self.scopes.kind_of(into);
        let mut num = match sign {
            0 => {
                let num = self.number(value, Some(kind));
                self.of_kind(num, kind, &value.span)
            }
            _ => self.added(into, sign, value, span),
        };
        num.range.kind = kind;
        match into {
            Place::Var(reg, _) => self.store_told(reg, num, span),
            Place::Of(list, at) => self.store_at(list, at, num, span),
            Place::Field(digit, cursor) => self.bags().put_digit(digit, cursor, num, span),
            Place::Cell(..) | Place::List(_) => {}
        }
    }

    /// Computes the sum or difference of the target's value and a number.
    fn added(&mut self, into: Place, sign: i8, value: &'g Expr, span: &Span) -> Num {
        let by = self.whole(value);
        let now = self.expressions().read(into);
        let now = self.as_number(now, span);
        let now = self.of_kind(now, Kind::Number, span);
        let two = if sign > 0 { Two::Add } else { Two::Sub };
        self.emitter.joined(two, now, by, span)
    }

    /// Traces the new value of a variable, if the rule is traced.
    pub(super) fn tell_place(&mut self, reg: u8, kind: Kind, span: &Span) {
        if self.emitter.why == super::Why::Tell {
            self.emitter.tell(Mark::new(span, Said::Set(reg, kind)));
        }
    }

    /// Assigns another printed cell: its word and its number together.
    pub(super) fn assign_cell(&mut self, reg: u8, kind: Kind, value: &'g Expr, span: &Span) {
        let found = self.value(value, Some(kind));
        match self.opened(found, &value.span) {
            Value::Cell(word, number) if word.range.kind == kind => {
                self.store_cell(reg, word, number, span);
            }
            _ => {
                self.emitter.wrong(&value.span, "expected a printed cell of the same table", "");
            }
        }
    }

    /// Assigns another list of the same length, element by element.
    pub(super) fn assign_list(&mut self, list: List, value: &'g Expr, span: &Span) {
        match self.value(value, None) {
            Value::List(other) if other.len == list.len && other.kind.goes_with(list.kind) => {
                for at in 0..list.len {
                    let num = self.emitter.var(other.base + at, other.kind);
                    self.emitter.store(list.base + at, num, span);
                }
            }
            _ => {
                let len = list.len;
                self.emitter.wrong(&value.span, format!("expected a list of {len} places"), "");
            }
        }
    }

    /// Stores a number in a list element. If the index is unknown, any element may have changed.
    pub(super) fn store_at(&mut self, list: List, at: Num, num: Num, span: &Span) {
        if !self.emitter.may_be_place(at, list.len.into(), span) {
            return;
        }
        if let Some(known) = at.known() {
            return self.store_told(list.base + known as u8 - 1, num, span);
        }
        let held = self.emitter.fresh(span);
        self.emitter.store(held, num, span);
        self.emitter.emit(Op::Store(list.base, list.len, at.at, held), span);
        for reg in list.base..list.base + list.len {
            let (lo, hi) = self.emitter.range_of(reg);
            self.emitter.set_range(reg, (lo.min(num.range.lo), hi.max(num.range.hi)));
        }
    }

    /// Resolves an expression to an assignable target.
    pub(super) fn place(&mut self, expr: &'g Expr) -> Option<Place> {
        let span = &expr.span;
        match &expr.what {
            Says::Name(name) => self.name_place(name, span),
            Says::Place(of, at) => self.list_place(of, at, span),
            Says::Column(of, column) => match self.value(of, None) {
                Value::Thing(bag, cursor) => self.bags().thing_place(bag, cursor, column),
                Value::Num(num) if num.range.kind == Kind::Any => None,
                _ => self.unchanging(span, "a bag of it has items that change"),
            },
            _ => {
                self.emitter.wrong(span, "this cannot be assigned", "");
                None
            }
        }
    }

    /// Resolves a name to a variable.
    fn name_place(&mut self, name: &str, span: &Span) -> Option<Place> {
        match (self.scopes.local(name), self.scopes.taken(name)) {
            (Some(Bind::Place(place)), _) => return Some(*place),
            (Some(Bind::Is(_)), _) => {
                let problem = format!("`{name}` cannot be assigned");
                self.emitter.wrong(span, problem, "give it another name");
            }
            (None, Some(taken)) => {
                let problem = format!("`{name}` is {taken}, and the rule cannot change it");
                self.emitter.wrong(span, problem, format!("`now = {name}` makes a variable of it"));
            }
            (None, None) => self.no_place(name, span),
        }
        None
    }

    /// Resolves an index expression to a list element.
    fn list_place(&mut self, of: &'g Expr, at: &'g Expr, span: &Span) -> Option<Place> {
        match self.value(of, None) {
            Value::List(list) => {
                let at = self.whole(at);
                // The index is copied because the assigned value may change the variable that it
                // came from.
                Some(Place::Of(list, self.emitter.copied(at, span)))
            }
            Value::Bag(_) => {
                self.emitter.wrong(
                    span,
                    "a bag has no places",
                    "`each u in units`, or make it a list",
                );
                None
            }
            Value::Num(num) if num.range.kind == Kind::Any => None,
            _ => self.unchanging(span, "`xs = …` declares a list that the rule can change"),
        }
    }

    /// Reports an assignment to a value of the contest, which is constant.
    fn unchanging(&mut self, span: &Span, help: &str) -> Option<Place> {
        self.emitter.wrong(span, "the rule cannot change this", help);
        None
    }

    /// Reports a name that has no value yet.
    pub(super) fn no_place(&mut self, name: &str, span: &Span) {
        let help = self.scopes.near_or(name, || format!("`{name} = …` gives it one"));
        self.emitter.wrong(span, format!("`{name}` has no value yet"), help);
    }
}

impl<'g> Scopes<'g> {
    /// Returns what else has this name.
    pub(super) fn taken(&self, name: &str) -> Option<&'static str> {
        if self.frames.len() == 1 && self.own.iter().any(|(own, ..)| *own == name) {
            return Some("a field");
        }
        self.game.names.get(name).map(|top| top.called())
    }

    pub(super) fn kind_of(&self, place: Place) -> Kind {
        match place {
            Place::Var(_, kind) | Place::Cell(_, kind) => kind,
            Place::List(list) | Place::Of(list, _) => list.kind,
            Place::Field(digit, _) => self.digit_kind(digit),
        }
    }

    /// Suggests a similar name of the rule, or else gives other advice.
    pub(super) fn near_or(&self, name: &str, otherwise: impl FnOnce() -> String) -> String {
        let locals = self.frames.last().into_iter().flat_map(|frame| &frame.locals);
        let help = near(name, locals.map(|local| local.name));
        if help.is_empty() { otherwise() } else { help }
    }
}

impl Emitter {
    /// Stores a number in a variable, with a check that it fits.
    pub(super) fn store(&mut self, reg: u8, num: Num, span: &Span) {
        let (lo, hi) = (num.range.lo, num.range.hi);
        if hi < STORED.0 || lo > STORED.1 {
            self.wrong(span, past(lo), "");
            return;
        }
        if lo < STORED.0 || hi > STORED.1 {
            let source = self.in_reg(num, span);
            self.emit(Op::Narrow(reg, source), span);
        } else {
            self.put(reg, num, span);
        }
        self.set_range(reg, (lo.max(STORED.0), hi.min(STORED.1)));
    }
}
