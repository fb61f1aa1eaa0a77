//! Ctrl-C, and the other signals by which a system asks a program to end.
//!
//! While cells are answered the first signal stops the work at the next piece, so that finished
//! work can be saved. A second one ends the program at once, and so does the first outside that
//! work: files are written so that none is left half written.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::cancel::Halt;
use crate::error::Error;

/// Cancelled by the first signal.
static HALT: Halt = Halt::new();

/// Whether the next signal ends the program.
static NEXT_ENDS: AtomicBool = AtomicBool::new(false);

/// Number of the last signal.
static LAST: AtomicUsize = AtomicUsize::new(0);

/// Exit code of a program that a signal ended, minus the signal's number.
const SIGNALLED: i32 = 128;

/// The signals that are handled; a hang-up exists on Unix only.
const REQUESTS: &[i32] = &[
    SIGINT,
    SIGTERM,
    #[cfg(unix)]
    signal_hook::consts::SIGHUP,
];

/// Returns the token that the first signal cancels; until [`impatient`] that signal has no other
/// effect.
///
/// # Errors
/// When signals cannot be caught.
pub(super) fn patient() -> Result<&'static Halt, Error> {
    static CAUGHT: OnceLock<Result<(), String>> = OnceLock::new();
    let caught = CAUGHT.get_or_init(|| catch().map_err(|error| error.to_string()));
    let refused = |error| Error::Usage(format!("Ctrl-C cannot be caught: {error}"));
    caught.clone().map_err(refused)?;
    NEXT_ENDS.store(HALT.asked(), Ordering::SeqCst);
    Ok(&HALT)
}

/// Makes the next signal end the program at once.
pub(super) fn impatient() {
    NEXT_ENDS.store(true, Ordering::SeqCst);
}

fn catch() -> io::Result<()> {
    for &request in REQUESTS {
        // In this order: the signal that arms the end does not end the program itself.
        flag::register_conditional_shutdown(request, SIGNALLED + request, &NEXT_ENDS)?;
        flag::register(request, &NEXT_ENDS)?;
        flag::register(request, HALT.flag())?;
        flag::register_usize(request, &LAST, request.unsigned_abs() as usize)?;
    }
    Ok(())
}

/// Makes a file size limit an error of the writer, like a full disk, instead of the end of the
/// program.
pub fn survive_quotas() {
    #[cfg(unix)]
    {
        static TOO_LONG: AtomicBool = AtomicBool::new(false);
        // If the signal cannot be caught it ends the program, as by default.
        let _ = flag::register(signal_hook::consts::SIGXFSZ, &TOO_LONG);
    }
}

/// The exit code of a program that ends with `error`: that of an interruption contains the signal.
pub fn exit_code(error: &Error) -> u8 {
    match (error, LAST.load(Ordering::SeqCst)) {
        (Error::Interrupted(_), signal @ 1..) => {
            u8::try_from(SIGNALLED as usize + signal).unwrap_or(u8::MAX)
        }
        _ => error.exit_code(),
    }
}
