//! A line of JSON that ends with the hash of what precedes it.

use sha2::{Digest, Sha256};

use enfilade_engine::random_stream::to_hex;

/// Between the text of a line and its hash.
const HASH_KEY_SEPARATOR: &str = ",\"sha256\":\"";

/// The end of a line.
const LINE_END_AFTER_HASH: &str = "\"}\n";

/// Digits of a hash.
const HASH_HEX_DIGITS: usize = 64;

/// The line of an object whose last brace is left out in `text`.
pub(crate) fn line_with_hash(text: &str) -> String {
    format!("{text}{HASH_KEY_SEPARATOR}{}{LINE_END_AFTER_HASH}", to_hex(&Sha256::digest(text)))
}

/// The object of a whole line with the right hash, without that hash.
pub(crate) fn object_of_hashed_line(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line).ok()?.strip_suffix(LINE_END_AFTER_HASH)?;
    let (text, hash) = line.split_at_checked(line.len().checked_sub(HASH_HEX_DIGITS)?)?;
    let text = text.strip_suffix(HASH_KEY_SEPARATOR)?;
    (to_hex(&Sha256::digest(text)) == hash).then(|| format!("{text}}}"))
}
