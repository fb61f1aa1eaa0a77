//! A figure of a measure.

use super::expr::Expr;
use super::ident::Ident;

/// One figure of a measure: `chance(lost > 0) * 100`.
#[derive(Clone, Debug)]
pub struct MeasureTermExpr {
    /// `chance`, `mean`, `median`, `spread` or `quantile`.
    pub of: Ident,
    /// Of what.
    pub value: Expr,
    /// The percentage of a quantile.
    pub percent: Option<u32>,
    /// Factors and, with `true`, divisors.
    pub scale: Vec<(Expr, bool)>,
    /// Whether the figure is subtracted from those before it.
    pub is_subtracted: bool,
}
