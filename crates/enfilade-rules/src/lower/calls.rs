//! Calls: functions of the language, tables, and parts, which are inlined.

use super::lowered_value::{Bind, DEPTH, Frame, Gives, Num, Place, Target, Value};
use super::lowering::Lowering;
use crate::diagnostics::{Span, near};
use crate::resolve::game::Top;
use crate::syntax::ast::{Do, Expr, Name, Part, Says, Stmt};
use crate::types::{Fixed, Kind, Range};
use crate::vm::code::{Op, Two};

/// Arguments, each with its shift.
type Arguments = [(Expr, Option<Expr>)];

impl<'g> Lowering<'g> {
    /// Lowers a call for its value.
    pub(super) fn call(&mut self, name: &'g Name, arguments: &'g Arguments, span: &Span) -> Value {
        match name.text.as_str() {
            "min" => return Value::Num(self.several(Two::Min, arguments, span)),
            "max" => return Value::Num(self.several(Two::Max, arguments, span)),
            "step" => return Value::Num(self.step(arguments, span)),
            "length" => return Value::Num(self.length(arguments, span)),
            _ => {}
        }
        match self.scopes.game.names.get(&name.text) {
            Some(Top::Table(table)) => self.tables().table(*table, arguments, span),
            Some(Top::Part(_)) => match self.invoke(name, arguments, span, true) {
                Some(value) => value,
                None => Value::Num(self.emitter.anything()),
            },
            _ => Value::Num(self.nothing_called(name)),
        }
    }

    /// Reports an unknown function, with the most similar name.
    fn nothing_called(&mut self, name: &Name) -> Num {
        let known = self.scopes.game.names.iter();
        let known = known.filter(|(_, top)| matches!(top, Top::Table(_) | Top::Part(_)));
        let own = ["min", "max", "step", "length", "up", "sum", "count", "given"];
        let help = near(&name.text, known.map(|(name, _)| name.as_str()).chain(own));
        let problem = format!("there is no part and no table `{}`", name.text);
        let found = self.emitter.wrong(&name.span, problem, help);
        self.emitter.faults.doubt([name.text.clone()]);
        found
    }

    /// Reports an argument that a function of the language does not accept.
    fn takes(&mut self, name: &str, wanted: &str, span: &Span) -> Num {
        self.emitter.wrong(span, format!("`{name}` takes {wanted}"), "")
    }

    /// Lowers `min(a, b, …)` and `max(a, b, …)`.
    fn several(&mut self, two: Two, arguments: &'g Arguments, span: &Span) -> Num {
        let name = if two == Two::Min { "min" } else { "max" };
        let Some(((first, _), rest)) = arguments.split_first().filter(|(_, rest)| !rest.is_empty())
        else {
            return self.takes(name, "two numbers or more", span);
        };
        let mut best = self.whole(first);
        for (other, _) in rest {
            let other = self.whole(other);
            best = self.emitter.joined(two, best, other, span);
        }
        best
    }

    /// Lowers `step(word, n)`, which moves along the word's list and stops at its ends.
    fn step(&mut self, arguments: &'g Arguments, span: &Span) -> Num {
        let [(word, _), (by, _)] = arguments else {
            return self.takes("step", "a word and a number", span);
        };
        let from = self.number(word, None);
        if !matches!(from.range.kind, Kind::Word(_) | Kind::Any) {
            let found = self.scopes.game.kind_name(from.range.kind);
            let problem = format!("`step` needs a word, and this is {found}");
            return self.emitter.wrong(&word.span, problem, "");
        }
        let by = self.whole(by);
        let all = self.scopes.game.all_of(from.range.kind);
        let to = self.emitter.joined(Two::Add, from, by, span);
        let to = self.emitter.joined(Two::Max, to, Num::one(from.range.kind, all.lo), span);
        let to = self.emitter.joined(Two::Min, to, Num::one(from.range.kind, all.hi), span);
        let mut range = to.range;
        range.kind = from.range.kind;
        Num { range, ..to }
    }

    /// Lowers `length(xs)`: constant for lists, counted for bags.
    fn length(&mut self, arguments: &'g Arguments, span: &Span) -> Num {
        let [(of, _)] = arguments else { return self.takes("length", "one list", span) };
        match self.value(of, None) {
            Value::List(list) => Num::of(list.len.into()),
            Value::Bag(bag) => self.bags().over_bag(None, None, bag, span),
            Value::Fixed(Fixed::List(items, None)) => {
                let items = super::loops::counted(&items);
                Num::of(items.len() as i64)
            }
            Value::Fixed(Fixed::List(_, Some((lo, hi)))) => {
                self.emitter.ranged(Range::new(Kind::Number, lo, hi), span)
            }
            Value::Fixed(Fixed::Absent(_) | Fixed::Maybe(_)) => Num::of(0),
            Value::Chosen(all, row) => match self.expressions().length_of_chosen(&all, row, span) {
                Some(length) => length,
                None => self.takes("length", "a list", &of.span),
            },
            Value::Num(num) if num.range.kind == Kind::Any => num,
            _ => self.takes("length", "a list", &of.span),
        }
    }

    /// Lowers the call of a part for its effects.
    pub(super) fn perform(&mut self, call: &'g Expr) {
        let Says::Call(name, arguments) = &call.what else {
            self.emitter.wrong(
                &call.span,
                "this line has no effect",
                "use `x = …` to name the value",
            );
            return;
        };
        match self.scopes.part(&name.text) {
            Some(_) => {
                self.invoke(name, arguments, &call.span, false);
            }
            None => {
                self.call(name, arguments, &call.span);
                if matches!(self.scopes.game.names.get(&name.text), Some(Top::Table(_))) {
                    self.emitter.wrong(
                        &call.span,
                        "this line looks a cell up without using it",
                        "",
                    );
                }
            }
        }
    }

    /// Inlines a part with its arguments. Returns the value that it gives.
    fn invoke(
        &mut self,
        name: &'g Name,
        arguments: &'g Arguments,
        span: &Span,
        for_value: bool,
    ) -> Option<Value> {
        let (at, part) = self.scopes.part(&name.text)?;
        if !self.may_call(at, name, span) {
            return None;
        }
        let (begun, branches) = (self.emitter.begun(), self.emitter.parameters.branches());
        let frame = self.enter(name, part, arguments, span)?;
        let gives = part.body.iter().any(gives);
        if for_value && !gives {
            let problem = format!("`{}` has no `give` and therefore no value", name.text);
            self.emitter.wrong(span, problem, "add `give x` to the part");
            self.emitter.faults.doubt([name.text.clone()]);
            return None;
        }
        let (before, sites) = (self.emitter.program.ops.len(), self.emitter.program.sites.len());
        self.scopes.calls.push(at);
        let value = self.written_out(part, frame, span, for_value);
        self.scopes.calls.pop();
        if gives && self.emitter.program.sites.len() == sites {
            self.untold(before);
        }
        let value = value?;
        self.emitter.parameters.hangs(branches, &value);
        Some(match begun {
            Some(begun) => self.emitter.settled(value, &begun, span),
            None => value,
        })
    }

    /// Checks that a part may be inlined here: it does not call itself, and calls are not nested
    /// too deeply.
    fn may_call(&mut self, at: usize, name: &Name, span: &Span) -> bool {
        let problem = match self.scopes.calls.contains(&at) {
            true => format!("`{}` calls itself", name.text),
            false if self.scopes.calls.len() < DEPTH => return true,
            false => format!("calls of parts may be at most {DEPTH} deep"),
        };
        self.emitter.wrong(span, problem, "use `repeat` or `for` to repeat lines");
        false
    }

    /// Drops the trace marks of a part that rolled no die: only its result is traced.
    fn untold(&mut self, before: usize) {
        for op in self.emitter.program.ops.iter_mut().skip(before) {
            if matches!(op, Op::Tell(_)) {
                *op = Op::Skip;
            }
        }
    }

    /// Inlines the lines of a part. Returns the value that it gives, if any.
    fn written_out(
        &mut self,
        part: &'g Part,
        frame: Frame<'g>,
        span: &Span,
        for_value: bool,
    ) -> Option<Value> {
        // A part of a single `give` may return any value: a record, a row.
        if let [Stmt { what: Do::Give(value), .. }] = part.body.as_slice() {
            self.scopes.frames.push(frame);
            let value = self.value(value, None);
            self.scopes.frames.pop();
            return Some(value);
        }
        let into = self.emitter.fresh_row(2, span);
        let Gives { out, kind, is_cell, .. } = self.body_of(part, frame, into)?;
        let unread = part.body.iter().any(Stmt::is_unread);
        if for_value && !self.emitter.is_dead() && !unread && self.checks() && kind.is_some() {
            let problem = "this part gives nothing on some of its paths";
            let last = part.body.last().map_or(span, |line| &line.span);
            self.emitter.wrong(last, problem, "end it with a `give`");
        }
        self.emitter.land(out);
        let value = self.emitter.var(into, kind?);
        Some(match is_cell {
            true => Value::Cell(value, self.emitter.var(into + 1, Kind::Number)),
            false => Value::Num(value),
        })
    }

    /// Lowers the body of a part in a new scope, in the registers above the current ones.
    fn body_of(&mut self, part: &'g Part, mut frame: Frame<'g>, into: u8) -> Option<Gives> {
        let (out, opens) = (Target::default(), self.emitter.opens.len());
        frame.gives = Some(Gives { out, into, kind: None, is_cell: false, opens });
        let top = self.emitter.top;
        let mark = std::mem::replace(&mut self.emitter.mark, top);
        self.scopes.frames.push(frame);
        self.block(&part.body);
        let frame = self.scopes.frames.pop()?;
        self.emitter.mark = mark;
        self.emitter.release(top);
        frame.gives
    }

    /// Binds the parameters of a called part.
    fn enter(
        &mut self,
        name: &'g Name,
        part: &'g Part,
        arguments: &'g Arguments,
        span: &Span,
    ) -> Option<Frame<'g>> {
        let (wanted, given) = (part.params.len(), arguments.len());
        if wanted != given {
            let plural = if wanted == 1 { "" } else { "s" };
            let problem = format!("`{}` takes {wanted} value{plural}, not {given}", name.text);
            self.emitter.wrong(span, problem, "");
            return None;
        }
        let mut frame = Frame::default();
        for ((param, changes), (argument, _)) in part.params.iter().zip(arguments) {
            let bind = match changes {
                true => Bind::Place(self.assignments().place(argument)?),
                false => self.parameter(part, &param.text, argument),
            };
            let name = param.text.as_str();
            frame.locals.push(super::lowered_value::Local { name, bind });
        }
        Some(frame)
    }

    /// Binds an argument to a parameter, as a copy if it may change.
    fn parameter(&mut self, part: &'g Part, name: &str, argument: &'g Expr) -> Bind {
        let span = &argument.span;
        let value = self.value(argument, None);
        let value = self.opened(value, span);
        let assigned = self.scopes.assigned(&part.body).iter().any(|known| known == name);
        let changed = part.params.iter().any(|(_, changes)| *changes);
        match value {
            Value::Num(num) if assigned => {
                let reg = self.emitter.fresh(span);
                self.emitter.put(reg, num, span);
                self.emitter.set_range(reg, (num.range.lo, num.range.hi));
                Bind::Place(Place::Var(reg, num.range.kind))
            }
            Value::Num(num) if changed => Bind::Is(Value::Num(self.emitter.copied(num, span))),
            Value::List(list) if assigned || changed => {
                Bind::Place(Place::List(self.emitter.copied_list(list, span)))
            }
            value => Bind::Is(value),
        }
    }
}

/// Returns whether a statement may give a value.
fn gives(stmt: &Stmt) -> bool {
    matches!(stmt.what, Do::Give(_) | Do::Unread(..))
        || stmt.what.blocks().into_iter().flatten().any(gives)
}
