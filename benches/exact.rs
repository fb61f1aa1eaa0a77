//! How long the exact law takes: `cargo bench --bench exact`.

mod clock;
mod toys;

use std::hint::black_box;

use clock::CpuTime;
use criterion::Criterion;
use enfilade::bench::REFERENCE_CONTESTS;
use enfilade::combat::AnyCombat;
use enfilade::exact;
use enfilade::graph::{CompiledContestLimits, DieGraph};
use enfilade::study::experiment::Experiment;

/// 500 shots at one target, damage up to 200 points counted.
const SHOTS: &str = "[[contest]]\nsystem = \"dropzone\"\naction = \"shoot\"\nshots = 100\n\
                     squad = 5\naccuracy = 3\nenergy = 8\narmour = 11\ndamage_points = 200\n\
                     passive = 5\n";

fn main() {
    let mut criterion = clock::criterion();
    for reference in REFERENCE_CONTESTS {
        let graph = reference.build_graph();
        let mut group = criterion.benchmark_group(reference.name);
        group.bench_function("law", |b| {
            b.iter(|| exact::solve_graph_distribution(black_box(&graph)))
        });
        group.bench_function("fractions", |b| {
            b.iter(|| exact::solve_integer_weights(black_box(&graph)))
        });
        group.finish();
    }
    let shots =
        Experiment::read_experiment_text(&enfilade::systems::built_in_catalogue(), "shots", SHOTS)
            .expect("it is well formed");
    let combat = &shots.cells[0].played.combat;
    from_scratch(&mut criterion, "500 shots with saves", combat);
    let combat = AnyCombat::new(toys::StatusTable { shots: 50 });
    from_scratch(&mut criterion, "50 shots on the status table", &combat);
    let combat = AnyCombat::new(toys::Attrition { figures: 20 });
    from_scratch(&mut criterion, "attrition, 20 against 20", &combat);
    criterion.final_summary();
}

/// From the rule to the law, and the law alone.
fn from_scratch(criterion: &mut Criterion<CpuTime>, name: &str, combat: &AnyCombat) {
    let compile = || {
        DieGraph::compile_within_limits(black_box(combat), CompiledContestLimits::default())
            .expect("it is small")
    };
    let graph = compile();
    println!("{name}: {} outcomes, {} nodes", graph.endings().len(), graph.dice_count());
    let mut group = criterion.benchmark_group(name);
    group.bench_function("compile and law", |b| {
        b.iter(|| exact::solve_graph_distribution(&compile()))
    });
    group.bench_function("law", |b| b.iter(|| exact::solve_graph_distribution(black_box(&graph))));
    group.finish();
}
