//! The one addition to the file that narrows the interval of a price most.
//!
//! Every addition is tried by pricing again with it. A fixed assumption gives the exact interval of
//! the changed file; the results of one more opponent or ten more weapons are unknown, so their
//! intervals assume opponents and weapons that scatter as the others do.

use super::price_uncertainty::LogPriceUncertainty;
use crate::doctrine::word_of_assumption_value;
use crate::evidence::PriceAssumption;

/// Weapons that are added at once.
pub const ADDED_WEAPON_COUNT: usize = 10;

/// An addition to the file, and its effect.
#[derive(Clone, Debug, PartialEq)]
pub struct ArsenalAdditionEffect {
    /// The addition.
    pub write: ArsenalFileAddition,
    /// Half width of the log of the 95 % interval after it.
    pub half: f64,
}

/// An addition to the file.
#[derive(Clone, Debug, PartialEq)]
pub enum ArsenalFileAddition {
    /// `arc = 2` under `[assumptions]`.
    Assumption(String, f64),
    /// A scenario against another opponent.
    Opponent,
    /// Ten more weapons with their prices.
    Weapons,
}

impl ArsenalFileAddition {
    /// The line for the file.
    pub fn hint_for_file(&self) -> String {
        match self {
            ArsenalFileAddition::Assumption(name, value) => {
                let word = word_of_assumption_value(name, *value).map(|word| format!("{word:?}"));
                format!("[assumptions] {name} = {}", word.unwrap_or_else(|| value.to_string()))
            }
            ArsenalFileAddition::Opponent => "[[scenario]] against one more opponent".to_owned(),
            ArsenalFileAddition::Weapons => {
                format!("{ADDED_WEAPON_COUNT} more [[weapon]] with their prices")
            }
        }
    }
}

/// Finds the addition that narrows the interval most; `None` if none does.
pub fn find_best_addition(
    doubt: &LogPriceUncertainty,
    assumptions: &[PriceAssumption],
) -> Option<ArsenalAdditionEffect> {
    let fixed = assumptions.iter().enumerate().map(|(i, assumption)| {
        let write = ArsenalFileAddition::Assumption(assumption.name.clone(), assumption.default);
        (write, doubt.with_fixed_assumption(i))
    });
    let more = [
        (ArsenalFileAddition::Opponent, doubt.with_one_more_opponent()),
        (ArsenalFileAddition::Weapons, doubt.forecast_with_more_weapons(ADDED_WEAPON_COUNT)),
    ];
    let levers = fixed.chain(more).map(|(write, left)| ArsenalAdditionEffect {
        write,
        half: left.half_width_with_miss_chance(0.05),
    });
    let best = levers.min_by(|a, b| a.half.total_cmp(&b.half));
    best.filter(|lever| lever.half < doubt.half_width_with_miss_chance(0.05))
}
