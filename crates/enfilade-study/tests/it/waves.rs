//! Contests played in waves against their graphs: the same law, and counts that agree with it.

use std::sync::mpsc::{Sender, channel};

use enfilade_engine::cancel::{CancelToken, NEVER_CANCELLED};
use enfilade_engine::error::SolveError;
use enfilade_engine::exact::{Distribution, DistributionWithoutGraph, solve_without_graph};
use enfilade_engine::frontier::{FrontierLimits, FrontierWorkAmount};
use enfilade_engine::graph::DieGraph;
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::{
    InstructionSet, TRIALS_PER_CHUNK, TrialsByEnding, resume_frontier_simulation,
};
use enfilade_engine::work_units::PartialWorkResult;
use enfilade_model::combat::{AnyCombat, Combat, Measure, OutcomeField, OutcomeVocabulary};
use enfilade_model::dice::Dice;
use enfilade_study::cross_check::{
    cells_of_rulebook_samples, compare_tally_means, test_counts_against_exact,
};
use enfilade_study::experiment::{Experiment, GridCell};
use enfilade_study::solve::forecast::CostForecast;
use rayon::prelude::*;

use crate::toys::{OneDie, Standoff, Volley};
use enfilade_testkit::frontier::{
    assert_frontier_agrees, compile_and_solve, solve_by_frontier, unlimited_frontier,
};
use enfilade_testkit::sequence_dice::SequenceDice;

const STREAM: ContestRandomStream = ContestRandomStream { seed: 22, fingerprint: [5; 32] };

fn counted(combat: &AnyCombat, trials: u64, isa: InstructionSet, threads: usize) -> TrialsByEnding {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let simulate = || {
        let start = PartialWorkResult::default();
        resume_frontier_simulation(
            combat,
            trials,
            &STREAM,
            isa,
            start,
            &NEVER_CANCELLED,
            &|_, _| true,
        )
        .sum
    };
    pool.expect("a pool of a few threads").install(simulate)
}

fn assert_agree(name: &str, combat: &AnyCombat, trials: u64) {
    let (graph, law) = compile_and_solve(combat);
    let met = counted(combat, trials, InstructionSet::widest_available(), 1);
    assert_eq!(met.trial_count(), trials, "{name}");
    let verdict = judged(&graph, &law, &met, trials);
    assert!(verdict, "{name}");
    let tallies = compare_tally_means(&law, &met.tallies, trials, 1e-10);
    assert!(tallies.iter().all(|verdict| verdict.agrees()), "{name}");
}

fn judged(graph: &DieGraph, law: &Distribution, met: &TrialsByEnding, trials: u64) -> bool {
    let count = |ending| met.endings.get(ending).copied().unwrap_or(0);
    let counts = graph.endings().iter().map(count).collect();
    test_counts_against_exact(law, counts, met.unsettled, trials).agrees()
}

#[test]
fn every_sample_has_the_law_of_its_graph() {
    let cells =
        cells_of_rulebook_samples(crate::built_in(), None).expect("every sample fits its action");
    let cells: Vec<_> =
        cells.iter().filter(|cell| cell.played.combat.decisions().is_empty()).collect();
    cells.par_iter().for_each(|cell| assert_frontier_agrees(&cell.name, &cell.played.combat));
}

#[test]
fn every_sample_is_counted_as_its_graph_says() {
    let cells =
        cells_of_rulebook_samples(crate::built_in(), None).expect("every sample fits its action");
    let cells: Vec<_> =
        cells.iter().filter(|cell| cell.played.combat.decisions().is_empty()).collect();
    cells.par_iter().for_each(|cell| assert_agree(&cell.name, &cell.played.combat, 100_000));
}

#[test]
fn toys_have_the_law_of_their_graphs() {
    assert_frontier_agrees("a volley", &Volley::boxed(40, 3, 6, 5));
    assert_frontier_agrees("a standoff", &AnyCombat::new(Standoff { needed: [4, 3] }));
    for sides in [2, 6, 100] {
        assert_frontier_agrees("a die", &AnyCombat::new(OneDie(sides)));
    }
    let nobody = solve_by_frontier(&AnyCombat::new(Standoff { needed: [7, 7] }));
    assert!(nobody.endings.is_empty() && (nobody.law.unsettled - 1.0).abs() < 1e-12);
}

#[test]
fn every_face_of_every_die_comes_up_as_often_as_it_should() {
    for sides in (2..=100).chain([101, 128, 200, 255]) {
        let combat = AnyCombat::new(OneDie(sides));
        // Few enough to be rolled one by one, and enough to be counted by the vector.
        for trials in [4000, 1 << 20] {
            assert_agree(&format!("d{sides}, {trials} trials"), &combat, trials);
        }
    }
}

#[test]
fn not_a_byte_depends_on_threads_or_instruction_set() {
    let cells =
        cells_of_rulebook_samples(crate::built_in(), None).expect("every sample fits its action");
    let large = cells.iter().max_by_key(|cell| {
        let combat = &cell.played.combat;
        let few =
            combat.decisions().is_empty().then(|| solve_by_frontier(combat).extent.expanded_states);
        few.filter(|stepped| *stepped < 100_000)
    });
    let combat = &large.expect("there are samples").played.combat;
    let law = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a pool of a few threads").install(|| solve_by_frontier(combat).law)
    };
    let trials = TRIALS_PER_CHUNK + 54_321;
    let (exact, met) = (law(1), counted(combat, trials, InstructionSet::Baseline, 1));
    for threads in [2, 3, 7] {
        assert_eq!(law(threads), exact, "{threads} threads");
        assert_eq!(
            counted(combat, trials, InstructionSet::widest_available(), threads),
            met,
            "{threads} threads"
        );
    }
}

#[test]
fn a_budget_and_a_request_to_stop_are_heeded() {
    let combat = Volley::boxed(200, 3, 6, 5);
    let few = FrontierLimits { states: Some(20), ..unlimited_frontier() };
    let refused = solve_without_graph(&combat, &few).err();
    assert!(matches!(refused, Some(SolveError::TooLarge(refusal)) if refusal.limit == 20));
    let halt = CancelToken::new();
    halt.cancel();
    let stopped =
        solve_without_graph(&combat, &FrontierLimits { halt: &halt, ..unlimited_frontier() }).err();
    assert_eq!(stopped, Some(SolveError::Cancelled));
}

/// Throws of which only the sum matters and only the number, with tallies between them.
struct Thrown;

impl Combat for Thrown {
    type State = Option<(u16, u8, u8)>;
    type Outcome = (u16, u8, u8);

    fn initial_state(&self) -> Self::State {
        None
    }

    fn play_one_step(&self, _: Self::State, dice: &mut impl Dice) -> Self::State {
        let sum = dice.sum(3, 6);
        dice.tally(0, i32::from(sum));
        let many = dice.successes(3, 6, 5);
        let none = dice.successes(0, 6, 3) + dice.successes(2, 6, 7);
        Some((sum, many + none, dice.die(2)))
    }

    fn outcome_if_over(&self, state: &Self::State) -> Option<Self::Outcome> {
        *state
    }

    fn vocabulary(&self) -> OutcomeVocabulary<Self::Outcome> {
        OutcomeVocabulary {
            fields: vec![
                OutcomeField::new("sum", "sum", |o: &(u16, u8, u8)| o.0.into()),
                OutcomeField::new("many", "successes", |o| o.1.into()),
                OutcomeField::new("coin", "coin", |o| o.2.into()),
            ],
            measures: vec![Measure::mean_of_tally("tallied", "the sum again", 0)],
        }
    }
}

/// The waves step by the law of the throw, the graph by every die of it.
#[test]
fn throws_have_the_law_of_their_dice() {
    let combat = AnyCombat::new(Thrown);
    assert_frontier_agrees("throws", &combat);
    assert_agree("throws", &combat, 1 << 18);
    let found = solve_by_frontier(&combat);
    // 3 with 1/216, three of three with 1/27, heads with 1/2; and the mean of three dice.
    let place = found.endings.iter().position(|ending| ending.fields[..3] == [3, 3, 1]);
    let chance = found.law.probabilities[place.expect("it can be")];
    assert!((chance - 1.0 / (27.0 * 432.0)).abs() < 1e-15);
    assert!((found.law.tallies[0].mean - 10.5).abs() < 1e-12);
}

/// Throws of which less than the sum matters: the marks that it reaches, or whether two faces are
/// alike.
struct Marked;

impl Combat for Marked {
    /// Throws made, marks reached, two alike, the rest.
    type State = (u8, u8, bool, u8);
    type Outcome = (u8, bool, u8);

    fn initial_state(&self) -> Self::State {
        (0, 0, false, 0)
    }

    fn play_one_step(
        &self,
        (made, mut few, mut double, mut rest): Self::State,
        dice: &mut impl Dice,
    ) -> Self::State {
        let reached = |sum: u16, marks: &[i32]| {
            marks.iter().filter(|mark| i32::from(sum) >= **mark).count() as u8
        };
        let marks = [8, -3, 11, 11, 40];
        let mut faces = [0; 2];
        let mut hand = [0; 3];
        match made {
            0 => few = reached(dice.sum_to_reach(3, 6, &marks), &marks),
            1 => {
                dice.roll_faces(6, &mut faces, &|faces| u128::from(faces[0] == faces[1]));
                double = faces[0] == faces[1];
                dice.tally(0, i32::from(double));
            }
            // More than a mask has room for.
            2 => rest = reached(dice.sum_to_reach(4, 20, &marks), &marks[4..]),
            // More ways to fall than are tried at once.
            _ => {
                dice.roll_faces(6, &mut hand, &|hand| u128::from(hand == [6; 3]));
                rest += 2 * u8::from(hand == [6; 3]);
            }
        }
        (made + 1, few, double, rest)
    }

    fn outcome_if_over(&self, &(made, few, double, rest): &Self::State) -> Option<Self::Outcome> {
        (made == 4).then_some((few, double, rest))
    }

    fn vocabulary(&self) -> OutcomeVocabulary<Self::Outcome> {
        OutcomeVocabulary {
            fields: vec![
                OutcomeField::new("few", "marks reached", |o: &(u8, bool, u8)| o.0.into()),
                OutcomeField::new("double", "two alike", |o| o.1.into()),
                OutcomeField::new("many", "the rest", |o| o.2.into()),
            ],
            measures: vec![Measure::mean_of_tally("tallied", "two alike again", 0)],
        }
    }
}

/// What is shown for many rolls has the weight of all of them; the graph and the players roll every
/// die.
#[test]
fn rolls_that_matter_alike_are_shown_as_one() {
    let combat = AnyCombat::new(Marked);
    assert_frontier_agrees("marks", &combat);
    assert_agree("marks", &combat, 1 << 18);
    let DistributionWithoutGraph { endings, law, .. } = solve_by_frontier(&combat);
    let share = |is: &dyn Fn(&[i32]) -> bool| -> f64 {
        let both = endings.iter().zip(&law.probabilities);
        both.filter(|(ending, _)| is(&ending.fields)).map(|(_, p)| p).sum()
    };
    // By hand: 11 or more of 3d6 one in two, 7 or less 35 of 216, a double one in six.
    assert!((share(&|fields| fields[0] == 4) - 0.5).abs() < 1e-12);
    assert!((share(&|fields| fields[0] == 1) - 35.0 / 216.0).abs() < 1e-12);
    assert!((share(&|fields| fields[1] == 1) - 1.0 / 6.0).abs() < 1e-12);
    assert!((share(&|fields| fields[2] >= 2) - 1.0 / 216.0).abs() < 1e-12);
    assert!((law.tallies[0].mean - 1.0 / 6.0).abs() < 1e-12);
}

/// What a rule says of how far it has come decides what waits, and nothing else: here it is wrong.
#[test]
fn a_wrong_headway_costs_work_and_no_digit() {
    struct Wrong(Volley);
    impl Combat for Wrong {
        type State = (u8, u8);
        type Outcome = u8;

        fn initial_state(&self) -> (u8, u8) {
            self.0.initial_state()
        }

        fn play_one_step(&self, state: (u8, u8), dice: &mut impl Dice) -> (u8, u8) {
            self.0.play_one_step(state, dice)
        }

        fn progress(&self, &(fired, wounds): &(u8, u8)) -> u32 {
            u32::from(200 - fired) * 3 + u32::from(wounds) % 5
        }

        fn outcome_if_over(&self, state: &(u8, u8)) -> Option<u8> {
            self.0.outcome_if_over(state)
        }

        fn vocabulary(&self) -> OutcomeVocabulary<u8> {
            self.0.vocabulary()
        }
    }
    let volley = || Volley { shots: 6, hit: 3, save_sides: 6, save: 5 };
    assert_frontier_agrees("in no order", &AnyCombat::new(Wrong(volley())));
    let stepped = |combat| solve_by_frontier(&combat).extent.expanded_states;
    assert!(stepped(AnyCombat::new(Wrong(volley()))) > stepped(AnyCombat::new(volley())));
}

/// With every roll an attack has come further, so a state of it waits for all ways that lead there
/// and is stepped from once.
#[test]
fn no_state_of_an_attack_is_stepped_from_twice() {
    let stack = |attacks, more: &str| {
        let file = format!(
            "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = 20\nattacks = {attacks}\n{more}\n\
             [[contest.target]]\nunit = '4-6-7'\nnation = 'German'\ncount = 2\n\
             [[contest.target]]\nleader = '9-1'\n[[contest.target]]\nleader = '8-0'\n"
        );
        cell(&file)
    };
    for (attacks, more) in
        [(1, ""), (2, ""), (2, "heat_of_battle = true"), (2, "leader_loss = false")]
    {
        let combat = &stack(attacks, more).played.combat;
        assert_eq!(
            solve_by_frontier(combat).extent.expanded_states,
            going_on(combat),
            "{attacks} {more}"
        );
    }
}

/// States that are not over: each is stepped from with every sequence of faces.
fn going_on(combat: &AnyCombat) -> u64 {
    let mut states = combat.new_state_numbering();
    let (mut state, mut going) = (states.initial_state(), 0);
    while (state as usize) < states.reached_state_count() {
        if states.ending_of_state(state).is_none() {
            going += 1;
            let mut dice = SequenceDice::default();
            while {
                states.play_one_step(state, &mut dice);
                dice.next_sequence()
            } {}
        }
        state += 1;
    }
    going
}

/// A duel that may never come to its end, or cannot, and after it a die: what goes round does not
/// keep waiting what has come further.
struct After(Standoff);

impl Combat for After {
    type State = (<Standoff as Combat>::State, u8);
    type Outcome = (<Standoff as Combat>::Outcome, u8);

    fn initial_state(&self) -> Self::State {
        (self.0.initial_state(), 0)
    }

    fn play_one_step(&self, (duel, _): Self::State, dice: &mut impl Dice) -> Self::State {
        match self.0.outcome_if_over(&duel) {
            Some(_) => (duel, dice.die(6)),
            None => (self.0.play_one_step(duel, dice), 0),
        }
    }

    fn progress(&self, (duel, _): &Self::State) -> u32 {
        self.0.outcome_if_over(duel).is_some().into()
    }

    fn outcome_if_over(&self, (duel, die): &Self::State) -> Option<Self::Outcome> {
        self.0.outcome_if_over(duel).filter(|_| *die > 0).map(|outcome| (outcome, *die))
    }

    fn vocabulary(&self) -> OutcomeVocabulary<Self::Outcome> {
        let fields =
            vec![OutcomeField::new("die", "the die after it", |o: &Self::Outcome| o.1.into())];
        OutcomeVocabulary { fields, measures: Vec::new() }
    }
}

#[test]
fn what_goes_round_without_end_keeps_nobody_waiting() {
    assert_frontier_agrees(
        "a die after a duel",
        &AnyCombat::new(After(Standoff { needed: [4, 3] })),
    );
    assert_agree("a die after a duel", &AnyCombat::new(After(Standoff { needed: [6, 6] })), 10_000);
}

/// Asked to stop from another thread, as by Ctrl-C, it stops: beforehand, while it
/// is pushed on, and while trials are.
#[test]
fn a_request_to_stop_is_heeded() {
    let cell = large(6, 7);
    let combat = &cell.played.combat;
    let stops = |work: &dyn Fn(&CancelToken, Sender<()>)| {
        let halt = CancelToken::new();
        let (begun, begins) = channel();
        std::thread::scope(|scope| {
            let halt = &halt;
            scope.spawn(move || {
                // Asked when it is under way, and not after a time.
                begins.recv().expect("the work begins");
                halt.cancel();
            });
            work(halt, begun);
        });
    };
    stops(&|halt, begun| {
        let seen = |_: &FrontierWorkAmount| {
            let _ = begun.send(());
            true
        };
        let found = solve_without_graph(
            combat,
            &FrontierLimits { halt, on_step: &seen, ..unlimited_frontier() },
        );
        assert_eq!(found.err(), Some(SolveError::Cancelled));
    });
    stops(&|halt, begun| {
        let (start, isa) = (PartialWorkResult::default(), InstructionSet::widest_available());
        let _ = begun.send(());
        let part =
            resume_frontier_simulation(combat, 1 << 40, &STREAM, isa, start, halt, &|_, _| true);
        assert!(part.sum.trial_count() < 1 << 40);
    });
    stops(&|halt, begun| {
        while !halt.is_cancelled() {
            let _ = begun.send(());
            let _ = CostForecast::forecast_frontier(&cell, halt);
        }
    });
}

pub fn large(attacks: u8, squads: u8) -> GridCell {
    let file = format!(
        "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = 12\nattacks = {attacks}\n\
         [[contest.target]]\nunit = '4-6-7'\nnation = 'German'\ncount = {squads}\n"
    );
    cell(&file)
}

fn cell(file: &str) -> GridCell {
    let read = Experiment::read_experiment_text(crate::built_in(), "large.toml", file);
    read.unwrap_or_else(|error| panic!("{error:?}")).cells.remove(0)
}
