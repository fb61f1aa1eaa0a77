//! Cost of a count, estimated before the count starts: nothing is counted for longer than about a
//! second.

use enfilade_engine::cancel::Halt;

/// Number of steps after which an expression is refused; a step is less than a hundred nanoseconds.
const MOST: u64 = 10_000_000;

/// Steps that storing a value costs.
const KEPT: u64 = 20;

/// Bits of a number that are processed in one step.
const LIMB: usize = 64;

/// Error: an expression is too costly, or the caller cancelled it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch;

/// Number of values of a distribution, and number of bits of the longest count.
pub type Size = (usize, usize);

/// Cost of an expression so far, and the token that cancels the count.
#[derive(Clone, Copy, Debug)]
pub struct Work<'h> {
    steps: u64,
    halt: &'h Halt,
}

impl<'h> Work<'h> {
    /// Starts at a cost of zero.
    pub fn new(halt: &'h Halt) -> Work<'h> {
        Work { steps: 0, halt }
    }

    /// Starts a new budget for steps whose cost has been paid already.
    pub fn paid(&self) -> Work<'h> {
        Work::new(self.halt)
    }

    /// Checks that the caller has not cancelled.
    pub fn go_on(&self) -> Result<(), TooMuch> {
        if self.halt.asked() { Err(TooMuch) } else { Ok(()) }
    }

    /// Adds `steps` to the cost. Fails if the limit is passed.
    pub fn spend(&mut self, steps: u64) -> Result<(), TooMuch> {
        self.steps = self.steps.saturating_add(steps);
        self.go_on()?;
        if self.steps <= MOST { Ok(()) } else { Err(TooMuch) }
    }

    /// Pays for all pairs of two distributions' values, each of which takes a multiplication. A
    /// distribution is passed as its number of values and the number of bits of its longest count.
    pub fn pairs(&mut self, (many, long): Size, (others, their): Size) -> Result<(), TooMuch> {
        self.products(many.saturating_mul(others), long, their)
    }

    /// Pays for `many` multiplications of numbers of `long` and `their` bits.
    pub fn products(&mut self, many: usize, long: usize, their: usize) -> Result<(), TooMuch> {
        let limbs = (1 + long / LIMB) * (1 + their / LIMB);
        self.spend((many as u64).saturating_mul(1 + limbs as u64 / 32))
    }

    /// Pays for a window that slides over a distribution, to `values` values.
    pub fn window(&mut self, (_, long): Size, values: usize) -> Result<(), TooMuch> {
        self.spend((values as u64).saturating_mul(1 + (long / LIMB) as u64 / 16))
    }

    /// Pays for storing all values from `low` to `high`, and returns their number.
    pub fn values(&mut self, low: i128, high: i128) -> Result<usize, TooMuch> {
        let values = u64::try_from(high - low + 1).map_err(|_| TooMuch)?;
        self.spend(values.saturating_mul(KEPT))?;
        usize::try_from(values).map_err(|_| TooMuch)
    }
}
