//! What values are: kinds, ranges of numbers, and things that a contest fixes before the first die.

use std::sync::Arc;

/// Places of a list.
pub const LIST: i64 = 100;
/// Things of a bag.
pub const THINGS: usize = 24;

/// What a number is. A yes or no is 0 or 1, a word its place in its list, a row its place in its
/// data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A whole number.
    Number,
    /// 0 or 1.
    YesNo,
    /// A word of this list.
    Word(u16),
    /// A row of this block of data.
    Row(u16),
    /// What a fault leaves behind: it goes with everything, so that one fault is told once.
    Any,
}

impl Kind {
    /// Whether a value of one kind may stand where the other is expected.
    pub fn goes_with(self, other: Kind) -> bool {
        self == other || self == Kind::Any || other == Kind::Any
    }
}

/// Least and greatest value that a variable can hold.
pub const STORED: (i64, i64) = (i16::MIN as i64, i16::MAX as i64);

/// Numbers of one kind between two: one number where both are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// What they are.
    pub kind: Kind,
    /// The least.
    pub lo: i64,
    /// The greatest.
    pub hi: i64,
}

impl Range {
    /// All numbers between two.
    pub const fn new(kind: Kind, lo: i64, hi: i64) -> Range {
        Range { kind, lo, hi }
    }

    /// One number.
    pub const fn one(kind: Kind, value: i64) -> Range {
        Range::new(kind, value, value)
    }

    /// From the least to the greatest of some numbers.
    pub fn of(numbers: &[i64]) -> Range {
        let (lo, hi) = (numbers.iter().min(), numbers.iter().max());
        Range::new(Kind::Number, lo.copied().unwrap_or(0), hi.copied().unwrap_or(0))
    }

    /// The number, where it is one.
    pub fn known(&self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Whether a number is among them.
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

/// Something that a contest says, and no die changes. When a file is checked no contest is at hand:
/// then numbers are ranges, and whether something is there may be unknown.
#[derive(Clone, Debug)]
pub enum Fixed {
    /// A number.
    Number(Range),
    /// A number that is asked for while the rule is played: the range of its field, and which.
    Asked(Range, u8),
    /// A printed cell: its word, and the number in it.
    Cell(Range, Range),
    /// Several, and how many there may be where that is not known.
    List(Arc<[Fixed]>, Option<(i64, i64)>),
    /// A record of a contest.
    Record(Arc<Record>),
    /// A row of data.
    Row(Arc<DataRow>),
    /// Printed specials, by the place of their names: each a number where it is there.
    Marks(u16, Arc<[Fixed]>),
    /// Nothing, and the sentence that says so to whoever reads it.
    Absent(Arc<str>),
    /// Something that may be absent.
    Maybe(Arc<Fixed>),
}

impl Fixed {
    /// One number.
    pub fn one(kind: Kind, value: i64) -> Fixed {
        Fixed::Number(Range::one(kind, value))
    }

    /// The range of a number.
    pub fn range(&self) -> Option<Range> {
        match self {
            Fixed::Number(range) => Some(*range),
            _ => None,
        }
    }

    /// The word and the number of a printed cell.
    pub fn printed(&self) -> Option<(Range, Range)> {
        match self {
            Fixed::Cell(word, number) => Some((*word, *number)),
            _ => None,
        }
    }

    /// The number that it is, where it is one that is known.
    pub fn known(&self) -> Option<i64> {
        self.range()?.known()
    }

    /// Whether something is there; `None` where that is unknown.
    pub fn is_there(&self) -> Option<bool> {
        match self {
            Fixed::Absent(_) => Some(false),
            Fixed::Maybe(_) => None,
            _ => Some(true),
        }
    }
}

/// A record with the values of its fields.
#[derive(Clone, Debug)]
pub struct Record {
    /// Which record.
    pub of: usize,
    /// By field: its value, and whether the contest gives it; `None` where that is unknown.
    pub fields: Vec<(Fixed, Option<bool>)>,
    /// How many there are of it.
    pub count: i64,
    /// What the contest calls it.
    pub name: Arc<str>,
}

/// A row of data, with what a contest changes in it.
#[derive(Clone, Debug)]
pub struct DataRow {
    /// Which block of data.
    pub data: u16,
    /// Which rows it may be, by place; −1 for one that stands in the contest alone.
    pub place: Range,
    /// Which number of the contest the place is, where it is asked for while the rule is played.
    pub asked: Option<u8>,
    /// By column.
    pub cells: Vec<Fixed>,
}

/// The place of a number among keys: the last not above it, the first where it is below all. `None`
/// where only printed keys are known, and this is none.
pub fn key(keys: &[(i64, i64)], exact: bool, number: i64) -> Option<usize> {
    let place = keys.iter().rposition(|(from, _)| *from <= number);
    match exact {
        true => place.filter(|&place| number <= keys[place].1),
        false => Some(place.unwrap_or(0)),
    }
}
