//! The exact law of a dice expression, as players write it: `d8 + 4d6`, `4d6kh3`, `2d6 >= 8`, `6d6 count 5+`,
//! `d6!`, `2d6+1 vs 2d6`.
//!
//! Nothing is enumerated and nothing is rounded: a law is a row of whole numbers, the ways the
//! dice can fall, and sums are convolutions of such rows. All that rulebooks in text files say about
//! dice is understood alike.
//!
//! ```
//! use enfilade_dice::{Answers, DiceLaw};
//! let law = DiceLaw::of("2d6 >= 8")?;
//! assert_eq!(law.answers, Answers::YesNo);
//! assert_eq!(law.law.fraction(1), (15_u8.into(), 36_u8.into()));
//! # Ok::<(), enfilade_model::error::Error>(())
//! ```

use enfilade_engine::cancel::{Halt, NEVER};
use enfilade_model::error::{Error, LocatedFault};

mod bounds;
mod evaluate;
mod law;
mod parse;
mod pool;
mod reader;
mod tree;
mod work;

pub use bounds::{CONSTANT, DICE, EXTRA, LADDER, LENGTH, SIDES, STEPS};
pub use evaluate::Answers;
pub use law::{Law, ratio};

/// The law of an expression.
#[derive(Clone, Debug)]
pub struct DiceLaw {
    /// The law of its value; for a test 0 is no and 1 is yes, for `vs` the side that is higher.
    pub law: Law,
    /// What the values mean.
    pub answers: Answers,
    /// What else it may have meant, and what was left out; each a sentence.
    pub remarks: Vec<String>,
}

impl DiceLaw {
    /// The law of the expression `text`.
    ///
    /// # Errors
    /// [`Error::Input`] with the place in `text` where it cannot be read, or where it asks for
    /// more than the bounds of this module allow.
    pub fn of(text: &str) -> Result<DiceLaw, Error> {
        DiceLaw::evaluate(text, &NEVER)
    }

    /// As [`of`](DiceLaw::of), unless somebody asks it to stop: then the law is refused as one that is too
    /// large.
    ///
    /// # Errors
    /// As for [`of`](DiceLaw::of), and when `halt` was asked.
    pub fn evaluate(text: &str, halt: &Halt) -> Result<DiceLaw, Error> {
        let located = |fault: LocatedFault| Error::Input {
            name: "dice expression".to_owned(),
            text: text.to_owned(),
            faults: vec![fault],
        };
        let (node, mut remarks) = parse::expression(text).map_err(located)?;
        let (law, answers, cut) = evaluate::evaluate(&node, halt).map_err(located)?;
        remarks.extend(cut);
        Ok(DiceLaw { law, answers, remarks })
    }
}
