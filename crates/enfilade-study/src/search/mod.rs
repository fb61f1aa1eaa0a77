//! What is kept of a design space that is searched: the cells that meet conditions, the best of them, or
//! those that no other one beats in every way.
//!
//! To sift what was sifted in pieces leaves what sifting the whole would, so shards sift what they find and
//! a thousand million cells end in a table that can be read.
//!
//! What is equal is said in one place, [`approximation`](enfilade_engine::exact::approximation): a chance of 1/2
//! meets `>= 0.5` however it was added up. Where a value and a bound are equal by their errors, the
//! contest is solved once more in fractions, if it is small, and that decides.

use std::cmp::Ordering;

use enfilade_engine::exact::approximation::{Approximation, BOUND};
use enfilade_model::form::sanitize::shown;

pub(crate) mod edge;
#[doc(hidden)]
pub mod left_out;

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

    /// Returns whether it holds of a number that compares so with another.
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            Sign::Less => ordering.is_lt(),
            Sign::AtMost => ordering.is_le(),
            Sign::More => ordering.is_gt(),
            Sign::AtLeast => ordering.is_ge(),
            Sign::Equal => ordering.is_eq(),
        }
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
                    Sign::of(sign).zip(number(bound)).map(|read| (measure, read))
                }
                _ => None,
            };
            let read = read.filter(|(_, (_, bound))| f64::is_finite(*bound));
            let (measure, (sign, bound)) = read.ok_or_else(|| shown(part.trim()))?;
            Ok(Condition { measure: measure.to_owned(), sign, bound })
        };
        text.split(" and ").map(one).collect()
    }

    /// Returns whether it holds of a whole number, or of another that is known to its last digit.
    pub fn holds(&self, value: f64) -> bool {
        value.partial_cmp(&self.bound).is_some_and(|ordering| self.sign.holds(ordering))
    }

    /// Returns by how much it is missed, as a part of its bound or, of a bound below 1, of 1; 0 where it
    /// holds, and `None` where the value is not known.
    fn miss(&self, of: &impl Measured) -> Option<f64> {
        let value = known(of, &self.measure)?;
        let (ordering, edge) = self.standing(value, of);
        let distance = (value.value - self.bound).abs() / self.bound.abs().max(1.0);
        let holds = edge == Some(Edge::Open) || self.sign.holds(ordering);
        // What `<` misses by nothing it misses all the same.
        Some(if holds { 0.0 } else { distance.max(f64::MIN_POSITIVE) })
    }

    /// Compares a value with the bound, in fractions where both are equal by their errors and the contest is small.
    fn standing(&self, value: Approximation, of: &impl Measured) -> (Ordering, Option<Edge>) {
        let wanted = Approximation::rounded(self.bound);
        match value.compare(wanted) {
            Ordering::Equal if value.error > 0.0 => match of.sharpen(&self.measure) {
                Some(sharp) => {
                    let ordering = sharp.compare(wanted);
                    (ordering, ordering.is_eq().then_some(Edge::Tie))
                }
                None if value.error > OPEN * value.value.abs() => {
                    (Ordering::Equal, Some(Edge::Open))
                }
                None => (Ordering::Equal, Some(Edge::Near)),
            },
            ordering => (ordering, None),
        }
    }

    /// Tells how a value that was rounded or is not settled stands at the bound; `None` where it is not at its edge.
    fn note(&self, of: &impl Measured) -> Option<String> {
        let (_, edge) = self.standing(known(of, &self.measure)?, of);
        let Condition { measure, bound, .. } = self;
        Some(match edge? {
            Edge::Tie => format!("{measure} = {bound}: equal by fractions"),
            Edge::Near => format!("{measure} ≈ {bound}: equal within the error of rounding"),
            Edge::Open => format!("{measure} ? {bound}: what is not settled reaches over it"),
        })
    }
}

/// How a value stands at the edge of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    /// Equal by fractions.
    Tie,
    /// Equal within the error of rounding.
    Near,
    /// What is not settled reaches over the bound.
    Open,
}

/// An error that is no rounding any more, as a part of the value.
const OPEN: f64 = 1000.0 * BOUND;

/// The value of a measure, unless it is no number.
fn known(of: &impl Measured, measure: &str) -> Option<Approximation> {
    of.approximate(measure).filter(|found| !found.value.is_nan())
}

/// A number as a file writes it: `0.5`, or `31/36`.
fn number(text: &str) -> Option<f64> {
    match text.split_once('/') {
        None => text.parse().ok(),
        Some((numerator, denominator)) => {
            let [n, d] = [numerator, denominator].map(|part| part.parse::<i32>().ok());
            Some(f64::from(n?) / f64::from(d.filter(|d| *d > 0)?))
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

    /// Returns how far it is met: more is better, and equal by the rules is equal.
    fn merit(&self, of: &impl Measured) -> Option<f64> {
        let value = known(of, &self.measure)?;
        let key = value.key().or_else(|| of.sharpen(&self.measure)?.key());
        let key = key.unwrap_or_else(|| value.nearest_key());
        // Subtracted, so that nothing is not less than nothing.
        Some(if self.least { 0.0 - key } else { key })
    }
}

/// A cell whose measures can be compared with numbers.
pub trait Measured {
    /// Returns the value of a measure with a bound of its error; `None` where it is not known.
    fn approximate(&self, measure: &str) -> Option<Approximation>;

    /// Computes the same in fractions, rounded once; `None` where that is not possible or takes long.
    fn sharpen(&self, measure: &str) -> Option<Approximation>;
}

/// What a search makes of a cell by itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Fares {
    /// It does not meet the conditions: by how much it misses each.
    Out(Vec<f64>),
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

    /// Tells which conditions a cell stands at the edge of, and how.
    pub(super) fn edges(&self, of: &impl Measured) -> Vec<String> {
        self.keep.iter().filter_map(|condition| condition.note(of)).collect()
    }

    /// Returns what is made of a cell, by exact values, or simulated ones where there are none.
    pub fn fares(&self, of: &impl Measured) -> Fares {
        let misses = self.keep.iter().map(|condition| condition.miss(of));
        let misses: Vec<_> = misses.collect();
        if misses.iter().any(|miss| miss.is_some_and(|miss| miss > 0.0)) {
            // What is not known is no nearer than what is known and missed.
            let misses = misses.into_iter().map(|miss| miss.unwrap_or(f64::INFINITY));
            return Fares::Out(misses.collect());
        }
        if misses.contains(&None) {
            return Fares::Unknown;
        }
        let merits = self.goals().map(|goal| goal.merit(of));
        merits.collect::<Option<_>>().map_or(Fares::Unknown, Fares::In)
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
