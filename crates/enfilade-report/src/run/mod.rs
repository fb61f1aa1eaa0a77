//! What a run leaves behind: a folder, or lines as they come.

#[cfg(feature = "files")]
pub(crate) mod run_folder;
pub mod streaming_output;
#[cfg(feature = "files")]
pub mod streaming_run;
