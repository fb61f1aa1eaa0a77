//! Trials already made, kept on disk while a run is under way.
//!
//! The first line says whose file it is and which build of the program wrote it. Each finished
//! cell is a line of JSON, appended; so is, every few seconds, what has been made of a cell under
//! way, with the pieces of work that it is. A line carries the trials that were asked for and a hash
//! of itself. A run that was interrupted, or crashed, finds the lines there when it is started again
//! and does not make the trials a second time. A line that was cut off or altered, or that another
//! build wrote, is left out. The journal of a run that came to its end is removed.

#[cfg(feature = "files")]
mod disk;
mod names;
#[cfg(not(feature = "files"))]
mod nothing;

#[cfg(feature = "files")]
pub(crate) use disk::head_line;
#[cfg(feature = "files")]
pub use disk::{Journal, is_journal};
pub use names::{BuildId, HIDDEN, JOURNAL};
#[cfg(not(feature = "files"))]
pub use nothing::Journal;
