//! The questions: experiment files, their grids of cells, and the answer to each cell.

pub mod answer;
#[doc(hidden)]
pub mod assemble;
#[doc(hidden)]
pub mod cells;
pub mod chain;
pub mod compare;
mod edge;
#[cfg(feature = "edit")]
pub mod edit;
mod estimate;
pub mod experiment;
#[doc(hidden)]
pub mod fingerprint;
#[doc(hidden)]
pub mod flow;
#[doc(hidden)]
pub mod forecast;
#[doc(hidden)]
pub mod grid;
pub mod journal;
mod keeper;
mod known;
#[doc(hidden)]
pub mod left_out;
#[cfg(feature = "files")]
mod line;
#[doc(hidden)]
pub mod literal;
mod pace;
#[doc(hidden)]
pub mod params;
#[doc(hidden)]
pub mod question;
#[doc(hidden)]
pub mod read;
#[doc(hidden)]
pub mod reader;
#[doc(hidden)]
pub mod record;
#[doc(hidden)]
pub mod refusal;
#[doc(hidden)]
pub mod relative;
#[doc(hidden)]
pub mod sample;
#[doc(hidden)]
pub mod schema;
pub mod search;
pub mod settings;
#[doc(hidden)]
pub mod shelf;
pub mod solve;
#[doc(hidden)]
pub mod source;
#[doc(hidden)]
pub mod sweep;
pub mod verify;
#[doc(hidden)]
pub mod work;
pub mod worth;
