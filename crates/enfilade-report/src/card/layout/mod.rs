//! Layout of cards on pages: the size of the type, and the page of every table.
//!
//! Nothing is smaller than seven points and nothing is cut: a table that is too wide is split into
//! blocks of columns, words that are too long for their column at every size are wrapped, and a row
//! is never broken, nor separated from the lines below it. If a table continues on the next page,
//! its title and heads are repeated. Every page can be pinned to a wall alone: the legend and the
//! footer are on each of them, unless the legend is so long that it has separate pages.

use super::model::Card;
use super::page_canvas::Pen;
use super::paper::{Paper, Sheet};
use crate::drawing::{Medium, Scene};
use enfilade_engine::cancel::{Halt, NEVER};
use enfilade_model::error::Error;

mod column_widths;
mod legend_footer;
mod paragraph;
mod table_block;
#[cfg(test)]
mod tests;

use column_widths::Fit;
use legend_footer::Apparatus;
use paragraph::MARGIN;
use table_block::{Grid, Lead};

/// The type sizes of tables, the best first.
const SIZES: [f64; 12] = [16.0, 14.0, 12.5, 11.5, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0];

/// The smallest size that is used to save a page.
const COMFORT: f64 = 8.0;

/// The largest size of a table that continues over several pages.
const FLOWING: f64 = 9.0;

/// Space between two tables on a page.
const GAP: f64 = 18.0;

/// The largest number of pages.
const PAGES: usize = 500;

/// Lays out the pages of some cards; every card begins on a new one.
///
/// # Errors
/// When a row and its heads are too tall for a page (the message names a paper that fits), when
/// there are more than 500 pages, or after a cancellation.
pub fn sheets(cards: &[Card], paper: Paper, halt: &Halt) -> Result<Vec<Scene>, Error> {
    let mut pages = Vec::new();
    for card in cards {
        let (apparatus, made) = laid(card, paper, halt).map_err(|trouble| match trouble {
            Trouble::Stopped => stopped(),
            Trouble::TooTall => too_tall(cards, paper),
            Trouble::TooMany => too_many(),
        })?;
        pages.extend(made.into_iter().map(|pen| (apparatus.clone(), pen)));
        if pages.len() > PAGES {
            return Err(too_many());
        }
    }
    let of = pages.len();
    let part = paper.part();
    let (width, height) = part.size();
    let edge = part.margin() - MARGIN;
    let finish = |(number, (apparatus, mut pen)): (usize, (Apparatus, Pen))| {
        apparatus.foot(&mut pen, number + 1, of);
        let shapes = pen.shapes.into_iter().map(|shape| shape.moved((edge, edge)));
        Scene { shapes: shapes.collect(), ..Scene::new(Medium::Paper, width, height) }
    };
    let parts: Vec<_> = pages.into_iter().enumerate().map(finish).collect();
    Ok(if part == paper { parts } else { impose(&parts, paper) })
}

/// The reason why a card has no pages.
#[derive(Clone, Copy, Debug)]
enum Trouble {
    /// A row with its heads is taller than the paper.
    TooTall,
    /// More than [`PAGES`].
    TooMany,
    /// The run was cancelled.
    Stopped,
}

/// Lays out the pages of one card, those of its legend last.
///
/// A playing card has room for its rows or for its legend: its legend is apart if that takes fewer
/// cards.
fn laid(card: &Card, paper: Paper, halt: &Halt) -> Result<(Apparatus, Vec<Pen>), Trouble> {
    let with = |apart: bool| {
        let apparatus = Apparatus::new(card, paper, apart);
        let mut pages = set(card, &apparatus, halt)?;
        pages.extend(apparatus.legend_pages());
        Ok((apparatus, pages))
    };
    let together = with(false);
    match &together {
        Ok((_, pages)) if paper.part().sheet != Sheet::Poker || pages.len() < 3 => together,
        Ok((_, pages)) => match with(true) {
            Ok(apart) if apart.1.len() < pages.len() => Ok(apart),
            _ => together,
        },
        Err(Trouble::Stopped) => together,
        Err(_) => with(true),
    }
}

/// Arranges parts side by side in the middle of a sheet, with lines to cut along.
fn impose(parts: &[Scene], paper: Paper) -> Vec<Scene> {
    let (width, height) = paper.size();
    let Some((own, tall)) = parts.first().map(|part| (part.width, part.height)) else {
        return Vec::new();
    };
    // As many as fit whole: the remaining space is shared by both edges.
    let (across, down) = ((width / own) as usize, (height / tall) as usize);
    let (left, top) = ((width - across as f64 * own) / 2.0, (height - down as f64 * tall) / 2.0);
    let sheet = |parts: &[Scene]| {
        let mut scene = Scene::new(Medium::Paper, width, height);
        for (at, part) in parts.iter().enumerate() {
            let corner = (left + (at % across) as f64 * own, top + (at / across) as f64 * tall);
            scene.shapes.extend(part.shapes.iter().map(|shape| shape.clone().moved(corner)));
        }
        let mut pen = Pen::default();
        for at in 0..=across {
            pen.fill((left + at as f64 * own - CUT / 2.0, top), (CUT, down as f64 * tall), 160);
        }
        for at in 0..=down {
            pen.fill((left, top + at as f64 * tall - CUT / 2.0), (across as f64 * own, CUT), 160);
        }
        scene.shapes.extend(pen.shapes);
        scene
    };
    parts.chunks((across * down).max(1)).map(sheet).collect()
}

/// Width of a line to cut along.
const CUT: f64 = 0.3;

/// The layout of one card at one type size.
struct Flow<'a> {
    card: &'a Card,
    apparatus: &'a Apparatus,
    size: f64,
    pages: Vec<Pen>,
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
fn set(card: &Card, apparatus: &Apparatus, halt: &Halt) -> Result<Vec<Pen>, Trouble> {
    let mut flows = Vec::new();
    let mut refused = None;
    for size in SIZES {
        match Flow::new(card, apparatus, size).flown(halt) {
            Err(Trouble::Stopped) => return Err(Trouble::Stopped),
            Ok(flow) => flows.push(flow),
            Err(error) => refused = Some(error),
        }
    }
    let rank = |flow: &Flow| {
        let together = flow.pages.len() == 1 && flow.unsplit;
        let unbroken = flow.unsplit && flow.unbroken;
        let small = flow.size < COMFORT;
        let huge = !unbroken && flow.size > FLOWING;
        let broken = !flow.whole_words;
        (!together, !unbroken, !flow.unsplit, broken, huge, small, flow.pages.len())
    };
    // Of equal layouts the first has the largest type.
    let best = flows.into_iter().min_by_key(rank);
    best.map(|flow| flow.pages).ok_or(refused.unwrap_or(Trouble::TooTall))
}

/// Returns the error for a row that is too tall with its heads; it names the smallest paper that
/// fits: the same paper turned, or else a larger one.
fn too_tall(cards: &[Card], paper: Paper) -> Error {
    let turned = Paper { landscape: !paper.landscape, ..paper };
    let larger = [Sheet::A6, Sheet::A5, Sheet::A4].into_iter();
    let larger = larger.flat_map(|sheet| [false, true].map(|landscape| Paper { sheet, landscape }));
    let area = |paper: Paper| paper.part().size().0 * paper.part().size().1;
    let mut others =
        [turned].into_iter().chain(larger).filter(|other| area(*other) >= area(paper) - 1e-6);
    let fits = others.find(|other| cards.iter().all(|card| laid(card, *other, &NEVER).is_ok()));
    let help = match fits {
        Some(fits) => format!("take {}, or shorten its names", fits.told()),
        None => "shorten its names, or take --format csv or html".to_owned(),
    };
    Error::Usage(format!("a row with its heads is too tall for the paper: {help}"))
}

fn stopped() -> Error {
    Error::Interrupted("the cards were not laid out to their end".to_owned())
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
            whole_words: true,
        }
    }

    fn flown(mut self, halt: &Halt) -> Result<Flow<'a>, Trouble> {
        let card = self.card;
        for table in &card.tables {
            if halt.asked() {
                return Err(Trouble::Stopped);
            }
            let fit = Fit::new(table, self.size, self.apparatus.width);
            let blocks = fit.blocks(table.columns.len());
            self.unsplit &= blocks.len() == 1;
            for columns in blocks {
                let grid = Grid::new(&card.title, table, &fit, columns);
                self.whole_words &= !grid.breaks_words();
                self.place(&grid)?;
            }
        }
        Ok(self)
    }

    /// Places a block of a table: here if it fits, else on a new page if it fits there, else over
    /// several pages.
    fn place(&mut self, grid: &Grid) -> Result<(), Trouble> {
        let bottom = self.apparatus.bottom;
        if grid.tallest() > bottom - MARGIN {
            return Err(Trouble::TooTall);
        }
        let here = self.y > MARGIN;
        let fits = self.y + grid.height(Lead::Short) <= bottom;
        let alone = MARGIN + grid.height(Lead::Full) <= bottom;
        // A new page begins if it keeps the table whole, or if not even the first rows fit here.
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
                return Err(Trouble::TooMany);
            }
        }
    }

    fn turn(&mut self) {
        self.pages.push(Pen::default());
        self.y = MARGIN;
    }
}
