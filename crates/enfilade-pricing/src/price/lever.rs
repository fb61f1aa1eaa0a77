//! The one addition to the file that narrows the interval of a price most.
//!
//! Every addition is tried by pricing again with it. A fixed assumption gives the exact interval of
//! the changed file; the results of one more opponent or ten more weapons are unknown, so their
//! intervals assume opponents and weapons that scatter as the others do.

use super::doubt::Doubt;
use crate::doctrine::word;
use crate::evidence::Assumption;

/// Weapons that are added at once.
pub const WEAPONS: usize = 10;

/// An addition to the file, and its effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Lever {
    /// The addition.
    pub write: Write,
    /// Half width of the log of the 95 % interval after it.
    pub half: f64,
}

/// An addition to the file.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    /// `arc = 2` under `[assumptions]`.
    Assumption(String, f64),
    /// A scenario against another opponent.
    Opponent,
    /// Ten more weapons with their prices.
    Weapons,
}

impl Write {
    /// The line for the file.
    pub fn line(&self) -> String {
        match self {
            Write::Assumption(name, value) => match word(name, *value) {
                Some(word) => format!("[assumptions] {name} = \"{word}\""),
                None => format!("[assumptions] {name} = {value}"),
            },
            Write::Opponent => "[[scenario]] against one more opponent".to_owned(),
            Write::Weapons => format!("{WEAPONS} more [[weapon]] with their prices"),
        }
    }
}

/// Finds the addition that narrows the interval most; `None` if none does.
pub fn best(doubt: &Doubt, assumptions: &[Assumption]) -> Option<Lever> {
    let fixed = assumptions.iter().enumerate().map(|(i, assumption)| {
        let write = Write::Assumption(assumption.name.clone(), assumption.default);
        (write, doubt.with_fixed(i))
    });
    let more =
        [(Write::Opponent, doubt.with_opponent()), (Write::Weapons, doubt.with_weapons(WEAPONS))];
    let levers = fixed.chain(more).map(|(write, left)| Lever { write, half: left.half(0.05) });
    let best = levers.min_by(|a, b| a.half.total_cmp(&b.half));
    best.filter(|lever| lever.half < doubt.half(0.05))
}
