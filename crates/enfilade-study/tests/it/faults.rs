//! The gate that `enfilade verify` uses: it passes what is right, keeps its budget of false alarms,
//! and knows one contest from another. What it catches inside an engine is in [`crate::planted`].

use enfilade_engine::exact::{self, Distribution};
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::{
    EndingCounts, InstructionSet, RollableDieGraph, TRIALS_PER_CHUNK, roll_whole_chunk,
};
use enfilade_model::combat::AnyCombat;
use enfilade_stats::agreement;
use enfilade_study::cross_check::{
    CrossCheckSettings, RUN_FALSE_ALARM_BUDGET, cells_of_rulebook_samples, cross_check_cells,
    test_counts_against_exact,
};
use enfilade_study::solve::NoObserver;

use crate::toys::Volley;

/// As many trials as the gate simulates.
const CHUNKS: u64 = 32;
const TRIALS: u64 = CHUNKS * TRIALS_PER_CHUNK;

const STREAM: ContestRandomStream = ContestRandomStream { seed: 3, fingerprint: [9; 32] };

fn volley() -> (DieGraph, Distribution) {
    let graph = compiled(&Volley::boxed(6, 3, 6, 5));
    let law = exact::solve_graph_distribution(&graph);
    (graph, law)
}

fn compiled(combat: &AnyCombat) -> DieGraph {
    DieGraph::compile_within_limits(combat, CompiledContestLimits::default()).expect("small")
}

fn rolled(plan: &RollableDieGraph, chunks: impl IntoIterator<Item = u64>) -> EndingCounts {
    let mut counts = EndingCounts::zero_for_endings(plan.number_of_endings());
    for index in chunks {
        counts.add_counts(&roll_whole_chunk(
            plan,
            &STREAM,
            index,
            TRIALS_PER_CHUNK,
            InstructionSet::widest_available(),
        ));
    }
    counts
}

fn agrees(law: &Distribution, counts: EndingCounts) -> bool {
    test_counts_against_exact(law, counts.endings, counts.unsettled, TRIALS).agrees()
}

#[test]
fn the_law_of_another_contest_is_caught() {
    let (graph, _) = volley();
    // The same number of outcomes, with saves on 6 in place of 5.
    let other = exact::solve_graph_distribution(&compiled(&Volley::boxed(6, 3, 6, 6)));
    assert!(!agrees(&other, rolled(&RollableDieGraph::new(&graph), 0..CHUNKS)));
}

#[test]
fn clean_replays_do_not_cry_wolf() {
    // Forty independent replays at a hundred times the false-alarm chance that would show: the
    // bound promises at most 1 % each, so three alarms would be very odd (binomial tail below 1 %).
    let (graph, law) = volley();
    let plan = RollableDieGraph::new(&graph);
    let alarms = (0..40).filter(|&index| {
        let counts = roll_whole_chunk(
            &plan,
            &STREAM,
            index,
            TRIALS_PER_CHUNK,
            InstructionSet::widest_available(),
        );
        !agreement::test_counts_against_law(
            &counts.endings,
            TRIALS_PER_CHUNK,
            &law.probabilities,
            1e-2,
        )
        .agrees()
    });
    assert!(alarms.count() < 3);
}

#[test]
fn clean_replays_of_every_sample_do_not_cry_wolf() {
    // Four seeds for each sample, at a chance of false alarm of at most 1 % each. All of them
    // together would then be expected to cry wolf six times or less, and 20 times hardly ever
    // (binomial tail below 1e-5); at the gate's own 1e-9 not once.
    let cells =
        cells_of_rulebook_samples(crate::built_in(), None).expect("every sample fits its action");
    let mut alarms = 0;
    for cell in &cells {
        let graph = compiled(&cell.played.combat);
        let (law, plan) = (exact::solve_graph_distribution(&graph), RollableDieGraph::new(&graph));
        let mut cells = law.probabilities.clone();
        cells.push(law.unfinished_probability());
        for seed in 100..104 {
            let stream = ContestRandomStream { seed, fingerprint: cell.fingerprint_of_contest() };
            let trials = 1 << 18;
            let mut counts =
                roll_whole_chunk(&plan, &stream, 0, trials, InstructionSet::widest_available());
            counts.endings.push(counts.unsettled);
            alarms += u32::from(
                !agreement::test_counts_against_law(&counts.endings, trials, &cells, 1e-2).agrees(),
            );
            assert!(
                agreement::test_counts_against_law(&counts.endings, trials, &cells, 1e-9).agrees()
            );
        }
    }
    assert!(alarms < 20, "{alarms}");
}

#[test]
fn every_sample_agrees_all_three_ways_within_the_budget() {
    let cells =
        cells_of_rulebook_samples(crate::built_in(), None).expect("every sample fits its action");
    assert!(
        RUN_FALSE_ALARM_BUDGET.is_within_limit(),
        "{}",
        RUN_FALSE_ALARM_BUDGET.false_alarm_bound()
    );
    assert!(RUN_FALSE_ALARM_BUDGET.alarms.iter().all(|alarm| cells.len() as u32 <= alarm.checks));
    let gate = CrossCheckSettings {
        seed: 11,
        simulated: 1 << 22,
        played: 1 << 16,
        isa: InstructionSet::widest_available(),
    };
    let checks =
        cross_check_cells(&cells, &gate, &NoObserver).expect("every sample can be compiled");
    assert_eq!(checks.len(), cells.len());
    for check in checks {
        assert!(check.do_all_engines_agree(), "{check:?}");
    }
}
