//! Expressions, worked out from left to right.

use std::cell::RefCell;
use std::rc::Rc;

use enfilade_rules::syntax::ast::{Expr, ExprKind, Ident, Operator, PartDecl};

use super::value::{Record, Value};
use super::world::{Frame, Halt, Out, Slot, World, fault, fits, senseless};

/// What an `each`, a `count` or a `sum` goes through.
pub enum Members {
    Values(Vec<Value>),
    Bag(usize),
}

impl<'f> World<'f> {
    /// The value of an expression, which must be there.
    pub fn eval(&mut self, expr: &Expr) -> Out<Value> {
        match self.maybe(expr)? {
            Value::Absent(name) => fault(format!("{name} is not given")),
            value => Ok(value),
        }
    }

    pub fn number(&mut self, expr: &Expr) -> Out<i64> {
        match self.eval(expr)? {
            Value::Number(number) => Ok(number),
            other => senseless(format!("{other:?} is no number")),
        }
    }

    pub fn holds(&mut self, expr: &Expr) -> Out<bool> {
        match self.eval(expr)? {
            Value::Yes(yes) => Ok(yes),
            other => senseless(format!("{other:?} is no yes/no")),
        }
    }

    /// The value of an expression; what is not given is `Absent`.
    fn maybe(&mut self, expr: &Expr) -> Out<Value> {
        match &expr.kind {
            ExprKind::Number(number) => Ok(Value::Number(*number)),
            ExprKind::YesNo(yes) => Ok(Value::Yes(*yes)),
            ExprKind::Name(name) => self.named(name),
            ExprKind::Member(of, column) => self.column(of, column),
            ExprKind::Index(list, place) => {
                let list = self.eval(list)?;
                let place = self.number(place)?;
                let Value::List(values) = list else {
                    return senseless(format!("{list:?} has no places"));
                };
                Ok(values[at(place, values.len())?].clone())
            }
            ExprKind::Call(name, arguments) => self.call(name, arguments),
            ExprKind::Pool(pool) => self.pool(pool, None),
            ExprKind::Count(of, op, than) => self.count(of, *op, than),
            ExprKind::Aggregate(summand, of) => {
                self.over(summand.as_deref(), &of.name, &of.all, of.when.as_ref())
            }
            ExprKind::Sorted(of, list) => self.sorted(of, list.as_deref()),
            ExprKind::Kept(items, highest, many) => self.best(items, *highest, many),
            ExprKind::RoundUp(of) => match &of.kind {
                ExprKind::Binary(Operator::Div, a, b) => {
                    let (a, b) = (self.number(a)?, self.number(b)?);
                    if b == 0 {
                        return fault("divided by 0");
                    }
                    small(-floor(-a, b))
                }
                _ => senseless("up of no quotient"),
            },
            ExprKind::Given(place) => {
                Ok(Value::Yes(!matches!(self.maybe(place)?, Value::Absent(_))))
            }
            ExprKind::Minus(of) => small(-self.number(of)?),
            ExprKind::Not(of) => Ok(Value::Yes(!self.holds(of)?)),
            ExprKind::Binary(op, a, b) => self.two(*op, a, b),
            ExprKind::Conditional(when, yes, no) => match (self.holds(when)?, no) {
                (true, _) => self.maybe(yes),
                (false, Some(no)) => self.maybe(no),
                (false, None) => Ok(Value::Number(0)),
            },
        }
    }

    /// A variable, a field, or a word.
    fn named(&mut self, name: &str) -> Out<Value> {
        let frame = self.frames.last().expect("the action's is never left");
        if let Some(slot) = frame.names.get(name) {
            return self.read(slot);
        }
        if frame.action
            && let Some(value) = self.book.own.get(name)
        {
            return Ok(value.clone());
        }
        if let Some(value) = self.book.top.get(name) {
            return Ok(value.clone());
        }
        match self.word(name) {
            Some(word) => Ok(word),
            None => senseless(format!("there is no {name}")),
        }
    }

    /// A word by its name; of no list when several have it.
    pub fn word(&self, name: &str) -> Option<Value> {
        let has = |list: &&(String, Rc<Vec<String>>)| list.1.iter().any(|word| word == name);
        let mut lists = self.book.words.iter().filter(has);
        let first = lists.next()?;
        let list = match lists.next() {
            None => first.1.clone(),
            Some(_) => Rc::default(),
        };
        Some(Value::Word(list, name.to_owned()))
    }

    /// A name behind `is` and the like: a word of the left side comes first.
    pub fn beside(&mut self, left: &Value, right: &Expr) -> Out<Value> {
        if let ExprKind::Name(name) = &right.kind {
            match left {
                Value::Word(list, _) if list.contains(name) => {
                    return Ok(Value::Word(list.clone(), name.clone()));
                }
                Value::Row(_) if !self.frame().names.contains_key(name) => {
                    return Ok(Value::Word(Rc::default(), name.clone()));
                }
                Value::Cell(..) => return Ok(Value::Word(Rc::default(), name.clone())),
                _ => {}
            }
        }
        self.eval(right)
    }

    fn column(&mut self, of: &Expr, column: &Ident) -> Out<Value> {
        let name = &column.text;
        if let ExprKind::Name(list) = &of.kind {
            let lists = self.book.words.iter();
            let mut found = lists.filter(|(known, words)| {
                known.trim_start_matches('.') == list && words.contains(name)
            });
            if let Some((_, words)) = found.next() {
                return Ok(Value::Word(words.clone(), name.clone()));
            }
        }
        let value = match self.maybe(of)? {
            Value::Absent(what) => return Ok(Value::Absent(what)),
            Value::Thing(bag, thing) => {
                let thing = &self.bags[bag].things[thing];
                let record = thing.record.as_ref();
                thing.now.get(name).or(record.and_then(|record| record.get(name))).cloned()
            }
            Value::Record(record) => record.get(name).cloned(),
            Value::Row(row) => {
                Some(row.cells.get(name).cloned().unwrap_or(Value::Absent(name.clone())))
            }
            Value::Throw(shown) => shown.get(name).map(|number| Value::Number(*number)),
            Value::Marks(marks) => Some(match marks.get(name) {
                Some(number) => Value::Number(*number),
                None => Value::Absent(name.clone()),
            }),
            other => return senseless(format!("{other:?} has no columns")),
        };
        value.map_or_else(|| senseless(format!("there is no column {name}")), Ok)
    }

    fn two(&mut self, op: Operator, a: &Expr, b: &Expr) -> Out<Value> {
        match op {
            Operator::And => return Ok(Value::Yes(self.holds(a)? && self.holds(b)?)),
            Operator::Or => return Ok(Value::Yes(self.holds(a)? || self.holds(b)?)),
            Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual => {
                let left = self.eval(a)?;
                let right = self.beside(&left, b)?;
                return compare(op, &left, &right).map(Value::Yes);
            }
            _ => {}
        }
        let (a, b) = (self.number(a)?, self.number(b)?);
        match op {
            Operator::Add => small(a + b),
            Operator::Sub => small(a - b),
            Operator::Mul => small(a * b),
            Operator::Div if b == 0 => fault("divided by 0"),
            Operator::Div => small(floor(a, b)),
            Operator::AtLeast => Ok(Value::Number(a.max(b))),
            _ => Ok(Value::Number(a.min(b))),
        }
    }

    /// What stands behind `in`.
    pub fn members(&mut self, all: &Expr) -> Out<Members> {
        match self.eval(all)? {
            Value::List(values) => Ok(Members::Values(values)),
            Value::Records(records) => {
                Ok(Members::Values(records.into_iter().map(Value::Record).collect()))
            }
            Value::Bag(bag) => Ok(Members::Bag(bag)),
            other => senseless(format!("nothing is in {other:?}")),
        }
    }

    fn over(
        &mut self,
        summand: Option<&Expr>,
        name: &Ident,
        all: &Expr,
        when: Option<&Expr>,
    ) -> Out<Value> {
        let values = match self.members(all)? {
            Members::Values(values) => values,
            Members::Bag(bag) => {
                let things = 0..self.bags[bag].things.len();
                things.map(|thing| Value::Thing(bag, thing)).collect()
            }
        };
        let before = self.frame().names.get(&name.text).cloned();
        let mut total = 0;
        for value in values {
            self.make(&name.text, value)?;
            if when.map_or(Ok(true), |when| self.holds(when))? {
                total += match summand {
                    Some(summand) => self.number(summand)?,
                    None => 1,
                };
                small(total)?;
            }
        }
        self.frame().names.remove(&name.text);
        self.frame().names.extend(before.map(|slot| (name.text.clone(), slot)));
        small(total)
    }

    fn call(&mut self, name: &Ident, arguments: &[(Expr, Option<Expr>)]) -> Out<Value> {
        if let Some(part) = self.book.parts.get(name.text.as_str()).copied() {
            return match self.perform(part, arguments)? {
                Some(value) => Ok(value),
                None => senseless(format!("{} gives nothing", name.text)),
            };
        }
        if let Some(table) = self.book.tables.get(name.text.as_str()).copied() {
            return self.look(&name.text, table, arguments);
        }
        match name.text.as_str() {
            "min" | "max" => {
                let mut values = Vec::new();
                for (argument, _) in arguments {
                    values.push(self.number(argument)?);
                }
                let found = match name.text.as_str() {
                    "min" => values.into_iter().min(),
                    _ => values.into_iter().max(),
                };
                found.map_or_else(|| senseless("of nothing"), |n| Ok(Value::Number(n)))
            }
            "abs" => {
                let [(of, _)] = arguments else {
                    return senseless("the size of one");
                };
                small(self.number(of)?.abs())
            }
            "rest" => {
                let [(a, _), (b, _)] = arguments else {
                    return senseless("a rest of two");
                };
                let (a, b) = (self.number(a)?, self.number(b)?);
                if b < 1 { fault("a rest by less than 1") } else { small(a - b * floor(a, b)) }
            }
            "step" => {
                let [(word, _), (by, _)] = arguments else {
                    return senseless("a step of two");
                };
                let (word, by) = (self.eval(word)?, self.number(by)?);
                let (Value::Word(list, _), Some(rank)) = (&word, word.rank()) else {
                    return senseless(format!("{word:?} is no word"));
                };
                let to = (rank + by).clamp(0, list.len() as i64 - 1);
                Ok(Value::Word(list.clone(), list[to as usize].clone()))
            }
            "length" => {
                let [(all, _)] = arguments else {
                    return senseless("the length of one");
                };
                let length = match self.members(all)? {
                    Members::Values(values) => values.len(),
                    Members::Bag(bag) => self.bags[bag].things.len(),
                };
                Ok(Value::Number(length as i64))
            }
            other => senseless(format!("there is no {other}")),
        }
    }

    /// Plays a part; what it gives.
    pub fn perform(
        &mut self,
        part: &'f PartDecl,
        arguments: &[(Expr, Option<Expr>)],
    ) -> Out<Option<Value>> {
        if part.params.len() != arguments.len() {
            return senseless("another number of values");
        }
        let mut frame = Frame::default();
        for ((name, changes), (argument, _)) in part.params.iter().zip(arguments) {
            let slot = match changes {
                true => self.slot(argument)?,
                false => {
                    // What is not given may be handed on to a part that does not read it.
                    let value = self.maybe(argument)?;
                    fits(&value)?;
                    Slot::Own(Rc::new(RefCell::new(value)))
                }
            };
            frame.names.insert(name.text.clone(), slot);
        }
        self.frames.push(frame);
        let holds = self.holds.len();
        let played = self.block(&part.body);
        let played = match played {
            Ok(()) => self.reports(&part.shows).map(|()| None),
            Err(Halt::Give(value)) => Ok(Some(value)),
            Err(other) => Err(other),
        };
        self.holds.truncate(holds);
        self.frames.pop();
        played
    }

    /// The variable itself, for a part that changes it.
    pub fn slot(&mut self, place: &Expr) -> Out<Slot> {
        match &place.kind {
            ExprKind::Name(name) => match self.frame().names.get(name) {
                Some(slot) => Ok(slot.clone()),
                None => senseless(format!("{name} is no variable")),
            },
            ExprKind::Index(list, at_place) => {
                let slot = self.slot(list)?;
                let place = self.number(at_place)?;
                let Value::List(values) = self.read(&slot)? else {
                    return senseless("no list");
                };
                Ok(Slot::Place(Box::new(slot), at(place, values.len())?))
            }
            ExprKind::Member(of, name) => match self.eval(of)? {
                Value::Thing(bag, thing) => Ok(Slot::Field(bag, thing, name.text.clone())),
                Value::Throw(shown) if shown.contains_key(&name.text) => {
                    Ok(Slot::Symbol(Box::new(self.slot(of)?), name.text.clone()))
                }
                other => senseless(format!("{other:?} does not change")),
            },
            _ => senseless("no place"),
        }
    }

    pub fn rows_alike(one: &Record, two: &Record, fields: &[String]) -> bool {
        fields.iter().all(|field| one.get(field) == two.get(field))
    }
}

/// A place of a list, from 0.
fn at(place: i64, length: usize) -> Out<usize> {
    if place < 1 || place > length as i64 {
        return fault(format!("the list has places 1 to {length}, and this is {place}"));
    }
    Ok(place as usize - 1)
}

fn floor(a: i64, b: i64) -> i64 {
    let towards_zero = a / b;
    towards_zero - i64::from(a % b != 0 && (a < 0) != (b < 0))
}

/// A number of 32 bits.
pub fn small(number: i64) -> Out<Value> {
    match i32::try_from(number) {
        Ok(_) => Ok(Value::Number(number)),
        Err(_) => fault(format!("{number} is past 32 bits")),
    }
}

/// A test of two values.
pub fn compare(op: Operator, left: &Value, right: &Value) -> Out<bool> {
    let (a, b) = match (left, right) {
        _ if op == Operator::Equal => return Ok(left.same(right)),
        _ if op == Operator::NotEqual => return Ok(!left.same(right)),
        (Value::Number(a), Value::Number(b)) => (*a, *b),
        (Value::Word(list, _), Value::Word(_, word)) => {
            let right = Value::Word(list.clone(), word.clone());
            match (left.rank(), right.rank()) {
                (Some(a), Some(b)) => (a, b),
                _ => return senseless(format!("{left:?} and {right:?} stand in no order")),
            }
        }
        _ => return senseless(format!("{left:?} and {right:?} stand in no order")),
    };
    Ok(match op {
        Operator::Less => a < b,
        Operator::LessOrEqual => a <= b,
        Operator::Greater => a > b,
        _ => a >= b,
    })
}
