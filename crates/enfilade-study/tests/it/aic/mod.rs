//! What `aic` hands on, and its experiments; rules and laws are tested in `enfilade-games`.

mod carried;
mod experiments;
#[allow(dead_code, reason = "the tests of the games use all of it")]
#[path = "../../../../enfilade-games/tests/it/aic/oracle.rs"]
pub mod oracle;
