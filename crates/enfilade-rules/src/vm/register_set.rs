//! Sets of registers.

/// Number of a register.
pub type Reg = u8;

/// Set of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegisterSet([u64; 4]);

impl RegisterSet {
    /// Adds a register.
    pub fn insert(&mut self, reg: Reg) {
        self.0[usize::from(reg >> 6)] |= 1 << (reg & 63);
    }

    pub(crate) fn remove_register(&mut self, reg: Reg) {
        self.0[usize::from(reg >> 6)] &= !(1 << (reg & 63));
    }

    pub(crate) fn insert_consecutive(&mut self, base: Reg, count: u8) {
        (base..base + count).for_each(|reg| self.insert(reg));
    }

    /// Returns whether a register is in the set.
    pub fn contains(&self, reg: Reg) -> bool {
        self.0[usize::from(reg >> 6)] >> (reg & 63) & 1 == 1
    }

    /// Returns the registers in both sets.
    pub(crate) fn intersection_with(&self, other: &RegisterSet) -> RegisterSet {
        RegisterSet(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// Iterates over the registers in order.
    pub(crate) fn iter(self) -> impl Iterator<Item = Reg> {
        let words = [0_u8, 64, 128, 192].into_iter().zip(self.0);
        words.flat_map(|(first, mut word)| {
            std::iter::from_fn(move || {
                let lowest = (word != 0).then(|| word.trailing_zeros() as u8)?;
                word &= word - 1;
                Some(first + lowest)
            })
        })
    }

    pub(crate) fn add_all_of(&mut self, other: &RegisterSet) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }
}
