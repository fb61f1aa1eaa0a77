//! `enfilade page`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::bounds::MAX_INPUT_BYTES;
use crate::cli::command_output::CommandOutput;
use crate::error::{Error, FileError};
use crate::plain_file;
use crate::studio::html;

/// The module that was there when this program was built.
#[cfg(has_module)]
const MODULE: Option<&[u8]> = Some(include_bytes!(env!("ENFILADE_MODULE_FILE")));
#[cfg(not(has_module))]
const MODULE: Option<&[u8]> = None;

/// Bytes of the largest module.
const LARGEST: u64 = 64 << 20;

/// Write the studio as one HTML file that computes: with nothing to install and no network
///
/// The page has the engine in it. It opens in any browser, from a disk, a mail or a web space, and answers as this
/// program does. With files it brings these and opens the first; without any it is the whole studio. It cannot send
/// anything anywhere.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade page --live --out studio.html
  enfilade page fire.toml my_game.rules --live --out fire.html")]
pub struct LivePage {
    /// Experiments, arsenals, rulebooks and tables that the page brings
    files: Vec<PathBuf>,
    /// Put the engine into the page
    #[arg(long, required = true)]
    live: bool,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The packed module to put into it, enfilade.wasm.gz [default: the one in this program]
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
}

impl LivePage {
    /// Writes the page.
    ///
    /// # Errors
    /// When there is no module, a file cannot be read, or the page cannot be written.
    pub fn run(&self) -> Result<CommandOutput, Error> {
        let files = self.files.iter().map(|path| brought(path)).collect::<Result<Vec<_>, _>>()?;
        if let Some(twice) = twice(&files) {
            let why = format!("two files are called {twice}: rename one, a page has one folder");
            return Err(Error::Usage(why));
        }
        let page = html(&self.module()?, &files);
        fs::write(&self.out, &page).map_err(FileError::map_io("writing", &self.out))?;
        let bytes = page.len();
        Ok(CommandOutput::from(format!("open {} ({bytes} bytes)\n", self.out.display())))
    }

    fn module(&self) -> Result<Vec<u8>, Error> {
        match (&self.module, MODULE) {
            (Some(path), _) => Ok(plain_file::read(path, LARGEST)
                .map_err(|refusal| refusal.into_error(&path.display().to_string(), path))?),
            (None, Some(module)) => Ok(module.to_vec()),
            (None, None) => Err(Error::Usage(
                "this program was built without the module of the page: name one with --module \
                 enfilade.wasm.gz, which packaging/page makes and every release carries"
                    .to_owned(),
            )),
        }
    }
}

/// A file by its plain name, and its text.
fn brought(path: &Path) -> Result<(String, String), Error> {
    let shown = path.display().to_string();
    let bytes = plain_file::read(path, MAX_INPUT_BYTES)
        .map_err(|refusal| refusal.into_error(&shown, path))?;
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| Error::Usage(format!("{shown}: it is no text in UTF-8")))?;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
    match crate::studio::plain(&name) {
        Ok(()) => Ok((name, text)),
        Err(why) => Err(Error::Usage(format!("{shown}: {why}"))),
    }
}

/// A name that two of the files have.
fn twice(files: &[(String, String)]) -> Option<&str> {
    let mut names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}
