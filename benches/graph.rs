//! How long a contest takes to compile: `cargo bench --bench graph`.

mod clock;

use std::hint::black_box;

use enfilade::bench::REFERENCE_CONTESTS;
use enfilade::graph::{CompiledContestLimits, DieGraph};
use enfilade::simulate::RollableDieGraph;
use enfilade::study::experiment::Experiment;

/// Contests larger than the reference contests, by what they stress.
const LARGER: [(&str, &str); 3] = [
    (
        "fifty shots",
        "[[contest]]\nsystem = \"dropzone\"\naction = \"shoot\"\nshots = 50\naccuracy = 3\n\
         energy = 8\narmour = 11\ndamage_points = 100\npassive = 5\n",
    ),
    (
        "three moves of a duel",
        "[[contest]]\nsystem = \"skirmishers\"\naction = \"crewed-duel\"\nweapon = \"HMG\"\n\
         troopers = 3\nmoves = 2\n",
    ),
    (
        "ten characters",
        "[[contest]]\nsystem = \"d20\"\naction = \"shoot\"\nspot = 12\nfirearms = 11\n\
         damage_dice = 3\nsaves = true\nfigures = 10\ntarget_figures = 10\n",
    ),
];

fn main() {
    let mut criterion = clock::criterion();
    let references = REFERENCE_CONTESTS.iter().map(|reference| (reference.name, reference.toml));
    for (name, toml) in references.chain(LARGER) {
        let experiment =
            Experiment::read_experiment_text(&enfilade::systems::built_in_catalogue(), name, toml)
                .expect("it is well formed");
        let combat = &experiment.cells[0].played.combat;
        let graph = DieGraph::compile_within_limits(combat, CompiledContestLimits::default())
            .expect("it is small");
        let mut group = criterion.benchmark_group(name);
        group.bench_function("compile", |bencher| {
            bencher.iter(|| {
                DieGraph::compile_within_limits(black_box(combat), CompiledContestLimits::default())
            })
        });
        group.bench_function("plan", |bencher| bencher.iter(|| RollableDieGraph::new(&graph)));
        group.finish();
    }
    criterion.final_summary();
}
