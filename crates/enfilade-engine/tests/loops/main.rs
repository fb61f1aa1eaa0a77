//! Contests that may never end are solved: closed forms, fractions found by substitution, random
//! games.

mod decided;
mod games;
mod layered;
mod lots;
mod simulated;
mod solved;
