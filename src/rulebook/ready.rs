//! Programs that are ready: contests that differ in plain numbers alone share one.
//!
//! The first contest of a family is compiled with every number known, which plays fastest. Where the
//! next one differs in a number, that number is asked for while the rule is played
//! ([`Op::Field`](super::code::Op::Field)), and those that follow share the program: a cell of a grid
//! costs no compiling. A number by which a rule is written out (dice of a pool, turns of a loop) is
//! never asked for.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::compile::{Asked, Compiled};
use super::forms::literal;
use super::game::{FieldKind, Game, Holds};
use super::kind::{Fixed, Kind, Range};
use super::tree::Default;
use super::walk::{Walker, Why};
use crate::form::Fault;

/// Numbers of a contest that can be asked for.
const NUMBERS: usize = 62;
/// Families, and programs of a family, that are kept.
const MOST: usize = 256;

/// A program, and the numbers of a contest that it asks for.
pub type Ready = (Arc<Compiled>, Box<[i64]>);

/// The programs of a rulebook.
#[derive(Debug, Default)]
pub struct Kept(Mutex<FxHashMap<Vec<i64>, Family>>);

/// Contests that are alike but for plain numbers.
#[derive(Debug)]
struct Family {
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
            return Ok((Arc::new(asked.walked(walker, Why::Play, true)?), Box::new([])));
        };
        match self.found(&family, &numbers) {
            Found::Program(program) => Ok((program, numbers.into())),
            Found::Asks(0) => Ok((Arc::new(asked.walked(walker, Why::Play, true)?), [].into())),
            Found::Asks(asks) => {
                ask(&mut walker, asks);
                let program = match asked.walked(walker, Why::Play, true) {
                    Ok(program) if program.shapes == 0 => self.keep(&family, &numbers, program),
                    other => {
                        // Known numbers are compiled again, those of no use from the next contest on.
                        let shapes = other.map_or(u64::MAX, |program| program.shapes);
                        self.shaped(&family, shapes);
                        Arc::new(asked.compiled(Why::Play, true)?)
                    }
                };
                Ok((program, numbers.into()))
            }
        }
    }

    fn found(&self, key: &[i64], numbers: &[i64]) -> Found {
        let mut families = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(family) = families.get_mut(key) else {
            if families.len() >= MOST {
                families.clear();
            }
            let family = Family {
                first: numbers.to_vec(),
                varies: 0,
                shapes: 0,
                programs: FxHashMap::default(),
            };
            families.insert(key.to_vec(), family);
            return Found::Asks(0);
        };
        let differs = numbers.iter().zip(&family.first).enumerate();
        let differs = differs.filter(|(_, (now, first))| now != first);
        let varies = differs.fold(family.varies, |varies, (at, _)| varies | 1 << at);
        if varies != family.varies {
            family.varies = varies;
            family.programs.clear();
        }
        match family.programs.get(&family.known(numbers)) {
            Some(program) => Found::Program(Arc::clone(program)),
            None => Found::Asks(family.varies & !family.shapes),
        }
    }

    fn keep(&self, key: &[i64], numbers: &[i64], program: Compiled) -> Arc<Compiled> {
        let program = Arc::new(program);
        let mut families = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(family) = families.get_mut(key)
            && family.varies & !family.shapes == program.asks
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

/// What a contest has in common with others but for its plain numbers, and those; nothing where it
/// changes tables.
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

/// Hands the plain numbers of a contest on, with the range of their field and what they are; what is
/// none of them, or is not taken, is written to `key`.
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
    let own = action.fields_of_its_own(game);
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
    let printed = match &field.default {
        Some(Default::One(value)) => literal(value).is_some(),
        _ => false,
    };
    match printed && !given {
        true => written(fixed, key),
        false => number(game, &field.holds, fixed, key, take),
    }
}

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
        && range.kind == Kind::Number
        && take(fixed, *range, value)
    {
        return;
    }
    match (holds, fixed) {
        (Holds::Record(of), Fixed::Record(record)) => {
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

/// All that something of a contest says, as numbers that can be compared.
fn written(fixed: &Fixed, key: &mut Vec<i64>) {
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
