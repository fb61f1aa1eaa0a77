//! Data of a lowering: operands with their ranges, names, loops, bags, and reports. The constants
//! are limits.

use std::borrow::Cow;
use std::sync::Arc;

use crate::diagnostics::Span;
use crate::syntax::ast::{DeclAnnotations, Ident};
use crate::value_types::{ContestValue, ScalarType, ValueRange};
use crate::vm::code::Reg;
use enfilade_model::combat::{ExactRatio, MeasureKind};

/// Largest number of changing fields of an item.
pub const MAX_CHANGING_ITEM_FIELDS: usize = 6;
/// Largest number of instructions of a rule.
pub const MAX_INSTRS: usize = 16_384;
/// Largest number of lines and values to lower: short rules with nested parts may cost much.
pub const MAX_LOWERING_STEPS: usize = 1 << 18;
/// Largest depth of nested calls.
pub const MAX_PART_CALL_DEPTH: usize = 32;
/// Largest number of unrolled turns of a loop.
pub const MAX_UNROLLED_TURNS: i64 = 12;
/// Largest number of unrolled turns of nested loops together.
pub const MAX_NESTED_TURNS: i64 = 64;
/// Largest number of face sequences of the dice in one step.
pub const MAX_STEP_SEQUENCES: u32 = 36;

/// Number with its range, and its register unless it is constant.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub(super) range: ValueRange,
    pub(super) reg: Reg,
}

impl Operand {
    /// Creates a constant of a type, without a register.
    pub(super) fn constant(kind: ScalarType, value: i64) -> Operand {
        let range = ValueRange::from_number(kind, value);
        Operand { range, reg: 0 }
    }

    /// Creates a constant whole number.
    pub(super) fn constant_whole_number(value: i64) -> Operand {
        Operand::constant(ScalarType::Number, value)
    }

    /// Returns the value of a constant.
    pub(super) fn as_constant(&self) -> Option<i64> {
        self.range.only_number()
    }
}

/// Cell of a lookup.
#[derive(Clone, Copy, Debug)]
pub(super) enum ConstantOrParameterCell {
    /// Constant.
    Constant(i64),
    /// Parameter: its range and its slot.
    Parameter(ValueRange, u8),
}

/// Value of an expression.
#[derive(Clone, Debug)]
pub(super) enum LoweredValue {
    Operand(Operand),
    /// Printed cell: word and number.
    Cell(Operand, Operand),
    List(ListInRegisters),
    /// Throw of dice with symbols.
    Throw(SymbolCountRegisters),
    /// Value of the contest.
    Contest(ContestValue),
    /// One of several values of the contest, by its index.
    Chosen(Arc<[ContestValue]>, Operand),
    Bag(u8),
    /// Item of a bag, by the register of its position.
    Item(u8, Reg),
}

/// List of the rule: consecutive registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListInRegisters {
    pub(super) base: Reg,
    pub(super) len: u8,
    pub(super) kind: ScalarType,
}

/// Numbers of the symbols of a throw: a register for each of a set of symbols.
#[derive(Clone, Copy, Debug)]
pub(super) struct SymbolCountRegisters {
    pub(super) list: ListInRegisters,
    pub(super) set: u16,
}

/// Target of an assignment.
#[derive(Clone, Copy, Debug)]
pub(super) enum Assignable {
    Variable(Reg, ScalarType),
    Cell(Reg, ScalarType),
    List(ListInRegisters),
    /// Throw of dice with symbols.
    Throw(SymbolCountRegisters),
    /// List element.
    ListItem(ListInRegisters, Operand),
    /// Changing field of an item.
    BagField(u16, Reg),
}

/// Meaning of a name of the rule.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// Variable, or alias of one.
    Place(Assignable),
    /// Value that cannot be assigned.
    Value(LoweredValue),
}

pub(super) struct LocalNameBinding<'g> {
    pub(super) name: &'g str,
    pub(super) bind: Binding,
}

/// Scope of an action, or of a part that is being inlined.
#[derive(Default)]
pub(super) struct ActionOrPartScope<'g> {
    pub(super) locals: Vec<LocalNameBinding<'g>>,
    /// Names whose block has ended.
    pub(super) ended_names: Vec<&'g str>,
    /// Variables of the rule that measures cannot see.
    pub(super) hidden_names: Vec<&'g str>,
    /// Open loops, the innermost last.
    pub(super) loops: Vec<StoppableLoopFrame>,
    /// Target and result of `give`.
    pub(super) gives: Option<GiveJumpAndResult>,
    /// Names that every path through an open choice assigns, the innermost choice last.
    pub(super) reserved: Vec<RegisterOfBranchVariable<'g>>,
}

/// Register reserved for a name that every path through a choice assigns.
pub(super) struct RegisterOfBranchVariable<'g> {
    pub(super) name: &'g str,
    pub(super) reg: Reg,
    /// Type assigned by the first path; `None` before it.
    pub(super) kind: Option<ScalarType>,
}

impl<'g> ActionOrPartScope<'g> {
    /// Creates a scope with names for values.
    pub(super) fn from_values(
        names: impl Iterator<Item = (&'g str, LoweredValue)>,
    ) -> ActionOrPartScope<'g> {
        let locals =
            names.map(|(name, value)| LocalNameBinding { name, bind: Binding::Value(value) });
        ActionOrPartScope { locals: locals.collect(), ..ActionOrPartScope::default() }
    }
}

pub(super) struct StoppableLoopFrame {
    pub(super) out: JumpTarget,
    /// Number of bag loops that were open before it.
    pub(super) opens: usize,
}

pub(super) struct GiveJumpAndResult {
    pub(super) out: JumpTarget,
    pub(super) into: Reg,
    pub(super) kind: Option<ScalarType>,
    pub(super) is_cell: bool,
    pub(super) opens: usize,
}

/// Ranges of variables, by register; the ranges of all later registers are unknown.
pub(super) type RegisterRanges = Vec<(i32, i32)>;

/// Target of jumps that is not placed yet, with the ranges known there.
#[derive(Default)]
pub(super) struct JumpTarget {
    pub(super) jumps: Vec<usize>,
    pub(super) env: Option<RegisterRanges>,
    /// Whether a die may have been rolled on the way.
    pub(super) fell: bool,
}

impl JumpTarget {
    /// Adds a jump, with the ranges known at it.
    pub(super) fn add_jump(&mut self, jump: usize, env: Option<RegisterRanges>, fell: bool) {
        self.jumps.push(jump);
        self.fell |= fell;
        self.env = match (self.env.take(), env) {
            (Some(a), Some(b)) => Some(merge_ranges_of_paths(a, b)),
            (a, b) => a.or(b),
        };
    }
}

/// Merges the ranges of two paths that meet.
pub(super) fn merge_ranges_of_paths(mut a: RegisterRanges, b: RegisterRanges) -> RegisterRanges {
    a.truncate(b.len());
    for (a, b) in a.iter_mut().zip(b) {
        *a = (a.0.min(b.0), a.1.max(b.1));
    }
    a
}

/// Decision of a player.
#[derive(Clone, Debug)]
pub struct DecisionPoint {
    /// Whether the player wants the highest mean.
    pub highest: bool,
    /// Show that the decision is for.
    pub goal: Ident,
    /// Its label; empty where it has none.
    pub label: String,
    /// Texts of the options.
    pub options: Vec<String>,
    /// Names of the variables that the player does not see.
    pub hidden: Vec<String>,
    /// Place in the file.
    pub span: Span,
}

/// Bag during lowering.
pub struct LoweredBag<'g> {
    /// Distinct rows.
    pub(super) rows: Arc<[ContestValue]>,
    /// Rows of the contest that each distinct row stands for; none if it has no records.
    pub(super) merged: Vec<Vec<ContestValue>>,
    /// Changing fields of its items.
    pub(super) fields: Vec<ChangingItemField<'g>>,
    /// Whether all its items are present, whatever is rolled.
    pub(super) whole: bool,
    /// Place of its declaration.
    pub(super) created_at: usize,
    /// Digit of the row.
    pub(super) row: u16,
}

/// Changing field of an item.
pub(super) struct ChangingItemField<'g> {
    pub(super) name: &'g str,
    pub(super) kind: ScalarType,
    pub(super) digit: u16,
}

/// Show with its value.
pub struct LoweredShow<'g> {
    /// Name.
    pub name: &'g Ident,
    /// Type.
    pub kind: ScalarType,
    /// Annotations.
    pub annotations: &'g DeclAnnotations,
    /// Whether only measures see it.
    pub keep: bool,
    /// Value.
    pub(super) value: Operand,
}

impl LoweredMeasure<'_> {
    /// Returns whether a player can decide for the measure: it is one mean over all trials.
    pub fn can_be_decision_goal(&self) -> bool {
        matches!(self.kind, MeasureKind::Event | MeasureKind::Mean)
            && self.condition.is_empty()
            && self.scale == ExactRatio::ONE
    }
}

/// Measure.
pub struct LoweredMeasure<'g> {
    /// Name.
    pub name: Cow<'g, Ident>,
    /// Kind, with the weights that it needs.
    pub kind: MeasureKind,
    /// Factor.
    pub scale: ExactRatio,
    /// Condition of the trials that count; empty where all do.
    pub condition: String,
    /// Annotations.
    pub annotations: Cow<'g, DeclAnnotations>,
}
