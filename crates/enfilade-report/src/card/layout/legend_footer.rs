//! Foot of every page of a card: the legend, and the line on how the numbers were computed.

use super::super::footnotes::Marks;
use super::super::model::{Card, Entry};
use super::super::page_canvas::{Align, Pen, plain};
use super::super::paper::Paper;
use super::paragraph::{MARGIN, paragraph};
use crate::drawing::{Shape, Type};

/// The type of legends.
const LEGEND: Type = plain(7.25);

/// The type of footers.
const FOOTER: Type = plain(7.0).grey(70);

/// Space between the columns of a legend.
const GUTTER: f64 = 18.0;

/// The largest share of a page for a legend; a longer one has separate pages.
const SHARE: f64 = 0.36;

/// Room at the right end of the footer for the number of the page.
const NUMBER: f64 = 80.0;

/// Legend and footer of a card on a paper.
#[derive(Clone)]
pub struct Apparatus {
    /// Returns the width between the margins.
    pub width: f64,
    /// The lower end of tables.
    pub bottom: f64,
    columns: Vec<Vec<Item>>,
    own_pages: bool,
    footer: Vec<String>,
    height: f64,
}

/// An entry of a legend in lines.
#[derive(Clone)]
struct Item {
    term: String,
    indent: f64,
    lines: Vec<String>,
}

impl Item {
    fn new(entry: &Entry, room: f64) -> Item {
        let indent = match entry.term.as_str() {
            "" => 0.0,
            term => LEGEND.bold().width(term) + 4.0,
        };
        // A term that takes most of a line has it for itself.
        let indent = if indent > 0.7 * room { room } else { indent };
        Item {
            term: entry.term.clone(),
            indent,
            lines: LEGEND.lines_after(&entry.text, room, indent),
        }
    }

    fn height(&self) -> f64 {
        self.lines.len().max(1) as f64 * LEGEND.leading() + 1.5
    }

    fn draw(&self, pen: &mut Pen, (x, y): (f64, f64)) {
        pen.text(LEGEND.bold(), (x, y), 0.0, Align::Left, &self.term);
        for (number, line) in self.lines.iter().enumerate() {
            let indent = if number == 0 { self.indent } else { 0.0 };
            let y = y + number as f64 * LEGEND.leading();
            pen.text(LEGEND, (x + indent, y), 0.0, Align::Left, line);
        }
    }
}

impl Apparatus {
    /// Measures legend and footer; a legend that is long, or should be `apart`, has separate pages.
    pub fn new(card: &Card, paper: Paper, apart: bool) -> Apparatus {
        // Laid out with the margin of an office page, and moved to that of the paper at the end.
        let part = paper.part();
        let (width, height) = part.size();
        let width = width - 2.0 * part.margin();
        let height = height + 2.0 * (MARGIN - part.margin());
        let footer = FOOTER.lines(&card.footer.join(" "), width - NUMBER.min(0.35 * width));
        let count = match width {
            ..250.0 => 1,
            ..600.0 => 2,
            _ => 3,
        };
        let columns = columns(&card.legend, count, column_width(width, count));
        let foot = height - MARGIN - footer.len() as f64 * FOOTER.leading() - 4.0;
        let tall = tallest(&columns);
        let own_pages = apart || tall > SHARE * height;
        let legend = if own_pages { 0.0 } else { tall + 8.0 };
        Apparatus { width, bottom: foot - legend - 6.0, columns, own_pages, footer, height }
    }

    /// Draws the pages of a legend that is too long for every page; none for another.
    pub fn legend_pages(&self) -> Vec<Pen> {
        let mut pages = Vec::new();
        if !self.own_pages {
            return pages;
        }
        let count = self.columns.len();
        let room = column_width(self.width, count);
        // Starts as if the last column were full, so that the first entry begins a page.
        let (mut column, mut y) = (count, 0.0);
        for item in self.columns.iter().flatten().flat_map(|item| item.pieces(self.bottom - MARGIN))
        {
            if column < count && y + item.height() > self.bottom {
                (column, y) = (column + 1, MARGIN);
            }
            if column == count {
                pages.push(Pen::default());
                (column, y) = (0, MARGIN);
            }
            let x = MARGIN + column as f64 * (room + GUTTER);
            item.draw(pages.last_mut().expect("one was just pushed"), (x, y));
            y += item.height();
        }
        pages
    }

    /// Draws legend and footer onto page `number` of `of`.
    pub fn foot(&self, pen: &mut Pen, number: usize, of: usize) {
        if !self.own_pages {
            let room = column_width(self.width, self.columns.len());
            for (at, column) in self.columns.iter().enumerate() {
                let x = MARGIN + at as f64 * (room + GUTTER);
                let mut y = self.bottom + 6.0;
                for item in column {
                    // A mark is explained on the pages where it appears.
                    if !Marks::is_sign(&item.term) || stands(pen, &item.term) {
                        item.draw(pen, (x, y));
                        y += item.height();
                    }
                }
            }
        }
        let top = self.height - MARGIN - self.footer.len() as f64 * FOOTER.leading();
        pen.fill((MARGIN, top - 3.0), (self.width, 0.5), 120);
        paragraph(pen, FOOTER, (MARGIN, top), &self.footer);
        let page = format!("page {number} of {of}");
        pen.text(FOOTER, (MARGIN, top), self.width, Align::Right, &page);
    }
}

/// Whether a mark appears on a page.
fn stands(pen: &Pen, sign: &str) -> bool {
    pen.shapes.iter().any(|shape| match shape {
        Shape::Text(label) => {
            label.text.trim_end_matches(Marks::SIGNS).len() < label.text.len()
                && label.text.split(',').any(|part| part.ends_with(sign))
        }
        _ => false,
    })
}

impl Item {
    /// Splits the item into pieces of at most `room` height.
    fn pieces(&self, room: f64) -> Vec<Item> {
        let most = ((room - 1.5) / LEGEND.leading()).max(1.0) as usize;
        let piece = |(at, lines): (usize, &[String])| Item {
            term: if at == 0 { self.term.clone() } else { String::new() },
            indent: if at == 0 { self.indent } else { 0.0 },
            lines: lines.to_vec(),
        };
        self.lines.chunks(most).enumerate().map(piece).collect()
    }
}

fn column_width(width: f64, count: usize) -> f64 {
    (width - (count - 1) as f64 * GUTTER) / count as f64
}

/// Balances the entries over `count` columns, in order, as short as possible.
fn columns(legend: &[Entry], count: usize, room: f64) -> Vec<Vec<Item>> {
    let items: Vec<_> = legend.iter().map(|entry| Item::new(entry, room)).collect();
    let total: f64 = items.iter().map(Item::height).sum();
    let mut limit = total / count as f64;
    loop {
        let columns = filled(&items, limit);
        if columns.len() <= count {
            let missing = count - columns.len();
            return columns.into_iter().chain(vec![Vec::new(); missing]).collect();
        }
        limit += LEGEND.leading();
    }
}

/// Fills columns with items up to `limit` height, or one item.
fn filled(items: &[Item], limit: f64) -> Vec<Vec<Item>> {
    let mut columns: Vec<Vec<Item>> = Vec::new();
    let mut height = f64::INFINITY;
    for item in items {
        if height + item.height() > limit {
            columns.push(Vec::new());
            height = 0.0;
        }
        height += item.height();
        columns.last_mut().expect("the first item opens a column").push(item.clone());
    }
    columns
}

fn tallest(columns: &[Vec<Item>]) -> f64 {
    let heights = columns.iter().map(|column| column.iter().map(Item::height).sum());
    heights.fold(0.0, f64::max)
}
