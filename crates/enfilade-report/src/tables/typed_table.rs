//! Table with typed columns, independent of its file format.

use super::column_values::ColumnValues;

/// A table with typed columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedTable {
    /// Its name, the stem of its files.
    pub name: &'static str,
    /// Its columns.
    pub columns: Vec<TypedColumn>,
}

/// A named column.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedColumn {
    /// Its name, unique in its table.
    pub name: String,
    /// One value per row.
    pub values: ColumnValues,
}

/// Rows from which columns are built, one value per row.
#[derive(Debug)]
pub struct ColumnBuilderFromRows<'a, T>(pub &'a [T]);

impl<T> ColumnBuilderFromRows<'_, T> {
    /// Builds a column of numbers.
    pub fn number_column(&self, name: &str, of: impl Fn(&T) -> Option<f64>) -> TypedColumn {
        let values = ColumnValues::Number(self.0.iter().map(of).collect());
        TypedColumn { name: name.to_owned(), values }
    }

    /// Builds a column of counts.
    pub fn count_column(&self, name: &str, of: impl Fn(&T) -> Option<u64>) -> TypedColumn {
        let values = ColumnValues::Count(self.0.iter().map(of).collect());
        TypedColumn { name: name.to_owned(), values }
    }

    /// Builds a column of texts.
    pub fn text_column(&self, name: &str, of: impl Fn(&T) -> Option<String>) -> TypedColumn {
        let values = ColumnValues::from_optional_words(self.0.iter().map(of));
        TypedColumn { name: name.to_owned(), values }
    }
}

/// The name of the table of constant columns.
pub const CONSTANTS_TABLE_NAME: &str = "constants";

/// The first of the columns that are mostly constant.
pub(super) const FIRST_CONSTANT_COLUMN: &str = "system";

impl TypedTable {
    /// Splits a table of cells into the table without its constant columns, and a table of those:
    /// `column`, `value`. Columns of axes and of results stay even if they are constant; other
    /// tables stay whole.
    pub fn split_off_constant_parameters(mut self) -> (TypedTable, Option<TypedTable>) {
        let Some(first) =
            self.columns.iter().position(|column| column.name == FIRST_CONSTANT_COLUMN)
        else {
            return (self, None);
        };
        let constant_columns = self.columns.split_off(first);
        let (same, differ): (Vec<_>, Vec<_>) = constant_columns
            .into_iter()
            .partition(|column| column.values.constant_value_of_column().is_some());
        self.columns.extend(differ);
        let value = |column: &TypedColumn| column.values.constant_value_of_column().flatten();
        let columns = [
            (
                "column",
                ColumnValues::from_optional_words(
                    same.iter().map(|column| Some(column.name.clone())),
                ),
            ),
            ("value", ColumnValues::from_optional_words(same.iter().map(value))),
        ];
        let columns = columns.map(|(name, values)| TypedColumn { name: name.to_owned(), values });
        (self, Some(TypedTable { name: CONSTANTS_TABLE_NAME, columns: columns.to_vec() }))
    }

    /// Returns the number of rows.
    pub fn row_count(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// Returns the values of the column called `name`; `None` if there is none.
    pub fn column_by_name(&self, name: &str) -> Option<&ColumnValues> {
        let mut columns = self.columns.iter();
        let column = columns.find(|column| column.name == name)?;
        Some(&column.values)
    }
}
