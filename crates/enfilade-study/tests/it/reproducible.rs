//! The same counts everywhere: whatever the threads, the instruction set, the build.
//!
//! `tests/golden/counts.txt` holds a digest of the counts of every sample of every system, so that
//! a change of the streams, of the hot loop or of a rule is a decision and shows in a diff. To
//! renew it, run this test with `ENFILADE_BLESS=1`.

use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::{
    EndingCounts, InstructionSet, RollableDieGraph, TRIALS_PER_CHUNK, simulate_trials,
};
use enfilade_study::cross_check::cells_of_rulebook_samples;
use enfilade_study::experiment::GridCell;
use sha2::{Digest, Sha256};

/// More than one chunk, the last one odd.
const TRIALS: u64 = TRIALS_PER_CHUNK + 12_345;

const HEAD: &str = "\
# The first 16 hexadecimal digits of the SHA-256 of the outcomes and counts of each sample:
# seed 61886712, 1 060 921 trials, fields and counts as little-endian 64-bit numbers.
";

fn counts(cell: &GridCell, graph: &DieGraph, isa: InstructionSet, threads: usize) -> EndingCounts {
    let stream =
        ContestRandomStream { seed: 61_886_712, fingerprint: cell.fingerprint_of_contest() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.expect("a pool of a few threads");
    let plan = RollableDieGraph::new(graph);
    pool.install(|| simulate_trials(&plan, TRIALS, &stream, isa, &|_| true))
        .expect("not interrupted")
}

/// Fields of an ending that its digest takes: more than any sample has.
const FIELDS: usize = 20;

fn digest(graph: &DieGraph, counts: &EndingCounts) -> String {
    let mut hash = Sha256::new();
    for (ending, count) in graph.endings().iter().zip(&counts.endings) {
        for field in &ending.fields[..FIELDS] {
            hash.update(i64::from(*field).to_le_bytes());
        }
        hash.update(count.to_le_bytes());
    }
    hash.update(counts.unsettled.to_le_bytes());
    let hash = hash.finalize();
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn counts_are_the_golden_ones() {
    let cells =
        cells_of_rulebook_samples(crate::built_in(), None).expect("every sample fits its action");
    let mut lines = HEAD.to_owned();
    for cell in &cells {
        let graph =
            DieGraph::compile_within_limits(&cell.played.combat, CompiledContestLimits::default())
                .expect("small");
        let counts = counts(cell, &graph, InstructionSet::widest_available(), 2);
        lines += &format!("{}  {}\n", digest(&graph, &counts), cell.name);
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/counts.txt");
    if std::env::var_os("ENFILADE_BLESS").is_some() {
        std::fs::write(path, &lines).expect("the repository can be written to");
    }
    let golden = std::fs::read_to_string(path).expect("the golden digests are there");
    let differing = lines.lines().zip(golden.lines()).find(|(new, old)| new != old);
    assert_eq!(differing, None, "new and golden line");
    assert_eq!(lines.lines().count(), golden.lines().count());
}

#[test]
fn threads_and_instruction_sets_change_nothing() {
    let cells =
        cells_of_rulebook_samples(crate::built_in(), None).expect("every sample fits its action");
    // One sample in eight, of all systems; each on every instruction set this machine has.
    for cell in cells.iter().step_by(8) {
        let graph =
            DieGraph::compile_within_limits(&cell.played.combat, CompiledContestLimits::default())
                .expect("small");
        let reference = counts(cell, &graph, InstructionSet::Baseline, 1);
        let others = InstructionSet::ALL.into_iter().filter(|isa| isa.is_available());
        for (isa, threads) in
            others.zip([3, 7, 16]).chain([(InstructionSet::widest_available(), 2)])
        {
            let counts = counts(cell, &graph, isa, threads);
            assert_eq!(counts, reference, "{} {isa} {threads}", cell.name);
        }
    }
}
