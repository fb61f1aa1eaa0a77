//! Work that was interrupted goes on: the journal of a run, and how its records are written.

#[doc(hidden)]
pub mod block_log;
pub mod journal;
pub(crate) mod periodic_save;
#[cfg_attr(not(feature = "files"), allow(dead_code, reason = "only a disk is read"))]
pub(crate) mod record_codec;
pub mod run_journal;
