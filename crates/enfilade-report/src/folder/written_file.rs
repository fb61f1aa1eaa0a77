//! Written file, and the hash of it in manifests.

use sha2::{Digest, Sha256};

use enfilade_engine::random_stream::to_hex;

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFile {
    /// Its name in the folder: `charts/1-heatmap-p_break.svg`.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// SHA-256 of the text in hexadecimal digits.
    pub sha256: String,
}

/// Returns the SHA-256 in hexadecimal digits.
pub fn hash_sha256(content: &[u8]) -> String {
    to_hex(&Sha256::digest(content))
}
