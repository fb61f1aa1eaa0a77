//! The sample contests of an action as experiment files.

use crate::systems::{Action, System};

/// The file that asks `sample`, the body of a contest of `action`: its tables become the
/// contest's, and the system and the action are named.
///
/// ```
/// use enfilade::{study::{experiment::Experiment, sample}, systems};
/// let system = systems::all()[0];
/// let action = &system.actions[0];
/// let file = sample::file(system, action, action.samples[0]);
/// assert!(Experiment::read("sample", &file).is_ok());
/// ```
pub fn file(system: &System, action: &Action, sample: &str) -> String {
    let mut file = format!(
        "[[contest]]\nsystem = \"{}\"\naction = \"{}\"\n",
        system.id, action.name
    );
    for line in sample.lines() {
        let line = line.trim();
        let brackets = line.bytes().take_while(|&b| b == b'[').count();
        match brackets {
            0 => file.push_str(line),
            _ => file.push_str(&format!(
                "{}contest.{}",
                &line[..brackets],
                &line[brackets..]
            )),
        }
        file.push('\n');
    }
    file
}
