//! Descriptions of the expected value of a field, for messages.

use super::field::{ENTRIES, Field, Kind};
use super::name_matching::one_of;

impl Field {
    /// Describes the value to give for a missing field; for tables also the spelling of their
    /// fields.
    pub(super) fn wanted(&self) -> String {
        let expected = self.kind.expected();
        let inner = self.kind.fields().into_iter().flat_map(|fields| fields.iter());
        let inner = inner.filter(|field| !field.rare).take(2);
        let written: Vec<_> =
            inner.map(|field| format!("`{}.{}`", self.name, field.name)).collect();
        match (&self.kind, written.is_empty()) {
            (Kind::Table(_) | Kind::Tables(..), false) => {
                format!("give {expected}: {}, …", written.join(", "))
            }
            _ => format!("give {expected}"),
        }
    }
}

impl Kind {
    /// Describes the values of the type: `a whole number, 0 to 12`.
    pub fn expected(&self) -> String {
        match self {
            Kind::Flag => "true or false".into(),
            Kind::Int(bound) => format!("a whole number, {bound}"),
            Kind::Numbers(numbers) => {
                one_of(&numbers.iter().map(i64::to_string).collect::<Vec<_>>())
            }
            Kind::Fraction(bound) => format!("a number, {bound}, in steps of 1/64"),
            Kind::Die(sides) => expected_die(sides),
            Kind::Choice(words) => {
                let words: Vec<_> = words.iter().map(|w| format!("\"{w}\"")).collect();
                one_of(&words)
            }
            Kind::Name(names) => format!("a name, such as {}", names.some(3)),
            Kind::Text => "a text of at most 200 characters".into(),
            Kind::List(of, many) if *many == ENTRIES => {
                format!("a list, each entry {}", of.expected())
            }
            Kind::List(of, many) => {
                format!("a list with {many} entries, each {}", of.expected())
            }
            Kind::Entries(..) => "a table of names, each true or a whole number".into(),
            Kind::Table(_) => "a table".into(),
            Kind::Tables(_, many) if *many == ENTRIES => "a table, or several".into(),
            Kind::Tables(_, many) => format!("tables, {many} of them"),
            Kind::Row(names, _) => {
                format!("a name, such as {}, or a table of columns", names.some(3))
            }
        }
    }
}

/// Formats `a die: "d6" or "d8"`; of very many dice the first and the last.
fn expected_die(sides: &[u8]) -> String {
    let die = |sides: &u8| format!("\"d{sides}\"");
    match sides {
        [first, .., last] if sides.len() > 12 => {
            format!("a die, {} to {}", die(first), die(last))
        }
        _ => format!("a die: {}", one_of(&sides.iter().map(die).collect::<Vec<_>>())),
    }
}
