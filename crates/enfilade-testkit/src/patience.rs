//! What hangs, told from what is slow.

use std::time::Duration;

use cpu_time::ThreadTime;

/// Work of this thread after which a test gives up. What is tested so takes milliseconds, or a second where
/// nothing is optimised, so neither the machine nor its load matters; what is square in the length of a file
/// takes hours.
const HANGS: Duration = Duration::from_secs(60);

/// What `work` gives.
///
/// # Panics
/// If it took as long as what hangs.
pub fn finished<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let clock = ThreadTime::now();
    let done = work();
    let took = clock.elapsed();
    assert!(took < HANGS, "{took:?} for {what}");
    done
}
