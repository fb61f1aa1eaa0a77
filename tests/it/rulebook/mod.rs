//! Rulebooks in text files: those that ship, what is written about the language, a second evaluator,
//! and hostile texts.

mod agree;
mod assault_aic;
mod broken;
mod chance;
mod changed;
mod definite;
mod docs;
mod endless;
mod engine;
mod fuzz;
mod gallery;
mod hints;
mod house;
mod made;
mod mixed_d20;
mod odds_and_ones;
mod oracle;
mod oracle_laws;
mod order;
mod pools;
mod priced;
mod quiet;
mod references;
mod retold;
mod retold_contests;
mod said;
mod shared;
mod shipped;
mod silent;
mod telling;
mod thrift;
mod told;
mod words;

pub use pools::combat as combat_of;
pub use thrift::LIMITS;
