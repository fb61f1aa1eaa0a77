//! What a rule tells while it is played, as data of its program: marks in the code, and what they say.

use crate::diagnostics::Span;
use crate::types::Kind;

/// Something that is told when the rule comes by.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Where it stands in the file.
    pub span: Span,
    /// What is told.
    pub what: Said,
}

/// What is told.
#[derive(Clone, Debug)]
pub enum Said {
    /// A value was given to what stands before `=`.
    Set(u8, Kind),
    /// A test holds, or does not; with its sides where they are numbers.
    Test(bool, Option<Sides>),
    /// A printed cell, or a word: its word and its number.
    Cell(Piece, Option<Piece>),
    /// A sentence of the author's.
    Note(Vec<Piece>),
    /// A bag is there from here on.
    Made(u8),
}

/// How the things of a bag are told.
#[derive(Clone, Debug, Default)]
pub struct Things {
    /// What the rule calls them.
    pub name: String,
    /// The digit that says which row a thing is of.
    pub row: u16,
    /// By row: what the contest calls it.
    pub rows: Vec<String>,
    /// What changes in them, as it was named.
    pub told: Vec<Told>,
    /// The digits of what the rule keeps for itself.
    pub kept: Vec<u16>,
}

/// A changing value of things.
#[derive(Clone, Debug)]
pub struct Told {
    /// What it is called.
    pub name: String,
    /// Where it stands.
    pub digit: u16,
    /// What it is.
    pub kind: Kind,
    /// Whether it is told even where all have what they began with.
    pub always: bool,
}

/// The numbers that a test compares.
#[derive(Clone, Debug)]
pub struct Sides {
    /// What stands before its sign.
    pub left: Piece,
    /// Where the sign stands.
    pub sign: Span,
    /// What stands behind it.
    pub right: Piece,
}

/// A piece of a sentence.
#[derive(Clone, Debug)]
pub enum Piece {
    /// As it is written, or known before the first die.
    Text(String),
    /// What a register holds.
    Value(u8, Kind),
    /// One of these, whose place a register holds.
    One(u8, Vec<String>),
}

impl Mark {
    /// Something told there.
    pub fn new(span: &Span, what: Said) -> Mark {
        let span = span.clone();
        Mark { span, what }
    }
}
