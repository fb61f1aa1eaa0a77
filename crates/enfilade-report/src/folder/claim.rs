//! Exclusive claim on a folder, taken before the work starts.
//!
//! The hidden folder `.enfilade` inside it contains a locked file that names the writing process,
//! and the files in progress. Files that a killed run left there are removed by the next run. A
//! file of another origin is replaced only with permission, nothing is written through a link, and
//! no input file is written to.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::folder::disk::{making, same_file, writing};
use crate::folder::manifest_listing::{self, Listing, MANIFEST, WORKSHOP};
use enfilade_model::error::Error;
use enfilade_model::plain_file::{self, Refusal};
use enfilade_study::checkpoint::journal::{self, HIDDEN, JOURNAL};

/// The name of the folder of charts.
const CHARTS: &str = "charts";

/// The file that is locked while the run lasts.
const LOCK: &str = "lock";

/// The manifest of the previous results.
const PREVIOUS: &str = "previous.json";

/// The manifest of the results in progress.
const NEXT: &str = "next.json";

/// The options of a command for a folder.
#[derive(Clone, Debug, Default)]
pub struct Terms {
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
enum Obstacle {
    /// A link, a folder, a device.
    NoFile,
    /// An input file.
    Input,
    /// A file of another origin.
    Foreign,
}

impl Obstacle {
    const ALL: [Obstacle; 3] = [Obstacle::NoFile, Obstacle::Input, Obstacle::Foreign];

    fn said(self, names: &[&str]) -> String {
        let (is, was) = if names.len() == 1 { ("is", "was") } else { ("are", "were") };
        let names = names.join(", ");
        match self {
            Obstacle::NoFile => {
                format!(
                    "{names} {is} no plain file, and results go there: move it away, or give another --out"
                )
            }
            Obstacle::Input => {
                format!("{names} {is} read and would be written to: give another --out")
            }
            Obstacle::Foreign => format!(
                "{names} {was} not written by enfilade, or {was} changed since: move it away, give another \
                 --out, or replace it with --overwrite"
            ),
        }
    }
}

/// A folder that only this process writes to, until the claim is dropped.
#[derive(Debug)]
pub struct Claim {
    folder: PathBuf,
    /// Whether the claim created the folder.
    made: bool,
    terms: Terms,
    /// The open file that keeps the lock.
    _lock: File,
    /// Returns every file that an earlier run wrote.
    owned: Listing,
}

impl Claim {
    /// Claims `folder`, which is created if it does not exist.
    ///
    /// # Errors
    /// [`Error::Held`] when another process has it; [`Error::Usage`] when a file to be written is
    /// an input, a link, or a file of another origin and `terms` do not allow that; [`Error::Io`]
    /// when the folder cannot be created or written to. After an error nothing is changed.
    pub fn new(folder: &Path, terms: Terms) -> Result<Claim, Error> {
        refuse_links(folder)?;
        // Checked before the lock creates the folder, so that an unused one can be removed again.
        let made = !folder.exists();
        let lock = lock(folder, &terms.command)?;
        let workshop = folder.join(WORKSHOP);
        let manifests = [folder.join(MANIFEST), workshop.join(PREVIOUS), workshop.join(NEXT)];
        let listed = manifests.iter().map(|path| Listing::of(path));
        let claim = Claim {
            folder: folder.to_owned(),
            made,
            terms,
            _lock: lock,
            owned: listed.fold(Listing::default(), Listing::with),
        };
        claim.refuse_foreign()?;
        claim.sweep()?;
        Ok(claim)
    }

    /// Claims `folder` for a command that reads no file and may replace all.
    ///
    /// # Errors
    /// As for [`new`](Claim::new).
    pub fn freely(folder: &Path) -> Result<Claim, Error> {
        let overwrite = true;
        Claim::new(folder, Terms { overwrite, ..Terms::default() })
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the manifest of the results in the folder, if this program wrote them.
    pub fn manifest(&self) -> Option<serde_json::Value> {
        manifest_listing::manifest(&self.folder)
    }

    /// Returns every file that an earlier run wrote.
    pub(crate) fn owned(&self) -> &Listing {
        &self.owned
    }

    /// Returns the path of a file in progress.
    pub(crate) fn staged(&self, name: &str) -> PathBuf {
        self.folder.join(WORKSHOP).join("staged").join(name)
    }

    /// Returns the path of the previous manifest, while files are being replaced.
    pub(crate) fn previous(&self) -> PathBuf {
        self.folder.join(WORKSHOP).join(PREVIOUS)
    }

    /// Returns the path of the manifest in progress.
    pub(crate) fn next(&self) -> PathBuf {
        self.folder.join(WORKSHOP).join(NEXT)
    }

    /// Checks that files may replace those under `names`.
    ///
    /// # Errors
    /// Names all files that are an input, a link or of another origin.
    pub(crate) fn may_replace(&self, names: &[String]) -> Result<(), Error> {
        let obstacles: Vec<_> = names.iter().filter_map(|name| self.obstacle(name)).collect();
        let of = |kind| {
            let names = obstacles.iter().filter(|(_, own)| *own == kind);
            let names: Vec<_> = names.map(|(name, _)| name.as_str()).collect();
            (!names.is_empty()).then(|| kind.said(&names))
        };
        let said: Vec<_> = Obstacle::ALL.into_iter().filter_map(of).collect();
        if said.is_empty() {
            return Ok(());
        }
        let folder = self.folder.display();
        Err(Error::Usage(format!("in {folder}, {}", said.join("; "))))
    }

    fn obstacle(&self, name: &str) -> Option<(String, Obstacle)> {
        let no_file = || Some((name.to_owned(), Obstacle::NoFile));
        let path = match plain_file::below(&self.folder, name) {
            Err(Refusal::Link) => return no_file(),
            path => path.ok()?,
        };
        let found = path.symlink_metadata().ok()?;
        let obstacle = if !found.is_file() {
            return no_file();
        } else if self.is_input(&path) {
            Obstacle::Input
        } else if self.terms.overwrite || self.is_ours(name, &path) {
            return None;
        } else {
            Obstacle::Foreign
        };
        Some((name.to_owned(), obstacle))
    }

    fn is_ours(&self, name: &str, path: &Path) -> bool {
        match name {
            JOURNAL => journal::is_journal(path),
            MANIFEST => manifest_listing::read(path).is_some(),
            _ => self.owned.holds(name, path),
        }
    }

    fn is_input(&self, path: &Path) -> bool {
        let same = |input: &PathBuf| same_file(input, path);
        self.terms.inputs.iter().any(same)
    }

    fn refuse_foreign(&self) -> Result<(), Error> {
        let charts = self.folder.join(CHARTS);
        let writes = self.terms.writes.iter().map(String::as_str);
        let mut names: Vec<_> = [MANIFEST].into_iter().chain(writes).collect();
        if charts.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
            names.push(CHARTS);
        }
        let drawn = names_in(&charts).into_iter().filter(|name| is_drawn(name));
        let drawn = drawn.map(|name| format!("{CHARTS}/{name}"));
        let names: Vec<_> = names.into_iter().map(str::to_owned).chain(drawn).collect();
        self.may_replace(&names)
    }

    /// Removes the leftovers of killed runs. The previous manifest stays until the next one is
    /// written, because it proves which files are results.
    fn sweep(&self) -> Result<(), Error> {
        let staged = self.folder.join(WORKSHOP).join("staged");
        for path in [staged].into_iter().chain(leftovers(&self.folder)) {
            remove(&path).map_err(writing(&path))?;
        }
        Ok(())
    }
}

impl Drop for Claim {
    /// Leaves only results behind. The next run removes leftovers that cannot be removed now.
    fn drop(&mut self) {
        let workshop = self.folder.join(WORKSHOP);
        let unfinished = self.previous().exists();
        let _ = remove(&workshop.join("staged"));
        if !unfinished {
            let _ = remove(&workshop);
        }
        if self.made {
            // A folder that was created in vain is removed too; one with files in it cannot be
            // removed this way.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// Finds leftovers of earlier runs in `folder` itself.
fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let hidden = |name: &String| {
        let drawn = name.strip_prefix(HIDDEN);
        drawn.is_some_and(|rest| rest.len() == 6 && rest.bytes().all(|b| b.is_ascii_alphanumeric()))
    };
    let names = names_in(folder).into_iter().filter(hidden);
    names.map(|name| folder.join(name)).collect()
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

/// Whether a name is that of a chart: `3-heatmap-p_break.svg`.
pub(crate) fn is_drawn(name: &str) -> bool {
    let number = name.split('-').next().unwrap_or(name);
    let numbered = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    (numbered || name.starts_with("compare-")) && (name.ends_with(".svg") || name.ends_with(".png"))
}

/// Refuses links inside the folder. The folder itself may be reached through a link, but not its
/// staging folder or its lock.
fn refuse_links(folder: &Path) -> Result<(), Error> {
    let workshop = folder.join(WORKSHOP);
    let lock = workshop.join(LOCK);
    let odd = |path: &Path, what: &str| {
        let path = path.display();
        Err(Error::Usage(format!("{path} is no {what}: move it away, or give another --out")))
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
fn remove(path: &Path) -> io::Result<()> {
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
fn lock(folder: &Path, command: &str) -> Result<File, Error> {
    let path = folder.join(WORKSHOP).join(LOCK);
    loop {
        let mut open = File::options();
        let open = open.create(true).truncate(false).read(true).write(true);
        fs::create_dir_all(folder.join(WORKSHOP)).map_err(making(folder))?;
        let mut file = match open.open(&path) {
            // The process that had the lock is removing its files at this moment.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            opened => opened.map_err(writing(&path))?,
        };
        match file.try_lock() {
            Ok(()) if is_at(&file, &path) => {}
            Ok(()) => continue,
            Err(TryLockError::WouldBlock) => return Err(held(folder, &mut file)),
            Err(TryLockError::Error(error)) => return Err(writing(&path)(error)),
        }
        let holder = format!("process {}, `{command}`", std::process::id());
        let said = file.set_len(0).and_then(|()| file.write_all(holder.as_bytes()));
        said.map_err(writing(&path))?;
        return Ok(file);
    }
}

fn held(folder: &Path, file: &mut File) -> Error {
    let mut by = String::new();
    // The process that has the lock may not have written its name yet.
    let _ = file.take(1000).read_to_string(&mut by);
    if by.is_empty() {
        by.push_str("one that has just started");
    }
    let folder = folder.to_owned();
    Error::Held { folder, by }
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
