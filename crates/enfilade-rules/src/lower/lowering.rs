//! A rule that becomes code: line by line, by what its names mean and what is known on the way.

use super::emitter::{Emitter, Why};
use super::lowered_value::{Bind, Place, Value};
use super::scopes::Scopes;
use crate::diagnostics::Span;
use crate::optimize::Thrift;
use crate::resolve::game::Game;
use crate::syntax::ast::{Expr, Name, Report, Stmt};
use crate::types::{Fixed, Kind};
use crate::vm::code::{Program, Reg, Stops};

/// A rule that is lowered: what its names mean, and its code so far.
pub struct Lowering<'g> {
    /// What names mean.
    pub scopes: Scopes<'g>,
    /// The code.
    pub emitter: Emitter,
}

impl<'g> Lowering<'g> {
    /// Before the first line.
    pub fn new(game: &'g Game, why: Why, thrift: Thrift) -> Lowering<'g> {
        Lowering { scopes: Scopes::new(game, why, thrift), emitter: Emitter::new(why, thrift) }
    }

    /// Walks over the rule of an action and what it reports.
    pub fn action(&mut self, body: &'g [Stmt], shows: &'g [Report]) {
        self.lines(body);
        if let Some(end) = self.emitter.end.take() {
            self.emitter.land(end);
        }
        if let [action] = self.scopes.frames.as_mut_slice() {
            let late = &self.scopes.late;
            action.locals.retain(|local| !late.contains(&local.name));
        }
        self.reporting().reports(shows);
    }

    /// Whether the rule is only looked at, with no contest at hand.
    pub(super) fn checks(&self) -> bool {
        self.emitter.checks()
    }

    /// Walks over lines with names of their own.
    pub(super) fn block(&mut self, lines: &'g [Stmt]) {
        let (top, known) = (self.emitter.top, self.scopes.known());
        self.lines(lines);
        self.scopes.forget(known);
        self.emitter.release(top);
    }

    /// Goes on with a name for a value, which then is gone.
    pub(super) fn with(
        &mut self,
        name: &'g Name,
        value: Value,
        go_on: impl FnOnce(&mut Lowering<'g>),
    ) {
        let (known, top) = (self.scopes.known(), self.emitter.top);
        self.scopes.bind(&name.text, Bind::Is(value));
        go_on(self);
        self.scopes.forget(known);
        self.emitter.release(top);
    }

    /// Walks over lines, until no path leads on.
    pub(super) fn lines(&mut self, lines: &'g [Stmt]) {
        for line in lines {
            if self.emitter.is_full(&line.span) || self.emitter.is_dead() {
                break;
            }
            self.stmt(line);
        }
    }

    /// A number outside any rule: what is known of it, and its register.
    pub fn number_of(&mut self, value: &'g Expr, want: Kind) -> (Option<i64>, Reg) {
        let num = self.number(value, Some(want));
        let num = self.of_kind(num, want, &value.span);
        (num.known(), num.at)
    }

    /// What a list of the contest holds; where it is not known, one for all.
    pub fn items_of(&mut self, list: &'g Expr) -> Vec<Fixed> {
        match self.value(list, None) {
            Value::Fixed(Fixed::List(items, _)) => items.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Forgets what was written outside any rule, and the bags that it made; hands the code on.
    pub fn begin_again(&mut self) -> Program {
        self.emitter.begin_again();
        self.emitter.gone.clear();
        self.scopes.bags.clear();
        std::mem::take(&mut self.emitter.program)
    }

    /// Notes dice where none may be rolled.
    pub fn no_dice_in(&mut self, expr: &Expr, place: &str) {
        self.no_dice(expr, place);
    }

    /// Adds a place where the rule stops.
    pub(super) fn stop_at(&mut self, stops: Stops, into: Reg, span: &Span) {
        let names = self.names_now();
        self.emitter.suspend(stops, into, names, span);
    }

    /// A place with a long way to the next die: whoever comes by twice with the same numbers need not go
    /// it twice.
    pub(super) fn rest(&mut self, span: &Span) {
        if self.scopes.tallies.is_empty() {
            self.emitter.memo_point(span);
        }
    }

    /// Names of registers, where the rule is told.
    pub(super) fn names_now(&self) -> Vec<(Reg, String)> {
        let mut names = Vec::new();
        if self.emitter.why != Why::Tell {
            return names;
        }
        for local in self.scopes.frames.iter().flat_map(|frame| &frame.locals) {
            let name = local.name.to_owned();
            match &local.bind {
                Bind::Place(Place::Var(reg, _) | Place::Cell(reg, _)) => names.push((*reg, name)),
                Bind::Place(Place::List(list)) => {
                    let places = (list.base..list.base + list.len).zip(1..);
                    names.extend(places.map(|(reg, at)| (reg, format!("{name}[{at}]"))));
                }
                Bind::Is(Value::Bag(bag)) => {
                    names.push((self.emitter.program.bags[usize::from(*bag)].base, name));
                }
                Bind::Is(Value::Num(num)) if num.known().is_none() => names.push((num.at, name)),
                _ => {}
            }
        }
        names
    }
}
