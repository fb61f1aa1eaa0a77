//! Hybrid packing of small numbers: repeated numbers are stored once, and all others in as few bits
//! as the greatest needs, eight at a time.
//!
//! The library's packing is wrong on machines of the other byte order.

/// The number of repetitions from which a number is stored once.
const MIN_RUN_LENGTH: usize = 8;

/// Appends `all`, of `bits` bits each, which are 1 to 32.
pub(super) fn pack_runs_and_bits(all: &[u32], bits: u32, out: &mut Vec<u8>) {
    let (mut at, mut loose) = (0, 0);
    while at < all.len() {
        let same = all[at..].iter().take_while(|number| **number == all[at]).count();
        if same >= MIN_RUN_LENGTH {
            pack_in_groups_of_eight(&all[loose..at], bits, out);
            push_varint(same << 1, out);
            out.extend(&all[at].to_le_bytes()[..bits.div_ceil(8) as usize]);
            at += same;
            loose = at;
        } else {
            at = all.len().min(at + 8);
        }
    }
    pack_in_groups_of_eight(&all[loose..], bits, out);
}

/// Appends numbers bit by bit, with the last ones filled up to eight.
fn pack_in_groups_of_eight(all: &[u32], bits: u32, out: &mut Vec<u8>) {
    if all.is_empty() {
        return;
    }
    let groups = all.len().div_ceil(8);
    push_varint(groups << 1 | 1, out);
    let end = out.len() + groups * bits as usize;
    let (mut waiting, mut bit_count) = (0_u64, 0);
    for &number in all {
        waiting |= u64::from(number) << bit_count;
        bit_count += bits;
        while bit_count >= 8 {
            out.push(waiting as u8);
            (waiting, bit_count) = (waiting >> 8, bit_count - 8);
        }
    }
    out.push(waiting as u8);
    out.resize(end, 0);
}

/// Appends a number with seven bits per byte, the low ones first; the highest bit means that more
/// follow.
fn push_varint(mut number: usize, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Unpacks `count` numbers of `bits` bits; `None` if there are fewer.
pub(super) fn unpack_runs_and_bits(mut runs: &[u8], bits: u32, count: usize) -> Option<Vec<u32>> {
    if bits == 0 || bits > 32 {
        return (bits == 0).then(|| vec![0; count]);
    }
    let mut all = Vec::new();
    while all.len() < count {
        let header = read_varint(&mut runs)?;
        let (length, left) = ((header >> 1) as usize, count - all.len());
        if header & 1 == 0 {
            let (bytes, rest) = runs.split_at_checked(bits.div_ceil(8) as usize)?;
            let number = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
            all.extend(std::iter::repeat_n(number, length.min(left)));
            runs = rest;
        } else {
            let (bytes, rest) = runs.split_at(length.saturating_mul(bits as usize).min(runs.len()));
            let value_count = (bytes.len() * 8 / bits as usize).min(left);
            all.extend(
                (0..value_count).map(|place| unpack_bits_at(bytes, place * bits as usize, bits)),
            );
            runs = rest;
        }
        if length == 0 {
            return None;
        }
    }
    Some(all)
}

fn read_varint(runs: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for place in 0..9 {
        let (&byte, rest) = runs.split_first()?;
        *runs = rest;
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Returns the number of `bits` bits that begins at this bit.
fn unpack_bits_at(bytes: &[u8], first: usize, bits: u32) -> u32 {
    let near = &bytes[first / 8..bytes.len().min(first / 8 + 5)];
    let all = near.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
    (all >> (first % 8) & ((1 << bits) - 1)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(all: &[u32], bits: u32) -> Vec<u8> {
        let mut out = Vec::new();
        pack_runs_and_bits(all, bits, &mut out);
        out
    }

    /// The example in the description of the format: 0 to 7 in three bits each.
    #[test]
    fn eight_numbers_stand_as_the_format_shows_them() {
        let numbers: Vec<u32> = (0..8).collect();
        let bytes = [0b11, 0b1000_1000, 0b1100_0110, 0b1111_1010];
        assert_eq!(packed(&numbers, 3), bytes);
        assert_eq!(unpack_runs_and_bits(&bytes, 3, 8), Some(numbers));
    }

    /// 1000 times 300, of nine bits: twice the count with seven bits a byte, then the number in two
    /// bytes.
    #[test]
    fn a_number_that_is_repeated_is_said_once() {
        let bytes = [0xd0, 0x0f, 0x2c, 0x01];
        assert_eq!(packed(&[300; 1000], 9), bytes);
        assert_eq!(unpack_runs_and_bits(&bytes, 9, 1000), Some(vec![300; 1000]));
    }

    #[test]
    fn whatever_is_packed_is_unpacked() {
        let mut seed = 1_u64;
        let mut lot = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 32) as u32
        };
        for bits in 1..=32 {
            for length in [1, 7, 8, 9, 15, 16, 17, 100, 1000] {
                let mut all = Vec::new();
                while all.len() < length {
                    let times = [1, 1, 2, 7, 8, 9, 30][lot() as usize % 7];
                    let number = lot() & u32::MAX >> (32 - bits);
                    all.extend(std::iter::repeat_n(number, times));
                }
                all.truncate(length);
                assert_eq!(
                    unpack_runs_and_bits(&packed(&all, bits), bits, length),
                    Some(all),
                    "{bits} bits"
                );
            }
        }
    }

    #[test]
    fn runs_that_are_cut_or_wrong_give_nothing() {
        let whole = packed(&[5, 1, 3, 2, 4, 6, 0, 7, 9, 9], 4);
        assert!(
            (0..whole.len() - 4)
                .all(|length| unpack_runs_and_bits(&whole[..length], 4, 10).is_none())
        );
        assert_eq!(unpack_runs_and_bits(&[0; 20], 4, 10), None);
        assert_eq!(unpack_runs_and_bits(&[0xff; 20], 4, 10), None);
        assert_eq!(unpack_runs_and_bits(&whole, 33, 10), None);
        assert_eq!(unpack_runs_and_bits(&[], 0, 3), Some(vec![0; 3]));
    }
}
