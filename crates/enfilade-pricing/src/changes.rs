//! `[change]`: numbers and tables of the rules that are others in this arsenal, so that prices move with
//! the rules.
//!
//! A key is a field of an action, such as `base_ranged`, or data of a rulebook in a text file, such as
//! `weapons`. It is put into every contest that has it, and does not say it itself. What no contest of
//! the arsenal takes changes nothing, and is a fault.

use std::borrow::Cow;
use std::collections::BTreeSet;

use parking_lot::Mutex;
use toml::{Table, Value as Toml};

use enfilade_model::catalogue::{Action, System};
use enfilade_model::form::sanitize::shown;
use enfilade_model::form::{Fault, Field, name_matching};
use enfilade_study::file::experiment::CHANGE;

/// What is changed, and what of it was taken so far.
#[derive(Debug, Default)]
pub struct Changes {
    said: Table,
    taken: Mutex<BTreeSet<String>>,
}

impl Changes {
    /// What a file says is changed.
    pub fn new(said: Table) -> Changes {
        Changes { said, taken: Mutex::default() }
    }

    /// A contest with what is changed.
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
                // Another contest may take it; what none takes is a fault of the arsenal.
                (None, false) => false,
            };
            if put {
                self.taken.lock().insert(key.clone());
            }
        }
        changed
    }

    /// A fault of a contest at the change that it comes from.
    pub fn at_home(&self, fault: Fault) -> Fault {
        let inside = fault.path.find(&format!("{CHANGE}.")).map(|at| fault.path[at..].to_owned());
        let last = fault.path.rsplit('.').next().filter(|last| self.said.contains_key(*last));
        let path = inside.or(last.map(|last| format!("{CHANGE}.{last}")));
        Fault { path: path.unwrap_or(fault.path.clone()), ..fault }
    }

    /// What no contest took.
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

/// What `[change]` may name: fields of actions, and data that an action lets change.
pub fn names(system: &System) -> impl Iterator<Item = &Field> + Clone {
    let fields = system.actions.iter().flat_map(|action| action.fields.iter());
    let data = fields.clone().filter(|field| field.name == CHANGE);
    let data = data.filter_map(|field| field.kind.fields()).flat_map(|fields| fields.iter());
    data.chain(fields.filter(|field| field.name != CHANGE))
}

/// Names that are told of those that may be meant.
const FEW: usize = 5;

fn untaken(system: &System, key: &str) -> Fault {
    let path = format!("{CHANGE}.{key}");
    let known = names(system).map(|field| &*field.name);
    if known.clone().any(|known| known == key) {
        let problem = format!("no contest of this arsenal takes `{key}` from here");
        let help = "weapons and scenarios say it, or no attack asks for it";
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
