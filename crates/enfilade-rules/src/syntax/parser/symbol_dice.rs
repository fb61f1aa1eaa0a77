//! Dice with symbols: their faces, and throws of them.

use super::grammar_views::{Declarations, RuleLines};
use super::{ParseResult, RESERVED_WORDS};
use crate::syntax::ast::{DeclarationKind, DieFaces, Ident, ThrownDice};
use crate::syntax::line_tree::SourceLine;
use crate::syntax::token_cursor::{Token, TokenCursor};

/// Words that may follow a value, so that no die is called by them.
pub const WORDS_AFTER_VALUES: [&str; 8] =
    ["high", "low", "again", "reroll", "of", "shift", "as", "up"];

impl<'t> Declarations<'_, '_> {
    /// Parses `die red: hit 3, crit, hit+crit 2, blank 2`.
    pub(super) fn parse_die(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<(Ident, DeclarationKind)> {
        let name = self.parse_name(at, "the name of the die")?;
        if WORDS_AFTER_VALUES.contains(&name.text.as_str()) {
            let problem = format!("`{}` has a meaning behind numbers", name.text);
            self.faults.note(name.span.clone(), problem, "give the die another name");
        }
        self.expect(at, ":")?;
        if at.is_at_end() {
            let problem = "the faces of a die follow its name on the same line";
            let help = format!("`die {}: hit 2, miss 4`", name.text);
            self.faults.note(name.span.clone(), problem, help);
            self.suppress_names_below(line);
            return None;
        }
        let mut faces = Vec::new();
        loop {
            faces.push(self.parse_faces_of_die(at)?);
            if !at.eat(",") {
                break;
            }
        }
        self.expect_line_end(at)?;
        self.expect_no_block(line);
        Some((name, DeclarationKind::Die(faces)))
    }

    /// Parses `hit+crit 2`.
    fn parse_faces_of_die(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<DieFaces> {
        let mut symbols = vec![self.parse_name(at, "a symbol")?];
        while at.eat("+") {
            symbols.push(self.parse_name(at, "a symbol")?);
        }
        let (word, span) = at.peek();
        let count = match word {
            Token::Number(digits) => {
                at.bump();
                self.parse_number(digits, span)?
            }
            _ => 1,
        };
        Some(DieFaces { symbols, count })
    }
}

impl<'t> RuleLines<'_, '_> {
    /// Parses a throw of dice with symbols, `2 red + n blue`; `None` if something else is next.
    pub(super) fn parse_throw(
        &mut self,
        at: &mut TokenCursor<'t>,
    ) -> Option<ParseResult<Vec<ThrownDice>>> {
        begins_throw(at).then(|| self.parse_thrown_dice(at))
    }

    fn parse_thrown_dice(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Vec<ThrownDice>> {
        let mut thrown = Vec::new();
        loop {
            let count = match begins_count(at) {
                true => Some(self.parse_unit(at)?),
                false => None,
            };
            thrown.push(ThrownDice { count, die: self.parse_name(at, "a die")? });
            if !at.eat("+") {
                return Some(thrown);
            }
        }
    }
}

/// Returns whether a value and the name of a die are next, or the name of a die and such a pair.
fn begins_throw(at: &TokenCursor) -> bool {
    let mut ahead = at.clone();
    loop {
        let counted = begins_count(&ahead);
        if counted {
            skip_unit(&mut ahead);
        }
        if !is_die_name(&ahead) {
            return false;
        }
        ahead.bump();
        if counted && (ahead.is_at_end() || ahead.is("+")) {
            return true;
        }
        if !ahead.eat("+") {
            return false;
        }
    }
}

/// Returns whether a number, a name or brackets with a name behind them are next.
fn begins_count(at: &TokenCursor) -> bool {
    let mut ahead = at.clone();
    skip_unit(&mut ahead) && is_die_name(&ahead)
}

fn is_die_name(at: &TokenCursor) -> bool {
    let Token::Name(name) = at.peek().0 else { return false };
    // `2D6` and `3d6kh2` are dice with numbers in the words of others.
    let sides = name.strip_prefix(['d', 'D']);
    let is_numbered = sides.is_some_and(|sides| sides.starts_with(|c: char| c.is_ascii_digit()));
    !is_numbered && !RESERVED_WORDS.contains(&name) && !WORDS_AFTER_VALUES.contains(&name)
}

/// Passes a number, a name with its members, or brackets. Returns whether there were any.
fn skip_unit(at: &mut TokenCursor) -> bool {
    match at.peek().0 {
        Token::Number(_) => {
            at.bump();
            true
        }
        Token::Sign("(") => skip_brackets(at),
        Token::Name(name) if !RESERVED_WORDS.contains(&name) && name != "sorted" => {
            at.bump();
            while at.is_glued() && (at.is(".") || at.is("[") || at.is("(")) {
                match at.eat(".") {
                    true => drop(at.bump()),
                    false if skip_brackets(at) => {}
                    false => return false,
                }
            }
            true
        }
        _ => false,
    }
}

/// Passes brackets with all in them.
fn skip_brackets(at: &mut TokenCursor) -> bool {
    let mut depth = 0_usize;
    loop {
        match at.bump().0 {
            Token::Sign("(" | "[") => depth += 1,
            Token::Sign(")" | "]") if depth <= 1 => return true,
            Token::Sign(")" | "]") => depth -= 1,
            Token::End => return false,
            _ => {}
        }
    }
}
