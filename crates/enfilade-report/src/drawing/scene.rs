//! A picture, or a page, as a list of shapes.

use super::color::RgbColor;
use super::font_metrics::{SansOrCondensedFace, TextFontAndColor};

/// A point: from the left, and from the top.
pub type Point = (f64, f64);

/// The medium of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawingMedium {
    /// A screen: lengths are pixels, of which 96 make an inch.
    Screen,
    /// Paper: lengths are points, of which 72 make an inch.
    Paper,
}

impl DrawingMedium {
    /// Returns the face of its texts.
    pub fn font_face(self) -> SansOrCondensedFace {
        match self {
            DrawingMedium::Screen => SansOrCondensedFace::Sans,
            DrawingMedium::Paper => SansOrCondensedFace::Condensed,
        }
    }

    /// Returns the points in its unit.
    pub fn points_per_unit(self) -> f64 {
        match self {
            DrawingMedium::Screen => 0.75,
            DrawingMedium::Paper => 1.0,
        }
    }
}

/// The position of a text relative to its point, left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HorizontalTextAnchor {
    /// The point is at its left end.
    Left,
    /// The point is in its middle.
    Middle,
    /// The point is at its right end.
    Right,
}

/// A line of text about a point.
#[derive(Clone, Debug, PartialEq)]
pub struct TextLabel {
    /// The text.
    pub text: String,
    /// The point.
    pub at: Point,
    /// Its type.
    pub set: TextFontAndColor,
    /// Its position relative to the point.
    pub side: HorizontalTextAnchor,
    /// Whether the point is in the middle of its capitals, and not on its base line.
    pub centred: bool,
    /// Whether the text reads from bottom to top.
    pub upright: bool,
}

impl TextLabel {
    /// Returns a text that begins at a point of its base line.
    pub fn new(text: impl Into<String>, at: Point, set: TextFontAndColor) -> TextLabel {
        TextLabel {
            text: text.into(),
            at,
            set,
            side: HorizontalTextAnchor::Left,
            centred: false,
            upright: false,
        }
    }

    /// Returns the text in another size.
    pub fn with_size(mut self, size: f64) -> TextLabel {
        self.set.size = size;
        self
    }

    /// Returns the text in another colour.
    pub fn with_color(mut self, ink: RgbColor) -> TextLabel {
        self.set.ink = ink;
        self
    }

    /// Returns the text in bold.
    pub fn to_bold(mut self) -> TextLabel {
        self.set.bold = true;
        self
    }

    /// Returns the text from bottom to top.
    pub fn to_upright(mut self) -> TextLabel {
        self.upright = true;
        self
    }

    /// Returns the distance from its point down to its base line.
    pub fn baseline_offset(&self) -> f64 {
        if self.centred { self.set.capital_height() / 2.0 } else { 0.0 }
    }

    /// Returns the distance from its left end to its point.
    pub fn point_offset_from_left_end(&self) -> f64 {
        match self.side {
            HorizontalTextAnchor::Left => 0.0,
            HorizontalTextAnchor::Middle => self.set.width_of_text(&self.text) / 2.0,
            HorizontalTextAnchor::Right => self.set.width_of_text(&self.text),
        }
    }

    /// Returns the start of its base line.
    pub fn baseline_start(&self) -> Point {
        let ((x, y), down, before) =
            (self.at, self.baseline_offset(), self.point_offset_from_left_end());
        // Upright, its left end is at the bottom.
        if self.upright { (x + down, y + before) } else { (x - before, y + down) }
    }

    /// Returns left, top, right and bottom of the space it takes.
    pub fn bounding_box(&self) -> (f64, f64, f64, f64) {
        let ((x, y), length, height) =
            (self.baseline_start(), self.set.width_of_text(&self.text), self.set.type_height());
        let over = if self.centred {
            self.baseline_offset() + height / 2.0
        } else {
            self.set.ascent_to_base_line()
        };
        let under = height - over;
        match self.upright {
            true => (x - over, y - length, x + under, y),
            false => (x, y - over, x + length, y + under),
        }
    }
}

/// One shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A filled rectangle: its upper left corner, its width and height.
    Fill(Point, Point, RgbColor),
    /// The outline of a rectangle: its upper left corner, its width and height.
    Frame(Point, Point, RgbColor),
    /// A filled polygon.
    Area(Vec<Point>, RgbColor),
    /// Joined lines of a width.
    Line(Vec<Point>, RgbColor, f64),
    /// A filled circle with a radius.
    Dot(Point, f64, RgbColor),
    /// A text.
    Text(TextLabel),
}

impl Shape {
    /// Moves the shape.
    #[must_use]
    pub fn moved_by(self, (x, y): Point) -> Shape {
        let to = |at: Point| (at.0 + x, at.1 + y);
        let all = |points: Vec<Point>| points.into_iter().map(to).collect();
        match self {
            Shape::Fill(at, size, ink) => Shape::Fill(to(at), size, ink),
            Shape::Frame(at, size, ink) => Shape::Frame(to(at), size, ink),
            Shape::Area(points, ink) => Shape::Area(all(points), ink),
            Shape::Line(points, ink, width) => Shape::Line(all(points), ink, width),
            Shape::Dot(at, radius, ink) => Shape::Dot(to(at), radius, ink),
            Shape::Text(label) => Shape::Text(TextLabel { at: to(label.at), ..label }),
        }
    }
}

/// A picture, or a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Its medium.
    pub medium: DrawingMedium,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The shapes, from back to front.
    pub shapes: Vec<Shape>,
}

/// Converts a point in whole units, as charts are laid out, or in fractions.
fn to_float_point<N: Into<f64>>((x, y): (N, N)) -> Point {
    (x.into(), y.into())
}

fn to_float_points<N: Into<f64>>(all: Vec<(N, N)>) -> Vec<Point> {
    all.into_iter().map(to_float_point).collect()
}

impl Scene {
    /// Returns an empty scene.
    pub fn new(medium: DrawingMedium, width: impl Into<f64>, height: impl Into<f64>) -> Scene {
        Scene { medium, width: width.into(), height: height.into(), shapes: Vec::new() }
    }

    /// Adds a filled rectangle between two corners.
    pub fn fill_rectangle<N: Into<f64>>(&mut self, from: (N, N), to: (N, N), ink: RgbColor) {
        let (at, to) = (to_float_point(from), to_float_point(to));
        self.shapes.push(Shape::Fill(at, (to.0 - at.0, to.1 - at.1), ink));
    }

    /// Adds the outline of a rectangle between two corners.
    pub fn outline_rectangle<N: Into<f64>>(&mut self, from: (N, N), to: (N, N), ink: RgbColor) {
        let (at, to) = (to_float_point(from), to_float_point(to));
        self.shapes.push(Shape::Frame(at, (to.0 - at.0, to.1 - at.1), ink));
    }

    /// Adds a filled polygon, such as a band about a curve.
    pub fn fill_polygon<N: Into<f64>>(&mut self, corners: Vec<(N, N)>, ink: RgbColor) {
        self.shapes.push(Shape::Area(to_float_points(corners), ink));
    }

    /// Adds joined lines.
    pub fn draw_polyline<N: Into<f64>>(&mut self, ends: Vec<(N, N)>, ink: RgbColor, width: u32) {
        self.shapes.push(Shape::Line(to_float_points(ends), ink, width.into()));
    }

    /// Adds joined lines, broken into dashes: lengths of line and gap in turn, repeated.
    pub fn draw_dashed_polyline(
        &mut self,
        ends: &[(i32, i32)],
        pattern: &[f64],
        ink: RgbColor,
        width: u32,
    ) {
        if pattern.is_empty() {
            return self.draw_polyline(ends.to_vec(), ink, width);
        }
        for dash in split_into_dashes(&to_float_points(ends.to_vec()), pattern) {
            self.draw_polyline(dash, ink, width);
        }
    }

    /// Adds a filled circle.
    pub fn draw_dot<N: Into<f64>>(&mut self, at: (N, N), radius: N, ink: RgbColor) {
        self.shapes.push(Shape::Dot(to_float_point(at), radius.into(), ink));
    }

    /// Adds a text.
    pub fn add_text(&mut self, label: TextLabel) {
        self.shapes.push(Shape::Text(label));
    }

    /// Returns all texts.
    pub fn iter_labels(&self) -> impl Iterator<Item = &TextLabel> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Text(label) => Some(label),
            _ => None,
        })
    }
}

/// Splits joined lines into dashes. The pattern continues around corners; dashes end at whole
/// units.
fn split_into_dashes(points: &[Point], pattern: &[f64]) -> Vec<Vec<Point>> {
    let mut dashes = Vec::new();
    let (mut part, mut left) = (0, pattern[0].max(1.0));
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let at = |way: f64| {
            let share = way / length;
            let along = |a: f64, b: f64| (a + share * (b - a)).round();
            (along(from.0, to.0), along(from.1, to.1))
        };
        let mut length_so_far = 0.0;
        while length_so_far < length - 1e-6 {
            let next = (length_so_far + left).min(length);
            if part % 2 == 0 {
                dashes.push(vec![at(length_so_far), at(next)]);
            }
            left -= next - length_so_far;
            length_so_far = next;
            // A remainder too small to be added would make this loop endless.
            if left <= 1e-6 {
                part = (part + 1) % pattern.len();
                left = pattern[part].max(1.0);
            }
        }
    }
    dashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        assert!((RgbColor(0, 0, 0).contrast_ratio_with(RgbColor::PAPER_WHITE) - 21.0).abs() < 1e-9);
        assert_eq!(RgbColor(10, 10, 60).readable_text_color(), RgbColor::PAPER_WHITE);
        assert_eq!(RgbColor(250, 230, 40).readable_text_color(), RgbColor(0, 0, 0));
    }

    #[test]
    fn dashes_cover_their_share_of_the_line() {
        let found = split_into_dashes(&[(0.0, 0.0), (100.0, 0.0)], &[6.0, 4.0]);
        assert_eq!(found.len(), 10);
        assert_eq!(found[0], [(0.0, 0.0), (6.0, 0.0)]);
        assert_eq!(found[9], [(90.0, 0.0), (96.0, 0.0)]);
        // Around a corner, and over a repeated point.
        let corner = [(0.0, 0.0), (8.0, 0.0), (8.0, 0.0), (8.0, 12.0)];
        let found = split_into_dashes(&corner, &[10.0, 10.0]);
        assert_eq!(found, [vec![(0.0, 0.0), (8.0, 0.0)], vec![(8.0, 0.0), (8.0, 2.0)]]);
        assert_eq!(split_into_dashes(&[(3.0, 3.0)], &[1.0]), Vec::<Vec<Point>>::new());
    }

    /// A label of width w and size 10 about (100, 50): its capitals are 7.3 high.
    #[test]
    fn a_text_stands_about_its_point() {
        let set = TextFontAndColor::regular_black(SansOrCondensedFace::Sans, 10.0);
        let width = set.width_of_text("word");
        let middle = TextLabel {
            side: HorizontalTextAnchor::Middle,
            centred: true,
            ..TextLabel::new("word", (100.0, 50.0), set)
        };
        assert_eq!(middle.baseline_start(), (100.0 - width / 2.0, 50.0 + 3.65));
        let upright = TextLabel { upright: true, side: HorizontalTextAnchor::Right, ..middle };
        assert_eq!(upright.baseline_start(), (100.0 + 3.65, 50.0 + width));
        assert_eq!(TextLabel::new("word", (1.0, 2.0), set).bounding_box().2, 1.0 + width);
    }
}
