//! Statements: the lines of a rule.

use super::expression::eat_high_or_low;
use super::foreign_syntax::hint_for_foreign_word;
use super::grammar_views::RuleLines;
use super::{ParseResult, RESERVED_WORDS, RulebookFileParser};
use crate::diagnostics::identifier_like_words;
use crate::syntax::ast::{
    AssignedValue, Expr, ExprKind, ItemPickOrder, MatchArm, Operator, Stmt, StmtKind, TextTemplate,
};
use crate::syntax::line_tree::SourceLine;
use crate::syntax::token_cursor::{Token, TokenCursor};

/// Keywords of lines that belong before the first statement of an action.
const ACTION_HEADER_KEYWORDS: [&str; 5] = ["check", "remark", "field", "group", "question"];

impl<'t> RuleLines<'_, '_> {
    /// Parses the statements of a block. A faulty line is reported, and the next one is read.
    pub(super) fn parse_statements(&mut self, lines: &[SourceLine<'t>]) -> Vec<Stmt> {
        let mut statements: Vec<Stmt> = Vec::new();
        for line in lines {
            let mut at = TokenCursor::from_line(line);
            if at.eat("else") {
                self.parse_else_branch(&mut at, line, &mut statements);
                continue;
            }
            let what = self
                .parse_block_statement(&mut at, line)
                .unwrap_or_else(|| self.recover_faulty_statement(line));
            // Lines below a statement without a block are read as if they followed it at the same
            // depth.
            let beside = what.has_no_block();
            statements.push(Stmt { span: line.span(), kind: what });
            if beside {
                statements.extend(self.parse_statements(&line.inner));
            }
        }
        statements
    }

    /// Returns a statement for a line that could not be parsed, as far as its first word determines
    /// it, with its block.
    fn recover_faulty_statement(&mut self, line: &SourceLine<'t>) -> StmtKind {
        let mut at = TokenCursor::from_line(line);
        if at.eat("match") {
            self.suppress_line_names(line);
            return self.parse_match_arms(Expr::unparsed_placeholder(line.span()), line);
        }
        if at.eat("choose") {
            return self.recover_choose(line);
        }
        // The arms of a foreign `match` are no statements.
        if at.eat("switch") || at.eat("case") {
            line.inner.iter().for_each(|arm| self.suppress_names_on_and_below(arm));
            return self.build_unread_stmt(line, Vec::new()).kind;
        }
        let body = self.parse_statements(&line.inner);
        self.build_unread_stmt(line, body).kind
    }

    /// Creates a statement for a line that could not be parsed, with its block.
    pub(super) fn build_unread_stmt(&mut self, line: &SourceLine<'t>, body: Vec<Stmt>) -> Stmt {
        self.suppress_line_names(line);
        let span = line.span();
        let names = identifier_like_words(line.text).filter(|word| !RESERVED_WORDS.contains(word));
        let names = names.map(|name| Expr::new(span.clone(), ExprKind::Name(name.to_owned())));
        Stmt { kind: StmtKind::Unread(names.collect(), body), span }
    }

    /// Parses a body as [`parse_colon_and_body`](Self::parse_colon_and_body) does; if that fails,
    /// the block below the line.
    fn parse_body_or_recover_block(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> Vec<Stmt> {
        self.parse_colon_and_body(at, line).unwrap_or_else(|| self.parse_block_of_unread_line(line))
    }

    /// Parses the block below a line that could not be parsed.
    pub(super) fn parse_block_of_unread_line(&mut self, line: &SourceLine<'t>) -> Vec<Stmt> {
        let body = self.parse_statements(&line.inner);
        vec![self.build_unread_stmt(line, body)]
    }

    /// Parses `c:` and the body.
    fn parse_condition_and_body(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> (Expr, Vec<Stmt>) {
        match self.parse_expr(at) {
            Some(when) => (when, self.parse_body_or_recover_block(at, line)),
            None => {
                (Expr::unparsed_placeholder(line.span()), self.parse_block_of_unread_line(line))
            }
        }
    }

    /// Parses `else:` or `else if c:` after an `if`.
    fn parse_else_branch(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
        statements: &mut Vec<Stmt>,
    ) {
        let open = match statements.last_mut().map(|above| &mut above.kind) {
            Some(StmtKind::If(arms, last)) if last.is_empty() => Some((arms, last)),
            Some(StmtKind::Unread(..)) => None,
            _ => {
                self.faults.add_fault_at_span(
                    line.span(),
                    "there is no `if` above this `else`",
                    "",
                );
                return statements.extend(self.parse_block_of_unread_line(line));
            }
        };
        let (when, body) = match at.eat("if") {
            true => {
                let (when, body) = self.parse_condition_and_body(at, line);
                (Some(when), body)
            }
            false => (None, self.parse_body_or_recover_block(at, line)),
        };
        match (open, when) {
            (Some((arms, _)), Some(when)) => arms.push((when, body)),
            (Some((_, last)), None) => *last = body,
            (None, _) => statements.push(self.build_unread_stmt(line, body)),
        }
    }

    fn parse_block_statement(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> Option<StmtKind> {
        if at.eat("if") {
            return Some(StmtKind::If(vec![self.parse_condition_and_body(at, line)], Vec::new()));
        }
        if at.eat("for") {
            return self.parse_counted_for(at, line);
        }
        if at.eat("each") {
            return Some(StmtKind::Each(
                self.parse_list_filter(at)?,
                self.parse_colon_and_body(at, line)?,
            ));
        }
        if at.eat("pick") {
            let members = self.parse_list_filter(at)?;
            self.expect_token(at, "by")?;
            return Some(StmtKind::Pick(
                members,
                self.parse_pick_order(at)?,
                self.parse_colon_and_body(at, line)?,
            ));
        }
        if at.eat("repeat") {
            return Some(StmtKind::Repeat(self.parse_colon_and_body(at, line)?));
        }
        if at.eat("match") {
            let value = self.parse_expr(at)?;
            self.expect_token(at, ":")?;
            self.expect_line_end(at)?;
            return Some(self.parse_match_arms(value, line));
        }
        if at.eat("choose") {
            return self.parse_choose_statement(at, line);
        }
        let what = self.parse_simple_statement(at)?;
        self.expect_line_end(at)?;
        self.expect_no_block(line);
        Some(what)
    }

    /// Parses `for i in a..b` and `for i in a down to b`.
    fn parse_counted_for(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> Option<StmtKind> {
        let name = self.parse_name(at, "a name that counts")?;
        self.expect_token(at, "in")?;
        let from = self.parse_expr(at)?;
        let down = !at.eat("..");
        if down && !(at.eat("down") && at.eat("to")) {
            return self.report_unexpected(at, "`..` or `down to`");
        }
        let to = self.parse_expr(at)?;
        Some(StmtKind::For(name, from, to, down, self.parse_colon_and_body(at, line)?))
    }

    fn parse_pick_order(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<ItemPickOrder> {
        if at.eat("random") {
            return Some(ItemPickOrder::Random);
        }
        let highest = self.parse_highest_or_lowest_word(at, "`random`, `lowest` or `highest`")?;
        Some(ItemPickOrder::Key(highest, self.parse_expr(at)?))
    }

    /// Parses `highest` or `lowest`.
    pub(super) fn parse_highest_or_lowest_word(
        &mut self,
        at: &mut TokenCursor<'t>,
        token: &str,
    ) -> ParseResult<bool> {
        let highest = at.eat("highest");
        match highest || at.eat("lowest") {
            true => Some(highest),
            false => self.report_unexpected(at, token),
        }
    }

    /// Parses the body after `:`: the block below, or one statement on the same line.
    pub(super) fn parse_colon_and_body(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> Option<Vec<Stmt>> {
        self.expect_token(at, ":")?;
        if at.is_at_end() {
            self.declarations().expect_indented_block(line)?;
            return Some(self.parse_statements(&line.inner));
        }
        let start = at.next_token_offset();
        let what = self.parse_simple_statement(at)?;
        self.expect_line_end(at)?;
        self.expect_no_block(line);
        let mut statements = vec![Stmt { span: start..line.span().end, kind: what }];
        statements.extend(self.parse_statements(&line.inner));
        Some(statements)
    }

    /// Parses a body as [`parse_colon_and_body`](Self::parse_colon_and_body) does; it may be empty.
    pub(super) fn parse_body_or_empty(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> Option<Vec<Stmt>> {
        let mut ahead = at.clone();
        if ahead.eat(":") && ahead.is_at_end() && line.inner.is_empty() {
            return Some(Vec::new());
        }
        self.parse_colon_and_body(at, line)
    }

    fn parse_match_arms(&mut self, value: Expr, line: &SourceLine<'t>) -> StmtKind {
        let (mut arms, mut otherwise) = (Vec::new(), None);
        for inner in &line.inner {
            let mut at = TokenCursor::from_line(inner);
            if at.eat("else") {
                otherwise = self
                    .parse_body_or_empty(&mut at, inner)
                    .or_else(|| Some(self.parse_block_of_unread_line(inner)));
            } else if let Some(arm) = self.parse_match_arm(&mut at, inner) {
                arms.push(arm);
            } else {
                // The words of a faulty arm are unknown, so it may match all of them.
                otherwise = Some(self.parse_block_of_unread_line(inner));
            }
        }
        StmtKind::Match(value, arms, otherwise)
    }

    /// Parses `word or word number:`.
    fn parse_match_arm(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> Option<MatchArm> {
        let mut words = vec![self.parse_name(at, "a word")?];
        while at.eat("or") {
            words.push(self.parse_name(at, "a word")?);
        }
        let number = match at.is_next(":") {
            true => None,
            false => Some(self.parse_name(at, "`:`, or a name for the number")?),
        };
        let body = self.parse_body_or_empty(at, line)?;
        Some(MatchArm { words, number, body })
    }

    /// Parses a text with values in it: `"{u.name} has {left - 1} left"`.
    pub(super) fn parse_text_with_values(
        &mut self,
        at: &mut TokenCursor<'t>,
    ) -> Option<TextTemplate> {
        let quoted = self.parse_quoted_name(at)?;
        let mut inner = at.within_quotes(&quoted.span);
        let mut pieces = Vec::new();
        while let Some((text, mut value)) = inner.next_text_and_template_value() {
            let template = match value.is_at_end() {
                true => None,
                false => Some(self.parse_expr(&mut value)?),
            };
            self.expect_line_end(&value)?;
            pieces.push((text.to_owned(), template));
        }
        Some(pieces)
    }

    /// Parses a statement that has no block.
    fn parse_simple_statement(&mut self, at: &mut TokenCursor<'t>) -> Option<StmtKind> {
        if at.eat("stop") {
            return Some(StmtKind::Stop);
        }
        if at.eat("end") {
            return Some(StmtKind::End);
        }
        if at.eat("give") {
            return Some(StmtKind::Give(self.parse_expr(at)?));
        }
        if at.eat("note") {
            return Some(StmtKind::Note(self.parse_text_with_values(at)?));
        }
        if at.eat("tally") {
            let name = self.parse_name(at, "what is counted")?;
            return Some(StmtKind::Tally(
                name,
                self.parse_operand_if_word_next(at, "+=", RulebookFileParser::parse_expr)?,
            ));
        }
        self.parse_assignment_or_call(at)
    }

    /// Parses `x = e`, `x += e`, or the call of a part.
    fn parse_assignment_or_call(&mut self, at: &mut TokenCursor<'t>) -> Option<StmtKind> {
        let mut behind = at.clone();
        behind.next_token();
        if ["=", "+=", "-="].iter().any(|sign| behind.is_next(sign))
            && let Some(die) = at.peek_die_as_name()
        {
            return self.report_die_as_name(die, at.peek_token().1);
        }
        let Token::Name(word) = at.peek_token().0 else {
            return self.report_unexpected(at, "a statement");
        };
        if ACTION_HEADER_KEYWORDS.contains(&word)
            && matches!(behind.peek_token().0, Token::Name(_) | Token::Text(_))
        {
            let problem = format!("`{word}` belongs above the rule");
            self.faults.add_fault_at_span(
                at.peek_token().1,
                problem,
                "put it above the first statement",
            );
            return None;
        }
        let place = self.parse_name_or_call(at)?;
        if matches!(place.kind, ExprKind::Call(..)) {
            return Some(StmtKind::Call(place));
        }
        for (sign, how) in [("+=", 1), ("-=", -1)] {
            if at.eat(sign) {
                if let Some(thrown) = self.parse_thrown_dice_if_next(at) {
                    return Some(StmtKind::Assign(place, how, AssignedValue::Throw(thrown?)));
                }
                let meant = at.is_next("(");
                let step = self.parse_expr(at)?;
                if !meant {
                    self.report_bound_on_step(&place, sign, &step);
                }
                return Some(StmtKind::Assign(place, how, AssignedValue::One(step)));
            }
        }
        let habit = place.as_path().map_or("", |name| hint_for_foreign_word(&name));
        if !at.is_next("=") && !habit.is_empty() {
            self.faults.add_fault_at_span(place.span, "this is not a statement", habit);
            return None;
        }
        self.expect_token(at, "=")?;
        Some(StmtKind::Assign(place, 0, self.parse_assigned_value(at)?))
    }

    /// Reports `x += 1 at most 8`: the bound applies to the 1, which never reaches it, instead of
    /// `x`.
    fn report_bound_on_step(&mut self, place: &Expr, sign: &str, step: &Expr) {
        let ExprKind::Binary(op @ (Operator::AtLeast | Operator::AtMost), by, bound) = &step.kind
        else {
            return;
        };
        let (Some(by), Some(bound), Some(name)) =
            (by.literal_number(), bound.literal_number(), place.as_path())
        else {
            return;
        };
        let (at, bare) = (if *op == Operator::AtMost { "at most" } else { "at least" }, &sign[..1]);
        let problem = format!("`{at} {bound}` bounds the {by}, and not `{name}`");
        let help = format!("`{name} = {name} {bare} {by} {at} {bound}`");
        self.faults.add_fault_at_span(step.span.clone(), problem, help);
    }

    fn parse_assigned_value(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<AssignedValue> {
        if at.is_next("[") {
            let start = at.clone();
            at.next_token();
            let items =
                self.parse_comma_separated_until(at, "]", RulebookFileParser::parse_expr)?;
            if eat_high_or_low(&mut at.clone()).is_none() {
                return Some(AssignedValue::List(items));
            }
            *at = start;
        }
        if let Some(thrown) = self.parse_thrown_dice_if_next(at) {
            return thrown.map(AssignedValue::Throw);
        }
        if !at.eat("bag") {
            let value = self.parse_expr(at)?;
            return Some(match at.eat("of") {
                true => AssignedValue::Repeated(value, self.parse_expr(at)?),
                false => AssignedValue::One(value),
            });
        }
        self.expect_token(at, "of")?;
        let of = self.parse_sum(at)?;
        let (mut with, mut kept_parts) = (Vec::new(), Vec::new());
        if at.eat("with") {
            loop {
                let mut name = self.parse_name(at, "what changes")?;
                // In `keep = 2` the word is a name.
                if name.text == "keep" && !at.is_next("=") {
                    name = self.parse_name(at, "what changes")?;
                    kept_parts.push(name.text.clone());
                }
                self.expect_token(at, "=")?;
                with.push((name, self.parse_expr(at)?));
                if !at.eat(",") {
                    break;
                }
            }
        }
        Some(AssignedValue::Bag(of, with, kept_parts))
    }
}
