//! What an experiment asks: contests, the grid of their cells, how long to simulate, what to draw.

use enfilade_model::form::bounds;
use enfilade_model::form::field_macros::{choice, fields};
use enfilade_model::form::{Form, Kind, Value};
use std::ops::Deref;
use std::sync::Arc;

use super::answer::Answer;
use super::search::Search;
use enfilade_model::catalogue::{Action, Contest, System};

/// A checked experiment, ready to run.
///
/// ```
/// use enfilade_study::experiment::Experiment;
/// use enfilade_games::built_in;
/// let file = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [4, 8]\ntarget = { kind = 'squad', morale = 7 }\n";
/// let experiment = Experiment::read(&built_in(), "two.toml", file)?;
/// assert_eq!(experiment.cells.len(), 2);
/// # Ok::<(), enfilade_model::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Experiment {
    /// What the file asks, without its cells.
    pub spec: Arc<ExperimentSpec>,
    /// The cells, contest by contest, the last axis of each contest varying fastest.
    pub cells: Vec<Cell>,
    /// The cells that are no contests because they break a check of the rulebook, as rows that say so; of
    /// an experiment whose cells are all kept.
    pub excluded: Vec<Answer>,
}

/// What an experiment asks beside its cells: all that reports need once the cells are answered.
#[derive(Debug)]
pub struct ExperimentSpec {
    /// Its name, one line.
    pub name: String,
    /// The question it answers.
    pub question: Option<String>,
    /// What its author expected before the first run.
    pub prediction: Option<String>,
    /// The seed of every cell.
    pub seed: u64,
    /// When a simulation has rolled enough.
    pub stop: Stop,
    /// How many cells were asked for.
    pub asked: u64,
    /// The charts asked for; when there are none, sensible ones are drawn.
    pub charts: Vec<ChartSpec>,
    /// The printed cards asked for; when there are none, sensible ones are laid out.
    pub cards: Vec<CardSpec>,
    /// Which cells are kept, when not all of them are.
    pub search: Option<Search>,
    /// The rulebooks of its contests that were read from files, each once.
    pub rulebooks: Vec<Arc<System>>,
}

impl Deref for Experiment {
    type Target = ExperimentSpec;

    fn deref(&self) -> &ExperimentSpec {
        &self.spec
    }
}

/// The name of an experiment that has none.
pub(super) const UNNAMED: &str = "experiment";

/// Whether Windows keeps the name for a device: `con`, `COM1`.
pub fn is_device(name: &str) -> bool {
    let name = name.to_lowercase();
    let port = name.strip_prefix("com").or(name.strip_prefix("lpt"));
    let numbered = port.is_some_and(|n| n.len() == 1 && n.chars().all(|c| c.is_ascii_digit()));
    numbered || ["con", "prn", "aux", "nul"].contains(&name.as_str())
}

impl Experiment {
    /// Returns answers to its cells with the rows of those that break a check, in the order of the grid.
    pub fn complete(&self, answers: Vec<Answer>) -> Vec<Answer> {
        if self.excluded.is_empty() {
            return answers;
        }
        let seed = answers.first().map_or(self.seed, |answer| answer.seed);
        let excluded = self.excluded.iter().map(|row| Answer { seed, ..row.clone() });
        let mut all: Vec<_> = answers.into_iter().chain(excluded).collect();
        all.sort_by_key(|answer| answer.cell);
        all
    }
}

impl ExperimentSpec {
    /// The default folder of its results: the name, with a dash for everything but letters, digits
    /// and underscores, at most 64 of them.
    pub fn folder(&self) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let dashed = self.name.chars().map(|c| if plain(c) { c } else { '-' });
        let dashed: String = dashed.collect();
        let safe: String = dashed.trim_matches(['-', '_']).chars().take(64).collect();
        if safe.is_empty() || is_device(&safe) { UNNAMED.to_owned() } else { safe }
    }
}

/// When a simulation has rolled enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// After exactly this many trials.
    Trials(u64),
    /// When the standard error of every probability is at most this.
    Precision(f64),
}

/// Trials without end would not be an experiment: where nothing is said, the standard error of
/// every probability is brought down to this.
pub const DEFAULT_STOP: Stop = Stop::Precision(0.0005);

/// The seed where nothing is said: the same command gives the same answer.
pub const DEFAULT_SEED: u64 = 1;

/// One contest with one value on every axis.
#[derive(Debug)]
pub struct Cell {
    /// Position in the experiment, from 0.
    pub index: usize,
    /// Which `[[contest]]` of the file it comes from, from 0.
    pub contest: usize,
    /// The contest's `name`, or `SYSTEM ACTION`.
    pub name: String,
    /// Its rulebook.
    pub system: Arc<System>,
    /// What is resolved.
    pub action: Arc<Action>,
    /// Every parameter, defaults included.
    pub form: Form,
    /// Its place on the grid: the path of each axis (`drm`, `target.morale`, `target.2.unit`) and
    /// the value there, in the order in which the file names them.
    pub axes: Vec<(String, Value)>,
    /// The contest to be played.
    pub played: Contest,
}

/// A printed card asked for in a file: which numbers stand where, and what is said beside them.
///
/// What is left empty is chosen from the grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CardSpec {
    /// Its title.
    pub title: Option<String>,
    /// What is rolled and which way is good, in place of the rulebook's own words.
    pub dice: Option<String>,
    /// Names of the contests it shows; all of them when there are none.
    pub contests: Vec<String>,
    /// What its rows are.
    pub rows: Option<Side>,
    /// What its columns are.
    pub columns: Option<Side>,
    /// Head of the row heads, in place of the axis's name.
    pub row_title: Option<String>,
    /// Head of the column heads, in place of the axis's name.
    pub column_title: Option<String>,
    /// Names of axes, by their paths.
    pub names: Vec<(String, String)>,
    /// The lines of a row, from the top.
    pub lines: Vec<LineSpec>,
    /// What the rest of a stack is called.
    pub rest: Option<String>,
    /// Columns of the built-in data that stand beside the row heads.
    pub facts: Vec<String>,
    /// Sentences below its tables.
    pub notes: Vec<String>,
}

/// What the rows or the columns of a card are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// The values of a grid axis, by its path.
    Axis(String),
    /// The contests, by their names.
    Contests,
    /// The results: what otherwise are the lines of a row.
    Results,
}

/// One line of a card's rows.
#[derive(Clone, Debug, PartialEq)]
pub struct LineSpec {
    /// What it is called.
    pub label: String,
    /// What it shows.
    pub shows: Shows,
}

/// What a line of a card shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Shows {
    /// A measure.
    Measure(String),
    /// A band of the stack: the share of the outcomes in which one of these holds and nothing in
    /// the bands above does. What no band takes is the rest.
    Band(Vec<Condition>),
}

/// An outcome field that has at least a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Name of the outcome field.
    pub field: String,
    /// The least value that counts.
    pub least: i32,
}

fields! {
    /// A chart asked for in a file: the keys of a `[[chart]]`.
    #[derive(PartialEq)]
    pub struct ChartSpec {
        /// what kind of chart
        kind: ChartKind = required(Kind::choice(ChartKind::WORDS));
        /// the grid axis drawn along x; `contest` sets whole contests side by side
        x: Option<String> = optional(Kind::Text);
        /// the grid axis drawn along y, or the one that tells curves apart
        y: Option<String> = optional(Kind::Text);
        /// the measure drawn
        measure: Option<String> = optional(Kind::Text);
        /// the outcome field counted: at-least; activations, where it adds up to `needed` or, without that,
        /// is the number of the activation in which the target fell
        field: Option<String> = optional(Kind::Text);
        /// activations: how much of `field` puts the target out of action
        needed: Option<i64> = optional(Kind::Int(bounds::NEEDED));
        /// a title in place of the one made from the rest
        title: Option<String> = optional(Kind::Text);
        /// heat map: the column of the built-in tables that groups the values along x, such as `type`
        x_group: Option<String> = optional(Kind::Text);
        /// heat map: the column of the built-in tables that orders the values along x, such as `armour`
        x_order: Option<String> = optional(Kind::Text);
        /// the same as `x_group`, along y
        y_group: Option<String> = optional(Kind::Text);
        /// the same as `x_order`, along y
        y_order: Option<String> = optional(Kind::Text);
    }
}

impl ChartSpec {
    /// A chart of this kind, everything else left to be chosen.
    pub fn of(kind: ChartKind) -> ChartSpec {
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
    /// The kinds of charts.
    pub enum ChartKind {
        /// A measure over two axes, numbers in the cells.
        Heatmap = "heatmap",
        /// A measure along one axis, one curve per value of another.
        Curves = "curves",
        /// Stacked shares of the outcomes along one axis.
        Bars = "bars",
        /// One value with its interval per cell.
        Forest = "forest",
        /// The probability of at least k, by k.
        AtLeast = "at-least",
        /// The probability that a target is out of action within n activations, by n.
        Activations = "activations",
        /// How far simulated and exact values lie apart, in standard errors.
        ZScores = "z-scores",
    }
}
