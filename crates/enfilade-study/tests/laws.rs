//! Cells of the experiments of `aic` and `d20` compared with the integer distributions of a second
//! version of both rulebooks in Rust, recorded before it was removed: a hash of every cell's
//! distribution and measures as fractions.

use std::path::Path;

use enfilade_study::experiment::Experiment;
use enfilade_testkit::reported_distributions::{ReportedDistribution, hash_line};
use serde_json::Value as Json;

#[test]
fn experiments_have_the_laws_of_a_second_telling() {
    let catalogue = enfilade_games::built_in_catalogue();
    let mut cells = 0;
    for line in include_str!("laws/experiments.jsonl").lines() {
        let told: Json = serde_json::from_str(line).expect("a line is JSON");
        let name = told["experiment"].as_str().expect("a name");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
        let text = std::fs::read_to_string(folder.join(format!("{name}.toml")));
        let text = text.expect("the experiment is there");
        let experiment =
            Experiment::read_experiment_text(&catalogue, name, &text).expect("it is in order");
        let hashes = experiment.cells.iter().map(|cell| {
            let reported = ReportedDistribution::from_contest(&cell.played, None);
            let (fields, measures) = reported.name_lists();
            Json::from(hash_line(&fields, &measures, &reported.format_as_line(&fields, &measures)))
        });
        let hashes: Vec<Json> = hashes.collect();
        cells += hashes.len();
        assert_eq!(Json::from(hashes), told["cells"], "{name}");
    }
    assert!(cells > 100, "{cells} cells");
}
