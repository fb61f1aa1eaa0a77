//! What a walk over a rule knows: numbers by their ranges, names, loops, bags, and what is reported.

use std::borrow::Cow;
use std::sync::Arc;

use crate::diagnostics::Span;
use crate::syntax::ast::{Name, Said};
use crate::types::{Fixed, Kind, Range};
use crate::vm::code::Reg;
use enfilade_model::combat::{MeasureKind, Scale};

/// What may change in a thing.
pub const CHANGES: usize = 6;
/// Operations of a rule.
pub const OPS: usize = 16_384;
/// Lines and values looked at: parts within parts may say little and cost much.
pub const STEPS: usize = 1 << 18;
/// Parts within parts.
pub const DEPTH: usize = 32;
/// Turns of a loop that are written out one by one.
pub const TURNS: i64 = 12;
/// Turns within turns that are.
pub const COPIES: i64 = 64;
/// Sequences of faces of dice that fall in one step.
pub const FACES: u32 = 36;

/// A number: its range, and the register it stands in unless it is known.
#[derive(Clone, Copy, Debug)]
pub struct Num {
    pub(super) range: Range,
    pub(super) at: Reg,
}

impl Num {
    /// One number of a kind: it needs no register.
    pub(super) fn one(kind: Kind, value: i64) -> Num {
        let range = Range::one(kind, value);
        Num { range, at: 0 }
    }

    /// A whole number.
    pub(super) fn of(value: i64) -> Num {
        Num::one(Kind::Number, value)
    }

    /// The number, where it is one.
    pub(super) fn known(&self) -> Option<i64> {
        self.range.known()
    }
}

/// A cell that is looked up.
#[derive(Clone, Copy, Debug)]
pub(super) enum Looked {
    /// A number that is known.
    Is(i64),
    /// A number of the contest that is asked for: its range, and which.
    Asked(Range, u8),
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Num(Num),
    /// A printed cell: word and number.
    Cell(Num, Num),
    List(List),
    /// Something of the contest.
    Fixed(Fixed),
    /// One of several things of the contest.
    Chosen(Arc<[Fixed]>, Num),
    Bag(u8),
    /// A thing of a bag, by the register of its place.
    Thing(u8, Reg),
}

/// A list that the rule keeps: registers in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    pub(super) base: Reg,
    pub(super) len: u8,
    pub(super) kind: Kind,
}

/// What can be given a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Var(Reg, Kind),
    Cell(Reg, Kind),
    List(List),
    /// A place of a list.
    Of(List, Num),
    /// A changing value of a thing.
    Field(u16, Reg),
}

/// What a name of the rule's own is.
#[derive(Clone, Debug)]
pub(super) enum Bind {
    /// A variable, or what stands for one.
    Place(Place),
    /// A value that cannot be assigned.
    Is(Value),
}

pub(super) struct Local<'g> {
    pub(super) name: &'g str,
    pub(super) bind: Bind,
}

/// The names of an action, or of a part that is under way.
#[derive(Default)]
pub(super) struct Frame<'g> {
    pub(super) locals: Vec<Local<'g>>,
    /// Names whose block has ended.
    pub(super) gone: Vec<&'g str>,
    /// Variables of the rule that a measure does not see.
    pub(super) hidden: Vec<&'g str>,
    /// The loops that are open, the innermost last.
    pub(super) loops: Vec<Loop>,
    /// Where `give` goes, and what it gave.
    pub(super) gives: Option<Gives>,
    /// Names that every way through an open choice makes, those of the innermost last.
    pub(super) reserved: Vec<Reserved<'g>>,
}

/// A register for a name that every way through a choice makes.
pub(super) struct Reserved<'g> {
    pub(super) name: &'g str,
    pub(super) reg: Reg,
    /// What the first way put there; nothing before.
    pub(super) kind: Option<Kind>,
}

impl<'g> Frame<'g> {
    /// Names that stand for values.
    pub(super) fn of(names: impl Iterator<Item = (&'g str, Value)>) -> Frame<'g> {
        let locals = names.map(|(name, value)| Local { name, bind: Bind::Is(value) });
        Frame { locals: locals.collect(), ..Frame::default() }
    }
}

pub(super) struct Loop {
    pub(super) out: Target,
    /// Loops over bags that were open before it.
    pub(super) opens: usize,
}

pub(super) struct Gives {
    pub(super) out: Target,
    pub(super) into: Reg,
    pub(super) kind: Option<Kind>,
    pub(super) is_cell: bool,
    pub(super) opens: usize,
}

/// Ranges of variables, by register; those behind the last are not known.
pub(super) type Env = Vec<(i32, i32)>;

/// Where jumps go that are not yet aimed, and what is known there.
#[derive(Default)]
pub(super) struct Target {
    pub(super) jumps: Vec<usize>,
    pub(super) env: Option<Env>,
    /// Whether a die may have fallen on the way.
    pub(super) fell: bool,
}

impl Target {
    /// One more jump that goes there, with what is known where it leaves.
    pub(super) fn add(&mut self, jump: usize, env: Option<Env>, fell: bool) {
        self.jumps.push(jump);
        self.fell |= fell;
        self.env = match (self.env.take(), env) {
            (Some(a), Some(b)) => Some(joined(a, b)),
            (a, b) => a.or(b),
        };
    }
}

/// What is known where two paths meet.
pub(super) fn joined(mut a: Env, b: Env) -> Env {
    a.truncate(b.len());
    for (a, b) in a.iter_mut().zip(b) {
        *a = (a.0.min(b.0), a.1.max(b.1));
    }
    a
}

/// A decision of a player.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Whether the highest mean is best.
    pub highest: bool,
    /// Of which show.
    pub goal: Name,
    /// Its label; empty where it has none.
    pub label: String,
    /// What the options say.
    pub options: Vec<String>,
    /// Where it stands.
    pub span: Span,
}

/// A bag as the rule speaks of it.
pub struct BagOf<'g> {
    /// Its rows, each once.
    pub(super) rows: Arc<[Fixed]>,
    /// What changes in its things.
    pub(super) fields: Vec<Changing<'g>>,
    /// Whether all its things are there, whatever is rolled.
    pub(super) whole: bool,
    /// Where it was made.
    pub(super) made: usize,
    /// The digit of the row.
    pub(super) row: u16,
}

/// What changes in a thing.
pub(super) struct Changing<'g> {
    pub(super) name: &'g str,
    pub(super) kind: Kind,
    pub(super) digit: u16,
}

/// Something that is shown.
pub struct Reported<'g> {
    /// Its name.
    pub name: &'g Name,
    /// What it is.
    pub kind: Kind,
    /// What is said of it.
    pub said: &'g Said,
    /// Whether only measures see it.
    pub keep: bool,
    /// Its value.
    pub(super) value: Num,
}

/// Something that is measured.
pub struct Measured<'g> {
    /// Its name.
    pub name: Cow<'g, Name>,
    /// How.
    pub kind: MeasureKind,
    /// Times what.
    pub scale: Scale,
    /// Condition of the trials that count; empty where all do.
    pub condition: String,
    /// What is said of it.
    pub said: Cow<'g, Said>,
}
