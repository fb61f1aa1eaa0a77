//! Solved blocks of a large grid, a line each, so that an interrupted run goes on at the block
//! where it stopped.
//!
//! The first line is that of a journal. Each further line has the name of the run, the first cell
//! of the block, the solution of every cell, nothing rounded, and a hash of the line before it.
//! Lines are read one by one: memory does not grow with their number. The first line that is
//! missing, damaged, of another run or another block ends what is believed; the file is cut there
//! when the next block is added.

#[cfg(feature = "files")]
mod disk;
#[cfg(not(feature = "files"))]
mod nothing;
#[cfg_attr(not(feature = "files"), allow(dead_code, reason = "only a disk is read"))]
mod saved_cell_text;

#[cfg(feature = "files")]
pub use disk::CellBlockLog;
#[cfg(feature = "files")]
pub(crate) use disk::lines_after_head;
#[cfg(not(feature = "files"))]
pub use nothing::CellBlockLog;
pub(crate) use saved_cell_text::{SavedSolutionOrRefusal, encode_saved_cell};
