//! Minimal contests: required fields only, each with its smallest valid value.

use toml::{Table, Value as Toml};

use super::{Fields, Kind, Preset};

impl Kind {
    /// Returns a minimal value of this type: the first name of a list, the least number that is not
    /// negative.
    ///
    /// ```
    /// use enfilade_model::form::Kind;
    /// assert_eq!(Kind::Flag.plain().as_bool(), Some(true));
    /// ```
    pub fn plain(&self) -> Toml {
        let first = |text: Option<&str>| Toml::from(text.unwrap_or_default());
        match self {
            Kind::Flag => Toml::from(true),
            Kind::Int(bound) | Kind::Fraction(bound) => {
                Toml::from(bound.low.max(0).min(bound.high))
            }
            Kind::Numbers(numbers) => Toml::from(numbers.first().copied().unwrap_or_default()),
            Kind::Die(sides) => Toml::from(format!("d{}", sides.first().copied().unwrap_or(6))),
            Kind::Choice(words) => first(words.get(0)),
            Kind::Name(names) | Kind::Row(names, _) => first(names.list().iter().next()),
            Kind::Text => Toml::from("…"),
            Kind::List(of, many) => vec![of.plain(); many.low.max(1) as usize].into(),
            Kind::Entries(names, _) => vec![first(names.list().iter().next())].into(),
            Kind::Table(fields) => Toml::Table(fields.plain()),
            Kind::Tables(fields, many) => {
                vec![Toml::Table(fields.plain()); many.low.max(1) as usize].into()
            }
        }
    }
}

impl Fields {
    /// Returns a table with the required fields only, each with a [minimal](Kind::plain) value.
    pub fn plain(&self) -> Table {
        let required = self.iter().filter(|field| matches!(field.preset, Preset::Required));
        required.map(|field| (field.name.to_string(), field.kind.plain())).collect()
    }
}
