//! Programs that are ready: contests that differ in numbers, words, switches and rows share one.
//!
//! The first contest of a family is compiled with everything known, which plays fastest. Where the next
//! one differs in something, that is asked for while the rule is played
//! ([`Op::Field`](super::code::Op::Field)), and those that follow share the program: a cell of a grid
//! costs no compiling. What a rule is written out by (dice of a pool, sides, turns of a loop) is never
//! asked for; and nothing is in a family whose graphs are large, which take longer than any compiling.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::compile::{Asked, Compiled};
use super::forms::literal;
use super::game::{DataBlock, FieldKind, Game, Holds};
use super::kind::{DataRow, Fixed, Kind, Range, Record};
use super::snap::ROOM;
use super::tree::{Default, Expr, Says};
use super::walk::{Walker, Why};
use crate::form::Fault;

/// Numbers of a contest that can be asked for.
const NUMBERS: usize = 62;
/// Families, and programs of a family, that are kept.
const MOST: usize = 256;

/// A program for a contest.
pub struct Ready {
    /// The program.
    pub program: Arc<Compiled>,
    /// Numbers of the contest that it may ask for.
    pub numbers: Box<[i64]>,
    /// Whether contests like this have a large graph: noted by whoever makes one.
    pub large: Arc<AtomicBool>,
}

/// The programs of a rulebook.
#[derive(Debug, Default)]
pub struct Kept(Mutex<FxHashMap<Vec<i64>, Family>>);

/// Contests that are alike but for what can be asked for: a word and a row are the number of their place,
/// a switch is 0 or 1.
#[derive(Debug)]
struct Family {
    /// See [`Ready`].
    large: Arc<AtomicBool>,
    /// The numbers of the first contest.
    first: Vec<i64>,
    /// Those that were seen to vary, as bits.
    varies: u64,
    /// Those by which the rule is written out.
    shapes: u64,
    /// By the numbers that are known in them.
    programs: FxHashMap<Vec<i64>, Arc<Compiled>>,
}

/// What there is for a contest.
enum Found {
    Program(Arc<Compiled>),
    /// Nothing yet; these numbers are to be asked for.
    Asks(u64),
}

impl Kept {
    /// The program of a contest, and the numbers that it asks for.
    ///
    /// # Errors
    /// What does not fit together.
    pub fn program(&self, asked: &Asked, mut walker: Walker<'_>) -> Result<Ready, Vec<Fault>> {
        let Some((family, numbers)) = family(&mut walker) else {
            let program = Arc::new(asked.walked(walker, Why::Play, true)?);
            return Ok(Ready { program, numbers: [].into(), large: Arc::default() });
        };
        let (found, large) = self.found(&family, &numbers);
        let program = match found {
            Found::Program(program) => program,
            Found::Asks(0) => {
                let program = asked.walked(walker, Why::Play, true)?;
                self.keep(&family, &numbers, program)
            }
            Found::Asks(asks) => {
                ask(&mut walker, asks);
                match asked.walked(walker, Why::Play, true) {
                    Ok(program) if program.shapes == 0 && program.program.room() <= ROOM => {
                        self.keep(&family, &numbers, program)
                    }
                    other => {
                        // Known numbers are compiled again, those of no use from the next contest on.
                        let shapes = other.map_or(0, |program| program.shapes);
                        self.shaped(&family, if shapes == 0 { u64::MAX } else { shapes });
                        Arc::new(asked.compiled(Why::Play, true)?)
                    }
                }
            }
        };
        Ok(Ready { program, numbers: numbers.into(), large })
    }

    fn found(&self, key: &[i64], numbers: &[i64]) -> (Found, Arc<AtomicBool>) {
        let mut families = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(family) = families.get_mut(key) else {
            if families.len() >= MOST {
                families.clear();
            }
            let large = Arc::default();
            let family = Family {
                large: Arc::clone(&large),
                first: numbers.to_vec(),
                varies: 0,
                shapes: 0,
                programs: FxHashMap::default(),
            };
            families.insert(key.to_vec(), family);
            return (Found::Asks(0), large);
        };
        let large = Arc::clone(&family.large);
        if large.load(Ordering::Relaxed) {
            return (Found::Asks(0), large);
        }
        let differs = numbers.iter().zip(&family.first).enumerate();
        let differs = differs.filter(|(_, (now, first))| now != first);
        let varies = differs.fold(family.varies, |varies, (at, _)| varies | 1 << at);
        if varies != family.varies {
            family.varies = varies;
            family.programs.clear();
        }
        let found = match family.programs.get(&family.known(numbers)) {
            Some(program) => Found::Program(Arc::clone(program)),
            None => Found::Asks(family.varies & !family.shapes),
        };
        (found, large)
    }

    fn keep(&self, key: &[i64], numbers: &[i64], program: Compiled) -> Arc<Compiled> {
        let program = Arc::new(program);
        let mut families = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(family) = families.get_mut(key)
            && family.varies & !family.shapes == program.asks
            && !family.large.load(Ordering::Relaxed)
        {
            if family.programs.len() >= MOST {
                family.programs.clear();
            }
            let known = family.known(numbers);
            family.programs.insert(known, Arc::clone(&program));
        }
        program
    }

    fn shaped(&self, key: &[i64], shapes: u64) {
        let mut families = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(family) = families.get_mut(key) {
            family.shapes |= shapes;
            family.programs.clear();
        }
    }

    /// How many programs are kept.
    pub fn len(&self) -> usize {
        let families = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        families.values().map(|family| family.programs.len()).sum()
    }
}

impl Family {
    /// The numbers that are known in its programs; 0 for those that are asked for.
    fn known(&self, numbers: &[i64]) -> Vec<i64> {
        let asks = self.varies & !self.shapes;
        let numbers = numbers.iter().enumerate();
        let known = numbers.map(|(at, number)| if asks >> at & 1 == 1 { 0 } else { *number });
        known.collect()
    }
}

/// What a contest has in common with others but for what can be asked for, and that as numbers; nothing
/// where it changes tables.
fn family(walker: &mut Walker<'_>) -> Option<(Vec<i64>, Vec<i64>)> {
    if !walker.tables.is_empty() {
        return None;
    }
    let action = walker.action.map_or(-1, |at| at as i64);
    let (mut key, mut numbers) = (vec![action], Vec::new());
    each_number(walker, &mut key, &mut |_, _, value| {
        let room = numbers.len() < NUMBERS;
        if room {
            numbers.push(value);
        }
        room
    });
    Some((key, numbers))
}

/// Lets numbers be asked for while the rule is played.
fn ask(walker: &mut Walker<'_>, asks: u64) {
    let mut slot = 0;
    each_number(walker, &mut Vec::new(), &mut |fixed, range, _| {
        if slot < NUMBERS && asks >> slot & 1 == 1 {
            *fixed = Fixed::Asked(range, slot as u8);
        }
        slot += 1;
        true
    });
    walker.ask(asks);
}

/// Hands on what can be asked for of a contest, with its range and the number that it is; what is nothing
/// of that, or is not taken, is written to `key`.
fn each_number(
    walker: &mut Walker<'_>,
    key: &mut Vec<i64>,
    take: &mut impl FnMut(&mut Fixed, Range, i64) -> bool,
) {
    let game = walker.game;
    let Some(action) = walker.action.map(|at| &game.actions[at]) else {
        return;
    };
    for (at, value) in walker.fields.iter_mut().enumerate() {
        match value {
            Some((fixed, given)) => {
                one(game, action.instead_of(game, at), fixed, *given, key, take);
            }
            None => key.push(-1),
        }
    }
    let own = action.fields_of_its_own();
    for (field, (_, fixed, given)) in own.zip(&mut walker.own) {
        one(game, field, fixed, *given, key, take);
    }
}

/// A field of a contest. What is printed as its default and not given is the same in all contests, and
/// takes no room among the numbers.
fn one(
    game: &Game,
    field: &FieldKind,
    fixed: &mut Fixed,
    given: Option<bool>,
    key: &mut Vec<i64>,
    take: &mut impl FnMut(&mut Fixed, Range, i64) -> bool,
) {
    let given = given.unwrap_or(false);
    key.push(given.into());
    let printed = match (&field.default, &field.holds) {
        (Some(Default::One(value)), Holds::Number(range)) => is_printed(game, value, range.kind),
        _ => false,
    };
    match printed && !given {
        true => written(fixed, key),
        false => number(game, &field.holds, fixed, key, take),
    }
}

/// Whether a default says what it is, and hangs on no field.
fn is_printed(game: &Game, value: &Expr, kind: Kind) -> bool {
    match (&value.what, kind) {
        (Says::Yes(_), _) => true,
        (Says::Name(word), Kind::Word(list)) => game.word(list, word).is_some(),
        _ => literal(value).is_some(),
    }
}

/// What a field holds. A die is not asked for, since its faces are written out.
fn number(
    game: &Game,
    holds: &Holds,
    fixed: &mut Fixed,
    key: &mut Vec<i64>,
    take: &mut impl FnMut(&mut Fixed, Range, i64) -> bool,
) {
    let known = match fixed {
        Fixed::Number(range) => range.known(),
        _ => None,
    };
    if let (Holds::Number(range), Some(value)) = (holds, known)
        && take(fixed, *range, value)
    {
        return;
    }
    match (holds, fixed) {
        (Holds::Row(data), Fixed::Row(row)) => {
            key.push(5);
            each_cell(&game.data[usize::from(*data)], Arc::make_mut(row), key, take);
        }
        (Holds::Record(of), Fixed::Record(record)) => {
            if is_as_printed(game, record) {
                return key.push(-2);
            }
            let record = Arc::make_mut(record);
            key.push(record.count);
            let fields = game.records[*of].fields.iter();
            for (field, (fixed, given)) in fields.zip(&mut record.fields) {
                one(game, field, fixed, *given, key, take);
            }
        }
        (_, fixed) => written(fixed, key),
    }
}

/// Whether a contest changes none of the printed numbers of a record.
pub fn is_as_printed(game: &Game, record: &Arc<Record>) -> bool {
    let printed = game.printed.get(record.of).and_then(Option::as_ref);
    printed.is_some_and(|printed| Arc::ptr_eq(printed, record))
}

/// A row of data: its place, and its cells.
fn each_cell(
    block: &DataBlock,
    row: &mut DataRow,
    key: &mut Vec<i64>,
    take: &mut impl FnMut(&mut Fixed, Range, i64) -> bool,
) {
    let place = Range::new(row.place.kind, 0, block.rows.len() as i64 - 1);
    let mut at = Fixed::Number(row.place);
    match (place.lo..=place.hi).contains(&row.place.lo) && take(&mut at, place, row.place.lo) {
        true => {
            if let Fixed::Asked(range, slot) = at {
                (row.place, row.asked) = (range, Some(slot));
            }
        }
        false => written(&at, key),
    }
    for (cell, all) in row.cells.iter_mut().zip(&block.ranges) {
        let known = match cell {
            Fixed::Number(range) => range.known(),
            _ => None,
        };
        match (all, known) {
            (Some(all), Some(value))
                if (all.lo..=all.hi).contains(&value) && take(cell, *all, value) => {}
            _ => written(cell, key),
        }
    }
}

/// All that something of a contest says, as numbers that can be compared.
pub fn written(fixed: &Fixed, key: &mut Vec<i64>) {
    match fixed {
        Fixed::Number(range) | Fixed::Asked(range, _) => key.extend([1, range.lo]),
        Fixed::Cell(word, number) => key.extend([2, word.lo, number.lo]),
        Fixed::List(items, _) => {
            key.extend([3, items.len() as i64]);
            items.iter().for_each(|item| written(item, key));
        }
        Fixed::Record(record) => {
            key.extend([4, record.count]);
            for (field, given) in &record.fields {
                key.push(given.unwrap_or(false).into());
                written(field, key);
            }
        }
        Fixed::Row(row) => {
            key.extend([5, row.place.lo]);
            row.cells.iter().for_each(|cell| written(cell, key));
        }
        Fixed::Marks(_, marks) => marks.iter().for_each(|mark| written(mark, key)),
        Fixed::Absent(_) => key.push(0),
        Fixed::Maybe(inner) => written(inner, key),
    }
}
