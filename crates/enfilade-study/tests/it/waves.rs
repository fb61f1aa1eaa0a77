//! Contests played in waves against their graphs: the same law, and counts that agree with it.

use std::collections::BTreeSet;
use std::sync::mpsc::{Sender, channel};

use enfilade_engine::cancel::{CancelToken, NEVER};
use enfilade_engine::error::SolveError;
use enfilade_engine::exact::{Distribution, FrontierDistribution, solve_by_frontier};
use enfilade_engine::frontier::{FrontierLimits, FrontierSize};
use enfilade_engine::graph::DieGraph;
use enfilade_engine::random_stream::RandomStream;
use enfilade_engine::simulate::{CHUNK_TRIALS, FrontierCounts, Isa, resume_frontier};
use enfilade_engine::work_units::PartialResult;
use enfilade_model::catalogue::Catalogue;
use enfilade_model::combat::{AnyCombat, Combat, Measure, OutcomeField, Vocabulary};
use enfilade_model::dice::Dice;
use enfilade_study::cross_check::{compare_counts, compare_tallies, sample_cells};
use enfilade_study::experiment::{Cell, Experiment};
use enfilade_study::solve::forecast::Forecast;
use rayon::prelude::*;

use crate::toys::{OneDie, Standoff, Volley};
use enfilade_testkit::frontier::{assert_same, compiled, found, terms};
use enfilade_testkit::sequence_dice::SequenceDice;

const STREAM: RandomStream = RandomStream { seed: 22, fingerprint: [5; 32] };

fn counted(combat: &AnyCombat, trials: u64, isa: Isa, threads: usize) -> FrontierCounts {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let simulate = || {
        let start = PartialResult::default();
        resume_frontier(combat, trials, &STREAM, isa, start, &NEVER, &|_, _| true).sum
    };
    pool.expect("a pool of a few threads").install(simulate)
}

fn assert_agree(name: &str, combat: &AnyCombat, trials: u64) {
    let (graph, law) = compiled(combat);
    let met = counted(combat, trials, Isa::find_widest(), 1);
    assert_eq!(met.trial_count(), trials, "{name}");
    let verdict = judged(&graph, &law, &met, trials);
    assert!(verdict, "{name}");
    let tallies = compare_tallies(&law, &met.tallies, trials, 1e-10);
    assert!(tallies.iter().all(|verdict| verdict.agrees()), "{name}");
}

fn judged(graph: &DieGraph, law: &Distribution, met: &FrontierCounts, trials: u64) -> bool {
    let count = |ending| met.endings.get(ending).copied().unwrap_or(0);
    let counts = graph.endings().iter().map(count).collect();
    compare_counts(law, counts, met.unsettled, trials).agrees()
}

#[test]
fn every_sample_has_the_law_of_its_graph() {
    let cells = sample_cells(crate::built_in(), None).expect("every sample fits its action");
    let cells: Vec<_> =
        cells.iter().filter(|cell| cell.played.combat.decisions().is_empty()).collect();
    cells.par_iter().for_each(|cell| assert_same(&cell.name, &cell.played.combat));
}

#[test]
fn every_sample_is_counted_as_its_graph_says() {
    let cells = sample_cells(crate::built_in(), None).expect("every sample fits its action");
    let cells: Vec<_> =
        cells.iter().filter(|cell| cell.played.combat.decisions().is_empty()).collect();
    cells.par_iter().for_each(|cell| assert_agree(&cell.name, &cell.played.combat, 100_000));
}

#[test]
fn toys_have_the_law_of_their_graphs() {
    assert_same("a volley", &Volley::boxed(40, 3, 6, 5));
    assert_same("a standoff", &AnyCombat::new(Standoff { needed: [4, 3] }));
    for sides in [2, 6, 100] {
        assert_same("a die", &AnyCombat::new(OneDie(sides)));
    }
    let nobody = found(&AnyCombat::new(Standoff { needed: [7, 7] }));
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
    let cells = sample_cells(crate::built_in(), None).expect("every sample fits its action");
    let large = cells.iter().max_by_key(|cell| {
        let combat = &cell.played.combat;
        let few = combat.decisions().is_empty().then(|| found(combat).extent.expanded_states);
        few.filter(|stepped| *stepped < 100_000)
    });
    let combat = &large.expect("there are samples").played.combat;
    let law = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a pool of a few threads").install(|| found(combat).law)
    };
    let trials = CHUNK_TRIALS + 54_321;
    let (exact, met) = (law(1), counted(combat, trials, Isa::Baseline, 1));
    for threads in [2, 3, 7] {
        assert_eq!(law(threads), exact, "{threads} threads");
        assert_eq!(counted(combat, trials, Isa::find_widest(), threads), met, "{threads} threads");
    }
}

#[test]
fn a_budget_and_a_request_to_stop_are_heeded() {
    let combat = Volley::boxed(200, 3, 6, 5);
    let few = FrontierLimits { states: Some(20), ..terms() };
    let refused = solve_by_frontier(&combat, &few).err();
    assert!(matches!(refused, Some(SolveError::TooLarge(refusal)) if refusal.limit == 20));
    let halt = CancelToken::new();
    halt.cancel();
    let stopped = solve_by_frontier(&combat, &FrontierLimits { halt: &halt, ..terms() }).err();
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

    fn step(&self, _: Self::State, dice: &mut impl Dice) -> Self::State {
        let sum = dice.sum(3, 6);
        dice.tally(0, i32::from(sum));
        let many = dice.successes(3, 6, 5);
        let none = dice.successes(0, 6, 3) + dice.successes(2, 6, 7);
        Some((sum, many + none, dice.die(2)))
    }

    fn outcome(&self, state: &Self::State) -> Option<Self::Outcome> {
        *state
    }

    fn vocabulary(&self) -> Vocabulary<Self::Outcome> {
        Vocabulary {
            fields: vec![
                OutcomeField::new("sum", "sum", |o: &(u16, u8, u8)| o.0.into()),
                OutcomeField::new("many", "successes", |o| o.1.into()),
                OutcomeField::new("coin", "coin", |o| o.2.into()),
            ],
            measures: vec![Measure::tally("tallied", "the sum again", 0)],
        }
    }
}

/// The waves step by the law of the throw, the graph by every die of it.
#[test]
fn throws_have_the_law_of_their_dice() {
    let combat = AnyCombat::new(Thrown);
    assert_same("throws", &combat);
    assert_agree("throws", &combat, 1 << 18);
    let found = found(&combat);
    // 3 with 1/216, three of three with 1/27, heads with 1/2; and the mean of three dice.
    let place = found.endings.iter().position(|ending| ending.fields[..3] == [3, 3, 1]);
    let chance = found.law.probabilities[place.expect("it can be")];
    assert!((chance - 1.0 / (27.0 * 432.0)).abs() < 1e-15);
    assert!((found.law.tallies[0].mean - 10.5).abs() < 1e-12);
}

/// Throws of which less than the sum matters: the marks that it reaches, or whether two faces are alike.
struct Marked;

impl Combat for Marked {
    /// Throws made, marks reached, two alike, the rest.
    type State = (u8, u8, bool, u8);
    type Outcome = (u8, bool, u8);

    fn initial_state(&self) -> Self::State {
        (0, 0, false, 0)
    }

    fn step(
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
                dice.roll(6, &mut faces, &|faces| u128::from(faces[0] == faces[1]));
                double = faces[0] == faces[1];
                dice.tally(0, i32::from(double));
            }
            // More than a mask has room for.
            2 => rest = reached(dice.sum_to_reach(4, 20, &marks), &marks[4..]),
            // More ways to fall than are tried at once.
            _ => {
                dice.roll(6, &mut hand, &|hand| u128::from(hand == [6; 3]));
                rest += 2 * u8::from(hand == [6; 3]);
            }
        }
        (made + 1, few, double, rest)
    }

    fn outcome(&self, &(made, few, double, rest): &Self::State) -> Option<Self::Outcome> {
        (made == 4).then_some((few, double, rest))
    }

    fn vocabulary(&self) -> Vocabulary<Self::Outcome> {
        Vocabulary {
            fields: vec![
                OutcomeField::new("few", "marks reached", |o: &(u8, bool, u8)| o.0.into()),
                OutcomeField::new("double", "two alike", |o| o.1.into()),
                OutcomeField::new("many", "the rest", |o| o.2.into()),
            ],
            measures: vec![Measure::tally("tallied", "two alike again", 0)],
        }
    }
}

/// What is shown for many rolls has the weight of all of them; the graph and the players roll every die.
#[test]
fn rolls_that_matter_alike_are_shown_as_one() {
    let combat = AnyCombat::new(Marked);
    assert_same("marks", &combat);
    assert_agree("marks", &combat, 1 << 18);
    let FrontierDistribution { endings, law, .. } = found(&combat);
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

        fn step(&self, state: (u8, u8), dice: &mut impl Dice) -> (u8, u8) {
            self.0.step(state, dice)
        }

        fn progress(&self, &(fired, wounds): &(u8, u8)) -> u32 {
            u32::from(200 - fired) * 3 + u32::from(wounds) % 5
        }

        fn outcome(&self, state: &(u8, u8)) -> Option<u8> {
            self.0.outcome(state)
        }

        fn vocabulary(&self) -> Vocabulary<u8> {
            self.0.vocabulary()
        }
    }
    let volley = || Volley { shots: 6, hit: 3, save_sides: 6, save: 5 };
    assert_same("in no order", &AnyCombat::new(Wrong(volley())));
    let stepped = |combat| found(&combat).extent.expanded_states;
    assert!(stepped(AnyCombat::new(Wrong(volley()))) > stepped(AnyCombat::new(volley())));
}

/// With every roll an attack has come further, so a state of it waits for all ways that lead there and is
/// stepped from once.
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
        assert_eq!(found(combat).extent.expanded_states, going_on(combat), "{attacks} {more}");
    }
}

/// States that are not over: each is stepped from with every sequence of faces.
fn going_on(combat: &AnyCombat) -> u64 {
    let mut states = combat.start_numbering();
    let (mut state, mut going) = (states.initial_state(), 0);
    while (state as usize) < states.state_count() {
        if states.ending(state).is_none() {
            going += 1;
            let mut dice = SequenceDice::default();
            while {
                states.step(state, &mut dice);
                dice.advance()
            } {}
        }
        state += 1;
    }
    going
}

/// A duel that may never come to its end, or cannot, and after it a die: what goes round does not keep
/// waiting what has come further.
struct After(Standoff);

impl Combat for After {
    type State = (<Standoff as Combat>::State, u8);
    type Outcome = (<Standoff as Combat>::Outcome, u8);

    fn initial_state(&self) -> Self::State {
        (self.0.initial_state(), 0)
    }

    fn step(&self, (duel, _): Self::State, dice: &mut impl Dice) -> Self::State {
        match self.0.outcome(&duel) {
            Some(_) => (duel, dice.die(6)),
            None => (self.0.step(duel, dice), 0),
        }
    }

    fn progress(&self, (duel, _): &Self::State) -> u32 {
        self.0.outcome(duel).is_some().into()
    }

    fn outcome(&self, (duel, die): &Self::State) -> Option<Self::Outcome> {
        self.0.outcome(duel).filter(|_| *die > 0).map(|outcome| (outcome, *die))
    }

    fn vocabulary(&self) -> Vocabulary<Self::Outcome> {
        let fields =
            vec![OutcomeField::new("die", "the die after it", |o: &Self::Outcome| o.1.into())];
        Vocabulary { fields, measures: Vec::new() }
    }
}

#[test]
fn what_goes_round_without_end_keeps_nobody_waiting() {
    assert_same("a die after a duel", &AnyCombat::new(After(Standoff { needed: [4, 3] })));
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
        let seen = |_: &FrontierSize| {
            let _ = begun.send(());
            true
        };
        let found = solve_by_frontier(combat, &FrontierLimits { halt, on_step: &seen, ..terms() });
        assert_eq!(found.err(), Some(SolveError::Cancelled));
    });
    stops(&|halt, begun| {
        let (start, isa) = (PartialResult::default(), Isa::find_widest());
        let _ = begun.send(());
        let part = resume_frontier(combat, 1 << 40, &STREAM, isa, start, halt, &|_, _| true);
        assert!(part.sum.trial_count() < 1 << 40);
    });
    stops(&|halt, begun| {
        while !halt.is_cancelled() {
            let _ = begun.send(());
            let _ = Forecast::for_frontier(&cell, halt);
        }
    });
}

fn large(attacks: u8, squads: u8) -> Cell {
    let file = format!(
        "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = 12\nattacks = {attacks}\n\
         [[contest.target]]\nunit = '4-6-7'\nnation = 'German'\ncount = {squads}\n"
    );
    cell(&file)
}

fn cell(file: &str) -> Cell {
    let read = Experiment::read(crate::built_in(), "large.toml", file);
    read.unwrap_or_else(|error| panic!("{error:?}")).cells.remove(0)
}

/// One that can be tried as a whole has as many states as it was said to have; of a larger one the number
/// is about right, and the fields are those that it grows with.
#[test]
fn a_forecast_is_about_right() {
    let small = large(2, 2);
    let forecast = Forecast::for_frontier(&small, &NEVER).expect("its fields tell");
    let extent = found(&small.played.combat).extent;
    assert_eq!(
        (forecast.states, forecast.held_states),
        (extent.expanded_states as f64, extent.widest as f64)
    );

    let large = large(4, 3);
    let forecast = Forecast::for_frontier(&large, &NEVER).expect("its fields tell");
    let extent = found(&large.played.combat).extent;
    let ratio = forecast.states / extent.expanded_states as f64;
    assert!((0.4..2.5).contains(&ratio), "{forecast:?} {extent:?}");
    assert_eq!(forecast.fields[0].path, "target.count");
    assert_eq!(forecast.fields[1].path, "attacks");
    assert!(forecast.fields[0].factor > forecast.fields[1].factor);
}

/// What makes a contest large is told by name. A rule in Rust has none for what it remembers: there it is the
/// field of the outcome with the most values, here counted in the graph.
#[test]
fn what_states_of_a_rule_in_rust_differ_in_is_a_field_of_the_outcome() {
    let cell = large(2, 2);
    let (part, values) =
        Forecast::for_frontier(&cell, &NEVER).and_then(|told| told.part).expect("it is told");
    let (graph, _) = compiled(&cell.played.combat);
    let values_of = |at: usize| {
        let values: BTreeSet<i32> =
            graph.endings().iter().map(|ending| ending.fields[at]).collect();
        values.len()
    };
    let heads = cell.played.combat.outcome_fields();
    let most = (0..heads.len()).map(values_of).max();
    let at = heads.iter().position(|head| head.display_name() == *part).expect("a field of it");
    assert_eq!((Some(values), values_of(at)), (most, values));
    // Two squads, of which each may be whole, broken, reduced or gone: three numbers of them, and no field has more.
    assert_eq!(values, 3, "{part}");
}

/// A rule in a text file has names: this one goes on by a d6 in every round, and remembers beside that
/// whether a coin has ever shown heads. When the coin falls it has come from 1 to six times the rounds far;
/// where it begins is no state of its own.
#[test]
fn what_states_of_a_rule_in_text_differ_in_has_a_name() {
    let rule = "game \"March\"\nfield rounds: 1..30 = 9\naction a:\n    way = 0\n    heads = no\n    \
        for i in 1..rounds:\n        way = way + d6\n        if d2 == 1:\n            heads = yes\n    \
        show way\n    show heads\n";
    let read = enfilade_rules::read("march", "march.rules", rule, &|_| Err("there is none".into()));
    let read = read.unwrap_or_else(|error| panic!("{error:?}"));
    let catalogue = Catalogue::from_systems([read.system]);
    let file = "[[contest]]\nsystem = 'march'\naction = 'a'\n";
    let experiment = Experiment::read(&catalogue, "march.toml", file);
    let cell = experiment.unwrap_or_else(|error| panic!("{error:?}")).cells.remove(0);
    let forecast = Forecast::for_frontier(&cell, &NEVER).expect("its field tells");
    assert_eq!(forecast.part, Some(("way".to_owned(), 6 * 9)));
    assert_eq!((&*forecast.fields[0].path, forecast.fields[0].now), ("rounds", 9));
}
