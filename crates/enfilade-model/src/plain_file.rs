//! Files as every door opens them: plain files, within a bound, and never through a link out of a folder.
//!
//! A file that somebody else sent may be a pipe, a device, a link or a giant. A pipe is not waited for, a
//! device is not opened, a link below a folder is not followed, and no more is read than the door allows.
//! No other place of the sources opens a file to read it, except those that a test lists.

use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::{Error, LocatedFault, too_large};
use crate::form::Fault;
pub use crate::form::bounds::WRITTEN;

/// Bytes of a file that this program writes and reads as a text: a plan, a manifest.
pub const LISTED: u64 = 64 << 20;

/// Bytes of a file that this program writes and reads as a table: a part, a journal, a CSV.
pub const TABLED: u64 = 8 << 30;

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The system says no.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is a folder, a pipe, a device or a socket.
    #[error("it is no plain file")]
    NotPlain,
    /// It is a link, or below one.
    #[error("it is a link, or behind one")]
    Link,
    /// The name leads out of the folder.
    #[error("it is outside the folder")]
    Outside,
    /// It has more bytes than that.
    #[error("it has more than {0} bytes")]
    TooLarge(u64),
    /// It is no text.
    #[error(transparent)]
    NotText(#[from] NotText),
}

/// Where a file is not UTF-8.
#[derive(Debug, thiserror::Error)]
#[error("it is not UTF-8 at line {line}, column {column}")]
pub struct NotText {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// How many bytes are before the place.
    pub at: usize,
    /// The file, with a sign at each place that is no text.
    pub text: String,
}

impl Refusal {
    /// The error of a program that was to read the file called `name`, which is at `path`.
    pub fn error(self, name: &str, path: &Path) -> Error {
        let fault = |fault, text, at: usize| Error::Input {
            name: name.to_owned(),
            text,
            faults: vec![LocatedFault { fault, span: at..at }],
        };
        match self {
            Refusal::Io(source) => Error::Io { what: "reading", path: path.to_owned(), source },
            Refusal::TooLarge(limit) => fault(too_large(limit), String::new(), 0),
            Refusal::NotText(NotText { line, column, at, text }) => {
                let problem = format!(
                    "byte {} of the file is not UTF-8, at line {line}, column {column}",
                    at + 1
                );
                fault(Fault::new("", problem).help("save the file as UTF-8 text"), text, at)
            }
            Refusal::NotPlain => Error::Usage(format!("{name} is no plain file")),
            other => Error::Usage(format!("{name} cannot be read: {other}")),
        }
    }
}

/// Opens the plain file at `path`, to which links may lead: for files that the user named.
///
/// # Errors
/// When it is none, or cannot be opened.
pub fn open(path: &Path) -> Result<File, Refusal> {
    // Looked at before: a pipe would wait for its writer, and a device may act when it is opened.
    if !is_handed_over(path) {
        require_plain(&path.metadata()?)?;
    }
    let file = File::open(path)?;
    if !is_handed_over(path) {
        require_plain(&file.metadata()?)?;
    }
    Ok(file)
}

/// Whether a path means what is open already, as shells write it for `<(command)`.
fn is_handed_over(path: &Path) -> bool {
    path == Path::new("/dev/stdin")
        || ["/dev/fd", "/proc/self/fd"].iter().any(|open| path.starts_with(open))
}

fn require_plain(found: &Metadata) -> Result<(), Refusal> {
    if found.is_file() { Ok(()) } else { Err(Refusal::NotPlain) }
}

/// Reads the plain file at `path`, of at most `limit` bytes.
///
/// # Errors
/// When it is none, has more bytes, or cannot be read.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Refusal> {
    let file = open(path)?;
    match file.metadata()?.len() > limit {
        true => Err(Refusal::TooLarge(limit)),
        false => read_stream(file, limit),
    }
}

/// Reads what is left of `stream`, of at most `limit` bytes.
///
/// # Errors
/// When it has more bytes, or cannot be read.
pub fn read_stream(stream: impl Read, limit: u64) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    // One byte more: a file can grow after somebody has looked at its length.
    stream.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(Refusal::TooLarge(limit)),
        false => Ok(bytes),
    }
}

/// Reads the plain file at `path` as UTF-8 text of at most `limit` bytes.
///
/// # Errors
/// As for [`read`], and when it is no text: where.
pub fn read_text(path: &Path, limit: u64) -> Result<String, Refusal> {
    Ok(text(read(path, limit)?)?)
}

/// Reads the text called `name` in `folder`, or below it, as [`below`] finds it.
///
/// # Errors
/// As for [`below`] and [`read_text`].
pub fn read_text_below(
    folder: &Path,
    name: impl AsRef<Path>,
    limit: u64,
) -> Result<String, Refusal> {
    read_text(&below(folder, name)?, limit)
}

/// The text of a file.
///
/// # Errors
/// When it is not UTF-8: where.
pub fn text(bytes: Vec<u8>) -> Result<String, NotText> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let before = &text[..at];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.matches('\n').count() + 1;
        NotText { line, column: before[start..].chars().count() + 1, at, text }
    })
}

/// The path of `name` in `folder`: for names that stand in a file, which somebody else may have sent. On the
/// way from the folder to the file there is no link, so that nothing outside the folder is meant.
///
/// # Errors
/// When the name leads out of the folder or a part of it is a link or not there.
pub fn below(folder: &Path, name: impl AsRef<Path>) -> Result<PathBuf, Refusal> {
    let mut path = folder.to_owned();
    for part in name.as_ref().components() {
        match part {
            Component::CurDir => continue,
            Component::Normal(part) => path.push(part),
            _ => return Err(Refusal::Outside),
        }
        if path.symlink_metadata()?.is_symlink() {
            return Err(Refusal::Link);
        }
    }
    Ok(path)
}

/// A hidden file in `folder` that is to take a place there when it is whole. Who may read what other programs
/// write there may read it too.
///
/// # Errors
/// When it cannot be made.
pub fn begin_in(folder: &Path, prefix: &str) -> io::Result<NamedTempFile> {
    let mut made = tempfile::Builder::new();
    made.prefix(prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Less what the user's mask takes away.
        made.permissions(std::fs::Permissions::from_mode(0o666));
    }
    made.tempfile_in(folder)
}

/// Writes a file that is not there yet, whole or not at all.
///
/// # Errors
/// When there is one, or it cannot be written.
pub fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut made = begin_in(folder.unwrap_or(Path::new(".")), ".enfilade-")?;
    made.write_all(text.as_bytes())?;
    made.as_file().sync_all()?;
    made.persist_noclobber(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_new_file_is_read_by_whom_any_other_is() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("a temporary folder");
        let (plain, new) = (folder.path().join("plain"), folder.path().join("new"));
        fs::write(&plain, "").expect("written");
        write_new(&new, "text").expect("there is none yet");
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode();
        assert_eq!(mode(&new), mode(&plain));
        let again = write_new(&new, "other").expect_err("there is one");
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&new).expect("readable"), "text");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 2);
    }

    fn told(found: Result<impl std::fmt::Debug, Refusal>) -> String {
        found.expect_err("it is refused").to_string()
    }

    #[test]
    fn a_file_has_at_most_so_many_bytes() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a");
        fs::write(&path, "12345").expect("written");
        assert_eq!(read(&path, 5).expect("it is small"), b"12345");
        assert_eq!(told(read(&path, 4)), "it has more than 4 bytes");
        assert_eq!(told(read_stream(&b"12345"[..], 4)), "it has more than 4 bytes");
        // Its length is known before a byte of it is read.
        File::create(&path).and_then(|file| file.set_len(3 << 30)).expect("made");
        assert_eq!(told(read(&path, WRITTEN)), "it has more than 1048576 bytes");
    }

    #[test]
    fn what_is_no_text_is_told_with_its_place() {
        let bytes = b"a\n\xc3\xa4b\xff c\xfe".to_vec();
        let found = text(bytes).expect_err("it is no text");
        assert_eq!((found.line, found.column, found.at), (2, 3, 5));
        assert_eq!(found.to_string(), "it is not UTF-8 at line 2, column 3");
        assert_eq!(found.text, "a\näb\u{fffd} c\u{fffd}");
        assert_eq!(text(b"\xff".to_vec()).expect_err("it is no text").line, 1);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_not_opened_and_links_below_a_folder_not_followed() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        let made = std::process::Command::new("mkfifo").arg(at("pipe")).status();
        assert!(made.expect("there is such a command").success());
        fs::create_dir_all(at("in/deep")).expect("made");
        fs::write(at("secret"), "mine").expect("written");
        fs::write(at("in/deep/data"), "theirs").expect("written");
        symlink("../secret", at("in/link")).expect("a link");
        symlink("..", at("in/up")).expect("a link");
        symlink("/dev/zero", at("in/zero")).expect("a link");
        for name in ["pipe", "in", "in/zero", "in/up"] {
            assert_eq!(told(open(&at(name))), "it is no plain file", "{name}");
        }
        // What the user named may be a link; what stands in a file may not.
        assert_eq!(read_text(&at("in/link"), 9).expect("a plain file"), "mine");
        let below = |name| read_text_below(&at("in"), name, 9);
        assert_eq!(below("deep/./data").expect("it is there"), "theirs");
        for name in ["link", "up/secret", "zero", "up/in/deep/data"] {
            assert_eq!(told(below(name)), "it is a link, or behind one", "{name}");
        }
        for name in ["../secret", "/etc/passwd", "deep/../../secret"] {
            assert_eq!(told(below(name)), "it is outside the folder", "{name}");
        }
        assert!(matches!(below("none"), Err(Refusal::Io(_))));
    }
}
