//! Minimal contests: required fields only, each with its smallest valid value.

use toml::{Table, Value as Toml};

use super::{DefaultValue, FieldType, Fields};

impl FieldType {
    /// Returns a minimal value of this type: the first name of a list, the least number that is not
    /// negative.
    ///
    /// ```
    /// use enfilade_model::form::FieldType;
    /// assert_eq!(FieldType::Flag.smallest_valid_value().as_bool(), Some(true));
    /// ```
    pub fn smallest_valid_value(&self) -> Toml {
        let first = |text: Option<&str>| Toml::from(text.unwrap_or_default());
        match self {
            FieldType::Flag => Toml::from(true),
            FieldType::Int(bound) | FieldType::Fraction(bound) => {
                Toml::from(bound.low.max(0).min(bound.high))
            }
            FieldType::Numbers(numbers) => Toml::from(numbers.first().copied().unwrap_or_default()),
            FieldType::Die(sides) => {
                Toml::from(format!("d{}", sides.first().copied().unwrap_or(6)))
            }
            FieldType::Choice(words) => first(words.get(0)),
            FieldType::Name(names) | FieldType::Row(names, _) => {
                first(names.name_list().iter().next())
            }
            FieldType::Text => Toml::from("…"),
            FieldType::List(of, many) => {
                vec![of.smallest_valid_value(); many.low.max(1) as usize].into()
            }
            FieldType::Entries(names, _) => vec![first(names.name_list().iter().next())].into(),
            FieldType::Table(fields) => Toml::Table(fields.smallest_valid_table()),
            FieldType::Tables(fields, many) => {
                vec![Toml::Table(fields.smallest_valid_table()); many.low.max(1) as usize].into()
            }
        }
    }
}

impl Fields {
    /// Returns a table with the required fields only, each with a
    /// [minimal](FieldType::smallest_valid_value) value.
    pub fn smallest_valid_table(&self) -> Table {
        let required = self.iter().filter(|field| matches!(field.preset, DefaultValue::Required));
        required.map(|field| (field.name.to_string(), field.kind.smallest_valid_value())).collect()
    }
}
