//! Parses dice and their modifiers.
//!
//! ```text
//! dice    = "d" ( number | "%" | "66" | "F" | "(" expr ")" | "{" custom faces "}" ) { modifier }
//! modifier = ( "kh" | "k" | "kl" | "dh" | "dl" | "d" ) [ number ]
//!         | ( "keep" | "drop" ) ( "highest" | "lowest" | "best" | "worst" ) [ number ]
//!         | ( "keep" | "drop" ) number | ( "high" | "low" ) number
//!         | "adv" | "dis" | ( "up" | "down" | "step" ) number
//!         | ( "r" | "ro" | "reroll" ) faces
//!         | ( "!" | "!!" | "!p" | "explode" ) [ faces ] [ "up" "to" number ]
//!         | "again" "on" faces "up" "to" number
//!         | [ "count" | "hits" | "on" ] faces                        (the last one)
//! faces   = number [ "+" | "-" | ".." number ] | comparison number
//! ```

use super::{Parser, Read, advice};
use crate::bounds::{DICE, EXTRA, LADDER, SIDES, STEPS};
use crate::reader::{advised, fault};
use crate::tree::{
    Comparison, Die, Extra, Faces, Joins, Keep, Node, Passes, Pool, Reroll, Span, What,
};

/// Largest number of custom faces of a die.
const OWN: usize = 200;

/// Largest distance of a custom face from 0.
const FACE: i64 = 10_000;

impl Parser<'_> {
    /// Returns whether dice come next, apart from their number.
    pub(super) fn at_die(&self) -> bool {
        match self.reader.letters().as_str() {
            "df" => true,
            "d" => {
                let behind = self.reader.rest()[1..].trim_start();
                behind.is_empty()
                    || !behind.starts_with(['+', '-', '*', '/', ')', ',', '=', '<', '>'])
            }
            _ => false,
        }
    }

    /// Parses dice after their number, with all modifiers behind them.
    pub(super) fn pool(&mut self, start: usize, count: Option<Node>) -> Read<Node> {
        let (die, sides) = self.die()?;
        let keep = Vec::new();
        let mut pool = Pool { count, die, reroll: None, extra: None, keep };
        while self.said(&mut pool, &sides)? {}
        if let Some(passes) = self.counting()? {
            let span = start..self.reader.place();
            return Ok(Node { what: What::Count(Box::new(pool), Passes::Faces(passes)), span });
        }
        Ok(Node { what: What::Pool(Box::new(pool)), span: start..self.reader.place() })
    }

    /// Parses a die, and returns it with the place of its sides.
    fn die(&mut self) -> Read<(Die, Span)> {
        if self.reader.word(&["df"]) {
            let at = self.reader.place();
            return Ok((Die::Own(vec![-1, 0, 1]), at - 1..at));
        }
        self.reader.word(&["d"]);
        let start = self.reader.start();
        let die = if self.reader.takes("%") {
            Die::Sides(100)
        } else if self.reader.takes("{") {
            Die::Own(self.own_faces(start)?)
        } else if self.reader.takes("(") {
            let sides = self.expr()?;
            self.reader.expect(")")?;
            Die::Reckoned(Box::new(sides))
        } else {
            match self.reader.number(&SIDES, "the number of sides")? {
                // Two d6 read as tens and ones, not a die with 66 sides.
                66 => Die::Tens,
                sides => Die::Sides(sides as u16),
            }
        };
        Ok((die, start..self.reader.place()))
    }

    /// Parses `{1, 1, 2, 3}`, `{1..6}` or `{0:3, 1:2}`, with each face repeated as written.
    fn own_faces(&mut self, start: usize) -> Read<Vec<i64>> {
        let mut faces = Vec::new();
        loop {
            let from = self.face()?;
            let to = if self.reader.takes("..") { self.face()? } else { from };
            let times = match self.reader.takes(":") {
                true => self.reader.number(&DICE, "how often the face is there")?,
                false => 1,
            };
            // Counted before memory is allocated for it: `{1..1000000000}` is quick to type.
            let more = (to - from + 1).max(0).saturating_mul(times);
            if more == 0 || faces.len() as i64 + more > OWN as i64 {
                let problem = format!("a die has 1 to {OWN} custom faces");
                return Err(fault(start..self.reader.place(), problem));
            }
            faces.extend((from..=to).flat_map(|face| std::iter::repeat_n(face, times as usize)));
            if !self.reader.takes(",") {
                self.reader.expect("}")?;
                return Ok(faces);
            }
        }
    }

    fn face(&mut self) -> Read<i64> {
        let minus = self.reader.takes_any(&["-", "−", "–"]);
        let digits = self.reader.digits().ok_or_else(|| self.reader.unexpected("a face"))?;
        if digits.value > FACE {
            return Err(fault(digits.span, format!("a face is -{FACE} to {FACE}")));
        }
        Ok(if minus { -digits.value } else { digits.value })
    }

    /// Parses one modifier of the dice, if one comes next.
    fn said(&mut self, pool: &mut Pool, sides: &Span) -> Read<bool> {
        if let Some(keep) = self.keep(pool)? {
            pool.keep.push(keep);
            return Ok(true);
        }
        let start = self.reader.start();
        if let Some(reroll) = self.reroll()? {
            return self.once(start, pool.reroll.replace(reroll).is_none());
        }
        if let Some(extra) = self.extra()? {
            return self.once(start, pool.extra.replace(extra).is_none());
        }
        self.steps(pool, sides)
    }

    fn once(&self, start: usize, first: bool) -> Read<bool> {
        if first {
            return Ok(true);
        }
        Err(fault(start..self.reader.place(), "these dice already have this modifier"))
    }

    fn keep(&mut self, pool: &mut Pool) -> Read<Option<Keep>> {
        let worse = self.reader.word(&["dis", "disadv", "disadvantage"]);
        if worse || self.reader.word(&["adv", "advantage"]) {
            let at = self.reader.place();
            // `d20 adv` rolls two dice, though it names one.
            pool.count.get_or_insert(Node { what: What::Number(2), span: at..at });
            return Ok(Some(Keep { highest: !worse, drop: false, number: 1 }));
        }
        let start = self.reader.start();
        let Some((highest, drop)) = self.named_dice()? else {
            return Ok(None);
        };
        let number = match self.reader.digits() {
            Some(digits) => self.reader.within(&DICE, &digits)?,
            None => 1,
        };
        let what = if drop { "dropped" } else { "kept" };
        self.enough_for(pool, number, (drop, what), start..self.reader.place())?;
        Ok(Some(Keep { highest, drop, number: number as u16 }))
    }

    /// Parses the words for the dice that count, if they come next. Returns whether the highest are
    /// named, and whether the named dice are dropped.
    fn named_dice(&mut self) -> Read<Option<(bool, bool)>> {
        let word = self.reader.letters();
        let found = match word.as_str() {
            "kh" | "k" | "high" => (true, false),
            "kl" | "low" => (false, false),
            "dh" => (true, true),
            "dl" => (false, true),
            // `4d6d1` drops one; after a space or before anything else a `d` begins other dice.
            "d" if self.glued(|c| c.is_ascii_digit()) => (false, true),
            "keep" | "drop" => {
                self.reader.skip(word.len());
                let highest = match self.reader.letters().as_str() {
                    "highest" | "best" => true,
                    "lowest" | "worst" => false,
                    // Like `k3` and `d1`: the best are kept, the worst are dropped.
                    _ if self.reader.rest().starts_with(|c: char| c.is_ascii_digit()) => {
                        word == "keep"
                    }
                    _ => return Err(self.reader.unexpected("`highest` or `lowest`")),
                };
                self.reader.word(&["highest", "lowest", "best", "worst"]);
                return Ok(Some((highest, word == "drop")));
            }
            _ => return Ok(None),
        };
        self.reader.skip(word.len());
        Ok(Some(found))
    }

    /// Returns whether the next letter comes without a space, directly followed by a character that
    /// passes `behind`.
    fn glued(&self, behind: impl Fn(char) -> bool) -> bool {
        let here = self.reader.here();
        here == self.reader.rest() && here[1..].starts_with(behind)
    }

    /// Checks that `number` dice of a pool can be kept.
    pub(super) fn enough(&self, pool: &Pool, number: i64, span: Span) -> Read<()> {
        self.enough_for(pool, number, (false, "kept"), span)
    }

    fn enough_for(
        &self,
        pool: &Pool,
        number: i64,
        (drop, what): (bool, &str),
        span: Span,
    ) -> Read<()> {
        let count = match &pool.count {
            None => 1,
            Some(Node { what: What::Number(count), .. }) => *count,
            Some(_) => return Ok(()),
        };
        // All may be kept, but not all dropped.
        if number <= count - i64::from(drop) {
            return Ok(());
        }
        let located = fault(span, format!("{number} of {count} dice cannot be {what}"));
        Err(advised(located, "dice of two kinds are added with `+`, as in `d6 + d8`"))
    }

    fn reroll(&mut self) -> Read<Option<Reroll>> {
        let word = self.reader.letters();
        let once = match word.as_str() {
            "r" => false,
            "ro" | "reroll" => true,
            _ => return Ok(None),
        };
        self.reader.skip(word.len());
        let faces = self.faces(&word)?;
        if !once {
            let remark = "`r` rolls those faces until another falls; `ro` and `reroll` do it once";
            self.remarks.push(remark.to_owned());
        }
        Ok(Some(Reroll { faces, once }))
    }

    fn extra(&mut self) -> Read<Option<Extra>> {
        if self.reader.words("again", &["on"]) {
            let faces = self.faces("")?;
            if !self.reader.words("up", &["to"]) {
                return Err(self.reader.unexpected("`up to`, and how many more dice at most"));
            }
            let most = Some(self.reader.number(&EXTRA, "how many more dice at most")? as u16);
            return Ok(Some(Extra { faces, most, joins: Joins::Apart }));
        }
        // `d6 != 3` compares.
        if self.reader.rest().starts_with("!=") {
            return Ok(None);
        }
        let joins = if self.reader.takes("!!") {
            Joins::Together
        } else if self.reader.takes("!") {
            let weaker = self.reader.here().starts_with(['p', 'P']);
            if weaker {
                self.reader.skip(1);
                Joins::Weaker
            } else {
                Joins::Apart
            }
        } else if self.reader.word(&["explode", "explodes", "exploding"]) {
            self.reader.word(&["on"]);
            Joins::Apart
        } else {
            return Ok(None);
        };
        let faces = self.exploding_faces()?;
        let most = match self.reader.words("up", &["to"]) {
            true => Some(self.reader.number(&EXTRA, "how many more dice at most")? as u16),
            false => None,
        };
        Ok(Some(Extra { faces, most, joins }))
    }

    /// Parses the faces written directly behind `!`; a sign after a space compares the sum.
    fn exploding_faces(&mut self) -> Read<Faces> {
        match self.reader.here().chars().next() {
            Some(c) if c.is_ascii_digit() => self.faces("!"),
            Some('>' | '<' | '=' | '≥' | '≤') => {
                let remark = "a sign right behind `!` selects the faces that explode; with a space before it, it compares the sum";
                self.remarks.push(remark.to_owned());
                self.faces("!")
            }
            Some(' ') if self.reader.rest().starts_with(|c: char| c.is_ascii_digit()) => {
                self.faces("!")
            }
            _ => Ok(Faces::Highest),
        }
    }

    /// Parses faces, behind the modifier `before`.
    pub(super) fn faces(&mut self, before: &str) -> Read<Faces> {
        if let Some(comparison) = self.reader.comparison() {
            let number = self.reader.number(&SIDES, "a face")?;
            self.otherwise(comparison, number, before);
            return Ok(Faces::Compared(comparison, number));
        }
        let digits = self.reader.digits().ok_or_else(|| {
            let located = self.reader.unexpected("a face");
            match advice::of(&self.reader.letters()) {
                Some(advice) => advised(located, advice),
                None => located,
            }
        })?;
        let from = self.reader.within(&SIDES, &digits)?;
        Ok(match self.or_more() {
            Some(comparison) => Faces::Compared(comparison, from),
            None if self.reader.takes("..") => {
                Faces::Between(from, self.reader.number(&SIDES, "a face")?)
            }
            None => Faces::Between(from, from),
        })
    }

    /// Consumes the sign that turns a face into all above or below it: `5+`, `2-`.
    fn or_more(&mut self) -> Option<Comparison> {
        let comparison = match self.reader.here().bytes().next() {
            Some(b'+') => Comparison::AtLeast,
            Some(b'-') => Comparison::AtMost,
            _ => return None,
        };
        self.reader.skip(1);
        Some(comparison)
    }

    /// Parses the faces that are counted, if they are named: `count 5+`, `hits on 4+`, or only
    /// `4+`.
    fn counting(&mut self) -> Read<Option<Faces>> {
        let said = self.reader.word(&["count", "counts", "counting", "hits", "hit"]);
        let on = self.reader.word(&["on"]);
        if said || on {
            return self.faces("").map(Some);
        }
        let digits = self.reader.rest().trim_start_matches(|c: char| c.is_ascii_digit());
        let counts = digits.len() < self.reader.rest().len() && digits.starts_with(['+', '-']);
        if counts { self.faces("").map(Some) } else { Ok(None) }
    }

    /// Moves the sides along the ladder of dice; the bottom and the top stay at their place.
    fn steps(&mut self, pool: &mut Pool, at: &Span) -> Read<bool> {
        let word = self.reader.letters();
        if !matches!(word.as_str(), "up" | "down" | "step") {
            return Ok(false);
        }
        self.reader.skip(word.len());
        let minus = word == "step" && self.reader.takes_any(&["-", "−", "–"]);
        self.reader.takes("+");
        let steps = self.reader.number(&STEPS, "a number of steps")? as usize;
        let rung = match pool.die {
            Die::Sides(sides) => LADDER.iter().position(|rung| *rung == sides),
            _ => None,
        };
        let Some(rung) = rung else {
            let problem = format!("a d{} is not on the ladder of dice", self.reader.text(at));
            return Err(advised(fault(at.clone(), problem), "the ladder is d4, d6, d8, d10, d12"));
        };
        let rung = match word == "down" || minus {
            true => rung.saturating_sub(steps),
            false => (rung + steps).min(LADDER.len() - 1),
        };
        pool.die = Die::Sides(LADDER[rung]);
        Ok(true)
    }
}
