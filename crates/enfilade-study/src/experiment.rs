//! Experiment: contests, the grid of their cells, the length of the simulation, the charts and
//! cards.

use enfilade_model::form::bounds;
use enfilade_model::form::field_macros::{choice, fields};
use enfilade_model::form::{FieldType, Form, Value};
use std::ops::Deref;
use std::sync::Arc;

use super::answer::Answer;
use super::search::CellSearch;
use enfilade_model::catalogue::{Contest, RulebookAction, System};

/// Checked experiment, ready to run: the question of a file, and the cells of its grids.
///
/// ```
/// use enfilade_study::experiment::Experiment;
/// use enfilade_games::built_in_catalogue;
/// let file = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [4, 8]\ntarget = { kind = 'squad', morale = 7 }\n";
/// let experiment = Experiment::read_experiment_text(&built_in_catalogue(), "two.toml", file)?;
/// assert_eq!(experiment.cells.len(), 2);
/// # Ok::<(), enfilade_study::error::StudyError>(())
/// ```
#[derive(Debug)]
pub struct Experiment {
    /// The experiment of the file, without its cells.
    pub spec: Arc<ExperimentSpec>,
    /// The cells, contest by contest, the last axis of each contest varying fastest.
    pub cells: Vec<GridCell>,
    /// Rows of the cells that are no contests because they break a check of the rulebook, for an
    /// experiment whose cells are all collected.
    pub excluded_rows: Vec<Answer>,
}

/// Experiment without its cells: everything that reports need beside the answers.
#[derive(Debug)]
pub struct ExperimentSpec {
    /// Its name, one line.
    pub name: String,
    /// Question that the experiment answers.
    pub question: Option<String>,
    /// Prediction of the author before the first run.
    pub prediction: Option<String>,
    /// Seed of every cell.
    pub seed: u64,
    /// Rule that ends a simulation.
    pub stop: SimulationStopRule,
    /// Number of requested cells.
    pub cell_count: u64,
    /// Requested charts; without any, default ones are drawn.
    pub charts: Vec<ChartSpec>,
    /// Requested cards; without any, default ones are laid out.
    pub cards: Vec<CardSpec>,
    /// Filter of the cells; `None` if all are reported.
    pub search: Option<CellSearch>,
    /// Rulebooks of the contests that were read from files, each once.
    pub rulebooks: Vec<Arc<System>>,
}

impl Deref for Experiment {
    type Target = ExperimentSpec;

    fn deref(&self) -> &ExperimentSpec {
        &self.spec
    }
}

/// Name of an experiment without one.
pub(super) const UNNAMED_EXPERIMENT: &str = "experiment";

/// Returns whether Windows reserves the name for a device: `con`, `COM1`.
pub fn is_reserved_device_name(name: &str) -> bool {
    let name = name.to_lowercase();
    let port = name.strip_prefix("com").or(name.strip_prefix("lpt"));
    let numbered = port.is_some_and(|n| n.len() == 1 && n.chars().all(|c| c.is_ascii_digit()));
    numbered || ["con", "prn", "aux", "nul"].contains(&name.as_str())
}

impl Experiment {
    /// Adds to the answers the rows of the cells that break a check, in the order of the grid.
    pub fn insert_rows_of_broken_checks(&self, answers: Vec<Answer>) -> Vec<Answer> {
        if self.excluded_rows.is_empty() {
            return answers;
        }
        let seed = answers.first().map_or(self.seed, |answer| answer.seed);
        let excluded = self.excluded_rows.iter().map(|row| Answer { seed, ..row.clone() });
        let mut all: Vec<_> = answers.into_iter().chain(excluded).collect();
        all.sort_by_key(|answer| answer.cell);
        all
    }
}

impl ExperimentSpec {
    /// Returns the default folder of the results: the name, with a dash for everything but letters,
    /// digits and underscores, at most 64 characters.
    pub fn default_result_folder(&self) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let dashed = self.name.chars().map(|c| if plain(c) { c } else { '-' });
        let dashed: String = dashed.collect();
        let safe: String = dashed.trim_matches(['-', '_']).chars().take(64).collect();
        if safe.is_empty() || is_reserved_device_name(&safe) {
            UNNAMED_EXPERIMENT.to_owned()
        } else {
            safe
        }
    }
}

/// Rule that ends a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SimulationStopRule {
    /// Stops after exactly this many trials.
    Trials(u64),
    /// Stops when the standard error of every probability is at most this.
    Precision(f64),
}

/// Default rule: the standard error of every probability is reduced to this.
pub const DEFAULT_STOP_RULE: SimulationStopRule = SimulationStopRule::Precision(0.0005);

/// Default seed: the same command gives the same answer.
pub const DEFAULT_RUN_SEED: u64 = 1;

/// Contest with one value on every axis.
#[derive(Debug)]
pub struct GridCell {
    /// Index in the experiment, from 0.
    pub index: usize,
    /// Index of its `[[contest]]` in the file, from 0.
    pub contest: usize,
    /// `name` of the contest, or `SYSTEM ACTION`.
    pub name: String,
    /// Rulebook.
    pub system: Arc<System>,
    /// Action that is resolved.
    pub action: Arc<RulebookAction>,
    /// All parameters, defaults included.
    pub form: Form,
    /// Grid position: the path of each axis (`drm`, `target.morale`, `target.2.unit`) and the value
    /// there, in the order in which the file names them.
    pub axes: Vec<(String, Value)>,
    /// Contest to play.
    pub played: Contest,
}

/// Printed card that a file requests: its numbers, their order and its texts.
///
/// Empty parts are chosen from the grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CardSpec {
    /// Title.
    pub title: Option<String>,
    /// Dice and the good direction, in place of the rulebook's words.
    pub dice: Option<String>,
    /// Names of the contests that it shows; all of them if empty.
    pub contests: Vec<String>,
    /// Axis of the rows.
    pub rows: Option<CardRowOrColumnAxis>,
    /// Axis of the columns.
    pub columns: Option<CardRowOrColumnAxis>,
    /// Heading of the row heads, in place of the axis's name.
    pub row_title: Option<String>,
    /// Heading of the column heads, in place of the axis's name.
    pub column_title: Option<String>,
    /// Names of axes, by their paths.
    pub names: Vec<(String, String)>,
    /// Lines of a row, from the top.
    pub lines: Vec<CardLineSpec>,
    /// Name of the rest of a stack.
    pub rest: Option<String>,
    /// Columns of the built-in data beside the row heads.
    pub facts: Vec<String>,
    /// Sentences below the tables.
    pub notes: Vec<String>,
}

/// Axis of a card's rows or columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardRowOrColumnAxis {
    /// Values of a grid axis, by its path.
    Axis(String),
    /// Contests, by their names.
    Contests,
    /// Results, which otherwise are the lines of a row.
    Results,
}

/// Line of a card's rows.
#[derive(Clone, Debug, PartialEq)]
pub struct CardLineSpec {
    /// Label.
    pub label: String,
    /// Value that the line shows.
    pub shows: CardLineValue,
}

/// Value that a line of a card shows.
#[derive(Clone, Debug, PartialEq)]
pub enum CardLineValue {
    /// Measure.
    Measure(String),
    /// Band of the stack: the share of the outcomes that meet one of these conditions and none of
    /// the bands above. The outcomes in no band are the rest.
    Band(Vec<OutcomeFieldMinimum>),
}

/// Condition on an outcome field: at least a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeFieldMinimum {
    /// Name of the outcome field.
    pub field: String,
    /// Least value that meets the condition.
    pub least: i32,
}

fields! {
    /// Chart that a file requests: the keys of a `[[chart]]`.
    #[derive(PartialEq)]
    pub struct ChartSpec {
        /// what kind of chart
        kind: ChartKind = new_required(FieldType::choice_of_words(ChartKind::WORDS));
        /// the grid axis drawn along x; `contest` sets whole contests side by side
        x: Option<String> = new_optional(FieldType::Text);
        /// the grid axis drawn along y, or the one that distinguishes curves
        y: Option<String> = new_optional(FieldType::Text);
        /// the measure drawn
        measure: Option<String> = new_optional(FieldType::Text);
        /// the outcome field counted: at-least; activations, where it adds up to `needed` or,
        /// without that, is the number of the activation in which the target fell
        field: Option<String> = new_optional(FieldType::Text);
        /// activations: how much of `field` puts the target out of action
        needed: Option<i64> = new_optional(FieldType::Int(bounds::AMOUNT_TO_FALL_RANGE));
        /// a title in place of the one made from the rest
        title: Option<String> = new_optional(FieldType::Text);
        /// heat map: the column of the built-in tables that groups the values along x, such as
        /// `type`
        x_group: Option<String> = new_optional(FieldType::Text);
        /// heat map: the column of the built-in tables that orders the values along x, such as
        /// `armour`
        x_order: Option<String> = new_optional(FieldType::Text);
        /// the same as `x_group`, along y
        y_group: Option<String> = new_optional(FieldType::Text);
        /// the same as `x_order`, along y
        y_order: Option<String> = new_optional(FieldType::Text);
    }
}

impl ChartSpec {
    /// Creates a chart of this kind, with everything else left to be chosen.
    pub fn of_chart_kind(kind: ChartKind) -> ChartSpec {
        ChartSpec {
            kind,
            x: None,
            y: None,
            measure: None,
            field: None,
            needed: None,
            title: None,
            x_group: None,
            x_order: None,
            y_group: None,
            y_order: None,
        }
    }
}

choice! {
    /// Kind of chart.
    pub enum ChartKind {
        /// Measure over two axes, with numbers in the cells.
        Heatmap = "heatmap",
        /// Measure along one axis, with one curve per value of another.
        Curves = "curves",
        /// Stacked shares of the outcomes along one axis.
        Bars = "bars",
        /// One value with its interval per cell.
        Forest = "forest",
        /// Probability of at least k, by k.
        AtLeast = "at-least",
        /// Probability that a target is out of action within n activations, by n.
        Activations = "activations",
        /// Distance of simulated from exact values, in standard errors.
        ZScores = "z-scores",
    }
}
