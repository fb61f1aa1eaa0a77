//! Reads an experiment file into an [`Experiment`]: everything checked, every fault at once, each
//! with its position in the file.
//!
//! This file reads the keys outside contests and charts.

use std::sync::Arc;

use crate::error::StudyError;
use crate::experiment::{
    Cell, DEFAULT_NAME, DEFAULT_SEED, DEFAULT_STOP, Experiment, ExperimentSpec, StopRule,
};
use crate::file::file_reader::{self, FileReader, file_stem};
use crate::file::rulebook_loader::{self, RULES_KEY};
use crate::file::source_document::{Document, is_unsafe_char};
use crate::grid::cells::ExperimentCells;
use enfilade_engine::cancel::{CancelToken, NEVER};
use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::form::bounds;
use enfilade_model::form::{Fault, Field, FieldType, Fields, Form};

mod card_section;
mod change_section;
mod chart_section;
mod contest_section;
mod known_names;
mod search_section;

pub use card_section::CARD_FIELDS;
pub use change_section::CHANGE_KEY;
pub use chart_section::CHART_FIELDS;
pub use contest_section::HEAD_FIELDS;
pub use search_section::{SWEEP_FIELDS, SWEEP_KEY};

/// Keys of an experiment file outside its contests and charts.
///
/// `question`, `prediction`, `precision`, `rules`, `change`, `contest`, `chart`, `card` and `sweep`
/// are listed so that their names are known; their contents are checked by hand.
pub const TOP_FIELDS: Fields = Fields::Static(&[&[
    Field::optional(
        "name",
        FieldType::Text,
        "name of the experiment; its safe characters name the folder of the results",
    ),
    Field::optional("question", FieldType::Text, "the question it answers"),
    Field::optional("prediction", FieldType::Text, "what its author expects before the first run"),
    Field::int("seed", bounds::SEED, DEFAULT_SEED as i64, "the seed of every cell"),
    Field::optional("trials", FieldType::Int(bounds::TRIALS), "trials of every cell"),
    Field::optional(
        "precision",
        FieldType::Text,
        "the standard error at which a cell stops rolling",
    ),
    Field::optional(
        RULES_KEY,
        FieldType::Text,
        "a rulebook in a text file, by its path from the folder of this file; or several",
    ),
    Field::optional(
        CHANGE_KEY,
        FieldType::Table(Fields::NONE),
        "changed cells of a rulebook's data and tables, for all contests: `weapons.lmg.shots = 4`",
    ),
    Field::optional("contest", FieldType::tables(Fields::NONE), "the contests"),
    Field::optional("chart", FieldType::tables(Fields::NONE), "the charts"),
    Field::optional("card", FieldType::tables(Fields::NONE), "the cards"),
    Field::optional(SWEEP_KEY, FieldType::Table(Fields::NONE), "the cells that a search selects"),
]]);

impl Experiment {
    /// Reads the experiment in `text`, a file that is called `name` in messages, with contests of
    /// the rulebooks in `catalogue`.
    ///
    /// # Errors
    /// [`StudyError::Input`] with every fault of the file and its position.
    pub fn read(catalogue: &Catalogue, name: &str, text: &str) -> Result<Experiment, StudyError> {
        Experiment::read_cancellable(catalogue, name, text, &NEVER)
    }

    /// Reads the experiment as [`read`](Experiment::read) does, and returns the grid of its cells too.
    ///
    /// # Errors
    /// As for [`read`](Experiment::read).
    pub fn read_with_grid(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
    ) -> Result<(Experiment, ExperimentCells), StudyError> {
        let kept = bounds::CELLS.high.unsigned_abs();
        Experiment::read_within((catalogue, name, text), [kept, kept], &NEVER)
    }

    /// Reads an experiment like [`read`](Experiment::read), with a token that cancels the work:
    /// every cell of a grid is built and checked, which may take long.
    ///
    /// # Errors
    /// In the cases of [`read`](Experiment::read), and [`StudyError::Interrupted`] if the token was
    /// raised.
    pub fn read_cancellable(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
        halt: &CancelToken,
    ) -> Result<Experiment, StudyError> {
        let kept = bounds::CELLS.high.unsigned_abs();
        let read = Experiment::read_within((catalogue, name, text), [kept, kept], halt);
        read.map(|(experiment, _)| experiment)
    }

    /// Reads an experiment like [`read`](Experiment::read), for a caller that builds its cells one
    /// by one. Up to `kept` cells are all built and checked; of more, only sample cells: the first
    /// of each contest, and those that differ from it on one axis.
    ///
    /// # Errors
    /// [`StudyError::Input`] with every fault of the file and its position.
    pub fn read_for_streaming(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
        kept: u64,
    ) -> Result<(Experiment, ExperimentCells), StudyError> {
        Experiment::read_for_streaming_cancellable((catalogue, name, text), kept, &NEVER)
    }

    /// Reads an experiment like [`read_for_streaming`](Experiment::read_for_streaming), with a token that cancels the work.
    ///
    /// # Errors
    /// In the cases of [`read_cancellable`](Experiment::read_cancellable).
    pub fn read_for_streaming_cancellable(
        file: (&Catalogue, &str, &str),
        kept: u64,
        halt: &CancelToken,
    ) -> Result<(Experiment, ExperimentCells), StudyError> {
        Experiment::read_within(file, [kept, bounds::STREAMED_CELLS.high.unsigned_abs()], halt)
    }

    fn read_within(
        file: (&Catalogue, &str, &str),
        limits: [u64; 2],
        halt: &CancelToken,
    ) -> Result<(Experiment, ExperimentCells), StudyError> {
        let found = |reader: &mut FileReader| reader.read_experiment(file.1, limits);
        file_reader::read_file(file, halt, report_arsenal, found)
    }
}

/// Returns a fault if the file is an arsenal and not an experiment.
fn report_arsenal(document: &Document) -> Option<Fault> {
    let key = document.find_first_key(&["weapon", "scenario"])?;
    let problem = "this is an arsenal: it has weapons or scenarios, and no contest";
    let fault = Fault::new(key, problem).with_help("price its weapons with `enfilade balance`");
    document.find_first_key(&["contest"]).is_none().then_some(fault)
}

impl FileReader<'_> {
    fn read_experiment(
        &mut self,
        file: &str,
        limits: [u64; 2],
    ) -> Option<(Experiment, ExperimentCells)> {
        // Every part is read before the first `?`, so that all faults of the file are reported
        // together.
        let top = self.read_top_fields();
        let stop = self.read_stop_rule(top.as_ref());
        let name = self.read_name(file, top.as_ref());
        for fault in rulebook_loader::find_faults(self.catalogue, self.document) {
            self.note_at_value(fault);
        }
        let (cells, made) = self.read_contests(limits).unzip();
        let contests = made.as_ref().map(|made| &*made.cells);
        let charts = self.read_charts(contests);
        let cards = self.read_cards(contests);
        let search = self.read_search(contests);
        let rulebooks = collect_text_rulebooks(contests.unwrap_or_default());
        let (contests, excluded) = made.map(|made| (made.cells, made.excluded)).unzip();
        let spec = ExperimentSpec {
            name: name?,
            question: self.read_text("question"),
            prediction: self.read_text("prediction"),
            seed: top?.int("seed").unsigned_abs(),
            stop: stop?,
            asked: cells.as_ref().map_or(0, ExperimentCells::len),
            charts,
            cards,
            search,
            rulebooks,
        };
        let experiment =
            Experiment { spec: Arc::new(spec), cells: contests?, excluded_rows: excluded? };
        Some((experiment, cells?))
    }

    /// Reads the keys outside contests and charts that a form can check.
    fn read_top_fields(&mut self) -> Option<Form> {
        let mut table = self.document.table.clone();
        for by_hand in [
            "question",
            "prediction",
            "precision",
            RULES_KEY,
            CHANGE_KEY,
            "contest",
            "chart",
            "card",
            SWEEP_KEY,
        ] {
            table.remove(by_hand);
        }
        self.fill_form(&TOP_FIELDS, &table, "")
    }

    fn read_stop_rule(&mut self, top: Option<&Form>) -> Option<StopRule> {
        let trials = top.and_then(|top| top.maybe_int("trials"));
        let Some(precision) = self.document.table.get("precision") else {
            return Some(trials.map_or(DEFAULT_STOP, |n| StopRule::Trials(n.unsigned_abs())));
        };
        if self.document.table.contains_key("trials") {
            let problem = "`trials` and `precision` are both given";
            self.note_at_value(
                Fault::new("precision", problem).with_help("keep the one that is to decide"),
            );
        }
        self.read_real(Some(precision), &bounds::PRECISION, "precision")?.map(StopRule::Precision)
    }

    fn read_name(&mut self, file: &str, top: Option<&Form>) -> Option<String> {
        let Some(name) = top?.maybe_text("name") else {
            let stem = file_stem(file);
            return Some(if stem.is_empty() { DEFAULT_NAME.to_owned() } else { stem });
        };
        if !name.trim().is_empty() && !name.contains(is_unsafe_char) {
            return Some(name.to_owned());
        }
        let problem = "the name must be one line with at least a letter";
        self.note_at_value(Fault::new("name", problem));
        None
    }
}

/// Returns the rulebooks of these cells that were read from files, each once.
fn collect_text_rulebooks(cells: &[Cell]) -> Vec<Arc<System>> {
    let mut found: Vec<Arc<System>> = Vec::new();
    for cell in known_names::first_cells(cells) {
        if cell.system.is_from_text() && !found.contains(&cell.system) {
            found.push(Arc::clone(&cell.system));
        }
    }
    found
}
