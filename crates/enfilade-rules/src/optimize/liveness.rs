//! Liveness: the registers that a suspend point must save, and dead code.

use super::OptimizationFlags;
use crate::vm::code::{
    BagRegisterLayout, Instr, NewCarriedFieldValue, OpenBagLoop, OutcomeRegisterOrConstant,
    Program, Reg, RegisterSet, RegistersSavedAtPoint, item_size_in_u16s,
};
use crate::vm::operands::BagOrDigit;

impl Program {
    /// Adds the registers that `op` reads to those that are live after it.
    pub(crate) fn update_live_before_instr(&self, op: &Instr, live: &mut RegisterSet) {
        if let Some(destination) = op.written_register() {
            live.remove_register(destination);
        }
        let mut reads = *op;
        let sources = reads.scalar_registers_read_mut().into_iter().flatten();
        sources.for_each(|source| live.insert(*source));
        if let Some((base, count)) = op.indexed_register_row() {
            live.insert_consecutive(base, count);
        }
        match op.bag_or_digit_operand() {
            Some(BagOrDigit::Bag(bag)) => self.add_registers_of_bag(bag, live),
            Some(BagOrDigit::Digit(digit)) => {
                self.add_registers_of_bag(self.digits[usize::from(digit)].bag, live);
            }
            None => {}
        }
        if let Instr::Site(site) = *op {
            let site = &self.sites[usize::from(site)];
            live.remove_register(site.into);
            site.kind.registers_read().into_iter().flatten().for_each(|source| live.insert(source));
        }
    }

    pub(crate) fn add_registers_of_bag(&self, bag: u8, live: &mut RegisterSet) {
        let bag = &self.bags[usize::from(bag)];
        live.insert_consecutive(bag.base, bag.size);
    }

    /// Returns the live registers before each instruction.
    pub(crate) fn live_registers_by_instr(&self) -> Vec<RegisterSet> {
        let mut live = vec![RegisterSet::default(); self.instrs.len() + 1];
        // After the first pass, only instructions that lead to a changed one are visited again.
        let (mut stirred, mut again) = (vec![true; self.instrs.len() + 1], false);
        let back = |(at, op): (usize, &Instr)| op.jump_target().is_some_and(|to| to <= at);
        let loops = self.instrs.iter().enumerate().any(back);
        loop {
            let mut changed = false;
            for (at, op) in self.instrs.iter().enumerate().rev() {
                if again && !stirred[at + 1] && !op.jump_target().is_some_and(|to| stirred[to]) {
                    stirred[at] = false;
                    continue;
                }
                let now = self.live_registers_before(at, &live);
                stirred[at] = now != live[at];
                if stirred[at] {
                    live[at] = now;
                    changed = true;
                }
            }
            if !changed || !loops {
                return live;
            }
            again = true;
        }
    }

    /// Returns the live registers before an instruction, given those before its successors.
    fn live_registers_before(&self, at: usize, live: &[RegisterSet]) -> RegisterSet {
        let op = &self.instrs[at];
        let mut now = if op.can_fall_through() { live[at + 1] } else { RegisterSet::default() };
        if let Some(to) = op.jump_target() {
            now.add_all_of(&live[to]);
        }
        let outputs = if *op == Instr::End { self.shows.as_slice() } else { &[] };
        let outputs = if *op == Instr::Halt { self.weights.as_slice() } else { outputs };
        for shown in outputs {
            if let OutcomeRegisterOrConstant::Register(reg) = shown {
                now.insert(*reg);
            }
        }
        for leaves in self.carried.iter().filter(|_| *op == Instr::End) {
            match leaves {
                NewCarriedFieldValue::Number(_, OutcomeRegisterOrConstant::Register(reg))
                | NewCarriedFieldValue::Highest(_, OutcomeRegisterOrConstant::Register(reg)) => {
                    now.insert(*reg)
                }
                NewCarriedFieldValue::Number(..) | NewCarriedFieldValue::Highest(..) => {}
                NewCarriedFieldValue::Items(_, bag, ..) => {
                    self.add_registers_of_bag(*bag, &mut now)
                }
            }
        }
        // An instruction whose result is dead reads nothing.
        if !(op.is_pure_computation()
            && op.written_register().is_some_and(|destination| !now.contains(destination)))
        {
            self.update_live_before_instr(op, &mut now);
        }
        now
    }

    /// Computes the saved registers of each suspend point: the live ones, or all. With `drops` dead
    /// code is removed.
    pub fn optimize_and_lay_out_states(
        &mut self,
        OptimizationFlags { forgets, tidies, .. }: OptimizationFlags,
        drops: bool,
    ) {
        // Copies that are joined would hide a variable that holds the same as a hidden one.
        let tidies = tidies && self.sites.iter().all(|site| site.hidden.is_empty());
        if tidies && drops {
            self.simplify_code_in_one_pass();
        }
        // In this order: copies are joined only where the source is dead, and faces are merged in
        // the code that is finally played.
        let mut live = self.live_registers_by_instr();
        if tidies && drops {
            self.remove_copies(&mut live);
        }
        if forgets && drops {
            live = self.remove_unused_computations(live);
        }
        if forgets && tidies && drops {
            self.find_face_merge_points(&live);
            if self.repeats {
                self.find_compared_registers(&live);
            }
        }
        for (at, live) in live.into_iter().enumerate().take(self.instrs.len()) {
            let needed = match forgets {
                false => self.all_registers(),
                true => live,
            };
            if let Instr::Rest(rest) = self.instrs[at] {
                let (place, memory) = &mut self.memo_points[usize::from(rest)];
                *place = at;
                let open = std::mem::take(&mut memory.bags);
                self.memo_points[usize::from(rest)].1 = self.saved_state_at(open, &needed);
            }
            let last = (self.instrs[at] == Instr::End).then(|| self.sites.len() - 1);
            let Some(site) = self.instrs[at].suspend_site().or(last) else { continue };
            self.sites[site].at = at as u32;
            let open = std::mem::take(&mut self.sites[site].memory.bags);
            self.sites[site].memory = self.saved_state_at(open, &needed);
        }
    }

    /// Finds the parameters that are loaded where a die may have been rolled.
    pub(crate) fn find_parameters_loaded_late(&mut self) {
        let first = self.instrs.iter().position(|op| matches!(op, Instr::Site(_)));
        let ops = self.instrs.iter().enumerate().skip(first.unwrap_or(self.instrs.len()));
        // A loop reaches its head again after its dice.
        let from = ops.filter_map(|(_, op)| op.jump_target()).chain(first).min();
        let ops = &self.instrs[from.unwrap_or(0).min(self.instrs.len())..];
        let mut later: Vec<u8> = ops.iter().flat_map(|op| self.parameters_loaded_by(op)).collect();
        later.sort_unstable();
        later.dedup();
        self.late_parameters = later;
    }

    /// Returns all parameters that the code loads, as a bit set.
    pub(crate) fn parameters_loaded(&self) -> u128 {
        self.instrs
            .iter()
            .flat_map(|op| self.parameters_loaded_by(op))
            .fold(0, |all, slot| all | 1 << slot)
    }

    /// Returns the parameters that an instruction loads.
    pub(crate) fn parameters_loaded_by(&self, op: &Instr) -> Vec<u8> {
        if let Instr::Look(_, list, _) = op {
            return self.parameters_of_list(*list).collect();
        }
        if let Instr::Field(_, slot) = op { vec![*slot] } else { Vec::new() }
    }

    /// Returns the largest number of values in a state.
    pub fn state_width(&self) -> usize {
        self.sites.iter().map(|site| site.memory.room).max().unwrap_or(0)
    }

    /// Returns all registers, which a rule saves if liveness is off.
    pub(crate) fn all_registers(&self) -> RegisterSet {
        let mut all = RegisterSet::default();
        (0..self.registers as Reg).for_each(|reg| all.insert(reg));
        all
    }

    /// Returns the registers and bags to save at a point with these live registers and open loops.
    fn saved_state_at(
        &self,
        open: Vec<(u8, Vec<OpenBagLoop>)>,
        needed: &RegisterSet,
    ) -> RegistersSavedAtPoint {
        let mut saved: Vec<Reg> = needed.iter().collect();
        let mut room = 0;
        let mut bags = Vec::new();
        for (bag, loops) in open {
            let BagRegisterLayout { base, size, values, .. } = self.bags[usize::from(bag)];
            let registers = base..base + size;
            if !registers.clone().any(|reg| saved.contains(&reg)) {
                continue;
            }
            saved.retain(|reg| !registers.contains(reg));
            let matters = |open: &OpenBagLoop| open.goes_on || needed.contains(open.cursor);
            let loops: Vec<OpenBagLoop> = loops.into_iter().filter(matters).collect();
            saved.retain(|reg| !loops.iter().any(|open| open.cursor == *reg));
            room += usize::from(size) * item_size_in_u16s(values, loops.len());
            bags.push((bag, loops));
        }
        let room = room + saved.len();
        RegistersSavedAtPoint { registers: saved, bags, room }
    }

    /// Removes dead code. Returns the live registers before each remaining instruction.
    pub(crate) fn remove_unused_computations(
        &mut self,
        live: Vec<RegisterSet>,
    ) -> Vec<RegisterSet> {
        let is_dead = |(at, op): (usize, &Instr)| {
            let unread = || {
                op.written_register().is_some_and(|destination| !live[at + 1].contains(destination))
            };
            matches!(op, Instr::Skip) || op.is_pure_computation() && unread()
        };
        let dead: Vec<bool> = self.instrs.iter().enumerate().map(is_dead).collect();
        let mut places = Vec::with_capacity(self.instrs.len() + 1);
        let mut place = 0;
        for dead in &dead {
            places.push(place);
            place += usize::from(!dead);
        }
        places.push(place);
        for (at, dead) in dead.iter().enumerate() {
            if !dead {
                self.instrs.swap(places[at], at);
                self.spans.swap(places[at], at);
            }
        }
        self.instrs.truncate(place);
        self.spans.truncate(place);
        for op in &mut self.instrs {
            if let Some(to) = op.jump_target() {
                op.set_jump_target(places[to]);
            }
        }
        let kept_instrs = dead.iter().chain([&false]).zip(live);
        kept_instrs.filter(|(dead, _)| !**dead).map(|(_, live)| live).collect()
    }
}
