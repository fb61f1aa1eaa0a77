//! Rules in text files, asked for their exact odds: games whose numbers were computed by other
//! means.

mod beginners;
mod choices;
mod counted;
mod explained;
mod faults_of_files;
mod games;
mod measures;
mod memory;
mod pools;
mod rows;
mod silent;
mod strategies;
mod symbols;
mod texts;
mod unseen;
