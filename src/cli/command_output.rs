//! The output of a command, and the one place that prints it.

use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::error::{Error, FileError};

/// The output of a command on standard output.
#[derive(Debug)]
pub struct OutputAndError {
    /// Text, each line ended, or the bytes of a file.
    pub output: Vec<u8>,
    /// The error to report after it, such as exact and simulated results that disagree.
    pub error: Option<Error>,
}

impl From<String> for OutputAndError {
    fn from(text: String) -> OutputAndError {
        OutputAndError::new(text, None)
    }
}

impl OutputAndError {
    /// Creates an output, with the error to report after it.
    pub fn new(text: impl Into<Vec<u8>>, error: Option<Error>) -> OutputAndError {
        OutputAndError { output: text.into(), error }
    }

    /// Prints the output. A reader that closes early, such as `head`, is no error.
    ///
    /// # Errors
    /// When standard output cannot be written to, and else the error of the output.
    pub fn print_output(self) -> Result<(), Error> {
        let mut out = std::io::stdout().lock();
        let written = out.write_all(&self.output).and_then(|()| out.flush());
        match written {
            Err(source) if source.kind() != ErrorKind::BrokenPipe => Err(Error::File(
                FileError::io_error_converter("writing", "standard output")(source),
            )),
            _ => self.error.map_or(Ok(()), Err),
        }
    }
}

/// Returns the file to open first in a folder of results: the page, or the summary if there is no
/// page.
pub fn file_to_open_hint(folder: &Path) -> String {
    let page = folder.join("report.html");
    match page.is_file() {
        true => format!("open {}\n", page.display()),
        false => format!("read {}\n", folder.join("summary.md").display()),
    }
}
