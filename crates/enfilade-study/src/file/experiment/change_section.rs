//! Reads `[change]`: changed cells of a rulebook's data and tables.
//!
//! The changeable values of an action are a field of its contests, `change`, with tables within
//! tables. The values of `[change]` outside the contests are merged into each contest here; a
//! contest's own changes take precedence.

use std::sync::Arc;

use toml::{Table, Value as Toml};

use super::reported_names::once_each;
use crate::file::file_reader::Reader;
use crate::follow_up;
use enfilade_model::catalogue::Action;
use enfilade_model::form::sanitize::shown;
use enfilade_model::form::{Fault, Fields, name_matching};

/// Key of changes, at the top of a file and in a contest.
pub const CHANGE: &str = "change";

/// Returns the changeable fields of `action`'s rulebook.
fn changeable(action: &Action) -> Option<&Fields> {
    action.fields.get(CHANGE)?.kind.fields()
}

impl Reader<'_> {
    /// Merges the changes for all contests into the table of a contest, as far as its action has
    /// them.
    pub(super) fn change(&mut self, action: &Action, contest: &mut Table) {
        let Some(Toml::Table(everywhere)) = self.document.table.get(CHANGE) else {
            return;
        };
        let Some(known) = changeable(action) else {
            return;
        };
        let of_the_action = everywhere.iter().filter(|(key, _)| known.get(key).is_some());
        let mut changes: Table = of_the_action.map(|(k, v)| (k.clone(), v.clone())).collect();
        match contest.remove(CHANGE) {
            Some(Toml::Table(own)) => overlay(known, &mut changes, own),
            // Reported when the contest is filled in.
            Some(other) => {
                contest.insert(CHANGE.to_owned(), other);
                return;
            }
            None => {}
        }
        if !changes.is_empty() {
            contest.insert(CHANGE.to_owned(), Toml::Table(changes));
        }
    }

    /// Notes changes for all contests that no action of the contests has.
    pub(super) fn changes_are_known<'a>(&mut self, actions: impl Iterator<Item = &'a Arc<Action>>) {
        let everywhere = match self.document.table.get(CHANGE) {
            None => return,
            Some(Toml::Table(everywhere)) => everywhere,
            Some(_) => {
                let problem = "expected a table, such as `weapons.lmg.shots = 4` below [change]";
                self.note(Fault::new(CHANGE, problem));
                return;
            }
        };
        let fields = actions.filter_map(|action| changeable(action));
        let known: Vec<&str> = fields.flat_map(|fields| fields.iter().map(|f| &*f.name)).collect();
        let unknown = everywhere.keys().filter(|key| !known.contains(&key.as_str()));
        for key in unknown {
            let path = format!("{CHANGE}.{key}");
            let problem = format!("no contest has data or a table `{}` to change", shown(key));
            let fault = Fault::new(path, problem);
            let fault = match name_matching::nearest(key, known.iter().copied()) {
                Some(near) => fault.help(format!("did you mean `{near}`?")),
                None if known.is_empty() => {
                    fault.help("only rulebooks that are read from files can be changed")
                }
                None => {
                    fault.help(format!("there is {}", once_each(known.iter().copied()).join(", ")))
                }
            };
            self.note_where(fault, true);
        }
    }

    /// Moves a fault of a contest to the position in the file that it comes from: values that the
    /// contest does not set itself may be in the `[change]` of all contests.
    pub(super) fn at_home(&self, fault: Fault, contest: &str) -> Fault {
        let inside = fault.path.strip_prefix(contest);
        let inside = inside.and_then(|path| path.strip_prefix('.'));
        if let Some(follows) = inside.and_then(follow_up::in_file) {
            return Fault { path: format!("{contest}.{follows}"), ..fault };
        }
        let Some(path) = inside.filter(|path| path.starts_with(CHANGE)) else {
            return fault;
        };
        match self.document.holds(path) && !self.document.holds(&fault.path) {
            true => Fault { path: path.to_owned(), ..fault },
            false => fault,
        }
    }
}

/// Merges the contest's `own` changes over those of all contests. A cell is replaced as a whole,
/// whatever its type.
fn overlay(fields: &Fields, changes: &mut Table, own: Table) {
    for (key, value) in own {
        let inner = fields.get(&key).and_then(|field| field.kind.fields());
        match (inner, changes.get_mut(&key), value) {
            (Some(inner), Some(Toml::Table(under)), Toml::Table(over)) => {
                overlay(inner, under, over)
            }
            (_, _, value) => {
                changes.insert(key, value);
            }
        }
    }
}
