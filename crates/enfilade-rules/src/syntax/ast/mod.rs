//! Tree of a rulebook as written: the output of the parser, every node with its place in the file.
//!
//! Types and meanings of names are not known at this level.

mod assigned_value;
mod expr;
mod figure;
mod ident;
mod statement_kind;

use crate::diagnostics::Span;
pub use assigned_value::{AssignedValue, EqualSymbolFaces, SymbolDiceToThrow};
pub use expr::{
    Expr, ExprKind, FilteredListExpr, HighestOrLowestOperand, Operator, PoolExpr, TextTemplate,
};
pub use figure::MeasureTermExpr;
pub use ident::Ident;
pub use statement_kind::{ChooseStmt, ChooseStmtOption, ItemPickOrder, MatchArm, Stmt, StmtKind};

/// Annotations at the end of a declaration's line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclAnnotations {
    /// Label for players.
    pub label: String,
    /// Help of the author.
    pub help: String,
    /// Reference to the printed rules.
    pub rule: String,
    /// `rare`.
    pub rare: bool,
    /// `assumed`.
    pub assumed: bool,
    /// `optional`.
    pub optional: bool,
    /// 1 for `harm`, −1 for `gain`.
    pub harm: i8,
    /// Severity from 1 to 100 with its word, if the author gives one.
    pub degree: Option<Box<(i16, String)>>,
    /// Unit that the number counts.
    pub unit: String,
    /// Labels of no and yes.
    pub switch_labels: Option<Box<(String, String)>>,
    /// `headline`: the measure is shown first.
    pub headline: bool,
    /// `finishing`: the measure of putting a target out of action.
    pub finishing: bool,
    /// `adds`: the value adds up over several turns.
    pub adds: bool,
}

impl DeclAnnotations {
    /// Returns the most detailed description: the author's help, the label, or the name.
    pub fn most_detailed_text(&self, name: &str) -> String {
        if self.help.is_empty() { self.label_or_spaced_name(name) } else { self.help.clone() }
    }

    /// Returns the label, or the name with spaces.
    pub fn label_or_spaced_name(&self, name: &str) -> String {
        if self.label.is_empty() { name.replace('_', " ") } else { self.label.clone() }
    }
}

/// Prefix of the entries about absent names.
pub const ABSENT_NAME_KEY_PREFIX: &str = "absent ";

/// File.
#[derive(Clone, Debug, Default)]
pub struct RulebookAst {
    /// Name of the game.
    pub game: String,
    /// Rulebook that it extends.
    pub extends: Option<Ident>,
    /// Texts of `by`, `source`, `dice`, `direction`, `off table`, `date` and `absent NAME`, by
    /// their keyword.
    pub about: Vec<(Ident, String)>,
    /// Sentences for `systems` on readings of the source.
    pub readings: Vec<(String, String)>,
    /// Sentences for `systems` on rules that are left out.
    pub left_out: Vec<String>,
    /// Declarations in order.
    pub declarations: Vec<Declaration>,
    /// Words of the lines that could not be parsed, which may contain declared names.
    pub unread: Vec<String>,
    /// Whether the extended rulebook could not be read, so that its names are unknown.
    pub base_missing: bool,
}

/// Declaration.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Name; empty for checks, remarks and prices.
    pub name: Ident,
    /// Whether the line begins with `change`.
    pub change: bool,
    /// Kind with its content.
    pub kind: DeclarationKind,
}

/// Kind of a declaration.
#[derive(Clone, Debug)]
pub enum DeclarationKind {
    /// Ordered list of words.
    Words(Vec<(Ident, String)>),
    /// Record: fields that are used together.
    Record(Vec<FieldOrCheckLine>),
    /// Field, with the heading above it.
    Field(FieldDecl),
    /// Data block.
    Data(DataRowsDecl),
    /// Table.
    Table(TableDecl),
    /// Marks: pattern and name.
    Marks(Vec<(Ident, Ident)>),
    /// Die with symbols.
    Die(Vec<EqualSymbolFaces>),
    /// Part.
    Part(PartDecl),
    /// Action.
    Action(ActionDecl),
    /// Example, as lines of TOML.
    Example(DeclAnnotations, Vec<Ident>),
    /// Lines of a `price` block.
    Price(Vec<(Ident, Ident)>),
    /// Condition of a contest.
    Check(CheckOrRemarkDecl),
}

/// Line in a record, or before the rule of an action.
#[derive(Clone, Debug)]
pub enum FieldOrCheckLine {
    /// Field.
    Field(Ident, FieldDecl),
    /// Condition.
    Check(CheckOrRemarkDecl),
}

/// `check expr "…"` or `remark [if expr] "…"`.
#[derive(Clone, Debug)]
pub struct CheckOrRemarkDecl {
    /// Condition that must hold, or that triggers the remark; `None` for always.
    pub when: Option<Expr>,
    /// `for x in xs`: evaluated for each item.
    pub over: Option<(Ident, Expr)>,
    /// Message.
    pub text: TextTemplate,
    /// Help.
    pub help: TextTemplate,
    /// Whether the check is only a remark.
    pub remark: bool,
    /// Place in the file.
    pub span: Span,
}

/// Field of a contest.
#[derive(Clone, Debug)]
pub struct FieldDecl {
    /// Type.
    pub kind: TypeExpr,
    /// Default.
    pub default: Option<DefaultExpr>,
    /// Annotations.
    pub annotations: DeclAnnotations,
    /// Heading above it.
    pub group: String,
}

/// Default: one expression, or a list.
#[derive(Clone, Debug)]
pub enum DefaultExpr {
    /// One value.
    One(Expr),
    /// List of values.
    List(Vec<Expr>, Span),
}

impl DefaultExpr {
    /// Returns the values.
    pub fn exprs(&self) -> &[Expr] {
        match self {
            DefaultExpr::One(value) => std::slice::from_ref(value),
            DefaultExpr::List(values, _) => values,
        }
    }

    /// Returns the place in the file.
    pub fn default_span(&self) -> &Span {
        match self {
            DefaultExpr::One(value) => &value.span,
            DefaultExpr::List(_, span) => span,
        }
    }
}

/// Type of a field.
#[derive(Clone, Debug)]
pub enum TypeExpr {
    /// Range of whole numbers.
    Range(i64, i64, Span),
    /// `yes/no`.
    YesNo,
    /// One of several words or numbers.
    Choice(Vec<AllowedWordOrNumber>),
    /// `die`, with fewest sides, most sides, and the step between.
    Die(Option<(i64, i64, i64)>),
    /// Row of a data block.
    DataRow(Ident),
    /// Record.
    Record(Ident),
    /// List: fewest entries, most entries, and their type.
    List(i64, i64, Box<TypeExpr>, Span),
}

/// One of several words or numbers.
#[derive(Clone, Debug)]
pub enum AllowedWordOrNumber {
    /// Word.
    Word(Ident),
    /// Number.
    Number(i64, Span),
}

/// Data block.
#[derive(Clone, Debug, Default)]
pub struct DataRowsDecl {
    /// File of the rows.
    pub from: Option<Ident>,
    /// Names of the columns after the first.
    pub heads: Vec<Ident>,
    /// Rows.
    pub rows: Vec<RowDecl>,
    /// Columns of marks: the column, and the marks.
    pub marks: Vec<(Ident, Ident)>,
}

/// Row of cells, with its name or key.
#[derive(Clone, Debug)]
pub struct RowDecl {
    /// Name or key.
    pub key: Ident,
    /// Cells.
    pub cells: Vec<Ident>,
}

/// Table with one or two keys.
#[derive(Clone, Debug, Default)]
pub struct TableDecl {
    /// File of the rows.
    pub from: Option<Ident>,
    /// Reference to the printed rules.
    pub rule: String,
    /// Legend of printed cells: pattern and word.
    pub legend: Vec<(Ident, Ident)>,
    /// Whether a line of the legend could not be parsed.
    pub has_broken_legend: bool,
    /// Whether only printed keys are allowed.
    pub exact: bool,
    /// Row of `else`: the cells of all keys that no row names.
    pub otherwise: Option<RowDecl>,
    /// Keys of the columns; empty for a table with one key.
    pub columns: Vec<Ident>,
    /// Rows.
    pub rows: Vec<RowDecl>,
}

/// Part: a named piece of a rule.
#[derive(Clone, Debug)]
pub struct PartDecl {
    /// Parameters, and whether the part changes each.
    pub params: Vec<(Ident, bool)>,
    /// Reference to the printed rules.
    pub rule: String,
    /// Conditions of the contests that call it.
    pub checks: Vec<CheckOrRemarkDecl>,
    /// Lines.
    pub body: Vec<Stmt>,
    /// Report.
    pub shows: Vec<ShowMeasureOrCarryLine>,
}

/// Action.
#[derive(Clone, Debug)]
pub struct ActionDecl {
    /// Annotations.
    pub annotations: DeclAnnotations,
    /// Name in results, if it differs.
    pub result_name: Option<String>,
    /// Texts of `question`, `direction` and `off table`, by their keyword.
    pub about: Vec<(Ident, String)>,
    /// Own fields and conditions.
    pub items: Vec<FieldOrCheckLine>,
    /// Lines of the rule.
    pub body: Vec<Stmt>,
    /// Report.
    pub shows: Vec<ShowMeasureOrCarryLine>,
}

impl ActionDecl {
    /// Returns the name in contests and results; `name` is the name in the file.
    pub fn name_in_contests<'a>(&'a self, name: &'a Ident) -> &'a str {
        self.result_name.as_deref().unwrap_or(&name.text)
    }
}

/// Line after the rule of an action or a part.
#[derive(Clone, Debug)]
pub enum ShowMeasureOrCarryLine {
    /// `show`: an outcome; `keep`: a value that only measures see.
    Show {
        /// Name.
        name: Ident,
        /// Value; if omitted, that of the variable of this name.
        value: Option<Expr>,
        /// Condition of the show.
        when: Option<Expr>,
        /// Annotations.
        said: DeclAnnotations,
        /// Whether only measures see it.
        keep: bool,
    },
    /// `measure`.
    Measure {
        /// Name.
        name: Ident,
        /// The figures that are added up.
        figures: Vec<MeasureTermExpr>,
        /// Condition of the trials that count, with its text.
        given: Option<(Expr, String)>,
        /// Annotations.
        said: DeclAnnotations,
    },
    /// `carry`: the value of a field in the next contest.
    Carry {
        /// Field, or its path.
        place: Expr,
        /// New value.
        value: Expr,
        /// Whether the value is a number of entries, the highest of which stay.
        highest: bool,
    },
    /// Reporting part.
    Call(Expr),
}

impl ShowMeasureOrCarryLine {
    /// Returns the expressions that the line reads.
    pub fn exprs_read_by_line(&self) -> Vec<&Expr> {
        match self {
            ShowMeasureOrCarryLine::Show { value, when, .. } => value.iter().chain(when).collect(),
            ShowMeasureOrCarryLine::Measure { figures, given: conditions, .. } => {
                let conditions = conditions.iter().map(|(condition, _)| condition);
                figures.iter().map(|figure| &figure.value).chain(conditions).collect()
            }
            ShowMeasureOrCarryLine::Carry { value, .. } => vec![value],
            ShowMeasureOrCarryLine::Call(call) => vec![call],
        }
    }
}
