//! Forecast of a chain from some of its contests: no field of a chain makes it smaller.

use super::{CostForecast, ForecastProbes};
use crate::experiment::GridCell;

/// Number of contests that are tried.
const MAX_PROBED_CONTESTS: usize = 32;

/// Cost of a state of a chain, relative to one of its contest alone: the reported numbers are part
/// of it.
const CHAIN_STATE_COST_FACTOR: f64 = 2.0;

/// Forecasts a chain from some of its contests, evenly from the first to the last. Returns `None`
/// for a contest that is not a chain.
pub(super) fn forecast_chain(
    cell: &GridCell,
    tests: &mut ForecastProbes<'_>,
) -> Option<CostForecast> {
    let parts = cell.played.combat.chain_combats_and_start_counts();
    let (mut begun, mut reached) = (0, 0.0);
    let (mut states, mut seconds) = (0.0, 0.0);
    for (combat, situations) in
        parts.iter().step_by(parts.len().div_ceil(MAX_PROBED_CONTESTS).max(1))
    {
        let Some(size) = tests.probe_contest(combat) else { break };
        begun += situations;
        reached += size.numbers[0] * *situations as f64;
        states += size.numbers[0];
        seconds += size.seconds;
    }
    if begun == 0 {
        return None;
    }
    let all: usize = parts.iter().map(|(_, situations)| situations).sum();
    let whole = reached / begun as f64 * all as f64;
    let seconds = CHAIN_STATE_COST_FACTOR * seconds / states.max(1.0) * whole;
    Some(CostForecast {
        states: whole,
        held_states: whole,
        seconds,
        fields: Vec::new(),
        part: None,
        tried_states: tests.tried,
    })
}
