//! Loops: over numbers, over lists and bags, bounded and endless.

use std::sync::Arc;

use super::emitter::Emitter;
use super::lowered_value::{Bind, COPIES, List, Loop, Num, Place, TURNS, Target, Value};
use super::lowering::Lowering;
use super::views::Statements;
use crate::diagnostics::Span;
use crate::resolve::uses;
use crate::syntax::ast::{Expr, Members, Name, Stmt};
use crate::types::{Fixed, Kind, Range, STORED};
use crate::vm::code::{Op, Two};

impl<'g> Lowering<'g> {
    /// Lowers one turn of a loop.
    pub(super) fn turn(&mut self, of: &'g Members, one: Value, body: &'g [Stmt]) {
        self.with_one(of, one, |lowering| lowering.block(body));
    }

    /// Binds an item to the loop's name, and continues if the condition holds for the item.
    pub(super) fn with_one(
        &mut self,
        of: &'g Members,
        one: Value,
        go_on: impl FnOnce(&mut Lowering<'g>),
    ) {
        self.with(&of.name, one, |lowering| {
            let mut next = Target::default();
            let when = of.when.as_ref();
            let decided = when.and_then(|when| lowering.jump_if(when, false, &mut next));
            if decided != Some(false) && !lowering.emitter.is_dead() {
                go_on(lowering);
            }
            lowering.emitter.land(next);
        });
    }

    /// Lowers a loop over indexes from 0, not unrolled.
    pub(super) fn rolled(
        &mut self,
        turns: usize,
        body: &[Stmt],
        span: &Span,
        turn: impl FnOnce(&mut Lowering<'g>, Num),
    ) {
        let at = self.emitter.fresh(span);
        self.emitter.constant(at, 0, span);
        self.statements().unsure(body);
        let head = self.emitter.head();
        self.emitter.set_range(at, (0, (turns as i64 - 1).max(0)));
        self.statements().enter_loop();
        let mut out = Target::default();
        self.emitter.may_jump(Op::UnlessCmpK(Two::Lt, at, turns as i16, 0), &mut out, span);
        let range = widened(Range::new(Kind::Number, 0, (turns as i64 - 1).max(0)));
        let top = self.emitter.top;
        turn(self, Num { range, at });
        self.emitter.release(top);
        self.emitter.next_turn(at, 1, head, span);
        self.emitter.land(out);
        self.statements().leave_loop();
    }
}

impl<'g> Statements<'_, 'g> {
    /// Opens a loop that `stop` leaves.
    pub(super) fn enter_loop(&mut self) {
        let opens = self.emitter.opens.len();
        if let Some(frame) = self.scopes.frames.last_mut() {
            frame.loops.push(Loop { out: Target::default(), opens });
        }
    }

    /// Places the target of `stop` at the end of the loop.
    pub(super) fn leave_loop(&mut self) {
        let open = self.scopes.frames.last_mut().and_then(|frame| frame.loops.pop());
        if let Some(open) = open {
            self.emitter.land(open.out);
        }
    }

    /// Lowers `stop`, which leaves the innermost loop.
    pub(super) fn stop(&mut self, span: &Span) {
        let open = self.scopes.frames.last_mut().and_then(|frame| frame.loops.pop());
        let Some(mut open) = open else {
            self.emitter.wrong(
                span,
                "`stop` is outside of any loop",
                "use `end` to end the action",
            );
            return;
        };
        self.emitter.close_loops(open.opens, span);
        self.emitter.jump(&mut open.out, span);
        if let Some(frame) = self.scopes.frames.last_mut() {
            frame.loops.push(open);
        }
    }

    /// Forgets the ranges of everything that a loop assigns, because each turn starts from any
    /// earlier one.
    pub(super) fn unsure(&mut self, lines: &[Stmt]) {
        self.scopes.assigned(lines).iter().for_each(|name| self.unsure_of(name));
    }

    /// Forgets the range of one variable.
    pub(super) fn unsure_of(&mut self, name: &str) {
        let Some(Bind::Place(place)) = self.scopes.local(name) else { return };
        match *place {
            Place::Var(reg, kind) => self.anything_of(reg, kind),
            Place::Cell(reg, kind) => {
                self.anything_of(reg, kind);
                self.anything_of(reg + 1, Kind::Number);
            }
            Place::List(list) | Place::Of(list, _) => {
                (list.base..list.base + list.len).for_each(|reg| self.anything_of(reg, list.kind));
            }
            Place::Field(..) => {}
        }
    }

    /// Widens the range of a variable to its type.
    fn anything_of(&mut self, reg: u8, kind: Kind) {
        let all = self.scopes.game.all_of(kind);
        self.emitter.set_range(reg, (all.lo, all.hi));
    }

    /// Returns whether a loop of this many turns may be unrolled.
    fn unrolls(&self, turns: i64, most: i64) -> bool {
        !self.checks()
            && self.emitter.thrift.unrolls
            && turns <= most
            && self.emitter.copies * turns.max(1) <= COPIES
    }

    /// Lowers `for i in a..b` and `for i in a down to b`.
    pub(super) fn counted(
        &mut self,
        name: &'g Name,
        (from, to, down): (&'g Expr, &'g Expr, bool),
        body: &'g [Stmt],
        span: &Span,
    ) {
        self.is_new(&name.text, &name.span);
        self.scopes.grows_with(to);
        let first = self.whole(from);
        let first = self.emitter.held(first, span);
        let last = self.whole(to);
        let last = self.emitter.held(last, span);
        let step: i64 = if down { -1 } else { 1 };
        self.emitter.parameters.shapes(first);
        self.emitter.parameters.shapes(last);
        if let (Some(a), Some(b)) = (first.known(), last.known()) {
            let turns = ((b - a) * step + 1).max(0);
            if turns == 0 && !self.checks() {
                return;
            }
            if self.unrolls(turns, TURNS) {
                return self.turns(turns as usize, |lowering, turn| {
                    let at = Num::of(a + turn as i64 * step);
                    lowering.with(name, Value::Num(at), |lowering| lowering.block(body));
                });
            }
        }
        self.counted_on(name, (first, last, down), body, span);
    }

    /// Unrolls a loop.
    fn turns(&mut self, turns: usize, turn: impl Fn(&mut Lowering<'g>, usize)) {
        self.enter_loop();
        let (copies, top) = (self.emitter.copies, self.emitter.top);
        self.emitter.copies *= turns.max(1) as i64;
        for at in 0..turns {
            if self.emitter.is_dead() {
                break;
            }
            turn(self, at);
            self.emitter.release(top);
        }
        self.emitter.copies = copies;
        self.leave_loop();
    }

    /// Lowers a counting loop that is not unrolled.
    fn counted_on(
        &mut self,
        name: &'g Name,
        (first, last, down): (Num, Num, bool),
        body: &'g [Stmt],
        span: &Span,
    ) {
        let at = self.emitter.fresh(span);
        self.emitter.put(at, first, span);
        self.unsure(body);
        let head = self.emitter.head();
        let (lo, hi) = match down {
            true => (last.range.lo, first.range.hi),
            false => (first.range.lo, last.range.hi),
        };
        let range = Range::new(Kind::Number, lo.max(STORED.0), hi.min(STORED.1));
        self.emitter.set_range(at, (range.lo.min(range.hi), range.hi));
        self.enter_loop();
        let mut out = Target::default();
        let test = if down { Two::Ge } else { Two::Le };
        let op = self.emitter.unless(test, at, last, span);
        self.emitter.may_jump(op, &mut out, span);
        let num = Num { range: widened(range), at };
        self.with(name, Value::Num(num), |lowering| lowering.block(body));
        self.emitter.next_turn(at, if down { -1 } else { 1 }, head, span);
        self.emitter.land(out);
        self.leave_loop();
    }

    /// Lowers `repeat:`.
    pub(super) fn repeat(&mut self, body: &'g [Stmt], span: &Span) {
        self.grown(body);
        self.unsure(body);
        let head = self.emitter.head();
        self.enter_loop();
        self.block(body);
        self.emitter.back_to(head, span);
        self.leave_loop();
    }

    /// Lowers `each x in xs where c:`.
    pub(super) fn each(&mut self, of: &'g Members, body: &'g [Stmt], span: &Span) {
        self.is_new(&of.name.text, &of.name.span);
        if let Some(when) = &of.when {
            self.no_dice(when, "where");
        }
        match self.value(&of.all, None) {
            Value::Bag(bag) => self.bags().each_of_bag(of, bag, body, span),
            Value::List(list) => {
                let list = self.standing(list, &of.all, body, span);
                self.each_of_list(of, list, body, span);
            }
            Value::Fixed(Fixed::List(items, None)) => {
                self.each_of_fixed(of, &counted(&items), body, span);
            }
            Value::Fixed(Fixed::List(items, Some(_))) => {
                // The length is unknown: one item represents all.
                if let Some(item) = items.first() {
                    self.each_unknown(of, Value::Fixed(item.clone()), body, span);
                }
            }
            Value::Fixed(Fixed::Absent(_)) => {}
            Value::Num(num) if num.range.kind == Kind::Any => {}
            _ => {
                let help = "use a list, a list of records or a bag";
                self.emitter.wrong(&of.all.span, one_of(&of.all), help);
            }
        }
    }

    /// Copies a list that a loop over it changes.
    fn standing(&mut self, list: List, all: &Expr, body: &[Stmt], span: &Span) -> List {
        let assigned = self.scopes.assigned(body);
        match uses::root(all).is_some_and(|name| assigned.iter().any(|known| known == name)) {
            true => self.emitter.copied_list(list, span),
            false => list,
        }
    }

    /// Lowers a loop over a list of unknown length and content: one turn represents all.
    fn each_unknown(&mut self, of: &'g Members, item: Value, body: &'g [Stmt], span: &Span) {
        self.unsure(body);
        let at = self.emitter.fresh(span);
        let head = self.emitter.head();
        self.enter_loop();
        let mut out = Target::default();
        self.emitter.may_jump(Op::Unless(at, 0), &mut out, span);
        self.turn(of, item, body);
        self.emitter.back_to(head, span);
        self.emitter.land(out);
        self.leave_loop();
    }

    /// Lowers a loop over a list of the contest, unrolled if it is short.
    fn each_of_fixed(
        &mut self,
        of: &'g Members,
        items: &Arc<[Fixed]>,
        body: &'g [Stmt],
        span: &Span,
    ) {
        if self.unrolls(items.len() as i64, TURNS) {
            return self.turns(items.len(), |lowering, turn| {
                lowering.turn(of, Value::Fixed(items[turn].clone()), body);
            });
        }
        self.rolled(items.len(), body, span, |lowering, at| {
            lowering.turn(of, Value::Chosen(items.clone(), at), body);
        });
    }

    /// Lowers a loop over a list of the rule, unrolled if it is short.
    fn each_of_list(&mut self, of: &'g Members, list: List, body: &'g [Stmt], span: &Span) {
        if self.unrolls(list.len.into(), TURNS) {
            return self.turns(list.len.into(), |lowering, turn| {
                let num = lowering.emitter.var(list.base + turn as u8, list.kind);
                let num = lowering.emitter.held(num, span);
                lowering.turn(of, Value::Num(num), body);
            });
        }
        self.rolled(list.len.into(), body, span, |lowering, at| {
            let reg = lowering.emitter.fresh(span);
            let place = lowering.emitter.joined(Two::Add, at, Num::of(1), span);
            let place = lowering.emitter.in_reg(place, span);
            lowering.emitter.emit(Op::Load(reg, list.base, list.len, place), span);
            let range = lowering.scopes.game.all_of(list.kind);
            lowering.turn(of, Value::Num(Num { range, at: reg }), body);
        });
    }

    /// Warns about variables that grow without bound in an endless loop.
    fn grown(&mut self, body: &'g [Stmt]) {
        if !self.checks() {
            return;
        }
        let found = super::unbounded_growth::unbounded(body);
        for (name, at) in found {
            if matches!(self.scopes.local(name), Some(Bind::Place(Place::Var(_, Kind::Number)))) {
                let problem = format!("`{name}` grows without bound in a loop that may never end");
                let help = format!("bound it with `at most …`, or count it with `tally {name}`");
                self.emitter.faults.note(at, problem, help);
            }
        }
    }
}

impl Emitter {
    /// Copies a number to a new register, so that it is still valid later in the loop, or at the
    /// end of the rule.
    pub(super) fn held(&mut self, num: Num, span: &Span) -> Num {
        if num.known().is_some() {
            return num;
        }
        let at = self.fresh(span);
        self.put(at, num, span);
        Num { at, ..num }
    }

    /// Emits the step of the counter and the jump to the loop head.
    fn next_turn(&mut self, at: u8, step: i32, head: usize, span: &Span) {
        if !self.is_dead() {
            self.emit(Op::BinK(Two::Add, at, at, step), span);
            self.back_to(head, span);
        }
    }

    /// Begins a loop. Returns its head.
    pub(super) fn head(&mut self) -> usize {
        self.landed = self.program.ops.len();
        self.faces = 0;
        self.landed
    }

    /// Emits the jump to a loop head; the code after it is unreachable.
    pub(super) fn back_to(&mut self, head: usize, span: &Span) {
        if !self.is_dead() {
            self.emit(Op::Jump(head as u16), span);
            self.env = None;
        }
    }
}

/// Describes the fault of one value where a list is expected.
pub(super) fn one_of(expr: &Expr) -> String {
    let what = expr.path().map_or("this".to_owned(), |path| format!("`{path}`"));
    format!("{what} is one value, not a list")
}

/// Repeats each record of a list by its count.
pub(super) fn counted(items: &Arc<[Fixed]>) -> Arc<[Fixed]> {
    let count = |item: &Fixed| match item {
        Fixed::Record(record) => usize::try_from(record.count).unwrap_or(0),
        _ => 1,
    };
    if items.iter().all(|item| count(item) == 1) {
        return Arc::clone(items);
    }
    let items = items.iter();
    items.flat_map(|item| std::iter::repeat_n(item.clone(), count(item))).collect()
}

/// Widens a range that is a single number, so that a counter in it is a register and not a
/// constant.
fn widened(range: Range) -> Range {
    match range.lo >= range.hi {
        true => Range::new(range.kind, range.lo, range.lo + 1),
        false => range,
    }
}
