//! Three ways to play one rule: exactly, by counts, and one trial at a time.
//!
//! The [die graph](graph) replays a rule with every face of every die. [exact](mod@exact) pushes
//! probability through the graph, and [simulated](simulate) pushes counts of trials through it and
//! really rolls the dice. [played](play) rolls one trial at a time and uses no graph. Where a graph
//! would be too large, `frontier` carries both through the states of the rule. The three must
//! agree.

pub mod cancel;
pub mod error;
pub mod exact;
#[doc(hidden)]
pub mod frontier;
pub mod graph;
pub mod odds;
#[cfg(feature = "trials")]
pub mod play;
#[cfg(feature = "trials")]
pub mod random_stream;
#[cfg(feature = "trials")]
pub mod simulate;
#[cfg(feature = "trials")]
#[doc(hidden)]
pub mod work_units;
