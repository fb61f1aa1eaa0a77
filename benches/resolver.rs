//! The resolver beside a plain loop, and with few trials: `cargo bench --bench resolver`.
//!
//! After criterion's figures come the ratios for every instruction set, as `enfilade bench` gives
//! them. What they are worth is said in `reports/benchmarks.md`.

mod clock;

use std::hint::black_box;
use std::num::NonZero;

use clock::CpuTime;
use criterion::{Criterion, Throughput};
use enfilade::bench::{
    BenchContestWithPlainLoop, REFERENCE_CONTESTS, SpeedFigures, time_reference_contests,
};
use enfilade::graph::{CompiledContestLimits, DieGraph};
use enfilade::random_stream::ContestRandomStream;
use enfilade::simulate::{InstructionSet, RollableDieGraph, TRIALS_PER_CHUNK, roll_whole_chunk};
use enfilade::study::experiment::Experiment;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Trials of a plain loop beside a chunk of the resolver: about as long on the clock.
const PLAIN_TRIALS: u64 = TRIALS_PER_CHUNK / 16;

fn main() {
    let mut criterion = clock::criterion();
    for reference in REFERENCE_CONTESTS {
        beside_a_plain_loop(&mut criterion, reference);
    }
    many_groups(&mut criterion);
    few_trials(&mut criterion);
    criterion.final_summary();
    println!("\nmedians of interleaved runs on thread CPU time");
    for isa in available() {
        print_ratios(&time_reference_contests(isa, NonZero::<usize>::MIN));
    }
}

fn available() -> impl Iterator<Item = InstructionSet> {
    InstructionSet::ALL.into_iter().filter(|isa| isa.is_available())
}

fn beside_a_plain_loop(criterion: &mut Criterion<CpuTime>, reference: &BenchContestWithPlainLoop) {
    let (plan, stream) =
        (RollableDieGraph::new(&reference.build_graph()), reference.random_stream());
    let mut group = criterion.benchmark_group(reference.name);
    group.throughput(Throughput::Elements(TRIALS_PER_CHUNK));
    for isa in available() {
        group.bench_function(format!("simulated {isa}"), |bencher| {
            bencher.iter(|| roll_whole_chunk(&plan, &stream, black_box(3), TRIALS_PER_CHUNK, isa))
        });
    }
    group.throughput(Throughput::Elements(PLAIN_TRIALS));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    group.bench_function("plain loop", |bencher| {
        bencher.iter(|| (reference.plain)(&mut rng, black_box(PLAIN_TRIALS)))
    });
    group.finish();
}

/// The plan and stream of a contest in TOML.
fn plan(toml: &str) -> (RollableDieGraph, ContestRandomStream) {
    let experiment =
        Experiment::read_experiment_text(&enfilade::systems::built_in_catalogue(), "contest", toml)
            .expect("it is well formed");
    let cell = &experiment.cells[0];
    let graph =
        DieGraph::compile_within_limits(&cell.played.combat, CompiledContestLimits::default())
            .expect("it is small");
    let fingerprint = cell.fingerprint_of_contest();
    let stream = ContestRandomStream { seed: 1, fingerprint };
    (RollableDieGraph::new(&graph), stream)
}

/// Dice whose faces fall into many groups: the sum of a d20 and others.
fn many_groups(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("a die of many groups");
    group.throughput(Throughput::Elements(TRIALS_PER_CHUNK));
    for groups in [2, 5, 10, 20, 50, 100] {
        let (plan, stream) = one_die(groups);
        for isa in available() {
            group.bench_function(format!("{groups} groups {isa}"), |bencher| {
                bencher
                    .iter(|| roll_whole_chunk(&plan, &stream, black_box(3), TRIALS_PER_CHUNK, isa))
            });
        }
    }
    group.finish();
}

/// A d100 read in `groups` bands.
fn one_die(groups: u8) -> (RollableDieGraph, ContestRandomStream) {
    let combat = enfilade::combat::AnyCombat::new(bands::Bands { groups });
    let graph = DieGraph::compile_within_limits(&combat, CompiledContestLimits::default())
        .expect("one die");
    let fingerprint = [groups; 32];
    let stream = ContestRandomStream { seed: 1, fingerprint };
    (RollableDieGraph::new(&graph), stream)
}

/// Many states with few trials each: duels, and short runs.
fn few_trials(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("few trials");
    for (name, toml) in SMALL_COUNTS {
        let (plan, stream) = plan(toml);
        for trials in [1_000, 10_000, 100_000, 1_000_000] {
            group.throughput(Throughput::Elements(trials));
            for isa in available() {
                group.bench_function(format!("{name} {trials} {isa}"), |bencher| {
                    bencher.iter(|| roll_whole_chunk(&plan, &stream, black_box(3), trials, isa))
                });
            }
        }
    }
    group.finish();
}

const SMALL_COUNTS: [(&str, &str); 2] = [
    (
        "duel",
        "[[contest]]\nsystem = \"skirmishers\"\naction = \"crewed-duel\"\nweapon = 'HMG'\n\
         troopers = 3\nmoves = 2\n",
    ),
    (
        "fifty shots",
        "[[contest]]\nsystem = \"dropzone\"\naction = \"shoot\"\nshots = 50\naccuracy = 3\n\
         energy = 8\narmour = 11\ndamage_points = 100\npassive = 5\n",
    ),
];

fn print_ratios(figures: &SpeedFigures) {
    println!("{}: random bytes {:.1} GB/s", figures.isa, figures.rng_gb_per_s);
    for contest in &figures.contests {
        println!(
            "  {:18} {:6.3} ns   plain loop {:6.2} ns   ratio {:5.1}   share of RNG bound {:4.1} %",
            contest.name,
            contest.ns,
            contest.plain_ns,
            contest.speed_over_plain_loop(),
            100.0 * contest.share_of_rng_bound
        );
    }
}

mod bands {
    //! One die and nothing else.

    use enfilade::combat::{Combat, OutcomeField, OutcomeVocabulary};
    use enfilade::dice::Dice;

    /// A d100 whose faces are read in bands of equal width.
    pub struct Bands {
        /// How many; divides 100.
        pub groups: u8,
    }

    impl Combat for Bands {
        type State = Option<u8>;
        type Outcome = u8;

        fn initial_state(&self) -> Option<u8> {
            None
        }

        fn play_one_step(&self, _: Option<u8>, dice: &mut impl Dice) -> Option<u8> {
            Some((dice.die(100) - 1) / (100 / self.groups))
        }

        fn outcome_if_over(&self, band: &Option<u8>) -> Option<u8> {
            *band
        }

        fn vocabulary(&self) -> OutcomeVocabulary<u8> {
            OutcomeVocabulary {
                fields: vec![OutcomeField::new("band", "which band", |&band| band.into())],
                measures: vec![],
            }
        }
    }
}
