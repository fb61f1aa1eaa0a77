//! Statements: the rule as the rulebook tells it, a line each.

use super::Read;
use super::Reader;
use super::habits::habit;
use crate::rulebook::cursor::{Cursor, Word};
use crate::rulebook::lines::Line;
use crate::rulebook::tree::{Arm, By, Do, Expr, Says, Sentence, Stmt, Value};

impl<'t> Reader<'_> {
    /// The statements of some lines. What is wrong is noted, and the next line is read.
    pub(super) fn block(&mut self, lines: &[Line<'t>]) -> Vec<Stmt> {
        let mut done: Vec<Stmt> = Vec::new();
        for line in lines {
            let mut at = Cursor::of(line);
            if at.is("else") {
                self.otherwise(&mut at, line, done.last_mut());
            } else if let Some(stmt) = self.stmt(at, line) {
                done.push(stmt);
            }
        }
        done
    }

    /// `else:` or `else if c:` after an `if`.
    fn otherwise(&mut self, at: &mut Cursor<'t>, line: &Line<'t>, before: Option<&mut Stmt>) {
        at.eat("else");
        let open = match before {
            Some(Stmt { what: Do::If(arms, last), .. }) if last.is_empty() => Some((arms, last)),
            _ => None,
        };
        let Some((arms, last)) = open else {
            self.faults.note(line.span(), "there is no `if` above this `else`", "");
            return;
        };
        if at.eat("if") {
            let Some(when) = self.expr(at) else { return };
            let body = self.body(at, line);
            arms.extend(body.map(|body| (when, body)));
        } else if let Some(body) = self.body(at, line) {
            *last = body;
        }
    }

    fn stmt(&mut self, mut at: Cursor<'t>, line: &Line<'t>) -> Option<Stmt> {
        Some(Stmt { span: line.span(), what: self.doing(&mut at, line)? })
    }

    fn doing(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Option<Do> {
        if at.eat("if") {
            let when = self.expr(at)?;
            return Some(Do::If(vec![(when, self.body(at, line)?)], Vec::new()));
        }
        if at.eat("for") {
            return self.counted(at, line);
        }
        if at.eat("each") {
            return Some(Do::Each(self.members(at)?, self.body(at, line)?));
        }
        if at.eat("pick") {
            let members = self.members(at)?;
            self.expect(at, "by")?;
            return Some(Do::Pick(members, self.picked(at)?, self.body(at, line)?));
        }
        if at.eat("repeat") {
            return Some(Do::Repeat(self.body(at, line)?));
        }
        if at.eat("match") {
            let value = self.expr(at)?;
            self.expect(at, ":")?;
            self.ends(at)?;
            return Some(self.arms(value, line));
        }
        if at.eat("choose") {
            return self.choice(at, line);
        }
        let what = self.simple(at)?;
        self.ends(at)?;
        self.nothing_inside(line);
        Some(what)
    }

    /// `for i in a..b`, `for i in a down to b`.
    fn counted(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Option<Do> {
        let name = self.name(at, "a name that counts")?;
        self.expect(at, "in")?;
        let from = self.expr(at)?;
        let down = !at.eat("..");
        if down && !(at.eat("down") && at.eat("to")) {
            return self.astray(at, "`..` or `down to`");
        }
        let to = self.expr(at)?;
        Some(Do::For(name, from, to, down, self.body(at, line)?))
    }

    fn picked(&mut self, at: &mut Cursor<'t>) -> Read<By> {
        if at.eat("random") {
            return Some(By::Random);
        }
        let highest = self.highest(at, "`random`, `lowest` or `highest`")?;
        Some(By::Key(highest, self.expr(at)?))
    }

    /// `highest` or `lowest`.
    fn highest(&mut self, at: &mut Cursor<'t>, wanted: &str) -> Read<bool> {
        let highest = at.eat("highest");
        match highest || at.eat("lowest") {
            true => Some(highest),
            false => self.astray(at, wanted),
        }
    }

    /// What stands behind `:`: the lines below, or one statement on the same line.
    pub(super) fn body(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Option<Vec<Stmt>> {
        self.expect(at, ":")?;
        if at.is_done() {
            self.something_inside(line)?;
            return Some(self.block(&line.inner));
        }
        let start = at.place();
        let what = self.simple(at)?;
        self.ends(at)?;
        self.nothing_inside(line);
        Some(vec![Stmt { span: start..line.span().end, what }])
    }

    /// As [`body`](Self::body), but nothing need stand there.
    fn arm(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Option<Vec<Stmt>> {
        let mut ahead = at.clone();
        if ahead.eat(":") && ahead.is_done() && line.inner.is_empty() {
            return Some(Vec::new());
        }
        self.body(at, line)
    }

    fn arms(&mut self, value: Expr, line: &Line<'t>) -> Do {
        let (mut arms, mut otherwise) = (Vec::new(), None);
        for inner in &line.inner {
            let mut at = Cursor::of(inner);
            if at.eat("else") {
                otherwise = self.arm(&mut at, inner).or(otherwise);
            } else {
                arms.extend(self.one_arm(&mut at, inner));
            }
        }
        Do::Match(value, arms, otherwise)
    }

    /// `word or word number:`.
    fn one_arm(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Option<Arm> {
        let mut words = vec![self.name(at, "a word")?];
        while at.eat("or") {
            words.push(self.name(at, "a word")?);
        }
        let number = match at.is(":") {
            true => None,
            false => Some(self.name(at, "`:`, or a name for the number")?),
        };
        let body = self.arm(at, line)?;
        Some(Arm { words, number, body })
    }

    /// `choose for highest x:` and its options.
    fn choice(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Option<Do> {
        self.expect(at, "for")?;
        let highest = self.highest(at, "`highest` or `lowest`")?;
        let name = self.name(at, "what is shown")?;
        self.expect(at, ":")?;
        self.ends(at)?;
        let mut options = Vec::new();
        for inner in &line.inner {
            let mut at = Cursor::of(inner);
            options.extend(self.option(&mut at, inner));
        }
        Some(Do::Choose(highest, name, options))
    }

    fn option(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Option<(String, Vec<Stmt>)> {
        self.expect(at, "option")?;
        let text = self.text(at)?;
        Some((text, self.arm(at, line)?))
    }

    /// A text with values in it: `"{u.name} has {left - 1} left"`.
    pub(super) fn pieces(&mut self, at: &mut Cursor<'t>) -> Option<Sentence> {
        let quoted = self.quoted(at)?;
        let mut inner = at.inside(&quoted.span);
        let mut pieces = Vec::new();
        while let Some((text, mut value)) = inner.next_value() {
            let said = match value.is_done() {
                true => None,
                false => Some(self.expr(&mut value)?),
            };
            self.ends(&value)?;
            pieces.push((text.to_owned(), said));
        }
        Some(pieces)
    }

    /// A statement that has no block.
    fn simple(&mut self, at: &mut Cursor<'t>) -> Option<Do> {
        if at.eat("stop") {
            return Some(Do::Stop);
        }
        if at.eat("end") {
            return Some(Do::End);
        }
        if at.eat("give") {
            return Some(Do::Give(self.expr(at)?));
        }
        if at.eat("note") {
            return Some(Do::Note(self.pieces(at)?));
        }
        if at.eat("tally") {
            let name = self.name(at, "what is counted")?;
            return Some(Do::Tally(name, self.after(at, "+=", Self::expr)?));
        }
        self.given(at)
    }

    /// `x = e`, `x += e`, or a part that is called.
    fn given(&mut self, at: &mut Cursor<'t>) -> Option<Do> {
        if !matches!(at.peek().0, Word::Name(_)) {
            return self.astray(at, "a statement");
        }
        let place = self.place(at)?;
        if matches!(place.what, Says::Call(..)) {
            return Some(Do::Call(place));
        }
        for (sign, how) in [("+=", 1), ("-=", -1)] {
            if at.eat(sign) {
                return Some(Do::Set(place, how, Value::One(self.expr(at)?)));
            }
        }
        let habit = place.path().map_or("", |name| habit(&name));
        if !at.is("=") && !habit.is_empty() {
            self.faults.note(place.span, "this is no statement", habit);
            return None;
        }
        self.expect(at, "=")?;
        Some(Do::Set(place, 0, self.value(at)?))
    }

    fn value(&mut self, at: &mut Cursor<'t>) -> Read<Value> {
        if at.eat("[") {
            return Some(Value::List(self.listed(at, "]", Self::expr)?));
        }
        if !at.eat("bag") {
            return Some(Value::One(self.expr(at)?));
        }
        self.expect(at, "of")?;
        let of = self.sum(at)?;
        let (mut with, mut kept) = (Vec::new(), Vec::new());
        if at.eat("with") {
            loop {
                let mut name = self.name(at, "what changes")?;
                // In `keep = 2` it is a name as any other.
                if name.text == "keep" && !at.is("=") {
                    name = self.name(at, "what changes")?;
                    kept.push(name.text.clone());
                }
                self.expect(at, "=")?;
                with.push((name, self.expr(at)?));
                if !at.eat(",") {
                    break;
                }
            }
        }
        Some(Value::Bag(of, with, kept))
    }
}
