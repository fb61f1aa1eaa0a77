//! From shapes to files: SVG written by `svg`, PNG by the drawing library, which is
//! handed nothing anywhere else.

use std::path::Path;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::font;
use super::ink::Ink;
use super::scene::{Label, Scene, Shape, Side};
use crate::error::Error;

/// The picture as SVG. Texts are texts, escaped; the same picture gives the same bytes.
///
/// # Errors
/// When the font, in which the picture was laid out, cannot be read.
pub fn svg(scene: &Scene) -> Result<String, Error> {
    font::register()?;
    Ok(super::svg::write(scene))
}

/// Writes the picture, twice as large, as PNG to a new file at `path`, whose name must end in `.png`.
///
/// # Errors
/// When the file cannot be written, or the font or the drawing library fails.
pub fn png(scene: &Scene, path: &Path) -> Result<(), Error> {
    font::register()?;
    let scene = lowered(scene.enlarged(PIXELS));
    draw(BitMapBackend::new(path, size(&scene)), &scene)
}

/// The picture with its texts a little lower: the library sets them above the middle in a bitmap.
fn lowered(mut scene: Scene) -> Scene {
    for shape in &mut scene.shapes {
        if let Shape::Text(label) = shape {
            let down = label.size / 10;
            let (x, y) = label.at;
            label.at = if label.upright { (x + down, y) } else { (x, y + down) };
        }
    }
    scene
}

/// Pixels of a PNG per pixel of the layout: the library sets letters at whole pixels, so at 1 they
/// stand unevenly.
const PIXELS: i32 = 2;

fn size(scene: &Scene) -> (u32, u32) {
    (scene.width.max(1) as u32, scene.height.max(1) as u32)
}

fn draw<B: DrawingBackend>(backend: B, scene: &Scene) -> Result<(), Error> {
    let area = backend.into_drawing_area();
    area.fill(&WHITE).map_err(failed)?;
    for shape in &scene.shapes {
        match shape {
            Shape::Fill(from, to, ink) => {
                area.draw(&Rectangle::new([*from, *to], color(*ink).filled()))
            }
            Shape::Frame(from, to, ink) => {
                area.draw(&Rectangle::new([*from, *to], color(*ink).stroke_width(1)))
            }
            Shape::Area(points, ink) => {
                area.draw(&Polygon::new(points.clone(), color(*ink).filled()))
            }
            Shape::Line(points, ink, width) => {
                let style = color(*ink).stroke_width(*width);
                area.draw(&PathElement::new(points.clone(), style))
            }
            Shape::Dot(at, radius, ink) => {
                area.draw(&Circle::new(*at, *radius, color(*ink).filled()))
            }
            Shape::Text(label) => area.draw(&Text::new(label.text.clone(), label.at, style(label))),
        }
        .map_err(failed)?;
    }
    area.present().map_err(failed)
}

fn style(label: &Label) -> TextStyle<'static> {
    let side = match label.side {
        Side::Left => HPos::Left,
        Side::Middle => HPos::Center,
        Side::Right => HPos::Right,
    };
    font::style(label.size, label.bold, label.upright, label.ink).pos(Pos::new(side, VPos::Center))
}

fn color(ink: Ink) -> RGBColor {
    RGBColor(ink.0, ink.1, ink.2)
}

fn failed<E: std::error::Error + Send + Sync>(error: DrawingAreaErrorKind<E>) -> Error {
    Error::Output { what: "drawing a chart".to_owned(), why: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evil() -> Scene {
        let mut scene = Scene::new(300, 60);
        let text = "<script>alert('x')</script> & \"y\" ]]>";
        scene.text(Label::new(text, (10, 30), Side::Left));
        scene
    }

    #[test]
    fn text_is_no_markup() {
        let svg = svg(&evil()).expect("drawn");
        assert!(!svg.contains("<script>"));
        assert!(svg.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp;"));
    }

    #[test]
    fn the_same_picture_gives_the_same_bytes() {
        assert_eq!(svg(&evil()).expect("drawn"), svg(&evil()).expect("drawn"));
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        let made = ["a.png", "b.png"].map(|name| {
            let path = folder.path().join(name);
            png(&evil(), &path).expect("drawn");
            std::fs::read(path).expect("readable")
        });
        assert_eq!(made[0], made[1]);
        assert!(made[0].starts_with(b"\x89PNG"));
    }
}
