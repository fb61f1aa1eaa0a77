//! Options of a decision that are open in a state.

/// Options of a decision that are open in a state; options count from 1, and there are at most 64.
///
/// ```
/// use enfilade_model::dice::OpenOptions;
/// let open = OpenOptions::all(3).without(2);
/// assert_eq!(open.iter().collect::<Vec<u8>>(), [1, 3]);
/// assert_eq!((open.first(), open.after(1), open.after(3)), (Some(1), Some(3), None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenOptions(u64);

impl OpenOptions {
    /// Opens the first `count` options.
    pub fn all(count: u8) -> OpenOptions {
        OpenOptions(u64::MAX.checked_shr(64 - u32::from(count.min(64))).unwrap_or(0))
    }

    /// Opens the options whose bits are set, from the first option up.
    pub fn from_bits(bits: u64) -> OpenOptions {
        OpenOptions(bits)
    }

    /// Opens the options from one to another.
    pub fn between(first: u8, last: u8) -> OpenOptions {
        OpenOptions(OpenOptions::all(last).0 & !OpenOptions::all(first.saturating_sub(1)).0)
    }

    /// Closes an option.
    #[must_use]
    pub fn without(self, option: u8) -> OpenOptions {
        OpenOptions(self.0 & !OpenOptions::between(option, option).0)
    }

    /// Returns whether an option is open.
    pub fn contains(self, option: u8) -> bool {
        self.iter().any(|open| open == option)
    }

    /// Returns whether no option is open.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the first open option.
    pub fn first(self) -> Option<u8> {
        self.iter().next()
    }

    /// Returns the first open option after another.
    pub fn after(self, option: u8) -> Option<u8> {
        OpenOptions(self.0 & !OpenOptions::all(option).0).first()
    }

    /// Returns the open options in order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (1..=64).filter(move |option| self.0 >> (option - 1) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_range_are_options_too() {
        let list = |open: OpenOptions| open.iter().collect::<Vec<u8>>();
        assert_eq!(list(OpenOptions::all(64)).len(), 64);
        assert!(OpenOptions::all(0).is_empty());
        assert_eq!(list(OpenOptions::between(63, 64)), [63, 64]);
        assert!(OpenOptions::between(5, 4).is_empty());
        assert_eq!(OpenOptions::all(64).after(64), None);
        assert_eq!(OpenOptions::from_bits(0b101), OpenOptions::all(3).without(2));
    }
}
