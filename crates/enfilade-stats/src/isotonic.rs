//! The closest falling sequence to numbers that should fall: pooling of adjacent violators (Ayer,
//! Brunk, Ewing, Reid & Silverman 1955).
//!
//! More troops on the other side can only cost wins, so a curve of wins is made to fall before its
//! crossing of one half is sought. Not here: smoothing. A falling sequence is returned unchanged.

/// Computes the falling sequence with the least weighted sum of squared distances to `values`.
///
/// `weights` are positive and as many as the values; a weight that is not positive counts as very
/// small.
///
/// ```
/// use enfilade_stats::isotonic::fit_decreasing_sequence;
/// assert_eq!(fit_decreasing_sequence(&[0.9, 0.4, 0.6, 0.1], &[1.0; 4]), [0.9, 0.5, 0.5, 0.1]);
/// ```
pub fn fit_decreasing_sequence(values: &[f64], weights: &[f64]) -> Vec<f64> {
    let mut blocks: Vec<PooledNeighbours> = Vec::with_capacity(values.len());
    for (&value, &weight) in values.iter().zip(weights) {
        let mut last = PooledNeighbours::new(value, weight);
        while let Some(before) = blocks.pop_if(|block| block.value < last.value) {
            last = before.merge_with_next(last);
        }
        blocks.push(last);
    }
    let spread = |block: PooledNeighbours| std::iter::repeat_n(block.value, block.size);
    blocks.into_iter().flat_map(spread).collect()
}

/// Neighbours that share one value.
#[derive(Clone, Copy)]
struct PooledNeighbours {
    value: f64,
    weight: f64,
    size: usize,
}

impl PooledNeighbours {
    fn new(value: f64, weight: f64) -> PooledNeighbours {
        let weight = if weight > 0.0 { weight } else { 1e-300 };
        PooledNeighbours { value, weight, size: 1 }
    }

    fn merge_with_next(self, next: PooledNeighbours) -> PooledNeighbours {
        let weight = self.weight + next.weight;
        // A weighted step from one value to the other stays between them, whatever the weights.
        let value = self.value + (next.value - self.value) * (next.weight / weight);
        PooledNeighbours { value, weight, size: self.size + next.size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_falls_stays_as_it_is() {
        for values in [&[][..], &[0.3], &[1.0, 0.5, 0.5, 0.0]] {
            assert_eq!(fit_decreasing_sequence(values, &vec![1.0; values.len()]), values);
        }
    }

    #[test]
    fn weights_count() {
        // (3·0.2 + 1·0.6)/4 = 0.3.
        let found = fit_decreasing_sequence(&[0.2, 0.6], &[3.0, 1.0]);
        assert!(found.iter().all(|value| (value - 0.3).abs() < 1e-15));
    }

    #[test]
    fn without_any_weight_all_weigh_the_same() {
        let found = fit_decreasing_sequence(&[0.2, 0.6], &[0.0, 0.0]);
        assert!(found.iter().all(|value| (value - 0.4).abs() < 1e-15), "{found:?}");
    }

    /// The closest falling sequence is max over starts of min over ends of the means (the formula
    /// of Robertson, Wright & Dykstra), computed here from the definition.
    #[test]
    fn it_is_the_min_max_of_the_means() {
        let values = [0.7, 0.9, 0.2, 0.4, 0.8, 0.1, 0.3, 0.3, 0.05];
        let weights = [1.0, 2.0, 1.0, 3.0, 1.0, 0.5, 2.0, 1.0, 1.0];
        let mean = |from: usize, to: usize| {
            let sum: f64 = (from..=to).map(|i| values[i] * weights[i]).sum();
            sum / weights[from..=to].iter().sum::<f64>()
        };
        for (i, found) in fit_decreasing_sequence(&values, &weights).into_iter().enumerate() {
            let lowest = |end: usize| (0..=i).map(|from| mean(from, end)).fold(f64::MAX, f64::min);
            let expected = (i..values.len()).map(lowest).fold(f64::MIN, f64::max);
            assert!((found - expected).abs() < 1e-12, "{i}: {found} {expected}");
        }
    }
}
