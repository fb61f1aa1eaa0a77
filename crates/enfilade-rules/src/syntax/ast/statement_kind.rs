//! Statements, and the decisions of a player.

use super::assigned_value::AssignedValue;
use super::expr::{Expr, FilteredListExpr, TextTemplate};
use super::ident::Ident;
use crate::diagnostics::Span;

/// Statement with its place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Line.
    pub span: Span,
    /// Kind with its operands.
    pub kind: StmtKind,
}

impl Stmt {
    /// Returns whether it, or a line below it, could not be parsed.
    pub fn has_unparsed_line(&self) -> bool {
        let mut below = self.kind.child_blocks().into_iter().flatten();
        matches!(self.kind, StmtKind::Unread(..)) || below.any(Stmt::has_unparsed_line)
    }
}

/// Kind of a statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Conditions with their blocks, and the block of `else`.
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    /// `for i in a..b`, or downward.
    For(Ident, Expr, Expr, bool, Vec<Stmt>),
    /// `each x in xs where c`.
    Each(FilteredListExpr, Vec<Stmt>),
    /// `pick x in xs where c by …`.
    Pick(FilteredListExpr, ItemPickOrder, Vec<Stmt>),
    /// `repeat`.
    Repeat(Vec<Stmt>),
    /// `match x`: arms, and the block of `else`.
    Match(Expr, Vec<MatchArm>, Option<Vec<Stmt>>),
    /// `choose …`.
    Choose(Box<ChooseStmt>),
    /// `x = e`, and `+=`, `-=` as 1 and −1.
    Assign(Expr, i8, AssignedValue),
    /// Call of a part for its effects.
    Call(Expr),
    /// `stop`.
    Stop,
    /// `end`.
    End,
    /// `give e`.
    Give(Expr),
    /// `tally x += e`.
    Tally(Ident, Option<Expr>),
    /// `note "…"`.
    Note(TextTemplate),
    /// Line that could not be parsed: names that it may assign, and the lines below it.
    Unread(Vec<Expr>, Vec<Stmt>),
}

impl StmtKind {
    /// Returns the expressions that the line itself reads, in order; those of a note are left out,
    /// because the state need not contain them.
    pub fn own_exprs(&self) -> Vec<&Expr> {
        match self {
            StmtKind::If(arms, _) => arms.iter().map(|(when, _)| when).collect(),
            StmtKind::For(_, from, to, ..) => vec![from, to],
            StmtKind::Pick(of, ItemPickOrder::Key(_, key), _) => {
                of.list_and_condition().chain([key]).collect()
            }
            StmtKind::Each(of, _) | StmtKind::Pick(of, ..) => of.list_and_condition().collect(),
            StmtKind::Match(value, ..) | StmtKind::Call(value) | StmtKind::Give(value) => {
                vec![value]
            }
            // The target of `+=` is read first.
            StmtKind::Assign(_, 0, value) => value.contained_exprs(),
            StmtKind::Assign(place, _, value) => {
                [place].into_iter().chain(value.contained_exprs()).collect()
            }
            StmtKind::Tally(_, amount) => amount.iter().collect(),
            StmtKind::Choose(choose) => choose.exprs(),
            StmtKind::Repeat(_) | StmtKind::Stop | StmtKind::End => Vec::new(),
            StmtKind::Note(_) | StmtKind::Unread(..) => Vec::new(),
        }
    }

    /// Returns whether the statement has no block.
    pub fn has_no_block(&self) -> bool {
        use StmtKind::{Assign, Call, End, Give, Note, Stop, Tally};
        matches!(self, Assign(..) | Call(_) | Stop | End | Give(_) | Tally(..) | Note(_))
    }

    /// Returns the blocks of the statement.
    pub fn child_blocks(&self) -> Vec<&[Stmt]> {
        match self {
            StmtKind::If(arms, other) => {
                let arms = arms.iter().map(|(_, body)| body.as_slice());
                arms.chain([other.as_slice()]).collect()
            }
            StmtKind::For(.., body)
            | StmtKind::Each(.., body)
            | StmtKind::Pick(.., body)
            | StmtKind::Repeat(body)
            | StmtKind::Unread(_, body) => vec![body],
            StmtKind::Match(_, arms, other) => {
                let arms = arms.iter().map(|arm| arm.body.as_slice());
                arms.chain(other.as_deref()).collect()
            }
            StmtKind::Choose(choose) => {
                choose.options.iter().map(|option| option.body.as_slice()).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Order in which an item is picked.
#[derive(Clone, Debug)]
pub enum ItemPickOrder {
    /// At random.
    Random,
    /// By the lowest key, or by the highest if true.
    Key(bool, Expr),
}

/// Arm of a match.
#[derive(Clone, Debug)]
pub struct MatchArm {
    /// Words.
    pub words: Vec<Ident>,
    /// Name of the number.
    pub number: Option<Ident>,
    /// Lines.
    pub body: Vec<Stmt>,
}

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
    pub options: Vec<ChooseStmtOption>,
}

/// `option "text" if c:` with its lines.
#[derive(Clone, Debug)]
pub struct ChooseStmtOption {
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
