//! Typed tables as Parquet files, with Polars' own Parquet crate and no data frame.
//!
//! Counts are UInt64, whole numbers Int64, numbers Float64; a missing value is null. Version,
//! stream version and seed are in the file's key-value metadata. A table that is written whole has one
//! row group per 262 144 rows; pages are compressed with Zstandard.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::Arc;

use polars_arrow::array::{Array, BooleanArray, PrimitiveArray, Utf8ViewArray};
use polars_arrow::compute::concatenate::concatenate;
use polars_arrow::datatypes::{ArrowDataType, ArrowSchema, Field};
use polars_arrow::record_batch::RecordBatchT;
use polars_parquet::read::{self, BasicDecompressor, FileMetadata, PageReader};
use polars_parquet::write::{
    self, CompressionOptions, FileWriter, KeyValue, StatisticsOptions, Version, WriteOptions,
};

use crate::tables::{self, Values};
use enfilade_model::error::Error;
use enfilade_model::shared::Text;

/// Rows of a group of a table that is written in batches: enough that the description of a group weighs
/// nothing, and few enough to be kept until the group is full.
const GROUP: usize = 1 << 16;

/// Rows of a group of a table that is written whole.
const WHOLE_GROUP: usize = 1 << 18;

/// Pages are compressed, and every group states its least and greatest values.
const OPTIONS: WriteOptions = WriteOptions {
    statistics: StatisticsOptions {
        min_value: true,
        max_value: true,
        distinct_count: false,
        null_count: true,
        binary_statistics_truncate_length: None,
    },
    version: Version::V1,
    compression: CompressionOptions::Zstd(None),
    data_page_size: None,
};

/// One column of a group of rows, as the library holds it.
type ArrayBox = Box<dyn Array>;

/// Returns a table as a Parquet file.
///
/// # Errors
/// When the table cannot be encoded.
pub fn bytes(table: tables::Table, metadata: &[(String, String)]) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &table, metadata)?;
    let rows = table.rows();
    // Each column is dropped as soon as it is converted: a large table is not in memory twice.
    let columns: Vec<ArrayBox> =
        table.columns.into_iter().map(|column| array(&column.values)).collect();
    let groups = (rows / WHOLE_GROUP).max(1);
    for group in 0..groups {
        let first = group * (rows / groups);
        let end = if group + 1 == groups { rows } else { first + rows / groups };
        writer.write_group(columns.iter().map(|all| all.sliced(first, end - first)).collect())?;
    }
    writer.finish()?;
    Ok(bytes)
}

fn decoding(error: impl ToString) -> Error {
    Error::Output { what: "decoding".to_owned(), why: error.to_string() }
}

fn encoding<E: ToString>(name: &str) -> impl Fn(E) -> Error {
    move |error| Error::Output { what: format!("encoding {name}.parquet"), why: error.to_string() }
}

/// A Parquet file that grows batch by batch.
pub struct Writer<W: Write> {
    file: FileWriter<Patient<W>>,
    metadata: Vec<KeyValue>,
    /// Batches that are not written yet, each with all columns.
    waiting: Vec<Vec<ArrayBox>>,
    name: &'static str,
}

impl<W: Write> std::fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl<W: Write> Writer<W> {
    /// Begins a file with the columns of `table`, whose rows are not written.
    ///
    /// # Errors
    /// When the columns cannot be described in Parquet.
    pub fn new(
        out: W,
        table: &tables::Table,
        metadata: &[(String, String)],
    ) -> Result<Writer<W>, Error> {
        let name = table.name;
        let fields = table.columns.iter().map(|column| {
            let dtype = array(&column.values.emptied()).dtype().clone();
            (column.name.as_str().into(), Field::new(column.name.as_str().into(), dtype, true))
        });
        let schema: ArrowSchema = fields.collect();
        let arrow = write::schema_to_metadata_key(&schema);
        let pair = |(key, value): &(String, String)| KeyValue {
            key: key.clone(),
            value: Some(value.clone()),
        };
        let metadata = std::iter::once(arrow).chain(metadata.iter().map(pair)).collect();
        let file = FileWriter::try_new(Patient(out), schema, OPTIONS).map_err(encoding(name))?;
        Ok(Writer { file, metadata, waiting: Vec::new(), name })
    }

    /// Adds rows, which have the same columns.
    ///
    /// # Errors
    /// When they cannot be encoded or written.
    pub fn add(&mut self, table: &tables::Table) -> Result<(), Error> {
        self.waiting.push(table.columns.iter().map(|column| array(&column.values)).collect());
        let first_columns = self.waiting.iter().filter_map(|batch| batch.first());
        match first_columns.map(|column| column.len()).sum::<usize>() {
            GROUP.. => self.end_group(),
            _ => Ok(()),
        }
    }

    /// Writes the rows that wait as a group of their own.
    ///
    /// # Errors
    /// When they cannot be encoded or written.
    pub fn end_group(&mut self) -> Result<(), Error> {
        let batches = std::mem::take(&mut self.waiting);
        let columns = batches.first().map_or(0, Vec::len);
        let joined = |column: usize| {
            let parts: Vec<&dyn Array> = batches.iter().map(|batch| &*batch[column]).collect();
            concatenate(&parts).map_err(encoding(self.name))
        };
        let joined = (0..columns).map(joined).collect::<Result<_, _>>()?;
        self.write_group(joined)
    }

    fn write_group(&mut self, columns: Vec<ArrayBox>) -> Result<(), Error> {
        let rows = columns.first().map_or(0, |column| column.len());
        if rows == 0 {
            return Ok(());
        }
        let schema = Arc::new(self.file.schema().clone());
        let encodings = schema.iter_values().map(|field| write::get_dtype_encoding(&field.dtype));
        let encodings = encodings.collect();
        let fields = self.file.parquet_schema().fields().to_vec();
        let written = RecordBatchT::try_new(rows, schema, columns)
            .map(|batch| write::row_group_iter(batch, encodings, fields, OPTIONS))
            .and_then(|group| self.file.write(rows as u64, group));
        written.map_err(encoding(self.name))
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<(), Error> {
        self.end_group()?;
        self.file.end(Some(self.metadata)).map(drop).map_err(encoding(self.name))
    }
}

/// Repeats a write that a signal interrupted, where the library would give up.
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

/// Converts values to a column of the library.
fn array(values: &Values) -> ArrayBox {
    match values {
        Values::Count(all) => PrimitiveArray::from_iter(all).boxed(),
        Values::Whole(all) => PrimitiveArray::from_iter(all).boxed(),
        Values::Number(all) => PrimitiveArray::from_iter(all).boxed(),
        Values::Flag(all) => BooleanArray::from_iter(all).boxed(),
        Values::Text(all) => Utf8ViewArray::from_slice(all).boxed(),
    }
}

/// Key-value pairs of a file's metadata.
pub type About = Vec<(String, String)>;

/// A Parquet file that is read group by group.
pub struct TableReader<R> {
    metadata: FileMetadata,
    schema: ArrowSchema,
    /// Bytes of the file.
    length: u64,
    source: R,
}

impl<R> std::fmt::Debug for TableReader<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableReader").finish_non_exhaustive()
    }
}

impl<R: Read + Seek> TableReader<R> {
    /// Reads the head of a file, and none of its rows.
    ///
    /// # Errors
    /// When the file is not Parquet.
    pub fn new(mut source: R) -> Result<TableReader<R>, Error> {
        let length = source.seek(SeekFrom::End(0)).map_err(decoding)?;
        let metadata = read::read_metadata(&mut source).map_err(decoding)?;
        let schema = read::infer_schema(&metadata).map_err(decoding)?;
        Ok(TableReader { metadata, schema, length, source })
    }

    /// Returns the number of groups of rows.
    pub fn groups(&self) -> usize {
        self.metadata.row_groups.len()
    }

    /// Returns the key-value pairs of the file.
    pub fn about(&self) -> About {
        let pairs = self.metadata.key_value_metadata().iter().flatten();
        pairs.filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?))).collect()
    }

    /// Reads the whole table.
    ///
    /// # Errors
    /// When a group cannot be read or decoded.
    pub fn table(&mut self) -> Result<tables::Table, Error> {
        self.rows_of(0..self.groups())
    }

    /// Reads the rows of one group, counted from 0.
    ///
    /// # Errors
    /// When the group cannot be read or decoded.
    pub fn group(&mut self, number: usize) -> Result<tables::Table, Error> {
        self.rows_of(number..number + 1)
    }

    fn rows_of(&mut self, groups: Range<usize>) -> Result<tables::Table, Error> {
        let fields: Vec<Field> = self.schema.iter_values().cloned().collect();
        let mut columns = Vec::with_capacity(fields.len());
        for (place, field) in fields.iter().enumerate() {
            let mut values = empty(field);
            for group in groups.clone() {
                for array in self.column(group, place, field)? {
                    append(&mut values, &*array);
                }
            }
            columns.push(tables::Column { name: field.name.to_string(), values });
        }
        Ok(tables::Table { name: "", columns })
    }

    /// Decodes one column of one group.
    fn column(
        &mut self,
        group: usize,
        place: usize,
        field: &Field,
    ) -> Result<Vec<ArrayBox>, Error> {
        let group = self.metadata.row_groups.get(group);
        let Some(column) = group.and_then(|group| group.parquet_columns().get(place)) else {
            return Err(decoding("a group lacks a column"));
        };
        let range = column.byte_range();
        if range.start > range.end || range.end > self.length {
            return Err(decoding("a column lies outside the file"));
        }
        let mut chunk = Vec::new();
        self.source.seek(SeekFrom::Start(range.start)).map_err(decoding)?;
        let mut part = (&mut self.source).take(range.end - range.start);
        part.read_to_end(&mut chunk).map_err(decoding)?;
        let pages = PageReader::new(Cursor::new(chunk.into()), column, Vec::new(), usize::MAX);
        let pages = BasicDecompressor::new(pages, Vec::new());
        let primitive = &column.descriptor().descriptor.primitive_type;
        let arrays = read::column_iter_to_arrays(vec![pages], vec![primitive], field.clone(), None);
        arrays.map(|(arrays, _)| arrays).map_err(decoding)
    }
}

/// Returns an empty column for a field; types that are never written are texts without a value.
fn empty(field: &Field) -> Values {
    match field.dtype() {
        ArrowDataType::UInt64 => Values::Count(Vec::new()),
        ArrowDataType::Int64 => Values::Whole(Vec::new()),
        ArrowDataType::Float64 => Values::Number(Vec::new()),
        ArrowDataType::Boolean => Values::Flag(Vec::new()),
        _ => Values::Text(Vec::new()),
    }
}

/// Appends the values of a column of the library, whose type is that of `values`.
fn append(values: &mut Values, array: &dyn Array) {
    let (any, rows) = (array.as_any(), array.len());
    let typed = "the column was made for the type of the field";
    match values {
        Values::Count(all) => {
            let array: &PrimitiveArray<u64> = any.downcast_ref().expect(typed);
            all.extend(array.iter().map(|value| value.copied()));
        }
        Values::Whole(all) => {
            let array: &PrimitiveArray<i64> = any.downcast_ref().expect(typed);
            all.extend(array.iter().map(|value| value.copied()));
        }
        Values::Number(all) => {
            let array: &PrimitiveArray<f64> = any.downcast_ref().expect(typed);
            all.extend(array.iter().map(|value| value.copied()));
        }
        Values::Flag(all) => {
            let array: &BooleanArray = any.downcast_ref().expect(typed);
            all.extend(array.iter());
        }
        Values::Text(all) => match any.downcast_ref::<Utf8ViewArray>() {
            Some(array) => {
                all.extend(array.iter().map(|text| text.map(|text| Text::from(text.to_owned()))))
            }
            None => all.extend(std::iter::repeat_n(None, rows)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Table;
    use crate::test_answers;

    fn assert_read_back(table: &Table) {
        let read = TableReader::new(Cursor::new(bytes(table.clone(), &[]).expect("encoded")))
            .and_then(|mut file| file.table())
            .expect("decoded");
        assert_eq!(read.columns, table.columns);
    }

    #[test]
    fn every_value_is_read_back() {
        for answers in
            [test_answers::grid(), test_answers::exact_only(), test_answers::played(), Vec::new()]
        {
            for table in [tables::cells(&answers), tables::outcomes(&answers)] {
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
        let columns = columns.map(|(name, values)| tables::Column { name: name.into(), values });
        let table = Table { name: "extremes", columns: columns.to_vec() };
        assert_read_back(&table);
    }

    #[test]
    fn the_same_table_makes_the_same_bytes_and_carries_its_metadata() {
        let table = tables::cells(&test_answers::grid());
        let metadata = [("enfilade".to_owned(), "0.1.0".to_owned())];
        let made = [(), ()].map(|()| bytes(table.clone(), &metadata).expect("encoded"));
        assert_eq!(made[0], made[1]);
        let file = TableReader::new(Cursor::new(&made[0])).expect("the bytes are a Parquet file");
        assert!(file.about().contains(&metadata[0]));
    }
}
