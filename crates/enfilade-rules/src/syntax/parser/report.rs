//! Reports of actions and parts: the lines after the rule.

use super::Reader;
use super::views::RuleLines;
use super::{RESERVED, Read};
use crate::diagnostics::near;
use crate::syntax::ast::{Expr, Figure, Name, Report, Says};
use crate::syntax::line_tree::Line;
use crate::syntax::token_cursor::{Cursor, Word};

/// Figures that a measure can be.
const FIGURES: [&str; 5] = ["chance", "mean", "median", "spread", "quantile"];

/// Condition of a measure with its text.
type Given = Option<(Expr, String)>;

/// The words of a condition.
fn text_of(given: &Given) -> Option<Vec<&str>> {
    given.as_ref().map(|(_, text)| text.split_whitespace().collect())
}

impl<'t> RuleLines<'_, '_> {
    /// Returns whether a line belongs to a report.
    pub(super) fn is_report(line: &Line<'t>) -> bool {
        let mut at = Cursor::of(line);
        let carries = at.is("carry");
        let says = ["show", "measure", "keep"].iter().any(|word| at.is(word));
        at.take();
        says || carries && matches!(at.peek().0, Word::Name(_))
    }

    /// Parses the lines of a report.
    pub(super) fn reports(&mut self, lines: &[Line<'t>]) -> Vec<Report> {
        let (mut reports, mut astray) = (Vec::new(), false);
        for line in lines {
            let mut at = Cursor::of(line);
            let report = match at.take().0 {
                Word::Name("show") => self.show(&mut at, line, false),
                Word::Name("keep") => self.show(&mut at, line, true),
                Word::Name("measure") => self.measure(&mut at, line),
                Word::Name("carry") => self.carry(&mut at, line),
                Word::Name(word) if !RESERVED.contains(&word) && at.is_glued() && at.is("(") => {
                    self.reporting_part(line)
                }
                word => self.behind_the_first(word, line, &mut astray),
            };
            if report.is_none() {
                self.unread_all(line);
            }
            reports.extend(report);
        }
        reports
    }

    /// Parses `show x = e when c "…" harm (A7.3)`.
    fn show(&mut self, at: &mut Cursor<'t>, line: &Line<'t>, keep: bool) -> Read<Report> {
        let name = self.name(at, "the name of the show")?;
        let value = self.after(at, "=", Reader::expr)?;
        let when = self.after(at, "when", Reader::expr)?;
        let said = self.declarations().said(at, &line.inner)?;
        self.ends(at)?;
        Some(Report::Show { name, value, when, said, keep })
    }

    /// Parses `measure p = chance(c) * 100 / points "…"`.
    fn measure(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<Report> {
        let name = self.name(at, "the name of the measure")?;
        self.expect(at, "=")?;
        let (first, given) = self.figure(at, false)?;
        let mut figures = vec![first];
        while at.is("+") || at.is("-") {
            let is_subtracted = at.eat("-") || !at.eat("+");
            let start = at.place();
            let (figure, other) = self.figure(at, is_subtracted)?;
            self.add_up(&figures, &figure)?;
            if text_of(&given) != text_of(&other) {
                let problem = "figures that are added up have the same `given`";
                self.faults.note(start..at.passed(), problem, "write two measures");
                return None;
            }
            figures.push(figure);
        }
        let said = self.declarations().said(at, &line.inner)?;
        self.ends(at)?;
        Some(Report::Measure { name, figures, given, said })
    }

    /// `chance(c given d) * 100 / points`.
    fn figure(&mut self, at: &mut Cursor<'t>, is_subtracted: bool) -> Read<(Figure, Given)> {
        let of = self.figure_name(at)?;
        self.expect(at, "(")?;
        let value = self.expr(at)?;
        let percent = match of.text.as_str() {
            "quantile" => Some(self.percent(at)?),
            _ => None,
        };
        let given = match at.eat("given") {
            true => {
                let start = at.passed();
                let condition = self.expr(at)?;
                Some((condition, at.text_from(start).trim().to_owned()))
            }
            false => None,
        };
        self.expect(at, ")")?;
        let mut scale = Vec::new();
        while at.is("*") || at.is("/") {
            let divides = at.eat("/") || !at.eat("*");
            scale.push((self.atom(at)?, divides));
        }
        Some((Figure { of, value, percent, scale, is_subtracted }, given))
    }

    /// The name of a figure.
    fn figure_name(&mut self, at: &mut Cursor<'t>) -> Read<Name> {
        let of = self.name(at, "`chance` or `mean`")?;
        if FIGURES.contains(&of.text.as_str()) {
            return Some(of);
        }
        let help = match of.text.as_str() {
            "deviation" | "variance" | "sd" => "the standard deviation is `spread(…)`".to_owned(),
            "percentile" => "`quantile(…, 90)`".to_owned(),
            "p" | "probability" => "`chance(…)`".to_owned(),
            "average" | "expected" => "`mean(…)`".to_owned(),
            other => near(other, FIGURES),
        };
        self.faults.note(of.span, "`chance`, `mean` or another figure was expected", help);
        None
    }

    /// `, 90` of a quantile.
    fn percent(&mut self, at: &mut Cursor<'t>) -> Read<u32> {
        if !at.eat(",") {
            let problem = "a quantile takes a percentage";
            self.faults.note(at.peek().1, problem, "`quantile(x, 90)`");
            return None;
        }
        let (word, span) = at.take();
        let percent = match word {
            Word::Number(digits) => digits.parse().ok(),
            _ => None,
        };
        let percent = percent.filter(|percent| (1..=99).contains(percent));
        if percent.is_none() {
            let problem = "the percentage of a quantile is a number from 1 to 99";
            self.faults.note(span, problem, "`quantile(x, 90)`");
        }
        percent
    }

    /// Whether a figure can be added to those before it.
    fn add_up(&mut self, before: &[Figure], figure: &Figure) -> Read<()> {
        let is_sum = |of: &Name| matches!(of.text.as_str(), "chance" | "mean");
        let all = before.iter().chain([figure]).map(|figure| &figure.of);
        let Some(other) = all.into_iter().find(|of| !is_sum(of)) else { return Some(()) };
        let (difference, many) = match other.text.as_str() {
            "median" => ("median", "medians"),
            "spread" => ("spread", "spreads"),
            _ => ("quantile", "quantiles"),
        };
        let which = if figure.is_subtracted { "difference" } else { "sum" };
        let problem = format!("the {which} of two {many} is no {difference}");
        self.faults.note(figure.of.span.clone(), problem, "write two measures");
        None
    }

    /// Parses `carry target.wounds = e` and `carry target.weapons high e`.
    fn carry(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<Report> {
        let place = self.place(at)?;
        if place.path().is_none() {
            let help = "a field, or one of its record: `carry target.wounds = wounds`";
            self.faults.note(place.span, "expected the name of a field", help);
            return None;
        }
        let highest = at.eat("high");
        if !highest {
            self.expect(at, "=")?;
        }
        let value = self.expr(at)?;
        self.ends(at)?;
        self.nothing_inside(line);
        Some(Report::Carry { place, value, highest })
    }

    /// Parses the call of a reporting part.
    fn reporting_part(&mut self, line: &Line<'t>) -> Read<Report> {
        let mut at = Cursor::of(line);
        let call = self.place(&mut at)?;
        if !matches!(call.what, Says::Call(..)) {
            return self.behind_the_first(Word::End, line, &mut false);
        }
        self.ends(&at)?;
        self.nothing_inside(line);
        Some(Report::Call(call))
    }

    /// Reports another line after the first line of a report, once, and parses it as a line of the
    /// rule.
    fn behind_the_first(
        &mut self,
        word: Word<'t>,
        line: &Line<'t>,
        told: &mut bool,
    ) -> Read<Report> {
        if std::mem::replace(told, true) {
            self.block(std::slice::from_ref(line));
            return None;
        }
        let problem = "only `show`, `measure` and `carry` may follow the first `show`";
        let near = match word {
            Word::Name(word) => near(word, ["show", "measure", "keep", "carry"]),
            _ => String::new(),
        };
        let help = if near.is_empty() { "put it above the first `show`".to_owned() } else { near };
        self.faults.note(line.span(), problem, help);
        self.block(&line.inner);
        None
    }

    /// Parses parameters: `(u, changes n)`.
    pub(super) fn params(&mut self, at: &mut Cursor<'t>) -> Read<Vec<(Name, bool)>> {
        self.expect(at, "(")?;
        self.listed(at, ")", |reader, at| {
            let changes = at.eat("changes");
            Some((reader.name(at, "a parameter")?, changes))
        })
    }
}
