//! Foot of every page of a card: the legend, and the line on how the numbers were computed.

use super::super::card_model::{CardLegendEntry, ReferenceCard};
use super::super::footnotes::FootnotesOfCard;
use super::super::page_canvas::{PageCanvas, RoomAlignment, black_paper_typeface};
use super::super::paper_sizes::OrientedPaperSheet;
use super::paragraph::{PAGE_EDGE_MARGIN, draw_text_lines_down};
use crate::drawing::{Shape, TextFontAndColor};

/// The type of legends.
const LEGEND_TYPE: TextFontAndColor = black_paper_typeface(7.25);

/// The type of footers.
const FOOTER_TYPE: TextFontAndColor = black_paper_typeface(7.0).with_grey(70);

/// Space between the columns of a legend.
const LEGEND_COLUMN_GUTTER: f64 = 18.0;

/// The largest share of a page for a legend; a longer one has separate pages.
const MAX_LEGEND_PAGE_SHARE: f64 = 0.36;

/// Room at the right end of the footer for the number of the page.
const PAGE_NUMBER_WIDTH: f64 = 80.0;

/// Legend and footer of a card on a paper.
#[derive(Clone)]
pub struct CardLegendFooter {
    /// Returns the width between the margins.
    pub width: f64,
    /// The lower end of tables.
    pub bottom: f64,
    columns: Vec<Vec<LegendItemLines>>,
    own_pages: bool,
    footer: Vec<String>,
    height: f64,
}

/// An entry of a legend in lines.
#[derive(Clone)]
struct LegendItemLines {
    term: String,
    indent: f64,
    lines: Vec<String>,
}

impl LegendItemLines {
    fn new(entry: &CardLegendEntry, room: f64) -> LegendItemLines {
        let indent = match entry.term.as_str() {
            "" => 0.0,
            term => LEGEND_TYPE.to_bold().width_of_text(term) + 4.0,
        };
        // A term that takes most of a line has it for itself.
        let indent = if indent > 0.7 * room { room } else { indent };
        LegendItemLines {
            term: entry.term.clone(),
            indent,
            lines: LEGEND_TYPE.wrap_first_line_shorter(&entry.text, room, indent),
        }
    }

    fn measured_height(&self) -> f64 {
        self.lines.len().max(1) as f64 * LEGEND_TYPE.line_spacing() + 1.5
    }

    fn draw_entry(&self, pen: &mut PageCanvas, (x, y): (f64, f64)) {
        pen.draw_aligned_text(LEGEND_TYPE.to_bold(), (x, y), 0.0, RoomAlignment::Left, &self.term);
        for (number, line) in self.lines.iter().enumerate() {
            let indent = if number == 0 { self.indent } else { 0.0 };
            let y = y + number as f64 * LEGEND_TYPE.line_spacing();
            pen.draw_aligned_text(LEGEND_TYPE, (x + indent, y), 0.0, RoomAlignment::Left, line);
        }
    }
}

impl CardLegendFooter {
    /// Measures legend and footer; a legend that is long, or should be `apart`, has separate pages.
    pub fn new(card: &ReferenceCard, paper: OrientedPaperSheet, apart: bool) -> CardLegendFooter {
        // Laid out with the margin of an office page, and moved to that of the paper at the end.
        let part = paper.paper_of_one_card();
        let (width, height) = part.width_and_height();
        let width = width - 2.0 * part.sheet_margin();
        let height = height + 2.0 * (PAGE_EDGE_MARGIN - part.sheet_margin());
        let footer = FOOTER_TYPE
            .wrap_to_width(&card.footer.join(" "), width - PAGE_NUMBER_WIDTH.min(0.35 * width));
        let count = match width {
            ..250.0 => 1,
            ..600.0 => 2,
            _ => 3,
        };
        let columns =
            balance_legend_columns(&card.legend, count, width_of_legend_column(width, count));
        let foot =
            height - PAGE_EDGE_MARGIN - footer.len() as f64 * FOOTER_TYPE.line_spacing() - 4.0;
        let tall = height_of_tallest_column(&columns);
        let own_pages = apart || tall > MAX_LEGEND_PAGE_SHARE * height;
        let legend = if own_pages { 0.0 } else { tall + 8.0 };
        CardLegendFooter { width, bottom: foot - legend - 6.0, columns, own_pages, footer, height }
    }

    /// Draws the pages of a legend that is too long for every page; none for another.
    pub fn draw_legend_pages(&self) -> Vec<PageCanvas> {
        let mut pages = Vec::new();
        if !self.own_pages {
            return pages;
        }
        let count = self.columns.len();
        let room = width_of_legend_column(self.width, count);
        // Starts as if the last column were full, so that the first entry begins a page.
        let (mut column, mut y) = (count, 0.0);
        for item in self
            .columns
            .iter()
            .flatten()
            .flat_map(|item| item.split_into_pieces_of_height(self.bottom - PAGE_EDGE_MARGIN))
        {
            if column < count && y + item.measured_height() > self.bottom {
                (column, y) = (column + 1, PAGE_EDGE_MARGIN);
            }
            if column == count {
                pages.push(PageCanvas::default());
                (column, y) = (0, PAGE_EDGE_MARGIN);
            }
            let x = PAGE_EDGE_MARGIN + column as f64 * (room + LEGEND_COLUMN_GUTTER);
            item.draw_entry(pages.last_mut().expect("one was just pushed"), (x, y));
            y += item.measured_height();
        }
        pages
    }

    /// Draws legend and footer onto page `number` of `of`.
    pub fn draw_legend_and_footer(&self, pen: &mut PageCanvas, number: usize, of: usize) {
        if !self.own_pages {
            let room = width_of_legend_column(self.width, self.columns.len());
            for (at, column) in self.columns.iter().enumerate() {
                let x = PAGE_EDGE_MARGIN + at as f64 * (room + LEGEND_COLUMN_GUTTER);
                let mut y = self.bottom + 6.0;
                for item in column {
                    // A mark is explained on the pages where it appears.
                    if !FootnotesOfCard::is_footnote_mark(&item.term)
                        || is_sign_on_page(pen, &item.term)
                    {
                        item.draw_entry(pen, (x, y));
                        y += item.measured_height();
                    }
                }
            }
        }
        let top =
            self.height - PAGE_EDGE_MARGIN - self.footer.len() as f64 * FOOTER_TYPE.line_spacing();
        pen.fill_rectangle((PAGE_EDGE_MARGIN, top - 3.0), (self.width, 0.5), 120);
        draw_text_lines_down(pen, FOOTER_TYPE, (PAGE_EDGE_MARGIN, top), &self.footer);
        let page = format!("page {number} of {of}");
        pen.draw_aligned_text(
            FOOTER_TYPE,
            (PAGE_EDGE_MARGIN, top),
            self.width,
            RoomAlignment::Right,
            &page,
        );
    }
}

/// Whether a mark appears on a page.
fn is_sign_on_page(pen: &PageCanvas, sign: &str) -> bool {
    pen.shapes.iter().any(|shape| match shape {
        Shape::Text(label) => {
            label.text.trim_end_matches(FootnotesOfCard::FOOTNOTE_SIGNS).len() < label.text.len()
                && label.text.split(',').any(|part| part.ends_with(sign))
        }
        _ => false,
    })
}

impl LegendItemLines {
    /// Splits the item into pieces of at most `room` height.
    fn split_into_pieces_of_height(&self, room: f64) -> Vec<LegendItemLines> {
        let most = ((room - 1.5) / LEGEND_TYPE.line_spacing()).max(1.0) as usize;
        let piece = |(at, lines): (usize, &[String])| LegendItemLines {
            term: if at == 0 { self.term.clone() } else { String::new() },
            indent: if at == 0 { self.indent } else { 0.0 },
            lines: lines.to_vec(),
        };
        self.lines.chunks(most).enumerate().map(piece).collect()
    }
}

fn width_of_legend_column(width: f64, count: usize) -> f64 {
    (width - (count - 1) as f64 * LEGEND_COLUMN_GUTTER) / count as f64
}

/// Balances the entries over `count` columns, in order, as short as possible.
fn balance_legend_columns(
    legend: &[CardLegendEntry],
    count: usize,
    room: f64,
) -> Vec<Vec<LegendItemLines>> {
    let items: Vec<_> = legend.iter().map(|entry| LegendItemLines::new(entry, room)).collect();
    let total: f64 = items.iter().map(LegendItemLines::measured_height).sum();
    let mut limit = total / count as f64;
    loop {
        let columns = split_into_columns_of_height(&items, limit);
        if columns.len() <= count {
            let missing = count - columns.len();
            return columns.into_iter().chain(vec![Vec::new(); missing]).collect();
        }
        limit += LEGEND_TYPE.line_spacing();
    }
}

/// Fills columns with items up to `limit` height, or one item.
fn split_into_columns_of_height(
    items: &[LegendItemLines],
    limit: f64,
) -> Vec<Vec<LegendItemLines>> {
    let mut columns: Vec<Vec<LegendItemLines>> = Vec::new();
    let mut height = f64::INFINITY;
    for item in items {
        if height + item.measured_height() > limit {
            columns.push(Vec::new());
            height = 0.0;
        }
        height += item.measured_height();
        columns.last_mut().expect("the first item opens a column").push(item.clone());
    }
    columns
}

fn height_of_tallest_column(columns: &[Vec<LegendItemLines>]) -> f64 {
    let heights =
        columns.iter().map(|column| column.iter().map(LegendItemLines::measured_height).sum());
    heights.fold(0.0, f64::max)
}
