//! The odds of a rule in a few lines: exact, simulated by counts, and played one trial at a time.

use std::fmt;
#[cfg(feature = "trials")]
use std::sync::OnceLock;

use crate::error::SolveError;
#[cfg(feature = "trials")]
use enfilade_model::combat::Ending;
use enfilade_model::combat::{AnyCombat, Combat, MeasureHead};
use enfilade_model::form::name_matching::find_nearest_name;

use crate::cancel::NEVER_CANCELLED;
use crate::exact::measure_fraction::FractionOrRoot;
#[cfg(feature = "trials")]
use crate::exact::measure_value;
use crate::exact::{Distribution, solve_graph_distribution, solve_integer_weights, tally_figures};
use crate::graph::{CompiledContestLimits, DieGraph};
#[cfg(feature = "trials")]
use crate::play::{PlayedTrialCounts, play_trials};
#[cfg(feature = "trials")]
use crate::random_stream::ContestRandomStream;
#[cfg(feature = "trials")]
use crate::simulate::{EndingCounts, InstructionSet, RollableDieGraph, simulate_trials};

/// Rule with its die graph, from which odds are computed.
///
/// ```
/// use enfilade_engine::odds::Odds;
/// use enfilade_model::combat::{Combat, Measure, OutcomeVocabulary};
/// use enfilade_model::dice::Dice;
///
/// /// A shot that hits on 5 or 6.
/// struct Shot;
///
/// impl Combat for Shot {
///     type State = Option<bool>;
///     type Outcome = bool;
///     fn initial_state(&self) -> Option<bool> { None }
///     fn play_one_step(&self, _: Option<bool>, dice: &mut impl Dice) -> Option<bool> { Some(dice.die(6) >= 5) }
///     fn outcome_if_over(&self, state: &Option<bool>) -> Option<bool> { *state }
///     fn vocabulary(&self) -> OutcomeVocabulary<bool> {
///         let measures = vec![Measure::probability("p_hit", "the shot hits", |&hit| hit)];
///         OutcomeVocabulary { fields: vec![], measures }
///     }
/// }
///
/// let odds = Odds::of(Shot)?;
/// assert_eq!(odds.exact().fraction("p_hit")?.to_string(), "1/3");
/// let simulated = odds.simulate(1_000_000).seed(1).probability("p_hit")?;
/// assert!((simulated - 1.0 / 3.0).abs() < 0.003);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Odds {
    combat: AnyCombat,
    graph: DieGraph,
}

impl Odds {
    /// Compiles a rule.
    ///
    /// # Errors
    /// If the rule has more states than the default [`CompiledContestLimits`] allow, or fails while
    /// it is rolled.
    pub fn of<C: Combat + 'static>(rule: C) -> Result<Odds, SolveError> {
        Odds::compile(AnyCombat::new(rule), CompiledContestLimits::default())
    }

    /// Compiles any combat, such as that of a contest from a catalogue, within `limits`.
    ///
    /// # Errors
    /// If the combat exceeds `limits`, or its rule fails while it is rolled.
    pub fn compile(combat: AnyCombat, limits: CompiledContestLimits) -> Result<Odds, SolveError> {
        let graph = DieGraph::compile_within_limits(&combat, limits)?;
        Ok(Odds { combat, graph })
    }

    /// Returns the die graph, for questions that this type does not answer.
    pub fn graph(&self) -> &DieGraph {
        &self.graph
    }

    /// Prepares the exact odds.
    pub fn exact(&self) -> ExactOdds<'_> {
        let mut law = solve_graph_distribution(&self.graph);
        let heads = self.combat.measures().iter().map(AsRef::as_ref);
        law.tally_figures = tally_figures(&self.graph, heads, &law.probabilities, &NEVER_CANCELLED);
        ExactOdds { odds: self, law }
    }

    /// Prepares a simulation of `trials` trials by counts through the graph, on all threads. It
    /// runs at the first query.
    #[cfg(feature = "trials")]
    pub fn simulate(&self, trials: u64) -> Trials<'_> {
        Trials {
            odds: self,
            trials,
            seed: 1,
            method: simulate_trials_by_counts,
            sample: OnceLock::new(),
        }
    }

    /// Prepares `trials` trials, played one at a time by the rule itself, without the graph: an
    /// independent check.
    #[cfg(feature = "trials")]
    pub fn play(&self, trials: u64) -> Trials<'_> {
        Trials { odds: self, trials, seed: 1, method: play_trials_singly, sample: OnceLock::new() }
    }

    /// Checks that `name` is a probability.
    fn check_measure_is_probability(&self, name: &str) -> Result<(), UnknownMeasure> {
        let is_event = |head: &MeasureHead| head.kind.is_shown_in_percent();
        let (_, head) = self.find_measure_head(name)?;
        if is_event(head) {
            return Ok(());
        }
        let events = self.combat.measures().iter().filter(|head| is_event(head));
        Err(UnknownMeasure {
            name: name.to_owned(),
            nearest: None,
            known: events.map(|head| head.name.to_string()).collect(),
        })
    }

    /// Returns the measure called `name` with its index.
    fn find_measure_head(&self, name: &str) -> Result<(usize, &MeasureHead), UnknownMeasure> {
        let heads = self.combat.measures();
        let position = heads.iter().position(|head| &*head.name == name);
        position.map(|index| (index, &*heads[index])).ok_or_else(|| {
            let names = || heads.iter().map(|head| &*head.name);
            UnknownMeasure {
                name: name.to_owned(),
                nearest: find_nearest_name(name, names()).map(str::to_owned),
                known: names().map(str::to_owned).collect(),
            }
        })
    }
}

/// Exact odds of a rule. Floating-point values have a relative error below 10⁻¹².
#[derive(Debug)]
pub struct ExactOdds<'o> {
    odds: &'o Odds,
    law: Distribution,
}

impl ExactOdds<'_> {
    /// Returns the probability called `name`, 0 to 1. For a contest that may never end it is a
    /// lower bound, short by at most the [unfinished](Self::unsettled_probability) probability.
    ///
    /// # Errors
    /// If the rule has no probability of that name.
    pub fn probability(&self, name: &str) -> Result<f64, UnknownMeasure> {
        self.odds.check_measure_is_probability(name)?;
        self.value(name)
    }

    /// Returns the value of the measure called `name`, in its unit; NaN where there is none, as for
    /// a quantile among unfinished trials.
    ///
    /// # Errors
    /// If the rule has no measure of that name.
    pub fn value(&self, name: &str) -> Result<f64, UnknownMeasure> {
        let (index, head) = self.odds.find_measure_head(name)?;
        let value = self.law.measure_value(self.odds.graph.endings(), index, head);
        Ok(value.unwrap_or(f64::NAN))
    }

    /// Returns the value as a fraction, or as the root of one, without any rounding; for a contest
    /// that may never end, its floating-point value.
    ///
    /// # Errors
    /// If the rule has no measure of that name.
    pub fn fraction(&self, name: &str) -> Result<FractionOrFloat, UnknownMeasure> {
        let (index, head) = self.odds.find_measure_head(name)?;
        let weights = solve_integer_weights(&self.odds.graph);
        let figure = weights
            .and_then(|all| all.exact_measure_fraction(self.odds.graph.endings(), index, head));
        match figure {
            Some(figure) => Ok(FractionOrFloat::Fraction(figure)),
            None => self.value(name).map(FractionOrFloat::Float),
        }
    }

    /// Returns the probability that the contest is not over after the last computed round; 0 for
    /// one that must end.
    pub fn unsettled_probability(&self) -> f64 {
        self.law.unsettled
    }
}

/// Exact value of a measure.
#[derive(Debug)]
pub enum FractionOrFloat {
    /// Value without rounding.
    Fraction(FractionOrRoot),
    /// Value of a contest that may never end.
    Float(f64),
}

impl fmt::Display for FractionOrFloat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FractionOrFloat::Fraction(figure) => figure.fmt(f),
            FractionOrFloat::Float(value) => value.fmt(f),
        }
    }
}

#[cfg(feature = "trials")]
/// Number of trials by ending, and the sums of the tallies.
#[derive(Debug)]
struct EndingCountsAndTallySums {
    endings: Vec<(Ending, u64)>,
    unsettled: u64,
    tallies: Vec<i128>,
}

#[cfg(feature = "trials")]
type RunMethod = fn(&Odds, u64, &ContestRandomStream) -> EndingCountsAndTallySums;

#[cfg(feature = "trials")]
fn simulate_trials_by_counts(
    odds: &Odds,
    trials: u64,
    stream: &ContestRandomStream,
) -> EndingCountsAndTallySums {
    let plan = RollableDieGraph::new(&odds.graph);
    // Nothing cancels this run.
    let counts =
        simulate_trials(&plan, trials, stream, InstructionSet::widest_available(), &|_| true);
    let EndingCounts { endings, unsettled, tallies } =
        counts.unwrap_or_else(|| EndingCounts::zero_for_endings(0));
    let endings = odds.graph.endings().iter().copied().zip(endings).collect();
    EndingCountsAndTallySums { endings, unsettled, tallies }
}

#[cfg(feature = "trials")]
fn play_trials_singly(
    odds: &Odds,
    trials: u64,
    stream: &ContestRandomStream,
) -> EndingCountsAndTallySums {
    let PlayedTrialCounts { endings, unsettled, totals } =
        play_trials(&odds.combat, trials, stream, &|| true).unwrap_or_default();
    let tallies = totals.iter().map(|total| total.sum).collect();
    EndingCountsAndTallySums { endings: endings.into_iter().collect(), unsettled, tallies }
}

#[cfg(feature = "trials")]
/// Trials of a rule. The estimates depend on the rule, the number of trials and the seed alone, not
/// on threads.
#[derive(Debug)]
pub struct Trials<'o> {
    odds: &'o Odds,
    trials: u64,
    seed: u64,
    method: RunMethod,
    sample: OnceLock<EndingCountsAndTallySums>,
}

#[cfg(feature = "trials")]
impl Trials<'_> {
    /// Sets another seed than 1.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Trials { seed, sample: OnceLock::new(), ..self }
    }

    /// Returns the share of trials in which the event called `name` happened.
    ///
    /// # Errors
    /// If the rule has no probability of that name.
    pub fn probability(&self, name: &str) -> Result<f64, UnknownMeasure> {
        self.odds.check_measure_is_probability(name)?;
        self.value(name)
    }

    /// Returns the estimate of the measure called `name`, in its unit; NaN for a quantile among
    /// trials that were not over.
    ///
    /// # Errors
    /// If the rule has no measure of that name.
    pub fn value(&self, name: &str) -> Result<f64, UnknownMeasure> {
        let (index, head) = self.odds.find_measure_head(name)?;
        let stream = ContestRandomStream { seed: self.seed, fingerprint: [0; 32] };
        let sample = self.sample.get_or_init(|| (self.method)(self.odds, self.trials, &stream));
        let trials = self.trials.max(1) as f64;
        if let enfilade_model::combat::MeasureKind::Tally(counter) = head.kind {
            let sum = sample.tallies.get(usize::from(counter)).copied().unwrap_or(0);
            return Ok(sum as f64 / trials * head.scale.to_f64());
        }
        let shares = sample.endings.iter().filter(|(_, count)| *count > 0);
        let shares = shares.map(|(ending, count)| (ending.weights[index], *count as f64 / trials));
        let value =
            measure_value::compute_measure_value(head, shares, sample.unsettled as f64 / trials);
        Ok(value.unwrap_or(f64::NAN))
    }
}

/// Error: the rule has no such measure, or the measure is not a probability where one is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMeasure {
    /// Requested name.
    pub name: String,
    /// Nearest available name, if one is near.
    pub nearest: Option<String>,
    /// All available names.
    pub known: Vec<String>,
}

impl fmt::Display for UnknownMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown measure `{}`: ", self.name)?;
        match &self.nearest {
            Some(nearest) => write!(f, "did you mean `{nearest}`?"),
            None if self.known.is_empty() => write!(f, "the rule has none of this kind"),
            None => write!(f, "the rule has {}", self.known.join(", ")),
        }
    }
}

impl std::error::Error for UnknownMeasure {}

#[cfg(all(test, feature = "trials"))]
mod tests {
    use super::*;
    use enfilade_model::combat::{Measure, OutcomeVocabulary};
    use enfilade_model::dice::Dice;

    /// Two dice of six: whether both show six, and their sum.
    struct Pair;

    impl Combat for Pair {
        type State = (u8, u8);
        type Outcome = u8;

        fn initial_state(&self) -> (u8, u8) {
            (2, 0)
        }

        fn play_one_step(&self, (left, sum): (u8, u8), dice: &mut impl Dice) -> (u8, u8) {
            (left - 1, sum + dice.die(6))
        }

        fn outcome_if_over(&self, &(left, sum): &(u8, u8)) -> Option<u8> {
            (left == 0).then_some(sum)
        }

        fn vocabulary(&self) -> OutcomeVocabulary<u8> {
            let measures = vec![
                Measure::probability("p_sixes", "both show six", |&sum| sum == 12),
                Measure::mean("e_sum", "the sum", |&sum| i32::from(sum)),
            ];
            OutcomeVocabulary { fields: vec![], measures }
        }
    }

    #[test]
    fn three_ways_agree_with_the_hand() {
        let odds = Odds::of(Pair).expect("it is small");
        let exact = odds.exact();
        assert_eq!(exact.fraction("p_sixes").expect("it has one").to_string(), "1/36");
        assert_eq!(exact.fraction("e_sum").expect("it has one").to_string(), "7/1");
        assert!((exact.value("e_sum").expect("it has one") - 7.0).abs() < 1e-12);
        assert_eq!(exact.unsettled_probability(), 0.0);
        // Five standard errors of 10⁵ trials: √(1/36 · 35/36 / 10⁵) and √(35/6 / 10⁵).
        for trials in [odds.simulate(100_000).seed(7), odds.play(100_000).seed(7)] {
            let p = trials.probability("p_sixes").expect("it has one");
            let mean = trials.value("e_sum").expect("it has one");
            assert!((p - 1.0 / 36.0).abs() < 5.0 * 0.00052, "{p}");
            assert!((mean - 7.0).abs() < 5.0 * 0.0077, "{mean}");
        }
    }

    #[test]
    fn the_seed_alone_decides() {
        let odds = Odds::of(Pair).expect("it is small");
        let mean = |seed| odds.simulate(1000).seed(seed).value("e_sum").expect("it has one");
        assert_eq!(mean(3), mean(3));
        assert_ne!(mean(3), mean(4));
    }

    #[test]
    fn a_name_that_is_not_there_is_told_with_what_is() {
        let odds = Odds::of(Pair).expect("it is small");
        let told = |why: Result<f64, UnknownMeasure>| why.expect_err("there is none").to_string();
        assert_eq!(
            told(odds.exact().probability("p_sixs")),
            "unknown measure `p_sixs`: did you mean `p_sixes`?"
        );
        assert_eq!(
            told(odds.simulate(1).probability("e_sum")),
            "unknown measure `e_sum`: the rule has p_sixes"
        );
    }
}
