//! Experiments: their files, their grids of cells, and the answer of each cell.

pub mod answer;
pub mod checkpoint;
pub mod comparison;
pub mod cross_check;
pub mod error;
pub mod experiment;
pub mod file;
#[doc(hidden)]
pub mod fingerprint;
pub mod follow_up;
#[doc(hidden)]
pub mod grid;
#[doc(hidden)]
pub mod parameters;
#[doc(hidden)]
pub mod question;
#[doc(hidden)]
pub mod samples;
#[doc(hidden)]
pub mod schema;
pub mod search;
pub mod solve;
#[doc(hidden)]
pub mod strategy;
pub mod sweep;
pub mod trade_off;
