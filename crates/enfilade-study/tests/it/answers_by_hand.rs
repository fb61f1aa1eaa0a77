//! What an answer makes of a solution: bounds of errors, checks at one level, and measures that an
//! unfinished part leaves open.

use enfilade_engine::exact::{Distribution, MAX_UNFINISHED_FOR_MEAN};
use enfilade_engine::play::SumsOfOneCounter;
use enfilade_model::catalogue::{Catalogue, Contest, RulebookAction, System};
use enfilade_model::combat::{
    AnyCombat, Combat, Measure, MeasureKind, OUTSIDE_CONDITION, OutcomeField, OutcomeVocabulary,
};
use enfilade_model::dice::Dice;
use enfilade_model::form::{Fault, Fields, Form};
use enfilade_stats::agreement::test_counts_against_law;
use enfilade_study::answer::{Answer, AnswerMethod};
use enfilade_study::checkpoint::journal::CellTrialJournal;
use enfilade_study::cross_check::compare_tally_means;
use enfilade_study::experiment::{Experiment, GridCell};
use enfilade_study::solve::build_answer::{CellSolution, ExactContestDistribution};
use enfilade_study::solve::trial_record::CellTrialCounts;
use enfilade_study::solve::{NoObserver, SolverSettings, solve_cells};
use enfilade_testkit::frontier::compile_and_solve;

/// One d6, which is tallied.
struct OneThrow;

impl Combat for OneThrow {
    type State = i32;
    type Outcome = i32;

    fn initial_state(&self) -> i32 {
        0
    }

    fn play_one_step(&self, _: i32, dice: &mut impl Dice) -> i32 {
        dice.tally(0, 1);
        dice.die(6).into()
    }

    fn outcome_if_over(&self, face: &i32) -> Option<i32> {
        (*face > 0).then_some(*face)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<i32> {
        let six_of_even =
            |face: &i32| if face % 2 == 0 { (*face == 6).into() } else { OUTSIDE_CONDITION };
        let even = Measure::with_closure("p_six", "a six", MeasureKind::Event, six_of_even);
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("face", "the face", |&face| face)],
            measures: vec![
                even.restrict_to_condition("an even face"),
                Measure::mean_of_tally("rolls", "dice rolled", 0),
            ],
        }
    }
}

fn throw(_: &Form) -> Result<Contest, Vec<Fault>> {
    Ok(Contest::new(AnyCombat::new(OneThrow)))
}

fn cell() -> GridCell {
    let actions = [RulebookAction::new("throw", "one die", Fields::NO_FIELDS, &throw, &[""])];
    let catalogue = Catalogue::from_rulebooks([System::new("dice", "Dice", actions)]);
    let file = "[[contest]]\nsystem = 'dice'\naction = 'throw'\n";
    let experiment = Experiment::read_experiment_text(&catalogue, "dice.toml", file);
    experiment.unwrap_or_else(|error| panic!("{error:?}")).cells.remove(0)
}

/// Returns the exact distribution of the die, changed by `change`.
fn exact(change: impl FnOnce(Distribution) -> Distribution) -> ExactContestDistribution {
    let (graph, law) = compile_and_solve(&AnyCombat::new(OneThrow));
    let (endings, states) = (graph.endings().to_vec(), graph.reached_state_count());
    ExactContestDistribution { endings, law: change(law), states, nodes: None, weights: None }
}

/// Returns trials with these numbers of faces, each of one roll.
fn record(faces: [u64; 6]) -> CellTrialCounts {
    let trials: u64 = faces.iter().sum();
    let totals = vec![SumsOfOneCounter { sum: trials.into(), squares: trials.into() }];
    let endings = exact(|law| law).endings.into_iter().zip(faces).collect();
    CellTrialCounts { endings, unsettled: 0, totals }
}

fn answer(
    exact: Option<ExactContestDistribution>,
    record: Option<CellTrialCounts>,
    alpha: f64,
) -> Answer {
    let settings = SolverSettings::for_trials_per_cell(6000);
    let solution = CellSolution { exact, record, note: None };
    solution.build_cell_answer(&cell(), &settings, alpha)
}

#[test]
fn what_is_not_exact_has_no_error_of_exact_numbers() {
    let counted = answer(None, Some(record([1000; 6])), 1e-9);
    assert_eq!((counted.outcomes.len(), counted.measures.len()), (6, 2));
    let outcomes = counted.outcomes.iter().map(|outcome| (outcome.exact, outcome.error));
    let measures = counted.measures.iter().map(|measure| (measure.exact, measure.error));
    assert!(outcomes.chain(measures).all(|number| number == (None, 0.0)), "{counted:?}");
}

/// One six in three even faces, and one roll in every trial.
#[test]
fn trials_tell_every_measure_without_an_exact_distribution() {
    let counted = answer(None, Some(record([1000; 6])), 1e-9);
    let simulated = counted.measures.iter().map(|measure| measure.simulated);
    let values: Vec<_> = simulated.map(|estimate| estimate.map(|found| found.value)).collect();
    assert_eq!(values, [Some(1.0 / 3.0), Some(1.0)]);
}

/// The faces and the tally are two checks, each at half of the level; the tally is as it should be.
#[test]
fn the_checks_of_a_cell_share_its_level() {
    let faces = [1150, 850, 1000, 1000, 1000, 1000];
    let verdict = |alpha| answer(Some(exact(|law| law)), Some(record(faces)), alpha).agrees;
    let levels: Vec<f64> = (0..100).map(|n| 0.5 * 0.8f64.powi(n)).collect();
    for &alpha in &levels {
        let half = test_counts_against_law(&faces, 6000, &[1.0 / 6.0; 6], alpha / 2.0);
        assert_eq!(verdict(alpha), Some(half.agrees()), "{alpha}");
    }
    assert_eq!((verdict(levels[0]), verdict(levels[99])), (Some(false), Some(true)));
}

/// Of the even faces, half of all, one in three is a six. As far as they may be no more than a
/// share of what is open, nothing is known, and trials tell no more.
#[test]
fn a_chance_under_a_condition_is_open_where_as_much_may_be_unfinished() {
    let p_six = |unsettled: f64| {
        let part = |law: Distribution| {
            let finished = law.probabilities.iter().map(|p| p * (1.0 - unsettled));
            Distribution { probabilities: finished.collect(), unsettled, ..law }
        };
        let answer = answer(Some(exact(part)), Some(record([1000; 6])), 1e-9);
        let p_six = answer.measure_answer_by_name("p_six").expect("it is declared");
        (p_six.exact, p_six.simulated.map(|estimate| estimate.value))
    };
    for (unsettled, known) in [
        (0.0, true),
        (0.4 * MAX_UNFINISHED_FOR_MEAN, true),
        // Of the trials with an even face it may be twice as much.
        (0.6 * MAX_UNFINISHED_FOR_MEAN, false),
        (0.25, false),
    ] {
        let (exact, simulated) = p_six(unsettled);
        assert_eq!((exact.is_some(), simulated.is_some()), (known, known), "{unsettled}");
        let mut found = exact.into_iter().chain(simulated);
        assert!(found.all(|p| (p - 1.0 / 3.0).abs() < 1e-6), "{unsettled}");
    }
}

/// Up to the largest part that may be unfinished, and that part itself.
#[test]
fn a_tally_is_compared_as_long_as_it_has_a_mean() {
    for (unsettled, known) in
        [(MAX_UNFINISHED_FOR_MEAN, true), (1.001 * MAX_UNFINISHED_FOR_MEAN, false)]
    {
        let part = |law: Distribution| Distribution { unsettled, ..law };
        let exact = exact(part);
        let compared = compare_tally_means(&exact.law, &[6000], 6000, 1e-9);
        assert_eq!(compared.len(), usize::from(known), "{unsettled}");
        let answer = answer(Some(exact), None, 1e-9);
        let rolls = answer.measure_answer_by_name("rolls").and_then(|measure| measure.exact);
        assert_eq!(rolls.is_some(), known, "{unsettled}");
    }
}

/// Three hundred dice, added one by one: a graph of more states than the frontier engine leaves to
/// graphs. Trials that are rolled one at a time are compared with it nonetheless.
#[test]
fn a_large_contest_that_is_played_has_its_distribution_beside_it() {
    let text = "game \"W\"\naction go:\n    way = 0\n    for i in 1..300:\n        \
                way = way + d6\n    show way\n";
    let cells = [crate::forecasts::cell(text)];
    let settings = SolverSettings { played: true, ..SolverSettings::for_trials_per_cell(50) };
    let journal = CellTrialJournal::without_storage();
    let solved = solve_cells(&cells, &settings, &NoObserver, &journal);
    let answer = solved.expect("it fits").answers.remove(0);
    assert_eq!((answer.engine, answer.agrees), (AnswerMethod::Played, Some(true)));
    assert!(answer.states.is_some_and(|states| states > 1 << 17), "{:?}", answer.states);
    let exact: f64 = answer.outcomes.iter().filter_map(|outcome| outcome.exact).sum();
    assert!((exact - 1.0).abs() < 1e-9, "{exact}");
}
