//! Rulebooks in text files beside the same rules in Rust: `cargo bench --bench rulebooks`.
//!
//! Every figure of a file stands beside that of the built-in action that it retells: the file read,
//! a contest made ready, its graph, a trial played, a cell of a grid from the text to the lines.

mod answered;
mod clock;

use std::hint::black_box;
use std::path::Path;
use std::sync::LazyLock;

use answered::answered;
use clock::CpuTime;
use criterion::{BatchSize, Criterion, Throughput};
use enfilade::catalogue::{Catalogue, Contest};
use enfilade::form::Form;
use enfilade::graph::{CompiledContestLimits, DieGraph};
use enfilade::play::RandomDice;
use enfilade::random_stream::ContestRandomStream;
use enfilade::rulebook;
use enfilade::systems;

fn built_in() -> &'static Catalogue {
    static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(systems::built_in_catalogue);
    &BUILT_IN
}

/// An action and its retelling: the rulebook in Rust, the file, the action, a contest of both, and
/// the same as a grid.
struct Pair {
    built_in: &'static str,
    file: &'static str,
    action: &'static str,
    contest: &'static str,
    grid: &'static str,
}

const PAIRS: [Pair; 2] = [
    Pair {
        built_in: "asl",
        file: "asl_fire",
        action: "fire",
        contest: "fp = 8\ndrm = -1\n[[target]]\nkind = 'squad'\nmorale = 7\ncount = 3\n",
        grid: "fp = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30]\ndrm = { from = -4, to = 7 }\n\
            [contest.target]\nkind = 'squad'\nmorale = { from = 2, to = 10 }\n",
    },
    Pair {
        built_in: "skirmishers",
        file: "skirmishers_breach",
        action: "breach",
        contest: "weapon = 'HMG'\nstructure = 'wall'\nrounds = 5\nonly_explosives = false\n",
        grid: "weapon = ['HMG', 'rocket launcher', 'anti-tank missile']\n\
            toughness = { from = 1, to = 40 }\nrounds = { from = 1, to = 8 }\n\
            only_explosives = false\n",
    },
];

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    // The clock counts the thread that all of the work is done on.
    pool.expect("a thread can be started").install(|| {
        let mut criterion = clock::criterion();
        loading(&mut criterion);
        for pair in &PAIRS {
            beside(&mut criterion, pair);
        }
        axes(&mut criterion);
        criterion.final_summary();
    });
}

fn path(file: &str) -> String {
    format!("rulebooks/{file}.rules")
}

/// Files read, with their lines as the throughput.
fn loading(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("a file read");
    for pair in &PAIRS {
        let text = std::fs::read_to_string(path(pair.file)).expect("it lies in the checkout");
        let none = |_: &str| Err("no files".to_owned());
        group.throughput(Throughput::Elements(text.lines().count() as u64));
        group.bench_function(pair.file, |b| {
            b.iter(|| {
                black_box(rulebook::read_without_built_in_base(pair.file, pair.file, &text, &none))
                    .is_ok()
            });
        });
    }
    group.finish();
}

/// A grid over numbers of the rulebook beside the same grid over fields: 350 cells each.
fn axes(criterion: &mut Criterion<CpuTime>) {
    let none = |_: &str| Err("no files".to_owned());
    let text = include_str!("../crates/enfilade-study/tests/twice.rules");
    let read = rulebook::read_without_built_in_base("twice", "twice.rules", text, &none)
        .expect("it is in order");
    let catalogue = systems::built_in_catalogue().with_rulebook(read.system);
    let by_fields = "action = 'fields'\nskill = { from = 2, to = 6 }\nnerve = { from = 0, to = 6 }\n\
        models = { from = 1, to = 10 }\n";
    let by_rules = "action = 'table_and_data'\nmodels = { from = 1, to = 10 }\n[contest.change]\n\
        need.close.1 = { from = 2, to = 6 }\nguns.rifle.power = { from = 0, to = 6 }\n";
    let mut group = criterion.benchmark_group("an axis");
    group.throughput(Throughput::Elements(350));
    group.sample_size(10);
    for (name, axes) in [("fields", by_fields), ("numbers of the rules", by_rules)] {
        let file = format!("[[contest]]\nsystem = 'twice'\n{axes}");
        assert_eq!(answered(&catalogue, &file), 350);
        group.bench_function(name, |b| b.iter(|| answered(&catalogue, &file)));
    }
    group.finish();
}

fn beside(criterion: &mut Criterion<CpuTime>, pair: &Pair) {
    let built_in = built_in();
    let read = rulebook::read_rulebook_at_path(Path::new(&path(pair.file)), built_in)
        .expect("it is in order");
    let catalogue = systems::built_in_catalogue().with_rulebook(read.system);
    let mut group = criterion.benchmark_group(pair.action);
    for (what, catalogue, system) in
        [("Rust", built_in, pair.built_in), ("file", &catalogue, pair.file)]
    {
        let action = catalogue.action(system, pair.action).expect("it is there");
        let table = pair.contest.parse().expect("TOML");
        let form = Form::from_table_with_defaults(&action.fields, &table).expect("a contest");
        let contest = || -> Contest { action.build_contest(&form).expect("a contest") };
        group.bench_function(format!("{what}: made ready"), |b| b.iter(|| black_box(contest())));
        let ready = contest();
        let graph = || {
            DieGraph::compile_within_limits(&ready.combat, CompiledContestLimits::default())
                .expect("small")
        };
        group.bench_function(format!("{what}: graph"), |b| b.iter(|| black_box(graph())));
        let mut dice = RandomDice::new(&ContestRandomStream { seed: 1, fingerprint: [7; 32] }, 0);
        group.bench_function(format!("{what}: a trial played"), |b| {
            b.iter(|| black_box(ready.combat.play_one_trial(&mut dice, 10_000)))
        });
        let file =
            format!("[[contest]]\nsystem = '{system}'\naction = '{}'\n{}", pair.action, pair.grid);
        group.throughput(Throughput::Elements(answered(catalogue, &file) as u64));
        group.sample_size(10);
        group.bench_function(format!("{what}: a grid"), |b| {
            b.iter_batched(|| (), |()| answered(catalogue, &file), BatchSize::PerIteration)
        });
    }
    group.finish();
}
