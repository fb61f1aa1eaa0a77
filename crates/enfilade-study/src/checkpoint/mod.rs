//! Work that was interrupted goes on: the journal of a run, and how its records are written.

pub mod journal;
pub(crate) mod periodic_save;
#[cfg(feature = "files")]
pub(crate) mod record_codec;
