//! An axis of numbers of the rulebook costs as much as an axis of fields: both in one run.

use std::time::{Duration, Instant};

use enfilade_model::catalogue::Catalogue;
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::settings::SolverSettings;
use enfilade_study::solve::solve_experiment;

/// Rulebook with one number twice: as a field, and in a table and in data of the rulebook.
const RULES: &str = include_str!("twice.rules");

const FIELDS: &str =
    "skill = { from = 2, to = 6 }\nnerve = { from = 0, to = 6 }\nmodels = { from = 1, to = 10 }\n";
const CHANGES: &str = "models = { from = 1, to = 10 }\ncover = 1\n[contest.change]\nneed.close.1 = { from = 2, to = 6 }\n\
     guns.rifle.power = { from = 0, to = 6 }\n";

fn file(action: &str, axes: &str) -> String {
    format!("[[contest]]\nsystem = 'twice'\naction = '{action}'\n{axes}")
}

/// Returns the values of all cells, and the time of reading and answering them.
fn answered(catalogue: &Catalogue, file: &str) -> (Vec<f64>, Duration) {
    let started = Instant::now();
    let experiment = Experiment::read_experiment_text(catalogue, "x.toml", file).expect("in order");
    let answers =
        solve_experiment(&experiment, &SolverSettings::for_exact_only()).expect("they are solved");
    let taken = started.elapsed();
    let mut values: Vec<f64> =
        answers.iter().filter_map(|answer| answer.measures[0].exact).collect();
    values.sort_by(f64::total_cmp);
    (values, taken)
}

#[test]
fn a_number_of_the_rules_costs_what_a_field_costs() {
    let none = |_: &str| Err("no files".to_owned());
    let book = enfilade_rules::read_without_built_in_base("twice", "twice.rules", RULES, &none)
        .expect("in order");
    let catalogue = Catalogue::default().with_rulebook(book.system);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let (by_fields, by_rules) = pool.install(|| {
        let (fields, changes) = (file("fields", FIELDS), file("table_and_data", CHANGES));
        let mut best = [Duration::MAX; 2];
        for _ in 0..9 {
            // Alternating, so that a busy machine slows both.
            let (one, first) = answered(&catalogue, &fields);
            let (two, second) = answered(&catalogue, &changes);
            assert_eq!((one.len(), one == two), (350, true), "the same laws");
            best = [best[0].min(first), best[1].min(second)];
        }
        (best[0], best[1])
    });
    let ratio = by_rules.as_secs_f64() / by_fields.as_secs_f64();
    let pace = |time: Duration| 350.0 / time.as_secs_f64();
    println!(
        "fields {:.0} cells/s, numbers of the rules {:.0}, ratio {ratio:.2}",
        pace(by_fields),
        pace(by_rules)
    );
    assert!(ratio <= 1.5, "numbers of the rules take {ratio:.2} times as long");
}
