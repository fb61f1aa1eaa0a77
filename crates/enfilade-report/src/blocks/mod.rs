//! A report of words and tables: made once, as blocks, and written in every format of text.
//!
//! What is said, and in which order, is decided where the blocks are made; a writer only sets them. So the
//! terminal, Markdown and a page cannot drift apart, and a new format is a file beside these and a
//! line in [`WRITERS`].

pub mod csp;
pub mod dark_theme;
mod figure;
pub mod html;
pub mod json;
pub mod markdown;
mod ranges;
#[cfg(feature = "terminal")]
pub mod terminal;
#[cfg(feature = "terminal")]
mod terminal_bars;
mod text_table;

pub use figure::{Figure, Picture};
pub use ranges::{Axis, RangeRow, Ranges, Tone};
pub use text_table::{Entry, TextTable};

/// A part of a report.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// The name of the whole.
    Title(String),
    /// Begins a section.
    Heading(String),
    /// A paragraph.
    Sentence(Sentence),
    /// Points, a line each.
    List(Vec<Sentence>),
    /// A table, with a name for those who cannot see where it stands.
    Table(String, TextTable),
    /// What nobody may overlook: a heading and points.
    Boxed(String, Vec<Sentence>),
    /// A command line.
    Command(String),
    /// A picture, where there is room for one.
    Picture(Figure),
    /// Prices in their ranges.
    Ranges(Ranges),
    /// Tables of which one is chosen at a time, by what they are called, where that can be done. They repeat
    /// what a table has said.
    Choices(String, Vec<(String, TextTable)>),
}

impl Block {
    /// A paragraph of plain words.
    pub fn said(text: impl Into<String>) -> Block {
        Block::Sentence(Sentence::plain(text))
    }

    /// A list of plain lines; no block where there are none.
    pub fn listed<T: Into<String>>(lines: impl IntoIterator<Item = T>) -> Option<Block> {
        let lines: Vec<_> = lines.into_iter().map(Sentence::plain).collect();
        (!lines.is_empty()).then_some(Block::List(lines))
    }
}

/// How a part of a sentence is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    /// As it is.
    Plain,
    /// So that the eye finds it.
    Strong,
}

/// Words, in parts with a space between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence(pub Vec<(Voice, String)>);

impl Sentence {
    /// Plain words.
    pub fn plain(text: impl Into<String>) -> Sentence {
        Sentence(vec![(Voice::Plain, text.into())])
    }

    /// Words that the eye finds.
    pub fn strong(text: impl Into<String>) -> Sentence {
        Sentence(vec![(Voice::Strong, text.into())])
    }

    /// Both, one behind the other.
    pub fn then(mut self, other: Sentence) -> Sentence {
        self.0.extend(other.0);
        self
    }

    /// What is told, and what is told of it: `**Question.** How often does a squad break?`.
    pub fn of(what: impl Into<String>, told: impl Into<String>) -> Sentence {
        Sentence::strong(what).then(Sentence::plain(told))
    }

    /// Its parts, each said by `part`, with a space between them.
    fn joined(&self, part: impl Fn(Voice, &str) -> String) -> String {
        let parts = self.0.iter().filter(|(_, text)| !text.is_empty());
        parts.map(|(voice, text)| part(*voice, text)).collect::<Vec<_>>().join(" ")
    }
}

impl Ranges {
    /// The reasons, a line for each row that has one.
    pub fn reasons(&self) -> Vec<Sentence> {
        let told = self.rows.iter().filter(|row| !row.why.is_empty());
        told.map(|row| Sentence::of(format!("{}:", row.name), row.why.join(" "))).collect()
    }
}

/// A format that a whole report can be written in.
#[derive(Debug)]
pub struct Writer {
    /// What it is called.
    pub name: &'static str,
    /// What it is, for help.
    pub about: &'static str,
    /// How the names of its files end, the usual one first.
    pub endings: &'static [&'static str],
    /// Writes blocks.
    pub write: fn(&[Block]) -> String,
}

impl PartialEq for Writer {
    fn eq(&self, other: &Writer) -> bool {
        self.name == other.name
    }
}

/// Every format but the terminal, which has a width and may have bold letters.
pub const WRITERS: &[Writer] = &[
    Writer {
        name: "markdown",
        about: "Sentences and tables in Markdown",
        endings: &["md", "markdown"],
        write: markdown::write,
    },
    Writer {
        name: "html",
        about: "A web page that loads nothing",
        endings: &["html", "htm"],
        write: html::write,
    },
];

/// How a report is written as text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Style {
    /// For a terminal.
    #[cfg(feature = "terminal")]
    Terminal(terminal::Screen),
    /// In one of [`WRITERS`].
    Page(&'static Writer),
}

impl Style {
    /// The blocks in this style.
    pub fn write(self, blocks: &[Block]) -> String {
        match self {
            #[cfg(feature = "terminal")]
            Style::Terminal(screen) => terminal::write(blocks, screen),
            Style::Page(writer) => (writer.write)(blocks),
        }
    }

    /// Whether it is looked at on a screen, where little is more.
    pub fn on_a_screen(self) -> bool {
        !matches!(self, Style::Page(_))
    }
}
