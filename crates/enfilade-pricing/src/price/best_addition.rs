//! The one addition to the file that narrows the interval of a price most.
//!
//! Every addition is tried by pricing again with it. A fixed assumption gives the exact interval of
//! the changed file; the results of one more opponent or ten more weapons are unknown, so their
//! intervals assume opponents and weapons that scatter as the others do.

use super::price_uncertainty::PriceUncertainty;
use crate::doctrine::find_word;
use crate::evidence::PriceAssumption;

/// Weapons that are added at once.
pub const WEAPONS_TO_ADD: usize = 10;

/// An addition to the file, and its effect.
#[derive(Clone, Debug, PartialEq)]
pub struct BestAddition {
    /// The addition.
    pub write: FileAddition,
    /// Half width of the log of the 95 % interval after it.
    pub half: f64,
}

/// An addition to the file.
#[derive(Clone, Debug, PartialEq)]
pub enum FileAddition {
    /// `arc = 2` under `[assumptions]`.
    Assumption(String, f64),
    /// A scenario against another opponent.
    Opponent,
    /// Ten more weapons with their prices.
    Weapons,
}

impl FileAddition {
    /// The line for the file.
    pub fn file_line(&self) -> String {
        match self {
            FileAddition::Assumption(name, value) => match find_word(name, *value) {
                Some(word) => format!("[assumptions] {name} = \"{word}\""),
                None => format!("[assumptions] {name} = {value}"),
            },
            FileAddition::Opponent => "[[scenario]] against one more opponent".to_owned(),
            FileAddition::Weapons => format!("{WEAPONS_TO_ADD} more [[weapon]] with their prices"),
        }
    }
}

/// Finds the addition that narrows the interval most; `None` if none does.
pub fn find_best_addition(
    doubt: &PriceUncertainty,
    assumptions: &[PriceAssumption],
) -> Option<BestAddition> {
    let fixed = assumptions.iter().enumerate().map(|(i, assumption)| {
        let write = FileAddition::Assumption(assumption.name.clone(), assumption.default);
        (write, doubt.with_fixed_assumption(i))
    });
    let more = [
        (FileAddition::Opponent, doubt.with_one_more_opponent()),
        (FileAddition::Weapons, doubt.with_more_weapons(WEAPONS_TO_ADD)),
    ];
    let levers =
        fixed.chain(more).map(|(write, left)| BestAddition { write, half: left.half_width(0.05) });
    let best = levers.min_by(|a, b| a.half.total_cmp(&b.half));
    best.filter(|lever| lever.half < doubt.half_width(0.05))
}
