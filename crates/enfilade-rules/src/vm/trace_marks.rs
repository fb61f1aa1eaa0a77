//! Trace marks: data in a program that says what a traced run reports, and where.

use crate::diagnostics::Span;
use crate::types::Kind;

/// Trace mark in the code.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Place in the file.
    pub span: Span,
    /// Event.
    pub what: Said,
}

/// Event of a traced run.
#[derive(Clone, Debug)]
pub enum Said {
    /// Assignment to the target before `=`.
    Set(u8, Kind),
    /// Test that passed or failed, with its operands if they are numbers.
    Test(bool, Option<Sides>),
    /// Printed cell, or word: its word and its number.
    Cell(Piece, Option<Piece>),
    /// Note of the author.
    Note(Vec<Piece>),
    /// New bag.
    Made(u8),
}

/// Format of a bag's items in traces.
#[derive(Clone, Debug, Default)]
pub struct Things {
    /// Name of the bag in the rule.
    pub name: String,
    /// Digit of an item's row.
    pub row: u16,
    /// Labels of the rows.
    pub rows: Vec<String>,
    /// Changing fields, with their names.
    pub told: Vec<Told>,
    /// Digits of the fields that the rule hides.
    pub kept: Vec<u16>,
}

/// Changing field of a bag's items.
#[derive(Clone, Debug)]
pub struct Told {
    /// Name.
    pub name: String,
    /// Digit.
    pub digit: u16,
    /// Type.
    pub kind: Kind,
    /// Whether it is reported even while all items have its initial value.
    pub always: bool,
}

/// Operands of a comparison.
#[derive(Clone, Debug)]
pub struct Sides {
    /// Left operand.
    pub left: Piece,
    /// Place of the operator.
    pub sign: Span,
    /// Right operand.
    pub right: Piece,
}

/// Piece of a sentence.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Constant text.
    Text(String),
    /// Value of a register.
    Value(u8, Kind),
    /// One of several texts, by the index in a register.
    One(u8, Vec<String>),
}

impl Mark {
    /// Creates a mark at a place.
    pub fn new(span: &Span, what: Said) -> Mark {
        let span = span.clone();
        Mark { span, what }
    }
}
