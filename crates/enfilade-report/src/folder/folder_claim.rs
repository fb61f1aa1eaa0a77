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
use crate::folder::file_system::{are_paths_of_same_file, map_create_error, map_write_error};
use crate::folder::manifest_listing::{
    self, ListedFileHashes, MANIFEST_FILE_NAME, STAGING_FOLDER_NAME,
};
use enfilade_model::plain_file::{self, FileReadRefusal};
use enfilade_study::checkpoint::journal::{self, JOURNAL_FILE_NAME, TEMPORARY_FILE_PREFIX};

/// The name of the folder of charts.
const CHARTS_FOLDER_NAME: &str = "charts";

/// The file that is locked while the run lasts.
const LOCK_FILE_NAME: &str = "lock";

/// The manifest of the previous results.
const PREVIOUS_MANIFEST_NAME: &str = "previous.json";

/// The manifest of the results in progress.
const NEXT_MANIFEST_NAME: &str = "next.json";

/// The options of a command for a folder.
#[derive(Clone, Debug, Default)]
pub struct FolderClaimOptions {
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
enum ReplaceObstacle {
    /// A link, a folder, a device.
    NoFile,
    /// An input file.
    Input,
    /// A file of another origin.
    Foreign,
}

impl ReplaceObstacle {
    const ALL_OBSTACLES: [ReplaceObstacle; 3] =
        [ReplaceObstacle::NoFile, ReplaceObstacle::Input, ReplaceObstacle::Foreign];

    fn explain_obstacle(self, names: &[&str]) -> String {
        let (is, was) = if names.len() == 1 { ("is", "was") } else { ("are", "were") };
        let names = names.join(", ");
        match self {
            ReplaceObstacle::NoFile => {
                format!(
                    "{names} {is} no plain file, and results go there: move it away, or give another --out"
                )
            }
            ReplaceObstacle::Input => {
                format!("{names} {is} read and would be written to: give another --out")
            }
            ReplaceObstacle::Foreign => format!(
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
    terms: FolderClaimOptions,
    /// The open file that keeps the lock.
    _lock: File,
    /// Returns every file that an earlier run wrote.
    own_files: ListedFileHashes,
}

impl FolderClaim {
    /// Claims `folder`, which is created if it does not exist.
    ///
    /// # Errors
    /// [`ReportError::InUse`] when another process has it; [`ReportError::Invalid`] when a file to
    /// be written is an input, a link, or a file of another origin and `terms` do not allow that;
    /// [`ReportError::File`] when the folder cannot be created or written to. After an error
    /// nothing is changed.
    pub fn new(folder: &Path, terms: FolderClaimOptions) -> Result<FolderClaim, ReportError> {
        refuse_linked_staging_or_lock(folder)?;
        // Checked before the lock creates the folder, so that an unused one can be removed again.
        let is_new = !folder.exists();
        let lock = lock_for_command(folder, &terms.command)?;
        let workshop = folder.join(STAGING_FOLDER_NAME);
        let manifests = [
            folder.join(MANIFEST_FILE_NAME),
            workshop.join(PREVIOUS_MANIFEST_NAME),
            workshop.join(NEXT_MANIFEST_NAME),
        ];
        let listed = manifests.iter().map(|path| ListedFileHashes::from_manifest_at_path(path));
        let claim = FolderClaim {
            folder: folder.to_owned(),
            is_new,
            terms,
            _lock: lock,
            own_files: listed.fold(ListedFileHashes::default(), ListedFileHashes::merge_hashes),
        };
        claim.check_results_are_replaceable()?;
        claim.remove_stale_staging()?;
        Ok(claim)
    }

    /// Claims `folder` for a command that reads no file and may replace all.
    ///
    /// # Errors
    /// As for [`new`](FolderClaim::new).
    pub fn claim_to_overwrite_all(folder: &Path) -> Result<FolderClaim, ReportError> {
        let overwrite = true;
        FolderClaim::new(folder, FolderClaimOptions { overwrite, ..FolderClaimOptions::default() })
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the manifest of the results in the folder, if this program wrote them.
    pub fn read_own_manifest(&self) -> Option<serde_json::Value> {
        manifest_listing::read_own_manifest(&self.folder)
    }

    /// Removes the journal of a run that was killed after its results were written and before its
    /// journal was removed. A journal written to since belongs to a later run, and stays.
    pub fn remove_journal_older_than_results(&self) {
        let changed = |name| fs::metadata(self.folder.join(name))?.modified();
        let journal = self.folder.join(JOURNAL_FILE_NAME);
        let is_older = changed(JOURNAL_FILE_NAME)
            .is_ok_and(|then| changed(MANIFEST_FILE_NAME).is_ok_and(|written| then <= written));
        if is_older && journal::is_journal(&journal) {
            // Nothing is lost if the file stays.
            let _ = fs::remove_file(&journal);
        }
    }

    /// Returns every file that an earlier run wrote.
    pub(crate) fn files_of_earlier_runs(&self) -> &ListedFileHashes {
        &self.own_files
    }

    /// Returns the path of a file in progress.
    pub(crate) fn path_in_staging(&self, name: &str) -> PathBuf {
        self.folder.join(STAGING_FOLDER_NAME).join("staged").join(name)
    }

    /// Returns the path of the previous manifest, while files are being replaced.
    pub(crate) fn set_aside_manifest_path(&self) -> PathBuf {
        self.folder.join(STAGING_FOLDER_NAME).join(PREVIOUS_MANIFEST_NAME)
    }

    /// Returns the path of the manifest in progress.
    pub(crate) fn next_manifest_path(&self) -> PathBuf {
        self.folder.join(STAGING_FOLDER_NAME).join(NEXT_MANIFEST_NAME)
    }

    /// Checks that files may replace those under `names`.
    ///
    /// # Errors
    /// Names all files that are an input, a link or of another origin.
    pub(crate) fn check_files_may_be_replaced(&self, names: &[String]) -> Result<(), ReportError> {
        let obstacles: Vec<_> =
            names.iter().filter_map(|name| self.obstacle_to_replacing_file(name)).collect();
        let of = |kind| {
            let names = obstacles.iter().filter(|(_, own)| *own == kind);
            let names: Vec<_> = names.map(|(name, _)| name.as_str()).collect();
            (!names.is_empty()).then(|| kind.explain_obstacle(&names))
        };
        let said: Vec<_> = ReplaceObstacle::ALL_OBSTACLES.into_iter().filter_map(of).collect();
        if said.is_empty() {
            return Ok(());
        }
        let folder = self.folder.display();
        Err(ReportError::Invalid(format!("in {folder}, {}", said.join("; "))))
    }

    fn obstacle_to_replacing_file(&self, name: &str) -> Option<(String, ReplaceObstacle)> {
        let no_file = || Some((name.to_owned(), ReplaceObstacle::NoFile));
        let path = match plain_file::resolve_in_folder(&self.folder, name) {
            Err(FileReadRefusal::Link) => return no_file(),
            path => path.ok()?,
        };
        let metadata = path.symlink_metadata().ok()?;
        let obstacle = if !metadata.is_file() {
            return no_file();
        } else if self.is_input_file(&path) {
            ReplaceObstacle::Input
        } else if self.terms.overwrite || self.is_own_result_file(name, &path) {
            return None;
        } else {
            ReplaceObstacle::Foreign
        };
        Some((name.to_owned(), obstacle))
    }

    fn is_own_result_file(&self, name: &str, path: &Path) -> bool {
        match name {
            JOURNAL_FILE_NAME => journal::is_journal(path),
            MANIFEST_FILE_NAME => manifest_listing::read_own_manifest_file(path).is_some(),
            _ => self.own_files.is_unchanged_file(name, path),
        }
    }

    fn is_input_file(&self, path: &Path) -> bool {
        let same = |input: &PathBuf| are_paths_of_same_file(input, path);
        self.terms.inputs.iter().any(same)
    }

    fn check_results_are_replaceable(&self) -> Result<(), ReportError> {
        let charts = self.folder.join(CHARTS_FOLDER_NAME);
        let writes = self.terms.writes.iter().map(String::as_str);
        let mut names: Vec<_> = [MANIFEST_FILE_NAME].into_iter().chain(writes).collect();
        if charts.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
            names.push(CHARTS_FOLDER_NAME);
        }
        let drawn =
            entry_names_in_folder(&charts).into_iter().filter(|name| is_chart_file_name(name));
        let drawn = drawn.map(|name| format!("{CHARTS_FOLDER_NAME}/{name}"));
        let names: Vec<_> = names.into_iter().map(str::to_owned).chain(drawn).collect();
        self.check_files_may_be_replaced(&names)
    }

    /// Removes the leftovers of killed runs. The previous manifest stays until the next one is
    /// written, because it proves which files are results.
    fn remove_stale_staging(&self) -> Result<(), ReportError> {
        let staged = self.folder.join(STAGING_FOLDER_NAME).join("staged");
        for path in [staged].into_iter().chain(find_leftover_temporary_files(&self.folder)) {
            remove_file_or_folder(&path).map_err(map_write_error(&path))?;
        }
        Ok(())
    }
}

impl Drop for FolderClaim {
    /// Leaves only results behind. The next run removes leftovers that cannot be removed now.
    fn drop(&mut self) {
        let workshop = self.folder.join(STAGING_FOLDER_NAME);
        let unfinished = self.set_aside_manifest_path().exists();
        let _ = remove_file_or_folder(&workshop.join("staged"));
        if !unfinished {
            let _ = remove_file_or_folder(&workshop);
        }
        if self.is_new {
            // A folder that was created in vain is removed too; one with files in it cannot be
            // removed this way.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// Finds leftovers of earlier runs in `folder` itself.
fn find_leftover_temporary_files(folder: &Path) -> Vec<PathBuf> {
    let hidden = |name: &String| {
        let drawn = name.strip_prefix(TEMPORARY_FILE_PREFIX);
        drawn.is_some_and(|rest| rest.len() == 6 && rest.bytes().all(|b| b.is_ascii_alphanumeric()))
    };
    let names = entry_names_in_folder(folder).into_iter().filter(hidden);
    names.map(|name| folder.join(name)).collect()
}

fn entry_names_in_folder(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

/// Whether a name is that of a chart: `3-heatmap-p_break.svg`.
pub(crate) fn is_chart_file_name(name: &str) -> bool {
    let number = name.split('-').next().unwrap_or(name);
    let numbered = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    (numbered || name.starts_with("compare-")) && (name.ends_with(".svg") || name.ends_with(".png"))
}

/// Refuses links inside the folder. The folder itself may be reached through a link, but not its
/// staging folder or its lock.
fn refuse_linked_staging_or_lock(folder: &Path) -> Result<(), ReportError> {
    let workshop = folder.join(STAGING_FOLDER_NAME);
    let lock = workshop.join(LOCK_FILE_NAME);
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
fn remove_file_or_folder(path: &Path) -> io::Result<()> {
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
fn lock_for_command(folder: &Path, command: &str) -> Result<File, ReportError> {
    let path = folder.join(STAGING_FOLDER_NAME).join(LOCK_FILE_NAME);
    loop {
        let mut open = File::options();
        let open = open.create(true).truncate(false).read(true).write(true);
        fs::create_dir_all(folder.join(STAGING_FOLDER_NAME)).map_err(map_create_error(folder))?;
        let mut file = match open.open(&path) {
            // The process that had the lock is removing its files at this moment.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            opened => opened.map_err(map_write_error(&path))?,
        };
        match file.try_lock() {
            Ok(()) if is_file_at_path(&file, &path) => {}
            Ok(()) => continue,
            Err(TryLockError::WouldBlock) => return Err(in_use_error(folder, &mut file)),
            Err(TryLockError::Error(error)) => return Err(map_write_error(&path)(error).into()),
        }
        let holder = format!("process {}, `{command}`", std::process::id());
        let result = file.set_len(0).and_then(|()| file.write_all(holder.as_bytes()));
        result.map_err(map_write_error(&path))?;
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
fn is_file_at_path(file: &File, path: &Path) -> bool {
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
fn is_file_at_path(_: &File, _: &Path) -> bool {
    true
}
