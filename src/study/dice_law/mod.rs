//! The exact law of a dice expression: `d8 + 4d6`, `4d6kh3`, `2d6 >= 8`, `2d8 down 1`.
//!
//! Nothing is enumerated and nothing is rounded: a law is a row of whole numbers, the ways the
//! dice can fall, and sums are convolutions of such rows.
//!
//! ```
//! use enfilade::study::dice_law::DiceLaw;
//! let law = DiceLaw::of("2d6 >= 8")?;
//! assert!(law.yes_or_no);
//! assert_eq!(law.law.fraction(1), (15_u8.into(), 36_u8.into()));
//! # Ok::<(), enfilade::error::Error>(())
//! ```

use crate::bounds::Bound;
use crate::error::{Error, LocatedFault};

mod law;
mod parse;

pub use law::{Law, ratio};

/// Dice of one expression, and repetitions of one die.
pub const DICE: Bound = Bound::new("number of dice", 1, 1000);

/// Sides of a die in an expression.
pub const SIDES: Bound = Bound::new("number of sides of a die", 1, 1000);

/// Constants of an expression.
pub const CONSTANT: Bound = Bound::new("number in a dice expression", 0, 10_000);

/// Characters of an expression.
pub const LENGTH: Bound = Bound::new("length of a dice expression in characters", 1, 500);

/// Steps up or down the ladder of dice.
pub const STEPS: Bound = Bound::new("number of steps on the die ladder", 0, 100);

/// The dice that can be stepped up and down; below the first and above the last there is none.
pub const LADDER: [u16; 5] = [4, 6, 8, 10, 12];

/// The law of an expression.
#[derive(Clone, Debug)]
pub struct DiceLaw {
    /// The law of its value; for a comparison 0 is no and 1 is yes.
    pub law: Law,
    /// Whether the expression is a comparison.
    pub yes_or_no: bool,
}

impl DiceLaw {
    /// The law of the expression `text`.
    ///
    /// # Errors
    /// [`Error::Input`] with the place in `text` where it cannot be read, or where it asks for
    /// more than the bounds of this module allow.
    pub fn of(text: &str) -> Result<DiceLaw, Error> {
        let located = |fault: LocatedFault| Error::Input {
            name: "dice expression".to_owned(),
            text: text.to_owned(),
            faults: vec![fault],
        };
        let expression = parse::expression(text).map_err(located)?;
        law::evaluate(&expression).map_err(located)
    }
}
