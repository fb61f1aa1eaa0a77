//! Dice with symbols: their faces, and throws of them.

use super::grammar_views::{Declarations, RuleLines};
use super::{ParseResult, RESERVED_WORDS};
use crate::syntax::ast::{DeclarationKind, EqualSymbolFaces, Ident, SymbolDiceToThrow};
use crate::syntax::line_tree::SourceLine;
use crate::syntax::token_cursor::{Token, TokenCursor};

/// Words that may follow a value, so that no die is called by them.
pub const WORDS_FOLLOWING_VALUES: [&str; 8] =
    ["high", "low", "again", "reroll", "of", "shift", "as", "up"];

impl<'t> Declarations<'_, '_> {
    /// Parses `die red: hit 3, crit, hit+crit 2, blank 2`.
    pub(super) fn parse_symbol_die(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<(Ident, DeclarationKind)> {
        let name = self.parse_name(at, "the name of the die")?;
        if WORDS_FOLLOWING_VALUES.contains(&name.text.as_str()) {
            let problem = format!("`{}` has a meaning behind numbers", name.text);
            self.faults.add_fault_at_span(name.span.clone(), problem, "give the die another name");
        }
        self.expect_token(at, ":")?;
        if at.is_at_end() {
            let problem = "the faces of a die follow its name on the same line";
            let help = format!("`die {}: hit 2, miss 4`", name.text);
            self.faults.add_fault_at_span(name.span.clone(), problem, help);
            self.suppress_names_on_and_below(line);
            return None;
        }
        let mut faces = vec![self.parse_repeated_symbol_face(at)?];
        while at.eat(",") {
            faces.push(self.parse_repeated_symbol_face(at)?);
        }
        self.expect_line_end(at)?;
        self.expect_no_block(line);
        Some((name, DeclarationKind::Die(faces)))
    }

    /// Parses `hit+crit 2`.
    fn parse_repeated_symbol_face(
        &mut self,
        at: &mut TokenCursor<'t>,
    ) -> ParseResult<EqualSymbolFaces> {
        let mut symbols = vec![self.parse_name(at, "a symbol")?];
        while at.eat("+") {
            symbols.push(self.parse_name(at, "a symbol")?);
        }
        let (word, span) = at.peek_token();
        let count = match word {
            Token::Number(digits) => {
                at.next_token();
                self.parse_number_in_range(digits, span)?
            }
            _ => 1,
        };
        Some(EqualSymbolFaces { symbols, count })
    }
}

impl<'t> RuleLines<'_, '_> {
    /// Parses a throw of dice with symbols, `2 red + n blue`; `None` if something else is next.
    pub(super) fn parse_thrown_dice_if_next(
        &mut self,
        at: &mut TokenCursor<'t>,
    ) -> Option<ParseResult<Vec<SymbolDiceToThrow>>> {
        is_throw_next(at).then(|| self.parse_thrown_dice(at))
    }

    fn parse_thrown_dice(
        &mut self,
        at: &mut TokenCursor<'t>,
    ) -> ParseResult<Vec<SymbolDiceToThrow>> {
        let mut dice = Vec::new();
        loop {
            let count = match is_die_count_next(at) {
                true => Some(self.parse_single_value(at)?),
                false => None,
            };
            dice.push(SymbolDiceToThrow { count, die: self.parse_name(at, "a die")? });
            if !at.eat("+") {
                return Some(dice);
            }
        }
    }
}

/// Returns whether a value and the name of a die are next, or the name of a die and such a pair.
fn is_throw_next(at: &TokenCursor) -> bool {
    let mut ahead = at.clone();
    loop {
        let counted = is_die_count_next(&ahead);
        if counted {
            try_skip_value(&mut ahead);
        }
        if !can_be_symbol_die_name(&ahead) {
            return false;
        }
        ahead.next_token();
        if counted && (ahead.is_at_end() || ahead.is_next("+")) {
            return true;
        }
        if !ahead.eat("+") {
            return false;
        }
    }
}

/// Returns whether a number, a name or brackets with a name behind them are next.
fn is_die_count_next(at: &TokenCursor) -> bool {
    let mut ahead = at.clone();
    try_skip_value(&mut ahead) && can_be_symbol_die_name(&ahead)
}

fn can_be_symbol_die_name(at: &TokenCursor) -> bool {
    let Token::Name(name) = at.peek_token().0 else { return false };
    // `2D6` and `3d6kh2` are dice with numbers in the words of others.
    let sides = name.strip_prefix(['d', 'D']);
    let is_numbered = sides.is_some_and(|sides| sides.starts_with(|c: char| c.is_ascii_digit()));
    !is_numbered && !RESERVED_WORDS.contains(&name) && !WORDS_FOLLOWING_VALUES.contains(&name)
}

/// Passes a number, a name with its members, or brackets. Returns whether there were any.
fn try_skip_value(at: &mut TokenCursor) -> bool {
    match at.peek_token().0 {
        Token::Number(_) => {
            at.next_token();
            true
        }
        Token::Sign("(") => try_skip_brackets(at),
        Token::Name(name) if !RESERVED_WORDS.contains(&name) && name != "sorted" => {
            at.next_token();
            while at.is_next_token_adjacent()
                && (at.is_next(".") || at.is_next("[") || at.is_next("("))
            {
                match at.eat(".") {
                    true => drop(at.next_token()),
                    false if try_skip_brackets(at) => {}
                    false => return false,
                }
            }
            true
        }
        _ => false,
    }
}

/// Passes brackets with all in them.
fn try_skip_brackets(at: &mut TokenCursor) -> bool {
    let mut depth = 0_usize;
    loop {
        match at.next_token().0 {
            Token::Sign("(" | "[") => depth += 1,
            Token::Sign(")" | "]") if depth <= 1 => return true,
            Token::Sign(")" | "]") => depth -= 1,
            Token::End => return false,
            _ => {}
        }
    }
}
