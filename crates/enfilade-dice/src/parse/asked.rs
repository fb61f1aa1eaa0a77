//! Parses dice in words: `highest 3 of 4d6`, `count 6 in 3d6`, `count(6d6 >= 5)`,
//! `explode d6`.

use super::{Parser, Read, two};
use crate::bounds::DICE;
use crate::reader::{advised, fault};
use crate::tree::{Extra, Faces, Joins, Node, Passes, Pool, Sign, What};

impl Parser<'_> {
    /// Parses dice in words, if they come next.
    pub(super) fn asked(&mut self, start: usize) -> Read<Option<Node>> {
        let word = self.reader.letters();
        let known = ["highest", "lowest", "best", "worst", "count", "explode"];
        if !known.contains(&word.as_str()) {
            return Ok(None);
        }
        self.reader.skip(word.len());
        match word.as_str() {
            "count" => self.counted(start),
            "explode" => self.exploding(start),
            _ => self.highest(start, matches!(word.as_str(), "highest" | "best")),
        }
        .map(Some)
    }

    fn highest(&mut self, start: usize, highest: bool) -> Read<Node> {
        let number = match self.reader.digits() {
            Some(digits) => Some(self.reader.within(&DICE, &digits)?),
            None => None,
        };
        if !self.reader.word(&["of"]) {
            return Err(self.reader.unexpected("`of` and dice"));
        }
        let first = self.sum()?;
        let mut others = Vec::new();
        // `highest 2 of` takes from one pool: two of several sums would have no clear meaning.
        while number.is_none() && (self.reader.takes(",") || self.reader.word(&["and"])) {
            others.push(self.sum()?);
        }
        let span = start..self.reader.place();
        let sign = if highest { Sign::Larger } else { Sign::Smaller };
        match first {
            _ if !others.is_empty() => {
                Ok(others.into_iter().fold(first, |left, right| two(sign, left, right)))
            }
            Node { what: What::Pool(pool), .. } => {
                let number = number.unwrap_or(1);
                self.enough(&pool, number, span.clone())?;
                self.ends_of(*pool, highest, number as u16, span)
            }
            _ => Err(fault(span, "expected dice of which some can be kept")),
        }
    }

    /// Parses `count(6d6 >= 5)` or `count 6 in 3d6`.
    fn counted(&mut self, start: usize) -> Read<Node> {
        if self.reader.takes("(") {
            let pool = self.some_dice()?;
            let Some(comparison) = self.comparison() else {
                return Err(self.reader.unexpected("a test, such as `>= 4`"));
            };
            let with = self.bound()?;
            self.reader.expect(")")?;
            let passes = Passes::Against(comparison, Box::new(with));
            return Ok(Node { what: What::Count(pool, passes), span: start..self.reader.place() });
        }
        let faces = self.faces("")?;
        if !self.reader.word(&["in", "of"]) {
            let located = self.reader.unexpected("`in` and dice");
            return Err(advised(located, "for example `count 6 in 3d6`, or `3d6 count 6`"));
        }
        let pool = self.some_dice()?;
        let what = What::Count(pool, Passes::Faces(faces));
        Ok(Node { what, span: start..self.reader.place() })
    }

    fn exploding(&mut self, start: usize) -> Read<Node> {
        let mut pool = self.some_dice()?;
        let extra = Extra { faces: Faces::Highest, most: None, joins: Joins::Apart };
        pool.extra.get_or_insert(extra);
        Ok(Node { what: What::Pool(pool), span: start..self.reader.place() })
    }

    /// Parses dice that are not counted yet, which must come next.
    fn some_dice(&mut self) -> Read<Box<Pool>> {
        let inner = self.atom()?;
        match inner.what {
            What::Pool(pool) => Ok(pool),
            _ => Err(fault(inner.span, "expected dice, such as 6d6")),
        }
    }
}
