//! The words of a line, one after another.
//!
//! A line is read when its meaning is known: rows of tables and data are cells between blanks, all
//! else is words. So one character means one thing at one place, and nothing is read twice.

use super::line_tree::Line;
use crate::diagnostics::Span;

/// One word of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word<'t> {
    /// A name, or a word of the language.
    Name(&'t str),
    /// Digits.
    Number(&'t str),
    /// Dice written together: `2d6`, `d20`; how many where that is said, and their sides.
    Dice(Option<&'t str>, &'t str),
    /// A text between quotes.
    Text(&'t str),
    /// A sign: `==`, `..`, `(`.
    Sign(&'t str),
    /// A text that does not end.
    Open(&'t str),
    /// The end of the line.
    End,
}

/// Signs of two characters, which come before those of one.
const PAIRS: [&str; 7] = ["==", "!=", "<=", ">=", "..", "+=", "-="];

/// A place in a line.
#[derive(Clone, Debug)]
pub struct Cursor<'t> {
    text: &'t str,
    start: usize,
    at: usize,
}

impl<'t> Cursor<'t> {
    /// Before the first word of a line.
    pub fn of(line: &Line<'t>) -> Cursor<'t> {
        Cursor::over(line.text, line.start)
    }

    /// Before the first word of a text that begins at that byte.
    pub fn over(text: &'t str, start: usize) -> Cursor<'t> {
        Cursor { text, start, at: 0 }
    }

    /// Within a text between quotes that stands there on the same line.
    pub fn inside(&self, quoted: &Span) -> Cursor<'t> {
        let (from, to) = (quoted.start - self.start + 1, quoted.end - self.start - 1);
        Cursor::over(self.text.get(from..to).unwrap_or_default(), self.start + from)
    }

    /// What stands before the next `{` of a text, and what within it; nothing at its end.
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

    /// The word here, and where it stands.
    pub fn peek(&self) -> (Word<'t>, Span) {
        let (word, from, to) = self.scan();
        (word, self.start + from..self.start + to)
    }

    /// The word here, which is passed.
    pub fn take(&mut self) -> (Word<'t>, Span) {
        let (word, from, to) = self.scan();
        self.at = to;
        (word, self.start + from..self.start + to)
    }

    /// Passes the name or sign `wanted`, if it is here.
    pub fn eat(&mut self, wanted: &str) -> bool {
        let (word, _, to) = self.scan();
        let here = matches!(word, Word::Name(said) | Word::Sign(said) if said == wanted);
        if here {
            self.at = to;
        }
        here
    }

    /// Whether the name or sign `wanted` is here.
    pub fn is(&self, wanted: &str) -> bool {
        self.clone().eat(wanted)
    }

    /// A die without how many that is written here, where a name was expected: `d1`.
    pub fn die_as_name(&self) -> Option<&'t str> {
        let (word, from, to) = self.scan();
        matches!(word, Word::Dice(None, _)).then(|| &self.text[from..to])
    }

    /// Whether nothing follows.
    pub fn is_done(&self) -> bool {
        self.peek().0 == Word::End
    }

    /// Whether the word here follows the last one without a blank: `check(u)` is a call, and in
    /// `skill (4.2)` a rule follows a name.
    pub fn is_glued(&self) -> bool {
        self.text[self.at..].starts_with(|c: char| !c.is_whitespace())
    }

    /// The text from a byte of the file to the last word that was passed.
    pub fn text_from(&self, start: usize) -> &'t str {
        self.text.get(start.saturating_sub(self.start)..self.at).unwrap_or_default()
    }

    /// Where the last word that was passed ends.
    pub fn passed(&self) -> usize {
        self.start + self.at
    }

    /// Where the next word begins.
    pub fn place(&self) -> usize {
        self.peek().1.start
    }

    /// A rule in brackets at the end of what a line says: `(A7.3)`, `(4.2)`. It begins with digits,
    /// or with one capital and a digit; any other stands in quotes: `("MELEE COMBAT")`.
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

    /// The cells of the rest of the line: what stands between blanks; a cell with blanks stands in
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

    /// The word here with its ends in the line.
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

/// Digits, or dice that begin with how many.
fn number(rest: &str) -> (Word<'_>, usize) {
    let digits = digits(rest);
    match sides(&rest[digits..]) {
        Some(sides) => (Word::Dice(Some(&rest[..digits]), sides), digits + 1 + sides.len()),
        None => (Word::Number(&rest[..digits]), digits),
    }
}

/// A name, or dice without how many.
fn name(rest: &str) -> (Word<'_>, usize) {
    if let Some(sides) = sides(rest) {
        return (Word::Dice(None, sides), 1 + sides.len());
    }
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let length = rest.find(|c| !part(c)).unwrap_or(rest.len());
    (Word::Name(&rest[..length]), length)
}

/// What follows a `d` when it is nothing but digits.
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
