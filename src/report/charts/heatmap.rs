//! A measure over two axes: numbers in cells, dark where it is high.

use super::data::{self, Axis};
use super::font;
use super::page::{self, Area, Words};
use super::scale::{Scale, heat};
use super::scene::{Ink, Label, Scene, Side};
use crate::combat::MeasureHead;
use crate::study::answer::Answer;

/// The most columns and rows that are drawn.
const MOST: usize = 200;

/// From this many columns on the cells are too narrow for numbers.
const NUMBERS_UP_TO: usize = 40;

/// Room for the colour scale at the right.
const SCALE: i32 = 130;

/// The heat map of `measure` over the axes `x` and `y`; `None` when there is nothing to draw or
/// too much.
pub fn draw(
    cells: &[&Answer],
    x: &Axis,
    y: &Axis,
    measure: &MeasureHead,
    words: &Words,
) -> Option<Scene> {
    if x.len() > MOST || y.len() > MOST {
        return None;
    }
    let layout = Layout::new(x, y);
    let (mut scene, (left, top)) = page::page(words, layout.body(x, y));
    let area = layout.area(left, top, x, y);
    let values = values(cells, x, y, measure);
    let scale = Scale::around(values.iter().flatten().copied(), 0.0);
    for (index, value) in values.iter().enumerate() {
        let (row, column) = (index / x.len(), index % x.len());
        layout.cell(&mut scene, area, (row, column), *value, &scale, measure);
    }
    layout.axes(&mut scene, area, (left, top), x, y);
    color_scale(&mut scene, area, &scale, &data::with_unit(measure));
    Some(scene)
}

/// The values, row by row.
fn values(cells: &[&Answer], x: &Axis, y: &Axis, measure: &MeasureHead) -> Vec<Option<f64>> {
    let mut values = vec![None; x.len() * y.len()];
    for cell in cells {
        if let (Some(column), Some(row)) = (x.position(cell), y.position(cell)) {
            values[row * x.len() + column] = data::point(cell, measure.name).map(|p| p.value);
        }
    }
    values
}

/// Sizes in pixels.
struct Layout {
    /// A cell's width and height.
    cell: (i32, i32),
    /// Whether numbers stand in the cells.
    numbers: bool,
    /// Room for the labels of the rows.
    row_labels: i32,
    /// Room for the labels of the columns.
    column_labels: i32,
}

impl Layout {
    fn new(x: &Axis, y: &Axis) -> Layout {
        let numbers = x.len() <= NUMBERS_UP_TO;
        let labels = page::widest(&x.labels());
        let width = if numbers {
            labels.clamp(46, 90) + 12
        } else {
            (1400 / x.len() as i32).max(6)
        };
        // Few columns may be wider, so that a small grid still fills a page.
        let width = if numbers {
            width.max(320 / x.len() as i32).min(120)
        } else {
            width
        };
        let height = if y.len() <= NUMBERS_UP_TO {
            32
        } else {
            (1000 / y.len() as i32).max(6)
        };
        Layout {
            cell: (width, height),
            numbers: numbers && height >= 18,
            row_labels: page::widest(&y.labels()).min(page::LONGEST) + 12,
            column_labels: page::label_height(&x.labels(), width),
        }
    }

    fn body(&self, x: &Axis, y: &Axis) -> (i32, i32) {
        let width = self.row_labels + self.cell.0 * x.len() as i32 + SCALE;
        // The title of y above, labels and title of x below.
        let below = self.column_labels + 26;
        (width, 24 + (self.cell.1 * y.len() as i32).max(120) + below)
    }

    fn area(&self, left: i32, top: i32, x: &Axis, y: &Axis) -> Area {
        let (left, top) = (left + self.row_labels, top + 24);
        Area {
            left,
            top,
            right: left + self.cell.0 * x.len() as i32,
            bottom: top + self.cell.1 * y.len() as i32,
        }
    }

    fn cell(
        &self,
        scene: &mut Scene,
        area: Area,
        (row, column): (usize, usize),
        value: Option<f64>,
        scale: &Scale,
        measure: &MeasureHead,
    ) {
        let (width, height) = self.cell;
        let from = (
            area.left + column as i32 * width,
            area.top + row as i32 * height,
        );
        let to = (from.0 + width, from.1 + height);
        let ink = value.map_or(Ink::EMPTY, |value| heat(scale.share(value)));
        scene.fill(from, to, ink);
        if self.numbers {
            scene.frame(from, to, Ink::WHITE);
            let text = value.map_or("–".to_owned(), |value| data::short(value, measure.kind));
            let middle = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
            scene.text(Label::new(text, middle, Side::Middle).ink(ink.text()));
        }
    }

    fn axes(&self, scene: &mut Scene, area: Area, body: (i32, i32), x: &Axis, y: &Axis) {
        let (width, height) = self.cell;
        let skip = ((font::SIZE + 2) / height.max(1)).max(1) as usize;
        for (row, label) in y.labels().iter().enumerate().step_by(skip) {
            let at = (area.left - 8, area.top + row as i32 * height + height / 2);
            let label = font::fitted(label, font::SIZE, page::LONGEST);
            scene.text(Label::new(label, at, Side::Right));
        }
        // Right of it stands the title of the colour scale.
        let room = area.right + 12 - body.0;
        let title = font::fitted(&y.title, font::SIZE, room);
        scene.text(Label::new(title, (body.0, body.1 + 8), Side::Left));
        let middle = |column: usize| area.left + column as i32 * width + width / 2;
        let at: Vec<_> = (0..x.len()).map(middle).collect();
        page::x_labels(scene, &x.labels(), &at, area.bottom, width);
        page::x_title(scene, area, area.bottom + self.column_labels + 14, &x.title);
    }
}

/// Colours in the colour scale.
const STRIPS: i32 = 60;

/// The colours with their values, right of the cells.
fn color_scale(scene: &mut Scene, area: Area, scale: &Scale, title: &str) {
    let (left, right) = (area.right + 24, area.right + 42);
    let bottom = area.bottom.max(area.top + 120);
    let edge = |strip: i32| bottom + (area.top - bottom) * strip / STRIPS;
    for strip in 0..STRIPS {
        let share = f64::from(strip) / f64::from(STRIPS - 1);
        scene.fill((left, edge(strip + 1)), (right, edge(strip)), heat(share));
    }
    scene.frame((left, area.top), (right, bottom), Ink::BLACK);
    for (value, label) in scale.ticks() {
        let y = scale.pixel(value, bottom, area.top);
        scene.line(vec![(right, y), (right + 4, y)], Ink::BLACK, 1);
        scene.text(Label::new(label, (right + 8, y), Side::Left).size(font::SMALL));
    }
    let title = font::fitted(title, font::SMALL, SCALE - 24 + page::MARGIN);
    let at = (left, area.top - 16);
    scene.text(Label::new(title, at, Side::Left).size(font::SMALL));
}
