//! How sure a price is, from what the doubt comes, and what would make it smaller.
//!
//! A log price is a line at a log worth. Its half width is that of three independent parts in
//! quadrature, each with its own quantile: the line, with the weapons it is drawn through; the worth, over
//! opponents, scenarios and rolled battles, times the slope; the assumptions, times the slope, whose
//! range is stated and needs no Student. There are no draws: the same evidence gives the same
//! interval to the last digit. A share is what the square of the width loses when its cause is
//! taken away, so that shares say what fixing something is worth.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::pool::{Known, square};
use enfilade_stats::line::{Fit, Line, student};

/// Everything that makes a log price uncertain.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// The line and the log worth it is read at; `None` in points of the reference troops.
    line: Option<(Fit, f64)>,
    known: Known,
    /// How unevenly the opponents are weighted: 1/K for K equal ones.
    concentration: f64,
}

/// Shares of the square of an interval's width; they add up to 1, or are all 0 when nothing is in
/// doubt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    /// The line through the other weapons.
    pub line: f64,
    /// Which opponents are met.
    pub opponents: f64,
    /// Which scenarios against the same opponent.
    pub scenarios: f64,
    /// Rolled battles.
    pub sampling: f64,
    /// Each assumption.
    pub assumptions: Vec<f64>,
}

impl Shares {
    /// All assumptions together.
    pub fn model(&self) -> f64 {
        self.assumptions.iter().sum::<f64>() + 0.0
    }
}

/// The normal law's quantile: an assumption's range is known.
const MANY: f64 = f64::INFINITY;

impl Doubt {
    /// The doubt in points of the reference troops.
    pub fn alone(known: Known, concentration: f64) -> Doubt {
        Doubt { line: None, known, concentration }
    }

    /// The doubt of what `fit` pays for a log worth.
    pub fn paid(fit: Fit, worth: f64, known: Known, concentration: f64) -> Doubt {
        Doubt { line: Some((fit, worth)), known, concentration }
    }

    fn slope(&self) -> f64 {
        let line = self.line.as_ref().map_or(Line::IDENTITY, |(fit, _)| fit.line);
        line.slope
    }

    /// Variances of the log price: of the line, of the worth, of the assumptions.
    fn variances(&self) -> [f64; 3] {
        let line = self.line.as_ref().map_or(0.0, |(fit, x)| fit.variance(*x));
        let levels = self.known.levels;
        let worth = levels.sampling + levels.scenarios + levels.opponents;
        let assumptions: f64 = self.known.effects.iter().map(|ends| square(*ends)).sum();
        let slope = self.slope() * self.slope();
        [line, slope * worth, slope * assumptions]
    }

    /// Degrees of freedom of the three.
    fn freedoms(&self) -> [f64; 3] {
        let line = self.line.as_ref().map_or(MANY, |(fit, _)| fit.df());
        [line, self.known.df, MANY]
    }

    /// How much each of the three adds to the square of the half width.
    fn squares(&self, missing: f64) -> [f64; 3] {
        let mut squares = self.variances();
        for (square, df) in squares.iter_mut().zip(self.freedoms()) {
            *square *= student(missing, df).powi(2);
        }
        squares
    }

    /// How far to either side an interval reaches that misses with probability `missing`.
    pub fn half(&self, missing: f64) -> f64 {
        self.squares(missing).iter().sum::<f64>().sqrt()
    }

    /// Standard error of the log price.
    pub fn error(&self) -> f64 {
        self.variances().iter().sum::<f64>().sqrt()
    }

    /// The chance of a log price at least `off` away from a right one: Student's t with the degrees
    /// of freedom of the sum (Welch and Satterthwaite).
    pub fn chance(&self, off: f64) -> f64 {
        let (variances, error) = (self.variances(), self.error());
        if error <= 0.0 {
            return if off == 0.0 { 1.0 } else { 0.0 };
        }
        let each = variances.iter().zip(self.freedoms());
        let inverse: f64 = each.map(|(variance, df)| variance * variance / df).sum();
        let df = (error.powi(4) / inverse).clamp(1.0, 1e4);
        let law = StudentsT::new(0.0, error, df);
        law.map_or(1.0, |law| 2.0 * law.cdf(-off.abs()))
    }

    /// What each cause has of the square of the width of the 95 % interval.
    pub fn shares(&self) -> Shares {
        let [line, worth, model] = self.squares(0.05);
        let all = line + worth + model;
        if all <= 0.0 {
            return Shares {
                assumptions: vec![0.0; self.known.effects.len()],
                ..Shares::default()
            };
        }
        let levels = self.known.levels;
        let below = levels.sampling + levels.scenarios + levels.opponents;
        // The levels are multiplied by one quantile, and so have shares of it as of the variance.
        let part = |level: f64| {
            if below > 0.0 { worth * level / below / all } else { 0.0 }
        };
        let squares = self.known.effects.iter().map(|ends| square(*ends));
        let sum: f64 = squares.clone().sum();
        let of = |square: f64| {
            if sum > 0.0 { model * square / sum / all } else { 0.0 }
        };
        Shares {
            line: line / all,
            opponents: part(levels.opponents),
            scenarios: part(levels.scenarios),
            sampling: part(levels.sampling),
            assumptions: squares.map(of).collect(),
        }
    }

    /// The doubt that is left when an assumption is fixed at its default.
    pub fn with_fixed(&self, assumption: usize) -> Doubt {
        let mut left = self.clone();
        left.known.effects[assumption] = (0.0, 0.0);
        left
    }

    /// The doubt that is left with one more opponent as unlike the others as they are.
    pub fn with_opponent(&self) -> Doubt {
        let mut left = self.clone();
        left.concentration = 1.0 / (1.0 / self.concentration + 1.0);
        let less = left.concentration / self.concentration;
        let levels = &mut left.known.levels;
        for level in [&mut levels.sampling, &mut levels.scenarios, &mut levels.opponents] {
            *level *= less;
        }
        left.known.df += 1.0;
        left
    }

    /// The doubt that is left when so many more weapons with prices as these are read beside it.
    pub fn with_weapons(&self, more: usize) -> Doubt {
        let line = self.line.clone();
        Doubt { line: line.map(|(fit, x)| (fit.with_more(more), x)), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::spread::Levels;
    use super::*;

    fn known(opponents: f64, df: f64, effects: &[(f64, f64)]) -> Known {
        Known { levels: Levels { opponents, ..Levels::default() }, df, effects: effects.to_vec() }
    }

    /// One opponent: 3.182 · 0.18 is 0.573, a factor of 1.77. Two: 2.776 · 0.18 / √2, 1.42.
    #[test]
    fn the_stated_prior_has_the_stated_widths() {
        for (opponents, df, factor) in [(1.0, 3.0, 1.77), (2.0, 4.0, 1.42)] {
            let doubt = Doubt::alone(known(0.0324 / opponents, df, &[]), 1.0 / opponents);
            assert!((doubt.half(0.05).exp() - factor).abs() < 0.01);
            assert!(doubt.half(0.10) < doubt.half(0.05));
            assert!((doubt.chance(doubt.half(0.05)) - 0.05).abs() < 1e-9);
        }
    }

    /// By hand: 2.228²·0.01 and 1.96²·(0.36/6).
    #[test]
    fn shares_are_what_fixing_saves() {
        let doubt = Doubt::alone(known(0.01, 10.0, &[(-0.3, 0.3), (0.0, 0.0)]), 0.25);
        let (worth, model) = (2.228_139_f64.powi(2) * 0.01, 1.959_964_f64.powi(2) * 0.03);
        let shares = doubt.shares();
        assert!((shares.assumptions[0] - model / (worth + model)).abs() < 1e-6);
        assert_eq!((shares.line, shares.assumptions[1]), (0.0, 0.0));
        let fixed = doubt.with_fixed(0);
        let saved = 1.0 - (fixed.half(0.05) / doubt.half(0.05)).powi(2);
        assert!((saved - shares.assumptions[0]).abs() < 1e-12);
        assert!((shares.opponents + shares.model() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn everything_that_helps_narrows() {
        let off = |i: i32| 0.3 * f64::from(i * 7 % 5 - 2);
        let points: Vec<_> = (0..9).map(|i| (f64::from(i), f64::from(i) + off(i))).collect();
        let fit = Fit::through(&points).expect("points");
        let doubt = Doubt::paid(fit, 8.0, known(0.01, 5.0, &[(0.1, -0.1)]), 0.2);
        let half = doubt.half(0.05);
        for left in [doubt.with_fixed(0), doubt.with_opponent(), doubt.with_weapons(10)] {
            assert!(left.half(0.05) < half);
        }
        assert_eq!(doubt.with_weapons(0), doubt);
    }

    #[test]
    fn what_is_certain_has_no_width() {
        let doubt = Doubt::alone(known(0.0, 3.0, &[]), 1.0);
        assert_eq!((doubt.half(0.05), doubt.chance(0.0), doubt.chance(0.1)), (0.0, 1.0, 0.0));
        assert_eq!(doubt.shares(), Shares::default());
    }
}
