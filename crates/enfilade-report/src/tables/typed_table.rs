//! A table with typed columns, whatever file it goes into.

use super::column_values::Values;

/// A table with typed columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name, the stem of its files.
    pub name: &'static str,
    /// Its columns.
    pub columns: Vec<Column>,
}

/// A named column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name, unique in its table.
    pub name: String,
    /// One value per row.
    pub values: Values,
}

/// Rows from which columns are made, each by what it says of a row.
#[derive(Debug)]
pub struct Rows<'a, T>(pub &'a [T]);

impl<T> Rows<'_, T> {
    /// A column of numbers.
    pub fn number(&self, name: &str, of: impl Fn(&T) -> Option<f64>) -> Column {
        let values = Values::Number(self.0.iter().map(of).collect());
        Column { name: name.to_owned(), values }
    }

    /// A column of counts.
    pub fn count(&self, name: &str, of: impl Fn(&T) -> Option<u64>) -> Column {
        let values = Values::Count(self.0.iter().map(of).collect());
        Column { name: name.to_owned(), values }
    }

    /// A column of texts.
    pub fn text(&self, name: &str, of: impl Fn(&T) -> Option<String>) -> Column {
        let values = Values::words(self.0.iter().map(of));
        Column { name: name.to_owned(), values }
    }
}

/// The table of what is the same in every cell.
pub const CONSTANTS: &str = "constants";

/// The first column of what is mostly the same everywhere.
pub(super) const SYSTEM: &str = "system";

impl Table {
    /// A table of cells without the columns that are the same in every row, and those as a table of their own:
    /// `column`, `value`. What varies by a contest's axes and what came of it stays, whatever it is; other
    /// tables stay whole.
    pub fn parted(mut self) -> (Table, Option<Table>) {
        let Some(first) = self.columns.iter().position(|column| column.name == SYSTEM) else {
            return (self, None);
        };
        let given = self.columns.split_off(first);
        let (same, differ): (Vec<_>, Vec<_>) =
            given.into_iter().partition(|column| column.values.same().is_some());
        self.columns.extend(differ);
        let value = |column: &Column| column.values.same().flatten();
        let columns = [
            ("column", Values::words(same.iter().map(|column| Some(column.name.clone())))),
            ("value", Values::words(same.iter().map(value))),
        ];
        let columns = columns.map(|(name, values)| Column { name: name.to_owned(), values });
        (self, Some(Table { name: CONSTANTS, columns: columns.to_vec() }))
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// The values of the column called `name`; `None` when there is none.
    pub fn column(&self, name: &str) -> Option<&Values> {
        let mut columns = self.columns.iter();
        let column = columns.find(|column| column.name == name)?;
        Some(&column.values)
    }
}
