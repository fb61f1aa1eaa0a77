//! What a designer wrote, as messages may repeat it: short, and without anything that would steer
//! a terminal.

/// Characters of a name or a value that a message repeats.
const LENGTH: usize = 60;

/// Whether a character would steer a terminal, or cannot be seen: control characters, ends of
/// lines, those that turn the direction of writing around, and those without any width, with which
/// two names look the same.
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A text as a message repeats it: at most 60 characters, then an ellipsis; what would steer a
/// terminal is replaced.
///
/// ```
/// use enfilade::form::shown::shown;
/// assert_eq!(shown("a\u{200b}b"), "a\u{fffd}b");
/// assert_eq!(shown(&"x".repeat(1000)), "x".repeat(60) + "…");
/// ```
pub fn shown(text: &str) -> String {
    let tame = |c| if steers(c) { '\u{fffd}' } else { c };
    let mut start: String = text.chars().take(LENGTH).map(tame).collect();
    if text.chars().nth(LENGTH).is_some() {
        start.push('…');
    }
    start
}

/// A whole number in groups of three: `10 000 000`.
pub fn grouped(n: u64) -> String {
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

/// A number as a message repeats it: one with very many digits is written with a power of ten.
///
/// ```
/// use enfilade::form::shown::number;
/// assert_eq!(number(0.25), "0.25");
/// assert_eq!(number(1e300), "1e300");
/// assert_eq!(number(-2.5e-300), "-2.5e-300");
/// ```
pub fn number(x: f64) -> String {
    let plain = x == 0.0 || !x.is_finite() || (1e-9..1e15).contains(&x.abs());
    if plain { x.to_string() } else { format!("{x:e}") }
}
