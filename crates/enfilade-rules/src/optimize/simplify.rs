//! Tidies code before it is played: what is known is not reckoned again, no jump leads to a jump, and
//! what is reckoned goes at once where it is wanted.
//!
//! One walk forward carries what is known on every path (constant and copy propagation, with jumps
//! threaded through tests whose answer is known); one walk with the live registers joins each copy
//! with what it copies. Dead code goes later, with all that nobody reads.

use crate::types::STORED;
use crate::vm::code::{BLANK, Op, Program, Reg, Regs, Stops, Two};
use crate::vm::machine::slot;

/// Jumps that lead to jumps, followed so far.
const HOPS: usize = 16;

/// What is known of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    /// It holds this.
    Is(i64),
    /// It holds what that one holds.
    Same(Reg),
}

/// What is known on a path, by register.
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

    /// A register gets a value of which nothing is known.
    fn forget(&mut self, reg: Reg) {
        self.0.retain(|(known, fact)| *known != reg && *fact != Fact::Same(reg));
    }

    fn note(&mut self, reg: Reg, fact: Fact) {
        self.forget(reg);
        self.0.push((reg, fact));
    }

    /// Only what both know.
    fn meet(mut self, other: &Facts) -> Facts {
        self.0.retain(|(reg, fact)| other.of(*reg) == Some(*fact));
        self
    }
}

/// The walk forward.
struct Tidying<'p> {
    program: &'p mut Program,
    /// Registers that are read or written in other ways than by their number.
    rows: Regs,
    /// Places that something further down jumps to.
    heads: Vec<bool>,
    /// What is known by the jumps that lead to a place.
    arriving: Vec<Option<Facts>>,
}

impl Program {
    /// Tidies the code; no operation moves.
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

    /// Lets a face fall into the variable that it is put into at once: what reads it later reads that one
    /// register, whichever way it was found.
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

    /// Registers of lists and bags, and those that hold the place of a thing.
    pub(crate) fn rows(&self) -> Regs {
        let mut rows = Regs::default();
        for bag in &self.bags {
            rows.add_all(bag.base, bag.size);
        }
        let open = self.sites.iter().flat_map(|site| &site.memory.bags);
        let open = open.map(|(_, open)| open).chain(&self.opens);
        open.flatten().for_each(|open| rows.add(open.cursor));
        for op in &self.ops {
            match *op {
                Op::Load(_, base, count, _)
                | Op::Store(base, count, ..)
                | Op::Keep(base, count, ..) => rows.add_all(base, count),
                Op::Next(_, _, cursor, _) => rows.add(cursor),
                _ => {}
            }
        }
        rows
    }

    /// Lets what is copied go at once where it is wanted. `live`: by operation, the registers that
    /// matter before it.
    pub(crate) fn join_copies(&mut self, live: &mut [Regs]) {
        let mut landed = vec![false; self.ops.len() + 1];
        for to in self.ops.iter().filter_map(|op| op.target()) {
            landed[to] = true;
        }
        let mut last: Option<usize> = None;
        for at in 0..self.ops.len() {
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
            match self.ops[at] {
                Op::Skip => {}
                _ => last = Some(at),
            }
        }
    }

    /// Lets the operation at `before` do what that at `at` does with its value: whether it can.
    fn gives_at(&mut self, before: usize, at: usize, into: Reg) -> bool {
        let (Op::Copy(_, from) | Op::Narrow(_, from)) = self.ops[at] else {
            return false;
        };
        let narrow = matches!(self.ops[at], Op::Narrow(..));
        match (&mut self.ops[before], narrow) {
            (Op::Site(site), false) => {
                let site = &mut self.sites[usize::from(*site)];
                let its = site.into == from;
                if its {
                    site.into = into;
                }
                its
            }
            (Op::Bin(two, d, a, b), true) if *d == from => {
                self.ops[before] = Op::BinNarrow(*two, into, *a, *b);
                self.spans[before] = self.spans[at].clone();
                true
            }
            (Op::BinK(two, d, a, k), true) if *d == from => {
                self.ops[before] = Op::BinKNarrow(*two, into, *a, *k);
                self.spans[before] = self.spans[at].clone();
                true
            }
            (op, false) => match op.gives_mut() {
                Some(given) if *given == from => {
                    *given = into;
                    true
                }
                _ => false,
            },
            _ => false,
        }
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

    /// What is known at an operation: of whoever comes from above, and of all who jump there.
    fn known_at(&mut self, at: usize, above: Option<Facts>) -> Option<Facts> {
        let known = match (above, self.arriving[at].take()) {
            (Some(a), Some(b)) => Some(a.meet(&b)),
            (a, b) => a.or(b),
        };
        let known = match self.program.ops[at] {
            Op::End => Some(known.unwrap_or_default()),
            _ => known,
        };
        // Whoever comes back knows something else.
        known.map(|known| if self.heads[at] { Facts::default() } else { known })
    }

    fn unreached(&mut self, at: usize) {
        if !matches!(self.program.ops[at], Op::End | Op::Halt) {
            self.program.ops[at] = Op::Skip;
        }
    }

    /// Tidies one operation; what is known after it, if what follows is reached from it.
    fn step(&mut self, at: usize, mut facts: Facts) -> Option<Facts> {
        let mut op = self.program.ops[at];
        for source in op.sources_mut().into_iter().flatten() {
            if let Some(Fact::Same(other)) = facts.of(*source) {
                *source = other;
            }
        }
        op = self.program.simpler(op, &facts);
        let next = match op {
            Op::Jump(to) => {
                let to = self.threaded(at, to.into(), &facts, true);
                op.aim(to);
                self.arrive(at, to, facts);
                if to == at + 1 {
                    op = Op::Skip;
                }
                None
            }
            _ if op.target().is_some() => Some(self.branch(at, &mut op, facts)),
            Op::Fail(_) | Op::Halt => None,
            _ => {
                self.written(op, &mut facts);
                Some(facts)
            }
        };
        self.program.ops[at] = op;
        next
    }

    /// An operation that may go on elsewhere.
    fn branch(&mut self, at: usize, op: &mut Op, mut facts: Facts) -> Facts {
        let to = op.target().unwrap_or(at + 1);
        let mut there = facts.clone();
        match *op {
            Op::UnlessCmpK(Two::Eq, reg, k, _) if !self.rows.has(reg) => {
                facts.note(reg, Fact::Is(k.into()));
            }
            Op::UnlessCmpK(Two::Ne, reg, k, _) if !self.rows.has(reg) => {
                there.note(reg, Fact::Is(k.into()));
            }
            Op::Unless(reg, _) if !self.rows.has(reg) => there.note(reg, Fact::Is(0)),
            _ => {}
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

    /// Where a jump to `to` leads in the end. Only a plain jump may lead back, and only where
    /// something leads back already: that is where turns without dice are counted.
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

    /// What an operation gives a value to.
    fn written(&self, op: Op, facts: &mut Facts) {
        match op {
            Op::Site(site) => {
                // What is remembered may come back to other places.
                facts.0.retain(|(_, fact)| matches!(fact, Fact::Is(_)));
                facts.forget(self.program.sites[usize::from(site)].into);
            }
            Op::End => facts.0.clear(),
            _ => {}
        }
        let Some(given) = op.gives() else { return };
        facts.forget(given);
        if self.rows.has(given) {
            return;
        }
        match op {
            Op::Const(_, k) => facts.note(given, Fact::Is(k.into())),
            Op::Copy(_, from) if from != given && !self.rows.has(from) => {
                facts.note(given, Fact::Same(from));
            }
            _ => {}
        }
    }
}

impl Program {
    /// The same operation where some of what it reads is known.
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
                    Some(&cell) if cell != BLANK => Op::Const(d, cell),
                    _ => op,
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
            _ => reckoned(op, is),
        }
    }

    /// A die whose sides are known has so many.
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

/// A number where it is known and short.
fn constant(op: Op, d: Reg, value: Option<i64>) -> Op {
    let small = value.and_then(|value| i32::try_from(value).ok());
    small.map_or(op, |small| Op::Const(d, small))
}

/// A jump that is taken unless something holds.
fn decided(op: Op, holds: Option<bool>, to: u16) -> Op {
    match holds {
        Some(false) => Op::Jump(to),
        Some(true) => Op::Skip,
        None => op,
    }
}

/// What is reckoned of numbers of which some are known.
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
        _ => op,
    }
}

/// A test of two registers of which some are known.
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

/// Where an operation leads that does nothing else, as far as it is known; itself stands at `at`.
fn hop(op: Op, at: usize, facts: &Facts) -> Option<usize> {
    let (goes_on, no) = match op {
        Op::Skip => return Some(at + 1),
        Op::Jump(next) => return Some(next.into()),
        Op::Unless(reg, no) => (facts.number(reg)? != 0, no),
        Op::UnlessCmpK(two, reg, k, no) => (two.holds(facts.number(reg)?, k.into()), no),
        _ => return None,
    };
    Some(if goes_on { at + 1 } else { no.into() })
}
