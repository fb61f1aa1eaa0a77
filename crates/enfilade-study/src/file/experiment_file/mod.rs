//! Reads an experiment file into an [`Experiment`]: everything checked, every fault at once, each
//! with its position in the file.
//!
//! This file reads the keys outside contests and charts.

use std::sync::Arc;

use crate::error::StudyError;
use crate::experiment::{
    DEFAULT_RUN_SEED, DEFAULT_STOP_RULE, Experiment, ExperimentSpec, GridCell, SimulationStopRule,
    UNNAMED_EXPERIMENT,
};
use crate::file::file_reader::{self, TomlReaderWithFaults, name_without_ending};
use crate::file::rulebook_loader::{self, RULEBOOKS_KEY};
use crate::file::source_document::{TomlDocumentWithPositions, is_control_or_invisible};
use crate::grid::cells::ExperimentCells;
use enfilade_engine::cancel::{CancelToken, NEVER_CANCELLED};
use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::form::bounds;
use enfilade_model::form::{Fault, Field, FieldType, Fields, Form};

mod card_section;
mod change_section;
mod chart_section;
mod contest_section;
mod known_names;
mod search_section;

pub use card_section::ALL_CARD_FIELDS;
pub use change_section::CHANGES_KEY;
pub use chart_section::ALL_CHART_FIELDS;
pub use contest_section::CONTEST_HEAD_FIELDS;
pub use search_section::{SWEEP_TABLE_FIELDS, SWEEP_TABLE_KEY};

/// Keys of an experiment file outside its contests and charts.
///
/// `question`, `prediction`, `precision`, `rules`, `change`, `contest`, `chart`, `card` and `sweep`
/// are listed so that their names are known; their contents are checked by hand.
pub const TOP_LEVEL_FIELDS: Fields = Fields::Static(&[&[
    Field::new_optional(
        "name",
        FieldType::Text,
        "name of the experiment; its safe characters name the folder of the results",
    ),
    Field::new_optional("question", FieldType::Text, "the question it answers"),
    Field::new_optional(
        "prediction",
        FieldType::Text,
        "what its author expects before the first run",
    ),
    Field::new_whole_number(
        "seed",
        bounds::SEED_RANGE,
        DEFAULT_RUN_SEED as i64,
        "the seed of every cell",
    ),
    Field::new_optional(
        "trials",
        FieldType::Int(bounds::TRIAL_COUNT_RANGE),
        "trials of every cell",
    ),
    Field::new_optional(
        "precision",
        FieldType::Text,
        "the standard error at which a cell stops rolling",
    ),
    Field::new_optional(
        RULEBOOKS_KEY,
        FieldType::Text,
        "a rulebook in a text file, by its path from the folder of this file; or several",
    ),
    Field::new_optional(
        CHANGES_KEY,
        FieldType::Table(Fields::NO_FIELDS),
        "changed cells of a rulebook's data and tables, for all contests: `weapons.lmg.shots = 4`",
    ),
    Field::new_optional("contest", FieldType::tables(Fields::NO_FIELDS), "the contests"),
    Field::new_optional("chart", FieldType::tables(Fields::NO_FIELDS), "the charts"),
    Field::new_optional("card", FieldType::tables(Fields::NO_FIELDS), "the cards"),
    Field::new_optional(
        SWEEP_TABLE_KEY,
        FieldType::Table(Fields::NO_FIELDS),
        "the cells that a search selects",
    ),
]]);

impl Experiment {
    /// Reads the experiment in `text`, a file that is called `name` in messages, with contests of
    /// the rulebooks in `catalogue`.
    ///
    /// # Errors
    /// [`StudyError::Input`] with every fault of the file and its position.
    pub fn read_experiment_text(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
    ) -> Result<Experiment, StudyError> {
        Experiment::read_or_cancel(catalogue, name, text, &NEVER_CANCELLED)
    }

    /// Reads the experiment as [`read_experiment_text`](Experiment::read_experiment_text) does, and
    /// returns the grid of its cells too.
    ///
    /// # Errors
    /// As for [`read_experiment_text`](Experiment::read_experiment_text).
    pub fn read_experiment_and_cells(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
    ) -> Result<(Experiment, ExperimentCells), StudyError> {
        let most_cells = bounds::CELLS.high.unsigned_abs();
        Experiment::read_with_cell_limits(
            (catalogue, name, text),
            [most_cells, most_cells],
            &NEVER_CANCELLED,
        )
    }

    /// Reads an experiment like [`read_experiment_text`](Experiment::read_experiment_text), with a
    /// token that cancels the work: every cell of a grid is built and checked, which may take long.
    ///
    /// # Errors
    /// In the cases of [`read_experiment_text`](Experiment::read_experiment_text), and
    /// [`StudyError::Interrupted`] if the token was raised.
    pub fn read_or_cancel(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
        halt: &CancelToken,
    ) -> Result<Experiment, StudyError> {
        let most_cells = bounds::CELLS.high.unsigned_abs();
        let read = Experiment::read_with_cell_limits(
            (catalogue, name, text),
            [most_cells, most_cells],
            halt,
        );
        read.map(|(experiment, _)| experiment)
    }

    /// Reads an experiment like [`read_experiment_text`](Experiment::read_experiment_text), for a
    /// caller that builds its cells one by one. Up to `most` cells are all built and checked; of
    /// more, only sample cells: the first of each contest, and those that differ from it on one
    /// axis.
    ///
    /// # Errors
    /// [`StudyError::Input`] with every fault of the file and its position.
    pub fn read_checking_all_or_samples(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
        most: u64,
    ) -> Result<(Experiment, ExperimentCells), StudyError> {
        Experiment::read_checking_sample_or_cancel((catalogue, name, text), most, &NEVER_CANCELLED)
    }

    /// Reads an experiment like
    /// [`read_checking_all_or_samples`](Experiment::read_checking_all_or_samples), with a token
    /// that cancels the work.
    ///
    /// # Errors
    /// In the cases of [`read_or_cancel`](Experiment::read_or_cancel).
    pub fn read_checking_sample_or_cancel(
        file: (&Catalogue, &str, &str),
        most: u64,
        halt: &CancelToken,
    ) -> Result<(Experiment, ExperimentCells), StudyError> {
        Experiment::read_with_cell_limits(
            file,
            [most, bounds::STREAMED_CELLS_RANGE.high.unsigned_abs()],
            halt,
        )
    }

    fn read_with_cell_limits(
        file: (&Catalogue, &str, &str),
        limits: [u64; 2],
        halt: &CancelToken,
    ) -> Result<(Experiment, ExperimentCells), StudyError> {
        let read_file = |reader: &mut TomlReaderWithFaults| reader.read_experiment(file.1, limits);
        file_reader::read_file_of_kind(file, halt, fault_if_arsenal, read_file)
    }
}

/// Returns a fault if the file is an arsenal and not an experiment.
fn fault_if_arsenal(document: &TomlDocumentWithPositions) -> Option<Fault> {
    let key = document.first_key_present_of(&["weapon", "scenario"])?;
    let problem = "this is an arsenal: it has weapons or scenarios, and no contest";
    let fault = Fault::new(key, problem).with_help("price its weapons with `enfilade balance`");
    document.first_key_present_of(&["contest"]).is_none().then_some(fault)
}

impl TomlReaderWithFaults<'_> {
    fn read_experiment(
        &mut self,
        file: &str,
        limits: [u64; 2],
    ) -> Option<(Experiment, ExperimentCells)> {
        // Every part is read before the first `?`, so that all faults of the file are reported
        // together.
        let top = self.read_top_level_keys();
        let stop = self.read_stop_rule(top.as_ref());
        let name = self.experiment_name_or_file_stem(file, top.as_ref());
        for fault in rulebook_loader::find_rulebook_faults(self.catalogue, self.document) {
            self.note_at_value(fault);
        }
        let (cells, made) = self.read_all_or_sample_cells(limits).unzip();
        let contests = made.as_ref().map(|made| &*made.cells);
        let charts = self.read_charts_of_file(contests);
        let cards = self.read_cards_of_file(contests);
        let search = self.read_cell_search(contests);
        let rulebooks = collect_rulebooks_from_files(contests.unwrap_or_default());
        let (contests, excluded) = made.map(|made| (made.cells, made.excluded)).unzip();
        let spec = ExperimentSpec {
            name: name?,
            question: self.text_under_key("question"),
            prediction: self.text_under_key("prediction"),
            seed: top?.int("seed").unsigned_abs(),
            stop: stop?,
            cell_count: cells.as_ref().map_or(0, ExperimentCells::len),
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
    fn read_top_level_keys(&mut self) -> Option<Form> {
        let mut table = self.document.table.clone();
        for by_hand in [
            "question",
            "prediction",
            "precision",
            RULEBOOKS_KEY,
            CHANGES_KEY,
            "contest",
            "chart",
            "card",
            SWEEP_TABLE_KEY,
        ] {
            table.remove(by_hand);
        }
        self.fill_form(&TOP_LEVEL_FIELDS, &table, "")
    }

    fn read_stop_rule(&mut self, top: Option<&Form>) -> Option<SimulationStopRule> {
        let trials = top.and_then(|top| top.maybe_int("trials"));
        let Some(precision) = self.document.table.get("precision") else {
            return Some(
                trials.map_or(DEFAULT_STOP_RULE, |n| SimulationStopRule::Trials(n.unsigned_abs())),
            );
        };
        if self.document.table.contains_key("trials") {
            let problem = "`trials` and `precision` are both given";
            self.note_at_value(
                Fault::new("precision", problem).with_help("keep the one that is to decide"),
            );
        }
        self.read_real_number(Some(precision), &bounds::STANDARD_ERROR_RANGE, "precision")?
            .map(SimulationStopRule::Precision)
    }

    fn experiment_name_or_file_stem(&mut self, file: &str, top: Option<&Form>) -> Option<String> {
        let Some(name) = top?.optional_text("name") else {
            let stem = name_without_ending(file);
            return Some(if stem.is_empty() { UNNAMED_EXPERIMENT.to_owned() } else { stem });
        };
        if !name.trim().is_empty() && !name.contains(is_control_or_invisible) {
            return Some(name.to_owned());
        }
        let problem = "the name must be one line with at least a letter";
        self.note_at_value(Fault::new("name", problem));
        None
    }
}

/// Returns the rulebooks of these cells that were read from files, each once.
fn collect_rulebooks_from_files(cells: &[GridCell]) -> Vec<Arc<System>> {
    let mut rulebooks: Vec<Arc<System>> = Vec::new();
    for cell in known_names::first_cell_of_each_contest(cells) {
        if cell.system.is_from_text() && !rulebooks.contains(&cell.system) {
            rulebooks.push(Arc::clone(&cell.system));
        }
    }
    rulebooks
}
