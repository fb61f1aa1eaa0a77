//! Scenes as SVG, written by this program: a third of the size that drawing libraries write, and
//! safe inside a page.
//!
//! Neighbouring shapes of one colour become one path, and texts stay texts that can be selected and
//! searched. There are no ids, styles, scripts or links, so that several pictures fit into one
//! document and no text can become markup.

use std::fmt::Write;

use super::{Face, GAP, Ink, Label, Medium, Point, Scene, Shape, Side};
use crate::text::xml_escape::escaped;
use enfilade_model::error::Error;

/// Writes the pages as one drawing, one below the other.
///
/// # Errors
/// None; other formats have some.
pub fn write(_: &str, pages: &[Scene]) -> Result<Vec<u8>, Error> {
    Ok(written(pages).into_bytes())
}

/// Renders the pages as SVG text. The same pages give the same bytes.
pub fn written(pages: &[Scene]) -> String {
    let Some(first) = pages.first() else {
        return String::new();
    };
    let (width, page) = (first.width.max(1.0), first.height.max(1.0));
    let height = pages.len() as f64 * (page + GAP) - GAP;
    let unit = match first.medium {
        Medium::Screen => "",
        Medium::Paper => "pt",
    };
    let size = usual(pages);
    let (w, h) = (short(width), short(height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}{unit}\" height=\"{h}{unit}\" \
         viewBox=\"0 0 {w} {h}\" font-family=\"{}\" font-size=\"{}\">\n",
        families(first.medium.face()),
        short(size),
    );
    for (number, scene) in pages.iter().enumerate() {
        let top = number as f64 * (page + GAP);
        if number > 0 {
            put(writeln!(out, "<g transform=\"translate(0 {})\">", short(top)));
        }
        // The picture has a background, because on the dark page of a browser black letters would
        // be on black.
        let (w, h) = (short(width), short(page));
        put(writeln!(out, "<path fill=\"#fff\" d=\"M0 0h{w}v{h}h-{w}z\"/>"));
        for run in scene.shapes.chunk_by(alike) {
            push(&mut out, run, size);
        }
        if number > 0 {
            out.push_str("</g>\n");
        }
    }
    out + "</svg>\n"
}

/// Returns font families with the widths of a face, or nearly so.
fn families(face: Face) -> &'static str {
    match face {
        Face::Sans => "DejaVu Sans,Verdana,sans-serif",
        Face::Condensed => "DejaVu Sans Condensed,DejaVu Sans,Verdana,sans-serif",
    }
}

/// Returns the most frequent text size, which is written only once.
fn usual(pages: &[Scene]) -> f64 {
    let sizes = || pages.iter().flat_map(Scene::labels).map(|label| label.set.size);
    let count = |size: f64| sizes().filter(|other| *other == size).count();
    let mut found: Vec<f64> = Vec::new();
    sizes().for_each(|size| {
        if !found.contains(&size) {
            found.push(size)
        }
    });
    found.into_iter().rev().max_by_key(|size| count(*size)).unwrap_or(10.0)
}

/// Whether two shapes fit into one path.
fn alike(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Fill(.., a), Shape::Fill(.., b)) => a == b,
        (Shape::Frame(.., a), Shape::Frame(.., b)) => a == b,
        (Shape::Line(_, a, one), Shape::Line(_, b, other)) => a == b && one == other,
        _ => false,
    }
}

fn push(out: &mut String, run: &[Shape], usual: f64) {
    match &run[0] {
        Shape::Text(label) => return text(out, label, usual),
        Shape::Dot((x, y), radius, ink) => {
            let (x, y, radius, ink) = (short(*x), short(*y), short(*radius), ink.hex());
            let dot = format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{ink}\"/>\n");
            return out.push_str(&dot);
        }
        Shape::Fill(.., ink) | Shape::Area(_, ink) => {
            out.push_str(&format!("<path fill=\"{}\" d=\"", ink.hex()));
        }
        Shape::Frame(.., ink) => out.push_str(&stroke(*ink, 1.0)),
        Shape::Line(_, ink, width) => out.push_str(&stroke(*ink, *width)),
    }
    for shape in run {
        match shape {
            Shape::Fill(at, size, _) | Shape::Frame(at, size, _) => rectangle(out, *at, *size),
            Shape::Line(points, ..) => polyline(out, points, false),
            Shape::Area(points, _) => polyline(out, points, true),
            Shape::Dot(..) | Shape::Text(_) => {}
        }
    }
    out.push_str("\"/>\n");
}

fn stroke(ink: Ink, width: f64) -> String {
    let ink = ink.hex();
    if width == 1.0 {
        return format!("<path fill=\"none\" stroke=\"{ink}\" d=\"");
    }
    let width = short(width);
    format!(
        "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" d=\""
    )
}

fn rectangle(out: &mut String, (left, top): Point, (width, height): Point) {
    let (left, top, wide, high) = (short(left), short(top), short(width), short(height));
    put(write!(out, "M{left} {top}h{wide}v{high}h{}z", -wide));
}

/// Pushes a path from point to point, in steps: most of them are short.
fn polyline(out: &mut String, points: &[Point], closed: bool) {
    let Some(((x, y), others)) = points.split_first() else {
        return;
    };
    put(write!(out, "M{} {}", short(*x), short(*y)));
    let mut last = (*x, *y);
    for point in others {
        let (across, down) = (short(point.0 - last.0), short(point.1 - last.1));
        put(match (across == 0.0, down == 0.0) {
            // The points are equal at the written precision.
            (true, true) => Ok(()),
            (false, true) => write!(out, "h{across}"),
            (true, false) => write!(out, "v{down}"),
            (false, false) => write!(out, "l{across} {down}"),
        });
        last = *point;
    }
    if closed {
        out.push('z');
    }
}

fn text(out: &mut String, label: &Label, usual: f64) {
    let ((x, y), down) = (label.at, label.down());
    let place = if label.upright {
        let (x, y, down) = (short(x), short(y), short(down));
        format!("x=\"0\" y=\"{down}\" transform=\"translate({x} {y}) rotate(-90)\"")
    } else {
        format!("x=\"{}\" y=\"{}\"", short(x), short(y + down))
    };
    put(write!(out, "<text {place} fill=\"{}\"", label.set.ink.hex()));
    if label.set.size != usual {
        put(write!(out, " font-size=\"{}\"", short(label.set.size)));
    }
    out.push_str(match label.side {
        Side::Left => "",
        Side::Middle => " text-anchor=\"middle\"",
        Side::Right => " text-anchor=\"end\"",
    });
    if label.set.bold {
        out.push_str(" font-weight=\"bold\"");
    }
    // Few readers have the narrow face; another one must not exceed its place.
    if label.set.face == Face::Condensed {
        let length = short(label.set.width(&label.text));
        put(write!(out, " textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\""));
    }
    put(writeln!(out, ">{}</text>", escaped(&label.text)));
}

/// Rounds a length to hundredths; zero has no sign.
fn short(value: f64) -> f64 {
    (value * 100.0).round() / 100.0 + 0.0
}

fn put(result: std::fmt::Result) {
    result.expect("a string can be written to");
}

#[cfg(test)]
mod tests {
    use super::super::Type;
    use super::*;

    fn scene(width: i32, height: i32) -> Scene {
        Scene::new(Medium::Screen, width, height)
    }

    #[test]
    fn text_is_no_markup() {
        let mut scene = scene(300, 60);
        let text = "<script>alert('x')</script> & \"y\" ]]> \u{0}\u{1b}\u{ffff}";
        scene.text(Label::new(text, (10.0, 30.0), Type::new(Face::Sans, 10.0)));
        let svg = written(&[scene]);
        assert!(svg.contains(
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot; ]]&gt; \u{fffd}\u{fffd}\u{fffd}<"
        ));
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    }

    #[test]
    fn neighbours_of_one_colour_are_one_path() {
        let mut scene = scene(20, 10);
        scene.fill((0, 0), (10, 10), Ink::BLACK);
        scene.fill((10, 0), (20, 10), Ink::BLACK);
        scene.line(vec![(0, 0), (5, 0), (5, 5), (9, 8), (9, 8)], Ink::BLACK, 2);
        scene.area(vec![(0, 0), (4, 0), (4, 4)], Ink::LIGHT);
        let svg = written(&[scene]);
        assert!(svg.contains("d=\"M0 0h10v10h-10zM10 0h10v10h-10z\""));
        assert!(svg.contains("stroke-width=\"2\" stroke-linejoin=\"round\" d=\"M0 0h5v5l4 3\""));
        assert!(svg.contains("<path fill=\"#dddddd\" d=\"M0 0h4v4z\"/>"));
    }

    #[test]
    fn pages_stand_below_each_other() {
        let page = Scene::new(Medium::Paper, 100.0, 50.0);
        let svg = written(&[page.clone(), page]);
        assert!(svg.contains("width=\"100pt\" height=\"112pt\""));
        assert_eq!(svg.matches("<g transform=\"translate(0 62)\">").count(), 1);
    }
}
