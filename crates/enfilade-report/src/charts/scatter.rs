//! Scatter plots: points with labels that never overlap, a curve and its band. The module is
//! independent of answers.

use super::axis_scale::{Scale, heat};
use super::plot_frame::{self, Area, Words};
use super::text_layout;
use crate::drawing::{Ink, Label, Scene, Side};

/// Width and height of the area in pixels.
const SIZE: (i32, i32) = (760, 480);

/// The longest label.
const LONGEST: i32 = 220;

/// One point.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// The position along x.
    pub x: f64,
    /// The position along y.
    pub y: f64,
    /// The interval of y.
    pub interval: Option<(f64, f64)>,
    /// The importance of its label: the size of its residual.
    pub weight: f64,
}

/// A scatter plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scatter {
    /// The points; those without finite numbers are not drawn.
    pub points: Vec<Point>,
    /// A curve through them, rising in x.
    pub curve: Vec<(f64, f64)>,
    /// The band about the curve: x, lower and upper end; rising in x.
    pub band: Vec<(f64, f64, f64)>,
    /// The title of the x axis, with its unit.
    pub x_title: String,
    /// The title of the y axis, with its unit.
    pub y_title: String,
    /// Whether equal steps of x and of y are equal factors; then they must be above 0.
    pub factors: (bool, bool),
}

impl Scatter {
    /// Draws the scatter plot. The caption counts the labels without room.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw.
    pub fn draw(&self, words: &Words) -> Result<Scene, String> {
        let drawable = |point: &&Point| {
            let ends = point.interval.unwrap_or((point.y, point.y));
            [point.x, point.y, ends.0, ends.1].into_iter().all(f64::is_finite)
        };
        let points: Vec<_> = self.points.iter().filter(drawable).collect();
        if points.is_empty() {
            return Err(format!("no point has {} and {}", self.x_title, self.y_title));
        }
        let frame = Frame::new(self, &points);
        let places: Vec<_> = points.iter().map(|point| frame.place(point.x, point.y)).collect();
        // Before the page is built, because its caption counts the names without room.
        let labels = placed(&points, &places);
        let missing = points.len() - labels.len();
        let words = match missing {
            0 => words.clone(),
            _ => {
                let have = if missing == 1 { "has" } else { "have" };
                let all = points.len();
                words.and("", &format!("{missing} of {all} points {have} no room for a name."))
            }
        };
        let around = [plot_frame::room_for_y(&frame.y), 6, 20, 60];
        let (mut scene, area) = plot_frame::plot(&words, SIZE, around);
        let Area { left, top, .. } = area;
        plot_frame::y_axis(&mut scene, area, &frame.y, &self.y_title);
        self.fit(&mut scene, area, &frame);
        plot_frame::x_axis(&mut scene, area, &frame.x, &self.x_title);
        // Below the dots, so that no line runs over another point.
        for line in labels.iter().filter_map(|placed| placed.leader) {
            scene.line(line.map(|(x, y)| (left + x, top + y)).to_vec(), LEADER, 1);
        }
        for (point, (x, y)) in points.iter().zip(&places) {
            let x = left + x;
            if let Some((low, high)) = point.interval {
                let end = |value| top + frame.place(point.x, value).1;
                scene.line(vec![(x, end(low)), (x, end(high))], heat(0.6), 1);
            }
            scene.dot((x, top + y), 4, heat(0.7));
        }
        for mut placed in labels {
            let (x, y) = placed.label.at;
            placed.label.at = (f64::from(left) + x, f64::from(top) + y);
            scene.text(placed.label);
        }
        Ok(scene)
    }

    /// Draws the curve and its band.
    fn fit(&self, scene: &mut Scene, area: Area, frame: &Frame) {
        let at = |x: f64, y: f64| {
            let (x, y) = frame.place(x, y);
            (area.left + x, area.top + y)
        };
        let finite = |(x, low, high): &&(f64, f64, f64)| (x + low + high).is_finite();
        let band: Vec<_> = self.band.iter().filter(finite).collect();
        if band.len() > 1 {
            let up = band.iter().map(|(x, _, high)| at(*x, *high));
            let back = band.iter().rev().map(|(x, low, _)| at(*x, *low));
            scene.area(up.chain(back).collect(), BAND);
        }
        let curve = self.curve.iter().filter(|(x, y)| (x + y).is_finite());
        let curve: Vec<_> = curve.map(|(x, y)| at(*x, *y)).collect();
        if curve.len() > 1 {
            scene.line(curve, Ink::BLACK, 2);
        }
    }
}

/// The colour of the band about a curve.
pub const BAND: Ink = Ink(0xe4, 0xea, 0xef);

/// The colour of lines to labels.
const LEADER: Ink = Ink(0x99, 0x99, 0x99);

/// The scales of both axes.
struct Frame {
    x: Scale,
    y: Scale,
}

impl Frame {
    fn new(scatter: &Scatter, points: &[&Point]) -> Frame {
        let ends = |point: &&Point| {
            let (low, high) = point.interval.unwrap_or((point.y, point.y));
            [low, point.y, high]
        };
        let x = points.iter().map(|point| point.x).chain(scatter.curve.iter().map(|at| at.0));
        let band = scatter.band.iter().flat_map(|(_, low, high)| [*low, *high]);
        let y = points.iter().flat_map(ends).chain(scatter.curve.iter().map(|at| at.1)).chain(band);
        let scale = |values: Vec<f64>, factors: bool| match factors {
            true => Scale::factors(values.into_iter()),
            false => Scale::around(values.into_iter().filter(|v| v.is_finite()), 0.0),
        };
        Frame { x: scale(x.collect(), scatter.factors.0), y: scale(y.collect(), scatter.factors.1) }
    }

    /// Returns the pixels from the left and the top of the area.
    fn place(&self, x: f64, y: f64) -> (i32, i32) {
        (self.x.pixel(x, 0, SIZE.0), self.y.pixel(y, SIZE.1, 0))
    }
}

/// A label that found room, and the line to its point if it is farther off.
struct Placed {
    label: Label,
    leader: Option<[(i32, i32); 2]>,
}

/// Places the labels that find room about their points, in order of weight; for the [`LED`]
/// greatest, also farther off, at the end of a line.
fn placed(points: &[&Point], places: &[(i32, i32)]) -> Vec<Placed> {
    let mut order: Vec<_> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points[b].weight.total_cmp(&points[a].weight));
    let dots = |across: i32, up: i32| -> Vec<_> {
        let dot = |(x, y): &(i32, i32)| (x - across, y - up, x + across, y + up);
        places.iter().map(dot).collect()
    };
    let (dots, about_dots) = (dots(5, 5), dots(14, 9));
    let mut found: Vec<Placed> = Vec::new();
    for (rank, index) in order.into_iter().enumerate() {
        let name = text_layout::fitted(&points[index].name, text_layout::SMALL, LONGEST);
        // A name closer to another point than to its own would be read as the other's; a line is
        // better.
        let alone = |label: &Placed| {
            let mut others = about_dots.iter().enumerate().filter(|(other, _)| *other != index);
            others.all(|(_, dot)| !overlap(text_layout::extent(&label.label), *dot))
        };
        let near = about(places[index], &name).into_iter().filter(alone);
        let far = far_off(places[index], &name).into_iter().filter(|_| rank < LED);
        let mut candidates = near.chain(far).chain(about(places[index], &name));
        found.extend(candidates.find(|candidate| is_free(candidate, &found, &dots)));
    }
    found
}

/// The largest number of labels at the end of a line: more lines would be a thicket.
const LED: usize = 24;

/// Whether a label is inside the area and overlaps nothing.
fn is_free(candidate: &Placed, found: &[Placed], dots: &[(i32, i32, i32, i32)]) -> bool {
    let extent = text_layout::extent(&candidate.label);
    let inside = extent.0 >= 0 && extent.1 >= 0 && extent.2 <= SIZE.0 && extent.3 <= SIZE.1;
    let on_dot = || dots.iter().any(|dot| overlap(extent, *dot));
    let on_label = |other: &Placed| {
        let theirs = text_layout::extent(&other.label);
        let crossed = |leader: Option<_>, extent| leader.is_some_and(|line| crosses(line, extent));
        overlap(extent, theirs)
            || crossed(other.leader, extent)
            || crossed(candidate.leader, theirs)
    };
    inside && !on_dot() && !found.iter().any(on_label)
}

/// Returns the positions of a label beside its point, best first.
fn about((x, y): (i32, i32), name: &str) -> Vec<Placed> {
    let label = |at, side| Placed { label: text_layout::small(name, at, side), leader: None };
    vec![
        label((x + 8, y), Side::Left),
        label((x - 8, y), Side::Right),
        label((x, y - 14), Side::Middle),
        label((x, y + 14), Side::Middle),
        label((x + 7, y - 12), Side::Left),
        label((x + 7, y + 12), Side::Left),
        label((x - 7, y - 12), Side::Right),
        label((x - 7, y + 12), Side::Right),
    ]
}

/// Returns the positions farther off, the nearest first: twelve directions on each of six circles.
fn far_off((x, y): (i32, i32), name: &str) -> Vec<Placed> {
    let mut candidates = Vec::new();
    for radius in [26, 44, 66, 92, 124, 160] {
        for direction in 0..12 {
            let angle = f64::from(direction) * std::f64::consts::TAU / 12.0;
            let along = |share: f64| (f64::from(radius) * share).round() as i32;
            let end = (x + along(angle.cos()), y - along(angle.sin()));
            let (at, side) = match end.0 - x {
                across if across > 5 => ((end.0 + 4, end.1), Side::Left),
                across if across < -5 => ((end.0 - 4, end.1), Side::Right),
                _ if end.1 < y => ((end.0, end.1 - 10), Side::Middle),
                _ => ((end.0, end.1 + 10), Side::Middle),
            };
            candidates.push(Placed {
                label: text_layout::small(name, at, side),
                leader: Some([(x, y), end]),
            });
        }
    }
    candidates
}

/// Whether a line passes over a rectangle; checked at about every other pixel.
fn crosses([from, to]: [(i32, i32); 2], place: (i32, i32, i32, i32)) -> bool {
    let steps = ((to.0 - from.0).abs() + (to.1 - from.1).abs()) / 2 + 1;
    (0..=steps).any(|step| {
        let x = from.0 + (to.0 - from.0) * step / steps;
        let y = from.1 + (to.1 - from.1) * step / steps;
        place.0 <= x && x <= place.2 && place.1 <= y && y <= place.3
    })
}

fn overlap(a: (i32, i32, i32, i32), b: (i32, i32, i32, i32)) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}
