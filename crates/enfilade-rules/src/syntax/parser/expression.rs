//! Expressions, by recursive descent: one function for each rule of the grammar.

use super::foreign_syntax::hint_for_swapped_comparison;
use super::{ParseResult, RESERVED_WORDS, RulebookFileParser};
use crate::diagnostics::Span;
use crate::syntax::ast::{
    Expr, ExprKind, FilteredListExpr, HighestOrLowestOperand, Ident, Operator, PoolExpr,
};
use crate::syntax::token_cursor::{Token, TokenCursor};

/// Largest depth of brackets.
const MAX_BRACKET_DEPTH: usize = 32;

fn binary_expr(op: Operator, a: Expr, b: Expr) -> Expr {
    let span = a.span.start..b.span.end;
    Expr::new(span, ExprKind::Binary(op, Box::new(a), Box::new(b)))
}

/// Consumes the first of these operators that is next.
fn eat_operator_of(at: &mut TokenCursor, signs: &[(&str, Operator)]) -> Option<Operator> {
    signs.iter().find(|(sign, _)| at.eat(sign)).map(|(_, op)| *op)
}

/// Consumes `high` or `low`. Returns whether the highest are kept.
pub(super) fn eat_high_or_low(at: &mut TokenCursor) -> Option<bool> {
    let highest = at.eat("high");
    (highest || at.eat("low")).then_some(highest)
}

/// Returns whether `sorted` with what it sorts is next. Elsewhere the word is a name.
fn is_sorted_expr_next(at: &TokenCursor) -> bool {
    let mut ahead = at.clone();
    if !ahead.eat("sorted") {
        return false;
    }
    match ahead.peek_token().0 {
        Token::Name(next) => !RESERVED_WORDS.contains(&next) && !["high", "low"].contains(&next),
        Token::Sign("(") => !ahead.is_next_token_adjacent(),
        Token::Number(_) | Token::Dice(..) => true,
        _ => false,
    }
}

impl<'t> RulebookFileParser<'_> {
    /// Parses an expression.
    pub(super) fn parse_expr(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        self.with_deeper_nesting(at, |reader, at| {
            let value = reader.parse_and_or(at)?;
            if !at.eat("if") {
                return Some(value);
            }
            let when = reader.parse_and_or(at)?;
            let other =
                reader.parse_operand_if_word_next(at, "else", Self::parse_expr)?.map(Box::new);
            let end = other.as_ref().map_or(when.span.end, |other| other.span.end);
            let span = value.span.start..end;
            Some(Expr::new(span, ExprKind::Conditional(Box::new(when), Box::new(value), other)))
        })
    }

    /// Parses at one more level of brackets, up to a limit, so that no file overflows the stack.
    fn with_deeper_nesting<T>(
        &mut self,
        at: &mut TokenCursor<'t>,
        read: impl FnOnce(&mut Self, &mut TokenCursor<'t>) -> ParseResult<T>,
    ) -> ParseResult<T> {
        if self.depth >= MAX_BRACKET_DEPTH {
            let span = at.peek_token().1;
            self.faults.add_fault_at_span(
                span,
                format!("brackets may be at most {MAX_BRACKET_DEPTH} deep"),
                "",
            );
            return None;
        }
        self.depth += 1;
        let expression = read(self, at);
        self.depth -= 1;
        expression
    }

    /// Parses `a or b` and `a and b`, which may not be mixed without brackets.
    fn parse_and_or(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        let mut left = self.parse_negation(at)?;
        let mut joined_by = None;
        loop {
            let (_, span) = at.peek_token();
            let Some(op) = eat_operator_of(at, &[("or", Operator::Or), ("and", Operator::And)])
            else {
                return Some(left);
            };
            if joined_by.is_some_and(|known| known != op) {
                let problem = "`and` and `or` are mixed without brackets";
                self.faults.add_fault_at_span(span, problem, "write `a and (b or c)`");
                return None;
            }
            joined_by = Some(op);
            left = binary_expr(op, left, self.parse_negation(at)?);
        }
    }

    fn parse_negation(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        let start = at.next_token_offset();
        if !at.eat("not") {
            return self.parse_comparison_test(at);
        }
        let inner = self.with_deeper_nesting(at, Self::parse_negation)?;
        Some(Expr::new(start..inner.span.end, ExprKind::Not(Box::new(inner))))
    }

    fn parse_comparison_test(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        let left = self.parse_value_with_bounds(at)?;
        let (word, span) = at.peek_token();
        if word == Token::Sign("=") {
            self.report_misspelled_comparison(at, span);
            return None;
        }
        match self.eat_comparison(at) {
            None => Some(left),
            Some(op) => Some(binary_expr(op, left, self.parse_value_with_bounds(at)?)),
        }
    }

    /// Reports `=` in place of a test, or a comparison with its signs exchanged.
    fn report_misspelled_comparison(&mut self, at: &TokenCursor<'t>, span: Span) {
        let mut behind = at.clone();
        behind.next_token();
        let glued = behind.is_next_token_adjacent();
        let (word, sign) = behind.next_token();
        match word {
            Token::Sign(swapped)
                if glued && let Some(help) = hint_for_swapped_comparison(swapped) =>
            {
                let problem = format!("`={swapped}` is not a test");
                self.faults.add_fault_at_span(span.start..sign.end, problem, help);
            }
            _ => self.faults.add_fault_at_span(
                span,
                "`=` assigns a value; test with `==` or `is`",
                "",
            ),
        }
    }

    /// Consumes a comparison operator.
    pub(super) fn eat_comparison(&mut self, at: &mut TokenCursor<'t>) -> Option<Operator> {
        let signs = [
            ("==", Operator::Equal),
            ("!=", Operator::NotEqual),
            ("<=", Operator::LessOrEqual),
            (">=", Operator::GreaterOrEqual),
            ("<", Operator::Less),
            (">", Operator::Greater),
            ("is", Operator::Equal),
        ];
        let is_word = at.is_next("is");
        let op = eat_operator_of(at, &signs)?;
        Some(if is_word && at.eat("not") { Operator::NotEqual } else { op })
    }

    /// Parses `x at least 0` and `x at most 6`.
    fn parse_value_with_bounds(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        let mut left = self.parse_sum(at)?;
        loop {
            let mut ahead = at.clone();
            let bounds = [("least", Operator::AtLeast), ("most", Operator::AtMost)];
            let Some(op) = ahead.eat("at").then(|| eat_operator_of(&mut ahead, &bounds)).flatten()
            else {
                return Some(left);
            };
            *at = ahead;
            left = binary_expr(op, left, self.parse_sum(at)?);
        }
    }

    pub(super) fn parse_sum(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        self.parse_left_associative(
            at,
            &[("+", Operator::Add), ("-", Operator::Sub)],
            Self::parse_product,
        )
    }

    fn parse_product(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        self.parse_left_associative(
            at,
            &[("*", Operator::Mul), ("/", Operator::Div)],
            Self::parse_unit_or_dice,
        )
    }

    /// Parses operands separated by these operators, associated to the left.
    fn parse_left_associative(
        &mut self,
        at: &mut TokenCursor<'t>,
        signs: &[(&str, Operator)],
        one: impl Fn(&mut Self, &mut TokenCursor<'t>) -> ParseResult<Expr>,
    ) -> ParseResult<Expr> {
        let mut left = one(self, at)?;
        while let Some(op) = eat_operator_of(at, signs) {
            left = binary_expr(op, left, one(self, at)?);
        }
        Some(left)
    }

    /// Parses a unit, or dice.
    pub(super) fn parse_unit_or_dice(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        let start = at.next_token_offset();
        if at.eat("-") {
            let inner = self.with_deeper_nesting(at, Self::parse_unit_or_dice)?;
            return Some(Expr::new(start..inner.span.end, ExprKind::Minus(Box::new(inner))));
        }
        if self.is_dice_next(at) {
            return self.parse_dice_pool(at, start, None);
        }
        if is_sorted_expr_next(at) {
            return self.with_deeper_nesting(at, Self::parse_sorted_expression);
        }
        if at.is_next("[") {
            return self.parse_kept_of_bracket_list(at);
        }
        let unit = self.parse_single_value(at)?;
        match self.is_dice_next(at) {
            true => self.parse_dice_pool(at, start, Some(unit)),
            false => self.parse_high_or_low_after_list(at, unit),
        }
    }

    /// Parses `sorted 3d6`, `sorted xs` and `sorted d(s) for s in xs`.
    fn parse_sorted_expression(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        let (_, start) = at.next_token();
        let of = Box::new(self.parse_unit_or_dice(at)?);
        let list = match at.eat("for") {
            false => None,
            true => {
                let name = self.parse_name(at, "a name for each of them")?;
                self.expect_token(at, "in")?;
                Some(Box::new(FilteredListExpr {
                    name,
                    all: self.parse_name_or_call(at)?,
                    when: None,
                }))
            }
        };
        Some(Expr::new(start.start..at.end_of_last_token(), ExprKind::Sorted(of, list)))
    }

    /// Parses `high 2` or `low 1` after a list.
    fn parse_high_or_low_after_list(
        &mut self,
        at: &mut TokenCursor<'t>,
        list: Expr,
    ) -> ParseResult<Expr> {
        let is_place =
            matches!(list.kind, ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Index(..));
        let Some(highest) = is_place.then(|| eat_high_or_low(at)).flatten() else {
            return Some(list);
        };
        let (start, many) = (list.span.start, Box::new(self.parse_unit_or_dice(at)?));
        let kept = ExprKind::Kept(HighestOrLowestOperand::List(Box::new(list)), highest, many);
        Some(Expr::new(start..at.end_of_last_token(), kept))
    }

    /// Parses `[d8, d10] high 1`.
    fn parse_kept_of_bracket_list(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        let start = at.next_token_offset();
        at.next_token();
        let values = self.parse_comma_separated_until(at, "]", Self::parse_expr)?;
        let Some(highest) = eat_high_or_low(at) else {
            return self.report_unexpected(at, "`high` or `low` after a list in brackets");
        };
        let many = Box::new(self.parse_unit_or_dice(at)?);
        let kept = ExprKind::Kept(HighestOrLowestOperand::Values(values), highest, many);
        Some(Expr::new(start..at.end_of_last_token(), kept))
    }

    /// Returns whether dice are next: `2d6`, `d6`, `d(x)`.
    fn is_dice_next(&self, at: &TokenCursor<'t>) -> bool {
        let mut ahead = at.clone();
        match ahead.next_token().0 {
            Token::Dice(..) => true,
            Token::Name("d") => ahead.is_next_token_adjacent() && ahead.is_next("("),
            _ => false,
        }
    }

    fn parse_dice_pool(
        &mut self,
        at: &mut TokenCursor<'t>,
        start: usize,
        count: Option<Expr>,
    ) -> ParseResult<Expr> {
        let (word, span) = at.next_token();
        let (dice_count, sides) = match word {
            Token::Dice(dice_count, sides) => {
                (dice_count, self.number_expr_from_digits(sides, span.clone())?)
            }
            _ => (None, self.parse_parenthesized_expr(at)?),
        };
        let tens = matches!((word, &sides.kind), (Token::Dice(..), ExprKind::Number(66)));
        let count = match (dice_count, count) {
            (Some(digits), None) => Some(self.number_expr_from_digits(digits, span)?),
            (Some(_), Some(count)) => {
                let problem = "there are two numbers of dice here";
                self.faults.add_fault_at_span(count.span, problem, "write `n d6` or `2d6`");
                return None;
            }
            (None, count) => count,
        };
        let mut pool = PoolExpr {
            count,
            sides,
            tens,
            keep: None,
            reroll: None,
            again: None,
            adds_to_die: false,
        };
        self.parse_pool_modifiers(at, &mut pool)?;
        Some(Expr::new(start..at.next_token_offset(), ExprKind::Pool(Box::new(pool))))
    }

    /// Parses `high 1`, `low 2`, `reroll 1..2` and `again on 6 up to 3`.
    fn parse_pool_modifiers(
        &mut self,
        at: &mut TokenCursor<'t>,
        pool: &mut PoolExpr,
    ) -> ParseResult<()> {
        loop {
            let (_, span) = at.peek_token();
            if at.eat("high") {
                pool.keep = Some((true, self.parse_unit_or_dice(at)?));
            } else if at.eat("low") {
                pool.keep = Some((false, self.parse_unit_or_dice(at)?));
            } else if at.eat("reroll") {
                pool.reroll = Some(self.parse_face_range(at)?);
            } else if at.eat("again") {
                self.expect_token(at, "on")?;
                let faces = self.parse_face_range(at)?;
                if !(at.eat("up") && at.eat("to")) {
                    let problem = "`again` needs `up to`: how many more dice at most?";
                    self.faults.add_fault_at_span(span, problem, "");
                    return None;
                }
                pool.again = Some((faces, self.parse_unit_or_dice(at)?));
                if at.eat("as") {
                    self.expect_token(at, "one")?;
                    pool.adds_to_die = true;
                }
            } else {
                return Some(());
            }
        }
    }

    fn parse_face_range(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<(Expr, Option<Expr>)> {
        Some((
            self.parse_unit_or_dice(at)?,
            self.parse_operand_if_word_next(at, "..", Self::parse_unit_or_dice)?,
        ))
    }

    fn parse_parenthesized_expr(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        self.expect_token(at, "(")?;
        let inner = self.parse_expr(at)?;
        self.expect_token(at, ")")?;
        Some(inner)
    }

    pub(super) fn parse_single_value(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        let (word, span) = at.peek_token();
        let what = match word {
            Token::Number(digits) => {
                at.next_token();
                return self.number_expr_from_digits(digits, span);
            }
            Token::Sign("(") => return self.parse_parenthesized_expr(at),
            Token::Name("yes" | "no") => ExprKind::YesNo(at.next_token().0 == Token::Name("yes")),
            Token::Name("count") => return self.parse_count_call(at),
            Token::Name(name) if !RESERVED_WORDS.contains(&name) => {
                return self.parse_name_or_call(at);
            }
            _ => return self.report_unexpected(at, "a value"),
        };
        Some(Expr::new(span, what))
    }

    /// Parses digits to a number in range.
    pub(super) fn parse_number_in_range(&mut self, digits: &str, span: Span) -> ParseResult<i64> {
        let number = digits.parse::<i64>().ok().filter(|n| *n <= i64::from(i32::MAX));
        if number.is_none() {
            self.faults.add_fault_at_span(span, format!("a number is at most {}", i32::MAX), "");
        }
        number
    }

    fn number_expr_from_digits(&mut self, digits: &str, span: Span) -> ParseResult<Expr> {
        let number = self.parse_number_in_range(digits, span.clone())?;
        Some(Expr::new(span, ExprKind::Number(number)))
    }

    /// Parses a call, or a name with its members and indexes.
    pub(super) fn parse_name_or_call(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        let name = self.parse_name(at, "a name")?;
        if at.is_next_token_adjacent() && at.is_next("(") {
            return self.parse_call(at, name);
        }
        let start = name.span.start;
        let mut value = Expr::new(name.span, ExprKind::Name(name.text));
        loop {
            let what = if at.eat(".") {
                ExprKind::Member(Box::new(value), self.parse_name(at, "the name of a column")?)
            } else if at.is_next_token_adjacent() && at.eat("[") {
                let place = self.parse_expr(at)?;
                self.expect_token(at, "]")?;
                ExprKind::Index(Box::new(value), Box::new(place))
            } else {
                return Some(value);
            };
            value = Expr::new(start..at.end_of_last_token(), what);
        }
    }

    fn parse_call(&mut self, at: &mut TokenCursor<'t>, name: Ident) -> ParseResult<Expr> {
        let start = name.span.start;
        self.expect_token(at, "(")?;
        let what = match name.text.as_str() {
            "up" => ExprKind::RoundUp(Box::new(self.parse_product(at)?)),
            "given" => ExprKind::Given(Box::new(self.parse_name_or_call(at)?)),
            "sum" => {
                let summand = self.parse_expr(at)?;
                self.expect_token(at, "for")?;
                ExprKind::Aggregate(Some(Box::new(summand)), Box::new(self.parse_list_filter(at)?))
            }
            _ => {
                let shifted = |reader: &mut Self, at: &mut TokenCursor<'t>| {
                    Some((
                        reader.parse_expr(at)?,
                        reader.parse_operand_if_word_next(at, "shift", Self::parse_sum)?,
                    ))
                };
                let what =
                    ExprKind::Call(name, self.parse_comma_separated_until(at, ")", shifted)?);
                return Some(Expr::new(start..at.end_of_last_token(), what));
            }
        };
        self.expect_token(at, ")")?;
        Some(Expr::new(start..at.end_of_last_token(), what))
    }

    /// Parses `x in xs where c`.
    pub(super) fn parse_list_filter(
        &mut self,
        at: &mut TokenCursor<'t>,
    ) -> ParseResult<FilteredListExpr> {
        let name = self.parse_name(at, "a name for each of them")?;
        self.expect_token(at, "in")?;
        let all = self.parse_name_or_call(at)?;
        Some(FilteredListExpr {
            name,
            all,
            when: self.parse_operand_if_word_next(at, "where", Self::parse_expr)?,
        })
    }

    /// Parses `count(n d6 >= 4)`, `count(list is x)` and `count(u in units where c)`.
    fn parse_count_call(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Expr> {
        let (_, start) = at.next_token();
        self.expect_token(at, "(")?;
        let what = match self.is_list_filter(at) {
            true => ExprKind::Aggregate(None, Box::new(self.parse_list_filter(at)?)),
            false => {
                let of = Box::new(self.parse_unit_or_dice(at)?);
                let Some(op) = self.eat_comparison(at) else {
                    return self.report_unexpected(at, "a test, such as `>= 4`");
                };
                ExprKind::Count(of, op, Box::new(self.parse_value_with_bounds(at)?))
            }
        };
        self.expect_token(at, ")")?;
        Some(Expr::new(start.start..at.end_of_last_token(), what))
    }

    /// Returns whether `x in` is next.
    fn is_list_filter(&self, at: &TokenCursor<'t>) -> bool {
        let mut ahead = at.clone();
        matches!(ahead.next_token().0, Token::Name(_)) && ahead.is_next("in")
    }
}
