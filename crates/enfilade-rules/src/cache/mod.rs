//! Programs and graphs that contests share.

pub(crate) mod program_cache;
pub(crate) mod shared_graphs;
