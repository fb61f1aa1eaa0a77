//! Simplifies code: constant and copy propagation, jump threading, and coalescing of copies.
//!
//! A forward pass carries the facts known on every path, and threads jumps through tests whose
//! outcome is known; a pass with the live registers joins each copy with its source. Dead code is
//! removed later.

use crate::types::STORED;
use crate::vm::code::{ListCell, Op, Program, Reg, Regs, Stops, Two};
use crate::vm::machine::slot;

/// Largest number of jumps that jump threading follows.
const HOPS: usize = 16;

/// Known fact about a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    /// The register contains this constant.
    Is(i64),
    /// The register contains the same value as another one.
    Same(Reg),
}

/// Known facts on a path, by register.
#[derive(Clone, Debug, Default)]
struct Facts(Vec<(Reg, Fact)>);

impl Facts {
    fn of(&self, reg: Reg) -> Option<Fact> {
        let found = self.0.iter().find(|(known, _)| *known == reg);
        found.map(|(_, fact)| *fact)
    }

    fn number(&self, reg: Reg) -> Option<i64> {
        match self.of(reg)? {
            Fact::Is(value) => Some(value),
            Fact::Same(_) => None,
        }
    }

    /// Drops all facts about a register that is overwritten.
    fn forget(&mut self, reg: Reg) {
        self.0.retain(|(known, fact)| *known != reg && *fact != Fact::Same(reg));
    }

    fn note(&mut self, reg: Reg, fact: Fact) {
        self.forget(reg);
        self.0.push((reg, fact));
    }

    /// Returns the facts known on both paths.
    fn meet(mut self, other: &Facts) -> Facts {
        self.0.retain(|(reg, fact)| other.of(*reg) == Some(*fact));
        self
    }
}

/// Forward pass.
struct Tidying<'p> {
    program: &'p mut Program,
    /// Registers that are also accessed by index.
    rows: Regs,
    /// Loop heads: targets of backward jumps.
    heads: Vec<bool>,
    /// Facts at the jumps to each position.
    arriving: Vec<Option<Facts>>,
}

impl Program {
    /// Simplifies the code; no instruction moves.
    pub(crate) fn tidy(&mut self) {
        let mut heads = vec![false; self.ops.len() + 1];
        for (at, op) in self.ops.iter().enumerate() {
            if let Some(to) = op.target().filter(|to| *to <= at) {
                heads[to] = true;
            }
        }
        self.keep_faces();
        let walk = Tidying {
            rows: self.rows(),
            arriving: vec![None; self.ops.len() + 1],
            heads,
            program: self,
        };
        walk.go();
    }

    /// Rolls a face into the variable that it is copied to, so that later readers of either use the
    /// same register.
    fn keep_faces(&mut self) {
        let rows = self.rows();
        let mut landed = vec![false; self.ops.len() + 1];
        self.ops.iter().filter_map(|op| op.target()).for_each(|to| landed[to] = true);
        for (at, landed) in landed.into_iter().enumerate().take(self.ops.len()).skip(1) {
            let (Op::Site(site), Op::Copy(kept, face)) = (self.ops[at - 1], self.ops[at]) else {
                continue;
            };
            let site = &mut self.sites[usize::from(site)];
            if site.into == face && !landed && !rows.has(kept) && !rows.has(face) {
                site.into = kept;
                self.ops[at] = Op::Copy(face, kept);
            }
        }
    }

    /// Returns the registers of lists, bags and item positions.
    pub(crate) fn rows(&self) -> Regs {
        let mut rows = Regs::default();
        for bag in &self.bags {
            rows.add_all(bag.base, bag.size);
        }
        let open = self.sites.iter().flat_map(|site| &site.memory.bags);
        let open = open.map(|(_, open)| open).chain(&self.opens);
        open.flatten().for_each(|open| rows.add(open.cursor));
        for op in &self.ops {
            if let Some((base, count)) = op.row() {
                rows.add_all(base, count);
            }
            if let Op::Next(_, _, cursor, _) = *op {
                rows.add(cursor);
            }
        }
        rows
    }

    /// Writes copied values to the target of the copy at once. `live` contains, for each
    /// instruction, the live registers before it.
    pub(crate) fn join_copies(&mut self, live: &mut [Regs]) {
        let mut landed = vec![false; self.ops.len() + 1];
        for to in self.ops.iter().filter_map(|op| op.target()) {
            landed[to] = true;
        }
        let mut last: Option<usize> = None;
        for at in 0..self.ops.len() {
            // A path that jumps in here has not run the instruction before.
            if landed[at] {
                last = None;
            }
            if let Some(before) = last
                && let Op::Copy(into, from) | Op::Narrow(into, from) = self.ops[at]
                && into != from
                && !live[at + 1].has(from)
                && self.gives_at(before, at, into)
            {
                let mut now = live[at];
                now.remove(from);
                now.add(into);
                live[before + 1..=at].fill(now);
                self.ops[at] = Op::Skip;
            }
            if self.ops[at] != Op::Skip {
                last = Some(at);
            }
        }
    }

    /// Lets the instruction at `before` write to the target of the copy at `at`. Returns whether
    /// that is possible.
    fn gives_at(&mut self, before: usize, at: usize, into: Reg) -> bool {
        let (Op::Copy(_, from) | Op::Narrow(_, from)) = self.ops[at] else {
            return false;
        };
        if matches!(self.ops[at], Op::Narrow(..)) {
            return self.narrows_at(before, at, from, into);
        }
        let given = match self.ops[before].site() {
            Some(site) => Some(&mut self.sites[site].into),
            None => self.ops[before].gives_mut(),
        };
        match given {
            Some(given) if *given == from => {
                *given = into;
                true
            }
            _ => false,
        }
    }

    /// Lets the instruction at `before` write to the target of the range check at `at`. Returns
    /// whether that is possible.
    fn narrows_at(&mut self, before: usize, at: usize, from: Reg, into: Reg) -> bool {
        let narrow = if let Op::Bin(two, d, a, b) = self.ops[before] {
            Some((d, Op::BinNarrow(two, into, a, b)))
        } else if let Op::BinK(two, d, a, k) = self.ops[before] {
            Some((d, Op::BinKNarrow(two, into, a, k)))
        } else {
            None
        };
        let Some((_, narrow)) = narrow.filter(|(given, _)| *given == from) else { return false };
        self.ops[before] = narrow;
        self.spans[before] = self.spans[at].clone();
        true
    }
}

impl Tidying<'_> {
    fn go(mut self) {
        let mut here = Some(Facts::default());
        for at in 0..self.program.ops.len() {
            here = match self.known_at(at, here) {
                Some(facts) => self.step(at, facts),
                None => {
                    self.unreached(at);
                    None
                }
            };
        }
    }

    /// Returns the facts at an instruction: those known both on the path from above and at all
    /// jumps to it.
    fn known_at(&mut self, at: usize, above: Option<Facts>) -> Option<Facts> {
        let known = match (above, self.arriving[at].take()) {
            (Some(a), Some(b)) => Some(a.meet(&b)),
            (a, b) => a.or(b),
        };
        let is_end = self.program.ops[at] == Op::End;
        let known = if is_end { Some(known.unwrap_or_default()) } else { known };
        // The backward jump may arrive with other values.
        known.map(|known| if self.heads[at] { Facts::default() } else { known })
    }

    fn unreached(&mut self, at: usize) {
        if !matches!(self.program.ops[at], Op::End | Op::Halt) {
            self.program.ops[at] = Op::Skip;
        }
    }

    /// Simplifies one instruction. Returns the facts after it if the next one is reachable.
    fn step(&mut self, at: usize, mut facts: Facts) -> Option<Facts> {
        let mut op = self.program.ops[at];
        for source in op.sources_mut().into_iter().flatten() {
            if let Some(Fact::Same(other)) = facts.of(*source) {
                *source = other;
            }
        }
        op = self.program.simpler(op, &facts);
        let next = if let Op::Jump(to) = op {
            let to = self.threaded(at, to.into(), &facts, true);
            op.aim(to);
            self.arrive(at, to, facts);
            if to == at + 1 {
                op = Op::Skip;
            }
            None
        } else if op.target().is_some() {
            Some(self.branch(at, &mut op, facts))
        } else {
            self.written(op, &mut facts);
            op.goes_on().then_some(facts)
        };
        self.program.ops[at] = op;
        next
    }

    /// Simplifies an instruction that may jump.
    fn branch(&mut self, at: usize, op: &mut Op, mut facts: Facts) -> Facts {
        let to = op.target().unwrap_or(at + 1);
        let mut there = facts.clone();
        if let Op::UnlessCmpK(test, reg, k, _) = *op
            && !self.rows.has(reg)
        {
            match test {
                Two::Eq => facts.note(reg, Fact::Is(k.into())),
                Two::Ne => there.note(reg, Fact::Is(k.into())),
                _ => {}
            }
        }
        if let Op::Unless(reg, _) = *op
            && !self.rows.has(reg)
        {
            there.note(reg, Fact::Is(0));
        }
        let to = self.threaded(at, to, &there, false);
        op.aim(to);
        self.arrive(at, to, there);
        facts
    }

    fn arrive(&mut self, at: usize, to: usize, facts: Facts) {
        if to > at {
            let known = self.arriving[to].take();
            self.arriving[to] = Some(match known {
                Some(known) => known.meet(&facts),
                None => facts,
            });
        }
    }

    /// Returns the final target of a jump to `to`. Only a plain jump may lead backward, and only to
    /// an existing loop head, because turns without dice are counted there.
    fn threaded(&self, at: usize, mut to: usize, facts: &Facts, plain: bool) -> usize {
        let ops = &self.program.ops;
        for _ in 0..HOPS {
            let Some(next) = hop(ops[to], to, facts) else { break };
            if next <= at && !(plain && self.heads[next]) {
                break;
            }
            to = next;
        }
        to
    }

    /// Records the registers that an instruction writes.
    fn written(&self, op: Op, facts: &mut Facts) {
        if let Op::Site(site) = op {
            // Copies may be invalid after a suspend point, which restores other registers.
            facts.0.retain(|(_, fact)| matches!(fact, Fact::Is(_)));
            facts.forget(self.program.sites[usize::from(site)].into);
        }
        if op == Op::End {
            facts.0.clear();
        }
        let Some(given) = op.gives() else { return };
        facts.forget(given);
        if self.rows.has(given) {
            return;
        }
        if let Op::Const(_, k) = op {
            facts.note(given, Fact::Is(k.into()));
        }
        if let Op::Copy(_, from) = op
            && from != given
            && !self.rows.has(from)
        {
            facts.note(given, Fact::Same(from));
        }
    }
}

impl Program {
    /// Replaces an instruction by a simpler one if some operands are known.
    fn simpler(&mut self, op: Op, facts: &Facts) -> Op {
        let is = |reg: Reg| facts.number(reg);
        match op {
            Op::Unless(reg, to) => decided(op, is(reg).map(|value| value != 0), to),
            Op::UnlessCmp(two, a, b, to) => tested(op, two, (a, is(a)), (b, is(b)), to),
            Op::UnlessCmpK(two, a, k, to) => {
                decided(op, is(a).map(|value| two.holds(value, k.into())), to)
            }
            Op::Load(d, base, count, place) => {
                let slot = is(place).and_then(|place| slot(base, count, place));
                slot.map_or(op, |slot| Op::Copy(d, slot as Reg))
            }
            Op::Store(base, count, place, value) => {
                let slot = is(place).and_then(|place| slot(base, count, place));
                slot.map_or(op, |slot| Op::Copy(slot as Reg, value))
            }
            Op::Look(d, list, place) => {
                let list = &self.lists[usize::from(list)];
                let cell = is(place).and_then(|place| list.get(usize::try_from(place).ok()?));
                match cell {
                    Some(ListCell::Is(value)) => Op::Const(d, *value),
                    Some(ListCell::Field(slot)) => Op::Field(d, *slot),
                    Some(ListCell::Blank) | None => op,
                }
            }
            Op::Key(d, keys, s) => {
                let place = is(s).and_then(|number| self.key(keys, number));
                constant(op, d, place.map(|place| place as i64))
            }
            Op::Site(site) => {
                self.known_die(site, facts);
                op
            }
            #[rustfmt::skip]
            Op::Const(..) | Op::Wide(..) | Op::Field(..) | Op::Copy(..) | Op::Narrow(..) | Op::Bin(..)
            | Op::BinK(..) | Op::BinNarrow(..) | Op::BinKNarrow(..) | Op::Jump(_) | Op::Keep(..)
            | Op::Rest(_) | Op::Tally(..) | Op::Get(..) | Op::Put(..) | Op::Count(..) | Op::There(..)
            | Op::Next(..) | Op::Take(..) | Op::Close(..) | Op::Sort(..) | Op::Before(..) | Op::Fail(_)
            | Op::Tell(_) | Op::End | Op::Halt | Op::Skip => reckoned(op, is),
        }
    }

    /// Replaces the sides of a die by a constant if they are known.
    fn known_die(&mut self, site: u16, facts: &Facts) {
        let site = &mut self.sites[usize::from(site)];
        if let Stops::DieOf(sides, _) = site.stops
            && let Some(known) = facts.number(sides)
            && (2..=100).contains(&known)
        {
            site.stops = Stops::Die(known as u8);
        }
    }
}

/// Replaces an instruction by a short constant if its value is known.
fn constant(op: Op, d: Reg, value: Option<i64>) -> Op {
    let small = value.and_then(|value| i32::try_from(value).ok());
    small.map_or(op, |small| Op::Const(d, small))
}

/// Replaces a conditional jump whose outcome is known.
fn decided(op: Op, holds: Option<bool>, to: u16) -> Op {
    match holds {
        Some(false) => Op::Jump(to),
        Some(true) => Op::Skip,
        None => op,
    }
}

/// Folds an arithmetic instruction with known operands.
fn reckoned(op: Op, is: impl Fn(Reg) -> Option<i64>) -> Op {
    match op {
        Op::Copy(d, s) if d == s => Op::Skip,
        Op::Copy(d, s) => constant(op, d, is(s)),
        Op::Narrow(d, s) => {
            let fits = |value: &i64| (STORED.0..=STORED.1).contains(value);
            constant(op, d, is(s).filter(fits))
        }
        Op::Bin(two, d, a, b) => match (is(a), is(b)) {
            (Some(a), Some(b)) => constant(op, d, two.of(a, b)),
            (_, Some(k)) => i32::try_from(k).map_or(op, |k| Op::BinK(two, d, a, k)),
            (Some(k), _) => match (two.mirrored(), i32::try_from(k)) {
                (Some(two), Ok(k)) => Op::BinK(two, d, b, k),
                _ => op,
            },
            _ => op,
        },
        Op::BinK(two, d, a, k) => constant(op, d, is(a).and_then(|value| two.of(value, k.into()))),
        #[rustfmt::skip]
        Op::Const(..) | Op::Wide(..) | Op::Field(..) | Op::BinNarrow(..) | Op::BinKNarrow(..) | Op::Jump(_)
        | Op::Unless(..) | Op::UnlessCmp(..) | Op::UnlessCmpK(..) | Op::Load(..) | Op::Store(..)
        | Op::Look(..) | Op::Key(..) | Op::Keep(..) | Op::Site(_) | Op::Rest(_) | Op::Tally(..)
        | Op::Get(..) | Op::Put(..) | Op::Count(..) | Op::There(..) | Op::Next(..) | Op::Take(..)
        | Op::Close(..) | Op::Sort(..) | Op::Before(..) | Op::Fail(_) | Op::Tell(_) | Op::End | Op::Halt
        | Op::Skip => op,
    }
}

/// Folds a test of two registers with known values.
fn tested(op: Op, two: Two, a: (Reg, Option<i64>), b: (Reg, Option<i64>), to: u16) -> Op {
    let small = |known: Option<i64>| known.and_then(|known| i16::try_from(known).ok());
    match (a.1, b.1) {
        (Some(x), Some(y)) => decided(op, Some(two.holds(x, y)), to),
        (_, Some(_)) => small(b.1).map_or(op, |k| Op::UnlessCmpK(two, a.0, k, to)),
        (Some(_), _) => match (two.mirrored(), small(a.1)) {
            (Some(two), Some(k)) => Op::UnlessCmpK(two, b.0, k, to),
            _ => op,
        },
        _ => op,
    }
}

/// Returns the target of an instruction at `at` that does nothing but jump, as far as its outcome
/// is known.
fn hop(op: Op, at: usize, facts: &Facts) -> Option<usize> {
    let (goes_on, no) = match op {
        Op::Skip => return Some(at + 1),
        Op::Jump(next) => return Some(next.into()),
        Op::Unless(reg, no) => (facts.number(reg)? != 0, no),
        Op::UnlessCmpK(two, reg, k, no) => (two.holds(facts.number(reg)?, k.into()), no),
        #[rustfmt::skip]
        Op::Const(..) | Op::Wide(..) | Op::Field(..) | Op::Copy(..) | Op::Narrow(..) | Op::Bin(..)
        | Op::BinK(..) | Op::BinNarrow(..) | Op::BinKNarrow(..) | Op::UnlessCmp(..) | Op::Load(..)
        | Op::Store(..) | Op::Look(..) | Op::Key(..) | Op::Keep(..) | Op::Site(_) | Op::Rest(_)
        | Op::Tally(..) | Op::Get(..) | Op::Put(..) | Op::Count(..) | Op::There(..) | Op::Next(..)
        | Op::Take(..) | Op::Close(..) | Op::Sort(..) | Op::Before(..) | Op::Fail(_) | Op::Tell(_) | Op::End
        | Op::Halt => return None,
    };
    Some(if goes_on { at + 1 } else { no.into() })
}
