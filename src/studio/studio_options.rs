//! Options of a studio.

use std::path::PathBuf;
use std::time::Duration;

/// Options of a studio.
#[derive(Debug)]
pub struct StudioOptions {
    /// The folder whose files it opens.
    pub folder: PathBuf,
    /// The port to listen on; 0 for any that is free.
    pub port: u16,
    /// Time limit of an answer while the user types.
    pub budget: Duration,
    /// Time limit of an answer that the user waits for: a file to save, odds that took too long.
    pub patient_budget: Duration,
    /// Number of threads; one per processor by default.
    pub threads: Option<usize>,
    /// Time without an open page after which it ends; unlimited by default.
    pub idle_limit: Option<Duration>,
}
