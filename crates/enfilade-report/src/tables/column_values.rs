//! Values of a typed column, and how values are added to them.

use std::borrow::Cow;

use enfilade_model::form::Value;
use enfilade_model::shared::Text;

/// The values of a column; `None` is null.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
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
pub(super) enum Datum<'a> {
    Count(Option<u64>),
    Whole(Option<i64>),
    Number(Option<f64>),
    Flag(Option<bool>),
    Text(Option<Cow<'a, str>>),
}

pub(super) fn datum(value: &Value) -> Datum<'_> {
    match value {
        Value::Flag(on) => Datum::Flag(Some(*on)),
        Value::Int(n) => Datum::Whole(Some(*n)),
        Value::Fraction(parts) => Datum::Number(Some(*parts as f64 / 64.0)),
        Value::Text(text) => Datum::Text(Some(Cow::Borrowed(text))),
        other => Datum::Text(Some(Cow::Owned(other.to_string()))),
    }
}

impl<'a> Datum<'a> {
    /// Returns an empty column of this type, with room for this many rows.
    pub(super) fn column(&self, rows: usize) -> Values {
        match self {
            Datum::Count(_) => Values::Count(Vec::with_capacity(rows)),
            Datum::Whole(_) => Values::Whole(Vec::with_capacity(rows)),
            Datum::Number(_) => Values::Number(Vec::with_capacity(rows)),
            Datum::Flag(_) => Values::Flag(Vec::with_capacity(rows)),
            Datum::Text(_) => Values::Text(Vec::with_capacity(rows)),
        }
    }

    fn text(self) -> Option<Cow<'a, str>> {
        let shown = match self {
            Datum::Count(n) => n.map(|n| n.to_string()),
            Datum::Whole(n) => n.map(|n| n.to_string()),
            Datum::Number(x) => x.map(|x| x.to_string()),
            Datum::Flag(on) => on.map(|on| on.to_string()),
            Datum::Text(text) => return text,
        };
        shown.map(Cow::Owned)
    }
}

impl Values {
    /// Returns a column of words.
    pub fn words<T: Into<Text>>(words: impl Iterator<Item = Option<T>>) -> Values {
        Values::Text(words.map(|word| word.map(Into::into)).collect())
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match self {
            Values::Count(all) => all.len(),
            Values::Whole(all) => all.len(),
            Values::Number(all) => all.len(),
            Values::Flag(all) => all.len(),
            Values::Text(all) => all.len(),
        }
    }

    /// Returns the value that every row has, as a text, with `None` for null; `None` if rows differ
    /// or there is none.
    pub fn same(&self) -> Option<Option<Text>> {
        let texts = self.texts();
        let first = texts.first()?;
        texts.iter().all(|text| text == first).then(|| first.clone())
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a value fits the type of the column.
    pub(super) fn takes(&self, datum: &Datum<'_>) -> bool {
        matches!(
            (self, datum),
            (Values::Count(_), Datum::Count(_))
                | (Values::Whole(_), Datum::Whole(_))
                | (Values::Number(_), Datum::Number(_) | Datum::Whole(_))
                | (Values::Flag(_), Datum::Flag(_))
                | (Values::Text(_), _)
        )
    }

    /// Returns a column of the same type without values.
    #[cfg(feature = "parquet")]
    pub(crate) fn emptied(&self) -> Values {
        match self {
            Values::Count(_) => Values::Count(Vec::new()),
            Values::Whole(_) => Values::Whole(Vec::new()),
            Values::Number(_) => Values::Number(Vec::new()),
            Values::Flag(_) => Values::Flag(Vec::new()),
            Values::Text(_) => Values::Text(Vec::new()),
        }
    }

    /// Appends values of the same type and returns true; leaves the column unchanged and returns
    /// false for another type.
    #[cfg(feature = "parquet")]
    pub(crate) fn append(&mut self, more: &Values) -> bool {
        match (self, more) {
            (Values::Count(all), Values::Count(more)) => all.extend_from_slice(more),
            (Values::Whole(all), Values::Whole(more)) => all.extend_from_slice(more),
            (Values::Number(all), Values::Number(more)) => all.extend_from_slice(more),
            (Values::Flag(all), Values::Flag(more)) => all.extend_from_slice(more),
            (Values::Text(all), Values::Text(more)) => all.extend_from_slice(more),
            _ => return false,
        }
        true
    }

    /// Takes the values out; the empty column keeps its capacity.
    pub(super) fn taken(&mut self) -> Values {
        let empty = match self {
            Values::Count(all) => Values::Count(Vec::with_capacity(all.len())),
            Values::Whole(all) => Values::Whole(Vec::with_capacity(all.len())),
            Values::Number(all) => Values::Number(Vec::with_capacity(all.len())),
            Values::Flag(all) => Values::Flag(Vec::with_capacity(all.len())),
            Values::Text(all) => Values::Text(Vec::with_capacity(all.len())),
        };
        std::mem::replace(self, empty)
    }

    /// Appends nulls up to `rows` rows.
    pub(super) fn pad(&mut self, rows: usize) {
        match self {
            Values::Count(all) => all.resize(rows, None),
            Values::Whole(all) => all.resize(rows, None),
            Values::Number(all) => all.resize(rows, None),
            Values::Flag(all) => all.resize(rows, None),
            Values::Text(all) => all.resize(rows, None),
        }
    }

    /// Appends one row. If contests use one name for different types, whole numbers and numbers
    /// become numbers, and everything else becomes text.
    pub(super) fn push(&mut self, datum: Datum<'_>) {
        match (&mut *self, datum) {
            (Values::Count(all), Datum::Count(n)) => all.push(n),
            (Values::Whole(all), Datum::Whole(n)) => all.push(n),
            (Values::Number(all), Datum::Number(x)) => all.push(x),
            (Values::Number(all), Datum::Whole(n)) => all.push(n.map(|n| n as f64)),
            (Values::Flag(all), Datum::Flag(on)) => all.push(on),
            (Values::Text(all), datum) => add_text(all, datum),
            (Values::Whole(all), Datum::Number(x)) => {
                let mut numbers: Vec<_> = all.iter().map(|n| n.map(|n| n as f64)).collect();
                numbers.push(x);
                *self = Values::Number(numbers);
            }
            (_, datum) => {
                let mut texts = self.texts();
                add_text(&mut texts, datum);
                *self = Values::Text(texts);
            }
        }
    }

    fn texts(&self) -> Vec<Option<Text>> {
        fn shown<T: ToString>(all: &[Option<T>]) -> Vec<Option<Text>> {
            all.iter().map(|one| one.as_ref().map(|one| Text::from(one.to_string()))).collect()
        }
        match self {
            Values::Count(all) => shown(all),
            Values::Whole(all) => shown(all),
            Values::Number(all) => shown(all),
            Values::Flag(all) => shown(all),
            Values::Text(all) => all.clone(),
        }
    }
}

fn add_text(all: &mut Vec<Option<Text>>, datum: Datum<'_>) {
    let text = datum.text().map(|text| match all.last() {
        Some(Some(last)) if **last == *text => last.clone(),
        _ => Text::from(text.into_owned()),
    });
    all.push(text);
}
