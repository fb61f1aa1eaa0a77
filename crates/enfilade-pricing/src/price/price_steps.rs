//! The steps in which a game prints its prices.
//!
//! The designer sets the step (`price_step`), or it is found from the printed prices: the largest
//! round number that divides nine in ten of them, so that one odd price changes nothing. If none is
//! found, small prices are shown in points and large ones in fives and tens.

use super::ranged_value::RangedValue;

/// Steps that games use, the largest first.
const COMMON_PRICE_STEPS: [f64; 7] = [100.0, 50.0, 25.0, 20.0, 10.0, 5.0, 2.0];

/// The smallest steps there are, the largest first.
const SMALLEST_PRICE_STEPS: [f64; 3] = [1.0, 0.5, 0.25];

/// Number of prices below which a large step may be chance.
const MIN_PRICES_FOR_STEP: usize = 8;

/// The share of a price above which a step is coarse.
const MIN_COARSE_STEP_SHARE: f64 = 0.10;

/// Steps of prices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PriceRounding {
    /// One step for all prices.
    Even(f64),
    /// This step below 100, fives below 500, tens above.
    Growing(f64),
}

impl PriceRounding {
    /// Finds the steps that divide most of `prices`.
    ///
    /// ```
    /// use enfilade_pricing::price::price_steps::PriceRounding;
    /// let mut prices: Vec<f64> = (4..40).map(|n| 5.0 * f64::from(n)).collect();
    /// assert_eq!(PriceRounding::from_step_of_most_prices(&prices), PriceRounding::Even(5.0));
    /// prices[3] = 37.0;
    /// assert_eq!(PriceRounding::from_step_of_most_prices(&prices), PriceRounding::Even(5.0));
    /// assert_eq!(PriceRounding::from_step_of_most_prices(&prices[..6]), PriceRounding::Growing(1.0));
    /// assert_eq!(PriceRounding::from_step_of_most_prices(&[2.5, 3.0, 12.25]), PriceRounding::Growing(0.25));
    /// ```
    pub fn from_step_of_most_prices(prices: &[f64]) -> PriceRounding {
        let on = |step: f64| prices.iter().filter(|price| (*price % step) == 0.0).count();
        let most = |step: &&f64| 10 * on(**step) >= 9 * prices.len();
        match COMMON_PRICE_STEPS.iter().find(most) {
            Some(step) if prices.len() >= MIN_PRICES_FOR_STEP => PriceRounding::Even(*step),
            // Prices that follow no step are shown in whole points.
            _ => PriceRounding::Growing(*SMALLEST_PRICE_STEPS.iter().find(most).unwrap_or(&1.0)),
        }
    }

    /// Describes the steps.
    pub fn describe_price_steps(self) -> String {
        match self {
            PriceRounding::Even(step) => format!("steps of {step}"),
            PriceRounding::Growing(least) => {
                format!("steps of {least} below 100, of 5 below 500, of 10 above")
            }
        }
    }

    /// The step at a price.
    pub fn step_at_price(self, price: f64) -> f64 {
        match self {
            PriceRounding::Even(step) => step,
            PriceRounding::Growing(least) if price < 100.0 => least,
            PriceRounding::Growing(_) if price < 500.0 => 5.0,
            PriceRounding::Growing(_) => 10.0,
        }
    }

    /// The step nearest to `price`, at least one.
    pub fn round_to_nearest(self, price: f64) -> f64 {
        let step = self.step_at_price(price);
        ((price / step).round() * step).max(step)
    }

    /// The largest step that is no more than `price`, at least one.
    pub fn round_down(self, price: f64) -> f64 {
        let step = self.step_at_price(price);
        ((price / step).floor() * step).max(step)
    }

    /// The smallest step that is no less than `price`.
    pub fn round_up(self, price: f64) -> f64 {
        let step = self.step_at_price(price);
        (price / step).ceil() * step
    }

    /// A price and its range in steps: the step nearest to the price, and from the first to the
    /// last step inside the range. So a price outside the range is outside it in steps as well.
    ///
    /// ```
    /// use enfilade_pricing::price::price_steps::PriceRounding;
    /// use enfilade_pricing::price::RangedValue;
    /// let range = RangedValue { best: 186.0, low: 105.8, high: 338.0 };
    /// let shown = PriceRounding::Even(5.0).round_range_inward(range);
    /// assert_eq!((shown.best, shown.low, shown.high), (185.0, 110.0, 335.0));
    /// ```
    pub fn round_range_inward(self, range: RangedValue) -> RangedValue {
        let best = self.round_to_nearest(range.best);
        let (low, high) = (self.round_up(range.low), self.round_down(range.high));
        RangedValue { best, low: low.min(best), high: high.max(best) }
    }

    /// The step at a price, if it is so large that rounding matters.
    pub fn step_if_coarse(self, price: f64) -> Option<f64> {
        let step = self.step_at_price(price);
        (step > MIN_COARSE_STEP_SHARE * price).then_some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_of_fives_is_told_in_fives() {
        let steps = PriceRounding::Even(5.0);
        assert_eq!((steps.round_to_nearest(47.0), steps.round_to_nearest(1.0)), (45.0, 5.0));
        assert_eq!(
            (steps.round_down(49.9), steps.round_up(45.1), steps.round_up(45.0)),
            (45.0, 50.0, 45.0)
        );
        assert_eq!((steps.step_if_coarse(49.0), steps.step_if_coarse(51.0)), (Some(5.0), None));
        assert_eq!(steps.step_if_coarse(50.0), None, "a tenth is not above a tenth");
        let growing = PriceRounding::Growing(0.5);
        assert_eq!(
            (growing.round_to_nearest(12.3), growing.round_to_nearest(212.0)),
            (12.5, 210.0)
        );
        assert_eq!((growing.round_to_nearest(994.0), growing.round_to_nearest(0.1)), (990.0, 0.5));
    }

    /// Between 41 and 44 there is no step of fives: the nearest to the price is shown alone.
    #[test]
    fn a_range_without_a_step_is_the_nearest_step() {
        let shown = PriceRounding::Even(5.0).round_range_inward(RangedValue {
            best: 42.0,
            low: 41.0,
            high: 44.0,
        });
        assert_eq!((shown.low, shown.best, shown.high), (40.0, 40.0, 40.0));
        let shown = PriceRounding::Even(5.0).round_range_inward(RangedValue {
            best: 0.6,
            low: 0.2,
            high: 24.9,
        });
        assert_eq!((shown.low, shown.best, shown.high), (5.0, 5.0, 20.0));
    }

    #[test]
    fn halves_and_quarters_are_found() {
        let halves: Vec<f64> = (1..20).map(|n| 0.5 * f64::from(n)).collect();
        assert_eq!(PriceRounding::from_step_of_most_prices(&halves), PriceRounding::Growing(0.5));
        let quarters: Vec<f64> = (1..20).map(|n| 0.25 * f64::from(n)).collect();
        assert_eq!(
            PriceRounding::from_step_of_most_prices(&quarters),
            PriceRounding::Growing(0.25)
        );
        assert_eq!(PriceRounding::from_step_of_most_prices(&[]), PriceRounding::Growing(1.0));
    }
}
