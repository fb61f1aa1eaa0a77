//! The reference contests as plain loops, to measure against.
//!
//! A plain loop is the code that a careful author writes for one contest only: its rules directly,
//! faces by `random_range`, an array as histogram, and no branch for events that cannot happen with
//! these numbers. Each is checked to have the exact distribution of its rules. They share nothing
//! with the engines or the rule systems.

use rand::{Rng, RngExt};

/// Room for the outcomes of every reference contest.
pub type OutcomeCounts = [u64; 32];

/// Counts the place of each of `trials` trials of `play`.
#[inline(always)]
pub fn count_played_outcomes<R: Rng>(
    rng: &mut R,
    trials: u64,
    play: impl Fn(&mut R) -> usize,
) -> OutcomeCounts {
    let mut histogram = [0; 32];
    for _ in 0..trials {
        histogram[play(rng)] += 1;
    }
    histogram
}

fn roll_d6(rng: &mut impl Rng) -> i32 {
    rng.random_range(1..=6)
}

fn roll_d8(rng: &mut impl Rng) -> i32 {
    rng.random_range(1..=8)
}

fn roll_d20(rng: &mut impl Rng) -> i32 {
    rng.random_range(1..=20)
}

/// Nothing happened: contest A, and the places below.
pub const NO_EFFECT_OUTCOME: usize = 0;
/// The squad is pinned.
pub const PINNED_OUTCOME: usize = 1;
/// The squad is broken.
pub const BROKEN_OUTCOME: usize = 2;
/// A half-squad is left.
pub const REDUCED_OUTCOME: usize = 3;
/// No squad is left.
pub const ELIMINATED_OUTCOME: usize = 4;
/// A broken half-squad is left.
pub const REDUCED_BROKEN_OUTCOME: usize = 5;
/// A pinned half-squad is left.
pub const REDUCED_PINNED_OUTCOME: usize = 6;

/// Contest A: 8 firepower, DRM −1, against a squad of morale 7: the 8 column, or the 6 column on
/// doubles.
pub fn play_fire_table(rng: &mut impl Rng) -> usize {
    let (coloured, white) = (roll_d6(rng), roll_d6(rng));
    let final_roll = coloured + white - 1;
    if coloured == white {
        return match final_roll {
            ..=2 => ELIMINATED_OUTCOME,
            3 => play_half_squad_check(rng, 2),
            4 => play_morale_check(rng, 2),
            5..=6 => play_morale_check(rng, 1),
            7 => play_morale_check(rng, 0),
            8 => play_pin_check(rng),
            _ => NO_EFFECT_OUTCOME,
        };
    }
    match final_roll {
        ..=2 => ELIMINATED_OUTCOME,
        3 => play_half_squad_check(rng, 2),
        4..=5 => play_morale_check(rng, 2),
        6..=7 => play_morale_check(rng, 1),
        8 => play_morale_check(rng, 0),
        9 => play_pin_check(rng),
        _ => NO_EFFECT_OUTCOME,
    }
}

/// The half-squad left by Casualty Reduction checks like any unit; another reduction eliminates it.
fn play_half_squad_check(rng: &mut impl Rng, modifier: i32) -> usize {
    match play_morale_check(rng, modifier) {
        NO_EFFECT_OUTCOME => REDUCED_OUTCOME,
        PINNED_OUTCOME => REDUCED_PINNED_OUTCOME,
        BROKEN_OUTCOME => REDUCED_BROKEN_OUTCOME,
        _ => ELIMINATED_OUTCOME,
    }
}

fn play_morale_check(rng: &mut impl Rng, modifier: i32) -> usize {
    match roll_d6(rng) + roll_d6(rng) {
        12 => REDUCED_BROKEN_OUTCOME,
        original if original + modifier > 7 => BROKEN_OUTCOME,
        original if original + modifier == 7 => PINNED_OUTCOME,
        _ => NO_EFFECT_OUTCOME,
    }
}

fn play_pin_check(rng: &mut impl Rng) -> usize {
    if roll_d6(rng) + roll_d6(rng) > 7 { PINNED_OUTCOME } else { NO_EFFECT_OUTCOME }
}

/// Contest B: six shots that hit on 3 and more, energy 8 against armour 11, every point of damage
/// discarded on 5 and more. The place is the damage.
pub fn play_six_shots(rng: &mut impl Rng) -> usize {
    let mut damage = 0;
    for _ in 0..6 {
        if roll_d6(rng) < 3 {
            continue;
        }
        let dealt = match roll_d6(rng) + 8 {
            13.. => 2,
            11.. => 1,
            _ => 0,
        };
        damage += (0..dealt).filter(|_| roll_d6(rng) < 5).count();
    }
    damage
}

/// Contest C: one Experience d8 for the team, a weapon d6 for each of four figures, against
/// Defense 9: margins 1 and 2 wound, 3 and more kill. Four results leave no more Wounded than
/// figures, so none is removed. The place is 5 × killed + wounded.
pub fn play_close_combat(rng: &mut impl Rng) -> usize {
    let experience = roll_d8(rng);
    let mut place = 0;
    for _ in 0..4 {
        place += match experience + roll_d6(rng) - 9 {
            3.. => 5,
            1.. => 1,
            _ => 0,
        };
    }
    place
}

/// Contest D: Spot 12, Firearms 11, a save on 1 and 2, three damage dice that kill on 13 and more,
/// then the target's morale roll: 12, and 2 less for each casualty. The place is 6 × (0 for a miss,
/// 1 + casualties for a hit) + the result of the morale roll.
pub fn play_fire_and_morale(rng: &mut impl Rng) -> usize {
    let mut casualties = 0;
    let hit = roll_d20(rng) <= 12 && roll_d20(rng) <= 11;
    if hit && roll_d20(rng) > 2 {
        for _ in 0..3 {
            casualties += i32::from(roll_d20(rng) >= 13);
        }
    }
    let answer = match roll_d20(rng) - (12 - 2 * casualties) {
        ..=0 => 0,
        1..=2 => 1,
        3..=4 => 2,
        5..=6 => 3,
        7..=8 => 4,
        _ => 5,
    };
    6 * (usize::from(hit) + casualties as usize) + answer
}
