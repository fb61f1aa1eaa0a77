//! `[change]`: numbers and tables of the rules that this arsenal changes, so that prices move with
//! the rules.
//!
//! A key is a field of an action, such as `base_ranged`, or data of a rulebook in a text file, such
//! as `weapons`. Its value goes into every contest that has the field and does not set it. A change
//! that no contest of the arsenal uses is a fault.

use std::borrow::Cow;
use std::collections::BTreeSet;

use parking_lot::Mutex;
use toml::{Table, Value as Toml};

use enfilade_model::catalogue::{Action, System};
use enfilade_model::form::sanitize::shown;
use enfilade_model::form::{Fault, Field, name_matching};
use enfilade_study::file::experiment::CHANGE;

/// Changes of the rules, with the keys that contests have used so far.
#[derive(Debug, Default)]
pub struct Changes {
    said: Table,
    taken: Mutex<BTreeSet<String>>,
}

impl Changes {
    /// Builds the changes from the table of a file.
    pub fn new(said: Table) -> Changes {
        Changes { said, taken: Mutex::default() }
    }

    /// Returns the contest with the changes that apply to it.
    pub fn put<'t>(&self, action: &Action, contest: &'t Table) -> Cow<'t, Table> {
        let mut changed = Cow::Borrowed(contest);
        for (key, value) in &self.said {
            let put = match (action.fields.get(key), is_data(action, key)) {
                (Some(_), _) => put(&mut changed, key, value),
                (None, true) => {
                    let mut data = match contest.get(CHANGE) {
                        Some(Toml::Table(data)) => Cow::Borrowed(data),
                        _ => Cow::Owned(Table::new()),
                    };
                    let put = put(&mut data, key, value);
                    changed.to_mut().insert(CHANGE.to_owned(), data.into_owned().into());
                    put
                }
                // Another contest may use the change; one that none uses is a fault of the arsenal.
                (None, false) => false,
            };
            if put {
                self.taken.lock().insert(key.clone());
            }
        }
        changed
    }

    /// Moves a fault of a contest to the change that causes it.
    pub fn at_home(&self, fault: Fault) -> Fault {
        let inside = fault.path.find(&format!("{CHANGE}.")).map(|at| fault.path[at..].to_owned());
        let last = fault.path.rsplit('.').next().filter(|last| self.said.contains_key(*last));
        let path = inside.or(last.map(|last| format!("{CHANGE}.{last}")));
        Fault { path: path.unwrap_or(fault.path.clone()), ..fault }
    }

    /// Faults for the changes that no contest used.
    pub fn faults(&self, system: &System) -> Vec<Fault> {
        let taken = self.taken.lock();
        let left = self.said.keys().filter(|key| !taken.contains(*key));
        left.map(|key| untaken(system, key)).collect()
    }
}

fn put(table: &mut Cow<Table>, key: &str, value: &Toml) -> bool {
    let new = !table.contains_key(key);
    if new {
        table.to_mut().insert(key.to_owned(), value.clone());
    }
    new
}

/// Whether this is data of a rulebook that the action lets change.
fn is_data(action: &Action, key: &str) -> bool {
    let data = action.fields.get(CHANGE).and_then(|field| field.kind.fields());
    data.is_some_and(|data| data.get(key).is_some())
}

/// Names that `[change]` accepts: fields of actions, and data that an action lets change.
pub fn names(system: &System) -> impl Iterator<Item = &Field> + Clone {
    let fields = system.actions.iter().flat_map(|action| action.fields.iter());
    let data = fields.clone().filter(|field| field.name == CHANGE);
    let data = data.filter_map(|field| field.kind.fields()).flat_map(|fields| fields.iter());
    data.chain(fields.filter(|field| field.name != CHANGE))
}

/// Largest number of similar names in a message.
const FEW: usize = 5;

fn untaken(system: &System, key: &str) -> Fault {
    let path = format!("{CHANGE}.{key}");
    let known = names(system).map(|field| &*field.name);
    if known.clone().any(|known| known == key) {
        let problem = format!("no contest of this arsenal uses `{key}`");
        let help = "weapons or scenarios set it, or no attack has this field";
        return Fault::new(path, problem).help(help);
    }
    let fault =
        Fault::new(path, format!("there is no number or table `{}` in {}", shown(key), system.id));
    let all = format!("enfilade systems {} price", system.id);
    match name_matching::nearest_few(key, known, FEW).join("`, `") {
        near if near.is_empty() => fault,
        near => fault.help(format!("the nearest are `{near}`; all: {all}")),
    }
}
