//! The code that a rule is compiled to: a small machine with registers and no heap.
//!
//! What a rule remembers is its place and its registers, so it can be stopped at a die, copied and
//! compared. At every die ([`Site`]) only what is still needed is kept: equal futures are one state.

pub use super::register_set::{Reg, Regs};
use crate::diagnostics::Span;
use crate::types::key;
use enfilade_model::shared::Text;

/// Registers of a program.
pub const REGISTERS: usize = 255;

/// Registers of a machine.
pub type Registers = [i64; 256];

/// A cell of a list of [`Program::lists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListCell {
    /// It has no value, and whoever looks it up is told so.
    Blank,
    /// Its number.
    Is(i32),
    /// A number of the contest that is asked for while the rule is played.
    Field(u8),
}

impl ListCell {
    /// The number of the contest that it is, where it is one.
    pub(crate) fn slot(&self) -> Option<u8> {
        match self {
            ListCell::Field(slot) => Some(*slot),
            ListCell::Blank | ListCell::Is(_) => None,
        }
    }
}

/// What two numbers are joined by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Two {
    /// Their sum.
    Add,
    /// The first less the second.
    Sub,
    /// Their product.
    Mul,
    /// The first by the second, rounded down.
    Div,
    /// The first by the second, rounded up.
    Up,
    /// The lesser.
    Min,
    /// The greater.
    Max,
    /// The second less the first.
    From,
    /// 1 where they are equal, else 0; and so on.
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

impl Two {
    /// Whether a test holds; `false` for what is none.
    #[inline(always)]
    pub fn holds(self, a: i64, b: i64) -> bool {
        let less_same_more = match self {
            Two::Eq => 0b010,
            Two::Ne => 0b101,
            Two::Lt => 0b001,
            Two::Le => 0b011,
            Two::Gt => 0b100,
            Two::Ge => 0b110,
            _ => 0_u8,
        };
        less_same_more >> (u8::from(a >= b) + u8::from(a > b)) & 1 == 1
    }

    /// What it gives; `None` where it is no number of 32 bits, or there is none.
    #[inline(always)]
    pub fn of(self, a: i64, b: i64) -> Option<i64> {
        let value = match self {
            Two::Add => a + b,
            Two::Sub => a - b,
            Two::Mul => a * b,
            Two::Div if b != 0 => down(a, b),
            Two::Up if b != 0 => -down(-a, b),
            Two::Div | Two::Up => return None,
            Two::Min => a.min(b),
            Two::Max => a.max(b),
            Two::From => b - a,
            test => test.holds(a, b).into(),
        };
        i32::try_from(value).is_ok().then_some(value)
    }

    /// What joins two the other way round to the same.
    pub fn mirrored(self) -> Option<Two> {
        Some(match self {
            Two::Add | Two::Mul | Two::Min | Two::Max | Two::Eq | Two::Ne => self,
            Two::Lt => Two::Gt,
            Two::Gt => Two::Lt,
            Two::Le => Two::Ge,
            Two::Ge => Two::Le,
            Two::Sub => Two::From,
            Two::From => Two::Sub,
            Two::Div | Two::Up => return None,
        })
    }

    /// Whether it is a test.
    pub fn is_test(self) -> bool {
        matches!(self, Two::Eq | Two::Ne | Two::Lt | Two::Le | Two::Gt | Two::Ge)
    }
}

/// A quotient, rounded down.
fn down(a: i64, b: i64) -> i64 {
    a.div_euclid(b) - i64::from(b < 0 && a.rem_euclid(b) != 0)
}

/// One operation. The first register is where the result goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// A number.
    Const(Reg, i32),
    /// A long number, by its place in [`Program::wide`].
    Wide(Reg, u16),
    /// A number of the contest that is asked for while the rule is played.
    Field(Reg, u8),
    /// What another register holds.
    Copy(Reg, Reg),
    /// The same, where a variable can hold it.
    Narrow(Reg, Reg),
    /// Two registers joined.
    Bin(Two, Reg, Reg, Reg),
    /// A register and a number joined.
    BinK(Two, Reg, Reg, i32),
    /// Two registers joined, where a variable can hold it.
    BinNarrow(Two, Reg, Reg, Reg),
    /// A register and a number joined, where a variable can hold it.
    BinKNarrow(Two, Reg, Reg, i32),
    /// Goes on elsewhere.
    Jump(u16),
    /// Goes on elsewhere where a register is 0.
    Unless(Reg, u16),
    /// Goes on elsewhere unless a test of two registers holds.
    UnlessCmp(Two, Reg, Reg, u16),
    /// The same of a register and a number.
    UnlessCmpK(Two, Reg, i16, u16),
    /// A place of registers in a row, counted from 1: first register, how many, which.
    Load(Reg, Reg, u8, Reg),
    /// Puts the last register into such a place.
    Store(Reg, u8, Reg, Reg),
    /// The number at a place of [`Program::lists`].
    Look(Reg, u16, Reg),
    /// The place of a key among [`Program::keys`].
    Key(Reg, u16, Reg),
    /// Sorts a face into the best of several, in registers in a row: first, how many, face, highest.
    Keep(Reg, u8, Reg, bool),
    /// Stops for a die or a decision.
    Site(u16),
    /// A place behind dice with a long way to the next one, by its place in [`Program::rests`].
    Rest(u16),
    /// Adds a register to a count that is not remembered.
    Tally(u8, Reg),
    /// A changing value of a thing of a bag: which value, and the thing's place.
    Get(Reg, u16, Reg),
    /// Puts the last register into such a value.
    Put(u16, Reg, Reg),
    /// How many things of a bag have a value that passes a test against a number.
    Count(Reg, u16, Two, i16),
    /// Goes on elsewhere unless a thing stands at this place of a bag.
    There(u8, Reg, u16),
    /// The next thing of a bag for an open loop: its place; elsewhere where there is none.
    Next(u8, u8, Reg, u16),
    /// Marks the thing at a place as that of an open `pick`.
    Take(u8, u8, Reg),
    /// Forgets the marks of a loop.
    Close(u8, u8),
    /// Puts a bag in order while these loops are open over it, by their place in [`Program::opens`].
    Sort(u8, u16),
    /// 1 where the thing at one place comes before that at another.
    Before(Reg, u8, Reg, Reg),
    /// What is wrong here, by its place in [`Program::wrongs`].
    Fail(u16),
    /// Something to be told, by its place in [`Program::marks`].
    Tell(u16),
    /// The rule is over; measures follow.
    End,
    /// Measures are reckoned.
    Halt,
    /// Nothing.
    Skip,
}

/// A bag of things, one register each.
///
/// A thing is one number: from its highest bits down its row and what changes in it; the lowest
/// twelve bits are the marks of open loops, two each, the outermost highest. −1 is no thing. So a bag
/// is in order when its numbers are.
#[derive(Clone, Debug)]
pub struct Bag {
    /// Its first register.
    pub base: Reg,
    /// How many registers.
    pub size: u8,
    /// Values that a thing's number can have without its marks.
    pub values: u64,
    /// From which bit on its row stands.
    pub row: u32,
    /// By row: its place among rows by what they hold, so that the order of tables does not matter.
    pub ranks: Vec<u16>,
}

/// Bits of a thing's marks.
pub const MARKS: u32 = 12;
/// Loops over one bag that may be open at once.
pub const LOOPS: usize = 6;
const _: () = assert!(LOOPS * 2 == MARKS as usize);

/// A thing's mark of a loop: not yet seen, seen, held.
pub fn mark_shift(level: u8) -> u32 {
    MARKS - 2 - 2 * u32::from(level)
}

/// A changing value of a bag's things.
#[derive(Clone, Debug)]
pub struct Digit {
    /// Which bag.
    pub bag: u8,
    /// The first register of the bag.
    pub base: Reg,
    /// From which bit on it stands in a thing's number.
    pub shift: u32,
    /// Bits of its highest value.
    pub mask: i64,
    /// How many values it has.
    pub values: i64,
    /// The least.
    pub least: i64,
}

/// What stops a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stops {
    /// A die with so many sides.
    Die(u8),
    /// A die with as many sides as a register says; at least so many.
    DieOf(Reg, u8),
    /// A decision: its number, and how many options.
    Choice(u8, u8),
    /// The end.
    End,
}

/// What a rule still needs at a place.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Registers.
    pub saved: Vec<Reg>,
    /// Bags, each with the loops that are open over it.
    pub bags: Vec<(u8, Vec<Open>)>,
    /// Numbers of 16 bits that all of it takes.
    pub room: usize,
}

/// A place where a rule stops, and what it still needs there.
#[derive(Clone, Debug)]
pub struct Site {
    /// Where it is in the code.
    pub at: u32,
    /// What stops it.
    pub stops: Stops,
    /// Where the face goes.
    pub into: Reg,
    /// What is remembered.
    pub memory: Memory,
    /// Whether it is reached only from a die just before it: a few dice are one step.
    pub joined: bool,
    /// Where the faces of its die come to the same.
    pub way: Option<Way>,
    /// What its die is asked, where all that follows hangs on that.
    pub asks: Option<Box<[Ask]>>,
    /// Where it stands in the file.
    pub span: Span,
    /// Names of registers, where somebody asks for them.
    pub names: Vec<(Reg, String)>,
}

/// Registers that are left of a face, at most.
pub const LEFT: usize = 2;

/// Where the faces of a die come to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Places of the code: after what was reckoned, or the two ends of a test.
    pub at: [usize; 2],
    /// What is left of the face there.
    pub left: [[Option<Reg>; LEFT]; 2],
}

impl Way {
    /// What is left of a face at one of its places.
    pub fn left(&self, place: usize, regs: &Registers) -> [i64; LEFT] {
        let left = if place == self.at[0] { self.left[0] } else { self.left[1] };
        left.map(|reg| reg.map_or(0, |reg| regs[usize::from(reg)]))
    }
}

/// A test of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Which.
    pub two: Two,
    /// What the face is compared with.
    pub than: Than,
}

/// What a face is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Than {
    /// This.
    Is(i64),
    /// What a register holds before the die falls.
    At(Reg),
    /// A number of the contest.
    Field(u8),
}

/// A loop that is open over a bag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// How many are open outside it.
    pub level: u8,
    /// Where the place of the thing stands that it holds.
    pub cursor: Reg,
    /// Whether it goes on to other things: then those that it has seen matter.
    pub goes_on: bool,
}

/// Something wrong that may happen while a rule is played.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// Where.
    pub span: Span,
    /// What.
    pub problem: String,
    /// What to do about it.
    pub help: String,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its operations.
    pub ops: Vec<Op>,
    /// By operation: where it comes from.
    pub spans: Vec<Span>,
    /// Numbers that are looked up.
    pub lists: Vec<Box<[ListCell]>>,
    /// Keys of tables: the least of each, and the greatest where only printed ones are known.
    pub keys: Vec<(Vec<(i64, i64)>, bool)>,
    /// Long numbers.
    pub wide: Vec<i64>,
    /// Bags.
    pub bags: Vec<Bag>,
    /// Changing values of their things.
    pub digits: Vec<Digit>,
    /// Loops that are open where a bag is put in order.
    pub opens: Vec<Vec<Open>>,
    /// Places where it stops. The last is the end.
    pub sites: Vec<Site>,
    /// By [`Op::Rest`]: where it is in the code, and what is needed there.
    pub rests: Vec<(usize, Memory)>,
    /// What blank cells mean, by where they are looked up.
    pub blanks: Vec<(Span, String)>,
    /// What may be wrong.
    pub wrongs: Vec<Wrong>,
    /// What is told.
    pub marks: Vec<super::trace_marks::Mark>,
    /// By bag: how its things are told.
    pub things: Vec<super::trace_marks::Things>,
    /// Whether it counts what is not remembered.
    pub tallies: bool,
    /// Numbers of the contest that it asks for where a die may have fallen.
    pub asked_later: Vec<u8>,
    /// Whether its bags are put in order.
    pub sorts: bool,
    /// Registers that it uses.
    pub registers: usize,
    /// What is shown: registers, or numbers that are known.
    pub shows: Vec<Shown>,
    /// Columns of an outcome: what is shown, and the word that is asked for where it is one.
    pub columns: Vec<(Shown, Option<i32>)>,
    /// What is measured.
    pub weights: Vec<Shown>,
    /// What it leaves of the fields of its contest, where somebody asks.
    pub leaves: Vec<Leaves>,
}

/// A number of an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// In this register.
    At(Reg),
    /// Known before the first die.
    Known(i32),
}

/// What becomes of a field.
#[derive(Clone, Debug)]
pub enum Leaves {
    /// It is this number.
    Is(Text, Shown),
    /// Of a list so many are left, the highest.
    Highest(Text, Shown),
    /// Of its tables the things of a bag are left: by row the first table that it is made of, and what
    /// changes, each with its digit.
    Things(Text, u8, Vec<usize>, Vec<(Text, u16)>),
}

impl Program {
    /// By site: how far down the code it is; all that one loop goes round is as far as its head.
    pub(crate) fn headways(&self) -> Box<[u32]> {
        let mut heads: Vec<u32> = (0..).take(self.ops.len()).collect();
        // An inner loop comes before the jump of the one around it, which goes over it.
        for (at, op) in self.ops.iter().enumerate() {
            if let Some(to) = op.target().filter(|to| *to < at) {
                let head = heads[to];
                heads[to..=at].fill(head);
            }
        }
        self.sites.iter().map(|site| heads[site.at as usize]).collect()
    }

    /// Numbers of the contest that a list asks for.
    pub(crate) fn asked_by_list(&self, list: u16) -> impl Iterator<Item = u8> {
        self.lists[usize::from(list)].iter().filter_map(ListCell::slot)
    }

    /// The place of a number among keys.
    pub fn key(&self, keys: u16, number: i64) -> Option<usize> {
        let (keys, exact) = &self.keys[usize::from(keys)];
        key(keys, *exact, number)
    }
}

/// Numbers of 16 bits that a thing of a bag takes while so many loops are open.
pub fn words(values: u64, loops: usize) -> usize {
    // One value more for no thing at all.
    let all = u128::from(values) * 3_u128.pow(loops as u32) + 1;
    let bits = 128 - (all - 1).leading_zeros();
    bits.div_ceil(16).max(1) as usize
}
