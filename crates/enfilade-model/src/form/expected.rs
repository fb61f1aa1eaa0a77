//! Descriptions of the expected value of a field, for messages.

use super::field::{ENTRY_COUNT_RANGE, Field, FieldType};
use super::name_matching::join_or;

impl Field {
    /// Describes the value to give for a missing field; for tables also the spelling of their
    /// fields.
    pub(super) fn describe_expected_value(&self) -> String {
        let expected = self.kind.describe_accepted_values();
        let inner = self.kind.table_fields().into_iter().flat_map(|fields| fields.iter());
        let inner = inner.filter(|field| !field.rare).take(2);
        let written: Vec<_> =
            inner.map(|field| format!("`{}.{}`", self.name, field.name)).collect();
        match (&self.kind, written.is_empty()) {
            (FieldType::Table(_) | FieldType::Tables(..), false) => {
                format!("give {expected}: {}, …", written.join(", "))
            }
            _ => format!("give {expected}"),
        }
    }
}

impl FieldType {
    /// Describes the values of the type: `a whole number, 0 to 12`.
    pub fn describe_accepted_values(&self) -> String {
        match self {
            FieldType::Flag => "true or false".into(),
            FieldType::Int(bound) => format!("a whole number, {bound}"),
            FieldType::Numbers(numbers) => {
                join_or(&numbers.iter().map(i64::to_string).collect::<Vec<_>>())
            }
            FieldType::Fraction(bound) => format!("a number, {bound}, in steps of 1/64"),
            FieldType::Die(sides) => describe_die_choices(sides),
            FieldType::Choice(words) => {
                let words: Vec<_> = words.iter().map(|w| format!("\"{w}\"")).collect();
                join_or(&words)
            }
            FieldType::Name(names) => format!("a name, such as {}", names.format_first_names(3)),
            FieldType::Text => "a text of at most 200 characters".into(),
            FieldType::List(of, many) if *many == ENTRY_COUNT_RANGE => {
                format!("a list, each entry {}", of.describe_accepted_values())
            }
            FieldType::List(of, many) => {
                format!("a list with {many} entries, each {}", of.describe_accepted_values())
            }
            FieldType::Entries(..) => "a table of names, each true or a whole number".into(),
            FieldType::Table(_) => "a table".into(),
            FieldType::Tables(_, many) if *many == ENTRY_COUNT_RANGE => {
                "a table, or several".into()
            }
            FieldType::Tables(_, many) => format!("tables, {many} of them"),
            FieldType::Row(names, _) => {
                format!("a name, such as {}, or a table of columns", names.format_first_names(3))
            }
        }
    }
}

/// Formats `a die: "d6" or "d8"`; of very many dice the first and the last.
fn describe_die_choices(sides: &[u8]) -> String {
    let die = |sides: &u8| format!("\"d{sides}\"");
    match sides {
        [first, .., last] if sides.len() > 12 => {
            format!("a die, {} to {}", die(first), die(last))
        }
        _ => format!("a die: {}", join_or(&sides.iter().map(die).collect::<Vec<_>>())),
    }
}
