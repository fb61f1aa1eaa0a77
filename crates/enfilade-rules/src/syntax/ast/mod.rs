//! A rulebook as it was written: what the parser hands on, every piece with its place in the file.
//!
//! Nothing is known here of kinds or of what a name means.

mod expr;
mod figure;
mod ident;

use crate::diagnostics::Span;
pub use expr::{Expr, Members, Op, Pool, Says};
pub use figure::Figure;
pub use ident::Name;

/// Texts and marks at the end of what a line declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// What a player calls it.
    pub label: String,
    /// The author's help.
    pub help: String,
    /// Where the printed rules say so.
    pub rule: String,
    /// `rare`.
    pub rare: bool,
    /// `assumed`.
    pub assumed: bool,
    /// `optional`.
    pub optional: bool,
    /// 1 for `harm`, −1 for `gain`.
    pub harm: i8,
    /// How bad that is, 1 to 100, and the word for it, where the author says so.
    pub degree: Option<Box<(i16, String)>>,
    /// What its number counts.
    pub unit: String,
    /// What no and yes are called.
    pub called: Option<Box<(String, String)>>,
    /// `headline`: the measure that is shown first.
    pub headline: bool,
    /// `finishing`: the measure of what puts a target out of action.
    pub finishing: bool,
    /// `adds`: it adds up over several turns.
    pub adds: bool,
}

impl Said {
    /// What is said at the most: the author's help, what a player calls it, or its name.
    pub fn about(&self, name: &str) -> String {
        if self.help.is_empty() { self.label_or(name) } else { self.help.clone() }
    }

    /// What a player calls it, or its name in words.
    pub fn label_or(&self, name: &str) -> String {
        if self.label.is_empty() { name.replace('_', " ") } else { self.label.clone() }
    }
}

/// What stands before the name in what is told of one that is not there.
pub const ABSENT: &str = "absent ";

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The game's name.
    pub game: String,
    /// The rulebook that it extends.
    pub extends: Option<Name>,
    /// `by`, `source`, `dice`, `direction`, `off table`, `date`, `absent NAME`, by their words.
    pub about: Vec<(Name, String)>,
    /// Sentences for `systems`: how the source is read, and what is left out.
    pub readings: Vec<(String, String)>,
    /// See above.
    pub left_out: Vec<String>,
    /// What it declares, in order.
    pub declared: Vec<Declared>,
    /// Words of the lines that could not be read: what they would declare may be among them.
    pub unread: Vec<String>,
    /// Whether what it extends could not be read, so that nothing is known of its names.
    pub lost: bool,
}

/// One declaration.
#[derive(Clone, Debug)]
pub struct Declared {
    /// What it is called; empty for checks, remarks and prices.
    pub name: Name,
    /// Whether it begins with `change`.
    pub change: bool,
    /// What it declares.
    pub what: What,
}

/// What can be declared.
#[derive(Clone, Debug)]
pub enum What {
    /// Names in order.
    Words(Vec<(Name, String)>),
    /// Fields that are used together.
    Record(Vec<Item>),
    /// One field, with the heading above it.
    Field(Field),
    /// Things with numbers.
    Data(Data),
    /// Cells that are looked up.
    Table(Table),
    /// Printed specials: pattern and name.
    Marks(Vec<(Name, Name)>),
    /// A piece of rule.
    Part(Part),
    /// What can be played.
    Action(Action),
    /// A contest, as lines of TOML.
    Example(Said, Vec<Name>),
    /// What prices need: which is which.
    Price(Vec<(Name, Name)>),
    /// A condition that a contest must hold.
    Check(Check),
}

/// A line in a record, or before the rule of an action.
#[derive(Clone, Debug)]
pub enum Item {
    /// A field.
    Field(Name, Field),
    /// A condition.
    Check(Check),
}

/// A text with values in it, each behind what stands before it.
pub type Sentence = Vec<(String, Option<Expr>)>;

/// `check expr "…"` or `remark [if expr] "…"`.
#[derive(Clone, Debug)]
pub struct Check {
    /// What must hold, or when the remark stands; `None`: always.
    pub when: Option<Expr>,
    /// `for x in xs`: for each of them.
    pub over: Option<(Name, Expr)>,
    /// What is said.
    pub text: Sentence,
    /// What to do about it.
    pub help: Sentence,
    /// Whether it is a remark only.
    pub remark: bool,
    /// Where it stands.
    pub span: Span,
}

/// A field of a contest.
#[derive(Clone, Debug)]
pub struct Field {
    /// What it may hold.
    pub kind: Kind,
    /// Its default.
    pub default: Option<Default>,
    /// What is said of it.
    pub said: Said,
    /// The heading it stands under.
    pub group: String,
}

/// A default: one expression, or a list.
#[derive(Clone, Debug)]
pub enum Default {
    /// One value.
    One(Expr),
    /// A list of them.
    List(Vec<Expr>, Span),
}

impl Default {
    /// Its values.
    pub fn exprs(&self) -> &[Expr] {
        match self {
            Default::One(value) => std::slice::from_ref(value),
            Default::List(values, _) => values,
        }
    }

    /// Where it stands.
    pub fn span(&self) -> &Span {
        match self {
            Default::One(value) => &value.span,
            Default::List(_, span) => span,
        }
    }
}

/// What a field may hold.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A whole number between two.
    Range(i64, i64, Span),
    /// `yes/no`.
    YesNo,
    /// One of some words or numbers.
    Choice(Vec<Choice>),
    /// `die`, with its fewest and most sides and the steps between.
    Die(Option<(i64, i64, i64)>),
    /// A row of a data block.
    OneOf(Name),
    /// A record.
    Record(Name),
    /// Several of a kind: how few, how many.
    Several(i64, i64, Box<Kind>, Span),
}

/// One of several words or numbers.
#[derive(Clone, Debug)]
pub enum Choice {
    /// A word.
    Word(Name),
    /// A number.
    Number(i64, Span),
}

/// Things with numbers.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// The file they are read from, in place of the rows.
    pub from: Option<Name>,
    /// Names of the columns after the first.
    pub heads: Vec<Name>,
    /// Rows: their names and cells.
    pub rows: Vec<Row>,
    /// Columns that hold marks: the column, and the marks.
    pub marks: Vec<(Name, Name)>,
}

/// One row of cells, with its name or key.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name or key.
    pub key: Name,
    /// Its cells.
    pub cells: Vec<Name>,
}

/// Cells that are looked up by one or two keys.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The file it is read from, in place of the rows.
    pub from: Option<Name>,
    /// Where the printed rules have it.
    pub rule: String,
    /// What its printed cells mean: pattern and word.
    pub legend: Vec<(Name, Name)>,
    /// Whether a line that says what a printed cell means could not be read.
    pub unexplained: bool,
    /// Whether keys must be printed ones.
    pub exact: bool,
    /// Keys of the columns; none where there is one.
    pub columns: Vec<Name>,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// A piece of rule with a name.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its parameters, and whether they change what they are given.
    pub params: Vec<(Name, bool)>,
    /// Where the printed rules have it.
    pub rule: String,
    /// Conditions of the contests that come by it.
    pub checks: Vec<Check>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// What it shows.
    pub shows: Vec<Report>,
}

/// What can be played.
#[derive(Clone, Debug)]
pub struct Action {
    /// What is said of it.
    pub said: Said,
    /// How results call it, where that is not its name.
    pub named: Option<String>,
    /// `question`, `direction`, `off table`, by their words.
    pub about: Vec<(Name, String)>,
    /// Its own fields and conditions.
    pub items: Vec<Item>,
    /// The rule.
    pub body: Vec<Stmt>,
    /// What it reports.
    pub shows: Vec<Report>,
}

impl Action {
    /// How contests and results call it; `name` is what the file calls it.
    pub fn called<'a>(&'a self, name: &'a Name) -> &'a str {
        self.named.as_deref().unwrap_or(&name.text)
    }
}

/// A line after the rule of an action or a part.
#[derive(Clone, Debug)]
pub enum Report {
    /// `show`: an outcome; `keep`: one that only measures see.
    Show {
        /// Its name.
        name: Name,
        /// Its value; that of the variable of its name where there is none.
        value: Option<Expr>,
        /// When it is there.
        when: Option<Expr>,
        /// What is said of it.
        said: Said,
        /// Whether it is kept for measures.
        keep: bool,
    },
    /// `measure`.
    Measure {
        /// Its name.
        name: Name,
        /// What is added up: one figure, or several.
        figures: Vec<Figure>,
        /// Condition of the trials that count, with its text.
        given: Option<(Expr, String)>,
        /// What is said of it.
        said: Said,
    },
    /// `carry`: what is left of a field.
    Carry {
        /// The field, or its path.
        place: Expr,
        /// What it is then.
        value: Expr,
        /// Whether so many of a list are left, the highest.
        highest: bool,
    },
    /// A part that reports.
    Call(Expr),
}

impl Report {
    /// What it shows or measures, and when.
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

/// A statement with its place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Its line.
    pub span: Span,
    /// What it does.
    pub what: Do,
}

impl Stmt {
    /// Whether it could not be read, or a line below it could not.
    pub fn is_unread(&self) -> bool {
        let mut below = self.what.blocks().into_iter().flatten();
        matches!(self.what, Do::Unread(..)) || below.any(Stmt::is_unread)
    }
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum Do {
    /// A condition with its block, and what else.
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    /// `for i in a..b`, or down.
    For(Name, Expr, Expr, bool, Vec<Stmt>),
    /// `each x in xs where c`.
    Each(Members, Vec<Stmt>),
    /// `pick x in xs where c by …`.
    Pick(Members, By, Vec<Stmt>),
    /// `repeat`.
    Repeat(Vec<Stmt>),
    /// `match x`: arms with their words and the name of the number; what else.
    Match(Expr, Vec<Arm>, Option<Vec<Stmt>>),
    /// `choose for highest x "label"`: the label, or an empty text, and options with their texts.
    Choose(bool, Name, String, Vec<(String, Vec<Stmt>)>),
    /// `x = e`, and `+=`, `-=` as 1 and −1.
    Set(Expr, i8, Value),
    /// A part for what it changes.
    Call(Expr),
    /// `stop`.
    Stop,
    /// `end`.
    End,
    /// `give e`.
    Give(Expr),
    /// `tally x += e`.
    Tally(Name, Option<Expr>),
    /// `note "…"`: its texts, each with what is said behind it.
    Note(Sentence),
    /// A line that could not be read: names that it may give values to, and the lines below it.
    Unread(Vec<Expr>, Vec<Stmt>),
}

impl Do {
    /// What its own line reads, in order; what is only told is not remembered for it.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Do::If(arms, _) => arms.iter().map(|(when, _)| when).collect(),
            Do::For(_, from, to, ..) => vec![from, to],
            Do::Pick(of, By::Key(_, key), _) => of.exprs().chain([key]).collect(),
            Do::Each(of, _) | Do::Pick(of, ..) => of.exprs().collect(),
            Do::Match(value, ..) | Do::Call(value) | Do::Give(value) => vec![value],
            // What is added to is read first.
            Do::Set(_, 0, value) => value.exprs(),
            Do::Set(place, _, value) => [place].into_iter().chain(value.exprs()).collect(),
            Do::Tally(_, amount) => amount.iter().collect(),
            Do::Repeat(_) | Do::Choose(..) | Do::Stop | Do::End => Vec::new(),
            Do::Note(_) | Do::Unread(..) => Vec::new(),
        }
    }

    /// Whether no lines can stand under it.
    pub fn is_plain(&self) -> bool {
        use Do::{Call, End, Give, Note, Set, Stop, Tally};
        matches!(self, Set(..) | Call(_) | Stop | End | Give(_) | Tally(..) | Note(_))
    }

    /// The lines that stand under it.
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

/// How one of a bag is picked.
#[derive(Clone, Debug)]
pub enum By {
    /// By lot.
    Random,
    /// By the lowest, or with `true` the highest.
    Key(bool, Expr),
}

/// One arm of a match.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Its words.
    pub words: Vec<Name>,
    /// What its number is called.
    pub number: Option<Name>,
    /// What it does.
    pub body: Vec<Stmt>,
}

/// What is given to a variable.
#[derive(Clone, Debug)]
pub enum Value {
    /// An expression.
    One(Expr),
    /// A list.
    List(Vec<Expr>),
    /// `bag of e with a = e, keep b = e, …`; and what of it is kept to itself.
    Bag(Expr, Vec<(Name, Expr)>, Vec<String>),
}

impl Value {
    /// What it is made of.
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
