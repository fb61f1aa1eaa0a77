//! Statistics held against enumeration and other ways to the same numbers.

mod spread;
mod statistics;
