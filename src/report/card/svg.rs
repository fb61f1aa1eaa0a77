//! The pages as one SVG drawing, one below the other.
//!
//! The text is text, in DejaVu Sans Condensed or what comes nearest to it on the reader's machine;
//! its width is fixed, so that another font cannot run out of its place.

use super::layout::Sheets;
use super::metrics;
use super::sheet::Mark;
use crate::report::escape::escaped;

/// Room between two pages, in points.
const GAP: f64 = 12.0;

/// The drawing.
pub fn render(sheets: &Sheets) -> String {
    let (width, page) = (sheets.width, sheets.height);
    let height = sheets.pages.len() as f64 * (page + GAP) - GAP;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.2}pt\" height=\"{height:.2}pt\" \
         viewBox=\"0 0 {width:.2} {height:.2}\" font-family=\"'DejaVu Sans Condensed', 'DejaVu Sans', \
         Verdana, sans-serif\">\n"
    );
    for (number, marks) in sheets.pages.iter().enumerate() {
        let top = number as f64 * (page + GAP);
        out.push_str(&format!("<g transform=\"translate(0 {top:.2})\">\n"));
        out.push_str(&format!("<rect width=\"{width:.2}\" height=\"{page:.2}\" fill=\"#fff\"/>\n"));
        marks.iter().for_each(|mark| out.push_str(&drawn(mark)));
        out.push_str("</g>\n");
    }
    out + "</svg>\n"
}

fn drawn(mark: &Mark) -> String {
    match mark {
        Mark::Fill { x, y, width, height, grey } => format!(
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{}\"/>\n",
            colour(*grey)
        ),
        Mark::Text { x, y, size, bold, grey, text } => {
            let weight = if *bold { " font-weight=\"bold\"" } else { "" };
            let length = metrics::width(text, *size, *bold);
            format!(
                "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\"{weight} fill=\"{}\" \
                 textLength=\"{length:.2}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>\n",
                colour(*grey),
                escaped(text)
            )
        }
    }
}

fn colour(grey: u8) -> String {
    format!("#{grey:02x}{grey:02x}{grey:02x}")
}
