//! Values: types, ranges of numbers, and contest values, which are fixed before the first die.

use std::sync::Arc;

/// Largest length of a list.
pub const MAX_LIST_LENGTH: i64 = 100;
/// Largest number of items in a bag.
pub const MAX_BAG_ITEMS: usize = 24;

/// Type of a number. A yes or no is 1 or 0, a word its index in its list, a row its index in its
/// data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// Whole number.
    Number,
    /// 0 or 1.
    YesNo,
    /// Word of this list.
    Word(u16),
    /// Row of this data block.
    Row(u16),
    /// Type of a faulty value: it is compatible with every type, so that one fault is reported
    /// once.
    Any,
}

impl ScalarType {
    /// Returns whether a value of one type is accepted where the other is expected.
    pub fn is_compatible_with(self, other: ScalarType) -> bool {
        self == other || self == ScalarType::Any || other == ScalarType::Any
    }
}

/// Smallest and largest value of a variable.
pub const VARIABLE_RANGE: (i64, i64) = (i16::MIN as i64, i16::MAX as i64);

/// Range of numbers of one type, ends included; a constant if both ends are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueRange {
    /// Type.
    pub kind: ScalarType,
    /// Smallest number.
    pub lo: i64,
    /// Largest number.
    pub hi: i64,
}

impl ValueRange {
    /// Creates a range from its ends.
    pub const fn new(kind: ScalarType, lo: i64, hi: i64) -> ValueRange {
        ValueRange { kind, lo, hi }
    }

    /// Creates a range of one number.
    pub const fn from_number(kind: ScalarType, value: i64) -> ValueRange {
        ValueRange::new(kind, value, value)
    }

    /// Creates the smallest range that contains these numbers.
    pub fn range_spanning_numbers(numbers: &[i64]) -> ValueRange {
        let (lo, hi) = (numbers.iter().min(), numbers.iter().max());
        ValueRange::new(ScalarType::Number, lo.copied().unwrap_or(0), hi.copied().unwrap_or(0))
    }

    /// Returns the number of a range that contains only one.
    pub fn only_number(&self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Returns whether a number is in the range.
    pub fn contains(&self, number: i64) -> bool {
        (self.lo..=self.hi).contains(&number)
    }

    /// Returns the range as that of a number.
    pub fn with_number_type(self) -> ValueRange {
        ValueRange { kind: ScalarType::Number, ..self }
    }

    /// Returns the smallest range that contains both.
    pub fn union(self, other: ValueRange) -> ValueRange {
        let kind = match self.kind {
            ScalarType::Any => other.kind,
            kind => kind,
        };
        ValueRange::new(kind, self.lo.min(other.lo), self.hi.max(other.hi))
    }
}

/// Value of a contest, which no die changes. A check has no contest: its numbers are ranges, and it
/// may be unknown whether a value is present.
#[derive(Clone, Debug)]
pub enum ContestValue {
    /// Number.
    Number(ValueRange),
    /// Parameter that is loaded at run time: the range of its field, and its slot.
    Parameter(ValueRange, u8),
    /// Printed cell: its word, and the number in it.
    Cell(ValueRange, ValueRange),
    /// List, with its possible lengths if the length is unknown.
    List(Arc<[ContestValue]>, Option<(i64, i64)>),
    /// Record.
    Record(Arc<RecordValue>),
    /// Data row.
    Row(Arc<ContestDataRow>),
    /// Marks, by the index of their names: a number for each that is present.
    Marks(u16, Arc<[ContestValue]>),
    /// Absent value, with the message for a read of it.
    Absent(Arc<str>),
    /// Value that may be absent.
    Maybe(Arc<ContestValue>),
}

impl ContestValue {
    /// Creates a number.
    pub fn from_number(kind: ScalarType, value: i64) -> ContestValue {
        ContestValue::Number(ValueRange::from_number(kind, value))
    }

    /// Returns the range of a number.
    pub fn number_range(&self) -> Option<ValueRange> {
        match self {
            ContestValue::Number(range) => Some(*range),
            _ => None,
        }
    }

    /// Returns the word and the number of a printed cell.
    pub fn cell_word_and_number(&self) -> Option<(ValueRange, ValueRange)> {
        match self {
            ContestValue::Cell(word, number) => Some((*word, *number)),
            _ => None,
        }
    }

    /// Returns the number if it is a constant.
    pub fn constant_number(&self) -> Option<i64> {
        self.number_range()?.only_number()
    }

    /// Returns whether the value is present; `None` if that is unknown.
    pub fn presence_if_known(&self) -> Option<bool> {
        match self {
            ContestValue::Absent(_) => Some(false),
            ContestValue::Maybe(_) => None,
            _ => Some(true),
        }
    }
}

/// Record with the values of its fields.
#[derive(Clone, Debug)]
pub struct RecordValue {
    /// Index of the record's declaration.
    pub record: usize,
    /// Values of the fields, and whether the contest gives each; `None` if that is unknown.
    pub fields: Vec<(ContestValue, Option<bool>)>,
    /// Number of equal records.
    pub count: i64,
    /// Name in the contest.
    pub name: Arc<str>,
}

/// Data row, with the changes of a contest.
#[derive(Clone, Debug)]
pub struct ContestDataRow {
    /// Index of the data block.
    pub data: u16,
    /// Possible rows, by index; −1 for a row of the contest alone.
    pub place: ValueRange,
    /// Parameter slot of the index, if it is loaded at run time.
    pub parameter: Option<u8>,
    /// Cells by column.
    pub cells: Vec<ContestValue>,
}

/// Returns the index of the last key not above a number; the first if the number is below all.
/// Returns `None` if only printed keys are allowed and this is not one.
pub fn lookup_key_index_by_number(keys: &[(i64, i64)], exact: bool, number: i64) -> Option<usize> {
    let place = keys.iter().rposition(|(from, _)| *from <= number);
    match exact {
        true => place.filter(|&place| number <= keys[place].1),
        false => Some(place.unwrap_or(0)),
    }
}
