//! Scatter plots: points with labels that never overlap, a curve and its band. The module is
//! independent of answers.

use super::axis_scale::{AxisScale, viridis_color};
use super::plot_frame::{self, ChartTitleAndCaption, PlotArea};
use super::text_layout;
use crate::drawing::{HorizontalTextAnchor, RgbColor, Scene, TextLabel};

/// Width and height of the area in pixels.
const AREA_WIDTH_AND_HEIGHT: (i32, i32) = (760, 480);

/// The longest label.
const MAX_POINT_LABEL_WIDTH: i32 = 220;

/// One point.
#[derive(Clone, Debug, PartialEq)]
pub struct ScatterPlotPoint {
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
pub struct ScatterPlot {
    /// The points; those without finite numbers are not drawn.
    pub points: Vec<ScatterPlotPoint>,
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

impl ScatterPlot {
    /// Draws the scatter plot. The caption counts the labels without room.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw.
    pub fn draw_scatter_plot(&self, words: &ChartTitleAndCaption) -> Result<Scene, String> {
        let drawable = |point: &&ScatterPlotPoint| {
            let ends = point.interval.unwrap_or((point.y, point.y));
            [point.x, point.y, ends.0, ends.1].into_iter().all(f64::is_finite)
        };
        let points: Vec<_> = self.points.iter().filter(drawable).collect();
        if points.is_empty() {
            return Err(format!("no point has {} and {}", self.x_title, self.y_title));
        }
        let frame = BothAxisScales::new(self, &points);
        let places: Vec<_> =
            points.iter().map(|point| frame.pixels_of_point(point.x, point.y)).collect();
        // Before the page is built, because its caption counts the names without room.
        let labels = place_point_labels(&points, &places);
        let missing = points.len() - labels.len();
        let words = match missing {
            0 => words.clone(),
            _ => {
                let have = if missing == 1 { "has" } else { "have" };
                let all = points.len();
                words.with_title_and_caption_added(
                    "",
                    &format!("{missing} of {all} points {have} no room for a name."),
                )
            }
        };
        let around = [plot_frame::width_of_y_axis_labels(&frame.y), 6, 20, 60];
        let (mut scene, area) =
            plot_frame::new_page_with_area(&words, AREA_WIDTH_AND_HEIGHT, around);
        let PlotArea { left, top, .. } = area;
        plot_frame::draw_y_axis(&mut scene, area, &frame.y, &self.y_title);
        self.draw_fit_and_band(&mut scene, area, &frame);
        plot_frame::draw_x_axis(&mut scene, area, &frame.x, &self.x_title);
        // Below the dots, so that no line runs over another point.
        for line in labels.iter().filter_map(|placed| placed.leader) {
            scene.draw_polyline(
                line.map(|(x, y)| (left + x, top + y)).to_vec(),
                LABEL_LEADER_COLOR,
                1,
            );
        }
        for (point, (x, y)) in points.iter().zip(&places) {
            let x = left + x;
            if let Some((low, high)) = point.interval {
                let end = |value| top + frame.pixels_of_point(point.x, value).1;
                scene.draw_polyline(vec![(x, end(low)), (x, end(high))], viridis_color(0.6), 1);
            }
            scene.draw_dot((x, top + y), 4, viridis_color(0.7));
        }
        for mut placed in labels {
            let (x, y) = placed.label.at;
            placed.label.at = (f64::from(left) + x, f64::from(top) + y);
            scene.add_text(placed.label);
        }
        Ok(scene)
    }

    /// Draws the curve and its band.
    fn draw_fit_and_band(&self, scene: &mut Scene, area: PlotArea, frame: &BothAxisScales) {
        let at = |x: f64, y: f64| {
            let (x, y) = frame.pixels_of_point(x, y);
            (area.left + x, area.top + y)
        };
        let finite = |(x, low, high): &&(f64, f64, f64)| (x + low + high).is_finite();
        let band: Vec<_> = self.band.iter().filter(finite).collect();
        if band.len() > 1 {
            let up = band.iter().map(|(x, _, high)| at(*x, *high));
            let back = band.iter().rev().map(|(x, low, _)| at(*x, *low));
            scene.fill_polygon(up.chain(back).collect(), FIT_BAND_COLOR);
        }
        let curve = self.curve.iter().filter(|(x, y)| (x + y).is_finite());
        let curve: Vec<_> = curve.map(|(x, y)| at(*x, *y)).collect();
        if curve.len() > 1 {
            scene.draw_polyline(curve, RgbColor::TEXT_AND_AXIS_BLACK, 2);
        }
    }
}

/// The colour of the band about a curve.
pub const FIT_BAND_COLOR: RgbColor = RgbColor(0xe4, 0xea, 0xef);

/// The colour of lines to labels.
const LABEL_LEADER_COLOR: RgbColor = RgbColor(0x99, 0x99, 0x99);

/// The scales of both axes.
struct BothAxisScales {
    x: AxisScale,
    y: AxisScale,
}

impl BothAxisScales {
    fn new(scatter: &ScatterPlot, points: &[&ScatterPlotPoint]) -> BothAxisScales {
        let ends = |point: &&ScatterPlotPoint| {
            let (low, high) = point.interval.unwrap_or((point.y, point.y));
            [low, point.y, high]
        };
        let x = points.iter().map(|point| point.x).chain(scatter.curve.iter().map(|at| at.0));
        let band = scatter.band.iter().flat_map(|(_, low, high)| [*low, *high]);
        let y = points.iter().flat_map(ends).chain(scatter.curve.iter().map(|at| at.1)).chain(band);
        let scale = |values: Vec<f64>, factors: bool| match factors {
            true => AxisScale::logarithmic(values.into_iter()),
            false => AxisScale::with_round_ends(values.into_iter().filter(|v| v.is_finite()), 0.0),
        };
        BothAxisScales {
            x: scale(x.collect(), scatter.factors.0),
            y: scale(y.collect(), scatter.factors.1),
        }
    }

    /// Returns the pixels from the left and the top of the area.
    fn pixels_of_point(&self, x: f64, y: f64) -> (i32, i32) {
        (
            self.x.pixel_of(x, 0, AREA_WIDTH_AND_HEIGHT.0),
            self.y.pixel_of(y, AREA_WIDTH_AND_HEIGHT.1, 0),
        )
    }
}

/// A label that found room, and the line to its point if it is farther off.
struct LabelWithLeader {
    label: TextLabel,
    leader: Option<[(i32, i32); 2]>,
}

/// Places the labels that find room about their points, in order of weight; for the
/// [`MAX_LABEL_LEADERS`] greatest, also farther off, at the end of a line.
fn place_point_labels(points: &[&ScatterPlotPoint], places: &[(i32, i32)]) -> Vec<LabelWithLeader> {
    let mut order: Vec<_> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points[b].weight.total_cmp(&points[a].weight));
    let dots = |across: i32, up: i32| -> Vec<_> {
        let dot = |(x, y): &(i32, i32)| (x - across, y - up, x + across, y + up);
        places.iter().map(dot).collect()
    };
    let (dots, about_dots) = (dots(5, 5), dots(14, 9));
    let mut labels: Vec<LabelWithLeader> = Vec::new();
    for (rank, index) in order.into_iter().enumerate() {
        let name = text_layout::truncate_to_room(
            &points[index].name,
            text_layout::SMALL_TEXT_HEIGHT,
            MAX_POINT_LABEL_WIDTH,
        );
        // A name closer to another point than to its own would be read as the other's; a line is
        // better.
        let alone = |label: &LabelWithLeader| {
            let mut others = about_dots.iter().enumerate().filter(|(other, _)| *other != index);
            others.all(|(_, dot)| {
                !do_rectangles_overlap(text_layout::pixel_bounds_of_label(&label.label), *dot)
            })
        };
        let near = positions_beside_point(places[index], &name).into_iter().filter(alone);
        let far = positions_around_point(places[index], &name)
            .into_iter()
            .filter(|_| rank < MAX_LABEL_LEADERS);
        let mut candidates = near.chain(far).chain(positions_beside_point(places[index], &name));
        labels.extend(candidates.find(|candidate| is_label_placeable(candidate, &labels, &dots)));
    }
    labels
}

/// The largest number of labels at the end of a line: more lines would be a thicket.
const MAX_LABEL_LEADERS: usize = 24;

/// Whether a label is inside the area and overlaps nothing.
fn is_label_placeable(
    candidate: &LabelWithLeader,
    placed: &[LabelWithLeader],
    dots: &[(i32, i32, i32, i32)],
) -> bool {
    let extent = text_layout::pixel_bounds_of_label(&candidate.label);
    let inside = extent.0 >= 0
        && extent.1 >= 0
        && extent.2 <= AREA_WIDTH_AND_HEIGHT.0
        && extent.3 <= AREA_WIDTH_AND_HEIGHT.1;
    let on_dot = || dots.iter().any(|dot| do_rectangles_overlap(extent, *dot));
    let on_label = |other: &LabelWithLeader| {
        let theirs = text_layout::pixel_bounds_of_label(&other.label);
        let crossed = |leader: Option<_>, extent| {
            leader.is_some_and(|line| does_line_cross_rectangle(line, extent))
        };
        do_rectangles_overlap(extent, theirs)
            || crossed(other.leader, extent)
            || crossed(candidate.leader, theirs)
    };
    inside && !on_dot() && !placed.iter().any(on_label)
}

/// Returns the positions of a label beside its point, best first.
fn positions_beside_point((x, y): (i32, i32), name: &str) -> Vec<LabelWithLeader> {
    let label = |at, side| LabelWithLeader {
        label: text_layout::new_small_label(name, at, side),
        leader: None,
    };
    vec![
        label((x + 8, y), HorizontalTextAnchor::Left),
        label((x - 8, y), HorizontalTextAnchor::Right),
        label((x, y - 14), HorizontalTextAnchor::Middle),
        label((x, y + 14), HorizontalTextAnchor::Middle),
        label((x + 7, y - 12), HorizontalTextAnchor::Left),
        label((x + 7, y + 12), HorizontalTextAnchor::Left),
        label((x - 7, y - 12), HorizontalTextAnchor::Right),
        label((x - 7, y + 12), HorizontalTextAnchor::Right),
    ]
}

/// Returns the positions farther off, the nearest first: twelve directions on each of six circles.
fn positions_around_point((x, y): (i32, i32), name: &str) -> Vec<LabelWithLeader> {
    let mut candidates = Vec::new();
    for radius in [26, 44, 66, 92, 124, 160] {
        for direction in 0..12 {
            let angle = f64::from(direction) * std::f64::consts::TAU / 12.0;
            let along = |share: f64| (f64::from(radius) * share).round() as i32;
            let end = (x + along(angle.cos()), y - along(angle.sin()));
            let (at, side) = match end.0 - x {
                across if across > 5 => ((end.0 + 4, end.1), HorizontalTextAnchor::Left),
                across if across < -5 => ((end.0 - 4, end.1), HorizontalTextAnchor::Right),
                _ if end.1 < y => ((end.0, end.1 - 10), HorizontalTextAnchor::Middle),
                _ => ((end.0, end.1 + 10), HorizontalTextAnchor::Middle),
            };
            candidates.push(LabelWithLeader {
                label: text_layout::new_small_label(name, at, side),
                leader: Some([(x, y), end]),
            });
        }
    }
    candidates
}

/// Whether a line passes over a rectangle; checked at about every other pixel.
fn does_line_cross_rectangle([from, to]: [(i32, i32); 2], place: (i32, i32, i32, i32)) -> bool {
    let steps = ((to.0 - from.0).abs() + (to.1 - from.1).abs()) / 2 + 1;
    (0..=steps).any(|step| {
        let x = from.0 + (to.0 - from.0) * step / steps;
        let y = from.1 + (to.1 - from.1) * step / steps;
        place.0 <= x && x <= place.2 && place.1 <= y && y <= place.3
    })
}

fn do_rectangles_overlap(a: (i32, i32, i32, i32), b: (i32, i32, i32, i32)) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}
