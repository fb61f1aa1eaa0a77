//! Settings of the battles: what an arsenal, its contests and its battles have in common.

use enfilade_engine::graph::CompiledContestLimits;

/// Settings of the battles.
#[derive(Clone, Copy, Debug)]
pub struct BattleSettings {
    /// Seed of the simulations.
    pub seed: u64,
    /// Trials of each contest that is too large to be solved exactly.
    pub trials: u64,
    /// Limits of exact solutions.
    pub limits: CompiledContestLimits,
    /// Position of the weapon whose price is the question: the others fight only the battles that
    /// the line through them needs. All weapons if `None`.
    pub only: Option<usize>,
}

impl Default for BattleSettings {
    fn default() -> BattleSettings {
        BattleSettings {
            seed: 1,
            trials: 1_000_000,
            limits: CompiledContestLimits::default(),
            only: None,
        }
    }
}
