//! Loops over the items of a bag, and picks of one item.

use super::emitter::Emitter;
use super::lowered_value::{Num, Target, Value};
use super::lowering::Lowering;
use super::views::Bags;
use crate::diagnostics::Span;
use crate::syntax::ast::{By, Expr, Members, Stmt};
use crate::types::{Kind, Range};
use crate::vm::code::{LOOPS, Op, Open, Stops, Two};

impl<'g> Bags<'_, 'g> {
    /// Lowers a loop over a bag, in the order of the items' content, so that equal items are one
    /// state.
    pub(super) fn each_of_bag(&mut self, of: &'g Members, bag: u8, body: &'g [Stmt], span: &Span) {
        if self.emitter.is_empty(bag) {
            return;
        }
        self.rest(span);
        let Some(open) = self.emitter.open(bag, true, span) else { return };
        self.statements().unsure(body);
        let head = self.emitter.head();
        self.statements().enter_loop();
        let mut out = Target::default();
        self.emitter.may_jump(Op::Next(bag, open.level, open.cursor, 0), &mut out, span);
        self.turn(of, Value::Thing(bag, open.cursor), body);
        self.emitter.back_to(head, span);
        self.emitter.land(out);
        self.statements().leave_loop();
        self.emitter.close(bag, open.level, span);
    }

    /// Lowers a loop over all or some items of a bag, in any order.
    fn scan(
        &mut self,
        of: Option<&'g Members>,
        bag: u8,
        span: &Span,
        found: impl FnOnce(&mut Lowering<'g>, u8),
    ) {
        let size = self.emitter.program.bags[usize::from(bag)].size;
        // A memo point inside would save positions of items, which are not part of the state.
        let rests = std::mem::replace(&mut self.emitter.rests, false);
        self.rolled(size.into(), &[], span, |lowering, at| {
            let mut next = Target::default();
            if !lowering.scopes.bags[usize::from(bag)].whole {
                lowering.emitter.may_jump(Op::There(bag, at.at, 0), &mut next, span);
            }
            let thing = Value::Thing(bag, at.at);
            match of {
                Some(of) => lowering.with_one(of, thing, |lowering| found(lowering, at.at)),
                None => found(lowering, at.at),
            }
            lowering.emitter.land(next);
        });
        self.emitter.rests = rests;
    }

    /// Lowers `count(u in units where c)` and `sum(e for u in units where c)`.
    pub(super) fn over_bag(
        &mut self,
        summand: Option<&'g Expr>,
        of: Option<&'g Members>,
        bag: u8,
        span: &Span,
    ) -> Num {
        if self.emitter.is_empty(bag) {
            return Num::of(0);
        }
        self.rest(span);
        let sum = self.emitter.fresh(span);
        let start = self.emitter.program.ops.len();
        self.emitter.constant(sum, 0, span);
        let size = i64::from(self.emitter.program.bags[usize::from(bag)].size);
        let Some(summand) = summand else {
            self.scan(of, bag, span, |lowering, _| {
                lowering.emitter.emit(Op::BinK(Two::Add, sum, sum, 1), span);
            });
            self.emitter.counted_at_once(start, sum, span);
            return Num { range: Range::new(Kind::Number, 0, size.max(1)), at: sum };
        };
        let mut range = Range::new(Kind::Number, 0, size.max(1));
        self.scan(of, bag, span, |lowering, _| {
            let one = lowering.whole(summand);
            (range.lo, range.hi) = ((one.range.lo * size).min(0), (one.range.hi * size).max(1));
            let one = lowering.emitter.in_reg(one, span);
            lowering.emitter.emit(Op::Bin(Two::Add, sum, sum, one), span);
        });
        Num { range, at: sum }
    }

    /// Lowers `pick u in units where c by …:`.
    pub(super) fn pick(&mut self, of: &'g Members, by: &'g By, body: &'g [Stmt], span: &Span) {
        self.is_new(&of.name.text, &of.name.span);
        if let Some(when) = &of.when {
            self.no_dice(when, "where");
        }
        let Some(bag) = self.bag_of(&of.all).filter(|bag| !self.emitter.is_empty(*bag)) else {
            return;
        };
        self.rest(span);
        let Some(open) = self.emitter.open(bag, false, span) else { return };
        let mut none = Target::default();
        match by {
            By::Random => self.by_lot(of, bag, open, &mut none, span),
            By::Key(highest, key) => {
                self.no_dice(key, "by");
                self.by_key(of, bag, (*highest, key), open, &mut none, span);
            }
        }
        self.emitter.emit(Op::Take(bag, open.level, open.cursor), span);
        self.tell_picked(bag, open.cursor, &of.name);
        self.with(&of.name, Value::Thing(bag, open.cursor), |lowering| lowering.block(body));
        self.emitter.close(bag, open.level, span);
        self.emitter.land(none);
    }

    /// Resolves the bag of a `pick`.
    fn bag_of(&mut self, all: &'g Expr) -> Option<u8> {
        match self.value(all, None) {
            Value::Bag(bag) => return Some(bag),
            Value::Num(num) if num.range.kind == Kind::Any => {}
            _ => {
                let help = "`units = bag of …` makes one";
                let what = all.path().map_or("this".to_owned(), |path| format!("`{path}`"));
                let problem = format!("`pick` needs a bag, and {what} is not one");
                self.emitter.wrong(&all.span, problem, help);
            }
        }
        None
    }

    /// Picks at random: rolls a die with as many sides as there are candidates.
    fn by_lot(&mut self, of: &'g Members, bag: u8, open: Open, none: &mut Target, span: &Span) {
        let others = self.emitter.opens.iter();
        let others = others.filter(|(of, other)| *of == bag && other.level != open.level);
        let others = others.map(|(_, other)| *other).collect();
        self.emitter.program.opens.push(others);
        let opens = (self.emitter.program.opens.len() - 1) as u16;
        // Sorted, so that a face picks the same item in whatever order the bag was built.
        self.emitter.emit(Op::Sort(bag, opens), span);
        let count = self.over_bag(None, Some(of), bag, span);
        self.emitter.may_jump(Op::UnlessCmpK(Two::Gt, count.at, 0, 0), none, span);
        let face = self.emitter.fresh(span);
        // The picked item is not yet held by its own loop.
        let own = self.emitter.opens.pop();
        self.stop_at(Stops::DieOf(count.at, 1), face, span);
        self.emitter.opens.extend(own);
        // Counts down to the rolled candidate.
        let mut found = Target::default();
        self.scan(Some(of), bag, span, |lowering, at| {
            lowering.emitter.emit(Op::BinK(Two::Sub, face, face, 1), span);
            lowering.emitter.emit(Op::Copy(open.cursor, at), span);
            lowering.emitter.may_jump(Op::UnlessCmpK(Two::Ne, face, 0, 0), &mut found, span);
        });
        self.emitter.land(found);
    }

    /// Picks the item with the lowest or highest key; of equal ones the first in the order of their
    /// content.
    fn by_key(
        &mut self,
        of: &'g Members,
        bag: u8,
        (highest, key): (bool, &'g Expr),
        open: Open,
        none: &mut Target,
        span: &Span,
    ) {
        let best = self.emitter.fresh(span);
        let seen = self.emitter.fresh(span);
        self.emitter.constant(best, 0, span);
        self.emitter.constant(seen, 0, span);
        self.emitter.constant(open.cursor, 0, span);
        self.scan(Some(of), bag, span, |lowering, at| {
            let num = lowering.whole(key);
            let value = lowering.emitter.in_reg(num, span);
            let (mut take, mut leave) = (Target::default(), Target::default());
            lowering.emitter.may_jump(Op::UnlessCmpK(Two::Ne, seen, 0, 0), &mut take, span);
            let worse = if highest { Two::Ge } else { Two::Le };
            lowering.emitter.may_jump(Op::UnlessCmp(worse, value, best, 0), &mut leave, span);
            lowering.emitter.may_jump(Op::UnlessCmp(Two::Eq, value, best, 0), &mut take, span);
            let first = lowering.emitter.fresh(span);
            lowering.emitter.emit(Op::Before(first, bag, at, open.cursor), span);
            lowering.emitter.may_jump(Op::Unless(first, 0), &mut leave, span);
            lowering.emitter.land(take);
            lowering.emitter.emit(Op::Copy(best, value), span);
            lowering.emitter.emit(Op::Copy(open.cursor, at), span);
            lowering.emitter.constant(seen, 1, span);
            lowering.emitter.land(leave);
        });
        self.emitter.may_jump(Op::Unless(seen, 0), none, span);
    }
}

impl Emitter {
    /// Opens a loop over a bag. Returns its level and its position register.
    pub(super) fn open(&mut self, bag: u8, goes_on: bool, span: &Span) -> Option<Open> {
        let level = self.opens.iter().filter(|(of, _)| *of == bag).count() as u8;
        if usize::from(level) >= LOOPS {
            let problem = format!("at most {LOOPS} loops over one bag may be open at once");
            self.wrong(span, problem, "");
            return None;
        }
        let cursor = self.fresh(span);
        let open = Open { level, cursor, goes_on };
        self.opens.push((bag, open));
        Some(open)
    }

    /// Closes the innermost loop over a bag.
    pub(super) fn close(&mut self, bag: u8, level: u8, span: &Span) {
        self.opens.pop();
        if !self.is_dead() {
            self.emit(Op::Close(bag, level), span);
        }
    }

    /// Closes the bag loops that were opened after the first `opens`, before a jump out of them.
    pub(super) fn close_loops(&mut self, opens: usize, span: &Span) {
        if self.is_dead() {
            return;
        }
        for at in (opens..self.opens.len()).rev() {
            let (bag, open) = self.opens[at];
            self.emit(Op::Close(bag, open.level), span);
        }
    }

    /// Returns whether a bag of this contest is empty.
    fn is_empty(&self, bag: u8) -> bool {
        !self.checks() && self.program.bags[usize::from(bag)].size == 0
    }

    /// Replaces a loop written since `start` by one instruction if all it does is count the items
    /// whose value passes a test against a number.
    fn counted_at_once(&mut self, start: usize, sum: u8, span: &Span) {
        // A failed test skips the addition.
        let next = |past: u16| usize::from(past) + 2 == self.program.ops.len();
        let written = &self.program.ops[start..];
        let written = written.iter().filter(|op| !matches!(op, Op::There(..)));
        let [
            Op::Const(..),
            Op::Const(at, _),
            Op::UnlessCmpK(..),
            Op::Get(_, digit, of),
            tested,
            Op::BinK(..),
            Op::BinK(..),
            Op::Jump(_),
        ] = *written.copied().collect::<Vec<_>>()
        else {
            return;
        };
        let (test, k, past) = if let Op::UnlessCmpK(test, _, k, past) = tested {
            (test, k, past)
        } else if let Op::Unless(_, past) = tested {
            (Two::Ne, 0, past)
        } else {
            return;
        };
        if of != at || !next(past) {
            return;
        }
        self.program.ops.truncate(start);
        self.program.spans.truncate(start);
        self.emit(Op::Count(sum, digit, test, k), span);
        self.landed = self.program.ops.len();
    }
}
