//! Files to start from: what `enfilade new` and the studio write for each action.

use enfilade_study::experiment::Experiment;
use enfilade_study::question;

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
