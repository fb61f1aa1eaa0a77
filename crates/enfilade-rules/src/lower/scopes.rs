//! What names mean where a rule has come to, and what is there under them: it reads the contest and knows no register's
//! code.

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

/// Said where something without fields is asked for one.
pub(super) const HAVE_FIELDS: &str = "records, rows and things of bags have fields";

/// What names mean, in the contest, the rule, and the part that is under way.
pub struct Scopes<'g> {
    /// What the rule is lowered for.
    why: Why,
    /// What is saved.
    pub(super) thrift: Thrift,
    /// The rulebook.
    pub game: &'g Game,
    /// Which action is lowered.
    pub action: Option<usize>,
    /// By field at the top: its value, and whether the contest gives it.
    pub fields: Vec<Option<(Fixed, Option<bool>)>>,
    /// The same, also where it is only checked.
    pub over: Option<usize>,
    /// Fields of the action, by name.
    pub own: Vec<(&'g str, Fixed, Option<bool>)>,
    /// Columns that the rule reads and changes.
    pub columns: Option<&'g Columns>,
    /// Cells of tables that the contest changes.
    pub changed: Vec<ChangedCell<'g>>,
    /// Those of them that were looked up, as bits; the last bit stands for all beyond.
    pub touched: Slots,
    /// The names of the action, and of the parts under way, the innermost last.
    pub(super) frames: Vec<Frame<'g>>,
    /// Parts under way.
    pub(super) calls: Vec<usize>,
    /// Names of the action that are made where it may have ended already.
    pub(super) late: Vec<&'g str>,
    /// Whether the action may have ended already.
    pub(super) ended: bool,
    /// Fields at the top that were read.
    pub read: FxHashSet<usize>,
    /// Fields that bound loops and pools, in the order in which they were met.
    pub grows: Vec<String>,
    /// Counts that are not remembered.
    pub tallies: Vec<String>,
    /// Counters of tallies to which a number below 0 may be added.
    pub counting_down: std::collections::BTreeSet<u8>,
    /// Decisions.
    pub choices: Vec<Choice>,
    /// Bags, by their number in the program.
    pub bags: Vec<BagOf<'g>>,
    /// By place of a bag in the file, and by name of what changes: the range it was seen to have.
    pub seen: Cow<'g, Seen>,
    /// What is shown and measured.
    pub reported: Vec<Reported<'g>>,
    pub measured: Vec<Measured<'g>>,
}

impl<'g> Scopes<'g> {
    /// Before the first line.
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

impl<'g> Scopes<'g> {
    /// A word or a row of the kind that is wanted, which comes first: a word whatever else bears its name, a
    /// row before all but the rule's own names.
    pub(super) fn wanted(&self, name: &str, want: Kind) -> Option<Num> {
        let place = match want {
            Kind::Word(list) => self.game.word(list, name),
            Kind::Row(data) if self.local(name).is_none() => self.game.row(data, name),
            _ => None,
        };
        place.map(|place| Num::one(want, place as i64))
    }

    /// A field of the action's own, or of the record whose defaults are reckoned. A part does not see
    /// them.
    pub(super) fn own_field(&self, name: &str) -> Option<(&Fixed, Option<bool>)> {
        let mut own = self.own.iter().rev().filter(|_| self.frames.len() == 1);
        let found = own.find(|(own, ..)| *own == name);
        found.map(|(_, fixed, given)| (fixed, *given))
    }

    /// Whether a name had a value that is gone, or has none where the rule may have ended.
    pub(super) fn is_gone(&self, name: &str) -> bool {
        let late = self.frames.len() == 1 && self.late.contains(&name);
        late || self.frames.last().is_some_and(|frame| frame.gone.contains(&name))
    }

    /// Whether a name may be that of a list of words: nothing of that name has columns.
    pub(super) fn may_be_list(&self, name: &str) -> bool {
        match self.local(name) {
            None => true,
            Some(Bind::Place(_)) => true,
            Some(Bind::Is(value)) => matches!(value, Value::Num(_)),
        }
    }

    /// `list.word`.
    pub(super) fn word_of(&self, list: &str, word: &str) -> Option<Num> {
        let named = self.game.words.iter().enumerate().find(|(_, known)| known.name == list);
        let list = self.game.lists.get(list).copied().or(named.map(|(at, _)| at as u16))?;
        let place = self.game.word(list, word)?;
        Some(Num::one(Kind::Word(list), place as i64))
    }

    /// What stands in a column of something of the contest.
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
