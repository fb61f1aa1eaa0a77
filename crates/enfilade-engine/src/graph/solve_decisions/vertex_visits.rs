//! Mean number of visits of each vertex of the transitions, along given shares.

use super::strong_components::{VertexNumbers, find_components_along};
use crate::graph::explore::{NextRollOrState, TransitionSystem};

/// Probability left in a loop at which the count of its visits ends.
const NEGLIGIBLE_LOOP_SHARE: f64 = 1e-13;

/// Limit of the steps that count the visits of one loop: some seconds of work.
const MAX_LOOP_VISIT_STEPS: usize = 1 << 30;

/// Targets of a vertex, each with its probability.
pub(in crate::graph) type TargetShares = Vec<(NextRollOrState, f64)>;

/// Computes, by vertex, how often a trial comes there in the mean, given the components of the
/// transitions, successors first, and where each vertex leads. In a loop that no trial leaves each
/// trial counts once at each vertex.
pub(in crate::graph) fn expected_vertex_visits(
    transitions: &TransitionSystem,
    components: &[Vec<NextRollOrState>],
    leads: &dyn Fn(NextRollOrState) -> TargetShares,
) -> Vec<f64> {
    let places = VertexNumbers::new(transitions);
    let mut shares: Vec<TargetShares> = vec![Vec::new(); places.vertex_count()];
    for place in components.iter().flatten() {
        let taken = leads(*place).into_iter().filter(|(_, share)| *share > 0.0);
        shares[places.index_of(*place)] = taken.collect();
    }
    // An option that nobody takes leads nowhere: what is a loop of all options may be none.
    let loops = find_components_along(transitions, |place, at| {
        shares[places.index_of(place)].get(at).map(|(to, _)| *to)
    });
    let mut counted = VisitCount {
        place_in_loop: vec![OUTSIDE_LOOP; shares.len()],
        visits: vec![0.0; shares.len()],
        places: &places,
        shares: &shares,
    };
    counted.visits[places.index_of(NextRollOrState::State(0))] = 1.0;
    // A set of places comes after those that it leads to.
    for circle in loops.iter().rev() {
        counted.pass_through(circle.iter().map(|place| places.index_of(*place)).collect());
    }
    counted.visits
}

/// Mark of a vertex outside of the loop that is counted.
const OUTSIDE_LOOP: usize = usize::MAX;

/// Visits counted so far, from the opening state on. Vertices have their indices.
struct VisitCount<'a> {
    places: &'a VertexNumbers<'a>,
    shares: &'a [TargetShares],
    place_in_loop: Vec<usize>,
    visits: Vec<f64>,
}

impl VisitCount<'_> {
    /// Counts the visits of vertices that lead to each other, and passes on what leaves them.
    fn pass_through(&mut self, circle: Vec<usize>) {
        for (at, place) in circle.iter().enumerate() {
            self.place_in_loop[*place] = at;
        }
        let leaves = |(to, _): &(NextRollOrState, f64)| {
            self.place_in_loop[self.places.index_of(*to)] == OUTSIDE_LOOP
        };
        let is_left = circle.iter().any(|place| self.shares[*place].iter().any(leaves));
        if is_left {
            self.count_rounds(&circle);
        } else {
            let trials: f64 = circle.iter().map(|place| self.visits[*place]).sum();
            circle.iter().for_each(|place| self.visits[*place] = trials);
        }
        circle.iter().for_each(|place| self.place_in_loop[*place] = OUTSIDE_LOOP);
    }

    /// Counts round by round until nearly all trials have left.
    fn count_rounds(&mut self, circle: &[usize]) {
        let mut inflow: Vec<f64> = circle.iter().map(|place| self.visits[*place]).collect();
        let mut all = vec![0.0; circle.len()];
        for _ in 0..(MAX_LOOP_VISIT_STEPS / circle.len()).max(1) {
            let mut next = vec![0.0; circle.len()];
            for (at, here) in inflow.iter().enumerate().filter(|(_, here)| **here > 0.0) {
                all[at] += here;
                for (to, share) in &self.shares[circle[at]] {
                    let to = self.places.index_of(*to);
                    match self.place_in_loop[to] {
                        OUTSIDE_LOOP => self.visits[to] += here * share,
                        inside => next[inside] += here * share,
                    }
                }
            }
            inflow = next;
            if inflow.iter().sum::<f64>() <= NEGLIGIBLE_LOOP_SHARE {
                break;
            }
        }
        for (place, all) in circle.iter().zip(all) {
            self.visits[*place] = all;
        }
    }
}

/// Returns the targets of a vertex that is no decision.
pub(in crate::graph) fn targets_by_chance(
    transitions: &TransitionSystem,
    place: NextRollOrState,
) -> TargetShares {
    match place {
        NextRollOrState::State(state) => {
            transitions.states[state as usize].iter().map(|first| (*first, 1.0)).collect()
        }
        NextRollOrState::Tally(tally) => vec![(transitions.tallies[tally as usize].to, 1.0)],
        NextRollOrState::Die(die) => {
            let dice = transitions.dice.as_list();
            let sides = f64::from(dice.sides(die as usize));
            let branches = dice.branches(die as usize).iter();
            branches.map(|branch| (branch.to, f64::from(branch.faces) / sides)).collect()
        }
        NextRollOrState::Choice(_) => Vec::new(),
    }
}
