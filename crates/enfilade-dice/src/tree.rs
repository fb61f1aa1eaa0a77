//! Syntax tree of an expression.

use std::ops::Range;

/// Range of bytes in the text.
pub type Span = Range<usize>;

/// Part of an expression, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Kind of the part.
    pub what: What,
    /// Place in the text.
    pub span: Span,
}

/// Kind of a part.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Constant.
    Number(i64),
    /// `yes` or `no`.
    Yes(bool),
    /// Dice that are added up.
    Pool(Box<Pool>),
    /// Number of dice of a pool that pass.
    Count(Box<Pool>, Passes),
    /// Operation on two parts.
    Two(Sign, Box<Node>, Box<Node>),
    /// `-x`
    Minus(Box<Node>),
    /// `not x`
    Not(Box<Node>),
    /// `a if c else b`; 0 without an `else`.
    Choice(Box<Node>, Box<Node>, Option<Box<Node>>),
}

/// Operation on two parts.
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
    /// Test of two numbers.
    Is(Comparison),
    /// `and`
    And,
    /// `or`
    Or,
    /// `vs`: 1 if the left is higher, 0 if both are equal, -1 if the right is higher.
    Versus,
}

/// Comparison of two numbers.
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
    /// Returns whether two numbers pass the comparison.
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

/// Set of faces.
#[derive(Clone, Debug, PartialEq)]
pub enum Faces {
    /// Highest face of the die.
    Highest,
    /// Faces from one number to another.
    Between(i64, i64),
    /// Faces on one side of a comparison with a number.
    Compared(Comparison, i64),
}

impl Faces {
    /// Returns whether `face` of a die with the highest face `highest` is in the set.
    pub fn hold(&self, face: i64, highest: i64) -> bool {
        match self {
            Faces::Highest => face == highest,
            Faces::Between(from, to) => (*from..=*to).contains(&face),
            Faces::Compared(comparison, with) => comparison.holds(face, *with),
        }
    }
}

/// Test that a die passes to be counted.
#[derive(Clone, Debug, PartialEq)]
pub enum Passes {
    /// One of these faces.
    Faces(Faces),
    /// Comparison with a number that is evaluated once for the whole pool.
    Against(Comparison, Box<Node>),
}

/// Dice that are rolled together.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Number of dice; one when `None`.
    pub count: Option<Node>,
    /// Faces of each die.
    pub die: Die,
    /// Faces that are rerolled.
    pub reroll: Option<Reroll>,
    /// Faces that bring another die.
    pub extra: Option<Extra>,
    /// Choices of the dice that count, first to last.
    pub keep: Vec<Keep>,
}

/// Faces of one die.
#[derive(Clone, Debug, PartialEq)]
pub enum Die {
    /// 1 to this number.
    Sides(u16),
    /// 1 to a number that is evaluated once for the whole pool.
    Reckoned(Box<Node>),
    /// Tens and ones of two d6.
    Tens,
    /// Custom faces, repeated as written.
    Own(Vec<i64>),
}

/// Faces that are rerolled.
#[derive(Clone, Debug, PartialEq)]
pub struct Reroll {
    /// Faces to reroll.
    pub faces: Faces,
    /// Whether the second roll is final, whatever it shows.
    pub once: bool,
}

/// Faces that bring another die.
#[derive(Clone, Debug, PartialEq)]
pub struct Extra {
    /// Faces that explode.
    pub faces: Faces,
    /// Largest number of extra dice from one die; unlimited when `None`.
    pub most: Option<u16>,
    /// Way in which extra dice join their die.
    pub joins: Joins,
}

/// Way in which extra dice join their die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joins {
    /// Each is a separate die.
    Apart,
    /// Extra dice and their first die are one die.
    Together,
    /// Each shows one less.
    Weaker,
}

/// Choice of the dice that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Whether the highest are named, or the lowest.
    pub highest: bool,
    /// Whether the named dice are dropped, or kept.
    pub drop: bool,
    /// Number of named dice.
    pub number: u16,
}

impl Keep {
    /// Returns the numbers of dice left out at the low and at the high end of `count` dice.
    pub fn skips(self, count: usize) -> (usize, usize) {
        let named = usize::from(self.number).min(count);
        let skipped = if self.drop { named } else { count - named };
        // Without the lowest, the highest remain.
        if self.highest == self.drop { (0, skipped) } else { (skipped, 0) }
    }
}
