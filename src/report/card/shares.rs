//! Probabilities as a card prints them: whole percents that add up.
//!
//! The shares of a stack are rounded by largest remainders, so that their whole percents sum to
//! 100. Then `–` stands for what cannot happen, `<1` for what can and rounds to 0, `>99` for what
//! rounds to 100 and is not certain. Only an exact law knows that something cannot happen.

/// What is printed for the impossible.
pub const NEVER: &str = "–";

/// Certainty, less the rounding of a sum of floating-point numbers.
const CERTAIN: f64 = 1.0 - 1e-12;

/// Whole percents of shares that are at least 0 and sum to 1: rounded down, and the percents that
/// are missing to 100 given to the largest remainders, the first of equal ones first.
pub fn whole_percents(shares: &[f64]) -> Vec<u32> {
    // A share that is a whole percent may lie a hair below it.
    let hundredths = |share: &f64| (100.0 * share.clamp(0.0, 1.0) + 1e-9).min(100.0);
    let mut whole: Vec<u32> = shares.iter().map(|s| hundredths(s) as u32).collect();
    let missing = 100_u32.saturating_sub(whole.iter().sum());
    let remainder = |i: &usize| hundredths(&shares[*i]).fract();
    let mut order: Vec<_> = (0..shares.len()).filter(|&i| shares[i] > 0.0).collect();
    order.sort_by(|a, b| remainder(b).total_cmp(&remainder(a)));
    for &i in order.iter().take(missing as usize) {
        whole[i] += 1;
    }
    whole
}

/// A share of a stack whose whole percent is `whole`; `exact` says whether `share` is.
pub fn stacked(share: f64, whole: u32, exact: bool) -> String {
    match whole {
        0 if share <= 0.0 && exact => NEVER.to_owned(),
        0 => "<1".to_owned(),
        100 if share < CERTAIN || !exact => ">99".to_owned(),
        _ => whole.to_string(),
    }
}

/// A probability that stands alone.
pub fn alone(p: f64, exact: bool) -> String {
    if !p.is_finite() {
        return "?".to_owned();
    }
    stacked(p, (100.0 * p.clamp(0.0, 1.0)).round() as u32, exact)
}

/// A mean in three digits; `–` for an exact 0.
pub fn mean(value: f64, exact: bool) -> String {
    if !value.is_finite() {
        return "?".to_owned();
    }
    if value == 0.0 {
        return if exact { NEVER } else { "0" }.to_owned();
    }
    if value.abs() < 0.005 {
        return if value > 0.0 { "<0.01" } else { ">−0.01" }.to_owned();
    }
    let decimals = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        _ => 2,
    };
    format!("{value:.decimals$}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_adds_up_to_a_hundred() {
        // Thirds: 33.3 each, and the first gets the hundredth that is missing.
        assert_eq!(whole_percents(&[1.0 / 3.0; 3]), [34, 33, 33]);
        // Of 36: 13.9, 41.7, 44.4: the remainders .9 and .7 get one each.
        assert_eq!(whole_percents(&[5.0 / 36.0, 15.0 / 36.0, 16.0 / 36.0]), [14, 42, 44]);
        // Sixths: 16.67 six times; four of them get one.
        assert_eq!(whole_percents(&[1.0 / 6.0; 6]), [17, 17, 17, 17, 16, 16]);
        assert_eq!(whole_percents(&[0.0, 1.0, 0.0]), [0, 100, 0]);
        assert_eq!(whole_percents(&[0.004, 0.996, 0.0]), [0, 100, 0]);
        // 0.29 is a hair below 29/100 as a floating-point number.
        assert_eq!(whole_percents(&[0.29, 0.71]), [29, 71]);
    }

    #[test]
    fn every_stack_of_thirty_sixths_adds_up() {
        for a in 0..=36_u32 {
            for b in 0..=36 - a {
                let shares = [a, b, 36 - a - b].map(|n| f64::from(n) / 36.0);
                let whole = whole_percents(&shares);
                assert_eq!(whole.iter().sum::<u32>(), 100, "{a} {b}");
                for (share, whole) in shares.iter().zip(&whole) {
                    assert!((100.0 * share - f64::from(*whole)).abs() < 1.0);
                    assert!(*share > 0.0 || *whole == 0);
                }
            }
        }
    }

    #[test]
    fn the_possible_is_no_dash_and_the_uncertain_no_hundred() {
        assert_eq!(stacked(0.0, 0, true), "–");
        assert_eq!(stacked(0.0, 0, false), "<1");
        assert_eq!(stacked(1e-9, 0, true), "<1");
        assert_eq!(stacked(0.9999, 100, true), ">99");
        assert_eq!(stacked(1.0, 100, true), "100");
        assert_eq!(stacked(1.0, 100, false), ">99");
        assert_eq!(alone(0.175, true), "18");
        assert_eq!(alone(0.004, true), "<1");
        assert_eq!(alone(0.9951, true), ">99");
        assert_eq!(alone(f64::NAN, true), "?");
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
            assert_eq!(mean(value, true), shown, "{value}");
        }
        assert_eq!(mean(0.0, false), "0");
    }
}
