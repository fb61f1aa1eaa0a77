//! The files that a rulebook is told in.

#[cfg(feature = "hashes")]
use sha2::{Digest, Sha256};

use crate::shared::Text;

/// A file that a rulebook is told in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path from the folder of the rulebook: `bridgehead.rules`, `data/weapons.tsv`.
    pub name: Text,
    /// What is in it.
    pub text: Text,
    /// SHA-256 of that, in hexadecimal digits.
    #[cfg(feature = "hashes")]
    pub sha256: Text,
}

impl SourceFile {
    /// A file called `name` with this text.
    pub fn new(name: impl Into<Text>, text: impl Into<Text>) -> SourceFile {
        let (name, text) = (name.into(), text.into());
        SourceFile {
            #[cfg(feature = "hashes")]
            sha256: sha256(&text),
            name,
            text,
        }
    }
}

#[cfg(feature = "hashes")]
fn sha256(text: &str) -> Text {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
}
