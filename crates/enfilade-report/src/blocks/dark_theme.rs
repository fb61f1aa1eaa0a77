//! Pictures of a page in the dark: an ink of its own for every ink of theirs.
//!
//! The pictures are files as well, which have one look, and stand in the page as they are. What the page says
//! of each of their colours is a rule of its style, so that nothing is turned or inverted as a whole.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::drawing::Ink;

/// The style of all pictures in `body` where a dark page is wanted, on a screen; nothing where there are none.
///
/// Texts of files are escaped there, so that every quoted colour is one of a picture.
pub fn rules(body: &str) -> String {
    let mut style = String::new();
    for part in ["fill", "stroke"] {
        for ink in inks(body, part) {
            let (ink, image) = (ink.hex(), ink.mirrored().hex());
            writeln!(style, "[{part}=\"{ink}\"]{{{part}:{image}}}").expect("a text grows");
        }
    }
    if style.is_empty() {
        return style;
    }
    let only = "@media screen and (prefers-color-scheme: dark)";
    format!("{only} {{ .figures svg {{\n{style}{GROUND}}} }}\n")
}

/// The ground, and pure black and white, which texts on a colour have.
const GROUND: &str = "\
background: var(--sheet);
path[fill=\"#fff\"] { fill: var(--sheet); }
text[fill=\"#000000\"] { fill: #fff; }
text[fill=\"#ffffff\"] { fill: #000; }
";

/// The colours that `part` has somewhere.
fn inks(body: &str, part: &str) -> BTreeSet<Ink> {
    let opening = format!(" {part}=\"#");
    let quoted = body.split(opening.as_str()).skip(1);
    quoted.filter_map(|rest| ink(rest.split_once('"')?.0)).collect()
}

/// A colour of six digits.
fn ink(digits: &str) -> Option<Ink> {
    let value = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6)?;
    let [_, r, g, b] = value.to_be_bytes();
    Some(Ink(r, g, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_has_one_rule() {
        let body = "<svg><path fill=\"#fff\" d=\"\"/><path fill=\"#355f8d\" d=\"\"/><text fill=\"#355f8d\">\
                    fill=&quot;#123456&quot;</text><path fill=\"none\" stroke=\"#dddddd\" d=\"\"/></svg>";
        let style = rules(body);
        assert_eq!(style.matches("[fill=\"#355f8d\"]").count(), 1);
        assert_eq!(style.matches("[stroke=\"#dddddd\"]").count(), 1);
        assert!(!style.contains("123456") && !style.contains("none"));
        assert_eq!(rules("<p>no picture</p>"), "");
    }
}
