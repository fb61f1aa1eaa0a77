//! Bounded quantities, each declared once: name, range, and the words of the error.
//!
//! A rule system declares the bounds of its own quantities beside its data, with the same type.

use std::fmt;

use crate::form::sanitize::format_number_compactly;
use crate::static_or_shared::Text;

/// Whole quantity with a closed range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntRange {
    /// Name of the quantity, in words: `morale level`, `number of threads`.
    pub name: Text,
    /// Smallest allowed value.
    pub low: i64,
    /// Largest allowed value.
    pub high: i64,
}

impl IntRange {
    /// Creates a quantity `name` between `low` and `high`, both allowed.
    ///
    /// # Panics
    ///
    /// If `low` is above `high`. In a constant this is an error of the compilation.
    pub const fn new(name: &'static str, low: i64, high: i64) -> Self {
        assert!(low <= high);
        let name = Text::Static(name);
        IntRange { name, low, high }
    }

    /// Returns whether `value` is allowed.
    pub const fn contains(&self, value: i64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Returns `value` if it is allowed.
    ///
    /// # Errors
    /// If `value` is out of range: a sentence with the quantity, its range and the value.
    ///
    /// ```
    /// use enfilade_model::form::bounds::IntRange;
    /// const MORALE_LEVEL_RANGE: IntRange = IntRange::new("morale level", 0, 12);
    /// assert_eq!(MORALE_LEVEL_RANGE.check_in_range(7), Ok(7));
    /// assert_eq!(MORALE_LEVEL_RANGE.check_in_range(13), Err("the morale level must be 0 to 12, but it is 13".to_owned()));
    /// ```
    pub fn check_in_range(&self, value: i64) -> Result<i64, String> {
        if self.contains(value) {
            return Ok(value);
        }
        Err(format!("the {} must be {self}, but it is {value}", self.name))
    }
}

impl fmt::Display for IntRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.low == self.high {
            return write!(f, "{}", self.low);
        }
        write!(f, "{} to {}", self.low, self.high)
    }
}

/// Quantity that need not be whole, with a closed range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RealRange {
    /// Name of the quantity, in words: `precision`.
    pub name: &'static str,
    /// Smallest allowed value.
    pub low: f64,
    /// Largest allowed value.
    pub high: f64,
}

impl RealRange {
    /// Returns `value` if it is allowed; a value that is not a number is never allowed.
    ///
    /// # Errors
    /// The sentence for the user: the quantity, its range, and the value.
    pub fn check_in_range(&self, value: f64) -> Result<f64, String> {
        if (self.low..=self.high).contains(&value) {
            return Ok(value);
        }
        Err(format!(
            "the {} must be {self}, but it is {}",
            self.name,
            format_number_compactly(value)
        ))
    }
}

impl fmt::Display for RealRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.low, self.high)
    }
}

/// Standard error at which a simulation stops. The smallest takes 2.5 · 10¹¹ trials.
pub const STANDARD_ERROR_RANGE: RealRange =
    RealRange { name: "precision (a standard error)", low: 0.000_001, high: 0.5 };

/// Trials per cell: up to 10¹³, some ten minutes on one core.
pub const TRIAL_COUNT_RANGE: IntRange = IntRange::new("number of trials", 1, 10_000_000_000_000);

/// States that a contest without a graph may have in memory at once: the largest number needs a
/// terabyte.
pub const STATE_COUNT_RANGE: IntRange = IntRange::new("number of states", 1, 10_000_000_000);

/// Number of threads of the pool.
pub const THREAD_COUNT_RANGE: IntRange = IntRange::new("number of threads", 1, 1024);

/// Seed: a TOML integer without a sign.
pub const SEED_RANGE: IntRange = IntRange::new("seed", 0, i64::MAX);

/// Cells of one experiment that are in memory together. A cell of the fire table takes 16 µs to
/// check and, with its answer, 5 kB of memory (dev profile, November 2026), so the largest grid
/// takes half a gigabyte.
pub const CELLS: IntRange = IntRange::new("number of cells", 1, 100_000);

/// Cells of one experiment that `run` and `odds` collect until all are done, for pictures of all of
/// them: with the tables made of them a third of a gigabyte. More cells are written as they are
/// solved.
pub const COLLECTED_CELLS_RANGE: IntRange = IntRange::new("number of cells", 1, 50_000);

/// Cells of one experiment that is solved cell by cell, and never whole in memory. At 20 µs a cell
/// the largest number takes a thousand processors six hours.
pub const STREAMED_CELLS_RANGE: IntRange = IntRange::new("number of cells", 1, 1_000_000_000_000);

/// Amount that adds up until a target falls: hit points, figures, models.
pub const AMOUNT_TO_FALL_RANGE: IntRange =
    IntRange::new("amount that puts a target out of action", 1, 10_000);

/// Size of an input file in bytes.
pub const INPUT_BYTES_RANGE: IntRange =
    IntRange::new("size of an input file in bytes", 0, SIGNED_INPUT_LIMIT);

/// Size limit of [`INPUT_BYTES_RANGE`] as a plain number.
const SIGNED_INPUT_LIMIT: i64 = 1 << 20;

/// Size limit in bytes of a file that a person writes.
pub const MAX_INPUT_BYTES: u64 = SIGNED_INPUT_LIMIT.unsigned_abs();

/// Number of sides of a die that the engines roll.
pub const DIE_SIDES_RANGE: IntRange = IntRange::new("number of sides of a die", 1, 255);
