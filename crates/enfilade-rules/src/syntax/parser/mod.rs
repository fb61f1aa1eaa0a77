//! From lines to a tree: the grammar of rulebook files, one function a rule of it.
//!
//! A line that is wrong is noted and left; the next one is read. So all faults of a file are told.

mod annotation;
mod declaration;
mod expression;
mod field_type;
pub mod foreign_syntax;
mod report;
mod statement;
#[cfg(test)]
mod tests;
mod views;

use crate::diagnostics::{Faults, Span, words_in};
use crate::syntax::ast::{File, Name, What};
use crate::syntax::line_tree::{Line, lines_from};
use crate::syntax::token_cursor::{Cursor, Word};

/// Bytes of a file.
pub const BYTES: u64 = 256 * 1024;
/// Characters of a name.
const NAME: usize = 40;

/// The tree of a rulebook; what is wrong with the text is noted.
pub fn parse(text: &str, faults: &mut Faults) -> File {
    parse_from(text, 0, faults)
}

/// The same of a file that begins at `start` among several.
pub fn parse_from(text: &str, start: usize, faults: &mut Faults) -> File {
    let mut file = File::default();
    if text.len() as u64 > BYTES {
        faults.note(start..start, format!("a rulebook has at most {} KiB", BYTES / 1024), "");
        file.lost = true;
        return file;
    }
    let lines = lines_from(text, start, faults);
    let mut reader = Reader { faults, depth: 0, group: String::new(), unread: Vec::new() };
    for line in &lines {
        reader.declarations().declaration(line, &mut file);
    }
    file.unread = reader.unread;
    file
}

/// A reading in progress.
struct Reader<'f> {
    #[doc(hidden)]
    pub faults: &'f mut Faults,
    /// Brackets that are open.
    depth: usize,
    /// The heading above the field that is read.
    group: String,
    /// Words of lines that could not be read.
    unread: Vec<String>,
}

/// What a line at the edge may begin with.
pub const KEYS: [&str; 24] = [
    "game",
    "by",
    "source",
    "dice",
    "direction",
    "off",
    "date",
    "words",
    "record",
    "field",
    "group",
    "data",
    "table",
    "marks",
    "part",
    "action",
    "example",
    "price",
    "change",
    "check",
    "remark",
    "reading",
    "left",
    "absent",
];

/// Words of the language that cannot be names.
pub const RESERVED: [&str; 28] = [
    "and", "or", "not", "is", "in", "if", "else", "for", "each", "where", "pick", "by", "match",
    "choose", "option", "repeat", "stop", "end", "give", "note", "show", "measure", "tally", "yes",
    "no", "at", "bag", "count",
];

/// What an expression is read to; `None` after a fault, which is noted.
pub type Read<T> = Option<T>;

impl<'t> Reader<'_> {
    /// Keeps the words of a line that could not be read: what is missing may stand there.
    fn unread(&mut self, line: &Line<'t>) {
        self.unread.extend(words_in(line.text).map(str::to_owned));
    }

    /// The same of all lines below it too.
    fn unread_all(&mut self, line: &Line<'t>) {
        self.unread(line);
        line.inner.iter().for_each(|line| self.unread_all(line));
    }

    /// Passes a name.
    fn name(&mut self, at: &mut Cursor<'t>, wanted: &str) -> Read<Name> {
        let (word, span) = at.peek();
        let Word::Name(text) = word else {
            return match at.die_as_name() {
                Some(die) => self.no_name(die, span),
                None => self.astray(at, wanted),
            };
        };
        if RESERVED.contains(&text) {
            let problem = format!("`{text}` is a word of the language and cannot be a name");
            self.faults.note(span, problem, "");
            return None;
        }
        if text.chars().count() > NAME {
            self.faults.note(span, format!("a name has at most {NAME} characters"), "");
            return None;
        }
        at.take();
        Some(Name::new(text, span))
    }

    /// Notes a name such as `d1`, which is a die wherever it stands.
    fn no_name<T>(&mut self, die: &str, span: Span) -> Read<T> {
        let problem = format!("`{die}` is a die and cannot be a name");
        self.faults.note(span, problem, format!("`{}_{}` can", &die[..1], &die[1..]));
        None
    }

    /// Passes a word of a list: one that the language has stands in quotes.
    fn word(&mut self, at: &mut Cursor<'t>, wanted: &str) -> Read<Name> {
        match at.peek() {
            (Word::Text(text), span) if RESERVED.contains(&text) => {
                at.take();
                Some(Name::new(text, span))
            }
            _ => self.name(at, wanted),
        }
    }

    /// Passes a text.
    fn text(&mut self, at: &mut Cursor<'t>) -> Read<String> {
        self.quoted(at).map(|quoted| quoted.text)
    }

    fn quoted(&mut self, at: &mut Cursor<'t>) -> Read<Name> {
        let (word, span) = at.peek();
        let Word::Text(text) = word else {
            return self.astray(at, "a text in quotes");
        };
        at.take();
        Some(Name::new(text, span))
    }

    /// Passes a sign or a word that must stand here.
    fn expect(&mut self, at: &mut Cursor<'t>, wanted: &str) -> Read<()> {
        if at.eat(wanted) {
            return Some(());
        }
        self.astray(at, &format!("`{wanted}`"))
    }

    /// What stands behind a word, where that is here.
    fn after<T>(
        &mut self,
        at: &mut Cursor<'t>,
        word: &str,
        read: impl FnOnce(&mut Self, &mut Cursor<'t>) -> Read<T>,
    ) -> Read<Option<T>> {
        match at.eat(word) {
            true => read(self, at).map(Some),
            false => Some(None),
        }
    }

    /// What stands between commas, up to a bracket, which is passed.
    fn listed<T>(
        &mut self,
        at: &mut Cursor<'t>,
        close: &str,
        mut one: impl FnMut(&mut Self, &mut Cursor<'t>) -> Read<T>,
    ) -> Read<Vec<T>> {
        let mut all = Vec::new();
        while !at.is(close) {
            all.push(one(self, at)?);
            if !at.eat(",") {
                break;
            }
        }
        self.expect(at, close)?;
        Some(all)
    }

    /// Nothing more may stand on the line.
    fn ends(&mut self, at: &Cursor<'t>) -> Read<()> {
        if at.is_done() {
            return Some(());
        }
        self.astray(at, "the end of the line")
    }

    /// Nothing may stand below the line.
    fn nothing_inside(&mut self, line: &Line<'t>) {
        if let Some(inner) = line.inner.first() {
            let problem = "nothing can belong to the line above this one";
            self.faults.note(inner.span(), problem, "indent it like the line above");
        }
    }

    /// Notes that something else was expected here.
    fn astray<T>(&mut self, at: &Cursor<'t>, wanted: &str) -> Read<T> {
        let (word, span) = at.peek();
        let found = match word {
            Word::End => "the line ends".to_owned(),
            Word::Open(_) => {
                self.faults.note(span, "a text begins here and does not end on this line", "");
                return None;
            }
            Word::Name(text) | Word::Number(text) | Word::Sign(text) => format!("here is `{text}`"),
            Word::Text(_) => "here is a text".to_owned(),
            Word::Dice(..) => "here are dice".to_owned(),
        };
        let help = foreign_syntax::instead_of(wanted, word);
        self.faults.note(span, format!("{wanted} was expected, and {found}"), help);
        None
    }
}

/// What a line that declares something declares; `Some(None)` after a fault, `None` where it is no
/// declaration at all.
type Found = Option<Option<(Name, What)>>;
