//! Layout of cards on pages: the size of the type, and the page of every table.
//!
//! Nothing is smaller than seven points and nothing is cut: a table that is too wide is split into
//! blocks of columns, words that are too long for their column at every size are wrapped, and a row
//! is never broken, nor separated from the lines below it. If a table continues on the next page,
//! its title and heads are repeated. Every page can be pinned to a wall alone: the legend and the
//! footer are on each of them, unless the legend is so long that it has separate pages.

use super::card_model::ReferenceCard;
use super::page_canvas::PageCanvas;
use super::paper_sizes::{OrientedPaperSheet, SheetSize};
use crate::drawing::{DrawingMedium, Scene};
use crate::error::ReportError;
use enfilade_engine::cancel::{CancelToken, NEVER_CANCELLED};

mod column_widths;
mod legend_footer;
mod paragraph;
mod table_block;
#[cfg(test)]
mod tests;

use column_widths::TableColumnWidths;
use legend_footer::CardLegendFooter;
use paragraph::PAGE_EDGE_MARGIN;
use table_block::{MeasuredTableBlock, TextAboveTableHeads};

/// The type sizes of tables, the best first.
const TABLE_TYPE_SIZES: [f64; 12] =
    [16.0, 14.0, 12.5, 11.5, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0];

/// The type sizes of a card that has a single row, before those of others: it is read across a
/// table.
const SINGLE_ROW_TYPE_SIZES: [f64; 4] = [32.0, 27.0, 23.0, 19.0];

/// The smallest size that is used to save a page.
const MIN_COMFORTABLE_SIZE: f64 = 8.0;

/// The largest size of a table that continues over several pages.
const MAX_FLOWING_TYPE_SIZE: f64 = 9.0;

/// Space between two tables on a page.
const GAP_BETWEEN_TABLES: f64 = 18.0;

/// The largest number of pages.
const MAX_CARD_PAGES: usize = 500;

/// Lays out the pages of some cards; every card begins on a new one.
///
/// # Errors
/// When a row and its heads are too tall for a page (the message names a paper that fits), when
/// there are more than 500 pages, or after a cancellation.
pub fn lay_out_cards(
    cards: &[ReferenceCard],
    paper: OrientedPaperSheet,
    halt: &CancelToken,
) -> Result<Vec<Scene>, ReportError> {
    let mut pages = Vec::new();
    for card in cards {
        let (apparatus, table_blocks) =
            lay_out_card_with_legend(card, paper, halt).map_err(|trouble| match trouble {
                CardLayoutError::Stopped => cancelled_error(),
                CardLayoutError::TooTall => row_too_tall_error(cards, paper),
                CardLayoutError::TooMany => too_many_pages_error(),
            })?;
        pages.extend(table_blocks.into_iter().map(|pen| (apparatus.clone(), pen)));
        if pages.len() > MAX_CARD_PAGES {
            return Err(too_many_pages_error());
        }
    }
    let of = pages.len();
    let part = paper.paper_of_one_card();
    let (width, height) = part.width_and_height();
    let edge = part.sheet_margin() - PAGE_EDGE_MARGIN;
    let finish = |(number, (apparatus, mut pen)): (usize, (CardLegendFooter, PageCanvas))| {
        apparatus.draw_legend_and_footer(&mut pen, number + 1, of);
        let shapes = pen.shapes.into_iter().map(|shape| shape.moved_by((edge, edge)));
        Scene { shapes: shapes.collect(), ..Scene::new(DrawingMedium::Paper, width, height) }
    };
    let parts: Vec<_> = pages.into_iter().enumerate().map(finish).collect();
    Ok(if part == paper { parts } else { arrange_cards_on_sheet(&parts, paper) })
}

/// The reason why a card has no pages.
#[derive(Clone, Copy, Debug)]
enum CardLayoutError {
    /// A row with its heads is taller than the paper.
    TooTall,
    /// More than [`MAX_CARD_PAGES`].
    TooMany,
    /// The run was cancelled.
    Stopped,
}

/// Lays out the pages of one card, those of its legend last.
///
/// A small card has room for its rows or for its legend: its legend is apart if that takes fewer
/// cards.
fn lay_out_card_with_legend(
    card: &ReferenceCard,
    paper: OrientedPaperSheet,
    halt: &CancelToken,
) -> Result<(CardLegendFooter, Vec<PageCanvas>), CardLayoutError> {
    let with = |apart: bool| {
        let apparatus = CardLegendFooter::new(card, paper, apart);
        let mut pages = choose_best_card_layout(card, &apparatus, halt)?;
        pages.extend(apparatus.draw_legend_pages());
        Ok((apparatus, pages))
    };
    let together = with(false);
    match &together {
        Ok((_, pages)) if !is_small_sheet(paper.paper_of_one_card().sheet) || pages.len() < 3 => {
            together
        }
        Ok((_, pages)) => match with(true) {
            Ok(apart) if apart.1.len() < pages.len() => Ok(apart),
            _ => together,
        },
        Err(CardLayoutError::Stopped) => together,
        Err(_) => with(true),
    }
}

/// Whether a legend would take most of a sheet.
fn is_small_sheet(sheet: SheetSize) -> bool {
    matches!(sheet, SheetSize::Poker | SheetSize::A6)
}

/// Arranges parts side by side in the middle of a sheet, with lines to cut along.
fn arrange_cards_on_sheet(parts: &[Scene], paper: OrientedPaperSheet) -> Vec<Scene> {
    let (width, height) = paper.width_and_height();
    let Some((own, tall)) = parts.first().map(|part| (part.width, part.height)) else {
        return Vec::new();
    };
    // As many as fit whole: the remaining space is shared by both edges.
    let (across, down) = ((width / own) as usize, (height / tall) as usize);
    let (left, top) = ((width - across as f64 * own) / 2.0, (height - down as f64 * tall) / 2.0);
    let sheet = |parts: &[Scene]| {
        let mut scene = Scene::new(DrawingMedium::Paper, width, height);
        for (at, part) in parts.iter().enumerate() {
            let corner = (left + (at % across) as f64 * own, top + (at / across) as f64 * tall);
            scene.shapes.extend(part.shapes.iter().map(|shape| shape.clone().moved_by(corner)));
        }
        let mut pen = PageCanvas::default();
        for at in 0..=across {
            pen.fill_rectangle(
                (left + at as f64 * own - CUT_LINE_WIDTH / 2.0, top),
                (CUT_LINE_WIDTH, down as f64 * tall),
                160,
            );
        }
        for at in 0..=down {
            pen.fill_rectangle(
                (left, top + at as f64 * tall - CUT_LINE_WIDTH / 2.0),
                (across as f64 * own, CUT_LINE_WIDTH),
                160,
            );
        }
        scene.shapes.extend(pen.shapes);
        scene
    };
    parts.chunks((across * down).max(1)).map(sheet).collect()
}

/// Width of a line to cut along.
const CUT_LINE_WIDTH: f64 = 0.3;

/// The layout of one card at one type size.
struct CardPageFlow<'a> {
    card: &'a ReferenceCard,
    apparatus: &'a CardLegendFooter,
    size: f64,
    pages: Vec<PageCanvas>,
    /// Top of the next table, from the top of the page.
    y: f64,
    /// Whether every table is in one block and in one piece.
    unsplit: bool,
    unbroken: bool,
    /// Whether no word is broken.
    whole_words: bool,
}

/// Chooses the pages of a card with the best size: all tables on one page; else no table broken;
/// else no table split into blocks. Among these, as few pages as comfortable type allows, then the
/// largest type.
fn choose_best_card_layout(
    card: &ReferenceCard,
    apparatus: &CardLegendFooter,
    halt: &CancelToken,
) -> Result<Vec<PageCanvas>, CardLayoutError> {
    let mut flows = Vec::new();
    let mut refused = None;
    let single = card.tables.iter().map(|table| table.rows.len()).sum::<usize>() == 1;
    let large = SINGLE_ROW_TYPE_SIZES.into_iter().filter(|_| single);
    for size in large.chain(TABLE_TYPE_SIZES) {
        match CardPageFlow::new(card, apparatus, size).lay_out_all_tables(halt) {
            Err(CardLayoutError::Stopped) => return Err(CardLayoutError::Stopped),
            Ok(flow) => flows.push(flow),
            Err(error) => refused = Some(error),
        }
    }
    let rank = |flow: &CardPageFlow| {
        let together = flow.pages.len() == 1 && flow.unsplit;
        let unbroken = flow.unsplit && flow.unbroken;
        let small = flow.size < MIN_COMFORTABLE_SIZE;
        let huge = !unbroken && flow.size > MAX_FLOWING_TYPE_SIZE;
        let broken = !flow.whole_words;
        (!together, !unbroken, !flow.unsplit, broken, huge, small, flow.pages.len())
    };
    // Of equal layouts the first has the largest type.
    let best = flows.into_iter().min_by_key(rank);
    best.map(|flow| flow.pages).ok_or(refused.unwrap_or(CardLayoutError::TooTall))
}

/// Returns the error for a row that is too tall with its heads; it names the smallest paper that
/// fits: the same paper turned, or else a larger one.
fn row_too_tall_error(cards: &[ReferenceCard], paper: OrientedPaperSheet) -> ReportError {
    let turned = OrientedPaperSheet { landscape: !paper.landscape, ..paper };
    let larger = [SheetSize::A6, SheetSize::A5, SheetSize::A4].into_iter();
    let larger = larger
        .flat_map(|sheet| [false, true].map(|landscape| OrientedPaperSheet { sheet, landscape }));
    let area = |paper: OrientedPaperSheet| {
        paper.paper_of_one_card().width_and_height().0
            * paper.paper_of_one_card().width_and_height().1
    };
    let mut others =
        [turned].into_iter().chain(larger).filter(|other| area(*other) >= area(paper) - 1e-6);
    let fits = others.find(|other| {
        cards.iter().all(|card| lay_out_card_with_legend(card, *other, &NEVER_CANCELLED).is_ok())
    });
    let help = match fits {
        Some(fits) => format!("take {}, or shorten its names", fits.as_command_options()),
        None => "shorten its names, or take --format csv or html".to_owned(),
    };
    ReportError::Invalid(format!("a row with its heads is too tall for the paper: {help}"))
}

fn cancelled_error() -> ReportError {
    ReportError::Interrupted("the cards were not laid out to their end".to_owned())
}

fn too_many_pages_error() -> ReportError {
    let problem =
        "the cards have more than 500 pages: print fewer cells, or take --format csv or html";
    ReportError::Invalid(problem.to_owned())
}

impl<'a> CardPageFlow<'a> {
    fn new(
        card: &'a ReferenceCard,
        apparatus: &'a CardLegendFooter,
        size: f64,
    ) -> CardPageFlow<'a> {
        CardPageFlow {
            card,
            apparatus,
            size,
            pages: vec![PageCanvas::default()],
            y: PAGE_EDGE_MARGIN,
            unsplit: true,
            unbroken: true,
            whole_words: true,
        }
    }

    fn lay_out_all_tables(
        mut self,
        halt: &CancelToken,
    ) -> Result<CardPageFlow<'a>, CardLayoutError> {
        let card = self.card;
        for table in &card.tables {
            if halt.is_cancelled() {
                return Err(CardLayoutError::Stopped);
            }
            let fit = TableColumnWidths::new(table, self.size, self.apparatus.width);
            let blocks = fit.split_into_blocks(table.columns.len());
            self.unsplit &= blocks.len() == 1;
            for columns in blocks {
                let grid = MeasuredTableBlock::new(&card.title, table, &fit, columns);
                self.whole_words &= !grid.has_broken_word();
                self.place_table_block(&grid)?;
            }
        }
        Ok(self)
    }

    /// Places a block of a table: here if it fits, else on a new page if it fits there, else over
    /// several pages.
    fn place_table_block(&mut self, grid: &MeasuredTableBlock) -> Result<(), CardLayoutError> {
        let bottom = self.apparatus.bottom;
        if grid.heads_with_tallest_row_height() > bottom - PAGE_EDGE_MARGIN {
            return Err(CardLayoutError::TooTall);
        }
        let here = self.y > PAGE_EDGE_MARGIN;
        let fits = self.y + grid.height_with_all_rows(TextAboveTableHeads::Short) <= bottom;
        let alone =
            PAGE_EDGE_MARGIN + grid.height_with_all_rows(TextAboveTableHeads::Full) <= bottom;
        // A new page begins if it keeps the table whole, or if not even the first rows fit here.
        if here && !fits && (alone || self.y + grid.heads_with_two_rows_height() > bottom) {
            self.start_new_page();
        }
        let mut lead = if self.y > PAGE_EDGE_MARGIN {
            TextAboveTableHeads::Short
        } else {
            TextAboveTableHeads::Full
        };
        let mut next = 0;
        loop {
            let rows_on_page = grid.count_fitting_rows(next, lead, bottom - self.y);
            let page = self.pages.last_mut().expect("there is a page from the start");
            self.y = grid.draw_rows_with_heads(page, self.y, lead, next..next + rows_on_page)
                + GAP_BETWEEN_TABLES;
            next += rows_on_page;
            if next >= grid.row_count() {
                return Ok(());
            }
            (lead, self.unbroken) = (TextAboveTableHeads::Continued, false);
            self.start_new_page();
            if self.pages.len() > MAX_CARD_PAGES {
                return Err(CardLayoutError::TooMany);
            }
        }
    }

    fn start_new_page(&mut self) {
        self.pages.push(PageCanvas::default());
        self.y = PAGE_EDGE_MARGIN;
    }
}
