//! From cards to pages: how large the type is, which tables stand on which page.
//!
//! Nothing is smaller than seven points and nothing is cut: a table that is too wide is split into
//! blocks of columns, long words are wrapped, and a row is never broken, nor parted from the lines
//! below it. Where a table goes on over a page, its title and heads are repeated. Every page can be
//! pinned to a wall alone: the legend and the footer stand on each of them, unless the legend is so
//! long that it has a page of its own.

use super::model::Card;
use super::paper::Paper;
use super::sheet::Pen;
use crate::error::Error;
use crate::report::drawing::{Medium, Scene};

mod apparatus;
mod fit;
mod grid;
#[cfg(test)]
mod tests;
mod text;

use apparatus::Apparatus;
use fit::Fit;
use grid::{Grid, Lead};
use text::MARGIN;

/// The sizes tables are set in, the best first.
const SIZES: [f64; 8] = [10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0];

/// The least size that is taken to save a page.
const COMFORT: f64 = 8.0;

/// The largest size of a table that goes on over several pages.
const FLOWING: f64 = 9.0;

/// Between two tables on a page.
const GAP: f64 = 18.0;

/// The most pages anyone prints.
const PAGES: usize = 500;

/// The pages of some cards; every card begins on a new one.
///
/// # Errors
/// When a row and its heads are too tall for a page, or there are more than 500 pages.
pub fn sheets(cards: &[Card], paper: Paper) -> Result<Vec<Scene>, Error> {
    let mut pages = Vec::new();
    for card in cards {
        let apparatus = Apparatus::new(card, paper);
        let made = set(card, &apparatus)?.into_iter().chain(apparatus.legend_pages());
        pages.extend(made.map(|pen| (apparatus.clone(), pen)));
        if pages.len() > PAGES {
            return Err(too_many());
        }
    }
    let (width, height) = paper.size();
    let of = pages.len();
    let finish = |(number, (apparatus, mut pen)): (usize, (Apparatus, Pen))| {
        apparatus.foot(&mut pen, number + 1, of);
        Scene { shapes: pen.shapes, ..Scene::new(Medium::Paper, width, height) }
    };
    Ok(pages.into_iter().enumerate().map(finish).collect())
}

/// The setting of one card at one size of type.
struct Flow<'a> {
    card: &'a Card,
    apparatus: &'a Apparatus,
    size: f64,
    pages: Vec<Pen>,
    /// Where the next table begins, from the top of the page.
    y: f64,
    /// Whether every table is in one block, and in one piece.
    unsplit: bool,
    unbroken: bool,
}

/// The pages of a card with the best size: all tables on one page; else no table broken; else no
/// table split into blocks. Then as few pages as type that is comfortable to read allows, then the
/// largest type.
fn set(card: &Card, apparatus: &Apparatus) -> Result<Vec<Pen>, Error> {
    let mut flows = Vec::new();
    let mut refused = None;
    for size in SIZES {
        match Flow::new(card, apparatus, size).flown() {
            Ok(flow) => flows.push(flow),
            Err(error) => refused = Some(error),
        }
    }
    let rank = |flow: &Flow| {
        let together = flow.pages.len() == 1 && flow.unsplit;
        let unbroken = flow.unsplit && flow.unbroken;
        let small = flow.size < COMFORT;
        let huge = !unbroken && flow.size > FLOWING;
        (!together, !unbroken, !flow.unsplit, huge, small, flow.pages.len())
    };
    // The first of equal ones has the largest type.
    let best = flows.into_iter().min_by_key(rank);
    best.map(|flow| flow.pages).ok_or_else(|| refused.unwrap_or_else(too_tall))
}

fn too_tall() -> Error {
    let problem =
        "a row with its heads is too tall for the paper: shorten its names, or turn the paper";
    Error::Usage(problem.to_owned())
}

fn too_many() -> Error {
    let problem =
        "the cards have more than 500 pages: print fewer cells, or take --format csv or html";
    Error::Usage(problem.to_owned())
}

impl<'a> Flow<'a> {
    fn new(card: &'a Card, apparatus: &'a Apparatus, size: f64) -> Flow<'a> {
        Flow {
            card,
            apparatus,
            size,
            pages: vec![Pen::default()],
            y: MARGIN,
            unsplit: true,
            unbroken: true,
        }
    }

    fn flown(mut self) -> Result<Flow<'a>, Error> {
        let card = self.card;
        for table in &card.tables {
            let fit = Fit::new(table, self.size, self.apparatus.width);
            let blocks = fit.blocks(table.columns.len());
            self.unsplit &= blocks.len() == 1;
            for columns in blocks {
                let grid = Grid::new(&card.title, table, &fit, columns);
                self.place(&grid)?;
            }
        }
        Ok(self)
    }

    /// Places a block of a table: here if it fits, else on a new page if it fits there, else over
    /// as many pages as it takes.
    fn place(&mut self, grid: &Grid) -> Result<(), Error> {
        let bottom = self.apparatus.bottom;
        if grid.tallest() > bottom - MARGIN {
            return Err(too_tall());
        }
        let here = self.y > MARGIN;
        let fits = self.y + grid.height(Lead::Short) <= bottom;
        let alone = MARGIN + grid.height(Lead::Full) <= bottom;
        if here && !fits && (alone || self.y + grid.start() > bottom) {
            self.turn();
        }
        let mut lead = if self.y > MARGIN { Lead::Short } else { Lead::Full };
        let mut next = 0;
        loop {
            let taken = grid.rows_in(next, lead, bottom - self.y);
            let page = self.pages.last_mut().expect("there is a page from the start");
            self.y = grid.draw(page, self.y, lead, next..next + taken) + GAP;
            next += taken;
            if next >= grid.rows() {
                return Ok(());
            }
            (lead, self.unbroken) = (Lead::Continued, false);
            self.turn();
            if self.pages.len() > PAGES {
                return Err(too_many());
            }
        }
    }

    fn turn(&mut self) {
        self.pages.push(Pen::default());
        self.y = MARGIN;
    }
}
