//! Table with typed columns, independent of its file format.

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

/// Rows from which columns are built, one value per row.
#[derive(Debug)]
pub struct Rows<'a, T>(pub &'a [T]);

impl<T> Rows<'_, T> {
    /// Builds a column of numbers.
    pub fn number(&self, name: &str, of: impl Fn(&T) -> Option<f64>) -> Column {
        let values = Values::Number(self.0.iter().map(of).collect());
        Column { name: name.to_owned(), values }
    }

    /// Builds a column of counts.
    pub fn count(&self, name: &str, of: impl Fn(&T) -> Option<u64>) -> Column {
        let values = Values::Count(self.0.iter().map(of).collect());
        Column { name: name.to_owned(), values }
    }

    /// Builds a column of texts.
    pub fn text(&self, name: &str, of: impl Fn(&T) -> Option<String>) -> Column {
        let values = Values::words(self.0.iter().map(of));
        Column { name: name.to_owned(), values }
    }
}

/// The name of the table of constant columns.
pub const CONSTANTS: &str = "constants";

/// The first of the columns that are mostly constant.
pub(super) const SYSTEM: &str = "system";

impl Table {
    /// Splits a table of cells into the table without its constant columns, and a table of those:
    /// `column`, `value`. Columns of axes and of results stay even if they are constant; other
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

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// Returns the values of the column called `name`; `None` if there is none.
    pub fn column(&self, name: &str) -> Option<&Values> {
        let mut columns = self.columns.iter();
        let column = columns.find(|column| column.name == name)?;
        Some(&column.values)
    }
}
