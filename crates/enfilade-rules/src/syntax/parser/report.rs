//! Reports of actions and parts: the lines after the rule.

use super::RulebookFileParser;
use super::grammar_views::RuleLines;
use super::{ParseResult, RESERVED_WORDS};
use crate::diagnostics::did_you_mean;
use crate::syntax::ast::{Expr, ExprKind, Ident, MeasureTermExpr, ShowMeasureOrCarryLine};
use crate::syntax::line_tree::SourceLine;
use crate::syntax::token_cursor::{Token, TokenCursor};

/// Figures that a measure can be.
const MEASURE_FIGURE_NAMES: [&str; 5] = ["chance", "mean", "median", "spread", "quantile"];

/// Condition of a measure with its text.
type ConditionWithText = Option<(Expr, String)>;

/// The words of a condition.
fn split_condition_into_words(given: &ConditionWithText) -> Option<Vec<&str>> {
    given.as_ref().map(|(_, text)| text.split_whitespace().collect())
}

impl<'t> RuleLines<'_, '_> {
    /// Returns whether a line belongs to a report.
    pub(super) fn is_report_line(line: &SourceLine<'t>) -> bool {
        let mut at = TokenCursor::from_line(line);
        let carries = at.is_next("carry");
        let says = ["show", "measure", "keep"].iter().any(|word| at.is_next(word));
        at.next_token();
        says || carries && matches!(at.peek_token().0, Token::Name(_))
    }

    /// Parses the lines of a report.
    pub(super) fn parse_reports(
        &mut self,
        lines: &[SourceLine<'t>],
    ) -> Vec<ShowMeasureOrCarryLine> {
        let (mut reports, mut astray) = (Vec::new(), false);
        for line in lines {
            let mut at = TokenCursor::from_line(line);
            let report = match at.next_token().0 {
                Token::Name("show") => self.parse_show_line(&mut at, line, false),
                Token::Name("keep") => self.parse_show_line(&mut at, line, true),
                Token::Name("measure") => self.parse_measure_line(&mut at, line),
                Token::Name("carry") => self.parse_carry_line(&mut at, line),
                Token::Name(word)
                    if !RESERVED_WORDS.contains(&word)
                        && at.is_next_token_adjacent()
                        && at.is_next("(") =>
                {
                    self.parse_reporting_part_call(line)
                }
                word => self.parse_statement_after_report(word, line, &mut astray),
            };
            if report.is_none() {
                self.suppress_names_on_and_below(line);
            }
            reports.extend(report);
        }
        reports
    }

    /// Parses `show x = e when c "…" harm (A7.3)`.
    fn parse_show_line(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
        keep: bool,
    ) -> ParseResult<ShowMeasureOrCarryLine> {
        let name = self.parse_name(at, "the name of the show")?;
        let value = self.parse_operand_if_word_next(at, "=", RulebookFileParser::parse_expr)?;
        let when = self.parse_operand_if_word_next(at, "when", RulebookFileParser::parse_expr)?;
        let annotations = self.declarations().parse_annotations_on_and_below(at, &line.inner)?;
        self.expect_line_end(at)?;
        Some(ShowMeasureOrCarryLine::Show { name, value, when, said: annotations, keep })
    }

    /// Parses `measure p = chance(c) * 100 / points "…"`.
    fn parse_measure_line(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<ShowMeasureOrCarryLine> {
        let name = self.parse_name(at, "the name of the measure")?;
        self.expect_token(at, "=")?;
        let (first, condition) = self.parse_measure_term(at, false)?;
        let mut figures = vec![first];
        while at.is_next("+") || at.is_next("-") {
            let is_subtracted = at.eat("-") || !at.eat("+");
            let start = at.next_token_offset();
            let (figure, other) = self.parse_measure_term(at, is_subtracted)?;
            self.check_term_can_be_summed(&figures, &figure)?;
            if split_condition_into_words(&condition) != split_condition_into_words(&other) {
                let problem = "figures that are added up have the same `given`";
                let span = start..at.end_of_last_token();
                self.faults.add_fault_at_span(span, problem, "write two measures");
                return None;
            }
            figures.push(figure);
        }
        let annotations = self.declarations().parse_annotations_on_and_below(at, &line.inner)?;
        self.expect_line_end(at)?;
        Some(ShowMeasureOrCarryLine::Measure { name, figures, given: condition, said: annotations })
    }

    /// `chance(c given d) * 100 / points`.
    fn parse_measure_term(
        &mut self,
        at: &mut TokenCursor<'t>,
        is_subtracted: bool,
    ) -> ParseResult<(MeasureTermExpr, ConditionWithText)> {
        let of = self.parse_statistic_name(at)?;
        self.expect_token(at, "(")?;
        let value = self.parse_expr(at)?;
        let percent = match of.text.as_str() {
            "quantile" => Some(self.parse_quantile_percent(at)?),
            _ => None,
        };
        let given = match at.eat("given") {
            true => {
                let start = at.end_of_last_token();
                let condition = self.parse_expr(at)?;
                Some((condition, at.text_since_offset(start).trim().to_owned()))
            }
            false => None,
        };
        self.expect_token(at, ")")?;
        let mut scale = Vec::new();
        while at.is_next("*") || at.is_next("/") {
            let divides = at.eat("/") || !at.eat("*");
            scale.push((self.parse_unit_or_dice(at)?, divides));
        }
        Some((MeasureTermExpr { of, value, percent, scale, is_subtracted }, given))
    }

    /// The name of a figure.
    fn parse_statistic_name(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<Ident> {
        let of = self.parse_name(at, "`chance` or `mean`")?;
        if MEASURE_FIGURE_NAMES.contains(&of.text.as_str()) {
            return Some(of);
        }
        let help = match of.text.as_str() {
            "deviation" | "variance" | "sd" => "the standard deviation is `spread(…)`".to_owned(),
            "percentile" => "`quantile(…, 90)`".to_owned(),
            "p" | "probability" => "`chance(…)`".to_owned(),
            "average" | "expected" => "`mean(…)`".to_owned(),
            other => did_you_mean(other, MEASURE_FIGURE_NAMES),
        };
        self.faults.add_fault_at_span(
            of.span,
            "`chance`, `mean` or another figure was expected",
            help,
        );
        None
    }

    /// `, 90` of a quantile.
    fn parse_quantile_percent(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<u32> {
        if !at.eat(",") {
            let problem = "a quantile takes a percentage";
            self.faults.add_fault_at_span(at.peek_token().1, problem, "`quantile(x, 90)`");
            return None;
        }
        let (word, span) = at.next_token();
        let percent = match word {
            Token::Number(digits) => digits.parse().ok(),
            _ => None,
        };
        let percent = percent.filter(|percent| (1..=99).contains(percent));
        if percent.is_none() {
            let problem = "the percentage of a quantile is a number from 1 to 99";
            self.faults.add_fault_at_span(span, problem, "`quantile(x, 90)`");
        }
        percent
    }

    /// Whether a figure can be added to those before it.
    fn check_term_can_be_summed(
        &mut self,
        before: &[MeasureTermExpr],
        figure: &MeasureTermExpr,
    ) -> ParseResult<()> {
        let is_sum = |of: &Ident| matches!(of.text.as_str(), "chance" | "mean");
        let all = before.iter().chain([figure]).map(|figure| &figure.of);
        let Some(other) = all.into_iter().find(|of| !is_sum(of)) else { return Some(()) };
        let (difference, many) = match other.text.as_str() {
            "median" => ("median", "medians"),
            "spread" => ("spread", "spreads"),
            _ => ("quantile", "quantiles"),
        };
        let which = if figure.is_subtracted { "difference" } else { "sum" };
        let problem = format!("the {which} of two {many} is no {difference}");
        self.faults.add_fault_at_span(figure.of.span.clone(), problem, "write two measures");
        None
    }

    /// Parses `carry target.wounds = e` and `carry target.weapons high e`.
    fn parse_carry_line(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<ShowMeasureOrCarryLine> {
        let place = self.parse_name_or_call(at)?;
        if place.as_path().is_none() {
            let help = "a field, or one of its record: `carry target.wounds = wounds`";
            self.faults.add_fault_at_span(place.span, "expected the name of a field", help);
            return None;
        }
        let highest = at.eat("high");
        if !highest {
            self.expect_token(at, "=")?;
        }
        let value = self.parse_expr(at)?;
        self.expect_line_end(at)?;
        self.expect_no_block(line);
        Some(ShowMeasureOrCarryLine::Carry { place, value, highest })
    }

    /// Parses the call of a reporting part.
    fn parse_reporting_part_call(
        &mut self,
        line: &SourceLine<'t>,
    ) -> ParseResult<ShowMeasureOrCarryLine> {
        let mut at = TokenCursor::from_line(line);
        let call = self.parse_name_or_call(&mut at)?;
        if !matches!(call.kind, ExprKind::Call(..)) {
            return self.parse_statement_after_report(Token::End, line, &mut false);
        }
        self.expect_line_end(&at)?;
        self.expect_no_block(line);
        Some(ShowMeasureOrCarryLine::Call(call))
    }

    /// Reports another line after the first line of a report, once, and parses it as a line of the
    /// rule.
    fn parse_statement_after_report(
        &mut self,
        word: Token<'t>,
        line: &SourceLine<'t>,
        is_reported: &mut bool,
    ) -> ParseResult<ShowMeasureOrCarryLine> {
        if std::mem::replace(is_reported, true) {
            self.parse_statements(std::slice::from_ref(line));
            return None;
        }
        let problem = "only `show`, `measure` and `carry` may follow the first `show`";
        let near = match word {
            Token::Name(word) => did_you_mean(word, ["show", "measure", "keep", "carry"]),
            _ => String::new(),
        };
        let help = if near.is_empty() { "put it above the first `show`".to_owned() } else { near };
        self.faults.add_fault_at_span(line.span(), problem, help);
        self.parse_statements(&line.inner);
        None
    }

    /// Parses parameters: `(u, changes n)`.
    pub(super) fn parse_part_parameters(
        &mut self,
        at: &mut TokenCursor<'t>,
    ) -> ParseResult<Vec<(Ident, bool)>> {
        self.expect_token(at, "(")?;
        self.parse_comma_separated_until(at, ")", |reader, at| {
            let changes = at.eat("changes");
            Some((reader.parse_name(at, "a parameter")?, changes))
        })
    }
}
