//! Hints for a contest that names something that does not exist.

use super::{AbsentName, RulebookAction, System};
use crate::form::validate::FIELD_LIST_PREFIX;
use crate::form::{Fault, FieldType, Fields, join_or, name_matching};

impl System {
    /// Adds to faults of a contest of `action` the best hint of this rulebook: its explanation for
    /// a name that does not exist, the place of that name in the contest, or the other actions that
    /// have it.
    pub fn faults_with_hints(&self, action: &RulebookAction, faults: Vec<Fault>) -> Vec<Fault> {
        faults.into_iter().map(|fault| self.add_hint_to_fault(action, fault)).collect()
    }

    fn add_hint_to_fault(&self, action: &RulebookAction, fault: Fault) -> Fault {
        // For a declared path the value is wrong; for any other the name does not exist.
        let help = match action.fields.declares_whole_path(&fault.path) {
            true => self
                .hint_for_table_count(action, &fault)
                .or_else(|| self.explain_name_not_in_data(&fault)),
            false => self
                .hint_for_name(action, &fault.path)
                .or_else(|| self.add_explain_commands_to_list(action, fault.help.as_deref())),
        };
        match help {
            Some(help) => fault.with_help(help),
            None => fault,
        }
    }

    fn hint_for_name(&self, action: &RulebookAction, path: &str) -> Option<String> {
        let key = path.rsplit('.').next()?;
        let text = find_absence_explanation(&action.absent, key)
            .or_else(|| find_absence_explanation(&self.absent, key));
        if text.is_some() {
            return text;
        }
        if path != key && action.fields.get(key).is_some() {
            return Some(format!("`{key}` is a field of the contest, beside these tables"));
        }
        let mut places = Vec::new();
        collect_tables_with_field(&action.fields, key, "", &mut places);
        if !places.is_empty() {
            return Some(format!("`{key}` is a field of {}", join_or(&places)));
        }
        let having =
            self.list_actions_with_fields(|fields| path == key && fields.get(key).is_some());
        having.map(|actions| format!("`{}` has no `{key}`; {actions}", action.name))
    }

    /// Extends a bare list of names by the command that explains each.
    fn add_explain_commands_to_list(
        &self,
        action: &RulebookAction,
        help: Option<&str>,
    ) -> Option<String> {
        let list = help.filter(|help| self.built_in && help.starts_with(FIELD_LIST_PREFIX))?;
        Some(format!("{list}; `enfilade systems {} {}` explains each", self.id, action.name))
    }

    /// Returns the explanation for a name that is not in the data.
    fn explain_name_not_in_data(&self, fault: &Fault) -> Option<String> {
        let (name, _) = fault.problem.strip_prefix("there is no \"")?.split_once('"')?;
        find_absence_explanation(&self.absent, name)
    }

    /// Returns the actions that take several tables where this one takes one, or the reverse.
    fn hint_for_table_count(&self, action: &RulebookAction, fault: &Fault) -> Option<String> {
        let is = |fields: &Fields, several: bool| match fields
            .find_field_at_path(&fault.path)
            .map(|f| &f.kind)
        {
            Some(FieldType::Table(_)) => !several,
            Some(FieldType::Tables(..)) => several,
            _ => false,
        };
        let listed = fault.problem.ends_with("found a list") && is(&action.fields, false);
        let having = self.list_actions_with_fields(|fields| listed && is(fields, true))?;
        Some(format!("this action takes one table of `{}`; for several {having}", fault.path))
    }

    /// Lists the actions whose fields pass the test, as the end of a sentence.
    fn list_actions_with_fields(&self, such: impl Fn(&Fields) -> bool) -> Option<String> {
        let actions = self.actions.iter().filter(|action| such(&action.fields));
        let names: Vec<String> = actions.map(|action| format!("`{}`", action.name)).collect();
        match names.len() {
            0 => None,
            1 => Some(format!("there is the action {}", names[0])),
            _ => Some(format!("there are the actions {}", join_or(&names))),
        }
    }
}

/// Returns the rulebook's explanation for a name that does not exist.
pub(super) fn find_absence_explanation(absent: &[AbsentName], name: &str) -> Option<String> {
    let wanted = name_matching::name_matching_key(name);
    let absence =
        absent.iter().find(|(known, _)| name_matching::name_matching_key(known) == wanted);
    absence.map(|(_, text)| text.to_string())
}

/// Collects the tables of a contest that have a field called `key`.
fn collect_tables_with_field(fields: &Fields, key: &str, within: &str, owners: &mut Vec<String>) {
    for field in fields.iter().filter(|field| !field.rare) {
        let (FieldType::Table(inner) | FieldType::Tables(inner, _)) = &field.kind else {
            continue;
        };
        if inner.get(key).is_some() {
            owners.push(format!("`{within}{}`", field.name));
        }
        collect_tables_with_field(inner, key, &format!("{within}{}.", field.name), owners);
    }
}
