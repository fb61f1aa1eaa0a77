//! Answer of one cell: its exact distribution, its simulated one, and the measures of both.

use std::fmt;
use std::sync::Arc;

use enfilade_engine::exact::approximation::Approximation;
use enfilade_model::catalogue::{RulebookAction, System};
use enfilade_model::combat::{MeasureHead, OutcomeFieldHead};
use enfilade_model::form::{Form, Value};

/// Answer of one cell.
///
/// A part that was not computed is `None`: a contest too large for an exact distribution has no
/// exact column, and an `--exact-only` run has no simulated one.
///
/// ```
/// use enfilade_study::{experiment::Experiment, solve::{solve_experiment, settings::SolverSettings}};
/// use enfilade_games::built_in_catalogue;
/// let file = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [4, 8]\ntarget = { kind = 'squad', morale = 7 }\n";
/// let experiment = Experiment::read_experiment_text(&built_in_catalogue(), "two.toml", file)?;
/// let answers = solve_experiment(&experiment, &SolverSettings::for_exact_only().with_fractions())?;
/// let p_break = answers[0].measure_answer_by_name("p_break").expect("an attack can break a squad");
/// assert!(p_break.fraction.is_some() && p_break.exact.is_some_and(|p| p < 0.5));
/// assert!(answers[0].to_string().contains(", fp 4\n"));
/// # Ok::<(), enfilade_study::error::StudyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Answer {
    /// Position of the cell in its experiment, from 0.
    pub cell: usize,
    /// Index of its `[[contest]]` in the file, from 0.
    pub contest: usize,
    /// Name of the contest.
    pub name: String,
    /// Rulebook.
    pub system: Arc<System>,
    /// Action that is resolved.
    pub action: Arc<RulebookAction>,
    /// All parameters, defaults included.
    pub params: Form,
    /// Grid position: axis path and value.
    pub axes: Vec<(String, Value)>,
    /// Outcome fields, one per entry of [`OutcomeWithProbability::values`].
    pub fields: Arc<[OutcomeFieldHead]>,
    /// Distribution of the outcomes, sorted by field values.
    pub outcomes: Vec<OutcomeWithProbability>,
    /// Measures, in declared order.
    pub measures: Vec<MeasureAnswer>,
    /// Seed of the simulation.
    pub seed: u64,
    /// Number of trials simulated or played; 0 if only the exact distribution was requested.
    pub trials: u64,
    /// Number of trials that were not over after the last round.
    pub unsettled_trials: u64,
    /// Probability unfinished when the exact engine stopped; 0 for nearly all contests.
    pub unsettled: Option<f64>,
    /// Probability of never ending; `None` for a contest that must end.
    pub never: Option<f64>,
    /// Bound of the error of each exact probability, where loops were solved.
    pub bound: Option<f64>,
    /// Whether reports show the bound of the error of each exact number.
    pub shows_errors: bool,
    /// Method of the trials.
    pub engine: AnswerMethod,
    /// Number of states of the contest; without a graph, of states that were expanded.
    pub states: Option<usize>,
    /// Number of nodes of the die graph.
    pub nodes: Option<usize>,
    /// Whether exact and simulated agree; `None` if there is only one of them.
    pub agrees: Option<bool>,
    /// Notes for the reader: unverified data, specials that are not modelled.
    pub notes: Vec<String>,
    /// Check of the rulebook that the parameters break, in its words. Then the contest does not
    /// exist, and the notes name the fault.
    pub breaks: Option<String>,
}

/// Writes the name and the grid position, then a line for each measure: exact, or else simulated.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        for (axis, value) in &self.axes {
            write!(f, ", {axis} {value}")?;
        }
        for measure in &self.measures {
            write!(f, "\n  {}: ", measure.head.display_name())?;
            match (&measure.fraction, measure.exact, &measure.simulated) {
                (Some(fraction), ..) => write!(f, "{fraction}")?,
                (None, Some(value), _) => write!(f, "{value}")?,
                (None, None, Some(estimate)) => write!(f, "{}", estimate.value)?,
                (None, None, None) => write!(f, "–")?,
            }
        }
        Ok(())
    }
}

/// Method of the trials of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerMethod {
    /// No trials: the exact distribution only.
    ExactOnly,
    /// Counts of trials through the die graph, or along the frontier where the graph would be too
    /// large.
    Simulated,
    /// One trial at a time, on request, or because a contest too large for an exact distribution
    /// tallies.
    Played,
    /// No answer: the contest is too large or invalid. The notes give the reason.
    Refused,
}

/// Outcome with its probability.
#[derive(Clone, Debug)]
pub struct OutcomeWithProbability {
    /// Values of the outcome fields.
    pub values: Vec<i32>,
    /// Exact probability.
    pub exact: Option<f64>,
    /// Largest distance of the exact probability from the true one; 0 without an exact probability.
    pub error: f64,
    /// Exact probability as a reduced fraction, `4867/10368`, if fractions were requested.
    pub fraction: Option<String>,
    /// Number of trials with this outcome.
    pub count: Option<u64>,
    /// Share of the trials with this outcome.
    pub simulated: Option<Estimate>,
}

impl OutcomeWithProbability {
    /// Returns the best available probability: the exact one, or else the simulated one.
    pub fn best_available_chance(&self) -> f64 {
        self.exact.or(self.simulated.map(|estimate| estimate.value)).unwrap_or(0.0)
    }

    /// Creates an unknown outcome with `fields` fields.
    pub fn unknown_with_field_count(fields: usize) -> OutcomeWithProbability {
        let values = vec![0; fields];
        OutcomeWithProbability {
            values,
            exact: None,
            error: 0.0,
            fraction: None,
            count: None,
            simulated: None,
        }
    }
}

/// Measure with its values.
#[derive(Clone, Debug)]
pub struct MeasureAnswer {
    /// Name, description and kind.
    pub head: Arc<MeasureHead>,
    /// Exact value; `None` for a quantile that lies in the unfinished part.
    pub exact: Option<f64>,
    /// Largest distance of the exact value from the true one; 0 without an exact value.
    pub error: f64,
    /// Exact value as a reduced fraction, `7/2`, or the root of one, `√(35/12)`, if fractions were
    /// requested.
    pub fraction: Option<String>,
    /// Simulated value; `None` for a quantile that lies, or may lie, among unfinished trials.
    pub simulated: Option<Estimate>,
}

impl MeasureAnswer {
    /// Returns the exact value, or else the simulated one.
    pub fn best_available_value(&self) -> Option<f64> {
        self.exact.or(self.simulated.map(|estimate| estimate.value))
    }

    /// Returns the best value with its error, for comparisons.
    pub fn best_value_with_error(&self) -> Option<Approximation> {
        let exact = self.exact.map(|value| Approximation::new(value, self.error));
        exact.or(self
            .simulated
            .map(|estimate| Approximation::from_accumulated_rounding(estimate.value)))
    }
}

/// Simulated number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Estimated value.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Answer {
    /// Returns the short names of the rulebook and the action, as in files: `asl fire`.
    pub fn rulebook_and_action(&self) -> String {
        format!("{} {}", self.system.id, self.action.name)
    }

    /// Returns whether `other` resolves the same action of the same rulebook.
    pub fn has_same_action(&self, other: &Answer) -> bool {
        self.system == other.system && self.action == other.action
    }

    /// Returns whether the answer is a refusal.
    pub fn is_cell_refused(&self) -> bool {
        self.engine == AnswerMethod::Refused
    }

    /// Returns whether the contest does not exist, because its parameters break a check of the
    /// rulebook.
    pub fn is_excluded_by_check(&self) -> bool {
        self.breaks.is_some()
    }

    /// Turns the cell into a refusal with this reason.
    #[must_use]
    pub fn refuse_cell_with_reason(self, why: String) -> Answer {
        let Answer { cell, contest, name, system, action, axes, params, seed, .. } = self;
        Answer {
            cell,
            contest,
            name,
            axes,
            params,
            seed,
            ..Answer::new_refusal(system, action, why)
        }
    }

    /// Creates the refusal of a cell of `action`, with its reason.
    pub fn new_refusal(system: Arc<System>, action: Arc<RulebookAction>, why: String) -> Answer {
        // The caller fills in the cell if there is one; a refusal has neither columns nor numbers.
        Answer {
            cell: 0,
            contest: 0,
            name: String::new(),
            system,
            action,
            params: Form::default(),
            axes: Vec::new(),
            fields: Arc::new([]),
            outcomes: Vec::new(),
            measures: Vec::new(),
            seed: 0,
            trials: 0,
            unsettled_trials: 0,
            unsettled: None,
            never: None,
            bound: None,
            shows_errors: false,
            engine: AnswerMethod::Refused,
            states: None,
            nodes: None,
            agrees: None,
            notes: vec![why],
            breaks: None,
        }
    }

    /// Returns the probability of not being over, now or ever.
    pub fn unfinished_probability(&self) -> Option<f64> {
        self.unsettled.map(|unsettled| unsettled + self.never.unwrap_or(0.0))
    }

    /// Returns the measure called `name`; `None` if the cell does not report it.
    pub fn measure_answer_by_name(&self, name: &str) -> Option<&MeasureAnswer> {
        self.measures.iter().find(|measure| measure.head.name == name)
    }
}
