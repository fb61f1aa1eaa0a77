//! Simplifies code: constant and copy propagation, jump threading, and coalescing of copies.
//!
//! A forward pass carries the facts known on every path, and threads jumps through tests whose
//! outcome is known; a pass with the live registers joins each copy with its source. Dead code is
//! removed later.

use crate::value_types::VARIABLE_RANGE;
use crate::vm::checked_numbers::register_of_list_place;
use crate::vm::code::{BinOp, Instr, LookupListCell, Program, Reg, RegisterSet, SuspendKind};

/// Largest number of jumps that jump threading follows.
const MAX_JUMP_HOPS: usize = 16;

/// Known fact about a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RegisterFact {
    /// The register contains this constant.
    Constant(i64),
    /// The register contains the same value as another one.
    CopyOf(Reg),
}

/// Known facts on a path, by register.
#[derive(Clone, Debug, Default)]
struct RegisterFacts(Vec<(Reg, RegisterFact)>);

impl RegisterFacts {
    fn get(&self, reg: Reg) -> Option<RegisterFact> {
        let entry = self.0.iter().find(|(known, _)| *known == reg);
        entry.map(|(_, fact)| *fact)
    }

    fn constant_of(&self, reg: Reg) -> Option<i64> {
        match self.get(reg)? {
            RegisterFact::Constant(value) => Some(value),
            RegisterFact::CopyOf(_) => None,
        }
    }

    /// Drops all facts about a register that is overwritten.
    fn forget_facts_about(&mut self, reg: Reg) {
        self.0.retain(|(known, fact)| *known != reg && *fact != RegisterFact::CopyOf(reg));
    }

    fn insert(&mut self, reg: Reg, fact: RegisterFact) {
        self.forget_facts_about(reg);
        self.0.push((reg, fact));
    }

    /// Returns the facts known on both paths.
    fn facts_known_in_both(mut self, other: &RegisterFacts) -> RegisterFacts {
        self.0.retain(|(reg, fact)| other.get(*reg) == Some(*fact));
        self
    }
}

/// Forward pass.
struct ForwardSimplifier<'p> {
    program: &'p mut Program,
    /// Registers that are also accessed by index.
    rows: RegisterSet,
    /// Loop heads: targets of backward jumps.
    heads: Vec<bool>,
    /// Facts at the jumps to each position.
    arriving: Vec<Option<RegisterFacts>>,
}

impl Program {
    /// Simplifies the code; no instruction moves.
    pub(crate) fn simplify_code_in_one_pass(&mut self) {
        let mut heads = vec![false; self.instrs.len() + 1];
        for (at, op) in self.instrs.iter().enumerate() {
            if let Some(to) = op.jump_target().filter(|to| *to <= at) {
                heads[to] = true;
            }
        }
        self.roll_into_copy_target();
        let walk = ForwardSimplifier {
            rows: self.list_and_bag_registers(),
            arriving: vec![None; self.instrs.len() + 1],
            heads,
            program: self,
        };
        walk.simplify_forward();
    }

    /// Rolls a face into the variable that it is copied to, so that later readers of either use the
    /// same register.
    fn roll_into_copy_target(&mut self) {
        let rows = self.list_and_bag_registers();
        let mut landed = vec![false; self.instrs.len() + 1];
        self.instrs.iter().filter_map(|op| op.jump_target()).for_each(|to| landed[to] = true);
        for (at, landed) in landed.into_iter().enumerate().take(self.instrs.len()).skip(1) {
            let (Instr::Site(site), Instr::Copy(target, face)) =
                (self.instrs[at - 1], self.instrs[at])
            else {
                continue;
            };
            let site = &mut self.sites[usize::from(site)];
            if site.into == face && !landed && !rows.contains(target) && !rows.contains(face) {
                site.into = target;
                self.instrs[at] = Instr::Copy(face, target);
            }
        }
    }

    /// Returns the registers of lists, bags and item positions.
    pub(crate) fn list_and_bag_registers(&self) -> RegisterSet {
        let mut rows = RegisterSet::default();
        for bag in &self.bags {
            rows.insert_consecutive(bag.base, bag.size);
        }
        let open = self.sites.iter().flat_map(|site| &site.memory.bags);
        let open = open.map(|(_, open)| open).chain(&self.opens);
        open.flatten().for_each(|open| rows.insert(open.cursor));
        for op in &self.instrs {
            if let Some((base, count)) = op.indexed_register_row() {
                rows.insert_consecutive(base, count);
            }
            if let Instr::Next(_, _, cursor, _) = *op {
                rows.insert(cursor);
            }
        }
        rows
    }

    /// Writes copied values to the target of the copy at once. `live` contains, for each
    /// instruction, the live registers before it.
    pub(crate) fn remove_copies(&mut self, live: &mut [RegisterSet]) {
        let mut landed = vec![false; self.instrs.len() + 1];
        for to in self.instrs.iter().filter_map(|op| op.jump_target()) {
            landed[to] = true;
        }
        let mut last: Option<usize> = None;
        for at in 0..self.instrs.len() {
            // A path that jumps in here has not run the instruction before.
            if landed[at] {
                last = None;
            }
            if let Some(before) = last
                && let Instr::Copy(into, from) | Instr::Narrow(into, from) = self.instrs[at]
                && into != from
                && !live[at + 1].contains(from)
                && self.try_write_to_copy_target(before, at, from, into)
            {
                let mut now = live[at];
                now.remove_register(from);
                now.insert(into);
                live[before + 1..=at].fill(now);
                self.instrs[at] = Instr::Skip;
            }
            if self.instrs[at] != Instr::Skip {
                last = Some(at);
            }
        }
    }

    /// Lets the instruction at `before` write to the target of the copy at `at`. Returns whether
    /// that is possible.
    fn try_write_to_copy_target(&mut self, before: usize, at: usize, from: Reg, into: Reg) -> bool {
        if matches!(self.instrs[at], Instr::Narrow(..)) {
            return self.try_write_to_check_target(before, at, from, into);
        }
        let given = match self.instrs[before].suspend_site() {
            Some(site) => Some(&mut self.sites[site].into),
            None => self.instrs[before].replaceable_destination(),
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
    fn try_write_to_check_target(
        &mut self,
        before: usize,
        at: usize,
        from: Reg,
        into: Reg,
    ) -> bool {
        let narrow = if let Instr::Bin(two, d, a, b) = self.instrs[before] {
            Some((d, Instr::BinNarrow(two, into, a, b)))
        } else if let Instr::BinK(two, d, a, k) = self.instrs[before] {
            Some((d, Instr::BinKNarrow(two, into, a, k)))
        } else {
            None
        };
        let Some((_, narrow)) = narrow.filter(|(given, _)| *given == from) else { return false };
        self.instrs[before] = narrow;
        self.spans[before] = self.spans[at].clone();
        true
    }
}

impl ForwardSimplifier<'_> {
    fn simplify_forward(mut self) {
        let mut here = Some(RegisterFacts::default());
        for at in 0..self.program.instrs.len() {
            here = match self.facts_before(at, here) {
                Some(facts) => self.simplify_at(at, facts),
                None => {
                    self.remove_unreachable_at(at);
                    None
                }
            };
        }
    }

    /// Returns the facts at an instruction: those known both on the path from above and at all
    /// jumps to it.
    fn facts_before(&mut self, at: usize, above: Option<RegisterFacts>) -> Option<RegisterFacts> {
        let facts = match (above, self.arriving[at].take()) {
            (Some(a), Some(b)) => Some(a.facts_known_in_both(&b)),
            (a, b) => a.or(b),
        };
        let is_end = self.program.instrs[at] == Instr::End;
        let facts = if is_end { Some(facts.unwrap_or_default()) } else { facts };
        // The backward jump may arrive with other values.
        facts.map(|known| if self.heads[at] { RegisterFacts::default() } else { known })
    }

    fn remove_unreachable_at(&mut self, at: usize) {
        if !matches!(self.program.instrs[at], Instr::End | Instr::Halt) {
            self.program.instrs[at] = Instr::Skip;
        }
    }

    /// Simplifies one instruction. Returns the facts after it if the next one is reachable.
    fn simplify_at(&mut self, at: usize, mut facts: RegisterFacts) -> Option<RegisterFacts> {
        let mut op = self.program.instrs[at];
        for source in op.scalar_registers_read_mut().into_iter().flatten() {
            if let Some(RegisterFact::CopyOf(other)) = facts.get(*source) {
                *source = other;
            }
        }
        op = self.program.fold_known_operands(op, &facts);
        let next = if let Instr::Jump(to) = op {
            let to = self.final_jump_target(at, to.into(), &facts, true);
            op.set_jump_target(to);
            self.merge_facts_at(at, to, facts);
            if to == at + 1 {
                op = Instr::Skip;
            }
            None
        } else if op.jump_target().is_some() {
            Some(self.simplify_branch(at, &mut op, facts))
        } else {
            self.record_written(op, &mut facts);
            op.can_fall_through().then_some(facts)
        };
        self.program.instrs[at] = op;
        next
    }

    /// Simplifies an instruction that may jump.
    fn simplify_branch(
        &mut self,
        at: usize,
        op: &mut Instr,
        mut facts: RegisterFacts,
    ) -> RegisterFacts {
        let to = op.jump_target().unwrap_or(at + 1);
        let mut there = facts.clone();
        if let Instr::UnlessCmpK(test, reg, k, _) = *op
            && !self.rows.contains(reg)
        {
            match test {
                BinOp::Eq => facts.insert(reg, RegisterFact::Constant(k.into())),
                BinOp::Ne => there.insert(reg, RegisterFact::Constant(k.into())),
                _ => {}
            }
        }
        if let Instr::Unless(reg, _) = *op
            && !self.rows.contains(reg)
        {
            there.insert(reg, RegisterFact::Constant(0));
        }
        let to = self.final_jump_target(at, to, &there, false);
        op.set_jump_target(to);
        self.merge_facts_at(at, to, there);
        facts
    }

    fn merge_facts_at(&mut self, at: usize, to: usize, facts: RegisterFacts) {
        if to > at {
            let facts_so_far = self.arriving[to].take();
            self.arriving[to] = Some(match facts_so_far {
                Some(facts_so_far) => facts_so_far.facts_known_in_both(&facts),
                None => facts,
            });
        }
    }

    /// Returns the final target of a jump to `to`. Only a plain jump may lead backward, and only to
    /// an existing loop head, because turns without dice are counted there.
    fn final_jump_target(
        &self,
        at: usize,
        mut to: usize,
        facts: &RegisterFacts,
        plain: bool,
    ) -> usize {
        let ops = &self.program.instrs;
        for _ in 0..MAX_JUMP_HOPS {
            let Some(next) = known_jump_target(ops[to], to, facts) else { break };
            if next <= at && !(plain && self.heads[next]) {
                break;
            }
            to = next;
        }
        to
    }

    /// Records the registers that an instruction writes.
    fn record_written(&self, op: Instr, facts: &mut RegisterFacts) {
        if let Instr::Site(site) = op {
            // Copies may be invalid after a suspend point, which restores other registers.
            facts.0.retain(|(_, fact)| matches!(fact, RegisterFact::Constant(_)));
            facts.forget_facts_about(self.program.sites[usize::from(site)].into);
        }
        if op == Instr::End {
            facts.0.clear();
        }
        let Some(destination) = op.written_register() else { return };
        facts.forget_facts_about(destination);
        if self.rows.contains(destination) {
            return;
        }
        if let Instr::Const(_, k) = op {
            facts.insert(destination, RegisterFact::Constant(k.into()));
        }
        if let Instr::Copy(_, from) = op
            && from != destination
            && !self.rows.contains(from)
        {
            facts.insert(destination, RegisterFact::CopyOf(from));
        }
    }
}

impl Program {
    /// Replaces an instruction by a simpler one if some operands are known.
    fn fold_known_operands(&mut self, op: Instr, facts: &RegisterFacts) -> Instr {
        let is = |reg: Reg| facts.constant_of(reg);
        match op {
            Instr::Unless(reg, to) => fold_decided_jump(op, is(reg).map(|value| value != 0), to),
            Instr::UnlessCmp(two, a, b, to) => {
                fold_decided_compare_jump(op, two, (a, is(a)), (b, is(b)), to)
            }
            Instr::UnlessCmpK(two, a, k, to) => {
                fold_decided_jump(op, is(a).map(|value| two.is_true_for(value, k.into())), to)
            }
            Instr::Load(d, base, count, place) => {
                let slot = is(place).and_then(|place| register_of_list_place(base, count, place));
                slot.map_or(op, |slot| Instr::Copy(d, slot as Reg))
            }
            Instr::Store(base, count, place, value) => {
                let slot = is(place).and_then(|place| register_of_list_place(base, count, place));
                slot.map_or(op, |slot| Instr::Copy(slot as Reg, value))
            }
            Instr::Look(d, list, place) => {
                let list = &self.lists[usize::from(list)];
                let cell = is(place).and_then(|place| list.get(usize::try_from(place).ok()?));
                match cell {
                    Some(LookupListCell::Constant(value)) => Instr::Const(d, *value),
                    Some(LookupListCell::Parameter(slot)) => Instr::Field(d, *slot),
                    Some(LookupListCell::Blank) | None => op,
                }
            }
            Instr::Key(d, keys, s) => {
                let place = is(s).and_then(|number| self.find_key_index(keys, number));
                fold_to_constant(op, d, place.map(|place| place as i64))
            }
            Instr::Site(site) => {
                self.fold_die_sides(site, facts);
                op
            }
            #[rustfmt::skip]
            Instr::Const(..) | Instr::Wide(..) | Instr::Field(..) | Instr::Copy(..) | Instr::Narrow(..) | Instr::Bin(..)
            | Instr::BinK(..) | Instr::BinNarrow(..) | Instr::BinKNarrow(..) | Instr::Jump(_) | Instr::Keep(..)
            | Instr::Rest(_) | Instr::Tally(..) | Instr::Get(..) | Instr::Put(..) | Instr::Count(..) | Instr::There(..)
            | Instr::Next(..) | Instr::Take(..) | Instr::Close(..) | Instr::Sort(..) | Instr::Before(..) | Instr::Fail(_)
            | Instr::Tell(_) | Instr::End | Instr::Halt | Instr::Skip => fold_arithmetic_instr(op, is),
        }
    }

    /// Replaces the sides of a die by a constant if they are known.
    fn fold_die_sides(&mut self, site: u16, facts: &RegisterFacts) {
        let site = &mut self.sites[usize::from(site)];
        if let SuspendKind::DieOf(sides, _) = site.kind
            && let Some(side_count) = facts.constant_of(sides)
            && (2..=100).contains(&side_count)
        {
            site.kind = SuspendKind::Die(side_count as u8);
        }
    }
}

/// Replaces an instruction by a short constant if its value is known.
fn fold_to_constant(op: Instr, d: Reg, value: Option<i64>) -> Instr {
    let small = value.and_then(|value| i32::try_from(value).ok());
    small.map_or(op, |small| Instr::Const(d, small))
}

/// Replaces a conditional jump whose outcome is known.
fn fold_decided_jump(op: Instr, outcome: Option<bool>, to: u16) -> Instr {
    match outcome {
        Some(false) => Instr::Jump(to),
        Some(true) => Instr::Skip,
        None => op,
    }
}

/// Folds an arithmetic instruction with known operands.
fn fold_arithmetic_instr(op: Instr, is: impl Fn(Reg) -> Option<i64>) -> Instr {
    match op {
        Instr::Copy(d, s) if d == s => Instr::Skip,
        Instr::Copy(d, s) => fold_to_constant(op, d, is(s)),
        Instr::Narrow(d, s) => {
            let fits = |value: &i64| (VARIABLE_RANGE.0..=VARIABLE_RANGE.1).contains(value);
            fold_to_constant(op, d, is(s).filter(fits))
        }
        Instr::Bin(two, d, a, b) => match (is(a), is(b)) {
            (Some(a), Some(b)) => fold_to_constant(op, d, two.checked_result(a, b)),
            (_, Some(k)) => i32::try_from(k).map_or(op, |k| Instr::BinK(two, d, a, k)),
            (Some(k), _) => match (two.with_swapped_sides(), i32::try_from(k)) {
                (Some(two), Ok(k)) => Instr::BinK(two, d, b, k),
                _ => op,
            },
            _ => op,
        },
        Instr::BinK(two, d, a, k) => {
            fold_to_constant(op, d, is(a).and_then(|value| two.checked_result(value, k.into())))
        }
        #[rustfmt::skip]
        Instr::Const(..) | Instr::Wide(..) | Instr::Field(..) | Instr::BinNarrow(..) | Instr::BinKNarrow(..) | Instr::Jump(_)
        | Instr::Unless(..) | Instr::UnlessCmp(..) | Instr::UnlessCmpK(..) | Instr::Load(..) | Instr::Store(..)
        | Instr::Look(..) | Instr::Key(..) | Instr::Keep(..) | Instr::Site(_) | Instr::Rest(_) | Instr::Tally(..)
        | Instr::Get(..) | Instr::Put(..) | Instr::Count(..) | Instr::There(..) | Instr::Next(..) | Instr::Take(..)
        | Instr::Close(..) | Instr::Sort(..) | Instr::Before(..) | Instr::Fail(_) | Instr::Tell(_) | Instr::End | Instr::Halt
        | Instr::Skip => op,
    }
}

/// Folds a test of two registers with known values.
fn fold_decided_compare_jump(
    op: Instr,
    two: BinOp,
    a: (Reg, Option<i64>),
    b: (Reg, Option<i64>),
    to: u16,
) -> Instr {
    let small = |outcome: Option<i64>| outcome.and_then(|known| i16::try_from(known).ok());
    match (a.1, b.1) {
        (Some(x), Some(y)) => fold_decided_jump(op, Some(two.is_true_for(x, y)), to),
        (_, Some(_)) => small(b.1).map_or(op, |k| Instr::UnlessCmpK(two, a.0, k, to)),
        (Some(_), _) => match (two.with_swapped_sides(), small(a.1)) {
            (Some(two), Some(k)) => Instr::UnlessCmpK(two, b.0, k, to),
            _ => op,
        },
        _ => op,
    }
}

/// Returns the target of an instruction at `at` that does nothing but jump, as far as its outcome
/// is known.
fn known_jump_target(op: Instr, at: usize, facts: &RegisterFacts) -> Option<usize> {
    let (goes_on, no) = match op {
        Instr::Skip => return Some(at + 1),
        Instr::Jump(next) => return Some(next.into()),
        Instr::Unless(reg, no) => (facts.constant_of(reg)? != 0, no),
        Instr::UnlessCmpK(two, reg, k, no) => {
            (two.is_true_for(facts.constant_of(reg)?, k.into()), no)
        }
        #[rustfmt::skip]
        Instr::Const(..) | Instr::Wide(..) | Instr::Field(..) | Instr::Copy(..) | Instr::Narrow(..) | Instr::Bin(..)
        | Instr::BinK(..) | Instr::BinNarrow(..) | Instr::BinKNarrow(..) | Instr::UnlessCmp(..) | Instr::Load(..)
        | Instr::Store(..) | Instr::Look(..) | Instr::Key(..) | Instr::Keep(..) | Instr::Site(_) | Instr::Rest(_)
        | Instr::Tally(..) | Instr::Get(..) | Instr::Put(..) | Instr::Count(..) | Instr::There(..) | Instr::Next(..)
        | Instr::Take(..) | Instr::Close(..) | Instr::Sort(..) | Instr::Before(..) | Instr::Fail(_) | Instr::Tell(_) | Instr::End
        | Instr::Halt => return None,
    };
    Some(if goes_on { at + 1 } else { no.into() })
}
