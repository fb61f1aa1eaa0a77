//! Data of a lowering: operands with their ranges, names, loops, bags, and reports. The constants
//! are limits.

use std::borrow::Cow;
use std::sync::Arc;

use crate::diagnostics::Span;
use crate::syntax::ast::{Name, Said};
use crate::types::{Fixed, Kind, Range};
use crate::vm::code::Reg;
use enfilade_model::combat::{MeasureKind, Scale};

/// Largest number of changing fields of an item.
pub const CHANGES: usize = 6;
/// Largest number of instructions of a rule.
pub const OPS: usize = 16_384;
/// Largest number of lines and values to lower: short rules with nested parts may cost much.
pub const STEPS: usize = 1 << 18;
/// Largest depth of nested calls.
pub const DEPTH: usize = 32;
/// Largest number of unrolled turns of a loop.
pub const TURNS: i64 = 12;
/// Largest number of unrolled turns of nested loops together.
pub const COPIES: i64 = 64;
/// Largest number of face sequences of the dice in one step.
pub const FACES: u32 = 36;

/// Number with its range, and its register unless it is constant.
#[derive(Clone, Copy, Debug)]
pub struct Num {
    pub(super) range: Range,
    pub(super) at: Reg,
}

impl Num {
    /// Creates a constant of a type, without a register.
    pub(super) fn one(kind: Kind, value: i64) -> Num {
        let range = Range::one(kind, value);
        Num { range, at: 0 }
    }

    /// Creates a constant whole number.
    pub(super) fn of(value: i64) -> Num {
        Num::one(Kind::Number, value)
    }

    /// Returns the value of a constant.
    pub(super) fn known(&self) -> Option<i64> {
        self.range.known()
    }
}

/// Cell of a lookup.
#[derive(Clone, Copy, Debug)]
pub(super) enum Looked {
    /// Constant.
    Is(i64),
    /// Parameter: its range and its slot.
    Asked(Range, u8),
}

/// Value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Num(Num),
    /// Printed cell: word and number.
    Cell(Num, Num),
    List(List),
    /// Value of the contest.
    Fixed(Fixed),
    /// One of several values of the contest, by its index.
    Chosen(Arc<[Fixed]>, Num),
    Bag(u8),
    /// Item of a bag, by the register of its position.
    Thing(u8, Reg),
}

/// List of the rule: consecutive registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    pub(super) base: Reg,
    pub(super) len: u8,
    pub(super) kind: Kind,
}

/// Target of an assignment.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Var(Reg, Kind),
    Cell(Reg, Kind),
    List(List),
    /// List element.
    Of(List, Num),
    /// Changing field of an item.
    Field(u16, Reg),
}

/// Meaning of a name of the rule.
#[derive(Clone, Debug)]
pub(super) enum Bind {
    /// Variable, or alias of one.
    Place(Place),
    /// Value that cannot be assigned.
    Is(Value),
}

pub(super) struct Local<'g> {
    pub(super) name: &'g str,
    pub(super) bind: Bind,
}

/// Scope of an action, or of a part that is being inlined.
#[derive(Default)]
pub(super) struct Frame<'g> {
    pub(super) locals: Vec<Local<'g>>,
    /// Names whose block has ended.
    pub(super) gone: Vec<&'g str>,
    /// Variables of the rule that measures cannot see.
    pub(super) hidden: Vec<&'g str>,
    /// Open loops, the innermost last.
    pub(super) loops: Vec<Loop>,
    /// Target and result of `give`.
    pub(super) gives: Option<Gives>,
    /// Names that every path through an open choice assigns, the innermost choice last.
    pub(super) reserved: Vec<Reserved<'g>>,
}

/// Register reserved for a name that every path through a choice assigns.
pub(super) struct Reserved<'g> {
    pub(super) name: &'g str,
    pub(super) reg: Reg,
    /// Type assigned by the first path; `None` before it.
    pub(super) kind: Option<Kind>,
}

impl<'g> Frame<'g> {
    /// Creates a scope with names for values.
    pub(super) fn of(names: impl Iterator<Item = (&'g str, Value)>) -> Frame<'g> {
        let locals = names.map(|(name, value)| Local { name, bind: Bind::Is(value) });
        Frame { locals: locals.collect(), ..Frame::default() }
    }
}

pub(super) struct Loop {
    pub(super) out: Target,
    /// Number of bag loops that were open before it.
    pub(super) opens: usize,
}

pub(super) struct Gives {
    pub(super) out: Target,
    pub(super) into: Reg,
    pub(super) kind: Option<Kind>,
    pub(super) is_cell: bool,
    pub(super) opens: usize,
}

/// Ranges of variables, by register; the ranges of all later registers are unknown.
pub(super) type Env = Vec<(i32, i32)>;

/// Target of jumps that is not placed yet, with the ranges known there.
#[derive(Default)]
pub(super) struct Target {
    pub(super) jumps: Vec<usize>,
    pub(super) env: Option<Env>,
    /// Whether a die may have been rolled on the way.
    pub(super) fell: bool,
}

impl Target {
    /// Adds a jump, with the ranges known at it.
    pub(super) fn add(&mut self, jump: usize, env: Option<Env>, fell: bool) {
        self.jumps.push(jump);
        self.fell |= fell;
        self.env = match (self.env.take(), env) {
            (Some(a), Some(b)) => Some(joined(a, b)),
            (a, b) => a.or(b),
        };
    }
}

/// Merges the ranges of two paths that meet.
pub(super) fn joined(mut a: Env, b: Env) -> Env {
    a.truncate(b.len());
    for (a, b) in a.iter_mut().zip(b) {
        *a = (a.0.min(b.0), a.1.max(b.1));
    }
    a
}

/// Decision of a player.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Whether the player wants the highest mean.
    pub highest: bool,
    /// Show that the decision is for.
    pub goal: Name,
    /// Its label; empty where it has none.
    pub label: String,
    /// Texts of the options.
    pub options: Vec<String>,
    /// Place in the file.
    pub span: Span,
}

/// Bag during lowering.
pub struct BagOf<'g> {
    /// Distinct rows.
    pub(super) rows: Arc<[Fixed]>,
    /// Changing fields of its items.
    pub(super) fields: Vec<Changing<'g>>,
    /// Whether all its items are present, whatever is rolled.
    pub(super) whole: bool,
    /// Place of its declaration.
    pub(super) made: usize,
    /// Digit of the row.
    pub(super) row: u16,
}

/// Changing field of an item.
pub(super) struct Changing<'g> {
    pub(super) name: &'g str,
    pub(super) kind: Kind,
    pub(super) digit: u16,
}

/// Show with its value.
pub struct Reported<'g> {
    /// Name.
    pub name: &'g Name,
    /// Type.
    pub kind: Kind,
    /// Annotations.
    pub said: &'g Said,
    /// Whether only measures see it.
    pub keep: bool,
    /// Value.
    pub(super) value: Num,
}

/// Measure.
pub struct Measured<'g> {
    /// Name.
    pub name: Cow<'g, Name>,
    /// Kind, with the weights that it needs.
    pub kind: MeasureKind,
    /// Factor.
    pub scale: Scale,
    /// Condition of the trials that count; empty where all do.
    pub condition: String,
    /// What is said of it.
    pub said: Cow<'g, Said>,
}
