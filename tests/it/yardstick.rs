//! The plain loops of the benchmark play the same contests as the rules they are compared with.

use enfilade::combat::FieldHead;
use enfilade::exact;
use enfilade::stats::agreement;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

#[path = "../../benches/reference/mod.rs"]
mod reference;

const TRIALS: u64 = 1 << 20;

/// The values of `fields` in which those named differ from 0.
fn values(fields: &[FieldHead], named: &[(&str, i32)]) -> Vec<i32> {
    let value = |field: &FieldHead| named.iter().find(|(name, _)| *name == field.name);
    fields
        .iter()
        .map(|field| value(field).map_or(0, |(_, value)| *value))
        .collect()
}

#[test]
fn every_plain_loop_has_the_exact_law() {
    for reference in reference::ALL {
        let cell = reference.cell();
        let fields = cell.played.combat.fields();
        let graph = reference::graph(&cell);
        let law = exact::law(&graph);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let histogram = (reference.plain)(&mut rng, TRIALS);
        let places = reference
            .outcomes
            .iter()
            .map(|named| values(&fields, named));
        let counted: Vec<_> = places.zip(histogram).collect();
        let count = |ending: &enfilade::combat::Ending| {
            let of = |(values, _): &&(Vec<i32>, u64)| ending.fields.starts_with(values);
            counted.iter().find(of).map_or(0, |(_, count)| *count)
        };
        let counts: Vec<u64> = graph.endings().iter().map(count).collect();
        assert_eq!(counts.iter().sum::<u64>(), TRIALS, "{}", reference.name);
        let verdict = agreement::law(&counts, TRIALS, &law.probabilities, 1e-9);
        assert!(verdict.agrees(), "{}: {verdict:?}", reference.name);
    }
}

#[test]
fn the_reference_contests_have_streams_of_their_own() {
    let streams = reference::ALL
        .iter()
        .map(|reference| reference::stream(&reference.cell()));
    let mut fingerprints: Vec<_> = streams.map(|stream| stream.fingerprint).collect();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), reference::ALL.len());
}
