//! The typed tables as Parquet files, with polars.
//!
//! Counts are UInt64, whole numbers Int64, numbers Float64; what a row lacks is null. Version,
//! stream version and seed stand in the file's key-value metadata. One file is one row group per
//! 262 144 rows, compressed with Zstandard.

use std::fs::File;
use std::path::Path;

use polars::prelude::*;

use super::columns::{self, Values};
use crate::error::Error;

/// Writes a table to a new file at `path`.
///
/// # Errors
/// When the file cannot be written.
pub fn write(
    table: &columns::Table,
    metadata: &[(String, String)],
    path: &Path,
) -> Result<(), Error> {
    let file = File::create(path).map_err(|source| Error::Io {
        what: "writing",
        path: path.to_owned(),
        source,
    })?;
    let metadata = KeyValueMetadata::from_static(metadata.to_vec());
    let writer = ParquetWriter::new(file).with_key_value_metadata(Some(metadata));
    let written = frame(table).and_then(|mut frame| writer.finish(&mut frame));
    written.map(|_| ()).map_err(|error| Error::Output {
        what: format!("writing {}", path.display()),
        why: error.to_string(),
    })
}

fn frame(table: &columns::Table) -> PolarsResult<DataFrame> {
    let columns = table.columns.iter();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::columns::Table;
    use crate::report::fixture;

    fn read(path: &Path) -> DataFrame {
        let file = File::open(path).expect("the file is there");
        ParquetReader::new(file).finish().expect("it is Parquet")
    }

    fn assert_equal(frame: &DataFrame, table: &Table) {
        let names: Vec<_> = table.columns.iter().map(|c| c.name.as_str()).collect();
        let found: Vec<_> = frame
            .get_column_names()
            .iter()
            .map(|n| n.as_str())
            .collect();
        assert_eq!(found, names);
        for column in &table.columns {
            let read = frame.column(&column.name).expect("there is such a column");
            let read = read.as_materialized_series();
            assert_eq!(back(read), column.values, "{}", column.name);
        }
    }

    fn back(series: &Series) -> Values {
        let typed = "the type is the one just matched";
        match series.dtype() {
            DataType::UInt64 => Values::Count(series.u64().expect(typed).iter().collect()),
            DataType::Int64 => Values::Whole(series.i64().expect(typed).iter().collect()),
            DataType::Float64 => Values::Number(series.f64().expect(typed).iter().collect()),
            DataType::Boolean => Values::Flag(series.bool().expect(typed).iter().collect()),
            _ => {
                let texts = series.str().expect("nothing else is written");
                Values::Text(texts.iter().map(|t| t.map(str::to_owned)).collect())
            }
        }
    }

    #[test]
    fn every_value_is_read_back() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        let path = folder.path().join("table.parquet");
        for answers in [
            fixture::grid(),
            fixture::exact_only(),
            fixture::played(),
            Vec::new(),
        ] {
            for table in [columns::cells(&answers), columns::outcomes(&answers)] {
                write(&table, &[], &path).expect("written");
                assert_equal(&read(&path), &table);
            }
        }
    }

    #[test]
    fn extreme_values_are_read_back() {
        let columns = [
            ("count", Values::Count(vec![Some(u64::MAX), None, Some(0)])),
            (
                "whole",
                Values::Whole(vec![Some(i64::MIN), Some(i64::MAX), None]),
            ),
            (
                "number",
                Values::Number(vec![Some(5e-324), Some(f64::MAX), Some(f64::INFINITY)]),
            ),
            (
                "text",
                Values::Text(vec![
                    Some(String::new()),
                    None,
                    Some("Füsilier, \"4-4-7\"\n".into()),
                ]),
            ),
            ("nulls", Values::Flag(vec![None, None, None])),
        ];
        let columns = columns.map(|(name, values)| columns::Column {
            name: name.into(),
            values,
        });
        let table = Table {
            name: "extremes",
            columns: columns.to_vec(),
        };
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        let path = folder.path().join("table.parquet");
        write(&table, &[], &path).expect("written");
        assert_equal(&read(&path), &table);
    }

    #[test]
    fn the_same_table_makes_the_same_bytes_and_carries_its_metadata() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        let table = columns::cells(&fixture::grid());
        let metadata = [("enfilade".to_owned(), "0.1.0".to_owned())];
        let made = ["a", "b"].map(|name| {
            let path = folder.path().join(name);
            write(&table, &metadata, &path).expect("written");
            std::fs::read(path).expect("readable")
        });
        assert_eq!(made[0], made[1]);
        let file = File::open(folder.path().join("a")).expect("the file is there");
        let mut reader = ParquetReader::new(file);
        let found = reader
            .get_metadata()
            .expect("it is Parquet")
            .key_value_metadata();
        let found = found.as_ref().expect("there is metadata").iter();
        let found: Vec<_> = found.filter(|pair| pair.key == "enfilade").collect();
        assert_eq!(found[0].value.as_deref(), Some("0.1.0"));
    }
}
