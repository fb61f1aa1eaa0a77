//! Values of assignments, and dice with symbols.

use super::expr::Expr;
use super::ident::Ident;

/// Like faces of a die with symbols: `hit+crit 2`.
#[derive(Clone, Debug)]
pub struct EqualSymbolFaces {
    /// Symbols on each.
    pub symbols: Vec<Ident>,
    /// Number of faces.
    pub count: i64,
}

/// Like dice with symbols that are thrown: `2 red`.
#[derive(Clone, Debug)]
pub struct SymbolDiceToThrow {
    /// Number of dice; one if omitted.
    pub count: Option<Expr>,
    /// Name of the die.
    pub die: Ident,
}

/// Value of an assignment.
#[derive(Clone, Debug)]
pub enum AssignedValue {
    /// Expression.
    One(Expr),
    /// List.
    List(Vec<Expr>),
    /// `2 red + n blue`: dice with symbols.
    Throw(Vec<SymbolDiceToThrow>),
    /// `n of e`: a list of n equal values.
    Repeated(Expr, Expr),
    /// `bag of e with a = e, keep b = e, …`, and the fields declared with `keep`.
    Bag(Expr, Vec<(Ident, Expr)>, Vec<String>),
}

impl AssignedValue {
    /// Returns the expressions in it.
    pub fn contained_exprs(&self) -> Vec<&Expr> {
        match self {
            AssignedValue::One(value) => vec![value],
            AssignedValue::List(items) => items.iter().collect(),
            AssignedValue::Throw(dice) => dice.iter().flat_map(|dice| &dice.count).collect(),
            AssignedValue::Repeated(count, value) => vec![count, value],
            AssignedValue::Bag(of, with, _) => {
                [of].into_iter().chain(with.iter().map(|(_, value)| value)).collect()
            }
        }
    }
}
