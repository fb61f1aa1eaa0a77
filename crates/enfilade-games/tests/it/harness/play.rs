//! Contests of the built-in rulebooks, built from TOML.

use enfilade_model::catalogue::Contest;
use enfilade_model::combat::AnyCombat;
use enfilade_model::form::Fault;
pub use enfilade_testkit::test_contests::{
    count_graph_size, play_contest, play_scripted, rule_of_step, trace_play, trace_play_with_spare,
};

/// Builds the contest that `toml` describes, or returns its faults.
pub fn try_contest(system: &str, action: &str, toml: &str) -> Result<Contest, Vec<Fault>> {
    let action = enfilade_testkit::test_contests::find_action(crate::built_in(), system, action);
    enfilade_testkit::test_contests::parse_contest(action, toml)
}

/// Builds the contest that `toml` describes.
pub fn contest(system: &str, action: &str, toml: &str) -> AnyCombat {
    match try_contest(system, action, toml) {
        Ok(contest) => contest.combat,
        Err(faults) => panic!("{action}: {faults:?}\n{toml}"),
    }
}

/// Returns the faults of `toml` as `path: problem`.
pub fn faults(system: &str, action: &str, toml: &str) -> Vec<String> {
    let faults = try_contest(system, action, toml).err().unwrap_or_default();
    enfilade_testkit::test_contests::fault_lines(&faults)
}

/// Returns every sample of a system as a contest, with a name for messages.
pub fn samples(system: &str) -> Vec<(String, AnyCombat)> {
    enfilade_testkit::test_contests::sample_contests(crate::built_in(), system)
}
