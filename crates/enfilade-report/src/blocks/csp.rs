//! Content security of a report page: the hashes of its script and style, and data that cannot end
//! the element around it.
//!
//! The page carries a content security policy that allows nothing but one script and one style
//! with known hashes. A name from a file that found a way into the markup could still neither run
//! nor load anything.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// Returns the source expression that allows exactly this script or style: `sha256-…`.
pub fn csp_hash_source(content: &str) -> String {
    format!("sha256-{}", encode_as_base64(&Sha256::digest(content.as_bytes())))
}

/// Writes a value as JSON that is safe inside `<script>`: no `<`, `>` or `&`, and no line
/// separators that older scripts cannot read.
///
/// # Panics
/// If the value cannot be written as JSON: a map with keys that are no texts.
pub fn json_for_script_element<T: Serialize>(value: &T) -> String {
    let text = serde_json::to_string(value).expect("texts, numbers and lists are always JSON");
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // Outside of texts JSON has none of these characters.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            _ => out.push(c),
        }
    }
    out
}

/// Encodes bytes as Base64 of RFC 4648 with padding.
fn encode_as_base64(bytes: &[u8]) -> String {
    const BASE64_ALPHABET: &[u8; 64] =
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = (bits >> (18 - 6 * place)) & 63;
            let padding = place > group.len();
            out.push(if padding { '=' } else { char::from(BASE64_ALPHABET[digit as usize]) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 4648, section 10.
    #[test]
    fn base64_is_that_of_the_standard() {
        let cases = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (plain, coded) in cases {
            assert_eq!(encode_as_base64(plain.as_bytes()), coded);
        }
    }

    /// The hash of `alert('Hello, world.');` as the standard of the policy prints it.
    #[test]
    fn a_permit_is_the_hash_of_the_content() {
        let expected = "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=";
        assert_eq!(csp_hash_source("alert('Hello, world.');"), expected);
    }

    #[test]
    fn data_cannot_end_its_element_and_reads_back() {
        let evil = "</script><!--<script>&\u{2028}\"\\";
        let safe = json_for_script_element(&[evil]);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']));
        let read: Vec<String> = serde_json::from_str(&safe).expect("it is JSON");
        assert_eq!(read, [evil]);
    }
}
