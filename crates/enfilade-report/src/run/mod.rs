//! Output of a run: a folder, or a stream of lines.

#[cfg(feature = "files")]
pub(crate) mod run_folder;
pub mod streaming_output;
#[cfg(feature = "files")]
pub mod streaming_run;
