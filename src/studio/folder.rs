//! The folder that a studio works in: its files by plain names, read whole, written whole or not at all.
//!
//! A file is identified by one component of a name with a known ending. Links are not followed,
//! devices and pipes not opened, and a file that was changed in the meantime is not overwritten: a
//! writer sends the hash of the text that it has seen. Every listed file can be opened. Texts have
//! the form of a page, and are written with the [line ends](super::ends) of the file they replace.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use hyper::StatusCode;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::ends;
use crate::error::Error;
use crate::form::sanitize::steers;
use crate::plain_file::{self, Refusal, WRITTEN};
use crate::random_stream::hexadecimal;
use crate::study::experiment::is_device;

/// File name endings that a studio opens.
const ENDINGS: [&str; 4] = ["toml", "rules", "tsv", "csv"];

/// Bytes of the longest name.
const LONGEST: usize = 100;

/// The largest number of files in the list.
const MOST: usize = 1000;

/// A folder, opened once.
pub struct Folder {
    /// Its path.
    pub path: PathBuf,
    /// One writer at a time, so that a file does not change between its check and its replacement.
    writing: Mutex<()>,
}

/// The content of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// Its text, in the form of a page.
    pub text: String,
    /// SHA-256 of the file, to detect changes.
    pub hash: String,
}

impl Found {
    /// Converts the text of a file, with its hash.
    fn of(file: &str) -> Found {
        Found { text: ends::of_page(file), hash: hexadecimal(&Sha256::digest(file)) }
    }
}

/// A line of the list.
pub struct Listed {
    /// The file's name.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The reason why a file is not read or written.
#[derive(Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A refusal in a sentence, with its status.
    Refused(StatusCode, String),
    /// The file has changed since the writer saw it; `None` if it is gone.
    Changed(Option<Found>),
}

impl Trouble {
    fn new(status: StatusCode, why: impl Into<String>) -> Trouble {
        Trouble::Refused(status, why.into())
    }

    fn io(what: &str, name: &str, why: &std::io::Error) -> Trouble {
        let status = match why.kind() {
            std::io::ErrorKind::NotFound => StatusCode::NOT_FOUND,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Trouble::new(status, format!("{what} {name}: {why}"))
    }
}

impl Folder {
    /// Opens the folder at `path`.
    ///
    /// # Errors
    /// When the folder does not exist.
    pub fn open(path: &Path) -> Result<Folder, Error> {
        let opened = path.canonicalize().and_then(|path| fs::read_dir(&path).map(|_| path));
        let failed = |source| Error::Io { what: "opening", path: path.to_owned(), source };
        Ok(Folder { path: opened.map_err(failed)?, writing: Mutex::new(()) })
    }

    /// Its own name, for the page's title.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Lists the files that a studio opens, by name.
    pub fn list(&self) -> Vec<Listed> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let listed = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let about = entry.path().symlink_metadata().ok()?;
            let is_ours = about.is_file() && plain(&name).is_ok();
            is_ours.then_some(Listed { name, bytes: about.len() })
        });
        let mut listed: Vec<_> = listed.take(MOST).collect();
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        listed
    }

    /// Reads the file called `name`.
    ///
    /// # Errors
    /// When the name is not allowed here, or the file cannot be read as a text of bounded size.
    pub fn read(&self, name: &str) -> Result<Found, Trouble> {
        self.file(name).map(|file| Found::of(&file))
    }

    /// Reads the file called `name`, unconverted.
    fn file(&self, name: &str) -> Result<String, Trouble> {
        plain(name)?;
        plain_file::read_text_below(&self.path, name, WRITTEN).map_err(|refusal| {
            let status = match &refusal {
                Refusal::Io(why) => return Trouble::io("reading", name, why),
                Refusal::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
                Refusal::NotText(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
                _ => StatusCode::FORBIDDEN,
            };
            Trouble::new(status, format!("{name} cannot be read: {refusal}"))
        })
    }

    /// Writes a text to the file called `name`, if its hash is still `seen`; `None` for a new file.
    /// Returns the hash of the new text.
    ///
    /// # Errors
    /// The errors of [`read`](Folder::read), and when the file has changed, or cannot be written.
    pub fn write(&self, name: &str, text: &str, seen: Option<&str>) -> Result<String, Trouble> {
        plain(name)?;
        if text.len() as u64 > WRITTEN {
            let why = format!("a file has at most {WRITTEN} bytes");
            return Err(Trouble::new(StatusCode::PAYLOAD_TOO_LARGE, why));
        }
        let _turn = self.writing.lock();
        // Checked under the same lock that covers the replacement.
        let there = match self.file(name) {
            Ok(file) => Some(file),
            Err(Trouble::Refused(StatusCode::NOT_FOUND, _)) => None,
            Err(other) => return Err(other),
        };
        let found = there.as_deref().map(Found::of);
        if found.as_ref().map(|found| found.hash.as_str()) != seen {
            return Err(Trouble::Changed(found));
        }
        let path = self.path.join(name);
        let file = ends::of_file(text, there.as_deref().unwrap_or_default());
        self.put(&path, &file).map_err(|why| Trouble::io("writing", name, &why))?;
        Ok(Found::of(&file).hash)
    }

    /// Removes the file called `name`, if its hash is still `seen`.
    ///
    /// # Errors
    /// The errors of [`write`](Folder::write).
    pub fn remove(&self, name: &str, seen: &str) -> Result<(), Trouble> {
        let _turn = self.writing.lock();
        let found = self.read(name)?;
        if found.hash != seen {
            return Err(Trouble::Changed(Some(found)));
        }
        fs::remove_file(self.path.join(name)).map_err(|why| Trouble::io("removing", name, &why))
    }

    fn put(&self, path: &Path, text: &str) -> std::io::Result<()> {
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

/// Checks that `name` is one component with a known ending that means the same on every system.
fn plain(name: &str) -> Result<(), Trouble> {
    let refuse = |why: &str| Err(Trouble::new(StatusCode::BAD_REQUEST, why));
    let odd = |c: char| steers(c) || "/\\:*?\"<>|".contains(c);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    if name.len() > LONGEST {
        return refuse("the name is longer than 100 bytes");
    }
    if name.contains(odd) || name.starts_with(['.', '-', ' ']) || stem.is_empty() {
        return refuse("the name is not a plain file name");
    }
    if is_device(name.split('.').next().unwrap_or(name).trim()) {
        return refuse("some systems reserve this name for a device");
    }
    match ENDINGS.contains(&ending) {
        true => Ok(()),
        false => refuse("the names of files here end in .toml, .rules, .tsv or .csv"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Folder) {
        let place = tempfile::TempDir::new().expect("a temporary folder");
        let folder = Folder::open(place.path()).expect("it is there");
        (place, folder)
    }

    #[test]
    fn names_are_plain() {
        for good in ["fire.toml", "my game 2.rules", "Füsiliere.tsv", "a.b.toml", "console.toml"] {
            assert_eq!(plain(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            ".toml",
            "..",
            "../x.toml",
            "/etc/x.toml",
            "a/b.toml",
            "a\\b.toml",
            "c:x.toml",
            "con.toml",
            "COM1.rules",
            "x.toml\0",
            "x\n.toml",
            "x.exe",
            "toml",
            "-x.toml",
            "nul .toml",
            "x.toml ",
            "a\u{202e}b.toml",
        ] {
            assert!(plain(bad).is_err(), "{bad:?}");
        }
        assert!(plain(&format!("{}.toml", "x".repeat(96))).is_err());
    }

    #[test]
    fn a_file_is_written_over_only_by_who_has_seen_it() {
        let (place, folder) = folder();
        let first = folder.write("a.toml", "x = 1\n", None).expect("it is new");
        assert_eq!(folder.read("a.toml").map(|found| found.hash), Ok(first.clone()));
        fs::write(place.path().join("a.toml"), "x = 2\n").expect("written");
        let other = Found::of("x = 2\n");
        let hash = other.hash.clone();
        let refused = folder.write("a.toml", "x = 3\n", Some(&first));
        assert_eq!(refused, Err(Trouble::Changed(Some(other))));
        assert!(matches!(folder.write("a.toml", "x = 3\n", None), Err(Trouble::Changed(_))));
        folder.write("a.toml", "x = 3\n", Some(&hash)).expect("it was seen");
        assert_eq!(folder.read("a.toml").map(|found| found.text), Ok("x = 3\n".to_owned()));
        // No other file is left, and a removed file is not created again.
        assert_eq!(fs::read_dir(place.path()).expect("readable").count(), 1);
        assert_eq!(folder.write("b.toml", "", Some(&hash)), Err(Trouble::Changed(None)));
        // A writer that has not seen the text cannot remove it either.
        assert!(matches!(folder.remove("a.toml", &hash), Err(Trouble::Changed(Some(_)))));
        let hash = folder.read("a.toml").expect("it is there").hash;
        assert_eq!(folder.remove("a.toml", &hash), Ok(()));
        assert_eq!(fs::read_dir(place.path()).expect("readable").count(), 0);
    }

    /// With the line ends of Windows editors: an unchanged text is the same, byte by byte.
    #[test]
    fn a_file_keeps_its_line_ends() {
        let (place, folder) = folder();
        let path = place.path().join("a.rules");
        let of_windows = "\u{feff}game \"A\"\r\n-- Ä\r\n";
        fs::write(&path, of_windows).expect("written");
        let found = folder.read("a.rules").expect("it is there");
        assert_eq!(found.text, "game \"A\"\n-- Ä\n");
        let hash = folder.write("a.rules", &found.text, Some(&found.hash)).expect("it was seen");
        assert_eq!(fs::read_to_string(&path).expect("readable"), of_windows);
        let changed = format!("{}-- end\n", found.text);
        let hash = folder.write("a.rules", &changed, Some(&hash)).expect("it was seen");
        let expected = format!("{of_windows}-- end\r\n");
        assert_eq!(fs::read_to_string(&path).expect("readable"), expected);
        assert_eq!(
            folder.read("a.rules").map(|found| (found.text, found.hash)),
            Ok((changed, hash))
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_folders_pipes_and_giants_are_not_opened() {
        let (place, folder) = folder();
        let at = |name: &str| place.path().join(name);
        let secret = tempfile::NamedTempFile::new().expect("a file elsewhere");
        std::os::unix::fs::symlink(secret.path(), at("link.toml")).expect("made");
        fs::create_dir(at("folder.toml")).expect("made");
        let made = std::process::Command::new("mkfifo").arg(at("pipe.toml")).status();
        assert!(made.expect("there is such a command").success());
        fs::File::create(at("giant.toml")).and_then(|file| file.set_len(2 << 30)).expect("made");
        fs::write(at("latin.toml"), b"\xff").expect("written");
        let status = |name: &str| match folder.read(name) {
            Err(Trouble::Refused(status, _)) => status.as_u16(),
            other => panic!("{other:?}"),
        };
        let names =
            ["link.toml", "folder.toml", "pipe.toml", "giant.toml", "latin.toml", "no.toml"];
        assert_eq!(names.map(status), [403, 403, 403, 413, 415, 404]);
        assert!(folder.write("link.toml", "x", None).is_err());
        assert_eq!(fs::read(secret.path()).expect("it is there"), b"");
        let listed: Vec<_> = folder.list().into_iter().map(|listed| listed.name).collect();
        assert_eq!(listed, ["giant.toml", "latin.toml"]);
    }
}
