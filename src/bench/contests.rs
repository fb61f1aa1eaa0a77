//! The reference contests: as Enfilade plays them, with the plain loop of each.
//!
//! They are fixed, so that figures of different days can be compared: one attack of four rulebooks,
//! with two kinds of dice, chained rolls, and histograms from 7 to 28 outcomes.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::plain::{self, Histogram};
use crate::graph::{DieGraph, Limits};
use crate::random_stream::Stream;
use crate::study::experiment::{Cell, Experiment};
use crate::systems;

/// A reference contest.
#[derive(Debug)]
pub struct Reference {
    /// Its letter and its title.
    pub name: &'static str,
    /// The contest in TOML.
    pub toml: &'static str,
    /// The contest as a plain loop: the histogram of this many trials.
    pub plain: fn(&mut Xoshiro256PlusPlus, u64) -> Histogram,
    /// Outcome fields of a place of that histogram: those that are not 0.
    pub outcome: fn(usize) -> Vec<(&'static str, i32)>,
}

/// The reference contests.
pub const ALL: &[Reference] = &[FIRE_TABLE, SIX_SHOTS, CLOSE_COMBAT, FIRE_AND_MORALE];

const FIRE_TABLE: Reference = Reference {
    name: "A fire table",
    toml: "[[contest]]\nsystem = \"asl\"\naction = \"fire\"\nfp = 8\ndrm = -1\n\
           [[contest.target]]\nkind = \"squad\"\nmorale = 7\n",
    plain: |rng, trials| plain::histogram(rng, trials, plain::fire_table),
    outcome: |place| match place {
        plain::PINNED => vec![("pinned", 1)],
        plain::BROKEN => vec![("broken", 1)],
        plain::REDUCED => vec![("reduced", 1)],
        plain::ELIMINATED => vec![("eliminated", 1)],
        plain::REDUCED_AND_BROKEN => vec![("reduced", 1), ("broken", 1)],
        plain::REDUCED_AND_PINNED => vec![("reduced", 1), ("pinned", 1)],
        _ => vec![],
    },
};

const SIX_SHOTS: Reference = Reference {
    name: "B six shots",
    toml: "[[contest]]\nsystem = \"dropzone\"\naction = \"shoot\"\nshots = 6\naccuracy = 3\n\
           energy = 8\narmour = 11\ndamage_points = 13\npassive = 5\n",
    plain: |rng, trials| plain::histogram(rng, trials, plain::six_shots),
    outcome: |damage| vec![("damage", damage as i32)],
};

const CLOSE_COMBAT: Reference = Reference {
    name: "C close combat",
    toml: "[[contest]]\nsystem = \"aic\"\naction = \"close-combat\"\nstrikes_back = false\n\
           attacker = { experience = \"d8\", figures = 4, weapon = \"d6\" }\n\
           defender = { figures = 4, defense = 9 }\n",
    plain: |rng, trials| plain::histogram(rng, trials, plain::close_combat),
    outcome: |place| {
        let (kia, wounded) = (place / 5, place % 5);
        vec![("kia", kia as i32), ("wounded", wounded as i32)]
    },
};

/// The morale test is always taken, not only by an element that must: "spot, shoot, damage, morale"
/// is then one chain in every trial, and the last roll is not left out of most of them. Its margin
/// counts for a Pinned element too, so that figures stay comparable with those of earlier days.
const FIRE_AND_MORALE: Reference = Reference {
    name: "D fire and morale",
    toml: "[[contest]]\nsystem = \"d20\"\naction = \"fire-and-morale\"\nspot = 12\n\
           firearms = 11\ndamage_dice = 3\nsaves = true\nmorale = 12\ntests = \"always\"\n\
           pinned_stays_pinned = false\none_casualty_per_character = false\n",
    plain: |rng, trials| plain::histogram(rng, trials, plain::fire_and_morale),
    outcome: |place| {
        let answers = ["", "let_loose", "hesitant", "go_firm", "withdraw", "pinned"];
        let (fire, answer) = (place / 6, answers[place % 6]);
        let mut outcome = vec![("hit", i32::from(fire > 0))];
        outcome.push(("casualties", fire.saturating_sub(1) as i32));
        outcome.push((answer, 1));
        outcome
    },
};

impl Reference {
    /// The contest as a cell.
    pub fn cell(&self) -> Cell {
        let experiment = Experiment::read(&systems::built_in(), "reference contest", self.toml);
        let mut cells = experiment.expect("the reference contests are well formed").cells;
        cells.remove(0)
    }

    /// Its die graph.
    pub fn graph(&self) -> DieGraph {
        DieGraph::of(&self.cell().played.combat, Limits::default())
            .expect("the reference contests are small")
    }

    /// Its random stream with seed 1.
    pub fn stream(&self) -> Stream {
        Stream { seed: 1, fingerprint: self.cell().fingerprint() }
    }
}
