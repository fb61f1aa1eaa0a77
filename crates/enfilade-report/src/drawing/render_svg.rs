//! Scenes as SVG, written by this program: a third of the size that drawing libraries write, and
//! safe inside a page.
//!
//! Neighbouring shapes of one colour become one path, and texts stay texts that can be selected and
//! searched. There are no ids, styles, scripts or links, so that several pictures fit into one
//! document and no text can become markup.

use std::fmt::Write;

use super::{
    DrawingMedium, GAP_BETWEEN_PAGES, HorizontalTextAnchor, Point, RgbColor, SansOrCondensedFace,
    Scene, Shape, TextLabel,
};
use crate::error::ReportError;
use crate::text::xml_escape::escape_xml;

/// Writes the pages as one drawing, one below the other.
///
/// # Errors
/// None; other formats have some.
pub fn encode_pages_as_one_svg(_: &str, pages: &[Scene]) -> Result<Vec<u8>, ReportError> {
    Ok(render_pages_as_one_svg(pages).into_bytes())
}

/// Renders the pages as SVG text. The same pages give the same bytes.
pub fn render_pages_as_one_svg(pages: &[Scene]) -> String {
    let Some(first) = pages.first() else {
        return String::new();
    };
    let (width, page) = (first.width.max(1.0), first.height.max(1.0));
    let height = pages.len() as f64 * (page + GAP_BETWEEN_PAGES) - GAP_BETWEEN_PAGES;
    let unit = match first.medium {
        DrawingMedium::Screen => "",
        DrawingMedium::Paper => "pt",
    };
    let size = most_frequent_text_size(pages);
    let (w, h) = (round_to_hundredths(width), round_to_hundredths(height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}{unit}\" height=\"{h}{unit}\" \
         viewBox=\"0 0 {w} {h}\" font-family=\"{}\" font-size=\"{}\">\n",
        font_families_for(first.medium.font_face()),
        round_to_hundredths(size),
    );
    for (number, scene) in pages.iter().enumerate() {
        let top = number as f64 * (page + GAP_BETWEEN_PAGES);
        if number > 0 {
            expect_string_write(writeln!(
                out,
                "<g transform=\"translate(0 {})\">",
                round_to_hundredths(top)
            ));
        }
        // The picture has a background, because on the dark page of a browser black letters would
        // be on black.
        let (w, h) = (round_to_hundredths(width), round_to_hundredths(page));
        expect_string_write(writeln!(out, "<path fill=\"#fff\" d=\"M0 0h{w}v{h}h-{w}z\"/>"));
        for run in scene.shapes.chunk_by(can_share_path) {
            push_merged_shapes(&mut out, run, size);
        }
        if number > 0 {
            out.push_str("</g>\n");
        }
    }
    out + "</svg>\n"
}

/// Returns font families with the widths of a face, or nearly so.
fn font_families_for(face: SansOrCondensedFace) -> &'static str {
    match face {
        SansOrCondensedFace::Sans => "DejaVu Sans,Verdana,sans-serif",
        SansOrCondensedFace::Condensed => "DejaVu Sans Condensed,DejaVu Sans,Verdana,sans-serif",
    }
}

/// Returns the most frequent text size, which is written only once.
fn most_frequent_text_size(pages: &[Scene]) -> f64 {
    let sizes = || pages.iter().flat_map(Scene::iter_labels).map(|label| label.set.size);
    let count = |size: f64| sizes().filter(|other| *other == size).count();
    let mut size_counts: Vec<f64> = Vec::new();
    sizes().for_each(|size| {
        if !size_counts.contains(&size) {
            size_counts.push(size)
        }
    });
    size_counts.into_iter().rev().max_by_key(|size| count(*size)).unwrap_or(10.0)
}

/// Whether two shapes fit into one path.
fn can_share_path(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Fill(.., a), Shape::Fill(.., b)) => a == b,
        (Shape::Frame(.., a), Shape::Frame(.., b)) => a == b,
        (Shape::Line(_, a, one), Shape::Line(_, b, other)) => a == b && one == other,
        _ => false,
    }
}

fn push_merged_shapes(out: &mut String, run: &[Shape], usual: f64) {
    match &run[0] {
        Shape::Text(label) => return push_text(out, label, usual),
        Shape::Dot((x, y), radius, ink) => {
            let (x, y, radius, ink) = (
                round_to_hundredths(*x),
                round_to_hundredths(*y),
                round_to_hundredths(*radius),
                ink.to_css_hex_color(),
            );
            let dot = format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{ink}\"/>\n");
            return out.push_str(&dot);
        }
        Shape::Fill(.., ink) | Shape::Area(_, ink) => {
            out.push_str(&format!("<path fill=\"{}\" d=\"", ink.to_css_hex_color()));
        }
        Shape::Frame(.., ink) => out.push_str(&open_stroked_path(*ink, 1.0)),
        Shape::Line(_, ink, width) => out.push_str(&open_stroked_path(*ink, *width)),
    }
    for shape in run {
        match shape {
            Shape::Fill(at, size, _) | Shape::Frame(at, size, _) => {
                push_rectangle_path(out, *at, *size)
            }
            Shape::Line(points, ..) => push_relative_polyline(out, points, false),
            Shape::Area(points, _) => push_relative_polyline(out, points, true),
            Shape::Dot(..) | Shape::Text(_) => {}
        }
    }
    out.push_str("\"/>\n");
}

fn open_stroked_path(ink: RgbColor, width: f64) -> String {
    let ink = ink.to_css_hex_color();
    if width == 1.0 {
        return format!("<path fill=\"none\" stroke=\"{ink}\" d=\"");
    }
    let width = round_to_hundredths(width);
    format!(
        "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" d=\""
    )
}

fn push_rectangle_path(out: &mut String, (left, top): Point, (width, height): Point) {
    let (left, top, wide, high) = (
        round_to_hundredths(left),
        round_to_hundredths(top),
        round_to_hundredths(width),
        round_to_hundredths(height),
    );
    expect_string_write(write!(out, "M{left} {top}h{wide}v{high}h{}z", -wide));
}

/// Pushes a path from point to point, in steps: most of them are short.
fn push_relative_polyline(out: &mut String, points: &[Point], closed: bool) {
    let Some(((x, y), others)) = points.split_first() else {
        return;
    };
    expect_string_write(write!(out, "M{} {}", round_to_hundredths(*x), round_to_hundredths(*y)));
    let mut last = (*x, *y);
    for point in others {
        let (across, down) =
            (round_to_hundredths(point.0 - last.0), round_to_hundredths(point.1 - last.1));
        expect_string_write(match (across == 0.0, down == 0.0) {
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

fn push_text(out: &mut String, label: &TextLabel, usual: f64) {
    let ((x, y), down) = (label.at, label.baseline_offset());
    let place = if label.upright {
        let (x, y, down) =
            (round_to_hundredths(x), round_to_hundredths(y), round_to_hundredths(down));
        format!("x=\"0\" y=\"{down}\" transform=\"translate({x} {y}) rotate(-90)\"")
    } else {
        format!("x=\"{}\" y=\"{}\"", round_to_hundredths(x), round_to_hundredths(y + down))
    };
    expect_string_write(write!(out, "<text {place} fill=\"{}\"", label.set.ink.to_css_hex_color()));
    if label.set.size != usual {
        expect_string_write(write!(out, " font-size=\"{}\"", round_to_hundredths(label.set.size)));
    }
    out.push_str(match label.side {
        HorizontalTextAnchor::Left => "",
        HorizontalTextAnchor::Middle => " text-anchor=\"middle\"",
        HorizontalTextAnchor::Right => " text-anchor=\"end\"",
    });
    if label.set.bold {
        out.push_str(" font-weight=\"bold\"");
    }
    // Few readers have the narrow face; another one must not exceed its place.
    if label.set.face == SansOrCondensedFace::Condensed {
        let length = round_to_hundredths(label.set.width_of_text(&label.text));
        expect_string_write(write!(
            out,
            " textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\""
        ));
    }
    expect_string_write(writeln!(out, ">{}</text>", escape_xml(&label.text)));
}

/// Rounds a length to hundredths; zero has no sign.
fn round_to_hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0 + 0.0
}

fn expect_string_write(result: std::fmt::Result) {
    result.expect("a string can be written to");
}

#[cfg(test)]
mod tests {
    use super::super::TextFontAndColor;
    use super::*;

    fn scene(width: i32, height: i32) -> Scene {
        Scene::new(DrawingMedium::Screen, width, height)
    }

    #[test]
    fn text_is_no_markup() {
        let mut scene = scene(300, 60);
        let text = "<script>alert('x')</script> & \"y\" ]]> \u{0}\u{1b}\u{ffff}";
        scene.add_text(TextLabel::new(
            text,
            (10.0, 30.0),
            TextFontAndColor::regular_black(SansOrCondensedFace::Sans, 10.0),
        ));
        let svg = render_pages_as_one_svg(&[scene]);
        assert!(svg.contains(
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot; ]]&gt; \u{fffd}\u{fffd}\u{fffd}<"
        ));
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    }

    #[test]
    fn neighbours_of_one_colour_are_one_path() {
        let mut scene = scene(20, 10);
        scene.fill_rectangle((0, 0), (10, 10), RgbColor::TEXT_AND_AXIS_BLACK);
        scene.fill_rectangle((10, 0), (20, 10), RgbColor::TEXT_AND_AXIS_BLACK);
        scene.draw_polyline(
            vec![(0, 0), (5, 0), (5, 5), (9, 8), (9, 8)],
            RgbColor::TEXT_AND_AXIS_BLACK,
            2,
        );
        scene.fill_polygon(vec![(0, 0), (4, 0), (4, 4)], RgbColor::GRID_LINE_GREY);
        let svg = render_pages_as_one_svg(&[scene]);
        assert!(svg.contains("d=\"M0 0h10v10h-10zM10 0h10v10h-10z\""));
        assert!(svg.contains("stroke-width=\"2\" stroke-linejoin=\"round\" d=\"M0 0h5v5l4 3\""));
        assert!(svg.contains("<path fill=\"#dddddd\" d=\"M0 0h4v4z\"/>"));
    }

    #[test]
    fn pages_stand_below_each_other() {
        let page = Scene::new(DrawingMedium::Paper, 100.0, 50.0);
        let svg = render_pages_as_one_svg(&[page.clone(), page]);
        assert!(svg.contains("width=\"100pt\" height=\"112pt\""));
        assert_eq!(svg.matches("<g transform=\"translate(0 62)\">").count(), 1);
    }
}
