//! Types of fields, and their defaults.

use super::ParseResult;
use super::grammar_views::Declarations;
use crate::syntax::ast::{AllowedWordOrNumber, DefaultExpr, Expr, ExprKind, Ident, TypeExpr};
use crate::syntax::token_cursor::{Token, TokenCursor};

/// Expected type, in messages.
const TYPE_EXPECTED_TEXT: &str = "a kind, such as `1..6` or `yes/no`";

impl<'t> Declarations<'_, '_> {
    pub(super) fn parse_default(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<DefaultExpr> {
        let start = at.next_token_offset();
        if !at.eat("[") {
            return Some(DefaultExpr::One(self.parse_expr_or_quoted_name(at)?));
        }
        let values = self.parse_comma_separated_until(at, "]", |reader, at| {
            reader.declarations().parse_expr_or_quoted_name(at)
        })?;
        Some(DefaultExpr::List(values, start..at.next_token_offset()))
    }

    /// Parses an expression, or a name with spaces in quotes.
    fn parse_expr_or_quoted_name(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        if !matches!(at.peek_token().0, Token::Text(_)) {
            return self.parse_expr(at);
        }
        let Ident { text, span } = self.parse_quoted_name(at)?;
        Some(Expr::new(span, ExprKind::Name(text)))
    }

    /// Parses a type, or a list of one: `1 to 6 of unit`.
    pub(super) fn parse_field_type(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<TypeExpr> {
        let start = at.next_token_offset();
        let mut ahead = at.clone();
        if let Token::Number(digits) = ahead.next_token().0 {
            let (low, span) =
                (self.parse_number_in_range(digits, at.peek_token().1)?, at.peek_token().1);
            let mut high = None;
            if ahead.eat("to") {
                let Token::Number(digits) = ahead.peek_token().0 else {
                    return self.report_unexpected(&ahead, "how many at most");
                };
                high = Some(self.parse_number_in_range(digits, ahead.next_token().1)?);
            }
            if ahead.eat("of") {
                *at = ahead;
                let of = Box::new(self.parse_simple_type(at)?);
                return Some(TypeExpr::List(low, high.unwrap_or(low), of, start..span.end));
            }
        }
        self.parse_simple_type(at)
    }

    fn parse_simple_type(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<TypeExpr> {
        let start = at.next_token_offset();
        if at.eat("die") {
            return self.parse_die_type(at);
        }
        let mut ahead = at.clone();
        if ahead.eat("yes") && ahead.eat("/") && ahead.eat("no") {
            *at = ahead;
            return Some(TypeExpr::YesNo);
        }
        if at.eat("one") {
            self.expect_token(at, "of")?;
            return Some(TypeExpr::DataRow(self.parse_name(at, "the data")?));
        }
        if at.is_next("of") {
            return self.report_unexpected(at, TYPE_EXPECTED_TEXT);
        }
        let first = self.parse_type_option(at)?;
        if let AllowedWordOrNumber::Number(low, _) = first
            && at.eat("..")
        {
            let AllowedWordOrNumber::Number(high, span) = self.parse_type_option(at)? else {
                return self.report_unexpected(at, "a number");
            };
            return Some(TypeExpr::Range(low, high, start..span.end));
        }
        let mut options = vec![first];
        while at.eat("or") {
            options.push(self.parse_type_option(at)?);
        }
        Some(match options.as_slice() {
            [AllowedWordOrNumber::Word(name)] => TypeExpr::Record(name.clone()),
            _ => TypeExpr::Choice(options),
        })
    }

    /// Parses `die`, `die d4..d12` and `die d4..d12 by 2`.
    fn parse_die_type(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<TypeExpr> {
        let Token::Dice(None, low) = at.peek_token().0 else {
            return Some(TypeExpr::Die(None));
        };
        let low = self.parse_number_in_range(low, at.next_token().1)?;
        self.expect_token(at, "..")?;
        let Token::Dice(None, high) = at.peek_token().0 else {
            return self.report_unexpected(at, "a die, such as `d12`");
        };
        let high = self.parse_number_in_range(high, at.next_token().1)?;
        let mut step = 1;
        if at.eat("by") {
            let Token::Number(digits) = at.peek_token().0 else {
                return self.report_unexpected(at, "a number");
            };
            step = self.parse_number_in_range(digits, at.next_token().1)?.max(1);
        }
        Some(TypeExpr::Die(Some((low, high, step))))
    }

    /// Parses a word, or a number with its sign.
    fn parse_type_option(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<AllowedWordOrNumber> {
        let start = at.next_token_offset();
        let minus = at.eat("-");
        match at.peek_token() {
            (Token::Number(digits), span) => {
                at.next_token();
                let number = self.parse_number_in_range(digits, span.clone())?;
                let number = if minus { -number } else { number };
                Some(AllowedWordOrNumber::Number(number, start..span.end))
            }
            _ => Some(AllowedWordOrNumber::Word(
                self.parse_name_or_quoted_keyword(at, TYPE_EXPECTED_TEXT)?,
            )),
        }
    }
}
