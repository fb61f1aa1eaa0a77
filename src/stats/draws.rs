//! Random numbers for resampling: normal, chi-square and Dirichlet draws from a key.
//!
//! The same key gives the same numbers on every machine that rounds as IEEE 754 says and has the
//! same logarithms. Sources: Marsaglia & Bray 1964 (normal), Marsaglia & Tsang 2000 (gamma).
//! Not here: dice. They never touch a floating-point number and live with the engines.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A stream of draws.
#[derive(Clone, Debug)]
pub struct Draws(Xoshiro256PlusPlus);

impl Draws {
    /// The stream of a key, such as [`Stream::key`](crate::stream::Stream::key) gives.
    pub fn new(key: [u8; 32]) -> Draws {
        Draws(Xoshiro256PlusPlus::from_seed(key))
    }

    /// Uniform between 0 and 1, neither of them.
    pub fn uniform(&mut self) -> f64 {
        // 53 bits and the middle of their step.
        ((self.0.next_u64() >> 11) as f64 + 0.5) * (1.0 / (1_u64 << 53) as f64)
    }

    /// Normal with mean 0 and variance 1.
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = x * x + y * y;
            if square < 1.0 && square > 0.0 {
                return x * (-2.0 * square.ln() / square).sqrt();
            }
        }
    }

    /// Gamma with this shape and scale 1; 0 where the shape is not positive.
    pub fn gamma(&mut self, shape: f64) -> f64 {
        if shape.is_nan() || shape <= 0.0 {
            return 0.0;
        }
        if shape < 1.0 {
            let smaller = self.uniform().powf(1.0 / shape);
            return self.gamma(shape + 1.0) * smaller;
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let v = (1.0 + c * x).powi(3);
            if v > 0.0 && self.uniform().ln() < 0.5 * x * x + d * (1.0 - v + v.ln()) {
                return d * v;
            }
        }
    }

    /// √(df/χ²): what turns a normal draw into one of Student's t with `df` degrees of freedom.
    ///
    /// 1 where the degrees of freedom are infinite; they count as at least 1.
    pub fn student_scale(&mut self, df: f64) -> f64 {
        if df == f64::INFINITY {
            return 1.0;
        }
        let df = df.max(1.0);
        (0.5 * df / self.gamma(0.5 * df).max(1e-300)).sqrt()
    }

    /// Weights that add up to 1, around `mean` (which adds up to 1), with a total concentration.
    ///
    /// The variance of weight i is mᵢ(1 − mᵢ)/(concentration + 1); a mean of 0 stays 0.
    pub fn dirichlet(&mut self, mean: &[f64], concentration: f64) -> Vec<f64> {
        let gammas = mean.iter().map(|m| self.gamma(m * concentration));
        let gammas: Vec<f64> = gammas.collect();
        let sum: f64 = gammas.iter().sum();
        if sum > 0.0 && sum.is_finite() {
            return gammas.iter().map(|gamma| gamma / sum).collect();
        }
        mean.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: usize = 200_000;

    fn moments(mut draw: impl FnMut(&mut Draws) -> f64) -> (f64, f64) {
        let mut draws = Draws::new([7; 32]);
        let values: Vec<_> = (0..MANY).map(|_| draw(&mut draws)).collect();
        let mean = values.iter().sum::<f64>() / MANY as f64;
        let square = values.iter().map(|x| (x - mean) * (x - mean));
        (mean, square.sum::<f64>() / MANY as f64)
    }

    /// Within five standard errors of the moments of the laws.
    #[test]
    fn moments_are_those_of_the_laws() {
        let close = |found: f64, expected: f64, spread: f64| {
            let error = 5.0 * spread / (MANY as f64).sqrt();
            assert!((found - expected).abs() < error, "{found} {expected}");
        };
        let (mean, variance) = moments(Draws::normal);
        close(mean, 0.0, 1.0);
        close(variance, 1.0, 2f64.sqrt());
        for shape in [0.3, 1.0, 4.5] {
            let (mean, variance) = moments(|draws| draws.gamma(shape));
            close(mean, shape, shape.sqrt());
            // The fourth central moment of gamma is 3k² + 6k.
            let spread = (3.0 * shape * shape + 6.0 * shape - shape * shape).sqrt();
            close(variance, shape, spread);
        }
        let (mean, variance) = moments(|draws| draws.dirichlet(&[0.2, 0.3, 0.5], 4.0)[1]);
        close(mean, 0.3, 0.21f64.sqrt());
        close(variance, 0.3 * 0.7 / 5.0, 0.1);
        // t with 10 degrees of freedom has variance 10/8.
        let (_, variance) = moments(|draws| draws.normal() * draws.student_scale(10.0));
        close(variance, 1.25, 2.5);
    }

    #[test]
    fn odd_parameters_do_no_harm() {
        let mut draws = Draws::new([1; 32]);
        assert_eq!(draws.gamma(0.0), 0.0);
        assert_eq!(draws.gamma(f64::NAN), 0.0);
        assert_eq!(draws.student_scale(f64::INFINITY), 1.0);
        assert!(draws.student_scale(0.0).is_finite());
        assert_eq!(draws.dirichlet(&[], 3.0), Vec::<f64>::new());
        assert_eq!(draws.dirichlet(&[0.25, 0.75], 0.0), [0.25, 0.75]);
        let tiny = draws.dirichlet(&[0.5, 0.5], 1e-9);
        assert!((tiny.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
