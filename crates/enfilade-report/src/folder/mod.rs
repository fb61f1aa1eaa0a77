//! Folders of results: claimed, written, sealed, and verified.

pub mod archived_rules;
#[cfg(feature = "files")]
mod file_system;
#[cfg(feature = "files")]
mod folder_claim;
pub mod manifest;
#[cfg(feature = "files")]
pub mod manifest_listing;
#[cfg(feature = "files")]
mod manifest_seal;
#[cfg(all(feature = "files", feature = "parquet"))]
pub(crate) mod manifest_sums;
#[cfg(feature = "files")]
mod single_file;
#[cfg(feature = "files")]
pub mod staging;
#[cfg(feature = "files")]
pub(crate) mod verify_folder;
pub(crate) mod written_file;
