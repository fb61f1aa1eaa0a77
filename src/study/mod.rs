//! The questions: experiment files, their grids of cells, and the answer to each cell.

pub mod answer;
pub mod assemble;
pub mod balance;
pub mod cells;
pub mod compare;
pub mod dice_law;
mod estimate;
pub mod experiment;
pub mod fingerprint;
pub mod flow;
pub mod grid;
pub mod journal;
mod keeper;
mod known;
mod line;
pub mod params;
pub mod read;
pub mod record;
pub mod refusal;
pub mod sample;
pub mod schema;
pub mod search;
pub mod shelf;
pub mod solve;
pub mod source;
pub mod sweep;
pub mod verify;
