//! Pool of equal dice of which only a total matters.

/// Pool of equal dice of which only a total matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SumOrHitCountPool {
    /// Number of dice.
    pub(super) count: u8,
    /// Sides of each.
    pub(super) sides: u8,
    /// Least face of a die that is counted; `None` if the faces are added up.
    pub(super) least: Option<u8>,
}

impl SumOrHitCountPool {
    /// Returns the number of totals.
    pub(super) fn number_of_totals(self) -> u16 {
        u16::from(self.count) * self.most_above_least_of_die() + 1
    }

    /// Returns the total with a number, from 1.
    pub(super) fn total_with_number(self, number: u16) -> u16 {
        let least = if self.least.is_none() { self.count.into() } else { 0 };
        least + number - 1
    }

    /// Returns how much one die adds at most, above what it adds at least.
    pub(super) fn most_above_least_of_die(self) -> u16 {
        if self.least.is_none() { u16::from(self.sides) - 1 } else { 1 }
    }

    /// Returns what the faces of one die add, with their numbers.
    pub(super) fn die_addends_with_ways(self) -> Vec<(u16, u8)> {
        match self.least {
            None => (0..u16::from(self.sides)).map(|step| (step, 1)).collect(),
            Some(least) => vec![(0, least - 1), (1, self.sides - least + 1)],
        }
    }
}
