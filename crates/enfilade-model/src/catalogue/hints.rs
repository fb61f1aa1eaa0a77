//! Hints for a contest that names something that does not exist.

use super::{Absent, Action, System};
use crate::form::validate::LISTED;
use crate::form::{Fault, Fields, Kind, name_matching, one_of};

impl System {
    /// Adds to faults of a contest of `action` the best hint of this rulebook: its explanation for
    /// a name that does not exist, the place of that name in the contest, or the other actions that
    /// have it.
    pub fn hinted(&self, action: &Action, faults: Vec<Fault>) -> Vec<Fault> {
        faults.into_iter().map(|fault| self.with_hint(action, fault)).collect()
    }

    fn with_hint(&self, action: &Action, fault: Fault) -> Fault {
        // For a declared path the value is wrong; for any other the name does not exist.
        let help = match action.fields.declare(&fault.path) {
            true => self.of_several(action, &fault).or_else(|| self.of_a_row(&fault)),
            false => self
                .of_a_name(action, &fault.path)
                .or_else(|| self.explained(action, fault.help.as_deref())),
        };
        match help {
            Some(help) => fault.help(help),
            None => fault,
        }
    }

    fn of_a_name(&self, action: &Action, path: &str) -> Option<String> {
        let key = path.rsplit('.').next()?;
        let said = said_of(&action.absent, key).or_else(|| said_of(&self.absent, key));
        if said.is_some() {
            return said;
        }
        if path != key && action.fields.get(key).is_some() {
            return Some(format!("`{key}` is a field of the contest, beside these tables"));
        }
        let mut places = Vec::new();
        holders(&action.fields, key, "", &mut places);
        if !places.is_empty() {
            return Some(format!("`{key}` is a field of {}", one_of(&places)));
        }
        let having = self.having(|fields| path == key && fields.get(key).is_some());
        having.map(|actions| format!("`{}` has no `{key}`; {actions}", action.name))
    }

    /// Extends a bare list of names by the command that explains each.
    fn explained(&self, action: &Action, help: Option<&str>) -> Option<String> {
        let list = help.filter(|help| self.built_in && help.starts_with(LISTED))?;
        Some(format!("{list}; `enfilade systems {} {}` explains each", self.id, action.name))
    }

    /// Returns the explanation for a name that is not in the data.
    fn of_a_row(&self, fault: &Fault) -> Option<String> {
        let (name, _) = fault.problem.strip_prefix("there is no \"")?.split_once('"')?;
        said_of(&self.absent, name)
    }

    /// Returns the actions that take several tables where this one takes one, or the reverse.
    fn of_several(&self, action: &Action, fault: &Fault) -> Option<String> {
        let is = |fields: &Fields, several: bool| match fields.at(&fault.path).map(|f| &f.kind) {
            Some(Kind::Table(_)) => !several,
            Some(Kind::Tables(..)) => several,
            _ => false,
        };
        let listed = fault.problem.ends_with("found a list") && is(&action.fields, false);
        let having = self.having(|fields| listed && is(fields, true))?;
        Some(format!("this action takes one table of `{}`; for several {having}", fault.path))
    }

    /// Lists the actions whose fields pass the test, as the end of a sentence.
    fn having(&self, such: impl Fn(&Fields) -> bool) -> Option<String> {
        let actions = self.actions.iter().filter(|action| such(&action.fields));
        let names: Vec<String> = actions.map(|action| format!("`{}`", action.name)).collect();
        match names.len() {
            0 => None,
            1 => Some(format!("there is the action {}", names[0])),
            _ => Some(format!("there are the actions {}", one_of(&names))),
        }
    }
}

/// Returns the rulebook's explanation for a name that does not exist.
pub(super) fn said_of(absent: &[Absent], name: &str) -> Option<String> {
    let wanted = name_matching::key(name);
    let said = absent.iter().find(|(known, _)| name_matching::key(known) == wanted);
    said.map(|(_, said)| said.to_string())
}

/// Collects the tables of a contest that have a field called `key`.
fn holders(fields: &Fields, key: &str, within: &str, found: &mut Vec<String>) {
    for field in fields.iter().filter(|field| !field.rare) {
        let (Kind::Table(inner) | Kind::Tables(inner, _)) = &field.kind else {
            continue;
        };
        if inner.get(key).is_some() {
            found.push(format!("`{within}{}`", field.name));
        }
        holders(inner, key, &format!("{within}{}.", field.name), found);
    }
}
