//! The integration tests, in one binary because each one links everything.

mod aftermath_dropzone;
mod agree_drop;
mod asl_examples;
mod asl_laws;
mod asl_walk;
mod cli;
mod engines;
mod enumerate;
mod experiment;
mod faults;
mod floors;
mod golden_aic;
mod hostile_input;
mod laws_aic;
mod laws_drop;
mod oracle_aic;
mod oracle_dropzone;
mod rules_dropzone;
mod schema;
mod statistics;
mod toy;
mod toys;
mod walk_aic;
mod walk_drop;
mod yardstick;
