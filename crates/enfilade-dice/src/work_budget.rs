//! Cost of a count, estimated before the count starts: nothing is counted for longer than about a
//! second.

use enfilade_engine::cancel::CancelToken;

/// Number of steps after which an expression is refused; a step is less than a hundred nanoseconds.
const MAX_EXPRESSION_STEPS: u64 = 10_000_000;

/// Steps that storing a value costs.
const STEPS_PER_STORED_VALUE: u64 = 20;

/// Bits of a number that are processed in one step.
const BITS_PER_STEP: usize = 64;

/// Error: an expression is too costly, or the caller cancelled it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostOrCancelError;

/// Number of values of a distribution, and number of bits of the longest count.
pub type DistributionSize = (usize, usize);

/// Cost of an expression so far, and the token that cancels the count.
#[derive(Clone, Copy, Debug)]
pub struct WorkBudget<'h> {
    steps: u64,
    halt: &'h CancelToken,
}

impl<'h> WorkBudget<'h> {
    /// Starts at a cost of zero.
    pub fn new(halt: &'h CancelToken) -> WorkBudget<'h> {
        WorkBudget { steps: 0, halt }
    }

    /// Starts a new budget for steps whose cost has been paid already.
    pub fn fresh_budget(&self) -> WorkBudget<'h> {
        WorkBudget::new(self.halt)
    }

    /// Checks that the caller has not cancelled.
    ///
    /// # Errors
    /// If the token was cancelled.
    pub fn check_cancelled(&self) -> Result<(), CostOrCancelError> {
        if self.halt.is_cancelled() { Err(CostOrCancelError) } else { Ok(()) }
    }

    /// Adds `steps` to the cost.
    ///
    /// # Errors
    /// If the cost exceeds the limit, or the token was cancelled.
    pub fn charge_steps(&mut self, steps: u64) -> Result<(), CostOrCancelError> {
        self.steps = self.steps.saturating_add(steps);
        self.check_cancelled()?;
        if self.steps <= MAX_EXPRESSION_STEPS { Ok(()) } else { Err(CostOrCancelError) }
    }

    /// Pays for all pairs of two distributions' values, each of which takes a multiplication. A
    /// distribution is passed as its number of values and the number of bits of its longest count.
    ///
    /// # Errors
    /// As for [`charge_steps`](WorkBudget::charge_steps).
    pub fn charge_pairs(
        &mut self,
        (many, long): DistributionSize,
        (others, their): DistributionSize,
    ) -> Result<(), CostOrCancelError> {
        self.charge_multiplications(many.saturating_mul(others), long, their)
    }

    /// Pays for `many` multiplications of numbers of `long` and `their` bits.
    ///
    /// # Errors
    /// As for [`charge_steps`](WorkBudget::charge_steps).
    pub fn charge_multiplications(
        &mut self,
        many: usize,
        long: usize,
        their: usize,
    ) -> Result<(), CostOrCancelError> {
        let limbs = (1 + long / BITS_PER_STEP) * (1 + their / BITS_PER_STEP);
        self.charge_steps((many as u64).saturating_mul(1 + limbs as u64 / 32))
    }

    /// Pays for a window that slides over a distribution, to `values` values.
    ///
    /// # Errors
    /// As for [`charge_steps`](WorkBudget::charge_steps).
    pub fn charge_sliding_window(
        &mut self,
        (_, long): DistributionSize,
        values: usize,
    ) -> Result<(), CostOrCancelError> {
        self.charge_steps((values as u64).saturating_mul(1 + (long / BITS_PER_STEP) as u64 / 16))
    }

    /// Pays for storing all values from `low` to `high`, and returns their number.
    ///
    /// # Errors
    /// As for [`charge_steps`](WorkBudget::charge_steps), and if the number does not fit a `usize`.
    pub fn charge_value_range(
        &mut self,
        low: i128,
        high: i128,
    ) -> Result<usize, CostOrCancelError> {
        let values = u64::try_from(high - low + 1).map_err(|_| CostOrCancelError)?;
        self.charge_steps(values.saturating_mul(STEPS_PER_STORED_VALUE))?;
        usize::try_from(values).map_err(|_| CostOrCancelError)
    }
}
