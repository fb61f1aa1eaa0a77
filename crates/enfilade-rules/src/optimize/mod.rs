//! Code is made shorter, and what it need not remember is found.

mod face_merge;
pub(crate) mod face_tests;
mod liveness;
pub(crate) mod pool_loops;
mod simplify;

/// What can be switched off, so that a test can hold that it changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thrift {
    /// Whether what nobody needs any more is forgotten.
    pub forgets: bool,
    /// Whether short loops are written out.
    pub unrolls: bool,
    /// Whether code is tidied: what is known is not reckoned while it is played.
    pub tidies: bool,
    /// Whether bags are put in order.
    pub sorts: bool,
    /// Whether what depends on the contest's fields alone is reckoned before the first die.
    pub folds: bool,
    /// Whether it is told what is left of the contest's fields, which most contests save.
    pub leaves: bool,
    /// Whether the conditions of a contest are held.
    pub checks: bool,
}

impl Default for Thrift {
    fn default() -> Thrift {
        Thrift {
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
