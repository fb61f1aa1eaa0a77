//! Lines as they are written in other games and languages, each with the way to write it here.
//!
//! Only lines with a fault are examined. A line with a recognized habit has that one fault: its
//! caret is at the first wrong word, and its help uses the names and numbers of the line.

use super::token_cursor::{Token, TokenCursor};
use enfilade_model::error::FaultWithByteSpan;
use enfilade_model::form::Fault;

mod dice;
mod lines;
mod values;

/// A word of a line with its place.
#[derive(Clone, Copy, Debug)]
struct TokenWithSpan<'l> {
    word: Token<'l>,
    /// The word as it is written.
    text: &'l str,
    start: usize,
    end: usize,
}

impl<'l> TokenWithSpan<'l> {
    fn is_token(&self, text: &str) -> bool {
        self.text == text && !matches!(self.word, Token::Text(_) | Token::Open(_))
    }

    fn is_one_of(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.is_token(text))
    }

    fn name(&self) -> Option<&'l str> {
        match self.word {
            Token::Name(name) => Some(name),
            _ => None,
        }
    }

    fn number(&self) -> Option<i64> {
        match self.word {
            Token::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// Dice that are written together: how many, and their sides.
    fn as_joined_dice(&self) -> Option<(i64, &'l str)> {
        match self.word {
            Token::Dice(count, sides) => {
                Some((count.map_or(Some(1), |count| count.parse().ok())?, sides))
            }
            _ => None,
        }
    }

    /// Returns a name or a number, each of which is one value.
    fn name_or_number_text(&self) -> Option<&'l str> {
        matches!(self.word, Token::Name(_) | Token::Number(_)).then_some(self.text)
    }
}

/// Advice about a habit: its token, its problem if that is not the parser's, and the help.
#[derive(Debug)]
struct Advice {
    at: usize,
    problem: Option<String>,
    help: String,
}

impl Advice {
    fn help(at: usize, help: impl Into<String>) -> Option<Advice> {
        Some(Advice { at, problem: None, help: help.into() })
    }

    fn new(at: usize, problem: &str, help: impl Into<String>) -> Option<Advice> {
        Some(Advice { at, problem: Some(problem.to_owned()), help: help.into() })
    }
}

/// A line with something wrong in it.
struct FaultyLine<'l> {
    text: &'l str,
    tokens: Vec<TokenWithSpan<'l>>,
    /// The problem that the parser reported.
    problem: &'l str,
}

impl<'l> FaultyLine<'l> {
    fn new(text: &'l str, problem: &'l str) -> FaultyLine<'l> {
        let mut at = TokenCursor::from_text(text, 0);
        let mut tokens = Vec::new();
        loop {
            let (word, span) = at.next_token();
            // A remark ends the line.
            if word == Token::End || text[span.start..].starts_with("--") {
                return FaultyLine { text, tokens, problem };
            }
            let (start, end) = (span.start, span.end);
            tokens.push(TokenWithSpan { word, text: &text[start..end], start, end });
        }
    }

    /// The text from one token to the one before another.
    fn text_between_tokens(&self, from: usize, to: usize) -> &'l str {
        match (self.tokens.get(from), to.checked_sub(1).and_then(|to| self.tokens.get(to))) {
            (Some(first), Some(last)) if first.start < last.end => {
                &self.text[first.start..last.end]
            }
            _ => "",
        }
    }

    fn index_of_token(&self, text: &str) -> Option<usize> {
        self.tokens.iter().position(|token| token.is_token(text))
    }

    /// The bracket that closes the one at a place.
    fn find_matching_bracket(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        self.tokens.iter().enumerate().skip(open).find_map(|(at, token)| {
            depth += i32::from(token.is_token("(")) - i32::from(token.is_token(")"));
            (depth == 0).then_some(at)
        })
    }

    fn find_habit_advice(&self) -> Option<Advice> {
        let whole = lines::WHOLE_LINE_HABITS.iter().find_map(|habit| habit(self));
        whole.or_else(|| {
            let places = 0..self.tokens.len();
            let mut habits = dice::DICE_HABITS.iter().chain(values::VALUE_HABITS);
            habits.find_map(|habit| places.clone().find_map(|at| habit(self, at)))
        })
    }
}

/// Replaces the faults of each line with a known habit by one fault about that habit.
pub fn replace_faults_with_advice(text: &str, faults: &mut Vec<FaultWithByteSpan>) {
    let mut advised: Vec<usize> = Vec::new();
    let mut kept_faults = Vec::with_capacity(faults.len());
    for fault in faults.drain(..) {
        let Some((start, line)) = line_start_and_text_at(text, fault.span.start) else {
            kept_faults.push(fault);
            continue;
        };
        if advised.contains(&start) {
            continue;
        }
        match advise_on_line(start, line, &fault) {
            Some(found) => {
                advised.push(start);
                kept_faults.push(found);
            }
            None => kept_faults.push(fault),
        }
    }
    *faults = kept_faults;
}

/// The line with a byte of the text, and where it begins.
fn line_start_and_text_at(text: &str, at: usize) -> Option<(usize, &str)> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    Some((start, text[start..].lines().next()?))
}

fn advise_on_line(
    start: usize,
    line: &str,
    fault: &FaultWithByteSpan,
) -> Option<FaultWithByteSpan> {
    let line = FaultyLine::new(line, &fault.fault.problem);
    let Advice { at, problem, help } = line.find_habit_advice()?;
    let token = line.tokens.get(at)?;
    let problem = problem.unwrap_or_else(|| fault.fault.problem.clone());
    let fault = Fault::new("", problem).with_help(help);
    Some(FaultWithByteSpan { fault, span: start + token.start..start + token.end })
}
