//! Variants, and drafts of unsaved texts, stored beside the questions of a folder.
//!
//! Each is a small separate file below `.studio`, in the TOML of the questions: so they outlive
//! page, port and program, can be read without the studio, and two people who keep variants never
//! meet in one file. Drafts are private and are excluded from Git. A writer that replaces or
//! removes one sends the hash of the text that it has seen.

use std::fs;
use std::path::{Path, PathBuf};

use hyper::StatusCode;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::folder::{Folder, Found, Trouble};
use super::shelf::Beside;

/// The folder of both drawers.
const PLACE: &str = ".studio";

/// The largest number of papers in one drawer.
const MOST: usize = 500;

/// Letters of the longest id of a paper.
const LONGEST: usize = 60;

/// The two kinds of papers.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Questions that are saved for comparison, each with a name and a note.
    Variants,
    /// Unsaved texts.
    Drafts,
}

impl Kind {
    /// The name of its folder.
    fn word(self) -> &'static str {
        match self {
            Kind::Variants => "variants",
            Kind::Drafts => "drafts",
        }
    }
}

/// One variant or draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Paper {
    /// Its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// A note of its author.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Its file; empty if there is none yet.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub of: String,
    /// Hash of the text of that file that was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
    /// Time at which it was saved.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kept: String,
    /// The current contest, from 0.
    #[serde(default)]
    pub contest: usize,
    /// The current cell of its grid.
    #[serde(default)]
    pub cell: usize,
    /// The text.
    pub text: String,
    /// Files that belong to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<Beside>,
}

/// An entry in the list of papers.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum PaperEntry {
    /// A paper that can be read.
    Kept(PaperHead),
    /// A damaged paper, with its fault.
    Damaged { id: String, fault: String },
}

/// All of a paper but its text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PaperHead {
    id: String,
    hash: String,
    name: String,
    note: String,
    of: String,
    kept: String,
}

impl PaperHead {
    fn of(id: &str, paper: Paper, hash: String) -> PaperHead {
        let Paper { name, note, of, kept, .. } = paper;
        PaperHead { id: id.to_owned(), hash, name, note, of, kept }
    }
}

impl PaperEntry {
    /// Time at which it was saved; `None` if it cannot be read: these come first.
    fn kept(&self) -> Option<&str> {
        match self {
            PaperEntry::Kept(head) => Some(&head.kept),
            PaperEntry::Damaged { .. } => None,
        }
    }
}

/// Both drawers of a folder; one writes at a time.
pub struct Drawers {
    place: PathBuf,
    turn: Mutex<()>,
}

impl Drawers {
    /// Opens the drawers of this folder; no folder is created before there is something to save.
    pub fn of(folder: &Folder) -> Drawers {
        Drawers { place: folder.path.join(PLACE), turn: Mutex::new(()) }
    }

    /// Lists the papers of one kind by time; those that cannot be read have a fault.
    pub fn list(&self, kind: Kind) -> Vec<PaperEntry> {
        let Ok(Some(folder)) = self.folder(kind) else { return Vec::new() };
        let told = |file: super::folder::Listed| {
            let id = file.name.strip_suffix(".toml")?;
            Some(match read(&folder, id) {
                Ok((paper, hash)) => PaperEntry::Kept(PaperHead::of(id, paper, hash)),
                Err(why) => PaperEntry::Damaged { id: id.to_owned(), fault: said(&why).to_owned() },
            })
        };
        let mut listed: Vec<PaperEntry> = folder.list().into_iter().filter_map(told).collect();
        listed.sort_by(|a, b| a.kept().cmp(&b.kept()));
        listed
    }

    /// Reads the paper called `id`, and its hash.
    ///
    /// # Errors
    /// When no paper has this name, or it is damaged.
    pub fn read(&self, kind: Kind, id: &str) -> Result<(Paper, String), Trouble> {
        plain(id)?;
        let folder = self.folder(kind)?.ok_or_else(nothing)?;
        read(&folder, id)
    }

    /// Saves a paper in the place of the one whose hash was `seen`; `None` for a new one. Returns
    /// its hash.
    ///
    /// # Errors
    /// When another text is there, or it cannot be written.
    pub fn put(
        &self,
        kind: Kind,
        id: &str,
        paper: &Paper,
        seen: Option<&str>,
    ) -> Result<String, Trouble> {
        plain(id)?;
        let _turn = self.turn.lock();
        made(&self.place)?;
        let path = self.place.join(kind.word());
        if made(&path)? && matches!(kind, Kind::Drafts) {
            // Drafts are private.
            fs::write(path.join(".gitignore"), "*\n").map_err(|why| io(&path, &why))?;
        }
        let folder = self.folder(kind)?.ok_or_else(nothing)?;
        if seen.is_none() && folder.list().len() >= MOST {
            let why = format!("there are {MOST} {} already: remove some", kind.word());
            return Err(Trouble::Refused(StatusCode::INSUFFICIENT_STORAGE, why));
        }
        let text = toml::to_string_pretty(paper).map_err(|why| {
            Trouble::Refused(StatusCode::BAD_REQUEST, format!("it cannot be saved: {why}"))
        })?;
        folder.write(&file(id), &text, seen)
    }

    /// Removes the paper whose hash was `seen`.
    ///
    /// # Errors
    /// When the paper has changed since.
    pub fn forget(&self, kind: Kind, id: &str, seen: &str) -> Result<(), Trouble> {
        plain(id)?;
        let _turn = self.turn.lock();
        let folder = self.folder(kind)?.ok_or_else(nothing)?;
        folder.remove(&file(id), seen)
    }

    /// The folder of a drawer, if there is one: no link, which could lead anywhere.
    fn folder(&self, kind: Kind) -> Result<Option<Folder>, Trouble> {
        let path = self.place.join(kind.word());
        if !is_there(&self.place)? || !is_there(&path)? {
            return Ok(None);
        }
        let opened = Folder::open(&path);
        let failed = |why: crate::error::Error| {
            Trouble::Refused(StatusCode::INTERNAL_SERVER_ERROR, why.to_string())
        };
        opened.map(Some).map_err(failed)
    }
}

/// Checks whether there is a folder at `path`.
fn is_there(path: &Path) -> Result<bool, Trouble> {
    match path.symlink_metadata() {
        Ok(about) if about.is_dir() => Ok(true),
        Ok(_) => {
            let why = format!("{} is not a folder: nothing can be saved there", path.display());
            Err(Trouble::Refused(StatusCode::FORBIDDEN, why))
        }
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(why) => Err(io(path, &why)),
    }
}

/// Creates a folder if it is missing; returns whether it did.
fn made(path: &Path) -> Result<bool, Trouble> {
    if is_there(path)? {
        return Ok(false);
    }
    fs::create_dir(path).map(|()| true).map_err(|why| io(path, &why))
}

fn io(path: &Path, why: &std::io::Error) -> Trouble {
    let why = format!("saving in {}: {why}", path.display());
    Trouble::Refused(StatusCode::INTERNAL_SERVER_ERROR, why)
}

fn nothing() -> Trouble {
    Trouble::Refused(StatusCode::NOT_FOUND, "nothing is saved under this name".to_owned())
}

/// File name of a paper.
fn file(id: &str) -> String {
    format!("{id}.toml")
}

/// Checks the id of a paper: letters, digits and hyphens, which mean the same on every system.
fn plain(id: &str) -> Result<(), Trouble> {
    let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    match id.len() <= LONGEST && !id.is_empty() && id.chars().all(known) {
        true => Ok(()),
        false => {
            let why = "the name may have small letters, digits and hyphens, at most 60";
            Err(Trouble::Refused(StatusCode::BAD_REQUEST, why.to_owned()))
        }
    }
}

fn read(folder: &Folder, id: &str) -> Result<(Paper, String), Trouble> {
    let Found { text, hash } = folder.read(&file(id))?;
    let damaged = |why: toml::de::Error| {
        let why = format!("{PLACE}/…/{id}.toml is not a saved question: {}", why.message());
        Trouble::Refused(StatusCode::UNPROCESSABLE_ENTITY, why)
    };
    toml::from_str(&text).map(|paper| (paper, hash)).map_err(damaged)
}

fn said(trouble: &Trouble) -> &str {
    match trouble {
        Trouble::Refused(_, why) => why,
        Trouble::Changed(_) => "it was changed",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;

    fn paper(text: &str) -> Paper {
        let empty = String::new;
        Paper {
            name: "weak".to_owned(),
            note: empty(),
            of: "fire.toml".to_owned(),
            seen: None,
            kept: empty(),
            contest: 0,
            cell: 0,
            text: text.to_owned(),
            beside: Vec::new(),
        }
    }

    fn drawers() -> (tempfile::TempDir, Drawers) {
        let place = tempfile::TempDir::new().expect("a temporary folder");
        let folder = Folder::open(place.path()).expect("it is there");
        let drawers = Drawers::of(&folder);
        (place, drawers)
    }

    #[test]
    fn a_paper_comes_back_as_it_was_and_is_replaced_by_who_has_seen_it() {
        let (place, drawers) = drawers();
        assert!(drawers.list(Kind::Variants).is_empty());
        // Reading creates no folder.
        assert_eq!(fs::read_dir(place.path()).expect("readable").count(), 0);
        let odd = "# mine\n'''\n\"\"\"\\ Ä \u{1}\n\n  x = 1";
        let hash = drawers.put(Kind::Variants, "fire-1", &paper(odd), None).expect("it is new");
        let (found, same) = drawers.read(Kind::Variants, "fire-1").expect("it is there");
        assert_eq!((&found, &same), (&paper(odd), &hash));
        let again = drawers.put(Kind::Variants, "fire-1", &paper("x"), None);
        assert!(matches!(again, Err(Trouble::Changed(Some(_)))), "{again:?}");
        let next = drawers.put(Kind::Variants, "fire-1", &paper("x"), Some(&hash));
        let next = next.expect("it was seen");
        assert!(matches!(
            drawers.forget(Kind::Variants, "fire-1", &hash),
            Err(Trouble::Changed(_))
        ));
        let listed = json!(drawers.list(Kind::Variants));
        assert_eq!(listed[0]["of"], "fire.toml");
        assert_eq!(drawers.forget(Kind::Variants, "fire-1", &next), Ok(()));
        assert!(drawers.list(Kind::Variants).is_empty());
        // Only drafts are excluded from Git.
        assert!(!place.path().join(".studio/variants/.gitignore").exists());
        drawers.put(Kind::Drafts, "a", &paper("x"), None).expect("it is new");
        let told = fs::read_to_string(place.path().join(".studio/drafts/.gitignore"));
        assert_eq!(told.expect("it is there"), "*\n");
    }

    #[test]
    fn hostile_names_are_refused() {
        let (place, drawers) = drawers();
        let long = "x".repeat(61);
        for bad in ["", "..", "../x", "a/b", "a.b", "A", "ä", "-x", "con", "x\0", &long] {
            let put = drawers.put(Kind::Drafts, bad, &paper("x"), None);
            assert!(matches!(put, Err(Trouble::Refused(..))), "{bad:?}: {put:?}");
            assert!(drawers.read(Kind::Drafts, bad).is_err(), "{bad:?}");
            assert!(drawers.forget(Kind::Drafts, bad, "").is_err(), "{bad:?}");
        }
        let outside = fs::read_dir(place.path()).expect("readable").flatten();
        assert!(outside.map(|entry| entry.file_name()).all(|name| name == ".studio"));
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out() {
        let (place, drawers) = drawers();
        let elsewhere = tempfile::TempDir::new().expect("a temporary folder");
        std::os::unix::fs::symlink(elsewhere.path(), place.path().join(".studio")).expect("made");
        assert!(drawers.put(Kind::Drafts, "a", &paper("x"), None).is_err());
        fs::remove_file(place.path().join(".studio")).expect("removed");
        fs::create_dir(place.path().join(".studio")).expect("made");
        let inner = place.path().join(".studio/drafts");
        std::os::unix::fs::symlink(elsewhere.path(), inner).expect("made");
        assert!(drawers.put(Kind::Drafts, "a", &paper("x"), None).is_err());
        assert_eq!(fs::read_dir(elsewhere.path()).expect("readable").count(), 0);
    }

    #[test]
    fn what_is_damaged_is_told_and_left() {
        let (place, drawers) = drawers();
        drawers.put(Kind::Variants, "a", &paper("x"), None).expect("it is new");
        let path = place.path().join(".studio/variants/b.toml");
        fs::write(&path, "<<<<<<< mine\n").expect("written");
        let listed: Vec<Json> =
            drawers.list(Kind::Variants).iter().map(|entry| json!(entry)).collect();
        assert_eq!(listed.len(), 2);
        assert!(listed.iter().any(|one| one["id"] == "b" && one["fault"].is_string()));
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "<<<<<<< mine\n");
    }
}
