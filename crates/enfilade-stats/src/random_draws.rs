//! Random numbers for resampling: normal and gamma draws from a key.
//!
//! The same key gives the same numbers on every machine that rounds as IEEE 754 requires and has
//! the same logarithms. Sources: Marsaglia & Bray 1964 (normal), Marsaglia & Tsang 2000 (gamma).
//! Not here: dice. They never touch a floating-point number and live with the engines.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Stream of random draws.
#[derive(Clone, Debug)]
pub struct RandomDraws(Xoshiro256PlusPlus);

impl RandomDraws {
    /// Creates the stream of a key, such as the hash of a seed and of a work unit.
    pub fn new(key: [u8; 32]) -> RandomDraws {
        RandomDraws(Xoshiro256PlusPlus::from_seed(key))
    }

    /// Returns 64 random bits.
    #[inline]
    pub fn next_bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Draws a uniform number between 0 and 1, both excluded.
    pub fn draw_uniform(&mut self) -> f64 {
        // Uses 53 bits and the middle of their step; the middle of the last one rounds to 1.
        let middle = ((self.next_bits() >> 11) as f64 + 0.5) * (1.0 / (1_u64 << 53) as f64);
        middle.min(1.0_f64.next_down())
    }

    /// Draws a normal number with mean 0 and variance 1.
    pub fn draw_normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.draw_uniform() - 1.0, 2.0 * self.draw_uniform() - 1.0);
            let square = x * x + y * y;
            if square < 1.0 && square > 0.0 {
                return x * (-2.0 * square.ln() / square).sqrt();
            }
        }
    }

    /// Draws a gamma number with this shape and scale 1; 0 if the shape is not positive.
    pub fn draw_gamma(&mut self, shape: f64) -> f64 {
        if shape.is_nan() || shape <= 0.0 {
            return 0.0;
        }
        if shape < 1.0 {
            let smaller = self.draw_uniform().powf(1.0 / shape);
            return self.draw_gamma(shape + 1.0) * smaller;
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.draw_normal();
            let v = (1.0 + c * x).powi(3);
            if v > 0.0 && self.draw_uniform().ln() < 0.5 * x * x + d * (1.0 - v + v.ln()) {
                return d * v;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: usize = 200_000;

    fn moments(mut draw: impl FnMut(&mut RandomDraws) -> f64) -> (f64, f64) {
        let mut draws = RandomDraws::new([7; 32]);
        let values: Vec<_> = (0..MANY).map(|_| draw(&mut draws)).collect();
        let mean = values.iter().sum::<f64>() / MANY as f64;
        let square = values.iter().map(|x| (x - mean) * (x - mean));
        (mean, square.sum::<f64>() / MANY as f64)
    }

    /// Draws stay within five standard errors of the moments of the distributions.
    #[test]
    fn moments_are_those_of_the_laws() {
        let close = |found: f64, expected: f64, spread: f64| {
            let error = 5.0 * spread / (MANY as f64).sqrt();
            assert!((found - expected).abs() < error, "{found} {expected}");
        };
        let (mean, variance) = moments(RandomDraws::draw_normal);
        close(mean, 0.0, 1.0);
        close(variance, 1.0, 2f64.sqrt());
        for shape in [0.3, 1.0, 4.5] {
            let (mean, variance) = moments(|draws| draws.draw_gamma(shape));
            close(mean, shape, shape.sqrt());
            // The fourth central moment of gamma is 3k² + 6k.
            let spread = (3.0 * shape * shape + 6.0 * shape - shape * shape).sqrt();
            close(variance, shape, spread);
        }
    }

    #[test]
    fn odd_parameters_do_no_harm() {
        let mut draws = RandomDraws::new([1; 32]);
        assert_eq!(draws.draw_gamma(0.0), 0.0);
        assert_eq!(draws.draw_gamma(f64::NAN), 0.0);
    }
}
