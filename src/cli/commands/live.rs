//! `enfilade page`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::site;
use crate::bounds::MAX_INPUT_BYTES;
use crate::catalogue::Catalogue;
use crate::cli::args::ExtraRulebookArgs;
use crate::cli::args::engine_args::PageEngineModuleArgs;
use crate::cli::command_output::OutputAndError;
use crate::error::{Error, FileError};
use crate::plain_file;
use crate::studio::build_standalone_page;
use crate::study::file::edit::with_renamed_rulebooks;
use crate::study::file::source_document::SourceInput;

/// Write the studio as one HTML file that computes odds without a server or a network
///
/// The page contains the engine. It opens in any browser, from a disk, a mail or a web server, and
/// gives the answers of this program. With files it contains these and opens the first; without any
/// it is the whole studio. It cannot send anything anywhere.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade page --live --out studio.html
  enfilade page fire.toml my_game.rules --live --out fire.html
  enfilade page --site public --url https://example.org/odds")]
pub struct StudioFileArgs {
    /// Experiments, arsenals, rulebooks and tables to put into the page
    files: Vec<PathBuf>,
    /// Put the engine into the page
    #[arg(long, required_unless_present = "site")]
    live: bool,
    /// The file to write
    #[arg(long, value_name = "FILE", required_unless_present = "site")]
    out: Option<PathBuf>,
    /// Write a site into this folder instead, for any web space: the studio, a gallery, the
    /// documentation
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "files"])]
    site: Option<PathBuf>,
    /// The address of the site, for the pictures that chat programs show of its links
    #[arg(long, value_name = "URL", requires = "site")]
    url: Option<String>,
    #[command(flatten)]
    engine: PageEngineModuleArgs,
}

impl StudioFileArgs {
    /// Writes the page.
    ///
    /// # Errors
    /// When there is no module, a file cannot be read, or the page cannot be written.
    pub fn write_studio_page(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        if let Some(folder) = &self.site {
            return self.write_site(folder, catalogue);
        }
        let files = self.read_files_and_rulebooks(catalogue)?;
        if let Some(twice) = find_duplicate_name(&files) {
            let why =
                format!("two files are named {twice}: rename one, because the page has one folder");
            return Err(Error::Usage(why));
        }
        let page = build_standalone_page(&self.engine.read_modules_or_built_in()?, &files);
        let out = self.out.clone().unwrap_or_default();
        fs::write(&out, &page).map_err(FileError::io_error_converter("writing", &out))?;
        let bytes = page.len();
        Ok(OutputAndError::from(format!("open {} ({bytes} bytes)\n", out.display())))
    }

    fn write_site(&self, folder: &Path, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let address = self.url.as_deref().unwrap_or_default();
        if !address.is_empty()
            && !address.starts_with("https://")
            && !address.starts_with("http://")
        {
            let why = format!("--url {address}: not the address of a site; begin it with https://");
            return Err(Error::Usage(why));
        }
        let count =
            site::write_site(folder, self.engine.read_modules_or_built_in()?, address, catalogue)?;
        let shown = folder.display();
        Ok(OutputAndError::from(format!(
            "{shown}: {count} files; copy the folder to a web space\n"
        )))
    }

    /// Reads the given files, and the rulebooks that experiments among them name: each under its
    /// plain name, as the page has one folder.
    fn read_files_and_rulebooks(
        &self,
        catalogue: &Catalogue,
    ) -> Result<Vec<(String, String)>, Error> {
        let mut files = Vec::new();
        for path in &self.files {
            let (name, mut text) = read_named_file(path)?;
            let mut beside = Vec::new();
            if name.ends_with(".toml") {
                beside = read_and_rename_rulebooks(path, &mut text, catalogue)?;
            }
            files.push((name, text));
            beside.retain(|file| !files.contains(file));
            files.extend(beside);
        }
        // A file that is given as well as named is one file.
        let mut once: Vec<(String, String)> = Vec::new();
        for file in files {
            if !once.contains(&file) {
                once.push(file);
            }
        }
        Ok(once)
    }
}

/// A file by its plain name, and its text.
fn read_named_file(path: &Path) -> Result<(String, String), Error> {
    let shown = path.display().to_string();
    let bytes = plain_file::read_bytes_up_to(path, MAX_INPUT_BYTES)
        .map_err(|refusal| refusal.into_named_error(&shown, path))?;
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| Error::Usage(format!("{shown}: it is no text in UTF-8")))?;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
    match crate::studio::check_openable_file_name(&name) {
        Ok(()) => Ok((name, text)),
        Err(why) => Err(Error::Usage(format!("{shown}: {why}"))),
    }
}

/// Reads the rulebooks that the experiment at `path` names, with their tables, and names them
/// plainly in its text.
fn read_and_rename_rulebooks(
    path: &Path,
    text: &mut String,
    catalogue: &Catalogue,
) -> Result<Vec<(String, String)>, Error> {
    let input = SourceInput::read_path_or_stdin(path)?;
    let known: Vec<String> =
        catalogue.rulebooks_created_on_demand().map(|system| system.id.to_string()).collect();
    let all = ExtraRulebookArgs::default().catalogue_for_input(catalogue, &input)?;
    let own =
        all.rulebooks_created_on_demand().filter(|system| !known.contains(&system.id.to_string()));
    let files = own.flat_map(|system| system.files.iter());
    let files: Vec<_> =
        files.map(|file| (last_path_part(&file.name).to_owned(), file.text.to_string())).collect();
    *text = with_renamed_rulebooks(text, |name| last_path_part(name).to_owned())
        .map_err(Error::Usage)?;
    Ok(files)
}

/// The last part of a path.
fn last_path_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A name that two of the files have.
fn find_duplicate_name(files: &[(String, String)]) -> Option<&str> {
    let mut names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}
