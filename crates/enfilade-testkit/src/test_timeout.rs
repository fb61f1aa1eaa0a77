//! Time limit of tests, which separates hanging work from slow work.

use std::time::Duration;

use cpu_time::ThreadTime;

/// The work of a thread, in processor time, after which a test fails. Tested work takes
/// milliseconds, or a second in unoptimised builds, so that neither the machine nor its load
/// matters; work that is quadratic in the length of a file takes hours.
const TEST_TIME_LIMIT: Duration = Duration::from_secs(60);

/// Returns the result of `work`.
///
/// # Panics
/// If the work took longer than the limit.
pub fn finish_in_time<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let clock = ThreadTime::now();
    let done = work();
    let took = clock.elapsed();
    assert!(took < TEST_TIME_LIMIT, "{took:?} for {what}");
    done
}
