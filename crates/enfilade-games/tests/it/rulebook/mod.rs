//! Rulebook files that ship, beside the built-in games and their oracles.

mod assault_aic;
mod chance;
mod house;
mod mixed_d20;
mod references;
mod retold;
mod retold_contests;
mod shipped;
