//! Statistics compared with enumeration and with other methods for the same numbers.

mod half_crossings;
mod numbers_at_the_edge;
mod spread;
mod statistics;
