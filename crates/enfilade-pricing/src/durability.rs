//! How long a weapon serves under the fire of the troops it meets.
//!
//! Its crew, taking over from one another, and setting it up are conditions of the weapon; the
//! fire is that of the reference troops standing whole, of which its share falls on it. Nothing
//! is told of what the weapon does to them: that is the battle's business.

use super::battle::Muster;
use enfilade_model::weapons::{Effect, Leads, Round, Staging, harm};

/// Activations after which a weapon that still serves is no longer followed.
pub const FOLLOWED: usize = 100;

/// Activations in which the weapon is expected to fire before its crew is gone, at most
/// [`FOLLOWED`].
///
/// ```
/// use enfilade_model::weapons::{Round, Staging, Unit, takes};
/// use enfilade_pricing::battle::Muster;
/// use enfilade_pricing::durability::durability;
/// // Every activation a shot that falls on the weapon and takes it half of the time.
/// let round = Round {
///     troop_shots: 1,
///     on_troops: takes(0.5),
///     on_weapon: takes(0.5),
///     weapon_shots: 1,
///     by_weapon: takes(0.5),
/// };
/// let staging = Staging {
///     troops: Unit::whole(),
///     weapon: Unit::whole(),
///     troop_points: 1.0,
///     paid: 0.0,
///     rounds: vec![round],
/// };
/// // With as many shots as men, one of them falls on each: 1 + 1/2 · 1/2 + … with two of them.
/// let muster = Muster { base: 1, copies: 1, most: 0, draws: 1e12 };
/// assert!((durability(&staging, &muster) - 2.0).abs() < 1e-9);
/// ```
pub fn durability(staging: &Staging, muster: &Muster) -> f64 {
    let unit = &staging.weapon;
    let mut chance = vec![0.0; unit.gone() + 1];
    chance[unit.start] = 1.0;
    let mut served = 0.0;
    let last = staging.rounds.len() - 1;
    for activation in 0..FOLLOWED {
        let serving = unit.conditions.iter().zip(&chance);
        served += serving.map(|(condition, p)| condition.fires * p).sum::<f64>();
        let rests: Vec<_> = unit.conditions.iter().map(|c| c.rest.clone()).collect();
        chance = led(&chance, &rests, 1.0);
        let round = &staging.rounds[activation.min(last)];
        for _ in 0..muster.base * round.troop_shots as usize {
            chance = led(&chance, &round.on_weapon, share(muster));
        }
    }
    served
}

/// The share of the fire that falls on the weapon while all its side stands.
fn share(muster: &Muster) -> f64 {
    muster.draws / (muster.draws + muster.base as f64)
}

/// Where `leads` take every condition, with probability `made`.
fn led(chance: &[f64], leads: &[Leads], made: f64) -> Vec<f64> {
    let mut after = chance.to_vec();
    for (from, leads) in leads.iter().enumerate() {
        let here = chance[from] * made;
        after[from] -= here;
        for &(to, p) in leads {
            after[to] += here * p;
        }
    }
    after
}

/// Harm the weapon does in a round, over that of a trooper.
pub fn threat(staging: &Staging) -> f64 {
    let sum = |shots: fn(&Round) -> (u32, &Effect)| -> f64 {
        let of = staging.rounds.iter().map(shots);
        of.map(|(shots, effect)| harm(shots, effect, &staging.troops)).sum()
    };
    let weapon = sum(|round| (round.weapon_shots, &round.by_weapon));
    let trooper = sum(|round| (round.troop_shots, &round.on_troops));
    if trooper > 0.0 { weapon / trooper } else { 1.0 }
}

/// Whether any shot of the weapon leads a fresh trooper anywhere.
pub fn fires(staging: &Staging) -> bool {
    let start = staging.troops.start;
    let leads = |&(to, p): &(usize, f64)| to != start && p > 0.0;
    let fires = |round: &Round| round.weapon_shots > 0 && round.by_weapon[start].iter().any(leads);
    staging.rounds.iter().any(fires)
}

/// Whether nobody could tell the weapon from the troops.
pub fn is_mirror(staging: &Staging) -> bool {
    let same = |round: &Round| {
        round.troop_shots == round.weapon_shots
            && round.by_weapon == round.on_troops
            && round.on_weapon == round.on_troops
    };
    staging.troops == staging.weapon && staging.rounds.iter().all(same)
}
