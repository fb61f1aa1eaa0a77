//! The resolver beside a plain loop, contest by contest: `cargo bench --bench resolver`.
//!
//! After criterion's figures come the ratios: medians of thread CPU time over runs in turn, so
//! that a noisy neighbour disturbs both sides alike. What they are worth is said in
//! `reports/benchmarks.md`.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use criterion::{Criterion, Throughput};
use enfilade::bench::plain::Histogram;
use enfilade::bench::{ALL, Reference};
use enfilade::exact;
use enfilade::graph::{DieGraph, Limits};
use enfilade::simulate::{CHUNK, Isa, Plan, chunk};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Trials of a plain loop beside a chunk of the resolver: about as long on the clock.
const PLAIN_TRIALS: u64 = CHUNK / 16;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for reference in ALL {
        resolver(&mut criterion, reference);
        set_up(&mut criterion, reference);
    }
    criterion.final_summary();
    println!("\nns per resolution, medians of interleaved runs on thread CPU time");
    for reference in ALL {
        print_ratios(reference);
    }
}

/// The histogram of a plain loop; every trial must be counted.
fn histogram(reference: &Reference, rng: &mut Xoshiro256PlusPlus, trials: u64) -> Histogram {
    let histogram = (reference.plain)(rng, trials);
    assert_eq!(histogram.iter().sum::<u64>(), trials);
    histogram
}

fn available() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.available())
}

fn resolver(criterion: &mut Criterion, reference: &Reference) {
    let (plan, stream) = (Plan::new(&reference.graph()), reference.stream());
    let mut group = criterion.benchmark_group(reference.name);
    group.warm_up_time(Duration::from_millis(300));
    group
        .measurement_time(Duration::from_secs(2))
        .sample_size(20);
    group.throughput(Throughput::Elements(CHUNK));
    for isa in available() {
        group.bench_function(format!("simulated {isa}"), |bencher| {
            bencher.iter(|| chunk(&plan, &stream, black_box(3), CHUNK, isa))
        });
    }
    group.throughput(Throughput::Elements(PLAIN_TRIALS));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    group.bench_function("plain loop", |bencher| {
        bencher.iter(|| histogram(reference, &mut rng, black_box(PLAIN_TRIALS)))
    });
    group.finish();
}

fn set_up(criterion: &mut Criterion, reference: &Reference) {
    let cell = reference.cell();
    let combat = &cell.played.combat;
    let graph = reference.graph();
    let mut group = criterion.benchmark_group(reference.name);
    group.warm_up_time(Duration::from_millis(300));
    group
        .measurement_time(Duration::from_secs(1))
        .sample_size(20);
    group.bench_function("compile", |b| {
        b.iter(|| DieGraph::of(combat, Limits::default()))
    });
    group.bench_function("exact", |b| b.iter(|| exact::law(black_box(&graph))));
    group.bench_function("fractions", |b| {
        b.iter(|| exact::weights(black_box(&graph)))
    });
    group.finish();
}

/// Nanoseconds of thread CPU time that `work` takes per trial.
fn timed(trials: u64, work: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    work();
    start.elapsed().as_secs_f64() * 1e9 / trials as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn print_ratios(reference: &Reference) {
    let (plan, stream) = (Plan::new(&reference.graph()), reference.stream());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let isas: Vec<Isa> = available().collect();
    let mut plain = Vec::new();
    let mut simulated = vec![Vec::new(); isas.len()];
    for round in 0..31 {
        for (times, &isa) in simulated.iter_mut().zip(&isas) {
            let work =
                || (0..8).for_each(|i| drop(chunk(&plan, &stream, 8 * round + i, CHUNK, isa)));
            times.push(timed(8 * CHUNK, work));
        }
        let work = || _ = black_box(histogram(reference, &mut rng, CHUNK / 4));
        plain.push(timed(CHUNK / 4, work));
    }
    let plain = median(plain);
    for (times, isa) in simulated.into_iter().zip(isas) {
        let ns = median(times);
        println!(
            "{:14} {isa:9} {ns:6.3}   plain loop {plain:6.2}   ratio {:5.1}",
            reference.name,
            plain / ns
        );
    }
}
