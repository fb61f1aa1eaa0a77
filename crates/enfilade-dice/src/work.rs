//! What counting costs, reckoned before it is done: nothing is counted for longer than about a second.

use enfilade_engine::cancel::Halt;

/// Steps after which an expression is refused; a step is less than a hundred nanoseconds.
const MOST: u64 = 10_000_000;

/// Steps that a value costs for being kept.
const KEPT: u64 = 20;

/// Bits of a number that are worked on in one go.
const LIMB: usize = 64;

/// An expression asks for more than anybody waits for, or somebody asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch;

/// How many values a law has, and how many bits their longest number.
pub type Size = (usize, usize);

/// What an expression has cost so far, and who may stop the counting.
#[derive(Clone, Copy, Debug)]
pub struct Work<'h> {
    steps: u64,
    halt: &'h Halt,
}

impl<'h> Work<'h> {
    /// Nothing was counted yet.
    pub fn new(halt: &'h Halt) -> Work<'h> {
        Work { steps: 0, halt }
    }

    /// For what was paid before: it may cost as much again.
    pub fn paid(&self) -> Work<'h> {
        Work::new(self.halt)
    }

    /// Goes on with what was paid for, unless somebody asked to stop.
    pub fn go_on(&self) -> Result<(), TooMuch> {
        if self.halt.asked() { Err(TooMuch) } else { Ok(()) }
    }

    /// Takes so many steps, if they are left.
    pub fn spend(&mut self, steps: u64) -> Result<(), TooMuch> {
        self.steps = self.steps.saturating_add(steps);
        self.go_on()?;
        if self.steps <= MOST { Ok(()) } else { Err(TooMuch) }
    }

    /// Pairs of values, of which each takes a multiplication. A law is given as how many values it has,
    /// and how many bits their longest number.
    pub fn pairs(&mut self, (many, long): Size, (others, their): Size) -> Result<(), TooMuch> {
        self.products(many.saturating_mul(others), long, their)
    }

    /// So many multiplications of numbers of so many bits.
    pub fn products(&mut self, many: usize, long: usize, their: usize) -> Result<(), TooMuch> {
        let limbs = (1 + long / LIMB) * (1 + their / LIMB);
        self.spend((many as u64).saturating_mul(1 + limbs as u64 / 32))
    }

    /// A window that slides over a law, to so many values.
    pub fn window(&mut self, (_, long): Size, values: usize) -> Result<(), TooMuch> {
        self.spend((values as u64).saturating_mul(1 + (long / LIMB) as u64 / 16))
    }

    /// All values from one to another are kept: how many those are.
    pub fn values(&mut self, low: i128, high: i128) -> Result<usize, TooMuch> {
        let values = u64::try_from(high - low + 1).map_err(|_| TooMuch)?;
        self.spend(values.saturating_mul(KEPT))?;
        usize::try_from(values).map_err(|_| TooMuch)
    }
}
