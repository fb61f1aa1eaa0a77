//! Reports of actions and parts: the lines after the rule.

use super::Reader;
use super::views::RuleLines;
use super::{RESERVED, Read};
use crate::diagnostics::near;
use crate::syntax::ast::{Name, Report, Says};
use crate::syntax::line_tree::Line;
use crate::syntax::token_cursor::{Cursor, Word};

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
        let of = self.name(at, "`chance` or `mean`")?;
        let kinds = ["chance", "mean", "deviation", "median"];
        if !kinds.contains(&of.text.as_str()) {
            self.faults.note(of.span, "expected `chance` or `mean`", "");
            return None;
        }
        self.expect(at, "(")?;
        let value = self.expr(at)?;
        self.expect(at, ")")?;
        let mut scale = Vec::new();
        loop {
            if at.eat("*") {
                scale.push((self.atom(at)?, false));
            } else if at.eat("/") {
                scale.push((self.atom(at)?, true));
            } else {
                break;
            }
        }
        let said = self.declarations().said(at, &line.inner)?;
        self.ends(at)?;
        Some(Report::Measure { name, of, value, scale, said })
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
