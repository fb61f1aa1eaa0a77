//! What to do about a price: over, under or hold, and the next step.
//!
//! A price within the interval stays. Any other one moves towards its fair price by at most
//! [`LIMIT`] per revision, onto the ladder of prices: whole points below 100, fives below 500, tens
//! above. A price of which one step of the ladder is more than the limit stays, too.

use crate::stats::intervals::Interval;

/// The largest change of a price in one revision, as a share of it.
pub const LIMIT: f64 = 0.15;

/// What the ladder is, in words.
pub const LADDER: &str = "whole points below 100, steps of 5 below 500, steps of 10 above";

/// What a price is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Above the interval of the fair price.
    Over,
    /// Below it.
    Under,
    /// Within it.
    Hold,
}

impl Verdict {
    /// The verdict on `price` when the fair price lies in `interval`.
    pub fn of(price: f64, interval: Interval) -> Verdict {
        if interval.holds(price) {
            Verdict::Hold
        } else if price > interval.high {
            Verdict::Over
        } else {
            Verdict::Under
        }
    }

    /// `over`, `under` or `hold`.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Over => "over",
            Verdict::Under => "under",
            Verdict::Hold => "hold",
        }
    }
}

/// The price to try next.
pub fn suggested(price: f64, fair: f64, verdict: Verdict) -> f64 {
    if verdict == Verdict::Hold || !price.is_finite() || !fair.is_finite() {
        return price;
    }
    let (lowest, highest) = (price * (1.0 - LIMIT), price * (1.0 + LIMIT));
    let aim = fair.clamp(lowest, highest);
    let step = step(aim);
    let near = (aim / step).round() * step;
    let found = if near < lowest {
        (lowest / step).ceil() * step
    } else if near > highest {
        (highest / step).floor() * step
    } else {
        near
    };
    // A step that is not on the way, or leads past the limit, is no step.
    let on_the_way = (found - price) * (fair - price) > 0.0;
    if on_the_way && (lowest..=highest).contains(&found) {
        found
    } else {
        price
    }
}

fn step(price: f64) -> f64 {
    match price {
        price if price < 100.0 => 1.0,
        price if price < 500.0 => 5.0,
        _ => 10.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_within_its_interval_stays() {
        let interval = Interval {
            low: 90.0,
            high: 120.0,
        };
        for (price, verdict) in [
            (89.9, Verdict::Under),
            (90.0, Verdict::Hold),
            (120.0, Verdict::Hold),
            (121.0, Verdict::Over),
        ] {
            assert_eq!(Verdict::of(price, interval), verdict, "{price}");
        }
        assert_eq!(suggested(229.0, 100.0, Verdict::Hold), 229.0);
    }

    /// By hand: 229 may go down to 194.65, which is 195 on the ladder; 52 up to 59.8, which is 59.
    #[test]
    fn suggestions_are_limited_and_on_the_ladder() {
        assert_eq!(suggested(229.0, 100.0, Verdict::Over), 195.0);
        assert_eq!(suggested(229.0, 211.0, Verdict::Over), 210.0);
        assert_eq!(suggested(52.0, 90.0, Verdict::Under), 59.0);
        assert_eq!(suggested(52.0, 55.2, Verdict::Under), 55.0);
        assert_eq!(suggested(98.0, 500.0, Verdict::Under), 110.0);
        assert_eq!(suggested(990.0, 700.0, Verdict::Over), 850.0);
        // One point of 5 is more than 15 %.
        assert_eq!(suggested(5.0, 3.0, Verdict::Over), 5.0);
        // 203 is nearer to 205 than 202.9 is: no step towards it.
        assert_eq!(suggested(203.0, 202.9, Verdict::Over), 203.0);
    }

    #[test]
    fn no_suggestion_leaves_the_limit_or_passes_over_the_price() {
        for tenth in 10..20_000 {
            let price = f64::from(tenth) / 10.0;
            for ratio in [0.2, 0.8, 0.97, 1.04, 1.3, 9.0] {
                let verdict = if ratio < 1.0 {
                    Verdict::Over
                } else {
                    Verdict::Under
                };
                let found = suggested(price, price * ratio, verdict);
                assert!(
                    (found / price - 1.0).abs() <= LIMIT + 1e-12,
                    "{price} {found}"
                );
                assert!((found - price) * (ratio - 1.0) >= 0.0);
            }
        }
    }
}
