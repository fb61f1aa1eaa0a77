//! Shares of the options of a decision that another player does not see, as dice.
//!
//! A mixture of options is rolled by a few dice. Their faces, read as digits with the first die in
//! front, are a number below the product of the sides, and each option has a range of these
//! numbers. Most faces of the first die lie in the range of one option and decide alone.

/// Sides of each die where the shares are rounded, and the number of these dice: 2³⁵ parts.
const ROUNDED_SHARE_DIE_SIDES: u8 = 128;
const ROUNDED_SHARE_DICE: usize = 5;

/// Largest number of sides of a die.
const MAX_SHARE_DIE_SIDES: u64 = 255;

/// Largest denominator of shares that are exact.
const MAX_EXACT_SHARE_PARTS: u64 = 1 << 40;

/// Shares of the options of a decision: whole numbers of parts.
///
/// ```
/// use enfilade_model::combat::OptionShares;
/// let shares = OptionShares::from_parts(&[2, 3]).expect("five parts are one die");
/// assert_eq!((shares.share_of_option(1), shares.share_of_option(2)), (0.4, 0.6));
/// assert_eq!([1, 2, 3, 4, 5].map(|face| shares.roll_option(|_| face)), [1, 1, 2, 2, 2]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionShares {
    /// Sides of the dice, the first one first.
    sides: Vec<u8>,
    /// Number of parts of each option and of all before it.
    ends: Vec<u64>,
}

impl OptionShares {
    /// Creates exact shares. Returns `None` if no dice of at most 255 sides have as many parts, or
    /// there are none.
    pub fn from_parts(parts: &[u64]) -> Option<OptionShares> {
        let total = parts.iter().try_fold(0u64, |sum, part| sum.checked_add(*part))?;
        let sides = dice_with_product(total)?;
        Some(OptionShares::new(sides, parts))
    }

    /// Creates the nearest shares in 2³⁵ parts. A share of 0 stays 0.
    pub fn from_rounded_weights(weights: &[f64]) -> OptionShares {
        let total = u64::from(ROUNDED_SHARE_DIE_SIDES).pow(ROUNDED_SHARE_DICE as u32);
        let sum: f64 = weights.iter().sum();
        let mut parts: Vec<u64> =
            weights.iter().map(|weight| (weight / sum * total as f64).floor() as u64).collect();
        let missing = total - parts.iter().sum::<u64>().min(total);
        let largest = (0..parts.len()).max_by(|a, b| weights[*a].total_cmp(&weights[*b]));
        if let Some(part) = largest.and_then(|at| parts.get_mut(at)) {
            *part += missing;
        }
        OptionShares::new(vec![ROUNDED_SHARE_DIE_SIDES; ROUNDED_SHARE_DICE], &parts)
    }

    fn new(sides: Vec<u8>, parts: &[u64]) -> OptionShares {
        let ends = parts.iter().scan(0, |sum, part| {
            *sum += part;
            Some(*sum)
        });
        OptionShares { sides, ends: ends.collect() }
    }

    /// Returns the sides of the dice, in the order in which they are rolled.
    pub fn sides_of_drawing_dice(&self) -> &[u8] {
        &self.sides
    }

    /// Returns the number of parts.
    pub fn total_part_count(&self) -> u64 {
        self.sides.iter().map(|sides| u64::from(*sides)).product()
    }

    /// Returns the parts of an option, from 1; 0 for an option that does not exist.
    pub fn parts_of_option(&self, option: u8) -> u64 {
        let at = usize::from(option);
        let end = at.checked_sub(1).and_then(|at| self.ends.get(at)).copied().unwrap_or(0);
        end - at
            .checked_sub(2)
            .map_or(0, |before| self.ends[before.min(self.ends.len() - 1)])
            .min(end)
    }

    /// Returns the share of an option, from 1.
    pub fn share_of_option(&self, option: u8) -> f64 {
        self.parts_of_option(option) as f64 / self.total_part_count() as f64
    }

    /// Returns the option with the largest share, the first among equals.
    pub fn likeliest_option(&self) -> u8 {
        (1..=self.ends.len() as u8)
            .rev()
            .max_by_key(|option| self.parts_of_option(*option))
            .unwrap_or(1)
    }

    /// Returns the option that has all of `count` parts from `first` on, if one has.
    pub fn option_owning_all_parts_in(&self, first: u64, count: u64) -> Option<u8> {
        let at = self.ends.partition_point(|end| *end <= first);
        (first + count <= *self.ends.get(at)?).then_some(at as u8 + 1)
    }

    /// Rolls an option with dice that `die` rolls, given their sides.
    pub fn roll_option(&self, mut die: impl FnMut(u8) -> u8) -> u8 {
        let (mut first, mut count) = (0, self.total_part_count());
        for &sides in &self.sides {
            if let Some(option) = self.option_owning_all_parts_in(first, count) {
                return option;
            }
            count /= u64::from(sides);
            first += count * u64::from(die(sides) - 1);
        }
        self.option_owning_all_parts_in(first, count).unwrap_or(1)
    }
}

/// Finds dice whose sides have this product, the largest first.
fn dice_with_product(total: u64) -> Option<Vec<u8>> {
    if total == 0 || total > MAX_EXACT_SHARE_PARTS {
        return None;
    }
    let (mut left, mut dice) = (total, Vec::new());
    while left > 1 {
        // The largest divisor that is a die; its own factors are divisors too.
        let sides =
            (2..=MAX_SHARE_DIE_SIDES.min(left)).rev().find(|sides| left.is_multiple_of(*sides))?;
        left /= sides;
        dice.push(sides as u8);
    }
    dice.sort_unstable_by(|a, b| b.cmp(a));
    Some(dice)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the rolls of each option over all faces of the dice.
    fn count_options(shares: &OptionShares, options: usize) -> Vec<u64> {
        let mut counts = vec![0; options];
        for number in 0..shares.total_part_count() {
            let mut left = shares.total_part_count();
            let option = shares.roll_option(|sides| {
                left /= u64::from(sides);
                (number / left % u64::from(sides)) as u8 + 1
            });
            counts[usize::from(option) - 1] += 1;
        }
        counts
    }

    #[test]
    fn dice_of_exact_shares_show_each_option_in_its_parts() {
        for parts in [vec![1, 1], vec![0, 7, 3], vec![1000, 1, 0, 23], vec![5], vec![256, 512]] {
            let shares = OptionShares::from_parts(&parts).expect("small factors");
            assert_eq!(count_options(&shares, parts.len()), parts, "{shares:?}");
        }
    }

    #[test]
    fn shares_without_dice_are_rounded_and_none_of_0_becomes_more() {
        // 257 is a prime above 255.
        assert_eq!(OptionShares::from_parts(&[256, 1]), None);
        assert_eq!(OptionShares::from_parts(&[0, 0]), None);
        let shares = OptionShares::from_rounded_weights(&[0.0, 1.0 / 3.0, 2.0 / 3.0]);
        assert_eq!((shares.parts_of_option(1), shares.total_part_count()), (0, 1 << 35));
        assert!((shares.share_of_option(2) - 1.0 / 3.0).abs() < 1e-10);
        assert!((shares.share_of_option(3) - 2.0 / 3.0).abs() < 1e-10);
        assert_eq!(
            (shares.likeliest_option(), shares.parts_of_option(4), shares.parts_of_option(0)),
            (3, 0, 0)
        );
    }
}
