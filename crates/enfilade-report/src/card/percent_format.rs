//! Probabilities as a card prints them: whole percents, each rounded by itself, so that equal
//! chances print equal in every stack.
//!
//! `–` means impossible, `<1` possible but rounded to 0, `>99` rounded to 100 but not certain. Only
//! an exact distribution can prove that an outcome is impossible: for one that no trial has shown,
//! `<0.0003` is an upper bound. `·` means that it happens only in outcomes that count under
//! something else.

use crate::text::measure_format::with_true_minus;
use crate::text::number_format::decimals_to_first_digit;

/// The sign of an impossible outcome.
pub const IMPOSSIBLE_SIGN: &str = "–";

/// The sign of an outcome that happens only together with one that counts more.
pub const COVERED_OUTCOME_SIGN: &str = "·";

/// The smallest certain probability, less than 1 by the rounding of a floating-point sum.
const CERTAIN_CHANCE: f64 = 1.0 - 1e-12;

/// Formats a share whose whole percent is `whole`; `exact`: whether `share` is exact.
fn format_whole_percent_or_sign(share: f64, whole: u32, exact: bool) -> String {
    match whole {
        0 if share <= 0.0 && exact => IMPOSSIBLE_SIGN.to_owned(),
        0 => "<1".to_owned(),
        100 if share < CERTAIN_CHANCE || !exact => ">99".to_owned(),
        _ => whole.to_string(),
    }
}

/// Formats a probability that is not part of a stack.
pub fn format_unstacked_chance(p: f64, exact: bool) -> String {
    if !p.is_finite() {
        return "?".to_owned();
    }
    format_whole_percent_or_sign(p, (100.0 * p.clamp(0.0, 1.0)).round() as u32, exact)
}

/// Formats a probability estimated from `trials`. An outcome seen in none of N trials, or in all of
/// them, gets the bound of the rule of three: at 95 % its probability is below 3/N, or above 1 −
/// 3/N.
pub fn format_simulated_chance(p: f64, trials: u64) -> String {
    if trials == 0 || !(p <= 0.0 || p >= 1.0) {
        return format_unstacked_chance(p, false);
    }
    let decimals = decimals_to_first_digit(300.0 / trials as f64);
    let scale = 10_u128.pow(decimals as u32);
    let bound = (300 * scale).div_ceil(u128::from(trials)).min(100 * scale);
    let (sign, bound) = if p < 1.0 { ("<", bound) } else { (">", 100 * scale - bound) };
    format!("{sign}{:.decimals$}", bound as f64 / scale as f64)
}

/// Formats a mean in three digits; `–` for an exact 0.
pub fn format_short_mean(value: f64, exact: bool) -> String {
    if !value.is_finite() {
        return "?".to_owned();
    }
    if value == 0.0 {
        return if exact { IMPOSSIBLE_SIGN } else { "0" }.to_owned();
    }
    if value.abs() < 0.005 {
        return if value > 0.0 { "<0.01" } else { ">−0.01" }.to_owned();
    }
    let decimals = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        _ => 2,
    };
    with_true_minus(&format!("{value:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_possible_is_no_dash_and_the_uncertain_no_hundred() {
        assert_eq!(format_whole_percent_or_sign(0.0, 0, true), "–");
        assert_eq!(format_whole_percent_or_sign(0.0, 0, false), "<1");
        assert_eq!(format_whole_percent_or_sign(1e-9, 0, true), "<1");
        assert_eq!(format_whole_percent_or_sign(0.9999, 100, true), ">99");
        assert_eq!(format_whole_percent_or_sign(1.0, 100, true), "100");
        assert_eq!(format_whole_percent_or_sign(1.0, 100, false), ">99");
        assert_eq!(format_unstacked_chance(0.175, true), "18");
        assert_eq!(format_unstacked_chance(0.004, true), "<1");
        assert_eq!(format_unstacked_chance(0.9951, true), ">99");
        assert_eq!(format_unstacked_chance(f64::NAN, true), "?");
    }

    /// By hand: 3 in a million is 0.0003 %, 3 in 7000 is 0.0429 %, 3 in 100 is 3 %.
    #[test]
    fn what_no_trial_has_shown_is_bounded() {
        let never = [(1_000_000, "<0.0003"), (7_000, "<0.05"), (100, "<3"), (2, "<100")];
        for (trials, shown) in never {
            assert_eq!(format_simulated_chance(0.0, trials), shown);
        }
        let always = [(1_000_000, ">99.9997"), (7_000, ">99.95"), (100, ">97"), (2, ">0")];
        for (trials, shown) in always {
            assert_eq!(format_simulated_chance(1.0, trials), shown);
        }
        assert_eq!(format_simulated_chance(0.001, 1000), "<1");
        assert_eq!(format_simulated_chance(0.0, 0), "<1");
        assert_eq!(format_simulated_chance(f64::NAN, 1000), "?");
    }

    #[test]
    fn means_have_three_digits() {
        let cases = [
            (0.0, "–"),
            (0.004, "<0.01"),
            (0.25, "0.25"),
            (0.0333, "0.03"),
            (1.256, "1.26"),
            (12.34, "12.3"),
            (123.4, "123"),
            (-1.5, "−1.50"),
        ];
        for (value, shown) in cases {
            assert_eq!(format_short_mean(value, true), shown, "{value}");
        }
        assert_eq!(format_short_mean(0.0, false), "0");
    }
}
