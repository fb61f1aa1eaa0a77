//! A report of words and tables: built once, as blocks, and written in every text format.
//!
//! The content and its order are decided where the blocks are built; a writer only formats them. So
//! the terminal, Markdown and a page cannot drift apart, and a new format is a file beside these
//! and a line in [`WIDTHLESS_BLOCK_FORMATS`].

pub mod block_json;
pub mod csp;
pub mod dark_theme;
mod figure;
pub mod html;
pub mod markdown;
mod price_range_bars;
#[cfg(feature = "terminal")]
pub mod terminal;
#[cfg(feature = "terminal")]
mod terminal_bars;
mod text_table;

pub use figure::{PictureFileAndTitle, PictureWithContent};
pub use price_range_bars::{LogPriceAxis, PriceRangeChart, PriceRangeRow, PriceVerdictKind};
pub use text_table::{ReportTableCell, TextTable};

/// A part of a report.
#[derive(Clone, Debug, PartialEq)]
pub enum ReportBlock {
    /// The name of the whole.
    Title(String),
    /// Heading of a section.
    Heading(String),
    /// A paragraph.
    Sentence(StyledSentence),
    /// Points, a line each.
    List(Vec<StyledSentence>),
    /// A table, with a title for screen readers.
    Table(String, TextTable),
    /// A box that must not be overlooked: a heading and points.
    Boxed(String, Vec<StyledSentence>),
    /// A command line.
    Command(String),
    /// A picture, where there is room for one.
    Picture(PictureWithContent),
    /// Prices in their ranges.
    Ranges(PriceRangeChart),
    /// Tables of which one is chosen at a time by its name, in formats that can do so. They only
    /// repeat the content of another table.
    Choices(String, Vec<(String, TextTable)>),
}

impl ReportBlock {
    /// Returns a paragraph of plain words.
    pub fn new_paragraph(text: impl Into<String>) -> ReportBlock {
        ReportBlock::Sentence(StyledSentence::new_plain(text))
    }

    /// Returns a list of plain lines; `None` without lines.
    pub fn new_list_if_any<T: Into<String>>(
        lines: impl IntoIterator<Item = T>,
    ) -> Option<ReportBlock> {
        let lines: Vec<_> = lines.into_iter().map(StyledSentence::new_plain).collect();
        (!lines.is_empty()).then_some(ReportBlock::List(lines))
    }
}

/// The style of a part of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextEmphasis {
    /// Plain.
    Plain,
    /// Emphasized.
    Strong,
}

/// Words in styled parts, joined by spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StyledSentence(pub Vec<(TextEmphasis, String)>);

impl StyledSentence {
    /// Returns plain words.
    pub fn new_plain(text: impl Into<String>) -> StyledSentence {
        StyledSentence(vec![(TextEmphasis::Plain, text.into())])
    }

    /// Returns emphasized words.
    pub fn new_strong(text: impl Into<String>) -> StyledSentence {
        StyledSentence(vec![(TextEmphasis::Strong, text.into())])
    }

    /// Appends another sentence.
    pub fn followed_by(mut self, other: StyledSentence) -> StyledSentence {
        self.0.extend(other.0);
        self
    }

    /// Returns a label and its text: `**Question.** How often does a squad break?`.
    pub fn with_label(what: impl Into<String>, text: impl Into<String>) -> StyledSentence {
        StyledSentence::new_strong(what).followed_by(StyledSentence::new_plain(text))
    }

    /// Formats each part with `part` and joins them by spaces.
    fn render_parts_with(&self, part: impl Fn(TextEmphasis, &str) -> String) -> String {
        let parts = self.0.iter().filter(|(_, text)| !text.is_empty());
        parts.map(|(voice, text)| part(*voice, text)).collect::<Vec<_>>().join(" ")
    }
}

impl PriceRangeChart {
    /// Returns the reasons, a line for each row that has one.
    pub fn list_range_reasons(&self) -> Vec<StyledSentence> {
        let rows = self.rows.iter().filter(|row| !row.why.is_empty());
        rows.map(|row| StyledSentence::with_label(format!("{}:", row.name), row.why.join(" ")))
            .collect()
    }
}

/// A text format of a whole report.
#[derive(Debug)]
pub struct WholeReportTextFormat {
    /// Its name.
    pub name: &'static str,
    /// A description for help.
    pub about: &'static str,
    /// The endings of its files, the usual one first.
    pub endings: &'static [&'static str],
    /// Writes blocks.
    pub write: fn(&[ReportBlock]) -> String,
}

impl PartialEq for WholeReportTextFormat {
    fn eq(&self, other: &WholeReportTextFormat) -> bool {
        self.name == other.name
    }
}

/// Every format but the terminal, which has a width and may have bold letters.
pub const WIDTHLESS_BLOCK_FORMATS: &[WholeReportTextFormat] = &[
    WholeReportTextFormat {
        name: "markdown",
        about: "Sentences and tables in Markdown",
        endings: &["md", "markdown"],
        write: markdown::markdown_text,
    },
    WholeReportTextFormat {
        name: "html",
        about: "A web page that loads nothing",
        endings: &["html", "htm"],
        write: html::render_blocks_as_page,
    },
];

/// The text format of a report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReportStyle {
    /// For a terminal.
    #[cfg(feature = "terminal")]
    Terminal(terminal::TerminalCapabilities),
    /// In one of [`WIDTHLESS_BLOCK_FORMATS`].
    Page(&'static WholeReportTextFormat),
}

impl ReportStyle {
    /// Renders the blocks in this style.
    pub fn render_blocks(self, blocks: &[ReportBlock]) -> String {
        match self {
            #[cfg(feature = "terminal")]
            ReportStyle::Terminal(screen) => terminal::text_for_terminal(blocks, screen),
            ReportStyle::Page(writer) => (writer.write)(blocks),
        }
    }

    /// Whether the output is for a screen, where it should be short.
    pub fn is_on_screen(self) -> bool {
        !matches!(self, ReportStyle::Page(_))
    }
}
