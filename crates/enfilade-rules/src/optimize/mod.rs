//! Optimization of code: shorter code, and the smallest state at each die.

mod face_merge;
pub(crate) mod face_tests;
mod liveness;
pub(crate) mod pool_loops;
mod simplify;

/// Optimization flags. Tests turn them off to show that they do not change a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptimizationFlags {
    /// Whether dead registers are dropped from the state.
    pub forgets: bool,
    /// Whether short loops are unrolled.
    pub unrolls: bool,
    /// Whether code is simplified: constants are not computed at run time.
    pub tidies: bool,
    /// Whether bags are sorted.
    pub sorts: bool,
    /// Whether values that depend on the contest's fields alone are computed before the first die.
    pub folds: bool,
    /// Whether carried fields are compiled; most contests need none.
    pub leaves: bool,
    /// Whether the conditions of a contest are evaluated.
    pub checks: bool,
}

impl Default for OptimizationFlags {
    fn default() -> OptimizationFlags {
        OptimizationFlags {
            forgets: true,
            unrolls: true,
            tidies: true,
            sorts: true,
            folds: true,
            leaves: false,
            checks: true,
        }
    }
}
