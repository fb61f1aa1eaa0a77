//! Tokens: an exact and a simulated number in few characters, for the data inside a report page.
//!
//! The page shows the texts of [`number_format`](crate::text::number_format) and rounds nothing. A
//! token is a shorter form of these texts, so that a thousand cells fit into one page. `page.js`
//! decodes it, and a test in a browser compares the decoded texts with the originals.
//!
//! | token | exact | simulated |
//! |---|---|---|
//! | `46.94` | `46.94` | |
//! | `.617` | `0.617` | |
//! | `1.00e-298` | `1.00e-298` | |
//! | `46.94+2~10` | `46.94` | `46.96 ± 0.10`: two units of the last place above the exact number |
//! | `.617+3~2@2` | `0.617` | `0.64 ± 0.02`: two decimals, from `0.61` |
//! | `0<.0037` | `0` | `0 of 100 000, < 0.0037`, the cell's trials being known |
//! | `100>99.9963` | `100` | `100 000 of 100 000, > 99.9963` |
//! | `=0, < 0.0037` | | `0, < 0.0037`: any text without a shorter form |
//! | `!` | | |
//!
//! A fraction comes last: `45.45\|589/1296`, and after it, for a median of tries, the percentage
//! that reaches the event within the tries made: `4\|\|97 10`, or `=>10\|\|44 10` if fewer than
//! half do. In a [`join_with_repeats_blank`] an empty token repeats the one before.

/// Encodes an exact and a simulated number, as texts. `trials` are those of the cell, grouped by
/// threes.
pub fn encode_exact_and_simulated(
    exact: Option<&str>,
    simulated: Option<&str>,
    trials: &str,
) -> String {
    let start = exact.map(strip_leading_zero).unwrap_or_default();
    let Some(simulated) = simulated else {
        return if start.is_empty() { "!" } else { start }.to_owned();
    };
    let short = exact
        .and_then(|exact| encode_relative_to_exact(exact, simulated))
        .or_else(|| encode_none_or_all_hits(simulated, trials));
    let end = short.unwrap_or_else(|| format!("={simulated}"));
    format!("{start}{end}")
}

/// Joins tokens in one text, in which each token equal to the one before is empty.
pub fn join_with_repeats_blank<'a>(tokens: impl IntoIterator<Item = &'a str>) -> String {
    let (mut out, mut last) = (String::new(), None);
    for (i, token) in tokens.into_iter().enumerate() {
        debug_assert!(!token.is_empty(), "an empty token means another one");
        if i > 0 {
            out.push(';');
        }
        if last != Some(token) {
            out.push_str(token);
        }
        last = Some(token);
    }
    out
}

/// Strips the zero before the point.
fn strip_leading_zero(number: &str) -> &str {
    match number.strip_prefix('0') {
        Some(rest) if rest.starts_with('.') => rest,
        _ => number,
    }
}

/// Encodes `46.96 ± 0.10` relative to `46.94`.
fn encode_relative_to_exact(exact: &str, simulated: &str) -> Option<String> {
    let (value, half) = simulated.split_once(" ± ")?;
    let exact = PrintedDecimal::parse_printed_decimal(exact)?;
    let (value, half) = (
        PrintedDecimal::parse_printed_decimal(value)?,
        PrintedDecimal::parse_printed_decimal(half)?,
    );
    let unsigned_zero = value.units != 0 || !simulated.starts_with('-');
    if value.decimals != half.decimals || half.units < 0 || !unsigned_zero {
        return None;
    }
    let off = value.units - exact.units_at_decimals(value.decimals)?;
    let place = match value.decimals == exact.decimals {
        true => String::new(),
        false => format!("@{}", value.decimals),
    };
    Some(format!("{off:+}~{}{place}", half.units))
}

/// Encodes `0 of N, < 0.0037` and `N of N, > 99.9963`, with N known.
fn encode_none_or_all_hits(simulated: &str, trials: &str) -> Option<String> {
    let (simulated_text, bound) = simulated.split_once(", ")?;
    let short = if simulated_text == format!("0 of {trials}") {
        format!("<{}", strip_leading_zero(bound.strip_prefix("< ")?))
    } else if simulated_text == format!("{trials} of {trials}") {
        format!(">{}", strip_leading_zero(bound.strip_prefix("> ")?))
    } else {
        return None;
    };
    Some(short)
}

/// A printed number: units of its last decimal.
struct PrintedDecimal {
    units: i128,
    decimals: u32,
}

impl PrintedDecimal {
    /// Parses `-12.50`; other texts are no numbers here.
    fn parse_printed_decimal(text: &str) -> Option<PrintedDecimal> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = whole.strip_prefix('-').unwrap_or(whole);
        let plain = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if digits.is_empty() || !plain(digits) || !plain(part) || text.ends_with('.') {
            return None;
        }
        Some(PrintedDecimal {
            units: format!("{whole}{part}").parse().ok()?,
            decimals: u32::try_from(part.len()).ok()?,
        })
    }

    /// Returns the units at another number of decimals, truncated towards zero.
    fn units_at_decimals(&self, decimals: u32) -> Option<i128> {
        let ten = |places| 10_i128.checked_pow(places);
        match decimals.checked_sub(self.decimals) {
            Some(more) => self.units.checked_mul(ten(more)?),
            None => Some(self.units / ten(self.decimals - decimals)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tokens_are_those_of_the_table_above() {
        let cases = [
            (Some("46.94"), None, "46.94"),
            (Some("0.617"), None, ".617"),
            (Some("1.00e-298"), None, "1.00e-298"),
            (Some("1.00e-298"), Some("0 of 100 000, < 0.0037"), "1.00e-298<.0037"),
            (Some("46.94"), Some("46.96 ± 0.10"), "46.94+2~10"),
            (Some("0.617"), Some("0.64 ± 0.02"), ".617+3~2@2"),
            (Some("0"), Some("0 of 100 000, < 0.0037"), "0<.0037"),
            (Some("100"), Some("100 000 of 100 000, > 99.9963"), "100>99.9963"),
            (None, Some("0, < 0.0037"), "=0, < 0.0037"),
            (None, None, "!"),
            // Relative to an exact number with fewer digits.
            (Some("2"), Some("1.98 ± 0.03"), "2-2~3@2"),
            // A number of trials other than the cell's is written in full.
            (Some("0"), Some("0 of 7, < 41"), "0=0 of 7, < 41"),
            (None, Some("46.96 ± 0.10"), "=46.96 ± 0.10"),
            (Some("inf"), Some("3 ± 1"), "inf=3 ± 1"),
            (Some("0.01"), Some("-0.00 ± 0.04"), ".01=-0.00 ± 0.04"),
        ];
        for (exact, simulated, expected) in cases {
            assert_eq!(encode_exact_and_simulated(exact, simulated, "100 000"), expected);
        }
    }

    #[test]
    fn what_repeats_is_written_once() {
        assert_eq!(join_with_repeats_blank(["1", "1", "2", "2", "1"]), "1;;2;;1");
        assert_eq!(join_with_repeats_blank(["1"]), "1");
        assert_eq!(join_with_repeats_blank([]), "");
    }
}
