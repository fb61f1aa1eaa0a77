//! Three ways to play one rule: exactly, by counts, and one trial at a time.
//!
//! The [die graph](graph) replays a rule with every face of every die; [exact](mod@exact) pushes probability
//! through the graph, [simulated](simulate) pushes counts of trials through it and really rolls the dice;
//! [played](play) rolls one trial at a time and knows no graph. Where a graph would be too large, `waves` carry both through
//! the states of the rule. The three must agree.

pub mod exact;
pub mod graph;
pub mod halt;
pub mod odds;
#[cfg(feature = "trials")]
#[doc(hidden)]
pub mod pieces;
#[cfg(feature = "trials")]
pub mod play;
#[cfg(feature = "trials")]
pub mod simulate;
#[cfg(feature = "trials")]
pub mod stream;
#[doc(hidden)]
pub mod waves;
