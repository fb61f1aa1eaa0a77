//! The text of an expression, read from left to right. Case and space do not matter.

use super::expression_tree::{ComparisonSign, ExprSpan};
use enfilade_model::error::FaultWithByteSpan;
use enfilade_model::form::Fault;
use enfilade_model::form::bounds::IntRange;

/// Comparison signs, the longer ones first.
const COMPARISON_SIGNS: [(&str, ComparisonSign); 10] = [
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
pub struct DigitsWithSpan {
    pub value: i64,
    pub span: ExprSpan,
}

/// Scanner of an expression.
pub struct DiceTextScanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> DiceTextScanner<'a> {
    /// Starts at the beginning of `text`.
    pub fn new(text: &'a str) -> Self {
        DiceTextScanner { text, at: 0 }
    }

    /// Returns the text still to be read, from the next character that is not space.
    pub fn peek_text_after_spaces(&self) -> &'a str {
        self.remaining_text_with_spaces().trim_start()
    }

    /// Returns the text at the current position, with leading space.
    pub fn remaining_text_with_spaces(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Returns the current position in bytes.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Returns the position of the next character that is not space.
    pub fn next_position(&self) -> usize {
        self.text.len() - self.peek_text_after_spaces().len()
    }

    /// Returns the text of a place.
    pub fn text_of_span(&self, span: &ExprSpan) -> &'a str {
        &self.text[span.clone()]
    }

    /// Skips `bytes` bytes from the next character that is not space.
    pub fn skip_spaces_and_bytes(&mut self, bytes: usize) {
        self.at = self.next_position() + bytes;
    }

    /// Consumes `sign` if it comes next.
    pub fn eat_sign(&mut self, sign: &str) -> bool {
        let is_eaten = self.peek_text_after_spaces().starts_with(sign);
        if is_eaten {
            self.skip_spaces_and_bytes(sign.len());
        }
        is_eaten
    }

    /// Consumes one of `signs` if it comes next.
    pub fn try_eat_any_sign(&mut self, signs: &[&str]) -> bool {
        signs.iter().any(|sign| self.eat_sign(sign))
    }

    /// Returns the letters that come next, in lower case.
    pub fn peek_letters(&self) -> String {
        let rest = self.peek_text_after_spaces();
        let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        rest[..length].to_ascii_lowercase()
    }

    /// Consumes the letters that come next if they are one of `words`.
    pub fn eat_one_of_words(&mut self, words: &[&str]) -> bool {
        let letters = self.peek_letters();
        let is_word = words.contains(&letters.as_str());
        if is_word {
            self.skip_spaces_and_bytes(letters.len());
        }
        is_word
    }

    /// Consumes two words in a row, or none.
    pub fn eat_two_words(&mut self, first: &str, second: &[&str]) -> bool {
        let before = self.at;
        let are_both = self.eat_one_of_words(&[first]) && self.eat_one_of_words(second);
        if !are_both {
            self.at = before;
        }
        are_both
    }

    /// Consumes a comparison sign, if one comes next.
    pub fn eat_comparison(&mut self) -> Option<ComparisonSign> {
        let mut signs = COMPARISON_SIGNS.iter();
        signs.find(|(sign, _)| self.eat_sign(sign)).map(|(_, comparison)| *comparison)
    }

    /// Consumes the digits that come next, if there are any.
    pub fn eat_digits(&mut self) -> Option<DigitsWithSpan> {
        let rest = self.peek_text_after_spaces();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        if length == 0 {
            return None;
        }
        let span = self.next_position()..self.next_position() + length;
        self.at = span.end;
        // A number that does not fit is larger than every bound.
        let value = rest[..length].parse().unwrap_or(i64::MAX);
        Some(DigitsWithSpan { value, span })
    }

    /// Consumes a number within `bound`, which must come next.
    ///
    /// # Errors
    /// If no digit comes next, or the number is out of bounds.
    pub fn expect_number_in_range(
        &mut self,
        bound: &IntRange,
        expected: &str,
    ) -> Result<i64, FaultWithByteSpan> {
        let digits = self.eat_digits().ok_or_else(|| self.unexpected_text_fault(expected))?;
        self.number_in_bounds(bound, &digits)
    }

    /// Returns the number that the digits mean, if it is within `bound`.
    ///
    /// # Errors
    /// If the number is out of bounds.
    pub fn number_in_bounds(
        &self,
        bound: &IntRange,
        digits: &DigitsWithSpan,
    ) -> Result<i64, FaultWithByteSpan> {
        let written = shorten_for_message(self.text_of_span(&digits.span));
        let checked = bound.check_in_range(digits.value);
        checked.map_err(|_| {
            let problem = format!("the {} must be {bound}, but it is {written}", bound.name);
            fault_at(digits.span.clone(), problem)
        })
    }

    /// Builds the fault that the next text is not `expected`.
    pub fn unexpected_text_fault(&self, expected: &str) -> FaultWithByteSpan {
        let letters = self.peek_letters();
        let (shown_text, length) = match self.peek_text_after_spaces().chars().next() {
            None => ("the end".to_owned(), 0),
            Some(_) if !letters.is_empty() => {
                (format!("`{}`", shorten_for_message(&letters)), letters.len())
            }
            Some(c) => (format!("`{}`", c.escape_debug()), c.len_utf8()),
        };
        let problem = format!("expected {expected}, found {shown_text}");
        fault_at(self.next_position()..self.next_position() + length, problem)
    }

    /// Consumes `sign`, which must come next.
    ///
    /// # Errors
    /// If another text comes next.
    pub fn expect_sign(&mut self, sign: &str) -> Result<(), FaultWithByteSpan> {
        if self.eat_sign(sign) {
            Ok(())
        } else {
            Err(self.unexpected_text_fault(&format!("`{sign}`")))
        }
    }
}

/// Builds a fault at a place.
pub fn fault_at(span: ExprSpan, problem: impl Into<String>) -> FaultWithByteSpan {
    FaultWithByteSpan { fault: Fault::new("", problem), span }
}

/// Adds a remedy to a fault.
pub fn with_remedy(mut located: FaultWithByteSpan, help: impl Into<String>) -> FaultWithByteSpan {
    located.fault.help = Some(help.into());
    located
}

fn shorten_for_message(written: &str) -> String {
    if written.len() <= 20 {
        return written.to_owned();
    }
    let all = if written.starts_with(|c: char| c.is_ascii_digit()) { "digits" } else { "letters" };
    format!("{}… ({} {all})", &written[..12], written.len())
}
