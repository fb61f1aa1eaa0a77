//! Parts that all charts share: title, caption, plot area with axes, legend.

use super::axis_scale::Scale;
use super::text_layout;
use crate::drawing::{Ink, Label, Medium, Scene, Side};

/// The margin around everything.
pub const MARGIN: i32 = 20;

/// The smallest height of a key of colours.
pub const KEY: i32 = 120;

/// Texts above and below a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words {
    /// The title.
    pub title: String,
    /// The line below the title: the measure, and the values of the other axes.
    pub subtitle: String,
    /// The text below the chart: exact or simulated, N, the meaning of an interval.
    pub caption: String,
}

impl Words {
    /// Returns the texts with additions to the title and the caption.
    pub fn and(&self, title: &str, caption: &str) -> Words {
        let joined = |a: &str, b: &str, between: &str| match a.is_empty() || b.is_empty() {
            true => format!("{a}{b}"),
            false => format!("{a}{between}{b}"),
        };
        Words {
            title: joined(&self.title, title, ": "),
            subtitle: self.subtitle.clone(),
            caption: joined(&self.caption, caption, " "),
        }
    }
}

/// Starts a picture with its texts and room for a body of this size. Returns the left and top of
/// the body.
pub fn page(words: &Words, body: (i32, i32)) -> (Scene, (i32, i32)) {
    let width = body.0.max(420) + 2 * MARGIN;
    let room = width - 2 * MARGIN;
    // Bold is about an eighth wider than what `lines` measures.
    let title = text_layout::lines(&words.title, text_layout::TITLE, room * 7 / 8);
    let subtitle = text_layout::lines(&words.subtitle, text_layout::SIZE, room);
    let caption = text_layout::lines(&words.caption, text_layout::SMALL, room);
    let step = |size: i32, lines: &[String]| (size * 4 / 3) * lines.len() as i32;
    let top = MARGIN + step(text_layout::TITLE, &title) + step(text_layout::SIZE, &subtitle) + 10;
    let below = step(text_layout::SMALL, &caption) + 14;
    let mut scene = Scene::new(Medium::Screen, width, top + body.1 + below + MARGIN / 2);
    let mut y = MARGIN;
    write_lines(&mut scene, &title, text_layout::TITLE, &mut y, |label| label.bold());
    write_lines(&mut scene, &subtitle, text_layout::SIZE, &mut y, |label| label);
    y = top + body.1 + 14;
    let grey = |label: Label| label.ink(Ink::GREY);
    write_lines(&mut scene, &caption, text_layout::SMALL, &mut y, grey);
    (scene, (MARGIN, top))
}

/// Starts a picture with its texts and an area of this size, with this much room before, above,
/// after and below it.
pub fn plot(
    words: &Words,
    (width, height): (i32, i32),
    [before, above, after, below]: [i32; 4],
) -> (Scene, Area) {
    let (scene, (left, top)) = page(words, (before + width + after, above + height + below));
    let (left, top) = (left + before, top + above);
    (scene, Area { left, top, right: left + width, bottom: top + height })
}

fn write_lines(
    scene: &mut Scene,
    lines: &[String],
    size: i32,
    y: &mut i32,
    dress: impl Fn(Label) -> Label,
) {
    for line in lines {
        let at = (MARGIN, *y + size * 2 / 3);
        scene.text(dress(
            text_layout::label(line.clone(), at, Side::Left).size(text_layout::em(size)),
        ));
        *y += size * 4 / 3;
    }
}

/// The area in which values are drawn, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Left edge.
    pub left: i32,
    /// Top edge.
    pub top: i32,
    /// Right edge.
    pub right: i32,
    /// Bottom edge.
    pub bottom: i32,
}

impl Area {
    /// Returns the width.
    pub fn width(&self) -> i32 {
        self.right - self.left
    }
}

/// Returns the room to the left of an area for the labels and the title of its y axis.
pub fn room_for_y(scale: &Scale) -> i32 {
    let labels = scale.ticks().into_iter();
    let widest =
        labels.map(|(_, label)| text_layout::width(&label, text_layout::SIZE, false)).max();
    widest.unwrap_or(0) + 12 + text_layout::SIZE * 3 / 2
}

/// Draws a y axis: grid lines, labels, and an upright title.
pub fn y_axis(scene: &mut Scene, area: Area, scale: &Scale, title: &str) {
    for (value, label) in scale.ticks() {
        let y = scale.pixel(value, area.bottom, area.top);
        scene.line(vec![(area.left, y), (area.right, y)], Ink::LIGHT, 1);
        scene.text(text_layout::label(label, (area.left - 8, y), Side::Right));
    }
    let at = (area.left - room_for_y(scale) + text_layout::SIZE / 2, (area.top + area.bottom) / 2);
    let title = text_layout::fitted(title, text_layout::SIZE, area.bottom - area.top);
    scene.text(text_layout::label(title, at, Side::Middle).upright());
}

/// Draws an x axis with numbers: ticks below the area, and the title below them.
pub fn x_axis(scene: &mut Scene, area: Area, scale: &Scale, title: &str) {
    for (value, label) in scale.ticks() {
        let x = scale.pixel(value, area.left, area.right);
        scene.line(vec![(x, area.bottom), (x, area.bottom + 5)], Ink::BLACK, 1);
        scene.text(text_layout::label(label, (x, area.bottom + 16), Side::Middle));
    }
    x_title(scene, area, area.bottom + 40, title);
    frame(scene, area);
}

/// Returns the height of the labels of an x axis with words, which are upright if they are too wide
/// for their `step`.
pub fn label_height(labels: &[String], step: i32) -> i32 {
    if upright(labels, step) {
        return widest(labels).min(LONGEST) + 8;
    }
    text_layout::SIZE + 8
}

/// The longest label, in pixels, before it is truncated.
pub const LONGEST: i32 = 170;

/// Returns the width of the widest text.
pub fn widest(texts: &[String]) -> i32 {
    widest_at(texts, text_layout::SIZE)
}

/// Returns the width of the widest text of another size.
pub fn widest_at(texts: &[String], size: i32) -> i32 {
    let widths = texts.iter().map(|text| text_layout::width(text, size, false));
    widths.max().unwrap_or(0)
}

fn upright(labels: &[String], step: i32) -> bool {
    widest(labels) > step - 6
}

/// Draws labels at pixels below `top`; if more are there than fit, every second, third … is left
/// out.
pub fn x_labels(scene: &mut Scene, labels: &[String], at: &[i32], top: i32, step: i32) {
    let turned = upright(labels, step);
    let skip = if turned { (text_layout::SIZE + 1 + step.max(1)) / step.max(1) } else { 1 };
    for (label, &x) in labels.iter().zip(at).step_by(skip as usize) {
        if turned {
            let label = text_layout::fitted(label, text_layout::SIZE, LONGEST);
            scene.text(text_layout::label(label, (x, top + 4), Side::Right).upright());
        } else {
            let at = (x, top + 4 + text_layout::SIZE / 2);
            scene.text(text_layout::label(label.clone(), at, Side::Middle));
        }
    }
}

/// Draws the title of an x axis, centred below its area at `y`.
pub fn x_title(scene: &mut Scene, area: Area, y: i32, title: &str) {
    let width = scene.width as i32;
    let room = width - 2 * MARGIN;
    let title = text_layout::fitted(title, text_layout::SIZE, room);
    let half = text_layout::width(&title, text_layout::SIZE, false) / 2;
    let middle = (area.left + area.right) / 2;
    let middle = middle.clamp(MARGIN + half, (width - MARGIN - half).max(MARGIN + half));
    scene.text(text_layout::label(title, (middle, y), Side::Middle));
}

/// Draws the lines at the left and the bottom of an area.
pub fn frame(scene: &mut Scene, area: Area) {
    let corner = (area.left, area.bottom);
    let points = vec![(area.left, area.top), corner, (area.right, area.bottom)];
    scene.line(points, Ink::BLACK, 1);
}

/// The style of one entry of a legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Its name.
    pub name: String,
    /// A few characters after the name that are never truncated.
    pub note: String,
    /// Its colour.
    pub ink: Ink,
    /// Dashes of its line; `None` for a filled square.
    pub line: Option<&'static [f64]>,
}

impl Key {
    fn said(&self) -> String {
        format!("{}{}", self.name, self.note)
    }
}

/// Spreads labels that would be at `wanted`, in falling order of value and so rising in pixels: at
/// least `step` apart and between two ends while there is room.
pub fn apart(wanted: &[i32], step: i32, (top, bottom): (i32, i32)) -> Vec<i32> {
    let mut places = Vec::with_capacity(wanted.len());
    let mut next = top;
    for &want in wanted {
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
pub fn keys(scene: &mut Scene, (mut x, y): (i32, i32), keys: &[(Ink, String)]) {
    for (ink, name) in keys {
        let name = text_layout::fitted(name, text_layout::SMALL, KEY_NAME);
        scene.fill((x, y - 6), (x + 20, y + 6), *ink);
        scene.frame((x, y - 6), (x + 20, y + 6), Ink::BLACK);
        let width = text_layout::width(&name, text_layout::SMALL, false);
        scene.text(text_layout::small(name, (x + 28, y), Side::Left));
        x += 28 + width + 24;
    }
}

/// The longest name in a line of keys.
const KEY_NAME: i32 = 140;

/// The widest legend, in pixels.
const LEGEND: i32 = 380;

/// Returns the room to the right of an area for a legend.
pub fn room_for_legend(keys: &[Key], title: &str) -> i32 {
    let names: Vec<_> = keys.iter().map(Key::said).collect();
    let title = text_layout::width(title, text_layout::SIZE, false);
    (widest(&names) + 44).max(title).min(LEGEND) + 24
}

/// Returns the height of a legend.
pub fn legend_height(keys: &[Key]) -> i32 {
    (keys.len() as i32 + 1) * 24
}

/// Draws a legend with its left end at `at`.
pub fn legend(scene: &mut Scene, at: (i32, i32), keys: &[Key], title: &str) {
    if keys.is_empty() {
        return;
    }
    let (x, mut y) = (at.0, at.1 + 8);
    let title = text_layout::fitted(title, text_layout::SIZE, LEGEND);
    scene.text(text_layout::label(title, (x, y), Side::Left));
    for key in keys {
        y += 24;
        match key.line {
            Some(dashes) => scene.dashed(&[(x, y), (x + 34, y)], dashes, key.ink, 3),
            None => {
                scene.fill((x, y - 8), (x + 26, y + 8), key.ink);
                scene.frame((x, y - 8), (x + 26, y + 8), Ink::BLACK);
            }
        }
        let room = LEGEND - 44 - text_layout::width(&key.note, text_layout::SIZE, false);
        let name = text_layout::fitted(&key.name, text_layout::SIZE, room) + &key.note;
        scene.text(text_layout::label(name, (x + 42, y), Side::Left));
    }
}

/// Thins out a list to at most `most` entries, evenly chosen, with the first and the last; the
/// texts mention the entries left out.
pub fn thinned<T>(all: Vec<T>, most: usize, kind: &str, words: &Words) -> (Vec<T>, Words) {
    let count = all.len();
    let words = match count > most {
        true => words.and("", &format!("{most} of {count} {kind}, evenly chosen.")),
        false => words.clone(),
    };
    let mut chosen = spread(count, most).into_iter().peekable();
    let kept = all.into_iter().enumerate().filter(|(place, _)| chosen.next_if_eq(place).is_some());
    (kept.map(|(_, thing)| thing).collect(), words)
}

/// Returns at most `most` of the numbers below `count`, evenly spread, with the first and the last.
pub fn spread(count: usize, most: usize) -> Vec<usize> {
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
        assert_eq!(spread(3, 8), [0, 1, 2]);
        assert_eq!(spread(15, 8), [0, 2, 4, 6, 8, 10, 12, 14]);
        assert_eq!(spread(1000, 8).last(), Some(&999));
        assert_eq!(spread(0, 8), Vec::<usize>::new());
        let words = Words::default();
        let (few, said) = thinned("abc".chars().collect(), 2, "letters", &words);
        assert_eq!(
            (few.as_slice(), &*said.caption),
            (&['a', 'c'][..], "2 of 3 letters, evenly chosen.")
        );
        let (all, said) = thinned(vec![1, 2], 2, "numbers", &words);
        assert_eq!((all.as_slice(), &*said.caption), (&[1, 2][..], ""));
    }

    #[test]
    fn labels_stand_apart_and_within() {
        assert_eq!(apart(&[10, 50, 90], 10, (0, 100)), [10, 50, 90]);
        assert_eq!(apart(&[50, 50, 51], 10, (0, 100)), [50, 60, 70]);
        assert_eq!(apart(&[99, 99, 100], 10, (0, 100)), [80, 90, 100]);
        assert_eq!(apart(&[0, 0], 10, (5, 100)), [5, 15]);
    }
}
