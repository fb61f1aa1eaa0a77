//! Values of a contest formatted for people, and the sentences of an author: `{u.name} breaks`.

use super::lowering::Lowering;
use super::scopes::Scopes;
use crate::resolve::game::Top;
use crate::syntax::ast::Sentence;
use crate::types::{Fixed, Kind};

impl<'g> Lowering<'g> {
    /// Checks the values in the sentence of a condition.
    pub(crate) fn check_sentence(&mut self, sentence: &'g Sentence) {
        for value in sentence.iter().filter_map(|(_, value)| value.as_ref()) {
            let Some(path) = value.path() else {
                self.no_dice_in(value, "check");
                self.number_of(value, Kind::Number);
                continue;
            };
            let first = path.split('.').next().unwrap_or_default();
            match self.scopes.game.names.get(first) {
                Some(Top::Field(at)) => drop(self.scopes.read.insert(*at)),
                _ if self.scopes.local(first).is_some()
                    || self.scopes.own_field(first).is_some() => {}
                _ => drop(self.unknown(first, &value.span)),
            }
        }
    }

    /// Fills the sentence of a condition with its values: fields formatted for people, and computed
    /// numbers.
    pub(crate) fn filled(&mut self, sentence: &'g Sentence) -> String {
        let mut said = String::new();
        for (text, value) in sentence {
            said.push_str(text);
            let Some(value) = value else { continue };
            said.push_str(&match value.path() {
                Some(path) => self.scopes.shown(&path),
                None => {
                    let number = self.reckoned(value, Kind::Number);
                    number.map_or_else(|why| why, |number| number.to_string())
                }
            });
        }
        said
    }
}

impl<'g> Scopes<'g> {
    /// Formats a field for people, by its name or its path.
    fn shown(&self, path: &str) -> String {
        let mut parts = path.split('.');
        let first = parts.next().unwrap_or_default();
        let own = self.own.iter().rev().find(|(own, ..)| *own == first);
        let mut found = match (own, self.game.names.get(first)) {
            (Some((_, fixed, _)), _) => Some(fixed.clone()),
            (None, Some(Top::Field(at))) => {
                self.fields[*at].as_ref().map(|(fixed, _)| fixed.clone())
            }
            _ => None,
        };
        for part in parts {
            found = found.and_then(|fixed| self.game.inside(&fixed, part).cloned());
        }
        let found = found.map(|fixed| self.shown_of(&fixed, ""));
        found.unwrap_or_else(|| format!("{{{path}}}"))
    }

    /// Formats a value of the contest for people, or the member of it with this name.
    pub(super) fn shown_of(&self, fixed: &Fixed, name: &str) -> String {
        match fixed {
            Fixed::Record(record) if name.is_empty() || name == "name" => {
                match record.name.is_empty() {
                    true => self.game.records[record.of].name.replace('_', " "),
                    false => record.name.to_string(),
                }
            }
            Fixed::Number(range) if name.is_empty() => self.game.shown(range.kind, range.lo),
            Fixed::Row(row) if name.is_empty() || name == "name" => {
                self.game.shown(row.place.kind, row.place.lo)
            }
            _ => match self.game.inside(fixed, name) {
                Some(inner) => self.shown_of(inner, ""),
                None => format!("{{{name}}}"),
            },
        }
    }
}
