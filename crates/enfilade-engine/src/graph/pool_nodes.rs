//! Pools of equal dice that are one roll of a step: the dice left and the total so far are nodes.

use super::explore::{NextRollOrState, TransitionSystem};
use super::node::FacesWithSameTarget;
use super::pool_throw::SumOrHitCountPool;

impl TransitionSystem {
    /// Returns the first die of a pool, given the target of each total: a node for every number of
    /// dice left and every total so far, as if each die were rolled after the other.
    pub(super) fn push_pool(
        &mut self,
        pool: SumOrHitCountPool,
        targets: &[FacesWithSameTarget<NextRollOrState>],
    ) -> NextRollOrState {
        let steps = pool.die_addends_with_ways();
        let mut next: Vec<NextRollOrState> = targets.iter().map(|target| target.to).collect();
        let (mut branches, mut grouped) = (Vec::with_capacity(steps.len()), Vec::new());
        for rolled in (0..u16::from(pool.count)).rev() {
            let totals = 0..=rolled * pool.most_above_least_of_die();
            next = totals
                .map(|total| {
                    branches.clear();
                    branches.extend(steps.iter().map(|(step, faces)| FacesWithSameTarget {
                        to: next[usize::from(total + step)],
                        faces: *faces,
                    }));
                    self.die_node_or_sole_target(pool.sides, &branches, &mut grouped)
                })
                .collect();
        }
        next[0]
    }
}
