//! Measurements: nanoseconds per resolution of the reference contests, and their lower bound.
//!
//! Times are CPU times of the thread that does the work, and rounds take resolver, plain loop and
//! bare generator in turn, so that another program on the same machine costs all of them the same;
//! the median of many rounds is reported. Not measured: how long a user waits.

use std::hint::black_box;
use std::num::NonZero;

use cpu_time::ThreadTime;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use enfilade_engine::graph::DieGraph;
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::rng::{
    GeneratorLanes, ROW_BYTES, VectorKernel, VectorOps, dispatch_kernel,
};
use enfilade_engine::simulate::{
    BYTES_PER_BLOCK, InstructionSet, RollableDieGraph, TRIALS_PER_CHUNK, roll_whole_chunk,
};

use crate::reference_contests::{BenchContestWithPlainLoop, REFERENCE_CONTESTS};

/// Rounds of which the median is taken.
const MEASURED_ROUNDS: u64 = 41;

/// Chunks of the resolver in a round.
const CHUNKS_PER_ROUND: u64 = 8;

/// Trials of a plain loop in a round: about as long on the clock.
const PLAIN_TRIALS_PER_ROUND: u64 = TRIALS_PER_CHUNK / 8;

/// Blocks of the bare generator in a round.
const BLOCKS_PER_ROUND: usize = 4096;

/// The measured figures.
#[derive(Clone, Debug)]
pub struct SpeedFigures {
    /// The processor by its own name.
    pub cpu: String,
    /// The instruction set of the resolver and the bare generator.
    pub isa: InstructionSet,
    /// Threads that worked at the same time, each on all contests.
    pub threads: usize,
    /// Random bytes that one thread makes into the first-level cache, in 10⁹ a second.
    pub rng_gb_per_s: f64,
    /// By reference contest.
    pub contests: Vec<SimulationCpuTimes>,
}

/// The figures of one contest.
#[derive(Clone, Debug)]
pub struct SimulationCpuTimes {
    /// Its letter and its title.
    pub name: &'static str,
    /// CPU time of the resolver, in nanoseconds per resolution.
    pub ns: f64,
    /// CPU time of the plain loop, in nanoseconds per resolution.
    pub plain_ns: f64,
    /// Share of the resolver's time that its random bytes alone would take, from 0 to 1.
    pub share_of_rng_bound: f64,
}

impl SimulationCpuTimes {
    /// Speed of the resolver as a multiple of the plain loop's.
    pub fn speed_over_plain_loop(&self) -> f64 {
        self.plain_ns / self.ns
    }
}

/// Measures all reference contests on `threads` threads at once.
///
/// # Panics
/// If a thread that measures panics.
pub fn time_reference_contests(isa: InstructionSet, threads: NonZero<usize>) -> SpeedFigures {
    let all: Vec<BenchSamplesOfThread> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get())
            .map(|_| scope.spawn(|| BenchSamplesOfThread::measure_all_on_this_thread(isa)))
            .collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined.map(|samples| samples.expect("the measuring does not panic")).collect()
    });
    let ns_per_byte = median_of_times(all.iter().flat_map(|samples| &samples.rng));
    let contest = |(i, reference): (usize, &BenchContestWithPlainLoop)| {
        let times = all.iter().map(|samples| &samples.contests[i]);
        let ns = median_of_times(times.clone().flat_map(|(resolver, _)| resolver));
        SimulationCpuTimes {
            name: reference.name,
            ns,
            plain_ns: median_of_times(times.flat_map(|(_, plain)| plain)),
            share_of_rng_bound: random_bytes_per_trial(&reference.build_graph()) * ns_per_byte / ns,
        }
    };
    SpeedFigures {
        cpu: processor_name(),
        isa,
        threads: threads.get(),
        rng_gb_per_s: 1.0 / ns_per_byte,
        contests: REFERENCE_CONTESTS.iter().enumerate().map(contest).collect(),
    }
}

/// The samples of one thread: nanoseconds per byte, and per contest those of resolver and plain
/// loop.
struct BenchSamplesOfThread {
    rng: Vec<f64>,
    contests: Vec<(Vec<f64>, Vec<f64>)>,
}

impl BenchSamplesOfThread {
    fn measure_all_on_this_thread(isa: InstructionSet) -> BenchSamplesOfThread {
        let sides: Vec<PreparedReferenceContest> =
            REFERENCE_CONTESTS.iter().map(PreparedReferenceContest::from_reference).collect();
        let mut samples = BenchSamplesOfThread {
            rng: Vec::new(),
            contests: vec![(Vec::new(), Vec::new()); REFERENCE_CONTESTS.len()],
        };
        let mut lanes = GeneratorLanes::new(|lane| [lane + 1; 32]);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for round in 0..MEASURED_ROUNDS {
            let bytes = BLOCKS_PER_ROUND * BYTES_PER_BLOCK;
            let fill = || dispatch_kernel(isa, GeneratorBenchKernel(&mut lanes));
            samples.rng.push(time_one_run_per_unit(bytes as u64, fill));
            for (sides, (resolver, plain)) in sides.iter().zip(&mut samples.contests) {
                let roll = || sides.roll_chunks_of_round(round, isa);
                resolver.push(time_one_run_per_unit(CHUNKS_PER_ROUND * TRIALS_PER_CHUNK, roll));
                let play =
                    || _ = black_box((sides.reference.plain)(&mut rng, PLAIN_TRIALS_PER_ROUND));
                plain.push(time_one_run_per_unit(PLAIN_TRIALS_PER_ROUND, play));
            }
        }
        samples
    }
}

/// A reference contest ready to be rolled.
struct PreparedReferenceContest {
    reference: &'static BenchContestWithPlainLoop,
    plan: RollableDieGraph,
    stream: ContestRandomStream,
}

impl PreparedReferenceContest {
    fn from_reference(reference: &'static BenchContestWithPlainLoop) -> PreparedReferenceContest {
        PreparedReferenceContest {
            reference,
            plan: RollableDieGraph::new(&reference.build_graph()),
            stream: reference.random_stream(),
        }
    }

    fn roll_chunks_of_round(&self, round: u64, isa: InstructionSet) {
        for index in round * CHUNKS_PER_ROUND..(round + 1) * CHUNKS_PER_ROUND {
            black_box(roll_whole_chunk(&self.plan, &self.stream, index, TRIALS_PER_CHUNK, isa));
        }
    }
}

/// The bare generator: [`BLOCKS_PER_ROUND`] blocks.
struct GeneratorBenchKernel<'a>(&'a mut GeneratorLanes);

impl VectorKernel for GeneratorBenchKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: VectorOps>(self, vector: V) {
        let mut block = [[0; ROW_BYTES]; BYTES_PER_BLOCK / ROW_BYTES];
        for _ in 0..BLOCKS_PER_ROUND {
            self.0.fill_rows(vector, black_box(&mut block));
        }
    }
}

/// Nanoseconds of this thread's CPU time that `work` takes for each of `count`.
pub fn time_one_run_per_unit(count: u64, work: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    work();
    start.elapsed().as_secs_f64() * 1e9 / count as f64
}

/// The median, the upper one of two; 0 of an empty list.
pub fn median_of_times<'a>(times: impl Iterator<Item = &'a f64>) -> f64 {
    let mut times: Vec<f64> = times.copied().collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

/// Mean number of random bytes per trial of a contest that must end, including those that show no
/// face.
pub fn random_bytes_per_trial(graph: &DieGraph) -> f64 {
    let mut mass = vec![0.0; graph.vertex_count()];
    mass[graph.start_vertex() as usize] = 1.0;
    let mut bytes = 0.0;
    for (index, node) in graph.nodes().enumerate().rev() {
        let here = mass[graph.first_node_vertex() + index];
        let sides = f64::from(node.sides);
        let showing = f64::from(256 / u16::from(node.sides)) * sides;
        bytes += here * 256.0 / showing;
        for branch in node.branches {
            mass[branch.to as usize] += here * f64::from(branch.faces) / sides;
        }
    }
    bytes
}

/// The processor's name, or the architecture if it has none.
fn processor_name() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find_map(|line| line.strip_prefix("model name"));
    let name = line.map(|line| line.trim_start_matches(['\t', ' ', ':']).trim());
    name.unwrap_or(std::env::consts::ARCH).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_takes_the_bytes_its_dice_need() {
        // Contest C: a d8, whose bytes all show a face, and four d6, of whose 256 bytes 252 do; the
        // d6 are not rolled if no face of theirs changes anything. By hand: with Experience 1 to 3
        // no total reaches 10.
        let contest = REFERENCE_CONTESTS.iter().find(|r| r.name.starts_with('C'));
        let graph = contest.expect("C is there").build_graph();
        let expected = 1.0 + 5.0 / 8.0 * 4.0 * 256.0 / 252.0;
        assert!((random_bytes_per_trial(&graph) - expected).abs() < 1e-12);
    }

    #[test]
    fn the_median_does_not_see_an_outlier() {
        assert_eq!(median_of_times([3.0, 1.0, 1000.0, 2.0, 2.0].iter()), 2.0);
    }
}
