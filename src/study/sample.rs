//! The sample contests of an action as experiment files, and what they report.

use crate::combat::{FieldHead, MeasureHead};
use crate::form::Form;
use crate::systems::{Action, Contest, System};

/// What the contests of an action report: the outcome fields and measures of its samples, each once.
/// Some are there only when a field of the contest asks for them.
pub struct Reported {
    /// The outcome fields.
    pub fields: Vec<FieldHead>,
    /// The measures.
    pub measures: Vec<MeasureHead>,
}

/// What the contests of `action` report.
///
/// ```
/// use enfilade::{study::sample, systems};
/// let fire = &systems::system("asl").expect("built in").actions[0];
/// let reported = sample::reported(fire);
/// assert!(reported.fields.iter().any(|field| field.name == "eliminated"));
/// assert!(reported.measures.iter().any(|measure| measure.name == "p_kill"));
/// ```
pub fn reported(action: &Action) -> Reported {
    let mut reported = Reported {
        fields: Vec::new(),
        measures: Vec::new(),
    };
    for contest in action.samples.iter().filter_map(|text| built(action, text)) {
        for field in contest.combat.fields() {
            if reported.fields.iter().all(|known| known.name != field.name) {
                reported.fields.push(field);
            }
        }
        for measure in contest.combat.measures() {
            if reported
                .measures
                .iter()
                .all(|known| known.name != measure.name)
            {
                reported.measures.push(measure);
            }
        }
    }
    reported
}

fn built(action: &Action, sample: &str) -> Option<Contest> {
    let form = Form::fill(action.fields, &sample.parse().ok()?).ok()?;
    (action.build)(&form).ok()
}

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
