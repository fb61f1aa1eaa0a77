//! Block of a table on paper: title, heads, rows, and the number of rows that fit a given height.

use std::ops::Range;

use super::super::card_model::{CardLine, CardRow, CardTable};
use super::super::page_canvas::{PageCanvas, RoomAlignment, black_paper_typeface};
use super::column_widths::{TableColumnWidths, label_typeface, number_typeface_of_line};
use super::paragraph::{PAGE_EDGE_MARGIN, draw_text_lines_down};
use crate::drawing::TextFontAndColor;

/// Returns the type of titles; on a playing card a large one would take the room of the numbers.
fn title_type_by_page_width(body: f64) -> TextFontAndColor {
    black_paper_typeface(if body < MAX_PLAYING_CARD_BODY { 10.0 } else { 14.0 }).to_bold()
}

/// The width of the body below which it is a playing card.
const MAX_PLAYING_CARD_BODY: f64 = 250.0;

/// The type of subtitles.
const SUBTITLE_TYPE: TextFontAndColor = black_paper_typeface(8.5).with_grey(50);

/// The grey of the head band.
const HEAD_BAND_GREY: u8 = 45;

/// The grey of every second row.
const STRIPED_ROW_GREY: u8 = 236;

/// The grey of thin rules between rows and columns.
const THIN_RULE_GREY: u8 = 165;

/// The size of the short title of a table that is not the first on its page, at most that of the
/// first.
const MAX_SHORT_TITLE_SIZE: f64 = 11.0;

/// The text above a table's heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextAboveTableHeads {
    /// The card's title with the table's, and the subtitle.
    Full,
    /// Only the part of the title that distinguishes the table from the one above it.
    Short,
    /// The title again, where the table continues.
    Continued,
}

/// A block of columns of a table, measured.
pub struct MeasuredTableBlock<'a> {
    table: &'a CardTable,
    fit: &'a TableColumnWidths,
    columns: Range<usize>,
    column: f64,
    title: String,
    subtitle: Vec<String>,
    heads: Vec<Vec<String>>,
    stubs: Vec<Vec<String>>,
    /// The height of every row.
    heights: Vec<f64>,
}

/// Returns the subtitle of these columns: of a part of them the game, its dice, and the meaning of
/// the numbers.
fn subtitle_for_column_range(table: &CardTable, columns: &Range<usize>) -> String {
    if columns.len() == table.columns.len() {
        return table.subtitle.clone();
    }
    let mut cells = table.rows.iter().flat_map(|row| &row.lines).flat_map(|line| &line.cells);
    let is_share = cells.all(|cell| cell.as_ref().is_none_or(|cell| cell.percent));
    format!("{}{}", table.part_subtitle, if is_share { " · percent" } else { "" })
}

impl<'a> MeasuredTableBlock<'a> {
    /// Measures the columns `columns` of `table`, a table of the card called `title`.
    pub fn new(
        title: &str,
        table: &'a CardTable,
        fit: &'a TableColumnWidths,
        columns: Range<usize>,
    ) -> MeasuredTableBlock<'a> {
        let width = fit.width_per_number_column(columns.len());
        let set = black_paper_typeface(fit.size).to_bold();
        let heads = table.columns[columns.clone()].iter();
        let stubs = table.stubs.iter().zip(&fit.stubs);
        let mut grid = MeasuredTableBlock {
            title: title_with_column_range(title, table, &columns),
            subtitle: SUBTITLE_TYPE.wrap_to_width(
                &subtitle_for_column_range(table, &columns),
                fit.width_between_margins(),
            ),
            heads: heads.map(|head| set.wrap_to_width(head, width - fit.pad)).collect(),
            stubs: stubs.map(|(stub, width)| set.wrap_to_width(stub, width - fit.pad)).collect(),
            column: width,
            table,
            fit,
            columns,
            heights: Vec::new(),
        };
        grid.heights = table.rows.iter().map(|row| grid.measure_row_height(row)).collect();
        grid
    }

    /// Returns the number of rows.
    pub fn row_count(&self) -> usize {
        self.table.rows.len()
    }

    /// Whether a word of a head or of a label is wider than its column, and broken.
    pub fn has_broken_word(&self) -> bool {
        let broken = |set: TextFontAndColor, text: &str, room: f64| {
            set.measure_longest_word(text) > room + 1e-6
        };
        let (bold, pad) = (self.type_of_numbers().to_bold(), self.fit.pad);
        let heads = self.table.columns[self.columns.clone()].iter();
        let labels = self.table.rows.iter().flat_map(|row| &row.lines);
        let first = |row: &CardRow| broken(bold, &row.heads[0], self.fit.stubs[0] - 2.0 * pad);
        heads.into_iter().any(|head| broken(bold, head, self.column - pad))
            || self.table.rows.iter().any(first)
            || self.table.has_labels
                && labels.into_iter().any(|line| {
                    broken(label_typeface(self.fit.size), &line.label, self.fit.label - pad)
                })
    }

    /// Returns the height with all rows.
    pub fn height_with_all_rows(&self, lead: TextAboveTableHeads) -> f64 {
        self.height_of_title_and_heads(lead) + self.heights.iter().sum::<f64>()
    }

    /// Returns the height of the heads with two rows, which are not separated from them.
    pub fn heads_with_two_rows_height(&self) -> f64 {
        self.height_of_title_and_heads(TextAboveTableHeads::Short)
            + self.heights.iter().take(2).sum::<f64>()
    }

    /// Returns the height of title and heads with the tallest row.
    pub fn heads_with_tallest_row_height(&self) -> f64 {
        let heights = self.heights.iter().copied();
        self.height_of_title_and_heads(TextAboveTableHeads::Continued) + heights.fold(0.0, f64::max)
    }

    /// Returns the number of rows from `next` on that fit into `height` below title and heads, at
    /// least one.
    pub fn count_fitting_rows(&self, next: usize, lead: TextAboveTableHeads, height: f64) -> usize {
        let mut left = height - self.height_of_title_and_heads(lead);
        let fits = |row: &&f64| {
            left -= **row;
            left >= -1e-6
        };
        let fitting = self.heights[next..].iter().take_while(fits).count();
        fitting.max(1).min(self.row_count() - next)
    }

    /// Returns the height of titles and heads.
    fn height_of_title_and_heads(&self, lead: TextAboveTableHeads) -> f64 {
        let (set, lines) = self.wrapped_title(lead);
        let subtitle = self.wrapped_subtitle(lead).len() as f64 * SUBTITLE_TYPE.line_spacing();
        lines.len() as f64 * set.line_spacing() + subtitle + 5.0 + self.head_band_height()
    }

    fn wrapped_title(&self, lead: TextAboveTableHeads) -> (TextFontAndColor, Vec<String>) {
        let whole = self.table.columns.len() == self.columns.len();
        let title = title_type_by_page_width(self.fit.width_between_margins());
        let (set, text) = match lead {
            TextAboveTableHeads::Short if whole && !self.table.place.is_empty() => (
                TextFontAndColor { size: MAX_SHORT_TITLE_SIZE.min(title.size), ..title },
                self.table.place.clone(),
            ),
            TextAboveTableHeads::Short | TextAboveTableHeads::Full => (title, self.title.clone()),
            TextAboveTableHeads::Continued => (title, format!("{} (continued)", self.title)),
        };
        (set, set.wrap_to_width(&text, self.fit.width_between_margins()))
    }

    /// Returns the subtitle; none below another table of the page.
    fn wrapped_subtitle(&self, lead: TextAboveTableHeads) -> &[String] {
        if lead == TextAboveTableHeads::Short { &[] } else { &self.subtitle }
    }

    fn type_of_numbers(&self) -> TextFontAndColor {
        black_paper_typeface(self.fit.size)
    }

    fn padding_of_cells(&self) -> f64 {
        0.22 * self.fit.size
    }

    /// Whether a caption of the columns is above their heads.
    fn has_column_caption(&self) -> bool {
        !self.table.across.is_empty()
    }

    fn head_band_height(&self) -> f64 {
        let heads = self.heads.iter().map(Vec::len).max().unwrap_or(0);
        let lines = heads + usize::from(self.has_column_caption());
        let stubs = self.stubs.iter().map(Vec::len).max().unwrap_or(0);
        lines.max(stubs).max(1) as f64 * self.type_of_numbers().line_spacing()
            + 3.0 * self.padding_of_cells()
    }

    fn measure_row_height(&self, row: &CardRow) -> f64 {
        let heads = row.heads.iter().zip(&self.fit.stubs).enumerate();
        let heads = heads.map(|(at, (head, width))| self.wrap_row_head(at, head, *width).len());
        let labels = row.lines.iter().map(|line| self.wrap_line_label(line).len().max(1));
        let lines = heads.max().unwrap_or(1).max(labels.sum()).max(1);
        lines as f64 * self.type_of_numbers().line_spacing() + 2.0 * self.padding_of_cells()
    }

    fn wrap_row_head(&self, at: usize, head: &str, width: f64) -> Vec<String> {
        let set = if at == 0 { self.type_of_numbers().to_bold() } else { self.type_of_numbers() };
        set.wrap_to_width(head, width - 2.0 * self.fit.pad + 1e-6)
    }

    fn wrap_line_label(&self, line: &CardLine) -> Vec<String> {
        if !self.table.has_labels {
            return Vec::new();
        }
        label_typeface(self.fit.size).wrap_to_width(&line.label, self.fit.label - self.fit.pad)
    }

    fn total_width(&self) -> f64 {
        self.fit.width_without_numbers() + self.columns.len() as f64 * self.column
    }

    /// Returns the left edge of the numbers.
    fn left_edge_of_numbers(&self) -> f64 {
        PAGE_EDGE_MARGIN + self.fit.width_without_numbers() - self.fit.right
    }

    /// Draws title, heads and some rows from `y` down; returns where they end.
    pub fn draw_rows_with_heads(
        &self,
        pen: &mut PageCanvas,
        y: f64,
        lead: TextAboveTableHeads,
        rows: Range<usize>,
    ) -> f64 {
        let (title, lines) = self.wrapped_title(lead);
        let y = draw_text_lines_down(pen, title, (PAGE_EDGE_MARGIN, y), &lines);
        let top = draw_text_lines_down(
            pen,
            SUBTITLE_TYPE,
            (PAGE_EDGE_MARGIN, y),
            self.wrapped_subtitle(lead),
        ) + 5.0;
        self.draw_table_heads(pen, top);
        let first = top + self.head_band_height();
        let mut y = first;
        for number in rows {
            let (row, height) = (&self.table.rows[number], self.heights[number]);
            if number % 2 == 1 {
                pen.fill_rectangle(
                    (PAGE_EDGE_MARGIN, y),
                    (self.total_width(), height),
                    STRIPED_ROW_GREY,
                );
            }
            self.draw_card_row(pen, y, row, height);
            y += height;
            pen.fill_rectangle(
                (PAGE_EDGE_MARGIN, y - 0.15),
                (self.total_width(), 0.3),
                THIN_RULE_GREY,
            );
        }
        self.draw_column_rules(pen, first, y);
        y
    }

    fn draw_table_heads(&self, pen: &mut PageCanvas, top: f64) {
        let band = self.head_band_height();
        pen.fill_rectangle((PAGE_EDGE_MARGIN, top), (self.total_width(), band), HEAD_BAND_GREY);
        let white = self.type_of_numbers().with_grey(255);
        let mut x = PAGE_EDGE_MARGIN;
        for (at, (lines, width)) in self.stubs.iter().zip(&self.fit.stubs).enumerate() {
            let align = if at == 0 { RoomAlignment::Left } else { RoomAlignment::Centre };
            self.draw_bottom_aligned_lines(
                pen,
                white.to_bold(),
                (x, top),
                (*width, band),
                align,
                lines,
            );
            x += width;
        }
        for (at, lines) in self.heads.iter().enumerate() {
            let x = self.left_edge_of_numbers() + at as f64 * self.column;
            self.draw_bottom_aligned_lines(
                pen,
                white.to_bold(),
                (x, top),
                (self.column, band),
                RoomAlignment::Centre,
                lines,
            );
        }
        if self.has_column_caption() {
            let across = (self.left_edge_of_numbers(), self.columns.len() as f64 * self.column);
            let text = white.wrap_to_width(&self.table.across, across.1);
            // Only one line, because the heads below describe the columns in any case.
            let first = text.first().map_or("", String::as_str);
            pen.draw_aligned_text(
                white,
                (across.0, top + self.padding_of_cells()),
                across.1,
                RoomAlignment::Centre,
                first,
            );
        }
        if self.fit.right > 0.0 {
            let x = PAGE_EDGE_MARGIN + self.total_width() - self.fit.right;
            self.draw_bottom_aligned_lines(
                pen,
                white.to_bold(),
                (x, top),
                (self.fit.right, band),
                RoomAlignment::Right,
                &self.stubs[0],
            );
        }
    }

    /// Draws lines at the foot of a head.
    fn draw_bottom_aligned_lines(
        &self,
        pen: &mut PageCanvas,
        set: TextFontAndColor,
        (x, top): (f64, f64),
        (width, height): (f64, f64),
        align: RoomAlignment,
        lines: &[String],
    ) {
        let side = if align == RoomAlignment::Centre { 0.0 } else { self.fit.pad };
        let start =
            top + height - 1.5 * self.padding_of_cells() - lines.len() as f64 * set.line_spacing();
        for (number, line) in lines.iter().enumerate() {
            let y = start + number as f64 * set.line_spacing();
            pen.draw_aligned_text(set, (x + side, y), width - 2.0 * side, align, line);
        }
    }

    fn draw_card_row(&self, pen: &mut PageCanvas, y: f64, row: &CardRow, height: f64) {
        let mut x = PAGE_EDGE_MARGIN;
        for (at, (head, width)) in row.heads.iter().zip(&self.fit.stubs).enumerate() {
            let align = if at == 0 { RoomAlignment::Left } else { RoomAlignment::Centre };
            self.draw_row_head(pen, (x, y), (*width, height), (at, align), head);
            x += width;
        }
        if self.fit.right > 0.0 {
            let x = PAGE_EDGE_MARGIN + self.total_width() - self.fit.right;
            self.draw_row_head(
                pen,
                (x, y),
                (self.fit.right, height),
                (0, RoomAlignment::Right),
                &row.heads[0],
            );
        }
        let leading = self.type_of_numbers().line_spacing();
        let tall: usize =
            row.lines.iter().map(|line| self.wrap_line_label(line).len().max(1)).sum();
        let mut y = y + (height - tall as f64 * leading) / 2.0;
        for line in &row.lines {
            y = self.draw_card_line(pen, y, line);
        }
    }

    /// Draws a row head in the middle of its height.
    fn draw_row_head(
        &self,
        pen: &mut PageCanvas,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        (at, align): (usize, RoomAlignment),
        head: &str,
    ) {
        let set = if at == 0 { self.type_of_numbers().to_bold() } else { self.type_of_numbers() };
        let lines = self.wrap_row_head(at, head, width);
        let start = y + (height - lines.len() as f64 * set.line_spacing()) / 2.0;
        for (number, line) in lines.iter().enumerate() {
            let at = (x + self.fit.pad, start + number as f64 * set.line_spacing());
            pen.draw_aligned_text(set, at, width - 2.0 * self.fit.pad, align, line);
        }
    }

    /// Draws a line with its label, and returns its lower end.
    fn draw_card_line(&self, pen: &mut PageCanvas, y: f64, line: &CardLine) -> f64 {
        let set = number_typeface_of_line(self.fit.size, line.tone);
        let leading = self.type_of_numbers().line_spacing();
        let labels = self.wrap_line_label(line);
        let small = TextFontAndColor { size: label_typeface(self.fit.size).size, ..set };
        for (number, label) in labels.iter().enumerate() {
            // Labels are smaller than numbers and share their base line.
            let drop =
                set.ascent_to_base_line() - small.ascent_to_base_line() + number as f64 * leading;
            let x = self.left_edge_of_numbers() - self.fit.label;
            pen.draw_aligned_text(
                TextFontAndColor { bold: false, ..small },
                (x, y + drop),
                0.0,
                RoomAlignment::Left,
                label,
            );
        }
        for (number, at) in self.columns.clone().enumerate() {
            if let Some(cell) = &line.cells[at] {
                let x = self.left_edge_of_numbers() + number as f64 * self.column;
                if let Some(((from, to), grey)) = cell.ground.shaded_span_and_grey() {
                    let part = ((to - from) * self.column, leading);
                    pen.fill_rectangle((x + from * self.column, y), part, grey);
                }
                pen.draw_aligned_text(set, (x, y), self.column, RoomAlignment::Centre, &cell.text);
            }
        }
        y + labels.len().max(1) as f64 * leading
    }

    /// Draws the rules between columns, and the frame of the numbers.
    fn draw_column_rules(&self, pen: &mut PageCanvas, top: f64, bottom: f64) {
        for at in 0..=self.columns.len() {
            let edge = at == 0 && self.fit.label == 0.0 || at == self.columns.len();
            let (thick, grey) = if edge { (0.5, HEAD_BAND_GREY) } else { (0.25, THIN_RULE_GREY) };
            let x = self.left_edge_of_numbers() + at as f64 * self.column;
            if at < self.columns.len() || self.fit.right > 0.0 {
                pen.fill_rectangle((x - thick / 2.0, top), (thick, bottom - top), grey);
            }
        }
        pen.fill_rectangle(
            (PAGE_EDGE_MARGIN, bottom - 0.4),
            (self.total_width(), 0.8),
            HEAD_BAND_GREY,
        );
    }
}

/// Returns the card's title with the part that distinguishes this table from others, and the
/// columns of this block if it is not the whole table.
fn title_with_column_range(title: &str, table: &CardTable, columns: &Range<usize>) -> String {
    let mut texts = vec![title.to_owned()];
    texts.extend((!table.place.is_empty()).then(|| table.place.clone()));
    if columns.len() < table.columns.len() {
        let (first, last) = (&table.columns[columns.start], &table.columns[columns.end - 1]);
        texts.push(format!("{} {first} to {last}", table.across).trim().to_owned());
    }
    texts.join(" · ")
}
