//! Built-in tables: tab-separated files, columns by name.
//!
//! `#` lines are remarks, the first other line names the columns. Each rulebook reads its own
//! tables once; a row that does not fit is an error with its file and line, and no contest is
//! built.

use std::fmt;

use enfilade_model::catalogue::PrintedDataTable;

/// Row that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct TsvDataError {
    /// Path of the file in the project.
    pub file: &'static str,
    /// Line, from 1.
    pub line: usize,
    /// Mistake in the row.
    pub problem: String,
}

/// File of named columns.
#[derive(Debug)]
pub struct TsvTable {
    file: &'static str,
    head: Vec<&'static str>,
    rows: Vec<(usize, Vec<&'static str>)>,
}

/// Row of a [`TsvTable`].
#[derive(Clone, Copy, Debug)]
pub struct TsvRow<'a> {
    sheet: &'a TsvTable,
    line: usize,
    cells: &'a [&'static str],
}

impl TsvTable {
    /// Splits `text`, the contents of `file`, into rows.
    ///
    /// # Errors
    /// A row with more or fewer cells than there are columns, or no columns at all.
    pub fn from_tsv_text(file: &'static str, text: &'static str) -> Result<TsvTable, TsvDataError> {
        let numbered = text.lines().enumerate().map(|(i, line)| (i + 1, line));
        let mut lines = numbered
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
            .map(|(line, text)| (line, text.split('\t').map(str::trim).collect::<Vec<_>>()));
        let problem = "there is no line that names the columns".to_owned();
        let (_, head) = lines.next().ok_or(TsvDataError { file, line: 1, problem })?;
        let rows: Vec<_> = lines.collect();
        let sheet = TsvTable { file, head, rows };
        for (line, cells) in &sheet.rows {
            if cells.len() != sheet.head.len() {
                let (cell_count, wanted) = (cells.len(), sheet.head.len());
                return Err(
                    sheet.error_at_line(*line, format!("{cell_count} cells for {wanted} columns"))
                );
            }
        }
        Ok(sheet)
    }

    /// Returns the column heads.
    pub fn column_heads(&self) -> &[&'static str] {
        &self.head
    }

    /// Returns the rows.
    pub fn iter(&self) -> impl Iterator<Item = TsvRow<'_>> {
        self.rows.iter().map(|(line, cells)| TsvRow { sheet: self, line: *line, cells })
    }

    /// Reads every row with `read`.
    ///
    /// # Errors
    /// The first row that cannot be read.
    pub fn read_each_row<T>(
        &self,
        read: impl Fn(TsvRow<'_>) -> Result<T, TsvDataError>,
    ) -> Result<Vec<T>, TsvDataError> {
        self.iter().map(read).collect()
    }

    /// Returns the table as users see it, under a name.
    pub fn to_data_table(&self, name: &'static str) -> PrintedDataTable {
        let owned = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        let rows = self.rows.iter().map(|(_, cells)| owned(cells));
        PrintedDataTable { name: name.into(), columns: owned(&self.head), rows: rows.collect() }
    }

    fn error_at_line(&self, line: usize, problem: String) -> TsvDataError {
        TsvDataError { file: self.file, line, problem }
    }
}

impl<'a> TsvRow<'a> {
    /// Returns the cells in order.
    pub fn cells_in_order(&self) -> &'a [&'static str] {
        self.cells
    }

    /// Returns the cell under `column`.
    ///
    /// # Errors
    /// If the file has no such column.
    pub fn text_in_column(&self, column: &str) -> Result<&'static str, TsvDataError> {
        let place = self.sheet.head.iter().position(|head| *head == column);
        place
            .map(|place| self.cells[place])
            .ok_or_else(|| self.error_at_row(format!("there is no column `{column}`")))
    }

    /// Returns the cell under `column`, which is a name.
    ///
    /// # Errors
    /// If the cell is empty, or the file has no such column.
    pub fn name_in_column(&self, column: &str) -> Result<&'static str, TsvDataError> {
        match self.text_in_column(column)? {
            "" => Err(self.error_at_row("a name is missing")),
            name => Ok(name),
        }
    }

    /// Returns the cell under `column` as an owned text.
    ///
    /// # Errors
    /// If the file has no such column.
    pub fn owned_text_in_column(&self, column: &str) -> Result<String, TsvDataError> {
        self.text_in_column(column).map(str::to_owned)
    }

    /// Parses the cell under `column` with `parse`.
    ///
    /// # Errors
    /// The fault that `parse` finds, in one sentence.
    pub fn parse_cell_with<T>(
        &self,
        column: &str,
        parse: impl FnOnce(&'static str) -> Result<T, String>,
    ) -> Result<T, TsvDataError> {
        parse(self.text_in_column(column)?).map_err(|problem| self.error_at_row(problem))
    }

    /// Parses the cell under `column` as a number, `None` if it is `nothing`.
    ///
    /// # Errors
    /// As for [`number_in_column`](TsvRow::number_in_column).
    pub fn number_or_none_mark<T: std::str::FromStr>(
        &self,
        nothing: &str,
        column: &str,
    ) -> Result<Option<T>, TsvDataError> {
        let text = self.text_in_column(column)?;
        (text != nothing).then(|| self.parse_cell_number(text, column)).transpose()
    }

    /// Returns the cell under `column`, `None` if it is one of the marks for "none".
    ///
    /// # Errors
    /// If the file has no such column.
    pub fn text_or_none_mark(&self, column: &str) -> Result<Option<&'static str>, TsvDataError> {
        let text = self.text_in_column(column)?;
        Ok((!matches!(text, "-" | "?" | "n/a")).then_some(text))
    }

    /// Parses the cell under `column` as a whole number, with or without a `+`.
    ///
    /// # Errors
    /// If the cell is not a number in the range of `T`.
    pub fn number_in_column<T: std::str::FromStr>(&self, column: &str) -> Result<T, TsvDataError> {
        let text = self.text_in_column(column)?;
        self.parse_cell_number(text, column)
    }

    /// Parses a number that may be missing or not established.
    ///
    /// # Errors
    /// As for [`number_in_column`](TsvRow::number_in_column), for any cell but the marks for
    /// "none".
    pub fn number_if_known<T: std::str::FromStr>(
        &self,
        column: &str,
    ) -> Result<Option<T>, TsvDataError> {
        let text = self.text_or_none_mark(column)?;
        text.map(|text| self.parse_cell_number(text, column)).transpose()
    }

    /// Parses the cell under `column` as 1 for yes, 0 or ? for no.
    ///
    /// # Errors
    /// If the cell is none of these.
    pub fn flag_with_unknown_as_false(&self, column: &str) -> Result<bool, TsvDataError> {
        match self.text_in_column(column)? {
            "1" => Ok(true),
            "0" | "?" => Ok(false),
            other => Err(self.error_at_row(format!("`{column}` is 0, 1 or ?, not `{other}`"))),
        }
    }

    /// Returns the line, from 1.
    pub fn line_number(&self) -> usize {
        self.line
    }

    /// Creates an error for this row.
    pub fn error_at_row(&self, problem: impl fmt::Display) -> TsvDataError {
        self.sheet.error_at_line(self.line, problem.to_string())
    }

    fn parse_cell_number<T: std::str::FromStr>(
        &self,
        text: &str,
        column: &str,
    ) -> Result<T, TsvDataError> {
        let number = text.trim_start_matches('+').parse();
        number.map_err(|_| self.error_at_row(format!("`{column}` is a number, not `{text}`")))
    }
}

/// Declares rows of a [`TsvTable`], each a struct: a cell has its help, its type, and the
/// expression that reads it from the record.
macro_rules! rows {
    ($(
        $(#[$outer:meta])*
        $visible:vis struct $row:ident($record:ident) {$(
            $(#[doc = $about:literal])+
            $cell:ident: $type:ty = $read:expr;
        )+}
    )+) => {$(
        $(#[$outer])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        $visible struct $row {$(
            $(#[doc = $about])+
            pub $cell: $type,
        )+}

        impl $row {
            /// Reads the struct from a record.
            ///
            /// # Errors
            /// The first cell that cannot be read.
            pub fn read(
                $record: $crate::tsv::TsvRow<'_>,
            ) -> Result<$row, $crate::tsv::TsvDataError> {
                Ok($row { $($cell: $read,)+ })
            }
        }
    )+};
}

/// Implements the reading of a field whose value is a name of the data. The form has checked the
/// name.
macro_rules! by_name {
    ($($printed:ty: $find:expr;)+) => {$(
        impl enfilade_model::form::field_macros::FieldValueType for $printed {
            const STORABLE_VALUES: enfilade_model::form::field_macros::ValuesTypeCanStore = enfilade_model::form::field_macros::ValuesTypeCanStore {
                holds: enfilade_model::form::field_macros::AcceptedValues::Name,
                absent: false,
            };

            fn convert_from_value(value: Option<&enfilade_model::form::Value>) -> Option<Self> {
                let Some(enfilade_model::form::Value::Text(name)) = value else { return None };
                $find(name)
            }
        }
    )+};
}

/// Parses a file of `data/` as a [`TsvTable`].
macro_rules! sheet {
    ($name:literal) => {
        $crate::tsv::TsvTable::from_tsv_text(
            concat!("data/", $name),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/", $name)),
        )
    };
}
pub(crate) use {by_name, rows, sheet};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_file_and_line() {
        let ragged = TsvTable::from_tsv_text("data/x.tsv", "# source\na\tb\n1\t2\n3\n");
        let fault = ragged.expect_err("the last row lacks a cell");
        assert_eq!(fault.to_string(), "data/x.tsv:4: 1 cells for 2 columns");
        let sheet =
            TsvTable::from_tsv_text("data/x.tsv", "a\tb\n1\t+2\n\n3\tx\n").expect("two full rows");
        let fault = sheet.read_each_row(|row| row.number_in_column::<i8>("b"));
        assert_eq!(
            fault.expect_err("x is no number").to_string(),
            "data/x.tsv:4: `b` is a number, not `x`"
        );
        assert!(TsvTable::from_tsv_text("data/x.tsv", "# nothing\n").is_err());
    }
}
