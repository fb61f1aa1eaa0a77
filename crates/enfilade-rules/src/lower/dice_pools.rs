//! Dice pools, rolled one die at a time and remembered only as far as needed.

use super::emitter::Emitter;
use super::lowered_value::{Num, Target};
use super::lowering::Lowering;
use super::range_arithmetic;
use super::views::DicePools;
use crate::diagnostics::Span;
use crate::resolve::uses;
use crate::syntax::ast::{Expr, Op as Sign, Pool, Says};
use crate::types::{Kind, LIST, Range};
use crate::vm::code::{Op, Stops, Two};

/// Largest number of dice in a pool.
const DICE: i64 = 255;
/// Numbers of sides of a die.
const SIDES: (i64, i64) = (1, 100);

/// Pool with all its operands evaluated.
#[derive(Clone, Copy)]
struct Thrown<'s> {
    tens: bool,
    sides: Num,
    count: Num,
    /// Kept dice: whether the highest, how many, and the place in the file.
    keep: Option<(bool, Num, &'s Span)>,
    reroll: Option<(Num, Num)>,
    again: Option<((Num, Num), Num)>,
    test: Option<(Two, Num)>,
    /// Registers of the kept dice: the first, how many, and whether they are the highest.
    kept: Option<(u8, u8, bool)>,
    /// Register of the sum of the faces, or of the number of faces that pass the test.
    sum: u8,
    span: &'s Span,
}

impl Thrown<'_> {
    /// Returns whether the pool has no modifiers.
    fn is_plain(&self) -> bool {
        self.keep.is_none() && self.reroll.is_none() && self.again.is_none() && self.test.is_none()
    }

    /// Returns the range of the sum.
    fn range(&self) -> Range {
        let more = self.again.map_or(0, |(_, most)| most.range.hi.max(0));
        let dice = self.count.range.hi.min(DICE).saturating_mul(1 + more);
        let dice = self.kept.map_or(dice, |(_, many, _)| many.into());
        let best = match (self.test, self.tens) {
            (Some(_), _) => 1,
            (None, true) => 66,
            (None, false) => self.sides.range.hi.min(SIDES.1),
        };
        Range::new(Kind::Number, 0, dice.saturating_mul(best).max(1))
    }
}

impl<'g> Lowering<'g> {
    /// Reports dice where none may be rolled.
    pub(super) fn no_dice(&mut self, expr: &Expr, place: &str) {
        if !self.checks() {
            return;
        }
        let mut found = None;
        uses::each_inner(expr, &mut |inner| {
            if matches!(inner.what, Says::Pool(_)) && found.is_none() {
                found = Some(inner.span.clone());
            }
        });
        if let Some(span) = found {
            let help = "roll them in a line of their own before";
            self.emitter.wrong(&span, format!("no dice in `{place}`"), help);
        }
    }
}

impl<'g> DicePools<'_, 'g> {
    /// Lowers a pool to the sum of its dice, or to the number that pass `test`.
    pub(super) fn pool(
        &mut self,
        pool: &'g Pool,
        test: Option<(Sign, &'g Expr)>,
        span: &Span,
    ) -> Num {
        let mut thrown = self.thrown(pool, test, span);
        let count = thrown.count;
        if thrown.keep.is_some() && thrown.again.is_some() {
            self.emitter.wrong(span, "`high` and `low` go with `reroll`, not with `again`", "");
        }
        if count.range.lo > DICE {
            let has = count.range.lo;
            let problem = format!("a pool has at most {DICE} dice, not {has}");
            return self.emitter.wrong(span, problem, "");
        }
        self.emitter.parameters.shapes(count);
        if let Some(sum) = thrown.is_plain().then(|| self.few_dice(&thrown)).flatten() {
            return sum;
        }
        if count.range.hi <= 0 {
            return Num::of(0);
        }
        thrown.kept = match self.kept_dice(&thrown) {
            Ok(kept) => kept,
            Err(wrong) => return wrong,
        };
        thrown.sum = self.emitter.fresh(span);
        self.rolled_pool(thrown)
    }

    /// Evaluates the operands of a pool, in the order of the language.
    fn thrown<'s>(
        &mut self,
        pool: &'g Pool,
        test: Option<(Sign, &'g Expr)>,
        span: &'s Span,
    ) -> Thrown<'s>
    where
        'g: 's,
    {
        if let Some(count) = &pool.count {
            self.scopes.grows_with(count);
        }
        Thrown {
            tens: pool.tens,
            count: pool.count.as_ref().map_or(Num::of(1), |count| self.whole(count)),
            sides: self.whole(&pool.sides),
            keep: pool.keep.as_ref().map(|(high, keep)| (*high, self.whole(keep), &keep.span)),
            reroll: pool.reroll.as_ref().map(|faces| self.faces(faces)),
            again: pool.again.as_ref().map(|(faces, most)| (self.faces(faces), self.whole(most))),
            test: test.and_then(|(sign, bound)| {
                let bound = self.whole(bound);
                Some((range_arithmetic::test_of(sign)?, bound))
            }),
            kept: None,
            sum: 0,
            span,
        }
    }

    /// Lowers one or two plain dice, without a loop.
    fn few_dice(&mut self, &Thrown { tens, sides, count, span, .. }: &Thrown) -> Option<Num> {
        match count.known()? {
            1 => Some(self.die(tens, sides, span)),
            2 if self.emitter.thrift.unrolls => {
                let sides = self.emitter.copied(sides, span);
                let first = self.die(tens, sides, span);
                let second = self.die(tens, sides, span);
                Some(self.emitter.joined(Two::Add, first, second, span))
            }
            _ => None,
        }
    }

    /// Allocates registers for the kept dice; `None` if all are kept.
    fn kept_dice(&mut self, thrown: &Thrown) -> Result<Option<(u8, u8, bool)>, Num> {
        let Some((high, keep, at)) = thrown.keep else { return Ok(None) };
        self.emitter.parameters.must_know(keep);
        let keep = match keep.known() {
            Some(keep) => keep,
            None if self.checks() => 1,
            None => {
                let problem = "the number of dice kept must not depend on a roll";
                return Err(self.emitter.wrong(at, problem, "use a field or a number"));
            }
        };
        if keep >= thrown.count.range.hi {
            return Ok(None);
        }
        if keep <= 0 {
            return Ok(Some((0, 0, high)));
        }
        let most = keep.min(LIST) as u8;
        Ok(Some((self.emitter.fresh_row(most.into(), at), most, high)))
    }

    /// Lowers a range of faces.
    pub(super) fn faces(&mut self, (from, to): &'g (Expr, Option<Expr>)) -> (Num, Num) {
        let first = self.whole(from);
        let last = match to {
            Some(to) => self.whole(to),
            None => first,
        };
        (first, last)
    }

    /// Lowers one die, or tens and ones.
    pub(super) fn die(&mut self, tens: bool, sides: Num, span: &Span) -> Num {
        let into = self.emitter.fresh(span);
        if !tens {
            return self.throw(sides, into, span);
        }
        let six = Num::of(6);
        let high = self.throw(six, into, span);
        let high = self.emitter.joined(Two::Mul, high, Num::of(10), span);
        let ones = self.emitter.fresh(span);
        let low = self.throw(six, ones, span);
        self.emitter.joined(Two::Add, high, low, span)
    }

    /// Emits one roll of one die.
    pub(super) fn throw(&mut self, sides: Num, into: u8, span: &Span) -> Num {
        if sides.range.hi < SIDES.0 || sides.range.lo > SIDES.1 {
            let problem = format!("a die has 1 to 100 sides, not {}", sides.range.lo);
            return self.emitter.wrong(span, problem, "");
        }
        self.emitter.parameters.shapes(sides);
        // The last card of a draw needs no roll.
        if sides.known() == Some(1) {
            self.emitter.constant(into, 1, span);
            return Num { at: into, ..Num::of(1) };
        }
        let stops = match sides.known() {
            Some(known) => Stops::Die(known as u8),
            None => Stops::DieOf(sides.at, SIDES.0 as u8),
        };
        self.stop_at(stops, into, span);
        let range = Range::new(Kind::Number, 1, sides.range.hi.min(SIDES.1));
        Num { range, at: into }
    }

    /// Lowers a pool to a loop over its dice: the state between two dice contains the sum, not the
    /// faces.
    fn rolled_pool(&mut self, mut thrown: Thrown) -> Num {
        let Thrown { tens, count, kept, sum, span, .. } = thrown;
        self.emitter.constant(sum, 0, span);
        let left = self.emitter.fresh(span);
        self.emitter.put_copy(left, count, span);
        if count.range.hi > DICE {
            self.at_most_dice(left, span);
        }
        thrown.sides = self.emitter.copied(thrown.sides, span);
        if let Some((base, many, _)) = kept {
            (base..base + many).for_each(|reg| self.emitter.constant(reg, 0, span));
        }
        self.while_left(left, span, |lowering, _| {
            let top = lowering.emitter.top;
            let face = lowering.dice().die(tens, thrown.sides, span);
            if let Some(faces) = thrown.reroll {
                lowering.dice().reroll(&thrown, faces, face);
            }
            lowering.dice().take_face(&thrown, face);
            if let Some((faces, most)) = thrown.again {
                lowering.dice().again(&thrown, faces, most, face);
            }
            lowering.emitter.release(top);
        });
        if let Some((base, many, _)) = kept {
            (base..base + many).for_each(|reg| self.take_kept(&thrown, reg));
        }
        Num { range: thrown.range(), at: sum }
    }

    /// Emits a loop that counts a register down to 0.
    fn while_left(
        &mut self,
        left: u8,
        span: &Span,
        turn: impl FnOnce(&mut Lowering<'g>, &mut Target),
    ) {
        let head = self.emitter.head();
        let mut out = Target::default();
        self.emitter.may_jump(Op::UnlessCmpK(Two::Gt, left, 0, 0), &mut out, span);
        turn(self, &mut out);
        self.emitter.emit(Op::BinK(Two::Sub, left, left, 1), span);
        self.emitter.emit(Op::Jump(head as u16), span);
        self.emitter.env = None;
        self.emitter.land(out);
    }

    /// Emits a check for too many dice where their number is rolled.
    pub(super) fn at_most_dice(&mut self, left: u8, span: &Span) {
        let mut fine = Target::default();
        self.emitter.may_jump(Op::UnlessCmpK(Two::Gt, left, DICE as i16, 0), &mut fine, span);
        self.emitter.fail(span, format!("a pool has at most {DICE} dice"), String::new());
        self.emitter.land(fine);
    }

    /// Emits the use of a face: among the kept dice, or in the sum.
    fn take_face(&mut self, thrown: &Thrown, face: Num) {
        let Thrown { kept, test, sum, span, .. } = *thrown;
        match (kept, test) {
            (Some((base, many, high)), _) => {
                self.emitter.emit(Op::Keep(base, many, face.at, high), span);
            }
            (None, None) => {
                self.emitter.emit(Op::Bin(Two::Add, sum, sum, face.at), span);
            }
            (None, Some(test)) => self.count_if(sum, test, face, span),
        }
    }

    /// Adds a kept die, or counts it. A 0 is a missing die, if fewer dice were rolled than are
    /// kept.
    fn take_kept(&mut self, &Thrown { test, sum, span, .. }: &Thrown, reg: u8) {
        let Some(test) = test else {
            self.emitter.emit(Op::Bin(Two::Add, sum, sum, reg), span);
            return;
        };
        let mut none = Target::default();
        self.emitter.may_jump(Op::UnlessCmpK(Two::Gt, reg, 0, 0), &mut none, span);
        let range = Range::new(Kind::Number, 1, SIDES.1);
        self.count_if(sum, test, Num { range, at: reg }, span);
        self.emitter.land(none);
    }

    /// Adds 1 if a face passes a test; a constant test emits no code.
    fn count_if(&mut self, sum: u8, (test, bound): (Two, Num), face: Num, span: &Span) {
        let passes = self.emitter.joined(test, face, bound, span);
        match passes.known() {
            Some(0) => {}
            Some(_) => {
                self.emitter.emit(Op::BinK(Two::Add, sum, sum, 1), span);
            }
            None => {
                self.emitter.emit(Op::Bin(Two::Add, sum, sum, passes.at), span);
            }
        }
    }

    /// Emits a jump that is taken unless a face is in a range.
    fn unless_between(&mut self, face: Num, (from, to): (Num, Num), no: &mut Target, span: &Span) {
        for (test, bound) in [(Two::Ge, from), (Two::Le, to)] {
            let bound = self.emitter.in_reg(bound, span);
            self.emitter.may_jump(Op::UnlessCmp(test, face.at, bound, 0), no, span);
        }
    }

    /// Rolls a die again if its face is in the range.
    fn reroll(&mut self, thrown: &Thrown, faces: (Num, Num), face: Num) {
        let mut stands = Target::default();
        self.unless_between(face, faces, &mut stands, thrown.span);
        let second = self.die(thrown.tens, thrown.sides, thrown.span);
        self.emitter.emit(Op::Copy(face.at, second.at), thrown.span);
        self.emitter.land(stands);
    }

    /// Lowers an explosion: a face in the range adds a die, which may explode in turn.
    fn again(&mut self, thrown: &Thrown, faces: (Num, Num), most: Num, face: Num) {
        let span = thrown.span;
        let left = self.emitter.fresh(span);
        self.emitter.put_copy(left, most, span);
        let now = self.emitter.made(face.range, span, |at| Op::Copy(at, face.at));
        self.while_left(left, span, |lowering, out| {
            lowering.dice().unless_between(now, faces, out, span);
            let more = lowering.dice().die(thrown.tens, thrown.sides, span);
            lowering.emitter.emit(Op::Copy(now.at, more.at), span);
            lowering.dice().take_face(thrown, now);
        });
    }
}

impl Emitter {
    /// Copies a number to a register.
    pub(super) fn put_copy(&mut self, reg: u8, num: Num, span: &Span) {
        match num.known() {
            Some(value) => self.constant(reg, value, span),
            None => {
                self.emit(Op::Copy(reg, num.at), span);
            }
        }
    }
}
