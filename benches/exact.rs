//! How long the exact law takes: `cargo bench --bench exact`.

mod clock;

use std::hint::black_box;

use enfilade::bench::ALL;
use enfilade::exact;

fn main() {
    let mut criterion = clock::criterion();
    for reference in ALL {
        let graph = reference.graph();
        let mut group = criterion.benchmark_group(reference.name);
        group.bench_function("law", |b| b.iter(|| exact::law(black_box(&graph))));
        group.bench_function("fractions", |b| {
            b.iter(|| exact::weights(black_box(&graph)))
        });
        group.finish();
    }
    criterion.final_summary();
}
