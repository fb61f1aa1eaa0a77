//! The typed tables as Parquet files, with polars.
//!
//! Counts are UInt64, whole numbers Int64, numbers Float64; what a row lacks is null. Version,
//! stream version and seed stand in the file's key-value metadata. One file is one row group per
//! 262 144 rows, compressed with Zstandard.

use std::borrow::Borrow;
use std::io::{self, Write};

use polars::io::mmap::MmapBytesReader;
use polars::prelude::*;

use super::columns::{self, Values};
use crate::error::Error;

/// Rows of a group of a table that is written in batches: enough that what a group says of itself weighs
/// nothing, and few enough to be kept until it is full.
const GROUP: usize = 1 << 16;

/// A table as a Parquet file.
///
/// # Errors
/// When it cannot be encoded.
pub fn bytes(table: columns::Table, metadata: &[(String, String)]) -> Result<Vec<u8>, Error> {
    let (mut bytes, name) = (Vec::new(), table.name);
    let written = frame(table.columns.into_iter())
        .and_then(|mut frame| writer(&mut bytes, metadata).finish(&mut frame));
    written.map_err(encoding(name))?;
    Ok(bytes)
}

/// A writer of the library. Column after column: its own pool of threads, whose number a variable of the
/// environment may set to anything, is not started for tables of a few megabytes.
fn writer<W: Write>(out: W, metadata: &[(String, String)]) -> ParquetWriter<W> {
    let metadata = KeyValueMetadata::from_static(metadata.to_vec());
    ParquetWriter::new(out).set_parallel(false).with_key_value_metadata(Some(metadata))
}

fn decoding(error: PolarsError) -> Error {
    Error::Output { what: "decoding".to_owned(), why: error.to_string() }
}

fn encoding(name: &str) -> impl Fn(PolarsError) -> Error {
    move |error| Error::Output { what: format!("encoding {name}.parquet"), why: error.to_string() }
}

/// A Parquet file that grows batch by batch.
pub struct Writer<W: Write> {
    writer: BatchedWriter<Patient<W>>,
    waiting: Option<DataFrame>,
    name: &'static str,
}

impl<W: Write> std::fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl<W: Write> Writer<W> {
    /// A file with the columns of `empty`.
    ///
    /// # Errors
    /// When it cannot be begun.
    pub fn new(
        out: W,
        empty: &columns::Table,
        metadata: &[(String, String)],
    ) -> Result<Writer<W>, Error> {
        let name = empty.name;
        let begun = frame(empty.columns.iter())
            .and_then(|frame| writer(Patient(out), metadata).batched(frame.schema()));
        Ok(Writer { writer: begun.map_err(encoding(name))?, waiting: None, name })
    }

    /// Adds rows, which have the same columns.
    ///
    /// # Errors
    /// When they cannot be encoded or written.
    pub fn add(&mut self, table: &columns::Table) -> Result<(), Error> {
        let grown = frame(table.columns.iter()).and_then(|frame| match &mut self.waiting {
            Some(waiting) => waiting.vstack_mut(&frame).map(drop),
            waiting => {
                *waiting = Some(frame);
                Ok(())
            }
        });
        grown.map_err(encoding(self.name))?;
        match &self.waiting {
            Some(waiting) if waiting.height() >= GROUP => self.end_group(),
            _ => Ok(()),
        }
    }

    /// Ends a group of rows, if one was begun.
    ///
    /// # Errors
    /// When it cannot be encoded or written.
    pub fn end_group(&mut self) -> Result<(), Error> {
        let Some(mut waiting) = self.waiting.take() else {
            return Ok(());
        };
        waiting.rechunk_mut();
        self.writer.write_batch(&waiting).map_err(encoding(self.name))
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<(), Error> {
        self.end_group()?;
        self.writer.finish().map(drop).map_err(encoding(self.name))
    }
}

/// The writer of the library gives up when a write is interrupted by a signal; this one goes on.
struct Patient<W>(W);

impl<W: Write> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return other,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Columns as the library holds them. One that is given is given up as soon as it has been taken over: a
/// large table does not stand in memory twice.
fn frame(columns: impl Iterator<Item = impl Borrow<columns::Column>>) -> PolarsResult<DataFrame> {
    let taken = |column: &columns::Column| series(&column.name, &column.values).into_column();
    let columns = columns.map(|column| taken(column.borrow()));
    DataFrame::new_infer_height(columns.collect())
}

fn series(name: &str, values: &Values) -> Series {
    let name = PlSmallStr::from(name);
    match values {
        Values::Count(all) => Series::new(name, all),
        Values::Whole(all) => Series::new(name, all),
        Values::Number(all) => Series::new(name, all),
        Values::Flag(all) => Series::new(name, all),
        Values::Text(all) => {
            let texts = all.iter().map(|text| text.as_deref());
            StringChunked::from_iter_options(name, texts).into_series()
        }
    }
}

/// The table in a Parquet file, for checking what was written.
///
/// # Errors
/// When it cannot be decoded.
pub fn read(bytes: &[u8]) -> Result<columns::Table, Error> {
    read_rows(bytes, (0, usize::MAX))
}

/// Rows of a table: the first, and how many.
pub type Rows = (usize, usize);

/// What a file says of itself: keys and values.
pub type About = Vec<(String, String)>;

/// The groups of rows of a Parquet file, each as its first row and how many it has, and what the file says
/// of itself.
///
/// # Errors
/// When it is none.
pub fn groups(file: impl MmapBytesReader) -> Result<(Vec<Rows>, About), Error> {
    let mut reader = ParquetReader::new(file);
    let metadata = reader.get_metadata().map_err(decoding)?;
    let mut first = 0;
    let groups = metadata.row_groups.iter().map(|group| {
        let rows = group.num_rows();
        first += rows;
        (first - rows, rows)
    });
    let groups = groups.collect();
    let said = metadata.key_value_metadata().iter().flatten();
    let said = said.filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?)));
    Ok((groups, said.collect()))
}

/// So many rows of a Parquet file from a first one.
///
/// # Errors
/// When they cannot be decoded.
pub fn read_rows(bytes: &[u8], rows: Rows) -> Result<columns::Table, Error> {
    let reader = ParquetReader::new(io::Cursor::new(bytes)).with_slice(Some(rows));
    let frame = reader.read_parallel(ParallelStrategy::None).finish().map_err(decoding)?;
    let column = |column: &polars::prelude::Column| columns::Column {
        name: column.name().to_string(),
        values: values(column.as_materialized_series()),
    };
    Ok(columns::Table { name: "", columns: frame.columns().iter().map(column).collect() })
}

/// The values of a series; those of a type that is never written are missing.
fn values(series: &Series) -> Values {
    let typed = "the type is the one just matched";
    match series.dtype() {
        DataType::UInt64 => Values::Count(series.u64().expect(typed).iter().collect()),
        DataType::Int64 => Values::Whole(series.i64().expect(typed).iter().collect()),
        DataType::Float64 => Values::Number(series.f64().expect(typed).iter().collect()),
        DataType::Boolean => Values::Flag(series.bool().expect(typed).iter().collect()),
        DataType::String => {
            let texts = series.str().expect(typed).iter();
            Values::words(texts.map(|text| text.map(str::to_owned)))
        }
        _ => Values::Text(vec![None; series.len()]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::columns::Table;
    use crate::report::fixture;

    fn assert_read_back(table: &Table) {
        let read = read(&bytes(table.clone(), &[]).expect("encoded")).expect("decoded");
        assert_eq!(read.columns, table.columns);
    }

    #[test]
    fn every_value_is_read_back() {
        for answers in [fixture::grid(), fixture::exact_only(), fixture::played(), Vec::new()] {
            for table in [columns::cells(&answers), columns::outcomes(&answers)] {
                assert_read_back(&table);
            }
        }
    }

    #[test]
    fn extreme_values_are_read_back() {
        let columns = [
            ("count", Values::Count(vec![Some(u64::MAX), None, Some(0)])),
            ("whole", Values::Whole(vec![Some(i64::MIN), Some(i64::MAX), None])),
            ("number", Values::Number(vec![Some(5e-324), Some(f64::MAX), Some(f64::INFINITY)])),
            ("text", Values::words([Some(""), None, Some("Füsilier, \"4-4-7\"\n")].into_iter())),
            ("nulls", Values::Flag(vec![None, None, None])),
        ];
        let columns = columns.map(|(name, values)| columns::Column { name: name.into(), values });
        let table = Table { name: "extremes", columns: columns.to_vec() };
        assert_read_back(&table);
    }

    #[test]
    fn the_same_table_makes_the_same_bytes_and_carries_its_metadata() {
        let table = columns::cells(&fixture::grid());
        let metadata = [("enfilade".to_owned(), "0.1.0".to_owned())];
        let made = [(), ()].map(|()| bytes(table.clone(), &metadata).expect("encoded"));
        assert_eq!(made[0], made[1]);
        let mut reader = ParquetReader::new(std::io::Cursor::new(&made[0]));
        let found = reader.get_metadata().expect("it is Parquet").key_value_metadata();
        let found = found.as_ref().expect("there is metadata").iter();
        let found: Vec<_> = found.filter(|pair| pair.key == "enfilade").collect();
        assert_eq!(found[0].value.as_deref(), Some("0.1.0"));
    }
}
