//! Seal of a manifest: a hash of all of its bytes, with zeros in the place of the hash itself.
//!
//! The seal proves that nothing was changed by chance or by hand. A change with a recomputed hash
//! is found by comparison with the tables, which contain the same facts.

use serde::Serialize;

use crate::folder::written_file::hash_sha256;
use crate::json_text::to_indented_json;

/// The key of the seal, which is the last of a manifest.
const SEAL_MANIFEST_KEY: &str = "manifest_sha256";

/// The text after the digits of the hash.
const TEXT_AFTER_SEAL_HASH: &str = "\"\n}\n";

/// Digits of a hash.
const SEAL_HASH_DIGITS: usize = 64;

/// A manifest with its own hash, which is its last key.
#[derive(Serialize)]
struct ManifestWithHash<'m, M> {
    #[serde(flatten)]
    manifest: &'m M,
    manifest_sha256: String,
}

/// Returns the text of a manifest with its seal.
pub(super) fn manifest_text_with_seal(manifest: &impl Serialize) -> String {
    let text = to_indented_json(&ManifestWithHash {
        manifest,
        manifest_sha256: "0".repeat(SEAL_HASH_DIGITS),
    });
    let digits = hash_sha256(text.as_bytes());
    let at = text.len().saturating_sub(SEAL_HASH_DIGITS + TEXT_AFTER_SEAL_HASH.len());
    format!("{}{digits}{TEXT_AFTER_SEAL_HASH}", &text[..at])
}

/// Whether a text is an unchanged manifest, byte for byte.
pub(crate) fn is_manifest_intact(text: &str) -> bool {
    let parts = || {
        let at = text.len().checked_sub(SEAL_HASH_DIGITS + TEXT_AFTER_SEAL_HASH.len())?;
        let (head, rest) = text.split_at_checked(at)?;
        Some((head, rest.strip_suffix(TEXT_AFTER_SEAL_HASH)?))
    };
    parts().is_some_and(|(head, digits)| {
        let zeros = "0".repeat(SEAL_HASH_DIGITS);
        head.ends_with(&format!("\n  \"{SEAL_MANIFEST_KEY}\": \""))
            && hash_sha256(format!("{head}{zeros}{TEXT_AFTER_SEAL_HASH}").as_bytes()) == digits
    })
}

/// Whether a text is a manifest with a seal, which may be wrong.
pub(crate) fn looks_like_manifest(text: &str) -> bool {
    text.contains(SEAL_MANIFEST_KEY) || text.contains("\"enfilade\"")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;

    #[test]
    fn no_bit_can_be_changed() {
        let text = manifest_text_with_seal(
            &json!({"enfilade": "0.1.0", "seed": 1, "files": [{"name": "ä"}]}),
        );
        assert!(is_manifest_intact(&text) && looks_like_manifest(&text));
        let json: Json = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(json["seed"], 1);
        for at in 0..text.len() * 8 {
            let mut bytes = text.clone().into_bytes();
            bytes[at / 8] ^= 1 << (at % 8);
            assert!(!is_manifest_intact(&String::from_utf8_lossy(&bytes)), "bit {at}");
        }
        for cut in ["", "{}", "\"\n}\n", &text[1..], &text[..text.len() - 1]] {
            assert!(!is_manifest_intact(cut), "{cut}");
        }
        assert!(!is_manifest_intact(&format!("{text}\n")));
    }
}
