//! From values to pixels and colours, whatever the values are.
//!
//! Every range is checked before it is divided: empty, equal, infinite and missing values give a
//! scale that still works.

use super::scene::Ink;

/// A linear scale with round ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

/// How many ticks a scale aims at.
const TICKS: f64 = 5.0;

impl Scale {
    /// A scale that holds every finite one of `values` and `also`, with round ends.
    pub fn around(values: impl Iterator<Item = f64>, also: f64) -> Scale {
        // Beyond this size the ends cannot be told apart or overflow; nothing here is so large.
        let usable = values.filter(|value| value.abs() < 1e15);
        let (low, high) = usable.fold((also, also), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let span = high - low;
        let step = if span > 1e-12 * high.abs().max(low.abs()) && span > 1e-15 {
            round_step(span / TICKS)
        } else {
            round_step(low.abs().max(1.0) / TICKS)
        };
        let low = (low / step + 1e-9).floor() * step;
        let high = (high / step - 1e-9).ceil() * step;
        Scale {
            low,
            high: high.max(low + step),
            step,
        }
    }

    /// Where a value lies: 0 at the lower end, 1 at the upper; what lies beyond is put at the end.
    pub fn share(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        if share.is_nan() {
            0.0
        } else {
            share.clamp(0.0, 1.0)
        }
    }

    /// The pixel of a value between the pixels of the two ends.
    pub fn pixel(&self, value: f64, from: i32, to: i32) -> i32 {
        from + (self.share(value) * f64::from(to - from)).round() as i32
    }

    /// The ticks, with their labels.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let count = ((self.high - self.low) / self.step)
            .round()
            .clamp(1.0, 50.0) as i32;
        let decimals = crate::stats::decimals::decimals_of(self.step);
        let tick = |i: i32| {
            let value = self.low + f64::from(i) * self.step;
            // No "-0".
            let value = if value.abs() < self.step / 1e6 {
                0.0
            } else {
                value
            };
            (value, format!("{value:.decimals$}"))
        };
        (0..=count).map(tick).collect()
    }
}

/// 1, 2 or 5 times a power of ten, at least `raw`.
fn round_step(raw: f64) -> f64 {
    let power = 10f64.powf(raw.log10().floor());
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|f| f * power >= raw * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// Viridis by S. van der Walt and N. Smith (public domain), eleven of its 256 colours, here from
/// light to dark: its luminance falls all the way, so it is safe in grey and for colour-blind
/// readers.
const VIRIDIS: [Ink; 11] = [
    Ink(253, 231, 37),
    Ink(189, 223, 38),
    Ink(122, 209, 81),
    Ink(68, 191, 112),
    Ink(34, 168, 132),
    Ink(33, 145, 140),
    Ink(42, 120, 142),
    Ink(53, 95, 141),
    Ink(65, 68, 135),
    Ink(72, 36, 117),
    Ink(68, 1, 84),
];

/// The colour at a share of a scale: light at 0, dark at 1.
pub fn heat(share: f64) -> Ink {
    let share = if share.is_nan() {
        0.0
    } else {
        share.clamp(0.0, 1.0)
    };
    let place = share * (VIRIDIS.len() - 1) as f64;
    let first = (place as usize).min(VIRIDIS.len() - 2);
    let (a, b, part) = (VIRIDIS[first], VIRIDIS[first + 1], place - first as f64);
    let mixed = |a: u8, b: u8| (f64::from(a) + part * (f64::from(b) - f64::from(a))).round() as u8;
    Ink(mixed(a.0, b.0), mixed(a.1, b.1), mixed(a.2, b.2))
}

/// `count` colours from light to dark, for parts of a stack.
pub fn stack(count: usize) -> Vec<Ink> {
    let last = count.saturating_sub(1).max(1) as f64;
    // The lightest is paler than yellow, so that "nothing happens" recedes.
    let part = |i: usize| {
        if i == 0 {
            Ink(0xf4, 0xf1, 0xde)
        } else {
            heat(0.08 + 0.87 * i as f64 / last)
        }
    };
    (0..count).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64]) -> Vec<String> {
        let scale = Scale::around(values.iter().copied(), 0.0);
        scale.ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_and_hold_the_values() {
        assert_eq!(labels(&[0.1, 97.0]), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(&[0.003]), ["0.000", "0.001", "0.002", "0.003"]);
        assert_eq!(labels(&[-3.0, 4.0]), ["-4", "-2", "0", "2", "4"]);
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
            for also in [0.0, 7.0] {
                let scale = Scale::around(values.iter().copied(), also);
                assert!(
                    scale.low.is_finite() && scale.high.is_finite() && scale.low < scale.high,
                    "{values:?}"
                );
                assert!(
                    (2..=51).contains(&scale.ticks().len()),
                    "{values:?} {scale:?}"
                );
                for &value in values {
                    assert!((0.0..=1.0).contains(&scale.share(value)));
                }
            }
        }
    }

    #[test]
    fn colours_darken_all_the_way() {
        let luminances: Vec<_> = (0..=100)
            .map(|i| heat(f64::from(i) / 100.0).luminance())
            .collect();
        assert!(luminances.windows(2).all(|pair| pair[0] > pair[1]));
        for count in 2..=9 {
            let inks = stack(count);
            assert!(
                inks.windows(2)
                    .all(|pair| pair[0].luminance() > pair[1].luminance())
            );
        }
        assert_eq!(heat(f64::NAN), heat(0.0));
    }

    /// 3 is what the guidelines ask for large text and 4.5 for small; black or white always
    /// reaches 4.5.
    #[test]
    fn numbers_can_be_read_on_every_colour() {
        for i in 0..=100 {
            let ink = heat(f64::from(i) / 100.0);
            assert!(ink.contrast(ink.text()) >= 4.5, "{ink:?}");
        }
    }
}
