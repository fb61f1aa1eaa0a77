//! Expressions as written.

use super::ident::Ident;
use crate::diagnostics::Span;

/// Expression with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Place in the file.
    pub span: Span,
    /// Kind with its operands.
    pub kind: ExprKind,
}

impl Expr {
    /// Creates an expression at a place.
    pub fn new(span: Span, what: ExprKind) -> Expr {
        Expr { span, kind: what }
    }

    /// Creates an expression for a part that could not be parsed: a name that nothing has.
    pub fn unparsed_placeholder(span: Span) -> Expr {
        Expr::new(span, ExprKind::Name(String::new()))
    }

    /// Returns the value of a literal number.
    pub fn literal_number(&self) -> Option<i64> {
        match &self.kind {
            ExprKind::Number(n) => Some(*n),
            ExprKind::Minus(inner) => inner.literal_number().map(|n| -n),
            _ => None,
        }
    }

    /// Returns the sides of a literal die: `d6`.
    pub fn as_die_sides(&self) -> Option<i64> {
        match &self.kind {
            ExprKind::Pool(pool) if pool.count.is_none() => match pool.sides.kind {
                ExprKind::Number(sides) => Some(sides),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns a name with its members: `armour.front`.
    pub fn as_path(&self) -> Option<String> {
        match &self.kind {
            ExprKind::Name(name) => Some(name.clone()),
            ExprKind::Member(of, column) => Some(format!("{}.{}", of.as_path()?, column.text)),
            _ => None,
        }
    }
}

/// Kind of an expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Number.
    Number(i64),
    /// `yes` or `no`.
    YesNo(bool),
    /// Name.
    Name(String),
    /// `x.y`.
    Member(Box<Expr>, Ident),
    /// `x[e]`.
    Index(Box<Expr>, Box<Expr>),
    /// `f(…)`, each with its shift.
    Call(Ident, Vec<(Expr, Option<Expr>)>),
    /// Dice.
    Pool(Box<PoolExpr>),
    /// `count(pool or list, test)`.
    Count(Box<Expr>, Operator, Box<Expr>),
    /// `count(x in xs where c)`, and `sum(e for x in xs where c)` with its summand.
    Aggregate(Option<Box<Expr>>, Box<FilteredListExpr>),
    /// `sorted 3d6`, `sorted xs`, and `sorted d(s) for s in xs` with its list.
    Sorted(Box<Expr>, Option<Box<FilteredListExpr>>),
    /// `xs high 2`, `[d8, d10] low 1`: the list, whether the highest are kept, and how many.
    Kept(HighestOrLowestOperand, bool, Box<Expr>),
    /// `up(a / b)`.
    RoundUp(Box<Expr>),
    /// `given(x)`.
    Given(Box<Expr>),
    /// `-x`.
    Minus(Box<Expr>),
    /// `not x`.
    Not(Box<Expr>),
    /// Binary operation.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `a if c else b`; 0 without `else`.
    Conditional(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
}

/// Binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `==` and `is`
    Equal,
    /// `!=` and `is not`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
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
pub struct PoolExpr {
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
    /// `as one`: whether the dice that `again` adds are part of the die that shows the face.
    pub adds_to_die: bool,
}

/// Items of which the highest or the lowest are kept.
#[derive(Clone, Debug)]
pub enum HighestOrLowestOperand {
    /// List.
    List(Box<Expr>),
    /// Values in brackets.
    Values(Vec<Expr>),
}

impl HighestOrLowestOperand {
    /// Returns the expressions.
    pub fn list_or_value_exprs(&self) -> &[Expr] {
        match self {
            HighestOrLowestOperand::List(list) => std::slice::from_ref(list),
            HighestOrLowestOperand::Values(values) => values,
        }
    }
}

/// Filtered list: `x in xs where c`.
#[derive(Clone, Debug)]
pub struct FilteredListExpr {
    /// Name of the item.
    pub name: Ident,
    /// List.
    pub all: Expr,
    /// Condition.
    pub when: Option<Expr>,
}

impl FilteredListExpr {
    /// Returns the list and the condition.
    pub fn list_and_condition(&self) -> impl Iterator<Item = &Expr> {
        [&self.all].into_iter().chain(&self.when)
    }
}

/// Text with values in it, each after the text before it.
pub type TextTemplate = Vec<(String, Option<Expr>)>;
