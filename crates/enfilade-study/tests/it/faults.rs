//! The gate that `enfilade verify` uses: it passes what is right, keeps its budget of false alarms,
//! and knows one contest from another. What it catches inside an engine is in [`crate::planted`].

use enfilade_engine::exact::{self, Law};
use enfilade_engine::graph::{DieGraph, Limits};
use enfilade_engine::random_stream::Stream;
use enfilade_engine::simulate::{CHUNK, Counts, Isa, Plan, chunk};
use enfilade_model::combat::AnyCombat;
use enfilade_stats::agreement;
use enfilade_study::cross_check::{BUDGET, Gate, judge, samples, verify};
use enfilade_study::solve::Unwatched;

use crate::toys::Volley;

/// As many trials as the gate simulates.
const CHUNKS: u64 = 32;
const TRIALS: u64 = CHUNKS * CHUNK;

const STREAM: Stream = Stream { seed: 3, fingerprint: [9; 32] };

fn volley() -> (DieGraph, Law) {
    let graph = compiled(&Volley::boxed(6, 3, 6, 5));
    let law = exact::law(&graph);
    (graph, law)
}

fn compiled(combat: &AnyCombat) -> DieGraph {
    DieGraph::of(combat, Limits::default()).expect("small")
}

fn rolled(plan: &Plan, chunks: impl IntoIterator<Item = u64>) -> Counts {
    let mut counts = Counts::none(plan.endings());
    for index in chunks {
        counts.add(&chunk(plan, &STREAM, index, CHUNK, Isa::best()));
    }
    counts
}

fn agrees(law: &Law, counts: Counts) -> bool {
    judge(law, counts.endings, counts.unsettled, TRIALS).agrees()
}

#[test]
fn the_law_of_another_contest_is_caught() {
    let (graph, _) = volley();
    // The same number of outcomes, with saves on 6 in place of 5.
    let other = exact::law(&compiled(&Volley::boxed(6, 3, 6, 6)));
    assert!(!agrees(&other, rolled(&Plan::new(&graph), 0..CHUNKS)));
}

#[test]
fn clean_replays_do_not_cry_wolf() {
    // Forty independent replays at a hundred times the false-alarm chance that would show: the
    // bound promises at most 1 % each, so three alarms would be very odd (binomial tail below 1 %).
    let (graph, law) = volley();
    let plan = Plan::new(&graph);
    let alarms = (0..40).filter(|&index| {
        let counts = chunk(&plan, &STREAM, index, CHUNK, Isa::best());
        !agreement::law(&counts.endings, CHUNK, &law.probabilities, 1e-2).agrees()
    });
    assert!(alarms.count() < 3);
}

#[test]
fn clean_replays_of_every_sample_do_not_cry_wolf() {
    // Four seeds for each sample, at a chance of false alarm of at most 1 % each. All of them
    // together would then be expected to cry wolf six times or less, and 20 times hardly ever
    // (binomial tail below 1e-5); at the gate's own 1e-9 not once.
    let cells = samples(crate::built_in(), None).expect("every sample fits its action");
    let mut alarms = 0;
    for cell in &cells {
        let graph = compiled(&cell.played.combat);
        let (law, plan) = (exact::law(&graph), Plan::new(&graph));
        let mut cells = law.probabilities.clone();
        cells.push(law.open());
        for seed in 100..104 {
            let stream = Stream { seed, fingerprint: cell.fingerprint() };
            let trials = 1 << 18;
            let mut counts = chunk(&plan, &stream, 0, trials, Isa::best());
            counts.endings.push(counts.unsettled);
            alarms += u32::from(!agreement::law(&counts.endings, trials, &cells, 1e-2).agrees());
            assert!(agreement::law(&counts.endings, trials, &cells, 1e-9).agrees());
        }
    }
    assert!(alarms < 20, "{alarms}");
}

#[test]
fn every_sample_agrees_all_three_ways_within_the_budget() {
    let cells = samples(crate::built_in(), None).expect("every sample fits its action");
    assert!(BUDGET.holds(), "{}", BUDGET.total());
    assert!(BUDGET.alarms.iter().all(|alarm| cells.len() as u32 <= alarm.checks));
    let gate = Gate { seed: 11, simulated: 1 << 22, played: 1 << 16, isa: Isa::best() };
    let checks = verify(&cells, &gate, &Unwatched).expect("every sample can be compiled");
    assert_eq!(checks.len(), cells.len());
    for check in checks {
        assert!(check.agrees(), "{check:?}");
    }
}
