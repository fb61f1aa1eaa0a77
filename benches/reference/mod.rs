//! The reference contests: as Enfilade plays them, and as a plain loop does.
//!
//! A plain loop is what a careful author writes for one contest only: its rules directly, faces
//! by `random_range`, an array as histogram. It is the yardstick of the resolver.

use enfilade::graph::{DieGraph, Limits};
use enfilade::stream::Stream;
use enfilade::study::experiment::{Cell, Experiment};
use rand::{Rng, RngExt};

/// A reference contest.
pub struct Reference {
    /// Its letter and what it is.
    pub name: &'static str,
    /// The contest in TOML.
    pub toml: &'static str,
    /// What the plain loop counts: by place in its histogram, the outcome fields that are not 0.
    pub outcomes: &'static [&'static [(&'static str, i32)]],
    /// The same contest as a plain loop: the histogram of this many trials.
    pub plain: fn(&mut rand_xoshiro::Xoshiro256PlusPlus, u64) -> [u64; 16],
}

impl Reference {
    /// The contest as a cell.
    pub fn cell(&self) -> Cell {
        let experiment = Experiment::read("reference contest", self.toml);
        let mut cells = experiment
            .expect("the reference contests are well formed")
            .cells;
        cells.remove(0)
    }
}

/// The die graph of a cell.
pub fn graph(cell: &Cell) -> DieGraph {
    DieGraph::of(&cell.played.combat, Limits::default()).expect("reference contests are small")
}

/// The random stream of a cell.
pub fn stream(cell: &Cell) -> Stream {
    Stream {
        seed: 1,
        fingerprint: cell.fingerprint(),
    }
}

/// The reference contests.
pub const ALL: &[Reference] = &[FIRE, SIX_SHOTS];

/// Contest A: one attack on the fire table.
const FIRE: Reference = Reference {
    name: "A fire table",
    toml: "[[contest]]\nsystem = \"asl\"\naction = \"fire\"\nfp = 8\ndrm = -1\n\
           [[contest.target]]\nkind = \"squad\"\nmorale = 7\n",
    outcomes: &[
        &[],
        &[("pinned", 1)],
        &[("broken", 1)],
        &[("reduced", 1)],
        &[("eliminated", 1)],
        &[("reduced", 1), ("broken", 1)],
        &[("reduced", 1), ("pinned", 1)],
    ],
    plain: |rng, trials| {
        let mut histogram = [0; 16];
        for _ in 0..trials {
            histogram[fire(rng)] += 1;
        }
        histogram
    },
};

const NOTHING: usize = 0;
const PINNED: usize = 1;
const BROKEN: usize = 2;
const REDUCED: usize = 3;
const ELIMINATED: usize = 4;
const REDUCED_AND_BROKEN: usize = 5;
const REDUCED_AND_PINNED: usize = 6;

/// 8 firepower, DRM −1, against a squad of morale 7: the 8 column, or the 6 column on doubles.
fn fire(rng: &mut impl Rng) -> usize {
    let (coloured, white) = (d6(rng), d6(rng));
    let final_roll = coloured + white - 1;
    if coloured == white {
        return match final_roll {
            ..=2 => ELIMINATED,
            3 => reduce(rng, 2),
            4 => check(rng, 2),
            5..=6 => check(rng, 1),
            7 => check(rng, 0),
            8 => pin_check(rng),
            _ => NOTHING,
        };
    }
    match final_roll {
        ..=2 => ELIMINATED,
        3 => reduce(rng, 2),
        4..=5 => check(rng, 2),
        6..=7 => check(rng, 1),
        8 => check(rng, 0),
        9 => pin_check(rng),
        _ => NOTHING,
    }
}

/// The half-squad left by Casualty Reduction checks like any unit; another reduction eliminates it.
fn reduce(rng: &mut impl Rng, modifier: i32) -> usize {
    match check(rng, modifier) {
        NOTHING => REDUCED,
        PINNED => REDUCED_AND_PINNED,
        BROKEN => REDUCED_AND_BROKEN,
        _ => ELIMINATED,
    }
}

fn check(rng: &mut impl Rng, modifier: i32) -> usize {
    match d6(rng) + d6(rng) {
        12 => REDUCED_AND_BROKEN,
        original if original + modifier > 7 => BROKEN,
        original if original + modifier == 7 => PINNED,
        _ => NOTHING,
    }
}

fn pin_check(rng: &mut impl Rng) -> usize {
    if d6(rng) + d6(rng) > 7 {
        PINNED
    } else {
        NOTHING
    }
}

/// Contest B: six shots at one target with a passive save.
const SIX_SHOTS: Reference = Reference {
    name: "B six shots",
    toml: "[[contest]]\nsystem = \"dropzone\"\naction = \"shoot\"\nshots = 6\naccuracy = 3\n\
           energy = 8\narmour = 11\ndamage_points = 13\npassive = 5\n",
    outcomes: &[
        &[],
        &[("damage", 1)],
        &[("damage", 2)],
        &[("damage", 3)],
        &[("damage", 4)],
        &[("damage", 5)],
        &[("damage", 6)],
        &[("damage", 7)],
        &[("damage", 8)],
        &[("damage", 9)],
        &[("damage", 10)],
        &[("damage", 11)],
        &[("damage", 12)],
    ],
    plain: |rng, trials| {
        let mut histogram = [0; 16];
        for _ in 0..trials {
            histogram[six_shots(rng)] += 1;
        }
        histogram
    },
};

fn six_shots(rng: &mut impl Rng) -> usize {
    let mut damage = 0;
    for _ in 0..6 {
        if d6(rng) < 3 {
            continue;
        }
        let dealt = match d6(rng) + 8 {
            13.. => 2,
            11.. => 1,
            _ => 0,
        };
        damage += (0..dealt).filter(|_| d6(rng) < 5).count();
    }
    damage
}

fn d6(rng: &mut impl Rng) -> i32 {
    rng.random_range(1..=6)
}
