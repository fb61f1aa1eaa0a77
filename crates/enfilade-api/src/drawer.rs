//! What a studio keeps beside the questions of its folder: variants, and drafts of what is not saved.
//!
//! Each is a small file of its own below `.studio`, in the TOML of the questions: so they outlive page, port and
//! program, can be read without the studio, and two people who keep variants never meet in one file. Drafts are
//! nobody else's business and say so to Git. Whoever replaces or removes one says which text they have seen.

use std::sync::Arc;

use http::StatusCode;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::folder::{Folder, Found, Kind, Listed, Trouble};
use super::shelf::Beside;

/// Papers in one drawer at most.
const MOST: usize = 500;

/// Letters of the longest name of a paper.
const LONGEST: usize = 60;

/// One variant or draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Paper {
    /// What its maker calls it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What they say of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The file that it is a text of; empty where there is none yet.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub of: String,
    /// The text of that file that was changed, by its hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
    /// When it was kept.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kept: String,
    /// Which contest is looked at, from 0.
    #[serde(default)]
    pub contest: usize,
    /// Which cell of its grid.
    #[serde(default)]
    pub cell: usize,
    /// The text.
    pub text: String,
    /// Files that it brings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<Beside>,
}

/// An entry in the list of papers.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum PaperEntry {
    /// One that can be read.
    Kept(PaperHead),
    /// One that cannot, and why.
    Damaged {
        /// Its name.
        id: String,
        /// The fault.
        fault: String,
    },
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
    /// When it was kept; nothing of one that cannot be read, which comes first.
    fn kept(&self) -> Option<&str> {
        match self {
            PaperEntry::Kept(head) => Some(&head.kept),
            PaperEntry::Damaged { .. } => None,
        }
    }
}

/// Both drawers of a folder; one writes at a time.
#[derive(Debug)]
pub struct Drawers {
    of: Arc<Folder>,
    turn: Mutex<()>,
}

impl Drawers {
    /// Those of this folder; nothing is made before there is something to keep.
    pub fn of(folder: Arc<Folder>) -> Drawers {
        Drawers { of: folder, turn: Mutex::new(()) }
    }

    /// What is in one, by when it was kept; what cannot be read says why.
    pub fn list(&self, kind: Kind) -> Vec<PaperEntry> {
        let Ok(Some(folder)) = self.of.drawer(kind, false) else { return Vec::new() };
        let told = |file: Listed| {
            let id = file.name.strip_suffix(".toml")?;
            Some(match read(&folder, kind, id) {
                Ok((paper, hash)) => PaperEntry::Kept(PaperHead::of(id, paper, hash)),
                Err(why) => PaperEntry::Damaged { id: id.to_owned(), fault: said(&why).to_owned() },
            })
        };
        let mut listed: Vec<PaperEntry> = folder.list().into_iter().filter_map(told).collect();
        listed.sort_by(|a, b| a.kept().cmp(&b.kept()));
        listed
    }

    /// The paper called `id`, and its hash.
    ///
    /// # Errors
    /// When there is none of the name, or it is damaged.
    pub fn read(&self, kind: Kind, id: &str) -> Result<(Paper, String), Trouble> {
        plain(id)?;
        let folder = self.of.drawer(kind, false)?.ok_or_else(nothing)?;
        read(&folder, kind, id)
    }

    /// Puts a paper there, in the place of the one whose hash was `seen`; `None`: where there is none. Its hash.
    ///
    /// # Errors
    /// When another one is there, or it cannot be written.
    pub fn put(
        &self,
        kind: Kind,
        id: &str,
        paper: &Paper,
        seen: Option<&str>,
    ) -> Result<String, Trouble> {
        plain(id)?;
        let _turn = self.turn.lock();
        let folder = self.of.drawer(kind, true)?.ok_or_else(nothing)?;
        if seen.is_none() && folder.list().len() >= MOST {
            let why = format!("there are {MOST} {} already: forget some", kind.word());
            return Err(Trouble::Refused(StatusCode::INSUFFICIENT_STORAGE, why));
        }
        let text = toml::to_string_pretty(paper).map_err(|why| {
            Trouble::Refused(StatusCode::BAD_REQUEST, format!("it cannot be kept: {why}"))
        })?;
        folder.write(&file(id), &text, seen)
    }

    /// Takes the paper away whose hash was `seen`.
    ///
    /// # Errors
    /// When it is another one by now.
    pub fn forget(&self, kind: Kind, id: &str, seen: &str) -> Result<(), Trouble> {
        plain(id)?;
        let _turn = self.turn.lock();
        let folder = self.of.drawer(kind, false)?.ok_or_else(nothing)?;
        folder.remove(&file(id), seen)
    }
}

fn nothing() -> Trouble {
    Trouble::Refused(StatusCode::NOT_FOUND, "nothing of that name is kept".to_owned())
}

/// The file of a paper.
fn file(id: &str) -> String {
    format!("{id}.toml")
}

/// Whether a page may call a paper so: letters, digits and hyphens, which mean the same everywhere.
fn plain(id: &str) -> Result<(), Trouble> {
    let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    match id.len() <= LONGEST && !id.is_empty() && id.chars().all(known) {
        true => Ok(()),
        false => {
            let why = "such a name has small letters, digits and hyphens, at most 60";
            Err(Trouble::Refused(StatusCode::BAD_REQUEST, why.to_owned()))
        }
    }
}

fn read(folder: &Folder, kind: Kind, id: &str) -> Result<(Paper, String), Trouble> {
    let Found { text, hash } = folder.read(&file(id))?;
    let damaged = |why: toml::de::Error| {
        let why = format!(".studio/{}/{id}.toml is no such file: {}", kind.word(), why.message());
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
