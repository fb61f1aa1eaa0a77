//! What is kept of a design space that is searched: the cells that meet conditions, the best of them, or
//! those that no other one beats in every way.
//!
//! To sift what was sifted in pieces leaves what sifting the whole would, so shards sift what they find and
//! a thousand million cells end in a table that can be read.

use super::answer::Answer;
use crate::form::shown::shown;

/// A comparison of a measure with a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The measure.
    pub measure: String,
    /// How it is compared.
    pub sign: Sign,
    /// With what.
    pub bound: f64,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
}

/// A measure that is to be large, or small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The measure.
    pub measure: String,
    /// Whether less is better.
    pub least: bool,
}

/// Which cells are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// Those that meet all of these.
    pub keep: Vec<Condition>,
    /// Of them the first so many in this order.
    pub best: Option<(usize, Goal)>,
    /// Of them those that no other one equals in all of these and beats in one; of equal ones the first.
    pub front: Vec<Goal>,
}

impl Sign {
    /// The sign that is written so; `None` for any other text.
    pub fn of(text: &str) -> Option<Sign> {
        Some(match text {
            "<" => Sign::Less,
            "<=" => Sign::AtMost,
            ">" => Sign::More,
            ">=" => Sign::AtLeast,
            "==" => Sign::Equal,
            _ => return None,
        })
    }
}

impl Condition {
    /// The conditions of a text, joined by `and`: `p_kill > 0.3 and p_pin < 0.2`.
    ///
    /// # Errors
    /// The part that is none.
    pub fn all_of(text: &str) -> Result<Vec<Condition>, String> {
        let one = |part: &str| {
            let read = match part.split_whitespace().collect::<Vec<_>>()[..] {
                [measure, sign, bound] => {
                    Sign::of(sign).zip(bound.parse().ok()).map(|read| (measure, read))
                }
                _ => None,
            };
            let read = read.filter(|(_, (_, bound))| f64::is_finite(*bound));
            let (measure, (sign, bound)) = read.ok_or_else(|| shown(part.trim()))?;
            Ok(Condition { measure: measure.to_owned(), sign, bound })
        };
        text.split(" and ").map(one).collect()
    }

    /// Whether it holds of a value.
    pub fn holds(&self, value: f64) -> bool {
        match self.sign {
            Sign::Equal => value == self.bound,
            Sign::Less => value < self.bound,
            Sign::AtMost => value <= self.bound,
            Sign::More => value > self.bound,
            Sign::AtLeast => value >= self.bound,
        }
    }
}

impl Goal {
    /// The goal as it is written: a measure, with `-` in front if less of it is better.
    pub fn of(text: &str) -> Goal {
        let text = text.trim();
        let measure = text.trim_start_matches('-').trim().to_owned();
        Goal { measure, least: text.starts_with('-') }
    }

    /// How far it is met by a value of its measure: more is better.
    fn met(&self, value: f64) -> f64 {
        rounded(if self.least { -value } else { value })
    }
}

/// Without the last digits: what is equal by the rules may differ there, because it was added up in
/// another order.
fn rounded(value: f64) -> f64 {
    const LAST: u64 = 0xFFFF;
    // Adding nothing makes one zero of the two.
    f64::from_bits(((value + 0.0).to_bits() + LAST / 2) & !LAST)
}

/// What a search makes of a cell by itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Fares {
    /// It does not meet the conditions.
    Out,
    /// It stays for now: how far it meets every goal.
    In(Vec<f64>),
    /// A value that is asked for is not known here.
    Unknown,
}

impl Search {
    /// Whether cells are held against each other, and not each against the conditions alone.
    pub fn ranks(&self) -> bool {
        self.best.is_some() || !self.front.is_empty()
    }

    /// What is to be large or small, in the order of the file.
    pub fn goals(&self) -> impl Iterator<Item = &Goal> {
        self.best.iter().map(|(_, goal)| goal).chain(&self.front)
    }

    /// What is made of a cell whose measures have these values.
    pub fn fares(&self, value: impl Fn(&str) -> Option<f64>) -> Fares {
        let value = |measure: &str| value(measure).filter(|value| !value.is_nan());
        for condition in &self.keep {
            match value(&condition.measure) {
                Some(value) if condition.holds(value) => {}
                Some(_) => return Fares::Out,
                None => return Fares::Unknown,
            }
        }
        let met = self.goals().map(|goal| value(&goal.measure).map(|value| goal.met(value)));
        met.collect::<Option<_>>().map_or(Fares::Unknown, Fares::In)
    }

    /// What is made of an answer, by exact values, or simulated ones where there are none.
    pub fn fares_of(&self, answer: &Answer) -> Fares {
        self.fares(|measure| answer.measure(measure)?.best())
    }
}

/// What a search that [ranks](Search::ranks) keeps of cells as they come: the best, or the front, of those
/// so far.
#[derive(Debug)]
pub struct Sieve<'a, T> {
    search: &'a Search,
    kept: Vec<Kept<T>>,
    aside: Vec<T>,
}

#[derive(Debug)]
struct Kept<T> {
    merits: Vec<f64>,
    cell: u64,
    what: T,
}

impl<'a, T> Sieve<'a, T> {
    /// Nothing yet.
    pub fn new(search: &'a Search) -> Sieve<'a, T> {
        Sieve { search, kept: Vec::new(), aside: Vec::new() }
    }

    /// How many are kept so far.
    pub fn len(&self) -> usize {
        self.kept.len() + self.aside.len()
    }

    /// Whether nothing is kept so far.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Keeps something of a cell in any case, after all others.
    pub fn put_aside(&mut self, what: T) {
        self.aside.push(what);
    }

    /// Takes what has these merits, as far as it is good enough. Of equal ones the first cell counts, so
    /// that it is the same however the work was cut.
    pub fn add(&mut self, cell: u64, merits: Vec<f64>, what: T) {
        let new = Kept { merits, cell, what };
        match &self.search.best {
            Some((count, _)) => {
                let before = |old: &Kept<T>| (old.merits[0], new.cell) > (new.merits[0], old.cell);
                let place = self.kept.partition_point(before);
                if place < *count {
                    self.kept.insert(place, new);
                    self.kept.truncate(*count);
                }
            }
            None if self.kept.iter().any(|old| old.stands_for(&new)) => {}
            None => {
                self.kept.retain(|old| !new.stands_for(old));
                self.kept.push(new);
            }
        }
    }

    /// What is kept: the best in their order, else in that of the cells.
    pub fn finish(mut self) -> Vec<T> {
        if self.search.best.is_none() {
            self.kept.sort_by_key(|kept| kept.cell);
        }
        self.kept.into_iter().map(|kept| kept.what).chain(self.aside).collect()
    }
}

impl<T> Kept<T> {
    /// Whether it is nowhere worse, and better somewhere or of an earlier cell.
    fn stands_for(&self, other: &Kept<T>) -> bool {
        self.merits.iter().zip(&other.merits).all(|(a, b)| a >= b)
            && (self.merits != other.merits || self.cell <= other.cell)
    }
}
