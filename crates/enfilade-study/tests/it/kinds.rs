//! Every kind of measure through every way to answer: exact, in whole numbers, simulated, played.
//!
//! Two dice are thrown and added; what is expected is counted by hand among the 36 throws.

use enfilade_model::catalogue::{Catalogue, Contest, RulebookAction, System};
use enfilade_model::combat::{
    AnyCombat, Combat, ExactRatio, Measure, MeasureKind, OutcomeField, OutcomeVocabulary,
};
use enfilade_model::dice::Dice;
use enfilade_model::form::{Fault, Fields, Form};
use enfilade_study::answer::{Answer, Estimate, MeasureAnswer};
use enfilade_study::checkpoint::journal::CellTrialJournal;
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::{NoObserver, SolverSettings, solve_cells};

const fn of(numerator: u32, denominator: u32) -> ExactRatio {
    ExactRatio { numerator, denominator }
}

/// Two dice, added.
struct Throw;

impl Combat for Throw {
    type State = Option<i32>;
    type Outcome = i32;

    fn initial_state(&self) -> Option<i32> {
        None
    }

    fn play_one_step(&self, _: Option<i32>, dice: &mut impl Dice) -> Option<i32> {
        Some(i32::from(dice.die(6)) + i32::from(dice.die(6)))
    }

    fn outcome_if_over(&self, state: &Option<i32>) -> Option<i32> {
        *state
    }

    fn vocabulary(&self) -> OutcomeVocabulary<i32> {
        let margin =
            |name, kind| Measure::with_closure(name, "sum less 7", kind, |sum: &i32| sum - 7);
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("sum", "the sum", |&sum| sum)],
            measures: vec![
                Measure::probability("p_high", "10 or more", |&sum| sum >= 10),
                Measure::mean("e_sum", "the sum", |&sum| sum),
                Measure::deviation("d_sum", "the sum", |&sum| sum),
                Measure::deviation("d_double", "twice the sum", |&sum| sum)
                    .with_exact_factor(of(2, 1)),
                Measure::deviation("d_high", "10 or more", |&sum| (sum >= 10).into()),
                Measure::deviation("d_even", "an even sum", |&sum| (sum % 2 == 0).into()),
                Measure::deviation("d_nothing", "a constant", |_| 41),
                Measure::new_quantile("q_half", "the sum", of(1, 2), |&sum| sum),
                Measure::new_quantile("q_most", "the sum", of(9, 10), |&sum| sum),
                Measure::new_quantile("q_third", "the sum", of(5, 18), |&sum| sum),
                margin("e_margin", MeasureKind::Mean),
                margin("d_margin", MeasureKind::Deviation),
                margin("q_margin", MeasureKind::Quantile(of(1, 10))).with_exact_factor(of(3, 2)),
            ],
        }
    }
}

/// By hand, as a fraction and as a number. Among 36 throws 6 show 10 or more and 18 an even sum;
/// 21 show 7 or less and 15 show 6 or less; 33 show 10 or less and 30 show 9 or less; 10, which is
/// 5/18 of them, show 5 or less; 6 show 4 or less and 3 show 3 or less.
fn by_hand() -> [(&'static str, &'static str, f64); 13] {
    [
        ("p_high", "1/6", 1.0 / 6.0),
        ("e_sum", "7/1", 7.0),
        ("d_sum", "√(35/6)", (35.0f64 / 6.0).sqrt()),
        ("d_double", "√(70/3)", (70.0f64 / 3.0).sqrt()),
        ("d_high", "√(5/36)", 5.0f64.sqrt() / 6.0),
        ("d_even", "1/2", 0.5),
        ("d_nothing", "0/1", 0.0),
        ("q_half", "7/1", 7.0),
        ("q_most", "10/1", 10.0),
        ("q_third", "5/1", 5.0),
        ("e_margin", "0/1", 0.0),
        ("d_margin", "√(35/6)", (35.0f64 / 6.0).sqrt()),
        ("q_margin", "-9/2", -4.5),
    ]
}

/// One die: with 2 or more of 4 it is over and counts 3, with a 1 it never is.
struct Stuck;

impl Combat for Stuck {
    type State = (bool, bool);
    type Outcome = i32;

    fn initial_state(&self) -> (bool, bool) {
        (false, false)
    }

    fn play_one_step(&self, (stuck, _): (bool, bool), dice: &mut impl Dice) -> (bool, bool) {
        let low = dice.die(4) == 1;
        (stuck || low, !stuck && !low)
    }

    fn outcome_if_over(&self, &(_, over): &(bool, bool)) -> Option<i32> {
        over.then_some(3)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<i32> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("count", "what it counts", |&count| count)],
            measures: vec![
                Measure::probability("p_over", "it ends", |_| true),
                Measure::mean("e_count", "the count", |&count| count),
                Measure::deviation("d_count", "the count", |&count| count),
                Measure::new_quantile("q_half", "the count", of(1, 2), |&count| count),
                Measure::new_quantile("q_all_but", "the count", of(3, 4), |&count| count),
                Measure::new_quantile("q_most", "the count", of(9, 10), |&count| count),
            ],
        }
    }
}

fn contest(combat: AnyCombat) -> Result<Contest, Vec<Fault>> {
    Ok(Contest::new(combat))
}

fn throw(_: &Form) -> Result<Contest, Vec<Fault>> {
    contest(AnyCombat::new(Throw))
}

fn stuck(_: &Form) -> Result<Contest, Vec<Fault>> {
    contest(AnyCombat::new(Stuck))
}

fn answer(action: &str, seed: u64, trials: u64, played: bool) -> Answer {
    let settings = SolverSettings::for_trials_per_cell(trials).with_seed(seed).with_fractions();
    answer_with(action, SolverSettings { played, ..settings })
}

fn answer_with(action: &str, settings: SolverSettings) -> Answer {
    let actions = [
        RulebookAction::new("throw", "two dice", Fields::NO_FIELDS, &throw, &[""]),
        RulebookAction::new("stuck", "one die", Fields::NO_FIELDS, &stuck, &[""]),
    ];
    let catalogue = Catalogue::from_rulebooks([System::new("dice", "Dice", actions)]);
    let file = format!("[[contest]]\nsystem = \"dice\"\naction = \"{action}\"\n");
    let experiment = Experiment::read_experiment_text(&catalogue, "dice.toml", &file);
    let experiment = experiment.unwrap_or_else(|error| panic!("{error:?}"));
    let solved = solve_cells(
        &experiment.cells,
        &settings,
        &NoObserver,
        &CellTrialJournal::without_storage(),
    );
    solved.expect("it is small").answers.remove(0)
}

fn measure<'a>(answer: &'a Answer, name: &str) -> &'a MeasureAnswer {
    answer.measure_answer_by_name(name).unwrap_or_else(|| panic!("{name}"))
}

#[test]
fn exact_values_and_fractions_are_those_counted_by_hand() {
    let answer = answer("throw", 1, 1, false);
    assert_eq!(answer.measures.len(), by_hand().len());
    for (name, fraction, value) in by_hand() {
        let found = measure(&answer, name);
        let exact = found.exact.expect("it is compiled");
        assert!((exact - value).abs() < 1e-14, "{name}: {exact}");
        assert_eq!(found.fraction.as_deref(), Some(fraction), "{name}");
    }
    let nothing = measure(&answer, "d_nothing");
    let certain = Estimate { value: 0.0, low: 0.0, high: 0.0 };
    assert_eq!((nothing.exact, nothing.simulated), (Some(0.0), Some(certain)));
}

/// The values by hand are rounded themselves, which is half a unit; the bounds are some units, of a
/// deviation those of the squares whose difference it is.
#[test]
fn bounds_are_small_and_hold_the_values_counted_by_hand() {
    let answer = answer_with("throw", SolverSettings::for_exact_only().with_error_bounds());
    assert!(answer.shows_errors);
    for (name, fraction, value) in by_hand() {
        let found = measure(&answer, name);
        let off = (found.exact.expect("it is compiled") - value).abs();
        assert!(off <= found.error + f64::EPSILON / 2.0 * value.abs(), "{name}: {found:?}");
        assert!(found.error <= 1e-13 * value.abs().max(1.0), "{name}: {found:?}");
        assert_eq!(found.fraction.as_deref(), Some(fraction), "{name}");
    }
    for outcome in &answer.outcomes {
        let ways = 6 - (outcome.values[0] - 7).abs();
        let off = (outcome.exact.expect("it is compiled") - f64::from(ways) / 36.0).abs();
        assert!(off <= outcome.error && outcome.error < 1e-15, "{outcome:?}");
    }
    let without = answer_with("throw", SolverSettings::for_exact_only());
    assert!(!without.shows_errors && without.measures[0].fraction.is_none());
}

/// At this seed; how often others miss is counted below.
#[test]
fn intervals_of_trials_hold_the_exact_values() {
    for played in [false, true] {
        let answer = answer("throw", 1, 100_000, played);
        assert_eq!(answer.agrees, Some(true));
        for (name, _, value) in by_hand() {
            let found = measure(&answer, name).simulated.expect("there are trials");
            assert!(found.low <= found.value && found.value <= found.high, "{name}");
            let rounding = 1e-12;
            let held = found.low - rounding <= value && value <= found.high + rounding;
            assert!(held, "{name}: {found:?} without {value}");
            // Trials of 5/18 reach 5 or not: that quantile is 5 or 6.
            assert!(found.high - found.low <= 1.0, "{name}: {found:?}");
        }
    }
}

/// One seed in twenty may miss: 10 of 200, and three standard deviations are 9 more.
#[test]
fn intervals_of_few_trials_miss_no_more_often_than_they_may() {
    let mut missed = [0; 13];
    for seed in 0..200 {
        let answer = answer("throw", seed, 200, false);
        for ((name, _, value), missed) in by_hand().into_iter().zip(&mut missed) {
            let found = measure(&answer, name).simulated.expect("there are trials");
            let held = found.low - 1e-12 <= value && value <= found.high + 1e-12;
            *missed += u32::from(!held);
        }
    }
    assert!(missed.iter().all(|&missed| missed <= 19), "{missed:?}");
}

/// 3 at 3/4 and else never over: that may weigh anything, so there is no mean, and it is more than
/// every count.
#[test]
fn what_is_not_over_has_no_mean_and_ranks_last() {
    let answer = answer("stuck", 5, 10_000, false);
    assert_eq!(answer.agrees, Some(true));
    for name in ["e_count", "d_count"] {
        let found = measure(&answer, name);
        assert!(found.exact.is_none() && found.simulated.is_none(), "{found:?}");
    }
    for (name, fraction, value) in [("p_over", "3/4", 0.75), ("q_half", "3/1", 3.0)] {
        let found = measure(&answer, name);
        // That the rest never ends is determined, and no error.
        assert!(found.error < 1e-15, "{found:?}");
        assert!((found.exact.expect("compiled") - value).abs() < 1e-14, "{name}");
        assert_eq!(found.fraction.as_deref(), Some(fraction), "{name}");
        let found = found.simulated.expect("there are trials");
        assert!(found.low <= value && value <= found.high, "{name}: {found:?}");
    }
    let exact = |name| measure(&answer, name).exact;
    assert_eq!((exact("q_all_but"), exact("q_most")), (Some(3.0), None));
    let simulated = |name| measure(&answer, name).simulated;
    assert_eq!((simulated("q_all_but"), simulated("q_most")), (None, None));
}
