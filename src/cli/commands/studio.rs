//! `enfilade studio`.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::catalogue::Catalogue;
use crate::cli::command_output::OutputAndError;
use crate::cli::error_report;
use crate::cli::signals;
use crate::error::{Error, FileError};
use crate::plain_file;
use crate::studio::{PATIENT_TIME_LIMIT, Studio, StudioOptions};
use clap::Args;

/// Open the studio in the browser: odds while you type
///
/// Opens a page that this program serves, on this machine and for you alone. The studio works on
/// the files of a folder, the same as the command line; a missing folder is created. Ctrl-C ends
/// it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade studio my_game")]
pub struct StudioArgs {
    /// The folder with experiments and rulebooks; created if missing
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// The port to listen on [default: one that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Print the address only: open no browser
    #[arg(long)]
    no_browser: bool,
    /// Time limit of an answer while you type, in milliseconds; longer ones are offered as a
    /// simulation
    #[arg(long, value_name = "MS", default_value_t = 250)]
    budget: u64,
    /// End when no page has been open for this many seconds
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "60")]
    exit_when_closed: Option<u64>,
    /// Threads to use [default: one per processor]
    #[arg(long, value_name = "N", value_parser = crate::cli::args::parse_thread_count)]
    threads: Option<usize>,
}

impl StudioArgs {
    /// Serves until Ctrl-C.
    ///
    /// # Errors
    /// When the folder or the port is unavailable.
    pub fn run_studio(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let is_new = create_folder_if_missing(&self.folder)?;
        let budget = Duration::from_millis(self.budget);
        let terms = StudioOptions {
            folder: self.folder.clone(),
            port: self.port,
            budget,
            patient_budget: budget.max(PATIENT_TIME_LIMIT),
            threads: self.threads,
            idle_limit: self.exit_when_closed.map(Duration::from_secs),
        };
        let studio = Studio::open_with_catalogue(catalogue, &terms)?;
        let halt = signals::token_of_first_signal()?;
        let address = studio.url_with_token();
        let folder = self.folder.display();
        let new = if is_new { format!("The folder {folder} is new.\n") } else { String::new() };
        let text = format!("Enfilade studio: {address}\n{new}Ctrl-C ends it.\n");
        OutputAndError::from(text).print_output()?;
        if !self.no_browser {
            open_page_in_browser(&studio, &address);
        }
        studio.serve_until_idle(halt)?;
        signals::let_next_signal_kill();
        Ok(OutputAndError::from(String::new()))
    }
}

/// Creates the folder if it is missing; returns whether it did. Its parent is not created: a slip
/// of the pen would leave a row of folders.
fn create_folder_if_missing(folder: &Path) -> Result<bool, Error> {
    let failed = |what, source| FileError::io_error_converter(what, folder)(source);
    match std::fs::create_dir(folder) {
        Ok(()) => Ok(true),
        // A link to a folder counts as a folder.
        Err(_) if folder.is_dir() => Ok(false),
        Err(why) if why.kind() == ErrorKind::AlreadyExists => {
            let why = format!("{} is a file: name a folder for the studio", folder.display());
            Err(Error::Usage(why))
        }
        Err(why) => Err(Error::File(failed("making the folder", why))),
    }
}

/// Opens the browser at a file that leads to the address: every user of the machine could read the
/// secret on the command line of a browser, but not in a private file.
fn open_page_in_browser(studio: &Studio, address: &str) {
    // Only its owner can read the folder, and it is removed with the studio.
    let file = studio.private_scratch_folder().join("studio.html");
    let page = format!(
        "<!doctype html><meta charset=\"utf-8\"><title>Enfilade studio</title>\
         <meta http-equiv=\"refresh\" content=\"0;url={address}\">\
         <p><a href=\"{address}\">Open the studio</a>"
    );
    let opened = plain_file::write_new_file(&file, &page).and_then(|()| open::that_detached(&file));
    if let Err(why) = opened {
        error_report::write_remark_to_stderr(&format!(
            "no browser could be opened ({why}); open the address yourself"
        ));
    }
}
