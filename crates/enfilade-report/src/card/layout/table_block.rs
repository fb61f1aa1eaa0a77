//! Block of a table on paper: title, heads, rows, and the number of rows that fit a given height.

use std::ops::Range;

use super::super::model::{Line, Row, Table};
use super::super::page_canvas::{Align, Pen, plain};
use super::column_widths::{Fit, label_type, line_type};
use super::paragraph::{MARGIN, paragraph};
use crate::drawing::Type;

/// Returns the type of titles; on a playing card a large one would take the room of the numbers.
fn title_type(body: f64) -> Type {
    plain(if body < NARROW { 10.0 } else { 14.0 }).bold()
}

/// The width of the body below which it is a playing card.
const NARROW: f64 = 250.0;

/// The type of subtitles.
const SUBTITLE: Type = plain(8.5).grey(50);

/// The grey of the head band.
const BAND: u8 = 45;

/// The grey of every second row.
const ZEBRA: u8 = 236;

/// The grey of thin rules between rows and columns.
const HAIR: u8 = 165;

/// The size of the short title of a table that is not the first on its page, at most that of the
/// first.
const SHORT: f64 = 11.0;

/// The text above a table's heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// The card's title with the table's, and the subtitle.
    Full,
    /// Only the part of the title that distinguishes the table from the one above it.
    Short,
    /// The title again, where the table continues.
    Continued,
}

/// A block of columns of a table, measured.
pub struct Grid<'a> {
    table: &'a Table,
    fit: &'a Fit,
    columns: Range<usize>,
    column: f64,
    title: String,
    subtitle: Vec<String>,
    heads: Vec<Vec<String>>,
    stubs: Vec<Vec<String>>,
    /// The height of every row.
    heights: Vec<f64>,
}

impl<'a> Grid<'a> {
    /// Measures the columns `columns` of `table`, a table of the card called `title`.
    pub fn new(title: &str, table: &'a Table, fit: &'a Fit, columns: Range<usize>) -> Grid<'a> {
        let width = fit.column(columns.len());
        let set = plain(fit.size).bold();
        let heads = table.columns[columns.clone()].iter();
        let stubs = table.stubs.iter().zip(&fit.stubs);
        let mut grid = Grid {
            title: full_title(title, table, &columns),
            subtitle: SUBTITLE.lines(&table.subtitle, fit.body()),
            heads: heads.map(|head| set.lines(head, width - fit.pad)).collect(),
            stubs: stubs.map(|(stub, width)| set.lines(stub, width - fit.pad)).collect(),
            column: width,
            table,
            fit,
            columns,
            heights: Vec::new(),
        };
        grid.heights = table.rows.iter().map(|row| grid.row_height(row)).collect();
        grid
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.table.rows.len()
    }

    /// Whether a word of a head or of a label is wider than its column, and broken.
    pub fn breaks_words(&self) -> bool {
        let broken = |set: Type, text: &str, room: f64| set.longest_word(text) > room + 1e-6;
        let (bold, pad) = (self.set().bold(), self.fit.pad);
        let heads = self.table.columns[self.columns.clone()].iter();
        let labels = self.table.rows.iter().flat_map(|row| &row.lines);
        let first = |row: &Row| broken(bold, &row.heads[0], self.fit.stubs[0] - 2.0 * pad);
        heads.into_iter().any(|head| broken(bold, head, self.column - pad))
            || self.table.rows.iter().any(first)
            || self.table.labelled
                && labels.into_iter().any(|line| {
                    broken(label_type(self.fit.size), &line.label, self.fit.label - pad)
                })
    }

    /// Returns the height with all rows.
    pub fn height(&self, lead: Lead) -> f64 {
        self.above(lead) + self.heights.iter().sum::<f64>()
    }

    /// Returns the height of the heads with two rows, which are not separated from them.
    pub fn start(&self) -> f64 {
        self.above(Lead::Short) + self.heights.iter().take(2).sum::<f64>()
    }

    /// Returns the height of title and heads with the tallest row.
    pub fn tallest(&self) -> f64 {
        let heights = self.heights.iter().copied();
        self.above(Lead::Continued) + heights.fold(0.0, f64::max)
    }

    /// Returns the number of rows from `next` on that fit into `height` below title and heads, at
    /// least one.
    pub fn rows_in(&self, next: usize, lead: Lead, height: f64) -> usize {
        let mut left = height - self.above(lead);
        let fits = |row: &&f64| {
            left -= **row;
            left >= -1e-6
        };
        let fitting = self.heights[next..].iter().take_while(fits).count();
        fitting.max(1).min(self.rows() - next)
    }

    /// Returns the height of titles and heads.
    fn above(&self, lead: Lead) -> f64 {
        let (set, lines) = self.titled(lead);
        let subtitle = self.subtitled(lead).len() as f64 * SUBTITLE.leading();
        lines.len() as f64 * set.leading() + subtitle + 5.0 + self.band()
    }

    fn titled(&self, lead: Lead) -> (Type, Vec<String>) {
        let whole = self.table.columns.len() == self.columns.len();
        let title = title_type(self.fit.body());
        let (set, text) = match lead {
            Lead::Short if whole && !self.table.place.is_empty() => {
                (Type { size: SHORT.min(title.size), ..title }, self.table.place.clone())
            }
            Lead::Short | Lead::Full => (title, self.title.clone()),
            Lead::Continued => (title, format!("{} (continued)", self.title)),
        };
        (set, set.lines(&text, self.fit.body()))
    }

    /// Returns the subtitle; none below another table of the page.
    fn subtitled(&self, lead: Lead) -> &[String] {
        if lead == Lead::Short { &[] } else { &self.subtitle }
    }

    fn set(&self) -> Type {
        plain(self.fit.size)
    }

    fn pad(&self) -> f64 {
        0.22 * self.fit.size
    }

    /// Whether a caption of the columns is above their heads.
    fn says_across(&self) -> bool {
        !self.table.across.is_empty()
    }

    fn band(&self) -> f64 {
        let heads = self.heads.iter().map(Vec::len).max().unwrap_or(0);
        let lines = heads + usize::from(self.says_across());
        let stubs = self.stubs.iter().map(Vec::len).max().unwrap_or(0);
        lines.max(stubs).max(1) as f64 * self.set().leading() + 3.0 * self.pad()
    }

    fn row_height(&self, row: &Row) -> f64 {
        let heads = row.heads.iter().zip(&self.fit.stubs).enumerate();
        let heads = heads.map(|(at, (head, width))| self.head_lines(at, head, *width).len());
        let labels = row.lines.iter().map(|line| self.label_lines(line).len().max(1));
        let lines = heads.max().unwrap_or(1).max(labels.sum()).max(1);
        lines as f64 * self.set().leading() + 2.0 * self.pad()
    }

    fn head_lines(&self, at: usize, head: &str, width: f64) -> Vec<String> {
        let set = if at == 0 { self.set().bold() } else { self.set() };
        set.lines(head, width - 2.0 * self.fit.pad + 1e-6)
    }

    fn label_lines(&self, line: &Line) -> Vec<String> {
        if !self.table.labelled {
            return Vec::new();
        }
        label_type(self.fit.size).lines(&line.label, self.fit.label - self.fit.pad)
    }

    fn width(&self) -> f64 {
        self.fit.fixed() + self.columns.len() as f64 * self.column
    }

    /// Returns the left edge of the numbers.
    fn left(&self) -> f64 {
        MARGIN + self.fit.fixed() - self.fit.right
    }

    /// Draws title, heads and some rows from `y` down; returns where they end.
    pub fn draw(&self, pen: &mut Pen, y: f64, lead: Lead, rows: Range<usize>) -> f64 {
        let (title, lines) = self.titled(lead);
        let y = paragraph(pen, title, (MARGIN, y), &lines);
        let top = paragraph(pen, SUBTITLE, (MARGIN, y), self.subtitled(lead)) + 5.0;
        self.draw_heads(pen, top);
        let first = top + self.band();
        let mut y = first;
        for number in rows {
            let (row, height) = (&self.table.rows[number], self.heights[number]);
            if number % 2 == 1 {
                pen.fill((MARGIN, y), (self.width(), height), ZEBRA);
            }
            self.draw_row(pen, y, row, height);
            y += height;
            pen.fill((MARGIN, y - 0.15), (self.width(), 0.3), HAIR);
        }
        self.draw_rules(pen, first, y);
        y
    }

    fn draw_heads(&self, pen: &mut Pen, top: f64) {
        let band = self.band();
        pen.fill((MARGIN, top), (self.width(), band), BAND);
        let white = self.set().grey(255);
        let mut x = MARGIN;
        for (at, (lines, width)) in self.stubs.iter().zip(&self.fit.stubs).enumerate() {
            let align = if at == 0 { Align::Left } else { Align::Centre };
            self.draw_low(pen, white.bold(), (x, top), (*width, band), align, lines);
            x += width;
        }
        for (at, lines) in self.heads.iter().enumerate() {
            let x = self.left() + at as f64 * self.column;
            self.draw_low(pen, white.bold(), (x, top), (self.column, band), Align::Centre, lines);
        }
        if self.says_across() {
            let across = (self.left(), self.columns.len() as f64 * self.column);
            let text = white.lines(&self.table.across, across.1);
            // Only one line, because the heads below describe the columns in any case.
            let first = text.first().map_or("", String::as_str);
            pen.text(white, (across.0, top + self.pad()), across.1, Align::Centre, first);
        }
        if self.fit.right > 0.0 {
            let x = MARGIN + self.width() - self.fit.right;
            self.draw_low(
                pen,
                white.bold(),
                (x, top),
                (self.fit.right, band),
                Align::Right,
                &self.stubs[0],
            );
        }
    }

    /// Draws lines at the foot of a head.
    fn draw_low(
        &self,
        pen: &mut Pen,
        set: Type,
        (x, top): (f64, f64),
        (width, height): (f64, f64),
        align: Align,
        lines: &[String],
    ) {
        let side = if align == Align::Centre { 0.0 } else { self.fit.pad };
        let start = top + height - 1.5 * self.pad() - lines.len() as f64 * set.leading();
        for (number, line) in lines.iter().enumerate() {
            let y = start + number as f64 * set.leading();
            pen.text(set, (x + side, y), width - 2.0 * side, align, line);
        }
    }

    fn draw_row(&self, pen: &mut Pen, y: f64, row: &Row, height: f64) {
        let mut x = MARGIN;
        for (at, (head, width)) in row.heads.iter().zip(&self.fit.stubs).enumerate() {
            let align = if at == 0 { Align::Left } else { Align::Centre };
            self.draw_head(pen, (x, y), (*width, height), (at, align), head);
            x += width;
        }
        if self.fit.right > 0.0 {
            let x = MARGIN + self.width() - self.fit.right;
            self.draw_head(pen, (x, y), (self.fit.right, height), (0, Align::Right), &row.heads[0]);
        }
        let leading = self.set().leading();
        let tall: usize = row.lines.iter().map(|line| self.label_lines(line).len().max(1)).sum();
        let mut y = y + (height - tall as f64 * leading) / 2.0;
        for line in &row.lines {
            y = self.draw_line(pen, y, line);
        }
    }

    /// Draws a row head in the middle of its height.
    fn draw_head(
        &self,
        pen: &mut Pen,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        (at, align): (usize, Align),
        head: &str,
    ) {
        let set = if at == 0 { self.set().bold() } else { self.set() };
        let lines = self.head_lines(at, head, width);
        let start = y + (height - lines.len() as f64 * set.leading()) / 2.0;
        for (number, line) in lines.iter().enumerate() {
            let at = (x + self.fit.pad, start + number as f64 * set.leading());
            pen.text(set, at, width - 2.0 * self.fit.pad, align, line);
        }
    }

    /// Draws a line with its label, and returns its lower end.
    fn draw_line(&self, pen: &mut Pen, y: f64, line: &Line) -> f64 {
        let set = line_type(self.fit.size, line.tone);
        let leading = self.set().leading();
        let labels = self.label_lines(line);
        let small = Type { size: label_type(self.fit.size).size, ..set };
        for (number, label) in labels.iter().enumerate() {
            // Labels are smaller than numbers and share their base line.
            let drop = set.ascent() - small.ascent() + number as f64 * leading;
            let x = self.left() - self.fit.label;
            pen.text(Type { bold: false, ..small }, (x, y + drop), 0.0, Align::Left, label);
        }
        for (number, at) in self.columns.clone().enumerate() {
            if let Some(cell) = &line.cells[at] {
                let x = self.left() + number as f64 * self.column;
                if let Some(((from, to), grey)) = cell.ground.shade() {
                    let part = ((to - from) * self.column, leading);
                    pen.fill((x + from * self.column, y), part, grey);
                }
                pen.text(set, (x, y), self.column, Align::Centre, &cell.shown);
            }
        }
        y + labels.len().max(1) as f64 * leading
    }

    /// Draws the rules between columns, and the frame of the numbers.
    fn draw_rules(&self, pen: &mut Pen, top: f64, bottom: f64) {
        for at in 0..=self.columns.len() {
            let edge = at == 0 && self.fit.label == 0.0 || at == self.columns.len();
            let (thick, grey) = if edge { (0.5, BAND) } else { (0.25, HAIR) };
            let x = self.left() + at as f64 * self.column;
            if at < self.columns.len() || self.fit.right > 0.0 {
                pen.fill((x - thick / 2.0, top), (thick, bottom - top), grey);
            }
        }
        pen.fill((MARGIN, bottom - 0.4), (self.width(), 0.8), BAND);
    }
}

/// Returns the card's title with the part that distinguishes this table from others, and the
/// columns of this block if it is not the whole table.
fn full_title(title: &str, table: &Table, columns: &Range<usize>) -> String {
    let mut said = vec![title.to_owned()];
    said.extend((!table.place.is_empty()).then(|| table.place.clone()));
    if columns.len() < table.columns.len() {
        let (first, last) = (&table.columns[columns.start], &table.columns[columns.end - 1]);
        said.push(format!("{} {first} to {last}", table.across).trim().to_owned());
    }
    said.join(" · ")
}
