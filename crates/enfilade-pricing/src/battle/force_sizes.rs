//! Sizes of the forces, and the score of a battle that no side has won.

/// Numbers of troops and weapons in a battle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TroopAndWeaponCounts {
    /// Reference troops that each side has, at least 1.
    pub base: usize,
    /// Weapons on one side.
    pub copies: usize,
    /// The largest number of troops that the other side may have in their place.
    pub most: usize,
    /// Fire that a weapon draws, as a multiple of a trooper's.
    pub draws: f64,
}

/// Fire drawn by a unit that draws none: it is hit only when no other unit is left.
pub(crate) const LEAST_FIRE_DRAWN: f64 = 1e-9;

impl TroopAndWeaponCounts {
    /// Fire that a weapon draws relative to a trooper, above 0.
    pub fn fire_drawn_relative_to_trooper(&self) -> f64 {
        self.draws.max(LEAST_FIRE_DRAWN)
    }
}

/// Points below which a difference is rounding.
const POINTS_TIE_MARGIN: f64 = 1e-6;

/// Score of the side with `own` points left against `other`, if both sides or none have units left.
pub fn score_by_points_left(own: f64, other: f64) -> f64 {
    match own - other {
        lead if lead > POINTS_TIE_MARGIN => 1.0,
        lead if lead < -POINTS_TIE_MARGIN => 0.0,
        _ => 0.5,
    }
}
