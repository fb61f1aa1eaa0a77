//! What a studio is told when it starts.

use std::path::PathBuf;
use std::time::Duration;

/// What a studio is told when it starts.
#[derive(Debug)]
pub struct Terms {
    /// The folder whose files it opens.
    pub folder: PathBuf,
    /// The port to listen on; 0 for any that is free.
    pub port: u16,
    /// How long an answer may take that was asked by typing.
    pub budget: Duration,
    /// Threads that work; one per processor where nothing is said.
    pub threads: Option<usize>,
    /// How long it goes on when no page is open; until it is stopped where nothing is said.
    pub alone: Option<Duration>,
}
