//! Loads rulebooks from files, for a command line and for the files that name them.

use std::path::{Component, Path, PathBuf};

use super::named::{named, stem};
use crate::file::document::{Document, Input, Origin};
use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::error::{Error, LocatedFault};
use enfilade_model::form::sanitize::{shown, steers};
use enfilade_model::form::{Fault, name_matching};
use enfilade_model::plain_file::{self, Refusal};
use enfilade_rules::{self, Rulebook};

/// Extension of rulebook files.
const ENDING: &str = "rules";

/// Adds to `catalogue` the rulebooks in the files `given`, and those that `input` names.
///
/// # Errors
/// [`Error::Input`] with the faults of a rulebook, or of the file that names it; [`Error::Usage`]
/// if a given one has the name of another; [`Error::Io`] if it cannot be read.
pub fn catalogue(
    catalogue: &Catalogue,
    given: &[PathBuf],
    input: Option<&Input>,
) -> Result<Catalogue, Error> {
    let mut shelf = Shelf { catalogue: catalogue.clone(), known: Vec::new() };
    for path in given {
        let added = shelf.add(path).map_err(|trouble| trouble.of_the_command(path));
        added?;
    }
    let Some(input) = input else {
        return Ok(shelf.catalogue);
    };
    // Faults of the file itself are reported when it is read.
    let Ok(document) = Document::parse(&input.text) else {
        return Ok(shelf.catalogue);
    };
    for (key, written) in named(&document) {
        let added = shelf.add_named(input, &written);
        added.map_err(|trouble| trouble.of_the_file(input, &document, &key, &written))?;
    }
    Ok(shelf.catalogue)
}

/// Catalogue that grows by files.
struct Shelf {
    catalogue: Catalogue,
    /// Files in the catalogue.
    known: Vec<PathBuf>,
}

/// Reason why a rulebook is not loaded.
enum Trouble {
    /// A rulebook with its name is already loaded.
    Clash(String),
    /// The file is not a rulebook: the reason, and the remedy.
    Odd(String, &'static str),
    /// The file cannot be read, or has faults.
    Read(Error),
}

impl Shelf {
    /// Adds the rulebook at `path`, unless that very file has been added.
    fn add(&mut self, path: &Path) -> Result<(), Trouble> {
        self.add_read(path, |known| enfilade_rules::open(path, known).map_err(Trouble::Read))
    }

    /// Adds the rulebook that `input` names as `written`, unless that very file has been added.
    fn add_named(&mut self, input: &Input, written: &str) -> Result<(), Trouble> {
        let path = input.folder.join(written);
        match input.origin {
            Origin::Command => self.add(&path),
            Origin::File => self.add_read(&path, |known| opened(&input.folder, written, known)),
        }
    }

    /// Adds the rulebook at `path`, read by `read`, unless that very file has been added.
    fn add_read(
        &mut self,
        path: &Path,
        read: impl FnOnce(&Catalogue) -> Result<Rulebook, Trouble>,
    ) -> Result<(), Trouble> {
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.known.contains(&place) {
            return Ok(());
        }
        let id = stem(path);
        if id.trim().is_empty()
            || id.chars().any(|c| steers(c) || matches!(c, '/' | '\\' | ':' | '"'))
        {
            let problem = format!("{} cannot be the name of a rulebook", shown(&id));
            return Err(Trouble::Clash(problem));
        }
        if let Some(there) = self.clash(&id) {
            let of = match there.files.first().filter(|_| there.is_read()) {
                None => "is built in".to_owned(),
                Some(file) => format!("is read from another {}", shown(&file.name)),
            };
            let problem = format!("a rulebook `{}` {of}", shown(&there.id));
            return Err(Trouble::Clash(problem));
        }
        let read = read(&self.catalogue)?;
        self.known.push(place);
        self.catalogue = std::mem::take(&mut self.catalogue).with(read.system);
        Ok(())
    }

    /// Returns another rulebook that a contest would mean by `id` as well.
    fn clash(&self, id: &str) -> Option<&System> {
        let there = self
            .catalogue
            .ids()
            .find(|there| name_matching::key(there) == name_matching::key(id))?;
        self.catalogue.system(there).ok().map(|system| &**system)
    }
}

/// Opens the rulebook that a file in `folder` names as `written`. The file may come from another
/// person: the rulebook must be below its folder, or below one above it that it climbs to with
/// `..`, must be reached through no link, and must have the extension and the first line of a
/// rulebook. No message repeats the contents of any other file.
fn opened(folder: &Path, written: &str, known: &Catalogue) -> Result<Rulebook, Trouble> {
    let (mut up, mut down) = (PathBuf::new(), PathBuf::new());
    for part in Path::new(written).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if down.pop() => {}
            Component::ParentDir => up.push(part),
            Component::Normal(part) => down.push(part),
            Component::Prefix(_) | Component::RootDir => {
                let problem = format!("{} is an absolute path", shown(written));
                return Err(Trouble::Odd(problem, OWN));
            }
        }
    }
    if down.extension().is_none_or(|ending| ending != ENDING) {
        let problem = format!("{} is no rulebook: its name does not end in .rules", shown(written));
        return Err(Trouble::Odd(problem, OWN));
    }
    let above = folder.join(up);
    let path = above.join(&down);
    let text = plain_file::read_text_below(&above, &down, enfilade_rules::BYTES).map_err(
        |why| match why {
            Refusal::Io(source) => {
                Trouble::Read(Error::Io { what: "reading", path: path.clone(), source })
            }
            other => Trouble::Odd(format!("{} cannot be read: {other}", shown(written)), OWN),
        },
    )?;
    if !enfilade_rules::is_one(&text) {
        let problem = format!(
            "{} is no rulebook: it has no line `game \"Name\"` and no action",
            shown(written)
        );
        return Err(Trouble::Odd(problem, "run `enfilade rules check FILE` to see its faults"));
    }
    enfilade_rules::read_at(&path, &text, known).map_err(Trouble::Read)
}

const OWN: &str = "a file names rulebooks from its own folder on and through no link; any other is given on the \
    command line: --rules FILE";

const RENAME: &str = "the name of a rulebook is that of its file: rename the file, and the `system` \
    of its contests";

impl Trouble {
    fn of_the_command(self, path: &Path) -> Error {
        match self {
            Trouble::Clash(problem) => {
                let path = shown(&path.display().to_string());
                Error::Usage(format!("--rules {path}: {problem}; {RENAME}"))
            }
            Trouble::Odd(problem, help) => Error::Usage(format!("--rules: {problem}; {help}")),
            Trouble::Read(error) => error,
        }
    }

    /// Converts the failure to an error at the position in the file that names the rulebook. Faults
    /// of the rulebook stay in the rulebook.
    fn of_the_file(self, input: &Input, document: &Document, key: &str, written: &str) -> Error {
        let fault = match self {
            Trouble::Clash(problem) => Fault::new(key, problem).help(RENAME),
            Trouble::Odd(problem, help) => Fault::new(key, problem).help(help),
            Trouble::Read(Error::Io { source, .. }) => {
                let problem = format!("{} cannot be read: {source}", shown(written));
                let fault = Fault::new(key, problem);
                match beside(&input.folder, written) {
                    Some(near) => fault.help(format!("did you mean \"{near}\"?")),
                    None => fault.help("its path begins at the folder of this file"),
                }
            }
            Trouble::Read(error) => return error,
        };
        let span = document.locate(key);
        Error::Input {
            name: input.name.clone(),
            text: input.text.clone(),
            faults: vec![LocatedFault { fault, span }],
        }
    }
}

/// Returns the rulebook in the same folder whose name is nearest to the written one.
fn beside(folder: &Path, written: &str) -> Option<String> {
    let wanted = folder.join(written);
    let place = wanted.parent().filter(|place| !place.as_os_str().is_empty());
    let entries = std::fs::read_dir(place.unwrap_or(Path::new("."))).ok()?;
    let files = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let ending = format!(".{ENDING}");
    let files: Vec<_> = files.filter(|name| name.ends_with(&ending)).collect();
    let (before, last) = match written.rsplit_once('/') {
        Some((before, last)) => (format!("{before}/"), last),
        None => (String::new(), written),
    };
    let near = name_matching::nearest(last, files.iter().map(String::as_str))?;
    (!near.contains(steers)).then(|| format!("{before}{near}"))
}

/// Returns the path of a rulebook as a file in `folder` names it.
pub fn seen_from(folder: &Path, rules: &Path) -> String {
    let place = |folder: &Path| match folder.as_os_str().is_empty() {
        true => Path::new(".").canonicalize(),
        false => folder.canonicalize(),
    };
    // The file itself keeps its name, also if it is a link to another.
    let (name, of) = (rules.file_name().unwrap_or_default(), rules.parent().unwrap_or(folder));
    let (Ok(from), Ok(to)) = (place(folder), place(of).map(|of| of.join(name))) else {
        return rules.display().to_string();
    };
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    // On another disk.
    if shared == 0 {
        return to.display().to_string();
    }
    let up = from.components().skip(shared).map(|_| "..".to_owned());
    let down = to.components().skip(shared);
    let down = down.map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}
