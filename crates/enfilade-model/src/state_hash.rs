//! Hasher for states: packs small integers into words before mixing, so that a derived `Hash` is
//! fast.
//!
//! A derived `Hash` passes its fields one by one, mostly as single bytes, and most hashers mix
//! every one of them. The hash is for tables inside this program only: it does not withstand keys
//! chosen to collide, and its values have no meaning elsewhere.

use std::hash::{BuildHasherDefault, Hasher};

/// Builder of [`SmallIntegerHasher`] hashers.
pub type StateHasherBuilder = BuildHasherDefault<SmallIntegerHasher>;

/// Hasher that gathers small integers into words.
#[derive(Clone, Debug, Default)]
pub struct SmallIntegerHasher {
    hash: u64,
    /// Bits gathered so far, the first lowest, and their number.
    word: u64,
    gathered: u32,
}

/// Odd number without pattern: the fraction of the golden ratio.
const HASH_MIX_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl SmallIntegerHasher {
    #[inline]
    fn gather_integer_bits(&mut self, value: u64, bits: u32) {
        if self.gathered + bits > 64 {
            self.mix_gathered_word(self.word);
            (self.word, self.gathered) = (0, 0);
        }
        if bits == 64 {
            self.mix_gathered_word(value);
        } else {
            self.word |= value << self.gathered;
            self.gathered += bits;
        }
    }

    #[inline]
    fn mix_gathered_word(&mut self, word: u64) {
        self.hash = multiply_by_constant_and_fold(self.hash ^ word);
    }
}

/// Mixes both halves of a product into one word, so that every bit of `word` reaches high and low
/// bits.
#[inline]
fn multiply_by_constant_and_fold(word: u64) -> u64 {
    let product = u128::from(word ^ HASH_MIX_FACTOR) * u128::from(HASH_MIX_FACTOR.rotate_left(32));
    product as u64 ^ (product >> 64) as u64
}

impl Hasher for SmallIntegerHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.gather_integer_bits(u64::from_le_bytes(*word), 64);
        }
        for byte in rest {
            self.gather_integer_bits((*byte).into(), 8);
        }
    }

    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.gather_integer_bits(value.into(), 8);
    }

    #[inline]
    fn write_u16(&mut self, value: u16) {
        self.gather_integer_bits(value.into(), 16);
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.gather_integer_bits(value.into(), 32);
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.gather_integer_bits(value, 64);
    }

    /// Hashes lengths of slices.
    #[inline]
    fn write_usize(&mut self, value: usize) {
        // Lengths and variants are nearly always small, and a byte leaves room for the other
        // fields.
        let bits = if value < 256 { 8 } else { 64 };
        self.gather_integer_bits(value as u64, bits);
    }

    /// Hashes the variant of an enum.
    #[inline]
    fn write_isize(&mut self, value: isize) {
        self.write_usize(value as usize);
    }

    #[inline]
    fn finish(&self) -> u64 {
        multiply_by_constant_and_fold(self.hash ^ self.word)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::hash::BuildHasher;

    use super::*;

    /// Fields in bytes that straddle the gathered words.
    type State = ([u8; 5], Option<u16>, bool, [(u8, u8); 3], u32);

    fn hash(state: &State) -> u64 {
        StateHasherBuilder::default().hash_one(state)
    }

    #[test]
    fn every_field_counts() {
        let plain: State = ([1; 5], Some(7), true, [(2, 3); 3], 9);
        let mut hashes = BTreeSet::from([hash(&plain)]);
        let mut states = vec![plain; 15];
        for (place, state) in states.iter_mut().enumerate() {
            match place {
                0..5 => state.0[place] += 1,
                5 => state.1 = None,
                6 => state.1 = Some(8),
                7 => state.2 = false,
                8..11 => state.3[place - 8].0 += 1,
                11..14 => state.3[place - 11].1 += 1,
                _ => state.4 += 1,
            }
            hashes.insert(hash(state));
        }
        assert_eq!(hashes.len(), states.len() + 1);
    }

    /// A table looks at the low bits and the highest seven: both must spread.
    #[test]
    fn small_counts_spread_over_low_and_high_bits() {
        let states = (0..64_u8).flat_map(|a| (0..64_u8).map(move |b| (a, b)));
        let hashes: Vec<u64> =
            states.map(|state| StateHasherBuilder::default().hash_one(state)).collect();
        let distinct = |bits: fn(u64) -> u64| {
            let seen: BTreeSet<u64> = hashes.iter().map(|&hash| bits(hash)).collect();
            seen.len()
        };
        // 4096 balls in 4096 boxes leave about 1/e of them empty.
        assert!(distinct(|hash| hash & 4095) > 2400);
        assert_eq!(distinct(|hash| hash >> 57), 128);
    }
}
