//! Parser of dice expressions.
//!
//! ```text
//! answer  = expr [ "vs" expr ]
//! expr    = either [ "if" either [ "else" expr ] ]
//! either  = not { "or" not } | not { "and" not }
//! not     = "not" not | test
//! test    = bound [ ( ">=" | "<=" | ">" | "<" | "=" | "!=" | "is" [ "not" ] ) bound [ "s" ] ]
//! bound   = sum { "at" ( "least" | "most" ) sum }
//! sum     = product { ( "+" | "-" ) product }
//! product = atom { ( "*" | "x" | "/" ) atom }
//! atom    = "-" atom | [ number | "(" expr ")" ] dice | number | "yes" | "no" | "(" expr ")"
//!         | ( "max" | "min" ) "(" expr { "," expr } ")" | "up" "(" product ")"
//!         | "count" "(" dice comparison bound ")" | "{" dice "}" | "[" phrase "]" | phrase
//! phrase  = ( "highest" | "lowest" | "best" | "worst" ) ( [ number ] "of" dice
//!             | "of" expr { ( "and" | "," ) expr } )
//!         | "count" faces "in" dice | "explode" dice
//! ```
//! Dice and their modifiers are parsed in [`dice`].

use super::bounds::{CONSTANT, DEEP, LENGTH};
use super::reader::{Reader, advised, fault};
use super::tree::{Comparison, Die, Faces, Node, Passes, Pool, Sign, Span, What};
use enfilade_model::error::LocatedFault;
use enfilade_model::form::name_matching::nearest;

mod advice;
mod asked;
mod dice;

/// Result of parsing, or the fault at its place.
type Read<T> = Result<T, LocatedFault>;

/// Words of expressions, for suggestions when one is misspelled.
const WORDS: [&str; 31] = [
    "adv", "again", "and", "at", "count", "dis", "down", "drop", "else", "explode", "high",
    "highest", "if", "is", "keep", "least", "low", "lowest", "max", "min", "most", "not", "on",
    "or", "reroll", "step", "to", "up", "versus", "vs", "hits",
];

/// Parses a whole expression, and returns remarks on other possible readings with it.
pub fn expression(text: &str) -> Read<(Node, Vec<String>)> {
    let characters = i64::try_from(text.trim().chars().count()).unwrap_or(i64::MAX);
    if let Err(problem) = LENGTH.check(characters) {
        return Err(advised(fault(0..text.len(), problem), "for example \"d8 + 4d6\""));
    }
    let mut parser = Parser { reader: Reader::new(text), remarks: Vec::new(), depth: 0 };
    let mut node = parser.expr()?;
    if parser.reader.word(&["vs", "versus", "against", "v"]) {
        let right = parser.expr()?;
        node = two(Sign::Versus, node, right);
    }
    if parser.reader.rest().is_empty() {
        return Ok((node, parser.remarks));
    }
    Err(parser.left_over())
}

fn two(sign: Sign, left: Node, right: Node) -> Node {
    let span = left.span.start..right.span.end;
    Node { what: What::Two(sign, Box::new(left), Box::new(right)), span }
}

struct Parser<'a> {
    reader: Reader<'a>,
    remarks: Vec<String>,
    depth: usize,
}

impl Parser<'_> {
    /// Builds the fault of text after the end of an expression.
    fn left_over(&self) -> LocatedFault {
        let word = self.reader.letters();
        let located = self.reader.unexpected("the end of the expression");
        if let Some(advice) = advice::of(&word) {
            return advised(located, advice);
        }
        let known = nearest(&word, WORDS).filter(|known| *known != word && word.len() > 1);
        match (known, self.reader.rest().chars().next()) {
            (Some(known), _) => advised(located, format!("did you mean `{known}`?")),
            (None, Some('d' | 'D' | '(' | '0'..='9')) => advised(
                located,
                "to compare several expressions, put each of them in its own quotes",
            ),
            _ => located,
        }
    }

    /// Parses `inner` one bracket deeper.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth += 1;
        if self.depth > DEEP {
            let at = self.reader.start();
            return Err(fault(at..at, format!("brackets are nested at most {DEEP} deep")));
        }
        let read = inner(self);
        self.depth -= 1;
        read
    }

    fn expr(&mut self) -> Read<Node> {
        self.deeper(|parser| {
            let then = parser.either()?;
            if !parser.reader.word(&["if"]) {
                return Ok(then);
            }
            let test = parser.either()?;
            let other = match parser.reader.word(&["else"]) {
                true => Some(Box::new(parser.expr()?)),
                false => None,
            };
            let span = then.span.start..parser.reader.place();
            Ok(Node { what: What::Choice(Box::new(test), Box::new(then), other), span })
        })
    }

    fn either(&mut self) -> Read<Node> {
        let mut left = self.not()?;
        let mut before = None;
        loop {
            let sign = match self.reader.letters().as_str() {
                "and" => Sign::And,
                "or" => Sign::Or,
                _ => return Ok(left),
            };
            if before.is_some_and(|before| before != sign) {
                let at = self.reader.start();
                let problem = "`and` and `or` are mixed without brackets: write `(a and b) or c`";
                return Err(fault(at..at + self.reader.letters().len(), problem));
            }
            before = Some(sign);
            self.reader.word(&["and", "or"]);
            left = two(sign, left, self.not()?);
        }
    }

    fn not(&mut self) -> Read<Node> {
        let start = self.reader.start();
        if !self.reader.word(&["not"]) {
            return self.test();
        }
        let inner = self.deeper(Self::not)?;
        let span = start..inner.span.end;
        Ok(Node { what: What::Not(Box::new(inner)), span })
    }

    fn comparison(&mut self) -> Option<Comparison> {
        if self.reader.word(&["is"]) {
            let not = self.reader.word(&["not"]);
            return Some(if not { Comparison::Unequal } else { Comparison::Equal });
        }
        self.reader.comparison()
    }

    fn test(&mut self) -> Read<Node> {
        let start = self.reader.start();
        let grouped = self.reader.rest().starts_with('{');
        let left = self.bound()?;
        let Some(comparison) = self.comparison() else {
            return Ok(left);
        };
        let right = self.bound()?;
        let counted = self.reader.word(&["s", "hits", "hit", "success", "successes"]);
        let span = start..self.reader.place();
        match (left.what, &right.what) {
            // `6d10>=8s` and `{6d10}>=8` count dice; without either mark the sum is compared.
            (What::Pool(pool), What::Number(with)) if counted || grouped => {
                if !counted {
                    self.otherwise(comparison, *with, "");
                }
                let faces = Passes::Faces(Faces::Compared(comparison, *with));
                Ok(Node { what: What::Count(pool, faces), span })
            }
            _ if counted => {
                let problem = "`s` counts the dice of one pool against a number";
                Err(advised(fault(span, problem), "for example `6d10>=8s`"))
            }
            (what, _) => {
                let left = Node { what, span: left.span };
                self.looks_like_a_pool(comparison, &left, &right);
                Ok(two(Sign::Is(comparison), left, right))
            }
        }
    }

    /// Adds a remark that `>` leaves out the number itself, unlike in other programs.
    fn otherwise(&mut self, comparison: Comparison, with: i64, before: &str) {
        let (sign, more, all) = match comparison {
            Comparison::More => (">", with + 1, "or more"),
            Comparison::Less => ("<", with - 1, "or less"),
            _ => return,
        };
        self.remarks.push(format!(
            "`{before}{sign}{with}` is read as {more} {all}; for {with} {all}, as Roll20 reads it, write `{before}{sign}={with}`"
        ));
    }

    /// Adds a remark on a sum that is compared with a number that one of its dice can show.
    fn looks_like_a_pool(&mut self, comparison: Comparison, left: &Node, right: &Node) {
        let (What::Pool(pool), What::Number(with)) = (&left.what, &right.what) else {
            return;
        };
        let (Die::Sides(sides), Some(Node { what: What::Number(2..), .. })) =
            (&pool.die, &pool.count)
        else {
            return;
        };
        let sides = i64::from(*sides);
        let (least, faces) = match comparison {
            Comparison::AtLeast => (*with, format!("{with}+")),
            Comparison::More => (with + 1, format!("{}+", with + 1)),
            Comparison::AtMost => (with + 1, format!("<={with}")),
            Comparison::Less => (*with, format!("<{with}")),
            Comparison::Equal => (2, format!("{with}")),
            Comparison::Unequal => return,
        };
        // A number that no single die shows, or that all show, can only be compared with the sum.
        if (2..=sides).contains(&least) && (1..=sides).contains(with) {
            let dice = self.reader.text(&left.span).trim();
            self.remarks.push(format!(
                "this compares the sum of the dice with {with}; to count the dice that pass, write `{dice} count {faces}`"
            ));
        }
    }

    fn bound(&mut self) -> Read<Node> {
        let mut left = self.sum()?;
        loop {
            let sign = match () {
                () if self.reader.words("at", &["least"]) => Sign::Larger,
                () if self.reader.words("at", &["most"]) => Sign::Smaller,
                () => return Ok(left),
            };
            left = two(sign, left, self.sum()?);
        }
    }

    fn sum(&mut self) -> Read<Node> {
        let mut left = self.product()?;
        loop {
            let sign = match () {
                () if self.reader.takes("+") => Sign::Plus,
                () if self.reader.takes_any(&["-", "−", "–"]) => Sign::Minus,
                () => return Ok(left),
            };
            left = two(sign, left, self.product()?);
        }
    }

    fn product(&mut self) -> Read<Node> {
        let mut left = self.atom()?;
        loop {
            let sign = match () {
                () if self.reader.takes_any(&["*", "×", "·"]) || self.times() => Sign::Times,
                () if self.reader.takes_any(&["/", "÷"]) => Sign::Over,
                () => return Ok(left),
            };
            left = two(sign, left, self.atom()?);
        }
    }

    /// Consumes an `x` between two values: `2x3`, `2xd6`, `d6 x 2`.
    fn times(&mut self) -> bool {
        let found = matches!(self.reader.letters().as_str(), "x" | "xd");
        if found {
            self.reader.skip(1);
        }
        found
    }

    fn atom(&mut self) -> Read<Node> {
        let start = self.reader.start();
        if self.reader.takes_any(&["-", "−", "–"]) {
            let inner = self.deeper(Self::atom)?;
            let span = start..inner.span.end;
            return Ok(Node { what: What::Minus(Box::new(inner)), span });
        }
        if let Some(digits) = self.reader.digits() {
            // Before a die, a number is a number of dice, with the bound of dice.
            let bound = if self.at_die() { &super::bounds::DICE } else { &CONSTANT };
            let number = self.reader.within(bound, &digits)?;
            let node = Node { what: What::Number(number), span: digits.span };
            return self.perhaps_dice(start, node);
        }
        if self.at_die() {
            return self.pool(start, None);
        }
        if self.reader.takes("(") {
            let inner = self.expr()?;
            self.reader.expect(")")?;
            let node = Node { what: inner.what, span: start..self.reader.place() };
            return self.perhaps_dice(start, node);
        }
        if self.reader.takes("{") {
            return self.group(start);
        }
        if self.reader.takes("[") {
            let inner = self.deeper(|parser| match parser.asked(start)? {
                Some(asked) => Ok(asked),
                None => parser.expr(),
            })?;
            self.reader.expect("]")?;
            return Ok(inner);
        }
        match self.asked(start)? {
            Some(asked) => Ok(asked),
            None => self.called(start),
        }
    }

    /// Parses dice behind a number or brackets, if dice come next.
    fn perhaps_dice(&mut self, start: usize, count: Node) -> Read<Node> {
        if self.at_die() {
            return self.pool(start, Some(count));
        }
        Ok(count)
    }

    /// Parses `{6d6}`: dice that a comparison counts.
    fn group(&mut self, start: usize) -> Read<Node> {
        let inner = self.expr()?;
        if self.reader.takes(",") {
            let span = start..self.reader.place();
            let located = fault(span, "several rolls in braces are not read");
            return Err(advised(
                located,
                "the highest of them is `max(2d6, d8)`, the lowest `min(2d6, d8)`",
            ));
        }
        self.reader.expect("}")?;
        Ok(inner)
    }

    fn called(&mut self, start: usize) -> Read<Node> {
        let name = self.reader.letters();
        let found = |what, span: Span| Ok(Node { what, span });
        match name.as_str() {
            "yes" | "no" => {
                self.reader.skip(name.len());
                found(What::Yes(name == "yes"), start..self.reader.place())
            }
            "max" | "min" => {
                self.reader.skip(name.len());
                self.most(start, name == "max")
            }
            "up" | "ceil" | "floor" => {
                self.reader.skip(name.len());
                self.rounded(start, name != "floor")
            }
            _ => {
                let located = self.reader.unexpected("dice, such as 2d6, or a number");
                let known = nearest(&name, WORDS).filter(|_| !name.is_empty());
                Err(match (advice::of(&name), known) {
                    (Some(advice), _) => advised(located, advice),
                    (None, Some(known)) => advised(located, format!("did you mean `{known}`?")),
                    (None, None) => located,
                })
            }
        }
    }

    /// Parses `max(d8, d6)`, and `max(2d6)`, the highest of the dice.
    fn most(&mut self, start: usize, highest: bool) -> Read<Node> {
        let name = if highest { "max" } else { "min" };
        self.reader.expect("(")?;
        let first = self.expr()?;
        let mut others = Vec::new();
        while self.reader.takes(",") {
            others.push(self.expr()?);
        }
        self.reader.expect(")")?;
        let span = start..self.reader.place();
        let sign = if highest { Sign::Larger } else { Sign::Smaller };
        match first {
            _ if !others.is_empty() => {
                Ok(others.into_iter().fold(first, |left, right| two(sign, left, right)))
            }
            Node { what: What::Pool(pool), .. } => self.ends_of(*pool, highest, 1, span),
            only => {
                let problem = format!("`{name}` of one number is that number");
                let help = format!("`{name}(2d6)` is of the dice, `{name}(d8, d6)` of both");
                Err(advised(fault(only.span, problem), help))
            }
        }
    }

    /// Parses `up(d6 / 2)`.
    fn rounded(&mut self, start: usize, up: bool) -> Read<Node> {
        self.reader.expect("(")?;
        let inner = self.expr()?;
        self.reader.expect(")")?;
        let span = start..self.reader.place();
        match inner.what {
            What::Two(Sign::Over, a, b) => {
                let sign = if up { Sign::OverUp } else { Sign::Over };
                Ok(Node { what: What::Two(sign, a, b), span })
            }
            _ => Err(fault(inner.span, "only a division is rounded, as in `up(d6 / 2)`")),
        }
    }

    /// Keeps the highest or the lowest dice of a pool that has no such modifier yet.
    fn ends_of(&self, mut pool: Pool, highest: bool, number: u16, span: Span) -> Read<Node> {
        if !pool.keep.is_empty() {
            return Err(fault(span, "these dice already have a keep or drop"));
        }
        pool.keep.push(super::tree::Keep { highest, drop: false, number });
        Ok(Node { what: What::Pool(Box::new(pool)), span })
    }
}
