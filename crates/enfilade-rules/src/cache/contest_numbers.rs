//! Contest parameters in a fixed order: the numbers that can be loaded while a rule is played, each
//! in a slot. Everything else forms the key that contests sharing a program have in common.

use std::hash::BuildHasher;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use crate::lower::changed_cells::{ChangedCell, room_for};
use crate::lower::{Lowering, Settled, Slots};
use crate::resolve::CHANGE;
use crate::resolve::action_facts::Columns;
use crate::resolve::game::{FieldKind, Game, Holds};
use crate::resolve::printed_cells::{is_as_printed, written};
use crate::resolve::uses::each_path;
use crate::syntax::ast::{Default, Expr, Says};
use crate::types::{DataRow, Fixed, Kind, Range};
use crate::vm::code::Program;
use enfilade_model::shared::Text;

/// Largest number of contest parameters.
const NUMBERS: usize = 62;

/// Position of a number in a contest.
#[derive(Clone, Copy)]
pub(super) struct Stands<'a> {
    /// Top-level field.
    pub(super) top: &'a str,
    /// Last name of the path, and the column of a data row.
    pub(super) last: &'a str,
    pub(super) column: Option<&'a str>,
    /// Data block and row in which a cell is printed.
    pub(super) row: Option<(u16, i64)>,
    /// Default expression that computes the number if the contest does not give it.
    from: Option<&'a Expr>,
}

/// Returns whether a default is computed from something that may be a field, rather than written as
/// a constant.
pub fn is_reckoned(game: &Game, value: &Expr) -> bool {
    match &value.what {
        Says::Yes(_) => false,
        Says::Name(name) => game.field(name).is_some(),
        _ => value.literal().is_none() && value.die().is_none(),
    }
}

impl Stands<'_> {
    /// Returns whether the number differs between contests of a grid.
    pub(super) fn moves(&self, moves: &[(Text, Text)]) -> bool {
        let is = |(top, last): &(Text, Text)| {
            let field = **top == *self.top && (**last == *self.last || self.column == Some(last));
            field || self.column == Some(last) && **top == *CHANGE
        };
        let mut reckoned = false;
        let mut named = |path: String| {
            let first = path.split('.').next().unwrap_or_default();
            reckoned |= moves.iter().any(|(top, _)| **top == *first);
        };
        if !moves.is_empty()
            && let Some(from) = self.from
        {
            each_path(from, &mut named);
        }
        reckoned || moves.iter().any(is)
    }

    /// Returns whether the number is computed from something that may be a field.
    pub(super) fn is_reckoned(&self, game: &Game) -> bool {
        self.from.is_some_and(|from| is_reckoned(game, from))
    }

    pub(super) fn hashed(&self, action: Option<usize>) -> u64 {
        FxBuildHasher.hash_one((action, self.top, self.last, self.column))
    }
}

/// Contest as a vector of numbers.
pub(super) struct Numbered {
    /// Part of the contest that all contests sharing a program have in common.
    pub(super) key: Vec<i64>,
    /// Parameter values: the explicit ones first, then the values derived from them.
    pub(super) numbers: Vec<i64>,
    pub(super) given: usize,
    /// Code that derives the hoisted values.
    pub(super) settled: Vec<Arc<Settled>>,
}

impl Numbered {
    /// Collects the numbers of the contest that is about to be lowered.
    pub(super) fn of(lowering: &mut Lowering<'_>) -> Numbered {
        let action = lowering.scopes.action.map_or(-1, |at| at as i64);
        let mut numbers = Vec::new();
        let changed = lowering.scopes.changed.len();
        let all = room(changed);
        let key = Numbers::of(lowering, vec![action, changed as i64], |_, _, value, stands| {
            let room = numbers.len() < if stands.top == CHANGE { NUMBERS } else { all };
            if room {
                numbers.push(value);
            }
            room
        });
        Numbered { key, given: numbers.len(), numbers, settled: Vec::new() }
    }

    /// Returns the parameters that a program depends on, if these are loaded: those that it reads,
    /// directly or through a derived value, and those that shape its code.
    pub(super) fn reads(&self, program: &Program, asks: Slots) -> Slots {
        let reckoned = self.settled.iter().fold(0, |all, settled| all | settled.reads());
        // The list contains both values when one derived value is computed from another.
        (program.asked() | reckoned | !asks) & self.given()
    }

    /// Returns the explicit parameters as a bit set.
    pub(super) fn given(&self) -> Slots {
        (1 << self.given) - 1
    }
}

/// Returns the parameters that satisfy a condition, as a bit set.
pub(super) fn slots(lowering: &mut Lowering<'_>, mut is: impl FnMut(Stands<'_>) -> bool) -> Slots {
    let mut found = 0;
    each_slot(lowering, |slot, _, _, stands| found |= Slots::from(is(stands)) << slot);
    found
}

/// Replaces these numbers of the contest by loads at run time.
pub(super) fn ask(lowering: &mut Lowering<'_>, asks: Slots, contest: &Numbered) {
    each_slot(lowering, |slot, fixed, range, _| {
        if asks >> slot & 1 == 1 {
            *fixed = Fixed::Asked(range, slot);
        }
    });
    lowering.emitter.parameters.ask(asks, contest.numbers.clone(), contest.settled.clone());
}

/// Visits the possible parameters of a contest, each with its slot and position.
fn each_slot(lowering: &mut Lowering<'_>, mut take: impl FnMut(u8, &mut Fixed, Range, Stands<'_>)) {
    let (mut slot, fields) = (0, room(lowering.scopes.changed.len()));
    Numbers::of(lowering, Vec::new(), |fixed, range, _, stands| {
        let room = slot < if stands.top == CHANGE { NUMBERS } else { fields };
        if room {
            take(slot as u8, fixed, range, stands);
            slot += 1;
        }
        room
    });
}

/// Returns how many fields can be parameters beside `changed` cells, which always have room.
fn room(changed: usize) -> usize {
    NUMBERS - changed.min(NUMBERS / 2)
}

/// Visitor of a contest. A possible parameter is passed on with its range, value and position;
/// everything else, and every parameter that is not taken, is appended to the key.
struct Numbers<'g, F> {
    game: &'g Game,
    /// Columns of rows that the action reads; other columns do not affect the action.
    columns: Option<&'g Columns>,
    key: Vec<i64>,
    take: F,
}

impl<'g, F: FnMut(&mut Fixed, Range, i64, Stands<'_>) -> bool> Numbers<'g, F> {
    /// Visits all fields and returns the key, appended to `key`.
    fn of(lowering: &mut Lowering<'g>, key: Vec<i64>, take: F) -> Vec<i64> {
        let game = lowering.scopes.game;
        let mut numbers = Numbers { game, columns: lowering.scopes.columns, key, take };
        let Some(action) = lowering.scopes.action.map(|at| &game.actions[at]) else {
            return numbers.key;
        };
        for (at, value) in lowering.scopes.fields.iter_mut().enumerate() {
            match value {
                Some((fixed, given)) => {
                    let field = action.instead_of(game, at);
                    numbers.field(field, &field.name.text, fixed, *given);
                }
                None => numbers.key.push(-1),
            }
        }
        for (field, (_, fixed, given)) in action.fields_of_its_own().zip(&mut lowering.scopes.own) {
            numbers.field(field, &field.name.text, fixed, *given);
        }
        numbers.changed(&mut lowering.scopes.changed);
        numbers.key
    }

    /// Visits the table cells that the contest changes: their identity and their numbers.
    fn changed(&mut self, changed: &mut [ChangedCell<'_>]) {
        for ChangedCell { at: (table, place), last, value, range } in changed {
            self.key.extend([-3, *table as i64, *place as i64]);
            let stands = Stands { top: CHANGE, last, column: None, row: None, from: None };
            match (*range, value.known()) {
                (Some(range), Some(now)) if (self.take)(value, range, now, stands) => {
                    self.key.extend([range.lo, range.hi]);
                }
                _ => self.write(value),
            }
        }
    }

    /// Visits a field below `top`. A constant default that the contest does not override is equal
    /// in all contests, so it needs no slot.
    fn field(&mut self, field: &FieldKind, top: &str, fixed: &mut Fixed, given: Option<bool>) {
        let given = given.unwrap_or(false);
        self.key.push(given.into());
        let from = match &field.default {
            Some(Default::One(from)) if !given => Some(from),
            _ => None,
        };
        let printed = match (from, &field.holds) {
            (Some(from), Holds::Number(range)) => is_printed(self.game, from, range.kind),
            _ => false,
        };
        match printed {
            true => self.write(fixed),
            false => {
                let stands = Stands { top, last: &field.name.text, column: None, row: None, from };
                self.number(&field.holds, stands, fixed);
            }
        }
    }

    /// Visits the value of a field. A die is never a parameter, because its faces are unrolled.
    fn number(&mut self, holds: &Holds, stands: Stands<'_>, fixed: &mut Fixed) {
        if let (Holds::Number(range), Some(value)) = (holds, fixed.known())
            && (self.take)(fixed, *range, value, stands)
        {
            return;
        }
        match (holds, fixed) {
            (Holds::Row(data), Fixed::Row(row)) => {
                self.key.push(5);
                self.row(*data, stands, Arc::make_mut(row));
            }
            (Holds::Record(_), Fixed::Record(record)) if is_as_printed(self.game, record) => {
                self.key.push(-2);
            }
            (Holds::Record(of), Fixed::Record(record)) => {
                let record = Arc::make_mut(record);
                self.key.push(record.count);
                let fields = self.game.records[*of].fields.iter();
                for (field, (fixed, given)) in fields.zip(&mut record.fields) {
                    self.field(field, stands.top, fixed, *given);
                }
            }
            (_, fixed) => self.write(fixed),
        }
    }

    /// Visits a data row: its index, and the cells that the action reads.
    fn row(&mut self, data: u16, stands: Stands<'_>, row: &mut DataRow) {
        let block = &self.game.data[usize::from(data)];
        let printed_at = row.place.lo;
        let place = Range::new(row.place.kind, 0, block.rows.len() as i64 - 1);
        let mut at = Fixed::Number(row.place);
        if place.has(row.place.lo) && (self.take)(&mut at, place, row.place.lo, stands) {
            if let Fixed::Asked(range, slot) = at {
                (row.place, row.asked) = (range, Some(slot));
            }
        } else {
            self.write(&at);
        }
        let columns = self.columns;
        let reads = |column: &str| columns.is_none_or(|columns| columns.read.contains(column));
        let cells = row.cells.iter_mut().zip(&block.ranges).zip(&block.columns);
        for ((cell, all), column) in cells.filter(|(_, column)| reads(column)) {
            let stands = Stands { column: Some(column), row: Some((data, printed_at)), ..stands };
            let (Some(printed), Some(value)) = (all, cell.known()) else {
                self.write(cell);
                continue;
            };
            let mut range = *printed;
            if !printed.has(value) {
                // A contest may replace a printed number by one outside the printed range.
                range = room_for(self.game, *printed, value);
                self.key.extend([-4, range.lo, range.hi]);
            }
            if !(self.take)(cell, range, value, stands) {
                self.write(cell);
            }
        }
    }

    fn write(&mut self, fixed: &Fixed) {
        written(self.game, fixed, &mut self.key);
    }
}

/// Returns whether a default is a constant that depends on no field.
fn is_printed(game: &Game, value: &Expr, kind: Kind) -> bool {
    match (&value.what, kind) {
        (Says::Yes(_), _) => true,
        (Says::Name(word), Kind::Word(list)) => game.word(list, word).is_some(),
        _ => value.literal().is_some(),
    }
}
