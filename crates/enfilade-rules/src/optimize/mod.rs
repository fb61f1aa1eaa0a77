//! Code is made shorter, and what it need not remember is found.

mod face_merge;
pub(crate) mod face_tests;
mod liveness;
pub(crate) mod pool_loops;
mod simplify;
