//! `enfilade studio`.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::page::Page;
use super::{failure, signals};
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::plain_file;
use crate::studio::{Studio, Terms};
use clap::Args;

/// Ask in the browser: the odds while you type
///
/// Opens a page that this program serves, on this machine and for nobody else. It works on the files of
/// a folder, which are the same as on the command line; a folder that is not there yet is made. Ctrl-C
/// ends it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade studio my_game")]
pub struct Desk {
    /// The folder with experiments and rulebooks; made where there is none
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// The port to listen on [default: one that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Print the address only: open no browser
    #[arg(long)]
    no_browser: bool,
    /// How many milliseconds an answer may take while one types; what takes longer is offered to be
    /// simulated
    #[arg(long, value_name = "MS", default_value_t = 250)]
    budget: u64,
    /// End when no page has been open for so many seconds
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "60")]
    exit_when_closed: Option<u64>,
    /// Threads to use [default: one per processor]
    #[arg(long, value_name = "N", value_parser = super::options::threads)]
    threads: Option<usize>,
}

impl Desk {
    /// Serves until Ctrl-C.
    ///
    /// # Errors
    /// When the folder or the port is not to be had.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let is_new = made(&self.folder)?;
        let terms = Terms {
            folder: self.folder.clone(),
            port: self.port,
            budget: Duration::from_millis(self.budget),
            threads: self.threads,
            alone: self.exit_when_closed.map(Duration::from_secs),
        };
        let studio = Studio::open(catalogue, &terms)?;
        let halt = signals::patient()?;
        let address = studio.address();
        let folder = self.folder.display();
        let new = if is_new { format!("The folder {folder} is new.\n") } else { String::new() };
        let told = format!("Enfilade studio: {address}\n{new}Ctrl-C ends it.\n");
        Page::from(told).print()?;
        if !self.no_browser {
            opened(&studio, &address);
        }
        studio.serve(halt)?;
        signals::impatient();
        Ok(Page::from(String::new()))
    }
}

/// Makes the folder where there is none; whether it did. One that it would stand in is not made: a slip of the pen
/// would leave a row of folders.
fn made(folder: &Path) -> Result<bool, Error> {
    let failed = |what, source| Error::Io { what, path: folder.to_owned(), source };
    match std::fs::create_dir(folder) {
        Ok(()) => Ok(true),
        // A link to a folder is one.
        Err(_) if folder.is_dir() => Ok(false),
        Err(why) if why.kind() == ErrorKind::AlreadyExists => {
            let why = format!("{} is a file, and a studio works in a folder", folder.display());
            Err(Error::Usage(why))
        }
        Err(why) => Err(failed("making the folder", why)),
    }
}

/// Opens the browser at a file that leads to the address: on the command line of a browser the secret
/// could be read by every user of the machine, in a file of ours it cannot.
fn opened(studio: &Studio, address: &str) {
    // The folder can be read by its owner only, and goes with the studio.
    let file = studio.folder().join("studio.html");
    let page = format!(
        "<!doctype html><meta charset=\"utf-8\"><title>Enfilade studio</title>\
         <meta http-equiv=\"refresh\" content=\"0;url={address}\">\
         <p><a href=\"{address}\">Open the studio</a>"
    );
    let opened = plain_file::write_new(&file, &page).and_then(|()| open::that_detached(&file));
    if let Err(why) = opened {
        failure::remark(&format!("no browser could be opened ({why}); open the address yourself"));
    }
}
