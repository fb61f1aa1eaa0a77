//! State that a rule saves at a die: a state of its graph.

/// Saved state: the suspend point, and N numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleSnapshot<const N: usize> {
    pub slots: [i16; N],
    pub site: u16,
}

/// Largest number of values in a state.
pub const MAX_STATE_NUMBERS: usize = 63;
