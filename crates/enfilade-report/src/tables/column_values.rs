//! Values of a typed column, and how values are added to them.

use std::borrow::Cow;

use enfilade_model::form::Value;
use enfilade_model::static_or_shared::Text;

/// The values of a column; `None` is null.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValues {
    /// Counts and seeds.
    Count(Vec<Option<u64>>),
    /// Whole numbers with a sign.
    Whole(Vec<Option<i64>>),
    /// Numbers.
    Number(Vec<Option<f64>>),
    /// Yes or no.
    Flag(Vec<Option<bool>>),
    /// Words; consecutive equal rows share them.
    Text(Vec<Option<Text>>),
}

/// One value, with a type even when it is null.
pub(super) enum ColumnValue<'a> {
    Count(Option<u64>),
    Whole(Option<i64>),
    Number(Option<f64>),
    Flag(Option<bool>),
    Text(Option<Cow<'a, str>>),
}

pub(super) fn to_column_value(value: &Value) -> ColumnValue<'_> {
    match value {
        Value::Flag(on) => ColumnValue::Flag(Some(*on)),
        Value::Int(n) => ColumnValue::Whole(Some(*n)),
        Value::Fraction(parts) => ColumnValue::Number(Some(*parts as f64 / 64.0)),
        Value::Text(text) => ColumnValue::Text(Some(Cow::Borrowed(text))),
        other => ColumnValue::Text(Some(Cow::Owned(other.to_string()))),
    }
}

impl<'a> ColumnValue<'a> {
    /// Returns an empty column of this type, with room for this many rows.
    pub(super) fn empty_column_of_type(&self, rows: usize) -> ColumnValues {
        match self {
            ColumnValue::Count(_) => ColumnValues::Count(Vec::with_capacity(rows)),
            ColumnValue::Whole(_) => ColumnValues::Whole(Vec::with_capacity(rows)),
            ColumnValue::Number(_) => ColumnValues::Number(Vec::with_capacity(rows)),
            ColumnValue::Flag(_) => ColumnValues::Flag(Vec::with_capacity(rows)),
            ColumnValue::Text(_) => ColumnValues::Text(Vec::with_capacity(rows)),
        }
    }

    fn convert_to_text_unless_null(self) -> Option<Cow<'a, str>> {
        let shown = match self {
            ColumnValue::Count(n) => n.map(|n| n.to_string()),
            ColumnValue::Whole(n) => n.map(|n| n.to_string()),
            ColumnValue::Number(x) => x.map(|x| x.to_string()),
            ColumnValue::Flag(on) => on.map(|on| on.to_string()),
            ColumnValue::Text(text) => return text,
        };
        shown.map(Cow::Owned)
    }
}

impl ColumnValues {
    /// Returns a column of words.
    pub fn from_optional_words<T: Into<Text>>(
        words: impl Iterator<Item = Option<T>>,
    ) -> ColumnValues {
        ColumnValues::Text(words.map(|word| word.map(Into::into)).collect())
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match self {
            ColumnValues::Count(all) => all.len(),
            ColumnValues::Whole(all) => all.len(),
            ColumnValues::Number(all) => all.len(),
            ColumnValues::Flag(all) => all.len(),
            ColumnValues::Text(all) => all.len(),
        }
    }

    /// Returns the value that every row has, as a text, with `None` for null; `None` if rows differ
    /// or there is none.
    pub fn constant_value_of_column(&self) -> Option<Option<Text>> {
        let texts = self.to_texts();
        let first = texts.first()?;
        texts.iter().all(|text| text == first).then(|| first.clone())
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a value fits the type of the column.
    pub(super) fn accepts_value(&self, datum: &ColumnValue<'_>) -> bool {
        matches!(
            (self, datum),
            (ColumnValues::Count(_), ColumnValue::Count(_))
                | (ColumnValues::Whole(_), ColumnValue::Whole(_))
                | (ColumnValues::Number(_), ColumnValue::Number(_) | ColumnValue::Whole(_))
                | (ColumnValues::Flag(_), ColumnValue::Flag(_))
                | (ColumnValues::Text(_), _)
        )
    }

    /// Returns a column of the same type without values.
    #[cfg(feature = "parquet")]
    pub(crate) fn to_empty_column(&self) -> ColumnValues {
        match self {
            ColumnValues::Count(_) => ColumnValues::Count(Vec::new()),
            ColumnValues::Whole(_) => ColumnValues::Whole(Vec::new()),
            ColumnValues::Number(_) => ColumnValues::Number(Vec::new()),
            ColumnValues::Flag(_) => ColumnValues::Flag(Vec::new()),
            ColumnValues::Text(_) => ColumnValues::Text(Vec::new()),
        }
    }

    /// Appends values of the same type and returns true; leaves the column unchanged and returns
    /// false for another type.
    #[cfg(feature = "parquet")]
    pub(crate) fn append_if_same_type(&mut self, more: &ColumnValues) -> bool {
        match (self, more) {
            (ColumnValues::Count(all), ColumnValues::Count(more)) => all.extend_from_slice(more),
            (ColumnValues::Whole(all), ColumnValues::Whole(more)) => all.extend_from_slice(more),
            (ColumnValues::Number(all), ColumnValues::Number(more)) => all.extend_from_slice(more),
            (ColumnValues::Flag(all), ColumnValues::Flag(more)) => all.extend_from_slice(more),
            (ColumnValues::Text(all), ColumnValues::Text(more)) => all.extend_from_slice(more),
            _ => return false,
        }
        true
    }

    /// Takes the values out; the empty column keeps its capacity.
    pub(super) fn take_all_values(&mut self) -> ColumnValues {
        let empty = match self {
            ColumnValues::Count(all) => ColumnValues::Count(Vec::with_capacity(all.len())),
            ColumnValues::Whole(all) => ColumnValues::Whole(Vec::with_capacity(all.len())),
            ColumnValues::Number(all) => ColumnValues::Number(Vec::with_capacity(all.len())),
            ColumnValues::Flag(all) => ColumnValues::Flag(Vec::with_capacity(all.len())),
            ColumnValues::Text(all) => ColumnValues::Text(Vec::with_capacity(all.len())),
        };
        std::mem::replace(self, empty)
    }

    /// Appends nulls up to `rows` rows.
    pub(super) fn pad_with_nulls(&mut self, rows: usize) {
        match self {
            ColumnValues::Count(all) => all.resize(rows, None),
            ColumnValues::Whole(all) => all.resize(rows, None),
            ColumnValues::Number(all) => all.resize(rows, None),
            ColumnValues::Flag(all) => all.resize(rows, None),
            ColumnValues::Text(all) => all.resize(rows, None),
        }
    }

    /// Appends one row. If contests use one name for different types, whole numbers and numbers
    /// become numbers, and everything else becomes text.
    pub(super) fn push_widening_type(&mut self, datum: ColumnValue<'_>) {
        match (&mut *self, datum) {
            (ColumnValues::Count(all), ColumnValue::Count(n)) => all.push(n),
            (ColumnValues::Whole(all), ColumnValue::Whole(n)) => all.push(n),
            (ColumnValues::Number(all), ColumnValue::Number(x)) => all.push(x),
            (ColumnValues::Number(all), ColumnValue::Whole(n)) => all.push(n.map(|n| n as f64)),
            (ColumnValues::Flag(all), ColumnValue::Flag(on)) => all.push(on),
            (ColumnValues::Text(all), datum) => push_to_text_column(all, datum),
            (ColumnValues::Whole(all), ColumnValue::Number(x)) => {
                let mut numbers: Vec<_> = all.iter().map(|n| n.map(|n| n as f64)).collect();
                numbers.push(x);
                *self = ColumnValues::Number(numbers);
            }
            (_, datum) => {
                let mut texts = self.to_texts();
                push_to_text_column(&mut texts, datum);
                *self = ColumnValues::Text(texts);
            }
        }
    }

    fn to_texts(&self) -> Vec<Option<Text>> {
        fn texts_of_options<T: ToString>(all: &[Option<T>]) -> Vec<Option<Text>> {
            all.iter().map(|one| one.as_ref().map(|one| Text::from(one.to_string()))).collect()
        }
        match self {
            ColumnValues::Count(all) => texts_of_options(all),
            ColumnValues::Whole(all) => texts_of_options(all),
            ColumnValues::Number(all) => texts_of_options(all),
            ColumnValues::Flag(all) => texts_of_options(all),
            ColumnValues::Text(all) => all.clone(),
        }
    }
}

fn push_to_text_column(all: &mut Vec<Option<Text>>, datum: ColumnValue<'_>) {
    let text = datum.convert_to_text_unless_null().map(|text| match all.last() {
        Some(Some(last)) if **last == *text => last.clone(),
        _ => Text::from(text.into_owned()),
    });
    all.push(text);
}
