//! Instructions on bag items.

use super::code::Registers;
use super::code::{
    BagItemField, BagRegisterLayout, Instr, OpenBagLoop, Program, shift_of_loop_mark,
};

impl Program {
    /// Executes an instruction on a bag. Returns its jump target if it jumps.
    pub fn execute_bag_instr(&self, op: Instr, regs: &mut Registers) -> Option<u16> {
        let bag = |bag: u8| &self.bags[usize::from(bag)];
        match op {
            Instr::Next(of, level, cursor, to) => {
                match advance_loop_to_next_item(regs, bag(of), level) {
                    Some(place) => regs[usize::from(cursor)] = place as i64,
                    None => return Some(to),
                }
            }
            Instr::Take(of, level, place) => {
                *item_at_cursor(regs, bag(of), place) |= 2 << shift_of_loop_mark(level)
            }
            Instr::Close(of, level) => {
                for item in
                    registers_of_bag_items(regs, bag(of)).iter_mut().filter(|item| **item >= 0)
                {
                    *item &= !(3 << shift_of_loop_mark(level));
                }
            }
            Instr::Sort(of, opens) => self.sort_bag_items(of, opens, regs),
            Instr::Count(into, digit, test, k) => {
                let digit = &self.digits[usize::from(digit)];
                let passes = |item: &&i64| {
                    **item >= 0 && test.is_true_for(digit.value_of_digit(**item), k.into())
                };
                let count =
                    registers_of_bag_items(regs, bag(digit.bag)).iter().filter(passes).count();
                regs[usize::from(into)] = count as i64;
            }
            Instr::Before(into, of, a, b) => {
                let (a, b) = (item_sort_key(regs, bag(of), a), item_sort_key(regs, bag(of), b));
                regs[usize::from(into)] = (a < b).into();
            }
            // All other instructions are executed elsewhere.
            #[rustfmt::skip]
            Instr::Const(..) | Instr::Wide(..) | Instr::Field(..) | Instr::Copy(..) | Instr::Narrow(..) | Instr::Bin(..)
            | Instr::BinK(..) | Instr::BinNarrow(..) | Instr::BinKNarrow(..) | Instr::Jump(_) | Instr::Unless(..)
            | Instr::UnlessCmp(..) | Instr::UnlessCmpK(..) | Instr::Load(..) | Instr::Store(..) | Instr::Look(..)
            | Instr::Key(..) | Instr::Keep(..) | Instr::Site(_) | Instr::Rest(_) | Instr::Tally(..) | Instr::Get(..)
            | Instr::Put(..) | Instr::There(..) | Instr::Fail(_) | Instr::Tell(_) | Instr::End | Instr::Halt | Instr::Skip => {}
        }
        None
    }

    /// Sorts a bag, and updates the positions of the items that open loops hold.
    fn sort_bag_items(&self, of: u8, opens: u16, regs: &mut Registers) {
        if !self.sorts {
            return;
        }
        let bag = &self.bags[usize::from(of)];
        registers_of_bag_items(regs, bag).sort_unstable();
        for open in &self.opens[usize::from(opens)] {
            set_cursor_to_held_item(regs, bag, open);
        }
    }
}

impl BagItemField {
    /// Returns the value of this field of the item at a position.
    #[inline(always)]
    pub fn get(&self, regs: &Registers, place: i64) -> i64 {
        self.value_of_digit(regs[usize::from(self.base) + place as usize])
    }

    #[inline(always)]
    fn value_of_digit(&self, item: i64) -> i64 {
        (item >> self.shift & self.mask) + self.least
    }

    /// Stores a value in this field of the item at a position. Returns false if the value does not
    /// fit.
    #[inline(always)]
    pub fn try_store_digit_of_item(&self, regs: &mut Registers, place: i64, value: i64) -> bool {
        let item = &mut regs[usize::from(self.base) + place as usize];
        let value = value - self.least;
        *item = *item & !(self.mask << self.shift) | value << self.shift;
        (0..self.values).contains(&value)
    }
}

/// Returns the item at the position in a register.
fn item_at_cursor<'r>(regs: &'r mut Registers, bag: &BagRegisterLayout, place: u8) -> &'r mut i64 {
    let place = regs[usize::from(place)] as usize;
    &mut regs[usize::from(bag.base) + place]
}

/// Returns the sort key of an item: the rank of its row, then its number, which contains changing
/// fields and marks.
fn item_sort_key(regs: &mut Registers, bag: &BagRegisterLayout, place: u8) -> (u16, i64) {
    let item = *item_at_cursor(regs, bag, place);
    let row = bag.ranks.get((item >> bag.row) as usize);
    (row.copied().unwrap_or(0), item)
}

/// Returns the first item that a loop has not seen, and marks it as held; the item held before
/// becomes seen.
fn advance_loop_to_next_item(
    regs: &mut Registers,
    bag: &BagRegisterLayout,
    level: u8,
) -> Option<usize> {
    let shift = shift_of_loop_mark(level);
    let items = registers_of_bag_items(regs, bag);
    let mut first: Option<usize> = None;
    for place in 0..items.len() {
        let item = items[place];
        if item < 0 {
            continue;
        }
        match item >> shift & 3 {
            2 => items[place] = item & !(3 << shift) | 1 << shift,
            0 if first.is_none_or(|first| item < items[first]) => first = Some(place),
            _ => {}
        }
    }
    items[first?] |= 2 << shift;
    first
}

pub fn registers_of_bag_items<'r>(
    regs: &'r mut Registers,
    bag: &BagRegisterLayout,
) -> &'r mut [i64] {
    &mut regs[usize::from(bag.base)..][..usize::from(bag.size)]
}

/// Updates the position register of a loop to the item that it holds.
pub fn set_cursor_to_held_item(regs: &mut Registers, bag: &BagRegisterLayout, open: &OpenBagLoop) {
    let shift = shift_of_loop_mark(open.level);
    let save_index = registers_of_bag_items(regs, bag)
        .iter()
        .position(|item| *item >= 0 && *item >> shift & 3 == 2);
    regs[usize::from(open.cursor)] = save_index.unwrap_or(0) as i64;
}
