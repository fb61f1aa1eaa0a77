//! Files to start from: what `enfilade new` and the studio write for each action.

use enfilade_study::experiment::Experiment;
use enfilade_study::question;
use enfilade_study::solve::{SolverSettings, solve_experiment};
use enfilade_testkit::toy::CATALOGUE;

/// As it is, and with every field that it has behind a `#`, it is TOML that is read.
#[test]
fn a_file_to_start_from_runs_for_every_action() {
    let catalogue = crate::built_in();
    for system in catalogue.rulebooks_created_on_demand() {
        for action in &system.actions {
            for all in [false, true] {
                let file = question::build_starter_file(system, action, "file.toml", None, all);
                let name = format!("{} {}", system.id, action.name);
                let read = Experiment::read_experiment_text(catalogue, &name, &file);
                assert!(read.is_ok(), "{name}: {:?}\n{file}", read.err());
                let field = |line: &str| line.contains(" = ") || line.starts_with("# [");
                let bare = file.lines().skip(9).map(|line| match line.strip_prefix("# ") {
                    Some(rest) if field(line) => rest.to_owned() + "\n",
                    _ => line.to_owned() + "\n",
                });
                let bare: String = bare.collect();
                assert!(bare.parse::<toml::Table>().is_ok(), "{name}: {bare}");
            }
        }
    }
}

/// The tables that players often need are shown behind a `#`, as every other field is.
#[test]
fn a_file_to_start_from_shows_tables_that_are_left_out() {
    let action = CATALOGUE.action("toy", "shoot").expect("it is there");
    let system = CATALOGUE.rulebook_by_id("toy").expect("it is there");
    for all in [false, true] {
        let file = question::build_starter_file(system, action, "file.toml", None, all);
        for head in ["\n# [contest.leader]", "\n# [[contest.target]]"] {
            assert!(file.contains(head), "{all} {head}\n{file}");
        }
    }
}

/// Words ask for a cell alone: a single table by its fields, and nothing that is a default.
#[test]
fn a_cell_is_asked_for_in_words() {
    let words = |lines: &str| {
        let text = format!("[[contest]]\nsystem = 'toy'\naction = 'shoot'\n{lines}");
        let read = Experiment::read_experiment_text(&CATALOGUE, "x.toml", &text).expect("right");
        let answers = solve_experiment(&read, &SolverSettings::for_exact_only()).expect("small");
        question::command_words_for_cell(&answers[0])
    };
    let one = words("needed = 4\nfp = 1\nleader = { morale = 8 }\ntarget = [{ morale = 6 }]\n");
    let expected = ["toy", "shoot", "needed=4", "leader.morale=8", "target.morale=6"];
    assert_eq!(one, Some(expected.map(str::to_owned).to_vec()));
}
