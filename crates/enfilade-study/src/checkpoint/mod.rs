//! Checkpoints of interrupted work: the journal of a run, and the encoding of its records.

#[doc(hidden)]
pub mod block_log;
#[cfg(feature = "files")]
#[doc(hidden)]
pub mod cell_value_log;
#[cfg(feature = "files")]
pub(crate) mod hashed_line;
pub mod journal;
pub(crate) mod periodic_save;
#[cfg_attr(not(feature = "files"), allow(dead_code, reason = "only a disk is read"))]
pub(crate) mod record_codec;
pub mod run_journal;
