//! The pages as PDF, the only place that knows the library for it.
//!
//! Text is text, in fonts that are embedded as far as they are used. There is no date in the file
//! and nothing random, so the same pages give the same bytes.

use krilla::Document;
use krilla::color::luma;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};

use super::layout::Sheets;
use super::sheet::Mark;
use crate::error::Error;
use crate::report::words::clean;

/// The two fonts of a card.
struct Fonts {
    regular: Font,
    bold: Font,
}

/// The file, with `title` in its description.
///
/// # Errors
/// When the library refuses the pages.
pub fn render(title: &str, sheets: &Sheets) -> Result<Vec<u8>, Error> {
    let fonts = Fonts {
        regular: font(dejavu::sans_condensed::regular())?,
        bold: font(dejavu::sans_condensed::bold())?,
    };
    let size = PageSettings::from_wh(sheets.width as f32, sheets.height as f32);
    let size = size.ok_or_else(|| trouble("the page has no size"))?;
    let mut document = Document::new();
    document.set_metadata(description(title));
    for marks in &sheets.pages {
        let mut page = document.start_page_with(size.clone());
        let mut surface = page.surface();
        marks.iter().for_each(|mark| draw(&mut surface, &fonts, mark));
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|error| trouble(&format!("{error:?}")))
}

fn description(title: &str) -> Metadata {
    let program = format!("enfilade {}", env!("CARGO_PKG_VERSION"));
    Metadata::new().title(clean(title)).creator(program).language("en".to_owned())
}

fn font(bytes: &'static [u8]) -> Result<Font, Error> {
    let font = Font::new(bytes.to_vec().into(), 0);
    font.ok_or_else(|| trouble("the compiled-in font cannot be read"))
}

fn trouble(why: &str) -> Error {
    Error::Output { what: "writing a PDF".to_owned(), why: why.to_owned() }
}

fn draw(surface: &mut Surface, fonts: &Fonts, mark: &Mark) {
    match mark {
        Mark::Fill { x, y, width, height, grey } => {
            surface.set_fill(Some(ink(*grey)));
            let sides = [*x, *y, *width, *height].map(|side| side as f32);
            let [x, y, width, height] = sides;
            let mut path = PathBuilder::new();
            if let Some(rectangle) = Rect::from_xywh(x, y, width, height) {
                path.push_rect(rectangle);
            }
            if let Some(path) = path.finish() {
                surface.draw_path(&path);
            }
        }
        Mark::Text { x, y, size, bold, grey, text } => {
            surface.set_fill(Some(ink(*grey)));
            let font = if *bold { &fonts.bold } else { &fonts.regular };
            let at = Point::from_xy(*x as f32, *y as f32);
            let text = clean(text);
            surface.draw_text(at, font.clone(), *size as f32, &text, false, TextDirection::Auto);
        }
    }
}

fn ink(grey: u8) -> Fill {
    Fill {
        paint: luma::Color::new(grey).into(),
        opacity: NormalizedF32::ONE,
        rule: krilla::paint::FillRule::default(),
    }
}
