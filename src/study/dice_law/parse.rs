//! Reading a dice expression.
//!
//! ```text
//! expression = sum [ ( ">=" | "<=" | ">" | "<" | "=" | "!=" ) sum ]
//! sum        = [ "-" ] term { ( "+" | "-" ) term }
//! term       = [ number "*" ] ( number | dice )
//! dice       = [ number ] "d" ( number | "%" ) [ which number ] [ ( "up" | "down" ) number ]
//! which      = "kh" | "kl" | "dh" | "dl" | ( "keep" | "drop" ) ( "highest" | "lowest" )
//! ```
//! Case and space do not matter.

use std::ops::Range;

use super::{CONSTANT, DICE, LADDER, LENGTH, SIDES, STEPS};
use crate::bounds::Bound;
use crate::error::LocatedFault;
use crate::form::Fault;

/// One sum, or two that are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// The sum on the left.
    pub left: Sum,
    /// What it is compared with.
    pub right: Option<(Comparison, Sum)>,
}

/// Signed terms.
pub type Sum = Vec<Term>;

/// One term of a sum: dice or a constant, times a factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The factor, with the sign.
    pub factor: i64,
    /// The dice; a constant has none and is its factor.
    pub dice: Option<Dice>,
    /// Where it stands, in bytes.
    pub span: Range<usize>,
}

/// Like dice that are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    /// How many are rolled.
    pub count: u16,
    /// Sides of each.
    pub sides: u16,
    /// Which of them count; all when `None`.
    pub keep: Option<Keep>,
}

/// Which dice of several count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// This many of the highest.
    Highest(u16),
    /// This many of the lowest.
    Lowest(u16),
}

/// How two sums are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `<`
    Less,
    /// `=`
    Equal,
    /// `!=`
    Unequal,
}

/// Signs of comparisons, the longer ones first.
const COMPARISONS: [(&str, Comparison); 9] = [
    (">=", Comparison::AtLeast),
    ("≥", Comparison::AtLeast),
    ("<=", Comparison::AtMost),
    ("≤", Comparison::AtMost),
    ("!=", Comparison::Unequal),
    ("==", Comparison::Equal),
    (">", Comparison::More),
    ("<", Comparison::Less),
    ("=", Comparison::Equal),
];

/// Words for the dice that count, in one part or two: whether they are named by those that are
/// dropped, and whether the named ones are the highest.
const NAMED_DICE: [([&str; 2], bool, bool); 8] = [
    (["kh", ""], false, true),
    (["kl", ""], false, false),
    (["dh", ""], true, true),
    (["dl", ""], true, false),
    (["keep", "highest"], false, true),
    (["keep", "lowest"], false, false),
    (["drop", "highest"], true, true),
    (["drop", "lowest"], true, false),
];

/// Reads a whole expression.
pub fn expression(text: &str) -> Result<Expression, LocatedFault> {
    let characters = i64::try_from(text.trim().chars().count()).unwrap_or(i64::MAX);
    if let Err(problem) = LENGTH.check(characters) {
        return Err(advised(fault(0..text.len(), problem), "for example \"d8 + 4d6\""));
    }
    let mut reader = Reader { text, at: 0 };
    let left = reader.sum()?;
    let right = match reader.comparison() {
        Some(comparison) => Some((comparison, reader.sum()?)),
        None => None,
    };
    if reader.rest().is_empty() {
        return Ok(Expression { left, right });
    }
    let help = "terms are joined by + or -, two sums by >=, <=, >, <, = or !=";
    Err(advised(reader.unexpected("the end of the expression"), help))
}

fn fault(span: Range<usize>, problem: impl Into<String>) -> LocatedFault {
    let fault = Fault::new("", problem);
    LocatedFault { fault, span }
}

fn advised(mut located: LocatedFault, help: &str) -> LocatedFault {
    located.fault.help = Some(help.to_owned());
    located
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// What is still to be read, from the next character that is not space.
    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    /// Takes `sign` if it comes next. Letters are compared without their case.
    fn takes(&mut self, sign: &str) -> bool {
        let next = self.rest().get(..sign.len());
        let found = next.is_some_and(|next| next.eq_ignore_ascii_case(sign));
        if found {
            self.at += sign.len();
        }
        found
    }

    /// The fault that something else than `expected` comes next.
    fn unexpected(&mut self, expected: &str) -> LocatedFault {
        let found = match self.rest().chars().next() {
            None => "the end".to_owned(),
            Some(c) => format!("`{}`", c.escape_debug()),
        };
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        let problem = format!("expected {expected}, found {found}");
        fault(self.at..self.at + length, problem)
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let mut signs = COMPARISONS.iter();
        signs.find(|(sign, _)| self.takes(sign)).map(|(_, comparison)| *comparison)
    }

    fn sum(&mut self) -> Result<Sum, LocatedFault> {
        let mut sign = if self.takes("-") { -1 } else { 1 };
        let mut terms = Vec::new();
        loop {
            terms.push(self.term(sign)?);
            sign = if self.takes("+") {
                1
            } else if self.takes("-") {
                -1
            } else {
                return Ok(terms);
            };
        }
    }

    fn term(&mut self, sign: i64) -> Result<Term, LocatedFault> {
        self.rest();
        let start = self.at;
        let number = self.digits();
        let (factor, dice) = match number {
            Some(number) if self.takes("*") => {
                let factor = self.within(&CONSTANT, &number)?;
                match self.digits() {
                    Some(second) if !self.at_die() => {
                        (factor * self.within(&CONSTANT, &second)?, None)
                    }
                    second => (factor, Some(self.dice(second)?)),
                }
            }
            Some(number) if !self.at_die() => (self.within(&CONSTANT, &number)?, None),
            number => (1, Some(self.dice(number)?)),
        };
        let (factor, span) = (sign * factor, start..self.at);
        Ok(Term { factor, dice, span })
    }

    fn at_die(&mut self) -> bool {
        self.rest().starts_with(['d', 'D']) && !self.at_word("down")
    }

    fn at_word(&mut self, word: &str) -> bool {
        let next = self.rest().get(..word.len());
        next.is_some_and(|next| next.eq_ignore_ascii_case(word))
    }

    /// Dice after their number.
    fn dice(&mut self, number: Option<Digits>) -> Result<Dice, LocatedFault> {
        if !self.at_die() {
            return Err(self.unexpected("dice, such as 2d6, or a number"));
        }
        self.takes("d");
        let count = number.map_or(Ok(1), |number| self.within(&DICE, &number))?;
        let (sides, sides_span) = self.sides()?;
        let keep = self.keep(count)?;
        let sides = self.stepped(sides, sides_span)?;
        let (count, sides) = (narrow(count), narrow(sides));
        Ok(Dice { count, sides, keep })
    }

    fn sides(&mut self) -> Result<(i64, Range<usize>), LocatedFault> {
        if self.takes("%") {
            return Ok((100, self.at - 1..self.at));
        }
        let digits = self.digits().ok_or_else(|| self.unexpected("the number of sides"))?;
        Ok((self.within(&SIDES, &digits)?, digits.span))
    }

    fn keep(&mut self, count: i64) -> Result<Option<Keep>, LocatedFault> {
        let Some((dropped, highest)) = self.named_dice() else {
            return Ok(None);
        };
        let what = if dropped { "dropped" } else { "kept" };
        let digits =
            self.digits().ok_or_else(|| self.unexpected(&format!("how many dice are {what}")))?;
        let number = self.within(&DICE, &digits)?;
        let kept = if dropped { count - number } else { number };
        if !(1..=count).contains(&kept) {
            let problem = format!("{number} of {count} dice cannot be {what}");
            return Err(fault(digits.span, problem));
        }
        // Without the lowest, the highest are left.
        Ok(Some(match dropped != highest {
            true => Keep::Highest(narrow(kept)),
            false => Keep::Lowest(narrow(kept)),
        }))
    }

    /// Takes the words for the dice that count, if they come next: dropped or kept, highest or lowest.
    fn named_dice(&mut self) -> Option<(bool, bool)> {
        let start = self.at;
        for ([first, second], dropped, highest) in NAMED_DICE {
            if self.takes(first) && self.takes(second) {
                return Some((dropped, highest));
            }
            self.at = start;
        }
        None
    }

    /// The sides after steps on the ladder of dice; the bottom and the top stay where they are.
    fn stepped(&mut self, sides: i64, at: Range<usize>) -> Result<i64, LocatedFault> {
        let up = self.takes("up");
        if !up && !self.takes("down") {
            return Ok(sides);
        }
        let digits = self.digits().ok_or_else(|| self.unexpected("a number of steps"))?;
        let steps = usize::try_from(self.within(&STEPS, &digits)?).unwrap_or(usize::MAX);
        let Some(rung) = LADDER.iter().position(|&rung| i64::from(rung) == sides) else {
            let problem = format!("a d{sides} is not on the ladder of dice");
            return Err(advised(fault(at, problem), "the ladder is d4, d6, d8, d10, d12"));
        };
        let rung =
            if up { (rung + steps).min(LADDER.len() - 1) } else { rung.saturating_sub(steps) };
        Ok(LADDER[rung].into())
    }

    fn digits(&mut self) -> Option<Digits> {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let span = self.at..self.at + length;
        self.at = span.end;
        // What does not fit is larger than every bound.
        let value = rest[..length].parse().unwrap_or(i64::MAX);
        (length > 0).then_some(Digits { value, span })
    }

    fn within(&self, bound: &Bound, digits: &Digits) -> Result<i64, LocatedFault> {
        let written = &self.text[digits.span.clone()];
        let checked = bound.check(digits.value);
        checked.map_err(|_| {
            let problem =
                format!("the {} must be {bound}, but it is {}", bound.name, shortened(written));
            fault(digits.span.clone(), problem)
        })
    }
}

/// Digits and where they stand.
struct Digits {
    value: i64,
    span: Range<usize>,
}

fn shortened(digits: &str) -> String {
    if digits.len() <= 20 {
        return digits.to_owned();
    }
    format!("{}… ({} digits)", &digits[..12], digits.len())
}

fn narrow(checked: i64) -> u16 {
    u16::try_from(checked).expect("its bound is below 2^16")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dice(text: &str) -> Dice {
        let expression = expression(text).expect(text);
        expression.left[0].dice.expect("it is dice")
    }

    #[test]
    fn dice_are_read_whatever_their_spacing() {
        let keep = Some(Keep::Highest(3));
        assert_eq!(dice("4d6kh3"), Dice { count: 4, sides: 6, keep });
        assert_eq!(dice(" 4 D 6 KH 3 "), Dice { count: 4, sides: 6, keep });
        assert_eq!(dice("d%").sides, 100);
        let words = ["4d6 keep highest 3", "4d6 drop lowest 1", "4d6dl1", "4d6 KEEP HIGHEST3"];
        assert_eq!(words.map(|text| dice(text).keep), [keep; 4]);
        let lowest = ["4d6 keep lowest 3", "4d6 drop highest 1", "4d6dh1"];
        let keep = Some(Keep::Lowest(3));
        assert_eq!(lowest.map(|text| dice(text).keep), [keep; 3]);
    }

    #[test]
    fn the_ladder_ends_at_both_ends() {
        let sides = ["d8 down 1", "d8down2", "d4 down 3", "d6 up 2", "d12 up 1", "d10 up 0"]
            .map(|text| dice(text).sides);
        assert_eq!(sides, [6, 4, 4, 10, 12, 10]);
    }

    #[test]
    fn faults_point_at_what_is_wrong() {
        let cases = [
            ("", 0..0, "the length"),
            ("2d0", 2..3, "the number of sides of a die must be 1 to 1000, but it is 0"),
            ("1000000000d6", 0..10, "the number of dice must be 1 to 1000, but it is 1000000000"),
            ("2d", 2..2, "expected the number of sides, found the end"),
            ("2d6 +", 5..5, "expected dice"),
            ("2d6 x 3", 4..5, "expected the end of the expression, found `x`"),
            ("2d6 >= 3 >= 1", 9..10, "expected the end"),
            ("2d6kh3", 5..6, "3 of 2 dice cannot be kept"),
            ("2d6 drop lowest 2", 16..17, "2 of 2 dice cannot be dropped"),
            ("2d6 drop", 4..5, "expected the end of the expression"),
            ("2d6 dl", 6..6, "expected how many dice are dropped"),
            ("2d6kh0", 5..6, "the number of dice must be 1 to 1000, but it is 0"),
            ("d20 up 1", 1..3, "a d20 is not on the ladder of dice"),
            ("99999999999999999999", 0..20, "the number in a dice expression must be 0 to 10000"),
            ("2*d6*d6", 4..5, "expected the end"),
            ("2 \u{1b}[31m", 2..3, "expected the end of the expression, found `\\u{1b}`"),
            ("ü", 0..2, "expected dice"),
        ];
        for (text, span, problem) in cases {
            let fault = expression(text).expect_err(text);
            assert_eq!(fault.span, span, "{text}");
            assert!(fault.fault.problem.starts_with(problem), "{text}: {}", fault.fault.problem);
        }
    }
}
