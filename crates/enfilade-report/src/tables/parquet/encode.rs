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

use super::runs::pack;
use crate::tables::Values;
use enfilade_model::shared::Text;

/// The largest number of rows of a page.
const PAGE: usize = 1 << 16;

/// The largest number of entries of a dictionary.
const ENTRIES: usize = 1 << 16;

/// The mean number of values per entry from which a dictionary is worthwhile.
const REPEATED: usize = 4;

/// Encodes some rows of a column as pages; `kind` is its type in the file.
///
/// # Errors
/// When a page has more bytes than the format allows.
pub(super) fn pages(
    values: &Values,
    rows: Range<usize>,
    kind: &PrimitiveType,
) -> ParquetResult<Vec<Page>> {
    match values {
        Values::Count(all) => pages_of(&all[rows], kind),
        Values::Whole(all) => pages_of(&all[rows], kind),
        Values::Number(all) => pages_of(&all[rows], kind),
        Values::Flag(all) => pages_of(&all[rows], kind),
        Values::Text(all) => pages_of(&all[rows], kind),
    }
}

/// A type of values, and its plain encoding, one value after the other.
trait Plain: Sized {
    /// The key by which equal values are found.
    type Key<'a>: Copy + Eq + Hash
    where
        Self: 'a;

    /// Returns the key; `None` for a type without dictionaries.
    fn key(&self) -> Option<Self::Key<'_>>;

    fn put(all: &[&Self], out: &mut Vec<u8>);

    /// Encodes the smallest and the greatest value, for statistics.
    fn bounds(all: &[&Self]) -> Option<[Vec<u8>; 2]>;
}

macro_rules! plain_integers {
    ($($integer:ty)*) => {$(
        impl Plain for $integer {
            type Key<'a> = Self;

            fn key(&self) -> Option<Self> {
                Some(*self)
            }

            fn put(all: &[&Self], out: &mut Vec<u8>) {
                out.extend(all.iter().flat_map(|value| value.to_le_bytes()));
            }

            fn bounds(all: &[&Self]) -> Option<[Vec<u8>; 2]> {
                let ends = [all.iter().min()?, all.iter().max()?];
                Some(ends.map(|value| value.to_le_bytes().to_vec()))
            }
        }
    )*};
}

plain_integers!(u64 i64);

impl Plain for f64 {
    type Key<'a> = u64;

    fn key(&self) -> Option<u64> {
        Some(self.to_bits())
    }

    fn put(all: &[&Self], out: &mut Vec<u8>) {
        out.extend(all.iter().flat_map(|value| value.to_le_bytes()));
    }

    /// Encodes the range. NaN is in no range: if there is one, the range is all numbers. Zero has
    /// two signs, and a reader may look for either.
    fn bounds(all: &[&Self]) -> Option<[Vec<u8>; 2]> {
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

impl Plain for bool {
    type Key<'a> = Self;

    fn key(&self) -> Option<bool> {
        None
    }

    fn put(all: &[&Self], out: &mut Vec<u8>) {
        let bits =
            |eight: &[&bool]| eight.iter().rev().fold(0, |byte, on| byte << 1 | u8::from(**on));
        out.extend(all.chunks(8).map(bits));
    }

    fn bounds(all: &[&Self]) -> Option<[Vec<u8>; 2]> {
        Some([all.iter().min()?, all.iter().max()?].map(|on| vec![u8::from(**on)]))
    }
}

impl Plain for Text {
    type Key<'a> = &'a str;

    fn key(&self) -> Option<&str> {
        Some(self)
    }

    fn put(all: &[&Self], out: &mut Vec<u8>) {
        for text in all {
            out.extend((text.len() as u32).to_le_bytes());
            out.extend(text.as_bytes());
        }
    }

    fn bounds(all: &[&Self]) -> Option<[Vec<u8>; 2]> {
        let least = all.iter().min_by(|a, b| a.as_bytes().cmp(b.as_bytes()))?;
        let greatest = all.iter().max_by(|a, b| a.as_bytes().cmp(b.as_bytes()))?;
        Some([least, greatest].map(|text| text.as_bytes().to_vec()))
    }
}

fn pages_of<T: Plain>(all: &[Option<T>], kind: &PrimitiveType) -> ParquetResult<Vec<Page>> {
    let dictionary = Dictionary::of(all);
    let first = dictionary.iter().map(|made| Ok(Page::Dict(made.page())));
    let rest =
        all.chunks(PAGE).map(|rows| data_page(rows, dictionary.as_ref(), kind).map(Page::Data));
    first.chain(rest).collect()
}

/// The values that are repeated, each once.
struct Dictionary<'a, T: Plain + 'a> {
    entries: Vec<&'a T>,
    places: FxHashMap<T::Key<'a>, u32>,
}

impl<'a, T: Plain> Dictionary<'a, T> {
    /// Builds a dictionary; `None` if it is not worthwhile.
    fn of(all: &'a [Option<T>]) -> Option<Self> {
        let most = (all.iter().flatten().count() / REPEATED).min(ENTRIES);
        let mut made = Dictionary { entries: Vec::new(), places: FxHashMap::default() };
        for value in all.iter().flatten() {
            let next = made.entries.len() as u32;
            if *made.places.entry(value.key()?).or_insert(next) == next {
                made.entries.push(value);
            }
            if made.entries.len() > most {
                return None;
            }
        }
        Some(made).filter(|made| !made.entries.is_empty())
    }

    fn page(&self) -> DictPage {
        let mut buffer = Vec::new();
        T::put(&self.entries, &mut buffer);
        DictPage::new(CowBuffer::Owned(buffer), self.entries.len(), false)
    }

    /// Writes indices instead of values, in as few bits as the last index needs.
    fn put(&self, present: &[&'a T], out: &mut Vec<u8>) {
        let bits = (usize::BITS - (self.entries.len() - 1).leading_zeros()).max(1);
        out.push(bits as u8);
        let place = |value: &&'a T| value.key().and_then(|key| self.places.get(&key).copied());
        let places: Vec<u32> = present.iter().filter_map(place).collect();
        pack(&places, bits, out);
    }
}

fn data_page<'a, T: Plain>(
    rows: &'a [Option<T>],
    dictionary: Option<&Dictionary<'a, T>>,
    kind: &PrimitiveType,
) -> ParquetResult<DataPage> {
    let present: Vec<&T> = rows.iter().flatten().collect();
    let mut buffer = levels(rows);
    match dictionary {
        Some(dictionary) => dictionary.put(&present, &mut buffer),
        None => T::put(&present, &mut buffer),
    }
    let [min_value, max_value] = T::bounds(&present).map_or([None, None], |ends| ends.map(Some));
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
fn levels<T>(rows: &[Option<T>]) -> Vec<u8> {
    let present: Vec<u32> = rows.iter().map(|row| u32::from(row.is_some())).collect();
    let mut buffer = vec![0; 4];
    pack(&present, 1, &mut buffer);
    let length = (buffer.len() - 4) as u32;
    buffer[..4].copy_from_slice(&length.to_le_bytes());
    buffer
}
