//! Dark mode of the pictures on a page: every colour of a picture has a dark counterpart.
//!
//! The pictures are also files, which have one look, and are embedded unchanged. The page's style
//! has one rule for each of their colours, so that no picture is inverted as a whole.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::drawing::RgbColor;

/// Returns the dark-mode style, for screens only, of all pictures in `body`; empty without
/// pictures.
///
/// Texts of files are escaped in `body`, so that every quoted colour is one of a picture.
pub fn dark_mode_style(body: &str) -> String {
    let mut style = String::new();
    for part in ["fill", "stroke"] {
        for ink in find_colors_of_attribute(body, part) {
            let (ink, image) = (ink.to_css_hex_color(), ink.dark_mode_color().to_css_hex_color());
            writeln!(style, "[{part}=\"{ink}\"]{{{part}:{image}}}").expect("a text grows");
        }
    }
    if style.is_empty() {
        return style;
    }
    let only = "@media screen and (prefers-color-scheme: dark)";
    format!("{only} {{ .figures svg {{\n{style}{DARK_BACKGROUND_RULES}}} }}\n")
}

/// The rules for the background, and for the pure black and white of texts on a colour.
const DARK_BACKGROUND_RULES: &str = "\
background: var(--sheet);
path[fill=\"#fff\"] { fill: var(--sheet); }
text[fill=\"#000000\"] { fill: #fff; }
text[fill=\"#ffffff\"] { fill: #000; }
";

/// Returns the colours that appear in `part`.
fn find_colors_of_attribute(body: &str, part: &str) -> BTreeSet<RgbColor> {
    let opening = format!(" {part}=\"#");
    let quoted = body.split(opening.as_str()).skip(1);
    quoted.filter_map(|rest| parse_six_digit_color(rest.split_once('"')?.0)).collect()
}

/// Parses a colour of six digits.
fn parse_six_digit_color(digits: &str) -> Option<RgbColor> {
    let value = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6)?;
    let [_, r, g, b] = value.to_be_bytes();
    Some(RgbColor(r, g, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_has_one_rule() {
        let body = "<svg><path fill=\"#fff\" d=\"\"/><path fill=\"#355f8d\" d=\"\"/><text fill=\"#355f8d\">\
                    fill=&quot;#123456&quot;</text><path fill=\"none\" stroke=\"#dddddd\" d=\"\"/></svg>";
        let style = dark_mode_style(body);
        assert_eq!(style.matches("[fill=\"#355f8d\"]").count(), 1);
        assert_eq!(style.matches("[stroke=\"#dddddd\"]").count(), 1);
        assert!(!style.contains("123456") && !style.contains("none"));
        assert_eq!(dark_mode_style("<p>no picture</p>"), "");
    }
}
