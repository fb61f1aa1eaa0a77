//! Reads an experiment file into an [`Experiment`]: everything checked, every fault at once, each
//! with its position in the file.
//!
//! This file reads the keys outside contests and charts.

use std::sync::Arc;

use crate::experiment::{
    Cell, DEFAULT_SEED, DEFAULT_STOP, Experiment, ExperimentSpec, Stop, UNNAMED,
};
use crate::file::document::{Document, steers};
use crate::file::file_reader::{self, Reader, stem};
use crate::file::rulebook_loader::{self, RULES};
use crate::grid::cells::Cells;
use enfilade_engine::cancel::{Halt, NEVER};
use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::error::Error;
use enfilade_model::form::bounds;
use enfilade_model::form::{Fault, Field, Fields, Form, Kind};

mod card_section;
mod change_section;
mod chart_section;
mod contest_section;
mod reported_names;
mod search_section;

pub use card_section::CARD;
pub use change_section::CHANGE;
pub use chart_section::CHART;
pub use contest_section::HEAD;
pub use search_section::{SWEEP, SWEEP_KEY};

/// Keys of an experiment file outside its contests and charts.
///
/// `question`, `prediction`, `precision`, `rules`, `change`, `contest`, `chart`, `card` and `sweep`
/// are listed so that their names are known; their contents are checked by hand.
pub const TOP: Fields = Fields::Static(&[&[
    Field::optional(
        "name",
        Kind::Text,
        "name of the experiment; its safe characters name the folder of the results",
    ),
    Field::optional("question", Kind::Text, "the question it answers"),
    Field::optional("prediction", Kind::Text, "what its author expects before the first run"),
    Field::int("seed", bounds::SEED, DEFAULT_SEED as i64, "the seed of every cell"),
    Field::optional("trials", Kind::Int(bounds::TRIALS), "trials of every cell"),
    Field::optional("precision", Kind::Text, "the standard error at which a cell stops rolling"),
    Field::optional(
        RULES,
        Kind::Text,
        "a rulebook in a text file, by its path from the folder of this file; or several",
    ),
    Field::optional(
        CHANGE,
        Kind::Table(Fields::NONE),
        "changed cells of a rulebook's data and tables, for all contests: `weapons.lmg.shots = 4`",
    ),
    Field::optional("contest", Kind::tables(Fields::NONE), "the contests"),
    Field::optional("chart", Kind::tables(Fields::NONE), "the charts"),
    Field::optional("card", Kind::tables(Fields::NONE), "the cards"),
    Field::optional(SWEEP_KEY, Kind::Table(Fields::NONE), "the cells that a search selects"),
]]);

impl Experiment {
    /// Reads the experiment in `text`, a file that is called `name` in messages, with contests of
    /// the rulebooks in `catalogue`.
    ///
    /// # Errors
    /// [`Error::Input`] with every fault of the file and its position.
    pub fn read(catalogue: &Catalogue, name: &str, text: &str) -> Result<Experiment, Error> {
        Experiment::read_unless(catalogue, name, text, &NEVER)
    }

    /// Reads the experiment as [`read`](Experiment::read) does, and returns the grid of its cells too.
    ///
    /// # Errors
    /// As for [`read`](Experiment::read).
    pub fn read_with_grid(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
    ) -> Result<(Experiment, Cells), Error> {
        let kept = bounds::CELLS.high.unsigned_abs();
        Experiment::within((catalogue, name, text), [kept, kept], &NEVER)
    }

    /// Reads an experiment like [`read`](Experiment::read), with a token that cancels the work:
    /// every cell of a grid is built and checked, which may take long.
    ///
    /// # Errors
    /// In the cases of [`read`](Experiment::read), and [`Error::Interrupted`] if the token was
    /// raised.
    pub fn read_unless(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
        halt: &Halt,
    ) -> Result<Experiment, Error> {
        let kept = bounds::CELLS.high.unsigned_abs();
        let read = Experiment::within((catalogue, name, text), [kept, kept], halt);
        read.map(|(experiment, _)| experiment)
    }

    /// Reads an experiment like [`read`](Experiment::read), for a caller that builds its cells one
    /// by one. Up to `kept` cells are all built and checked; of more, only sample cells: the first
    /// of each contest, and those that differ from it on one axis.
    ///
    /// # Errors
    /// [`Error::Input`] with every fault of the file and its position.
    pub fn begin(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
        kept: u64,
    ) -> Result<(Experiment, Cells), Error> {
        Experiment::begin_unless((catalogue, name, text), kept, &NEVER)
    }

    /// Reads an experiment like [`begin`](Experiment::begin), with a token that cancels the work.
    ///
    /// # Errors
    /// In the cases of [`read_unless`](Experiment::read_unless).
    pub fn begin_unless(
        file: (&Catalogue, &str, &str),
        kept: u64,
        halt: &Halt,
    ) -> Result<(Experiment, Cells), Error> {
        Experiment::within(file, [kept, bounds::SWEPT.high.unsigned_abs()], halt)
    }

    fn within(
        file: (&Catalogue, &str, &str),
        limits: [u64; 2],
        halt: &Halt,
    ) -> Result<(Experiment, Cells), Error> {
        let found = |reader: &mut Reader| reader.experiment(file.1, limits);
        file_reader::read(file, halt, arsenal_given, found)
    }
}

/// Returns a fault if the file is an arsenal and not an experiment.
fn arsenal_given(document: &Document) -> Option<Fault> {
    let key = document.first_of(&["weapon", "scenario"])?;
    let problem = "this is an arsenal: it has weapons or scenarios, and no contest";
    let fault = Fault::new(key, problem).help("price its weapons with `enfilade balance`");
    document.first_of(&["contest"]).is_none().then_some(fault)
}

impl Reader<'_> {
    fn experiment(&mut self, file: &str, limits: [u64; 2]) -> Option<(Experiment, Cells)> {
        // Every part is read before the first `?`, so that all faults of the file are reported
        // together.
        let top = self.top();
        let stop = self.stop(top.as_ref());
        let name = self.name(file, top.as_ref());
        for fault in rulebook_loader::faults(self.catalogue, self.document) {
            self.note(fault);
        }
        let (cells, made) = self.contests(limits).unzip();
        let contests = made.as_ref().map(|made| &*made.cells);
        let charts = self.charts(contests);
        let cards = self.cards(contests);
        let search = self.search(contests);
        let rulebooks = rulebooks(contests.unwrap_or_default());
        let (contests, excluded) = made.map(|made| (made.cells, made.excluded)).unzip();
        let spec = ExperimentSpec {
            name: name?,
            question: self.prose("question"),
            prediction: self.prose("prediction"),
            seed: top?.int("seed").unsigned_abs(),
            stop: stop?,
            asked: cells.as_ref().map_or(0, Cells::len),
            charts,
            cards,
            search,
            rulebooks,
        };
        let experiment = Experiment { spec: Arc::new(spec), cells: contests?, excluded: excluded? };
        Some((experiment, cells?))
    }

    /// Reads the keys outside contests and charts that a form can check.
    fn top(&mut self) -> Option<Form> {
        let mut table = self.document.table.clone();
        for by_hand in [
            "question",
            "prediction",
            "precision",
            RULES,
            CHANGE,
            "contest",
            "chart",
            "card",
            SWEEP_KEY,
        ] {
            table.remove(by_hand);
        }
        self.fill(&TOP, &table, "")
    }

    fn stop(&mut self, top: Option<&Form>) -> Option<Stop> {
        let trials = top.and_then(|top| top.maybe_int("trials"));
        let Some(precision) = self.document.table.get("precision") else {
            return Some(trials.map_or(DEFAULT_STOP, |n| Stop::Trials(n.unsigned_abs())));
        };
        if self.document.table.contains_key("trials") {
            let problem = "`trials` and `precision` are both given";
            self.note(Fault::new("precision", problem).help("keep the one that is to decide"));
        }
        self.real(Some(precision), &bounds::PRECISION, "precision")?.map(Stop::Precision)
    }

    fn name(&mut self, file: &str, top: Option<&Form>) -> Option<String> {
        let Some(name) = top?.maybe_text("name") else {
            let stem = stem(file);
            return Some(if stem.is_empty() { UNNAMED.to_owned() } else { stem });
        };
        if !name.trim().is_empty() && !name.contains(steers) {
            return Some(name.to_owned());
        }
        let problem = "the name must be one line with at least a letter";
        self.note(Fault::new("name", problem));
        None
    }
}

/// Returns the rulebooks of these cells that were read from files, each once.
fn rulebooks(cells: &[Cell]) -> Vec<Arc<System>> {
    let mut found: Vec<Arc<System>> = Vec::new();
    for cell in reported_names::firsts(cells) {
        if cell.system.is_read() && !found.contains(&cell.system) {
            found.push(Arc::clone(&cell.system));
        }
    }
    found
}
