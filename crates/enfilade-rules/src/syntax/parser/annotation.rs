//! Annotations: texts, marks and rule references at the end of a line, or below it.

use super::ParseResult;
use super::grammar_views::Declarations;
use crate::syntax::ast::{ABSENT_NAME_KEY_PREFIX, DeclAnnotations, Ident};
use crate::syntax::line_tree::SourceLine;
use crate::syntax::token_cursor::{Token, TokenCursor};

impl<'t> Declarations<'_, '_> {
    /// Parses the annotations at the end of a line and on the lines below it, in any order.
    pub(super) fn parse_annotations_on_and_below(
        &mut self,
        at: &mut TokenCursor<'t>,
        below: &[SourceLine<'t>],
    ) -> ParseResult<DeclAnnotations> {
        let mut annotations = DeclAnnotations::default();
        while self.parse_annotation(at, &mut annotations)? {}
        if !below.is_empty() {
            self.expect_line_end(at)?;
        }
        for line in below {
            let mut at = TokenCursor::from_line(line);
            while self.parse_annotation(&mut at, &mut annotations)? {}
            self.expect_line_end(&at)?;
            self.expect_no_block(line);
        }
        Some(annotations)
    }

    /// Parses one annotation, if there is one. Returns whether there was.
    fn parse_annotation(
        &mut self,
        at: &mut TokenCursor<'t>,
        annotations: &mut DeclAnnotations,
    ) -> ParseResult<bool> {
        if let Some(rule) = at.eat_rule_reference() {
            annotations.rule = rule.to_owned();
            return Some(true);
        }
        if let (Token::Text(text), span) = at.peek_token() {
            if !annotations.help.is_empty() {
                let problem = "there are two texts already: the label and the help";
                self.faults.add_fault_at_span(span, problem, "");
                return None;
            }
            let place = match annotations.label.is_empty() {
                true => &mut annotations.label,
                false => &mut annotations.help,
            };
            *place = text.to_owned();
            at.next_token();
            return Some(true);
        }
        match at.peek_token().0 {
            Token::Name("rare") => annotations.rare = true,
            Token::Name("assumed") => annotations.assumed = true,
            Token::Name("optional") => annotations.optional = true,
            Token::Name("headline") => annotations.headline = true,
            Token::Name("finishing") => annotations.finishing = true,
            Token::Name("adds") => annotations.adds = true,
            Token::Name("harm") => annotations.harm = 1,
            Token::Name("gain") => annotations.harm = -1,
            Token::Name("unit" | "called") => {}
            _ => return Some(false),
        }
        match at.next_token().0 {
            Token::Name("unit") => annotations.unit = self.parse_quoted_text(at)?,
            Token::Name("called") => {
                annotations.switch_labels = Some(Box::new(self.parse_switch_labels(at)?))
            }
            Token::Name("harm" | "gain") => {
                annotations.degree = self.parse_harm_degree(at)?.map(Box::new)
            }
            _ => {}
        }
        Some(true)
    }

    /// Parses `called "at rest" or "Moving"`: the labels of no and yes.
    fn parse_switch_labels(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<(String, String)> {
        let no = self.parse_quoted_text(at)?;
        self.expect_token(at, "or")?;
        Some((no, self.parse_quoted_text(at)?))
    }

    /// Parses `harm 80 "kill"`: the severity, and its word.
    fn parse_harm_degree(
        &mut self,
        at: &mut TokenCursor<'t>,
    ) -> ParseResult<Option<(i16, String)>> {
        let Token::Number(digits) = at.peek_token().0 else {
            return Some(None);
        };
        let span = at.next_token().1;
        let degree = self.parse_number_in_range(digits, span.clone())?;
        let Some(degree) = i16::try_from(degree).ok().filter(|n| (1..=100).contains(n)) else {
            let problem = format!("a severity is 1 to 100, not {degree}");
            self.faults.add_fault_at_span(span, problem, "");
            return None;
        };
        Some(Some((degree, self.parse_quoted_text(at)?)))
    }

    /// Parses a word of a list with its printed text.
    pub(super) fn parse_listed_word_and_label(
        &mut self,
        at: &mut TokenCursor<'t>,
    ) -> ParseResult<(Ident, String)> {
        let word = self.parse_name_or_quoted_keyword(at, "a word")?;
        let text = match at.peek_token().0 {
            Token::Text(_) => self.parse_quoted_text(at)?,
            _ => String::new(),
        };
        Some((word, text))
    }

    /// Parses a sentence that may continue in the texts below it, and the rule reference after it.
    pub(super) fn parse_sentence_and_reference(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<(String, String)> {
        let mut sentence = self.parse_quoted_text(at)?;
        let mut rule = at.eat_rule_reference().unwrap_or_default();
        for line in &line.inner {
            let mut at = TokenCursor::from_line(line);
            sentence.push(' ');
            sentence.push_str(&self.parse_quoted_text(&mut at)?);
            rule = at.eat_rule_reference().unwrap_or(rule);
            self.expect_line_end(&at)?;
            self.expect_no_block(line);
        }
        Some((sentence, rule.to_owned()))
    }

    /// Parses `direction "…"`, `off table "…"`, `absent NAME "…"` and, in an action, `question
    /// "…"`: the keyword with its text.
    pub(super) fn parse_keyword_with_text(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<(Ident, String)> {
        let (word, span) = at.next_token();
        let text = match word {
            Token::Name("off") if at.eat("table") => "off table".to_owned(),
            Token::Name("absent") => {
                format!("{ABSENT_NAME_KEY_PREFIX}{}", self.parse_name(at, "a name")?.text)
            }
            Token::Name(text) => text.to_owned(),
            _ => return None,
        };
        let (sentence, _) = self.parse_sentence_and_reference(at, line)?;
        self.expect_line_end(at)?;
        Some((Ident { text, span }, sentence))
    }

    /// Returns whether a line is a text of an action: its question, or the things it rolls.
    pub(super) fn is_keyword_with_text(line: &SourceLine<'t>) -> bool {
        let mut at = TokenCursor::from_line(line);
        let is_keyword = match at.next_token().0 {
            Token::Name("off") => at.eat("table"),
            Token::Name("absent") => matches!(at.next_token().0, Token::Name(_)),
            Token::Name("question" | "direction") => true,
            _ => false,
        };
        is_keyword && matches!(at.peek_token().0, Token::Text(_))
    }
}
