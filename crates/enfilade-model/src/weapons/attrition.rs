//! Loss matrices: how a volley moves a unit from each strength to a lower one, and how long it
//! survives.
//!
//! A strength is what a unit has left, Damage Points or figures. The distribution of one volley at
//! every strength determines how many volleys the unit survives at each, and how likely a volley
//! is, on average over its life, to be the one that ends it. The cause of the losses does not
//! matter.

/// Probability of each strength after a volley, by strength before, both from 0.
pub type LossTransitionMatrix = Vec<Vec<f64>>;

/// Returns the matrix of a volley without effect on a unit with `rungs` strengths.
pub fn no_loss_matrix(rungs: usize) -> LossTransitionMatrix {
    (0..=rungs).map(|left| certain_strength(rungs, left)).collect()
}

fn certain_strength(rungs: usize, left: usize) -> Vec<f64> {
    let mut row = vec![0.0; rungs + 1];
    row[left] = 1.0;
    row
}

/// Multiplies a row of one matrix by another matrix.
pub fn multiply_loss_row(row: &[f64], ladder: &LossTransitionMatrix) -> Vec<f64> {
    let mut after = vec![0.0; row.len()];
    for (here, rung) in row.iter().zip(ladder) {
        let pairs = after.iter_mut().zip(rung);
        pairs.for_each(|(to, p)| *to += here * p);
    }
    after
}

/// Computes, by losses from none, the number of volleys that a unit is expected to survive with
/// these losses; `None` when some losses are never exceeded.
pub fn mean_volleys_at_each_loss(ladder: &LossTransitionMatrix) -> Option<Vec<f64>> {
    let rungs = ladder.len() - 1;
    let mut reached = certain_strength(rungs, rungs);
    let mut stands = Vec::with_capacity(rungs);
    // Strengths never rise, so on the way down each one is complete when it is visited.
    for left in (1..=rungs).rev() {
        let moves_on = 1.0 - ladder[left][left];
        let volleys = match reached[left] > 0.0 {
            true if moves_on <= 0.0 => return None,
            true => reached[left] / moves_on,
            false => 0.0,
        };
        for below in 0..left {
            reached[below] += volleys * ladder[left][below];
        }
        stands.push(volleys);
    }
    Some(stands)
}

/// Computes the probability that a volley ends a unit, on average over its life: one over the
/// volleys it survives.
pub fn mean_kill_chance_per_volley(ladder: &LossTransitionMatrix) -> f64 {
    mean_volleys_at_each_loss(ladder).map_or(0.0, |volleys| 1.0 / volleys.iter().sum::<f64>())
}

/// Averages `at_loss` over the life of a unit under `ladder`; returns the value of the whole unit
/// when nothing ends it.
///
/// # Errors
/// The first error of `at_loss`.
pub fn average_over_unit_life<E>(
    ladder: &LossTransitionMatrix,
    mut at_loss: impl FnMut(usize) -> Result<f64, E>,
) -> Result<f64, E> {
    let Some(stands) = mean_volleys_at_each_loss(ladder) else {
        return at_loss(0);
    };
    let (mut sum, mut life) = (0.0, 0.0);
    for (lost, volleys) in stands.iter().enumerate().filter(|(_, v)| **v > 0.0) {
        sum += volleys * at_loss(lost)?;
        life += volleys;
    }
    Ok(sum / life)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_hits_at_one_in_three_take_six_volleys() {
        let third = 1.0 / 3.0;
        let ladder =
            vec![vec![1.0, 0.0, 0.0], vec![third, 1.0 - third, 0.0], vec![0.0, third, 1.0 - third]];
        let stands = mean_volleys_at_each_loss(&ladder).expect("it ends");
        assert!(stands.iter().all(|volleys| (volleys - 3.0).abs() < 1e-12));
        assert!((mean_kill_chance_per_volley(&ladder) - 1.0 / 6.0).abs() < 1e-12);
        // Whole for half of its life, then hurt.
        let average = average_over_unit_life(&ladder, |lost| Ok::<_, ()>(lost as f64));
        assert!((average.expect("no fault") - 0.5).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_hurt_is_never_gone() {
        assert_eq!(mean_volleys_at_each_loss(&no_loss_matrix(3)), None);
        assert_eq!(mean_kill_chance_per_volley(&no_loss_matrix(3)), 0.0);
        let whole = average_over_unit_life(&no_loss_matrix(3), |lost| Ok::<_, ()>(lost as f64));
        assert_eq!(whole, Ok(0.0));
    }

    #[test]
    fn a_volley_after_another_is_their_product() {
        let half = vec![vec![1.0, 0.0], vec![0.5, 0.5]];
        assert_eq!(multiply_loss_row(&half[1], &half), [0.75, 0.25]);
    }
}
