//! What a command has to say, and the one place that prints it.

use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::error::Error;

/// What a command has to say on standard output.
#[derive(Debug)]
pub struct Page {
    /// Text, each line ended, or the bytes of a file.
    pub said: Vec<u8>,
    /// What to report after it, such as exact and simulated results that disagree.
    pub trouble: Option<Error>,
}

impl From<String> for Page {
    fn from(text: String) -> Page {
        Page::new(text, None)
    }
}

impl Page {
    /// What is said, and what to report after it.
    pub fn new(said: impl Into<Vec<u8>>, trouble: Option<Error>) -> Page {
        Page { said: said.into(), trouble }
    }

    /// Prints the page. A reader that has seen enough, such as `head`, is no error.
    ///
    /// # Errors
    /// When standard output cannot be written to, and else the trouble of the page.
    pub fn print(self) -> Result<(), Error> {
        let mut out = std::io::stdout().lock();
        let written = out.write_all(&self.said).and_then(|()| out.flush());
        match written {
            Err(source) if source.kind() != ErrorKind::BrokenPipe => {
                Err(Error::io("writing", "standard output")(source))
            }
            _ => self.trouble.map_or(Ok(()), Err),
        }
    }
}

/// What to open first of results in a folder: the page, or the summary of a folder that has none.
pub fn way_in(folder: &Path) -> String {
    let page = folder.join("report.html");
    match page.is_file() {
        true => format!("open {}\n", page.display()),
        false => format!("read {}\n", folder.join("summary.md").display()),
    }
}
