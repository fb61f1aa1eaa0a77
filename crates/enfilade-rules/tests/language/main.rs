//! The rule language against a second evaluator on programs by lot, hostile texts, and its tools.

mod agree;
mod bounds;
mod broken;
mod changed;
mod engine;
mod fuzz;
mod hostile_text;
mod made;
mod odds_and_ones;
mod oracle;
mod oracle_laws;
mod order;
mod pages;
mod pools;
mod quiet;
mod said;
mod shared;
mod telling;
mod thrift;
mod told;
mod words;
