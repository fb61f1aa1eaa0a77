//! Scenes as PNG, drawn by a library that only this module uses.

use std::sync::OnceLock;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontTransform, register_font};

use super::{Face, GAP, Ink, Label, Medium, Point, Scene, Shape, trouble};
use enfilade_model::error::Error;

const DRAWING: &str = "drawing a picture";

/// The largest number of pixels of a picture: some twenty pages.
const MOST: f64 = 1e8;

/// Draws the pages as one picture, one below the other. The same pages give the same bytes.
///
/// # Errors
/// When there are more pages than fit into one picture, or the font or the library fails.
pub fn write(_: &str, pages: &[Scene]) -> Result<Vec<u8>, Error> {
    register()?;
    // The library encodes its pixels as PNG only when it writes a file itself.
    let folder = tempfile::tempdir().map_err(|error| trouble(DRAWING, error))?;
    let path = folder.path().join("picture.png");
    let scale = pages.first().map_or(1.0, |page| pixels(page.medium));
    let width = pages.iter().map(|page| page.width).fold(1.0, f64::max) * scale;
    let height: f64 = pages.iter().map(|page| page.height + GAP).sum::<f64>() - GAP;
    let height = height.max(1.0) * scale;
    if width * height > MOST {
        return Err(Error::Usage(format!(
            "{} pages are too many for one PNG: take pdf or svg, or fewer cells",
            pages.len()
        )));
    }
    let area = BitMapBackend::new(&path, (width.round() as u32, height.round() as u32));
    let area = area.into_drawing_area();
    area.fill(&WHITE).map_err(failed)?;
    let mut top = 0.0;
    for page in pages {
        Pixels { area: &area, scale, top }.draw(page)?;
        top += page.height + GAP;
    }
    area.present().map_err(failed)?;
    drop(area);
    std::fs::read(&path).map_err(|error| trouble(DRAWING, error))
}

/// Returns the pixels of a PNG per unit: the library places letters at whole pixels, so that at 1
/// they are uneven.
fn pixels(medium: Medium) -> f64 {
    match medium {
        Medium::Screen => 2.0,
        // 216 pixels per inch.
        Medium::Paper => 3.0,
    }
}

/// Returns the name of a face for the library.
fn family(face: Face) -> &'static str {
    match face {
        Face::Sans => "DejaVu Sans",
        Face::Condensed => "DejaVu Sans Condensed",
    }
}

/// Registers the fonts with the library, once in a process.
fn register() -> Result<(), Error> {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        [Face::Sans, Face::Condensed].into_iter().all(|face| {
            let made = |style, bold| register_font(family(face), style, face.file(bold)).is_ok();
            made(FontStyle::Normal, false) && made(FontStyle::Bold, true)
        })
    });
    if *known {
        return Ok(());
    }
    Err(trouble(DRAWING, "the compiled-in font cannot be read"))
}

type Area<'a> = DrawingArea<BitMapBackend<'a>, plotters::coord::Shift>;

/// A page that is being drawn.
struct Pixels<'p, 'b> {
    area: &'p Area<'b>,
    scale: f64,
    top: f64,
}

impl Pixels<'_, '_> {
    fn at(&self, (x, y): Point) -> (i32, i32) {
        let whole = |length: f64| (self.scale * length).round() as i32;
        (whole(x), whole(y + self.top))
    }

    fn all(&self, points: &[Point]) -> Vec<(i32, i32)> {
        points.iter().map(|point| self.at(*point)).collect()
    }

    fn corners(&self, (x, y): Point, (width, height): Point) -> [(i32, i32); 2] {
        [self.at((x, y)), self.at((x + width, y + height))]
    }

    fn draw(&self, scene: &Scene) -> Result<(), Error> {
        let area = self.area;
        for shape in &scene.shapes {
            match shape {
                Shape::Fill(at, size, ink) => {
                    let [(x, y), (right, foot)] = self.corners(*at, *size);
                    // The thinnest rule is a pixel.
                    let end = (right.max(x + 1), foot.max(y + 1));
                    area.draw(&Rectangle::new([(x, y), end], color(*ink).filled()))
                }
                Shape::Frame(at, size, ink) => {
                    let outline = color(*ink).stroke_width(1);
                    area.draw(&Rectangle::new(self.corners(*at, *size), outline))
                }
                Shape::Area(points, ink) => {
                    area.draw(&Polygon::new(self.all(points), color(*ink).filled()))
                }
                Shape::Line(points, ink, width) => {
                    let style = color(*ink).stroke_width((self.scale * width).round() as u32);
                    area.draw(&PathElement::new(self.all(points), style))
                }
                Shape::Dot(at, radius, ink) => {
                    let radius = (self.scale * radius).round() as i32;
                    area.draw(&Circle::new(self.at(*at), radius, color(*ink).filled()))
                }
                Shape::Text(label) => area.draw(&self.text(label)),
            }
            .map_err(failed)?;
        }
        Ok(())
    }

    fn text(&self, label: &Label) -> Text<'static, (i32, i32), String> {
        let weight = if label.set.bold { FontStyle::Bold } else { FontStyle::Normal };
        // The size of a text in the library is the height from the highest letter to the lowest.
        let height = self.scale * label.set.height();
        let font = (family(label.set.face), height, weight).into_font();
        let turned = if label.upright { FontTransform::Rotate270 } else { FontTransform::None };
        let style = font.transform(turned).color(&color(label.set.ink));
        // The library puts the base line half of that height below the point.
        let (x, y) = self.at(label.start());
        let half = (height / 2.0).round() as i32;
        let at = if label.upright { (x - half, y) } else { (x, y - half) };
        Text::new(label.text.clone(), at, style.pos(Pos::new(HPos::Left, VPos::Top)))
    }
}

fn color(ink: Ink) -> RGBColor {
    RGBColor(ink.0, ink.1, ink.2)
}

fn failed<E: std::error::Error + Send + Sync>(error: DrawingAreaErrorKind<E>) -> Error {
    trouble(DRAWING, error)
}

#[cfg(test)]
mod tests {
    use super::super::Type;
    use super::*;

    #[test]
    fn the_same_picture_gives_the_same_bytes() {
        let mut scene = Scene::new(Medium::Screen, 300, 60);
        scene.text(Label::new("evil </script>", (10.0, 30.0), Type::new(Face::Sans, 14.0)));
        let pages = [scene];
        let made = [(); 2].map(|()| write("", &pages).expect("drawn"));
        assert_eq!(made[0], made[1]);
        assert!(made[0].starts_with(b"\x89PNG"));
    }

    #[test]
    fn nobody_gets_a_picture_without_end() {
        let page = Scene::new(Medium::Paper, 595.0, 842.0);
        assert!(write("", &vec![page; 100]).is_err());
    }
}
