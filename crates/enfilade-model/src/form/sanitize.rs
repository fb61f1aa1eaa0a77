//! User text made safe for messages: short, and without control characters.

/// Number of characters of a name or a value that a message repeats.
const MAX_REPEATED_CHARS: usize = 60;

/// Returns whether a character controls a terminal or is invisible: control characters, line ends,
/// characters that reverse the direction of writing, and invisible ones, with which two names look
/// the same.
pub fn is_control_or_invisible(c: char) -> bool {
    let at = INVISIBLE_CHARS.partition_point(|(_, last)| *last < c);
    c.is_control() || INVISIBLE_CHARS.get(at).is_some_and(|(first, _)| *first <= c)
}

/// Ranges of invisible characters: `Default_Ignorable_Code_Point` of Unicode 17, the two line ends
/// and the marks of annotations, and the empty Braille cell. Variation selectors are left out:
/// emoji and names in Chinese and Mongolian use them.
const INVISIBLE_CHARS: [(char, char); 18] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180e}', '\u{180e}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e00ff}'),
    ('\u{e01f0}', '\u{e0fff}'),
];

/// Shortens a text for a message: at most 60 characters, then an ellipsis; unsafe characters are
/// replaced.
///
/// ```
/// use enfilade_model::form::sanitize::shorten_and_make_safe;
/// assert_eq!(shorten_and_make_safe("a\u{200b}b"), "a\u{fffd}b");
/// assert_eq!(shorten_and_make_safe(&"x".repeat(1000)), "x".repeat(60) + "…");
/// ```
pub fn shorten_and_make_safe(text: &str) -> String {
    let tame = |c| if is_control_or_invisible(c) { '\u{fffd}' } else { c };
    let mut start: String = text.chars().take(MAX_REPEATED_CHARS).map(tame).collect();
    if text.chars().nth(MAX_REPEATED_CHARS).is_some() {
        start.push('…');
    }
    start
}

/// Formats a whole number in groups of three digits: `10 000 000`.
pub fn group_digits(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// Formats a number for a message: one with very many digits is written with a power of ten.
///
/// ```
/// use enfilade_model::form::sanitize::format_number_compactly;
/// assert_eq!(format_number_compactly(0.25), "0.25");
/// assert_eq!(format_number_compactly(1e300), "1e300");
/// assert_eq!(format_number_compactly(-2.5e-300), "-2.5e-300");
/// ```
pub fn format_number_compactly(x: f64) -> String {
    let plain = x == 0.0 || !x.is_finite() || (1e-9..1e15).contains(&x.abs());
    if plain { x.to_string() } else { format!("{x:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_nothing_is_told_from_what_does() {
        assert!(INVISIBLE_CHARS.is_sorted_by(|(_, last), (first, _)| last < first));
        let unseen = "\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{180e}\u{200b}\u{202e}\u{206a}\u{206f}\
            \u{2800}\u{3164}\u{feff}\u{ffa0}\u{fff9}\u{e0041}\u{e0fff}\n\u{7}";
        assert!(unseen.chars().all(is_control_or_invisible));
        let seen = "a Ä\u{a0}ß-—…中🎲\u{fe0f}\u{301}\u{3000}\u{1161}\u{e0100}\u{fffd}";
        assert!(!seen.chars().any(is_control_or_invisible));
    }
}
