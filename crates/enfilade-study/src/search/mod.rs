//! Filter of a design space: the cells that meet conditions, the best of them, or those that no
//! other cell beats in every goal.
//!
//! Filtering the results of filtered shards gives the result of filtering the whole, so shards
//! filter their own cells, and a thousand million cells end in a table that a person can read.
//!
//! Equality is defined in one module, [`approximation`](enfilade_engine::exact::approximation): a
//! chance of 1/2 meets `>= 0.5` however it was added up. If a value and a bound are equal within
//! their errors, the contest is solved again in fractions, if it is small, and the fraction
//! decides.

use std::cmp::Ordering;

use enfilade_engine::exact::approximation::{Approximation, BOUND};
use enfilade_model::form::sanitize::shown;

pub(crate) mod edge;
#[doc(hidden)]
pub mod left_out;

/// Comparison of a measure with a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Measure.
    pub measure: String,
    /// Comparison sign.
    pub sign: Sign,
    /// Bound.
    pub bound: f64,
}

/// Comparison of two numbers.
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

/// Measure to maximize or to minimize.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// Measure.
    pub measure: String,
    /// Whether less is better.
    pub least: bool,
}

/// Filter of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// Conditions that a cell must meet.
    pub keep: Vec<Condition>,
    /// Number of cells, and the goal by which the best are chosen.
    pub best: Option<(usize, Goal)>,
    /// Goals of the Pareto front: cells that no other cell equals in all goals and beats in one; of
    /// equal ones the first.
    pub front: Vec<Goal>,
}

impl Sign {
    /// Parses a sign; `None` for any other text.
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

    /// Returns whether two numbers that compare like this meet the condition.
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
    /// Parses conditions joined by `and`: `p_kill > 0.3 and p_pin < 0.2`.
    ///
    /// # Errors
    /// The part that is not a condition.
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

    /// Returns whether a whole number, or another exact number, meets the condition.
    pub fn holds(&self, value: f64) -> bool {
        value.partial_cmp(&self.bound).is_some_and(|ordering| self.sign.holds(ordering))
    }

    /// Returns the size of the miss, relative to the bound or, for a bound below 1, absolute; 0 if
    /// the condition is met, and `None` if the value is unknown.
    fn miss(&self, of: &impl Measured) -> Option<f64> {
        let value = known(of, &self.measure)?;
        let (ordering, edge) = self.standing(value, of);
        let distance = (value.value - self.bound).abs() / self.bound.abs().max(1.0);
        let holds = edge == Some(Edge::Open) || self.sign.holds(ordering);
        // Equality misses `<` all the same.
        Some(if holds { 0.0 } else { distance.max(f64::MIN_POSITIVE) })
    }

    /// Compares a value with the bound, in fractions if both are equal within their errors and the
    /// contest is small.
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

    /// Describes the position of a rounded or unfinished value at the bound; `None` if it is not at
    /// the edge.
    fn note(&self, of: &impl Measured) -> Option<String> {
        let (_, edge) = self.standing(known(of, &self.measure)?, of);
        let Condition { measure, bound, .. } = self;
        Some(match edge? {
            Edge::Tie => format!("{measure} = {bound}: equal by fractions"),
            Edge::Near => format!("{measure} ≈ {bound}: equal within the error of rounding"),
            Edge::Open => format!("{measure} ? {bound}: the unfinished part reaches over it"),
        })
    }
}

/// Position of a value at the edge of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    /// Equal by fractions.
    Tie,
    /// Equal within the rounding error.
    Near,
    /// The unfinished part reaches over the bound.
    Open,
}

/// Relative error above which it is not due to rounding.
const OPEN: f64 = 1000.0 * BOUND;

/// Returns the value of a measure, unless it is NaN.
fn known(of: &impl Measured, measure: &str) -> Option<Approximation> {
    of.approximate(measure).filter(|found| !found.value.is_nan())
}

/// Parses a number as a file writes it: `0.5`, or `31/36`.
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
    /// Parses a goal: a measure, with `-` in front if less is better.
    pub fn of(text: &str) -> Goal {
        let text = text.trim();
        let measure = text.trim_start_matches('-').trim().to_owned();
        Goal { measure, least: text.starts_with('-') }
    }

    /// Returns the objective value: more is better, and numbers that compare as equal have equal
    /// values.
    fn merit(&self, of: &impl Measured) -> Option<f64> {
        let value = known(of, &self.measure)?;
        let key = value.key().or_else(|| of.sharpen(&self.measure)?.key());
        let key = key.unwrap_or_else(|| value.nearest_key());
        // Subtracted, so that 0 does not become −0.
        Some(if self.least { 0.0 - key } else { key })
    }
}

/// Cell whose measures can be compared with numbers.
pub trait Measured {
    /// Returns the value of a measure with a bound of its error; `None` if it is unknown.
    fn approximate(&self, measure: &str) -> Option<Approximation>;

    /// Computes the value in fractions, rounded once; `None` if that is not possible or takes long.
    fn sharpen(&self, measure: &str) -> Option<Approximation>;
}

/// Verdict of a search on a single cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Fares {
    /// The cell does not meet the conditions: the size of each miss.
    Out(Vec<f64>),
    /// The cell meets the conditions: its objective values.
    In(Vec<f64>),
    /// A required value is unknown.
    Unknown,
}

impl Search {
    /// Returns whether cells are compared with each other, and not with the conditions alone.
    pub fn ranks(&self) -> bool {
        self.best.is_some() || !self.front.is_empty()
    }

    /// Returns the goals, in the order of the file.
    pub fn goals(&self) -> impl Iterator<Item = &Goal> {
        self.best.iter().map(|(_, goal)| goal).chain(&self.front)
    }

    /// Describes the conditions at whose edge a cell is.
    pub(super) fn edges(&self, of: &impl Measured) -> Vec<String> {
        self.keep.iter().filter_map(|condition| condition.note(of)).collect()
    }

    /// Judges a cell by exact values, or by simulated ones where there are none.
    pub fn fares(&self, of: &impl Measured) -> Fares {
        let misses = self.keep.iter().map(|condition| condition.miss(of));
        let misses: Vec<_> = misses.collect();
        if misses.iter().any(|miss| miss.is_some_and(|miss| miss > 0.0)) {
            // An unknown value is no nearer than a known one that misses.
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

/// Candidates of a search that [ranks](Search::ranks) cells: the best, or the front, of the cells
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
    /// Creates a filter without candidates.
    pub fn new(search: &'a Search) -> Sieve<'a, T> {
        Sieve { search, kept: Vec::new(), aside: Vec::new() }
    }

    /// Returns the number of candidates.
    pub fn len(&self) -> usize {
        self.kept.len() + self.aside.len()
    }

    /// Returns whether there are no candidates.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a value that is always reported, after all others.
    pub fn put_aside(&mut self, what: T) {
        self.aside.push(what);
    }

    /// Adds a cell with these objective values, if it is good enough. Of equal ones the first cell
    /// counts, so that the result does not depend on how the work was cut.
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

    /// Returns the candidates: the best in their order, a front in the order of the cells.
    pub fn finish(mut self) -> Vec<T> {
        if self.search.best.is_none() {
            self.kept.sort_by_key(|kept| kept.cell);
        }
        self.kept.into_iter().map(|kept| kept.what).chain(self.aside).collect()
    }
}

impl<T> Kept<T> {
    /// Returns whether this candidate is nowhere worse, and better somewhere or of an earlier cell.
    fn stands_for(&self, other: &Kept<T>) -> bool {
        self.merits.iter().zip(&other.merits).all(|(a, b)| a >= b)
            && (self.merits != other.merits || self.cell <= other.cell)
    }
}
