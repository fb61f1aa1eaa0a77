//! Scenes as PNG, drawn by a library that only this module uses.

use std::sync::OnceLock;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontTransform, register_font};

use super::{
    DrawingMedium, GAP_BETWEEN_PAGES, Point, RgbColor, SansOrCondensedFace, Scene, Shape,
    TextLabel, drawing_error,
};
use crate::error::ReportError;

const PNG_ERROR_CONTEXT: &str = "drawing a picture";

/// The largest number of pixels of a picture: some twenty pages.
const MAX_PNG_PIXELS: f64 = 1e8;

/// Draws the pages as one picture, one below the other. The same pages give the same bytes.
///
/// # Errors
/// When there are more pages than fit into one picture, or the font or the library fails.
pub fn encode_pages_as_one_png(_: &str, pages: &[Scene]) -> Result<Vec<u8>, ReportError> {
    register_fonts_once()?;
    // The library encodes its pixels as PNG only when it writes a file itself.
    let folder = tempfile::tempdir().map_err(|error| drawing_error(PNG_ERROR_CONTEXT, error))?;
    let path = folder.path().join("picture.png");
    let width = pages.iter().map(|page| page.width).fold(1.0, f64::max);
    let height: f64 =
        pages.iter().map(|page| page.height + GAP_BETWEEN_PAGES).sum::<f64>() - GAP_BETWEEN_PAGES;
    let height = height.max(1.0);
    let Some(scale) = scale_that_fits(pages, width * height) else {
        return Err(ReportError::Invalid(format!(
            "{} pages are too many for one PNG: take pdf or svg, or fewer cells",
            pages.len()
        )));
    };
    let (width, height) = ((width * scale).max(1.0), (height * scale).max(1.0));
    let area = BitMapBackend::new(&path, (width.round() as u32, height.round() as u32));
    let area = area.into_drawing_area();
    area.fill(&WHITE).map_err(png_drawing_error)?;
    let mut top = 0.0;
    for page in pages {
        PngPageCanvas { area: &area, scale, top }.draw_scene_shapes(page)?;
        top += page.height + GAP_BETWEEN_PAGES;
    }
    area.present().map_err(png_drawing_error)?;
    drop(area);
    std::fs::read(&path).map_err(|error| drawing_error(PNG_ERROR_CONTEXT, error))
}

/// Returns the pixels of a PNG per unit: the library places letters at whole pixels, so that at 1
/// they are uneven.
fn png_pixels_per_unit(medium: DrawingMedium) -> f64 {
    match medium {
        DrawingMedium::Screen => 2.0,
        // 216 pixels per inch.
        DrawingMedium::Paper => 3.0,
    }
}

/// Returns the pixels per unit of pages of this area together; `None` if they are too many. One
/// page, however large, is drawn: less sharp, before a run is lost for its picture.
fn scale_that_fits(pages: &[Scene], area: f64) -> Option<f64> {
    let scale = pages.first().map_or(1.0, |page| png_pixels_per_unit(page.medium));
    let most = (MAX_PNG_PIXELS / area).sqrt();
    (pages.len() == 1 || scale <= most).then_some(scale.min(most))
}

/// Returns the name of a face for the library.
fn library_name_of_face(face: SansOrCondensedFace) -> &'static str {
    match face {
        SansOrCondensedFace::Sans => "DejaVu Sans",
        SansOrCondensedFace::Condensed => "DejaVu Sans Condensed",
    }
}

/// Registers the fonts with the library, once in a process.
fn register_fonts_once() -> Result<(), ReportError> {
    static FONTS_REGISTERED: OnceLock<bool> = OnceLock::new();
    let is_registered = FONTS_REGISTERED.get_or_init(|| {
        [SansOrCondensedFace::Sans, SansOrCondensedFace::Condensed].into_iter().all(|face| {
            let made = |style, bold| {
                register_font(library_name_of_face(face), style, face.font_file(bold)).is_ok()
            };
            made(FontStyle::Normal, false) && made(FontStyle::Bold, true)
        })
    });
    if *is_registered {
        return Ok(());
    }
    Err(drawing_error(PNG_ERROR_CONTEXT, "the compiled-in font cannot be read"))
}

type PngDrawingArea<'a> = DrawingArea<BitMapBackend<'a>, plotters::coord::Shift>;

/// A page that is being drawn.
struct PngPageCanvas<'p, 'b> {
    area: &'p PngDrawingArea<'b>,
    scale: f64,
    top: f64,
}

impl PngPageCanvas<'_, '_> {
    fn point_to_pixel(&self, (x, y): Point) -> (i32, i32) {
        let whole = |length: f64| (self.scale * length).round() as i32;
        (whole(x), whole(y + self.top))
    }

    fn pixels_of_polyline(&self, points: &[Point]) -> Vec<(i32, i32)> {
        points.iter().map(|point| self.point_to_pixel(*point)).collect()
    }

    fn corner_pixels(&self, (x, y): Point, (width, height): Point) -> [(i32, i32); 2] {
        [self.point_to_pixel((x, y)), self.point_to_pixel((x + width, y + height))]
    }

    fn draw_scene_shapes(&self, scene: &Scene) -> Result<(), ReportError> {
        let area = self.area;
        for shape in &scene.shapes {
            match shape {
                Shape::Fill(at, size, ink) => {
                    let [(x, y), (right, foot)] = self.corner_pixels(*at, *size);
                    // The thinnest rule is a pixel.
                    let end = (right.max(x + 1), foot.max(y + 1));
                    area.draw(&Rectangle::new([(x, y), end], to_plotters_color(*ink).filled()))
                }
                Shape::Frame(at, size, ink) => {
                    let outline = to_plotters_color(*ink).stroke_width(1);
                    area.draw(&Rectangle::new(self.corner_pixels(*at, *size), outline))
                }
                Shape::Area(points, ink) => area.draw(&Polygon::new(
                    self.pixels_of_polyline(points),
                    to_plotters_color(*ink).filled(),
                )),
                Shape::Line(points, ink, width) => {
                    let style =
                        to_plotters_color(*ink).stroke_width((self.scale * width).round() as u32);
                    area.draw(&PathElement::new(self.pixels_of_polyline(points), style))
                }
                Shape::Dot(at, radius, ink) => {
                    let radius = (self.scale * radius).round() as i32;
                    area.draw(&Circle::new(
                        self.point_to_pixel(*at),
                        radius,
                        to_plotters_color(*ink).filled(),
                    ))
                }
                Shape::Text(label) => area.draw(&self.build_text(label)),
            }
            .map_err(png_drawing_error)?;
        }
        Ok(())
    }

    fn build_text(&self, label: &TextLabel) -> Text<'static, (i32, i32), String> {
        let weight = if label.set.bold { FontStyle::Bold } else { FontStyle::Normal };
        // The size of a text in the library is the height from the highest letter to the lowest.
        let height = self.scale * label.set.type_height();
        let font = (library_name_of_face(label.set.face), height, weight).into_font();
        let turned = if label.upright { FontTransform::Rotate270 } else { FontTransform::None };
        let style = font.transform(turned).color(&to_plotters_color(label.set.ink));
        // The library puts the base line half of that height below the point.
        let (x, y) = self.point_to_pixel(label.baseline_start());
        let half = (height / 2.0).round() as i32;
        let at = if label.upright { (x - half, y) } else { (x, y - half) };
        Text::new(label.text.clone(), at, style.pos(Pos::new(HPos::Left, VPos::Top)))
    }
}

fn to_plotters_color(ink: RgbColor) -> RGBColor {
    RGBColor(ink.0, ink.1, ink.2)
}

fn png_drawing_error<E: std::error::Error + Send + Sync>(
    error: DrawingAreaErrorKind<E>,
) -> ReportError {
    drawing_error(PNG_ERROR_CONTEXT, error)
}

#[cfg(test)]
mod tests {
    use super::super::TextFontAndColor;
    use super::*;

    #[test]
    fn the_same_picture_gives_the_same_bytes() {
        let mut scene = Scene::new(DrawingMedium::Screen, 300, 60);
        scene.add_text(TextLabel::new(
            "evil </script>",
            (10.0, 30.0),
            TextFontAndColor::regular_black(SansOrCondensedFace::Sans, 14.0),
        ));
        let pages = [scene];
        let made = [(); 2].map(|()| encode_pages_as_one_png("", &pages).expect("drawn"));
        assert_eq!(made[0], made[1]);
        assert!(made[0].starts_with(b"\x89PNG"));
    }

    #[test]
    fn nobody_gets_a_picture_without_end() {
        let page = Scene::new(DrawingMedium::Paper, 595.0, 842.0);
        assert!(encode_pages_as_one_png("", &vec![page; 100]).is_err());
    }

    /// 1 000 by 400 000 units at two pixels are 1.6e9 pixels, sixteen times too many: a quarter.
    #[test]
    fn one_large_page_is_drawn_less_sharp() {
        let page = Scene::new(DrawingMedium::Screen, 1000, 400_000);
        assert_eq!(scale_that_fits(&[page], 4e8), Some(0.5));
    }
}
