//! Scenes as the pages of a PDF, by a library that only this module uses.
//!
//! Text is text, in fonts that are embedded as far as they are used. There is no date in the file
//! and nothing random, so the same pages give the same bytes.

use krilla::Document;
use krilla::color::{luma, rgb};
use krilla::geom::{Path, PathBuilder, Point as Place, Rect, Transform};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule, LineJoin, Paint, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};

use super::{Point, RgbColor, SansOrCondensedFace, Scene, Shape, TextLabel, drawing_error};
use crate::error::ReportError;
use crate::text::sentences::replace_control_chars;

const PDF_ERROR_CONTEXT: &str = "writing a PDF";

/// Writes the file, with `title` in its description.
///
/// # Errors
/// When the library refuses the pages.
pub fn encode_pdf(title: &str, pages: &[Scene]) -> Result<Vec<u8>, ReportError> {
    let mut document = Document::new();
    document.set_metadata(build_metadata(title));
    // The pages of a file are of one medium, so two fonts are enough.
    let face = pages.first().map_or(SansOrCondensedFace::Sans, |page| page.medium.font_face());
    let fonts = [load_font(face.font_file(false))?, load_font(face.font_file(true))?];
    for scene in pages {
        let points = scene.medium.points_per_unit();
        let size = [scene.width, scene.height].map(|length| (length * points) as f32);
        let size = PageSettings::from_wh(size[0], size[1]);
        let mut page = document.start_page_with(
            size.ok_or_else(|| drawing_error(PDF_ERROR_CONTEXT, "the page has no size"))?,
        );
        let mut surface = page.surface();
        // Paper is laid out in points already, and an identity transform would only take space.
        if points != 1.0 {
            surface.push_transform(&Transform::from_scale(points as f32, points as f32));
        }
        scene.shapes.iter().for_each(|shape| draw_shape_on_surface(&mut surface, &fonts, shape));
        if points != 1.0 {
            surface.pop();
        }
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|error| drawing_error(PDF_ERROR_CONTEXT, format!("{error:?}")))
}

fn build_metadata(title: &str) -> Metadata {
    let program = format!("enfilade {}", env!("CARGO_PKG_VERSION"));
    Metadata::new().title(replace_control_chars(title)).creator(program).language("en".to_owned())
}

fn load_font(bytes: &'static [u8]) -> Result<Font, ReportError> {
    let font = Font::new(bytes.to_vec().into(), 0);
    font.ok_or_else(|| drawing_error(PDF_ERROR_CONTEXT, "the compiled-in font cannot be read"))
}

fn draw_shape_on_surface(surface: &mut Surface, fonts: &[Font; 2], shape: &Shape) {
    match shape {
        Shape::Fill(at, size, ink) => fill_path(surface, rectangle_path(*at, *size), *ink),
        Shape::Area(points, ink) => fill_path(surface, polyline_path(points, true), *ink),
        Shape::Dot(at, radius, ink) => fill_path(surface, circle_path(*at, *radius), *ink),
        Shape::Frame(at, size, ink) => stroke_path(surface, rectangle_path(*at, *size), *ink, 1.0),
        Shape::Line(points, ink, width) => {
            stroke_path(surface, polyline_path(points, false), *ink, *width)
        }
        Shape::Text(label) => draw_text(surface, fonts, label),
    }
}

fn fill_path(surface: &mut Surface, path: Option<Path>, ink: RgbColor) {
    surface.set_stroke(None);
    surface.set_fill(Some(solid_fill(ink)));
    if let Some(path) = path {
        surface.draw_path(&path);
    }
}

fn stroke_path(surface: &mut Surface, path: Option<Path>, ink: RgbColor, width: f64) {
    let line_join = if width == 1.0 { LineJoin::Miter } else { LineJoin::Round };
    let stroke = Stroke {
        paint: rgb_or_grey_paint(ink),
        width: width as f32,
        line_join,
        ..Stroke::default()
    };
    surface.set_fill(None);
    surface.set_stroke(Some(stroke));
    if let Some(path) = path {
        surface.draw_path(&path);
    }
}

fn pdf_point((x, y): Point) -> Place {
    Place::from_xy(x as f32, y as f32)
}

fn rectangle_path((x, y): Point, (width, height): Point) -> Option<Path> {
    let mut path = PathBuilder::new();
    if let Some(area) = Rect::from_xywh(x as f32, y as f32, width as f32, height as f32) {
        path.push_rect(area);
    }
    path.finish()
}

fn polyline_path(points: &[Point], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (number, point) in points.iter().enumerate() {
        let Place { x, y } = pdf_point(*point);
        if number == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    if closed {
        path.close();
    }
    path.finish()
}

/// Returns four curves, each nearest to a quarter of a circle with this share of the radius.
fn circle_path((x, y): Point, radius: f64) -> Option<Path> {
    let bend = 0.552_285 * radius;
    let mut path = PathBuilder::new();
    let at = |across: f64, down: f64| ((x + across) as f32, (y + down) as f32);
    let mut corner = (radius, 0.0);
    let (right, middle) = at(radius, 0.0);
    path.move_to(right, middle);
    for _ in 0..4 {
        let (across, down) = corner;
        // A quarter turn further.
        let next = (-down, across);
        let turn = bend / radius;
        let first = at(across + turn * next.0, down + turn * next.1);
        let second = at(next.0 + turn * across, next.1 + turn * down);
        let end = at(next.0, next.1);
        path.cubic_to(first.0, first.1, second.0, second.1, end.0, end.1);
        corner = next;
    }
    path.close();
    path.finish()
}

fn draw_text(surface: &mut Surface, fonts: &[Font; 2], label: &TextLabel) {
    surface.set_stroke(None);
    surface.set_fill(Some(solid_fill(label.set.ink)));
    let font = fonts[usize::from(label.set.bold)].clone();
    let (size, text) = (label.set.size as f32, replace_control_chars(&label.text));
    let start = pdf_point(label.baseline_start());
    if !label.upright {
        return surface.draw_text(start, font, size, &text, false, TextDirection::Auto);
    }
    surface.push_transform(&Transform::from_row(0.0, -1.0, 1.0, 0.0, start.x, start.y));
    surface.draw_text(Place::from_xy(0.0, 0.0), font, size, &text, false, TextDirection::Auto);
    surface.pop();
}

fn solid_fill(ink: RgbColor) -> Fill {
    Fill { paint: rgb_or_grey_paint(ink), opacity: NormalizedF32::ONE, rule: FillRule::default() }
}

/// Returns a paint; a grey needs only one number.
fn rgb_or_grey_paint(RgbColor(red, green, blue): RgbColor) -> Paint {
    match red == green && green == blue {
        true => luma::Color::new(red).into(),
        false => rgb::Color::new(red, green, blue).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DrawingMedium, HorizontalTextAnchor, TextFontAndColor};
    use super::*;

    /// All shapes of a chart, including upright text, in grey only.
    fn chart() -> Scene {
        let mut scene = Scene::new(DrawingMedium::Screen, 300, 60);
        scene.fill_rectangle((0, 0), (10, 10), RgbColor(200, 30, 30));
        scene.outline_rectangle((0, 0), (10, 10), RgbColor::TEXT_AND_AXIS_BLACK);
        scene.fill_polygon(vec![(0, 0), (5, 9), (9, 0)], RgbColor::GRID_LINE_GREY);
        scene.draw_polyline(vec![(0, 0), (50, 50)], RgbColor::TEXT_AND_AXIS_BLACK, 2);
        scene.draw_dot((20, 20), 4, RgbColor::TEXT_AND_AXIS_BLACK);
        let label = TextLabel::new(
            "odds",
            (10.0, 30.0),
            TextFontAndColor::regular_black(SansOrCondensedFace::Sans, 13.75),
        );
        scene.add_text(
            TextLabel { side: HorizontalTextAnchor::Middle, centred: true, ..label }.to_upright(),
        );
        scene
    }

    #[test]
    fn the_same_chart_gives_the_same_bytes() {
        let made = [(); 2].map(|()| encode_pdf("a chart", &[chart()]).expect("written"));
        assert_eq!(made[0], made[1]);
        assert!(made[0].starts_with(b"%PDF"));
        // 300 × 60 pixels of 1/96 inch are 225 × 45 points.
        let text = String::from_utf8_lossy(&made[0]);
        assert!(text.contains("/MediaBox[0 0 225 45]"), "{text}");
    }

    /// The farthest point of a quarter is on the circle, to a thousandth of its radius.
    #[test]
    fn a_dot_is_round() {
        let bend = 0.552_285;
        let middle = (1.0 + 3.0 + 3.0 * bend) / 8.0;
        assert!((f64::hypot(middle, middle) - 1.0).abs() < 1e-3);
        assert!(circle_path((5.0, 5.0), 4.0).is_some());
    }
}
