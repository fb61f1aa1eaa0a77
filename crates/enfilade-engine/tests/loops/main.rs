//! Contests that may go on for ever are solved: closed forms, fractions found by substitution, lots.

mod decided;
mod games;
mod layered;
mod lots;
mod simulated;
mod solved;
