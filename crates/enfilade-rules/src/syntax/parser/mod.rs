//! Parser from lines to a tree: one function for each rule of the grammar.
//!
//! A faulty line is reported and skipped, so that one run reports all faults of a file.

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

/// Largest size of a file, in bytes.
pub const BYTES: u64 = 256 * 1024;
/// Largest number of characters in a name.
const NAME: usize = 40;

/// Parses a rulebook to its tree, and notes faults.
pub fn parse(text: &str, faults: &mut Faults) -> File {
    parse_from(text, 0, faults)
}

/// Parses a file whose first byte has the offset `start` among several files.
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

/// Parser of a file.
struct Reader<'f> {
    #[doc(hidden)]
    pub faults: &'f mut Faults,
    /// Number of open brackets.
    depth: usize,
    /// Heading above the current field.
    group: String,
    /// Words of lines that could not be parsed.
    unread: Vec<String>,
}

/// Keywords of the outermost lines.
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

/// Result of parsing; `None` after a fault, which has been noted.
pub type Read<T> = Option<T>;

impl<'t> Reader<'_> {
    /// Suppresses faults about the words of a line that could not be parsed, because it may declare
    /// them.
    fn unread(&mut self, line: &Line<'t>) {
        self.unread.extend(words_in(line.text).map(str::to_owned));
    }

    /// Suppresses faults about the words of a line and of all lines below it.
    fn unread_all(&mut self, line: &Line<'t>) {
        self.unread(line);
        line.inner.iter().for_each(|line| self.unread_all(line));
    }

    /// Parses a name.
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

    /// Reports a name such as `d1`, which is always a die.
    fn no_name<T>(&mut self, die: &str, span: Span) -> Read<T> {
        let problem = format!("`{die}` is a die and cannot be a name");
        self.faults.note(span, problem, format!("`{}_{}` can", &die[..1], &die[1..]));
        None
    }

    /// Parses a word of a list; a word of the language must be in quotes.
    fn word(&mut self, at: &mut Cursor<'t>, wanted: &str) -> Read<Name> {
        match at.peek() {
            (Word::Text(text), span) if RESERVED.contains(&text) => {
                at.take();
                Some(Name::new(text, span))
            }
            _ => self.name(at, wanted),
        }
    }

    /// Parses a quoted text.
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

    /// Consumes a required operator or word.
    fn expect(&mut self, at: &mut Cursor<'t>, wanted: &str) -> Read<()> {
        if at.eat(wanted) {
            return Some(());
        }
        self.astray(at, &format!("`{wanted}`"))
    }

    /// Parses the operand of a word, if that word is next.
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

    /// Parses comma-separated items up to a closing bracket, which is consumed.
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

    /// Reports anything left on the line.
    fn ends(&mut self, at: &Cursor<'t>) -> Read<()> {
        if at.is_done() {
            return Some(());
        }
        self.astray(at, "the end of the line")
    }

    /// Reports a block below the line.
    fn nothing_inside(&mut self, line: &Line<'t>) {
        if let Some(inner) = line.inner.first() {
            let problem = "the line above this one cannot have a block";
            self.faults.note(inner.span(), problem, "indent it like the line above");
        }
    }

    /// Reports a token in place of the expected one.
    fn astray<T>(&mut self, at: &Cursor<'t>, wanted: &str) -> Read<T> {
        let (word, span) = at.peek();
        let found = match word {
            Word::End => "found the end of the line".to_owned(),
            Word::Open(_) => {
                self.faults.note(span, "this text has no closing quote on its line", "");
                return None;
            }
            Word::Name(text) | Word::Number(text) | Word::Sign(text) => format!("found `{text}`"),
            Word::Text(_) => "found a text".to_owned(),
            Word::Dice(..) => "found dice".to_owned(),
        };
        let help = foreign_syntax::instead_of(wanted, word);
        self.faults.note(span, format!("expected {wanted}, {found}"), help);
        None
    }
}

/// Declaration of a line; `Some(None)` after a fault, `None` if the line is not a declaration.
type Found = Option<Option<(Name, What)>>;
