//! Who walks over a rule: what is known on the way, and the code so far.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::emitter::{Emitter, Why};
use super::lowered_value::{BagOf, Bind, Choice, Frame, Local, Measured, Place, Reported, Value};
use crate::diagnostics::Span;
use crate::optimize::Thrift;
use crate::resolve::action_facts::{Columns, Seen};
use crate::resolve::game::{Game, Top};
use crate::resolve::uses;
use crate::syntax::ast::{Expr, Name, Part, Report, Stmt};
use crate::types::{Fixed, Kind};
use crate::vm::code::{Reg, Stops};

/// What a walk was over.
pub struct Walker<'g> {
    pub emitter: Emitter,
    pub game: &'g Game,
    /// Which action is walked over.
    pub action: Option<usize>,
    pub(super) why: Why,
    /// By field at the top: its value, and whether the contest gives it.
    pub fields: Vec<Option<(Fixed, Option<bool>)>>,
    /// The action that is walked over, as far as it is one.
    pub over: Option<usize>,
    /// Fields of the action, by name.
    pub own: Vec<(&'g str, Fixed, Option<bool>)>,
    /// Columns that the rule reads and changes.
    pub columns: Option<&'g Columns>,
    /// Cells of tables that the contest changes.
    pub tables: Vec<(usize, Vec<Fixed>)>,
    pub(super) frames: Vec<Frame<'g>>,
    /// Parts under way.
    pub(super) calls: Vec<usize>,
    /// Names of the action that are made where it may have ended already.
    pub(super) late: Vec<&'g str>,
    pub(super) ended: bool,
    /// Fields at the top that were read.
    pub read: FxHashSet<usize>,
    /// Fields that bound loops and pools, in the order in which they were met.
    pub grows: Vec<String>,
    /// Counts that are not remembered.
    pub tallies: Vec<String>,
    /// Decisions.
    pub choices: Vec<Choice>,
    pub bags: Vec<BagOf<'g>>,
    /// By place of a bag in the file, and by name of what changes: the range it was seen to have.
    pub seen: Cow<'g, Seen>,
    /// What is shown and measured.
    pub reported: Vec<Reported<'g>>,
    pub measured: Vec<Measured<'g>>,
}

impl<'g> Walker<'g> {
    /// Before the first line.
    pub fn new(game: &'g Game, why: Why, thrift: Thrift) -> Walker<'g> {
        Walker {
            emitter: Emitter::new(why, thrift),
            game,
            action: None,
            why,
            fields: vec![None; game.fields.len()],
            over: None,
            own: Vec::new(),
            columns: None,
            tables: Vec::new(),
            frames: vec![Frame::default()],
            calls: Vec::new(),
            late: Vec::new(),
            ended: false,
            read: FxHashSet::default(),
            grows: Vec::new(),
            tallies: Vec::new(),
            choices: Vec::new(),
            bags: Vec::new(),
            seen: Cow::default(),
            reported: Vec::new(),
            measured: Vec::new(),
        }
    }

    /// Walks over the rule of an action and what it reports.
    pub fn action(&mut self, body: &'g [Stmt], shows: &'g [Report]) {
        self.lines(body);
        if let Some(end) = self.emitter.end.take() {
            self.emitter.land(end);
        }
        if let [action] = self.frames.as_mut_slice() {
            let late = &self.late;
            action.locals.retain(|local| !late.contains(&local.name));
        }
        self.reports(shows);
    }

    /// Whether the rule is only looked at, with no contest at hand.
    pub(super) fn checks(&self) -> bool {
        self.why == Why::Check
    }

    /// Names that the lines of a part or a loop give values to.
    pub(super) fn assigned(&self, lines: &[Stmt]) -> &'g [String] {
        let first = lines.first().map(|line| line.span.start);
        let found = first.and_then(|first| self.game.assigned.get(&first));
        found.map_or(&[], Vec::as_slice)
    }

    /// Looks a name of the rule's own up.
    pub(super) fn local(&self, name: &str) -> Option<&Bind> {
        let frame = self.frames.last()?;
        let found = frame.locals.iter().rev().find(|local| local.name == name);
        found.map(|local| &local.bind)
    }

    /// Gives a name to something, until its block ends.
    pub(super) fn bind(&mut self, name: &'g str, bind: Bind) {
        if self.ended && self.checks() && self.frames.len() == 1 {
            self.late.push(name);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.push(Local { name, bind });
        }
    }

    /// Walks over lines with names of their own.
    pub(super) fn block(&mut self, lines: &'g [Stmt]) {
        let (top, known) = (self.emitter.top, self.known());
        self.lines(lines);
        self.forget(known);
        self.emitter.release(top);
    }

    /// Goes on with a name for a value, which then is gone.
    pub(super) fn with(&mut self, name: &'g Name, value: Value, go_on: impl FnOnce(&mut Self)) {
        let (known, top) = (self.known(), self.emitter.top);
        self.bind(&name.text, Bind::Is(value));
        go_on(self);
        self.forget(known);
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

    /// How many names there are: those above are forgotten when a block ends.
    pub(super) fn known(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.locals.len())
    }

    /// Forgets the names of a block; a check remembers that they were there.
    pub(super) fn forget(&mut self, known: usize) {
        let checks = self.checks();
        if let Some(frame) = self.frames.last_mut() {
            let gone = frame.locals.drain(known.min(frame.locals.len())..);
            if checks {
                frame.gone.extend(gone.map(|local| local.name));
            }
        }
    }

    /// The part called `name`.
    pub(super) fn part(&self, name: &str) -> Option<(usize, &'g Part)> {
        self.game.part(name)
    }
}

impl<'g> Walker<'g> {
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

    /// Notes dice where none may be rolled.
    pub fn no_dice_in(&mut self, expr: &Expr, place: &str) {
        self.no_dice(expr, place);
    }
}

impl Emitter {
    /// Forgets what was written outside any rule.
    pub fn begin_again(&mut self) {
        self.top = 0;
        self.mark = 0;
        self.landed = 0;
        self.fell = false;
        self.env = Some(Vec::new());
        self.program.sites.clear();
    }
}

impl<'g> Walker<'g> {
    /// Adds a place where the rule stops.
    pub(super) fn stop_at(&mut self, stops: Stops, into: Reg, span: &Span) {
        let names = self.names_now();
        self.emitter.suspend(stops, into, names, span);
    }

    /// A place with a long way to the next die: whoever comes by twice with the same numbers need not go
    /// it twice.
    pub(super) fn rest(&mut self, span: &Span) {
        if self.tallies.is_empty() {
            self.emitter.memo_point(span);
        }
    }

    /// Names of registers, where the rule is told.
    pub(super) fn names_now(&self) -> Vec<(Reg, String)> {
        let mut names = Vec::new();
        if self.why != Why::Tell {
            return names;
        }
        for local in self.frames.iter().flat_map(|frame| &frame.locals) {
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

    /// Fields that are named in an expression: what bounds a loop or a pool with them grows.
    pub(super) fn grows_with(&mut self, expr: &Expr) {
        if !self.checks() {
            return;
        }
        let mut names = Vec::new();
        uses::names(expr, &mut names);
        for name in names {
            let is_field = matches!(self.game.names.get(name), Some(Top::Field(_)));
            let is_own = self.own.iter().any(|(own, ..)| *own == name);
            if (is_field || is_own) && !self.grows.iter().any(|known| known == name) {
                self.grows.push(name.to_owned());
            }
        }
    }
}
