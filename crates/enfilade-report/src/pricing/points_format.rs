//! Format of numbers of points.

/// Formats points: one decimal below 10, none above; halves and quarters in full.
pub fn format_points(value: f64) -> String {
    if value < 1e6 && (4.0 * value).fract() == 0.0 {
        return value.to_string();
    }
    if value.abs() < 9.95 {
        return format!("{value:.1}");
    }
    format!("{value:.0}")
}
