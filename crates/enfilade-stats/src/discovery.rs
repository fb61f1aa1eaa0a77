//! How many findings are chance: control of the rate of false discoveries (Benjamini & Hochberg
//! 1995).
//!
//! Of a hundred right prices, five lie outside their 95 % intervals. The q value of a finding is the
//! lowest rate of false discoveries at which it is still one. The control holds for independent
//! p values and for the usual positive dependence; not here: the correction for every dependence.

/// The q values of p values, in the same order.
///
/// ```
/// use enfilade_stats::discovery::q_values;
/// assert_eq!(q_values(&[0.01, 0.8, 0.02, 0.03]), [0.04, 0.8, 0.04, 0.04]);
/// ```
pub fn q_values(p_values: &[f64]) -> Vec<f64> {
    let all = p_values.len() as f64;
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut q_values = vec![1.0; p_values.len()];
    let mut lowest = 1.0_f64;
    for (place, &i) in order.iter().enumerate().rev() {
        lowest = lowest.min(p_values[i] * all / (place + 1) as f64);
        q_values[i] = lowest;
    }
    q_values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the definition: the smallest rate at which the step-up procedure still rejects.
    #[test]
    fn q_is_the_lowest_rate_that_rejects() {
        let p = [0.001, 0.2, 0.013, 0.04, 0.039, 0.6, 0.011];
        let rejects = |i: usize, rate: f64| {
            let mut sorted = p;
            sorted.sort_by(f64::total_cmp);
            let passes = |k: &usize| sorted[*k] <= rate * (*k + 1) as f64 / p.len() as f64;
            let last = (0..p.len()).rfind(passes);
            last.is_some_and(|last| p[i] <= sorted[last])
        };
        for (i, q) in q_values(&p).into_iter().enumerate() {
            assert!(rejects(i, q + 1e-12) && !rejects(i, q - 1e-9), "{i} {q}");
        }
    }

    #[test]
    fn nothing_and_one() {
        assert_eq!(q_values(&[]), Vec::<f64>::new());
        assert_eq!(q_values(&[0.3]), [0.3]);
    }
}
