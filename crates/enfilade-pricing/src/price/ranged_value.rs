//! Numbers that are factors of each other, with their intervals.

/// A number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct RangedValue {
    /// The best guess.
    pub best: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl RangedValue {
    /// The number whose logarithm is `log`, plus or minus `half`.
    pub fn from_log_and_half(log: f64, half: f64) -> RangedValue {
        RangedValue { best: log.exp(), low: (log - half).exp(), high: (log + half).exp() }
    }
}
