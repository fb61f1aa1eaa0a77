//! The one font of all pictures: DejaVu Sans, compiled in, and how wide a text is in it.

use std::sync::OnceLock;

use plotters::style::{FontFamily, FontStyle, FontTransform, IntoFont, register_font};

use super::ink::Ink;
use crate::error::Error;

/// Height of ordinary text in pixels, from the top of the highest letter to the bottom of the
/// lowest. Sizes are even: the drawing library halves them.
pub const SIZE: i32 = 16;

/// That height in units of the em of DejaVu Sans, which is what SVG calls the size of a font.
pub const HEIGHT_IN_EM: f64 = 1.164;

/// Height of small text.
pub const SMALL: i32 = 14;

/// Height of titles.
pub const TITLE: i32 = 22;

/// Name under which the font is known to the drawing library, and to browsers.
pub const FAMILY: &str = "sans-serif";

/// Makes the font known to the drawing library, once in a process.
///
/// # Errors
/// When the compiled-in font cannot be read.
pub fn register() -> Result<(), Error> {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let regular = register_font(FAMILY, FontStyle::Normal, dejavu::sans::regular());
        let bold = register_font(FAMILY, FontStyle::Bold, dejavu::sans::bold());
        regular.is_ok() && bold.is_ok()
    });
    if *known {
        return Ok(());
    }
    Err(Error::Output {
        what: "drawing charts".to_owned(),
        why: "the compiled-in font cannot be read".to_owned(),
    })
}

/// Width of a text in pixels.
pub fn width(text: &str, size: i32, bold: bool) -> i32 {
    let style = if bold { FontStyle::Bold } else { FontStyle::Normal };
    let font = (FontFamily::SansSerif, size, style).into_font();
    let measured = register().ok().and_then(|()| font.box_size(text).ok());
    // A guess on the wide side, should the font be missing; drawing then fails anyway.
    let guess = text.chars().count() as i32 * size * 2 / 3;
    measured.map_or(guess, |(width, _)| width as i32)
}

/// The text, cut short with `…` where it would be wider than `room`.
pub fn fitted(text: &str, size: i32, room: i32) -> String {
    if width(text, size, false) <= room {
        return text.to_owned();
    }
    let mut kept: String = text.to_owned();
    while kept.pop().is_some() {
        let cut = format!("{}…", kept.trim_end());
        if width(&cut, size, false) <= room {
            return cut;
        }
    }
    String::new()
}

/// The text in lines of at most `room` pixels, broken between words; no line for no text.
pub fn lines(text: &str, size: i32, room: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let Some(last) = lines.last_mut() else {
            lines.push(word.to_owned());
            continue;
        };
        let longer = format!("{last} {word}");
        if width(&longer, size, false) <= room {
            *last = longer;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.iter().map(|line| fitted(line, size, room)).collect()
}

/// The font in a style the drawing library takes.
pub(super) fn style(
    size: i32,
    bold: bool,
    upright: bool,
    ink: Ink,
) -> plotters::style::TextStyle<'static> {
    use plotters::style::RGBColor;
    let weight = if bold { FontStyle::Bold } else { FontStyle::Normal };
    let font = (FontFamily::SansSerif, size, weight).into_font();
    let turned = if upright { FontTransform::Rotate270 } else { FontTransform::None };
    font.transform(turned).color(&RGBColor(ink.0, ink.1, ink.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_font() {
        assert!(width("iiii", SIZE, false) < width("MMMM", SIZE, false));
        assert!(width("MMMM", SIZE, false) < width("MMMM", SIZE, true));
        assert_eq!(width("", SIZE, false), 0);
    }

    #[test]
    fn texts_are_cut_and_broken_to_their_room() {
        let long = "the squad breaks, or worse, and routs to the nearest woods hex";
        let cut = fitted(long, SIZE, 120);
        assert!(cut.ends_with('…') && width(&cut, SIZE, false) <= 120);
        assert_eq!(fitted(long, SIZE, 10_000), long);
        assert_eq!(fitted(long, SIZE, 0), "");
        let lines = lines(long, SIZE, 150);
        assert!(lines.len() > 1);
        assert!(lines.iter().all(|line| width(line, SIZE, false) <= 150));
        assert_eq!(lines.join(" "), long);
        assert_eq!(super::lines("", SIZE, 150), Vec::<String>::new());
    }
}
