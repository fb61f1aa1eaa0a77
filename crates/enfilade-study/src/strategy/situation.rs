//! A situation in which a decision is taken, and the least rule that there is for one.

/// A situation in which a decision is taken.
#[derive(Clone, Debug)]
pub struct DecisionSituation {
    /// Values of the variables.
    pub values: Vec<i64>,
    /// Option that is taken, from 1.
    pub option: u8,
    /// Options that are as good, as bits from the first option up.
    pub fits: u64,
    /// Mean of the goal for each option; not a number for one that is closed.
    pub means: Vec<f64>,
    /// Mean number of visits of a trial.
    pub visits: f64,
    /// Share of each option, if the choice must not be foreseen; otherwise empty.
    pub shares: Vec<f64>,
}

/// One option, or one below a bound of a variable and another from it on. Options count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionByBound {
    /// Always the same.
    Always(u8),
    /// By a bound.
    Bound {
        /// The first value above.
        from: i64,
        /// The option below it.
        below: u8,
        /// The option from it on.
        above: u8,
    },
}

impl OptionByBound {
    pub(super) fn option_for_value(&self, value: i64) -> u8 {
        match *self {
            OptionByBound::Always(option) => option,
            OptionByBound::Bound { from, below, above } => {
                if value < from {
                    below
                } else {
                    above
                }
            }
        }
    }
}
