//! Scenes as PNG, drawn by a library that only this module uses.

use std::sync::OnceLock;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontTransform, register_font};

use super::{
    FontFace, PAGE_GAP, Point, RgbColor, Scene, SceneMedium, Shape, TextLabel, drawing_error,
};
use crate::error::ReportError;

const DRAWING_PICTURE: &str = "drawing a picture";

/// The largest number of pixels of a picture: some twenty pages.
const MAX_PIXELS: f64 = 1e8;

/// Draws the pages as one picture, one below the other. The same pages give the same bytes.
///
/// # Errors
/// When there are more pages than fit into one picture, or the font or the library fails.
pub fn write_png(_: &str, pages: &[Scene]) -> Result<Vec<u8>, ReportError> {
    register_fonts()?;
    // The library encodes its pixels as PNG only when it writes a file itself.
    let folder = tempfile::tempdir().map_err(|error| drawing_error(DRAWING_PICTURE, error))?;
    let path = folder.path().join("picture.png");
    let scale = pages.first().map_or(1.0, |page| pixels_per_unit(page.medium));
    let width = pages.iter().map(|page| page.width).fold(1.0, f64::max) * scale;
    let height: f64 = pages.iter().map(|page| page.height + PAGE_GAP).sum::<f64>() - PAGE_GAP;
    let height = height.max(1.0) * scale;
    if width * height > MAX_PIXELS {
        return Err(ReportError::Invalid(format!(
            "{} pages are too many for one PNG: take pdf or svg, or fewer cells",
            pages.len()
        )));
    }
    let area = BitMapBackend::new(&path, (width.round() as u32, height.round() as u32));
    let area = area.into_drawing_area();
    area.fill(&WHITE).map_err(drawing_failed)?;
    let mut top = 0.0;
    for page in pages {
        PixelCanvas { area: &area, scale, top }.draw_scene(page)?;
        top += page.height + PAGE_GAP;
    }
    area.present().map_err(drawing_failed)?;
    drop(area);
    std::fs::read(&path).map_err(|error| drawing_error(DRAWING_PICTURE, error))
}

/// Returns the pixels of a PNG per unit: the library places letters at whole pixels, so that at 1
/// they are uneven.
fn pixels_per_unit(medium: SceneMedium) -> f64 {
    match medium {
        SceneMedium::Screen => 2.0,
        // 216 pixels per inch.
        SceneMedium::Paper => 3.0,
    }
}

/// Returns the name of a face for the library.
fn family_name(face: FontFace) -> &'static str {
    match face {
        FontFace::Sans => "DejaVu Sans",
        FontFace::Condensed => "DejaVu Sans Condensed",
    }
}

/// Registers the fonts with the library, once in a process.
fn register_fonts() -> Result<(), ReportError> {
    static FONTS_REGISTERED: OnceLock<bool> = OnceLock::new();
    let known = FONTS_REGISTERED.get_or_init(|| {
        [FontFace::Sans, FontFace::Condensed].into_iter().all(|face| {
            let made =
                |style, bold| register_font(family_name(face), style, face.font_file(bold)).is_ok();
            made(FontStyle::Normal, false) && made(FontStyle::Bold, true)
        })
    });
    if *known {
        return Ok(());
    }
    Err(drawing_error(DRAWING_PICTURE, "the compiled-in font cannot be read"))
}

type PngArea<'a> = DrawingArea<BitMapBackend<'a>, plotters::coord::Shift>;

/// A page that is being drawn.
struct PixelCanvas<'p, 'b> {
    area: &'p PngArea<'b>,
    scale: f64,
    top: f64,
}

impl PixelCanvas<'_, '_> {
    fn pixel_at(&self, (x, y): Point) -> (i32, i32) {
        let whole = |length: f64| (self.scale * length).round() as i32;
        (whole(x), whole(y + self.top))
    }

    fn pixels_at(&self, points: &[Point]) -> Vec<(i32, i32)> {
        points.iter().map(|point| self.pixel_at(*point)).collect()
    }

    fn corner_pixels(&self, (x, y): Point, (width, height): Point) -> [(i32, i32); 2] {
        [self.pixel_at((x, y)), self.pixel_at((x + width, y + height))]
    }

    fn draw_scene(&self, scene: &Scene) -> Result<(), ReportError> {
        let area = self.area;
        for shape in &scene.shapes {
            match shape {
                Shape::Fill(at, size, ink) => {
                    let [(x, y), (right, foot)] = self.corner_pixels(*at, *size);
                    // The thinnest rule is a pixel.
                    let end = (right.max(x + 1), foot.max(y + 1));
                    area.draw(&Rectangle::new([(x, y), end], to_rgb(*ink).filled()))
                }
                Shape::Frame(at, size, ink) => {
                    let outline = to_rgb(*ink).stroke_width(1);
                    area.draw(&Rectangle::new(self.corner_pixels(*at, *size), outline))
                }
                Shape::Area(points, ink) => {
                    area.draw(&Polygon::new(self.pixels_at(points), to_rgb(*ink).filled()))
                }
                Shape::Line(points, ink, width) => {
                    let style = to_rgb(*ink).stroke_width((self.scale * width).round() as u32);
                    area.draw(&PathElement::new(self.pixels_at(points), style))
                }
                Shape::Dot(at, radius, ink) => {
                    let radius = (self.scale * radius).round() as i32;
                    area.draw(&Circle::new(self.pixel_at(*at), radius, to_rgb(*ink).filled()))
                }
                Shape::Text(label) => area.draw(&self.build_text(label)),
            }
            .map_err(drawing_failed)?;
        }
        Ok(())
    }

    fn build_text(&self, label: &TextLabel) -> Text<'static, (i32, i32), String> {
        let weight = if label.set.bold { FontStyle::Bold } else { FontStyle::Normal };
        // The size of a text in the library is the height from the highest letter to the lowest.
        let height = self.scale * label.set.type_height();
        let font = (family_name(label.set.face), height, weight).into_font();
        let turned = if label.upright { FontTransform::Rotate270 } else { FontTransform::None };
        let style = font.transform(turned).color(&to_rgb(label.set.ink));
        // The library puts the base line half of that height below the point.
        let (x, y) = self.pixel_at(label.baseline_start());
        let half = (height / 2.0).round() as i32;
        let at = if label.upright { (x - half, y) } else { (x, y - half) };
        Text::new(label.text.clone(), at, style.pos(Pos::new(HPos::Left, VPos::Top)))
    }
}

fn to_rgb(ink: RgbColor) -> RGBColor {
    RGBColor(ink.0, ink.1, ink.2)
}

fn drawing_failed<E: std::error::Error + Send + Sync>(
    error: DrawingAreaErrorKind<E>,
) -> ReportError {
    drawing_error(DRAWING_PICTURE, error)
}

#[cfg(test)]
mod tests {
    use super::super::TextType;
    use super::*;

    #[test]
    fn the_same_picture_gives_the_same_bytes() {
        let mut scene = Scene::new(SceneMedium::Screen, 300, 60);
        scene.add_text(TextLabel::new(
            "evil </script>",
            (10.0, 30.0),
            TextType::new(FontFace::Sans, 14.0),
        ));
        let pages = [scene];
        let made = [(); 2].map(|()| write_png("", &pages).expect("drawn"));
        assert_eq!(made[0], made[1]);
        assert!(made[0].starts_with(b"\x89PNG"));
    }

    #[test]
    fn nobody_gets_a_picture_without_end() {
        let page = Scene::new(SceneMedium::Paper, 595.0, 842.0);
        assert!(write_png("", &vec![page; 100]).is_err());
    }
}
