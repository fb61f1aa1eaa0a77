//! Statistics compared with enumeration and with other methods for the same numbers.

mod numbers_at_the_edge;
mod spread;
mod statistics;
