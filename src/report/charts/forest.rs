//! A measure cell by cell: the exact value as an upright line, the simulated one as a dot with its
//! interval.

use super::curves::spread;
use super::data;
use super::font;
use super::page::{self, Area, Words};
use super::scale::{Scale, heat};
use super::scene::{Ink, Label, Scene, Side};
use crate::combat::MeasureHead;
use crate::report::words;
use crate::study::answer::Answer;

/// The most rows; of more cells, some are drawn from first to last.
const MOST: usize = 60;

/// Height of a row and width of the area in pixels.
const SIZE: (i32, i32) = (24, 460);

/// The forest of `measure`; `None` when no cell has it.
pub fn draw(cells: &[&Answer], measure: &MeasureHead, words: &Words) -> Option<Scene> {
    let point =
        |cell: &&&Answer| data::point(cell, measure.name).map(|point| (words::place(cell), point));
    let all: Vec<_> = cells.iter().filter_map(|cell| point(&cell)).collect();
    let rows: Vec<_> = spread(all.len(), MOST)
        .into_iter()
        .map(|i| &all[i])
        .collect();
    rows.first()?;
    let names: Vec<_> = rows.iter().map(|(name, _)| name.clone()).collect();
    let before = page::widest(&names).min(320) + 14;
    let height = SIZE.0 * rows.len() as i32;
    let (mut scene, (left, top)) = page::page(words, (before + SIZE.1 + 70, height + 60));
    let left = left + before;
    let area = Area {
        left,
        top,
        right: left + SIZE.1,
        bottom: top + height,
    };
    let ends = rows.iter().flat_map(|(_, p)| {
        let simulated = p.simulated.map(|e| [e.low, e.high]);
        [p.value].into_iter().chain(simulated.into_iter().flatten())
    });
    let scale = Scale::around(ends, 0.0);
    for (row, (name, point)) in rows.into_iter().enumerate() {
        let y = area.top + row as i32 * SIZE.0 + SIZE.0 / 2;
        let name = font::fitted(name, font::SIZE, 320);
        scene.line(vec![(area.left, y), (area.right, y)], Ink::LIGHT, 1);
        scene.text(Label::new(name, (left - 10, y), Side::Right));
        draw_row(&mut scene, area, &scale, y, point);
        let value = data::short(point.value, measure.kind);
        scene.text(Label::new(value, (area.right + 12, y), Side::Left));
    }
    page::x_axis(&mut scene, area, &scale, &data::with_unit(measure));
    Some(scene)
}

fn draw_row(scene: &mut Scene, area: Area, scale: &Scale, y: i32, point: &data::Point) {
    let x = |value| scale.pixel(value, area.left, area.right);
    if let Some(e) = point.simulated {
        scene.line(vec![(x(e.low), y), (x(e.high), y)], Ink::BLACK, 2);
        scene.dot((x(e.value), y), 4, heat(0.5));
    }
    let exact = x(point.value);
    scene.line(vec![(exact, y - 8), (exact, y + 8)], Ink::BLACK, 2);
}
