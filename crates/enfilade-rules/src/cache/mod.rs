//! Programs and graphs that contests share.

pub(crate) mod contest_numbers;
pub(crate) mod contest_reads;
pub(crate) mod program_cache;
pub(crate) mod shared_graphs;
