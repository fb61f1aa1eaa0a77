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

use crate::cancel::CancelToken;
use crate::error::Error;

/// Cancelled by the first signal.
static SIGNAL_CANCEL_TOKEN: CancelToken = CancelToken::new();

/// Whether the next signal ends the program.
static NEXT_SIGNAL_KILLS: AtomicBool = AtomicBool::new(false);

/// Number of the last signal.
static LAST_SIGNAL_NUMBER: AtomicUsize = AtomicUsize::new(0);

/// Exit code of a program that a signal ended, minus the signal's number.
const SIGNAL_EXIT_BASE: i32 = 128;

/// The signals that are handled; a hang-up exists on Unix only.
const HANDLED_SIGNALS: &[i32] = &[
    SIGINT,
    SIGTERM,
    #[cfg(unix)]
    signal_hook::consts::SIGHUP,
];

/// Returns the token that the first signal cancels; until [`let_next_signal_kill`] that signal has
/// no other effect.
///
/// # Errors
/// When signals cannot be caught.
pub(super) fn token_of_first_signal() -> Result<&'static CancelToken, Error> {
    static SIGNAL_HANDLER_RESULT: OnceLock<Result<(), String>> = OnceLock::new();
    let caught = SIGNAL_HANDLER_RESULT
        .get_or_init(|| install_signal_handlers().map_err(|error| error.to_string()));
    let refused = |error| Error::Usage(format!("Ctrl-C cannot be caught: {error}"));
    caught.clone().map_err(refused)?;
    NEXT_SIGNAL_KILLS.store(SIGNAL_CANCEL_TOKEN.is_cancelled(), Ordering::SeqCst);
    Ok(&SIGNAL_CANCEL_TOKEN)
}

/// Makes the next signal end the program at once.
pub(super) fn let_next_signal_kill() {
    NEXT_SIGNAL_KILLS.store(true, Ordering::SeqCst);
}

fn install_signal_handlers() -> io::Result<()> {
    for &request in HANDLED_SIGNALS {
        // In this order: the signal that arms the end does not end the program itself.
        flag::register_conditional_shutdown(
            request,
            SIGNAL_EXIT_BASE + request,
            &NEXT_SIGNAL_KILLS,
        )?;
        flag::register(request, &NEXT_SIGNAL_KILLS)?;
        flag::register(request, SIGNAL_CANCEL_TOKEN.as_flag())?;
        flag::register_usize(request, &LAST_SIGNAL_NUMBER, request.unsigned_abs() as usize)?;
    }
    Ok(())
}

/// Makes a file size limit an error of the writer, like a full disk, instead of the end of the
/// program.
pub fn turn_size_limit_into_error() {
    #[cfg(unix)]
    {
        static TIME_LIMIT_EXCEEDED: AtomicBool = AtomicBool::new(false);
        // If the signal cannot be caught it ends the program, as by default.
        let _ = flag::register(signal_hook::consts::SIGXFSZ, &TIME_LIMIT_EXCEEDED);
    }
}

/// The exit code of a program that ends with `error`: that of an interruption contains the signal.
pub fn exit_code_of_error(error: &Error) -> u8 {
    match (error, LAST_SIGNAL_NUMBER.load(Ordering::SeqCst)) {
        (Error::Interrupted(_), signal @ 1..) => {
            u8::try_from(SIGNAL_EXIT_BASE as usize + signal).unwrap_or(u8::MAX)
        }
        _ => error.exit_code(),
    }
}
