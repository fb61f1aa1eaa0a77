//! Sample contests of an action as experiment files, and their columns.

use std::sync::Arc;

use crate::file::rulebook_loader;
use enfilade_model::catalogue::{Contest, RulebookAction, System};
use enfilade_model::combat::{MeasureHead, OutcomeFieldHead};
use enfilade_model::form::Form;

/// Columns of the contests of an action: the outcome fields and measures of its samples, each once.
/// Some exist only if a field of the contest requests them.
#[derive(Debug)]
pub struct ActionOutputColumns {
    /// Outcome fields.
    pub fields: Vec<OutcomeFieldHead>,
    /// Measures.
    pub measures: Vec<Arc<MeasureHead>>,
}

/// Returns the columns of the contests of `action`.
///
/// ```
/// use enfilade_study::samples;
/// let catalogue = enfilade_games::built_in_catalogue();
/// let fire = catalogue.action("asl", "fire").expect("it is built in");
/// let reported = samples::output_columns_of_action(fire);
/// assert!(reported.fields.iter().any(|field| field.name == "eliminated"));
/// assert!(reported.measures.iter().any(|measure| measure.name == "p_kill"));
/// ```
pub fn output_columns_of_action(action: &RulebookAction) -> ActionOutputColumns {
    let mut reported = ActionOutputColumns { fields: Vec::new(), measures: Vec::new() };
    for contest in action.samples.iter().filter_map(|text| parse_sample_contest(action, text)) {
        for field in contest.combat.outcome_fields() {
            if reported.fields.iter().all(|known| known.name != field.name) {
                reported.fields.push(field.clone());
            }
        }
        for measure in contest.combat.measures() {
            if reported.measures.iter().all(|known| known.name != measure.name) {
                reported.measures.push(Arc::clone(measure));
            }
        }
    }
    reported
}

fn parse_sample_contest(action: &RulebookAction, sample: &str) -> Option<Contest> {
    let form = Form::from_table_with_defaults(&action.fields, &sample.parse().ok()?).ok()?;
    action.build_contest(&form).ok()
}

/// Builds the file of `sample`, the body of a contest of `action`: its tables become the contest's,
/// and the system and the action are named.
///
/// ```
/// use enfilade_study::{experiment::Experiment, samples};
/// let catalogue = enfilade_games::built_in_catalogue();
/// let system = catalogue.rulebook_by_id("asl").expect("it is built in");
/// let action = &system.actions[0];
/// let file = samples::contest_file_of_sample(system, action, action.samples.get(0).expect("it has samples"));
/// assert!(Experiment::read_experiment_text(&catalogue, "sample", &file).is_ok());
/// ```
pub fn contest_file_of_sample(system: &System, action: &RulebookAction, sample: &str) -> String {
    let mut file = rulebook_loader::rules_line_unless_built_in(system);
    file += &format!("[[contest]]\nsystem = \"{}\"\naction = \"{}\"\n", system.id, action.name);
    for line in sample.lines() {
        let line = line.trim();
        let brackets = line.bytes().take_while(|&b| b == b'[').count();
        match brackets {
            0 => file.push_str(line),
            _ => file.push_str(&format!("{}contest.{}", &line[..brackets], &line[brackets..])),
        }
        file.push('\n');
    }
    file
}
