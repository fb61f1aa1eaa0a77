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

/// Write the studio as one HTML file that computes odds without a server or a network
///
/// The page contains the engine. It opens in any browser, from a disk, a mail or a web server, and gives the answers of
/// this program. With files it contains these and opens the first; without any it is the whole studio. It cannot send
/// anything anywhere.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade page --live --out studio.html
  enfilade page fire.toml my_game.rules --live --out fire.html")]
pub struct LivePage {
    /// Experiments, arsenals, rulebooks and tables to put into the page
    files: Vec<PathBuf>,
    /// Put the engine into the page
    #[arg(long, required = true)]
    live: bool,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The compiled engine, enfilade.wasm.gz [default: the one in this program]
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
            let why =
                format!("two files are named {twice}: rename one, because the page has one folder");
            return Err(Error::Usage(why));
        }
        let page = html(&self.module()?, &files);
        fs::write(&self.out, &page).map_err(FileError::map_io("writing", &self.out))?;
        let bytes = page.len();
        Ok(CommandOutput::from(format!("open {} ({bytes} bytes)\n", self.out.display())))
    }

    fn module(&self) -> Result<Vec<u8>, Error> {
        match (&self.module, MODULE) {
            (Some(path), _) => {
                let name = path.display().to_string();
                let module = plain_file::read(path, LARGEST)
                    .map_err(|refusal| refusal.into_error(&name, path))?;
                check_build(&name, &module)?;
                Ok(module)
            }
            (None, Some(module)) => {
                check_build("the module in this program", module)?;
                Ok(module.to_vec())
            }
            (None, None) => Err(Error::Usage(
                "this program was built without the engine for pages: add --module enfilade.wasm.gz, a \
                 file of every release that packaging/page also builds"
                    .to_owned(),
            )),
        }
    }
}

/// Checks that the module was made from the sources of this program: others may have other rules.
///
/// # Errors
/// When it is no packed module, or of another build.
fn check_build(name: &str, module: &[u8]) -> Result<(), Error> {
    match module_build(module) {
        Some(build) if build == crate::BUILD.0 => Ok(()),
        Some(build) => Err(Error::Usage(format!(
            "{name}: the module is of build {build}, this program of build {}: take the module of the \
             same release, or make it with packaging/page",
            crate::BUILD.0
        ))),
        None => Err(Error::Usage(format!(
            "{name}: not a packed module: name the enfilade.wasm.gz that packaging/page makes"
        ))),
    }
}

/// The build of a packed module: the name in the head of the gzip file is `enfilade-BUILD.wasm`.
fn module_build(module: &[u8]) -> Option<&str> {
    // Magic bytes, the method, and the flag of a name alone; six more bytes come before the name.
    let named = module.strip_prefix(&[0x1f, 0x8b, 8, 8])?.get(6..)?;
    let name = named.split(|&byte| byte == 0).next()?;
    std::str::from_utf8(name).ok()?.strip_prefix("enfilade-")?.strip_suffix(".wasm")
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

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(name: &str) -> Vec<u8> {
        [b"\x1f\x8b\x08\x08\0\0\0\0\x02\x03", name.as_bytes(), b"\0body"].concat()
    }

    #[test]
    fn a_module_of_another_build_is_refused() {
        let own = packed(&format!("enfilade-{}.wasm", crate::BUILD.0));
        check_build("m", &own).expect("its build is this one");
        let other = check_build("m", &packed("enfilade-0123456789abcdef.wasm")).unwrap_err();
        assert!(other.to_string().contains("of build 0123456789abcdef, this program of"));
        for none in [&b""[..], b"\x1f\x8b\x08\x08", b"\0asm\x01\0\0\0", &packed("else.wasm")] {
            let refusal = check_build("m", none).unwrap_err().to_string();
            assert!(refusal.contains("not a packed module"), "{refusal}");
        }
    }
}
