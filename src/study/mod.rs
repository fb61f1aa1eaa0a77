//! The questions: experiment files, their grids of cells, and the answer to each cell.

pub mod answer;
pub mod experiment;
