//! Properties of a staged weapon that are read from its chances alone, before any battle.

use enfilade_model::weapons::{BattleSetup, RoundFire, ShotEffect, expected_loss_share_of_shots};

/// Harm the weapon does in a round, over that of a trooper.
pub fn harm_relative_to_trooper(staging: &BattleSetup) -> f64 {
    let sum = |shots: fn(&RoundFire) -> (u32, &ShotEffect)| -> f64 {
        let of = staging.rounds.iter().map(shots);
        of.map(|(shots, effect)| expected_loss_share_of_shots(shots, effect, &staging.troops)).sum()
    };
    let weapon = sum(|round| (round.weapon_shots, &round.by_weapon));
    let trooper = sum(|round| (round.troop_shots, &round.on_troops));
    if trooper > 0.0 { weapon / trooper } else { 1.0 }
}

/// Whether any shot of the weapon can change the state of a fresh trooper.
pub fn has_any_effect(staging: &BattleSetup) -> bool {
    let start = staging.troops.start;
    let leads = |&(to, p): &(usize, f64)| to != start && p > 0.0;
    let fires =
        |round: &RoundFire| round.weapon_shots > 0 && round.by_weapon[start].iter().any(leads);
    staging.rounds.iter().any(fires)
}

/// Whether the weapon fights exactly as one of the troops.
pub fn fights_like_troops(staging: &BattleSetup) -> bool {
    let same = |round: &RoundFire| {
        round.troop_shots == round.weapon_shots
            && round.by_weapon == round.on_troops
            && round.on_weapon == round.on_troops
    };
    staging.troops == staging.weapon && staging.rounds.iter().all(same)
}
