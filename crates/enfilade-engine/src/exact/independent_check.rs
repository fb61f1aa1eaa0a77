//! Distributions of contests that may never end, computed by other methods than the loop solver,
//! which is checked against them.
//!
//! The methods and the solver share the graph alone.

use super::convergence::MAX_LOOP_ROUNDS;
use crate::graph::DieGraph;

/// Number of loop heads up to which a distribution is computed by doubling.
const MAX_LOOP_HEADS: usize = 256;

/// Largest number of doublings of the rounds.
const MAX_ROUND_DOUBLINGS: usize = 40;

/// Sweeps many rounds, and returns the finished probability by ending and the unfinished
/// probability.
pub fn solve_by_many_rounds(graph: &DieGraph) -> (Vec<f64>, f64) {
    let mut mass = vec![0.0; graph.vertex_count()];
    mass[graph.start_vertex() as usize] = 1.0;
    propagate_through_nodes(graph, &mut mass);
    let ports = graph.first_loop_head_vertex()..graph.first_node_vertex();
    for _ in 1..MAX_LOOP_ROUNDS {
        let waiting = mass[ports.clone()].to_vec();
        if waiting.iter().all(|waits| *waits == 0.0) {
            break;
        }
        mass[ports.clone()].fill(0.0);
        for (&place, waiting) in graph.next_vertex_by_loop_head().iter().zip(waiting) {
            mass[place as usize] += waiting;
        }
        propagate_through_nodes(graph, &mut mass);
    }
    let open = mass[ports].iter().sum();
    mass.truncate(graph.first_loop_head_vertex());
    (mass, open)
}

/// Computes the probability by ending from twice, four times, eight times the number of rounds.
/// Returns `None` if there are too many loop heads.
pub fn solve_by_doubling_rounds(graph: &DieGraph) -> Option<Vec<f64>> {
    let (endings, ports) = (graph.first_loop_head_vertex(), graph.next_vertex_by_loop_head().len());
    if ports > MAX_LOOP_HEADS {
        return None;
    }
    // One round from each loop head: endings first.
    let round = |place: u32| {
        let mut mass = vec![0.0; graph.vertex_count()];
        mass[place as usize] = 1.0;
        propagate_through_nodes(graph, &mut mass);
        mass.truncate(endings + ports);
        mass
    };
    let rounds: Vec<Vec<f64>> =
        graph.next_vertex_by_loop_head().iter().map(|&place| round(place)).collect();
    let mut back: Vec<Vec<f64>> = rounds.iter().map(|row| row[endings..].to_vec()).collect();
    let mut ended: Vec<Vec<f64>> = rounds.iter().map(|row| row[..endings].to_vec()).collect();
    for _ in 0..MAX_ROUND_DOUBLINGS {
        let more = multiply_matrices(&back, &ended);
        for (sum, more) in ended.iter_mut().zip(more) {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        back = multiply_matrices(&back, &back);
        if back.iter().flatten().all(|share| *share == 0.0) {
            break;
        }
    }
    let start = round(graph.start_vertex());
    let mut law = start[..endings].to_vec();
    for (share, row) in start[endings..].iter().zip(&ended) {
        law.iter_mut().zip(row).for_each(|(sum, p)| *sum += share * p);
    }
    Some(law)
}

/// Moves the probability of every node along its branches.
fn propagate_through_nodes(graph: &DieGraph, mass: &mut [f64]) {
    let first = graph.first_node_vertex();
    for (index, node) in graph.nodes().enumerate().rev() {
        let here = std::mem::take(&mut mass[first + index]);
        if here == 0.0 {
            continue;
        }
        let share = here / f64::from(node.sides);
        for branch in node.branches {
            mass[branch.to as usize] += share * f64::from(branch.faces);
        }
    }
}

fn multiply_matrices(left: &[Vec<f64>], right: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let width = right.first().map_or(0, Vec::len);
    let row = |row: &Vec<f64>| {
        let mut sums = vec![0.0; width];
        for (share, other) in row.iter().zip(right).filter(|(share, _)| **share != 0.0) {
            sums.iter_mut().zip(other).for_each(|(sum, part)| *sum += share * part);
        }
        sums
    };
    left.iter().map(row).collect()
}
