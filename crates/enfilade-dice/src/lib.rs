//! The exact distribution of a dice expression, as players write it: `d8 + 4d6`, `4d6kh3`,
//! `2d6 >= 8`, `6d6 count 5+`, `d6!`, `2d6+1 vs 2d6`.
//!
//! Nothing is enumerated and nothing is rounded: a distribution is a row of whole numbers, the ways
//! in which the dice can fall, and sums are convolutions of these rows. All forms of dice in
//! rulebooks are also understood here.
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

/// Distribution of a dice expression.
#[derive(Clone, Debug)]
pub struct DiceLaw {
    /// Distribution of the value; 0 is no and 1 is yes for a test, and the side that is higher for
    /// `vs`.
    pub law: Law,
    /// Meaning of the values.
    pub answers: Answers,
    /// Other possible readings of the text, and what was left out; each a sentence.
    pub remarks: Vec<String>,
}

impl DiceLaw {
    /// Computes the distribution of the expression `text`.
    ///
    /// # Errors
    /// [`Error::Input`] with the place in `text` that cannot be read or that exceeds the limits of
    /// this module.
    pub fn of(text: &str) -> Result<DiceLaw, Error> {
        DiceLaw::evaluate(text, &NEVER)
    }

    /// Computes the distribution like [`of`](DiceLaw::of), unless `halt` is raised: then the
    /// expression is refused as one that is too large.
    ///
    /// # Errors
    /// Fails like [`of`](DiceLaw::of), and when `halt` was raised.
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
