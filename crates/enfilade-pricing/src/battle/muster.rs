//! How many meet, and what a battle that nobody has won comes to.

/// How many meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Muster {
    /// Reference troops that each side has, at least 1.
    pub base: usize,
    /// Weapons beside them on one side.
    pub copies: usize,
    /// The most troops the other side may have in their place.
    pub most: usize,
    /// How much more fire a weapon draws than a trooper.
    pub draws: f64,
}

/// What a weapon draws that draws nothing: it is fired at when nobody else is left.
const LEAST_DRAWN: f64 = 1e-9;

impl Muster {
    /// What a weapon draws beside a trooper, above 0.
    pub fn drawn(&self) -> f64 {
        self.draws.max(LEAST_DRAWN)
    }
}

/// Points below which a difference is rounding.
const TIE: f64 = 1e-6;

/// What a battle is worth to the side that has `own` points left beside `other`, where both stand or
/// nobody does.
pub fn ahead(own: f64, other: f64) -> f64 {
    match own - other {
        lead if lead > TIE => 1.0,
        lead if lead < -TIE => 0.0,
        _ => 0.5,
    }
}
