//! Models of one squad and the Damage Points that each has left.
//!
//! Source: quick reference, DAMAGE. Models of a squad are equal, so it does not matter which of
//! them is hurt: the squad is a multiset, stored as a sorted row. The places of the models are not
//! stored.

use enfilade_model::form::field_macros::choice;

/// Largest number of models in a squad.
pub const MAX_MODELS_IN_SQUAD: usize = 16;

/// Damage Points left per model, most first; destroyed models and unused places are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DamagePointsLeftByModel([u8; MAX_MODELS_IN_SQUAD]);

choice! {
    /// Model that takes the next hit: a choice of the players.
    pub enum HitAllocationChoice {
        /// Surviving model with the fewest points left, until it is destroyed.
        Focus = "focus",
        /// Surviving model with the most points left.
        Even = "even",
    }
}

impl DamagePointsLeftByModel {
    /// Creates `count` unhurt models of `points` each; `count` is at most [`MAX_MODELS_IN_SQUAD`].
    pub fn from_unhurt_models(count: usize, points: u8) -> DamagePointsLeftByModel {
        let mut left = [0; MAX_MODELS_IN_SQUAD];
        left[..count].fill(points);
        DamagePointsLeftByModel(left)
    }

    /// Creates models with these points left; at most [`MAX_MODELS_IN_SQUAD`].
    pub fn from_points_left(points: &[u8]) -> DamagePointsLeftByModel {
        let mut left = [0; MAX_MODELS_IN_SQUAD];
        left[..points.len()].copy_from_slice(points);
        left.sort_unstable_by(|a, b| b.cmp(a));
        DamagePointsLeftByModel(left)
    }

    /// Returns the number of models with at least one point left.
    pub fn living_model_count(&self) -> usize {
        self.0.iter().take_while(|&&left| left > 0).count()
    }

    /// Returns the Damage Points left in all models together.
    pub fn total_points(&self) -> u16 {
        self.surviving_model_points().map(u16::from).sum()
    }

    /// Returns the points left in each surviving model, most first.
    pub fn surviving_model_points(&self) -> impl Iterator<Item = u8> {
        self.0.into_iter().take_while(|&left| left > 0)
    }

    /// Returns the points left in the model that takes the next hit; 0 when no model is left.
    pub fn points_of_model_hit_next(&self, allocation: HitAllocationChoice) -> u8 {
        match allocation {
            HitAllocationChoice::Even => self.0[0],
            HitAllocationChoice::Focus => {
                self.living_model_count().checked_sub(1).map_or(0, |last| self.0[last])
            }
        }
    }

    /// Returns the squad after it has lost `points`, one after another.
    pub fn after_losing_points(
        mut self,
        points: u16,
        allocation: HitAllocationChoice,
    ) -> DamagePointsLeftByModel {
        for _ in 0..points {
            self.damage_one_model(self.points_of_model_hit_next(allocation), 1);
        }
        self
    }

    /// Removes `points` points from one model that has `left`; the rest is lost as overkill.
    // PERF: in place, because a squad that was just written byte by byte is slow to copy.
    /// DAMAGE: points beyond the last one of a model are lost.
    pub fn damage_one_model(&mut self, left: u8, points: u8) {
        let Some(mut place) = self.0.iter().rposition(|&model| model == left) else {
            return;
        };
        self.0[place] = left.saturating_sub(points);
        while place + 1 < MAX_MODELS_IN_SQUAD && self.0[place] < self.0[place + 1] {
            self.0.swap(place, place + 1);
            place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_model_is_filled_at_a_time_and_overkill_is_lost() {
        let mut squad = DamagePointsLeftByModel::from_unhurt_models(3, 2);
        squad.damage_one_model(squad.points_of_model_hit_next(HitAllocationChoice::Focus), 1);
        assert_eq!((squad.living_model_count(), squad.total_points()), (3, 5));
        squad.damage_one_model(squad.points_of_model_hit_next(HitAllocationChoice::Focus), 2);
        assert_eq!((squad.living_model_count(), squad.total_points()), (2, 4));
    }

    #[test]
    fn damage_is_spread_when_told_so() {
        let mut squad = DamagePointsLeftByModel::from_unhurt_models(2, 3);
        for expected in [[3, 2], [2, 2], [2, 1]] {
            squad.damage_one_model(squad.points_of_model_hit_next(HitAllocationChoice::Even), 1);
            assert!(squad.surviving_model_points().eq(expected));
        }
    }

    #[test]
    fn a_squad_that_is_gone_cannot_be_hurt() {
        let mut gone = DamagePointsLeftByModel::from_unhurt_models(1, 1);
        gone.damage_one_model(1, 4);
        assert_eq!(
            (gone.living_model_count(), gone.points_of_model_hit_next(HitAllocationChoice::Focus)),
            (0, 0)
        );
    }
}
