//! Writer of a table file that grows batch by batch, without memory for all of its rows.

use std::io::Write;
use std::path::PathBuf;

use crate::tables::Table;
use crate::tables::csv::{self, Decimal};
#[cfg(feature = "parquet")]
use crate::tables::parquet;
use enfilade_model::error::Error;

/// The formats of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Comma-separated text.
    Csv(Decimal),
    /// Parquet.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// A table file that is being written.
#[derive(Debug)]
pub struct Sheet<W: Write> {
    /// Name in messages.
    path: PathBuf,
    format: Format<W>,
}

#[derive(Debug)]
enum Format<W: Write> {
    Csv(Decimal, W),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::Writer<W>>),
}

impl<W: Write> Sheet<W> {
    /// Starts a table with the columns of `empty`, written to `out`, which messages call `path`; a
    /// format with metadata stores `about` in it.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn new(
        kind: Kind,
        path: PathBuf,
        empty: &Table,
        mut out: W,
        about: &[(String, String)],
    ) -> Result<Sheet<W>, Error> {
        #[cfg(not(feature = "parquet"))]
        let _ = about;
        let format = match kind {
            Kind::Csv(decimal) => {
                csv::write_head(empty, decimal, &mut out).map_err(Error::io("writing", &path))?;
                Format::Csv(decimal, out)
            }
            #[cfg(feature = "parquet")]
            Kind::Parquet => Format::Parquet(Box::new(parquet::Writer::new(out, empty, about)?)),
        };
        Ok(Sheet { path, format })
    }

    /// Adds rows, which have the same columns.
    ///
    /// # Errors
    /// When the results cannot be written.
    pub fn add(&mut self, rows: &Table) -> Result<(), Error> {
        match &mut self.format {
            Format::Csv(decimal, out) => {
                csv::write_rows(rows, *decimal, out).map_err(Error::io("writing", &self.path))
            }
            #[cfg(feature = "parquet")]
            Format::Parquet(writer) => writer.add(rows),
        }
    }

    /// Finishes the file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(self) -> Result<(), Error> {
        match self.format {
            Format::Csv(_, mut out) => out.flush().map_err(Error::io("writing", &self.path)),
            #[cfg(feature = "parquet")]
            Format::Parquet(writer) => writer.finish(),
        }
    }
}
