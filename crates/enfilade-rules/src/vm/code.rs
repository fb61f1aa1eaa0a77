//! Code of a compiled rule: a small register machine without a heap.
//!
//! The state of a rule is a position and registers, so that it can be suspended at a die, copied
//! and compared. Every suspend point ([`SuspendPoint`]) saves only live registers: equal futures
//! are one state.

pub use super::register_set::{Reg, RegisterSet};
pub use super::suspend_kind::{OpenOptionsSource, SuspendKind};
use crate::diagnostics::Span;
use crate::value_types::lookup_key_index_by_number;
use enfilade_model::static_or_shared::Text;

/// Largest number of registers of a program.
pub const MAX_REGISTERS: usize = 255;

/// Registers of the interpreter.
pub type Registers = [i64; 256];

/// Cell of a list in [`Program::lists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookupListCell {
    /// No value; a lookup reports it.
    Blank,
    /// Number.
    Constant(i32),
    /// Parameter that is loaded at run time.
    Parameter(u8),
}

impl LookupListCell {
    /// Returns the slot of a parameter.
    pub(crate) fn parameter_slot(&self) -> Option<u8> {
        match self {
            LookupListCell::Parameter(slot) => Some(*slot),
            LookupListCell::Blank | LookupListCell::Constant(_) => None,
        }
    }
}

/// Binary operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinOp {
    /// Sum.
    Add,
    /// First minus second.
    Sub,
    /// Product.
    Mul,
    /// Quotient, rounded down.
    Div,
    /// Quotient, rounded up.
    DivUp,
    /// Smaller number.
    Min,
    /// Larger number.
    Max,
    /// Second minus first.
    SubFrom,
    /// 1 if equal, else 0; the other comparisons likewise.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// At most.
    Le,
    /// More.
    Gt,
    /// At least.
    Ge,
}

impl BinOp {
    /// Returns the outcome of a comparison; false for any other operation.
    #[inline(always)]
    pub fn is_true_for(self, a: i64, b: i64) -> bool {
        let less_same_more = match self {
            BinOp::Eq => 0b010,
            BinOp::Ne => 0b101,
            BinOp::Lt => 0b001,
            BinOp::Le => 0b011,
            BinOp::Gt => 0b100,
            BinOp::Ge => 0b110,
            _ => 0_u8,
        };
        less_same_more >> (u8::from(a >= b) + u8::from(a > b)) & 1 == 1
    }

    /// Returns the result; `None` on overflow of 32 bits, or if there is none.
    #[inline(always)]
    pub fn checked_result(self, a: i64, b: i64) -> Option<i64> {
        let value = match self {
            BinOp::Add => a + b,
            BinOp::Sub => a - b,
            BinOp::Mul => a * b,
            BinOp::Div if b != 0 => divide_rounding_down(a, b),
            BinOp::DivUp if b != 0 => -divide_rounding_down(-a, b),
            BinOp::Div | BinOp::DivUp => return None,
            BinOp::Min => a.min(b),
            BinOp::Max => a.max(b),
            BinOp::SubFrom => b - a,
            test => test.is_true_for(a, b).into(),
        };
        i32::try_from(value).is_ok().then_some(value)
    }

    /// Returns the operation with swapped operands that has the same result.
    pub fn with_swapped_sides(self) -> Option<BinOp> {
        Some(match self {
            BinOp::Add | BinOp::Mul | BinOp::Min | BinOp::Max | BinOp::Eq | BinOp::Ne => self,
            BinOp::Lt => BinOp::Gt,
            BinOp::Gt => BinOp::Lt,
            BinOp::Le => BinOp::Ge,
            BinOp::Ge => BinOp::Le,
            BinOp::Sub => BinOp::SubFrom,
            BinOp::SubFrom => BinOp::Sub,
            BinOp::Div | BinOp::DivUp => return None,
        })
    }

    /// Returns whether the operation is a comparison.
    pub fn is_comparison(self) -> bool {
        matches!(self, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge)
    }
}

/// Divides, rounding down.
fn divide_rounding_down(a: i64, b: i64) -> i64 {
    a.div_euclid(b) - i64::from(b < 0 && a.rem_euclid(b) != 0)
}

/// Instruction. The first register is the destination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instr {
    /// Loads a constant.
    Const(Reg, i32),
    /// Loads a long constant by its index in [`Program::wide`].
    Wide(Reg, u16),
    /// Loads a parameter.
    Field(Reg, u8),
    /// Copies a register.
    Copy(Reg, Reg),
    /// Copies a register, with a check that a variable can hold the value.
    Narrow(Reg, Reg),
    /// Computes a binary operation of two registers.
    Bin(BinOp, Reg, Reg, Reg),
    /// Computes a binary operation of a register and a constant.
    BinK(BinOp, Reg, Reg, i32),
    /// Computes a binary operation of two registers, with a check that a variable can hold the
    /// result.
    BinNarrow(BinOp, Reg, Reg, Reg),
    /// Computes a binary operation of a register and a constant, with a check that a variable can
    /// hold the result.
    BinKNarrow(BinOp, Reg, Reg, i32),
    /// Jumps.
    Jump(u16),
    /// Jumps if a register is 0.
    Unless(Reg, u16),
    /// Jumps unless a comparison of two registers holds.
    UnlessCmp(BinOp, Reg, Reg, u16),
    /// Jumps unless a comparison of a register and a constant holds.
    UnlessCmpK(BinOp, Reg, i16, u16),
    /// Loads one of several consecutive registers by an index from 1: first register, number,
    /// index.
    Load(Reg, Reg, u8, Reg),
    /// Stores the last register in one of several consecutive registers.
    Store(Reg, u8, Reg, Reg),
    /// Looks up the number at an index of a list in [`Program::lists`].
    Look(Reg, u16, Reg),
    /// Looks up the index of a key in [`Program::keys`].
    Key(Reg, u16, Reg),
    /// Inserts a face into the best of several, in consecutive registers: first, number, face,
    /// highest.
    Keep(Reg, u8, Reg, bool),
    /// Suspends for a die or a decision.
    Site(u16),
    /// Memo point after dice, far from the next one, by its index in [`Program::memo_points`].
    Rest(u16),
    /// Adds a register to a count that is not part of the state.
    Tally(u8, Reg),
    /// Loads a changing field of a bag item: the digit, and the item's position.
    Get(Reg, u16, Reg),
    /// Stores the last register in a changing field of a bag item.
    Put(u16, Reg, Reg),
    /// Counts the items of a bag whose field passes a test against a number.
    Count(Reg, u16, BinOp, i16),
    /// Jumps unless there is an item at this position of a bag.
    There(u8, Reg, u16),
    /// Advances an open loop to its next item and loads the position; jumps if there is none.
    Next(u8, u8, Reg, u16),
    /// Marks the item at a position as that of an open `pick`.
    Take(u8, u8, Reg),
    /// Clears the marks of a loop.
    Close(u8, u8),
    /// Sorts a bag while these loops are open, by their index in [`Program::opens`].
    Sort(u8, u16),
    /// Loads 1 if the item at one position is ordered before that at another.
    Before(Reg, u8, Reg, Reg),
    /// Fails with a fault, by its index in [`Program::faults`].
    Fail(u16),
    /// Emits a trace mark, by its index in [`Program::marks`].
    Tell(u16),
    /// Ends the rule; measures follow.
    End,
    /// Halts after the measures.
    Halt,
    /// No operation.
    Skip,
}

/// Bag of items, one register each.
///
/// An item is one number: from the highest bits down, its row and its changing fields; the lowest
/// twelve bits are the marks of open loops, two each, the outermost highest. −1 is no item. A bag
/// is therefore sorted when its numbers are.
#[derive(Clone, Debug)]
pub struct BagRegisterLayout {
    /// First register.
    pub base: Reg,
    /// Number of registers.
    pub size: u8,
    /// Number of values of an item without its marks.
    pub values: u64,
    /// Lowest bit of the row.
    pub row: u32,
    /// Ranks of the rows by their content, so that the order of the contest's tables does not
    /// matter.
    pub ranks: Vec<u16>,
}

/// Number of bits of an item's marks.
pub const ITEM_MARK_BITS: u32 = 12;
/// Largest number of open loops over one bag.
pub const MAX_OPEN_LOOPS_OF_BAG: usize = 6;
const _: () = assert!(MAX_OPEN_LOOPS_OF_BAG * 2 == ITEM_MARK_BITS as usize);

/// Returns the lowest bit of an item's mark of a loop, whose values are not yet seen, seen, and
/// held.
pub fn shift_of_loop_mark(level: u8) -> u32 {
    ITEM_MARK_BITS - 2 - 2 * u32::from(level)
}

/// Changing field of a bag's items.
#[derive(Clone, Debug)]
pub struct BagItemField {
    /// Bag.
    pub bag: u8,
    /// First register of the bag.
    pub base: Reg,
    /// Lowest bit in an item's number.
    pub shift: u32,
    /// Bits of the largest value.
    pub mask: i64,
    /// Number of values.
    pub values: i64,
    /// Smallest value.
    pub least: i64,
}

/// State that a rule saves at a point.
#[derive(Clone, Debug, Default)]
pub struct RegistersSavedAtPoint {
    /// Registers.
    pub registers: Vec<Reg>,
    /// Bags, each with its open loops.
    pub bags: Vec<(u8, Vec<OpenBagLoop>)>,
    /// Size of the state, in numbers of 16 bits.
    pub room: usize,
}

/// Suspend point, with the state that it saves.
#[derive(Clone, Debug)]
pub struct SuspendPoint {
    /// Position in the code.
    pub at: u32,
    /// Kind.
    pub kind: SuspendKind,
    /// Register of the face.
    pub into: Reg,
    /// Saved state.
    pub memory: RegistersSavedAtPoint,
    /// Whether the point is reached only from a die just before it, so that a few dice are one
    /// step.
    pub joins_previous: bool,
    /// Face merge after its die.
    pub face_merge: Option<FaceMergePoint>,
    /// Face tests, if the future depends on nothing else of the face.
    pub face_tests: Option<Box<[FaceTest]>>,
    /// Saved registers that are only compared from here on.
    pub compared: Vec<OnlyComparedRegister>,
    /// Place in the file.
    pub span: Span,
    /// Names of registers, if they are wanted.
    pub names: Vec<(Reg, String)>,
    /// Registers that the player who decides here does not see.
    pub hidden: Vec<Reg>,
}

/// Largest number of registers that depend on a face after a merge.
pub const MAX_FACE_DEPENDENTS: usize = 2;

/// Face merge: the point after a die where faces become equivalent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceMergePoint {
    /// Positions in the code: after a computation, or at both ends of a test.
    pub at: [usize; 2],
    /// Registers that depend on the face at each position.
    pub registers: [[Option<Reg>; MAX_FACE_DEPENDENTS]; 2],
}

impl FaceMergePoint {
    /// Returns the values that depend on the face at one of the positions.
    pub fn values_depending_on_face(
        &self,
        place: usize,
        regs: &Registers,
    ) -> [i64; MAX_FACE_DEPENDENTS] {
        let left = if place == self.at[0] { self.registers[0] } else { self.registers[1] };
        left.map(|reg| reg.map_or(0, |reg| regs[usize::from(reg)]))
    }
}

/// Test of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceTest {
    /// Comparison.
    pub two: BinOp,
    /// Operand that the face is compared with.
    pub than: TestOperand,
}

/// Saved register of which only the outcomes of comparisons matter.
#[derive(Clone, Debug)]
pub struct OnlyComparedRegister {
    /// Register.
    pub reg: Reg,
    /// Comparisons with numbers that are known where it is saved.
    pub tests: Box<[FaceTest]>,
}

/// Operand that a face is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestOperand {
    /// Constant.
    Constant(i64),
    /// Value of a register before the die is rolled.
    Register(Reg),
    /// Parameter.
    Parameter(u8),
}

/// Open loop over a bag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenBagLoop {
    /// Number of open loops outside it.
    pub level: u8,
    /// Register of the position of the held item.
    pub cursor: Reg,
    /// Whether the loop continues with other items, so that the seen ones are part of the state.
    pub goes_on: bool,
}

/// Fault that may occur while a rule is played.
#[derive(Clone, Debug)]
pub struct PossibleRuntimeFault {
    /// Place in the file.
    pub span: Span,
    /// Cause.
    pub problem: String,
    /// Remedy.
    pub help: String,
}

/// Program of a rule.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Instructions.
    pub instrs: Vec<Instr>,
    /// Places of the instructions in the file.
    pub spans: Vec<Span>,
    /// Lists for lookups.
    pub lists: Vec<Box<[LookupListCell]>>,
    /// Keys of tables: the ends of each, and whether only printed keys are allowed.
    pub keys: Vec<(Vec<(i64, i64)>, bool)>,
    /// Long constants.
    pub wide: Vec<i64>,
    /// Bags.
    pub bags: Vec<BagRegisterLayout>,
    /// Changing fields of the bags' items.
    pub digits: Vec<BagItemField>,
    /// Open loops of each sort.
    pub opens: Vec<Vec<OpenBagLoop>>,
    /// Suspend points. The last one is the end.
    pub sites: Vec<SuspendPoint>,
    /// Memo points of [`Instr::Rest`]: the position in the code, and the saved state.
    pub memo_points: Vec<(usize, RegistersSavedAtPoint)>,
    /// Meanings of blank cells, by the place of the lookup.
    pub blanks: Vec<(Span, String)>,
    /// Possible faults.
    pub faults: Vec<PossibleRuntimeFault>,
    /// Trace marks.
    pub marks: Vec<super::trace_marks::TraceEventInCode>,
    /// Formats of each bag's items in traces.
    pub item_formats: Vec<super::trace_marks::TracedBagFormat>,
    /// Whether the program has counts that are not part of the state.
    pub tallies: bool,
    /// Whether it has a loop that may roll dice without end.
    pub repeats: bool,
    /// Parameters that are loaded where a die may have been rolled.
    pub late_parameters: Vec<u8>,
    /// Whether bags are sorted.
    pub sorts: bool,
    /// Number of registers.
    pub registers: usize,
    /// Sources of the shows.
    pub shows: Vec<OutcomeRegisterOrConstant>,
    /// Columns of an outcome: the source, and for a word the one that the column counts.
    pub columns: Vec<(OutcomeRegisterOrConstant, Option<i32>)>,
    /// Sources of the measures.
    pub weights: Vec<OutcomeRegisterOrConstant>,
    /// Carried fields, if they are wanted.
    pub carried: Vec<NewCarriedFieldValue>,
}

/// Source of a number at the end of the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeRegisterOrConstant {
    /// Register.
    Register(Reg),
    /// Constant.
    Constant(i32),
}

/// New value of a carried field.
#[derive(Clone, Debug)]
pub enum NewCarriedFieldValue {
    /// Number.
    Number(Text, OutcomeRegisterOrConstant),
    /// Number of entries of a list, the highest of which stay.
    Highest(Text, OutcomeRegisterOrConstant),
    /// Tables of the remaining items of a bag: the first table of each row, and the changing fields
    /// with their digits.
    Items(Text, u8, Vec<usize>, Vec<(Text, u16)>),
}

impl Program {
    /// Returns the progress of each suspend point: its position in the code, or the head of the
    /// outermost loop around it.
    pub(crate) fn code_progress_of_suspend_points(&self) -> Box<[u32]> {
        let mut heads: Vec<u32> = (0..).take(self.instrs.len()).collect();
        // An inner loop precedes the jump of its outer loop, which overrides it.
        for (at, op) in self.instrs.iter().enumerate() {
            if let Some(to) = op.jump_target().filter(|to| *to < at) {
                let head = heads[to];
                heads[to..=at].fill(head);
            }
        }
        self.sites.iter().map(|site| heads[site.at as usize]).collect()
    }

    /// Returns the parameters in a list.
    pub(crate) fn parameters_of_list(&self, list: u16) -> impl Iterator<Item = u8> {
        self.lists[usize::from(list)].iter().filter_map(LookupListCell::parameter_slot)
    }

    /// Returns the index of a number among keys.
    pub fn find_key_index(&self, keys: u16, number: i64) -> Option<usize> {
        let (keys, exact) = &self.keys[usize::from(keys)];
        lookup_key_index_by_number(keys, *exact, number)
    }
}

/// Returns the size of an item in numbers of 16 bits, with this number of open loops.
pub fn item_size_in_u16s(values: u64, loops: usize) -> usize {
    // One more value represents no item.
    let all = u128::from(values) * 3_u128.pow(loops as u32) + 1;
    let bits = 128 - (all - 1).leading_zeros();
    bits.div_ceil(16).max(1) as usize
}
