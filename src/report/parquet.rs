//! The typed tables as Parquet files, with polars.
//!
//! Counts are UInt64, whole numbers Int64, numbers Float64; what a row lacks is null. Version,
//! stream version and seed stand in the file's key-value metadata. One file is one row group per
//! 262 144 rows, compressed with Zstandard.

use polars::prelude::*;

use super::columns::{self, Values};
use crate::error::Error;

/// A table as a Parquet file.
///
/// It is made in memory: the writer of the library gives up when a write is interrupted by a signal.
///
/// # Errors
/// When it cannot be encoded.
pub fn bytes(table: columns::Table, metadata: &[(String, String)]) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let metadata = KeyValueMetadata::from_static(metadata.to_vec());
    // Column after column: the library's own pool of threads, whose number a variable of the
    // environment may set to anything, is not started for tables of a few megabytes.
    let writer =
        ParquetWriter::new(&mut bytes).set_parallel(false).with_key_value_metadata(Some(metadata));
    let name = table.name;
    let written = frame(table).and_then(|mut frame| writer.finish(&mut frame));
    written.map_err(|error| Error::Output {
        what: format!("encoding {name}.parquet"),
        why: error.to_string(),
    })?;
    Ok(bytes)
}

/// The table as the library holds it. A column is given up as soon as it has been taken over: a large
/// table does not stand in memory twice.
fn frame(table: columns::Table) -> PolarsResult<DataFrame> {
    let columns = table.columns.into_iter();
    let columns = columns.map(|column| series(&column.name, &column.values).into_column());
    DataFrame::new_infer_height(columns.collect())
}

fn series(name: &str, values: &Values) -> Series {
    let name = PlSmallStr::from(name);
    match values {
        Values::Count(all) => Series::new(name, all),
        Values::Whole(all) => Series::new(name, all),
        Values::Number(all) => Series::new(name, all),
        Values::Flag(all) => Series::new(name, all),
        Values::Text(all) => Series::new(name, all),
    }
}

/// The table in a Parquet file, for checking what was written.
///
/// # Errors
/// When it cannot be decoded.
pub fn read(bytes: Vec<u8>) -> Result<columns::Table, Error> {
    let reader = ParquetReader::new(std::io::Cursor::new(bytes));
    let frame = reader.read_parallel(ParallelStrategy::None).finish();
    let frame = frame
        .map_err(|error| Error::Output { what: "decoding".to_owned(), why: error.to_string() })?;
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
            Values::Text(texts.map(|text| text.map(str::to_owned)).collect())
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
        let read = read(bytes(table.clone(), &[]).expect("encoded")).expect("decoded");
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
            (
                "text",
                Values::Text(vec![Some(String::new()), None, Some("Füsilier, \"4-4-7\"\n".into())]),
            ),
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
