//! Writer of a table file that grows batch by batch, without memory for all of its rows.

use std::io::Write;
use std::path::PathBuf;

use crate::error::ReportError;
use crate::tables::TypedTable;
use crate::tables::csv::{self, DecimalSign};
#[cfg(feature = "parquet")]
use crate::tables::parquet;
use enfilade_model::error::FileError;

/// The formats of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Comma-separated text.
    Csv(DecimalSign),
    /// Parquet.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// A table file that is being written.
#[derive(Debug)]
pub struct OpenTableFile<W: Write> {
    /// Name in messages.
    path: PathBuf,
    format: OpenTableWriter<W>,
}

#[derive(Debug)]
enum OpenTableWriter<W: Write> {
    Csv(DecimalSign, W),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::ParquetFileWriter<W>>),
}

impl<W: Write> OpenTableFile<W> {
    /// Starts a table with the columns of `empty`, written to `out`, which messages call `path`; a
    /// format with metadata stores `about` in it.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn new(
        kind: TableFormat,
        path: PathBuf,
        empty: &TypedTable,
        mut out: W,
        about: &[(String, String)],
    ) -> Result<OpenTableFile<W>, ReportError> {
        #[cfg(not(feature = "parquet"))]
        let _ = about;
        let format = match kind {
            TableFormat::Csv(decimal) => {
                csv::write_csv_head(empty, decimal, &mut out)
                    .map_err(FileError::io_error_converter("writing", &path))?;
                OpenTableWriter::Csv(decimal, out)
            }
            #[cfg(feature = "parquet")]
            TableFormat::Parquet => OpenTableWriter::Parquet(Box::new(
                parquet::ParquetFileWriter::new(out, empty, about)?,
            )),
        };
        Ok(OpenTableFile { path, format })
    }

    /// Adds rows, which have the same columns.
    ///
    /// # Errors
    /// When the results cannot be written.
    pub fn add_table_rows(&mut self, rows: &TypedTable) -> Result<(), ReportError> {
        match &mut self.format {
            OpenTableWriter::Csv(decimal, out) => Ok(csv::write_csv_rows(rows, *decimal, out)
                .map_err(FileError::io_error_converter("writing", &self.path))?),
            #[cfg(feature = "parquet")]
            OpenTableWriter::Parquet(writer) => writer.add_table_rows(rows),
        }
    }

    /// Finishes the file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish_table_file(self) -> Result<(), ReportError> {
        match self.format {
            OpenTableWriter::Csv(_, mut out) => {
                Ok(out.flush().map_err(FileError::io_error_converter("writing", &self.path))?)
            }
            #[cfg(feature = "parquet")]
            OpenTableWriter::Parquet(writer) => writer.finish_parquet_file(),
        }
    }
}
