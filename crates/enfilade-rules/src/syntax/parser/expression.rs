//! Expressions, by recursive descent: one function for each rule of the grammar.

use super::foreign_syntax::turned;
use super::{RESERVED, Read, Reader};
use crate::diagnostics::Span;
use crate::syntax::ast::{Expr, Members, Name, Op, Pool, Says};
use crate::syntax::token_cursor::{Cursor, Word};

/// Largest depth of brackets.
const DEPTH: usize = 32;

fn joined(op: Op, a: Expr, b: Expr) -> Expr {
    let span = a.span.start..b.span.end;
    Expr::new(span, Says::Two(op, Box::new(a), Box::new(b)))
}

/// Consumes the first of these operators that is next.
fn sign(at: &mut Cursor, signs: &[(&str, Op)]) -> Option<Op> {
    signs.iter().find(|(sign, _)| at.eat(sign)).map(|(_, op)| *op)
}

impl<'t> Reader<'_> {
    /// Parses an expression.
    pub(super) fn expr(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        self.deeper(at, |reader, at| {
            let value = reader.either(at)?;
            if !at.eat("if") {
                return Some(value);
            }
            let when = reader.either(at)?;
            let other = reader.after(at, "else", Self::expr)?.map(Box::new);
            let end = other.as_ref().map_or(when.span.end, |other| other.span.end);
            let span = value.span.start..end;
            Some(Expr::new(span, Says::If(Box::new(when), Box::new(value), other)))
        })
    }

    /// Parses at one more level of brackets, up to a limit, so that no file overflows the stack.
    fn deeper<T>(
        &mut self,
        at: &mut Cursor<'t>,
        read: impl FnOnce(&mut Self, &mut Cursor<'t>) -> Read<T>,
    ) -> Read<T> {
        if self.depth >= DEPTH {
            let span = at.peek().1;
            self.faults.note(span, format!("brackets may be at most {DEPTH} deep"), "");
            return None;
        }
        self.depth += 1;
        let found = read(self, at);
        self.depth -= 1;
        found
    }

    /// Parses `a or b` and `a and b`, which may not be mixed without brackets.
    fn either(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let mut left = self.negated(at)?;
        let mut joined_by = None;
        loop {
            let (_, span) = at.peek();
            let Some(op) = sign(at, &[("or", Op::Or), ("and", Op::And)]) else {
                return Some(left);
            };
            if joined_by.is_some_and(|known| known != op) {
                let problem = "`and` and `or` are mixed without brackets";
                self.faults.note(span, problem, "write `a and (b or c)`");
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
        Some(Expr::new(start..inner.span.end, Says::Not(Box::new(inner))))
    }

    fn test(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let left = self.bounded(at)?;
        let (word, span) = at.peek();
        if word == Word::Sign("=") {
            self.no_test(at, span);
            return None;
        }
        match self.comparison(at) {
            None => Some(left),
            Some(op) => Some(joined(op, left, self.bounded(at)?)),
        }
    }

    /// Reports `=` in place of a test, or a comparison with its signs exchanged.
    fn no_test(&mut self, at: &Cursor<'t>, span: Span) {
        let mut behind = at.clone();
        behind.take();
        let glued = behind.is_glued();
        let (word, sign) = behind.take();
        match word {
            Word::Sign(said) if glued && let Some(help) = turned(said) => {
                let problem = format!("`={said}` is not a test");
                self.faults.note(span.start..sign.end, problem, help);
            }
            _ => self.faults.note(span, "`=` assigns a value; test with `==` or `is`", ""),
        }
    }

    /// Consumes a comparison operator.
    pub(super) fn comparison(&mut self, at: &mut Cursor<'t>) -> Option<Op> {
        let signs = [
            ("==", Op::Is),
            ("!=", Op::Not),
            ("<=", Op::Most),
            (">=", Op::Least),
            ("<", Op::Less),
            (">", Op::More),
            ("is", Op::Is),
        ];
        let is_word = at.is("is");
        let op = sign(at, &signs)?;
        Some(if is_word && at.eat("not") { Op::Not } else { op })
    }

    /// Parses `x at least 0` and `x at most 6`.
    fn bounded(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let mut left = self.sum(at)?;
        loop {
            let mut ahead = at.clone();
            let bounds = [("least", Op::AtLeast), ("most", Op::AtMost)];
            let Some(op) = ahead.eat("at").then(|| sign(&mut ahead, &bounds)).flatten() else {
                return Some(left);
            };
            *at = ahead;
            left = joined(op, left, self.sum(at)?);
        }
    }

    pub(super) fn sum(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        self.chain(at, &[("+", Op::Add), ("-", Op::Sub)], Self::product)
    }

    fn product(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        self.chain(at, &[("*", Op::Mul), ("/", Op::Div)], Self::atom)
    }

    /// Parses operands separated by these operators, associated to the left.
    fn chain(
        &mut self,
        at: &mut Cursor<'t>,
        signs: &[(&str, Op)],
        one: impl Fn(&mut Self, &mut Cursor<'t>) -> Read<Expr>,
    ) -> Read<Expr> {
        let mut left = one(self, at)?;
        while let Some(op) = sign(at, signs) {
            left = joined(op, left, one(self, at)?);
        }
        Some(left)
    }

    /// Parses a unit, or dice.
    pub(super) fn atom(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let start = at.place();
        if at.eat("-") {
            let inner = self.deeper(at, Self::atom)?;
            return Some(Expr::new(start..inner.span.end, Says::Minus(Box::new(inner))));
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

    /// Returns whether dice are next: `2d6`, `d6`, `d(x)`.
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
        let (said, sides) = match word {
            Word::Dice(said, sides) => (said, self.digits(sides, span.clone())?),
            _ => (None, self.in_brackets(at)?),
        };
        let tens = matches!((word, &sides.what), (Word::Dice(..), Says::Number(66)));
        let count = match (said, count) {
            (Some(digits), None) => Some(self.digits(digits, span)?),
            (Some(_), Some(count)) => {
                let problem = "there are two numbers of dice here";
                self.faults.note(count.span, problem, "write `n d6` or `2d6`");
                return None;
            }
            (None, count) => count,
        };
        let mut pool = Pool { count, sides, tens, keep: None, reroll: None, again: None };
        self.modifiers(at, &mut pool)?;
        Some(Expr::new(start..at.place(), Says::Pool(Box::new(pool))))
    }

    /// Parses `high 1`, `low 2`, `reroll 1..2` and `again on 6 up to 3`.
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
        Some((self.atom(at)?, self.after(at, "..", Self::atom)?))
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
                return self.digits(digits, span);
            }
            Word::Sign("(") => return self.in_brackets(at),
            Word::Name("yes" | "no") => Says::Yes(at.take().0 == Word::Name("yes")),
            Word::Name("count") => return self.count(at),
            Word::Name(name) if !RESERVED.contains(&name) => return self.place(at),
            _ => return self.astray(at, "a value"),
        };
        Some(Expr::new(span, what))
    }

    /// Parses digits to a number in range.
    pub(super) fn number(&mut self, digits: &str, span: Span) -> Read<i64> {
        let number = digits.parse::<i64>().ok().filter(|n| *n <= i64::from(i32::MAX));
        if number.is_none() {
            self.faults.note(span, format!("a number is at most {}", i32::MAX), "");
        }
        number
    }

    fn digits(&mut self, digits: &str, span: Span) -> Read<Expr> {
        let number = self.number(digits, span.clone())?;
        Some(Expr::new(span, Says::Number(number)))
    }

    /// Parses a call, or a name with its members and indexes.
    pub(super) fn place(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let name = self.name(at, "a name")?;
        if at.is_glued() && at.is("(") {
            return self.call(at, name);
        }
        let start = name.span.start;
        let mut value = Expr::new(name.span, Says::Name(name.text));
        loop {
            let what = if at.eat(".") {
                Says::Column(Box::new(value), self.name(at, "the name of a column")?)
            } else if at.is_glued() && at.eat("[") {
                let place = self.expr(at)?;
                self.expect(at, "]")?;
                Says::Place(Box::new(value), Box::new(place))
            } else {
                return Some(value);
            };
            value = Expr::new(start..at.passed(), what);
        }
    }

    fn call(&mut self, at: &mut Cursor<'t>, name: Name) -> Read<Expr> {
        let start = name.span.start;
        self.expect(at, "(")?;
        let what = match name.text.as_str() {
            "up" => Says::Up(Box::new(self.product(at)?)),
            "given" => Says::Given(Box::new(self.place(at)?)),
            "sum" => {
                let summand = self.expr(at)?;
                self.expect(at, "for")?;
                Says::Over(Some(Box::new(summand)), Box::new(self.members(at)?))
            }
            _ => {
                let shifted = |reader: &mut Self, at: &mut Cursor<'t>| {
                    Some((reader.expr(at)?, reader.after(at, "shift", Self::sum)?))
                };
                let what = Says::Call(name, self.listed(at, ")", shifted)?);
                return Some(Expr::new(start..at.passed(), what));
            }
        };
        self.expect(at, ")")?;
        Some(Expr::new(start..at.passed(), what))
    }

    /// Parses `x in xs where c`.
    pub(super) fn members(&mut self, at: &mut Cursor<'t>) -> Read<Members> {
        let name = self.name(at, "a name for each of them")?;
        self.expect(at, "in")?;
        let all = self.place(at)?;
        Some(Members { name, all, when: self.after(at, "where", Self::expr)? })
    }

    /// Parses `count(n d6 >= 4)`, `count(list is x)` and `count(u in units where c)`.
    fn count(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        let (_, start) = at.take();
        self.expect(at, "(")?;
        let what = match self.each_of(at) {
            true => Says::Over(None, Box::new(self.members(at)?)),
            false => {
                let of = Box::new(self.atom(at)?);
                let Some(op) = self.comparison(at) else {
                    return self.astray(at, "a test, such as `>= 4`");
                };
                Says::Count(of, op, Box::new(self.bounded(at)?))
            }
        };
        self.expect(at, ")")?;
        Some(Expr::new(start.start..at.passed(), what))
    }

    /// Returns whether `x in` is next.
    fn each_of(&self, at: &Cursor<'t>) -> bool {
        let mut ahead = at.clone();
        matches!(ahead.take().0, Word::Name(_)) && ahead.is("in")
    }
}
