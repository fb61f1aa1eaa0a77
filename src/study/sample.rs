//! The sample contests of an action as experiment files, and what they report.

use std::sync::Arc;

use crate::arsenal::Priced;
use crate::catalogue::{Action, Contest, System};
use crate::combat::{FieldHead, MeasureHead};
use crate::form::Form;
use crate::study::shelf;

/// What the contests of an action report: the outcome fields and measures of its samples, each once.
/// Some are there only when a field of the contest asks for them.
#[derive(Debug)]
pub struct Reported {
    /// The outcome fields.
    pub fields: Vec<FieldHead>,
    /// The measures.
    pub measures: Vec<Arc<MeasureHead>>,
}

/// What the contests of `action` report.
///
/// ```
/// use enfilade::{study::sample, systems};
/// let catalogue = systems::built_in();
/// let fire = catalogue.action("asl", "fire").expect("it is built in");
/// let reported = sample::reported(fire);
/// assert!(reported.fields.iter().any(|field| field.name == "eliminated"));
/// assert!(reported.measures.iter().any(|measure| measure.name == "p_kill"));
/// ```
pub fn reported(action: &Action) -> Reported {
    let mut reported = Reported { fields: Vec::new(), measures: Vec::new() };
    for contest in action.samples.iter().filter_map(|text| built(action, text)) {
        for field in contest.combat.fields() {
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

fn built(action: &Action, sample: &str) -> Option<Contest> {
    let form = Form::fill(&action.fields, &sample.parse().ok()?).ok()?;
    action.contest(&form).ok()
}

/// The file that asks `sample`, the body of a contest of `action`: its tables become the
/// contest's, and the system and the action are named.
///
/// ```
/// use enfilade::{study::{experiment::Experiment, sample}, systems};
/// let catalogue = systems::built_in();
/// let system = catalogue.system("asl").expect("it is built in");
/// let action = &system.actions[0];
/// let file = sample::file(system, action, action.samples.get(0).expect("it has samples"));
/// assert!(Experiment::read(&catalogue, "sample", &file).is_ok());
/// ```
pub fn file(system: &System, action: &Action, sample: &str) -> String {
    let mut file = shelf::named_in_file(system);
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

/// A small arsenal of a rulebook as a file that is ready to be priced; where the rulebook has none, one to be
/// filled in.
///
/// ```
/// use enfilade::{study::{balance::arsenal::Arsenal, sample}, systems};
/// let catalogue = systems::built_in();
/// let system = catalogue.system("skirmishers").expect("it is built in");
/// let rules = system.pricing.as_deref().expect("it has prices");
/// let file = sample::arsenal(system, rules);
/// assert!(Arsenal::read(&catalogue, "sample", &file).is_ok());
/// ```
pub fn arsenal(system: &System, rules: &dyn Priced) -> String {
    let known = rules.known();
    let names = known.iter().map(|name| &**name).take(3);
    let unnamed = known.is_empty().then_some("");
    let weapons = names.chain(unnamed).map(|name| format!("[[weapon]]\nname = {name:?}\n"));
    let ready = match rules.ready() {
        "" => weapons.collect::<String>() + "\n[[scenario]]\nname = \"open ground\"\n",
        ready => ready.to_owned(),
    };
    format!("{}system = \"{}\"\n\n{ready}", shelf::named_in_file(system), system.id)
}
