//! Growth of a contest with one of its numbers.

/// Growth as (n + shift) to a power.
#[derive(Clone, Copy, Debug)]
pub(super) struct SizeGrowthCurve {
    shift: f64,
    power: f64,
}

/// Largest shift: a number that has grown by the same factor twice does not do so for ever.
const MAX_GROWTH_SHIFT: f64 = 16.0;

impl SizeGrowthCurve {
    /// Proportional growth.
    pub(super) const PROPORTIONAL_GROWTH: SizeGrowthCurve =
        SizeGrowthCurve { shift: 0.0, power: 1.0 };

    /// Fits the sizes at three numbers, the least first; if the first is unknown, a power of n
    /// alone.
    pub(super) fn fit_to_three_sizes(
        at: [f64; 3],
        [first, second, third]: [Option<f64>; 3],
    ) -> Option<SizeGrowthCurve> {
        let grown = |more: f64, less: f64| (more / less).ln().max(0.0);
        let (second, third) = (second?, third?);
        let last = grown(third, second);
        let step = |from: usize, shift: f64| ((at[from + 1] + shift) / (at[from] + shift)).ln();
        let power = |shift: f64| last / step(1, shift);
        let Some(first) = first else {
            return Some(SizeGrowthCurve { shift: 0.0, power: power(0.0) });
        };
        // The larger the shift, the less the first step differs from the last.
        let wanted = grown(second, first) / last.max(1e-9);
        let (mut low, mut high) = (1e-6 - at[0], MAX_GROWTH_SHIFT);
        for _ in 0..60 {
            let shift = 0.5 * (low + high);
            if step(0, shift) / step(1, shift) > wanted { low = shift } else { high = shift }
        }
        Some(SizeGrowthCurve { shift: high, power: power(high) })
    }

    /// Returns the factor of growth from one number to another.
    pub(super) fn growth_factor(self, from: f64, to: f64) -> f64 {
        ((to + self.shift) / (from + self.shift)).powf(self.power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cubes, and cubes of n and an addend, are reproduced far behind the three sizes.
    #[test]
    fn a_power_is_found_through_three_sizes() {
        for shift in [0.0, 5.0] {
            let size = |n: f64| (n + shift) * (n + shift) * (n + shift);
            let at = [20.0, 30.0, 40.0];
            let curve = SizeGrowthCurve::fit_to_three_sizes(at, at.map(|n| Some(size(n))))
                .expect("three sizes");
            let ratio = curve.growth_factor(40.0, 3000.0) / (size(3000.0) / size(40.0));
            assert!((0.9..1.1).contains(&ratio), "{curve:?}: {ratio}");
        }
        assert!(
            SizeGrowthCurve::fit_to_three_sizes([1.0, 2.0, 3.0], [None, None, Some(5.0)]).is_none()
        );
    }
}
