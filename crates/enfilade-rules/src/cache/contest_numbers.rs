//! The numbers of a contest in their order: those that can be asked for while a rule is played, each in a slot, and
//! all else, which contests that share a program have in common.

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

/// Numbers of a contest that can be asked for.
const NUMBERS: usize = 62;

/// Where a number of a contest stands.
#[derive(Clone, Copy)]
pub(super) struct Stands<'a> {
    /// The field at the top.
    pub(super) top: &'a str,
    /// The last name on the way to it, and the column of a row.
    pub(super) last: &'a str,
    pub(super) column: Option<&'a str>,
    /// The block of data and the row that a cell is printed in.
    pub(super) row: Option<(u16, i64)>,
    /// What it is reckoned from, where it is not given.
    from: Option<&'a Expr>,
}

/// Whether a default is reckoned from something that may be a field, and is not just written down.
pub fn is_reckoned(game: &Game, value: &Expr) -> bool {
    match &value.what {
        Says::Yes(_) => false,
        Says::Name(name) => game.field(name).is_some(),
        _ => value.literal().is_none() && value.die().is_none(),
    }
}

impl Stands<'_> {
    /// Whether it differs from contest to contest of a grid.
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

    /// Whether it is reckoned from something else that may be a field.
    pub(super) fn is_reckoned(&self, game: &Game) -> bool {
        self.from.is_some_and(|from| is_reckoned(game, from))
    }

    pub(super) fn hashed(&self, action: Option<usize>) -> u64 {
        FxBuildHasher.hash_one((action, self.top, self.last, self.column))
    }
}

/// A contest as numbers.
pub(super) struct Numbered {
    /// What it has in common with others but for what can be asked for.
    pub(super) key: Vec<i64>,
    /// That: so many that are given, and those that are reckoned from them.
    pub(super) numbers: Vec<i64>,
    pub(super) given: usize,
    /// How the latter are reckoned.
    pub(super) settled: Vec<Arc<Settled>>,
}

impl Numbered {
    /// The contest that is about to be lowered.
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

    /// The numbers that a program hangs on which asks for these: those that it reads, by itself or by what is
    /// reckoned from them, and those by which it is written out.
    pub(super) fn reads(&self, program: &Program, asks: Slots) -> Slots {
        let reckoned = self.settled.iter().fold(0, |all, settled| all | settled.reads());
        // Of a number that is reckoned from another one that is reckoned both stand in the list.
        (program.asked() | reckoned | !asks) & self.given()
    }

    /// The numbers that are given, as bits.
    pub(super) fn given(&self) -> Slots {
        (1 << self.given) - 1
    }
}

/// The numbers of which something is true, as bits.
pub(super) fn slots(lowering: &mut Lowering<'_>, mut is: impl FnMut(Stands<'_>) -> bool) -> Slots {
    let mut found = 0;
    each_slot(lowering, |slot, _, _, stands| found |= Slots::from(is(stands)) << slot);
    found
}

/// Lets numbers be asked for while the rule is played.
pub(super) fn ask(lowering: &mut Lowering<'_>, asks: Slots, contest: &Numbered) {
    each_slot(lowering, |slot, fixed, range, _| {
        if asks >> slot & 1 == 1 {
            *fixed = Fixed::Asked(range, slot);
        }
    });
    lowering.emitter.parameters.ask(asks, contest.numbers.clone(), contest.settled.clone());
}

/// Hands on the numbers of a contest that can be asked for, each with the slot where it then stands.
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

/// How many numbers of fields can be asked for beside so many changed cells, for which there is always room.
fn room(changed: usize) -> usize {
    NUMBERS - changed.min(NUMBERS / 2)
}

/// Goes over a contest. What can be asked for is handed on with its range, the number that it is and where
/// it stands; what is nothing of that, or is not taken, is written down.
struct Numbers<'g, F> {
    game: &'g Game,
    /// Columns of rows that the action reads; the others change nothing of it.
    columns: Option<&'g Columns>,
    key: Vec<i64>,
    take: F,
}

impl<'g, F: FnMut(&mut Fixed, Range, i64, Stands<'_>) -> bool> Numbers<'g, F> {
    /// Goes over all fields; what was written down, behind `key`.
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

    /// Cells of tables that the contest changes: which they are, and their numbers.
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

    /// A field of a contest, somewhere under `top`. What is printed as its default and not given is the
    /// same in all contests, and takes no room among the numbers.
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

    /// What a field holds. A die is not asked for, since its faces are written out.
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

    /// A row of data: its place, and those of its cells that the action reads.
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
                // What a contest puts in place of a printed number may be beyond all of them.
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

/// Whether a default says what it is, and hangs on no field.
fn is_printed(game: &Game, value: &Expr, kind: Kind) -> bool {
    match (&value.what, kind) {
        (Says::Yes(_), _) => true,
        (Says::Name(word), Kind::Word(list)) => game.word(list, word).is_some(),
        _ => value.literal().is_some(),
    }
}
