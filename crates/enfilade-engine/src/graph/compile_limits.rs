//! Limits of compilation.

use enfilade_model::error::TooManyStatesOrDice;

/// Largest size of a contest that is compiled.
#[derive(Clone, Copy, Debug)]
pub struct CompiledContestLimits {
    /// Largest number of states.
    pub states: usize,
    /// Largest number of states of a contest that may never end, if that is more: only a graph
    /// determines its result.
    pub endless: usize,
    /// Largest number of nodes.
    pub nodes: usize,
    /// Largest number of face sequences over all states: bounds the time to compile.
    pub sequences: usize,
}

impl Default for CompiledContestLimits {
    /// Returns limits of half a gigabyte and some ten seconds.
    fn default() -> Self {
        CompiledContestLimits { states: 1 << 20, endless: 0, nodes: 1 << 22, sequences: 1 << 28 }
    }
}

pub(super) fn check_size_limit(
    count: usize,
    limit: usize,
    what: &'static str,
) -> Result<(), TooManyStatesOrDice> {
    if count <= limit {
        return Ok(());
    }
    Err(TooManyStatesOrDice::new(what, limit))
}
