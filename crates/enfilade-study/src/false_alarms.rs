//! False alarms that the checks of one run may raise, each by its source.

use enfilade_stats::agreement::{CheckFalseAlarmRate, FalseAlarmBudget};

/// Probability that one check raises a false alarm.
pub(crate) const CHECK_FALSE_ALARM: f64 = 1e-9;

/// Probability of a false alarm for one tally: a contest may have several, and each is checked
/// twice.
pub(crate) const TALLY_FALSE_ALARM: f64 = 1e-10;

/// Probability of a false alarm for one distribution or tally of the frontier engine: the rest of
/// the budget.
pub(crate) const FRONTIER_FALSE_ALARM: f64 = 1e-11;

/// Probability of a false alarm for one law after a few steps, or one measure under a condition:
/// contests without either have none.
pub(crate) const FIRST_STEPS_FALSE_ALARM: f64 = 1e-12;
pub(crate) const CONDITION_FALSE_ALARM: f64 = 5e-13;

/// Budget of false alarms for a whole run. A test compares the checks of a run with it.
pub const RUN_FALSE_ALARM_BUDGET: FalseAlarmBudget = FalseAlarmBudget {
    alarms: &[
        CheckFalseAlarmRate {
            name: "law of a contest, simulated against exact",
            checks: 450,
            alpha: CHECK_FALSE_ALARM,
        },
        CheckFalseAlarmRate {
            name: "law of a contest, played against exact",
            checks: 450,
            alpha: CHECK_FALSE_ALARM,
        },
        CheckFalseAlarmRate {
            name: "mean of a tally, simulated and played against exact",
            checks: 900,
            alpha: TALLY_FALSE_ALARM,
        },
        CheckFalseAlarmRate {
            name: "law of a contest and mean of a tally, in waves against exact",
            checks: 900,
            alpha: FRONTIER_FALSE_ALARM,
        },
        CheckFalseAlarmRate {
            name: "law after a few steps, played against waves",
            checks: 450,
            alpha: FIRST_STEPS_FALSE_ALARM,
        },
        CheckFalseAlarmRate {
            name: "measure under a condition, simulated against exact",
            checks: 900,
            alpha: CONDITION_FALSE_ALARM,
        },
    ],
};
