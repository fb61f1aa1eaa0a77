//! What an expression says, before anything is rolled.

use std::ops::Range;

/// Bytes of the text.
pub type Span = Range<usize>;

/// A part of an expression, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it says.
    pub what: What,
    /// Where.
    pub span: Span,
}

/// What a part says.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A constant.
    Number(i64),
    /// `yes`, `no`.
    Yes(bool),
    /// Dice that are added up.
    Pool(Box<Pool>),
    /// How many dice of a pool pass.
    Count(Box<Pool>, Passes),
    /// Two parts that become one.
    Two(Sign, Box<Node>, Box<Node>),
    /// `-x`
    Minus(Box<Node>),
    /// `not x`
    Not(Box<Node>),
    /// `a if c else b`; without the last 0.
    Choice(Box<Node>, Box<Node>, Option<Box<Node>>),
}

/// How two parts become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`, rounded down.
    Over,
    /// `up(a / b)`
    OverUp,
    /// The smaller of both: `min`, `at most`.
    Smaller,
    /// The larger of both: `max`, `at least`.
    Larger,
    /// A test of two numbers.
    Is(Comparison),
    /// `and`
    And,
    /// `or`
    Or,
    /// `vs`: 1 where the left is higher, 0 where both are equal, -1 where the right is higher.
    Versus,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `<`
    Less,
    /// `=`
    Equal,
    /// `!=`
    Unequal,
}

impl Comparison {
    /// Whether it holds for two numbers.
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::AtLeast => left >= right,
            Comparison::AtMost => left <= right,
            Comparison::More => left > right,
            Comparison::Less => left < right,
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
        }
    }
}

/// What a face has to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Faces {
    /// The highest of the die.
    Highest,
    /// From one number to another.
    Between(i64, i64),
    /// One side of a comparison with a number.
    Compared(Comparison, i64),
}

impl Faces {
    /// Whether `face` of a die whose highest is `highest` is one of them.
    pub fn hold(&self, face: i64, highest: i64) -> bool {
        match self {
            Faces::Highest => face == highest,
            Faces::Between(from, to) => (*from..=*to).contains(&face),
            Faces::Compared(comparison, with) => comparison.holds(face, *with),
        }
    }
}

/// What a die has to show to be counted.
#[derive(Clone, Debug, PartialEq)]
pub enum Passes {
    /// One of these faces.
    Faces(Faces),
    /// Compared with what is worked out once for the whole pool.
    Against(Comparison, Box<Node>),
}

/// Dice that are rolled together.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// How many; one when `None`.
    pub count: Option<Node>,
    /// What each of them shows.
    pub die: Die,
    /// Which are rolled anew.
    pub reroll: Option<Reroll>,
    /// Which bring another die.
    pub extra: Option<Extra>,
    /// Which count, first to last.
    pub keep: Vec<Keep>,
}

/// What one die shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Die {
    /// 1 to this.
    Sides(u16),
    /// 1 to what is worked out once for the whole pool.
    Reckoned(Box<Node>),
    /// Tens and ones of two d6.
    Tens,
    /// Faces of its own, each as often as it stands here.
    Own(Vec<i64>),
}

/// Faces that are rolled anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Reroll {
    /// Which.
    pub faces: Faces,
    /// Whether the second throw stands, whatever it is.
    pub once: bool,
}

/// Faces that bring another die.
#[derive(Clone, Debug, PartialEq)]
pub struct Extra {
    /// Which.
    pub faces: Faces,
    /// How many from one die at most; without end when `None`.
    pub most: Option<u16>,
    /// What becomes of them.
    pub joins: Joins,
}

/// What becomes of extra dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joins {
    /// Each is a die like the others.
    Apart,
    /// They and their first are one die.
    Together,
    /// Each shows one less.
    Weaker,
}

/// Which dice of several count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Whether the highest are named, or the lowest.
    pub highest: bool,
    /// Whether those are dropped, or kept.
    pub drop: bool,
    /// How many are named.
    pub number: u16,
}

impl Keep {
    /// How many are left out at the low and at the high end of `count` dice.
    pub fn skips(self, count: usize) -> (usize, usize) {
        let named = usize::from(self.number).min(count);
        let skipped = if self.drop { named } else { count - named };
        // Without the lowest, the highest are left.
        if self.highest == self.drop { (0, skipped) } else { (skipped, 0) }
    }
}
