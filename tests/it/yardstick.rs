//! The plain loops of the benchmark play the same contests as the rules they are compared with.

use enfilade::bench;
use enfilade::combat::{Ending, OutcomeFieldHead};
use enfilade::exact;
use enfilade::stats::agreement;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const TRIALS: u64 = 1 << 20;

/// The values of `fields` in which those named differ from 0.
fn values(fields: &[OutcomeFieldHead], named: &[(&str, i32)]) -> Vec<i32> {
    let value = |field: &OutcomeFieldHead| named.iter().find(|(name, _)| *name == field.name);
    fields.iter().map(|field| value(field).map_or(0, |(_, value)| *value)).collect()
}

#[test]
fn every_plain_loop_has_the_exact_law() {
    for reference in bench::REFERENCE_CONTESTS {
        let cell = reference.build_cell();
        let fields = cell.played.combat.outcome_fields();
        let graph = reference.build_graph();
        let law = exact::solve_graph_distribution(&graph);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let histogram = (reference.plain)(&mut rng, TRIALS);
        let seen = histogram.iter().enumerate().filter(|(_, count)| **count > 0);
        let counted: Vec<_> = seen
            .map(|(place, count)| (values(fields, &(reference.outcome)(place)), *count))
            .collect();
        let count = |ending: &Ending| {
            let of = |(values, _): &&(Vec<i32>, u64)| ending.fields.starts_with(values);
            counted.iter().find(of).map_or(0, |(_, count)| *count)
        };
        let counts: Vec<u64> = graph.endings().iter().map(count).collect();
        assert_eq!(counts.iter().sum::<u64>(), TRIALS, "{}", reference.name);
        let verdict = agreement::test_counts_against_law(&counts, TRIALS, &law.probabilities, 1e-9);
        assert!(verdict.agrees(), "{}: {verdict:?}", reference.name);
    }
}

#[test]
fn the_reference_contests_have_streams_of_their_own() {
    let streams = bench::REFERENCE_CONTESTS.iter().map(|reference| reference.random_stream());
    let fingerprints: std::collections::BTreeSet<_> =
        streams.map(|stream| stream.fingerprint).collect();
    assert_eq!(fingerprints.len(), bench::REFERENCE_CONTESTS.len());
}

#[test]
fn the_reference_contests_end_as_counted_by_hand() {
    // A: the seven results of the chart. B: 0 to 12 damage. C: killed + wounded at most four.
    // D: nothing, or a hit without casualties, each with 5 answers; 1 to 3 casualties with 6.
    let endings =
        bench::REFERENCE_CONTESTS.iter().map(|reference| reference.build_graph().endings().len());
    assert_eq!(endings.collect::<Vec<_>>(), [7, 13, 15, 28]);
}
