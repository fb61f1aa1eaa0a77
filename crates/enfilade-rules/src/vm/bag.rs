//! Instructions on bag items.

use super::code::Registers;
use super::code::{Bag, Digit, Op, Open, Program, mark_shift};

impl Program {
    /// Executes an instruction on a bag. Returns its jump target if it jumps.
    pub fn with_bag(&self, op: Op, regs: &mut Registers) -> Option<u16> {
        let bag = |bag: u8| &self.bags[usize::from(bag)];
        match op {
            Op::Next(of, level, cursor, to) => match next(regs, bag(of), level) {
                Some(place) => regs[usize::from(cursor)] = place as i64,
                None => return Some(to),
            },
            Op::Take(of, level, place) => *thing(regs, bag(of), place) |= 2 << mark_shift(level),
            Op::Close(of, level) => {
                for thing in things(regs, bag(of)).iter_mut().filter(|thing| **thing >= 0) {
                    *thing &= !(3 << mark_shift(level));
                }
            }
            Op::Sort(of, opens) => self.sort(of, opens, regs),
            Op::Count(into, digit, test, k) => {
                let digit = &self.digits[usize::from(digit)];
                let passes = |thing: &&i64| **thing >= 0 && test.holds(digit.of(**thing), k.into());
                let count = things(regs, bag(digit.bag)).iter().filter(passes).count();
                regs[usize::from(into)] = count as i64;
            }
            Op::Before(into, of, a, b) => {
                let (a, b) = (rank(regs, bag(of), a), rank(regs, bag(of), b));
                regs[usize::from(into)] = (a < b).into();
            }
            // All other instructions are executed elsewhere.
            #[rustfmt::skip]
            Op::Const(..) | Op::Wide(..) | Op::Field(..) | Op::Copy(..) | Op::Narrow(..) | Op::Bin(..)
            | Op::BinK(..) | Op::BinNarrow(..) | Op::BinKNarrow(..) | Op::Jump(_) | Op::Unless(..)
            | Op::UnlessCmp(..) | Op::UnlessCmpK(..) | Op::Load(..) | Op::Store(..) | Op::Look(..)
            | Op::Key(..) | Op::Keep(..) | Op::Site(_) | Op::Rest(_) | Op::Tally(..) | Op::Get(..)
            | Op::Put(..) | Op::There(..) | Op::Fail(_) | Op::Tell(_) | Op::End | Op::Halt | Op::Skip => {}
        }
        None
    }

    /// Sorts a bag, and updates the positions of the items that open loops hold.
    fn sort(&self, of: u8, opens: u16, regs: &mut Registers) {
        if !self.sorts {
            return;
        }
        let bag = &self.bags[usize::from(of)];
        things(regs, bag).sort_unstable();
        for open in &self.opens[usize::from(opens)] {
            held(regs, bag, open);
        }
    }
}

impl Digit {
    /// Returns the value of this field of the item at a position.
    #[inline(always)]
    pub fn get(&self, regs: &Registers, place: i64) -> i64 {
        self.of(regs[usize::from(self.base) + place as usize])
    }

    #[inline(always)]
    fn of(&self, thing: i64) -> i64 {
        (thing >> self.shift & self.mask) + self.least
    }

    /// Stores a value in this field of the item at a position. Returns false if the value does not
    /// fit.
    #[inline(always)]
    pub fn put(&self, regs: &mut Registers, place: i64, value: i64) -> bool {
        let thing = &mut regs[usize::from(self.base) + place as usize];
        let value = value - self.least;
        *thing = *thing & !(self.mask << self.shift) | value << self.shift;
        (0..self.values).contains(&value)
    }
}

/// Returns the item at the position in a register.
fn thing<'r>(regs: &'r mut Registers, bag: &Bag, place: u8) -> &'r mut i64 {
    let place = regs[usize::from(place)] as usize;
    &mut regs[usize::from(bag.base) + place]
}

/// Returns the sort key of an item: the rank of its row, then its number, which contains changing
/// fields and marks.
fn rank(regs: &mut Registers, bag: &Bag, place: u8) -> (u16, i64) {
    let thing = *thing(regs, bag, place);
    let row = bag.ranks.get((thing >> bag.row) as usize);
    (row.copied().unwrap_or(0), thing)
}

/// Returns the first item that a loop has not seen, and marks it as held; the item held before
/// becomes seen.
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

/// Updates the position register of a loop to the item that it holds.
pub fn held(regs: &mut Registers, bag: &Bag, open: &Open) {
    let shift = mark_shift(open.level);
    let found = things(regs, bag).iter().position(|thing| *thing >= 0 && *thing >> shift & 3 == 2);
    regs[usize::from(open.cursor)] = found.unwrap_or(0) as i64;
}
