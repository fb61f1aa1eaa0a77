//! Expressions, as a player reads them: by recursive descent, one function a rule of the grammar.

use super::{RESERVED, Read, Reader};
use crate::rulebook::cursor::{Cursor, Word};
use crate::rulebook::fault::Span;
use crate::rulebook::tree::{Expr, Name, Op, Pool, Says};

/// Brackets within brackets.
const DEPTH: usize = 32;

fn joined(op: Op, a: Expr, b: Expr) -> Expr {
    let span = a.span.start..b.span.end;
    let what = Says::Two(op, Box::new(a), Box::new(b));
    Expr { span, what }
}

impl<'t> Reader<'_> {
    /// An expression.
    pub(super) fn expr(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        self.deeper(at, |reader, at| {
            let value = reader.either(at)?;
            if !at.eat("if") {
                return Some(value);
            }
            let when = reader.either(at)?;
            let other = match at.eat("else") {
                true => Some(Box::new(reader.expr(at)?)),
                false => None,
            };
            let end = other.as_ref().map_or(when.span.end, |other| other.span.end);
            let span = value.span.start..end;
            let what = Says::If(Box::new(when), Box::new(value), other);
            Some(Expr { span, what })
        })
    }

    /// Counts how deep brackets stand: nothing in a file can run over the stack.
    fn deeper<T>(
        &mut self,
        at: &mut Cursor<'t>,
        read: impl FnOnce(&mut Self, &mut Cursor<'t>) -> Read<T>,
    ) -> Read<T> {
        if self.depth >= DEPTH {
            let span = at.peek().1;
            self.faults.note(span, format!("brackets stand at most {DEPTH} deep"), "");
            return None;
        }
        self.depth += 1;
        let found = read(self, at);
        self.depth -= 1;
        found
    }

    /// `a or b`, `a and b`: not both without brackets.
    fn either(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let mut left = self.negated(at)?;
        let mut joined_by = None;
        loop {
            let (_, span) = at.peek();
            let op = match (at.eat("or"), ()) {
                (true, ()) => Op::Or,
                (false, ()) if at.eat("and") => Op::And,
                _ => return Some(left),
            };
            if joined_by.is_some_and(|known| known != op) {
                let problem = "`and` and `or` stand side by side";
                self.faults.note(span, problem, "put one pair in brackets");
                return None;
            }
            joined_by = Some(op);
            left = joined(op, left, self.negated(at)?);
        }
    }

    fn negated(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let start = at.place();
        if !at.eat("not") {
            return self.test(at);
        }
        let inner = self.deeper(at, Self::negated)?;
        let span = start..inner.span.end;
        let what = Says::Not(Box::new(inner));
        Some(Expr { span, what })
    }

    fn test(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let left = self.bounded(at)?;
        let (word, span) = at.peek();
        if word == Word::Sign("=") {
            self.faults.note(span, "`=` gives a value; a test is `==` or `is`", "");
            return None;
        }
        match self.comparison(at) {
            None => Some(left),
            Some(op) => Some(joined(op, left, self.bounded(at)?)),
        }
    }

    /// A sign of comparison, which is passed.
    pub(super) fn comparison(&mut self, at: &mut Cursor<'t>) -> Option<Op> {
        let signs = [
            ("==", Op::Is),
            ("!=", Op::Not),
            ("<=", Op::Most),
            (">=", Op::Least),
            ("<", Op::Less),
            (">", Op::More),
        ];
        if let Some((_, op)) = signs.into_iter().find(|(sign, _)| at.eat(sign)) {
            return Some(op);
        }
        at.eat("is").then(|| if at.eat("not") { Op::Not } else { Op::Is })
    }

    /// `x at least 0`, `x at most 6`.
    fn bounded(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let mut left = self.sum(at)?;
        while at.is("at") {
            let mut ahead = at.clone();
            ahead.eat("at");
            let op = match (ahead.eat("least"), ()) {
                (true, ()) => Op::AtLeast,
                (false, ()) if ahead.eat("most") => Op::AtMost,
                _ => break,
            };
            *at = ahead;
            left = joined(op, left, self.sum(at)?);
        }
        Some(left)
    }

    pub(super) fn sum(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let mut left = self.product(at)?;
        loop {
            let op = match (at.eat("+"), ()) {
                (true, ()) => Op::Add,
                (false, ()) if at.eat("-") => Op::Sub,
                _ => return Some(left),
            };
            left = joined(op, left, self.product(at)?);
        }
    }

    fn product(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let mut left = self.atom(at)?;
        loop {
            let op = match (at.eat("*"), ()) {
                (true, ()) => Op::Mul,
                (false, ()) if at.eat("/") => Op::Div,
                _ => return Some(left),
            };
            left = joined(op, left, self.atom(at)?);
        }
    }

    /// A unit, or dice.
    pub(super) fn atom(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let start = at.place();
        if at.eat("-") {
            let inner = self.deeper(at, Self::atom)?;
            let span = start..inner.span.end;
            let what = Says::Minus(Box::new(inner));
            return Some(Expr { span, what });
        }
        if self.is_dice(at) {
            return self.pool(at, start, None);
        }
        let unit = self.unit(at)?;
        match self.is_dice(at) {
            true => self.pool(at, start, Some(unit)),
            false => Some(unit),
        }
    }

    /// Whether dice are here: `2d6`, `d6`, `d(x)`.
    fn is_dice(&self, at: &Cursor<'t>) -> bool {
        let mut ahead = at.clone();
        match ahead.take().0 {
            Word::Dice(..) => true,
            Word::Name("d") => ahead.is_glued() && ahead.is("("),
            _ => false,
        }
    }

    fn pool(&mut self, at: &mut Cursor<'t>, start: usize, count: Option<Expr>) -> Read<Expr> {
        let (word, span) = at.take();
        let (said, sides, tens) = match word {
            Word::Dice(said, sides) => {
                let number = self.number(sides, span.clone())?;
                let what = Says::Number(number);
                let sides = Expr { span: span.clone(), what };
                (said, sides, number == 66)
            }
            _ => (None, self.in_brackets(at)?, false),
        };
        let count = match (said, count) {
            (Some(digits), None) => {
                let what = Says::Number(self.number(digits, span.clone())?);
                Some(Expr { span, what })
            }
            (Some(_), Some(count)) => {
                let problem = "there are two numbers of dice here";
                self.faults.note(count.span, problem, "write `n d6` or `2d6`");
                return None;
            }
            (None, count) => count,
        };
        let mut pool = Pool { count, sides, tens, keep: None, reroll: None, again: None };
        self.modifiers(at, &mut pool)?;
        let span = start..at.place();
        let what = Says::Pool(Box::new(pool));
        Some(Expr { span, what })
    }

    /// `high 1`, `low 2`, `reroll 1..2`, `again on 6 up to 3`.
    fn modifiers(&mut self, at: &mut Cursor<'t>, pool: &mut Pool) -> Read<()> {
        loop {
            let (_, span) = at.peek();
            if at.eat("high") {
                pool.keep = Some((true, self.atom(at)?));
            } else if at.eat("low") {
                pool.keep = Some((false, self.atom(at)?));
            } else if at.eat("reroll") {
                pool.reroll = Some(self.faces(at)?);
            } else if at.eat("again") {
                self.expect(at, "on")?;
                let faces = self.faces(at)?;
                if !(at.eat("up") && at.eat("to")) {
                    let problem = "`again` needs `up to`: how many more dice at most?";
                    self.faults.note(span, problem, "");
                    return None;
                }
                pool.again = Some((faces, self.atom(at)?));
            } else {
                return Some(());
            }
        }
    }

    fn faces(&mut self, at: &mut Cursor<'t>) -> Read<(Expr, Option<Expr>)> {
        let first = self.atom(at)?;
        let last = match at.eat("..") {
            true => Some(self.atom(at)?),
            false => None,
        };
        Some((first, last))
    }

    fn in_brackets(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        self.expect(at, "(")?;
        let inner = self.expr(at)?;
        self.expect(at, ")")?;
        Some(inner)
    }

    fn unit(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let (word, span) = at.peek();
        let what = match word {
            Word::Number(digits) => {
                at.take();
                Says::Number(self.number(digits, span.clone())?)
            }
            Word::Sign("(") => return self.in_brackets(at),
            Word::Name("yes" | "no") => Says::Yes(at.take().0 == Word::Name("yes")),
            Word::Name("count") => return self.count(at),
            Word::Name(name) if !RESERVED.contains(&name) => return self.place(at),
            _ => {
                self.astray(at, "a value");
                return None;
            }
        };
        Some(Expr { span, what })
    }

    /// A number of digits, which fits.
    pub(super) fn number(&mut self, digits: &str, span: Span) -> Read<i64> {
        let number = digits.parse::<i64>().ok().filter(|n| *n <= i64::from(i32::MAX));
        if number.is_none() {
            self.faults.note(span, format!("a number is at most {}", i32::MAX), "");
        }
        number
    }

    /// A call, or a name with its columns and places.
    pub(super) fn place(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let name = self.name(at, "a name")?;
        if at.is_glued() && at.is("(") {
            return self.call(at, name);
        }
        let start = name.span.start;
        let mut value = Expr { span: name.span, what: Says::Name(name.text) };
        loop {
            if at.eat(".") {
                let column = self.name(at, "the name of a column")?;
                let span = start..column.span.end;
                let what = Says::Column(Box::new(value), column);
                value = Expr { span, what };
            } else if at.is_glued() && at.eat("[") {
                let place = self.expr(at)?;
                let end = at.peek().1.end;
                self.expect(at, "]")?;
                let span = start..end;
                let what = Says::Place(Box::new(value), Box::new(place));
                value = Expr { span, what };
            } else {
                return Some(value);
            }
        }
    }

    fn call(&mut self, at: &mut Cursor<'t>, name: Name) -> Read<Expr> {
        let start = name.span.start;
        self.expect(at, "(")?;
        let what = match name.text.as_str() {
            "up" => Says::Up(Box::new(self.product(at)?)),
            "given" => Says::Given(Box::new(self.place(at)?)),
            "sum" => self.over(at)?,
            _ => Says::Call(name, self.arguments(at)?),
        };
        let end = at.peek().1.end;
        self.expect(at, ")")?;
        let span = start..end;
        Some(Expr { span, what })
    }

    /// `e for x in xs where c`.
    fn over(&mut self, at: &mut Cursor<'t>) -> Read<Says> {
        let summand = Some(Box::new(self.expr(at)?));
        self.expect(at, "for")?;
        let name = self.name(at, "a name for each of them")?;
        self.expect(at, "in")?;
        let all = Box::new(self.place(at)?);
        Some(Says::Over(summand, name, all, self.condition(at)?))
    }

    /// `where c`, if it is there.
    fn condition(&mut self, at: &mut Cursor<'t>) -> Read<Option<Box<Expr>>> {
        match at.eat("where") {
            true => Some(Some(Box::new(self.expr(at)?))),
            false => Some(None),
        }
    }

    fn arguments(&mut self, at: &mut Cursor<'t>) -> Read<Vec<(Expr, Option<Expr>)>> {
        let mut arguments = Vec::new();
        while !at.is(")") {
            let value = self.expr(at)?;
            let shift = match at.eat("shift") {
                true => Some(self.sum(at)?),
                false => None,
            };
            arguments.push((value, shift));
            if !at.eat(",") {
                break;
            }
        }
        Some(arguments)
    }

    /// `count(n d6 >= 4)`, `count(list is x)`, `count(u in units where c)`.
    fn count(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let (_, start) = at.take();
        self.expect(at, "(")?;
        let what = match self.each_of(at) {
            true => {
                let name = self.name(at, "a name for each of them")?;
                self.expect(at, "in")?;
                let all = Box::new(self.place(at)?);
                Says::Over(None, name, all, self.condition(at)?)
            }
            false => {
                let of = Box::new(self.atom(at)?);
                let Some(op) = self.comparison(at) else {
                    self.astray(at, "a test, such as `>= 4`");
                    return None;
                };
                Says::Count(of, op, Box::new(self.bounded(at)?))
            }
        };
        let end = at.peek().1.end;
        self.expect(at, ")")?;
        let span = start.start..end;
        Some(Expr { span, what })
    }

    /// Whether `x in` follows.
    fn each_of(&self, at: &Cursor<'t>) -> bool {
        let mut ahead = at.clone();
        matches!(ahead.take().0, Word::Name(_)) && ahead.is("in")
    }
}
