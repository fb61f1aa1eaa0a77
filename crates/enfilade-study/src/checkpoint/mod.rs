//! Checkpoints of interrupted work: the journal of a run, and the encoding of its records.

pub mod journal;
pub(crate) mod periodic_save;
#[cfg(feature = "files")]
pub(crate) mod record_codec;
