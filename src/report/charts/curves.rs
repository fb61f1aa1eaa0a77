//! A measure along one axis: one curve per value of another, or a single one.

use super::data::{self, Axis, Point};
use super::page::{self, Area, Key, Words};
use super::scale::{Scale, heat};
use super::scene::Scene;
use crate::combat::MeasureHead;
use crate::study::answer::Answer;

/// The most curves that can be told apart.
pub const MOST: usize = 8;

/// The most values along x.
const MOST_VALUES: usize = 2000;

/// Width and height of the area in pixels.
const SIZE: (i32, i32) = (620, 360);

/// Dashes of the curves, in turn, so that they can be told apart without colour.
pub const DASHES: [&[f64]; 4] = [&[], &[12.0, 5.0], &[3.0, 4.0], &[14.0, 4.0, 3.0, 4.0]];

/// The curves of `measure` along `x`, one per value of `by`; `None` when there is nothing to draw
/// or too much. Of more than [`MOST`] curves, some are drawn from first to last.
pub fn draw(
    cells: &[&Answer],
    x: &Axis,
    by: Option<&Axis>,
    measure: &MeasureHead,
    words: &Words,
) -> Option<Scene> {
    if x.len() > MOST_VALUES {
        return None;
    }
    let curves = curves(cells, x, by, measure);
    let points = || curves.iter().flat_map(|curve| &curve.points);
    points().next()?;
    let ends = points().flat_map(|(_, p)| {
        let simulated = p.simulated.map(|e| [e.low, e.high]);
        [p.value].into_iter().chain(simulated.into_iter().flatten())
    });
    let scale = Scale::around(ends, 0.0);
    let across = Across::new(x);
    let (mut scene, area) = laid_out(words, &curves, &scale, &across, by);
    page::y_axis(&mut scene, area, &scale, &data::with_unit(measure));
    across.draw(&mut scene, area, x);
    for curve in &curves {
        curve.draw(&mut scene, area, &scale, &across);
    }
    if let Some(by) = by {
        let keys: Vec<_> = curves.iter().map(|curve| curve.key.clone()).collect();
        page::legend(&mut scene, (area.right + 24, area.top), &keys, &by.path);
    }
    Some(scene)
}

fn laid_out(
    words: &Words,
    curves: &[Curve],
    scale: &Scale,
    across: &Across,
    by: Option<&Axis>,
) -> (Scene, Area) {
    let keys: Vec<_> = curves.iter().map(|curve| curve.key.clone()).collect();
    let legend = by.map_or(24, |by| page::room_for_legend(&keys, &by.path));
    let before = page::room_for_y(scale);
    let body = (before + SIZE.0 + legend, SIZE.1 + across.below);
    let (scene, (left, top)) = page::page(words, body);
    let left = left + before;
    let (top, right) = (top + 6, left + SIZE.0);
    let bottom = top + SIZE.1 - 6;
    (
        scene,
        Area {
            left,
            top,
            right,
            bottom,
        },
    )
}

/// One curve.
struct Curve {
    key: Key,
    /// Whether its points are joined.
    joined: bool,
    /// Position on the x axis and value.
    points: Vec<(usize, Point)>,
}

fn curves(cells: &[&Answer], x: &Axis, by: Option<&Axis>, measure: &MeasureHead) -> Vec<Curve> {
    let names = by.map_or(vec![String::new()], Axis::labels);
    let drawn = spread(names.len(), MOST);
    let joined = x.numbers().is_some();
    let curve = |(place, &index): (usize, &usize)| {
        let own = |cell: &&&Answer| by.is_none_or(|by| by.position(cell) == Some(index));
        let point = |cell: &&Answer| Some((x.position(cell)?, data::point(cell, measure.name)?));
        let mut points: Vec<_> = cells.iter().filter(own).filter_map(point).collect();
        points.sort_by_key(|(position, _)| *position);
        Curve {
            key: key(names[index].clone(), place, drawn.len()),
            joined,
            points,
        }
    };
    drawn.iter().enumerate().map(curve).collect()
}

/// The look of curve `place` of `of`.
pub fn key(name: String, place: usize, of: usize) -> Key {
    // Not lighter than 0.4, which still has a contrast of 3 on white.
    let share = 0.95 - 0.55 * place as f64 / of.saturating_sub(1).max(1) as f64;
    Key {
        name,
        ink: heat(share),
        line: Some(DASHES[place % DASHES.len()]),
    }
}

/// At most `most` of the numbers below `count`, evenly spread, with the first and the last.
pub fn spread(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    (0..most).map(|i| i * (count - 1) / (most - 1)).collect()
}

impl Curve {
    fn draw(&self, scene: &mut Scene, area: Area, scale: &Scale, across: &Across) {
        let y = |value| scale.pixel(value, area.bottom, area.top);
        let mut line: Vec<_> = self.points.iter().collect();
        line.sort_by(|a, b| across.shares[a.0].total_cmp(&across.shares[b.0]));
        let line: Vec<_> = line
            .iter()
            .map(|(i, p)| (across.pixel(*i, area), y(p.value)))
            .collect();
        if self.joined && line.len() > 1 {
            scene.dashed(&line, self.key.line.unwrap_or(&[]), self.key.ink, 2);
        }
        for (position, point) in &self.points {
            let x = across.pixel(*position, area);
            if !self.joined {
                let level = y(point.value);
                scene.line(vec![(x - 12, level), (x + 12, level)], self.key.ink, 2);
            }
            match point.simulated {
                Some(e) => {
                    scene.line(vec![(x, y(e.low)), (x, y(e.high))], self.key.ink, 1);
                    scene.dot((x, y(e.value)), 4, self.key.ink);
                }
                None => scene.dot((x, y(point.value)), 3, self.key.ink),
            }
        }
    }
}

/// The x axis: numbers where they belong, words side by side.
struct Across {
    /// Where each value lies between the edges, 0 to 1.
    shares: Vec<f64>,
    /// The scale, for numbers.
    scale: Option<Scale>,
    /// Room below the area.
    below: i32,
}

impl Across {
    fn new(x: &Axis) -> Across {
        if let Some(numbers) = x.numbers() {
            let first = numbers.first().copied().unwrap_or(0.0);
            let scale = Scale::around(numbers.iter().copied(), first);
            let shares = numbers.iter().map(|&number| scale.share(number)).collect();
            let below = 56;
            return Across {
                shares,
                scale: Some(scale),
                below,
            };
        }
        let count = x.len() as f64;
        let step = SIZE.0 / x.len().max(1) as i32;
        Across {
            shares: (0..x.len()).map(|i| (i as f64 + 0.5) / count).collect(),
            scale: None,
            below: page::label_height(&x.labels(), step) + 30,
        }
    }

    fn pixel(&self, position: usize, area: Area) -> i32 {
        area.left + (self.shares[position] * f64::from(area.width())).round() as i32
    }

    fn draw(&self, scene: &mut Scene, area: Area, x: &Axis) {
        if let Some(scale) = &self.scale {
            page::x_axis(scene, area, scale, &x.title);
            return;
        }
        let at: Vec<_> = (0..x.len()).map(|i| self.pixel(i, area)).collect();
        let step = area.width() / x.len().max(1) as i32;
        page::x_labels(scene, &x.labels(), &at, area.bottom, step);
        page::x_title(scene, area, area.bottom + self.below - 14, &x.title);
        page::frame(scene, area);
    }
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
    }
}
