//! Dice: one after the other, each remembered only as far as it is asked for.

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

/// Dice of a pool.
const DICE: i64 = 255;
/// Sides of a die.
const SIDES: (i64, i64) = (1, 100);

/// Dice that are thrown, with all that is said of them reckoned.
#[derive(Clone, Copy)]
struct Thrown<'s> {
    tens: bool,
    sides: Num,
    count: Num,
    /// Whether the highest are kept, how many, and where that is said.
    keep: Option<(bool, Num, &'s Span)>,
    reroll: Option<(Num, Num)>,
    again: Option<((Num, Num), Num)>,
    test: Option<(Two, Num)>,
    /// Registers of the dice that are kept: the first, how many, and whether the highest are.
    kept: Option<(u8, u8, bool)>,
    /// What is added up: faces, or those that pass the test.
    sum: u8,
    span: &'s Span,
}

impl Thrown<'_> {
    /// Whether nothing but the faces counts.
    fn is_plain(&self) -> bool {
        self.keep.is_none() && self.reroll.is_none() && self.again.is_none() && self.test.is_none()
    }

    /// From nothing to all dice at their best.
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
    /// Notes dice where none may be rolled.
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
    /// Dice that are added up, or counted where `test` holds.
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
            let problem = format!("a pool has at most {DICE} dice, and this has {has}");
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

    /// Reckons what is said of dice, in the order of the language.
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

    /// One or two plain dice, which need no loop.
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

    /// Registers for the dice that are kept; none where all are.
    fn kept_dice(&mut self, thrown: &Thrown) -> Result<Option<(u8, u8, bool)>, Num> {
        let Some((high, keep, at)) = thrown.keep else { return Ok(None) };
        self.emitter.parameters.must_know(keep);
        let keep = match keep.known() {
            Some(keep) => keep,
            None if self.checks() => 1,
            None => {
                let problem = "how many dice are kept is known before the first";
                return Err(self.emitter.wrong(at, problem, "a field, or a number"));
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

    /// Faces from and to.
    pub(super) fn faces(&mut self, (from, to): &'g (Expr, Option<Expr>)) -> (Num, Num) {
        let first = self.whole(from);
        let last = match to {
            Some(to) => self.whole(to),
            None => first,
        };
        (first, last)
    }

    /// One die, or tens and ones.
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

    /// One throw of one die.
    pub(super) fn throw(&mut self, sides: Num, into: u8, span: &Span) -> Num {
        if sides.range.hi < SIDES.0 || sides.range.lo > SIDES.1 {
            let problem = format!("a die has 1 to 100 sides, and this has {}", sides.range.lo);
            return self.emitter.wrong(span, problem, "");
        }
        self.emitter.parameters.shapes(sides);
        // The last card of a draw: there is nothing to roll.
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

    /// Dice in a loop, one after the other: what is remembered between two is the sum, not the faces.
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

    /// Writes a loop that counts a register down to 0.
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

    /// Lets the rule go wrong where a number that is rolled asks for too many dice.
    pub(super) fn at_most_dice(&mut self, left: u8, span: &Span) {
        let mut fine = Target::default();
        self.emitter.may_jump(Op::UnlessCmpK(Two::Gt, left, DICE as i16, 0), &mut fine, span);
        self.emitter.fail(span, format!("a pool has at most {DICE} dice"), String::new());
        self.emitter.land(fine);
    }

    /// Takes a face in: among those that are kept, or into the sum.
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

    /// Adds a die that was kept, or counts it. Where fewer dice were rolled than are kept there is none.
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

    /// Adds 1 where a face passes a test; where that is known, no code asks.
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

    /// Goes on elsewhere unless a face lies between two.
    fn unless_between(&mut self, face: Num, (from, to): (Num, Num), no: &mut Target, span: &Span) {
        for (test, bound) in [(Two::Ge, from), (Two::Le, to)] {
            let bound = self.emitter.in_reg(bound, span);
            self.emitter.may_jump(Op::UnlessCmp(test, face.at, bound, 0), no, span);
        }
    }

    /// Rolls a die once more where its face is one of those.
    fn reroll(&mut self, thrown: &Thrown, faces: (Num, Num), face: Num) {
        let mut stands = Target::default();
        self.unless_between(face, faces, &mut stands, thrown.span);
        let second = self.die(thrown.tens, thrown.sides, thrown.span);
        self.emitter.emit(Op::Copy(face.at, second.at), thrown.span);
        self.emitter.land(stands);
    }

    /// More dice for a face that brings some, each of which may bring the next.
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
    /// A number in a register of its own.
    pub(super) fn put_copy(&mut self, reg: u8, num: Num, span: &Span) {
        match num.known() {
            Some(value) => self.constant(reg, value, span),
            None => {
                self.emit(Op::Copy(reg, num.at), span);
            }
        }
    }
}
