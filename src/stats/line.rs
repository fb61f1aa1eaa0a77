//! A line through points of which some are wrong: Huber's regression, with a rising slope.
//!
//! A few weapons with wrong prices must not move the curve they are judged by. Points far from the
//! line, by Huber's 1.345 robust standard deviations, pull no harder than points at that distance
//! (Huber 1964). The scale is the median absolute deviation of the start, a weighted median line,
//! and stays as it is, so the steps come to one end. The two-by-two system is nalgebra's.
//! Not here: high leverage; the places are values of weapons, not errors.

use nalgebra::{Matrix2, Vector2};

/// Standard deviations beyond which a point pulls no harder: 95 % efficient on clean points.
const HUBER: f64 = 1.345;

/// Reweighting steps.
const STEPS: usize = 30;

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
    pub const IDENTITY: Line = Line {
        start: 0.0,
        slope: 1.0,
    };

    /// y at `x`.
    pub fn at(self, x: f64) -> f64 {
        self.start + self.slope * x
    }
}

/// The line through `points` (x, y) with `weights`, as many and not negative.
///
/// A line that would fall is level. Points all at one x give slope 1, so that the line says how
/// much y exceeds x. `None` without points of positive weight.
pub fn rising(points: &[(f64, f64)], weights: &[f64]) -> Option<Line> {
    let middle = |value: &dyn Fn(usize) -> f64| {
        let pairs = (0..points.len().min(weights.len())).map(|i| (value(i), weights[i]));
        weighted_median(pairs.collect())
    };
    let x = middle(&|i| points[i].0)?;
    // The start: slope 1 through the weighted medians.
    let mut line = Line {
        start: middle(&|i| points[i].1 - points[i].0)?,
        slope: 1.0,
    };
    let scale = 1.4826 * middle(&|i| (points[i].1 - line.at(points[i].0)).abs())?;
    if scale.is_nan() || scale <= 0.0 {
        return Some(line);
    }
    for _ in 0..STEPS {
        let Some(next) = reweighted(points, weights, line, HUBER * scale, x) else {
            break;
        };
        let moved = (next.at(x) - line.at(x)).abs() + (next.slope - line.slope).abs();
        line = next;
        if moved < 1e-10 {
            break;
        }
    }
    Some(line)
}

/// One step of least squares with the weights that the last line gives, around `middle`.
fn reweighted(
    points: &[(f64, f64)],
    weights: &[f64],
    line: Line,
    limit: f64,
    middle: f64,
) -> Option<Line> {
    let (mut matrix, mut vector) = (Matrix2::zeros(), Vector2::zeros());
    for (&(x, y), weight) in points.iter().zip(weights) {
        let far = (y - line.at(x)).abs();
        let weight = weight * if far > limit { limit / far } else { 1.0 };
        let place = Vector2::new(1.0, x - middle);
        matrix += place * place.transpose() * weight;
        vector += place * (weight * y);
    }
    let spread: f64 = matrix[(1, 1)];
    if spread <= 1e-12 * matrix[(0, 0)] {
        return None;
    }
    let level = vector[0] / matrix[(0, 0)];
    match matrix.try_inverse().map(|inverse| inverse * vector) {
        Some(found) if found[1] > 0.0 => Some(Line {
            start: found[0] - found[1] * middle,
            slope: found[1],
        }),
        _ => Some(Line {
            start: level,
            slope: 0.0,
        }),
    }
}

/// The value with half the weight on each side; the mean of two such values.
///
/// `None` without positive weight.
pub fn weighted_median(mut pairs: Vec<(f64, f64)>) -> Option<f64> {
    pairs.retain(|(value, weight)| value.is_finite() && *weight > 0.0);
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = 0.5 * pairs.iter().map(|(_, weight)| weight).sum::<f64>();
    let mut below = 0.0;
    for (place, &(value, weight)) in pairs.iter().enumerate() {
        below += weight;
        if (below - half).abs() <= 1e-12 * half && place + 1 < pairs.len() {
            return Some(0.5 * (value + pairs[place + 1].0));
        }
        if below > half {
            return Some(value);
        }
    }
    pairs.last().map(|(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_weighted() {
        let median = |pairs: &[(f64, f64)]| weighted_median(pairs.to_vec());
        assert_eq!(median(&[(3.0, 1.0), (1.0, 1.0), (2.0, 1.0)]), Some(2.0));
        assert_eq!(median(&[(1.0, 1.0), (2.0, 1.0)]), Some(1.5));
        assert_eq!(median(&[(1.0, 1.0), (2.0, 3.0)]), Some(2.0));
        assert_eq!(median(&[(1.0, 0.0)]), None);
    }

    #[test]
    fn a_clean_line_is_found() {
        let points: Vec<_> = (0..20)
            .map(|i| (f64::from(i), 3.0 + 0.8 * f64::from(i)))
            .collect();
        let line = rising(&points, &[1.0; 20]).expect("there are points");
        assert!(
            (line.start - 3.0).abs() < 1e-6 && (line.slope - 0.8).abs() < 1e-6,
            "{line:?}"
        );
    }

    #[test]
    fn wrong_points_hardly_move_it() {
        let wrong = |i: i32| {
            if i % 5 == 0 {
                5.0
            } else {
                0.01 * f64::from(i % 3 - 1)
            }
        };
        let points: Vec<_> = (0..40)
            .map(|i| (f64::from(i) / 10.0, f64::from(i) / 10.0 + wrong(i)))
            .collect();
        let line = rising(&points, &[1.0; 40]).expect("there are points");
        assert!(
            line.at(2.0) - 2.0 < 0.02 && (line.slope - 1.0).abs() < 0.01,
            "{line:?}"
        );
    }

    #[test]
    fn it_never_falls_and_needs_no_spread() {
        let falling = [(0.0, 1.0), (1.0, 0.2), (2.0, 0.1), (3.0, -1.0)];
        assert_eq!(
            rising(&falling, &[1.0; 4]).map(|line| line.slope),
            Some(0.0)
        );
        let line = rising(&[(2.0, 3.0), (2.0, 3.5), (2.0, 9.0)], &[1.0; 3]);
        assert_eq!(
            line,
            Some(Line {
                start: 1.5,
                slope: 1.0
            })
        );
        assert_eq!(rising(&[], &[]), None);
        assert_eq!(rising(&[(1.0, 1.0)], &[0.0]), None);
    }
}
