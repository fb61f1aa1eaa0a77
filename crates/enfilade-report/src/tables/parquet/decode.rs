//! Decoding of a column of a row group from its pages.

use polars_parquet::parquet::compression::DecompressionContext;
use polars_parquet::parquet::page::{DataPage, DataPageHeader};
use polars_parquet::parquet::schema::types::{
    IntegerType, PhysicalType, PrimitiveConvertedType, PrimitiveLogicalType, PrimitiveType,
};
use polars_parquet::read::{PageReader, decompress};
use polars_parquet::write::{Encoding, Page};

use super::hybrid_packing::unpack_runs_and_bits;
use crate::tables::ColumnValues;
use enfilade_model::static_or_shared::Text;

/// The largest number of rows of a page: files with more were not written by this program.
const MAX_DECODED_ROWS: usize = 1 << 22;

/// The reason why a column cannot be read.
pub(super) type DecodeFault = String;

/// Returns an empty column for a type of the file; types that are never written are texts without a
/// value.
pub(super) fn empty_column_of_type(kind: &PrimitiveType) -> ColumnValues {
    let unsigned = kind.logical_type == Some(PrimitiveLogicalType::Integer(IntegerType::UInt64))
        || kind.converted_type == Some(PrimitiveConvertedType::Uint64);
    match kind.physical_type {
        PhysicalType::Int64 if unsigned => ColumnValues::Count(Vec::new()),
        PhysicalType::Int64 => ColumnValues::Whole(Vec::new()),
        PhysicalType::Double => ColumnValues::Number(Vec::new()),
        PhysicalType::Boolean => ColumnValues::Flag(Vec::new()),
        _ => ColumnValues::Text(Vec::new()),
    }
}

/// Appends the rows of a group to `values`, which [`empty_column_of_type`] made for their type.
///
/// # Errors
/// When the pages are not of the kind that [`encode`](super::encode) writes.
pub(super) fn append_column_of_group(
    values: &mut ColumnValues,
    kind: &PrimitiveType,
    rows: usize,
    pages: PageReader,
) -> Result<(), DecodeFault> {
    match values {
        ColumnValues::Count(all) => append_typed(all, rows, pages),
        ColumnValues::Whole(all) => append_typed(all, rows, pages),
        ColumnValues::Number(all) => append_typed(all, rows, pages),
        ColumnValues::Flag(all) => append_typed(all, rows, pages),
        ColumnValues::Text(all) if kind.physical_type == PhysicalType::ByteArray => {
            append_typed(all, rows, pages)
        }
        ColumnValues::Text(all) => {
            all.extend(std::iter::repeat_n(None, rows.min(MAX_DECODED_ROWS)));
            Ok(())
        }
    }
}

/// A type of values, and its plain encoding, one value after the other.
trait DecodablePlainValue: Clone {
    /// Takes `count` values off the front; `None` if there are fewer.
    fn take_plain_values(bytes: &[u8], count: usize) -> Option<Vec<Self>>;
}

fn take_eight_bytes_each(bytes: &[u8], count: usize) -> Option<impl Iterator<Item = [u8; 8]>> {
    let all = bytes.get(..count.checked_mul(8)?)?;
    Some(all.as_chunks::<8>().0.iter().copied())
}

impl DecodablePlainValue for u64 {
    fn take_plain_values(bytes: &[u8], count: usize) -> Option<Vec<u64>> {
        Some(take_eight_bytes_each(bytes, count)?.map(u64::from_le_bytes).collect())
    }
}

impl DecodablePlainValue for i64 {
    fn take_plain_values(bytes: &[u8], count: usize) -> Option<Vec<i64>> {
        Some(take_eight_bytes_each(bytes, count)?.map(i64::from_le_bytes).collect())
    }
}

impl DecodablePlainValue for f64 {
    fn take_plain_values(bytes: &[u8], count: usize) -> Option<Vec<f64>> {
        Some(take_eight_bytes_each(bytes, count)?.map(f64::from_le_bytes).collect())
    }
}

impl DecodablePlainValue for bool {
    fn take_plain_values(bytes: &[u8], count: usize) -> Option<Vec<bool>> {
        let bits = bytes.get(..count.div_ceil(8))?;
        Some((0..count).map(|at| bits[at / 8] >> (at % 8) & 1 == 1).collect())
    }
}

impl DecodablePlainValue for Text {
    fn take_plain_values(mut bytes: &[u8], count: usize) -> Option<Vec<Text>> {
        let mut next = || {
            let (length, rest) = bytes.split_first_chunk::<4>()?;
            let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            bytes = rest;
            Some(Text::from(std::str::from_utf8(text).ok()?.to_owned()))
        };
        (0..count).map(|_| next()).collect()
    }
}

fn append_typed<T: DecodablePlainValue>(
    all: &mut Vec<Option<T>>,
    rows: usize,
    pages: PageReader,
) -> Result<(), DecodeFault> {
    let mut dictionary = Vec::new();
    let mut left = rows;
    let mut context = DecompressionContext::Unset;
    for page in pages {
        let page = page.and_then(|page| decompress(page, &mut Vec::new(), &mut context));
        match page.map_err(|error| error.to_string())? {
            Page::Dict(page) => {
                let short = || "a dictionary has fewer entries than declared".to_owned();
                dictionary =
                    T::take_plain_values(&page.buffer, page.num_values).ok_or_else(short)?;
            }
            Page::Data(page) => {
                let count = page.num_values();
                left = left
                    .checked_sub(count)
                    .filter(|_| count <= MAX_DECODED_ROWS)
                    .ok_or("a page has too many rows")?;
                append_rows_of_page(&page, &dictionary, all)?;
            }
        }
    }
    match left {
        0 => Ok(()),
        _ => Err("rows are missing".to_owned()),
    }
}

fn append_rows_of_page<T: DecodablePlainValue>(
    page: &DataPage,
    dictionary: &[T],
    all: &mut Vec<Option<T>>,
) -> Result<(), DecodeFault> {
    let DataPageHeader::V1(header) = page.header() else {
        return Err("a page is of the second version".to_owned());
    };
    let rows = page.num_values();
    let (levels, bytes) = match (page.descriptor.max_def_level, page.descriptor.max_rep_level) {
        (0, 0) => (vec![1; rows], page.buffer()),
        (1, 0) => decode_presence_levels(page.buffer(), rows)
            .ok_or("the list of rows with a value is malformed")?,
        _ => return Err("a column has lists".to_owned()),
    };
    let present = levels.iter().filter(|&&level| level == 1).count();
    let values = match Encoding::try_from(header.encoding) {
        Ok(Encoding::Plain) => {
            T::take_plain_values(bytes, present).ok_or("a page has fewer values than declared")?
        }
        Ok(Encoding::RleDictionary | Encoding::PlainDictionary) => {
            look_up_dictionary_entries(bytes, present, dictionary)
                .ok_or("a page refers to an entry that its dictionary lacks")?
        }
        _ => return Err("a page has an unknown encoding".to_owned()),
    };
    let mut values = values.into_iter();
    all.extend(levels.iter().map(|&level| if level == 1 { values.next() } else { None }));
    Ok(())
}

/// Returns which rows have a value, and the bytes after the levels.
fn decode_presence_levels(bytes: &[u8], rows: usize) -> Option<(Vec<u32>, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (runs, values) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((unpack_runs_and_bits(runs, 1, rows)?, values))
}

fn look_up_dictionary_entries<T: DecodablePlainValue>(
    bytes: &[u8],
    count: usize,
    dictionary: &[T],
) -> Option<Vec<T>> {
    let (&bits, runs) = match bytes.split_first() {
        None if count == 0 => return Some(Vec::new()),
        split => split?,
    };
    let places = unpack_runs_and_bits(runs, u32::from(bits), count)?;
    places.iter().map(|&place| dictionary.get(place as usize).cloned()).collect()
}
