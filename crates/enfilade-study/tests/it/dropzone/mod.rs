//! What `dropzone` hands on; rules and laws are tested in `enfilade-games`.

mod carried;
#[allow(dead_code, reason = "the tests of the games use all of it")]
#[path = "../../../../enfilade-games/tests/it/dropzone/oracle.rs"]
pub mod oracle;
mod oracle_engagement;
