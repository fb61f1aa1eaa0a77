//! Cells of a grid per second and core, from the text of the file to the lines of the table, as
//! `odds --exact-only --format csv` does it: `cargo bench --bench cells`.

mod answered;
mod clock;

use std::hint::black_box;

use answered::answered;
use clock::CpuTime;
use criterion::{Criterion, Throughput};
use enfilade::study::experiment::Experiment;
use enfilade::systems;

/// Every firepower at every modifier, morale and smoke: 2 520 cells.
const FIRE: &str = "[[contest]]\nsystem = 'asl'\naction = 'fire'\n\
    fp = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30]\ndrm = { from = -4, to = 7 }\n\
    modifiers = { smoke = [0, 1, 2] }\n\
    [contest.target]\nkind = 'squad'\nmorale = { from = 4, to = 10 }\n";

fn main() {
    let matrix = std::fs::read_to_string("experiments/dropzone_matrix.toml");
    let matrix = matrix.expect("it lies in the checkout");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    // The clock counts the thread that all of the work is done on.
    pool.expect("a thread can be started").install(|| {
        let mut criterion = clock::criterion();
        per_cell(&mut criterion, "fire grid", FIRE);
        per_cell(&mut criterion, "every weapon against every unit", &matrix);
        criterion.final_summary();
    });
}

fn per_cell(criterion: &mut Criterion<CpuTime>, name: &str, file: &str) {
    let catalogue = systems::built_in_catalogue();
    let cells = answered(&catalogue, file);
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(cells as u64));
    group.sample_size(10);
    let read = || {
        Experiment::read_experiment_text(&catalogue, "cells.toml", file).expect("it is well formed")
    };
    group.bench_function("read", |b| b.iter(|| black_box(read())));
    group.bench_function("read, answer, write", |b| b.iter(|| answered(&catalogue, file)));
    group.finish();
}
