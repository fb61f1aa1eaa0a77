//! Lowering of a rule to code, line by line, from the meaning of its names and the known ranges.

use super::emitter::{Emitter, Why};
use super::lowered_value::{Bind, Place, Value};
use super::scopes::Scopes;
use crate::diagnostics::Span;
use crate::optimize::Thrift;
use crate::resolve::game::Game;
use crate::syntax::ast::{Expr, Name, Report, Stmt};
use crate::types::{Fixed, Kind};
use crate::vm::code::{Program, Reg, Stops};

/// Rule that is being lowered: its scopes, and its code so far.
pub struct Lowering<'g> {
    /// Meaning of the names.
    pub scopes: Scopes<'g>,
    /// Code.
    pub emitter: Emitter,
}

impl<'g> Lowering<'g> {
    /// Creates a lowering before the first line.
    pub fn new(game: &'g Game, why: Why, thrift: Thrift) -> Lowering<'g> {
        Lowering { scopes: Scopes::new(game, why, thrift), emitter: Emitter::new(why, thrift) }
    }

    /// Lowers the rule of an action and its report.
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

    /// Returns whether the rule is only checked, without a contest.
    pub(super) fn checks(&self) -> bool {
        self.emitter.checks()
    }

    /// Lowers lines in a new block.
    pub(super) fn block(&mut self, lines: &'g [Stmt]) {
        let (top, known) = (self.emitter.top, self.scopes.known());
        self.lines(lines);
        self.scopes.forget(known);
        self.emitter.release(top);
    }

    /// Binds a name to a value while `go_on` runs.
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

    /// Lowers lines until the code is unreachable.
    pub(super) fn lines(&mut self, lines: &'g [Stmt]) {
        for line in lines {
            if self.emitter.is_full(&line.span) || self.emitter.is_dead() {
                break;
            }
            self.stmt(line);
        }
    }

    /// Lowers an expression outside any rule. Returns its constant value, if any, and its register.
    pub fn number_of(&mut self, value: &'g Expr, want: Kind) -> (Option<i64>, Reg) {
        let num = self.number(value, Some(want));
        let num = self.of_kind(num, want, &value.span);
        (num.known(), num.at)
    }

    /// Returns the items of a contest's list; if they are unknown, one item that represents all.
    pub fn items_of(&mut self, list: &'g Expr) -> Vec<Fixed> {
        match self.value(list, None) {
            Value::Fixed(Fixed::List(items, _)) => items.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Takes the code that was written outside any rule, and removes its bags.
    pub fn begin_again(&mut self) -> Program {
        self.emitter.begin_again();
        self.emitter.gone.clear();
        self.scopes.bags.clear();
        std::mem::take(&mut self.emitter.program)
    }

    /// Reports dice where none may be rolled.
    pub fn no_dice_in(&mut self, expr: &Expr, place: &str) {
        self.no_dice(expr, place);
    }

    /// Emits a suspend point.
    pub(super) fn stop_at(&mut self, stops: Stops, into: Reg, span: &Span) {
        let names = self.names_now();
        self.emitter.suspend(stops, into, names, span);
    }

    /// Emits a memo point: a run that arrives with register values seen before stops here. It is
    /// worthwhile where the next die is far.
    pub(super) fn rest(&mut self, span: &Span) {
        if self.scopes.tallies.is_empty() {
            self.emitter.memo_point(span);
        }
    }

    /// Returns the names of registers, if the rule is traced.
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
