//! Format of points and of names, for all reports of prices.

use crate::text::sentences::replace_control_chars;

/// Formats points: one decimal below 10, none above; halves and quarters in full.
pub fn format_price_points(value: f64) -> String {
    if value < 1e6 && (4.0 * value).fract() == 0.0 {
        return value.to_string();
    }
    if value.abs() < 9.95 {
        return format!("{value:.1}");
    }
    format!("{value:.0}")
}

/// Formats both ends of a range with a word between them; one number if both read alike.
pub fn format_ends((low, high): (f64, f64), between: &str) -> String {
    let [low, high] = [low, high].map(format_price_points);
    if low == high { low } else { format!("{low} {between} {high}") }
}

/// Joins names from a file, with the characters replaced that would control a terminal.
pub(super) fn comma_separated_names(names: impl IntoIterator<Item: AsRef<str>>) -> String {
    let safe = names.into_iter().map(|name| replace_control_chars(name.as_ref()));
    safe.collect::<Vec<_>>().join(", ")
}
