//! Mean number of visits of each vertex of the transitions, along given shares.

use super::strong_components::VertexNumbers;
use crate::graph::explore::{NextRollOrState, TransitionSystem};

/// Probability left in a loop at which the count of its visits ends.
const NEGLIGIBLE_LOOP_SHARE: f64 = 1e-13;

/// Limit of the steps that count the visits of one loop: some seconds of work.
const MAX_LOOP_VISIT_STEPS: usize = 1 << 30;

/// Targets of a vertex, each with its probability.
pub(in crate::graph) type TargetShares = Vec<(NextRollOrState, f64)>;

/// Computes, by vertex, how often a trial comes there in the mean, given the components of the
/// transitions, successors first, and where each vertex leads.
pub(in crate::graph) fn expected_vertex_visits(
    transitions: &TransitionSystem,
    components: &[Vec<NextRollOrState>],
    leads: &dyn Fn(NextRollOrState) -> TargetShares,
) -> Vec<f64> {
    let places = VertexNumbers::new(transitions);
    let mut visits = vec![0.0; places.vertex_count()];
    visits[places.index_of(NextRollOrState::State(0))] = 1.0;
    // A set of places comes after those that it leads to.
    for circle in components.iter().rev() {
        let shares: Vec<TargetShares> = circle.iter().map(|place| leads(*place)).collect();
        match circle.as_slice() {
            // A state that leads to itself leads nowhere else, and decides nothing: one visit.
            [alone] => {
                let here = visits[places.index_of(*alone)];
                for (to, share) in shares[0].iter().filter(|(to, _)| to != alone) {
                    visits[places.index_of(*to)] += here * share;
                }
            }
            _ => propagate_visits_through_loop(&places, circle, &shares, &mut visits),
        }
    }
    visits
}

/// Counts the visits of places that lead to each other, round by round, and passes on what leaves
/// them.
fn propagate_visits_through_loop(
    places: &VertexNumbers<'_>,
    circle: &[NextRollOrState],
    shares: &[TargetShares],
    visits: &mut [f64],
) {
    let mut local = vec![usize::MAX; visits.len()];
    for (at, place) in circle.iter().enumerate() {
        local[places.index_of(*place)] = at;
    }
    let mut inflow: Vec<f64> = circle.iter().map(|place| visits[places.index_of(*place)]).collect();
    let mut all = vec![0.0; circle.len()];
    for _ in 0..(MAX_LOOP_VISIT_STEPS / circle.len()).max(1) {
        let mut next = vec![0.0; circle.len()];
        for (at, here) in inflow.iter().enumerate().filter(|(_, here)| **here > 0.0) {
            all[at] += here;
            for (to, share) in &shares[at] {
                match local[places.index_of(*to)] {
                    usize::MAX => visits[places.index_of(*to)] += here * share,
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
        visits[places.index_of(*place)] = all;
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
