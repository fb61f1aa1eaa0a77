//! A table of values as colours: numbers in the cells while there is room for them, groups of rows
//! and columns set apart, every row and column named.
//!
//! The module is independent of answers: its input is names and numbers.

use super::color_scale::ColorScale;
use super::plot_frame::{self, ChartTitleAndCaption, PlotArea};
use super::text_layout;
use crate::drawing::{HorizontalTextAnchor, RgbColor, Scene};

/// The largest number of columns, and of rows, of one picture.
pub const MAX_HEAT_MAP_SIDE: usize = 200;

/// The widest and the tallest body with numbers in its cells.
const MAX_BODY_WITH_NUMBERS: (i32, i32) = (2400, 2600);

/// Width and height of a cell without numbers: a line of small text fits.
const TEXTLESS_CELL_SIZE: i32 = 16;

/// White between two groups.
const GAP_BETWEEN_GROUPS: i32 = 6;

/// The number of rows from which the columns are also named above.
const MIN_ROWS_NAMED_ABOVE: usize = 30;

/// The names along one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamesAlongHeatMapSide {
    /// The title of the side: `drm: total modifier`.
    pub title: String,
    /// Returns the names, in order.
    pub names: Vec<String>,
    /// A few characters after each name that are never truncated; as long as `names`, or empty.
    pub marks: Vec<String>,
    /// Names of groups, and the number of names in each, in order; may be empty.
    pub groups: Vec<(String, usize)>,
}

impl NamesAlongHeatMapSide {
    /// Returns names without groups.
    pub fn new(title: impl Into<String>, names: Vec<String>) -> NamesAlongHeatMapSide {
        NamesAlongHeatMapSide { title: title.into(), names, ..NamesAlongHeatMapSide::default() }
    }

    /// Fits every name with its mark into `room` pixels.
    fn fit_names_into_width(&self, size: i32, room: i32) -> Vec<String> {
        let none = String::new();
        let mark = |i: usize| self.marks.get(i).unwrap_or(&none);
        let name = |(i, name): (usize, &String)| {
            let left = room - text_layout::pixel_width_of_text(mark(i), size, false);
            format!("{}{}", text_layout::shorten_in_the_middle(name, size, left), mark(i))
        };
        self.names.iter().enumerate().map(name).collect()
    }

    /// Returns the start of each name, in pixels, and the end of the last one.
    fn pixel_starts_and_end(&self, step: i32) -> (Vec<i32>, i32) {
        let mut firsts: Vec<usize> = Vec::new();
        let mut first = 0;
        for (_, count) in &self.groups {
            first += count;
            firsts.push(first);
        }
        let mut next = 0;
        let mut starts = Vec::new();
        for i in 0..self.names.len() {
            let apart = i > 0 && firsts.contains(&i);
            next += if apart { GAP_BETWEEN_GROUPS } else { 0 };
            starts.push(next);
            next += step;
        }
        (starts, next)
    }
}

/// A table of values.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// The side along x.
    pub columns: NamesAlongHeatMapSide,
    /// The side along y.
    pub rows: NamesAlongHeatMapSide,
    /// Row by row; `None` where there is no value.
    pub values: Vec<Option<f64>>,
    /// The text in each cell, row by row, in one line or several.
    pub texts: Vec<String>,
    /// Values of other pictures that share the colours.
    pub among: Vec<f64>,
    /// The middle of the values, where it matters: 0 for differences, 100 for shares of a whole.
    pub middle: Option<f64>,
    /// The title of the colours, with the unit: `p_break, %`.
    pub color_title: String,
}

impl HeatMap {
    /// Draws the heat map.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw or more than fits into a picture.
    pub fn draw_heat_map(&self, words: &ChartTitleAndCaption) -> Result<Scene, String> {
        self.check_heat_map_size()?;
        let layout = HeatMapLayout::new(self);
        let mut body = layout.body;
        body.0 += layout.shade.width_of_key(&self.color_title);
        let (mut scene, (left, top)) = plot_frame::new_chart_page(words, body);
        let (left, top) = (left + layout.before, top + layout.above);
        let area =
            PlotArea { left, top, right: left + layout.columns.1, bottom: top + layout.rows.1 };
        self.draw_cell_colors(&mut scene, area, &layout);
        if layout.numbers {
            self.draw_cell_numbers(&mut scene, area, &layout);
        }
        self.draw_column_names(&mut scene, area, &layout);
        self.draw_row_names(&mut scene, area, &layout);
        layout.shade.draw_color_key(&mut scene, area, &self.color_title);
        Ok(scene)
    }

    fn check_heat_map_size(&self) -> Result<(), String> {
        for heads in [&self.columns, &self.rows] {
            if heads.names.len() > MAX_HEAT_MAP_SIDE {
                let (what, count) = (&heads.title, heads.names.len());
                return Err(format!(
                    "{what} has {count} values; a heat map shows up to {MAX_HEAT_MAP_SIDE}"
                ));
            }
        }
        if self.values.iter().all(Option::is_none) {
            return Err(format!("no cell has a value of {}", self.color_title));
        }
        Ok(())
    }

    /// Draws the coloured cells, colour by colour, with equal neighbours joined, so that large maps
    /// are small files.
    fn draw_cell_colors(&self, scene: &mut Scene, area: PlotArea, layout: &HeatMapLayout) {
        let (width, height) = layout.cell;
        // A line of paper remains between numbers.
        let edge = i32::from(layout.numbers);
        let mut fills = Vec::new();
        for (row, y) in layout.rows.0.iter().enumerate() {
            let top = area.top + y;
            for (column, x) in layout.columns.0.iter().enumerate() {
                let ink = self.color_of_cell(row, column, &layout.shade);
                let left = area.left + x;
                let (from, to) = ((left, top), (left + width - edge, top + height - edge));
                match fills.last_mut() {
                    Some((last, start, end))
                        if *last == ink && *end == (from.0, to.1) && edge == 0 =>
                    {
                        debug_assert_eq!((*start as (i32, i32)).1, top);
                        *end = to;
                    }
                    _ => fills.push((ink, from, to)),
                }
            }
        }
        fills.sort_by_key(|(ink, ..)| (ink.0, ink.1, ink.2));
        for (ink, from, to) in fills {
            scene.fill_rectangle(from, to, ink);
        }
    }

    fn color_of_cell(&self, row: usize, column: usize, shade: &ColorScale) -> RgbColor {
        let value = self.values[row * self.columns.names.len() + column];
        value.map_or(RgbColor::NO_VALUE_GREY, |value| shade.color_of_value(value))
    }

    fn draw_cell_numbers(&self, scene: &mut Scene, area: PlotArea, layout: &HeatMapLayout) {
        let (width, height) = layout.cell;
        for (index, text) in self.texts.iter().enumerate() {
            let (row, column) =
                (index / self.columns.names.len(), index % self.columns.names.len());
            let ink = self.color_of_cell(row, column, &layout.shade).readable_text_color();
            let x = area.left + layout.columns.0[column] + width / 2;
            let middle = area.top + layout.rows.0[row] + height / 2;
            let lines = text.lines().count() as i32;
            for (i, line) in (0..).zip(text.lines()) {
                let y = middle + (2 * i + 1 - lines) * layout.line / 2;
                scene.add_text(
                    text_layout::new_label(line, (x, y), HorizontalTextAnchor::Middle)
                        .with_color(ink)
                        .with_size(text_layout::font_size_for_height(layout.size)),
                );
            }
        }
    }

    fn draw_column_names(&self, scene: &mut Scene, area: PlotArea, layout: &HeatMapLayout) {
        let half = layout.cell.0 / 2;
        let names = self.columns.fit_names_into_width(layout.size, layout.longest.0);
        for (name, x) in names.iter().zip(&layout.columns.0) {
            let x = area.left + x + half;
            let label = |y, side| {
                text_layout::new_label(name.clone(), (x, y), side)
                    .with_size(text_layout::font_size_for_height(layout.size))
            };
            if layout.upright {
                scene.add_text(label(area.bottom + 6, HorizontalTextAnchor::Right).to_upright());
                // In a tall map the names at the foot are off the screen.
                if layout.twice {
                    scene.add_text(label(area.top - 6, HorizontalTextAnchor::Left).to_upright());
                }
            } else {
                scene.add_text(label(
                    area.bottom + 4 + layout.size / 2,
                    HorizontalTextAnchor::Middle,
                ));
            }
        }
        let y = area.top - layout.height_of_names_above() - text_layout::SMALL_TEXT_HEIGHT / 2 - 4;
        draw_each_group_with(&self.columns, &layout.columns.0, layout.cell.0, |name, from, to| {
            let (from, to) = (area.left + from, area.left + to);
            let name = text_layout::truncate_to_room(
                name,
                text_layout::SMALL_TEXT_HEIGHT,
                to - from + GAP_BETWEEN_GROUPS - 2,
            );
            scene.draw_polyline(vec![(from, y + 11), (to, y + 11)], RgbColor::CAPTION_GREY, 1);
            scene.add_text(text_layout::new_small_label(
                name,
                ((from + to) / 2, y),
                HorizontalTextAnchor::Middle,
            ));
        });
        plot_frame::draw_x_title(
            scene,
            area,
            area.bottom + layout.names_below + 14,
            &self.columns.title,
        );
    }

    fn draw_row_names(&self, scene: &mut Scene, area: PlotArea, layout: &HeatMapLayout) {
        let names = self.rows.fit_names_into_width(layout.size, layout.longest.1);
        for (name, y) in names.into_iter().zip(&layout.rows.0) {
            let at = (area.left - 8, area.top + y + layout.cell.1 / 2);
            scene.add_text(
                text_layout::new_label(name, at, HorizontalTextAnchor::Right)
                    .with_size(text_layout::font_size_for_height(layout.size)),
            );
        }
        let x = area.left - layout.before + text_layout::SMALL_TEXT_HEIGHT / 2;
        draw_each_group_with(&self.rows, &layout.rows.0, layout.cell.1, |name, from, to| {
            let (from, to) = (area.top + from, area.top + to);
            let name = text_layout::truncate_to_room(
                name,
                text_layout::SMALL_TEXT_HEIGHT,
                to - from + GAP_BETWEEN_GROUPS - 2,
            );
            scene.draw_polyline(vec![(x + 11, from), (x + 11, to)], RgbColor::CAPTION_GREY, 1);
            scene.add_text(
                text_layout::new_small_label(
                    name,
                    (x, (from + to) / 2),
                    HorizontalTextAnchor::Middle,
                )
                .to_upright(),
            );
        });
        // The title of the colours is to the right.
        let left = area.left - layout.before;
        let title = text_layout::truncate_to_room(
            &self.rows.title,
            text_layout::ORDINARY_TEXT_HEIGHT,
            area.right + 12 - left,
        );
        let y = area.top - layout.above + text_layout::ORDINARY_TEXT_HEIGHT / 2;
        scene.add_text(text_layout::new_label(title, (left, y), HorizontalTextAnchor::Left));
    }
}

/// Draws each group, from the pixel of its first name to that of its last.
fn draw_each_group_with(
    heads: &NamesAlongHeatMapSide,
    starts: &[i32],
    step: i32,
    mut draw: impl FnMut(&str, i32, i32),
) {
    let mut first = 0;
    for (name, count) in heads.groups.iter().filter(|(_, count)| *count > 0) {
        let last = (first + count).min(starts.len()) - 1;
        draw(name, starts[first], starts[last] + step);
        first += count;
    }
}

/// Sizes in pixels.
struct HeatMapLayout {
    shade: ColorScale,
    /// Whether there are numbers in the cells.
    numbers: bool,
    /// Height of the text of names and numbers, and from line to line in a cell.
    size: i32,
    line: i32,
    /// Width and height of a cell.
    cell: (i32, i32),
    /// The starts of columns and rows, and the ends of the last ones.
    columns: (Vec<i32>, i32),
    rows: (Vec<i32>, i32),
    /// The longest names of columns and rows.
    longest: (i32, i32),
    /// Whether the names of the columns are upright, and whether they are also above.
    upright: bool,
    twice: bool,
    /// Room for the names of the columns below.
    names_below: i32,
    /// Room to the left of the cells, and above them.
    before: i32,
    above: i32,
    /// Width and height of everything but the key.
    body: (i32, i32),
}

impl HeatMapLayout {
    fn new(map: &HeatMap) -> HeatMapLayout {
        let values: Vec<_> = map.values.iter().flatten().chain(&map.among).copied().collect();
        let shade = |of: fn(&[f64]) -> ColorScale| match map.middle {
            Some(middle) => ColorScale::around_middle(middle, &values),
            None => of(&values),
        };
        let numbers =
            HeatMapLayout::from_map_and_shade(map, shade(ColorScale::even_or_around_zero), true);
        let fits = numbers.columns.1 <= MAX_BODY_WITH_NUMBERS.0
            && numbers.rows.1 <= MAX_BODY_WITH_NUMBERS.1;
        match fits && !map.texts.is_empty() {
            true => numbers,
            false => HeatMapLayout::from_map_and_shade(
                map,
                shade(ColorScale::with_classes_if_skewed),
                false,
            ),
        }
    }

    fn from_map_and_shade(map: &HeatMap, shade: ColorScale, numbers: bool) -> HeatMapLayout {
        let size = if numbers {
            text_layout::ORDINARY_TEXT_HEIGHT
        } else {
            text_layout::SMALL_TEXT_HEIGHT
        };
        let longest = if numbers { (plot_frame::MAX_AXIS_LABEL_WIDTH, 260) } else { (280, 400) };
        let widest = |heads: &NamesAlongHeatMapSide, room| {
            plot_frame::widest_text_at(&heads.fit_names_into_width(size, room), size)
        };
        let (column_name, row_name) =
            (widest(&map.columns, longest.0), widest(&map.rows, longest.1));
        let line = size + 2;
        let cell = if numbers {
            measure_number_cell(map, column_name, line)
        } else {
            (TEXTLESS_CELL_SIZE, TEXTLESS_CELL_SIZE)
        };
        let upright = column_name > cell.0 - 6;
        let names_below = if upright { column_name + 10 } else { size + 8 };
        let (columns, rows) =
            (map.columns.pixel_starts_and_end(cell.0), map.rows.pixel_starts_and_end(cell.1));
        let twice = upright && map.rows.names.len() > MIN_ROWS_NAMED_ABOVE;
        let groups = |heads: &NamesAlongHeatMapSide| if heads.groups.is_empty() { 0 } else { 24 };
        let before = row_name + 12 + groups(&map.rows);
        let above = 28 + groups(&map.columns) + if twice { column_name + 10 } else { 0 };
        let body = (
            before + columns.1,
            above + rows.1.max(plot_frame::MIN_COLOR_KEY_HEIGHT) + names_below + 26,
        );
        HeatMapLayout {
            shade,
            numbers,
            size,
            line,
            cell,
            columns,
            rows,
            longest,
            upright,
            twice,
            names_below,
            before,
            above,
            body,
        }
    }

    fn height_of_names_above(&self) -> i32 {
        if self.twice { self.names_below } else { 0 }
    }
}

/// Returns width and height of a cell with a number in it. Few columns may be wider, so that a
/// small grid still fills a page.
fn measure_number_cell(map: &HeatMap, column_name: i32, line: i32) -> (i32, i32) {
    let lines = map.texts.iter().flat_map(|text| text.lines());
    let widths = lines.map(|text| {
        text_layout::pixel_width_of_text(text, text_layout::ORDINARY_TEXT_HEIGHT, false)
    });
    let number = widths.max().unwrap_or(0);
    let width = number.max(column_name.min(90)).max(46) + 12;
    let count = map.columns.names.len().max(1) as i32;
    let tallest = map.texts.iter().map(|text| text.lines().count()).max();
    let height = (tallest.unwrap_or(1) as i32 * line + 4).max(match map.rows.names.len() {
        0..=24 => 32,
        _ => 22,
    });
    (width.max((320 / count).min(120)), height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_stand_apart() {
        let mut heads =
            NamesAlongHeatMapSide::new("unit", ["a", "b", "c", "d"].map(str::to_owned).to_vec());
        assert_eq!(heads.pixel_starts_and_end(10), (vec![0, 10, 20, 30], 40));
        heads.groups = vec![("one".into(), 1), ("three".into(), 3)];
        assert_eq!(
            heads.pixel_starts_and_end(10),
            (
                vec![0, 10 + GAP_BETWEEN_GROUPS, 20 + GAP_BETWEEN_GROUPS, 30 + GAP_BETWEEN_GROUPS],
                40 + GAP_BETWEEN_GROUPS
            )
        );
        let mut spans = Vec::new();
        draw_each_group_with(&heads, &heads.pixel_starts_and_end(10).0, 10, |name, from, to| {
            spans.push((name.to_owned(), from, to));
        });
        assert_eq!(spans, [("one".to_owned(), 0, 10), ("three".to_owned(), 16, 46)]);
    }

    #[test]
    fn marks_are_never_cut() {
        let mut heads =
            NamesAlongHeatMapSide::new("unit", vec!["a very long name of a unit".into()]);
        heads.marks = vec![" · 15".into()];
        let fitted = heads.fit_names_into_width(text_layout::SMALL_TEXT_HEIGHT, 80);
        assert!(fitted[0].ends_with(" · 15") && fitted[0].contains('…'), "{fitted:?}");
        assert!(
            text_layout::pixel_width_of_text(&fitted[0], text_layout::SMALL_TEXT_HEIGHT, false)
                <= 80
        );
    }

    #[test]
    fn too_much_and_nothing_are_refused_in_words() {
        let map = |columns: usize, value| HeatMap {
            columns: NamesAlongHeatMapSide::new("range", vec!["1".into(); columns]),
            rows: NamesAlongHeatMapSide::new("fp", vec!["2".into()]),
            values: vec![value; columns],
            texts: Vec::new(),
            among: Vec::new(),
            middle: None,
            color_title: "p_kill, %".into(),
        };
        let words = ChartTitleAndCaption::default();
        let why = map(300, Some(1.0)).draw_heat_map(&words).expect_err("too wide");
        assert_eq!(why, "range has 300 values; a heat map shows up to 200");
        let why = map(3, None).draw_heat_map(&words).expect_err("nothing to draw");
        assert_eq!(why, "no cell has a value of p_kill, %");
        assert!(map(200, Some(1.0)).draw_heat_map(&words).is_ok());
    }
}
