//! What a rule remembers at a die: a state of its graph.

/// What a rule remembers: its site, and so many numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Snap<const N: usize> {
    pub slots: [i16; N],
    pub site: u16,
}

/// Numbers that a state holds at most.
pub const ROOM: usize = 63;
