//! Reads `[change]`: changed cells of a rulebook's data and tables.
//!
//! The changeable values of an action are a field of its contests, `change`, with tables within
//! tables. The values of `[change]` outside the contests are merged into each contest here; a
//! contest's own changes take precedence.

use std::sync::Arc;

use toml::{Table, Value as Toml};

use super::known_names::distinct_in_order;
use crate::file::file_reader::TomlReaderWithFaults;
use crate::follow_up;
use enfilade_model::catalogue::RulebookAction;
use enfilade_model::form::sanitize::shorten_and_make_safe;
use enfilade_model::form::{Fault, Fields, name_matching};

/// Key of changes, at the top of a file and in a contest.
pub const CHANGES_KEY: &str = "change";

/// Returns the changeable fields of `action`'s rulebook.
fn find_changeable_fields(action: &RulebookAction) -> Option<&Fields> {
    action.fields.get(CHANGES_KEY)?.kind.table_fields()
}

impl TomlReaderWithFaults<'_> {
    /// Merges the changes for all contests into the table of a contest, as far as its action has
    /// them.
    pub(super) fn merge_file_changes(&mut self, action: &RulebookAction, contest: &mut Table) {
        let Some(Toml::Table(everywhere)) = self.document.table.get(CHANGES_KEY) else {
            return;
        };
        let Some(change_fields) = find_changeable_fields(action) else {
            return;
        };
        let of_the_action = everywhere.iter().filter(|(key, _)| change_fields.get(key).is_some());
        let mut changes: Table = of_the_action.map(|(k, v)| (k.clone(), v.clone())).collect();
        match contest.remove(CHANGES_KEY) {
            Some(Toml::Table(own)) => overlay_contest_changes(change_fields, &mut changes, own),
            // Reported when the contest is filled in.
            Some(other) => {
                contest.insert(CHANGES_KEY.to_owned(), other);
                return;
            }
            None => {}
        }
        if !changes.is_empty() {
            contest.insert(CHANGES_KEY.to_owned(), Toml::Table(changes));
        }
    }

    /// Notes changes for all contests that no action of the contests has.
    pub(super) fn check_changes_are_used<'a>(
        &mut self,
        actions: impl Iterator<Item = &'a Arc<RulebookAction>>,
    ) {
        let everywhere = match self.document.table.get(CHANGES_KEY) {
            None => return,
            Some(Toml::Table(everywhere)) => everywhere,
            Some(_) => {
                let problem = "expected a table, such as `weapons.lmg.shots = 4` below [change]";
                self.note_at_value(Fault::new(CHANGES_KEY, problem));
                return;
            }
        };
        let fields = actions.filter_map(|action| find_changeable_fields(action));
        let field_names: Vec<&str> =
            fields.flat_map(|fields| fields.iter().map(|f| &*f.name)).collect();
        let unknown = everywhere.keys().filter(|key| !field_names.contains(&key.as_str()));
        for key in unknown {
            let path = format!("{CHANGES_KEY}.{key}");
            let problem = format!(
                "no contest has data or a table `{}` to change",
                shorten_and_make_safe(key)
            );
            let fault = Fault::new(path, problem);
            let fault = match name_matching::find_nearest_name(key, field_names.iter().copied()) {
                Some(near) => fault.with_help(format!("did you mean `{near}`?")),
                None if field_names.is_empty() => {
                    fault.with_help("only rulebooks that are read from files can be changed")
                }
                None => fault.with_help(format!(
                    "there is {}",
                    distinct_in_order(field_names.iter().copied()).join(", ")
                )),
            };
            self.note_at_path(fault, true);
        }
    }

    /// Moves a fault of a contest to the position in the file that it comes from: values that the
    /// contest does not set itself may be in the `[change]` of all contests.
    pub(super) fn relocate_change_fault(&self, fault: Fault, contest: &str) -> Fault {
        let inside = fault.path.strip_prefix(contest);
        let inside = inside.and_then(|path| path.strip_prefix('.'));
        if let Some(follows) = inside.and_then(follow_up::fault_path_in_file) {
            return Fault { path: format!("{contest}.{follows}"), ..fault };
        }
        let Some(path) = inside.filter(|path| path.starts_with(CHANGES_KEY)) else {
            return fault;
        };
        match self.document.has_value_at(path) && !self.document.has_value_at(&fault.path) {
            true => Fault { path: path.to_owned(), ..fault },
            false => fault,
        }
    }
}

/// Merges the contest's `own` changes over those of all contests. A cell is replaced as a whole,
/// whatever its type.
fn overlay_contest_changes(fields: &Fields, changes: &mut Table, own: Table) {
    for (key, value) in own {
        let inner = fields.get(&key).and_then(|field| field.kind.table_fields());
        match (inner, changes.get_mut(&key), value) {
            (Some(inner), Some(Toml::Table(under)), Toml::Table(over)) => {
                overlay_contest_changes(inner, under, over)
            }
            (_, _, value) => {
                changes.insert(key, value);
            }
        }
    }
}
