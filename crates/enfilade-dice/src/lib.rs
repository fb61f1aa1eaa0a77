//! The exact distribution of a dice expression, as players write it: `d8 + 4d6`, `4d6kh3`,
//! `2d6 >= 8`, `6d6 count 5+`, `d6!`, `2d6+1 vs 2d6`.
//!
//! Nothing is enumerated and nothing is rounded: a distribution is a row of whole numbers, the ways
//! in which the dice can fall, and sums are convolutions of these rows. All forms of dice in
//! rulebooks are also understood here.
//!
//! ```
//! use enfilade_dice::{DiceDistribution, MeaningOfValues};
//! let dice = DiceDistribution::from_text("2d6 >= 8")?;
//! assert_eq!(dice.answers, MeaningOfValues::YesNo);
//! assert_eq!(dice.law.ways_to_value_and_total(1), (15_u8.into(), 36_u8.into()));
//! # Ok::<(), enfilade_model::error::InputError>(())
//! ```

use enfilade_engine::cancel::{CancelToken, NEVER_CANCELLED};
use enfilade_model::error::{FaultWithByteSpan, InputError};

mod dice_bounds;
mod dice_size;
mod evaluate;
mod expression_tree;
mod parse;
mod rolled_pool;
mod scanner;
mod way_counts;
mod work_budget;

pub use dice_bounds::{
    CONSTANT_VALUE_RANGE, DICE_COUNT_RANGE, DIE_SIDES_LADDER, DIE_SIDES_RANGE,
    EXPRESSION_LENGTH_RANGE, EXTRA_DICE_RANGE, LADDER_STEPS_RANGE,
};
pub use dice_size::DiceCountAndSides;
pub use evaluate::MeaningOfValues;
pub use way_counts::{WayCounts, divide_to_f64};

/// Distribution of a dice expression.
#[derive(Clone, Debug)]
pub struct DiceDistribution {
    /// Distribution of the value; 0 is no and 1 is yes for a test, and the side that is higher for
    /// `vs`.
    pub law: WayCounts,
    /// Meaning of the values.
    pub answers: MeaningOfValues,
    /// Number of dice and their sides.
    pub size: DiceCountAndSides,
    /// Other possible readings of the text, and what was left out; each a sentence.
    pub remarks: Vec<String>,
}

impl DiceDistribution {
    /// Computes the distribution of the expression `text`.
    ///
    /// # Errors
    /// The place in `text` that cannot be read or that exceeds the limits of
    /// this module.
    pub fn from_text(text: &str) -> Result<DiceDistribution, InputError> {
        DiceDistribution::from_text_or_cancel(text, &NEVER_CANCELLED)
    }

    /// Computes the distribution like [`from_text`](DiceDistribution::from_text), unless `halt` is
    /// raised: then the expression is refused as one that is too large.
    ///
    /// # Errors
    /// Fails like [`from_text`](DiceDistribution::from_text), and when `halt` was raised.
    pub fn from_text_or_cancel(
        text: &str,
        halt: &CancelToken,
    ) -> Result<DiceDistribution, InputError> {
        let located = |fault: FaultWithByteSpan| InputError {
            name: "dice expression".to_owned(),
            text: text.to_owned(),
            faults: vec![fault],
        };
        let (node, mut remarks) = parse::parse_expression(text).map_err(located)?;
        let (law, answers, cut) = evaluate::evaluate_expression(&node, halt).map_err(located)?;
        remarks.extend(cut);
        Ok(DiceDistribution { law, answers, size: DiceCountAndSides::of(&node), remarks })
    }
}
