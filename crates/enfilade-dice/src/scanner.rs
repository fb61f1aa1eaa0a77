//! The text of an expression, read from left to right. Case and space do not matter.

use super::expression_tree::{ComparisonSign, ExprSpan};
use enfilade_model::error::LocatedFault;
use enfilade_model::form::Fault;
use enfilade_model::form::bounds::IntRange;

/// Comparison signs, the longer ones first.
const COMPARISONS: [(&str, ComparisonSign); 10] = [
    (">=", ComparisonSign::AtLeast),
    ("≥", ComparisonSign::AtLeast),
    ("<=", ComparisonSign::AtMost),
    ("≤", ComparisonSign::AtMost),
    ("!=", ComparisonSign::Unequal),
    ("≠", ComparisonSign::Unequal),
    ("==", ComparisonSign::Equal),
    (">", ComparisonSign::More),
    ("<", ComparisonSign::Less),
    ("=", ComparisonSign::Equal),
];

/// Digits with their place.
pub struct Digits {
    pub value: i64,
    pub span: ExprSpan,
}

/// Scanner of an expression.
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// Starts at the beginning of `text`.
    pub fn new(text: &'a str) -> Self {
        Scanner { text, at: 0 }
    }

    /// Returns the text still to be read, from the next character that is not space.
    pub fn rest(&self) -> &'a str {
        self.current_text().trim_start()
    }

    /// Returns the text at the current position, with leading space.
    pub fn current_text(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Returns the current position in bytes.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Returns the position of the next character that is not space.
    pub fn next_position(&self) -> usize {
        self.text.len() - self.rest().len()
    }

    /// Returns the text of a place.
    pub fn text_of_span(&self, span: &ExprSpan) -> &'a str {
        &self.text[span.clone()]
    }

    /// Skips `bytes` bytes from the next character that is not space.
    pub fn skip(&mut self, bytes: usize) {
        self.at = self.next_position() + bytes;
    }

    /// Consumes `sign` if it comes next.
    pub fn eat(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.skip(sign.len());
        }
        found
    }

    /// Consumes one of `signs` if it comes next.
    pub fn eat_any_of(&mut self, signs: &[&str]) -> bool {
        signs.iter().any(|sign| self.eat(sign))
    }

    /// Returns the letters that come next, in lower case.
    pub fn peek_letters(&self) -> String {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        rest[..length].to_ascii_lowercase()
    }

    /// Consumes the letters that come next if they are one of `words`.
    pub fn eat_word(&mut self, words: &[&str]) -> bool {
        let letters = self.peek_letters();
        let found = words.contains(&letters.as_str());
        if found {
            self.skip(letters.len());
        }
        found
    }

    /// Consumes two words in a row, or none.
    pub fn eat_two_words(&mut self, first: &str, second: &[&str]) -> bool {
        let before = self.at;
        let found = self.eat_word(&[first]) && self.eat_word(second);
        if !found {
            self.at = before;
        }
        found
    }

    /// Consumes a comparison sign, if one comes next.
    pub fn eat_comparison(&mut self) -> Option<ComparisonSign> {
        let mut signs = COMPARISONS.iter();
        signs.find(|(sign, _)| self.eat(sign)).map(|(_, comparison)| *comparison)
    }

    /// Consumes the digits that come next, if there are any.
    pub fn eat_digits(&mut self) -> Option<Digits> {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        if length == 0 {
            return None;
        }
        let span = self.next_position()..self.next_position() + length;
        self.at = span.end;
        // A number that does not fit is larger than every bound.
        let value = rest[..length].parse().unwrap_or(i64::MAX);
        Some(Digits { value, span })
    }

    /// Consumes a number within `bound`, which must come next.
    ///
    /// # Errors
    /// If no digit comes next, or the number is out of bounds.
    pub fn parse_number(&mut self, bound: &IntRange, expected: &str) -> Result<i64, LocatedFault> {
        let digits = self.eat_digits().ok_or_else(|| self.report_unexpected(expected))?;
        self.number_in_bounds(bound, &digits)
    }

    /// Returns the number that the digits mean, if it is within `bound`.
    ///
    /// # Errors
    /// If the number is out of bounds.
    pub fn number_in_bounds(&self, bound: &IntRange, digits: &Digits) -> Result<i64, LocatedFault> {
        let written = shorten(self.text_of_span(&digits.span));
        let checked = bound.check(digits.value);
        checked.map_err(|_| {
            let problem = format!("the {} must be {bound}, but it is {written}", bound.name);
            fault_at(digits.span.clone(), problem)
        })
    }

    /// Builds the fault that the next text is not `expected`.
    pub fn report_unexpected(&self, expected: &str) -> LocatedFault {
        let letters = self.peek_letters();
        let (found, length) = match self.rest().chars().next() {
            None => ("the end".to_owned(), 0),
            Some(_) if !letters.is_empty() => (format!("`{}`", shorten(&letters)), letters.len()),
            Some(c) => (format!("`{}`", c.escape_debug()), c.len_utf8()),
        };
        let problem = format!("expected {expected}, found {found}");
        fault_at(self.next_position()..self.next_position() + length, problem)
    }

    /// Consumes `sign`, which must come next.
    ///
    /// # Errors
    /// If another text comes next.
    pub fn expect(&mut self, sign: &str) -> Result<(), LocatedFault> {
        if self.eat(sign) { Ok(()) } else { Err(self.report_unexpected(&format!("`{sign}`"))) }
    }
}

/// Builds a fault at a place.
pub fn fault_at(span: ExprSpan, problem: impl Into<String>) -> LocatedFault {
    LocatedFault { fault: Fault::new("", problem), span }
}

/// Adds a remedy to a fault.
pub fn add_remedy(mut located: LocatedFault, help: impl Into<String>) -> LocatedFault {
    located.fault.help = Some(help.into());
    located
}

fn shorten(written: &str) -> String {
    if written.len() <= 20 {
        return written.to_owned();
    }
    let all = if written.starts_with(|c: char| c.is_ascii_digit()) { "digits" } else { "letters" };
    format!("{}… ({} {all})", &written[..12], written.len())
}
