//! What a designer may have looked for where a contest names what is not there.

use super::{Absent, Action, System};
use crate::form::validate::LISTED;
use crate::form::{Fault, Fields, Kind, name_matching, one_of};

impl System {
    /// Faults of a contest of `action`, each with the most that this rulebook knows to say about it: its own
    /// sentence for a name that is not there, where in the contest that name stands, or which other
    /// actions have it.
    pub fn hinted(&self, action: &Action, faults: Vec<Fault>) -> Vec<Fault> {
        faults.into_iter().map(|fault| self.with_hint(action, fault)).collect()
    }

    fn with_hint(&self, action: &Action, fault: Fault) -> Fault {
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
            return Some(format!("`{key}` stands beside these tables, as a field of the contest"));
        }
        let mut places = Vec::new();
        holders(&action.fields, key, "", &mut places);
        if !places.is_empty() {
            return Some(format!("`{key}` is a field of {}", one_of(&places)));
        }
        let having = self.having(|fields| path == key && fields.get(key).is_some());
        having.map(|actions| format!("`{}` has no `{key}`; {actions}", action.name))
    }

    /// A bare list of names: where each is explained.
    fn explained(&self, action: &Action, help: Option<&str>) -> Option<String> {
        let list = help.filter(|help| self.built_in && help.starts_with(LISTED))?;
        Some(format!("{list}; `enfilade systems {} {}` explains each", self.id, action.name))
    }

    /// What is looked for in the data and stands elsewhere.
    fn of_a_row(&self, fault: &Fault) -> Option<String> {
        let (name, _) = fault.problem.strip_prefix("there is no \"")?.split_once('"')?;
        said_of(&self.absent, name)
    }

    /// Several tables where one stands: other actions may take them.
    fn of_several(&self, action: &Action, fault: &Fault) -> Option<String> {
        let is = |fields: &Fields, several: bool| match fields.at(&fault.path).map(|f| &f.kind) {
            Some(Kind::Table(_)) => !several,
            Some(Kind::Tables(..)) => several,
            _ => false,
        };
        let listed = fault.problem.ends_with("found a list") && is(&action.fields, false);
        let having = self.having(|fields| listed && is(fields, true))?;
        Some(format!("one table of `{}` stands here; for several {having}", fault.path))
    }

    /// The actions whose fields are such, as the end of a sentence.
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

/// What a rulebook says of a name that is not there.
pub(super) fn said_of(absent: &[Absent], name: &str) -> Option<String> {
    let wanted = name_matching::key(name);
    let said = absent.iter().find(|(known, _)| name_matching::key(known) == wanted);
    said.map(|(_, said)| said.to_string())
}

/// The tables of a contest that have a field called `key`.
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
