//! Battles that are rolled, where a chain would have too many states or does not follow the doctrine.
//!
//! A battle is the one that the chain follows, played shot by shot. Battle number n has the same dice
//! however many troops the other side has, one stream for each side, so that what differs between
//! two points of a curve is what the further troops do. One half of the battles begins with the side
//! with the weapon, the other half with the other side.

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

/// Battles after which no more are rolled where one side wins nearly all.
const CLEAR: u64 = BATTLES / 8;

/// A share of wins this far from one half is clear: more battles would say nothing of where it is one half.
const FAR: f64 = 0.25;

/// The dice of every battle, begun once for all that is rolled, and what was rolled with them.
#[derive(Debug)]
pub struct AllDice {
    begun: Vec<[Draws; 2]>,
    /// Equal forces with equal dice fight equal battles: many weapons are alike to those who fire at them.
    known: Mutex<FxHashMap<Key, RolledShares>>,
}

/// What is fought, by whom, and for how many rounds.
type Key = ([u8; 32], [usize; 4], u64);

/// Shares of wins by rounds, and the battles behind them.
type RolledShares = (Vec<f64>, u64);

impl AllDice {
    /// Those of [`BATTLES`] battles from `seed`: two with the same dice, each begun by another side.
    pub fn new(seed: u64) -> AllDice {
        let stream = Stream { seed, fingerprint: [0; 32] };
        let of = |number| [0, 1].map(|lane| Draws::new(stream.key("battle", number, lane)));
        AllDice { begun: (0..BATTLES / 2).map(of).collect(), known: Mutex::default() }
    }
}

/// Two forces that are ready to be rolled.
#[derive(Debug)]
pub struct RolledClash {
    resolver: Resolver,
    doctrine: Doctrine,
    troop_points: f64,
    /// A hash of all of these.
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

    /// How often the side with the weapon has won when the battle ends after 1, 2, … `rounds` rounds and
    /// the other side has `extra` troops in its place; and of how many battles, at most [`BATTLES`].
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
        // Not locked while they are fought: two may fight the same at once, and find the same.
        let shares = self.fought(muster, extra, rounds, dice);
        dice.known.lock().insert(key, shares.clone());
        shares
    }

    fn fought(&self, muster: Muster, extra: usize, rounds: usize, dice: &AllDice) -> RolledShares {
        let points = self.troop_points;
        let troops = |count| Contingent { kind: TROOPS, count, points, draw: 1.0 };
        // It counts for what stands in its place; what it costs now decides nothing.
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
