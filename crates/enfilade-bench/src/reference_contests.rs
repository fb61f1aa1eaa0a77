//! The reference contests: as Enfilade plays them, with the plain loop of each.
//!
//! The contests are fixed, so that figures of different days can be compared: one attack of four
//! rulebooks, with two kinds of dice, chained rolls, and histograms from 7 to 28 outcomes.

use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_games::built_in_catalogue;
use enfilade_study::experiment::{Experiment, GridCell};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::plain_loops::{self, OutcomeCounts};

/// A reference contest.
#[derive(Debug)]
pub struct BenchContestWithPlainLoop {
    /// Its letter and its title.
    pub name: &'static str,
    /// The contest in TOML.
    pub toml: &'static str,
    /// The contest as a plain loop: the histogram of this many trials.
    pub plain: fn(&mut Xoshiro256PlusPlus, u64) -> OutcomeCounts,
    /// Outcome fields of a place of that histogram: those that are not 0.
    pub outcome: fn(usize) -> Vec<(&'static str, i32)>,
}

/// The reference contests.
pub const REFERENCE_CONTESTS: &[BenchContestWithPlainLoop] =
    &[FIRE_TABLE_CONTEST, SIX_SHOTS_CONTEST, CLOSE_COMBAT_CONTEST, FIRE_AND_MORALE_CONTEST];

const FIRE_TABLE_CONTEST: BenchContestWithPlainLoop = BenchContestWithPlainLoop {
    name: "A fire table",
    toml: "[[contest]]\nsystem = \"asl\"\naction = \"fire\"\nfp = 8\ndrm = -1\n\
           [[contest.target]]\nkind = \"squad\"\nmorale = 7\n",
    plain: |rng, trials| {
        plain_loops::count_played_outcomes(rng, trials, plain_loops::play_fire_table)
    },
    outcome: |place| match place {
        plain_loops::PINNED_OUTCOME => vec![("pinned", 1)],
        plain_loops::BROKEN_OUTCOME => vec![("broken", 1)],
        plain_loops::REDUCED_OUTCOME => vec![("reduced", 1)],
        plain_loops::ELIMINATED_OUTCOME => vec![("eliminated", 1)],
        plain_loops::REDUCED_BROKEN_OUTCOME => vec![("reduced", 1), ("broken", 1)],
        plain_loops::REDUCED_PINNED_OUTCOME => vec![("reduced", 1), ("pinned", 1)],
        _ => vec![],
    },
};

const SIX_SHOTS_CONTEST: BenchContestWithPlainLoop = BenchContestWithPlainLoop {
    name: "B six shots",
    toml: "[[contest]]\nsystem = \"dropzone\"\naction = \"shoot\"\nshots = 6\naccuracy = 3\n\
           energy = 8\narmour = 11\ndamage_points = 13\npassive = 5\n",
    plain: |rng, trials| {
        plain_loops::count_played_outcomes(rng, trials, plain_loops::play_six_shots)
    },
    outcome: |damage| vec![("damage", damage as i32)],
};

const CLOSE_COMBAT_CONTEST: BenchContestWithPlainLoop = BenchContestWithPlainLoop {
    name: "C close combat",
    toml: "[[contest]]\nsystem = \"aic\"\naction = \"close-combat\"\nstrikes_back = false\n\
           attacker = { experience = \"d8\", figures = 4, weapon = \"d6\" }\n\
           defender = { figures = 4, defense = 9 }\n",
    plain: |rng, trials| {
        plain_loops::count_played_outcomes(rng, trials, plain_loops::play_close_combat)
    },
    outcome: |place| {
        let (kia, wounded) = (place / 5, place % 5);
        vec![("kia", kia as i32), ("wounded", wounded as i32)]
    },
};

/// The morale test is always taken, not only by an element that must: "spot, shoot, damage, morale"
/// is then one chain in every trial, and the last roll is not left out of most of them. Its margin
/// counts for a Pinned element too, so that figures stay comparable with those of earlier days.
const FIRE_AND_MORALE_CONTEST: BenchContestWithPlainLoop = BenchContestWithPlainLoop {
    name: "D fire and morale",
    toml: "[[contest]]\nsystem = \"d20\"\naction = \"fire-and-morale\"\nspot = 12\n\
           firearms = 11\ndamage_dice = 3\nsaves = true\nmorale = 12\ntests = \"always\"\n\
           pinned_stays_pinned = false\none_casualty_per_character = false\n",
    plain: |rng, trials| {
        plain_loops::count_played_outcomes(rng, trials, plain_loops::play_fire_and_morale)
    },
    outcome: |place| {
        let answers = ["", "let_loose", "hesitant", "go_firm", "withdraw", "pinned"];
        let (fire, answer) = (place / 6, answers[place % 6]);
        let mut outcome = vec![("hit", i32::from(fire > 0))];
        outcome.push(("casualties", fire.saturating_sub(1) as i32));
        outcome.push((answer, 1));
        outcome
    },
};

impl BenchContestWithPlainLoop {
    /// The contest as a cell.
    ///
    /// # Panics
    /// If the contest is not well formed; those of [`REFERENCE_CONTESTS`] are.
    pub fn build_cell(&self) -> GridCell {
        let experiment =
            Experiment::read_experiment_text(&built_in_catalogue(), "reference contest", self.toml);
        let mut cells = experiment.expect("the reference contests are well formed").cells;
        cells.remove(0)
    }

    /// Its die graph.
    ///
    /// # Panics
    /// If the contest is not well formed or too large; those of [`REFERENCE_CONTESTS`] are neither.
    pub fn build_graph(&self) -> DieGraph {
        DieGraph::compile_within_limits(
            &self.build_cell().played.combat,
            CompiledContestLimits::default(),
        )
        .expect("the reference contests are small")
    }

    /// Its random stream with seed 1.
    pub fn random_stream(&self) -> ContestRandomStream {
        ContestRandomStream { seed: 1, fingerprint: self.build_cell().fingerprint_of_contest() }
    }
}
