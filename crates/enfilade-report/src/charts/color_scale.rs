//! Scales from values to colours, and their key.
//!
//! Three scales: *even* from light to dark for values of one size; *classes* of 1, 2, 5, 10 … for
//! values that differ by orders of magnitude and have no numbers beside them; *about* a middle that
//! matters.

use super::axis_scale::{AxisScale, round_to_distinct_color, viridis_color};
use super::plot_frame::{self, PlotArea};
use super::text_layout;
use crate::drawing::{HorizontalTextAnchor, RgbColor, Scene};
use crate::text::number_format::decimals_to_first_digit;
use enfilade_engine::exact::approximation::Approximation;

/// The mapping from values to colours.
#[derive(Clone, Debug, PartialEq)]
pub enum ColorScale {
    /// Evenly from light to dark.
    Even(AxisScale),
    /// By class: the rising lower edges of all classes but the lowest; 0 has a separate colour.
    Classes(Vec<f64>),
    /// From orange below a middle over white to violet above it, with both ends this far from it.
    About(f64, f64),
}

/// The largest number of classes above the lowest.
const MAX_COLOR_CLASSES: usize = 7;

/// The ratio of the largest to the middle values from which classes are used.
const MIN_SKEW_FOR_CLASSES: f64 = 6.0;

/// The colour of an exact 0 where there are classes.
const EXACT_ZERO_COLOR: RgbColor = RgbColor(0xf6, 0xf3, 0xe8);

impl ColorScale {
    /// Returns an even scale for values of one sign and of any size, and a signed one if both signs
    /// occur.
    pub fn even_or_around_zero(values: &[f64]) -> ColorScale {
        let usable = values.iter().copied().filter(|value| value.abs() < 1e15);
        if values.iter().any(|value| *value < 0.0) {
            return ColorScale::around_middle(0.0, values);
        }
        ColorScale::Even(AxisScale::with_round_ends(usable, 0.0))
    }

    /// Returns a scale about a middle: 0 for differences.
    pub fn around_middle(middle: f64, values: &[f64]) -> ColorScale {
        let sizes = values.iter().map(|value| (value - middle).abs()).filter(|size| *size < 1e15);
        let most = sizes.fold(0.0, f64::max);
        ColorScale::About(middle, if most > 0.0 { most } else { 1.0 })
    }

    /// Returns a scale for values without numbers beside them: classes if few values are much
    /// larger than most.
    pub fn with_classes_if_skewed(values: &[f64]) -> ColorScale {
        let mut positive: Vec<_> =
            values.iter().copied().filter(|v| *v > 0.0 && *v < 1e15).collect();
        positive.sort_by(f64::total_cmp);
        let at = |share: f64| positive.get((share * positive.len() as f64) as usize).copied();
        let (middle, most) = (at(0.5).unwrap_or(0.0), positive.last().copied().unwrap_or(0.0));
        if values.iter().any(|value| *value < 0.0)
            || most < MIN_SKEW_FOR_CLASSES * middle
            || most == 0.0
        {
            return ColorScale::even_or_around_zero(values);
        }
        ColorScale::Classes(choose_round_class_edges(at(0.99).unwrap_or(most)))
    }

    /// Returns the colour of a value.
    pub fn color_of_value(&self, value: f64) -> RgbColor {
        match self {
            ColorScale::Even(scale) => viridis_color(scale.position_between_ends(value)),
            ColorScale::Classes(_) if value == 0.0 => EXACT_ZERO_COLOR,
            ColorScale::Classes(edges) => {
                let at_least = |edge: &&f64| {
                    let edge = Approximation::from_rounded(**edge);
                    Approximation::from_accumulated_rounding(value).is_at_least_within_error(edge)
                };
                let class = edges.iter().filter(at_least).count();
                viridis_color(class as f64 / edges.len() as f64)
            }
            ColorScale::About(middle, most) => orange_violet_color((value - middle) / most),
        }
    }

    /// Returns the width of the key to the right of an area.
    pub fn width_of_key(&self, title: &str) -> i32 {
        let labels: Vec<_> = match self {
            ColorScale::Even(scale) => {
                scale.ticks_with_labels().into_iter().map(|(_, label)| label).collect()
            }
            ColorScale::Classes(edges) => {
                (0..=edges.len()).map(|i| format_color_class(edges, i)).collect()
            }
            ColorScale::About(middle, most) => {
                build_ticks_around_middle(*middle, *most).into_iter().map(|(_, l)| l).collect()
            }
        };
        let labels = labels.iter().map(|label| {
            text_layout::pixel_width_of_text(label, text_layout::SMALL_TEXT_HEIGHT, false)
        });
        let title = text_layout::pixel_width_of_text(title, text_layout::SMALL_TEXT_HEIGHT, false);
        24 + (labels.max().unwrap_or(0) + 34).max(title).min(MAX_COLOR_KEY_WIDTH)
    }

    /// Draws the key right of an area, its title above.
    pub fn draw_color_key(&self, scene: &mut Scene, area: PlotArea, title: &str) {
        let left = area.right + 24;
        let title = text_layout::truncate_to_room(
            title,
            text_layout::SMALL_TEXT_HEIGHT,
            MAX_COLOR_KEY_WIDTH,
        );
        let at = (left, area.top - 16);
        scene.add_text(text_layout::new_small_label(title, at, HorizontalTextAnchor::Left));
        match self {
            ColorScale::Even(scale) => {
                self.draw_color_strip(scene, area, scale.ticks_with_labels(), scale)
            }
            ColorScale::About(middle, most) => {
                let scale = AxisScale::with_exact_ends(middle - most, middle + most);
                self.draw_color_strip(
                    scene,
                    area,
                    build_ticks_around_middle(*middle, *most),
                    &scale,
                );
            }
            ColorScale::Classes(edges) => {
                let mut y = area.top;
                // The largest class on top, as on a strip with a scale.
                for class in (0..=edges.len()).rev() {
                    let ink = viridis_color(class as f64 / edges.len() as f64);
                    draw_one_color_class(scene, (left, y), ink, format_color_class(edges, class));
                    y += COLOR_CLASS_STEP;
                }
                draw_one_color_class(scene, (left, y), EXACT_ZERO_COLOR, "0".to_owned());
            }
        }
    }

    /// Draws the colours as a strip with ticks.
    fn draw_color_strip(
        &self,
        scene: &mut Scene,
        area: PlotArea,
        ticks: Vec<(f64, String)>,
        scale: &AxisScale,
    ) {
        let (left, right) = (area.right + 24, area.right + 42);
        let bottom = area.bottom.clamp(area.top + plot_frame::MIN_COLOR_KEY_HEIGHT, area.top + 400);
        let edge = |strip: i32| bottom + (area.top - bottom) * strip / STRIP_COLOR_COUNT;
        let (low, high) = scale.low_and_high_end();
        for strip in 0..STRIP_COLOR_COUNT {
            let share = f64::from(strip) / f64::from(STRIP_COLOR_COUNT - 1);
            let ink = self.color_of_value(low + share * (high - low));
            // Up to the top, so that no seam is left between it and the next one.
            scene.fill_rectangle((left, area.top), (right, edge(strip)), ink);
        }
        scene.outline_rectangle((left, area.top), (right, bottom), RgbColor::TEXT_AND_AXIS_BLACK);
        for (value, label) in ticks {
            let y = scale.pixel_of(value, bottom, area.top);
            scene.draw_polyline(vec![(right, y), (right + 4, y)], RgbColor::TEXT_AND_AXIS_BLACK, 1);
            scene.add_text(text_layout::new_small_label(
                label,
                (right + 8, y),
                HorizontalTextAnchor::Left,
            ));
        }
    }
}

/// Colours in a strip.
const STRIP_COLOR_COUNT: i32 = 60;

/// Pixels from one class to the next in the key.
const COLOR_CLASS_STEP: i32 = 22;

/// The largest width of the key.
const MAX_COLOR_KEY_WIDTH: i32 = 250;

fn draw_one_color_class(scene: &mut Scene, (left, y): (i32, i32), ink: RgbColor, text: String) {
    scene.fill_rectangle((left, y), (left + 26, y + COLOR_CLASS_STEP), ink);
    scene.outline_rectangle((left, y), (left + 26, y + COLOR_CLASS_STEP), RgbColor::CAPTION_GREY);
    let at = (left + 34, y + COLOR_CLASS_STEP / 2);
    scene.add_text(text_layout::new_small_label(text, at, HorizontalTextAnchor::Left));
}

/// Formats a class: `0.5 to 1`, `10 and more`, `above 0`.
fn format_color_class(edges: &[f64], class: usize) -> String {
    let edge = |i: usize| {
        format!(
            "{:.*}",
            if edges[i] < 1.0 { decimals_to_first_digit(edges[i]) } else { 0 },
            edges[i]
        )
    };
    match class {
        0 => format!("below {}", edge(0)),
        _ if class == edges.len() => format!("{} and more", edge(class - 1)),
        _ => format!("{} to {}", edge(class - 1), edge(class)),
    }
}

/// Returns rising edges of 1, 2 and 5 times powers of ten, the highest at most `high`.
fn choose_round_class_edges(high: f64) -> Vec<f64> {
    let exponent = high.log10().floor() as i32;
    let around =
        (exponent - 4..=exponent).flat_map(|e| [1.0, 2.0, 5.0].map(|f| exact_power_multiple(f, e)));
    let mut edges: Vec<_> = around.filter(|edge| *edge <= high * (1.0 + 1e-9)).collect();
    edges.drain(..edges.len().saturating_sub(MAX_COLOR_CLASSES));
    if edges.is_empty() {
        edges.push(high);
    }
    edges
}

/// Returns `factor`·10^`exponent` as a person would type it; repeated products are rounded
/// differently.
fn exact_power_multiple(factor: f64, exponent: i32) -> f64 {
    format!("{factor}e{exponent}").parse().unwrap_or(factor)
}

/// Returns orange and violet of equal lightness at the ends (PuOr by C. Brewer), which colour-blind
/// readers can distinguish; in grey the signs of the numbers do that.
fn orange_violet_color(share: f64) -> RgbColor {
    let share = if share.is_nan() { 0.0 } else { share.clamp(-1.0, 1.0) };
    let end = if share < 0.0 { RgbColor(179, 88, 6) } else { RgbColor(84, 39, 136) };
    end.mix_with(RgbColor(0xf7, 0xf7, 0xf7), 1.0 - round_to_distinct_color(share.abs()))
}

/// Returns ticks within `most` of the middle; about 0 they have their sign.
fn build_ticks_around_middle(middle: f64, most: f64) -> Vec<(f64, String)> {
    let scale = AxisScale::with_round_ends([middle - most, middle + most].into_iter(), middle);
    let within = |(value, _): &(f64, String)| (value - middle).abs() <= most * (1.0 + 1e-9);
    let describe = |(value, label): (f64, String)| match value > 0.0 && middle == 0.0 {
        true => (value, format!("+{label}")),
        false => (value, label),
    };
    scale.ticks_with_labels().into_iter().filter(within).map(describe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_used_where_few_values_are_large() {
        let mut values = vec![0.0, 0.5, 0.6, 0.8, 1.0];
        assert!(matches!(ColorScale::with_classes_if_skewed(&values), ColorScale::Even(_)));
        values.push(48.0);
        let shade = ColorScale::with_classes_if_skewed(&values);
        assert_eq!(shade, ColorScale::Classes(vec![0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0]));
        assert_eq!(shade.color_of_value(0.3), viridis_color(1.0 / 7.0));
        assert_eq!(shade.color_of_value(20.0), viridis_color(1.0));
        assert_eq!(shade.color_of_value(0.0), EXACT_ZERO_COLOR);
        assert_eq!(format_color_class(&[0.2, 0.5, 1.0], 0), "below 0.2");
        assert_eq!(format_color_class(&[0.2, 0.5, 1.0], 2), "0.5 to 1");
        assert_eq!(format_color_class(&[0.2, 0.5, 10.0], 3), "10 and more");
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
            for shade in [
                ColorScale::even_or_around_zero(values),
                ColorScale::with_classes_if_skewed(values),
            ] {
                for &value in values {
                    shade.color_of_value(value);
                }
                let mut scene = Scene::new(crate::drawing::DrawingMedium::Screen, 400, 400);
                let area = PlotArea { left: 0, top: 20, right: 100, bottom: 200 };
                shade.draw_color_key(&mut scene, area, "p");
                assert!(shade.width_of_key("p") < 300);
            }
        }
    }

    /// Pages and the studio have the colours of the pictures, by day and by night, in their style.
    #[test]
    fn pages_have_the_same_colours() {
        let style = crate::blocks::html::COLOR_AND_FONT_STYLE;
        let (day, night) = style.split_once("@media (prefers-color-scheme: dark)").expect("both");
        let has = |part: &str, name: &str, ink: RgbColor| {
            let rule = format!("--{name}: {};", ink.to_css_hex_color());
            assert!(part.contains(&rule), "{rule} is missing");
        };
        let mut all: Vec<_> =
            (0..=10).map(|i| (format!("heat-{i}"), viridis_color(f64::from(i) / 10.0))).collect();
        let ends = [("below", -1.0), ("even", 0.0), ("above", 1.0)];
        all.extend(ends.map(|(name, share)| (name.to_owned(), orange_violet_color(share))));
        for (name, ink) in all {
            has(day, &name, ink);
            has(night, &name, ink.dark_mode_color());
        }
        // What is written on them can be read: black up to these shares, and white above.
        for i in 0..=100 {
            let share = f64::from(i) / 100.0;
            let text = |black: bool| if black { RgbColor(0, 0, 0) } else { RgbColor::PAPER_WHITE };
            let heat = viridis_color(share).contrast_ratio_with(text(share <= 0.565));
            let below = orange_violet_color(-share).contrast_ratio_with(text(share <= 0.95));
            let above = orange_violet_color(share).contrast_ratio_with(text(share <= 0.68));
            assert!(heat.min(below).min(above) >= 4.5, "{share}: {heat} {below} {above}");
        }
    }

    /// Both ends must differ in hue only: a grey print must not suggest that one side is larger.
    #[test]
    fn signs_are_even() {
        assert_eq!(orange_violet_color(0.0), orange_violet_color(f64::NAN));
        let contrast = orange_violet_color(1.0).contrast_ratio_with(RgbColor::PAPER_WHITE)
            / orange_violet_color(-1.0).contrast_ratio_with(RgbColor::PAPER_WHITE);
        assert!((0.4..2.5).contains(&contrast), "{contrast}");
        for i in -10..=10 {
            let ink = orange_violet_color(f64::from(i) / 10.0);
            assert!(ink.contrast_ratio_with(ink.readable_text_color()) >= 4.5);
        }
    }
}
