//! The folder that a studio works in, on the disk.
//!
//! Links are not followed, devices and pipes not opened, and nothing is left half written. Beside its files it has
//! drawers, in a folder of its own name.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use enfilade_api::{Kind, Listed, Storage, Trouble};
use hyper::StatusCode;

use crate::error::Error;
use crate::plain_file::{self, Refusal, WRITTEN};

/// The folder of both drawers.
const PLACE: &str = ".studio";

/// A folder on the disk, opened once.
pub struct Disk {
    path: PathBuf,
}

impl Disk {
    /// Opens the folder at `path`.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(path: &Path) -> Result<Disk, Error> {
        let opened = path.canonicalize().and_then(|path| fs::read_dir(&path).map(|_| path));
        let failed = |source| Error::Io { what: "opening", path: path.to_owned(), source };
        Ok(Disk { path: opened.map_err(failed)? })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn write(&self, path: &Path, text: &str) -> std::io::Result<()> {
        let mut made = plain_file::begin_in(&self.path, ".enfilade-")?;
        made.write_all(text.as_bytes())?;
        made.as_file().sync_all()?;
        // A file keeps its permissions; a new one has the user's defaults.
        if let Ok(about) = path.metadata() {
            made.as_file().set_permissions(about.permissions())?;
        }
        made.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}

impl Storage for Disk {
    fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    fn list(&self) -> Vec<Listed> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let listed = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let about = entry.path().symlink_metadata().ok()?;
            about.is_file().then_some(Listed { name, bytes: about.len() })
        });
        listed.collect()
    }

    fn read(&self, name: &str) -> Result<String, Trouble> {
        plain_file::read_text_below(&self.path, name, WRITTEN).map_err(|refusal| {
            let status = match &refusal {
                Refusal::Io(why) => return io("reading", name, why),
                Refusal::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
                Refusal::NotText(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
                _ => StatusCode::FORBIDDEN,
            };
            Trouble::new(status, format!("{name} cannot be read: {refusal}"))
        })
    }

    fn put(&self, name: &str, text: &str) -> Result<(), Trouble> {
        self.write(&self.path.join(name), text).map_err(|why| io("writing", name, &why))
    }

    fn remove(&self, name: &str) -> Result<(), Trouble> {
        fs::remove_file(self.path.join(name)).map_err(|why| io("removing", name, &why))
    }

    fn drawer(&self, kind: Kind, make: bool) -> Result<Option<Arc<dyn Storage>>, Trouble> {
        let place = self.path.join(PLACE);
        let path = place.join(kind.word());
        if make {
            made(&place)?;
            if made(&path)? && kind == Kind::Drafts {
                // Drafts are private.
                let ignored = fs::write(path.join(".gitignore"), "*\n");
                ignored.map_err(|why| keeping(&path, &why))?;
            }
        }
        // No link, which could lead anywhere.
        if !is_there(&place)? || !is_there(&path)? {
            return Ok(None);
        }
        let failed = |why: Error| Trouble::new(StatusCode::INTERNAL_SERVER_ERROR, why.to_string());
        Ok(Some(Arc::new(Disk::open(&path).map_err(failed)?)))
    }
}

fn io(what: &str, name: &str, why: &std::io::Error) -> Trouble {
    let status = match why.kind() {
        std::io::ErrorKind::NotFound => StatusCode::NOT_FOUND,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    Trouble::new(status, format!("{what} {name}: {why}"))
}

/// Checks whether there is a folder at `path`.
fn is_there(path: &Path) -> Result<bool, Trouble> {
    match path.symlink_metadata() {
        Ok(about) if about.is_dir() => Ok(true),
        Ok(_) => {
            let why = format!("{} is no folder, so nothing is kept there", path.display());
            Err(Trouble::new(StatusCode::FORBIDDEN, why))
        }
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(why) => Err(keeping(path, &why)),
    }
}

/// Creates a folder if it is missing; returns whether it did.
fn made(path: &Path) -> Result<bool, Trouble> {
    if is_there(path)? {
        return Ok(false);
    }
    fs::create_dir(path).map(|()| true).map_err(|why| keeping(path, &why))
}

fn keeping(path: &Path, why: &std::io::Error) -> Trouble {
    let why = format!("keeping something in {}: {why}", path.display());
    Trouble::new(StatusCode::INTERNAL_SERVER_ERROR, why)
}
