//! The steps in which a game prints its prices, and the price to try next.
//!
//! A designer says the step (`price_step`), or it is found from the printed prices: the largest
//! round number that divides nine in ten of them, so that one odd price changes nothing. Where
//! nothing is found, small prices are told in points and large ones in fives and tens.

/// The largest change of a price in one revision, as a share of it; where one step of the game is
/// more, one step.
pub const LIMIT: f64 = 0.15;

/// Steps that games use, the largest first.
const STEPS: [f64; 7] = [100.0, 50.0, 25.0, 20.0, 10.0, 5.0, 2.0];

/// Prices below which a step is not found but chance.
const LEAST: usize = 8;

/// Steps of prices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ladder {
    /// All the same.
    Even(f64),
    /// Points below 100, fives below 500, tens above.
    Growing,
}

impl Ladder {
    /// The ladder that most of `prices` stand on.
    ///
    /// ```
    /// use enfilade_pricing::price::ladder::Ladder;
    /// let mut prices: Vec<f64> = (4..40).map(|n| 5.0 * f64::from(n)).collect();
    /// assert_eq!(Ladder::of(&prices), Ladder::Even(5.0));
    /// prices[3] = 37.0;
    /// assert_eq!(Ladder::of(&prices), Ladder::Even(5.0));
    /// assert_eq!(Ladder::of(&prices[..6]), Ladder::Growing);
    /// ```
    pub fn of(prices: &[f64]) -> Ladder {
        let on = |step: f64| prices.iter().filter(|price| (*price % step) == 0.0).count();
        let most = |step: &&f64| 10 * on(**step) >= 9 * prices.len();
        let found = STEPS.iter().find(most).filter(|_| prices.len() >= LEAST);
        found.map_or(Ladder::Growing, |step| Ladder::Even(*step))
    }

    /// What it is, in words.
    pub fn words(self) -> String {
        match self {
            Ladder::Even(step) => format!("steps of {step}"),
            Ladder::Growing => {
                "whole points below 100, steps of 5 below 500, steps of 10 above".to_owned()
            }
        }
    }

    fn step(self, price: f64) -> f64 {
        match self {
            Ladder::Even(step) => step,
            Ladder::Growing if price < 100.0 => 1.0,
            Ladder::Growing if price < 500.0 => 5.0,
            Ladder::Growing => 10.0,
        }
    }

    /// The step nearest to `price`, at least one.
    pub fn nearest(self, price: f64) -> f64 {
        let step = self.step(price);
        ((price / step).round() * step).max(step)
    }

    /// The price to try on the way from `price` to `fair`: at most [`LIMIT`] away, or one step.
    pub fn towards(self, price: f64, fair: f64) -> f64 {
        let (lowest, highest) = (price * (1.0 - LIMIT), price * (1.0 + LIMIT));
        let aim = fair.clamp(lowest, highest);
        let step = self.step(aim);
        let near = (aim / step).round() * step;
        let found = if near < lowest {
            (lowest / step).ceil() * step
        } else if near > highest {
            (highest / step).floor() * step
        } else {
            near
        };
        let on_the_way = |found: f64| found > 0.0 && (found - price) * (fair - price) > 0.0;
        if on_the_way(found) {
            return found;
        }
        // One step of the game is more than the limit: the next one, if it does not lead past.
        let next = match fair > price {
            true => ((price / step).floor() + 1.0) * step,
            false => ((price / step).ceil() - 1.0) * step,
        };
        let past = (next - fair) * (fair - price) > 0.0;
        if on_the_way(next) && !past { next } else { price }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 229 may go down to 194.65, which is 195 on the ladder; 52 up to 59.8, which is 59.
    #[test]
    fn tries_are_limited_and_on_the_ladder() {
        let ladder = Ladder::Growing;
        assert_eq!(ladder.towards(229.0, 100.0), 195.0);
        assert_eq!(ladder.towards(229.0, 211.0), 210.0);
        assert_eq!(ladder.towards(52.0, 90.0), 59.0);
        assert_eq!(ladder.towards(52.0, 55.2), 55.0);
        assert_eq!(ladder.towards(98.0, 500.0), 110.0);
        assert_eq!(ladder.towards(990.0, 700.0), 850.0);
        // 203 is nearer to 205 than 202.9 is: no step towards it.
        assert_eq!(ladder.towards(203.0, 202.9), 203.0);
    }

    #[test]
    fn a_game_of_fives_is_told_in_fives() {
        let ladder = Ladder::Even(5.0);
        assert_eq!(ladder.nearest(47.0), 45.0);
        assert_eq!(ladder.nearest(1.0), 5.0);
        // 15 % of 20 is less than a step, so it is one step.
        assert_eq!(ladder.towards(20.0, 60.0), 25.0);
        assert_eq!(ladder.towards(20.0, 12.0), 15.0);
        assert_eq!(ladder.towards(20.0, 22.0), 20.0);
        assert_eq!(ladder.towards(5.0, 1.0), 5.0);
        assert_eq!(ladder.towards(40.0, 70.0), 45.0);
        assert_eq!(ladder.towards(37.0, 60.0), 40.0);
    }

    #[test]
    fn no_try_passes_the_limit_or_the_fair_price() {
        for ladder in [Ladder::Growing, Ladder::Even(5.0)] {
            for tenth in 50..20_000 {
                let price = f64::from(tenth) / 10.0;
                for ratio in [0.2, 0.8, 0.97, 1.04, 1.3, 9.0] {
                    let found = ladder.towards(price, price * ratio);
                    let step = ladder.step(found.max(price));
                    let most = (LIMIT * price).max(step);
                    assert!((found - price).abs() <= most + 1e-9, "{price} {found}");
                    assert!((found - price) * (ratio - 1.0) >= 0.0);
                }
            }
        }
    }
}
