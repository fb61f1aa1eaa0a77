//! How much of a contest is compiled before it is refused.

use enfilade_model::error::TooLarge;

/// How large a contest may become before it is refused.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most states.
    pub states: usize,
    /// Most states of a contest that may go on for ever, where that is more: nothing but a graph tells what it comes to.
    pub endless: usize,
    /// Most nodes.
    pub nodes: usize,
    /// Most sequences of faces replayed, over all states: bounds the time to compile.
    pub sequences: usize,
}

impl Default for Limits {
    /// Half a gigabyte and some ten seconds at the most.
    fn default() -> Self {
        Limits { states: 1 << 20, endless: 0, nodes: 1 << 22, sequences: 1 << 28 }
    }
}

pub(super) fn within(count: usize, limit: usize, what: &'static str) -> Result<(), TooLarge> {
    if count <= limit {
        return Ok(());
    }
    Err(TooLarge::new(what, limit))
}
