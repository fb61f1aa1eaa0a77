//! Values: types, ranges of numbers, and contest values, which are fixed before the first die.

use std::sync::Arc;

/// Largest length of a list.
pub const LIST: i64 = 100;
/// Largest number of items in a bag.
pub const THINGS: usize = 24;

/// Type of a number. A yes or no is 1 or 0, a word its index in its list, a row its index in its
/// data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
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

impl Kind {
    /// Returns whether a value of one type is accepted where the other is expected.
    pub fn goes_with(self, other: Kind) -> bool {
        self == other || self == Kind::Any || other == Kind::Any
    }
}

/// Smallest and largest value of a variable.
pub const STORED: (i64, i64) = (i16::MIN as i64, i16::MAX as i64);

/// Range of numbers of one type, ends included; a constant if both ends are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Type.
    pub kind: Kind,
    /// Smallest number.
    pub lo: i64,
    /// Largest number.
    pub hi: i64,
}

impl Range {
    /// Creates a range from its ends.
    pub const fn new(kind: Kind, lo: i64, hi: i64) -> Range {
        Range { kind, lo, hi }
    }

    /// Creates a range of one number.
    pub const fn one(kind: Kind, value: i64) -> Range {
        Range::new(kind, value, value)
    }

    /// Creates the smallest range that contains these numbers.
    pub fn of(numbers: &[i64]) -> Range {
        let (lo, hi) = (numbers.iter().min(), numbers.iter().max());
        Range::new(Kind::Number, lo.copied().unwrap_or(0), hi.copied().unwrap_or(0))
    }

    /// Returns the number of a range that contains only one.
    pub fn known(&self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Returns whether a number is in the range.
    pub fn has(&self, number: i64) -> bool {
        (self.lo..=self.hi).contains(&number)
    }

    /// What is in either.
    pub fn as_number(self) -> Range {
        Range { kind: Kind::Number, ..self }
    }

    pub fn or(self, other: Range) -> Range {
        let kind = match self.kind {
            Kind::Any => other.kind,
            kind => kind,
        };
        Range::new(kind, self.lo.min(other.lo), self.hi.max(other.hi))
    }
}

/// Value of a contest, which no die changes. A check has no contest: its numbers are ranges, and it
/// may be unknown whether a value is present.
#[derive(Clone, Debug)]
pub enum Fixed {
    /// Number.
    Number(Range),
    /// Parameter that is loaded at run time: the range of its field, and its slot.
    Asked(Range, u8),
    /// Printed cell: its word, and the number in it.
    Cell(Range, Range),
    /// List, with its possible lengths if the length is unknown.
    List(Arc<[Fixed]>, Option<(i64, i64)>),
    /// Record.
    Record(Arc<Record>),
    /// Data row.
    Row(Arc<DataRow>),
    /// Marks, by the index of their names: a number for each that is present.
    Marks(u16, Arc<[Fixed]>),
    /// Absent value, with the message for a read of it.
    Absent(Arc<str>),
    /// Value that may be absent.
    Maybe(Arc<Fixed>),
}

impl Fixed {
    /// Creates a number.
    pub fn one(kind: Kind, value: i64) -> Fixed {
        Fixed::Number(Range::one(kind, value))
    }

    /// Returns the range of a number.
    pub fn range(&self) -> Option<Range> {
        match self {
            Fixed::Number(range) => Some(*range),
            _ => None,
        }
    }

    /// Returns the word and the number of a printed cell.
    pub fn printed(&self) -> Option<(Range, Range)> {
        match self {
            Fixed::Cell(word, number) => Some((*word, *number)),
            _ => None,
        }
    }

    /// Returns the number if it is a constant.
    pub fn known(&self) -> Option<i64> {
        self.range()?.known()
    }

    /// Returns whether the value is present; `None` if that is unknown.
    pub fn is_there(&self) -> Option<bool> {
        match self {
            Fixed::Absent(_) => Some(false),
            Fixed::Maybe(_) => None,
            _ => Some(true),
        }
    }
}

/// Record with the values of its fields.
#[derive(Clone, Debug)]
pub struct Record {
    /// Index of the record's declaration.
    pub of: usize,
    /// Values of the fields, and whether the contest gives each; `None` if that is unknown.
    pub fields: Vec<(Fixed, Option<bool>)>,
    /// Number of equal records.
    pub count: i64,
    /// Name in the contest.
    pub name: Arc<str>,
}

/// Data row, with the changes of a contest.
#[derive(Clone, Debug)]
pub struct DataRow {
    /// Index of the data block.
    pub data: u16,
    /// Possible rows, by index; −1 for a row of the contest alone.
    pub place: Range,
    /// Parameter slot of the index, if it is loaded at run time.
    pub asked: Option<u8>,
    /// Cells by column.
    pub cells: Vec<Fixed>,
}

/// Returns the index of the last key not above a number; the first if the number is below all.
/// Returns `None` if only printed keys are allowed and this is not one.
pub fn key(keys: &[(i64, i64)], exact: bool, number: i64) -> Option<usize> {
    let place = keys.iter().rposition(|(from, _)| *from <= number);
    match exact {
        true => place.filter(|&place| number <= keys[place].1),
        false => Some(place.unwrap_or(0)),
    }
}
