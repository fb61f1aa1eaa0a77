//! Encoding of a column of a row group as pages of a file, for the five types that tables have.
//!
//! The library writes the file and its description, and compresses; its encoder of columns has code
//! for every type of the format, four megabytes of it.

use std::hash::Hash;
use std::ops::Range;

use polars_parquet::parquet::CowBuffer;
use polars_parquet::parquet::error::ParquetResult;
use polars_parquet::parquet::metadata::Descriptor;
use polars_parquet::parquet::page::{DataPage, DataPageHeader, DataPageHeaderV1, DictPage};
use polars_parquet::parquet::schema::types::PrimitiveType;
use polars_parquet::parquet::statistics::ParquetStatistics;
use polars_parquet::write::{Encoding, Page};
use rustc_hash::FxHashMap;

use super::hybrid_packing::pack_runs_and_bits;
use crate::tables::ColumnValues;
use enfilade_model::static_or_shared::Text;

/// The largest number of rows of a page.
const MAX_ENCODED_ROWS: usize = 1 << 16;

/// The largest number of entries of a dictionary.
const MAX_DICTIONARY_SIZE: usize = 1 << 16;

/// The mean number of values per entry from which a dictionary is worthwhile.
const MIN_VALUE_REPEATS: usize = 4;

/// Encodes some rows of a column as pages; `kind` is its type in the file.
///
/// # Errors
/// When a page has more bytes than the format allows.
pub(super) fn encode_rows_as_pages(
    values: &ColumnValues,
    rows: Range<usize>,
    kind: &PrimitiveType,
) -> ParquetResult<Vec<Page>> {
    match values {
        ColumnValues::Count(all) => encode_typed_pages(&all[rows], kind),
        ColumnValues::Whole(all) => encode_typed_pages(&all[rows], kind),
        ColumnValues::Number(all) => encode_typed_pages(&all[rows], kind),
        ColumnValues::Flag(all) => encode_typed_pages(&all[rows], kind),
        ColumnValues::Text(all) => encode_typed_pages(&all[rows], kind),
    }
}

/// A type of values, and its plain encoding, one value after the other.
trait EncodablePlainValue: Sized {
    /// The key by which equal values are found.
    type DictionaryKey<'a>: Copy + Eq + Hash
    where
        Self: 'a;

    /// Returns the key; `None` for a type without dictionaries.
    fn dictionary_key_if_any(&self) -> Option<Self::DictionaryKey<'_>>;

    fn append_plain_values(all: &[&Self], out: &mut Vec<u8>);

    /// Encodes the smallest and the greatest value, for statistics.
    fn encode_min_and_max(all: &[&Self]) -> Option<[Vec<u8>; 2]>;
}

macro_rules! plain_integers {
    ($($integer:ty)*) => {$(
        impl EncodablePlainValue for $integer {
            type DictionaryKey<'a> = Self;

            fn dictionary_key_if_any(&self) -> Option<Self> {
                Some(*self)
            }

            fn append_plain_values(all: &[&Self], out: &mut Vec<u8>) {
                out.extend(all.iter().flat_map(|value| value.to_le_bytes()));
            }

            fn encode_min_and_max(all: &[&Self]) -> Option<[Vec<u8>; 2]> {
                let ends = [all.iter().min()?, all.iter().max()?];
                Some(ends.map(|value| value.to_le_bytes().to_vec()))
            }
        }
    )*};
}

plain_integers!(u64 i64);

impl EncodablePlainValue for f64 {
    type DictionaryKey<'a> = u64;

    fn dictionary_key_if_any(&self) -> Option<u64> {
        Some(self.to_bits())
    }

    fn append_plain_values(all: &[&Self], out: &mut Vec<u8>) {
        out.extend(all.iter().flat_map(|value| value.to_le_bytes()));
    }

    /// Encodes the range. NaN is in no range: if there is one, the range is all numbers. Zero has
    /// two signs, and a reader may look for either.
    fn encode_min_and_max(all: &[&Self]) -> Option<[Vec<u8>; 2]> {
        let first = **all.first()?;
        let (low, high) = match all.iter().any(|value| value.is_nan()) {
            true => (f64::NEG_INFINITY, f64::INFINITY),
            false => all
                .iter()
                .fold((first, first), |(low, high), &&value| (low.min(value), high.max(value))),
        };
        let signed = [if low == 0.0 { -0.0 } else { low }, if high == 0.0 { 0.0 } else { high }];
        Some(signed.map(|value: f64| value.to_le_bytes().to_vec()))
    }
}

impl EncodablePlainValue for bool {
    type DictionaryKey<'a> = Self;

    fn dictionary_key_if_any(&self) -> Option<bool> {
        None
    }

    fn append_plain_values(all: &[&Self], out: &mut Vec<u8>) {
        let bits =
            |eight: &[&bool]| eight.iter().rev().fold(0, |byte, on| byte << 1 | u8::from(**on));
        out.extend(all.chunks(8).map(bits));
    }

    fn encode_min_and_max(all: &[&Self]) -> Option<[Vec<u8>; 2]> {
        Some([all.iter().min()?, all.iter().max()?].map(|on| vec![u8::from(**on)]))
    }
}

impl EncodablePlainValue for Text {
    type DictionaryKey<'a> = &'a str;

    fn dictionary_key_if_any(&self) -> Option<&str> {
        Some(self)
    }

    fn append_plain_values(all: &[&Self], out: &mut Vec<u8>) {
        for text in all {
            out.extend((text.len() as u32).to_le_bytes());
            out.extend(text.as_bytes());
        }
    }

    fn encode_min_and_max(all: &[&Self]) -> Option<[Vec<u8>; 2]> {
        let least = all.iter().min_by(|a, b| a.as_bytes().cmp(b.as_bytes()))?;
        let greatest = all.iter().max_by(|a, b| a.as_bytes().cmp(b.as_bytes()))?;
        Some([least, greatest].map(|text| text.as_bytes().to_vec()))
    }
}

fn encode_typed_pages<T: EncodablePlainValue>(
    all: &[Option<T>],
    kind: &PrimitiveType,
) -> ParquetResult<Vec<Page>> {
    let dictionary = DictionaryPage::from_repeated_values(all);
    let first = dictionary.iter().map(|made| Ok(Page::Dict(made.encode_as_page())));
    let rest = all
        .chunks(MAX_ENCODED_ROWS)
        .map(|rows| encode_data_page(rows, dictionary.as_ref(), kind).map(Page::Data));
    first.chain(rest).collect()
}

/// The values that are repeated, each once.
struct DictionaryPage<'a, T: EncodablePlainValue + 'a> {
    entries: Vec<&'a T>,
    places: FxHashMap<T::DictionaryKey<'a>, u32>,
}

impl<'a, T: EncodablePlainValue> DictionaryPage<'a, T> {
    /// Builds a dictionary; `None` if it is not worthwhile.
    fn from_repeated_values(all: &'a [Option<T>]) -> Option<Self> {
        let most = (all.iter().flatten().count() / MIN_VALUE_REPEATS).min(MAX_DICTIONARY_SIZE);
        let mut page = DictionaryPage { entries: Vec::new(), places: FxHashMap::default() };
        for value in all.iter().flatten() {
            let next = page.entries.len() as u32;
            if *page.places.entry(value.dictionary_key_if_any()?).or_insert(next) == next {
                page.entries.push(value);
            }
            if page.entries.len() > most {
                return None;
            }
        }
        Some(page).filter(|made| !made.entries.is_empty())
    }

    fn encode_as_page(&self) -> DictPage {
        let mut buffer = Vec::new();
        T::append_plain_values(&self.entries, &mut buffer);
        DictPage::new(CowBuffer::Owned(buffer), self.entries.len(), false)
    }

    /// Writes indices instead of values, in as few bits as the last index needs.
    fn append_packed_indices(&self, present: &[&'a T], out: &mut Vec<u8>) {
        let bits = (usize::BITS - (self.entries.len() - 1).leading_zeros()).max(1);
        out.push(bits as u8);
        let place = |value: &&'a T| {
            value.dictionary_key_if_any().and_then(|key| self.places.get(&key).copied())
        };
        let places: Vec<u32> = present.iter().filter_map(place).collect();
        pack_runs_and_bits(&places, bits, out);
    }
}

fn encode_data_page<'a, T: EncodablePlainValue>(
    rows: &'a [Option<T>],
    dictionary: Option<&DictionaryPage<'a, T>>,
    kind: &PrimitiveType,
) -> ParquetResult<DataPage> {
    let present: Vec<&T> = rows.iter().flatten().collect();
    let mut buffer = encode_presence_levels(rows);
    match dictionary {
        Some(dictionary) => dictionary.append_packed_indices(&present, &mut buffer),
        None => T::append_plain_values(&present, &mut buffer),
    }
    let [min_value, max_value] =
        T::encode_min_and_max(&present).map_or([None, None], |ends| ends.map(Some));
    let statistics = ParquetStatistics {
        null_count: Some((rows.len() - present.len()) as i64),
        distinct_count: None,
        min_value,
        max_value,
        min: None,
        max: None,
        is_min_value_exact: None,
        is_max_value_exact: None,
    };
    let encoding = if dictionary.is_some() { Encoding::RleDictionary } else { Encoding::Plain };
    let header = DataPageHeaderV1 {
        num_values: rows.len() as i32,
        encoding: encoding.into(),
        definition_level_encoding: Encoding::Rle.into(),
        repetition_level_encoding: Encoding::Rle.into(),
        statistics: Some(statistics),
    };
    let described = Descriptor { primitive_type: kind.clone(), max_def_level: 1, max_rep_level: 0 };
    let (header, buffer) = (DataPageHeader::V1(header), CowBuffer::Owned(buffer));
    Ok(DataPage::new(header, buffer, described, rows.len()))
}

/// Encodes which rows have a value: runs, preceded by their length.
fn encode_presence_levels<T>(rows: &[Option<T>]) -> Vec<u8> {
    let present: Vec<u32> = rows.iter().map(|row| u32::from(row.is_some())).collect();
    let mut buffer = vec![0; 4];
    pack_runs_and_bits(&present, 1, &mut buffer);
    let length = (buffer.len() - 4) as u32;
    buffer[..4].copy_from_slice(&length.to_le_bytes());
    buffer
}
