//! Decisions of a player: the line of a `choose`, and its options.

use super::ParseResult;
use super::grammar_views::RuleLines;
use crate::syntax::ast::{ChooseStmt, ChooseStmtOption, Expr, Ident, StmtKind};
use crate::syntax::line_tree::SourceLine;
use crate::syntax::token_cursor::{Token, TokenCursor};

impl<'t> RuleLines<'_, '_> {
    /// Parses `choose for highest x "label", blind to y, z:` and its options, or
    /// `choose n in a..b for highest x:` and its lines.
    pub(super) fn parse_choose_statement(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> Option<StmtKind> {
        let number = self.parse_choice_name_and_range(at)?;
        self.expect_token(at, "for")?;
        let highest = self.parse_highest_or_lowest_word(at, "`highest` or `lowest`")?;
        let goal = self.parse_name(at, "what is shown")?;
        let label = match at.peek_token().0 {
            Token::Text(_) | Token::Open(_) => self.parse_quoted_text(at)?,
            _ => String::new(),
        };
        let hidden = self.parse_hidden_names(at)?;
        let options = match number {
            Some(_) => {
                let body = self.parse_colon_and_body(at, line)?;
                vec![ChooseStmtOption { text: String::new(), when: None, body }]
            }
            None => {
                self.expect_token(at, ":")?;
                self.expect_line_end(at)?;
                self.parse_choose_options(line)
            }
        };
        let choose = ChooseStmt { number, highest, goal, label, hidden, options };
        Some(StmtKind::Choose(Box::new(choose)))
    }

    /// Parses the number and its bounds in `choose n in a..b`, if there is one.
    fn parse_choice_name_and_range(
        &mut self,
        at: &mut TokenCursor<'t>,
    ) -> ParseResult<Option<(Ident, Expr, Expr)>> {
        let mut ahead = at.clone();
        ahead.next_token();
        if !ahead.is_next("in") {
            return Some(None);
        }
        let name = self.parse_name(at, "a name for the number")?;
        self.expect_token(at, "in")?;
        let from = self.parse_expr(at)?;
        self.expect_token(at, "..")?;
        Some(Some((name, from, self.parse_expr(at)?)))
    }

    /// Parses `, blind to y, z`, if it is there.
    fn parse_hidden_names(&mut self, at: &mut TokenCursor<'t>) -> Option<Vec<Ident>> {
        let mut hidden = Vec::new();
        if !at.eat(",") {
            if at.is_next("blind") {
                return self.report_unexpected(at, "`,` before `blind to`");
            }
            return Some(hidden);
        }
        self.expect_token(at, "blind")?;
        self.expect_token(at, "to")?;
        loop {
            hidden.push(self.parse_name(at, "a variable that the player does not see")?);
            if !at.eat(",") {
                return Some(hidden);
            }
        }
    }

    fn parse_choose_options(&mut self, line: &SourceLine<'t>) -> Vec<ChooseStmtOption> {
        let mut options = Vec::new();
        for inner in &line.inner {
            let option = self.parse_choose_option(&mut TokenCursor::from_line(inner), inner);
            options.push(option.unwrap_or_else(|| ChooseStmtOption {
                text: String::new(),
                when: None,
                body: self.parse_block_of_unread_line(inner),
            }));
        }
        options
    }

    fn parse_choose_option(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> Option<ChooseStmtOption> {
        self.expect_token(at, "option")?;
        let text = self.parse_quoted_text(at)?;
        let when = if at.eat("if") { Some(self.parse_expr(at)?) } else { None };
        Some(ChooseStmtOption { text, when, body: self.parse_body_or_empty(at, line)? })
    }

    /// Returns a statement for a `choose` whose line could not be parsed, with its options.
    pub(super) fn recover_choose(&mut self, line: &SourceLine<'t>) -> StmtKind {
        let has_options =
            line.inner.iter().any(|inner| TokenCursor::from_line(inner).is_next("option"));
        let body = match has_options {
            true => {
                self.parse_choose_options(line).into_iter().flat_map(|option| option.body).collect()
            }
            false => self.parse_statements(&line.inner),
        };
        self.build_unread_stmt(line, body).kind
    }
}
