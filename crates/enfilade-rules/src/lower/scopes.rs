//! Scopes: the meaning of names at the current position of a rule, and the members of contest
//! values. They read the contest, and do not depend on registers or code.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::changed_cells::ChangedCell;
use super::emitter::Why;
use super::hoisting::Slots;
use super::lowered_value::{BagOf, Bind, Choice, Frame, Local, Measured, Num, Reported, Value};
use crate::diagnostics::near;
use crate::optimize::Thrift;
use crate::resolve::action_facts::{Columns, Seen};
use crate::resolve::game::{Game, Top};
use crate::resolve::printed_cells::mark_names;
use crate::resolve::{COUNT, uses};
use crate::syntax::ast::{Expr, Name, Part, Stmt};
use crate::types::{Fixed, Kind};

/// Help where a value without fields is used as one with fields.
pub(super) const HAVE_FIELDS: &str = "records, rows and items of bags have fields";

/// Scopes of the contest, the rule, and the part that is being inlined.
pub struct Scopes<'g> {
    /// Purpose of the lowering.
    why: Why,
    /// Optimization flags.
    pub(super) thrift: Thrift,
    /// Rulebook.
    pub game: &'g Game,
    /// Index of the action.
    pub action: Option<usize>,
    /// Values of the top-level fields, and whether the contest gives each.
    pub fields: Vec<Option<(Fixed, Option<bool>)>>,
    /// Index of the action, also during a check.
    pub over: Option<usize>,
    /// Own fields of the action, by name.
    pub own: Vec<(&'g str, Fixed, Option<bool>)>,
    /// Columns that the rule reads and changes.
    pub columns: Option<&'g Columns>,
    /// Table cells that the contest changes.
    pub changed: Vec<ChangedCell<'g>>,
    /// Changed cells that were looked up, as bits; the last bit stands for all beyond it.
    pub touched: Slots,
    /// Scopes of the action and of the parts that are being inlined, the innermost last.
    pub(super) frames: Vec<Frame<'g>>,
    /// Parts that are being inlined.
    pub(super) calls: Vec<usize>,
    /// Names of the action that are declared where it may have ended already.
    pub(super) late: Vec<&'g str>,
    /// Whether the action may have ended already.
    pub(super) ended: bool,
    /// Top-level fields that were read.
    pub read: FxHashSet<usize>,
    /// Fields that bound loops and pools, in the order of their occurrence.
    pub grows: Vec<String>,
    /// Counts that are not part of the state.
    pub tallies: Vec<String>,
    /// Counters of tallies to which a number below 0 may be added.
    pub counting_down: std::collections::BTreeSet<u8>,
    /// Decisions.
    pub choices: Vec<Choice>,
    /// Bags, by their number in the program.
    pub bags: Vec<BagOf<'g>>,
    /// Ranges of changing fields, by the place of the bag's declaration and the field's name.
    pub seen: Cow<'g, Seen>,
    /// Shows and measures.
    pub reported: Vec<Reported<'g>>,
    pub measured: Vec<Measured<'g>>,
}

impl<'g> Scopes<'g> {
    /// Creates the scopes before the first line.
    pub(super) fn new(game: &'g Game, why: Why, thrift: Thrift) -> Scopes<'g> {
        Scopes {
            why,
            thrift,
            game,
            action: None,
            fields: vec![None; game.fields.len()],
            over: None,
            own: Vec::new(),
            columns: None,
            changed: Vec::new(),
            touched: 0,
            frames: vec![Frame::default()],
            calls: Vec::new(),
            late: Vec::new(),
            ended: false,
            read: FxHashSet::default(),
            grows: Vec::new(),
            tallies: Vec::new(),
            counting_down: std::collections::BTreeSet::new(),
            choices: Vec::new(),
            bags: Vec::new(),
            seen: Cow::default(),
            reported: Vec::new(),
            measured: Vec::new(),
        }
    }

    /// Returns whether the rule is only checked, without a contest.
    pub(super) fn checks(&self) -> bool {
        self.why == Why::Check
    }

    /// Returns the names that the lines of a part or a loop assign.
    pub(super) fn assigned(&self, lines: &[Stmt]) -> &'g [String] {
        let first = lines.first().map(|line| line.span.start);
        let found = first.and_then(|first| self.game.assigned.get(&first));
        found.map_or(&[], Vec::as_slice)
    }

    /// Finds a name of the rule.
    pub(super) fn local(&self, name: &str) -> Option<&Bind> {
        let frame = self.frames.last()?;
        let found = frame.locals.iter().rev().find(|local| local.name == name);
        found.map(|local| &local.bind)
    }

    /// Binds a name until its block ends.
    pub(super) fn bind(&mut self, name: &'g str, bind: Bind) {
        if self.ended && self.checks() && self.frames.len() == 1 {
            self.late.push(name);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.push(Local { name, bind });
        }
    }

    /// Returns the number of names in scope, to which the end of a block returns.
    pub(super) fn known(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.locals.len())
    }

    /// Removes the names of a block; a check remembers that they existed.
    pub(super) fn forget(&mut self, known: usize) {
        let checks = self.checks();
        if let Some(frame) = self.frames.last_mut() {
            let gone = frame.locals.drain(known.min(frame.locals.len())..);
            if checks {
                frame.gone.extend(gone.map(|local| local.name));
            }
        }
    }

    /// Finds the part called `name`.
    pub(super) fn part(&self, name: &str) -> Option<(usize, &'g Part)> {
        self.game.part(name)
    }

    /// Notes the fields in an expression that bounds a loop or a pool: contests grow with them.
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

impl<'g> Scopes<'g> {
    /// Resolves a word or a row of the expected type. A word takes precedence over every other
    /// name, a row over all but the names of the rule.
    pub(super) fn wanted(&self, name: &str, want: Kind) -> Option<Num> {
        let place = match want {
            Kind::Word(list) => self.game.word(list, name),
            Kind::Row(data) if self.local(name).is_none() => self.game.row(data, name),
            _ => None,
        };
        place.map(|place| Num::one(want, place as i64))
    }

    /// Finds an own field of the action, or of the record whose defaults are being evaluated. Parts
    /// do not see these fields.
    pub(super) fn own_field(&self, name: &str) -> Option<(&Fixed, Option<bool>)> {
        let mut own = self.own.iter().rev().filter(|_| self.frames.len() == 1);
        let found = own.find(|(own, ..)| *own == name);
        found.map(|(_, fixed, given)| (fixed, *given))
    }

    /// Returns whether a name is out of scope, or has no value where the rule may have ended.
    pub(super) fn is_gone(&self, name: &str) -> bool {
        let late = self.frames.len() == 1 && self.late.contains(&name);
        late || self.frames.last().is_some_and(|frame| frame.gone.contains(&name))
    }

    /// Returns whether a name may be that of a word list: nothing else of this name has columns.
    pub(super) fn may_be_list(&self, name: &str) -> bool {
        match self.local(name) {
            None => true,
            Some(Bind::Place(_)) => true,
            Some(Bind::Is(value)) => matches!(value, Value::Num(_)),
        }
    }

    /// Finds `list.word`.
    pub(super) fn word_of(&self, list: &str, word: &str) -> Option<Num> {
        let named = self.game.words.iter().enumerate().find(|(_, known)| known.name == list);
        let list = self.game.lists.get(list).copied().or(named.map(|(at, _)| at as u16))?;
        let place = self.game.word(list, word)?;
        Some(Num::one(Kind::Word(list), place as i64))
    }

    /// Returns a member of a contest value.
    ///
    /// # Errors
    /// The problem and the help if it has no such member.
    pub(super) fn project(&self, fixed: &Fixed, column: &Name) -> Result<Fixed, (String, String)> {
        let name = column.text.as_str();
        if let Some(inside) = self.game.inside(fixed, name) {
            return Ok(inside.clone());
        }
        let missing = |what: &str, known: &[&str]| {
            Err((format!("{what} has no `{name}`"), near(name, known.iter().copied())))
        };
        match fixed {
            Fixed::Maybe(inner) => self.project(inner, column),
            Fixed::Absent(_) => Ok(fixed.clone()),
            Fixed::Number(range) if range.kind == Kind::Any => Ok(fixed.clone()),
            Fixed::Record(record) => {
                let kind = &self.game.records[record.of];
                let names = kind.fields.iter().map(|field| field.name.text.as_str());
                let names: Vec<&str> = names.collect();
                match names.contains(&name) {
                    true => Err((format!("`{name}` has no value here yet"), String::new())),
                    false if name == COUNT => Ok(Fixed::one(Kind::Number, record.count)),
                    false => missing(&format!("`{}`", kind.name), &names),
                }
            }
            Fixed::Row(row) => {
                let block = &self.game.data[usize::from(row.data)];
                let names: Vec<&str> = block.columns.iter().map(String::as_str).collect();
                missing(&format!("`{}`", block.name), &names)
            }
            Fixed::Marks(of, marks) => {
                let names = mark_names(&self.game.marks[usize::from(*of)]);
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let at = names.iter().position(|known| *known == name);
                let found = at.and_then(|at| marks.get(at).cloned());
                found.map_or_else(|| missing("the list of specials", &names), Ok)
            }
            _ => Err((format!("this has no `{name}`"), HAVE_FIELDS.into())),
        }
    }
}
