//! Types of fields, and their defaults.

use super::Read;
use super::views::Declarations;
use crate::syntax::ast::{Choice, Default, Expr, Kind, Name, Says};
use crate::syntax::token_cursor::{Cursor, Word};

/// Expected type, in messages.
const KIND: &str = "a kind, such as `1..6` or `yes/no`";

impl<'t> Declarations<'_, '_> {
    pub(super) fn default(&mut self, at: &mut Cursor<'t>) -> Read<Default> {
        let start = at.place();
        if !at.eat("[") {
            return Some(Default::One(self.preset(at)?));
        }
        let values = self.listed(at, "]", |reader, at| reader.declarations().preset(at))?;
        Some(Default::List(values, start..at.place()))
    }

    /// Parses an expression, or a name with spaces in quotes.
    fn preset(&mut self, at: &mut Cursor<'t>) -> Read<Expr> {
        if !matches!(at.peek().0, Word::Text(_)) {
            return self.expr(at);
        }
        let Name { text, span } = self.quoted(at)?;
        Some(Expr::new(span, Says::Name(text)))
    }

    /// Parses a type, or a list of one: `1 to 6 of unit`.
    pub(super) fn kind(&mut self, at: &mut Cursor<'t>) -> Read<Kind> {
        let start = at.place();
        let mut ahead = at.clone();
        if let Word::Number(digits) = ahead.take().0 {
            let (low, span) = (self.number(digits, at.peek().1)?, at.peek().1);
            let mut high = None;
            if ahead.eat("to") {
                let Word::Number(digits) = ahead.peek().0 else {
                    return self.astray(&ahead, "how many at most");
                };
                high = Some(self.number(digits, ahead.take().1)?);
            }
            if ahead.eat("of") {
                *at = ahead;
                let of = Box::new(self.simple_kind(at)?);
                return Some(Kind::Several(low, high.unwrap_or(low), of, start..span.end));
            }
        }
        self.simple_kind(at)
    }

    fn simple_kind(&mut self, at: &mut Cursor<'t>) -> Read<Kind> {
        let start = at.place();
        if at.eat("die") {
            return self.die(at);
        }
        let mut ahead = at.clone();
        if ahead.eat("yes") && ahead.eat("/") && ahead.eat("no") {
            *at = ahead;
            return Some(Kind::YesNo);
        }
        if at.eat("one") {
            self.expect(at, "of")?;
            return Some(Kind::OneOf(self.name(at, "the data")?));
        }
        if at.is("of") {
            return self.astray(at, KIND);
        }
        let first = self.option_of(at)?;
        if let Choice::Number(low, _) = first
            && at.eat("..")
        {
            let Choice::Number(high, span) = self.option_of(at)? else {
                return self.astray(at, "a number");
            };
            return Some(Kind::Range(low, high, start..span.end));
        }
        let mut options = vec![first];
        while at.eat("or") {
            options.push(self.option_of(at)?);
        }
        Some(match options.as_slice() {
            [Choice::Word(name)] => Kind::Record(name.clone()),
            _ => Kind::Choice(options),
        })
    }

    /// Parses `die`, `die d4..d12` and `die d4..d12 by 2`.
    fn die(&mut self, at: &mut Cursor<'t>) -> Read<Kind> {
        let Word::Dice(None, low) = at.peek().0 else {
            return Some(Kind::Die(None));
        };
        let low = self.number(low, at.take().1)?;
        self.expect(at, "..")?;
        let Word::Dice(None, high) = at.peek().0 else {
            return self.astray(at, "a die, such as `d12`");
        };
        let high = self.number(high, at.take().1)?;
        let mut step = 1;
        if at.eat("by") {
            let Word::Number(digits) = at.peek().0 else {
                return self.astray(at, "a number");
            };
            step = self.number(digits, at.take().1)?.max(1);
        }
        Some(Kind::Die(Some((low, high, step))))
    }

    /// Parses a word, or a number with its sign.
    fn option_of(&mut self, at: &mut Cursor<'t>) -> Read<Choice> {
        let start = at.place();
        let minus = at.eat("-");
        match at.peek() {
            (Word::Number(digits), span) => {
                at.take();
                let number = self.number(digits, span.clone())?;
                let number = if minus { -number } else { number };
                Some(Choice::Number(number, start..span.end))
            }
            _ => Some(Choice::Word(self.word(at, KIND)?)),
        }
    }
}
