//! Face merging: finds the first point after a die where only a sum or the outcome of a test
//! depends on the face. Faces with an equal sum or outcome have the same future, so each group is
//! played once: the sum of two dice for eleven values instead of thirty-six pairs.

use crate::vm::code::{LEFT, Op, Program, Reg, Regs, Site, Way};

impl Program {
    /// Finds the face merges of all dice. `live` contains, for each instruction, the live registers
    /// before it.
    pub(crate) fn find_ways(&mut self, live: &[Regs]) {
        // A tally on the way would be counted once for a whole group.
        if self.tallies {
            return;
        }
        let rows = self.rows();
        let mut fresh = Regs::default();
        let mut before: Option<usize> = None;
        let order = self.ops.iter().enumerate();
        let order = order.filter_map(|(at, op)| Some((at, op.site()?)));
        for (at, site) in order.collect::<Vec<_>>() {
            // From the last die that is in an earlier step.
            match before.filter(|_| self.sites[site].joined) {
                Some(before) => self.given(before, at, &mut fresh),
                None => fresh = Regs::default(),
            }
            fresh.add(self.sites[site].into);
            before = Some(at);
            let way = self.way(at, &self.sites[site], fresh, live);
            self.sites[site].way = way;
            self.sites[site].asks = self.asks(at, &self.sites[site], live, &rows);
        }
    }

    /// Adds the registers assigned between two dice of one step; all registers if the code is not
    /// straight.
    fn given(&self, from: usize, to: usize, fresh: &mut Regs) {
        for op in &self.ops[from + 1..to] {
            match (op.gives(), op) {
                (_, Op::Next(..)) => *fresh = self.everything(),
                (Some(reg), _) => fresh.add(reg),
                (None, Op::Unless(..) | Op::UnlessCmp(..) | Op::UnlessCmpK(..)) => {}
                (None, Op::Jump(_) | Op::Rest(_)) => {}
                (None, _) => *fresh = self.everything(),
            }
        }
    }

    fn way(&self, at: usize, site: &Site, mut fresh: Regs, live: &[Regs]) -> Option<Way> {
        for place in at + 1..self.ops.len() {
            let op = self.ops[place];
            // A single value depends on the face here, so faces with equal values are equivalent.
            if place > at + 1
                && let Some(left) = left(&live[place], &fresh)
                && left[1].is_none()
            {
                return Some(Way { at: [place; 2], left: [left; 2] });
            }
            if let Some(to) = op.target().filter(|_| !matches!(op, Op::Jump(_))) {
                let there = left(&live[to], &fresh)?;
                let here = left(&live[place + 1], &fresh)?;
                let kept = |left: [Option<Reg>; LEFT]| left.contains(&Some(site.into));
                // A test merges faces only if one of its ends no longer needs the face.
                let pure = matches!(op, Op::Unless(..) | Op::UnlessCmp(..) | Op::UnlessCmpK(..));
                return (pure && to > place && !(kept(there) && kept(here)))
                    .then_some(Way { at: [place + 1, to], left: [here, there] });
            }
            if matches!(op, Op::Rest(_)) {
                continue;
            }
            let given = op.gives().filter(|_| !matches!(op, Op::Next(..)))?;
            fresh.add(given);
        }
        None
    }
}

/// Returns the live registers among the new ones, if they are few.
fn left(live: &Regs, fresh: &Regs) -> Option<[Option<Reg>; LEFT]> {
    let mut both = live.and(fresh).iter();
    let left = [both.next(), both.next()];
    both.next().is_none().then_some(left)
}
