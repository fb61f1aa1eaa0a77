//! Ctrl-C, and the other ways in which a system asks a program to end.
//!
//! While cells are answered the first request stops the work at the next piece, so that what is
//! finished can be kept. A second one ends the program at once, and so does the first outside that
//! work: files are written so that nothing is half there whenever it ends.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::cancel::Halt;
use crate::error::Error;

/// Asked by the first request.
static HALT: Halt = Halt::new();

/// Whether the next request ends the program.
static NEXT_ENDS: AtomicBool = AtomicBool::new(false);

/// Number of the last request.
static LAST: AtomicUsize = AtomicUsize::new(0);

/// Exit code of a program that a signal ended, less the signal's number.
const SIGNALLED: i32 = 128;

/// The requests that are answered; a hang-up is known on Unix only.
const REQUESTS: &[i32] = &[
    SIGINT,
    SIGTERM,
    #[cfg(unix)]
    signal_hook::consts::SIGHUP,
];

/// What the first request asks to stop; from here until [`impatient`] it ends nothing else.
///
/// # Errors
/// When requests cannot be caught.
pub(super) fn patient() -> Result<&'static Halt, Error> {
    static CAUGHT: OnceLock<Result<(), String>> = OnceLock::new();
    let caught = CAUGHT.get_or_init(|| catch().map_err(|error| error.to_string()));
    let refused = |error| Error::Usage(format!("Ctrl-C cannot be caught: {error}"));
    caught.clone().map_err(refused)?;
    NEXT_ENDS.store(HALT.asked(), Ordering::SeqCst);
    Ok(&HALT)
}

/// The next request ends the program at once.
pub(super) fn impatient() {
    NEXT_ENDS.store(true, Ordering::SeqCst);
}

fn catch() -> io::Result<()> {
    for &request in REQUESTS {
        // In this order: the request that arms the end is not the one that it ends.
        flag::register_conditional_shutdown(request, SIGNALLED + request, &NEXT_ENDS)?;
        flag::register(request, &NEXT_ENDS)?;
        flag::register(request, HALT.flag())?;
        flag::register_usize(request, &LAST, request.unsigned_abs() as usize)?;
    }
    Ok(())
}

/// A file that may grow no further becomes an error of its writer, like a full disk, instead of the
/// end of the program.
pub fn survive_quotas() {
    #[cfg(unix)]
    {
        static TOO_LONG: AtomicBool = AtomicBool::new(false);
        // Where it cannot be caught it ends the program, as it did.
        let _ = flag::register(signal_hook::consts::SIGXFSZ, &TOO_LONG);
    }
}

/// The exit code of a program that ends with `error`: an interrupted one says by which signal.
pub fn exit_code(error: &Error) -> u8 {
    match (error, LAST.load(Ordering::SeqCst)) {
        (Error::Interrupted(_), signal @ 1..) => {
            u8::try_from(SIGNALLED as usize + signal).unwrap_or(u8::MAX)
        }
        _ => error.exit_code(),
    }
}
