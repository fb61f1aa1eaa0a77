//! What a machine does with the things of a bag.

use super::code::{Bag, MARKS, Op, Open, Program, mark_shift};
use super::machine::Registers;

/// What came of an operation.
pub enum Done {
    /// The next one follows.
    On,
    /// It goes on there.
    Elsewhere(u16),
    /// A thing cannot hold this value.
    Past(i64),
}

impl Program {
    /// Carries out an operation on a bag.
    pub fn with_bag(&self, op: Op, regs: &mut Registers) -> Done {
        let bag = |bag: u8| &self.bags[usize::from(bag)];
        match op {
            Op::Get(into, digit, place) => {
                let digit = &self.digits[usize::from(digit)];
                let thing = thing(regs, bag(digit.bag), place);
                let value = (*thing >> MARKS) as u64 / digit.worth % digit.values;
                regs[usize::from(into)] = value as i64 + digit.least;
            }
            Op::Put(digit, place, from) => {
                let digit = &self.digits[usize::from(digit)];
                let given = regs[usize::from(from)];
                let value = given - digit.least;
                if !(0..digit.values as i64).contains(&value) {
                    return Done::Past(given);
                }
                let thing = thing(regs, bag(digit.bag), place);
                let now = (*thing >> MARKS) as u64 / digit.worth % digit.values;
                *thing += (value - now as i64) * digit.worth as i64 * (1 << MARKS);
            }
            Op::There(of, place, to) if *thing(regs, bag(of), place) < 0 => {
                return Done::Elsewhere(to);
            }
            Op::Next(of, level, cursor, to) => match next(regs, bag(of), level) {
                Some(place) => regs[usize::from(cursor)] = place as i64,
                None => return Done::Elsewhere(to),
            },
            Op::Take(of, level, place) => *thing(regs, bag(of), place) |= 2 << mark_shift(level),
            Op::Close(of, level) => {
                for thing in things(regs, bag(of))
                    .iter_mut()
                    .filter(|thing| **thing >= 0)
                {
                    *thing &= !(3 << mark_shift(level));
                }
            }
            Op::Sort(of, opens) => {
                things(regs, bag(of)).sort_unstable();
                for open in &self.opens[usize::from(opens)] {
                    held(regs, bag(of), open);
                }
            }
            Op::Before(into, of, a, b) => {
                let (a, b) = (rank(regs, bag(of), a), rank(regs, bag(of), b));
                regs[usize::from(into)] = (a < b).into();
            }
            _ => {}
        }
        Done::On
    }
}

/// The thing at the place that a register says.
fn thing<'r>(regs: &'r mut Registers, bag: &Bag, place: u8) -> &'r mut i64 {
    let place = regs[usize::from(place)] as usize;
    &mut regs[usize::from(bag.base) + place]
}

/// Where a thing comes among others: by what is read of its row, then by what changes in it, then by
/// who holds it.
fn rank(regs: &mut Registers, bag: &Bag, place: u8) -> (u16, u64, i64) {
    let thing = *thing(regs, bag, place);
    let value = (thing >> MARKS) as u64;
    let row = bag.ranks.get((value / bag.row) as usize);
    (row.copied().unwrap_or(0), value % bag.row, thing)
}

/// The first thing that a loop has not seen, which it holds from now on; the one that it held is seen.
fn next(regs: &mut Registers, bag: &Bag, level: u8) -> Option<usize> {
    let shift = mark_shift(level);
    let things = things(regs, bag);
    let mut first: Option<usize> = None;
    for place in 0..things.len() {
        let thing = things[place];
        if thing < 0 {
            continue;
        }
        match thing >> shift & 3 {
            2 => things[place] = thing & !(3 << shift) | 1 << shift,
            0 if first.is_none_or(|first| thing < things[first]) => first = Some(place),
            _ => {}
        }
    }
    things[first?] |= 2 << shift;
    first
}

pub fn things<'r>(regs: &'r mut Registers, bag: &Bag) -> &'r mut [i64] {
    &mut regs[usize::from(bag.base)..][..usize::from(bag.size)]
}

/// Lets a loop know where the thing stands that it holds.
pub fn held(regs: &mut Registers, bag: &Bag, open: &Open) {
    let shift = mark_shift(open.level);
    let found = things(regs, bag)
        .iter()
        .position(|thing| *thing >= 0 && *thing >> shift & 3 == 2);
    regs[usize::from(open.cursor)] = found.unwrap_or(0) as i64;
}
