//! `d20`: modifiers one by one, laws, and an independent implementation.

mod golden;
mod golden_close;
mod laws;
pub mod measures;
pub mod oracle;
mod oracle_close;
mod told;
