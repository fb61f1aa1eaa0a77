//! Statements: the lines of a rule.

use super::foreign_syntax::habit;
use super::views::RuleLines;
use super::{RESERVED, Read, Reader};
use crate::diagnostics::words_in;
use crate::syntax::ast::{Arm, By, Do, Expr, Op, Says, Sentence, Stmt, Value};
use crate::syntax::line_tree::Line;
use crate::syntax::token_cursor::{Cursor, Word};

/// Keywords of lines that belong before the first statement of an action.
const ABOVE: [&str; 5] = ["check", "remark", "field", "group", "question"];

impl<'t> RuleLines<'_, '_> {
    /// Parses the statements of a block. A faulty line is reported, and the next one is read.
    pub(super) fn block(&mut self, lines: &[Line<'t>]) -> Vec<Stmt> {
        let mut done: Vec<Stmt> = Vec::new();
        for line in lines {
            let mut at = Cursor::of(line);
            if at.eat("else") {
                self.otherwise(&mut at, line, &mut done);
                continue;
            }
            let what = self.doing(&mut at, line).unwrap_or_else(|| self.guessed(line));
            // Lines below a statement without a block are read as if they followed it at the same
            // depth.
            let beside = what.is_plain();
            done.push(Stmt { span: line.span(), what });
            if beside {
                done.extend(self.block(&line.inner));
            }
        }
        done
    }

    /// Returns a statement for a line that could not be parsed, as far as its first word determines
    /// it, with its block.
    fn guessed(&mut self, line: &Line<'t>) -> Do {
        let mut at = Cursor::of(line);
        if at.eat("match") {
            self.unread(line);
            return self.arms(Expr::unread(line.span()), line);
        }
        if at.eat("choose") {
            let options = self.options(line).into_iter().flat_map(|(_, body)| body).collect();
            return self.unread_stmt(line, options).what;
        }
        let body = self.block(&line.inner);
        self.unread_stmt(line, body).what
    }

    /// Creates a statement for a line that could not be parsed, with its block.
    fn unread_stmt(&mut self, line: &Line<'t>, body: Vec<Stmt>) -> Stmt {
        self.unread(line);
        let span = line.span();
        let names = words_in(line.text).filter(|word| !RESERVED.contains(word));
        let names = names.map(|name| Expr::new(span.clone(), Says::Name(name.to_owned())));
        Stmt { what: Do::Unread(names.collect(), body), span }
    }

    /// Parses a body as [`body`](Self::body) does; if that fails, the block below the line.
    fn body_or_below(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Vec<Stmt> {
        self.body(at, line).unwrap_or_else(|| self.below(line))
    }

    /// Parses the block below a line that could not be parsed.
    fn below(&mut self, line: &Line<'t>) -> Vec<Stmt> {
        let body = self.block(&line.inner);
        vec![self.unread_stmt(line, body)]
    }

    /// Parses `c:` and the body.
    fn tested(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> (Expr, Vec<Stmt>) {
        match self.expr(at) {
            Some(when) => (when, self.body_or_below(at, line)),
            None => (Expr::unread(line.span()), self.below(line)),
        }
    }

    /// Parses `else:` or `else if c:` after an `if`.
    fn otherwise(&mut self, at: &mut Cursor<'t>, line: &Line<'t>, done: &mut Vec<Stmt>) {
        let open = match done.last_mut().map(|above| &mut above.what) {
            Some(Do::If(arms, last)) if last.is_empty() => Some((arms, last)),
            Some(Do::Unread(..)) => None,
            _ => {
                self.faults.note(line.span(), "there is no `if` above this `else`", "");
                return done.extend(self.below(line));
            }
        };
        let (when, body) = match at.eat("if") {
            true => {
                let (when, body) = self.tested(at, line);
                (Some(when), body)
            }
            false => (None, self.body_or_below(at, line)),
        };
        match (open, when) {
            (Some((arms, _)), Some(when)) => arms.push((when, body)),
            (Some((_, last)), None) => *last = body,
            (None, _) => done.push(self.unread_stmt(line, body)),
        }
    }

    fn doing(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Option<Do> {
        if at.eat("if") {
            return Some(Do::If(vec![self.tested(at, line)], Vec::new()));
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

    /// Parses `for i in a..b` and `for i in a down to b`.
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

    /// Parses `highest` or `lowest`.
    fn highest(&mut self, at: &mut Cursor<'t>, wanted: &str) -> Read<bool> {
        let highest = at.eat("highest");
        match highest || at.eat("lowest") {
            true => Some(highest),
            false => self.astray(at, wanted),
        }
    }

    /// Parses the body after `:`: the block below, or one statement on the same line.
    pub(super) fn body(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Option<Vec<Stmt>> {
        self.expect(at, ":")?;
        if at.is_done() {
            self.declarations().something_inside(line)?;
            return Some(self.block(&line.inner));
        }
        let start = at.place();
        let what = self.simple(at)?;
        self.ends(at)?;
        self.nothing_inside(line);
        let mut done = vec![Stmt { span: start..line.span().end, what }];
        done.extend(self.block(&line.inner));
        Some(done)
    }

    /// Parses a body as [`body`](Self::body) does; it may be empty.
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
                otherwise = self.arm(&mut at, inner).or_else(|| Some(self.below(inner)));
            } else if let Some(arm) = self.one_arm(&mut at, inner) {
                arms.push(arm);
            } else {
                // The words of a faulty arm are unknown, so it may match all of them.
                otherwise = Some(self.below(inner));
            }
        }
        Do::Match(value, arms, otherwise)
    }

    /// Parses `word or word number:`.
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

    /// `choose for highest x "label":` and its options.
    fn choice(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Option<Do> {
        self.expect(at, "for")?;
        let highest = self.highest(at, "`highest` or `lowest`")?;
        let name = self.name(at, "what is shown")?;
        let label = match at.peek().0 {
            Word::Text(_) | Word::Open(_) => self.text(at)?,
            _ => String::new(),
        };
        self.expect(at, ":")?;
        self.ends(at)?;
        Some(Do::Choose(highest, name, label, self.options(line)))
    }

    fn options(&mut self, line: &Line<'t>) -> Vec<(String, Vec<Stmt>)> {
        let mut options = Vec::new();
        for inner in &line.inner {
            let option = self.option(&mut Cursor::of(inner), inner);
            options.push(option.unwrap_or_else(|| (String::new(), self.below(inner))));
        }
        options
    }

    fn option(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Option<(String, Vec<Stmt>)> {
        self.expect(at, "option")?;
        let text = self.text(at)?;
        Some((text, self.arm(at, line)?))
    }

    /// Parses a text with values in it: `"{u.name} has {left - 1} left"`.
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

    /// Parses a statement that has no block.
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
            return Some(Do::Tally(name, self.after(at, "+=", Reader::expr)?));
        }
        self.given(at)
    }

    /// Parses `x = e`, `x += e`, or the call of a part.
    fn given(&mut self, at: &mut Cursor<'t>) -> Option<Do> {
        let mut behind = at.clone();
        behind.take();
        if ["=", "+=", "-="].iter().any(|sign| behind.is(sign))
            && let Some(die) = at.die_as_name()
        {
            return self.no_name(die, at.peek().1);
        }
        let Word::Name(word) = at.peek().0 else {
            return self.astray(at, "a statement");
        };
        if ABOVE.contains(&word) && matches!(behind.peek().0, Word::Name(_) | Word::Text(_)) {
            let problem = format!("`{word}` belongs above the rule");
            self.faults.note(at.peek().1, problem, "put it above the first statement");
            return None;
        }
        let place = self.place(at)?;
        if matches!(place.what, Says::Call(..)) {
            return Some(Do::Call(place));
        }
        for (sign, how) in [("+=", 1), ("-=", -1)] {
            if at.eat(sign) {
                let meant = at.is("(");
                let step = self.expr(at)?;
                if !meant {
                    self.bound_of_step(&place, sign, &step);
                }
                return Some(Do::Set(place, how, Value::One(step)));
            }
        }
        let habit = place.path().map_or("", |name| habit(&name));
        if !at.is("=") && !habit.is_empty() {
            self.faults.note(place.span, "this is not a statement", habit);
            return None;
        }
        self.expect(at, "=")?;
        Some(Do::Set(place, 0, self.value(at)?))
    }

    /// Reports `x += 1 at most 8`: the bound applies to the 1, which never reaches it, instead of
    /// `x`.
    fn bound_of_step(&mut self, place: &Expr, sign: &str, step: &Expr) {
        let Says::Two(op @ (Op::AtLeast | Op::AtMost), by, bound) = &step.what else { return };
        let (Some(by), Some(bound), Some(name)) = (by.literal(), bound.literal(), place.path())
        else {
            return;
        };
        let (at, bare) = (if *op == Op::AtMost { "at most" } else { "at least" }, &sign[..1]);
        let problem = format!("`{at} {bound}` bounds the {by}, and not `{name}`");
        let help = format!("`{name} = {name} {bare} {by} {at} {bound}`");
        self.faults.note(step.span.clone(), problem, help);
    }

    fn value(&mut self, at: &mut Cursor<'t>) -> Read<Value> {
        if at.eat("[") {
            return Some(Value::List(self.listed(at, "]", Reader::expr)?));
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
                // In `keep = 2` the word is a name.
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
