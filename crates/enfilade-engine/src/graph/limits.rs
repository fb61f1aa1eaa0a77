//! How much of a contest is compiled before it is refused.

use enfilade_model::error::TooLarge;

/// How large a contest may become before it is refused.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most states.
    pub states: usize,
    /// Most nodes.
    pub nodes: usize,
    /// Most sequences of faces replayed, over all states: bounds the time to compile.
    pub sequences: usize,
}

impl Default for Limits {
    /// Half a gigabyte and some ten seconds at the most.
    fn default() -> Self {
        Limits { states: 1 << 20, nodes: 1 << 22, sequences: 1 << 28 }
    }
}

pub(super) fn within(count: usize, limit: usize, what: &'static str) -> Result<(), TooLarge> {
    if count <= limit {
        return Ok(());
    }
    Err(TooLarge::new(what, limit))
}
