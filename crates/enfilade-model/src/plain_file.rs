//! Safe reading of files: plain files, within a size limit, and never through a link out of a
//! folder.
//!
//! A file from another person may be a pipe, a device, a link or very large. Pipes are not waited
//! for, devices are not opened, links below a folder are not followed, and reading stops at a size
//! limit. No other module opens a file for reading, except those that a test lists.

use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::{FaultWithByteSpan, FileError, InputError, text_too_large_fault};
use crate::form::Fault;
pub use crate::form::bounds::MAX_INPUT_BYTES;

/// Size limit in bytes of text files that this program writes and reads: a plan, a manifest.
pub const MAX_OWN_TEXT_BYTES: u64 = 64 << 20;

/// Size limit in bytes of tables that this program writes and reads: a part, a journal, a CSV.
pub const MAX_OWN_TABLE_BYTES: u64 = 8 << 30;

/// Reason why a file is not read.
#[derive(Debug, thiserror::Error)]
pub enum FileReadRefusal {
    /// The system reports an error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The path is a folder, a pipe, a device or a socket.
    #[error("it is no plain file")]
    NotPlain,
    /// The path is a link, or below one.
    #[error("it is a link, or behind one")]
    Link,
    /// The name leads out of the folder.
    #[error("it is outside the folder")]
    Outside,
    /// The file has more bytes than this limit.
    #[error("it has more than {0} bytes")]
    TooLarge(u64),
    /// The file is not text.
    #[error(transparent)]
    NotText(#[from] InvalidUtf8),
}

/// Place where a file is not UTF-8.
#[derive(Debug, thiserror::Error)]
#[error("it is not UTF-8 at line {line}, column {column}")]
pub struct InvalidUtf8 {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Number of bytes before the place.
    pub at: usize,
    /// Text of the file, with a replacement character at each invalid place.
    pub text: String,
}

/// File of the user that was not read: a refusal with the name of the file.
#[derive(Debug, thiserror::Error)]
pub enum UserFileReadError {
    /// The file is not text, or is too large.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The system reports an error.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is of a kind that is not read.
    #[error("{0}")]
    Refused(String),
}

impl FileReadRefusal {
    /// Converts the refusal to an error for the file called `name` at `path`.
    pub fn into_named_error(self, name: &str, path: &Path) -> UserFileReadError {
        let fault = |fault, text, at: usize| {
            let faults = vec![FaultWithByteSpan { fault, span: at..at }];
            UserFileReadError::Input(InputError { name: name.to_owned(), text, faults })
        };
        match self {
            FileReadRefusal::Io(source) => {
                FileError::io_error_converter("reading", path)(source).into()
            }
            FileReadRefusal::TooLarge(limit) => {
                fault(text_too_large_fault(limit), String::new(), 0)
            }
            FileReadRefusal::NotText(InvalidUtf8 { line, column, at, text }) => {
                let problem = format!(
                    "byte {} of the file is not UTF-8, at line {line}, column {column}",
                    at + 1
                );
                fault(Fault::new("", problem).with_help("save the file as UTF-8 text"), text, at)
            }
            FileReadRefusal::NotPlain => {
                UserFileReadError::Refused(format!("{name} is no plain file"))
            }
            other => UserFileReadError::Refused(format!("{name} cannot be read: {other}")),
        }
    }
}

/// Opens the plain file at `path`, also through links: for files that the user named.
///
/// # Errors
/// If the file is not plain, or cannot be opened.
pub fn open_plain_file(path: &Path) -> Result<File, FileReadRefusal> {
    // Checked before opening: a pipe would wait for its writer, and a device may act when it is
    // opened.
    if !is_open_descriptor_path(path) {
        require_plain_file(&path.metadata()?)?;
    }
    let file = File::open(path)?;
    if !is_open_descriptor_path(path) {
        require_plain_file(&file.metadata()?)?;
    }
    Ok(file)
}

/// Returns whether a path names an open file, as shells write it for `<(command)`.
fn is_open_descriptor_path(path: &Path) -> bool {
    path == Path::new("/dev/stdin")
        || ["/dev/fd", "/proc/self/fd"].iter().any(|open| path.starts_with(open))
}

fn require_plain_file(metadata: &Metadata) -> Result<(), FileReadRefusal> {
    if metadata.is_file() { Ok(()) } else { Err(FileReadRefusal::NotPlain) }
}

/// Reads the plain file at `path`, of at most `limit` bytes.
///
/// # Errors
/// If the file is not plain, has more bytes, or cannot be read.
pub fn read_bytes_up_to(path: &Path, limit: u64) -> Result<Vec<u8>, FileReadRefusal> {
    let file = open_plain_file(path)?;
    match file.metadata()?.len() > limit {
        true => Err(FileReadRefusal::TooLarge(limit)),
        false => read_rest_of_stream(file, limit),
    }
}

/// Reads the rest of `stream`, of at most `limit` bytes.
///
/// # Errors
/// If the stream has more bytes, or cannot be read.
pub fn read_rest_of_stream(stream: impl Read, limit: u64) -> Result<Vec<u8>, FileReadRefusal> {
    let mut bytes = Vec::new();
    // One byte more: a file can grow after its length was checked.
    stream.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(FileReadRefusal::TooLarge(limit)),
        false => Ok(bytes),
    }
}

/// Reads the plain file at `path` as UTF-8 text of at most `limit` bytes.
///
/// # Errors
/// In the cases of [`read_bytes_up_to`], and if the file is not text: with the place.
pub fn read_text_up_to(path: &Path, limit: u64) -> Result<String, FileReadRefusal> {
    Ok(decode_utf8(read_bytes_up_to(path, limit)?)?)
}

/// Reads the text called `name` in `folder`, or below it, as [`resolve_in_folder`] finds it.
///
/// # Errors
/// In the cases of [`resolve_in_folder`] and [`read_text_up_to`].
pub fn read_text_in_folder(
    folder: &Path,
    name: impl AsRef<Path>,
    limit: u64,
) -> Result<String, FileReadRefusal> {
    read_text_up_to(&resolve_in_folder(folder, name)?, limit)
}

/// Converts bytes to text.
///
/// # Errors
/// If the bytes are not UTF-8: with the place.
pub fn decode_utf8(bytes: Vec<u8>) -> Result<String, InvalidUtf8> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let before = &text[..at];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.matches('\n').count() + 1;
        InvalidUtf8 { line, column: before[start..].chars().count() + 1, at, text }
    })
}

/// Returns the path of `name` in `folder`: for names from a file of another person. No part of the
/// path below the folder may be a link, so that the path cannot lead out of the folder.
///
/// # Errors
/// If the name leads out of the folder, or a part of it is a link or missing.
pub fn resolve_in_folder(
    folder: &Path,
    name: impl AsRef<Path>,
) -> Result<PathBuf, FileReadRefusal> {
    let mut path = folder.to_owned();
    for part in name.as_ref().components() {
        match part {
            Component::CurDir => continue,
            Component::Normal(part) => path.push(part),
            _ => return Err(FileReadRefusal::Outside),
        }
        if path.symlink_metadata()?.is_symlink() {
            return Err(FileReadRefusal::Link);
        }
    }
    Ok(path)
}

/// Creates a hidden file in `folder` that is renamed when it is complete. It has the same
/// permissions as files of other programs there.
///
/// # Errors
/// If the file cannot be created.
pub fn create_temporary_file(folder: &Path, prefix: &str) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The user's mask still removes permissions.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Writes a new file, whole or not at all.
///
/// # Errors
/// If the file exists, or cannot be written.
pub fn write_new_file(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut temporary_file = create_temporary_file(folder.unwrap_or(Path::new(".")), ".enfilade-")?;
    temporary_file.write_all(text.as_bytes())?;
    temporary_file.as_file().sync_all()?;
    temporary_file.persist_noclobber(path).map_err(|error| error.error)?;
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
        write_new_file(&new, "text").expect("there is none yet");
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode();
        assert_eq!(mode(&new), mode(&plain));
        let again = write_new_file(&new, "other").expect_err("there is one");
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&new).expect("readable"), "text");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 2);
    }

    fn told(found: Result<impl std::fmt::Debug, FileReadRefusal>) -> String {
        found.expect_err("it is refused").to_string()
    }

    #[test]
    fn a_file_has_at_most_so_many_bytes() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a");
        fs::write(&path, "12345").expect("written");
        assert_eq!(read_bytes_up_to(&path, 5).expect("it is small"), b"12345");
        assert_eq!(told(read_bytes_up_to(&path, 4)), "it has more than 4 bytes");
        assert_eq!(told(read_rest_of_stream(&b"12345"[..], 4)), "it has more than 4 bytes");
        // Its length is checked before a byte is read.
        File::create(&path).and_then(|file| file.set_len(3 << 30)).expect("made");
        assert_eq!(
            told(read_bytes_up_to(&path, MAX_INPUT_BYTES)),
            "it has more than 1048576 bytes"
        );
    }

    #[test]
    fn what_is_no_text_is_told_with_its_place() {
        let bytes = b"a\n\xc3\xa4b\xff c\xfe".to_vec();
        let found = decode_utf8(bytes).expect_err("it is no text");
        assert_eq!((found.line, found.column, found.at), (2, 3, 5));
        assert_eq!(found.to_string(), "it is not UTF-8 at line 2, column 3");
        assert_eq!(found.text, "a\näb\u{fffd} c\u{fffd}");
        assert_eq!(decode_utf8(b"\xff".to_vec()).expect_err("it is no text").line, 1);
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
            assert_eq!(told(open_plain_file(&at(name))), "it is no plain file", "{name}");
        }
        // A path from the user may be a link; a name from a file may not.
        assert_eq!(read_text_up_to(&at("in/link"), 9).expect("a plain file"), "mine");
        let below = |name| read_text_in_folder(&at("in"), name, 9);
        assert_eq!(below("deep/./data").expect("it is there"), "theirs");
        for name in ["link", "up/secret", "zero", "up/in/deep/data"] {
            assert_eq!(told(below(name)), "it is a link, or behind one", "{name}");
        }
        for name in ["../secret", "/etc/passwd", "deep/../../secret"] {
            assert_eq!(told(below(name)), "it is outside the folder", "{name}");
        }
        assert!(matches!(below("none"), Err(FileReadRefusal::Io(_))));
    }
}
