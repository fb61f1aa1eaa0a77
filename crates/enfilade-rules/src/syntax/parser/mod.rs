//! Parser from lines to a tree: one function for each rule of the grammar.
//!
//! A faulty line is reported and skipped, so that one run reports all faults of a file.

mod annotation;
mod choose;
mod declaration;
mod expression;
mod field_type;
pub mod foreign_syntax;
mod grammar_views;
mod printed_blocks;
mod report;
mod statement;
mod symbol_dice;
#[cfg(test)]
mod tests;

use crate::diagnostics::{Faults, Span, identifier_like_words};
use crate::syntax::ast::{DeclarationKind, Ident, RulebookAst};
use crate::syntax::line_tree::{SourceLine, parse_lines_from};
use crate::syntax::token_cursor::{Token, TokenCursor};

/// Largest size of a file, in bytes.
pub const MAX_RULEBOOK_FILE_BYTES: u64 = 256 * 1024;
/// Largest number of characters in a name.
const MAX_NAME_CHARS: usize = 40;

/// Parses a rulebook to its tree, and notes faults.
pub fn parse_rulebook_file(text: &str, faults: &mut Faults) -> RulebookAst {
    parse_rulebook_from(text, 0, faults)
}

/// Parses a file whose first byte has the offset `start` among several files.
pub fn parse_rulebook_from(text: &str, start: usize, faults: &mut Faults) -> RulebookAst {
    let mut file = RulebookAst::default();
    if text.len() as u64 > MAX_RULEBOOK_FILE_BYTES {
        faults.add_fault_at_span(
            start..start,
            format!("a rulebook has at most {} KiB", MAX_RULEBOOK_FILE_BYTES / 1024),
            "",
        );
        file.base_missing = true;
        return file;
    }
    let lines = parse_lines_from(text, start, faults);
    let mut reader =
        RulebookFileParser { faults, depth: 0, group: String::new(), unread: Vec::new() };
    for line in &lines {
        reader.declarations().parse_top_level_line(line, &mut file);
    }
    file.unread = reader.unread;
    file
}

/// Parser of a file.
struct RulebookFileParser<'f> {
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
pub const DECLARATION_KEYWORDS: [&str; 25] = [
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
    "die",
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
pub const RESERVED_WORDS: [&str; 28] = [
    "and", "or", "not", "is", "in", "if", "else", "for", "each", "where", "pick", "by", "match",
    "choose", "option", "repeat", "stop", "end", "give", "note", "show", "measure", "tally", "yes",
    "no", "at", "bag", "count",
];

/// Result of parsing; `None` after a fault, which has been noted.
pub type ParseResult<T> = Option<T>;

impl<'t> RulebookFileParser<'_> {
    /// Suppresses faults about the words of a line that could not be parsed, because it may declare
    /// them.
    fn suppress_line_names(&mut self, line: &SourceLine<'t>) {
        self.unread.extend(identifier_like_words(line.text).map(str::to_owned));
    }

    /// Suppresses faults about the words of a line and of all lines below it.
    fn suppress_names_on_and_below(&mut self, line: &SourceLine<'t>) {
        self.suppress_line_names(line);
        line.inner.iter().for_each(|line| self.suppress_names_on_and_below(line));
    }

    /// Parses a name.
    fn parse_name(&mut self, at: &mut TokenCursor<'t>, wanted: &str) -> ParseResult<Ident> {
        let (word, span) = at.peek_token();
        let Token::Name(text) = word else {
            return match at.peek_die_as_name() {
                Some(die) => self.report_die_as_name(die, span),
                None => self.report_unexpected(at, wanted),
            };
        };
        if RESERVED_WORDS.contains(&text) {
            let problem = format!("`{text}` is a word of the language and cannot be a name");
            self.faults.add_fault_at_span(span, problem, "");
            return None;
        }
        if text.chars().count() > MAX_NAME_CHARS {
            self.faults.add_fault_at_span(
                span,
                format!("a name has at most {MAX_NAME_CHARS} characters"),
                "",
            );
            return None;
        }
        at.next_token();
        Some(Ident::new(text, span))
    }

    /// Reports a name such as `d1`, which is always a die.
    fn report_die_as_name<T>(&mut self, die: &str, span: Span) -> ParseResult<T> {
        let problem = format!("`{die}` is a die and cannot be a name");
        self.faults.add_fault_at_span(span, problem, format!("`{}_{}` can", &die[..1], &die[1..]));
        None
    }

    /// Parses a word of a list; a word of the language must be in quotes.
    fn parse_name_or_quoted_keyword(
        &mut self,
        at: &mut TokenCursor<'t>,
        wanted: &str,
    ) -> ParseResult<Ident> {
        match at.peek_token() {
            (Token::Text(text), span) if RESERVED_WORDS.contains(&text) => {
                at.next_token();
                Some(Ident::new(text, span))
            }
            _ => self.parse_name(at, wanted),
        }
    }

    /// Parses a quoted text.
    fn parse_quoted_text(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<String> {
        self.parse_quoted_name(at).map(|quoted| quoted.text)
    }

    fn parse_quoted_name(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Ident> {
        let (word, span) = at.peek_token();
        let Token::Text(text) = word else {
            return self.report_unexpected(at, "a text in quotes");
        };
        at.next_token();
        Some(Ident::new(text, span))
    }

    /// Consumes a required operator or word.
    fn expect_token(&mut self, at: &mut TokenCursor<'t>, wanted: &str) -> ParseResult<()> {
        if at.eat(wanted) {
            return Some(());
        }
        self.report_unexpected(at, &format!("`{wanted}`"))
    }

    /// Parses the operand of a word, if that word is next.
    fn parse_operand_if_word_next<T>(
        &mut self,
        at: &mut TokenCursor<'t>,
        word: &str,
        read: impl FnOnce(&mut Self, &mut TokenCursor<'t>) -> ParseResult<T>,
    ) -> ParseResult<Option<T>> {
        match at.eat(word) {
            true => read(self, at).map(Some),
            false => Some(None),
        }
    }

    /// Parses comma-separated items up to a closing bracket, which is consumed.
    fn parse_comma_separated_until<T>(
        &mut self,
        at: &mut TokenCursor<'t>,
        close: &str,
        mut one: impl FnMut(&mut Self, &mut TokenCursor<'t>) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        let mut all = Vec::new();
        while !at.is_next(close) {
            all.push(one(self, at)?);
            if !at.eat(",") {
                break;
            }
        }
        self.expect_token(at, close)?;
        Some(all)
    }

    /// Reports anything left on the line.
    fn expect_line_end(&mut self, at: &TokenCursor<'t>) -> ParseResult<()> {
        if at.is_at_end() {
            return Some(());
        }
        self.report_unexpected(at, "the end of the line")
    }

    /// Reports a block below the line.
    fn expect_no_block(&mut self, line: &SourceLine<'t>) {
        if let Some(inner) = line.inner.first() {
            let problem = "the line above this one cannot have a block";
            self.faults.add_fault_at_span(inner.span(), problem, "indent it like the line above");
        }
    }

    /// Reports a token in place of the expected one.
    fn report_unexpected<T>(&mut self, at: &TokenCursor<'t>, wanted: &str) -> ParseResult<T> {
        let (word, span) = at.peek_token();
        let found_text = match word {
            Token::End => "found the end of the line".to_owned(),
            Token::Open(_) => {
                self.faults.add_fault_at_span(
                    span,
                    "this text has no closing quote on its line",
                    "",
                );
                return None;
            }
            Token::Name(text) | Token::Number(text) | Token::Sign(text) => {
                format!("found `{text}`")
            }
            Token::Text(_) => "found a text".to_owned(),
            Token::Dice(..) => "found dice".to_owned(),
        };
        let help = foreign_syntax::hint_for_wrong_token(wanted, word);
        self.faults.add_fault_at_span(span, format!("expected {wanted}, {found_text}"), help);
        None
    }
}

/// Declaration of a line; `Some(None)` after a fault, `None` if the line is not a declaration.
type ParsedDeclaration = Option<Option<(Ident, DeclarationKind)>>;
