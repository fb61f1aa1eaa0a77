//! Statistics compared with enumeration and with other methods for the same numbers.

mod spread;
mod statistics;
