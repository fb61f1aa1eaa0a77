//! When a contest that can go on for ever is left as it is.

use crate::graph::DieGraph;

/// Rounds after which a contest that can go on for ever is left unsettled.
pub const MAX_ROUNDS: u32 = 10_000;

/// Unsettled probability at which the rounds end early.
pub(super) const SETTLED: f64 = 1e-15;

/// Rounds after which it is asked what can end at all: most contests are over by then.
pub(super) const PATIENT: u32 = 256;

/// Unsettled probability from which on a mean says nothing: what is not over may weigh anything.
pub const OPEN: f64 = 1e-9;

/// Which ports can still come to an ending: all of them, until so many rounds have passed that it pays to ask.
pub(super) struct Ends(Option<Vec<bool>>);

impl Ends {
    pub(super) fn unasked() -> Ends {
        Ends(None)
    }

    /// Asks, when it is time.
    pub(super) fn after(&mut self, round: u32, graph: &DieGraph) {
        if round == PATIENT {
            self.0 = Some(graph.ports_that_end());
        }
    }

    /// Whether what waits can be left as it is: nothing of it, or nothing that will ever end.
    pub(super) fn are_settled(&self, waiting: impl Iterator<Item = f64>) -> bool {
        let can_end = |port: usize| self.0.as_ref().is_none_or(|ends| ends[port]);
        let ending = waiting.enumerate().filter(|(port, _)| can_end(*port));
        ending.fold(0.0, |sum, (_, mass)| sum + mass) <= SETTLED
    }
}
