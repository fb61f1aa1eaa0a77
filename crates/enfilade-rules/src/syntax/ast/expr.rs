//! Expressions as they were written.

use super::ident::Name;
use crate::diagnostics::Span;

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Where it stands.
    pub span: Span,
    /// What it says.
    pub what: Says,
}

impl Expr {
    /// What is said at a place.
    pub fn new(span: Span, what: Says) -> Expr {
        Expr { span, what }
    }

    /// What could not be read: a name that nothing bears.
    pub fn unread(span: Span) -> Expr {
        Expr::new(span, Says::Name(String::new()))
    }

    /// A number as it is written.
    pub fn literal(&self) -> Option<i64> {
        match &self.what {
            Says::Number(n) => Some(*n),
            Says::Minus(inner) => inner.literal().map(|n| -n),
            _ => None,
        }
    }

    /// The sides of a die as it is written: `d6`.
    pub fn die(&self) -> Option<i64> {
        match &self.what {
            Says::Pool(pool) if pool.count.is_none() => match pool.sides.what {
                Says::Number(sides) => Some(sides),
                _ => None,
            },
            _ => None,
        }
    }

    /// A name with what stands behind its points: `armour.front`.
    pub fn path(&self) -> Option<String> {
        match &self.what {
            Says::Name(name) => Some(name.clone()),
            Says::Column(of, column) => Some(format!("{}.{}", of.path()?, column.text)),
            _ => None,
        }
    }
}

/// What an expression says.
#[derive(Clone, Debug)]
pub enum Says {
    /// A number.
    Number(i64),
    /// `yes` or `no`.
    Yes(bool),
    /// A name.
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
    /// Two joined by a sign.
    Two(Op, Box<Expr>, Box<Expr>),
    /// `a if c else b`; 0 without `else`.
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
}

/// What joins two expressions.
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

/// Dice that are thrown together.
#[derive(Clone, Debug)]
pub struct Pool {
    /// How many; one where nothing is said.
    pub count: Option<Expr>,
    /// Their sides; `d66` are tens and ones.
    pub sides: Expr,
    /// Whether they are tens and ones.
    pub tens: bool,
    /// How many of the highest, or with `false` the lowest, are kept.
    pub keep: Option<(bool, Expr)>,
    /// The faces that are thrown again once.
    pub reroll: Option<(Expr, Option<Expr>)>,
    /// The faces that bring one more die, and how many at most.
    pub again: Option<((Expr, Option<Expr>), Expr)>,
}

/// `x in xs where c`: some of several, one after the other.
#[derive(Clone, Debug)]
pub struct Members {
    /// What each is called.
    pub name: Name,
    /// All of them.
    pub all: Expr,
    /// Those for which this holds.
    pub when: Option<Expr>,
}

impl Members {
    /// All of them, and the condition.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        [&self.all].into_iter().chain(&self.when)
    }
}
