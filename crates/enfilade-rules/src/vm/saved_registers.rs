//! Registers of a rule at a die, saved as a state and restored from it.

use super::bag::set_cursor_to_held_item;
use super::code::{
    ITEM_MARK_BITS, OpenBagLoop, Registers, RegistersSavedAtPoint, item_size_in_u16s,
    shift_of_loop_mark,
};
use super::machine::Interpreter;
use super::snapshot::RuleSnapshot;
use crate::value_types::MAX_BAG_ITEMS;

/// Number that does not fit a state.
pub struct NumberTooWideForState(pub i64);

impl Interpreter {
    /// Saves the state at a suspend point.
    pub(crate) fn save_snapshot<const N: usize>(
        &self,
        regs: &Registers,
        site: u16,
    ) -> Result<RuleSnapshot<N>, NumberTooWideForState> {
        self.save_registers(regs, &self.program.sites[usize::from(site)].memory, site)
    }

    /// Saves the registers in `memory` at the suspend point `site`.
    pub(super) fn save_registers<const N: usize>(
        &self,
        regs: &Registers,
        memory: &RegistersSavedAtPoint,
        site: u16,
    ) -> Result<RuleSnapshot<N>, NumberTooWideForState> {
        let mut slots = [0; N];
        let mut at = 0;
        for &reg in &memory.registers {
            let value = regs[usize::from(reg)];
            slots[at] = i16::try_from(value).map_err(|_| NumberTooWideForState(value))?;
            at += 1;
        }
        for (bag, opens) in &memory.bags {
            let bag = &self.program.bags[usize::from(*bag)];
            let open_marks =
                opens.iter().fold(0, |all, open| all | 3 << shift_of_loop_mark(open.level));
            let mut sorted = [0_i64; MAX_BAG_ITEMS];
            let sorted = &mut sorted[..usize::from(bag.size)];
            let base = usize::from(bag.base);
            sorted.copy_from_slice(&regs[base..base + usize::from(bag.size)]);
            for item in &mut *sorted {
                if *item >= 0 {
                    *item &= -1 << ITEM_MARK_BITS | open_marks;
                }
            }
            if self.program.sorts {
                sorted.sort_unstable();
            }
            let size = item_size_in_u16s(bag.values, opens.len());
            for &item in &*sorted {
                let mut code = pack_item_with_loop_marks(item, opens);
                for _ in 0..size {
                    slots[at] = code as u16 as i16;
                    code >>= 16;
                    at += 1;
                }
            }
        }
        Ok(RuleSnapshot { slots, site })
    }

    /// Restores the registers of a state.
    pub(crate) fn restore_registers<const N: usize>(
        &self,
        regs: &mut Registers,
        snap: &RuleSnapshot<N>,
    ) {
        let memory = &self.program.sites[usize::from(snap.site)].memory;
        let mut at = 0;
        for &reg in &memory.registers {
            regs[usize::from(reg)] = snap.slots[at].into();
            at += 1;
        }
        for (bag, opens) in &memory.bags {
            let bag = &self.program.bags[usize::from(*bag)];
            let size = item_size_in_u16s(bag.values, opens.len());
            for item in 0..usize::from(bag.size) {
                let mut code = 0_u128;
                for word in (0..size).rev() {
                    code = code << 16 | u128::from(snap.slots[at + word] as u16);
                }
                at += size;
                regs[usize::from(bag.base) + item] = unpack_item_with_loop_marks(code, opens);
            }
            for open in opens {
                set_cursor_to_held_item(regs, bag, open);
            }
        }
    }
}

/// Encodes an item as a number without gaps: 0 for no item.
fn pack_item_with_loop_marks(item: i64, opens: &[OpenBagLoop]) -> u128 {
    if item < 0 {
        return 0;
    }
    let marks = opens.iter().fold((item >> ITEM_MARK_BITS) as u128, |code, open| {
        code * 3 + (item >> shift_of_loop_mark(open.level) & 3) as u128
    });
    marks + 1
}

fn unpack_item_with_loop_marks(code: u128, opens: &[OpenBagLoop]) -> i64 {
    if code == 0 {
        return -1;
    }
    let mut code = code - 1;
    let mut marks = 0;
    for open in opens.iter().rev() {
        marks |= ((code % 3) as i64) << shift_of_loop_mark(open.level);
        code /= 3;
    }
    (code as i64) << ITEM_MARK_BITS | marks
}
