//! Where random numbers start: one key per piece of work, derived by hashing.
//!
//! A piece of work is known by the seed, the contest's fingerprint and its index, never by who does
//! it or when. So counts do not depend on threads, on the order of work or on interruptions, and
//! no two pieces share a stream (a sum or exclusive-or of seed and index would let them).

use sha2::{Digest, Sha256};

/// Version of the mapping from seed to counts. It is stored with every result; results of
/// different versions are both right, but not equal bit for bit.
pub const STREAM_VERSION: u32 = 1;

/// The random stream of one contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The user's seed.
    pub seed: u64,
    /// What is played: the hash of the rule's name and all its parameters.
    pub fingerprint: [u8; 32],
}

impl Stream {
    /// The 256-bit key of generator `lane` for piece `index` of the work of `engine`.
    pub fn key(&self, engine: &str, index: u64, lane: u8) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"enfilade stream ");
        hash.update(STREAM_VERSION.to_le_bytes());
        hash.update(self.seed.to_le_bytes());
        hash.update(self.fingerprint);
        hash.update(index.to_le_bytes());
        hash.update([lane]);
        hash.update(engine);
        hash.finalize().into()
    }
}

/// Pieces of a work that have been done, by their indices: ranges in order that do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces(Vec<(u64, u64)>);

impl Pieces {
    /// One piece.
    pub fn one(index: u64) -> Pieces {
        Pieces(vec![(index, index + 1)])
    }

    /// The pieces of these ranges, each from its first index to before its last; `None` unless
    /// they are in order and do not touch.
    pub fn of(ranges: &[(u64, u64)]) -> Option<Pieces> {
        let filled = ranges.iter().all(|(first, end)| first < end);
        let apart = ranges.windows(2).all(|pair| pair[0].1 < pair[1].0);
        (filled && apart).then(|| Pieces(ranges.to_vec()))
    }

    /// The ranges.
    pub fn ranges(&self) -> &[(u64, u64)] {
        &self.0
    }

    /// Whether a piece is among them.
    pub fn contains(&self, index: u64) -> bool {
        let after = self.0.partition_point(|(_, end)| *end <= index);
        self.0.get(after).is_some_and(|(first, _)| *first <= index)
    }

    /// These pieces and those.
    pub fn with(self, other: Pieces) -> Pieces {
        let mut all = self.0;
        all.extend(other.0);
        all.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::new();
        for (first, end) in all {
            match joined.last_mut() {
                Some(last) if last.1 >= first => last.1 = last.1.max(end),
                _ => joined.push((first, end)),
            }
        }
        Pieces(joined)
    }

    /// Trials in these pieces of a work of `all` trials, of which a piece has `each`, the last one
    /// perhaps fewer.
    pub fn trials(&self, each: u64, all: u64) -> u64 {
        let until = |index: u64| index.saturating_mul(each).min(all);
        let ranges = self.0.iter();
        ranges.map(|(first, end)| until(*end) - until(*first)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_join_in_any_order() {
        let made = |indices: &[u64]| {
            let pieces = indices.iter().map(|index| Pieces::one(*index));
            pieces.fold(Pieces::default(), Pieces::with)
        };
        let pieces = made(&[7, 3, 0, 4, 1, 3]);
        assert_eq!(pieces.ranges(), [(0, 2), (3, 5), (7, 8)]);
        assert_eq!(pieces, made(&[0, 1, 3, 4, 7]));
        let inside: Vec<_> = (0..10).filter(|index| pieces.contains(*index)).collect();
        assert_eq!(inside, [0, 1, 3, 4, 7]);
        // Pieces of ten: 0 to 19, 30 to 49, and of the last one 70 to 74.
        assert_eq!(pieces.trials(10, 75), 45);
        assert_eq!(made(&[2, 1]).with(made(&[0])).ranges(), [(0, 3)]);
    }

    #[test]
    fn ranges_from_a_file_are_checked() {
        let ranges = [(0, 2), (3, 5)];
        assert_eq!(
            Pieces::of(&ranges).as_ref().map(Pieces::ranges),
            Some(&ranges[..])
        );
        for wrong in [
            [(3, 5), (0, 2)],
            [(0, 3), (3, 5)],
            [(0, 0), (3, 5)],
            [(4, 2), (5, 6)],
        ] {
            assert_eq!(Pieces::of(&wrong), None);
        }
    }

    #[test]
    fn every_part_of_the_work_has_its_own_key() {
        let stream = |seed, first| Stream {
            seed,
            fingerprint: [first; 32],
        };
        let keys = [
            stream(1, 0).key("simulated", 0, 0),
            stream(2, 0).key("simulated", 0, 0),
            stream(1, 1).key("simulated", 0, 0),
            stream(1, 0).key("simulated", 1, 0),
            stream(1, 0).key("simulated", 0, 1),
            stream(1, 0).key("played", 0, 0),
        ];
        let distinct: std::collections::BTreeSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }
}
