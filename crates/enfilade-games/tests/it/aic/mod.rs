//! `aic`: examples of the rulebook, laws, and a second telling of them.

mod golden;
mod input;
mod laws;
mod measures;
pub mod oracle;
mod oracle_squad;
mod told;
