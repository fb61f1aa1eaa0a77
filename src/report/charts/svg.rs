//! From shapes to SVG, written by this program: half the size of what the drawing library writes,
//! and safe to stand inside a page.
//!
//! Neighbouring shapes of one colour become one path, texts stay texts that can be selected and
//! searched. There are no ids, styles, scripts or links, so that several pictures can stand in one
//! document and no text can become markup.

use std::fmt::Write;

use super::font;
use super::ink::Ink;
use super::scene::{Label, Scene, Shape, Side};
use crate::report::escape::escaped;

/// Families in whose widths the pictures are laid out, or nearly so.
const FAMILIES: &str = "DejaVu Sans,Verdana,sans-serif";

/// The picture as SVG. The same picture gives the same bytes.
pub fn write(scene: &Scene) -> String {
    let (width, height) = (scene.width.max(1), scene.height.max(1));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILIES}\" font-size=\"{}\">\n\
         <path fill=\"#fff\" d=\"M0 0h{width}v{height}h-{width}z\"/>\n",
        em(font::SIZE)
    );
    for run in scene.shapes.chunk_by(alike) {
        write_run(&mut out, run);
    }
    out.push_str("</svg>\n");
    out
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

fn write_run(out: &mut String, run: &[Shape]) {
    let first = &run[0];
    match first {
        Shape::Text(label) => return text(out, label),
        Shape::Dot((x, y), radius, ink) => {
            let ink = hex(*ink);
            let dot = format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{ink}\"/>\n");
            return out.push_str(&dot);
        }
        Shape::Fill(.., ink) | Shape::Area(_, ink) => {
            out.push_str(&format!("<path fill=\"{}\" d=\"", hex(*ink)));
        }
        Shape::Frame(.., ink) => out.push_str(&stroke(*ink, 1)),
        Shape::Line(_, ink, width) => out.push_str(&stroke(*ink, *width)),
    }
    for shape in run {
        match shape {
            Shape::Fill(from, to, _) | Shape::Frame(from, to, _) => {
                rectangle(out, *from, *to);
            }
            Shape::Line(points, ..) => polyline(out, points, false),
            Shape::Area(points, _) => polyline(out, points, true),
            Shape::Dot(..) | Shape::Text(_) => {}
        }
    }
    out.push_str("\"/>\n");
}

fn stroke(ink: Ink, width: u32) -> String {
    let ink = hex(ink);
    match width {
        1 => format!("<path fill=\"none\" stroke=\"{ink}\" d=\""),
        _ => format!(
            "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" d=\""
        ),
    }
}

fn rectangle(out: &mut String, (left, top): (i32, i32), (right, bottom): (i32, i32)) {
    let (width, height) = (right - left, bottom - top);
    written(write!(out, "M{left} {top}h{width}v{height}h{}z", -width));
}

/// A path from point to point, in steps: most of them are short.
fn polyline(out: &mut String, points: &[(i32, i32)], closed: bool) {
    let Some(((x, y), others)) = points.split_first() else {
        return;
    };
    written(write!(out, "M{x} {y}"));
    let mut last = (*x, *y);
    for point in others {
        written(match (point.0 - last.0, point.1 - last.1) {
            (0, 0) => Ok(()),
            (across, 0) => write!(out, "h{across}"),
            (0, down) => write!(out, "v{down}"),
            (across, down) => write!(out, "l{across} {down}"),
        });
        last = *point;
    }
    if closed {
        out.push('z');
    }
}

fn text(out: &mut String, label: &Label) {
    // The point is in the middle of the height of a capital, which is 0.73 of an em.
    let down = f64::from(label.size) / font::HEIGHT_IN_EM * 0.365;
    let (x, y) = label.at;
    let place = if label.upright {
        format!("x=\"0\" y=\"{down:.1}\" transform=\"translate({x} {y}) rotate(-90)\"")
    } else {
        format!("x=\"{x}\" y=\"{:.1}\"", f64::from(y) + down)
    };
    written(write!(out, "<text {place} fill=\"{}\"", hex(label.ink)));
    if label.size != font::SIZE {
        written(write!(out, " font-size=\"{}\"", em(label.size)));
    }
    out.push_str(match label.side {
        Side::Left => "",
        Side::Middle => " text-anchor=\"middle\"",
        Side::Right => " text-anchor=\"end\"",
    });
    if label.bold {
        out.push_str(" font-weight=\"bold\"");
    }
    written(writeln!(out, ">{}</text>", escaped(&label.text)));
}

/// A size as SVG counts it, to hundredths.
fn em(size: i32) -> f64 {
    (f64::from(size) / font::HEIGHT_IN_EM * 100.0).round() / 100.0
}

fn written(result: std::fmt::Result) {
    result.expect("a string can be written to");
}

fn hex(ink: Ink) -> String {
    format!("#{:02x}{:02x}{:02x}", ink.0, ink.1, ink.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_markup() {
        let mut scene = Scene::new(300, 60);
        let text = "<script>alert('x')</script> & \"y\" ]]> \u{0}\u{1b}\u{ffff}";
        scene.text(Label::new(text, (10, 30), Side::Left));
        let svg = write(&scene);
        assert!(svg.contains(
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot; ]]&gt; \u{fffd}\u{fffd}\u{fffd}<"
        ));
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    }

    #[test]
    fn neighbours_of_one_colour_are_one_path() {
        let mut scene = Scene::new(20, 10);
        scene.fill((0, 0), (10, 10), Ink::BLACK);
        scene.fill((10, 0), (20, 10), Ink::BLACK);
        scene.line(vec![(0, 0), (5, 0), (5, 5), (9, 8), (9, 8)], Ink::BLACK, 2);
        scene.area(vec![(0, 0), (4, 0), (4, 4)], Ink::LIGHT);
        let svg = write(&scene);
        assert!(svg.contains("d=\"M0 0h10v10h-10zM10 0h10v10h-10z\""));
        assert!(svg.contains("stroke-width=\"2\" stroke-linejoin=\"round\" d=\"M0 0h5v5l4 3\""));
        assert!(svg.contains("<path fill=\"#dddddd\" d=\"M0 0h4v4z\"/>"));
    }
}
