//! A picture as a list of shapes in pixels: what the charts are laid out in.
//!
//! Every chart is laid out by this program and not by a library's axes: labels are measured before
//! they are placed, nothing depends on the range of the data, and a test can ask whether a text
//! lies within the picture.

use super::font;
use super::ink::Ink;

/// Where a text stands about its point, left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The point is at its left end.
    Left,
    /// The point is in its middle.
    Middle,
    /// The point is at its right end.
    Right,
}

/// A text about a point; the point is in the middle of its height.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The text.
    pub text: String,
    /// The point.
    pub at: (i32, i32),
    /// Height of the font in pixels.
    pub size: i32,
    /// Whether it is bold.
    pub bold: bool,
    /// Where it stands about its point.
    pub side: Side,
    /// Its colour.
    pub ink: Ink,
    /// Whether it reads from bottom to top.
    pub upright: bool,
}

impl Label {
    /// A black text of ordinary size.
    pub fn new(text: impl Into<String>, at: (i32, i32), side: Side) -> Label {
        Label {
            text: text.into(),
            at,
            size: font::SIZE,
            bold: false,
            side,
            ink: Ink::BLACK,
            upright: false,
        }
    }

    /// The same text in another size.
    pub fn size(mut self, size: i32) -> Label {
        self.size = size;
        self
    }

    /// The same text in another colour.
    pub fn ink(mut self, ink: Ink) -> Label {
        self.ink = ink;
        self
    }

    /// The same text in bold.
    pub fn bold(mut self) -> Label {
        self.bold = true;
        self
    }

    /// The same text from bottom to top.
    pub fn upright(mut self) -> Label {
        self.upright = true;
        self
    }

    /// Left, top, right and bottom of the place it takes.
    pub fn extent(&self) -> (i32, i32, i32, i32) {
        let length = font::width(&self.text, self.size, self.bold);
        let before = match self.side {
            Side::Left => 0,
            Side::Middle => length / 2,
            Side::Right => length,
        };
        let (x, y) = self.at;
        let half = self.size / 2;
        if self.upright {
            // Its left end is at the bottom.
            return (x - half, y + before - length, x + half, y + before);
        }
        (x - before, y - half, x - before + length, y + half)
    }
}

/// One shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A filled rectangle: two corners.
    Fill((i32, i32), (i32, i32), Ink),
    /// The outline of a rectangle.
    Frame((i32, i32), (i32, i32), Ink),
    /// A filled polygon.
    Area(Vec<(i32, i32)>, Ink),
    /// Joined lines of a width.
    Line(Vec<(i32, i32)>, Ink, u32),
    /// A filled circle with a radius.
    Dot((i32, i32), i32, Ink),
    /// A text.
    Text(Label),
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width in pixels.
    pub width: i32,
    /// Height in pixels.
    pub height: i32,
    /// The shapes, from back to front.
    pub shapes: Vec<Shape>,
}

impl Scene {
    /// An empty picture.
    pub fn new(width: i32, height: i32) -> Scene {
        Scene { width, height, shapes: Vec::new() }
    }

    /// A filled rectangle.
    pub fn fill(&mut self, from: (i32, i32), to: (i32, i32), ink: Ink) {
        self.shapes.push(Shape::Fill(from, to, ink));
    }

    /// The outline of a rectangle.
    pub fn frame(&mut self, from: (i32, i32), to: (i32, i32), ink: Ink) {
        self.shapes.push(Shape::Frame(from, to, ink));
    }

    /// A filled polygon, such as a band about a curve.
    pub fn area(&mut self, points: Vec<(i32, i32)>, ink: Ink) {
        self.shapes.push(Shape::Area(points, ink));
    }

    /// Joined lines.
    pub fn line(&mut self, points: Vec<(i32, i32)>, ink: Ink, width: u32) {
        self.shapes.push(Shape::Line(points, ink, width));
    }

    /// Joined lines, broken into dashes: lengths of line and gap in turn, repeated.
    pub fn dashed(&mut self, points: &[(i32, i32)], pattern: &[f64], ink: Ink, width: u32) {
        if pattern.is_empty() {
            return self.line(points.to_vec(), ink, width);
        }
        for dash in dashes(points, pattern) {
            self.line(dash, ink, width);
        }
    }

    /// A filled circle.
    pub fn dot(&mut self, at: (i32, i32), radius: i32, ink: Ink) {
        self.shapes.push(Shape::Dot(at, radius, ink));
    }

    /// A text.
    pub fn text(&mut self, label: Label) {
        self.shapes.push(Shape::Text(label));
    }

    /// The same picture, `times` as large.
    pub fn enlarged(&self, times: i32) -> Scene {
        let point = |(x, y): (i32, i32)| (times * x, times * y);
        let enlarged = |shape: &Shape| match shape {
            Shape::Fill(a, b, ink) => Shape::Fill(point(*a), point(*b), *ink),
            Shape::Frame(a, b, ink) => Shape::Frame(point(*a), point(*b), *ink),
            Shape::Area(points, ink) => {
                Shape::Area(points.iter().copied().map(point).collect(), *ink)
            }
            Shape::Line(points, ink, width) => {
                let points = points.iter().copied().map(point).collect();
                Shape::Line(points, *ink, times.unsigned_abs() * width)
            }
            Shape::Dot(at, radius, ink) => Shape::Dot(point(*at), times * radius, *ink),
            Shape::Text(label) => {
                let (at, size) = (point(label.at), times * label.size);
                Shape::Text(Label { at, size, ..label.clone() })
            }
        };
        Scene {
            width: times * self.width,
            height: times * self.height,
            shapes: self.shapes.iter().map(enlarged).collect(),
        }
    }

    /// All texts.
    pub fn labels(&self) -> impl Iterator<Item = &Label> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Text(label) => Some(label),
            _ => None,
        })
    }
}

/// The dashes of joined lines. The pattern goes on around corners.
fn dashes(points: &[(i32, i32)], pattern: &[f64]) -> Vec<Vec<(i32, i32)>> {
    let mut dashes = Vec::new();
    let (mut part, mut left) = (0, pattern[0].max(1.0));
    for pair in points.windows(2) {
        let (from, to) = (float(pair[0]), float(pair[1]));
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let at = |way: f64| {
            let share = way / length;
            let along = |a: f64, b: f64| (a + share * (b - a)).round() as i32;
            (along(from.0, to.0), along(from.1, to.1))
        };
        let mut done = 0.0;
        while done < length - 1e-6 {
            let next = (done + left).min(length);
            if part % 2 == 0 {
                dashes.push(vec![at(done), at(next)]);
            }
            left -= next - done;
            done = next;
            // A rest too small to be added would keep this loop where it is.
            if left <= 1e-6 {
                part = (part + 1) % pattern.len();
                left = pattern[part].max(1.0);
            }
        }
    }
    dashes
}

fn float((x, y): (i32, i32)) -> (f64, f64) {
    (f64::from(x), f64::from(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        assert!((Ink(0, 0, 0).contrast(Ink::WHITE) - 21.0).abs() < 1e-9);
        assert_eq!(Ink(10, 10, 60).text(), Ink::WHITE);
        assert_eq!(Ink(250, 230, 40).text(), Ink(0, 0, 0));
    }

    #[test]
    fn dashes_cover_their_share_of_the_line() {
        let found = dashes(&[(0, 0), (100, 0)], &[6.0, 4.0]);
        assert_eq!(found.len(), 10);
        assert_eq!(found[0], [(0, 0), (6, 0)]);
        assert_eq!(found[9], [(90, 0), (96, 0)]);
        // Around a corner, and over a point that is there twice.
        let found = dashes(&[(0, 0), (8, 0), (8, 0), (8, 12)], &[10.0, 10.0]);
        assert_eq!(found, [vec![(0, 0), (8, 0)], vec![(8, 0), (8, 2)]]);
        assert_eq!(dashes(&[(3, 3)], &[1.0]), Vec::<Vec<(i32, i32)>>::new());
    }
}
