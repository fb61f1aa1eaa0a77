//! Random bytes and their comparison with bounds: `cargo bench --bench rng`.

mod clock;

use std::hint::black_box;

use clock::CpuTime;
use criterion::{Criterion, Throughput};
use enfilade::simulate::rng::{
    GeneratorLanes, ROW_BYTES, VectorKernel, VectorOps, dispatch_kernel,
};
use enfilade::simulate::{BYTES_PER_BLOCK, InstructionSet};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() {
    let mut criterion = clock::criterion();
    fill(&mut criterion);
    compare::<1>(&mut criterion);
    compare::<2>(&mut criterion);
    compare::<4>(&mut criterion);
    compare::<6>(&mut criterion);
    criterion.final_summary();
}

fn available() -> impl Iterator<Item = InstructionSet> {
    InstructionSet::ALL.into_iter().filter(|isa| isa.is_available())
}

struct Fill<'a>(&'a mut GeneratorLanes, &'a mut [[u8; ROW_BYTES]]);

impl VectorKernel for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: VectorOps>(self, vector: V) {
        self.0.fill_rows(vector, self.1);
    }
}

/// A block of random bytes; the scalar generator writes its words one after the other, or all of
/// them by its own method for bytes.
fn fill(criterion: &mut Criterion<CpuTime>) {
    let mut block = vec![[0; ROW_BYTES]; BYTES_PER_BLOCK / ROW_BYTES];
    let mut group = criterion.benchmark_group("fill a block");
    group.throughput(Throughput::Bytes(BYTES_PER_BLOCK as u64));
    let mut scalar = Xoshiro256PlusPlus::seed_from_u64(1);
    group.bench_function("rand_xoshiro", |bencher| {
        bencher.iter(|| {
            let (words, _) = black_box(&mut block).as_flattened_mut().as_chunks_mut();
            words.iter_mut().for_each(|word| *word = scalar.next_u64().to_le_bytes());
        })
    });
    group.bench_function("rand_xoshiro, fill_bytes", |bencher| {
        bencher.iter(|| scalar.fill_bytes(black_box(&mut block).as_flattened_mut()))
    });
    let mut lanes = GeneratorLanes::new(|lane| [lane + 1; 32]);
    for isa in available() {
        group.bench_function(isa.to_string(), |bencher| {
            bencher.iter(|| dispatch_kernel(isa, Fill(&mut lanes, black_box(&mut block))))
        });
    }
    group.finish();
}

struct Above<'a, const K: usize>(&'a [[u8; ROW_BYTES]], [u8; K]);

impl<const K: usize> VectorKernel for Above<'_, K> {
    type Output = [u64; K];

    #[inline(always)]
    fn run<V: VectorOps>(self, vector: V) -> [u64; K] {
        vector.count_bytes_above_bounds(self.0, self.1)
    }
}

/// A block compared with `K` bounds.
fn compare<const K: usize>(criterion: &mut Criterion<CpuTime>) {
    let mut block = vec![[0; ROW_BYTES]; BYTES_PER_BLOCK / ROW_BYTES];
    dispatch_kernel(
        InstructionSet::widest_available(),
        Fill(&mut GeneratorLanes::new(|lane| [lane + 1; 32]), &mut block),
    );
    let bounds = std::array::from_fn(|i| 40 * (i as u8 + 1));
    let mut group = criterion.benchmark_group("compare a block");
    group.throughput(Throughput::Bytes(BYTES_PER_BLOCK as u64));
    for isa in available() {
        group.bench_function(format!("{K} bounds {isa}"), |bencher| {
            bencher.iter(|| dispatch_kernel(isa, Above::<K>(black_box(&block), black_box(bounds))))
        });
    }
    group.finish();
}
