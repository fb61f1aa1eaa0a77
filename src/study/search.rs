//! What is kept of a design space that is searched: the cells that meet conditions, the best of them, or
//! those that no other one beats in every way.
//!
//! To sift what was sifted in pieces leaves what sifting the whole would, so shards sift what they find and
//! a thousand million cells end in a table that can be read.

use super::answer::Answer;

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
    /// Of them those that no other one equals in all of these and beats in one.
    pub front: Vec<Goal>,
}

/// A measure's exact value, or the simulated one where there is none.
fn value(answer: &Answer, measure: &str) -> Option<f64> {
    let found = answer.measure(measure)?;
    let value = found.exact.or(found.simulated.map(|estimate| estimate.value));
    value.filter(|value| !value.is_nan())
}

impl Sign {
    /// The sign as it is written.
    pub fn of(text: &str) -> Option<Sign> {
        Some(match text {
            "<" => Sign::Less,
            "<=" => Sign::AtMost,
            ">" => Sign::More,
            ">=" => Sign::AtLeast,
            _ => return None,
        })
    }
}

impl Condition {
    fn holds(&self, answer: &Answer) -> bool {
        value(answer, &self.measure).is_some_and(|value| match self.sign {
            Sign::Less => value < self.bound,
            Sign::AtMost => value <= self.bound,
            Sign::More => value > self.bound,
            Sign::AtLeast => value >= self.bound,
        })
    }
}

impl Goal {
    /// The goal as it is written: a measure, with `-` in front if less of it is better.
    pub fn of(text: &str) -> Goal {
        let text = text.trim();
        let measure = text.trim_start_matches('-').trim().to_owned();
        Goal { measure, least: text.starts_with('-') }
    }

    /// How far it is met: more is better.
    fn met(&self, answer: &Answer) -> Option<f64> {
        let value = value(answer, &self.measure)?;
        Some(if self.least { -value } else { value })
    }
}

impl Search {
    /// What is kept of these answers, as far as they are known; a cell without an answer is kept, so that
    /// it is told. The best are in order, everything else is as it was.
    pub fn sift(&self, answers: Vec<Answer>) -> Vec<Answer> {
        let (refused, mut kept): (Vec<_>, Vec<_>) =
            answers.into_iter().partition(Answer::is_refused);
        kept.retain(|answer| self.keep.iter().all(|condition| condition.holds(answer)));
        if let Some((count, goal)) = &self.best {
            kept.retain(|answer| goal.met(answer).is_some());
            // Of equal ones the earlier stays before: the order is the same however the work was cut.
            kept.sort_by(|a, b| {
                let (a, b) = ((goal.met(a), a.cell), (goal.met(b), b.cell));
                b.0.partial_cmp(&a.0).unwrap_or(std::cmp::Ordering::Equal).then(a.1.cmp(&b.1))
            });
            kept.truncate(*count);
        }
        if !self.front.is_empty() {
            kept = self.unbeaten(kept);
        }
        kept.extend(refused);
        kept
    }

    fn unbeaten(&self, answers: Vec<Answer>) -> Vec<Answer> {
        let met = |answer: &Answer| -> Option<Vec<f64>> {
            self.front.iter().map(|goal| goal.met(answer)).collect()
        };
        let mut front: Vec<(Vec<f64>, Answer)> = Vec::new();
        for answer in answers {
            let Some(new) = met(&answer) else { continue };
            if front.iter().any(|(old, _)| beats(old, &new)) {
                continue;
            }
            front.retain(|(old, _)| !beats(&new, old));
            front.push((new, answer));
        }
        front.into_iter().map(|(_, answer)| answer).collect()
    }
}

/// Whether one is nowhere worse and somewhere better.
fn beats(one: &[f64], other: &[f64]) -> bool {
    one.iter().zip(other).all(|(a, b)| a >= b) && one != other
}
