//! Pools of equal dice that are one roll of a step: the dice left and the total so far are nodes.

use super::explore::{StepTarget, TransitionSystem};
use super::node::FacesWithSameTarget;

/// Pool of equal dice of which only a total matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PoolThrow {
    /// Number of dice.
    pub(super) count: u8,
    /// Sides of each.
    pub(super) sides: u8,
    /// Least face of a die that is counted; `None` if the faces are added up.
    pub(super) least: Option<u8>,
}

impl PoolThrow {
    /// Returns the number of totals.
    pub(super) fn total_count(self) -> u16 {
        u16::from(self.count) * self.most_of_die() + 1
    }

    /// Returns the total with a number, from 1.
    pub(super) fn total(self, number: u16) -> u16 {
        let least = if self.least.is_none() { self.count.into() } else { 0 };
        least + number - 1
    }

    /// Returns how much one die adds at most, above what it adds at least.
    fn most_of_die(self) -> u16 {
        if self.least.is_none() { u16::from(self.sides) - 1 } else { 1 }
    }

    /// Returns what the faces of one die add, with their numbers.
    fn steps(self) -> Vec<(u16, u8)> {
        match self.least {
            None => (0..u16::from(self.sides)).map(|step| (step, 1)).collect(),
            Some(least) => vec![(0, least - 1), (1, self.sides - least + 1)],
        }
    }
}

impl TransitionSystem {
    /// Returns the first die of a pool, given the target of each total: a node for every number of
    /// dice left and every total so far, as if each die were rolled after the other.
    pub(super) fn push_pool(
        &mut self,
        pool: PoolThrow,
        targets: &[FacesWithSameTarget<StepTarget>],
    ) -> StepTarget {
        let steps = pool.steps();
        let mut next: Vec<StepTarget> = targets.iter().map(|target| target.to).collect();
        let (mut branches, mut grouped) = (Vec::with_capacity(steps.len()), Vec::new());
        for rolled in (0..u16::from(pool.count)).rev() {
            let totals = 0..=rolled * pool.most_of_die();
            next = totals
                .map(|total| {
                    branches.clear();
                    branches.extend(steps.iter().map(|(step, faces)| FacesWithSameTarget {
                        to: next[usize::from(total + step)],
                        faces: *faces,
                    }));
                    self.push_die_node(pool.sides, &branches, &mut grouped)
                })
                .collect();
        }
        next[0]
    }
}
