//! The questions: experiment files, their grids of cells, and the answer to each cell.

pub mod answer;
pub mod balance;
pub mod compare;
pub mod dice_law;
mod estimate;
pub mod experiment;
pub mod fingerprint;
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
pub mod shelf;
pub mod solve;
pub mod source;
pub mod verify;
