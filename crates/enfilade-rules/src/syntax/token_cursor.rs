//! Tokens of a line, in order.
//!
//! A line is split when its meaning is known: rows of tables and data are cells between spaces, all
//! other lines are tokens. Each character therefore has one meaning at its place, and nothing is
//! read twice.

use super::line_tree::SourceLine;
use crate::diagnostics::Span;

/// Token of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    /// Name, or word of the language.
    Name(&'t str),
    /// Digits.
    Number(&'t str),
    /// Dice written as one word: `2d6`, `d20`; their number, if written, and their sides.
    Dice(Option<&'t str>, &'t str),
    /// Quoted text.
    Text(&'t str),
    /// Operator or bracket: `==`, `..`, `(`.
    Sign(&'t str),
    /// Text without a closing quote.
    Open(&'t str),
    /// End of the line.
    End,
}

/// Operators of two characters, which take precedence over those of one.
const TWO_CHAR_OPERATORS: [&str; 7] = ["==", "!=", "<=", ">=", "..", "+=", "-="];

/// Position in a line.
#[derive(Clone, Debug)]
pub struct TokenCursor<'t> {
    text: &'t str,
    start: usize,
    at: usize,
}

impl<'t> TokenCursor<'t> {
    /// Creates a cursor before the first token of a line.
    pub fn from_line(line: &SourceLine<'t>) -> TokenCursor<'t> {
        TokenCursor::from_text(line.text, line.start)
    }

    /// Creates a cursor before the first token of a text that begins at this offset.
    pub fn from_text(text: &'t str, start: usize) -> TokenCursor<'t> {
        TokenCursor { text, start, at: 0 }
    }

    /// Creates a cursor within a quoted text of the same line.
    pub fn within_quotes(&self, quoted: &Span) -> TokenCursor<'t> {
        let (from, to) = (quoted.start - self.start + 1, quoted.end - self.start - 1);
        TokenCursor::from_text(self.text.get(from..to).unwrap_or_default(), self.start + from)
    }

    /// Returns the text before the next `{`, and a cursor within the braces; `None` at the end.
    pub fn next_text_and_template_value(&mut self) -> Option<(&'t str, TokenCursor<'t>)> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let (before, value) = match rest.split_once('{') {
            Some((before, after)) => {
                (before, after.split_once('}').map_or(after, |(value, _)| value))
            }
            None => (rest, ""),
        };
        let from = (self.at + before.len() + 1).min(self.text.len());
        let to = from + value.len();
        self.at = (to + 1).min(self.text.len());
        Some((before, TokenCursor::from_text(&self.text[from..to], self.start + from)))
    }

    /// Returns the next token with its place.
    pub fn peek_token(&self) -> (Token<'t>, Span) {
        let (word, from, to) = self.scan_token_without_advancing();
        (word, self.start + from..self.start + to)
    }

    /// Consumes the next token and returns it with its place.
    pub fn next_token(&mut self) -> (Token<'t>, Span) {
        let (word, from, to) = self.scan_token_without_advancing();
        self.at = to;
        (word, self.start + from..self.start + to)
    }

    /// Consumes the name or operator `token` if it is next. Returns whether it was.
    pub fn eat(&mut self, token: &str) -> bool {
        let (word, _, to) = self.scan_token_without_advancing();
        let here = matches!(word, Token::Name(said) | Token::Sign(said) if said == token);
        if here {
            self.at = to;
        }
        here
    }

    /// Returns whether the name or operator `token` is next.
    pub fn is_next(&self, token: &str) -> bool {
        self.clone().eat(token)
    }

    /// Returns a single die such as `d1` that is written in place of a name.
    pub fn peek_die_as_name(&self) -> Option<&'t str> {
        let (word, from, to) = self.scan_token_without_advancing();
        matches!(word, Token::Dice(None, _)).then(|| &self.text[from..to])
    }

    /// Returns whether the line ends here.
    pub fn is_at_end(&self) -> bool {
        self.peek_token().0 == Token::End
    }

    /// Returns whether the next token follows the last one without a space: `check(u)` is a call,
    /// and in `skill (4.2)` a rule reference follows a name.
    pub fn is_next_token_adjacent(&self) -> bool {
        self.text[self.at..].starts_with(|c: char| !c.is_whitespace())
    }

    /// The text from a byte of the file to the last word that was passed.
    pub fn text_since_offset(&self, start: usize) -> &'t str {
        self.text.get(start.saturating_sub(self.start)..self.at).unwrap_or_default()
    }

    /// Returns the end of the last consumed token.
    pub fn end_of_last_token(&self) -> usize {
        self.start + self.at
    }

    /// Returns the offset of the next token.
    pub fn next_token_offset(&self) -> usize {
        self.peek_token().1.start
    }

    /// Consumes a rule reference in brackets at the end of a line: `(A7.3)`, `(4.2)`. It begins
    /// with digits, or with one capital and a digit; any other reference is in quotes: `("MELEE
    /// COMBAT")`.
    pub fn eat_rule_reference(&mut self) -> Option<&'t str> {
        let rest = self.text[self.at..].trim_start();
        if let Some((rule, after)) = rest.strip_prefix("(\"").and_then(|r| r.split_once("\")")) {
            self.at = self.text.len() - after.len();
            return Some(rule);
        }
        let inner = rest.strip_prefix('(')?;
        let (rule, _) = inner.split_once(')')?;
        let mut chars = rule.chars();
        let first = chars.next()?;
        let begins = first.is_ascii_digit()
            || first.is_uppercase() && chars.next().is_some_and(|c| c.is_ascii_digit());
        if !begins {
            return None;
        }
        let from = self.text.len() - rest.len();
        self.at = from + rule.len() + 2;
        Some(rule)
    }

    /// Returns the cells of the rest of the line, separated by spaces; a cell with spaces is in
    /// quotes.
    pub fn split_rest_at_unquoted_spaces(mut self) -> Vec<(&'t str, Span)> {
        let mut cells = Vec::new();
        loop {
            let rest = self.text[self.at..].trim_start();
            if rest.is_empty() {
                return cells;
            }
            let from = self.text.len() - rest.len();
            let (cell, length) = match rest.strip_prefix('"').and_then(|r| r.split_once('"')) {
                Some((cell, _)) => (cell, cell.len() + 2),
                None => {
                    let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
                    (&rest[..length], length)
                }
            };
            cells.push((cell, self.start + from..self.start + from + length));
            self.at = from + length;
        }
    }

    /// Returns the next token with its ends in the line.
    fn scan_token_without_advancing(&self) -> (Token<'t>, usize, usize) {
        let rest = self.text[self.at..].trim_start();
        let from = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return (Token::End, from, from) };
        let (word, length) = match first {
            '"' => scan_quoted_text(rest),
            '0'..='9' => scan_number_or_dice(rest),
            c if c.is_alphabetic() || c == '_' => scan_name_or_dice(rest),
            c => scan_operator(rest, c),
        };
        (word, from, from + length)
    }
}

fn scan_quoted_text(rest: &str) -> (Token<'_>, usize) {
    match rest[1..].split_once('"') {
        Some((text, _)) => (Token::Text(text), text.len() + 2),
        None => (Token::Open(&rest[1..]), rest.len()),
    }
}

/// Scans digits, or dice that begin with their number.
fn scan_number_or_dice(rest: &str) -> (Token<'_>, usize) {
    let digits = leading_digit_count(rest);
    match split_die_sides(&rest[digits..]) {
        Some(sides) => (Token::Dice(Some(&rest[..digits]), sides), digits + 1 + sides.len()),
        None => (Token::Number(&rest[..digits]), digits),
    }
}

/// Scans a name, or dice without their number.
fn scan_name_or_dice(rest: &str) -> (Token<'_>, usize) {
    if let Some(sides) = split_die_sides(rest) {
        return (Token::Dice(None, sides), 1 + sides.len());
    }
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let length = rest.find(|c| !part(c)).unwrap_or(rest.len());
    (Token::Name(&rest[..length]), length)
}

/// Returns the rest after a `d` if it consists of digits.
fn split_die_sides(rest: &str) -> Option<&str> {
    let after = rest.strip_prefix('d')?;
    let length = leading_digit_count(after);
    let more = after[length..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (length > 0 && !more).then(|| &after[..length])
}

fn leading_digit_count(rest: &str) -> usize {
    rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
}

fn scan_operator(rest: &str, first: char) -> (Token<'_>, usize) {
    let pair = TWO_CHAR_OPERATORS.iter().find(|pair| rest.starts_with(**pair));
    let length = pair.map_or(first.len_utf8(), |pair| pair.len());
    (Token::Sign(&rest[..length]), length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Token<'_>> {
        let line = SourceLine { text, start: 0, inner: Vec::new() };
        let mut cursor = TokenCursor::from_line(&line);
        let mut words = Vec::new();
        while !cursor.is_at_end() {
            words.push(cursor.next_token().0);
        }
        words
    }

    #[test]
    fn dice_are_written_together() {
        use Token::{Dice, Name, Number, Sign};
        assert_eq!(
            words("2d6 d20 n d6"),
            [Dice(Some("2"), "6"), Dice(None, "20"), Name("n"), Dice(None, "6"),]
        );
        assert_eq!(words("d6x 12dice"), [Name("d6x"), Number("12"), Name("dice")]);
        assert_eq!(words("1..24"), [Number("1"), Sign(".."), Number("24")]);
    }

    #[test]
    fn rules_and_cells_are_read_as_they_stand() {
        let line = SourceLine {
            text: "rank (A7.303, note) (\"MELEE (1)\") \"2 high\" -",
            start: 10,
            inner: Vec::new(),
        };
        let mut cursor = TokenCursor::from_line(&line);
        assert_eq!(cursor.next_token(), (Token::Name("rank"), 10..14));
        assert_eq!(cursor.eat_rule_reference(), Some("A7.303, note"));
        assert_eq!(cursor.eat_rule_reference(), Some("MELEE (1)"));
        assert_eq!(cursor.clone().eat_rule_reference(), None);
        let cells: Vec<_> =
            cursor.split_rest_at_unquoted_spaces().into_iter().map(|(cell, _)| cell).collect();
        assert_eq!(cells, ["2 high", "-"]);
    }
}
