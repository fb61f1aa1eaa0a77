//! What a rule tallies: means by hand, through loops without end and in copies, in every answer.

use dashu_int::UBig;
use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_engine::simulate::InstructionSet;
use enfilade_model::catalogue::{Catalogue, Contest, RulebookAction, System};
use enfilade_model::combat::independent_copies::{CopyEffectCounts, IndependentCopies};
use enfilade_model::combat::{
    AnyCombat, Combat, Decision, ExactRatio, MeanDirection, Measure, MeasureKind, OutcomeField,
    OutcomeVocabulary,
};
use enfilade_model::dice::Dice;
use enfilade_model::form::{Fault, Fields, Form};
use enfilade_study::answer::Answer;
use enfilade_study::checkpoint::journal::CellTrialJournal;
use enfilade_study::cross_check::{CrossCheckSettings, cross_check_cells};
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::tally_distribution::tally_distribution_in_endings;
use enfilade_study::solve::{NoObserver, SolverSettings, solve_cells};

use crate::decisions::all_ways_agree;

fn graph(combat: &AnyCombat) -> DieGraph {
    DieGraph::compile_within_limits(combat, CompiledContestLimits::default()).expect("small")
}

/// Rolls until a `needed` or more of 6, the rolls counted and, apart, what was missed by.
#[derive(Clone)]
struct Until {
    needed: u8,
}

impl Combat for Until {
    type State = bool;
    type Outcome = bool;

    fn initial_state(&self) -> bool {
        false
    }

    fn play_one_step(&self, _: bool, dice: &mut impl Dice) -> bool {
        dice.tally(0, 1);
        let face = dice.die(6);
        if face < self.needed {
            dice.tally(1, i32::from(face) - i32::from(self.needed));
        }
        // Nobody asks for this one.
        dice.tally(7, 1);
        face >= self.needed
    }

    fn outcome_if_over(&self, over: &bool) -> Option<bool> {
        over.then_some(true)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<bool> {
        let twelfth = ExactRatio { numerator: 100, denominator: 12 };
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("over", "it is over", |&over| over.into())],
            measures: vec![
                Measure::mean_of_tally("rolls", "dice rolled", 0)
                    .label("rolls")
                    .with_headline_role(),
                Measure::mean_of_tally("missed", "what was missed by", 1),
                Measure::mean_of_tally("cost", "points spent", 0).with_exact_factor(twelfth),
            ],
        }
    }
}

/// p = 1/6, 1/2, 1: 1/p rolls with a variance of (1 − p)/p²; a miss is by 3 in the mean with five
/// faces that miss, by 2 with three.
#[test]
fn a_loop_without_end_is_geometric() {
    for (needed, rolls, missed) in [(6, 6.0, -15.0), (4, 2.0, -2.0), (1, 1.0, 0.0)] {
        let combat = AnyCombat::new(Until { needed });
        assert_eq!(combat.counter_count(), 2);
        let graph = graph(&combat);
        let law = exact::solve_graph_distribution(&graph);
        let [first, second] = law.tallies[..] else {
            panic!("two counters: {law:?}");
        };
        assert!((first.mean - rolls).abs() < 1e-12 * rolls, "{first:?}");
        let variance = rolls * rolls - rolls;
        assert!((first.variance - variance).abs() < 1e-10, "{first:?}");
        assert!((second.mean - missed).abs() < 1e-11, "{second:?}");
        all_ways_agree(&combat, &graph, 1 << 18);
    }
}

/// Three d4, each of which tallies its face and, if it shows 4, one more; only whether all are
/// equal is remembered.
struct Merging;

impl Combat for Merging {
    type State = (u8, u8, bool);
    type Outcome = bool;

    fn initial_state(&self) -> (u8, u8, bool) {
        (3, 0, true)
    }

    fn play_one_step(
        &self,
        (left, first, same): (u8, u8, bool),
        dice: &mut impl Dice,
    ) -> (u8, u8, bool) {
        let face = dice.die(4);
        dice.tally(1, face.into());
        dice.tally(0, i32::from(face == 4));
        dice.tally(1, 1);
        dice.tally(1, -1);
        let same = same && (first == 0 || first == face);
        (left - 1, if same { face } else { 9 }, same)
    }

    fn outcome_if_over(&self, &(left, _, same): &(u8, u8, bool)) -> Option<bool> {
        (left == 0).then_some(same)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<bool> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("same", "all are equal", |&same| same.into())],
            measures: vec![
                Measure::mean_of_tally("fours", "fours", 0),
                Measure::mean_of_tally("pips", "the sum", 1),
            ],
        }
    }
}

/// 3 · 1/4 and 3 · 5/2; of three d4 the variance is 3 · 5/4.
#[test]
fn tallies_of_ways_that_merge_are_exact() {
    let combat = AnyCombat::new(Merging);
    let graph = graph(&combat);
    let weights = exact::solve_integer_weights(&graph).expect("it ends");
    let figure = |index: usize| {
        let head = &combat.measures()[index];
        weights.exact_measure_fraction(graph.endings(), index, head).expect("a mean").to_string()
    };
    assert_eq!([figure(0), figure(1)], ["3/4", "15/2"]);
    // Three equal of four kinds, 1/16, as without tallies.
    assert_eq!(&weights.numerators[1] * UBig::from(16u8), weights.denominator);
    let law = exact::solve_graph_distribution(&graph);
    assert!((law.tallies[1].variance - 3.75).abs() < 1e-12);
    // The dice are counted without the tolls.
    assert_eq!(graph.dice_count() + graph.tally_node_amounts().len(), graph.nodes().len());
    all_ways_agree(&combat, &graph, 1 << 18);
}

/// Shots that hit on 4 or more of 6 and are saved on 5 or more: each save that is rolled is
/// tallied.
#[derive(Clone, Copy)]
struct Volley {
    shots: u8,
}

impl Combat for Volley {
    type State = (u8, u8);
    type Outcome = u8;

    fn initial_state(&self) -> (u8, u8) {
        (self.shots, 0)
    }

    fn play_one_step(&self, (left, wounds): (u8, u8), dice: &mut impl Dice) -> (u8, u8) {
        if dice.die(6) < 4 {
            return (left - 1, wounds);
        }
        dice.tally(2, 1);
        (left - 1, wounds + u8::from(dice.die(6) < 5))
    }

    fn outcome_if_over(&self, &(left, wounds): &(u8, u8)) -> Option<u8> {
        (left == 0).then_some(wounds)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u8> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("wounds", "wounds", |&wounds| wounds.into())],
            measures: vec![Measure::mean_of_tally("saves", "saves rolled", 2)],
        }
    }

    fn as_independent_copies(&self) -> Option<IndependentCopies<Self>> {
        (self.shots > 1).then(|| IndependentCopies {
            one: Volley { shots: 1 },
            count: self.shots.into(),
            effect: |&wounds| [wounds.into(), 0, 0, 0],
            most: [self.shots.into(), 0, 0, 0],
        })
    }

    fn outcome_of_sum(&self, sum: &CopyEffectCounts) -> Option<u8> {
        Some(sum[0] as u8)
    }
}

/// Half of the shots are saved or not: binomial with n/2 and n/4.
#[test]
fn copies_tally_like_the_whole() {
    for shots in [1, 2, 9, 40] {
        let combat = AnyCombat::new(Volley { shots });
        let copies = graph(&combat);
        let whole = DieGraph::compile_ignoring_copies(&combat, CompiledContestLimits::default())
            .expect("small");
        assert_eq!(copies.copied_part_and_sums().is_some(), shots > 1);
        let n = f64::from(shots);
        for graph in [&copies, &whole] {
            let weights = exact::solve_integer_weights(graph).expect("it ends");
            let head = &combat.measures()[0];
            let mean = weights.exact_measure_fraction(graph.endings(), 0, head).expect("a mean");
            let expected = if shots % 2 == 0 { (shots / 2, 1) } else { (shots, 2) };
            assert_eq!(mean.to_string(), format!("{}/{}", expected.0, expected.1));
            let found = exact::solve_graph_distribution(graph).tallies[2];
            assert!((found.mean - n / 2.0).abs() < 1e-12 * n);
            assert!((found.variance - n / 4.0).abs() < 1e-10 * n);
            all_ways_agree(&combat, graph, 1 << 16);
        }
    }
}

fn contest(combat: AnyCombat) -> Result<Contest, Vec<Fault>> {
    Ok(Contest::new(combat))
}

fn until(_: &Form) -> Result<Contest, Vec<Fault>> {
    contest(AnyCombat::new(Until { needed: 5 }))
}

fn merging(_: &Form) -> Result<Contest, Vec<Fault>> {
    contest(AnyCombat::new(Merging))
}

fn volley(_: &Form) -> Result<Contest, Vec<Fault>> {
    contest(AnyCombat::new(Volley { shots: 3 }))
}

/// More dice than can be compiled, each of which may be kept.
struct Vast;

impl Combat for Vast {
    type State = [u8; 12];
    type Outcome = u8;

    fn initial_state(&self) -> [u8; 12] {
        [0; 12]
    }

    fn play_one_step(&self, mut hand: [u8; 12], dice: &mut impl Dice) -> [u8; 12] {
        let next = hand.iter().position(|&face| face == 0).unwrap_or(0);
        let sides = if next > 0 && dice.choose(0, 2) == 2 { 100 } else { 99 };
        hand[next] = dice.die(sides);
        hand
    }

    fn outcome_if_over(&self, hand: &[u8; 12]) -> Option<u8> {
        (hand[11] > 0).then_some(hand[11])
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u8> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("last", "the last", |&last| last.into())],
            measures: vec![],
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        vec![
            Decision::new("die", "last", MeanDirection::Highest)
                .with_option("d99")
                .with_option("d100"),
        ]
    }
}

fn vast(_: &Form) -> Result<Contest, Vec<Fault>> {
    contest(AnyCombat::new(Vast))
}

fn catalogue() -> Catalogue {
    let actions = [
        RulebookAction::new("until", "rolls until a 5", Fields::NO_FIELDS, &until, &[""]),
        RulebookAction::new("merging", "three d4", Fields::NO_FIELDS, &merging, &[""]),
        RulebookAction::new("volley", "three shots", Fields::NO_FIELDS, &volley, &[""]),
        RulebookAction::new("vast", "too large", Fields::NO_FIELDS, &vast, &[]),
    ];
    Catalogue::from_rulebooks([System::new("dice", "Dice", actions)])
}

fn experiment(action: &str) -> Experiment {
    let file = format!("[[contest]]\nsystem = \"dice\"\naction = \"{action}\"\n");
    let experiment = Experiment::read_experiment_text(&catalogue(), "dice.toml", &file);
    experiment.unwrap_or_else(|error| panic!("{error:?}"))
}

fn settings(seed: u64, trials: u64, played: bool) -> SolverSettings {
    let mut settings = SolverSettings::for_trials_per_cell(trials).with_seed(seed).with_fractions();
    settings.played = played;
    settings
}

fn answer(action: &str, settings: &SolverSettings, journal: &CellTrialJournal) -> Answer {
    let solved = solve_cells(&experiment(action).cells, settings, &NoObserver, journal);
    solved.expect("it is small").answers.remove(0)
}

/// 1/p = 3 rolls, and 100/12 of that; six faces less 5 missed by 10/4 in the mean, twice.
#[test]
fn a_tally_is_a_measure_like_any_other() {
    for played in [false, true] {
        let answer =
            answer("until", &settings(1, 200_000, played), &CellTrialJournal::without_storage());
        assert_eq!(answer.agrees, Some(true));
        for (name, mean) in [("rolls", 3.0), ("missed", -5.0), ("cost", 25.0)] {
            let found = answer.measure_answer_by_name(name).unwrap_or_else(|| panic!("{name}"));
            assert!((found.exact.expect("compiled") - mean).abs() < 1e-11, "{name}");
            assert_eq!(found.fraction, Some(format!("{mean}/1")), "{name} is solved");
            let estimate = found.simulated.expect("trials were made");
            assert!(estimate.low <= mean && mean <= estimate.high, "{name} {estimate:?}");
            // Rolls deviate by √6; the others by no more than twelve times as much.
            assert!(estimate.high - estimate.low < 24.0 * 6f64.sqrt() / 200_000f64.sqrt() * 2.0);
        }
    }
    let answer = answer("volley", &settings(1, 1000, false), &CellTrialJournal::without_storage());
    let saves = answer.measure_answer_by_name("saves").expect("it is reported");
    assert_eq!(saves.fraction.as_deref(), Some("3/2"));
    assert_eq!(saves.head.kind, MeasureKind::Tally(2));
}

/// One seed in twenty may miss: 20 of 400, and three standard deviations are 13 more.
#[test]
fn intervals_of_tallies_miss_no_more_often_than_they_may() {
    let mut missed = 0;
    for seed in 0..400 {
        let answer = answer(
            "until",
            &settings(seed, 500, seed % 2 == 0),
            &CellTrialJournal::without_storage(),
        );
        let found = answer.measure_answer_by_name("rolls").and_then(|rolls| rolls.simulated);
        let found = found.expect("trials were made");
        missed += u32::from(found.low > 3.0 || found.high < 3.0);
    }
    assert!((2..=33).contains(&missed), "{missed}");
}

#[test]
fn the_gate_compares_tallies() {
    let mut cells = experiment("until").cells;
    cells.extend(experiment("volley").cells);
    let gate = CrossCheckSettings {
        seed: 3,
        simulated: 1 << 21,
        played: 1 << 16,
        isa: InstructionSet::widest_available(),
    };
    let checks = cross_check_cells(&cells, &gate, &NoObserver).expect("they are small");
    for check in &checks {
        assert!(check.do_all_engines_agree(), "{check:?}");
    }
    let mut wrong = checks[0].clone();
    assert_eq!(wrong.tallies.len(), 2);
    wrong.tallies[1][0].statistic = f64::INFINITY;
    assert!(!wrong.do_all_engines_agree());
}

/// What is best is found in the graph; without one it cannot be played either.
#[test]
fn what_is_too_large_to_be_decided_is_refused_in_a_sentence() {
    let solved = solve_cells(
        &experiment("vast").cells,
        &settings(1, 10, true),
        &NoObserver,
        &CellTrialJournal::without_storage(),
    );
    let sentence = solved.expect_err("it is too large").to_string();
    assert!(
        sentence.ends_with(
            "contests with decisions need a complete graph and cannot be simulated without one"
        ),
        "{sentence}"
    );
}

/// A 5 or 6 comes up with the n-th roll in 2^(n - 1) of 3^n cases.
#[test]
fn a_tally_has_a_distribution_of_its_own() {
    let exact = SolverSettings::for_exact_only();
    let answer = answer("until", &exact, &CellTrialJournal::without_storage());
    let rolls = |over: i32| {
        let law =
            tally_distribution_in_endings(&answer, 0, |fields| fields[0] == over, &NEVER_CANCELLED);
        law.expect("it is small").expect("rolls only grow")
    };
    let law = rolls(1);
    assert!((law.share - 1.0).abs() < 1e-12 && law.chances[0] == 0.0);
    for (n, chance) in law.chances.iter().enumerate().skip(1) {
        assert!((chance - (2.0 / 3.0_f64).powi(n as i32 - 1) / 3.0).abs() < 1e-12, "{n} {chance}");
    }
    assert!(law.chances.len() > 10 && law.more < 1e-3);
    let never = rolls(0);
    assert_eq!((never.chances.len(), never.more, never.share), (0, 0.0, 0.0));
}

/// Three d4 are equal in 4 of 64 throws, of which one shows three fours and the others none.
#[test]
fn a_tally_among_some_endings_has_chances_among_these() {
    let exact = SolverSettings::for_exact_only();
    let answer = answer("merging", &exact, &CellTrialJournal::without_storage());
    let law = tally_distribution_in_endings(&answer, 0, |fields| fields[0] == 1, &NEVER_CANCELLED);
    let law = law.expect("it is small").expect("fours only grow");
    assert!((law.share - 1.0 / 16.0).abs() < 1e-12 && law.more < 1e-12, "{law:?}");
    let near = |(chance, expected): (&f64, f64)| (chance - expected).abs() < 1e-12;
    let expected = [0.75, 0.0, 0.0, 0.25];
    assert!(law.chances.len() == 4 && law.chances.iter().zip(expected).all(near), "{law:?}");
}

/// Runs that go on where a journal on the disk ends.
#[cfg(feature = "files")]
mod stopped_runs {
    use enfilade_engine::cancel::CancelToken;
    use enfilade_engine::play;
    use enfilade_engine::simulate::TRIALS_PER_WORK_UNIT;
    use enfilade_study::checkpoint::journal::{BuildId, CellTrialJournal};
    use enfilade_study::solve::{SolveObserver, solve_cells};

    use super::{answer, experiment, settings};

    const BUILD: BuildId = BuildId("a test");

    #[test]
    fn a_run_that_goes_on_keeps_its_tallies() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("journal");
        let open = || CellTrialJournal::open_or_resume(&path, BUILD).expect("it can be opened");
        for played in [false, true] {
            let settings = settings(7, 200_000, played);
            let first = answer("until", &settings, &open());
            let lines = std::fs::read_to_string(&path).expect("it was written").lines().count();
            let again = answer("until", &settings, &open());
            let text = std::fs::read_to_string(&path).expect("it is there");
            assert_eq!((text.lines().count(), text.contains("totals")), (lines, true));
            for (a, b) in first.measures.iter().zip(&again.measures) {
                assert_eq!(a.simulated, b.simulated, "{}", a.head.name);
            }
        }
    }

    /// Asks to stop as soon as something has been made.
    #[derive(Default)]
    struct Impatient(CancelToken);

    impl SolveObserver for Impatient {
        fn note_finished_trials(&self, made: u64) {
            if made > 0 {
                self.0.cancel();
            }
        }

        fn cancel_token(&self) -> &CancelToken {
            &self.0
        }
    }

    #[test]
    fn a_run_that_was_stopped_goes_on_with_its_tallies() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("journal");
        let open = || CellTrialJournal::open_or_resume(&path, BUILD).expect("it can be opened");
        for (played, trials) in
            [(false, 3 * TRIALS_PER_WORK_UNIT), (true, 5 * play::TRIALS_PER_GENERATOR)]
        {
            let settings = settings(9, trials, played);
            let watch = Impatient::default();
            let cells = experiment("until").cells;
            let stopped = solve_cells(&cells, &settings, &watch, &open()).expect("it is small");
            assert!(stopped.interrupted && stopped.answers.is_empty());
            let again = answer("until", &settings, &open());
            let at_once = answer("until", &settings, &CellTrialJournal::without_storage());
            for (a, b) in again.measures.iter().zip(&at_once.measures) {
                assert_eq!(a.simulated, b.simulated, "{}", a.head.name);
            }
        }
    }
}
