//! `aic`: worked examples, laws, and an independent implementation.

mod golden;
mod input;
mod laws;
mod measures;
pub mod oracle;
mod oracle_squad;
mod told;
