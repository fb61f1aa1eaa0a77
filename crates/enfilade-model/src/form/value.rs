//! Checked values, and tables of them.

use std::fmt;
use std::sync::Arc;

use crate::static_or_shared::Text;

/// Checked value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Switch.
    Flag(bool),
    /// Whole number.
    Int(i64),
    /// Number of 64ths.
    Fraction(i64),
    /// Number of sides of a die.
    Die(u8),
    /// Word, name or text.
    Text(String),
    /// List of values.
    List(Vec<Value>),
    /// Names with their numbers, in the order of the file.
    Entries(Vec<(String, i64)>),
    /// Table.
    Table(Form),
    /// Several tables.
    Tables(Vec<Form>),
}

impl Value {
    /// Shares the forms in this value [with](Form::share_values_with) those in `other`.
    fn share_forms_with(&self, other: &Value) -> Value {
        match (self, other) {
            (Value::Table(own), Value::Table(other)) => {
                Value::Table(own.clone().share_values_with(other))
            }
            (Value::Tables(own), Value::Tables(others)) => {
                let together = own.iter().enumerate();
                let form = |(place, own): (usize, &Form)| match others.get(place) {
                    Some(other) => own.clone().share_values_with(other),
                    None => own.clone(),
                };
                Value::Tables(together.map(form).collect())
            }
            _ => self.clone(),
        }
    }
}

/// Converts a value to the form that a file has.
impl From<&Value> for toml::Value {
    fn from(value: &Value) -> toml::Value {
        match value {
            Value::Flag(on) => (*on).into(),
            Value::Int(n) => (*n).into(),
            Value::Fraction(parts) => (*parts as f64 / 64.0).into(),
            Value::Text(text) => text.clone().into(),
            Value::Die(_) => value.to_string().into(),
            Value::Entries(entries) => {
                let entries = entries.iter().map(|(name, n)| (name.to_string(), (*n).into()));
                toml::Value::Table(entries.collect())
            }
            Value::List(values) => {
                toml::Value::Array(values.iter().map(toml::Value::from).collect())
            }
            Value::Table(form) => form.into(),
            Value::Tables(forms) => {
                toml::Value::Array(forms.iter().map(toml::Value::from).collect())
            }
        }
    }
}

impl From<&Form> for toml::Value {
    fn from(form: &Form) -> toml::Value {
        let entries = form.fields_with_values();
        let entries = entries.map(|(name, value)| (name.to_string(), toml::Value::from(value)));
        toml::Value::Table(entries.collect())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Flag(on) => write!(f, "{on}"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Fraction(parts) => write!(f, "{}", *parts as f64 / 64.0),
            Value::Die(sides) => write!(f, "d{sides}"),
            Value::Text(text) => write!(f, "{text}"),
            Value::List(values) => write_comma_separated(f, values.iter()),
            Value::Entries(entries) => {
                write_comma_separated(f, entries.iter().map(|(name, n)| format!("{name} {n:+}")))
            }
            Value::Table(form) => write!(f, "{form}"),
            Value::Tables(forms) => write_comma_separated(f, forms.iter()),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_comma_separated(
            f,
            self.fields_with_values().map(|(name, value)| format!("{name} {value}")),
        )
    }
}

fn write_comma_separated(
    f: &mut fmt::Formatter<'_>,
    items: impl Iterator<Item = impl fmt::Display>,
) -> fmt::Result {
    for (i, item) in items.enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

/// Table that passed the checks: every field that has a value, with defaults, in the order in which
/// the action declares them.
///
/// Reading a field by a name or as a type that the action did not declare is a mistake in the
/// program, not in the input, and panics. So every accessor panics in that case.
///
/// The forms of one grid differ in a few fields; [`share_values_with`](Form::share_values_with)
/// stores their common values once, and a clone shares everything.
#[derive(Clone, Debug, Default)]
pub struct Form {
    common: Arc<[(Text, Value)]>,
    /// Values that replace common ones, by index in `common`, ascending.
    replaced: Arc<[(usize, Value)]>,
    axes: NumbersVaryingInGrid,
}

/// Numbers in which forms of a grid differ: the field of the contest, and the last name on the path
/// to each.
#[doc(hidden)]
pub type NumbersVaryingInGrid = Arc<[(Text, Text)]>;

impl PartialEq for Form {
    fn eq(&self, other: &Form) -> bool {
        self.fields_with_values().eq(other.fields_with_values())
    }
}

macro_rules! reader {
    ($(#[$doc:meta])* $read:ident, $maybe:ident, $variant:ident, $type:ty, $convert:expr) => {
        $(#[$doc])*
        pub fn $read(&self, name: &str) -> $type {
            self.$maybe(name).unwrap_or_else(|| panic_on_undeclared(name, stringify!($variant)))
        }

        /// Returns the value, or `None` if the field has none.
        pub fn $maybe(&self, name: &str) -> Option<$type> {
            match self.get(name)? {
                Value::$variant(value) => Some($convert(value)),
                _ => panic_on_undeclared(name, stringify!($variant)),
            }
        }
    };
}

/// Panics: a rule reads a field that is not declared as this type.
pub(super) fn panic_on_undeclared<T>(name: &str, kind: &str) -> T {
    panic!("`{name}` is not declared as a {kind} with a value")
}

impl Form {
    #[doc(hidden)]
    pub fn from_checked_entries<N: Into<Text>>(entries: Vec<(N, Value)>) -> Self {
        let entries = entries.into_iter();
        Form {
            common: entries.map(|(name, value)| (name.into(), value)).collect(),
            replaced: Arc::default(),
            axes: Arc::default(),
        }
    }

    /// Shares common values with `other`, so that they are stored once. Forms with different fields
    /// share nothing.
    pub fn share_values_with(self, other: &Form) -> Form {
        if Arc::ptr_eq(&self.common, &other.common) {
            return self;
        }
        let names = other.fields_with_values().map(|(name, _)| name);
        if !self.fields_with_values().map(|(name, _)| name).eq(names) {
            return self;
        }
        let places = other.common.iter().zip(self.fields_with_values()).enumerate();
        let own = places.filter(|(_, ((_, common), (_, value)))| common != *value);
        let own =
            own.map(|(place, ((_, common), (_, value)))| (place, value.share_forms_with(common)));
        Form { replaced: own.collect(), common: Arc::clone(&other.common), axes: self.axes }
    }

    /// Records the axes of the grid to which the form belongs. Only the sharing between forms of a
    /// grid depends on them.
    #[doc(hidden)]
    pub fn with_grid_axes(self, axes: &NumbersVaryingInGrid) -> Form {
        Form { axes: Arc::clone(axes), ..self }
    }

    /// Returns the axes of the grid.
    #[doc(hidden)]
    pub fn grid_axes(&self) -> &[(Text, Text)] {
        &self.axes
    }

    /// Returns this form with other values in some of its fields, sharing the rest; `None` if one
    /// of the fields is missing.
    pub(super) fn with_replaced_values(&self, values: Vec<(&str, Value)>) -> Option<Form> {
        let mut own = Vec::with_capacity(values.len());
        for (name, value) in values {
            let place = self.index_of_field(name)?;
            let common = &self.common[place].1;
            if value != *common {
                own.push((place, value.share_forms_with(common)));
            }
        }
        let axes = Arc::clone(&self.axes);
        Some(Form { common: Arc::clone(&self.common), replaced: own.into(), axes })
    }

    /// Returns the pairs of values in which two forms may differ, if they share the other values.
    pub fn value_pairs_that_may_differ<'a>(
        &'a self,
        other: &'a Form,
    ) -> Option<impl Iterator<Item = (&'a Value, &'a Value)>> {
        let places = self.replaced.iter().chain(other.replaced.iter()).map(|(place, _)| *place);
        let both = places.map(|place| (self.value_at_index(place), other.value_at_index(place)));
        Arc::ptr_eq(&self.common, &other.common).then_some(both)
    }

    fn value_at_index(&self, place: usize) -> &Value {
        self.replaced_value_at_index(place).unwrap_or(&self.common[place].1)
    }

    /// Returns the fields that have a value, in declared order.
    pub fn fields_with_values(&self) -> impl Iterator<Item = (&Text, &Value)> {
        let entries = self.common.iter().enumerate();
        entries.map(|(place, (name, common))| {
            (name, self.replaced_value_at_index(place).unwrap_or(common))
        })
    }

    fn replaced_value_at_index(&self, place: usize) -> Option<&Value> {
        let own = self.replaced.iter().find(|(own, _)| *own == place)?;
        Some(&own.1)
    }

    /// Returns the value of a field, if it has one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        Some(self.value_at_index(self.index_of_field(name)?))
    }

    fn index_of_field(&self, name: &str) -> Option<usize> {
        self.common.iter().position(|(n, _)| *n == name)
    }

    /// Returns the table that contains the field with this path, such as `target[0].morale`, and
    /// the field's name in the table. A list without an index means its first entry.
    pub fn find_table_with_field<'p>(&self, path: &'p str) -> Option<(&Form, &'p str)> {
        let Some((outer, inner)) = path.split_once('.') else {
            return Some((self, path));
        };
        let (name, entry) = outer.split_once('[').unwrap_or((outer, "0]"));
        let form = match self.get(name)? {
            Value::Table(form) => form,
            Value::Tables(forms) => forms.get(entry.strip_suffix(']')?.parse::<usize>().ok()?)?,
            _ => return None,
        };
        form.find_table_with_field(inner)
    }

    /// Returns whether the field has a value.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    reader!(
        /// Returns the value of a switch.
        flag, maybe_flag, Flag, bool, |v: &bool| *v
    );
    reader!(
        /// Returns a whole number.
        int, maybe_int, Int, i64, |v: &i64| *v
    );
    reader!(
        /// Returns a number of 64ths.
        fraction, maybe_fraction, Fraction, i64, |v: &i64| *v
    );
    reader!(
        /// Returns the number of sides of a die.
        die, maybe_die, Die, u8, |v: &u8| *v
    );

    /// Returns a word, a built-in name as the data prints it, or a text.
    pub fn text_of_field(&self, name: &str) -> &str {
        self.optional_text(name).unwrap_or_else(|| panic_on_undeclared(name, "Text"))
    }

    /// Returns the text, or `None` if the field has none.
    pub fn optional_text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Value::Text(text) => Some(text),
            _ => panic_on_undeclared(name, "Text"),
        }
    }

    /// Returns the values of a list; none if it is absent.
    pub fn list_of_field(&self, name: &str) -> &[Value] {
        match self.get(name) {
            None => &[],
            Some(Value::List(values)) => values,
            Some(_) => panic_on_undeclared(name, "List"),
        }
    }

    /// Returns names with their numbers; none if absent.
    pub fn name_number_pairs(&self, name: &str) -> &[(String, i64)] {
        match self.get(name) {
            None => &[],
            Some(Value::Entries(entries)) => entries,
            Some(_) => panic_on_undeclared(name, "Entries"),
        }
    }

    /// Returns a table, if it is present.
    pub fn table_if_present(&self, name: &str) -> Option<&Form> {
        match self.get(name)? {
            Value::Table(form) => Some(form),
            _ => panic_on_undeclared(name, "Table"),
        }
    }

    /// Returns several tables; none if absent.
    pub fn tables_of_field(&self, name: &str) -> &[Form] {
        match self.get(name) {
            None => &[],
            Some(Value::Tables(forms)) => forms,
            Some(_) => panic_on_undeclared(name, "Tables"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(fp: i64, morale: i64) -> Form {
        let target = Form::from_checked_entries(vec![
            ("unit", Value::Text("4-4-7".into())),
            ("morale", Value::Int(morale)),
        ]);
        let targets = Value::Tables(vec![target.clone(), target]);
        Form::from_checked_entries(vec![
            ("fp", Value::Int(fp)),
            ("drm", Value::Int(0)),
            ("target", targets),
        ])
    }

    #[test]
    fn forms_beside_each_other_hold_only_what_differs() {
        let first = form(4, 7);
        let other = form(8, 6).share_values_with(&first);
        assert_eq!(other, form(8, 6));
        assert_eq!((other.int("fp"), other.int("drm")), (8, 0));
        assert_eq!(other.to_string(), form(8, 6).to_string());
        assert!(Arc::ptr_eq(&first.common, &other.common));
        assert_eq!(other.replaced.len(), 2);
        let (there, here) =
            (&first.tables_of_field("target")[1], &other.tables_of_field("target")[1]);
        assert!(Arc::ptr_eq(&there.common, &here.common));
        assert_eq!((here.int("morale"), here.replaced.len()), (6, 1));
        // Shared with a form that shares with another.
        let third = form(4, 6).share_values_with(&other);
        assert_eq!(third, form(4, 6));
        assert_eq!(third.replaced.len(), 1);
    }

    #[test]
    fn forms_of_other_fields_have_nothing_in_common() {
        let alone = Form::from_checked_entries(vec![("fp", Value::Int(4))]);
        let other = alone.clone().share_values_with(&form(4, 7));
        assert_eq!(other, alone);
        assert!(Arc::ptr_eq(&alone.common, &other.common));
        assert_ne!(alone, form(4, 7));
    }
}
