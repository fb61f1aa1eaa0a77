//! Typed tables as Parquet files, with Polars' own Parquet crate and no data frame.
//!
//! Counts are UInt64, whole numbers Int64, numbers Float64; a missing value is null. Version,
//! stream version and seed are in the file's key-value metadata. A table that is written whole has
//! one row group per 262 144 rows; pages are compressed with Zstandard.

mod decode;
mod encode;
mod hybrid_packing;

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use polars_arrow::datatypes::{ArrowDataType, ArrowSchema, Field};
use polars_parquet::parquet::error::ParquetError;
use polars_parquet::parquet::write::{FileWriter, WriteOptions};
use polars_parquet::read::{self, FileMetadata, PageReader};
use polars_parquet::write::{
    self, CompressionOptions, Compressor, DynIter, DynStreamingIterator, KeyValue, Version,
};

use crate::error::{OutputEncodeError, ReportError};
use crate::tables::{self, ColumnValues};

/// Rows in a group of a table that is written in batches: enough that the description of a group is
/// negligible, and few enough to wait in memory until the group is full.
const BATCH_GROUP_ROWS: usize = 1 << 16;

/// Rows in a group of a table that is written at once.
const WHOLE_TABLE_GROUP_ROWS: usize = 1 << 18;

/// Every group states its smallest and greatest values.
const PARQUET_WRITE_OPTIONS: WriteOptions =
    WriteOptions { write_statistics: true, version: Version::V1 };

/// Returns a table as a Parquet file.
///
/// # Errors
/// When the table cannot be encoded.
pub fn table_to_parquet(
    table: tables::TypedTable,
    metadata: &[(String, String)],
) -> Result<Vec<u8>, ReportError> {
    let mut bytes = Vec::new();
    let mut writer = ParquetFileWriter::new(&mut bytes, &table, metadata)?;
    let rows = table.row_count();
    let groups = (rows / WHOLE_TABLE_GROUP_ROWS).max(1);
    for group in 0..groups {
        let first = group * (rows / groups);
        let end = if group + 1 == groups { rows } else { first + rows / groups };
        writer.write_row_group(&table, first..end)?;
    }
    writer.finish_parquet_file()?;
    Ok(bytes)
}

fn decoding_error(error: impl ToString) -> ReportError {
    OutputEncodeError { what: "decoding".to_owned(), why: error.to_string() }.into()
}

fn map_encoding_error_of_table<E: ToString>(name: &str) -> impl Fn(E) -> ReportError {
    move |error| {
        OutputEncodeError { what: format!("encoding {name}.parquet"), why: error.to_string() }
            .into()
    }
}

/// A Parquet file that grows batch by batch.
pub struct ParquetFileWriter<W: Write> {
    file: FileWriter<InterruptRetryingWriter<W>>,
    metadata: Vec<KeyValue>,
    /// Rows that wait to be written.
    waiting: tables::TypedTable,
}

impl<W: Write> std::fmt::Debug for ParquetFileWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl<W: Write> ParquetFileWriter<W> {
    /// Begins a file with the columns of `table`, whose rows are not written.
    ///
    /// # Errors
    /// When the columns cannot be described in Parquet.
    pub fn new(
        out: W,
        table: &tables::TypedTable,
        metadata: &[(String, String)],
    ) -> Result<ParquetFileWriter<W>, ReportError> {
        let fields = table.columns.iter().map(|column| {
            let name = column.name.as_str();
            (name.into(), Field::new(name.into(), arrow_type(&column.values), true))
        });
        let schema: ArrowSchema = fields.collect();
        let arrow = write::schema_to_metadata_key(&schema);
        let pair = |(key, value): &(String, String)| KeyValue {
            key: key.clone(),
            value: Some(value.clone()),
        };
        let metadata = std::iter::once(arrow).chain(metadata.iter().map(pair)).collect();
        let schema =
            write::to_parquet_schema(&schema).map_err(map_encoding_error_of_table(table.name))?;
        let by = Some(concat!("enfilade ", env!("CARGO_PKG_VERSION")).to_owned());
        let file = FileWriter::new(InterruptRetryingWriter(out), schema, PARQUET_WRITE_OPTIONS, by);
        Ok(ParquetFileWriter { file, metadata, waiting: without_rows(table) })
    }

    /// Adds rows, which have the same columns.
    ///
    /// # Errors
    /// When they cannot be encoded or written.
    pub fn add_table_rows(&mut self, table: &tables::TypedTable) -> Result<(), ReportError> {
        let mut pairs = self.waiting.columns.iter_mut().zip(&table.columns);
        if !pairs.all(|(all, more)| all.values.append_if_same_type(&more.values)) {
            return Err(map_encoding_error_of_table(table.name)("a batch has other columns"));
        }
        match self.waiting.row_count() {
            BATCH_GROUP_ROWS.. => self.end_row_group(),
            _ => Ok(()),
        }
    }

    /// Writes the waiting rows as a group.
    ///
    /// # Errors
    /// When they cannot be encoded or written.
    pub fn end_row_group(&mut self) -> Result<(), ReportError> {
        let empty = without_rows(&self.waiting);
        let table = std::mem::replace(&mut self.waiting, empty);
        self.write_row_group(&table, 0..table.row_count())
    }

    fn write_row_group(
        &mut self,
        table: &tables::TypedTable,
        rows: Range<usize>,
    ) -> Result<(), ReportError> {
        if rows.is_empty() {
            return Ok(());
        }
        let kinds = self.file.schema().columns().iter();
        let kinds: Vec<_> = kinds.map(|one| one.descriptor.primitive_type.clone()).collect();
        let written = |(column, kind): (&tables::TypedColumn, _)| {
            let pages = encode::encode_rows_as_pages(&column.values, rows.clone(), kind)?
                .into_iter()
                .map(Ok);
            let packed = Compressor::new(pages, CompressionOptions::Zstd(None), Vec::new());
            Ok(DynStreamingIterator::new(packed))
        };
        // Columns are encoded one after the other, so that never all pages are in memory.
        let columns = table.columns.iter().zip(&kinds).map(written);
        let group = DynIter::new(columns);
        self.file
            .write::<ParquetError>(rows.len() as u64, group)
            .map_err(map_encoding_error_of_table(table.name))
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish_parquet_file(mut self) -> Result<(), ReportError> {
        self.end_row_group()?;
        self.file
            .end(Some(self.metadata))
            .map(drop)
            .map_err(map_encoding_error_of_table(self.waiting.name))
    }
}

fn without_rows(table: &tables::TypedTable) -> tables::TypedTable {
    let column = |one: &tables::TypedColumn| tables::TypedColumn {
        name: one.name.clone(),
        values: one.values.to_empty_column(),
    };
    tables::TypedTable { name: table.name, columns: table.columns.iter().map(column).collect() }
}

/// A writer that repeats a write interrupted by a signal, where the library would give up.
struct InterruptRetryingWriter<W>(W);

impl<W: Write> Write for InterruptRetryingWriter<W> {
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

/// Returns the library's type of a column.
fn arrow_type(values: &ColumnValues) -> ArrowDataType {
    match values {
        ColumnValues::Count(_) => ArrowDataType::UInt64,
        ColumnValues::Whole(_) => ArrowDataType::Int64,
        ColumnValues::Number(_) => ArrowDataType::Float64,
        ColumnValues::Flag(_) => ArrowDataType::Boolean,
        ColumnValues::Text(_) => ArrowDataType::Utf8View,
    }
}

/// Key-value pairs of a file's metadata.
pub type ParquetKeyValuePairs = Vec<(String, String)>;

/// A Parquet file that is read group by group.
pub struct ParquetFileReader<R> {
    metadata: FileMetadata,
    /// Bytes of the file.
    length: u64,
    source: R,
}

impl<R> std::fmt::Debug for ParquetFileReader<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableReader").finish_non_exhaustive()
    }
}

impl<R: Read + Seek> ParquetFileReader<R> {
    /// Reads the metadata of a file, and none of its rows.
    ///
    /// # Errors
    /// When the file is not Parquet.
    pub fn new(mut source: R) -> Result<ParquetFileReader<R>, ReportError> {
        let length = source.seek(SeekFrom::End(0)).map_err(decoding_error)?;
        let metadata = read::read_metadata(&mut source).map_err(decoding_error)?;
        Ok(ParquetFileReader { metadata, length, source })
    }

    /// Returns the number of groups of rows.
    pub fn row_group_count(&self) -> usize {
        self.metadata.row_groups.len()
    }

    /// Returns the key-value pairs of the file.
    pub fn key_value_metadata(&self) -> ParquetKeyValuePairs {
        let pairs = self.metadata.key_value_metadata().iter().flatten();
        pairs.filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?))).collect()
    }

    /// Reads the whole table.
    ///
    /// # Errors
    /// When a group cannot be read or decoded.
    pub fn read_whole_table(&mut self) -> Result<tables::TypedTable, ReportError> {
        self.read_row_groups(0..self.row_group_count())
    }

    /// Reads the rows of one group, counted from 0.
    ///
    /// # Errors
    /// When the group cannot be read or decoded.
    pub fn read_row_group(&mut self, number: usize) -> Result<tables::TypedTable, ReportError> {
        self.read_row_groups(number..number + 1)
    }

    fn read_row_groups(&mut self, groups: Range<usize>) -> Result<tables::TypedTable, ReportError> {
        let described = self.metadata.schema().columns().iter();
        let described: Vec<_> = described
            .map(|one| (one.path_in_schema.join("."), one.descriptor.primitive_type.clone()))
            .collect();
        let mut columns = Vec::with_capacity(described.len());
        for (place, (name, kind)) in described.into_iter().enumerate() {
            let mut values = decode::empty_column_of_type(&kind);
            for group in groups.clone() {
                self.append_column_of_group(&mut values, group, place)?;
            }
            columns.push(tables::TypedColumn { name, values });
        }
        Ok(tables::TypedTable { name: "", columns })
    }

    /// Appends one column of one group.
    fn append_column_of_group(
        &mut self,
        values: &mut ColumnValues,
        group: usize,
        place: usize,
    ) -> Result<(), ReportError> {
        let group = self.metadata.row_groups.get(group);
        let column_values =
            group.and_then(|group| Some((group.num_rows(), group.parquet_columns().get(place)?)));
        let (rows, column) =
            column_values.ok_or_else(|| decoding_error("a group lacks a column"))?;
        let range = column.byte_range();
        if range.start > range.end || range.end > self.length {
            return Err(decoding_error("a column lies outside the file"));
        }
        let mut chunk = Vec::new();
        self.source.seek(SeekFrom::Start(range.start)).map_err(decoding_error)?;
        let mut part = (&mut self.source).take(range.end - range.start);
        part.read_to_end(&mut chunk).map_err(decoding_error)?;
        let pages = PageReader::new(Cursor::new(chunk.into()), column, Vec::new(), usize::MAX);
        let kind = &column.descriptor().descriptor.primitive_type;
        decode::append_column_of_group(values, kind, rows, pages).map_err(decoding_error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::TypedTable;
    use crate::test_answers;

    fn assert_read_back(table: &TypedTable) {
        let read = ParquetFileReader::new(Cursor::new(
            table_to_parquet(table.clone(), &[]).expect("encoded"),
        ))
        .and_then(|mut file| file.read_whole_table())
        .expect("decoded");
        assert_eq!(read.columns, table.columns);
    }

    #[test]
    fn every_value_is_read_back() {
        for answers in [
            test_answers::build_grid(),
            test_answers::build_exact_only(),
            test_answers::build_simulated_only(),
            Vec::new(),
        ] {
            for table in
                [tables::build_cells_table(&answers), tables::build_outcome_table(&answers)]
            {
                assert_read_back(&table);
            }
        }
    }

    #[test]
    fn extreme_values_are_read_back() {
        let columns = [
            ("count", ColumnValues::Count(vec![Some(u64::MAX), None, Some(0)])),
            ("whole", ColumnValues::Whole(vec![Some(i64::MIN), Some(i64::MAX), None])),
            (
                "number",
                ColumnValues::Number(vec![Some(5e-324), Some(f64::MAX), Some(f64::INFINITY)]),
            ),
            (
                "text",
                ColumnValues::from_optional_words(
                    [Some(""), None, Some("Füsilier, \"4-4-7\"\n")].into_iter(),
                ),
            ),
            ("nulls", ColumnValues::Flag(vec![None, None, None])),
        ];
        let columns =
            columns.map(|(name, values)| tables::TypedColumn { name: name.into(), values });
        let table = TypedTable { name: "extremes", columns: columns.to_vec() };
        assert_read_back(&table);
    }

    /// Rows of several groups and pages, with repeated, unique and missing values.
    fn long() -> TypedTable {
        let rows = 300_000_u64;
        let all = || 0..rows;
        let mixed = |row: u64| row.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let columns = [
            ("repeated", ColumnValues::Count(all().map(|row| Some(row % 7)).collect())),
            ("one", ColumnValues::Whole(all().map(|_| Some(-3)).collect())),
            ("own", ColumnValues::Number(all().map(|row| Some(row as f64 / 3.0)).collect())),
            (
                "gaps",
                ColumnValues::Whole(
                    all().map(|row| (row % 3 > 0).then_some(mixed(row) as i64)).collect(),
                ),
            ),
            (
                "late",
                ColumnValues::Flag(
                    all().map(|row| (row > 200_000).then_some(mixed(row) >> 63 == 0)).collect(),
                ),
            ),
            (
                "words",
                ColumnValues::from_optional_words(
                    all().map(|row| (row % 5 > 0).then(|| format!("word {}", row % 70_001))),
                ),
            ),
        ];
        let columns =
            columns.map(|(name, values)| tables::TypedColumn { name: name.into(), values });
        TypedTable { name: "long", columns: columns.to_vec() }
    }

    #[test]
    fn rows_of_many_pages_are_read_back() {
        assert_read_back(&long());
    }

    #[test]
    fn rows_in_batches_are_read_back() {
        let table = long();
        let mut bytes = Vec::new();
        let mut writer =
            ParquetFileWriter::new(&mut bytes, &without_rows(&table), &[]).expect("begun");
        for _ in 0..3 {
            writer.add_table_rows(&table).expect("written");
        }
        writer.finish_parquet_file().expect("ended");
        let mut file = ParquetFileReader::new(Cursor::new(&bytes)).expect("a file");
        assert_eq!(
            (0..3).map(|n| file.read_row_group(n).expect("a group")).collect::<Vec<_>>(),
            vec![TypedTable { name: "", ..table }; 3]
        );
    }

    #[test]
    fn a_batch_with_other_columns_is_refused() {
        let column = |values| vec![tables::TypedColumn { name: "n".into(), values }];
        let table = |values| TypedTable { name: "t", columns: column(values) };
        let mut writer =
            ParquetFileWriter::new(Vec::new(), &table(ColumnValues::Whole(Vec::new())), &[])
                .expect("begun");
        let error = writer
            .add_table_rows(&table(ColumnValues::Flag(vec![None])))
            .expect_err("another type");
        assert!(error.to_string().contains("a batch has other columns"), "{error}");
    }

    /// A file with any one byte of its rows changed is read, or refused with a reason. The library
    /// reads its metadata.
    #[test]
    fn damaged_rows_are_no_panic() {
        let grid = tables::build_cells_table(&test_answers::build_grid());
        let sound = table_to_parquet(grid, &[]).expect("encoded");
        let footer = sound.len() - 8;
        let length = u32::from_le_bytes(*sound[footer..].first_chunk().expect("four bytes"));
        for at in 4..footer - length as usize {
            let mut damaged = sound.clone();
            damaged[at] ^= [1, 0x80, 0xff][at % 3];
            let read = ParquetFileReader::new(Cursor::new(damaged))
                .and_then(|mut file| file.read_whole_table());
            assert!(read.err().is_none_or(|error| !error.to_string().is_empty()));
        }
    }

    #[test]
    fn the_same_table_makes_the_same_bytes_and_carries_its_metadata() {
        let table = tables::build_cells_table(&test_answers::build_grid());
        let metadata = [("enfilade".to_owned(), "0.1.0".to_owned())];
        let made = [(), ()].map(|()| table_to_parquet(table.clone(), &metadata).expect("encoded"));
        assert_eq!(made[0], made[1]);
        let file =
            ParquetFileReader::new(Cursor::new(&made[0])).expect("the bytes are a Parquet file");
        assert!(file.key_value_metadata().contains(&metadata[0]));
    }
}
