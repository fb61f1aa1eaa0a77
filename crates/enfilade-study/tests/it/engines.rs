//! The engines against enumeration, against each other, and against themselves on other machines.

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::error::SolveError;
use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_engine::play;
use enfilade_engine::random_stream::{ContestRandomStream, SEED_MAPPING_VERSION};
use enfilade_engine::simulate::{
    EndingCounts, InstructionSet, RollableDieGraph, TRIALS_PER_CHUNK, WorkUnit, roll_whole_chunk,
    simulate_trials, work_unit_count,
};
use enfilade_model::combat::AnyCombat;
use enfilade_study::cross_check::cells_of_rulebook_samples;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::toys::{OneDie, Standoff, Volley};
use enfilade_testkit::enumerate::assert_graph_equals_enumeration;

const STREAM: ContestRandomStream = ContestRandomStream { seed: 20, fingerprint: [7; 32] };

fn graph(combat: &AnyCombat) -> DieGraph {
    DieGraph::compile_within_limits(combat, CompiledContestLimits::default())
        .expect("within the limits")
}

fn counts(combat: &AnyCombat, trials: u64, isa: InstructionSet, threads: usize) -> EndingCounts {
    let plan = RollableDieGraph::new(&graph(combat));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.expect("a pool of a few threads");
    pool.install(|| simulate_trials(&plan, trials, &STREAM, isa, &|_| true))
        .expect("not interrupted")
}

#[test]
fn the_graph_is_the_enumerated_law() {
    for shots in 1..=3 {
        for (hit, sides, save) in [(3, 6, 5), (4, 4, 2), (2, 10, 7), (6, 6, 7), (1, 8, 1)] {
            assert_graph_equals_enumeration("volley", &Volley::boxed(shots, hit, sides, save));
        }
    }
    for sides in 2..=100 {
        assert_graph_equals_enumeration("die", &AnyCombat::new(OneDie(sides)));
    }
}

/// The bytes of chunk `index`, from the generator of another author: eight streams in turn.
fn reference_bytes(index: u64) -> impl Iterator<Item = u8> {
    let key = |lane| STREAM.generator_key_for_unit("simulated", index, lane);
    let mut lanes: Vec<_> = (0..8).map(|lane| Xoshiro256PlusPlus::from_seed(key(lane))).collect();
    std::iter::repeat_with(move || {
        let words = lanes.iter_mut().flat_map(|lane| lane.next_u64().to_le_bytes());
        words.collect::<Vec<u8>>()
    })
    .flatten()
}

#[test]
fn the_stream_is_pinned_and_known_to_another_author() {
    let trials = 100_000;
    let plan = RollableDieGraph::new(&graph(&AnyCombat::new(OneDie(6))));
    let mut faces = vec![0; 6];
    let shown = reference_bytes(5).filter(|&byte| byte < 252);
    for byte in shown.take(trials) {
        faces[usize::from(byte / 42)] += 1;
    }
    let counts =
        roll_whole_chunk(&plan, &STREAM, 5, trials as u64, InstructionSet::widest_available());
    assert_eq!(counts.endings, faces);
    // A change of these numbers is a new STREAM_VERSION.
    assert_eq!(SEED_MAPPING_VERSION, 1);
    assert_eq!(counts.endings, [16457, 16747, 16595, 16700, 16683, 16818]);
}

#[test]
fn floating_point_and_whole_numbers_agree() {
    let graph = graph(&Volley::boxed(40, 3, 6, 5));
    let law = exact::solve_graph_distribution(&graph);
    let weights = exact::solve_integer_weights(&graph).expect("forty shots end");
    for (p, n) in law.probabilities.iter().zip(&weights.numerators) {
        // 2^-60 of the denominator is far below the tolerance.
        let scaled = (n << 60) / &weights.denominator;
        let expected = u64::try_from(scaled).expect("at most 2^60") as f64 / (1_u64 << 60) as f64;
        assert!((p - expected).abs() < 1e-13, "{p} {expected}");
    }
    assert_eq!(law.unsettled, 0.0);
}

#[test]
fn equal_futures_are_one_node_and_idle_dice_vanish() {
    // A save on 1+ of a d8 cannot fail, so neither die of a shot changes anything.
    let idle = graph(&Volley::boxed(3, 1, 8, 1));
    assert_eq!((idle.nodes().len(), idle.endings().len()), (0, 1));
    // A d6 with saves on 5+: the last shot is the same die from every number of wounds but for
    // where it leads; with no save on 7+ each shot is one die.
    let no_save = graph(&Volley::boxed(2, 4, 6, 7));
    assert!(no_save.nodes().all(|node| node.sides == 6));
    // Shot 1 leads to 0, 1 or 2 wounds; shot 2 from each of those: 1 + 3 dice.
    assert_eq!(no_save.nodes().len(), 4);
}

/// What the documentation of the graph says of its nodes, in a small contest of every action.
#[test]
fn every_die_of_every_graph_matters_and_leads_down_in_order() {
    for cell in
        cells_of_rulebook_samples(crate::built_in(), None).expect("every sample fits its action")
    {
        let graph = graph(&cell.played.combat);
        let part = graph.copied_part_and_sums().map_or(&graph, |repeated| &repeated.part);
        assert_eq!(graph.dice_count(), part.nodes().len());
        for (place, node) in (part.first_node_vertex()..).zip(part.nodes()) {
            let faces = node.branches.iter().map(|branch| u32::from(branch.faces));
            assert_eq!(faces.sum::<u32>(), u32::from(node.sides), "{}", cell.name);
            assert!(node.branches.len() >= 2, "{}: an idle die", cell.name);
            let places = node.branches.iter().map(|branch| branch.to as usize);
            assert!(places.is_sorted_by(|a, b| a < b), "{}: order", cell.name);
            assert!(node.branches.iter().all(|branch| (branch.to as usize) < place));
        }
    }
}

#[test]
fn a_contest_that_can_go_on_for_ever_is_solved() {
    // A wins a round with 3/6 · 2/6, B with 3/6 · 4/6: A wins in the end with 1/3.
    let combat = AnyCombat::new(Standoff { needed: [4, 3] });
    let graph = graph(&combat);
    assert_eq!(graph.next_vertex_by_loop_head().len(), 1);
    let law = exact::solve_graph_distribution(&graph);
    assert!((law.probabilities[0] - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!((law.unsettled, law.never), (0.0, 0.0));
    let weights = exact::solve_integer_weights(&graph).expect("its loop is small");
    let ways: Vec<_> = weights.numerators.iter().map(ToString::to_string).collect();
    assert_eq!((ways.join(" "), weights.denominator.to_string()), ("1 2".into(), "3".into()));
    let counts = counts(&combat, 1 << 22, InstructionSet::widest_available(), 2);
    assert_eq!((counts.unsettled, counts.trial_count()), (0, 1 << 22));
    let share = counts.endings[0] as f64 / (1 << 22) as f64;
    // Seven standard errors of √(2/9 / 2²²) = 0.00023.
    assert!((share - 1.0 / 3.0).abs() < 0.0016, "{share}");
}

#[test]
fn a_contest_nobody_can_win_never_ends() {
    let combat = AnyCombat::new(Standoff { needed: [7, 7] });
    let graph = graph(&combat);
    let law = exact::solve_graph_distribution(&graph);
    assert_eq!((law.unsettled, law.never), (0.0, 1.0));
    let counts = counts(&combat, 1000, InstructionSet::Baseline, 1);
    assert_eq!((counts.unsettled, counts.endings.len()), (1000, 0));
}

#[test]
fn counts_do_not_depend_on_threads_or_instruction_set() {
    let combat = Volley::boxed(6, 3, 6, 5);
    let trials = 5 * TRIALS_PER_CHUNK + 12_345;
    let reference = counts(&combat, trials, InstructionSet::Baseline, 1);
    assert_eq!(reference.trial_count(), trials);
    for isa in InstructionSet::ALL.into_iter().filter(|isa| isa.is_available()) {
        for threads in [1, 2, 3, 7, 16] {
            assert_eq!(counts(&combat, trials, isa, threads), reference, "{isa} {threads}");
        }
    }
}

#[test]
fn units_computed_apart_add_up_to_the_whole() {
    let combat = Volley::boxed(6, 3, 6, 5);
    let plan = RollableDieGraph::new(&graph(&combat));
    let trials = 40 * TRIALS_PER_CHUNK + 1;
    let units: Vec<_> =
        (0..work_unit_count(trials)).map(|index| WorkUnit::from_index(index, trials)).collect();
    assert_eq!(units.iter().map(|unit| unit.trial_count()).sum::<u64>(), trials);
    let mut merged = EndingCounts::zero_for_endings(plan.number_of_endings());
    for unit in units.iter().rev() {
        let made = unit.roll_work_unit(
            &plan,
            &STREAM,
            InstructionSet::widest_available(),
            &NEVER_CANCELLED,
        );
        merged.add_counts(&made.expect("nobody stops it"));
    }
    assert_eq!(merged, counts(&combat, trials, InstructionSet::widest_available(), 2));
}

#[test]
fn played_and_simulated_agree_with_the_exact_mean() {
    let combat = Volley::boxed(6, 3, 6, 5);
    let graph = graph(&combat);
    let head = &combat.measures()[1];
    let exact = exact::solve_graph_distribution(&graph).measure_value(graph.endings(), 1, head);
    let exact = exact.expect("a mean has a value");
    // By hand: of six faces three wound with 4/6 once, one with 4/6 twice: 5/6 · 4/6 · 6 shots.
    assert!((exact - 6.0 * 5.0 / 6.0 * 4.0 / 6.0).abs() < 1e-12);
    let tally = play::play_trials(&combat, 1 << 20, &STREAM, &|| true).expect("not interrupted");
    let weighted = tally.endings.iter().map(|(e, &n)| f64::from(e.weights[1]) * n as f64);
    let played = weighted.sum::<f64>() / tally.trial_count() as f64;
    // The standard deviation of a volley is below 2; seven standard errors of 2/2¹⁰.
    assert!((played - exact).abs() < 0.014, "{played} {exact}");
}

#[test]
fn played_tallies_do_not_depend_on_threads() {
    let combat = Volley::boxed(3, 3, 6, 5);
    let play = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("a pool of a few threads");
        pool.install(|| play::play_trials(&combat, 300_000, &STREAM, &|| true))
    };
    assert_eq!(play(1), play(3));
}

#[test]
fn an_interrupted_simulation_says_so() {
    let plan = RollableDieGraph::new(&graph(&Volley::boxed(1, 3, 6, 5)));
    let stopped = simulate_trials(
        &plan,
        100 * TRIALS_PER_CHUNK,
        &STREAM,
        InstructionSet::widest_available(),
        &|_| false,
    );
    assert_eq!(stopped, None);
}

fn refused(combat: &AnyCombat, limits: CompiledContestLimits) -> (&'static str, usize) {
    let refusal =
        DieGraph::compile_within_limits(combat, limits).expect_err("it is larger than the limits");
    match refusal {
        SolveError::TooLarge(refusal) => (refusal.what, refusal.limit),
        other => panic!("{other}"),
    }
}

#[test]
fn too_large_a_contest_is_refused() {
    let all = CompiledContestLimits::default();
    let nine_shots = Volley::boxed(9, 3, 6, 5);
    let states = CompiledContestLimits { states: 10, ..all };
    assert_eq!(refused(&nine_shots, states), ("states", 10));
    let nodes = CompiledContestLimits { nodes: 10, ..all };
    assert_eq!(refused(&nine_shots, nodes), ("nodes", 10));
    // A d6 has six sequences of faces.
    let d6 = AnyCombat::new(OneDie(6));
    let five = CompiledContestLimits { sequences: 5, ..all };
    assert_eq!(refused(&d6, five), ("sequences of faces", 5));
    let six = CompiledContestLimits { sequences: 6, ..all };
    assert!(DieGraph::compile_within_limits(&d6, six).is_ok());
}
