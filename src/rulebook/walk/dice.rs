//! Dice: one after the other, each remembered only as far as it is asked for.

use super::values::{Num, Target};
use super::walker::Walker;
use super::{reckon, scan};
use crate::rulebook::code::{Op, Stops, Two};
use crate::rulebook::fault::Span;
use crate::rulebook::kind::{Kind, LIST, Range};
use crate::rulebook::tree::{Expr, Op as Sign, Pool, Says};

/// Dice of a pool.
const DICE: i64 = 255;
/// Sides of a die.
const SIDES: (i64, i64) = (2, 100);

/// Dice that are thrown, with all that is said of them reckoned.
#[derive(Clone, Copy)]
struct Thrown<'s> {
    tens: bool,
    sides: Num,
    count: Num,
    reroll: Option<(Num, Num)>,
    again: Option<((Num, Num), Num)>,
    test: Option<(Two, Num)>,
    /// Registers of the dice that are kept: the first, how many, and whether the highest are.
    kept: Option<(u8, u8, bool)>,
    /// What is added up: faces, or those that pass the test.
    sum: u8,
    span: &'s Span,
}

impl<'g> Walker<'g> {
    /// Notes dice where none may be rolled.
    pub(super) fn no_dice(&mut self, expr: &Expr, place: &str) {
        if !self.checks() {
            return;
        }
        let mut found = None;
        scan::each_inner(expr, &mut |inner| {
            if matches!(inner.what, Says::Pool(_)) && found.is_none() {
                found = Some(inner.span.clone());
            }
        });
        if let Some(span) = found {
            let help = "roll them in a line of their own before";
            self.wrong(&span, format!("no dice in `{place}`"), help);
        }
    }

    /// Dice that are added up, or counted where `test` holds.
    pub(super) fn pool(
        &mut self,
        pool: &'g Pool,
        test: Option<(Sign, &'g Expr)>,
        span: &Span,
    ) -> Num {
        let count = match &pool.count {
            Some(count) => {
                self.grows_with(count);
                self.whole(count)
            }
            None => Num::of(1),
        };
        let (tens, sides) = (pool.tens, self.whole(&pool.sides));
        let keep = pool.keep.as_ref().map(|(high, keep)| (*high, self.whole(keep), &keep.span));
        let reroll = pool.reroll.as_ref().map(|faces| self.faces(faces));
        let again = pool.again.as_ref().map(|(faces, most)| (self.faces(faces), self.whole(most)));
        let test = test.and_then(|(sign, bound)| {
            let bound = self.whole(bound);
            Some((reckon::test_of(sign)?, bound))
        });
        if keep.is_some() && again.is_some() {
            self.wrong(span, "`high` and `low` go with `reroll`, not with `again`", "");
        }
        if count.range.lo > DICE {
            let problem =
                format!("a pool has at most {DICE} dice, and this has {}", count.range.lo);
            return self.wrong(span, problem, "");
        }
        let plain = keep.is_none() && reroll.is_none() && again.is_none() && test.is_none();
        self.shapes(count);
        if plain && count.known() == Some(1) {
            return self.die(tens, sides, span);
        }
        if plain && count.known() == Some(2) && self.thrift.unrolls {
            let sides = self.copied(sides, span);
            let first = self.die(tens, sides, span);
            let second = self.die(tens, sides, span);
            return self.joined(Two::Add, first, second, span);
        }
        if count.range.hi <= 0 {
            return Num::of(0);
        }
        let kept = match keep {
            Some((high, keep, at)) => match self.kept_dice(count, keep, high, at) {
                Ok(kept) => kept,
                Err(wrong) => return wrong,
            },
            None => None,
        };
        let sum = self.fresh(span);
        self.rolled_pool(Thrown { tens, sides, count, reroll, again, test, kept, sum, span })
    }

    /// Registers for the dice that are kept; none where all are.
    pub(super) fn kept_dice(
        &mut self,
        count: Num,
        keep: Num,
        high: bool,
        span: &Span,
    ) -> Result<Option<(u8, u8, bool)>, Num> {
        self.must_know(keep);
        let keep = match (keep.known(), self.checks()) {
            (Some(keep), _) => keep,
            (None, true) => 1,
            (None, false) => {
                let problem = "how many dice are kept is known before the first";
                return Err(self.wrong(span, problem, "a field, or a number"));
            }
        };
        if keep >= count.range.hi {
            return Ok(None);
        }
        if keep <= 0 {
            return Ok(Some((0, 0, high)));
        }
        let most = keep.min(LIST) as u8;
        let base = self.fresh_row(most.into(), span);
        Ok(Some((base, most, high)))
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
        let into = self.fresh(span);
        if !tens {
            return self.throw(sides, into, span);
        }
        let six = Num::of(6);
        let high = self.throw(six, into, span);
        let high = self.joined(Two::Mul, high, Num::of(10), span);
        let ones = self.fresh(span);
        let low = self.throw(six, ones, span);
        self.joined(Two::Add, high, low, span)
    }

    /// One throw of one die.
    pub(super) fn throw(&mut self, sides: Num, into: u8, span: &Span) -> Num {
        if sides.range.hi < SIDES.0 || sides.range.lo > SIDES.1 {
            let problem = format!("a die has 2 to 100 sides, and this has {}", sides.range.lo);
            return self.wrong(span, problem, "");
        }
        self.shapes(sides);
        let stops = match sides.known() {
            Some(known) => Stops::Die(known as u8),
            None => Stops::DieOf(sides.at, SIDES.0 as u8),
        };
        self.stop_at(stops, into, span);
        let range = Range::new(Kind::Number, 1, sides.range.hi.min(SIDES.1));
        Num { range, at: into }
    }

    fn rolled_pool(&mut self, mut thrown: Thrown) -> Num {
        let Thrown { tens, count, kept, sum, span, .. } = thrown;
        self.constant(sum, 0, span);
        let left = self.fresh(span);
        self.put_copy(left, count, span);
        if count.range.hi > DICE {
            self.at_most_dice(left, span);
        }
        thrown.sides = self.copied(thrown.sides, span);
        if let Some((base, many, _)) = kept {
            (base..base + many).for_each(|reg| self.constant(reg, 0, span));
        }
        let head = self.head();
        let env = self.env.clone();
        let mut out = Target::default();
        self.may_jump(Op::UnlessCmpK(Two::Gt, left, 0, 0), &mut out, span);
        let top = self.top;
        let face = self.die(tens, thrown.sides, span);
        if let Some(faces) = thrown.reroll {
            self.reroll(&thrown, faces, face);
        }
        self.take_face(&thrown, face);
        if let Some((faces, most)) = thrown.again {
            self.again(&thrown, faces, most, face);
        }
        self.release(top);
        self.emit(Op::BinK(Two::Sub, left, left, 1), span);
        self.emit(Op::Jump(head as u16), span);
        self.env = env;
        let dead = self.env.take();
        self.land(out);
        self.env = self.env.take().or(dead);
        if let Some((base, many, _)) = kept {
            for reg in base..base + many {
                self.take_kept(&thrown, reg);
            }
        }
        let more = thrown.again.map_or(0, |(_, most)| most.range.hi.max(0));
        let dice = count.range.hi.min(DICE).saturating_mul(1 + more);
        let dice = kept.map_or(dice, |(_, many, _)| many.into());
        let best = match (thrown.test, tens) {
            (Some(_), _) => 1,
            (None, true) => 66,
            (None, false) => thrown.sides.range.hi.min(SIDES.1),
        };
        let range = Range::new(Kind::Number, 0, dice.saturating_mul(best).max(1));
        Num { range, at: sum }
    }

    /// A number in a register of its own.
    pub(super) fn put_copy(&mut self, reg: u8, num: Num, span: &Span) {
        match num.known() {
            Some(value) => self.constant(reg, value, span),
            None => {
                self.emit(Op::Copy(reg, num.at), span);
            }
        }
    }

    pub(super) fn at_most_dice(&mut self, left: u8, span: &Span) {
        let mut fine = Target::default();
        self.may_jump(Op::UnlessCmpK(Two::Gt, left, DICE as i16, 0), &mut fine, span);
        self.fail(span, format!("a pool has at most {DICE} dice"), String::new());
        self.land(fine);
    }

    fn take_face(&mut self, thrown: &Thrown, face: Num) {
        let Thrown { kept, test, sum, span, .. } = *thrown;
        match (kept, test) {
            (Some((base, many, high)), _) => {
                self.emit(Op::Keep(base, many, face.at, high), span);
            }
            (None, None) => {
                self.emit(Op::Bin(Two::Add, sum, sum, face.at), span);
            }
            (None, Some(test)) => self.count_if(sum, test, face, span),
        }
    }

    /// Adds a die that was kept, or counts it. Where fewer dice were rolled than are kept there is none.
    fn take_kept(&mut self, &Thrown { test, sum, span, .. }: &Thrown, reg: u8) {
        let Some(test) = test else {
            self.emit(Op::Bin(Two::Add, sum, sum, reg), span);
            return;
        };
        let mut none = Target::default();
        self.may_jump(Op::UnlessCmpK(Two::Gt, reg, 0, 0), &mut none, span);
        let range = Range::new(Kind::Number, 1, SIDES.1);
        self.count_if(sum, test, Num { range, at: reg }, span);
        self.land(none);
    }

    fn count_if(&mut self, sum: u8, (test, bound): (Two, Num), face: Num, span: &Span) {
        let passes = self.joined(test, face, bound, span);
        match passes.known() {
            Some(0) => {}
            Some(_) => {
                self.emit(Op::BinK(Two::Add, sum, sum, 1), span);
            }
            None => {
                self.emit(Op::Bin(Two::Add, sum, sum, passes.at), span);
            }
        }
    }

    /// Goes on elsewhere unless a face lies between two.
    fn unless_between(&mut self, face: Num, (from, to): (Num, Num), no: &mut Target, span: &Span) {
        for (test, bound) in [(Two::Ge, from), (Two::Le, to)] {
            let bound = self.in_reg(bound, span);
            self.may_jump(Op::UnlessCmp(test, face.at, bound, 0), no, span);
        }
    }

    fn reroll(&mut self, thrown: &Thrown, faces: (Num, Num), face: Num) {
        let mut stands = Target::default();
        self.unless_between(face, faces, &mut stands, thrown.span);
        let second = self.die(thrown.tens, thrown.sides, thrown.span);
        self.emit(Op::Copy(face.at, second.at), thrown.span);
        self.land(stands);
    }

    fn again(&mut self, thrown: &Thrown, faces: (Num, Num), most: Num, face: Num) {
        let span = thrown.span;
        let left = self.fresh(span);
        self.put_copy(left, most, span);
        let now = self.made(face.range, span, |at| Op::Copy(at, face.at));
        let head = self.head();
        let mut out = Target::default();
        self.may_jump(Op::UnlessCmpK(Two::Gt, left, 0, 0), &mut out, span);
        self.unless_between(now, faces, &mut out, span);
        let more = self.die(thrown.tens, thrown.sides, span);
        self.emit(Op::Copy(now.at, more.at), span);
        self.take_face(thrown, now);
        self.emit(Op::BinK(Two::Sub, left, left, 1), span);
        self.emit(Op::Jump(head as u16), span);
        self.env = None;
        self.land(out);
    }
}
