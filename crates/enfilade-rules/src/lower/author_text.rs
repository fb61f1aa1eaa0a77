//! Values of a contest formatted for people, and the sentences of an author: `{u.name} breaks`.

use super::lowering::Lowering;
use super::name_scopes::Scopes;
use crate::resolve::game::TopLevelMeaning;
use crate::syntax::ast::TextTemplate;
use crate::value_types::{ContestValue, ScalarType};

impl<'g> Lowering<'g> {
    /// Checks the values in the sentence of a condition.
    pub(crate) fn check_values_in_sentence(&mut self, sentence: &'g TextTemplate) {
        for value in sentence.iter().filter_map(|(_, value)| value.as_ref()) {
            let Some(path) = value.as_path() else {
                self.check_no_dice(value, "check");
                self.lower_to_number_register(value, ScalarType::Number);
                continue;
            };
            let first = path.split('.').next().unwrap_or_default();
            match self.scopes.game.names.get(first) {
                Some(TopLevelMeaning::Field(at)) => drop(self.scopes.read.insert(*at)),
                _ if self.scopes.find_own_field(first).is_some() => {}
                _ => drop(self.report_unknown_name(first, &value.span)),
            }
        }
    }

    /// Fills the sentence of a condition with its values: fields formatted for people, and computed
    /// numbers.
    pub(crate) fn fill_in_values(&mut self, sentence: &'g TextTemplate) -> String {
        let mut said = String::new();
        for (text, value) in sentence {
            said.push_str(text);
            let Some(value) = value else { continue };
            said.push_str(&match value.as_path() {
                Some(path) => self.scopes.field_value_for_people(&path),
                None => {
                    let number = self.evaluate_diceless_number(value, ScalarType::Number);
                    number.map_or_else(|why| why, |number| number.to_string())
                }
            });
        }
        said
    }
}

impl<'g> Scopes<'g> {
    /// Formats a field for people, by its name or its path.
    fn field_value_for_people(&self, path: &str) -> String {
        let mut parts = path.split('.');
        let first = parts.next().unwrap_or_default();
        let own = self.own_fields.iter().rev().find(|(own, ..)| *own == first);
        let mut field_text = match (own, self.game.names.get(first)) {
            (Some((_, fixed, _)), _) => Some(fixed.clone()),
            (None, Some(TopLevelMeaning::Field(at))) => {
                self.fields[*at].as_ref().map(|(fixed, _)| fixed.clone())
            }
            _ => None,
        };
        for part in parts {
            field_text =
                field_text.and_then(|fixed| self.game.find_member_of_value(&fixed, part).cloned());
        }
        let field_text = field_text.map(|fixed| self.format_value_or_member(&fixed, ""));
        field_text.unwrap_or_else(|| format!("{{{path}}}"))
    }

    /// Formats a value of the contest for people, or the member of it with this name.
    pub(super) fn format_value_or_member(&self, fixed: &ContestValue, name: &str) -> String {
        match fixed {
            ContestValue::Record(record) if name.is_empty() || name == "name" => {
                match record.name.is_empty() {
                    true => self.game.records[record.record].name.replace('_', " "),
                    false => record.name.to_string(),
                }
            }
            ContestValue::Number(range) => self.game.value_for_people(range.kind, range.lo),
            ContestValue::Row(row) => self.game.value_for_people(row.place.kind, row.place.lo),
            _ => match self.game.find_member_of_value(fixed, name) {
                Some(inner) => self.format_value_or_member(inner, ""),
                None => format!("{{{name}}}"),
            },
        }
    }
}
