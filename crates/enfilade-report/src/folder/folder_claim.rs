//! Exclusive claim on a folder, taken before the work starts.
//!
//! The hidden folder `.enfilade` inside it contains a locked file that names the writing process,
//! and the files in progress. Files that a killed run left there are removed by the next run. A
//! file of another origin is replaced only with permission, nothing is written through a link, and
//! no input file is written to.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::{FolderInUse, ReportError};
use crate::folder::file_system::{create_error, is_same_file, write_error};
use crate::folder::manifest_listing::{self, FileListing, MANIFEST_NAME, STAGING_FOLDER};
use enfilade_model::plain_file::{self, FileRefusal};
use enfilade_study::checkpoint::journal::{self, HIDDEN_PREFIX, JOURNAL_FILE};

/// The name of the folder of charts.
const CHARTS_FOLDER: &str = "charts";

/// The file that is locked while the run lasts.
const LOCK_FILE: &str = "lock";

/// The manifest of the previous results.
const PREVIOUS_MANIFEST: &str = "previous.json";

/// The manifest of the results in progress.
const NEXT_MANIFEST: &str = "next.json";

/// The options of a command for a folder.
#[derive(Clone, Debug, Default)]
pub struct ClaimOptions {
    /// The files that the command reads and must not write to.
    pub inputs: Vec<PathBuf>,
    /// Whether files of another origin may be replaced.
    pub overwrite: bool,
    /// Names of the files that the command writes, beside charts and manifest.
    pub writes: Vec<String>,
    /// The command line, which another process shows in its message.
    pub command: String,
}

/// The reason why a file cannot replace an existing one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WriteObstacle {
    /// A link, a folder, a device.
    NoFile,
    /// An input file.
    Input,
    /// A file of another origin.
    Foreign,
}

impl WriteObstacle {
    const ALL: [WriteObstacle; 3] =
        [WriteObstacle::NoFile, WriteObstacle::Input, WriteObstacle::Foreign];

    fn obstacle_text(self, names: &[&str]) -> String {
        let (is, was) = if names.len() == 1 { ("is", "was") } else { ("are", "were") };
        let names = names.join(", ");
        match self {
            WriteObstacle::NoFile => {
                format!(
                    "{names} {is} no plain file, and results go there: move it away, or give another --out"
                )
            }
            WriteObstacle::Input => {
                format!("{names} {is} read and would be written to: give another --out")
            }
            WriteObstacle::Foreign => format!(
                "{names} {was} not written by enfilade, or {was} changed since: move it away, give another \
                 --out, or replace it with --overwrite"
            ),
        }
    }
}

/// A folder that only this process writes to, until the claim is dropped.
#[derive(Debug)]
pub struct FolderClaim {
    folder: PathBuf,
    /// Whether the claim created the folder.
    is_new: bool,
    terms: ClaimOptions,
    /// The open file that keeps the lock.
    _lock: File,
    /// Returns every file that an earlier run wrote.
    own_files: FileListing,
}

impl FolderClaim {
    /// Claims `folder`, which is created if it does not exist.
    ///
    /// # Errors
    /// [`ReportError::InUse`] when another process has it; [`ReportError::Invalid`] when a file to be written is
    /// an input, a link, or a file of another origin and `terms` do not allow that; [`ReportError::File`]
    /// when the folder cannot be created or written to. After an error nothing is changed.
    pub fn new(folder: &Path, terms: ClaimOptions) -> Result<FolderClaim, ReportError> {
        refuse_links(folder)?;
        // Checked before the lock creates the folder, so that an unused one can be removed again.
        let made = !folder.exists();
        let lock = lock_folder(folder, &terms.command)?;
        let workshop = folder.join(STAGING_FOLDER);
        let manifests = [
            folder.join(MANIFEST_NAME),
            workshop.join(PREVIOUS_MANIFEST),
            workshop.join(NEXT_MANIFEST),
        ];
        let listed = manifests.iter().map(|path| FileListing::from_manifest(path));
        let claim = FolderClaim {
            folder: folder.to_owned(),
            is_new: made,
            terms,
            _lock: lock,
            own_files: listed.fold(FileListing::default(), FileListing::merge),
        };
        claim.refuse_foreign()?;
        claim.remove_leftovers()?;
        Ok(claim)
    }

    /// Claims `folder` for a command that reads no file and may replace all.
    ///
    /// # Errors
    /// As for [`new`](FolderClaim::new).
    pub fn overwriting(folder: &Path) -> Result<FolderClaim, ReportError> {
        let overwrite = true;
        FolderClaim::new(folder, ClaimOptions { overwrite, ..ClaimOptions::default() })
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the manifest of the results in the folder, if this program wrote them.
    pub fn manifest(&self) -> Option<serde_json::Value> {
        manifest_listing::read_own_manifest(&self.folder)
    }

    /// Returns every file that an earlier run wrote.
    pub(crate) fn own_files(&self) -> &FileListing {
        &self.own_files
    }

    /// Returns the path of a file in progress.
    pub(crate) fn staging_path(&self, name: &str) -> PathBuf {
        self.folder.join(STAGING_FOLDER).join("staged").join(name)
    }

    /// Returns the path of the previous manifest, while files are being replaced.
    pub(crate) fn previous_manifest_path(&self) -> PathBuf {
        self.folder.join(STAGING_FOLDER).join(PREVIOUS_MANIFEST)
    }

    /// Returns the path of the manifest in progress.
    pub(crate) fn next_manifest_path(&self) -> PathBuf {
        self.folder.join(STAGING_FOLDER).join(NEXT_MANIFEST)
    }

    /// Checks that files may replace those under `names`.
    ///
    /// # Errors
    /// Names all files that are an input, a link or of another origin.
    pub(crate) fn check_replaceable(&self, names: &[String]) -> Result<(), ReportError> {
        let obstacles: Vec<_> = names.iter().filter_map(|name| self.find_obstacle(name)).collect();
        let of = |kind| {
            let names = obstacles.iter().filter(|(_, own)| *own == kind);
            let names: Vec<_> = names.map(|(name, _)| name.as_str()).collect();
            (!names.is_empty()).then(|| kind.obstacle_text(&names))
        };
        let said: Vec<_> = WriteObstacle::ALL.into_iter().filter_map(of).collect();
        if said.is_empty() {
            return Ok(());
        }
        let folder = self.folder.display();
        Err(ReportError::Invalid(format!("in {folder}, {}", said.join("; "))))
    }

    fn find_obstacle(&self, name: &str) -> Option<(String, WriteObstacle)> {
        let no_file = || Some((name.to_owned(), WriteObstacle::NoFile));
        let path = match plain_file::resolve_below(&self.folder, name) {
            Err(FileRefusal::Link) => return no_file(),
            path => path.ok()?,
        };
        let found = path.symlink_metadata().ok()?;
        let obstacle = if !found.is_file() {
            return no_file();
        } else if self.is_input(&path) {
            WriteObstacle::Input
        } else if self.terms.overwrite || self.is_ours(name, &path) {
            return None;
        } else {
            WriteObstacle::Foreign
        };
        Some((name.to_owned(), obstacle))
    }

    fn is_ours(&self, name: &str, path: &Path) -> bool {
        match name {
            JOURNAL_FILE => journal::is_journal(path),
            MANIFEST_NAME => manifest_listing::read_manifest(path).is_some(),
            _ => self.own_files.contains_file(name, path),
        }
    }

    fn is_input(&self, path: &Path) -> bool {
        let same = |input: &PathBuf| is_same_file(input, path);
        self.terms.inputs.iter().any(same)
    }

    fn refuse_foreign(&self) -> Result<(), ReportError> {
        let charts = self.folder.join(CHARTS_FOLDER);
        let writes = self.terms.writes.iter().map(String::as_str);
        let mut names: Vec<_> = [MANIFEST_NAME].into_iter().chain(writes).collect();
        if charts.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
            names.push(CHARTS_FOLDER);
        }
        let drawn = list_names(&charts).into_iter().filter(|name| is_chart_name(name));
        let drawn = drawn.map(|name| format!("{CHARTS_FOLDER}/{name}"));
        let names: Vec<_> = names.into_iter().map(str::to_owned).chain(drawn).collect();
        self.check_replaceable(&names)
    }

    /// Removes the leftovers of killed runs. The previous manifest stays until the next one is
    /// written, because it proves which files are results.
    fn remove_leftovers(&self) -> Result<(), ReportError> {
        let staged = self.folder.join(STAGING_FOLDER).join("staged");
        for path in [staged].into_iter().chain(find_leftovers(&self.folder)) {
            remove_any(&path).map_err(write_error(&path))?;
        }
        Ok(())
    }
}

impl Drop for FolderClaim {
    /// Leaves only results behind. The next run removes leftovers that cannot be removed now.
    fn drop(&mut self) {
        let workshop = self.folder.join(STAGING_FOLDER);
        let unfinished = self.previous_manifest_path().exists();
        let _ = remove_any(&workshop.join("staged"));
        if !unfinished {
            let _ = remove_any(&workshop);
        }
        if self.is_new {
            // A folder that was created in vain is removed too; one with files in it cannot be
            // removed this way.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// Finds leftovers of earlier runs in `folder` itself.
fn find_leftovers(folder: &Path) -> Vec<PathBuf> {
    let hidden = |name: &String| {
        let drawn = name.strip_prefix(HIDDEN_PREFIX);
        drawn.is_some_and(|rest| rest.len() == 6 && rest.bytes().all(|b| b.is_ascii_alphanumeric()))
    };
    let names = list_names(folder).into_iter().filter(hidden);
    names.map(|name| folder.join(name)).collect()
}

fn list_names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

/// Whether a name is that of a chart: `3-heatmap-p_break.svg`.
pub(crate) fn is_chart_name(name: &str) -> bool {
    let number = name.split('-').next().unwrap_or(name);
    let numbered = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    (numbered || name.starts_with("compare-")) && (name.ends_with(".svg") || name.ends_with(".png"))
}

/// Refuses links inside the folder. The folder itself may be reached through a link, but not its
/// staging folder or its lock.
fn refuse_links(folder: &Path) -> Result<(), ReportError> {
    let workshop = folder.join(STAGING_FOLDER);
    let lock = workshop.join(LOCK_FILE);
    let odd = |path: &Path, what: &str| {
        let path = path.display();
        Err(ReportError::Invalid(format!(
            "{path} is no {what}: move it away, or give another --out"
        )))
    };
    if workshop.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
        return odd(&workshop, "folder");
    }
    // The lock file is truncated when it is locked; through a link that would destroy another file.
    match lock.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        true => odd(&lock, "plain file"),
        false => Ok(()),
    }
}

/// Removes a file, a link or a folder; a missing one is no error.
fn remove_any(path: &Path) -> io::Result<()> {
    let removed = match path.symlink_metadata() {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Locks the folder and writes the owner into the lock file.
fn lock_folder(folder: &Path, command: &str) -> Result<File, ReportError> {
    let path = folder.join(STAGING_FOLDER).join(LOCK_FILE);
    loop {
        let mut open = File::options();
        let open = open.create(true).truncate(false).read(true).write(true);
        fs::create_dir_all(folder.join(STAGING_FOLDER)).map_err(create_error(folder))?;
        let mut file = match open.open(&path) {
            // The process that had the lock is removing its files at this moment.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            opened => opened.map_err(write_error(&path))?,
        };
        match file.try_lock() {
            Ok(()) if is_at(&file, &path) => {}
            Ok(()) => continue,
            Err(TryLockError::WouldBlock) => return Err(in_use_error(folder, &mut file)),
            Err(TryLockError::Error(error)) => return Err(write_error(&path)(error).into()),
        }
        let holder = format!("process {}, `{command}`", std::process::id());
        let said = file.set_len(0).and_then(|()| file.write_all(holder.as_bytes()));
        said.map_err(write_error(&path))?;
        return Ok(file);
    }
}

fn in_use_error(folder: &Path, file: &mut File) -> ReportError {
    let mut by = String::new();
    // The process that has the lock may not have written its name yet.
    let _ = file.take(1000).read_to_string(&mut by);
    if by.is_empty() {
        by.push_str("one that has just started");
    }
    let folder = folder.to_owned();
    FolderInUse { folder, by }.into()
}

/// Whether the open file is still the one at `path`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |one: fs::Metadata, other: fs::Metadata| {
        (one.dev(), one.ino()) == (other.dev(), other.ino())
    };
    match (file.metadata(), path.symlink_metadata()) {
        (Ok(one), Ok(other)) => same(one, other),
        _ => false,
    }
}

/// Other systems cannot remove an open file.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
