//! `skirmishers`: modifiers and weapons one by one, readings, and independent implementations.

mod aftermath;
mod measures;
mod oracle;
mod oracle_card;
mod oracle_duel;
mod oracle_rounds;
mod oracle_spread;
mod readings;
mod rules;
mod told;
