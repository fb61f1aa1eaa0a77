//! Tries until an event, for people: the number of tries within which it happens in half of all
//! cases, and its probability within the tries made.
//!
//! A mean would count an event that has not happened as if it had happened at the last try.

use crate::headline_measure;
use crate::text::labels;
use enfilade_engine::exact::approximation::Approximation;
use enfilade_model::combat::{MeasureHead, MeasureRoleBesideReports};
use enfilade_study::answer::{Answer, MeasureAnswer, OutcomeWithProbability};

/// Returns the label of a measure as it is shown: for tries until an event, that of their median.
pub fn measure_or_median_label(head: &MeasureHead) -> String {
    let label = labels::measure_label(head);
    if head.role == MeasureRoleBesideReports::Until { format!("{label}, median") } else { label }
}

/// Returns the number of a measure: exact, or else simulated; for tries until an event, the median.
/// `None` without a finite number.
pub fn measure_number_or_median(cell: &Answer, measure: &MeasureAnswer) -> Option<f64> {
    match measure.head.role {
        MeasureRoleBesideReports::Until => {
            MedianTriesUntilEvent::from_measure(cell, measure)?.median.map(f64::from)
        }
        _ => headline_measure::measure_best_value(measure),
    }
}

/// The distribution of tries until an event, in short.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MedianTriesUntilEvent {
    /// The try by which the event has happened in half of all cases; `None` if it happens less
    /// often in all tries.
    pub median: Option<i32>,
    /// The share in which the event happens within all tries made, 0 to 1.
    pub within: f64,
    /// The last try at which the event may happen.
    pub tries: i32,
}

impl MedianTriesUntilEvent {
    /// Takes the tries of a measure of a cell; `None` if it measures something else, or the event
    /// cannot happen.
    pub fn from_measure(cell: &Answer, measure: &MeasureAnswer) -> Option<MedianTriesUntilEvent> {
        let has_value = measure.exact.is_some() || measure.simulated.is_some();
        if measure.head.role != MeasureRoleBesideReports::Until || !has_value {
            return None;
        }
        MedianTriesUntilEvent::from_counted_tries(cell)
    }

    /// Takes the tries from the distribution of a cell that counts them; `None` if it counts none,
    /// or the event never happens.
    pub fn from_counted_tries(cell: &Answer) -> Option<MedianTriesUntilEvent> {
        let column = cell.fields.iter().position(|field| field.tries)?;
        let at = |outcome: &OutcomeWithProbability| outcome.values[column];
        let tries =
            cell.outcomes.iter().map(|outcome| (at(outcome), outcome.best_available_chance()));
        let mut tries: Vec<_> = tries.filter(|(n, share)| *n > 0 && *share > 0.0).collect();
        tries.sort_by_key(|(n, _)| *n);
        let last = tries.last()?.0;
        let mut within = 0.0;
        let mut median = None;
        for (n, share) in tries {
            within += share;
            let reached = Approximation::from_accumulated_rounding(within)
                .is_at_least_within_error(Approximation::from_rounded(0.5));
            median = median.or(reached.then_some(n));
        }
        Some(MedianTriesUntilEvent { median, within: within.min(1.0), tries: last })
    }

    /// Formats the median: `4`, or `>10` if fewer than half reach the event.
    pub fn format_median(&self) -> String {
        self.median.map_or(format!(">{}", self.tries), |n| n.to_string())
    }

    /// Formats median and share: `4 (97 % within 10)`.
    pub fn median_and_share_text(&self) -> String {
        format!("{} ({} % within {})", self.format_median(), self.format_share_within(), self.tries)
    }

    /// Formats the share that reaches the event within all tries, in whole percent: `97`, `<1`,
    /// `>99`.
    pub fn format_share_within(&self) -> String {
        match (100.0 * self.within).round() {
            _ if is_one_within_rounding(self.within) => "100".to_owned(),
            whole if whole < 1.0 => "<1".to_owned(),
            whole if whole > 99.0 => ">99".to_owned(),
            whole => format!("{whole}"),
        }
    }
}

/// Whether a share is 1.
fn is_one_within_rounding(share: f64) -> bool {
    Approximation::from_accumulated_rounding(share)
        .is_at_least_within_error(Approximation::from_rounded(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    /// A cell whose target has fallen at the second of three tries in 12 of 36 cases, and at the
    /// third in `third` of 36.
    fn cell(third: u64) -> Answer {
        let mut cell = test_answers::squad_answer_from_36ths(vec![], third, 12);
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
        // 12 + 4 of 36 within 3: 44.4 %, fewer than half. 12 + 6: exactly half. 12 + 24: all.
        let told = |third| {
            MedianTriesUntilEvent::from_counted_tries(&cell(third))
                .map(|until| until.median_and_share_text())
        };
        assert_eq!(told(4).as_deref(), Some(">3 (44 % within 3)"));
        assert_eq!(told(6).as_deref(), Some("3 (50 % within 3)"));
        assert_eq!(told(24).as_deref(), Some("3 (100 % within 3)"));
        assert_eq!(
            MedianTriesUntilEvent::from_counted_tries(&test_answers::build_single()[0]),
            None
        );
    }
}
