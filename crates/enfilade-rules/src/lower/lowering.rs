//! Who walks over a rule: what is known on the way, and the code so far.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::lowered_value::{
    BagOf, Bind, Choice, Env, Frame, Local, Measured, Reported, Target, Value,
};
use super::parameter_trace::ParameterTrace;
use crate::diagnostics::Faults;
use crate::optimize::Thrift;
use crate::resolve::action_facts::{Columns, Seen};
use crate::resolve::game::Game;
use crate::syntax::ast::{Expr, Name, Part, Report, Stmt};
use crate::types::{Fixed, Kind};
use crate::vm::code::{Open, Program, Reg};

/// Why a rule is walked over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// To find what is wrong with it.
    Check,
    /// To play it.
    Play,
    /// To play it and tell every step.
    Tell,
}

/// What a walk was over.
pub struct Walker<'g> {
    pub game: &'g Game,
    /// Which action is walked over.
    pub action: Option<usize>,
    /// Numbers of the contest that are asked for while the rule is played.
    pub parameters: ParameterTrace,
    pub(super) why: Why,
    pub(super) thrift: Thrift,
    pub faults: Faults,
    pub program: Program,
    /// By field at the top: its value, and whether the contest gives it.
    pub fields: Vec<Option<(Fixed, Option<bool>)>>,
    /// The action that is walked over, as far as it is one.
    pub over: Option<usize>,
    /// Fields of the action, by name.
    pub own: Vec<(&'g str, Fixed, Option<bool>)>,
    /// What is known of variables; `None` where no path leads.
    pub(super) env: Option<Env>,
    /// Columns that the rule reads and changes.
    pub columns: Option<&'g Columns>,
    /// Cells of tables that the contest changes.
    pub tables: Vec<(usize, Vec<Fixed>)>,
    pub(super) top: usize,
    /// Where jumps were last aimed.
    pub(super) landed: usize,
    /// Sequences of faces since the last place that is reached from elsewhere; 0 where there is no die.
    pub(super) faces: u32,
    /// Whether a die may have fallen since the last place where the rule rests.
    pub(super) fell: bool,
    /// Whether it may rest.
    pub(super) rests: bool,
    /// The first register that the line under way uses for itself.
    pub(super) mark: usize,
    pub(super) frames: Vec<Frame<'g>>,
    /// Parts under way.
    pub(super) calls: Vec<usize>,
    pub(super) opens: Vec<(u8, Open)>,
    /// By bag: whether its block has ended, and its registers may be used again.
    pub(super) gone: Vec<bool>,
    /// Where `end` goes; nothing behind the end.
    pub(super) end: Option<Target>,
    /// Names of the action that are made where it may have ended already.
    pub(super) late: Vec<&'g str>,
    pub(super) ended: bool,
    pub(super) steps: usize,
    pub(super) copies: i64,
    pub(super) full: bool,
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
            game,
            action: None,
            parameters: ParameterTrace::default(),
            why,
            thrift,
            faults: Faults::default(),
            program: Program::default(),
            fields: vec![None; game.fields.len()],
            over: None,
            own: Vec::new(),
            env: Some(Vec::new()),
            columns: None,
            tables: Vec::new(),
            landed: 0,
            faces: 0,
            fell: false,
            rests: why == Why::Play && thrift.tidies,
            mark: 0,
            top: 0,
            frames: vec![Frame::default()],
            calls: Vec::new(),
            opens: Vec::new(),
            gone: Vec::new(),
            end: Some(Target::default()),
            late: Vec::new(),
            ended: false,
            steps: 0,
            copies: 1,
            full: false,
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
        if let Some(end) = self.end.take() {
            self.land(end);
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
        let (top, known) = (self.top, self.known());
        self.lines(lines);
        self.forget(known);
        self.release(top);
    }

    /// Goes on with a name for a value, which then is gone.
    pub(super) fn with(&mut self, name: &'g Name, value: Value, go_on: impl FnOnce(&mut Self)) {
        let (known, top) = (self.known(), self.top);
        self.bind(&name.text, Bind::Is(value));
        go_on(self);
        self.forget(known);
        self.release(top);
    }

    /// Walks over lines, until no path leads on.
    pub(super) fn lines(&mut self, lines: &'g [Stmt]) {
        for line in lines {
            if self.is_full(&line.span) || self.is_dead() {
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
