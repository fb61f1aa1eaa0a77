//! Independent copies of one part: enumerates the sums of effects that the copies can reach.
//!
//! Every reachable sum of effects has a number; every ending of the part leads from each of them to
//! another. So the part is compiled once, and copies after the first cost a table.

use indexmap::IndexSet;

use super::compile_limits::{CompiledContestLimits, check_size_limit};
use super::die_graph::{CopiedPartAndSums, DieGraph};
use super::node::VertexId;
use crate::cancel::CancelToken;
use crate::error::SolveError;
use enfilade_model::combat::Ending;
use enfilade_model::combat::independent_copies::{CopyEffectCounts, TypeErasedCopies};
use enfilade_model::state_hash::StateHasherBuilder;

/// Builds the graph of `copies`, of which `part` is the graph of one.
pub(super) fn build_copies_graph(
    part: DieGraph,
    copies: &TypeErasedCopies<'_>,
    limits: &CompiledContestLimits,
    halt: &CancelToken,
) -> Result<DieGraph, SolveError> {
    let effects: Vec<CopyEffectCounts> =
        part.endings().iter().map(TypeErasedCopies::effect_of_ending).collect();
    let sums = enumerate_reachable_sums(copies, &effects, limits, halt)?;
    let mut next = Vec::with_capacity(sums.len() * effects.len());
    for &sum in &sums {
        for &effect in &effects {
            // A sum that only all copies together reach leads nowhere.
            let added = sums.get_index_of(&copies.add_capped_effects(sum, effect)).unwrap_or(0);
            next.push(added as u32);
        }
    }
    let (endings, places) =
        distinct_endings_and_vertices(sums.iter().map(|sum| (copies.together)(sum)).collect());
    Ok(DieGraph {
        endings,
        states: part.reached_state_count(),
        counters: part.counter_count(),
        copies: Some(Box::new(CopiedPartAndSums {
            part,
            count: copies.count,
            next,
            endings: places,
        })),
        ..DieGraph::default()
    })
}

/// Enumerates the sums that up to all copies can reach, by their total: an effect never leads back.
fn enumerate_reachable_sums(
    copies: &TypeErasedCopies<'_>,
    effects: &[CopyEffectCounts],
    limits: &CompiledContestLimits,
    halt: &CancelToken,
) -> Result<IndexSet<CopyEffectCounts, StateHasherBuilder>, SolveError> {
    let mut sums = IndexSet::default();
    sums.insert(CopyEffectCounts::default());
    let mut new = 0..1;
    for _ in 0..copies.count {
        for index in new.clone() {
            halt.check_not_cancelled()?;
            for &effect in effects {
                sums.insert(copies.add_capped_effects(sums[index], effect));
            }
            check_size_limit(sums.len() * effects.len(), limits.nodes, "sums of effects")?;
        }
        // Only from new sums can one more copy reach an unknown sum.
        new = new.end..sums.len();
    }
    let total = |sum: &CopyEffectCounts| sum.iter().map(|&count| u32::from(count)).sum::<u32>();
    sums.sort_unstable_by(|a, b| total(a).cmp(&total(b)).then_with(|| a.cmp(b)));
    Ok(sums)
}

/// Returns the distinct endings in the order of their values, and the vertex of the ending of each
/// sum.
fn distinct_endings_and_vertices(by_sum: Vec<Ending>) -> (Vec<Ending>, Vec<VertexId>) {
    let mut order: Vec<usize> = (0..by_sum.len()).collect();
    order.sort_unstable_by(|&a, &b| by_sum[a].cmp(&by_sum[b]));
    let mut endings: Vec<Ending> = Vec::new();
    let mut places = vec![0; by_sum.len()];
    for sum in order {
        if endings.last() != Some(&by_sum[sum]) {
            endings.push(by_sum[sum]);
        }
        places[sum] = endings.len() as VertexId - 1;
    }
    (endings, places)
}
