//! Liveness: the registers that a suspend point must save, and dead code.

use super::Thrift;
use crate::vm::code::{Bag, Leaves, Memory, Op, Open, Program, Reg, Regs, Shown, Stops, words};
use crate::vm::operands::BagOrDigit;

impl Program {
    /// Adds the registers that `op` reads to those that are live after it.
    pub(crate) fn before(&self, op: &Op, live: &mut Regs) {
        if let Some(given) = op.gives() {
            live.remove(given);
        }
        let mut reads = *op;
        let sources = reads.sources_mut().into_iter().flatten();
        sources.for_each(|source| live.add(*source));
        if let Some((base, count)) = op.row() {
            live.add_all(base, count);
        }
        match op.bag() {
            Some(BagOrDigit::Bag(bag)) => self.whole_bag(bag, live),
            Some(BagOrDigit::Digit(digit)) => {
                self.whole_bag(self.digits[usize::from(digit)].bag, live);
            }
            None => {}
        }
        if let Op::Site(site) = *op {
            let site = &self.sites[usize::from(site)];
            live.remove(site.into);
            if let Stops::DieOf(sides, _) = site.stops {
                live.add(sides);
            }
        }
    }

    pub(crate) fn whole_bag(&self, bag: u8, live: &mut Regs) {
        let bag = &self.bags[usize::from(bag)];
        live.add_all(bag.base, bag.size);
    }

    /// Returns the live registers before each instruction.
    pub(crate) fn liveness(&self) -> Vec<Regs> {
        let mut live = vec![Regs::default(); self.ops.len() + 1];
        // After the first pass, only instructions that lead to a changed one are visited again.
        let (mut stirred, mut again) = (vec![true; self.ops.len() + 1], false);
        let back = |(at, op): (usize, &Op)| op.target().is_some_and(|to| to <= at);
        let loops = self.ops.iter().enumerate().any(back);
        loop {
            let mut changed = false;
            for (at, op) in self.ops.iter().enumerate().rev() {
                if again && !stirred[at + 1] && !op.target().is_some_and(|to| stirred[to]) {
                    stirred[at] = false;
                    continue;
                }
                let now = self.needed(at, &live);
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
    fn needed(&self, at: usize, live: &[Regs]) -> Regs {
        let op = &self.ops[at];
        let mut now = if op.goes_on() { live[at + 1] } else { Regs::default() };
        if let Some(to) = op.target() {
            now.join(&live[to]);
        }
        let told = if *op == Op::End { self.shows.as_slice() } else { &[] };
        let told = if *op == Op::Halt { self.weights.as_slice() } else { told };
        for shown in told {
            if let Shown::At(reg) = shown {
                now.add(*reg);
            }
        }
        for leaves in self.leaves.iter().filter(|_| *op == Op::End) {
            match leaves {
                Leaves::Is(_, Shown::At(reg)) | Leaves::Highest(_, Shown::At(reg)) => now.add(*reg),
                Leaves::Is(..) | Leaves::Highest(..) => {}
                Leaves::Things(_, bag, ..) => self.whole_bag(*bag, &mut now),
            }
        }
        // An instruction whose result is dead reads nothing.
        if !(op.only_gives() && op.gives().is_some_and(|given| !now.has(given))) {
            self.before(op, &mut now);
        }
        now
    }

    /// Computes the saved registers of each suspend point: the live ones, or all. With `drops` dead
    /// code is removed.
    pub fn finish(&mut self, Thrift { forgets, tidies, .. }: Thrift, drops: bool) {
        if tidies && drops {
            self.tidy();
        }
        // In this order: copies are joined only where the source is dead, and faces are merged in
        // the code that is finally played.
        let mut live = self.liveness();
        if tidies && drops {
            self.join_copies(&mut live);
        }
        if forgets && drops {
            live = self.drop_dead(live);
        }
        if forgets && tidies && drops {
            self.find_ways(&live);
        }
        for (at, live) in live.into_iter().enumerate().take(self.ops.len()) {
            let needed = match forgets {
                false => self.everything(),
                true => live,
            };
            if let Op::Rest(rest) = self.ops[at] {
                let (place, memory) = &mut self.rests[usize::from(rest)];
                *place = at;
                let open = std::mem::take(&mut memory.bags);
                self.rests[usize::from(rest)].1 = self.memory(open, &needed);
            }
            let last = (self.ops[at] == Op::End).then(|| self.sites.len() - 1);
            let Some(site) = self.ops[at].site().or(last) else { continue };
            self.sites[site].at = at as u32;
            let open = std::mem::take(&mut self.sites[site].memory.bags);
            self.sites[site].memory = self.memory(open, &needed);
        }
    }

    /// Finds the parameters that are loaded where a die may have been rolled.
    pub(crate) fn find_asked_later(&mut self) {
        let first = self.ops.iter().position(|op| matches!(op, Op::Site(_)));
        let ops = self.ops.iter().enumerate().skip(first.unwrap_or(self.ops.len()));
        // A loop reaches its head again after its dice.
        let from = ops.filter_map(|(_, op)| op.target()).chain(first).min();
        let ops = &self.ops[from.unwrap_or(0).min(self.ops.len())..];
        let mut later: Vec<u8> = ops.iter().flat_map(|op| self.asked_by(op)).collect();
        later.sort_unstable();
        later.dedup();
        self.asked_later = later;
    }

    /// Returns all parameters that the code loads, as a bit set.
    pub(crate) fn asked(&self) -> u128 {
        self.ops.iter().flat_map(|op| self.asked_by(op)).fold(0, |all, slot| all | 1 << slot)
    }

    /// Returns the parameters that an instruction loads.
    pub(crate) fn asked_by(&self, op: &Op) -> Vec<u8> {
        if let Op::Look(_, list, _) = op {
            return self.asked_by_list(*list).collect();
        }
        if let Op::Field(_, slot) = op { vec![*slot] } else { Vec::new() }
    }

    /// Returns the largest number of values in a state.
    pub fn room(&self) -> usize {
        self.sites.iter().map(|site| site.memory.room).max().unwrap_or(0)
    }

    /// Returns all registers, which a rule saves if liveness is off.
    pub(crate) fn everything(&self) -> Regs {
        let mut all = Regs::default();
        (0..self.registers as Reg).for_each(|reg| all.add(reg));
        all
    }

    /// Returns the registers and bags to save at a point with these live registers and open loops.
    fn memory(&self, open: Vec<(u8, Vec<Open>)>, needed: &Regs) -> Memory {
        let mut saved: Vec<Reg> = needed.iter().collect();
        let mut room = 0;
        let mut bags = Vec::new();
        for (bag, loops) in open {
            let Bag { base, size, values, .. } = self.bags[usize::from(bag)];
            let things = base..base + size;
            if !things.clone().any(|reg| saved.contains(&reg)) {
                continue;
            }
            saved.retain(|reg| !things.contains(reg));
            let matters = |open: &Open| open.goes_on || needed.has(open.cursor);
            let loops: Vec<Open> = loops.into_iter().filter(matters).collect();
            saved.retain(|reg| !loops.iter().any(|open| open.cursor == *reg));
            room += usize::from(size) * words(values, loops.len());
            bags.push((bag, loops));
        }
        let room = room + saved.len();
        Memory { saved, bags, room }
    }

    /// Removes dead code. Returns the live registers before each remaining instruction.
    pub(crate) fn drop_dead(&mut self, live: Vec<Regs>) -> Vec<Regs> {
        let is_dead = |(at, op): (usize, &Op)| {
            let unread = || op.gives().is_some_and(|given| !live[at + 1].has(given));
            matches!(op, Op::Skip) || op.only_gives() && unread()
        };
        let dead: Vec<bool> = self.ops.iter().enumerate().map(is_dead).collect();
        let mut places = Vec::with_capacity(self.ops.len() + 1);
        let mut place = 0;
        for dead in &dead {
            places.push(place);
            place += usize::from(!dead);
        }
        places.push(place);
        for (at, dead) in dead.iter().enumerate() {
            if !dead {
                self.ops.swap(places[at], at);
                self.spans.swap(places[at], at);
            }
        }
        self.ops.truncate(place);
        self.spans.truncate(place);
        for op in &mut self.ops {
            if let Some(to) = op.target() {
                op.aim(places[to]);
            }
        }
        let kept = dead.iter().chain([&false]).zip(live);
        kept.filter(|(dead, _)| !**dead).map(|(_, live)| live).collect()
    }
}
