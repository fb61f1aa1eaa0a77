//! Rolled battles, for chains with too many states and for doctrines that the chain does not
//! follow.
//!
//! The battle is the one that the chain follows, played shot by shot. Battle number n has the same
//! dice for every number of troops on the other side, one stream for each side, so that two points
//! of a curve differ only by the further troops. One half of the battles begins with the side with
//! the weapon, the other half with the other side.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::battlefield::{SimulatedBattlefield, UnitKindAndCount};
use super::encounter::{Doctrine, TROOPS_KIND_INDEX, UnitKindsEncounter, WEAPON_KIND_INDEX};
use super::force_sizes::TroopAndWeaponCounts;
use super::resolver::EncounterTables;
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_model::weapons::BattleSetup;
use enfilade_stats::random_draws::RandomDraws;

/// Battles that are rolled for each point of a curve.
pub const BATTLES_PER_POINT: u64 = 4000;

/// Number of battles after which rolling stops if one side wins nearly all.
const BATTLES_BEFORE_STOP: u64 = BATTLES_PER_POINT / 8;

/// Distance from one half beyond which a share of wins is clear: more battles would not help to
/// find one half.
const CLEAR_DISTANCE_FROM_HALF: f64 = 0.25;

/// The dice of every battle, seeded once, and the results of the battles that were rolled with
/// them.
#[derive(Debug)]
pub struct BattleDice {
    streams: Vec<[RandomDraws; 2]>,
    /// Equal forces with equal dice fight equal battles: many weapons are alike to the units that
    /// fire at them.
    cached: Mutex<FxHashMap<BattleFingerprint, WinSharesByRound>>,
}

/// Fingerprint of the forces, their sizes, and the number of rounds.
type BattleFingerprint = ([u8; 32], [usize; 4], u64);

/// Shares of wins by rounds, and the battles behind them.
pub type WinSharesByRound = (Vec<f64>, u64);

impl BattleDice {
    /// Seeds the dice of [`BATTLES_PER_POINT`] battles from `seed`: two battles share dice, each
    /// begun by another side.
    pub fn new(seed: u64) -> BattleDice {
        let of = |number| [0, 1].map(|lane| draws_of_lane(seed, ("battle", number), lane));
        let streams = (0..BATTLES_PER_POINT / 2).map(of).collect();
        BattleDice { streams, cached: Mutex::default() }
    }
}

/// The draws of one of the lanes of a battle, by the purpose and the number of the battle.
pub(crate) fn draws_of_lane(seed: u64, (purpose, number): (&str, u64), lane: u8) -> RandomDraws {
    let stream = ContestRandomStream { seed, fingerprint: [0; 32] };
    RandomDraws::new(stream.generator_key_for_unit(purpose, number, lane))
}

/// Simulator of battles between two forces.
#[derive(Debug)]
pub struct BattleSimulator {
    resolver: EncounterTables,
    doctrine: Doctrine,
    troop_points: f64,
    /// A hash of the tables and the doctrine.
    fingerprint: [u8; 32],
}

impl BattleSimulator {
    /// Builds the tables of `staging`, for forces that fight by `doctrine`.
    pub fn from_battle_setup(staging: &BattleSetup, doctrine: Doctrine) -> BattleSimulator {
        let encounter = UnitKindsEncounter::from_weapon_and_troops(staging);
        let troop_points = staging.troop_points;
        let stream = ContestRandomStream { seed: 0, fingerprint: [0; 32] };
        let words = format!("{encounter:?} {doctrine:?} {troop_points}");
        BattleSimulator {
            resolver: EncounterTables::new(&encounter),
            doctrine,
            troop_points,
            fingerprint: stream.generator_key_for_unit(&words, 0, 0),
        }
    }

    /// Win chances of the side with the weapon when the battle ends after 1, 2, … `rounds` rounds
    /// and the other side has `extra` troops in its place; and the number of battles behind them,
    /// at most [`BATTLES_PER_POINT`].
    pub fn weapon_win_chances_by_round(
        &self,
        muster: TroopAndWeaponCounts,
        extra: usize,
        rounds: usize,
        dice: &BattleDice,
    ) -> WinSharesByRound {
        let draw = muster.fire_drawn_relative_to_trooper();
        let counts = [muster.base, muster.copies, extra, rounds];
        let key = (self.fingerprint, counts, draw.to_bits());
        // The cache is not locked during the fight: two threads may fight the same battles at once,
        // with the same result.
        if let Some(chances) = dice.cached.lock().get(&key) {
            return chances.clone();
        }
        let points = self.troop_points;
        let troops = |count| UnitKindAndCount { kind: TROOPS_KIND_INDEX, count, points, draw: 1.0 };
        // The weapon counts for the troops in its place; its current price decides nothing.
        let each = extra as f64 * points / muster.copies.max(1) as f64;
        let weapons =
            UnitKindAndCount { kind: WEAPON_KIND_INDEX, count: muster.copies, points: each, draw };
        let sides: [&[UnitKindAndCount]; 2] =
            [&[troops(muster.base), weapons], &[troops(muster.base + extra)]];
        let mut field = SimulatedBattlefield::new(&self.resolver, sides, self.doctrine);
        let (mut won, mut fought) = (vec![0.0; rounds], 0);
        for begun in &dice.streams {
            for first in [0, 1] {
                field.fight_and_add_scores(first, &mut begun.clone(), &mut won);
            }
            fought += 2;
            let last = won.last().map_or(0.5, |won| won / fought as f64);
            if fought == BATTLES_BEFORE_STOP && (last - 0.5).abs() > CLEAR_DISTANCE_FROM_HALF {
                break;
            }
        }
        won.iter_mut().for_each(|won| *won /= fought as f64);
        dice.cached.lock().insert(key, (won.clone(), fought));
        (won, fought)
    }
}
