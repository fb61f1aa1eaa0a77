//! Forecast of a chain from some of its contests: no field of a chain makes it smaller.

use super::{Forecast, Tests};
use crate::experiment::Cell;

/// Number of contests that are tried.
const SAMPLED: usize = 32;

/// Cost of a state of a chain, relative to one of its contest alone: the reported numbers are part
/// of it.
const CARRIED: f64 = 2.0;

/// Forecasts a chain from some of its contests, evenly from the first to the last. Returns `None`
/// for a contest that is not a chain.
pub(super) fn forecast(cell: &Cell, tests: &mut Tests<'_>) -> Option<Forecast> {
    let parts = cell.played.combat.parts();
    let (mut begun, mut reached) = (0, 0.0);
    let (mut states, mut seconds) = (0.0, 0.0);
    for (combat, situations) in parts.iter().step_by(parts.len().div_ceil(SAMPLED).max(1)) {
        let Some(size) = tests.size(combat) else { break };
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
    let seconds = CARRIED * seconds / states.max(1.0) * whole;
    Some(Forecast {
        states: whole,
        held: whole,
        seconds,
        fields: Vec::new(),
        part: None,
        tried: tests.tried,
    })
}
