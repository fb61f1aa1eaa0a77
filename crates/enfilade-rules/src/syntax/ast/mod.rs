//! Tree of a rulebook as written: the output of the parser, every node with its place in the file.
//!
//! Types and meanings of names are not known at this level.

mod expr;
mod figure;
mod ident;

use crate::diagnostics::Span;
pub use expr::{Expr, Members, Op, Pool, Says};
pub use figure::Figure;
pub use ident::Name;

/// Annotations at the end of a declaration's line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
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
    pub called: Option<Box<(String, String)>>,
    /// `headline`: the measure is shown first.
    pub headline: bool,
    /// `finishing`: the measure of putting a target out of action.
    pub finishing: bool,
    /// `adds`: the value adds up over several turns.
    pub adds: bool,
}

impl Said {
    /// Returns the most detailed description: the author's help, the label, or the name.
    pub fn about(&self, name: &str) -> String {
        if self.help.is_empty() { self.label_or(name) } else { self.help.clone() }
    }

    /// Returns the label, or the name with spaces.
    pub fn label_or(&self, name: &str) -> String {
        if self.label.is_empty() { name.replace('_', " ") } else { self.label.clone() }
    }
}

/// Prefix of the entries about absent names.
pub const ABSENT: &str = "absent ";

/// File.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Name of the game.
    pub game: String,
    /// Rulebook that it extends.
    pub extends: Option<Name>,
    /// Texts of `by`, `source`, `dice`, `direction`, `off table`, `date` and `absent NAME`, by
    /// their keyword.
    pub about: Vec<(Name, String)>,
    /// Sentences for `systems` on readings of the source.
    pub readings: Vec<(String, String)>,
    /// Sentences for `systems` on rules that are left out.
    pub left_out: Vec<String>,
    /// Declarations in order.
    pub declared: Vec<Declared>,
    /// Words of the lines that could not be parsed, which may contain declared names.
    pub unread: Vec<String>,
    /// Whether the extended rulebook could not be read, so that its names are unknown.
    pub lost: bool,
}

/// Declaration.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Name; empty for checks, remarks and prices.
    pub name: Name,
    /// Whether the line begins with `change`.
    pub change: bool,
    /// Kind with its content.
    pub what: What,
}

/// Kind of a declaration.
#[derive(Clone, Debug)]
pub enum What {
    /// Ordered list of words.
    Words(Vec<(Name, String)>),
    /// Record: fields that are used together.
    Record(Vec<Item>),
    /// Field, with the heading above it.
    Field(Field),
    /// Data block.
    Data(Data),
    /// Table.
    Table(Table),
    /// Marks: pattern and name.
    Marks(Vec<(Name, Name)>),
    /// Part.
    Part(Part),
    /// Action.
    Action(Action),
    /// Example, as lines of TOML.
    Example(Said, Vec<Name>),
    /// Lines of a `price` block.
    Price(Vec<(Name, Name)>),
    /// Condition of a contest.
    Check(Check),
}

/// Line in a record, or before the rule of an action.
#[derive(Clone, Debug)]
pub enum Item {
    /// Field.
    Field(Name, Field),
    /// Condition.
    Check(Check),
}

/// Text with values in it, each after the text before it.
pub type Sentence = Vec<(String, Option<Expr>)>;

/// `check expr "…"` or `remark [if expr] "…"`.
#[derive(Clone, Debug)]
pub struct Check {
    /// Condition that must hold, or that triggers the remark; `None` for always.
    pub when: Option<Expr>,
    /// `for x in xs`: evaluated for each item.
    pub over: Option<(Name, Expr)>,
    /// Message.
    pub text: Sentence,
    /// Help.
    pub help: Sentence,
    /// Whether it is only a remark.
    pub remark: bool,
    /// Place in the file.
    pub span: Span,
}

/// Field of a contest.
#[derive(Clone, Debug)]
pub struct Field {
    /// Type.
    pub kind: Kind,
    /// Default.
    pub default: Option<Default>,
    /// Annotations.
    pub said: Said,
    /// Heading above it.
    pub group: String,
}

/// Default: one expression, or a list.
#[derive(Clone, Debug)]
pub enum Default {
    /// One value.
    One(Expr),
    /// List of values.
    List(Vec<Expr>, Span),
}

impl Default {
    /// Returns the values.
    pub fn exprs(&self) -> &[Expr] {
        match self {
            Default::One(value) => std::slice::from_ref(value),
            Default::List(values, _) => values,
        }
    }

    /// Returns the place in the file.
    pub fn span(&self) -> &Span {
        match self {
            Default::One(value) => &value.span,
            Default::List(_, span) => span,
        }
    }
}

/// Type of a field.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Range of whole numbers.
    Range(i64, i64, Span),
    /// `yes/no`.
    YesNo,
    /// One of several words or numbers.
    Choice(Vec<Choice>),
    /// `die`, with fewest sides, most sides, and the step between.
    Die(Option<(i64, i64, i64)>),
    /// Row of a data block.
    OneOf(Name),
    /// Record.
    Record(Name),
    /// List: fewest entries, most entries, and their type.
    Several(i64, i64, Box<Kind>, Span),
}

/// One of several words or numbers.
#[derive(Clone, Debug)]
pub enum Choice {
    /// Word.
    Word(Name),
    /// Number.
    Number(i64, Span),
}

/// Data block.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// File of the rows.
    pub from: Option<Name>,
    /// Names of the columns after the first.
    pub heads: Vec<Name>,
    /// Rows.
    pub rows: Vec<Row>,
    /// Columns of marks: the column, and the marks.
    pub marks: Vec<(Name, Name)>,
}

/// Row of cells, with its name or key.
#[derive(Clone, Debug)]
pub struct Row {
    /// Name or key.
    pub key: Name,
    /// Cells.
    pub cells: Vec<Name>,
}

/// Table with one or two keys.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// File of the rows.
    pub from: Option<Name>,
    /// Reference to the printed rules.
    pub rule: String,
    /// Legend of printed cells: pattern and word.
    pub legend: Vec<(Name, Name)>,
    /// Whether a line of the legend could not be parsed.
    pub unexplained: bool,
    /// Whether only printed keys are allowed.
    pub exact: bool,
    /// Keys of the columns; empty for a table with one key.
    pub columns: Vec<Name>,
    /// Rows.
    pub rows: Vec<Row>,
}

/// Part: a named piece of a rule.
#[derive(Clone, Debug)]
pub struct Part {
    /// Parameters, and whether the part changes each.
    pub params: Vec<(Name, bool)>,
    /// Reference to the printed rules.
    pub rule: String,
    /// Conditions of the contests that call it.
    pub checks: Vec<Check>,
    /// Lines.
    pub body: Vec<Stmt>,
    /// Report.
    pub shows: Vec<Report>,
}

/// Action.
#[derive(Clone, Debug)]
pub struct Action {
    /// Annotations.
    pub said: Said,
    /// Name in results, if it differs.
    pub named: Option<String>,
    /// Texts of `question`, `direction` and `off table`, by their keyword.
    pub about: Vec<(Name, String)>,
    /// Own fields and conditions.
    pub items: Vec<Item>,
    /// Lines of the rule.
    pub body: Vec<Stmt>,
    /// Report.
    pub shows: Vec<Report>,
}

impl Action {
    /// Returns the name in contests and results; `name` is the name in the file.
    pub fn called<'a>(&'a self, name: &'a Name) -> &'a str {
        self.named.as_deref().unwrap_or(&name.text)
    }
}

/// Line after the rule of an action or a part.
#[derive(Clone, Debug)]
pub enum Report {
    /// `show`: an outcome; `keep`: a value that only measures see.
    Show {
        /// Name.
        name: Name,
        /// Value; if omitted, that of the variable of this name.
        value: Option<Expr>,
        /// Condition of the show.
        when: Option<Expr>,
        /// Annotations.
        said: Said,
        /// Whether only measures see it.
        keep: bool,
    },
    /// `measure`.
    Measure {
        /// Name.
        name: Name,
        /// What is added up: one figure, or several.
        figures: Vec<Figure>,
        /// Condition of the trials that count, with its text.
        given: Option<(Expr, String)>,
        /// What is said of it.
        said: Said,
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

impl Report {
    /// Returns the expressions that the line reads.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Report::Show { value, when, .. } => value.iter().chain(when).collect(),
            Report::Measure { figures, given, .. } => {
                let given = given.iter().map(|(condition, _)| condition);
                figures.iter().map(|figure| &figure.value).chain(given).collect()
            }
            Report::Carry { value, .. } => vec![value],
            Report::Call(call) => vec![call],
        }
    }
}

/// Statement with its place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Line.
    pub span: Span,
    /// Kind with its operands.
    pub what: Do,
}

impl Stmt {
    /// Returns whether it, or a line below it, could not be parsed.
    pub fn is_unread(&self) -> bool {
        let mut below = self.what.blocks().into_iter().flatten();
        matches!(self.what, Do::Unread(..)) || below.any(Stmt::is_unread)
    }
}

/// Kind of a statement.
#[derive(Clone, Debug)]
pub enum Do {
    /// Conditions with their blocks, and the block of `else`.
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    /// `for i in a..b`, or downward.
    For(Name, Expr, Expr, bool, Vec<Stmt>),
    /// `each x in xs where c`.
    Each(Members, Vec<Stmt>),
    /// `pick x in xs where c by …`.
    Pick(Members, By, Vec<Stmt>),
    /// `repeat`.
    Repeat(Vec<Stmt>),
    /// `match x`: arms, and the block of `else`.
    Match(Expr, Vec<Arm>, Option<Vec<Stmt>>),
    /// `choose for highest x "label"`: the label, or an empty text, and options with their texts.
    Choose(bool, Name, String, Vec<(String, Vec<Stmt>)>),
    /// `x = e`, and `+=`, `-=` as 1 and −1.
    Set(Expr, i8, Value),
    /// Call of a part for its effects.
    Call(Expr),
    /// `stop`.
    Stop,
    /// `end`.
    End,
    /// `give e`.
    Give(Expr),
    /// `tally x += e`.
    Tally(Name, Option<Expr>),
    /// `note "…"`.
    Note(Sentence),
    /// Line that could not be parsed: names that it may assign, and the lines below it.
    Unread(Vec<Expr>, Vec<Stmt>),
}

impl Do {
    /// Returns the expressions that the line itself reads, in order; those of a note are left out,
    /// because the state need not contain them.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Do::If(arms, _) => arms.iter().map(|(when, _)| when).collect(),
            Do::For(_, from, to, ..) => vec![from, to],
            Do::Pick(of, By::Key(_, key), _) => of.exprs().chain([key]).collect(),
            Do::Each(of, _) | Do::Pick(of, ..) => of.exprs().collect(),
            Do::Match(value, ..) | Do::Call(value) | Do::Give(value) => vec![value],
            // The target of `+=` is read first.
            Do::Set(_, 0, value) => value.exprs(),
            Do::Set(place, _, value) => [place].into_iter().chain(value.exprs()).collect(),
            Do::Tally(_, amount) => amount.iter().collect(),
            Do::Repeat(_) | Do::Choose(..) | Do::Stop | Do::End => Vec::new(),
            Do::Note(_) | Do::Unread(..) => Vec::new(),
        }
    }

    /// Returns whether the statement has no block.
    pub fn is_plain(&self) -> bool {
        use Do::{Call, End, Give, Note, Set, Stop, Tally};
        matches!(self, Set(..) | Call(_) | Stop | End | Give(_) | Tally(..) | Note(_))
    }

    /// Returns the blocks of the statement.
    pub fn blocks(&self) -> Vec<&[Stmt]> {
        match self {
            Do::If(arms, other) => {
                let arms = arms.iter().map(|(_, body)| body.as_slice());
                arms.chain([other.as_slice()]).collect()
            }
            Do::For(.., body)
            | Do::Each(.., body)
            | Do::Pick(.., body)
            | Do::Repeat(body)
            | Do::Unread(_, body) => vec![body],
            Do::Match(_, arms, other) => {
                let arms = arms.iter().map(|arm| arm.body.as_slice());
                arms.chain(other.as_deref()).collect()
            }
            Do::Choose(.., options) => options.iter().map(|(_, body)| body.as_slice()).collect(),
            _ => Vec::new(),
        }
    }
}

/// Order in which an item is picked.
#[derive(Clone, Debug)]
pub enum By {
    /// At random.
    Random,
    /// By the lowest key, or by the highest if true.
    Key(bool, Expr),
}

/// Arm of a match.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Words.
    pub words: Vec<Name>,
    /// Name of the number.
    pub number: Option<Name>,
    /// Lines.
    pub body: Vec<Stmt>,
}

/// Value of an assignment.
#[derive(Clone, Debug)]
pub enum Value {
    /// Expression.
    One(Expr),
    /// List.
    List(Vec<Expr>),
    /// `bag of e with a = e, keep b = e, …`, and the fields declared with `keep`.
    Bag(Expr, Vec<(Name, Expr)>, Vec<String>),
}

impl Value {
    /// Returns the expressions in it.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Value::One(value) => vec![value],
            Value::List(items) => items.iter().collect(),
            Value::Bag(of, with, _) => {
                [of].into_iter().chain(with.iter().map(|(_, value)| value)).collect()
            }
        }
    }
}
