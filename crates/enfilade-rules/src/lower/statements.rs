//! Statements: assignments, conditions, matches, decisions, the end.

use super::emitter::Emitter;
use super::lowered_value::{Choice, Num, Target, Value};
use super::lowering::Lowering;
use super::scopes::Scopes;
use super::views::Statements;
use crate::diagnostics::{Span, near};
use crate::syntax::ast::{Arm, Do, Expr, Name, Says, Stmt};
use crate::types::{Fixed, Kind};
use crate::vm::code::{Op, Stops, Two};
use crate::vm::trace_marks::{Mark, Piece, Said, Sides};
use enfilade_model::form::ROW_NAME;

/// Largest number of options of a decision.
const OPTIONS: usize = 8;

impl<'g> Lowering<'g> {
    pub(super) fn stmt(&mut self, line: &'g Stmt) {
        let mark = std::mem::replace(&mut self.emitter.mark, self.emitter.top);
        let top = self.emitter.top;
        let kept = self.statements().doing(line);
        self.emitter.release(top + kept);
        self.emitter.mark = mark;
    }
}

impl<'g> Statements<'_, 'g> {
    /// Lowers a line. Returns the number of registers that it leaves for a new variable.
    pub(super) fn doing(&mut self, line: &'g Stmt) -> usize {
        let span = &line.span;
        match &line.what {
            Do::Set(place, sign, value) => {
                return self.assignments().set(place, *sign, value, span);
            }
            Do::If(arms, other) => {
                return self
                    .assignments()
                    .through(line, span, |lowering| lowering.statements().conditions(arms, other));
            }
            Do::For(name, from, to, down, body) => {
                self.counted(name, (from, to, *down), body, span);
            }
            Do::Each(of, body) => self.each(of, body, span),
            Do::Pick(of, by, body) => self.bags().pick(of, by, body, span),
            Do::Repeat(body) => self.repeat(body, span),
            Do::Match(value, arms, other) => {
                let other = other.as_deref();
                return self.assignments().through(line, span, |lowering| {
                    lowering.statements().matched(value, arms, other, span)
                });
            }
            Do::Choose(highest, goal, label, options) => {
                let choose = |lowering: &mut Lowering<'g>| {
                    lowering.statements().choose(*highest, goal, label, options, span)
                };
                return self.assignments().through(line, span, choose);
            }
            Do::Call(call) => self.perform(call),
            Do::Stop => self.stop(span),
            Do::End => self.end_here(span),
            Do::Give(value) => self.give(value, span),
            Do::Tally(name, amount) => self.tally(name, amount.as_ref(), span),
            Do::Note(text) => self.note(text, span),
            Do::Unread(names, body) => self.unread(names, body, span),
        }
        0
    }

    /// Lowers a line that could not be parsed: it may assign the names in it, run the lines below
    /// it, or leave a loop.
    fn unread(&mut self, names: &'g [Expr], body: &'g [Stmt], span: &Span) {
        for name in names.iter().filter_map(crate::resolve::uses::root) {
            self.unsure_of(name);
        }
        let at = self.emitter.fresh(span);
        let leaves = self.scopes.frames.last().is_some_and(|frame| !frame.loops.is_empty());
        self.enter_loop();
        let mut past = Target::default();
        self.emitter.may_jump(Op::Unless(at, 0), &mut past, span);
        self.block(body);
        self.emitter.land(past);
        self.leave_loop();
        if leaves {
            let mut past = Target::default();
            self.emitter.may_jump(Op::Unless(at, 0), &mut past, span);
            self.stop(span);
            self.emitter.land(past);
        }
    }

    /// Lowers `end`: jumps to the report.
    fn end_here(&mut self, span: &Span) {
        let Some(mut end) = self.emitter.end.take() else {
            let problem = "`end` cannot be used in a part that the report calls";
            self.emitter.wrong(span, problem, "put the lines after it under an `if`");
            return;
        };
        self.scopes.ended = true;
        self.emitter.close_loops(0, span);
        self.emitter.jump(&mut end, span);
        self.emitter.end = Some(end);
    }

    /// Lowers a `note` with its values.
    pub(super) fn note(&mut self, pieces: &'g [(String, Option<Expr>)], span: &Span) {
        if self.emitter.why == super::Why::Play {
            return;
        }
        let top = self.emitter.top;
        let mut said = Vec::new();
        for (text, value) in pieces {
            said.push(Piece::Text(text.clone()));
            if let Some(value) = value {
                self.no_dice_in(value, "note");
                said.push(self.piece(value));
            }
        }
        self.emitter.tell(Mark::new(span, Said::Note(said)));
        self.emitter.release(top);
    }

    /// Returns a value as a piece of a sentence.
    fn piece(&mut self, value: &'g Expr) -> Piece {
        let span = &value.span;
        if let Says::Column(of, column) = &value.what {
            match self.value(of, None) {
                Value::Thing(bag, cursor) => {
                    return self.bags().thing_piece(bag, cursor, &column.text, span);
                }
                Value::Fixed(fixed) if column.text == ROW_NAME => {
                    return Piece::Text(self.scopes.shown_of(&fixed, ROW_NAME));
                }
                _ => {}
            }
        }
        match self.value(value, None) {
            Value::Fixed(fixed @ (Fixed::Record(_) | Fixed::Row(_))) => {
                Piece::Text(self.scopes.shown_of(&fixed, ""))
            }
            Value::Thing(bag, cursor) => self.bags().thing_piece(bag, cursor, ROW_NAME, span),
            other => {
                let num = self.as_number(other, span);
                self.scopes.piece_of(num)
            }
        }
    }

    /// Lowers `if`, `elif` and `else`.
    pub(super) fn conditions(&mut self, arms: &'g [(Expr, Vec<Stmt>)], other: &'g [Stmt]) {
        let mut end = Target::default();
        for (when, body) in arms {
            let mut no = Target::default();
            let decided = self.tested_arm(when, &mut no);
            if decided != Some(false) && !self.emitter.is_dead() {
                self.block(body);
            }
            match decided {
                Some(true) => return self.emitter.land(end),
                Some(false) => continue,
                None => self.emitter.jump(&mut end, &when.span),
            }
            self.emitter.land(no);
            if self.emitter.is_dead() {
                break;
            }
        }
        if !self.emitter.is_dead() {
            self.block(other);
        }
        self.emitter.land(end);
    }

    /// Emits a jump that is taken if a test fails. Returns the outcome if it is constant, and the
    /// compared numbers for the trace.
    fn told_test(&mut self, when: &'g Expr, no: &mut Target) -> (Option<bool>, Option<Sides>) {
        if let Says::Two(sign, a, b) = &when.what
            && let Some(test) = super::range_arithmetic::test_of(*sign)
            && !self.emitter.is_dead()
        {
            let (x, y) = self.expressions().pair(test, a, b);
            let decided = self.expressions().jump_if_test(test, x, y, false, no, &when.span);
            let numbers = x.range.kind == Kind::Number;
            let sides = numbers.then(|| Sides {
                left: self.scopes.piece_of(x),
                sign: a.span.end..b.span.start,
                right: self.scopes.piece_of(y),
            });
            return (decided, sides);
        }
        (self.jump_if(when, false, no), None)
    }

    /// Lowers the condition of an `if`, with its trace.
    pub(super) fn tested_arm(&mut self, when: &'g Expr, no: &mut Target) -> Option<bool> {
        if self.emitter.why != super::Why::Tell {
            return self.jump_if(when, false, no);
        }
        let mut inner = Target::default();
        let (decided, sides) = self.told_test(when, &mut inner);
        if decided.is_some() {
            return decided;
        }
        self.emitter.tell(Mark::new(&when.span, Said::Test(true, sides.clone())));
        let mut yes = Target::default();
        self.emitter.jump(&mut yes, &when.span);
        self.emitter.land(inner);
        if !self.emitter.is_dead() {
            self.emitter.tell(Mark::new(&when.span, Said::Test(false, sides)));
            self.emitter.jump(no, &when.span);
        }
        self.emitter.land(yes);
        None
    }

    /// Lowers `match x`, whose arms are selected by a word or by the word of a printed cell.
    pub(super) fn matched(
        &mut self,
        value: &'g Expr,
        arms: &'g [Arm],
        other: Option<&'g [Stmt]>,
        span: &Span,
    ) {
        let (word, number) = self.word_and_number(value, None);
        self.tell_match(value, word, number);
        let Some(list) = self.list_of(word, &value.span) else { return };
        if self.checks() {
            self.all_said(list, arms, other.is_some(), span);
        }
        let mut end = Target::default();
        for (at, arm) in arms.iter().enumerate() {
            // All words have an arm, so the last arm needs no test.
            let is_last = other.is_none() && at + 1 == arms.len();
            let taken = self.arm(word, number, arm, is_last, &mut end);
            if taken == Some(true) {
                return self.emitter.land(end);
            }
            if self.emitter.is_dead() {
                break;
            }
        }
        if let Some(other) = other.filter(|_| !self.emitter.is_dead()) {
            self.block(other);
        }
        self.emitter.land(end);
    }

    /// Returns the list of a word.
    fn list_of(&mut self, word: Num, span: &Span) -> Option<u16> {
        match word.range.kind {
            Kind::Word(list) => return Some(list),
            Kind::Any => {}
            kind => {
                let found = self.scopes.game.kind_name(kind);
                let problem = format!("`match` needs a word, and this is {found}");
                self.emitter.wrong(span, problem, "`if` tests numbers");
            }
        }
        None
    }

    /// Lowers a value to a word and a number if it is a printed cell, or to a number.
    fn word_and_number(&mut self, value: &'g Expr, want: Option<Kind>) -> (Num, Option<Num>) {
        let found = self.value(value, want);
        match self.opened(found, &value.span) {
            Value::Cell(word, number) => (word, Some(number)),
            found => (self.as_number(found, &value.span), None),
        }
    }

    /// Traces the word that is matched.
    pub(super) fn tell_match(&mut self, value: &Expr, word: Num, number: Option<Num>) {
        if self.emitter.why != super::Why::Tell {
            return;
        }
        let (word, number) =
            (self.scopes.piece_of(word), number.map(|number| self.scopes.piece_of(number)));
        self.emitter.tell(Mark::new(&value.span, Said::Cell(word, number)));
    }

    /// Resolves an arm's word to its index in the list.
    pub(super) fn arm_word(&mut self, list: u16, word: &Name) -> Option<i64> {
        let place = self.scopes.game.word(list, &word.text);
        if place.is_none() {
            let list = &self.scopes.game.words[usize::from(list)];
            let help = near(&word.text, list.each());
            let problem = format!("`{}` is not a word of `{}`", word.text, list.name);
            self.emitter.wrong(&word.span, problem, help);
        }
        place.map(|place| place as i64)
    }

    /// Lowers one arm of a match. Returns whether it is always taken, or never, if that is
    /// constant. The last arm takes all that is left.
    fn arm(
        &mut self,
        word: Num,
        number: Option<Num>,
        arm: &'g Arm,
        is_last: bool,
        end: &mut Target,
    ) -> Option<bool> {
        let Kind::Word(list) = word.range.kind else { return None };
        let span = arm.words.first().map_or(0..0, |word| word.span.clone());
        let words = arm.words.iter();
        let places: Vec<i64> = words.filter_map(|word| self.arm_word(list, word)).collect();
        let known = word.known().filter(|_| !self.checks());
        let taken = known.map(|known| places.contains(&known));
        if taken == Some(false) {
            return taken;
        }
        let mut no = Target::default();
        if taken.is_none() && !is_last {
            self.unless_one_of(word, &places, &mut no, &span);
        }
        self.arm_body(arm, number);
        if taken.is_none() {
            self.emitter.jump(end, &span);
        }
        self.emitter.land(no);
        taken
    }

    /// Lowers the body of an arm, with a name for the number of the printed cell.
    fn arm_body(&mut self, arm: &'g Arm, number: Option<Num>) {
        match (&arm.number, number) {
            (Some(name), Some(number)) => {
                self.with(name, Value::Num(number), |lowering| lowering.block(&arm.body));
            }
            (name, _) => {
                if let Some(name) = name {
                    self.emitter.wrong(
                        &name.span,
                        "a word has no number: only printed cells do",
                        "",
                    );
                }
                self.block(&arm.body);
            }
        }
    }

    /// Emits a jump that is taken unless a word is one of several.
    fn unless_one_of(&mut self, word: Num, places: &[i64], no: &mut Target, span: &Span) {
        let Some((last, first)) = places.split_last() else { return };
        let source = self.emitter.in_reg(word, span);
        let mut yes = Target::default();
        for place in first {
            self.emitter.may_jump(
                Op::UnlessCmpK(Two::Ne, source, *place as i16, 0),
                &mut yes,
                span,
            );
        }
        self.emitter.may_jump(Op::UnlessCmpK(Two::Eq, source, *last as i16, 0), no, span);
        self.emitter.land(yes);
    }

    /// Reports words without an arm.
    pub(super) fn all_said(&mut self, list: u16, arms: &[Arm], has_other: bool, span: &Span) {
        let said: Vec<&str> =
            arms.iter().flat_map(|arm| arm.words.iter().map(|word| word.text.as_str())).collect();
        for (place, word) in arms.iter().flat_map(|arm| &arm.words).enumerate() {
            if said[..place].contains(&word.text.as_str()) {
                let problem = format!("`{}` has an arm already", word.text);
                self.emitter.faults.note(word.span.clone(), problem, "");
            }
        }
        let words = &self.scopes.game.words[usize::from(list)].words;
        let left = words.iter().find(|(word, _)| !said.contains(&word.as_str()));
        if let Some((left, _)) = left.filter(|_| !has_other) {
            let problem = format!("`match` has no arm for `{left}`");
            self.emitter.faults.note(span.clone(), problem, format!("add `{left}:`, or `else:`"));
        }
    }

    /// Lowers `choose for highest x`: the rule suspends as at a die, and a policy selects the
    /// option.
    pub(super) fn choose(
        &mut self,
        highest: bool,
        goal: &'g Name,
        label: &str,
        options: &'g [(String, Vec<Stmt>)],
        span: &Span,
    ) {
        if options.is_empty() || options.len() > OPTIONS {
            self.emitter.wrong(span, format!("a `choose` has 1 to {OPTIONS} options"), "");
            return;
        }
        let decision = self.scopes.choices.len() as u8;
        self.scopes.choices.push(Choice {
            highest,
            goal: goal.clone(),
            label: label.to_owned(),
            options: options.iter().map(|(text, _)| text.clone()).collect(),
            span: span.clone(),
        });
        let into = self.emitter.fresh(span);
        self.stop_at(Stops::Choice(decision, options.len() as u8), into, span);
        self.options(options, into, span);
    }

    /// Lowers the options, selected by their number from 1.
    fn options(&mut self, options: &'g [(String, Vec<Stmt>)], into: u8, span: &Span) {
        let mut end = Target::default();
        for (at, (_, body)) in options.iter().enumerate() {
            let mut no = Target::default();
            if at + 1 < options.len() {
                let op = Op::UnlessCmpK(Two::Eq, into, at as i16 + 1, 0);
                self.emitter.may_jump(op, &mut no, span);
            }
            self.block(body);
            self.emitter.jump(&mut end, span);
            self.emitter.land(no);
        }
        self.emitter.land(end);
    }

    /// Lowers `give x`: every `give` of a part has the same type and register, and leaves the loops
    /// of the part.
    pub(super) fn give(&mut self, value: &'g Expr, span: &Span) {
        let Some(mut gives) = self.scopes.frames.last_mut().and_then(|frame| frame.gives.take())
        else {
            self.emitter.wrong(span, "`give` is only valid in a part", "");
            return;
        };
        let (num, number) = self.word_and_number(value, gives.kind);
        let kind = gives.kind.unwrap_or(num.range.kind);
        let same = gives.kind.is_none() || gives.is_cell == number.is_some();
        let num = match same {
            true => self.of_kind(num, kind, &value.span),
            false => {
                self.emitter.wrong(&value.span, "another `give` of this part has another type", "")
            }
        };
        (gives.is_cell, gives.kind) = (number.is_some(), Some(kind));
        self.emitter.store(gives.into, num, span);
        if let Some(number) = number {
            self.emitter.store(gives.into + 1, number, span);
        }
        self.emitter.close_loops(gives.opens, span);
        self.emitter.jump(&mut gives.out, span);
        if let Some(frame) = self.scopes.frames.last_mut() {
            frame.gives = Some(gives);
        }
    }

    /// Lowers `tally x += e`: a count that only measures read is not part of the state.
    pub(super) fn tally(&mut self, name: &'g Name, amount: Option<&'g Expr>, span: &Span) {
        if self.scopes.local(&name.text).is_some() || self.scopes.taken(&name.text).is_some() {
            let problem = format!("`{}` is something else already", name.text);
            self.emitter.wrong(&name.span, problem, "give the tally another name");
        }
        let amount = match amount {
            Some(amount) => self.whole(amount),
            None => Num::of(1),
        };
        let known = self.scopes.tallies.iter().position(|known| *known == name.text);
        let counter = known.unwrap_or_else(|| {
            self.scopes.tallies.push(name.text.clone());
            self.scopes.tallies.len() - 1
        });
        if amount.range.lo < 0 {
            self.scopes.counting_down.insert(counter as u8);
        }
        let source = self.emitter.in_reg(amount, span);
        self.emitter.emit(Op::Tally(counter as u8, source), span);
    }
}

impl<'g> Scopes<'g> {
    /// Returns a number as a piece of a sentence, as text if it is constant.
    pub(super) fn piece_of(&self, num: Num) -> Piece {
        match num.known() {
            Some(known) => Piece::Text(self.game.shown(num.range.kind, known)),
            None => Piece::Value(num.at, num.range.kind),
        }
    }
}

impl Emitter {
    /// Emits a trace mark, if the rule is traced.
    pub(super) fn tell(&mut self, mark: Mark) {
        if self.why == super::Why::Tell {
            let span = mark.span.clone();
            self.program.marks.push(mark);
            let place = (self.program.marks.len() - 1) as u16;
            self.emit(Op::Tell(place), &span);
        }
    }
}
