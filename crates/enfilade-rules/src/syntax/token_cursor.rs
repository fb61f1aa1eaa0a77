//! Tokens of a line, in order.
//!
//! A line is split when its meaning is known: rows of tables and data are cells between spaces, all
//! other lines are tokens. Each character therefore has one meaning at its place, and nothing is
//! read twice.

use super::line_tree::Line;
use crate::diagnostics::Span;

/// Token of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word<'t> {
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
const PAIRS: [&str; 7] = ["==", "!=", "<=", ">=", "..", "+=", "-="];

/// Position in a line.
#[derive(Clone, Debug)]
pub struct Cursor<'t> {
    text: &'t str,
    start: usize,
    at: usize,
}

impl<'t> Cursor<'t> {
    /// Creates a cursor before the first token of a line.
    pub fn of(line: &Line<'t>) -> Cursor<'t> {
        Cursor::over(line.text, line.start)
    }

    /// Creates a cursor before the first token of a text that begins at this offset.
    pub fn over(text: &'t str, start: usize) -> Cursor<'t> {
        Cursor { text, start, at: 0 }
    }

    /// Creates a cursor within a quoted text of the same line.
    pub fn inside(&self, quoted: &Span) -> Cursor<'t> {
        let (from, to) = (quoted.start - self.start + 1, quoted.end - self.start - 1);
        Cursor::over(self.text.get(from..to).unwrap_or_default(), self.start + from)
    }

    /// Returns the text before the next `{`, and a cursor within the braces; `None` at the end.
    pub fn next_value(&mut self) -> Option<(&'t str, Cursor<'t>)> {
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
        Some((before, Cursor::over(&self.text[from..to], self.start + from)))
    }

    /// Returns the next token with its place.
    pub fn peek(&self) -> (Word<'t>, Span) {
        let (word, from, to) = self.scan();
        (word, self.start + from..self.start + to)
    }

    /// Consumes the next token and returns it with its place.
    pub fn take(&mut self) -> (Word<'t>, Span) {
        let (word, from, to) = self.scan();
        self.at = to;
        (word, self.start + from..self.start + to)
    }

    /// Consumes the name or operator `wanted` if it is next. Returns whether it was.
    pub fn eat(&mut self, wanted: &str) -> bool {
        let (word, _, to) = self.scan();
        let here = matches!(word, Word::Name(said) | Word::Sign(said) if said == wanted);
        if here {
            self.at = to;
        }
        here
    }

    /// Returns whether the name or operator `wanted` is next.
    pub fn is(&self, wanted: &str) -> bool {
        self.clone().eat(wanted)
    }

    /// Returns a single die such as `d1` that is written in place of a name.
    pub fn die_as_name(&self) -> Option<&'t str> {
        let (word, from, to) = self.scan();
        matches!(word, Word::Dice(None, _)).then(|| &self.text[from..to])
    }

    /// Returns whether the line ends here.
    pub fn is_done(&self) -> bool {
        self.peek().0 == Word::End
    }

    /// Returns whether the next token follows the last one without a space: `check(u)` is a call,
    /// and in `skill (4.2)` a rule reference follows a name.
    pub fn is_glued(&self) -> bool {
        self.text[self.at..].starts_with(|c: char| !c.is_whitespace())
    }

    /// The text from a byte of the file to the last word that was passed.
    pub fn text_from(&self, start: usize) -> &'t str {
        self.text.get(start.saturating_sub(self.start)..self.at).unwrap_or_default()
    }

    /// Returns the end of the last consumed token.
    pub fn passed(&self) -> usize {
        self.start + self.at
    }

    /// Returns the offset of the next token.
    pub fn place(&self) -> usize {
        self.peek().1.start
    }

    /// Consumes a rule reference in brackets at the end of a line: `(A7.3)`, `(4.2)`. It begins
    /// with digits, or with one capital and a digit; any other reference is in quotes: `("MELEE
    /// COMBAT")`.
    pub fn rule(&mut self) -> Option<&'t str> {
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
    pub fn cells(mut self) -> Vec<(&'t str, Span)> {
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
    fn scan(&self) -> (Word<'t>, usize, usize) {
        let rest = self.text[self.at..].trim_start();
        let from = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return (Word::End, from, from) };
        let (word, length) = match first {
            '"' => text(rest),
            '0'..='9' => number(rest),
            c if c.is_alphabetic() || c == '_' => name(rest),
            c => sign(rest, c),
        };
        (word, from, from + length)
    }
}

fn text(rest: &str) -> (Word<'_>, usize) {
    match rest[1..].split_once('"') {
        Some((text, _)) => (Word::Text(text), text.len() + 2),
        None => (Word::Open(&rest[1..]), rest.len()),
    }
}

/// Scans digits, or dice that begin with their number.
fn number(rest: &str) -> (Word<'_>, usize) {
    let digits = digits(rest);
    match sides(&rest[digits..]) {
        Some(sides) => (Word::Dice(Some(&rest[..digits]), sides), digits + 1 + sides.len()),
        None => (Word::Number(&rest[..digits]), digits),
    }
}

/// Scans a name, or dice without their number.
fn name(rest: &str) -> (Word<'_>, usize) {
    if let Some(sides) = sides(rest) {
        return (Word::Dice(None, sides), 1 + sides.len());
    }
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let length = rest.find(|c| !part(c)).unwrap_or(rest.len());
    (Word::Name(&rest[..length]), length)
}

/// Returns the rest after a `d` if it consists of digits.
fn sides(rest: &str) -> Option<&str> {
    let after = rest.strip_prefix('d')?;
    let length = digits(after);
    let more = after[length..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (length > 0 && !more).then(|| &after[..length])
}

fn digits(rest: &str) -> usize {
    rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
}

fn sign(rest: &str, first: char) -> (Word<'_>, usize) {
    let pair = PAIRS.iter().find(|pair| rest.starts_with(**pair));
    let length = pair.map_or(first.len_utf8(), |pair| pair.len());
    (Word::Sign(&rest[..length]), length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Word<'_>> {
        let line = Line { text, start: 0, inner: Vec::new() };
        let mut cursor = Cursor::of(&line);
        let mut words = Vec::new();
        while !cursor.is_done() {
            words.push(cursor.take().0);
        }
        words
    }

    #[test]
    fn dice_are_written_together() {
        use Word::{Dice, Name, Number, Sign};
        assert_eq!(
            words("2d6 d20 n d6"),
            [Dice(Some("2"), "6"), Dice(None, "20"), Name("n"), Dice(None, "6"),]
        );
        assert_eq!(words("d6x 12dice"), [Name("d6x"), Number("12"), Name("dice")]);
        assert_eq!(words("1..24"), [Number("1"), Sign(".."), Number("24")]);
    }

    #[test]
    fn rules_and_cells_are_read_as_they_stand() {
        let line = Line {
            text: "rank (A7.303, note) (\"MELEE (1)\") \"2 high\" -",
            start: 10,
            inner: Vec::new(),
        };
        let mut cursor = Cursor::of(&line);
        assert_eq!(cursor.take(), (Word::Name("rank"), 10..14));
        assert_eq!(cursor.rule(), Some("A7.303, note"));
        assert_eq!(cursor.rule(), Some("MELEE (1)"));
        assert_eq!(cursor.clone().rule(), None);
        let cells: Vec<_> = cursor.cells().into_iter().map(|(cell, _)| cell).collect();
        assert_eq!(cells, ["2 high", "-"]);
    }
}
