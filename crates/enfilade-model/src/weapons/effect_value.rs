//! Value of pins and breaks in kills, computed from the game's own rally rules.
//!
//! A unit that is pinned or broken goes through the conditions that its rules define. Its expected
//! fire in the next activations, with and without the marker, are two numbers; a kill takes all of
//! the fire, a marker takes the difference. No fire at the unit is assumed meanwhile: effects of
//! the marker in combat belong to the battle.

use super::battle_setup::{BattleSetup, BattleUnit, RoundFire, mean_share_of_hits_lost};
use super::scenario_setting::PricingScenario;

/// Points denied in an activation, by effect.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeniedPointsByEffect {
    /// Points denied by killing or destroying.
    pub kill: f64,
    /// Points denied by breaking or routing.
    pub breaks: f64,
    /// Points denied by pinning or suppressing.
    pub pin: f64,
}

/// Values of the lesser effects, as shares of a kill.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LesserEffectValues {
    /// Worth of a pin in kills; `None` where the system has no pins.
    pub pin_per_kill: Option<f64>,
    /// Worth of a break in kills; `None` where the system has no breaks.
    pub break_per_kill: Option<f64>,
}

/// Computes the denied points where no unit breaks: troopers lost in an activation, also fractions,
/// no more than there are, times their points.
pub fn mean_points_killed(staging: &BattleSetup, there: &PricingScenario) -> DeniedPointsByEffect {
    let all = there.trooper_count() as f64;
    let killed = |round: &RoundFire| {
        mean_share_of_hits_lost(round.weapon_shots, &round.by_weapon, &staging.troops).min(all)
    };
    let sum: f64 = staging.rounds.iter().map(killed).sum();
    DeniedPointsByEffect {
        kill: sum / staging.rounds.len() as f64 * staging.troop_points,
        ..DeniedPointsByEffect::default()
    }
}

/// Computes the activations of fire that a unit in each condition is expected to make in its next
/// `activations`; the last entry is that of a unit that is gone, 0.
///
/// ```
/// use enfilade_model::weapons::BattleUnit;
/// use enfilade_model::weapons::effect_value::fire_activations_by_condition;
/// assert_eq!(fire_activations_by_condition(&BattleUnit::whole_or_gone(), 5), [5.0, 0.0]);
/// ```
pub fn fire_activations_by_condition(unit: &BattleUnit, activations: usize) -> Vec<f64> {
    let mut expected = vec![0.0; unit.gone_condition_index() + 1];
    // Backward induction: each pass adds one activation before the ones already counted.
    for _ in 0..activations {
        let now = unit.conditions.iter().map(|condition| {
            let after = condition.rest.iter().map(|&(to, p)| p * expected[to]);
            condition.fires + after.sum::<f64>()
        });
        let mut now: Vec<_> = now.collect();
        now.push(0.0);
        expected = now;
    }
    expected
}

/// Computes the share of a unit's next `activations` that it loses by being in `condition` instead
/// of its start: 1 for a kill.
pub fn lost_activation_share(unit: &BattleUnit, condition: usize, activations: usize) -> f64 {
    let expected = fire_activations_by_condition(unit, activations);
    let whole = expected[unit.start];
    match whole > 0.0 {
        true => 1.0 - expected[condition] / whole,
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::UnitCondition;
    use super::*;

    #[test]
    fn a_kill_takes_everything_and_a_marker_what_its_chain_says() {
        // Pinned: no fire now, then recovered, except one in four that is gone.
        let well = UnitCondition { fires: 1.0, share_left: 1.0, unhurt: 1.0, rest: vec![(0, 1.0)] };
        let pinned = UnitCondition {
            fires: 0.0,
            share_left: 1.0,
            unhurt: 1.0,
            rest: vec![(0, 0.75), (2, 0.25)],
        };
        let unit = BattleUnit { conditions: vec![well, pinned], start: 0 };
        // Of four activations the unit makes 0, and three quarters of the other three: 9/4 of 4.
        assert_eq!(fire_activations_by_condition(&unit, 4), [4.0, 2.25, 0.0]);
        assert_eq!(lost_activation_share(&unit, 1, 4), 1.0 - 2.25 / 4.0);
        assert_eq!(lost_activation_share(&unit, 2, 4), 1.0);
        assert_eq!(lost_activation_share(&unit, 0, 4), 0.0);
    }
}
