//! What comes back for one cell: the exact law, the simulated one, and the measures of both.

use std::fmt;
use std::sync::Arc;

use enfilade_engine::exact::approximation::Approximation;
use enfilade_model::catalogue::{Action, System};
use enfilade_model::combat::{FieldHead, MeasureHead};
use enfilade_model::form::{Form, Value};

/// The answer to one cell.
///
/// What was not computed is `None`: a contest too large for an exact law has no exact column, an
/// `--exact-only` run has no simulated one.
///
/// ```
/// use enfilade_study::{experiment::Experiment, solve::{answers, settings::Settings}};
/// use enfilade_games::built_in;
/// let file = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [4, 8]\ntarget = { kind = 'squad', morale = 7 }\n";
/// let experiment = Experiment::read(&built_in(), "two.toml", file)?;
/// let answers = answers(&experiment, &Settings::exact().with_fractions())?;
/// let p_break = answers[0].measure("p_break").expect("an attack can break a squad");
/// assert!(p_break.fraction.is_some() && p_break.exact.is_some_and(|p| p < 0.5));
/// assert!(answers[0].to_string().contains(", fp 4\n"));
/// # Ok::<(), enfilade_model::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Answer {
    /// Position of the cell in its experiment, from 0.
    pub cell: usize,
    /// Which `[[contest]]` of the file it comes from, from 0.
    pub contest: usize,
    /// Name of the contest.
    pub name: String,
    /// Its rulebook.
    pub system: Arc<System>,
    /// What is resolved.
    pub action: Arc<Action>,
    /// Every parameter, defaults included.
    pub params: Form,
    /// Its place on the grid: axis path and value.
    pub axes: Vec<(String, Value)>,
    /// The outcome fields, one per entry of [`OutcomeAnswer::values`].
    pub fields: Arc<[FieldHead]>,
    /// The law of the outcomes, sorted by field values.
    pub outcomes: Vec<OutcomeAnswer>,
    /// The measures, in declared order.
    pub measures: Vec<MeasureAnswer>,
    /// Seed of the simulation.
    pub seed: u64,
    /// Trials simulated or played; 0 when only the exact law was asked for.
    pub trials: u64,
    /// Trials that were not over when the last round ended.
    pub unsettled_trials: u64,
    /// Probability not settled when the exact engine stopped; 0 for nearly all contests.
    pub unsettled: Option<f64>,
    /// Probability of never ending; none of a contest that must end.
    pub never: Option<f64>,
    /// How far any exact probability may be from the true one, where loops were solved.
    pub bound: Option<f64>,
    /// How the trials were made.
    pub engine: Engine,
    /// States of the contest; of one without a graph, those that were stepped from.
    pub states: Option<usize>,
    /// Nodes of its die graph.
    pub nodes: Option<usize>,
    /// Whether exact and simulated agree; `None` when there is only one of them.
    pub agrees: Option<bool>,
    /// What a reader must know: unverified data, specials that are not modelled.
    pub notes: Vec<String>,
    /// The check of the rulebook that the parameters break, in its words; then there is no such contest,
    /// and the notes say what is wrong here.
    pub breaks: Option<String>,
}

/// Its name and place on the grid, then a line for each measure: exact, or else as simulated.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        for (axis, value) in &self.axes {
            write!(f, ", {axis} {value}")?;
        }
        for measure in &self.measures {
            write!(f, "\n  {}: ", measure.head.label_or_name())?;
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

/// How the trials of an answer were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// None were: the exact law only.
    ExactOnly,
    /// Counts of trials through the die graph, or in waves where it would be too large.
    Simulated,
    /// One trial at a time, on request, or because a contest too large for an exact law tallies.
    Played,
    /// There is no answer: the contest is too large or cannot be. The notes say why.
    Refused,
}

/// One outcome and how often it happens.
#[derive(Clone, Debug)]
pub struct OutcomeAnswer {
    /// Values of the outcome fields.
    pub values: Vec<i32>,
    /// Its probability.
    pub exact: Option<f64>,
    /// Its probability as a reduced fraction, `4867/10368`, when fractions were asked for.
    pub fraction: Option<String>,
    /// Trials that ended so.
    pub count: Option<u64>,
    /// Share of the trials that ended so.
    pub simulated: Option<Estimate>,
}

impl OutcomeAnswer {
    /// How likely it is, by the best that is known: exactly, or else as simulated.
    pub fn likelihood(&self) -> f64 {
        self.exact.or(self.simulated.map(|estimate| estimate.value)).unwrap_or(0.0)
    }

    /// One of so many fields of which nothing is known.
    pub fn none(fields: usize) -> OutcomeAnswer {
        let values = vec![0; fields];
        OutcomeAnswer { values, exact: None, fraction: None, count: None, simulated: None }
    }
}

/// One measure.
#[derive(Clone, Debug)]
pub struct MeasureAnswer {
    /// Name, meaning, kind.
    pub head: Arc<MeasureHead>,
    /// Its exact value; none for a quantile that lies in what is not settled.
    pub exact: Option<f64>,
    /// The largest distance of that from the true value; 0 where there is none.
    pub error: f64,
    /// Its exact value as a reduced fraction, `7/2`, or the root of one, `√(35/12)`, when fractions
    /// were asked for.
    pub fraction: Option<String>,
    /// Its simulated value; none for a quantile that lies in trials which were not over, or may.
    pub simulated: Option<Estimate>,
}

impl MeasureAnswer {
    /// Its exact value, or the simulated one where there is none.
    pub fn best(&self) -> Option<f64> {
        self.exact.or(self.simulated.map(|estimate| estimate.value))
    }

    /// Returns the same number as it is compared with others.
    pub fn approximate(&self) -> Option<Approximation> {
        let exact = self.exact.map(|value| Approximation::new(value, self.error));
        exact.or(self.simulated.map(|estimate| Approximation::computed(estimate.value)))
    }
}

/// A simulated number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Answer {
    /// What was asked, by the short names of files: `asl fire`.
    pub fn asked(&self) -> String {
        format!("{} {}", self.system.id, self.action.name)
    }

    /// Whether `other` resolves the same action of the same rulebook.
    pub fn is_like(&self, other: &Answer) -> bool {
        self.system == other.system && self.action == other.action
    }

    /// Whether there is an answer at all.
    pub fn is_refused(&self) -> bool {
        self.engine == Engine::Refused
    }

    /// Whether there is no answer because there is no such contest: its parameters break a check of the
    /// rulebook.
    pub fn is_excluded(&self) -> bool {
        self.breaks.is_some()
    }

    /// The same cell without an answer, and why there is none.
    #[must_use]
    pub fn refused(self, why: String) -> Answer {
        let Answer { cell, contest, name, system, action, axes, params, seed, .. } = self;
        Answer { cell, contest, name, axes, params, seed, ..Answer::without(system, action, why) }
    }

    /// No answer to a cell of `action`, and why there is none.
    pub fn without(system: Arc<System>, action: Arc<Action>, why: String) -> Answer {
        // Which cell it is of is put in by whoever knows one; a refusal has neither columns nor numbers.
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
            engine: Engine::Refused,
            states: None,
            nodes: None,
            agrees: None,
            notes: vec![why],
            breaks: None,
        }
    }

    /// Probability of what is not over, now or ever.
    pub fn open(&self) -> Option<f64> {
        self.unsettled.map(|unsettled| unsettled + self.never.unwrap_or(0.0))
    }

    /// The measure called `name`; `None` where the cell does not report it.
    pub fn measure(&self, name: &str) -> Option<&MeasureAnswer> {
        self.measures.iter().find(|measure| measure.head.name == name)
    }
}
