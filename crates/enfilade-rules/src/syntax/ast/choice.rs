//! Decisions of a player, and their options.

use super::{Expr, Ident, Stmt};

/// `choose for highest x "label", blind to y:` and `choose n in a..b for highest x:`.
#[derive(Clone, Debug)]
pub struct ChooseStmt {
    /// Number that is chosen, with its bounds; then the one option is done with it.
    pub number: Option<(Ident, Expr, Expr)>,
    /// Whether the player wants the goal high.
    pub highest: bool,
    /// Show that the player decides for.
    pub goal: Ident,
    /// Label; empty where there is none.
    pub label: String,
    /// Names of the variables that the player does not see.
    pub hidden: Vec<Ident>,
    /// Options.
    pub options: Vec<ChooseOption>,
}

/// `option "text" if c:` with its lines.
#[derive(Clone, Debug)]
pub struct ChooseOption {
    /// Text.
    pub text: String,
    /// Condition under which it is open.
    pub when: Option<Expr>,
    /// Lines.
    pub body: Vec<Stmt>,
}

impl ChooseStmt {
    /// Returns the bounds of a number, or the conditions of options.
    pub fn exprs(&self) -> Vec<&Expr> {
        let bounds = self.number.iter().flat_map(|(_, from, to)| [from, to]);
        bounds.chain(self.options.iter().filter_map(|option| option.when.as_ref())).collect()
    }
}
