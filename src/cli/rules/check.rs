//! `enfilade rules check`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use clap::Args;
use toml::Table;

use super::last;
use crate::cancel::Halt;
use crate::catalogue::{Action, Catalogue};
use crate::cli::failure;
use crate::cli::page::Page;
use crate::cli::question::is_rulebook;
use crate::error::{Error, LocatedFault, Unsolved, counted};
use crate::form::sanitize::grouped;
use crate::form::{Form, name_matching};
use crate::graph::{DieGraph, Limits};
use crate::plain_file::{self, WRITTEN};
use crate::report::text::sentences::clean;
use crate::rulebook::diagnostics::Faults;
use crate::rulebook::syntax::ast::{File, What};
use crate::rulebook::syntax::parser::parse;
use crate::rulebook::{self, Rulebook};
use crate::study::cross_check;
use crate::study::experiment::Cell;
use crate::study::solve::errors::unsolved;

/// Interval at which watched files are checked.
const LOOK: Duration = Duration::from_millis(250);

/// Depth of rulebooks that extend each other, with a few to spare.
const DEEPEST: usize = 8;

/// Report all faults of rulebooks, or their contents
///
/// The exit code is 2 if there is a fault; warnings alone are none.
#[derive(Debug, Args)]
pub struct Check {
    /// The rulebooks
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Check again whenever one of the files, or a file it names, is changed, until Ctrl-C
    #[arg(long)]
    watch: bool,
}

impl Check {
    /// Renders the contents of every rulebook, or its faults.
    ///
    /// # Errors
    /// In the output's error, when a rulebook cannot be read or has faults.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        if !self.watch {
            return Ok(self.checked(catalogue));
        }
        loop {
            // Before they are read, so that a change in the meantime is checked again.
            let seen = self.stamps();
            let Page { said, trouble } = self.checked(catalogue);
            Page::new(said, None).print()?;
            trouble.iter().for_each(failure::report);
            while self.stamps() == seen {
                std::thread::sleep(LOOK);
            }
            failure::remark("changed; checked again:");
        }
    }

    fn checked(&self, catalogue: &Catalogue) -> Page {
        let (mut text, mut wrong) = (String::new(), Vec::new());
        for path in &self.files {
            match one(catalogue, path) {
                Ok(told) => text += &told,
                Err(error) => wrong.push(error),
            }
        }
        let trouble = last(wrong);
        Page::new(text, trouble)
    }

    /// Last change and length of each file.
    fn stamps(&self) -> Vec<(PathBuf, Option<(SystemTime, u64)>)> {
        let mut files = Vec::new();
        self.files.iter().for_each(|path| named(path, DEEPEST, &mut files));
        let stamp = |path: &PathBuf| {
            let found = path.metadata().ok()?;
            Some((found.modified().ok()?, found.len()))
        };
        files
            .into_iter()
            .map(|path| {
                let stamp = stamp(&path);
                (path, stamp)
            })
            .collect()
    }
}

/// Collects the file at `path` and those that it names, in spite of other faults in it.
fn named(path: &Path, deep: usize, files: &mut Vec<PathBuf>) {
    if deep == 0 || files.iter().any(|known| known == path) {
        return;
    }
    files.push(path.to_owned());
    // The given file is read under any name, others only if they may name more.
    let text = match is_rulebook(path) || deep == DEEPEST {
        true => plain_file::read_text(path, WRITTEN).unwrap_or_default(),
        false => String::new(),
    };
    let tree = parse(&text, &mut Faults::default());
    let folder = path.parent().unwrap_or(Path::new(""));
    for path in names_in(&tree).filter_map(|name| plain_file::below(folder, name).ok()) {
        named(&path, deep - 1, files);
    }
}

fn names_in(tree: &File) -> impl Iterator<Item = &str> {
    let of = tree.declared.iter().filter_map(|declared| match &declared.what {
        What::Data(data) => data.from.as_ref(),
        What::Table(table) => table.from.as_ref(),
        _ => None,
    });
    of.chain(&tree.extends).map(|name| name.text.as_str())
}

/// Describes whether a contest can reach a state that no roll of the dice ends.
fn without_end(graph: &DieGraph) -> &'static str {
    match graph.endings().is_empty() {
        true => "; it never ends: no roll leaves the loop",
        false if graph.ports_that_end().contains(&false) => {
            "; it may never end: it can reach a loop that no roll leaves"
        }
        false => "",
    }
}

/// Checks the rulebook at `path` and describes its contents.
fn one(catalogue: &Catalogue, path: &Path) -> Result<String, Error> {
    let rulebook = rulebook::open(path, catalogue)?;
    let mut text: String = rulebook.warnings.iter().map(|w| warning(&rulebook, w)).collect();
    text += &taken(catalogue, &rulebook);
    text += &format!("{}: {}\n", clean(&rulebook.name), contents(&rulebook));
    // Its examples are contests like any other; without examples the minimal contest is checked.
    let watch = Bounded::begin();
    for cell in examples(&rulebook)? {
        text += &format!("  {}: {}\n", clean(&cell.name), watch.played(&cell)?);
    }
    Ok(text)
}

/// Time limit for the examples of a rulebook.
const LONGEST: Duration = Duration::from_secs(1);

/// Limit of states: with all their data some hundred megabytes.
const STATES: usize = 1 << 19;

/// Limit of nodes, likewise.
const NODES: usize = 1 << 20;

/// Budget of time for the examples.
struct Bounded {
    halt: Arc<Halt>,
}

impl Bounded {
    /// Starts the time.
    fn begin() -> Bounded {
        let halt = Arc::new(Halt::new());
        let rings = Arc::clone(&halt);
        // The thread is not joined: it ends with the program, at the latest.
        std::thread::spawn(move || {
            std::thread::sleep(LONGEST);
            rings.ask();
        });
        Bounded { halt }
    }

    /// Describes a contest: its states and outcomes, or that it is large.
    fn played(&self, cell: &Cell) -> Result<String, Error> {
        let limits = Limits { states: STATES, nodes: NODES, ..Limits::default() };
        match DieGraph::compile(&cell.played.combat, &limits, &self.halt) {
            Ok(graph) => Ok(format!(
                "{}, {}{}",
                many(graph.states(), "state"),
                many(graph.endings().len(), "outcome"),
                without_end(&graph)
            )),
            // The contest may be played all the same, without a graph or one trial at a time.
            Err(Unsolved::TooLarge(_) | Unsolved::Stopped) => Ok(format!(
                "large: its states are not counted here within {} second and {} states; `enfilade rules \
                 inspect` shows what makes them many, and `enfilade odds` how long they take",
                LONGEST.as_secs(),
                grouped(STATES as u64)
            )),
            Err(why) => Err(unsolved(cell, why)),
        }
    }
}

/// The examples of a rulebook as cells; faults of examples are reported at their lines.
fn examples(rulebook: &Rulebook) -> Result<Vec<Cell>, Error> {
    let system = &rulebook.system;
    let alone = Catalogue::of([system.clone()]);
    let (mut cells, mut wrong) = (Vec::new(), None);
    for (at, action) in system.actions.iter().enumerate() {
        let count = action.samples.iter().count();
        for position in 0..count {
            match cross_check::cells_of(&alone, system, action, position) {
                Ok(known) => cells.extend(known),
                Err(error) => {
                    let text = action.samples.get(position).unwrap_or_default();
                    let table = text.parse().unwrap_or_default();
                    let in_rule = unplayable(rulebook, at, action, &table);
                    let told = in_rule.unwrap_or_else(|| rulebook.in_example(at, position, error));
                    wrong = Some(both(wrong, told));
                }
            }
        }
        // A rule that cannot be played has no minimal contest either.
        let in_rule = || unplayable(rulebook, at, action, &action.fields.plain());
        if let Some(told) = (count == 0).then(in_rule).flatten() {
            wrong = Some(both(wrong, told));
        }
    }
    wrong.map_or(Ok(cells), Err)
}

/// Finds the fault that keeps a rule from being played in a contest that a table describes, at its
/// line.
fn unplayable(rulebook: &Rulebook, at: usize, action: &Action, table: &Table) -> Option<Error> {
    let form = Form::fill(&action.fields, table).ok()?;
    rulebook::unplayable(rulebook, at, &form)
}

/// Merges the faults of an earlier error and of another in the same file.
fn both(before: Option<Error>, after: Error) -> Error {
    match (before, after) {
        (
            Some(Error::Input { name, text, faults }),
            Error::Input { name: other, faults: more, .. },
        ) if name == other => {
            Error::Input { name, text, faults: faults.into_iter().chain(more).collect() }
        }
        (None, after) => after,
        (Some(before), _) => before,
    }
}

/// A remark if a contest would use another rulebook by this name. The built-in text itself can be
/// checked.
fn taken(catalogue: &Catalogue, rulebook: &Rulebook) -> String {
    let id = &*rulebook.system.id;
    match catalogue.ids().any(|known| name_matching::key(known) == name_matching::key(id)) {
        true => {
            clean(&format!(
                "{}: a rulebook `{id}` is built in; to play this one, give its file another name, or extend \
             that one: `game \"Mine\" extends \"{id}\"`",
                rulebook.name
            )) + "\n"
        }
        false => String::new(),
    }
}

fn many(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(n as u64))
}

/// Describes a rulebook without faults: `the game "Bridgehead" is in order: …`.
fn contents(rulebook: &Rulebook) -> String {
    let system = &rulebook.system;
    let actions: Vec<_> = system.actions.iter().map(|action| &*action.name).collect();
    let data_tables = (system.data_tables)();
    let mut said = vec![format!("{} ({})", counted(actions.len(), "action"), actions.join(", "))];
    if !data_tables.is_empty() {
        let names: Vec<_> = data_tables.iter().map(|data_table| &*data_table.name).collect();
        said.push(format!("data: {}", names.join(", ")));
    }
    said.push(counted(rulebook.examples(), "example"));
    if system.files.len() > 1 {
        let names: Vec<_> = system.files.iter().skip(1).map(|file| &*file.name).collect();
        said.push(format!("read with {}", names.join(", ")));
    }
    clean(&format!("\"{}\" is in order: {}", system.title, said.join("; ")))
}

/// Formats a warning: `bridgehead.rules:12: warning: …`.
fn warning(rulebook: &Rulebook, warning: &LocatedFault) -> String {
    let before = rulebook.text.get(..warning.span.start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let help = warning.fault.help.iter();
    let help: String = help.map(|help| format!("; {help}")).collect();
    let said = format!("{}:{line}: warning: {}{help}", rulebook.name, warning.fault.problem);
    clean(&said) + "\n"
}
