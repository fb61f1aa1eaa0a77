//! `[change]`: numbers and tables of the rules that this arsenal changes, so that prices move with
//! the rules.
//!
//! A key is a field of an action, such as `base_ranged`, or data of a rulebook in a text file, such
//! as `weapons`. Its value goes into every contest that has the field and does not set it. A change
//! that no contest of the arsenal uses is a fault.

use std::collections::BTreeSet;

use parking_lot::Mutex;
use toml::Table;

use enfilade_model::catalogue::{RulebookAction, System};
use enfilade_model::form::sanitize::shorten_and_make_safe;
use enfilade_model::form::{Fault, Field, name_matching};
use enfilade_study::file::experiment_file::CHANGES_KEY;

/// Changes of the rules, with the keys that contests have used so far.
#[derive(Debug, Default)]
pub struct RuleChanges {
    table: Table,
    used_keys: Mutex<BTreeSet<String>>,
}

impl RuleChanges {
    /// Builds the changes from the table of a file.
    pub fn from_table(table: Table) -> RuleChanges {
        RuleChanges { table, used_keys: Mutex::default() }
    }

    /// Returns the contest with the changes that apply to it.
    pub fn apply_to_contest(&self, action: &RulebookAction, contest: &Table) -> Table {
        let mut changed = contest.clone();
        for (key, value) in &self.table {
            let into = match (action.fields.get(key), is_changeable_rulebook_data(action, key)) {
                (Some(_), _) => Some(&mut changed),
                (None, true) => {
                    let data = changed.entry(CHANGES_KEY).or_insert_with(|| Table::new().into());
                    data.as_table_mut()
                }
                // Another contest may use the change; one that none uses is a fault of the arsenal.
                (None, false) => None,
            };
            if let Some(table) = into
                && !table.contains_key(key)
            {
                table.insert(key.clone(), value.clone());
                self.used_keys.lock().insert(key.clone());
            }
        }
        changed
    }

    /// Moves a fault of a contest to the change that causes it.
    pub fn move_fault_to_change(&self, fault: Fault) -> Fault {
        let inside = fault.path.find(&format!("{CHANGES_KEY}."));
        let inside = inside.map(|at| fault.path[at..].to_owned());
        let last = fault.path.rsplit('.').next().filter(|last| self.table.contains_key(*last));
        let path = inside.or(last.map(|last| format!("{CHANGES_KEY}.{last}")));
        Fault { path: path.unwrap_or(fault.path.clone()), ..fault }
    }

    /// Faults for the changes that no contest used.
    pub fn unused_change_faults(&self, system: &System) -> Vec<Fault> {
        let used_keys = self.used_keys.lock();
        let left = self.table.keys().filter(|key| !used_keys.contains(*key));
        left.map(|key| unused_change_fault(system, key)).collect()
    }
}

/// Whether this is data of a rulebook that the action lets change.
fn is_changeable_rulebook_data(action: &RulebookAction, key: &str) -> bool {
    let data = action.fields.get(CHANGES_KEY).and_then(|field| field.kind.table_fields());
    data.is_some_and(|data| data.get(key).is_some())
}

/// Names that `[change]` accepts: fields of actions, and data that an action lets change.
pub fn fields_that_may_change(system: &System) -> impl Iterator<Item = &Field> + Clone {
    let fields = system.actions.iter().flat_map(|action| action.fields.iter());
    let data = fields.clone().filter(|field| field.name == CHANGES_KEY);
    let data = data.filter_map(|field| field.kind.table_fields()).flat_map(|fields| fields.iter());
    data.chain(fields.filter(|field| field.name != CHANGES_KEY))
}

/// Largest number of similar names in a message.
const MAX_SIMILAR_NAMES: usize = 5;

fn unused_change_fault(system: &System, key: &str) -> Fault {
    let path = format!("{CHANGES_KEY}.{key}");
    let field_names = fields_that_may_change(system).map(|field| &*field.name);
    if field_names.clone().any(|known| known == key) {
        let problem = format!("no contest of this arsenal uses `{key}`");
        let help = "weapons or scenarios set it, or no attack has this field";
        return Fault::new(path, problem).with_help(help);
    }
    let name = shorten_and_make_safe(key);
    let fault = Fault::new(path, format!("there is no number or table `{name}` in {}", system.id));
    let all = format!("enfilade systems {} price", system.id);
    match name_matching::find_most_similar_names(key, field_names, MAX_SIMILAR_NAMES).join("`, `") {
        near if near.is_empty() => fault,
        near => fault.with_help(format!("the nearest are `{near}`; all: {all}")),
    }
}
