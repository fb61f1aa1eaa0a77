//! Contests that may never end are solved: closed forms, fractions found by substitution, random
//! games.

mod below_floats;
mod checked_twice;
mod counted_figures;
mod decided;
mod determined_bounds;
mod every_question;
mod games;
mod layered;
mod lots;
mod rare_doors;
mod simulated;
mod solved;
