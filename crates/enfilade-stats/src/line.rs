//! A line through points of which some are wrong, whose slope is drawn weakly to 1: an MM-line
//! (Yohai 1987) with bisquare weights (Beaton & Tukey 1974).
//!
//! A few weapons with wrong prices must not move the line they are judged by. It begins where an
//! M-scale of the residuals, two in five of which may be anything, is smallest over slopes around 1;
//! that scale stays, so the steps come to one end. (Where half of them may be, a few points that
//! happen to lie on a line throw the others away, and the range is too narrow.) A bisquare weight
//! falls to nothing at 5.2 scales (96.7 % efficient on normal points), so a point that is far off is
//! thrown away whole; Huber's line, repeated medians, Theil–Sen, trimmed squares and the line of the
//! smallest median deviation only hold it back or begin too far off, and were tried. What is thrown
//! away has no say in the scale either, so that a point that is far off and one that is left out come
//! to the same line. The scale is about the slope that was found and not about 1: of thirteen weapons
//! whose prices scatter by 20 %, one ten times too dear moves nobody, also where twice the worth
//! costs 2.64 times. A penalty on the slope, as of a normal law around 1 with [`SLOPE_SPREAD`],
//! steadies the ends of a line through few points. The variance of the line comes from the same
//! sums, with no draws; level, slope and scale are fitted, which takes three degrees of freedom of it.
//! Not here: high leverage; the places are worths of weapons, not errors.

use std::f64::consts::SQRT_2;

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::erf::erfc_inv;

/// Scales at which a point counts for nothing.
const BISQUARE: f64 = 5.2;

/// The same where the scale is sought: there two points of five may be anything, and the mean loss of
/// normal points is that share.
const SOUGHT: f64 = 1.988;
const WRONG: f64 = 0.4;

/// Slopes that are tried for a start: so many, from the first in such steps.
const TRIED: (u32, f64, f64) = (15, 0.3, 0.1);

/// Standard deviation of the slope around 1, before any point is seen.
pub const SLOPE_SPREAD: f64 = 0.5;

/// What makes the weighted mean square of normal points with bisquare weights their variance: by
/// integration, E[w]/E[w·z²].
const CONSISTENT: f64 = 1.1647;

/// The median absolute deviation of normal points is their standard deviation over this.
const MAD: f64 = 1.4826;

/// The least robust scale: prices within a thousandth of a line are all on it.
const LEAST_SCALE: f64 = 1e-3;

/// Reweighting steps; ten are usual.
const STEPS: usize = 50;

/// Steps to a scale, and the share of it below which a step is none.
const SCALING: usize = 20;
const SETTLED: f64 = 1e-4;

/// y = start + slope·x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Where it meets x = 0.
    pub start: f64,
    /// How steeply it rises; never negative.
    pub slope: f64,
}

impl Line {
    /// The line on which y = x.
    pub const IDENTITY: Line = Line { start: 0.0, slope: 1.0 };

    /// y at `x`.
    pub fn at(self, x: f64) -> f64 {
        self.start + self.slope * x
    }
}

/// A line with what is known of its error.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The line.
    pub line: Line,
    /// How much each point counts, 0 to 1, in their order.
    pub weights: Vec<f64>,
    /// The weighted mean of x.
    pub middle: f64,
    /// The sum of the weights.
    pub sum: f64,
    /// The weighted square of x about its mean, with what the slope was drawn by.
    pub square: f64,
    /// Variance of a point about the line.
    pub scatter: f64,
}

impl Fit {
    /// The line through `points` (x, y); `None` without points.
    ///
    /// ```
    /// use enfilade_stats::line::Fit;
    /// let mut points: Vec<_> = (0..20).map(|i| (f64::from(i), 3.0 + f64::from(i))).collect();
    /// points[7].1 += 5.0;
    /// let fit = Fit::through(&points).expect("there are points");
    /// assert!((fit.line.at(7.0) - 10.0).abs() < 1e-9);
    /// assert_eq!(fit.weights[7], 0.0);
    /// ```
    pub fn through(points: &[(f64, f64)]) -> Option<Fit> {
        let mut kept = vec![true; points.len()];
        let bent = loop {
            let bent = Bent::through(points, &kept)?;
            let counts = bent.weights(points).into_iter().map(|weight| weight > 0.0);
            let fewer: Vec<bool> =
                counts.zip(&kept).map(|(counts, kept)| counts && *kept).collect();
            // A line through fewer than half of the points is a line through something else.
            let most = 2 * fewer.iter().filter(|kept| **kept).count() >= points.len();
            if fewer == kept || !most {
                break bent;
            }
            kept = fewer;
        };
        let (line, weights) = (bent.line, bent.weights(points));
        let sums = Sums::of(points, &weights);
        let square = |((x, y), weight): (&(f64, f64), &f64)| weight * (y - line.at(*x)).powi(2);
        let squares: f64 = points.iter().zip(&weights).map(square).sum();
        let scatter = CONSISTENT * squares / (sums.weight - 3.0).max(1.0);
        Some(Fit {
            line,
            weights,
            middle: sums.x,
            sum: sums.weight,
            square: sums.xx + scatter / SLOPE_SPREAD.powi(2),
            scatter,
        })
    }

    /// Variance of the line at `x`.
    pub fn variance(&self, x: f64) -> f64 {
        let slope = if self.square > 0.0 { (x - self.middle).powi(2) / self.square } else { 0.0 };
        self.scatter * (1.0 / self.sum + slope)
    }

    /// Degrees of freedom of its variance.
    pub fn df(&self) -> f64 {
        (self.sum - 2.0).max(2.0)
    }

    /// How far the slope may be from what was found, at 95 %.
    pub fn slope_doubt(&self) -> f64 {
        let variance = if self.square > 0.0 { self.scatter / self.square } else { 0.0 };
        student(0.05, self.df()) * variance.sqrt()
    }

    /// The same line if there were `more` points of the same kind.
    pub fn with_more(&self, more: usize) -> Fit {
        let drawn = self.scatter / SLOPE_SPREAD.powi(2);
        let grown = 1.0 + more as f64 / self.weights.len() as f64;
        Fit { sum: self.sum * grown, square: (self.square - drawn) * grown + drawn, ..self.clone() }
    }
}

/// How many standard errors an interval of Student's t with `df` degrees of freedom reaches to either
/// side when it misses with probability `missing`; the normal law's where they are many.
pub fn student(missing: f64, df: f64) -> f64 {
    let normal = SQRT_2 * erfc_inv(missing);
    match StudentsT::new(0.0, 1.0, df) {
        Ok(law) if df < 1e4 => law.inverse_cdf(1.0 - 0.5 * missing),
        _ => normal,
    }
}

/// A line with the scale beyond which points count for nothing.
struct Bent {
    line: Line,
    scale: f64,
}

impl Bent {
    /// The line whose scale comes from those that are `kept`.
    fn through(points: &[(f64, f64)], kept: &[bool]) -> Option<Bent> {
        let among = points.iter().zip(kept).filter(|(_, kept)| **kept).map(|(point, _)| *point);
        let mut bent = Bent::start(&among.collect::<Vec<_>>())?;
        let drawn = (bent.scale / SLOPE_SPREAD).powi(2);
        for _ in 0..STEPS {
            let next = Sums::of(points, &bent.weights(points)).line(drawn);
            let moved = (next.start - bent.line.start).abs() + (next.slope - bent.line.slope).abs();
            bent.line = next;
            if moved < 1e-12 {
                break;
            }
        }
        Some(bent)
    }

    /// Of the slopes tried the one that is likeliest by its scale and by the law around 1; `None`
    /// without points.
    fn start(points: &[(f64, f64)]) -> Option<Bent> {
        let (tried, first, step) = TRIED;
        let with = |place| Bent::with_slope(points, first + step * f64::from(place));
        let unlikely = |bent: &Bent| {
            let off = (bent.line.slope - 1.0) / SLOPE_SPREAD;
            points.len() as f64 * bent.scale.ln() + 0.5 * off * off
        };
        let all: Option<Vec<Bent>> = (0..tried).map(with).collect();
        all?.into_iter().min_by(|a, b| unlikely(a).total_cmp(&unlikely(b)))
    }

    /// The level and the M-scale at a slope: the scale at which the mean bisquare loss is what two in
    /// five of the points that level and slope do not settle would make by themselves (Rousseeuw &
    /// Yohai 1984).
    fn with_slope(points: &[(f64, f64)], slope: f64) -> Option<Bent> {
        let residuals: Vec<f64> = points.iter().map(|(x, y)| y - slope * x).collect();
        let mut start = median(residuals.clone())?;
        let off = residuals.iter().map(|r| (r - start).abs());
        let mut scale = (MAD * median(off.collect())?).max(LEAST_SCALE);
        let count = residuals.len() as f64;
        let loss = WRONG * (1.0 - 2.0 / count).max(0.2);
        for _ in 0..SCALING {
            let (mut lost, mut weight, mut sum) = (0.0, 0.0, 0.0);
            for residual in &residuals {
                let near = 1.0 - ((residual - start) / (SOUGHT * scale)).powi(2).min(1.0);
                lost += 1.0 - near.powi(3);
                weight += near.powi(2);
                sum += near.powi(2) * residual;
            }
            let before = (scale, start);
            scale = (scale * (lost / count / loss).sqrt()).max(LEAST_SCALE);
            if weight > 0.0 {
                start = sum / weight;
            }
            if (scale - before.0).abs() + (start - before.1).abs() < SETTLED * scale {
                break;
            }
        }
        Some(Bent { line: Line { start, slope }, scale })
    }

    fn weights(&self, points: &[(f64, f64)]) -> Vec<f64> {
        let weight = |(x, y): &(f64, f64)| {
            let far = (y - self.line.at(*x)) / (BISQUARE * self.scale);
            (1.0 - far * far).max(0.0).powi(2)
        };
        points.iter().map(weight).collect()
    }
}

/// Weighted sums about their means.
struct Sums {
    weight: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
}

impl Sums {
    fn of(points: &[(f64, f64)], weights: &[f64]) -> Sums {
        let pairs = || points.iter().zip(weights);
        let weight: f64 = weights.iter().sum();
        let x = pairs().map(|((x, _), w)| w * x).sum::<f64>() / weight;
        let y = pairs().map(|((_, y), w)| w * y).sum::<f64>() / weight;
        Sums {
            weight,
            x,
            y,
            xx: pairs().map(|((a, _), w)| w * (a - x) * (a - x)).sum(),
            xy: pairs().map(|((a, b), w)| w * (a - x) * (b - y)).sum(),
        }
    }

    /// The line, its slope drawn to 1 with the force `drawn`.
    fn line(&self, drawn: f64) -> Line {
        let slope = ((self.xy + drawn) / (self.xx + drawn)).max(0.0);
        Line { start: self.y - slope * self.x, slope }
    }
}

/// The value with as many below as above; the mean of two such values. `None` without values.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    let upper = *values.get(half)?;
    Some(match values.len() % 2 {
        0 => 0.5 * (values[half - 1] + upper),
        _ => upper,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 9.0]), Some(3.0));
        assert_eq!(median(Vec::new()), None);
    }

    #[test]
    fn a_clean_line_is_found_whatever_its_slope() {
        for slope in [0.8, 1.4] {
            let points: Vec<_> =
                (0..20).map(|i| (f64::from(i), 3.0 + slope * f64::from(i))).collect();
            let fit = Fit::through(&points).expect("there are points");
            // The draw to 1 is weak beside twenty points far apart, and turns about their middle.
            assert!((fit.line.slope - slope).abs() < 0.1, "{fit:?}");
            assert!((fit.line.at(9.5) - 3.0 - slope * 9.5).abs() < 1e-6);
        }
    }

    /// By hand: x² sums to 2 and xy to 4; drawn with a force of 2 the slope is (4 + 2)/(2 + 2).
    #[test]
    fn the_slope_is_drawn_to_one() {
        let points = [(-1.0, -2.0), (0.0, 0.0), (1.0, 2.0)];
        let sums = Sums::of(&points, &[1.0; 3]);
        assert_eq!(sums.line(0.0), Line { start: 0.0, slope: 2.0 });
        assert_eq!(sums.line(2.0), Line { start: 0.0, slope: 1.5 });
    }

    /// By hand: at slope 1 four points are off by 1. Of four the loss is 0.4·(1 − 2/4), so the scale
    /// is that at which 1 − (1 − u)³ = 1/5: u = 1 − ∛(4/5) = 0.071682, and 1/(1.988·√u) = 1.87878.
    #[test]
    fn it_begins_where_the_scale_is_smallest() {
        let points = [(0.0, 1.0), (0.0, -1.0), (1.0, 2.0), (1.0, 0.0)];
        let bent = Bent::start(&points).expect("points");
        assert_eq!(bent.line.slope, 1.0);
        assert!(bent.line.start.abs() < 1e-12 && (bent.scale - 1.87878).abs() < 1e-3);
        // Six on a line of slope 1.5 and two elsewhere: theirs, not 1.
        let line = (0..6).map(|i| (f64::from(i), 1.5 * f64::from(i)));
        let points: Vec<_> = line.chain([(1.0, 9.0), (3.0, -9.0)]).collect();
        let fit = Fit::through(&points).expect("points");
        assert!((fit.line.slope - 1.5).abs() < 1e-3, "{fit:?}");
        assert_eq!(fit.weights[6..], [0.0, 0.0]);
    }

    #[test]
    fn it_never_falls_and_needs_no_spread() {
        let falling = [(0.0, 8.0), (4.0, 4.0), (8.0, 0.0), (12.0, -5.0)];
        let fit = Fit::through(&falling).expect("points");
        assert!(fit.line.slope >= 0.0);
        let level = Fit::through(&[(2.0, 3.0), (2.0, 3.5), (2.0, 9.0)]).expect("points");
        assert_eq!(level.line.slope, 1.0);
        assert!(level.variance(2.0).is_finite() && level.variance(5.0).is_finite());
        assert_eq!(Fit::through(&[]), None);
    }

    /// Weights of 1 at ±1 and 0 and a scatter of 0.3: 0.3·(1/3 + x²/(2 + 0.3/0.25)).
    #[test]
    fn more_points_make_it_surer() {
        let fit = Fit {
            line: Line::IDENTITY,
            weights: vec![1.0; 3],
            middle: 0.0,
            sum: 3.0,
            square: 2.0 + 0.3 / 0.25,
            scatter: 0.3,
        };
        assert!((fit.variance(1.0) - 0.3 * (1.0 / 3.0 + 1.0 / 3.2)).abs() < 1e-12);
        let twice = fit.with_more(3);
        assert!((twice.variance(1.0) - 0.3 * (1.0 / 6.0 + 1.0 / 5.2)).abs() < 1e-12);
        assert_eq!((fit.df(), twice.df()), (2.0, 4.0));
    }

    /// Tables of Student's t: 4.303 at 2 degrees of freedom, 2.228 at 10, 1.960 at many; 90 %: 1.812.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (missing, df, t) in [
            (0.05, 2.0, 4.303),
            (0.05, 10.0, 2.228),
            (0.05, f64::INFINITY, 1.960),
            (0.10, 10.0, 1.812),
        ] {
            assert!((student(missing, df) - t).abs() < 1e-3, "{missing} {df}");
        }
    }
}
