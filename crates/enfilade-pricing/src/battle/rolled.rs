//! Rolled battles, for chains with too many states and for doctrines that the chain does not
//! follow.
//!
//! The battle is the one that the chain follows, played shot by shot. Battle number n has the same
//! dice for every number of troops on the other side, one stream for each side, so that two points
//! of a curve differ only by the further troops. One half of the battles begins with the side with
//! the weapon, the other half with the other side.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::battlefield::{Battlefield, Contingent};
use super::encounter::{Doctrine, Encounter, TROOPS, WEAPON};
use super::muster::Muster;
use super::resolver::Resolver;
use enfilade_engine::random_stream::Stream;
use enfilade_model::weapons::Staging;
use enfilade_stats::random_draws::Draws;

/// Battles that are rolled for each point of a curve.
pub const BATTLES: u64 = 4000;

/// Number of battles after which rolling stops if one side wins nearly all.
const CLEAR: u64 = BATTLES / 8;

/// Distance from one half beyond which a share of wins is clear: more battles would not help to
/// find one half.
const FAR: f64 = 0.25;

/// The dice of every battle, seeded once, and the results of the battles that were rolled with
/// them.
#[derive(Debug)]
pub struct AllDice {
    begun: Vec<[Draws; 2]>,
    /// Equal forces with equal dice fight equal battles: many weapons are alike to the units that
    /// fire at them.
    known: Mutex<FxHashMap<Key, RolledShares>>,
}

/// Fingerprint of the forces, their sizes, and the number of rounds.
type Key = ([u8; 32], [usize; 4], u64);

/// Shares of wins by rounds, and the battles behind them.
type RolledShares = (Vec<f64>, u64);

impl AllDice {
    /// Seeds the dice of [`BATTLES`] battles from `seed`: two battles share dice, each begun by
    /// another side.
    pub fn new(seed: u64) -> AllDice {
        let stream = Stream { seed, fingerprint: [0; 32] };
        let of = |number| [0, 1].map(|lane| Draws::new(stream.key("battle", number, lane)));
        AllDice { begun: (0..BATTLES / 2).map(of).collect(), known: Mutex::default() }
    }
}

/// Simulator of battles between two forces.
#[derive(Debug)]
pub struct RolledClash {
    resolver: Resolver,
    doctrine: Doctrine,
    troop_points: f64,
    /// A hash of the tables and the doctrine.
    fingerprint: [u8; 32],
}

impl RolledClash {
    /// Builds the tables of `staging`, for forces that fight by `doctrine`.
    pub fn new(staging: &Staging, doctrine: Doctrine) -> RolledClash {
        let encounter = Encounter::from_staging(staging);
        let troop_points = staging.troop_points;
        let stream = Stream { seed: 0, fingerprint: [0; 32] };
        let words = format!("{encounter:?} {doctrine:?} {troop_points}");
        RolledClash {
            resolver: Resolver::new(&encounter),
            doctrine,
            troop_points,
            fingerprint: stream.key(&words, 0, 0),
        }
    }

    /// Win chances of the side with the weapon when the battle ends after 1, 2, … `rounds` rounds
    /// and the other side has `extra` troops in its place; and the number of battles behind them,
    /// at most [`BATTLES`].
    pub fn won(
        &self,
        muster: Muster,
        extra: usize,
        rounds: usize,
        dice: &AllDice,
    ) -> (Vec<f64>, u64) {
        let counts = [muster.base, muster.copies, extra, rounds];
        let key = (self.fingerprint, counts, muster.drawn().to_bits());
        if let Some(known) = dice.known.lock().get(&key) {
            return known.clone();
        }
        // The cache is not locked during the fight: two threads may fight the same battles at once,
        // with the same result.
        let shares = self.fought(muster, extra, rounds, dice);
        dice.known.lock().insert(key, shares.clone());
        shares
    }

    fn fought(&self, muster: Muster, extra: usize, rounds: usize, dice: &AllDice) -> RolledShares {
        let points = self.troop_points;
        let troops = |count| Contingent { kind: TROOPS, count, points, draw: 1.0 };
        // The weapon counts for the troops in its place; its current price decides nothing.
        let each = extra as f64 * points / muster.copies.max(1) as f64;
        let draw = muster.drawn();
        let weapons = Contingent { kind: WEAPON, count: muster.copies, points: each, draw };
        let sides: [&[Contingent]; 2] =
            [&[troops(muster.base), weapons], &[troops(muster.base + extra)]];
        let mut field = Battlefield::new(&self.resolver, sides, self.doctrine);
        let (mut won, mut fought) = (vec![0.0; rounds], 0);
        for begun in &dice.begun {
            for first in [0, 1] {
                field.fight(first, &mut begun.clone(), &mut won);
            }
            fought += 2;
            let last = won.last().map_or(0.5, |won| won / fought as f64);
            if fought == CLEAR && (last - 0.5).abs() > FAR {
                break;
            }
        }
        won.iter_mut().for_each(|won| *won /= fought as f64);
        (won, fought)
    }
}
