//! Trace marks: data in a program that defines the events of a traced run, and their places.

use crate::diagnostics::Span;
use crate::value_types::ScalarType;

/// Trace mark in the code.
#[derive(Clone, Debug)]
pub struct TraceEventInCode {
    /// Place in the file.
    pub span: Span,
    /// Event.
    pub event: TraceEvent,
}

/// Event of a traced run.
#[derive(Clone, Debug)]
pub enum TraceEvent {
    /// Assignment to the target before `=`.
    Set(u8, ScalarType),
    /// Assignment to a place of a list: the registers of the place and of its new value.
    SetPlace([(u8, ScalarType); 2]),
    /// Test that passed or failed, with its operands if they are numbers.
    Test(bool, Option<ComparisonOperandTexts>),
    /// Printed cell, or word: its word and its number.
    Cell(TextOrRegisterValue, Option<TextOrRegisterValue>),
    /// Note of the author.
    Note(Vec<TextOrRegisterValue>),
    /// New bag.
    BagCreated(u8),
}

/// Format of a bag's items in traces.
#[derive(Clone, Debug, Default)]
pub struct TracedBagFormat {
    /// Name of the bag in the rule.
    pub name: String,
    /// Digit of an item's row.
    pub row: u16,
    /// Labels of the rows.
    pub rows: Vec<String>,
    /// Changing fields, with their names.
    pub fields: Vec<TracedBagField>,
    /// Digits of the fields that the rule hides.
    pub hidden_digits: Vec<u16>,
}

/// Changing field of a bag's items.
#[derive(Clone, Debug)]
pub struct TracedBagField {
    /// Name.
    pub name: String,
    /// Digit.
    pub digit: u16,
    /// Type.
    pub kind: ScalarType,
    /// Whether the value is reported even while all items have its initial one.
    pub always: bool,
}

/// Operands of a comparison.
#[derive(Clone, Debug)]
pub struct ComparisonOperandTexts {
    /// Left operand.
    pub left: TextOrRegisterValue,
    /// Place of the operator.
    pub sign: Span,
    /// Right operand.
    pub right: TextOrRegisterValue,
}

/// Piece of a sentence.
#[derive(Clone, Debug)]
pub enum TextOrRegisterValue {
    /// Constant text.
    Text(String),
    /// Value of a register.
    Value(u8, ScalarType),
    /// One of several texts, by the index in a register.
    One(u8, Vec<String>),
}

impl TraceEventInCode {
    /// Creates a mark at a place.
    pub fn new(span: &Span, what: TraceEvent) -> TraceEventInCode {
        let span = span.clone();
        TraceEventInCode { span, event: what }
    }
}
