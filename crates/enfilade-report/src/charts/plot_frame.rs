//! Parts that all charts share: title, caption, plot area with axes, legend.

use super::axis_scale::AxisScale;
use super::text_layout;
use crate::drawing::{DrawingMedium, HorizontalTextAnchor, RgbColor, Scene, TextLabel};

/// The margin around everything.
pub const CHART_MARGIN: i32 = 20;

/// The smallest height of a key of colours.
pub const MIN_COLOR_KEY_HEIGHT: i32 = 120;

/// Texts above and below a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartTitleAndCaption {
    /// The title.
    pub title: String,
    /// The line below the title: the measure, and the values of the other axes.
    pub subtitle: String,
    /// The text below the chart: exact or simulated, N, the meaning of an interval.
    pub caption: String,
}

impl ChartTitleAndCaption {
    /// Returns the texts with additions to the title and the caption.
    pub fn with_title_and_caption_added(&self, title: &str, caption: &str) -> ChartTitleAndCaption {
        let joined = |a: &str, b: &str, between: &str| match a.is_empty() || b.is_empty() {
            true => format!("{a}{b}"),
            false => format!("{a}{between}{b}"),
        };
        ChartTitleAndCaption {
            title: joined(&self.title, title, ": "),
            subtitle: self.subtitle.clone(),
            caption: joined(&self.caption, caption, " "),
        }
    }
}

/// Starts a picture with its texts and room for a body of this size. Returns the left and top of
/// the body.
pub fn new_chart_page(words: &ChartTitleAndCaption, body: (i32, i32)) -> (Scene, (i32, i32)) {
    let room = body.0.max(min_width_for_short_title(&words.title));
    let width = room + 2 * CHART_MARGIN;
    let title = wrap_title(&words.title, room);
    let subtitle =
        text_layout::wrap_to_width(&words.subtitle, text_layout::ORDINARY_TEXT_HEIGHT, room);
    let caption = text_layout::wrap_to_width(&words.caption, text_layout::SMALL_TEXT_HEIGHT, room);
    let step = |size: i32, lines: &[String]| (size * 4 / 3) * lines.len() as i32;
    let top = CHART_MARGIN
        + step(text_layout::TITLE_TEXT_HEIGHT, &title)
        + step(text_layout::ORDINARY_TEXT_HEIGHT, &subtitle)
        + 10;
    let below = step(text_layout::SMALL_TEXT_HEIGHT, &caption) + 14;
    let mut scene =
        Scene::new(DrawingMedium::Screen, width, top + body.1 + below + CHART_MARGIN / 2);
    let mut y = CHART_MARGIN;
    draw_text_lines(&mut scene, &title, text_layout::TITLE_TEXT_HEIGHT, &mut y, |label| {
        label.to_bold()
    });
    draw_text_lines(&mut scene, &subtitle, text_layout::ORDINARY_TEXT_HEIGHT, &mut y, |label| {
        label
    });
    y = top + body.1 + 14;
    let grey = |label: TextLabel| label.with_color(RgbColor::CAPTION_GREY);
    draw_text_lines(&mut scene, &caption, text_layout::SMALL_TEXT_HEIGHT, &mut y, grey);
    (scene, (CHART_MARGIN, top))
}

/// The smallest width of the texts of a picture, and the width up to which it grows for a long
/// title.
const TEXT_WIDTHS: (i32, i32) = (420, 760);

/// The number of lines that a title should have at most.
const MAX_TITLE_LINES: usize = 2;

/// Wraps a title in bold, which is about an eighth wider than the type that is measured.
fn wrap_title(title: &str, room: i32) -> Vec<String> {
    text_layout::wrap_to_width(title, text_layout::TITLE_TEXT_HEIGHT, room * 7 / 8)
}

/// Returns the smallest width at which a title is short, as far as a picture grows for it.
fn min_width_for_short_title(title: &str) -> i32 {
    let (least, most) = TEXT_WIDTHS;
    let widths = (least..=most).step_by(20);
    let is_short = |width: &i32| wrap_title(title, *width).len() <= MAX_TITLE_LINES;
    widths.clone().find(is_short).unwrap_or(most)
}

/// Starts a picture with its texts and an area of this size, with this much room before, above,
/// after and below it.
pub fn new_page_with_area(
    words: &ChartTitleAndCaption,
    (width, height): (i32, i32),
    [before, above, after, below]: [i32; 4],
) -> (Scene, PlotArea) {
    let (scene, (left, top)) =
        new_chart_page(words, (before + width + after, above + height + below));
    let (left, top) = (left + before, top + above);
    (scene, PlotArea { left, top, right: left + width, bottom: top + height })
}

fn draw_text_lines(
    scene: &mut Scene,
    lines: &[String],
    size: i32,
    y: &mut i32,
    dress: impl Fn(TextLabel) -> TextLabel,
) {
    for line in lines {
        let at = (CHART_MARGIN, *y + size * 2 / 3);
        scene.add_text(dress(
            text_layout::new_label(line.clone(), at, HorizontalTextAnchor::Left)
                .with_size(text_layout::font_size_for_height(size)),
        ));
        *y += size * 4 / 3;
    }
}

/// The area in which values are drawn, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlotArea {
    /// Left edge.
    pub left: i32,
    /// Top edge.
    pub top: i32,
    /// Right edge.
    pub right: i32,
    /// Bottom edge.
    pub bottom: i32,
}

impl PlotArea {
    /// Returns the width.
    pub fn width(&self) -> i32 {
        self.right - self.left
    }
}

/// Returns the room to the left of an area for the labels and the title of its y axis.
pub fn width_of_y_axis_labels(scale: &AxisScale) -> i32 {
    let labels = scale.ticks_with_labels().into_iter();
    let widest = labels
        .map(|(_, label)| {
            text_layout::pixel_width_of_text(&label, text_layout::ORDINARY_TEXT_HEIGHT, false)
        })
        .max();
    widest.unwrap_or(0) + 12 + text_layout::ORDINARY_TEXT_HEIGHT * 3 / 2
}

/// Draws a y axis: grid lines, labels, and an upright title.
pub fn draw_y_axis(scene: &mut Scene, area: PlotArea, scale: &AxisScale, title: &str) {
    for (value, label) in scale.ticks_with_labels() {
        let y = scale.pixel_of(value, area.bottom, area.top);
        scene.draw_polyline(vec![(area.left, y), (area.right, y)], RgbColor::GRID_LINE_GREY, 1);
        scene.add_text(text_layout::new_label(
            label,
            (area.left - 8, y),
            HorizontalTextAnchor::Right,
        ));
    }
    let at = (
        area.left - width_of_y_axis_labels(scale) + text_layout::ORDINARY_TEXT_HEIGHT / 2,
        (area.top + area.bottom) / 2,
    );
    let title = text_layout::truncate_to_room(
        title,
        text_layout::ORDINARY_TEXT_HEIGHT,
        area.bottom - area.top,
    );
    scene.add_text(text_layout::new_label(title, at, HorizontalTextAnchor::Middle).to_upright());
}

/// Draws an x axis with numbers: ticks below the area, and the title below them.
pub fn draw_x_axis(scene: &mut Scene, area: PlotArea, scale: &AxisScale, title: &str) {
    draw_x_axis_with_ticks(scene, area, scale, &scale.ticks_with_labels(), title);
}

/// Returns the ticks whose labels do not touch the one before.
pub fn ticks_with_room(
    ticks: &[(f64, String)],
    scale: &AxisScale,
    area: PlotArea,
) -> Vec<(f64, String)> {
    let (mut shown, mut end) = (Vec::new(), i32::MIN);
    for (value, label) in ticks {
        let x = scale.pixel_of(*value, area.left, area.right);
        let half =
            text_layout::pixel_width_of_text(label, text_layout::ORDINARY_TEXT_HEIGHT, false) / 2;
        if x - half > end {
            end = x + half + 6;
            shown.push((*value, label.clone()));
        }
    }
    shown
}

/// Draws an x axis with these ticks.
pub fn draw_x_axis_with_ticks(
    scene: &mut Scene,
    area: PlotArea,
    scale: &AxisScale,
    ticks: &[(f64, String)],
    title: &str,
) {
    for (value, label) in ticks {
        let x = scale.pixel_of(*value, area.left, area.right);
        scene.draw_polyline(
            vec![(x, area.bottom), (x, area.bottom + 5)],
            RgbColor::TEXT_AND_AXIS_BLACK,
            1,
        );
        scene.add_text(text_layout::new_label(
            label.clone(),
            (x, area.bottom + 16),
            HorizontalTextAnchor::Middle,
        ));
    }
    draw_x_title(scene, area, area.bottom + 40, title);
    draw_axis_lines(scene, area);
}

/// Returns the height of the labels of an x axis with words, which are upright if they are too wide
/// for their `step`.
pub fn height_of_x_labels(labels: &[String], step: i32) -> i32 {
    if must_labels_be_upright(labels, step) {
        return width_of_widest_text(labels).min(MAX_AXIS_LABEL_WIDTH) + 8;
    }
    text_layout::ORDINARY_TEXT_HEIGHT + 8
}

/// The longest label, in pixels, before it is truncated.
pub const MAX_AXIS_LABEL_WIDTH: i32 = 170;

/// Returns the width of the widest text.
pub fn width_of_widest_text(texts: &[String]) -> i32 {
    widest_text_at(texts, text_layout::ORDINARY_TEXT_HEIGHT)
}

/// Returns the width of the widest text of another size.
pub fn widest_text_at(texts: &[String], size: i32) -> i32 {
    let widths = texts.iter().map(|text| text_layout::pixel_width_of_text(text, size, false));
    widths.max().unwrap_or(0)
}

fn must_labels_be_upright(labels: &[String], step: i32) -> bool {
    width_of_widest_text(labels) > step - 6
}

/// Draws labels at pixels below `top`; if more are there than fit, every second, third … is left
/// out.
pub fn draw_x_labels(scene: &mut Scene, labels: &[String], at: &[i32], top: i32, step: i32) {
    let turned = must_labels_be_upright(labels, step);
    let skip = if turned {
        (text_layout::ORDINARY_TEXT_HEIGHT + 1 + step.max(1)) / step.max(1)
    } else {
        1
    };
    for (label, &x) in labels.iter().zip(at).step_by(skip as usize) {
        if turned {
            let label = text_layout::truncate_to_room(
                label,
                text_layout::ORDINARY_TEXT_HEIGHT,
                MAX_AXIS_LABEL_WIDTH,
            );
            scene.add_text(
                text_layout::new_label(label, (x, top + 4), HorizontalTextAnchor::Right)
                    .to_upright(),
            );
        } else {
            let at = (x, top + 4 + text_layout::ORDINARY_TEXT_HEIGHT / 2);
            scene.add_text(text_layout::new_label(label.clone(), at, HorizontalTextAnchor::Middle));
        }
    }
}

/// Draws the title of an x axis, centred below its area at `y`.
pub fn draw_x_title(scene: &mut Scene, area: PlotArea, y: i32, title: &str) {
    let width = scene.width as i32;
    let room = width - 2 * CHART_MARGIN;
    let title = text_layout::truncate_to_room(title, text_layout::ORDINARY_TEXT_HEIGHT, room);
    let half =
        text_layout::pixel_width_of_text(&title, text_layout::ORDINARY_TEXT_HEIGHT, false) / 2;
    let middle = (area.left + area.right) / 2;
    let middle =
        middle.clamp(CHART_MARGIN + half, (width - CHART_MARGIN - half).max(CHART_MARGIN + half));
    scene.add_text(text_layout::new_label(title, (middle, y), HorizontalTextAnchor::Middle));
}

/// Draws the lines at the left and the bottom of an area.
pub fn draw_axis_lines(scene: &mut Scene, area: PlotArea) {
    let corner = (area.left, area.bottom);
    let points = vec![(area.left, area.top), corner, (area.right, area.bottom)];
    scene.draw_polyline(points, RgbColor::TEXT_AND_AXIS_BLACK, 1);
}

/// The style of one entry of a legend.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendItem {
    /// Its name.
    pub name: String,
    /// A few characters after the name that are never truncated.
    pub note: String,
    /// Its colour.
    pub ink: RgbColor,
    /// Dashes of its line; `None` for a filled square.
    pub line: Option<&'static [f64]>,
}

impl LegendItem {
    fn name_followed_by_note(&self) -> String {
        format!("{}{}", self.name, self.note)
    }
}

/// Spreads labels that would be at `positions`, in falling order of value and so rising in pixels:
/// at least `step` apart and between two ends while there is room.
pub fn spread_labels_apart(positions: &[i32], step: i32, (top, bottom): (i32, i32)) -> Vec<i32> {
    let mut places = Vec::with_capacity(positions.len());
    let mut next = top;
    for &want in positions {
        let place = want.max(next);
        places.push(place);
        next = place + step;
    }
    // Back up again, as far as they were pushed below the lower end.
    let mut last = bottom;
    for place in places.iter_mut().rev() {
        *place = (*place).min(last);
        last = *place - step;
    }
    places
}

/// Draws a line of keys: squares with their names, from left to right.
pub fn draw_row_of_keys(scene: &mut Scene, (mut x, y): (i32, i32), keys: &[(RgbColor, String)]) {
    for (ink, name) in keys {
        let name =
            text_layout::truncate_to_room(name, text_layout::SMALL_TEXT_HEIGHT, MAX_KEY_NAME_WIDTH);
        scene.fill_rectangle((x, y - 6), (x + 20, y + 6), *ink);
        scene.outline_rectangle((x, y - 6), (x + 20, y + 6), RgbColor::TEXT_AND_AXIS_BLACK);
        let width = text_layout::pixel_width_of_text(&name, text_layout::SMALL_TEXT_HEIGHT, false);
        scene.add_text(text_layout::new_small_label(name, (x + 28, y), HorizontalTextAnchor::Left));
        x += 28 + width + 24;
    }
}

/// The longest name in a line of keys.
const MAX_KEY_NAME_WIDTH: i32 = 140;

/// The widest legend, in pixels.
const MAX_CHART_LEGEND_WIDTH: i32 = 380;

/// Returns the room to the right of an area for a legend.
pub fn width_of_legend(keys: &[LegendItem], title: &str) -> i32 {
    let names: Vec<_> = keys.iter().map(LegendItem::name_followed_by_note).collect();
    let title = text_layout::pixel_width_of_text(title, text_layout::ORDINARY_TEXT_HEIGHT, false);
    (width_of_widest_text(&names) + 44).max(title).min(MAX_CHART_LEGEND_WIDTH) + 24
}

/// Returns the height of a legend.
pub fn height_of_legend(keys: &[LegendItem]) -> i32 {
    (keys.len() as i32 + 1) * 24
}

/// Draws a legend with its left end at `at`.
pub fn draw_legend(scene: &mut Scene, at: (i32, i32), keys: &[LegendItem], title: &str) {
    if keys.is_empty() {
        return;
    }
    let (x, mut y) = (at.0, at.1 + 8);
    let title = text_layout::truncate_to_room(
        title,
        text_layout::ORDINARY_TEXT_HEIGHT,
        MAX_CHART_LEGEND_WIDTH,
    );
    scene.add_text(text_layout::new_label(title, (x, y), HorizontalTextAnchor::Left));
    for key in keys {
        y += 24;
        match key.line {
            Some(dashes) => scene.draw_dashed_polyline(&[(x, y), (x + 34, y)], dashes, key.ink, 3),
            None => {
                scene.fill_rectangle((x, y - 8), (x + 26, y + 8), key.ink);
                scene.outline_rectangle((x, y - 8), (x + 26, y + 8), RgbColor::TEXT_AND_AXIS_BLACK);
            }
        }
        let room = MAX_CHART_LEGEND_WIDTH
            - 44
            - text_layout::pixel_width_of_text(&key.note, text_layout::ORDINARY_TEXT_HEIGHT, false);
        let name =
            text_layout::truncate_to_room(&key.name, text_layout::ORDINARY_TEXT_HEIGHT, room)
                + &key.note;
        scene.add_text(text_layout::new_label(name, (x + 42, y), HorizontalTextAnchor::Left));
    }
}

/// Thins out a list to at most `most` entries, evenly chosen, with the first and the last; the
/// texts mention the entries left out.
pub fn thin_out_and_note<T>(
    all: Vec<T>,
    most: usize,
    kind: &str,
    words: &ChartTitleAndCaption,
) -> (Vec<T>, ChartTitleAndCaption) {
    let count = all.len();
    let words = match count > most {
        true => words
            .with_title_and_caption_added("", &format!("{most} of {count} {kind}, evenly chosen.")),
        false => words.clone(),
    };
    let mut chosen = evenly_spaced_indices(count, most).into_iter().peekable();
    let kept_curves =
        all.into_iter().enumerate().filter(|(place, _)| chosen.next_if_eq(place).is_some());
    (kept_curves.map(|(_, item)| item).collect(), words)
}

/// Returns at most `most` of the numbers below `count`, evenly spread, with the first and the last.
pub fn evenly_spaced_indices(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    (0..most).map(|i| i * (count - 1) / (most - 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_curves_are_thinned_evenly() {
        assert_eq!(evenly_spaced_indices(3, 8), [0, 1, 2]);
        assert_eq!(evenly_spaced_indices(15, 8), [0, 2, 4, 6, 8, 10, 12, 14]);
        assert_eq!(evenly_spaced_indices(1000, 8).last(), Some(&999));
        assert_eq!(evenly_spaced_indices(0, 8), Vec::<usize>::new());
        let words = ChartTitleAndCaption::default();
        let (few, said) = thin_out_and_note("abc".chars().collect(), 2, "letters", &words);
        assert_eq!(
            (few.as_slice(), &*said.caption),
            (&['a', 'c'][..], "2 of 3 letters, evenly chosen.")
        );
        let (all, said) = thin_out_and_note(vec![1, 2], 2, "numbers", &words);
        assert_eq!((all.as_slice(), &*said.caption), (&[1, 2][..], ""));
    }

    #[test]
    fn labels_stand_apart_and_within() {
        assert_eq!(spread_labels_apart(&[10, 50, 90], 10, (0, 100)), [10, 50, 90]);
        assert_eq!(spread_labels_apart(&[50, 50, 51], 10, (0, 100)), [50, 60, 70]);
        assert_eq!(spread_labels_apart(&[99, 99, 100], 10, (0, 100)), [80, 90, 100]);
        assert_eq!(spread_labels_apart(&[0, 0], 10, (5, 100)), [5, 15]);
    }
}
