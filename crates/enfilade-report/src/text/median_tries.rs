//! Tries until something happens, as they are told: how many it takes in half of all cases, and how often it
//! happens within those that are made.
//!
//! A mean would count what has not happened as if it had happened at the last try.

use crate::headline_measure;
use crate::text::labels;
use enfilade_engine::exact::approximation::Approximation;
use enfilade_model::combat::{MeasureHead, Role};
use enfilade_study::answer::{Answer, MeasureAnswer, OutcomeAnswer};

/// What a measure is called where its number is shown: of tries until something happens that is the median.
pub fn label(head: &MeasureHead) -> String {
    let label = labels::measure(head);
    if head.role == Role::Until { format!("{label}, median") } else { label }
}

/// The number of a measure: exact, or simulated where there is no exact one; of tries until something happens
/// the median. `None` where there is none, or no finite one.
pub fn number(cell: &Answer, measure: &MeasureAnswer) -> Option<f64> {
    match measure.head.role {
        Role::Until => Until::of(cell, measure)?.median.map(f64::from),
        _ => headline_measure::value(measure),
    }
}

/// How many tries it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Until {
    /// By which try it has happened in half of all cases; `None` where fewer do in all tries.
    pub median: Option<i32>,
    /// The share in which it has happened within all tries that are made, 0 to 1.
    pub within: f64,
    /// The last try at which it may happen.
    pub tries: i32,
}

impl Until {
    /// What a measure of a cell says of tries; `None` where it is of something else, or it cannot
    /// happen.
    pub fn of(cell: &Answer, measure: &MeasureAnswer) -> Option<Until> {
        let told = measure.exact.is_some() || measure.simulated.is_some();
        if measure.head.role != Role::Until || !told {
            return None;
        }
        Until::told(cell)
    }

    /// What the law of a cell says of the tries that it counts; `None` where it counts none, or it never
    /// happens.
    pub fn told(cell: &Answer) -> Option<Until> {
        let column = cell.fields.iter().position(|field| field.tries)?;
        let at = |outcome: &OutcomeAnswer| outcome.values[column];
        let tries = cell.outcomes.iter().map(|outcome| (at(outcome), outcome.likelihood()));
        let mut tries: Vec<_> = tries.filter(|(n, share)| *n > 0 && *share > 0.0).collect();
        tries.sort_by_key(|(n, _)| *n);
        let last = tries.last()?.0;
        let mut within = 0.0;
        let mut median = None;
        for (n, share) in tries {
            within += share;
            let reached = Approximation::computed(within).is_at_least(Approximation::rounded(0.5));
            median = median.or(reached.then_some(n));
        }
        Some(Until { median, within: within.min(1.0), tries: last })
    }

    /// The median: `4`, or `>10` where fewer than half come to it.
    pub fn median(&self) -> String {
        self.median.map_or(format!(">{}", self.tries), |n| n.to_string())
    }

    /// `4 (97 % within 10)`.
    pub fn said(&self) -> String {
        format!("{} ({} % within {})", self.median(), self.percent(), self.tries)
    }

    /// The share that comes to it within all tries, in whole percent: `97`, `<1`, `>99`.
    pub fn percent(&self) -> String {
        match (100.0 * self.within).round() {
            _ if is_certain(self.within) => "100".to_owned(),
            whole if whole < 1.0 => "<1".to_owned(),
            whole if whole > 99.0 => ">99".to_owned(),
            whole => format!("{whole}"),
        }
    }
}

/// Whether a share is all.
fn is_certain(share: f64) -> bool {
    Approximation::computed(share).is_at_least(Approximation::rounded(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    /// A cell of the fixture that has fallen at the second of three tries in 12 of 36 cases, and at
    /// the third in as many as said.
    fn cell(third: u64) -> Answer {
        let mut cell = test_answers::answer(vec![], third, 12);
        let mut fields = cell.fields.to_vec();
        fields[0].tries = true;
        cell.fields = fields.into();
        for (outcome, tries) in cell.outcomes.iter_mut().zip([0, 2, 3]) {
            outcome.values[0] = tries;
        }
        cell
    }

    #[test]
    fn half_and_all_that_fall() {
        // 12 + 4 of 36 within 3: 44.4 %, fewer than half. 12 + 6: just half. 12 + 24: all.
        let told = |third| Until::told(&cell(third)).map(|until| until.said());
        assert_eq!(told(4).as_deref(), Some(">3 (44 % within 3)"));
        assert_eq!(told(6).as_deref(), Some("3 (50 % within 3)"));
        assert_eq!(told(24).as_deref(), Some("3 (100 % within 3)"));
        assert_eq!(Until::told(&test_answers::single()[0]), None);
    }
}
