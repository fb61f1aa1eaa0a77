//! Intervals for ranks (Mogstad, Romano, Shaikh & Wilhelm 2024, "Inference for ranks").
//!
//! A place in a ranking is uncertain when its neighbours are close. The rank of one value is at
//! least one more than the number of values that are certainly larger, and at most all but those
//! certainly smaller; certain means that the difference is beyond what the largest of all its
//! standardised differences reaches in 95 % of the draws. So the interval holds the true rank in at least 95 %
//! of the cases. Not here: the stepwise refinement of the paper, which can only shorten it.

use rayon::prelude::*;

/// First and last place that a value may have; 1 is the largest value.
pub type Places = (usize, usize);

/// The rank intervals of `values` at 95 %, from joint draws of all of them.
///
/// `draws[i]` holds the draws of value i, all of the same number. Without draws every place is
/// possible.
pub fn intervals(values: &[f64], draws: &[Vec<f64>]) -> Vec<Places> {
    let each = (0..values.len()).into_par_iter();
    each.map(|i| interval(i, values, draws)).collect()
}

fn interval(i: usize, values: &[f64], draws: &[Vec<f64>]) -> Places {
    let others: Vec<_> = (0..values.len()).filter(|&j| j != i).collect();
    let differences =
        others.iter().map(|&j| Difference::new(values[j] - values[i], &draws[j], &draws[i]));
    let differences: Vec<Difference> = differences.collect();
    let rounds = draws.first().map_or(0, Vec::len);
    let mut largest = vec![0.0_f64; rounds];
    for (difference, &j) in differences.iter().zip(&others) {
        for (largest, (a, b)) in largest.iter_mut().zip(draws[j].iter().zip(&draws[i])) {
            *largest = largest.max(difference.standardised(a - b).abs());
        }
    }
    largest.sort_by(f64::total_cmp);
    // One more than 95 %, so that the quantile of few draws is not too low.
    let place = (0.95 * (rounds + 1) as f64).ceil() as usize;
    let critical = largest.get(place.saturating_sub(1)).copied();
    let critical = critical.unwrap_or(f64::INFINITY);
    let beyond = |sign: f64| {
        let certain = differences.iter();
        certain.filter(|d| d.certain(sign, critical)).count()
    };
    (1 + beyond(1.0), values.len() - beyond(-1.0))
}

/// How far one value lies above another, with its spread.
struct Difference {
    value: f64,
    spread: f64,
}

impl Difference {
    fn new(value: f64, a: &[f64], b: &[f64]) -> Difference {
        let square = |(a, b): (&f64, &f64)| (a - b - value) * (a - b - value);
        let mean = a.iter().zip(b).map(square).sum::<f64>() / a.len().max(1) as f64;
        Difference { value, spread: mean.sqrt() }
    }

    fn standardised(&self, drawn: f64) -> f64 {
        if self.spread > 0.0 { (drawn - self.value) / self.spread } else { 0.0 }
    }

    fn certain(&self, sign: f64, critical: f64) -> bool {
        sign * self.value > critical * self.spread
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::Draws;

    fn drawn(values: &[f64], spread: f64, seed: u8) -> Vec<Vec<f64>> {
        let mut draws = Draws::new([seed; 32]);
        let mut one = |value: &f64| {
            let draw = |_| value + spread * draws.normal();
            (0..1000).map(draw).collect()
        };
        values.iter().map(&mut one).collect()
    }

    #[test]
    fn certain_values_have_one_place() {
        let values = [3.0, 1.0, 2.0];
        let found = intervals(&values, &drawn(&values, 0.01, 1));
        assert_eq!(found, [(1, 1), (3, 3), (2, 2)]);
        // Without any spread, too; ties may be either.
        let values = [3.0, 1.0, 3.0];
        assert_eq!(intervals(&values, &drawn(&values, 0.0, 1)), [(1, 2), (3, 3), (1, 2)]);
    }

    #[test]
    fn what_cannot_be_told_apart_has_every_place() {
        let values = [0.1, 0.0, 0.05];
        assert_eq!(intervals(&values, &drawn(&values, 5.0, 2)), [(1, 3); 3]);
        assert_eq!(intervals(&values, &[vec![], vec![], vec![]]), [(1, 3); 3]);
        assert_eq!(intervals(&[], &[]), Vec::<Places>::new());
        assert_eq!(intervals(&[1.0], &[vec![1.0]]), [(1, 1)]);
    }

    /// Estimates scatter around known values; the interval must hold the true rank in 95 % of the
    /// cases or more.
    #[test]
    fn the_true_rank_is_held() {
        let truth = [0.0, 1.0, 1.5, 3.0, 3.2, 6.0];
        let mut scatter = Draws::new([9; 32]);
        let (mut held, rounds) = (0, 200);
        for round in 0..rounds {
            let values = truth.map(|value| value + 0.7 * scatter.normal());
            let found = intervals(&values, &drawn(&values, 0.7, round as u8));
            // The third value from below has rank 4.
            held += usize::from(found[2].0 <= 4 && 4 <= found[2].1);
        }
        assert!(held * 100 >= 93 * rounds, "{held} of {rounds}");
    }
}
