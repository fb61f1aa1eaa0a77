//! Expressions as written.

use super::ident::Name;
use crate::diagnostics::Span;

/// Expression with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Place in the file.
    pub span: Span,
    /// Kind with its operands.
    pub what: Says,
}

impl Expr {
    /// Creates an expression at a place.
    pub fn new(span: Span, what: Says) -> Expr {
        Expr { span, what }
    }

    /// Creates an expression for a part that could not be parsed: a name that nothing has.
    pub fn unread(span: Span) -> Expr {
        Expr::new(span, Says::Name(String::new()))
    }

    /// Returns the value of a literal number.
    pub fn literal(&self) -> Option<i64> {
        match &self.what {
            Says::Number(n) => Some(*n),
            Says::Minus(inner) => inner.literal().map(|n| -n),
            _ => None,
        }
    }

    /// Returns the sides of a literal die: `d6`.
    pub fn die(&self) -> Option<i64> {
        match &self.what {
            Says::Pool(pool) if pool.count.is_none() => match pool.sides.what {
                Says::Number(sides) => Some(sides),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns a name with its members: `armour.front`.
    pub fn path(&self) -> Option<String> {
        match &self.what {
            Says::Name(name) => Some(name.clone()),
            Says::Column(of, column) => Some(format!("{}.{}", of.path()?, column.text)),
            _ => None,
        }
    }
}

/// Kind of an expression.
#[derive(Clone, Debug)]
pub enum Says {
    /// Number.
    Number(i64),
    /// `yes` or `no`.
    Yes(bool),
    /// Name.
    Name(String),
    /// `x.y`.
    Column(Box<Expr>, Name),
    /// `x[e]`.
    Place(Box<Expr>, Box<Expr>),
    /// `f(…)`, each with its shift.
    Call(Name, Vec<(Expr, Option<Expr>)>),
    /// Dice.
    Pool(Box<Pool>),
    /// `count(pool or list, test)`.
    Count(Box<Expr>, Op, Box<Expr>),
    /// `count(x in xs where c)`, and `sum(e for x in xs where c)` with its summand.
    Over(Option<Box<Expr>>, Box<Members>),
    /// `up(a / b)`.
    Up(Box<Expr>),
    /// `given(x)`.
    Given(Box<Expr>),
    /// `-x`.
    Minus(Box<Expr>),
    /// `not x`.
    Not(Box<Expr>),
    /// Binary operation.
    Two(Op, Box<Expr>, Box<Expr>),
    /// `a if c else b`; 0 without `else`.
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
}

/// Binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `==` and `is`
    Is,
    /// `!=` and `is not`
    Not,
    /// `<`
    Less,
    /// `<=`
    Most,
    /// `>`
    More,
    /// `>=`
    Least,
    /// `and`
    And,
    /// `or`
    Or,
    /// `at least`
    AtLeast,
    /// `at most`
    AtMost,
}

/// Dice that are rolled together.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Number of dice; one if omitted.
    pub count: Option<Expr>,
    /// Sides; those of `d66` are tens and ones.
    pub sides: Expr,
    /// Whether the dice are tens and ones.
    pub tens: bool,
    /// Kept dice: whether the highest, and how many.
    pub keep: Option<(bool, Expr)>,
    /// Faces that are rerolled once.
    pub reroll: Option<(Expr, Option<Expr>)>,
    /// Faces that add one more die, and the largest number of these.
    pub again: Option<((Expr, Option<Expr>), Expr)>,
}

/// Filtered list: `x in xs where c`.
#[derive(Clone, Debug)]
pub struct Members {
    /// Name of the item.
    pub name: Name,
    /// List.
    pub all: Expr,
    /// Condition.
    pub when: Option<Expr>,
}

impl Members {
    /// Returns the list and the condition.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        [&self.all].into_iter().chain(&self.when)
    }
}
