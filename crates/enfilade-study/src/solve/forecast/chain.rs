//! What a chain takes, by some of its contests: no field of a chain makes it smaller.

use super::{Forecast, Tests};
use crate::experiment::Cell;

/// Contests that are tried.
const SAMPLED: usize = 32;

/// How many times as long a state of a chain takes as one of its contest alone: what was reported goes with it.
const CARRIED: f64 = 2.0;

/// The forecast from contests of the chain that are tried, evenly from the first to the last; none of what is no chain.
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
