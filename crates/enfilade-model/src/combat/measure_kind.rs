//! How a measure is computed from the distribution of the outcomes.

use super::scale::ExactRatio;

/// Computation of a measure from the distribution of the outcomes, each of which has a whole
/// number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureKind {
    /// Probability of an event, 0 to 1: the number is 1 for the event, else 0.
    Event,
    /// Mean of the number.
    Mean,
    /// Standard deviation of the number.
    Deviation,
    /// Least value that the number does not exceed with this probability or more.
    Quantile(ExactRatio),
    /// Mean of the amounts tallied under this counter; outcomes do not contain it.
    Tally(u8),
    /// Another figure of the amounts tallied under this counter, by outcome.
    Tallied(u8, TallyFigure),
}

/// Figure of what is tallied: of all trials, or of those whose outcome meets a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TallyFigure {
    /// Mean among the outcomes that meet the condition.
    Mean,
    /// Standard deviation.
    Deviation,
    /// Least value that the tally does not exceed with this probability or more.
    Quantile(ExactRatio),
    /// Probability of at most the weight of the outcome; a negative weight is never reached.
    AtMost,
    /// Probability of more than the weight of the outcome.
    MoreThan,
    /// Probability of exactly the weight of the outcome.
    Exactly,
}

impl std::fmt::Display for MeasureKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            kind if kind.is_shown_in_percent() => f.write_str("probability"),
            MeasureKind::Deviation | MeasureKind::Tallied(_, TallyFigure::Deviation) => {
                f.write_str("standard deviation")
            }
            MeasureKind::Quantile(share)
            | MeasureKind::Tallied(_, TallyFigure::Quantile(share)) => {
                write!(f, "quantile {}/{}", share.numerator, share.denominator)
            }
            _ => f.write_str("mean"),
        }
    }
}

impl MeasureKind {
    /// Returns whether the value is a share of one, shown in percent.
    pub fn is_shown_in_percent(self) -> bool {
        use TallyFigure::{AtMost, Exactly, MoreThan};
        matches!(self, MeasureKind::Event | MeasureKind::Tallied(_, AtMost | MoreThan | Exactly))
    }

    /// Returns the counter whose tally is measured.
    pub fn measured_counter(self) -> Option<u8> {
        match self {
            MeasureKind::Tally(counter) | MeasureKind::Tallied(counter, _) => Some(counter),
            _ => None,
        }
    }

    /// Returns the unit sign that follows a value: `%`, or none.
    pub fn unit_sign(self) -> &'static str {
        if self.is_shown_in_percent() { "%" } else { "" }
    }

    /// Returns the factor of a value for display: 100 for shares.
    pub fn display_factor(self) -> f64 {
        if self.is_shown_in_percent() { 100.0 } else { 1.0 }
    }
}
