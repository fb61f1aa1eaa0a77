//! Writer of a table file that grows batch by batch, without memory for all of its rows.

use std::io::Write;
use std::path::PathBuf;

use crate::error::ReportError;
use crate::tables::TypedTable;
use crate::tables::csv::{self, DecimalMark};
#[cfg(feature = "parquet")]
use crate::tables::parquet;
use enfilade_model::error::FileError;

/// The formats of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFileFormat {
    /// Comma-separated text.
    Csv(DecimalMark),
    /// Parquet.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// A table file that is being written.
#[derive(Debug)]
pub struct TableFile<W: Write> {
    /// Name in messages.
    path: PathBuf,
    format: OpenTable<W>,
}

#[derive(Debug)]
enum OpenTable<W: Write> {
    Csv(DecimalMark, W),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::ParquetFile<W>>),
}

impl<W: Write> TableFile<W> {
    /// Starts a table with the columns of `empty`, written to `out`, which messages call `path`; a
    /// format with metadata stores `about` in it.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn new(
        kind: TableFileFormat,
        path: PathBuf,
        empty: &TypedTable,
        mut out: W,
        about: &[(String, String)],
    ) -> Result<TableFile<W>, ReportError> {
        #[cfg(not(feature = "parquet"))]
        let _ = about;
        let format = match kind {
            TableFileFormat::Csv(decimal) => {
                csv::write_head(empty, decimal, &mut out)
                    .map_err(FileError::map_io("writing", &path))?;
                OpenTable::Csv(decimal, out)
            }
            #[cfg(feature = "parquet")]
            TableFileFormat::Parquet => {
                OpenTable::Parquet(Box::new(parquet::ParquetFile::new(out, empty, about)?))
            }
        };
        Ok(TableFile { path, format })
    }

    /// Adds rows, which have the same columns.
    ///
    /// # Errors
    /// When the results cannot be written.
    pub fn add_rows(&mut self, rows: &TypedTable) -> Result<(), ReportError> {
        match &mut self.format {
            OpenTable::Csv(decimal, out) => Ok(csv::write_rows(rows, *decimal, out)
                .map_err(FileError::map_io("writing", &self.path))?),
            #[cfg(feature = "parquet")]
            OpenTable::Parquet(writer) => writer.add_rows(rows),
        }
    }

    /// Finishes the file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(self) -> Result<(), ReportError> {
        match self.format {
            OpenTable::Csv(_, mut out) => {
                Ok(out.flush().map_err(FileError::map_io("writing", &self.path))?)
            }
            #[cfg(feature = "parquet")]
            OpenTable::Parquet(writer) => writer.finish(),
        }
    }
}
