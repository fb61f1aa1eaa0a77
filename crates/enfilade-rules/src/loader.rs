//! Files of a rulebook: its own, those that it extends, and its data.

use std::path::{Component, Path};
use std::sync::Arc;

use crate::cache::program_cache::Kept;
use crate::check::lost_changes::changes_in_vain;
use crate::check::sum_tests::doubtful_sums;
use crate::check::unused::unread;
use crate::diagnostics::{Faults, near as nearest};
use crate::resolve::declare::declare;
use crate::resolve::extend::extend;
use crate::resolve::game::Game;
use crate::source_map::{Source, refused};
use crate::syntax::ast::{Data, Declared, File, Name, Row, Table, What};
use crate::syntax::foreign_lines::advise;
use crate::syntax::line_tree::unmarked;
use crate::syntax::parser::parse_from;
use enfilade_model::catalogue::{Catalogue, SourceFile, System};
use enfilade_model::error::{Error, LocatedFault};
#[cfg(feature = "files")]
use enfilade_model::plain_file::{self, WRITTEN};
use enfilade_model::shared::Shared;

/// Largest size of all files together, in bytes.
const BYTES: usize = 1024 * 1024;
/// Largest number of rulebooks that extend one another.
const DEPTH: usize = 4;
/// File name ending of rulebooks; `extends` with any other name refers to a built-in rulebook.
const ENDING: &str = ".rules";

/// Rulebook read from files.
#[derive(Debug)]
pub struct Rulebook {
    /// Catalogue entry.
    pub system: System,
    /// Warnings.
    pub warnings: Vec<LocatedFault>,
    /// Name in messages.
    pub name: String,
    /// Text of the main file.
    pub text: String,
    /// Resolved declarations.
    pub(crate) game: Arc<Game>,
    /// Programs of the contests.
    kept: Arc<Kept>,
}

impl Rulebook {
    /// Returns the number of programs compiled so far: cells of a grid that differ in numbers,
    /// words, switches or rows may share one.
    pub fn programs(&self) -> usize {
        self.kept.len()
    }

    /// Moves an error of the example at `position` of the action at `action` to the example's place
    /// in the rulebook. In `error` the example is the last lines of the experiment that contains
    /// it.
    pub fn in_example(&self, action: usize, position: usize, error: Error) -> Error {
        let Error::Input { text, faults, .. } = &error else { return error };
        let of = |name: &Name| name.text == self.game.actions[action].name.text;
        let mut examples = self.game.examples.iter().filter(|(name, ..)| of(name));
        let Some((name, _, lines)) = examples.nth(position) else { return error };
        let head = text.lines().count().saturating_sub(lines.len());
        let mut told = Faults::default();
        for LocatedFault { fault, span } in faults {
            let before = text.get(..span.start).unwrap_or_default();
            let written = before.rsplit('\n').next().unwrap_or_default().len();
            let line = before.matches('\n').count().checked_sub(head).and_then(|at| lines.get(at));
            let place = match line {
                None => name.span.clone(),
                // Table headings contain the path of the contest.
                Some(line) if line.text.starts_with('[') => line.span.clone(),
                Some(line) => {
                    let from = (line.span.start + written).min(line.span.end);
                    from..(from + span.len()).min(line.span.end)
                }
            };
            told.note(place, &*fault.problem, fault.help.clone().unwrap_or_default());
        }
        refused(&self.game.sources, told)
    }

    /// Returns the number of examples of all actions.
    pub fn examples(&self) -> usize {
        self.game.examples.len()
    }
}

/// Reads the rulebook at `path` and the files that it names, all in its folder or below. It may
/// extend a text of the built-in rulebooks in `known`, by its id.
///
/// # Errors
/// Unreadable files, and all faults of the rulebook with their places.
#[cfg(feature = "files")]
pub fn open(path: &Path, known: &Catalogue) -> Result<Rulebook, Error> {
    if path.extension().is_some_and(|ending| ending == "toml") {
        let name = path.display();
        let problem =
            format!("{name} is an experiment, not a rulebook; enfilade rules new writes one");
        return Err(Error::Usage(problem));
    }
    let name = path.display().to_string();
    let text = plain_file::read_text(path, WRITTEN);
    let text = text.map_err(|refusal| refusal.error(&name, path))?;
    read_at(path, &text, known)
}

/// Reads the rulebook at `path` from its text.
///
/// # Errors
/// All faults of the rulebook with their places.
#[cfg(feature = "files")]
pub fn read_at(path: &Path, text: &str, known: &Catalogue) -> Result<Rulebook, Error> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let near = |name: &str| {
        let text = plain_file::read_text_below(folder, name, WRITTEN);
        text.map_err(|refusal| format!("`{name}`: {refusal}"))
    };
    let id = path.file_stem().unwrap_or_default().to_string_lossy();
    read_with(&id, &path.display().to_string(), text, &near, known)
}

/// Returns whether a text is a rulebook, valid or not: it has a line `game "Name"`, extends a
/// rulebook, or declares an action.
pub fn is_one(text: &str) -> bool {
    let file = parse_from(text, 0, &mut Faults::default());
    let is_action = |one: &Declared| matches!(one.what, What::Action(_));
    !file.game.is_empty() || file.extends.is_some() || file.declared.iter().any(is_action)
}

/// Reads a rulebook that extends no built-in one. `id` is the stem of the file name, `name` its name
/// in messages, and `near` reads a file beside it.
///
/// # Errors
/// All faults of the rulebook with their places.
///
/// ```
/// let text = "game \"Coin\"\naction toss:\n    face = d2\n    show face\n";
/// let none = |_: &str| Err("there are no files here".to_owned());
/// let coin = enfilade_rules::read("coin", "coin.rules", text, &none)?;
/// assert_eq!(coin.system.actions.len(), 1);
/// # Ok::<(), enfilade_model::error::Error>(())
/// ```
pub fn read(
    id: &str,
    name: &str,
    text: &str,
    near: &dyn Fn(&str) -> Result<String, String>,
) -> Result<Rulebook, Error> {
    read_with(id, name, text, near, &Catalogue::default())
}

/// Reads a rulebook that may extend one of the built-in texts of `known`, by its id.
///
/// # Errors
/// As for [`read`].
pub fn read_with(
    id: &str,
    name: &str,
    text: &str,
    near: &dyn Fn(&str) -> Result<String, String>,
    known: &Catalogue,
) -> Result<Rulebook, Error> {
    Reading { sources: Vec::new(), faults: Faults::default(), near, known, of: None }
        .rulebook(id, name, text)
}

/// The faults of the first file that has some, with the ways out of habits from elsewhere.
fn refusal(sources: &[Source], faults: Faults) -> Error {
    let mut error = refused(sources, faults);
    if let Error::Input { text, faults, .. } = &mut error {
        advise(text, faults);
    }
    error
}

struct Reading<'n> {
    sources: Vec<Source>,
    faults: Faults,
    near: &'n dyn Fn(&str) -> Result<String, String>,
    known: &'n Catalogue,
    /// Files of the built-in rulebook that is being read.
    of: Option<Shared<[SourceFile]>>,
}

impl Reading<'_> {
    fn rulebook(mut self, id: &str, name: &str, text: &str) -> Result<Rulebook, Error> {
        let file = self.file(name, text, &mut Vec::new());
        let Reading { sources, mut faults, .. } = self;
        let about = crate::system::About::of(id, &file);
        if file.lost {
            return Err(refusal(&sources, faults));
        }
        let end = sources.first().map_or(0, |own| own.text.len());
        let mut warnings = match faults.is_empty() {
            true => unread(&file, end),
            false => Vec::new(),
        };
        warnings.extend(doubtful_sums(&file, text));
        changes_in_vain(&file, &mut faults);
        let mut game = declare(file, &mut faults);
        game.sources = sources;
        let files = game.sources.iter().enumerate().map(|(at, source)| {
            let own = if at == 0 { format!("{id}{ENDING}") } else { source.name.clone() };
            SourceFile::new(own, source.text.to_string())
        });
        let files: Vec<SourceFile> = files.collect();
        let (system, game, kept) = crate::system::system(about, game, files, faults)
            .map_err(|(sources, faults)| refusal(&sources, faults))?;
        let remarks = game.found.iter().flat_map(|found| &found.remarks);
        warnings.extend(remarks.filter(|remark| remark.span.start < end).cloned());
        warnings.sort_by_key(|warning| warning.span.start);
        warnings.dedup();
        Ok(Rulebook { system, warnings, name: name.to_owned(), text: text.to_owned(), game, kept })
    }

    /// Returns the tree of a rulebook, with everything that it extends and the data that it names.
    /// `open` contains the names of the rulebooks that are being read.
    fn file(&mut self, name: &str, text: &str, open: &mut Vec<String>) -> File {
        let start = self.add(name, text);
        let mut file = parse_from(text, start, &mut self.faults);
        open.push(name.to_owned());
        for declared in &mut file.declared {
            let read = match &mut declared.what {
                What::Data(data) => self.data(data),
                What::Table(table) => self.table(table),
                _ => continue,
            };
            if read.is_none() {
                file.unread.push(declared.name.text.clone());
            }
        }
        match file.extends.clone() {
            Some(base) => self.extended(file, &base, open),
            None => {
                self.nothing_to_change(&file);
                file
            }
        }
    }

    fn add(&mut self, name: &str, text: &str) -> usize {
        let start = self.sources.last().map_or(0, |last| last.start + last.text.len() + 1);
        self.sources.push(Source { name: name.to_owned(), text: text.into(), start });
        start
    }

    fn nothing_to_change(&mut self, file: &File) {
        for declared in file.declared.iter().filter(|declared| declared.change) {
            let help = "`game \"Mine\" extends \"theirs.rules\"` names the rulebook it changes";
            let problem = "`change` needs a rulebook to extend: this one extends no other";
            self.faults.note(declared.name.span.clone(), problem, help);
        }
    }

    fn extended(&mut self, mut file: File, base: &Name, open: &mut Vec<String>) -> File {
        if open.contains(&base.text) {
            let circle = open.join(" → ");
            let problem = format!("`{}` extends itself ({circle} → {})", base.text, base.text);
            self.faults.note(base.span.clone(), problem, "");
            return File { lost: true, ..file };
        }
        if open.len() >= DEPTH {
            let problem = format!("rulebooks extend one another at most {DEPTH} deep");
            self.faults.note(base.span.clone(), problem, "");
            return File { lost: true, ..file };
        }
        let Some(mut known) = self.base(base, open) else {
            return File { lost: true, ..file };
        };
        known.lost |= file.lost;
        known.unread.append(&mut file.unread);
        self.faults.doubt(known.unread.iter().cloned());
        extend(known, file, &base.text, &self.sources, &mut self.faults)
    }

    /// Returns the rulebook that another one extends: a file beside it, or a built-in one with all
    /// its files.
    fn base(&mut self, base: &Name, open: &mut Vec<String>) -> Option<File> {
        if base.text.ends_with(ENDING) {
            let text = self.text(base)?;
            return Some(self.file(&base.text, &text, open));
        }
        let files = self.built_in(base)?;
        let own = files.first()?.clone();
        let outer = self.of.replace(files);
        let file = self.file(&own.name, &own.text, open);
        self.of = outer;
        Some(file)
    }

    /// Returns the files of a built-in text rulebook.
    fn built_in(&mut self, base: &Name) -> Option<Shared<[SourceFile]>> {
        let found = self.known.system(&base.text).ok().filter(|found| found.built_in);
        if let Some(found) = found.filter(|found| !found.files.is_empty()) {
            return Some(found.files.clone());
        }
        let problem = match found {
            Some(found) => {
                format!("`{}` is written in Rust and cannot be extended", found.id)
            }
            None => format!("there is no built-in rulebook `{}`", base.text),
        };
        let texts = self.known.systems().filter(|one| one.built_in && !one.files.is_empty());
        let help = nearest(&base.text, texts.map(|text| &*text.id));
        let file = format!("a file is named with its ending: \"{}{ENDING}\"", base.text);
        let help = [help, file].into_iter().filter(|help| !help.is_empty());
        self.faults.note(base.span.clone(), problem, help.collect::<Vec<_>>().join(" "));
        None
    }

    /// Returns the text of a file beside the rulebook.
    fn text(&mut self, name: &Name) -> Option<String> {
        let plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
        let inside = !name.text.is_empty() && Path::new(&name.text).components().all(plain);
        if !inside || name.text.contains('\\') {
            let problem = format!("`{}` is outside the folder of the rules", name.text);
            self.faults.note(name.span.clone(), problem, "put it beside the rulebook, or below");
            return None;
        }
        let read = match &self.of {
            Some(files) => {
                let file = files.iter().find(|file| file.name == name.text);
                file.map(|file| file.text.to_string()).ok_or("it is not built in".to_owned())
            }
            None => (self.near)(&name.text),
        };
        let all: usize = self.sources.iter().map(|source| source.text.len()).sum();
        let problem = match read {
            Ok(text) if all + text.len() <= BYTES => return Some(text),
            Ok(_) => format!("all files together have at most {} KiB", BYTES / 1024),
            Err(why) => format!("the file cannot be read: {why}"),
        };
        self.faults.note(name.span.clone(), problem, "");
        None
    }

    /// Reads the rows of data from their file; `None` if the file cannot be read.
    fn data(&mut self, data: &mut Data) -> Option<()> {
        let Some(from) = &data.from else { return Some(()) };
        let (heads, rows) = self.separated(&from.clone())?;
        data.heads = heads.into_iter().map(as_head).collect();
        data.rows.extend(rows);
        Some(())
    }

    /// Reads the rows of a table from the file that it names; its heads are keys only if they can
    /// be parsed as keys.
    fn table(&mut self, table: &mut Table) -> Option<()> {
        let Some(from) = &table.from else { return Some(()) };
        let (heads, rows) = self.separated(&from.clone())?;
        if heads.len() > 1
            || table.columns.is_empty() && heads.iter().all(|head| is_key(&head.text))
        {
            table.columns = heads;
        }
        table.rows.extend(rows);
        Some(())
    }

    /// Reads a file of tab-separated cells: its heads after the first, and its rows.
    fn separated(&mut self, from: &Name) -> Option<(Vec<Name>, Vec<Row>)> {
        let text = self.text(from)?;
        let at = self.add(&from.text, &text);
        let lines = lines_of_cells(&text, at);
        let mut lines = lines.into_iter();
        let heads = lines.next().unwrap_or_default();
        let width = heads.len();
        let rows = lines.map(|mut cells| {
            let end = cells.last().map_or(0..0, |cell| cell.span.end..cell.span.end);
            while cells.len() < width {
                cells.push(Name { text: "-".into(), span: end.clone() });
            }
            let key = cells.remove(0);
            Row { key, cells }
        });
        Some((heads.into_iter().skip(1).collect(), rows.collect()))
    }
}

/// Splits a line at its tabs.
fn cells(line: &str, start: usize) -> Vec<Name> {
    let mut at = start;
    let cells = line.split('\t').map(|cell| {
        let text = cell.trim();
        let from = at + (cell.len() - cell.trim_start().len());
        at += cell.len() + 1;
        // Spreadsheets quote a cell that contains a comma or a quote.
        let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let said = quoted.map_or(text.to_owned(), |inner| inner.replace("\"\"", "\""));
        Name { text: said, span: from..from + text.len() }
    });
    cells.collect()
}

/// Converts a column head to a name: `Max. Range` becomes `max__range`.
fn as_head(head: Name) -> Name {
    Name { text: crate::resolve::printed_cells::as_word(&head.text).to_lowercase(), ..head }
}

fn is_key(text: &str) -> bool {
    crate::resolve::printed_cells::key(text).is_some()
}

/// Returns the cells of each line of a file whose first byte has the offset `at`; lines that begin
/// with `#` are comments.
fn lines_of_cells(text: &str, mut at: usize) -> Vec<Vec<Name>> {
    let mut lines: Vec<Vec<Name>> = Vec::new();
    let marked = unmarked(text);
    at += text.len() - marked.len();
    for line in marked.split('\n') {
        let said = line.trim_end_matches('\r');
        if !said.trim().is_empty() && !said.starts_with('#') {
            lines.push(cells(said, at));
        }
        at += line.len() + 1;
    }
    lines
}
