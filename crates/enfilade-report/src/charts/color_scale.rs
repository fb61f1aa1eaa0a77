//! Scales from values to colours, and their key.
//!
//! Three scales: *even* from light to dark for values of one size; *classes* of 1, 2, 5, 10 … for
//! values that differ by orders of magnitude and have no numbers beside them; *about* a middle that
//! matters.

use super::axis_scale::{Scale, heat, step};
use super::plot_frame::{self, Area};
use super::text_layout;
use crate::drawing::{Ink, Scene, Side};
use crate::text::number_format::decimals_of;
use enfilade_engine::exact::approximation::Approximation;

/// The mapping from values to colours.
#[derive(Clone, Debug, PartialEq)]
pub enum Shade {
    /// Evenly from light to dark.
    Even(Scale),
    /// By class: the rising lower edges of all classes but the lowest; 0 has a separate colour.
    Classes(Vec<f64>),
    /// From orange below a middle over white to violet above it, with both ends this far from it.
    About(f64, f64),
}

/// The largest number of classes above the lowest.
const CLASSES: usize = 7;

/// The ratio of the largest to the middle values from which classes are used.
const SKEWED: f64 = 6.0;

/// The colour of an exact 0 where there are classes.
const ZERO: Ink = Ink(0xf6, 0xf3, 0xe8);

impl Shade {
    /// Returns an even scale for values of one sign and of any size, and a signed one if both signs
    /// occur.
    pub fn of(values: &[f64]) -> Shade {
        let usable = values.iter().copied().filter(|value| value.abs() < 1e15);
        if values.iter().any(|value| *value < 0.0) {
            return Shade::about(0.0, values);
        }
        Shade::Even(Scale::around(usable, 0.0))
    }

    /// Returns a scale about a middle: 0 for differences.
    pub fn about(middle: f64, values: &[f64]) -> Shade {
        let sizes = values.iter().map(|value| (value - middle).abs()).filter(|size| *size < 1e15);
        let most = sizes.fold(0.0, f64::max);
        Shade::About(middle, if most > 0.0 { most } else { 1.0 })
    }

    /// Returns a scale for values without numbers beside them: classes if few values are much
    /// larger than most.
    pub fn without_numbers(values: &[f64]) -> Shade {
        let mut positive: Vec<_> =
            values.iter().copied().filter(|v| *v > 0.0 && *v < 1e15).collect();
        positive.sort_by(f64::total_cmp);
        let at = |share: f64| positive.get((share * positive.len() as f64) as usize).copied();
        let (middle, most) = (at(0.5).unwrap_or(0.0), positive.last().copied().unwrap_or(0.0));
        if values.iter().any(|value| *value < 0.0) || most < SKEWED * middle || most == 0.0 {
            return Shade::of(values);
        }
        Shade::Classes(edges(at(0.99).unwrap_or(most)))
    }

    /// Returns the colour of a value.
    pub fn ink(&self, value: f64) -> Ink {
        match self {
            Shade::Even(scale) => heat(scale.share(value)),
            Shade::Classes(_) if value == 0.0 => ZERO,
            Shade::Classes(edges) => {
                let at_least = |edge: &&f64| {
                    let edge = Approximation::rounded(**edge);
                    Approximation::computed(value).is_at_least(edge)
                };
                let class = edges.iter().filter(at_least).count();
                heat(class as f64 / edges.len() as f64)
            }
            Shade::About(middle, most) => signed((value - middle) / most),
        }
    }

    /// Returns the width of the key to the right of an area.
    pub fn room(&self, title: &str) -> i32 {
        let labels: Vec<_> = match self {
            Shade::Even(scale) => scale.ticks().into_iter().map(|(_, label)| label).collect(),
            Shade::Classes(edges) => (0..=edges.len()).map(|i| said(edges, i)).collect(),
            Shade::About(middle, most) => {
                ticks_about(*middle, *most).into_iter().map(|(_, l)| l).collect()
            }
        };
        let labels =
            labels.iter().map(|label| text_layout::width(label, text_layout::SMALL, false));
        let title = text_layout::width(title, text_layout::SMALL, false);
        24 + (labels.max().unwrap_or(0) + 34).max(title).min(WIDEST)
    }

    /// Draws the key right of an area, its title above.
    pub fn key(&self, scene: &mut Scene, area: Area, title: &str) {
        let left = area.right + 24;
        let title = text_layout::fitted(title, text_layout::SMALL, WIDEST);
        let at = (left, area.top - 16);
        scene.text(text_layout::small(title, at, Side::Left));
        match self {
            Shade::Even(scale) => self.strip(scene, area, scale.ticks(), scale),
            Shade::About(middle, most) => {
                let scale = Scale::exactly(middle - most, middle + most);
                self.strip(scene, area, ticks_about(*middle, *most), &scale);
            }
            Shade::Classes(edges) => {
                let mut y = area.top;
                // The largest class on top, as on a strip with a scale.
                for class in (0..=edges.len()).rev() {
                    let ink = heat(class as f64 / edges.len() as f64);
                    class_key(scene, (left, y), ink, said(edges, class));
                    y += STEP;
                }
                class_key(scene, (left, y), ZERO, "0".to_owned());
            }
        }
    }

    /// Draws the colours as a strip with ticks.
    fn strip(&self, scene: &mut Scene, area: Area, ticks: Vec<(f64, String)>, scale: &Scale) {
        let (left, right) = (area.right + 24, area.right + 42);
        let bottom = area.bottom.clamp(area.top + plot_frame::KEY, area.top + 400);
        let edge = |strip: i32| bottom + (area.top - bottom) * strip / STRIPS;
        let (low, high) = scale.ends();
        for strip in 0..STRIPS {
            let share = f64::from(strip) / f64::from(STRIPS - 1);
            let ink = self.ink(low + share * (high - low));
            scene.fill((left, edge(strip + 1)), (right, edge(strip)), ink);
        }
        scene.frame((left, area.top), (right, bottom), Ink::BLACK);
        for (value, label) in ticks {
            let y = scale.pixel(value, bottom, area.top);
            scene.line(vec![(right, y), (right + 4, y)], Ink::BLACK, 1);
            scene.text(text_layout::small(label, (right + 8, y), Side::Left));
        }
    }
}

/// Colours in a strip.
const STRIPS: i32 = 60;

/// Pixels from one class to the next in the key.
const STEP: i32 = 22;

/// The largest width of the key.
const WIDEST: i32 = 250;

fn class_key(scene: &mut Scene, (left, y): (i32, i32), ink: Ink, said: String) {
    scene.fill((left, y), (left + 26, y + STEP), ink);
    scene.frame((left, y), (left + 26, y + STEP), Ink::GREY);
    let at = (left + 34, y + STEP / 2);
    scene.text(text_layout::small(said, at, Side::Left));
}

/// Formats a class: `0.5 to 1`, `10 and more`, `above 0`.
fn said(edges: &[f64], class: usize) -> String {
    let edge = |i: usize| {
        format!("{:.*}", if edges[i] < 1.0 { decimals_of(edges[i]) } else { 0 }, edges[i])
    };
    match class {
        0 => format!("below {}", edge(0)),
        _ if class == edges.len() => format!("{} and more", edge(class - 1)),
        _ => format!("{} to {}", edge(class - 1), edge(class)),
    }
}

/// Returns rising edges of 1, 2 and 5 times powers of ten, the highest at most `high`.
fn edges(high: f64) -> Vec<f64> {
    let exponent = high.log10().floor() as i32;
    let around = (exponent - 4..=exponent).flat_map(|e| [1.0, 2.0, 5.0].map(|f| power(f, e)));
    let mut edges: Vec<_> = around.filter(|edge| *edge <= high * (1.0 + 1e-9)).collect();
    edges.drain(..edges.len().saturating_sub(CLASSES));
    if edges.is_empty() {
        edges.push(high);
    }
    edges
}

/// Returns `factor`·10^`exponent` as a person would type it; repeated products are rounded
/// differently.
fn power(factor: f64, exponent: i32) -> f64 {
    format!("{factor}e{exponent}").parse().unwrap_or(factor)
}

/// Returns orange and violet of equal lightness at the ends (PuOr by C. Brewer), which colour-blind
/// readers can distinguish; in grey the signs of the numbers do that.
fn signed(share: f64) -> Ink {
    let share = if share.is_nan() { 0.0 } else { share.clamp(-1.0, 1.0) };
    let end = if share < 0.0 { Ink(179, 88, 6) } else { Ink(84, 39, 136) };
    end.mixed(Ink(0xf7, 0xf7, 0xf7), 1.0 - step(share.abs()))
}

/// Returns ticks within `most` of the middle; about 0 they have their sign.
fn ticks_about(middle: f64, most: f64) -> Vec<(f64, String)> {
    let scale = Scale::around([middle - most, middle + most].into_iter(), middle);
    let within = |(value, _): &(f64, String)| (value - middle).abs() <= most * (1.0 + 1e-9);
    let said = |(value, label): (f64, String)| match value > 0.0 && middle == 0.0 {
        true => (value, format!("+{label}")),
        false => (value, label),
    };
    scale.ticks().into_iter().filter(within).map(said).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_used_where_few_values_are_large() {
        let mut values = vec![0.0, 0.5, 0.6, 0.8, 1.0];
        assert!(matches!(Shade::without_numbers(&values), Shade::Even(_)));
        values.push(48.0);
        let shade = Shade::without_numbers(&values);
        assert_eq!(shade, Shade::Classes(vec![0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0]));
        assert_eq!(shade.ink(0.3), heat(1.0 / 7.0));
        assert_eq!(shade.ink(20.0), heat(1.0));
        assert_eq!(shade.ink(0.0), ZERO);
        assert_eq!(said(&[0.2, 0.5, 1.0], 0), "below 0.2");
        assert_eq!(said(&[0.2, 0.5, 1.0], 2), "0.5 to 1");
        assert_eq!(said(&[0.2, 0.5, 10.0], 3), "10 and more");
    }

    #[test]
    fn every_set_of_values_has_colours() {
        let sets: [&[f64]; 8] = [
            &[],
            &[0.0],
            &[f64::NAN, f64::INFINITY],
            &[5e-324, 1e-300, 1e300],
            &[f64::MAX, 1.0, 1.0, 1.0],
            &[-1.0, 1.0],
            &[-5e-324],
            &[f64::NEG_INFINITY, 3.0],
        ];
        for values in sets {
            for shade in [Shade::of(values), Shade::without_numbers(values)] {
                for &value in values {
                    shade.ink(value);
                }
                let mut scene = Scene::new(crate::drawing::Medium::Screen, 400, 400);
                let area = Area { left: 0, top: 20, right: 100, bottom: 200 };
                shade.key(&mut scene, area, "p");
                assert!(shade.room("p") < 300);
            }
        }
    }

    /// Both ends must differ in hue only: a grey print must not suggest that one side is larger.
    #[test]
    fn signs_are_even() {
        assert_eq!(signed(0.0), signed(f64::NAN));
        let contrast = signed(1.0).contrast(Ink::WHITE) / signed(-1.0).contrast(Ink::WHITE);
        assert!((0.4..2.5).contains(&contrast), "{contrast}");
        for i in -10..=10 {
            let ink = signed(f64::from(i) / 10.0);
            assert!(ink.contrast(ink.text()) >= 4.5);
        }
    }
}
