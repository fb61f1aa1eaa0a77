//! Files of a rulebook in text.

#[cfg(feature = "hashes")]
use sha2::{Digest, Sha256};

use crate::static_or_shared::Text;

/// File of a rulebook in text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Path from the folder of the rulebook: `bridgehead.rules`, `data/weapons.tsv`.
    pub name: Text,
    /// Content of the file.
    pub text: Text,
    /// SHA-256 of the content, in hexadecimal digits.
    #[cfg(feature = "hashes")]
    pub sha256: Text,
}

impl SourceFile {
    /// Creates a file called `name` with this text.
    pub fn new(name: impl Into<Text>, text: impl Into<Text>) -> SourceFile {
        let (name, text) = (name.into(), text.into());
        SourceFile {
            #[cfg(feature = "hashes")]
            sha256: hash_sha256(&text),
            name,
            text,
        }
    }
}

#[cfg(feature = "hashes")]
fn hash_sha256(text: &str) -> Text {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
}
