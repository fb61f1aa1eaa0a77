//! Syntax tree of an expression.

use std::ops::Range;

/// Range of bytes in the text.
pub type ExprSpan = Range<usize>;

/// Part of an expression, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct ExprNode {
    /// Kind of the part.
    pub what: ExprNodeKind,
    /// Place in the text.
    pub span: ExprSpan,
}

/// Kind of a part.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprNodeKind {
    /// Constant.
    Number(i64),
    /// `yes` or `no`.
    Yes(bool),
    /// Dice that are added up.
    Pool(Box<DicePool>),
    /// Number of dice of a pool that pass.
    Count(Box<DicePool>, PassTest),
    /// Operation on two parts.
    Two(BinaryOperator, Box<ExprNode>, Box<ExprNode>),
    /// `-x`
    Minus(Box<ExprNode>),
    /// `not x`
    Not(Box<ExprNode>),
    /// `a if c else b`; 0 without an `else`.
    Choice(Box<ExprNode>, Box<ExprNode>, Option<Box<ExprNode>>),
}

/// Operation on two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
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
    Is(ComparisonSign),
    /// `and`
    And,
    /// `or`
    Or,
    /// `vs`: 1 if the left is higher, 0 if both are equal, -1 if the right is higher.
    Versus,
}

/// Comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonSign {
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

impl ComparisonSign {
    /// Returns whether two numbers pass the comparison.
    pub fn is_met(self, left: i64, right: i64) -> bool {
        match self {
            ComparisonSign::AtLeast => left >= right,
            ComparisonSign::AtMost => left <= right,
            ComparisonSign::More => left > right,
            ComparisonSign::Less => left < right,
            ComparisonSign::Equal => left == right,
            ComparisonSign::Unequal => left != right,
        }
    }
}

/// Set of faces.
#[derive(Clone, Debug, PartialEq)]
pub enum FaceSet {
    /// Highest face of the die.
    Highest,
    /// Faces from one number to another.
    Between(i64, i64),
    /// Faces on one side of a comparison with a number.
    Compared(ComparisonSign, i64),
}

impl FaceSet {
    /// Returns whether `face` of a die with the highest face `highest` is in the set.
    pub fn contains(&self, face: i64, highest: i64) -> bool {
        match self {
            FaceSet::Highest => face == highest,
            FaceSet::Between(from, to) => (*from..=*to).contains(&face),
            FaceSet::Compared(comparison, with) => comparison.is_met(face, *with),
        }
    }
}

/// Test that a die passes to be counted.
#[derive(Clone, Debug, PartialEq)]
pub enum PassTest {
    /// One of these faces.
    Faces(FaceSet),
    /// Comparison with a number that is evaluated once for the whole pool.
    Against(ComparisonSign, Box<ExprNode>),
}

/// Dice that are rolled together.
#[derive(Clone, Debug, PartialEq)]
pub struct DicePool {
    /// Number of dice; one when `None`.
    pub count: Option<ExprNode>,
    /// Faces of each die.
    pub die: DieFaces,
    /// Faces that are rerolled.
    pub reroll: Option<RerolledFaces>,
    /// Faces that bring another die.
    pub extra: Option<ExtraDiceRule>,
    /// Choices of the dice that count, first to last.
    pub keep: Vec<KeptDiceChoice>,
}

/// Faces of one die.
#[derive(Clone, Debug, PartialEq)]
pub enum DieFaces {
    /// 1 to this number.
    Sides(u16),
    /// 1 to a number that is evaluated once for the whole pool.
    Reckoned(Box<ExprNode>),
    /// Tens and ones of two d6.
    Tens,
    /// Custom faces, repeated as written.
    Custom(Vec<i64>),
}

/// Faces that are rerolled.
#[derive(Clone, Debug, PartialEq)]
pub struct RerolledFaces {
    /// Faces to reroll.
    pub faces: FaceSet,
    /// Whether the second roll is final, whatever it shows.
    pub once: bool,
}

/// Faces that bring another die.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtraDiceRule {
    /// Faces that explode.
    pub faces: FaceSet,
    /// Largest number of extra dice from one die; unlimited when `None`.
    pub most: Option<u16>,
    /// Way in which extra dice join their die.
    pub joins: ExtraDiceJoining,
}

/// Way in which extra dice join their die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraDiceJoining {
    /// Each is a separate die.
    Apart,
    /// Extra dice and their first die are one die.
    Together,
    /// Each shows one less.
    Weaker,
}

/// Choice of the dice that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptDiceChoice {
    /// Whether the highest are named, or the lowest.
    pub highest: bool,
    /// Whether the named dice are dropped, or kept.
    pub drop: bool,
    /// Number of named dice.
    pub number: u16,
}

impl KeptDiceChoice {
    /// Returns the numbers of dice left out at the low and at the high end of `count` dice.
    pub fn dropped_low_and_high(self, count: usize) -> (usize, usize) {
        let named = usize::from(self.number).min(count);
        let skipped = if self.drop { named } else { count - named };
        // Without the lowest, the highest remain.
        if self.highest == self.drop { (0, skipped) } else { (skipped, 0) }
    }
}
