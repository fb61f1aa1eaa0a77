//! Values and quantities as people read them.

use toml::Value as Toml;

/// A value of a file without the quotes around a text.
pub(crate) fn text_without_quotes(value: &Toml) -> String {
    match value {
        Toml::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A value of a file as a number.
pub(crate) fn toml_as_number(value: &Toml) -> Option<f64> {
    match value {
        Toml::Integer(n) => Some(*n as f64),
        Toml::Float(x) => Some(*x),
        Toml::Boolean(on) => Some(f64::from(u8::from(*on))),
        Toml::String(text) => text.strip_prefix('d')?.parse().ok(),
        _ => None,
    }
}

/// A measure: a share in percent, without the sign, or a number.
pub(crate) fn format_without_percent_sign(value: f64, is_share: bool) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    match is_share {
        true => format_with_digits(value * 100.0, 1),
        false => format_with_digits(value, if value.abs() >= 1000.0 { 0 } else { 2 }),
    }
}

/// A measure with the sign of percent if it is a share.
pub(crate) fn format_with_percent_if_share(value: f64, is_share: bool) -> String {
    let text = format_without_percent_sign(value, is_share);
    if is_share { format!("{text} %") } else { text }
}

fn format_with_digits(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    // A number that rounds to zero has no minus.
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// A count with thin groups, as in 3 779 136.
pub(crate) fn format_grouped_count(n: u64) -> String {
    enfilade_model::form::sanitize::group_digits(n)
}

/// A list such as `4 or 5`, `2 to 4`, `0, 2 or 5`.
pub(crate) fn alternatives_or_range(values: &[String], follow_on: bool) -> String {
    match values {
        [] => String::new(),
        [only] => only.clone(),
        [first, .., last] if follow_on && values.len() > 2 => format!("{first} to {last}"),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}
