//! Annotations: texts, marks and rule references at the end of a line, or below it.

use super::Read;
use super::views::Declarations;
use crate::syntax::ast::{ABSENT, Name, Said};
use crate::syntax::line_tree::Line;
use crate::syntax::token_cursor::{Cursor, Word};

impl<'t> Declarations<'_, '_> {
    /// Parses the annotations at the end of a line and on the lines below it, in any order.
    pub(super) fn said(&mut self, at: &mut Cursor<'t>, below: &[Line<'t>]) -> Read<Said> {
        let mut said = Said::default();
        while self.says(at, &mut said)? {}
        if !below.is_empty() {
            self.ends(at)?;
        }
        for line in below {
            let mut at = Cursor::of(line);
            while self.says(&mut at, &mut said)? {}
            self.ends(&at)?;
            self.nothing_inside(line);
        }
        Some(said)
    }

    /// Parses one annotation, if there is one. Returns whether there was.
    fn says(&mut self, at: &mut Cursor<'t>, said: &mut Said) -> Read<bool> {
        if let Some(rule) = at.rule() {
            said.rule = rule.to_owned();
            return Some(true);
        }
        if let (Word::Text(text), span) = at.peek() {
            if !said.help.is_empty() {
                let problem = "there are two texts already: the label and the help";
                self.faults.note(span, problem, "");
                return None;
            }
            let place = match said.label.is_empty() {
                true => &mut said.label,
                false => &mut said.help,
            };
            *place = text.to_owned();
            at.take();
            return Some(true);
        }
        match at.peek().0 {
            Word::Name("rare") => said.rare = true,
            Word::Name("assumed") => said.assumed = true,
            Word::Name("optional") => said.optional = true,
            Word::Name("headline") => said.headline = true,
            Word::Name("finishing") => said.finishing = true,
            Word::Name("adds") => said.adds = true,
            Word::Name("harm") => said.harm = 1,
            Word::Name("gain") => said.harm = -1,
            Word::Name("unit" | "called") => {}
            _ => return Some(false),
        }
        match at.take().0 {
            Word::Name("unit") => said.unit = self.text(at)?,
            Word::Name("called") => said.called = Some(Box::new(self.called(at)?)),
            Word::Name("harm" | "gain") => said.degree = self.degree(at)?.map(Box::new),
            _ => {}
        }
        Some(true)
    }

    /// Parses `called "at rest" or "Moving"`: the labels of no and yes.
    fn called(&mut self, at: &mut Cursor<'t>) -> Read<(String, String)> {
        let no = self.text(at)?;
        self.expect(at, "or")?;
        Some((no, self.text(at)?))
    }

    /// Parses `harm 80 "kill"`: the severity, and its word.
    fn degree(&mut self, at: &mut Cursor<'t>) -> Read<Option<(i16, String)>> {
        let Word::Number(digits) = at.peek().0 else {
            return Some(None);
        };
        let span = at.take().1;
        let degree = self.number(digits, span.clone())?;
        let Some(degree) = i16::try_from(degree).ok().filter(|n| (1..=100).contains(n)) else {
            let problem = format!("a severity is 1 to 100, not {degree}");
            self.faults.note(span, problem, "");
            return None;
        };
        Some(Some((degree, self.text(at)?)))
    }

    /// Parses a word of a list with its printed text.
    pub(super) fn worded(&mut self, at: &mut Cursor<'t>) -> Read<(Name, String)> {
        let word = self.word(at, "a word")?;
        let said = match at.peek().0 {
            Word::Text(_) => self.text(at)?,
            _ => String::new(),
        };
        Some((word, said))
    }

    /// Parses a sentence that may continue in the texts below it, and the rule reference after it.
    pub(super) fn sentence(
        &mut self,
        at: &mut Cursor<'t>,
        line: &Line<'t>,
    ) -> Read<(String, String)> {
        let mut sentence = self.text(at)?;
        let mut rule = at.rule().unwrap_or_default();
        for line in &line.inner {
            let mut at = Cursor::of(line);
            sentence.push(' ');
            sentence.push_str(&self.text(&mut at)?);
            rule = at.rule().unwrap_or(rule);
            self.ends(&at)?;
            self.nothing_inside(line);
        }
        Some((sentence, rule.to_owned()))
    }

    /// Parses `direction "…"`, `off table "…"`, `absent NAME "…"` and, in an action, `question
    /// "…"`: the keyword with its text.
    pub(super) fn told(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<(Name, String)> {
        let (word, span) = at.take();
        let text = match word {
            Word::Name("off") if at.eat("table") => "off table".to_owned(),
            Word::Name("absent") => format!("{ABSENT}{}", self.name(at, "a name")?.text),
            Word::Name(text) => text.to_owned(),
            _ => return None,
        };
        let (sentence, _) = self.sentence(at, line)?;
        self.ends(at)?;
        Some((Name { text, span }, sentence))
    }

    /// Returns whether a line is a text of an action: its question, or the things it rolls.
    pub(super) fn is_told(line: &Line<'t>) -> bool {
        let mut at = Cursor::of(line);
        let told = match at.take().0 {
            Word::Name("off") => at.eat("table"),
            Word::Name("absent") => matches!(at.take().0, Word::Name(_)),
            Word::Name("question" | "direction") => true,
            _ => false,
        };
        told && matches!(at.peek().0, Word::Text(_))
    }
}
