//! Scales from values to pixels and colours, for any values.
//!
//! Every range is checked before it is divided: empty, equal, infinite and missing values give a
//! scale that still works.

use crate::drawing::RgbColor;

/// A scale with round ends, linear or logarithmic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisScale {
    low: f64,
    high: f64,
    /// The value from tick to tick; `None` if equal steps are equal factors.
    step: Option<f64>,
}

/// The number of ticks that a scale aims at.
const AIMED_TICK_COUNT: f64 = 5.0;

impl AxisScale {
    /// Returns a scale with round ends that contains `also` and every finite one of `values`.
    pub fn with_round_ends(values: impl Iterator<Item = f64>, also: f64) -> AxisScale {
        // Larger ends cannot be distinguished or overflow; no value here is so large.
        let usable = |value: &f64| value.abs() < 1e15;
        let also = if usable(&also) { also } else { 0.0 };
        let usable = values.filter(usable);
        let (low, high) =
            usable.fold((also, also), |(low, high), value| (low.min(value), high.max(value)));
        let span = high - low;
        let step = if span > 1e-12 * high.abs().max(low.abs()) && span > 1e-15 {
            round_step_up_to_1_2_5(span / AIMED_TICK_COUNT)
        } else {
            round_step_up_to_1_2_5(low.abs().max(1.0) / AIMED_TICK_COUNT)
        };
        let low = (low / step + 1e-9).floor() * step;
        let high = (high / step - 1e-9).ceil() * step;
        AxisScale { low, high: high.max(low + step), step: Some(step) }
    }

    /// Returns a scale that ends near the smallest and the largest value, with ticks at round
    /// numbers.
    pub fn with_close_ends(values: &[f64]) -> AxisScale {
        let usable = || values.iter().copied().filter(|value| value.abs() < 1e15);
        let low = usable().fold(f64::INFINITY, f64::min);
        let high = usable().fold(f64::NEG_INFINITY, f64::max);
        let span = high - low;
        if !(span > 1e-12 * high.abs().max(low.abs()) && span > 1e-15) {
            return AxisScale::with_round_ends(usable(), low.min(1e15));
        }
        let step = round_step_up_to_1_2_5(span / AIMED_TICK_COUNT);
        // There are no values between whole numbers.
        let whole = usable().all(|value| value.fract() == 0.0);
        let step = if whole { step.max(1.0) } else { step };
        AxisScale { low: low - 0.02 * span, high: high + 0.02 * span, step: Some(step) }
    }

    /// Returns a scale of equal factors that contains every positive, finite one of `values`, with
    /// ends of 1, 2 or 5 times a power of ten; from 1 to 10 without any.
    pub fn logarithmic(values: impl Iterator<Item = f64>) -> AxisScale {
        let usable = values.filter(|value| (1e-12..1e15).contains(value));
        let (low, high) = usable.fold((f64::MAX, 0.0), |(low, high): (f64, f64), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = if high > 0.0 { (low, high) } else { (1.0, 10.0) };
        let ticks = || (-13..=15).flat_map(|e| [1.0, 2.0, 5.0].map(|f| f * 10f64.powi(e)));
        let below = ticks().rfind(|tick| *tick <= low * (1.0 + 1e-9));
        let above = ticks().find(|tick| *tick >= high * (1.0 - 1e-9));
        let low = below.unwrap_or(low);
        AxisScale { low, high: above.unwrap_or(high).max(2.0 * low), step: None }
    }

    /// Returns a scale from exactly `low` to exactly `high`; `low` is below `high`, and both are
    /// finite.
    pub fn with_exact_ends(low: f64, high: f64) -> AxisScale {
        AxisScale { low, high, step: Some(round_step_up_to_1_2_5((high - low) / AIMED_TICK_COUNT)) }
    }

    /// Returns both ends.
    pub fn low_and_high_end(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Returns the position of a value: 0 at the lower end, 1 at the upper; values outside are
    /// clamped.
    pub fn position_between_ends(&self, value: f64) -> f64 {
        let share = match self.step {
            Some(_) => (value - self.low) / (self.high - self.low),
            None => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
    }

    /// Returns the pixel of a value between the pixels of the two ends.
    pub fn pixel_of(&self, value: f64, from: i32, to: i32) -> i32 {
        from + (self.position_between_ends(value) * f64::from(to - from)).round() as i32
    }

    /// Returns the ticks with their labels.
    pub fn ticks_with_labels(&self) -> Vec<(f64, String)> {
        match self.step {
            Some(step) => self.build_even_ticks(step),
            None => self.build_factor_ticks(),
        }
    }

    fn build_even_ticks(&self, step: f64) -> Vec<(f64, String)> {
        // A scale that ends between two ticks has none at its ends.
        let first = (self.low / step - 1e-6).ceil();
        let last = (self.high / step + 1e-6).floor();
        let count = (last - first).clamp(0.0, 50.0) as i32;
        let decimals = crate::text::number_format::decimals_to_first_digit(step);
        let tick = |i: i32| {
            let value = (first + f64::from(i)) * step;
            // No "-0".
            let value = if value.abs() < step / 1e6 { 0.0 } else { value };
            (value, format_tick_label(value, step, decimals))
        };
        (0..=count).map(tick).collect()
    }

    /// Returns the ticks 1, 2, 5 times powers of ten; over many powers only the powers.
    fn build_factor_ticks(&self) -> Vec<(f64, String)> {
        let powers = (self.high / self.low).log10();
        let factors: &[f64] = if powers > 3.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let every = (powers / 8.0).ceil().max(1.0) as usize;
        let tick = |exponent: i32| {
            factors.iter().map(move |factor| {
                let value = factor * 10f64.powi(exponent);
                let decimals = usize::try_from(-exponent).unwrap_or(0);
                (value, format_tick_label(value, value, decimals))
            })
        };
        // Ends that are ticks themselves must not be lost by rounding.
        let (low, high) = (self.low * (1.0 - 1e-9), self.high * (1.0 + 1e-9));
        let ticks = (-13..=15).step_by(every).flat_map(tick);
        ticks.filter(|(value, _)| (low..=high).contains(value)).collect()
    }
}

/// Formats a tick's label; as a power of ten if `step`, from tick to tick, would need many digits.
fn format_tick_label(value: f64, step: f64, decimals: usize) -> String {
    if value != 0.0 && (value.abs() >= 1e7 || step.abs() < 1e-5) {
        return format!("{value:.1e}").replace(".0e", "e");
    }
    format!("{value:.decimals$}")
}

/// Returns 1, 2 or 5 times a power of ten, at least `raw`.
fn round_step_up_to_1_2_5(raw: f64) -> f64 {
    let power = 10f64.powf(raw.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|f| f * power >= raw * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// Viridis by S. van der Walt and N. Smith (public domain), eleven of its 256 colours, here from
/// light to dark: its luminance falls all the way, so it is safe in grey and for colour-blind
/// readers.
const VIRIDIS_COLORS: [RgbColor; 11] = [
    RgbColor(253, 231, 37),
    RgbColor(189, 223, 38),
    RgbColor(122, 209, 81),
    RgbColor(68, 191, 112),
    RgbColor(34, 168, 132),
    RgbColor(33, 145, 140),
    RgbColor(42, 120, 142),
    RgbColor(53, 95, 141),
    RgbColor(65, 68, 135),
    RgbColor(72, 36, 117),
    RgbColor(68, 1, 84),
];

/// The number of colours of a scale: more cannot be distinguished, and a page has a rule for each.
const DISTINCT_SCALE_COLORS: f64 = 100.0;

/// Rounds a share to the nearest one that has a colour.
pub fn round_to_distinct_color(share: f64) -> f64 {
    (share * DISTINCT_SCALE_COLORS).round() / DISTINCT_SCALE_COLORS
}

/// Returns the colour of a share: light at 0, dark at 1.
pub fn viridis_color(share: f64) -> RgbColor {
    let share = if share.is_nan() { 0.0 } else { round_to_distinct_color(share.clamp(0.0, 1.0)) };
    let place = share * (VIRIDIS_COLORS.len() - 1) as f64;
    let first = (place as usize).min(VIRIDIS_COLORS.len() - 2);
    let (a, b, part) = (VIRIDIS_COLORS[first], VIRIDIS_COLORS[first + 1], place - first as f64);
    a.mix_with(b, part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64]) -> Vec<String> {
        let scale = AxisScale::with_round_ends(values.iter().copied(), 0.0);
        scale.ticks_with_labels().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_and_hold_the_values() {
        assert_eq!(labels(&[0.1, 97.0]), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(&[0.003]), ["0.000", "0.001", "0.002", "0.003"]);
        assert_eq!(labels(&[3e14]), ["0", "1e14", "2e14", "3e14"]);
        assert_eq!(labels(&[2.5e-9])[1], "5e-10");
        assert_eq!(labels(&[-3.0, 4.0]), ["-4", "-2", "0", "2", "4"]);
    }

    #[test]
    fn a_scale_starts_near_what_it_holds() {
        let labels = |values: &[f64]| -> Vec<String> {
            AxisScale::with_close_ends(values)
                .ticks_with_labels()
                .into_iter()
                .map(|(_, label)| label)
                .collect()
        };
        assert_eq!(labels(&[5.0, 11.0, 17.0]), ["5", "10", "15"]);
        assert_eq!(labels(&[0.0, 1.0, 2.0]), ["0", "1", "2"]);
        let (low, high) = AxisScale::with_close_ends(&[5.0, 17.0]).low_and_high_end();
        assert!((4.5..5.0).contains(&low) && (17.0..17.5).contains(&high));
        for values in
            [&[][..], &[3.0, 3.0], &[f64::NAN], &[f64::INFINITY, 1.0], &[1e14, 1e14 + 1.0]]
        {
            let (low, high) = AxisScale::with_close_ends(values).low_and_high_end();
            assert!(low < high && low.is_finite() && high.is_finite(), "{values:?}");
        }
    }

    #[test]
    fn every_range_gives_a_scale() {
        let ranges: [&[f64]; 9] = [
            &[],
            &[0.0],
            &[5.0, 5.0],
            &[f64::NAN],
            &[f64::INFINITY, 3.0],
            &[f64::MIN, f64::MAX],
            &[5e-324],
            &[1e14, 1e14 + 1.0],
            &[-1e-300, 1e-300],
        ];
        for values in ranges {
            for also in [0.0, 7.0, f64::MAX, f64::NAN] {
                let scale = AxisScale::with_round_ends(values.iter().copied(), also);
                assert!(
                    scale.low.is_finite() && scale.high.is_finite() && scale.low < scale.high,
                    "{values:?}"
                );
                assert!(
                    (2..=51).contains(&scale.ticks_with_labels().len()),
                    "{values:?} {scale:?}"
                );
                for &value in values {
                    assert!((0.0..=1.0).contains(&scale.position_between_ends(value)));
                }
            }
        }
    }

    #[test]
    fn factors_are_evenly_apart() {
        let scale = AxisScale::logarithmic([12.0, 285.0].into_iter());
        assert_eq!(scale.low_and_high_end(), (10.0, 500.0));
        let labels: Vec<_> =
            scale.ticks_with_labels().into_iter().map(|(_, label)| label).collect();
        assert_eq!(labels, ["10", "20", "50", "100", "200", "500"]);
        assert!((scale.position_between_ends(10.0 * 50f64.sqrt()) - 0.5).abs() < 1e-12);
        assert_eq!(
            (scale.position_between_ends(0.0), scale.position_between_ends(-3.0)),
            (0.0, 0.0)
        );
        let wide = AxisScale::logarithmic([0.001, 5e5].into_iter());
        assert!(
            (4..=12).contains(&wide.ticks_with_labels().len()),
            "{:?}",
            wide.ticks_with_labels()
        );
        for values in [&[][..], &[0.0, -1.0], &[f64::NAN, f64::INFINITY], &[3.0, 3.0], &[1e-300]] {
            let scale = AxisScale::logarithmic(values.iter().copied());
            let (low, high) = scale.low_and_high_end();
            assert!(low > 0.0 && low < high && high.is_finite());
            assert!(!scale.ticks_with_labels().is_empty());
        }
    }

    #[test]
    fn colours_darken_all_the_way() {
        let luminances: Vec<_> =
            (0..=100).map(|i| viridis_color(f64::from(i) / 100.0).relative_luminance()).collect();
        assert!(luminances.windows(2).all(|pair| pair[0] > pair[1]));
        assert_eq!(viridis_color(f64::NAN), viridis_color(0.0));
    }

    /// The guidelines require a contrast of 3 for large text and of 4.5 for small text; black or
    /// white always reaches 4.5.
    #[test]
    fn numbers_can_be_read_on_every_colour() {
        for i in 0..=100 {
            let ink = viridis_color(f64::from(i) / 100.0);
            assert!(ink.contrast_ratio_with(ink.readable_text_color()) >= 4.5, "{ink:?}");
        }
    }
}
