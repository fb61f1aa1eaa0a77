//! Keys of random generators: one key per work unit, derived by hashing.
//!
//! A work unit is identified by the seed, the fingerprint of the contest and its index, never by
//! the thread or the time. So counts do not depend on threads, on the order of work or on
//! interruptions, and no two units share a stream (a sum or exclusive-or of seed and index would
//! let them).

use sha2::{Digest, Sha256};

/// Version of the mapping from seed to counts. It is stored with every result; results of
/// different versions are both right, but not equal bit for bit.
pub const SEED_MAPPING_VERSION: u32 = 1;

/// Random stream of one contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContestRandomStream {
    /// Seed of the user.
    pub seed: u64,
    /// Hash of the rule's name and all of its parameters.
    pub fingerprint: [u8; 32],
}

impl ContestRandomStream {
    /// Returns the 256-bit key of generator `lane` for unit `index` of the work of `engine`.
    pub fn generator_key_for_unit(&self, engine: &str, index: u64, lane: u8) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"enfilade stream ");
        hash.update(SEED_MAPPING_VERSION.to_le_bytes());
        hash.update(self.seed.to_le_bytes());
        hash.update(self.fingerprint);
        hash.update(index.to_le_bytes());
        hash.update([lane]);
        hash.update(engine);
        hash.finalize().into()
    }
}

/// Formats bytes as hexadecimal digits, two each.
#[doc(hidden)]
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_work_has_its_own_key() {
        let stream = |seed, first| ContestRandomStream { seed, fingerprint: [first; 32] };
        let keys = [
            stream(1, 0).generator_key_for_unit("simulated", 0, 0),
            stream(2, 0).generator_key_for_unit("simulated", 0, 0),
            stream(1, 1).generator_key_for_unit("simulated", 0, 0),
            stream(1, 0).generator_key_for_unit("simulated", 1, 0),
            stream(1, 0).generator_key_for_unit("simulated", 0, 1),
            stream(1, 0).generator_key_for_unit("played", 0, 0),
        ];
        let distinct: std::collections::BTreeSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }
}
