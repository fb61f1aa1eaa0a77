//! Face merging: finds the first point after a die where only a sum or the outcome of a test
//! depends on the face. Faces with an equal sum or outcome have the same future, so each group is
//! played once: the sum of two dice for eleven values instead of thirty-six pairs.

use crate::vm::code::{
    FaceMergePoint, Instr, MAX_FACE_DEPENDENTS, Program, Reg, RegisterSet, SuspendPoint,
};

impl Program {
    /// Finds the face merges of all dice. `live` contains, for each instruction, the live registers
    /// before it.
    pub(crate) fn find_face_merge_points(&mut self, live: &[RegisterSet]) {
        // A tally on the way would be counted once for a whole group.
        if self.tallies {
            return;
        }
        let rows = self.list_and_bag_registers();
        let mut fresh = RegisterSet::default();
        let mut before: Option<usize> = None;
        let order = self.instrs.iter().enumerate();
        let order = order.filter_map(|(at, op)| Some((at, op.suspend_site()?)));
        for (at, site) in order.collect::<Vec<_>>() {
            // From the last die that is in an earlier step.
            match before.filter(|_| self.sites[site].joins_previous) {
                Some(before) => self.add_registers_assigned_between(before, at, &mut fresh),
                None => fresh = RegisterSet::default(),
            }
            fresh.insert(self.sites[site].into);
            before = Some(at);
            let way = self.find_merge_after(at, &self.sites[site], fresh, live);
            self.sites[site].face_merge = way;
            self.sites[site].face_tests =
                self.tests_if_only_use(at, &self.sites[site], live, &rows);
        }
    }

    /// Adds the registers assigned between two dice of one step; all registers if the code is not
    /// straight.
    fn add_registers_assigned_between(&self, from: usize, to: usize, fresh: &mut RegisterSet) {
        for op in &self.instrs[from + 1..to] {
            match (op.written_register(), op) {
                (_, Instr::Next(..)) => *fresh = self.all_registers(),
                (Some(reg), _) => fresh.insert(reg),
                (None, Instr::Unless(..) | Instr::UnlessCmp(..) | Instr::UnlessCmpK(..)) => {}
                (None, Instr::Jump(_) | Instr::Rest(_)) => {}
                (None, _) => *fresh = self.all_registers(),
            }
        }
    }

    fn find_merge_after(
        &self,
        at: usize,
        site: &SuspendPoint,
        mut fresh: RegisterSet,
        live: &[RegisterSet],
    ) -> Option<FaceMergePoint> {
        for place in at + 1..self.instrs.len() {
            let op = self.instrs[place];
            // A single value depends on the face here, so faces with equal values are equivalent.
            if place > at + 1
                && let Some(left) = live_new_registers(&live[place], &fresh)
                && left[1].is_none()
            {
                return Some(FaceMergePoint { at: [place; 2], registers: [left; 2] });
            }
            if let Some(to) = op.jump_target().filter(|_| !matches!(op, Instr::Jump(_))) {
                let there = live_new_registers(&live[to], &fresh)?;
                let here = live_new_registers(&live[place + 1], &fresh)?;
                let kept_registers =
                    |left: [Option<Reg>; MAX_FACE_DEPENDENTS]| left.contains(&Some(site.into));
                // A test merges faces only if one of its ends no longer needs the face.
                let pure =
                    matches!(op, Instr::Unless(..) | Instr::UnlessCmp(..) | Instr::UnlessCmpK(..));
                return (pure && to > place && !(kept_registers(there) && kept_registers(here)))
                    .then_some(FaceMergePoint { at: [place + 1, to], registers: [here, there] });
            }
            if matches!(op, Instr::Rest(_)) {
                continue;
            }
            let destination = op.written_register().filter(|_| !matches!(op, Instr::Next(..)))?;
            fresh.insert(destination);
        }
        None
    }
}

/// Returns the live registers among the new ones, if they are few.
fn live_new_registers(
    live: &RegisterSet,
    fresh: &RegisterSet,
) -> Option<[Option<Reg>; MAX_FACE_DEPENDENTS]> {
    let mut both = live.intersection_with(fresh).iter();
    let left = [both.next(), both.next()];
    both.next().is_none().then_some(left)
}
