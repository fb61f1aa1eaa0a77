//! The one family of all pictures, DejaVu, compiled in: how wide a text is in it, and its lines in a given
//! room.
//!
//! Advance widths come from the font files. Kerning, which only draws letters together, is not
//! counted, so that no text is wider than it was measured.

use std::sync::LazyLock;

use ttf_parser::{Face as Parsed, GlyphId};

use super::color::Ink;

/// A face of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// DejaVu Sans, for screens.
    Sans,
    /// DejaVu Sans Condensed, for paper.
    Condensed,
}

impl Face {
    /// The file of the face. Inlined, each of its callers would bring a copy of all four.
    #[inline(never)]
    pub fn file(self, bold: bool) -> &'static [u8] {
        match (self, bold) {
            (Face::Sans, false) => dejavu::sans::regular(),
            (Face::Sans, true) => dejavu::sans::bold(),
            (Face::Condensed, false) => dejavu::sans_condensed::regular(),
            (Face::Condensed, true) => dejavu::sans_condensed::bold(),
        }
    }

    fn widths(self, bold: bool) -> &'static Widths {
        static WIDTHS: [LazyLock<Widths>; 4] = [
            LazyLock::new(|| Widths::of(Face::Sans.file(false))),
            LazyLock::new(|| Widths::of(Face::Sans.file(true))),
            LazyLock::new(|| Widths::of(Face::Condensed.file(false))),
            LazyLock::new(|| Widths::of(Face::Condensed.file(true))),
        ];
        &WIDTHS[2 * usize::from(self == Face::Condensed) + usize::from(bold)]
    }
}

/// Advance widths of a font.
struct Widths {
    /// `None` should the compiled-in file not be a font, which a test rules out.
    font: Option<Parsed<'static>>,
    /// Those of the first 256 characters, in parts of an em.
    known: [f64; 256],
}

impl Widths {
    fn of(file: &'static [u8]) -> Widths {
        let mut widths = Widths { font: Parsed::parse(file, 0).ok(), known: [0.0; 256] };
        widths.known = std::array::from_fn(|code| widths.asked(char::from(code as u8)));
        widths
    }

    /// A character that the font lacks has the width of the box in its place.
    fn asked(&self, c: char) -> f64 {
        let Some(font) = &self.font else {
            return 1.0;
        };
        let glyph = font.glyph_index(c).unwrap_or(GlyphId(0));
        let advance = font.glyph_hor_advance(glyph).unwrap_or(font.units_per_em());
        f64::from(advance) / f64::from(font.units_per_em())
    }

    fn width(&self, c: char) -> f64 {
        self.known.get(c as usize).copied().unwrap_or_else(|| self.asked(c))
    }
}

/// From the highest letter of the family to the lowest, in ems.
pub const HEIGHT: f64 = 1.164;

/// How a text is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Type {
    /// Its face.
    pub face: Face,
    /// Its size: the em.
    pub size: f64,
    /// Whether it is bold.
    pub bold: bool,
    /// Its colour.
    pub ink: Ink,
}

impl Type {
    /// Regular type in black.
    pub const fn new(face: Face, size: f64) -> Type {
        Type { face, size, bold: false, ink: Ink(0, 0, 0) }
    }

    /// The same in bold.
    pub const fn bold(self) -> Type {
        Type { bold: true, ..self }
    }

    /// The same in a grey, 0 black to 255 white.
    pub const fn grey(self, grey: u8) -> Type {
        Type { ink: Ink(grey, grey, grey), ..self }
    }

    /// Width of a text in it, in the unit of its size, as all lengths here.
    pub fn width(self, text: &str) -> f64 {
        let widths = self.face.widths(self.bold);
        text.chars().map(|c| widths.width(c)).sum::<f64>() * self.size
    }

    /// Width of the widest word of a text.
    pub fn longest_word(self, text: &str) -> f64 {
        text.split_whitespace().map(|word| self.width(word)).fold(0.0, f64::max)
    }

    /// A text in lines of at most `room`, broken between words; a word that is longer than a line is broken
    /// anywhere. No line for no text.
    pub fn lines(self, text: &str, room: f64) -> Vec<String> {
        self.lines_after(text, room, 0.0)
    }

    /// The same with a first line that is `indent` shorter.
    pub fn lines_after(self, text: &str, room: f64, indent: f64) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let left = |line: &str, first: bool| {
            let room = if first { room - indent } else { room };
            room - self.width(line)
        };
        for word in text.split_whitespace() {
            let first = lines.len() == 1;
            if let Some(line) = lines.last_mut() {
                let longer = format!("{line} {word}");
                if left(&longer, first) >= 0.0 {
                    *line = longer;
                    continue;
                }
            }
            // Too long behind the indent but not for a line: it is not broken, and the first stays empty.
            if lines.is_empty() && left(word, true) < 0.0 && left(word, false) >= 0.0 {
                lines.push(String::new());
            }
            lines.push(String::new());
            break_word(word, &mut lines, &left);
        }
        lines
    }

    /// The text, cut short with `…` where it would be wider than `room`.
    pub fn fitted(self, text: &str, room: f64) -> String {
        if self.width(text) <= room {
            return text.to_owned();
        }
        let mut kept: String = text.to_owned();
        while kept.pop().is_some() {
            let cut = format!("{}…", kept.trim_end());
            if self.width(&cut) <= room {
                return cut;
            }
        }
        String::new()
    }

    /// From the highest letter to the lowest.
    pub fn height(self) -> f64 {
        HEIGHT * self.size
    }

    /// From the upper edge of a line of type to its base line.
    pub fn ascent(self) -> f64 {
        0.93 * self.size
    }

    /// From one base line to the next.
    pub fn leading(self) -> f64 {
        1.2 * self.size
    }

    /// Height of a capital over the base line.
    pub fn capital(self) -> f64 {
        0.73 * self.size
    }
}

/// Puts a word at the end of the lines, the last of which is empty, letter by letter.
fn break_word(word: &str, lines: &mut Vec<String>, left: &impl Fn(&str, bool) -> f64) {
    for letter in word.chars() {
        let first = lines.len() == 1;
        let Some(line) = lines.last_mut() else { return };
        line.push(letter);
        // A line holds one letter at least, however narrow it is.
        if left(line, first) < 0.0 && line.chars().count() > 1 {
            line.pop();
            lines.push(letter.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the tables of the files, as `ttx` of fonttools prints `hmtx`: of 2048 units an em.
    #[test]
    fn widths_are_those_of_the_font_files() {
        let units = |face, bold, text| {
            let set = Type { bold, ..Type::new(face, 2048.0) };
            set.width(text)
        };
        assert_eq!(units(Face::Condensed, false, "A"), 1260.0);
        assert_eq!(units(Face::Condensed, true, "A"), 1426.0);
        assert_eq!(units(Face::Condensed, false, "–"), 921.0);
        assert_eq!(units(Face::Sans, false, "A"), 1401.0);
        assert_eq!(units(Face::Sans, true, "A"), 1585.0);
        // Letters are set side by side, none nearer to the next.
        assert_eq!(units(Face::Condensed, false, "AVA"), 3.0 * 1260.0);
        assert_eq!(units(Face::Sans, false, ""), 0.0);
        // What no face has stands as a box.
        assert!(units(Face::Sans, false, "\u{10fffd}") > 0.0);
    }

    #[test]
    fn lines_keep_to_their_room_and_lose_nothing() {
        let text = "units eliminated, or squads that lost half and live on (A7.302)";
        let set = Type::new(Face::Condensed, 9.0);
        for room in [20.0, 60.0, 120.0, 1000.0] {
            let lines = set.lines_after(text, room, 15.0);
            assert!(lines.iter().all(|line| set.width(line) <= room), "{room}");
            assert!(set.width(&lines[0]) <= room - 15.0 || lines[0].is_empty());
            let letters = |text: &str| text.replace(' ', "");
            assert_eq!(letters(&lines.concat()), letters(text), "{room}");
        }
        assert_eq!(set.lines(text, 1000.0), [text]);
        assert_eq!(set.lines(" ", 100.0), Vec::<String>::new());
        assert_eq!(set.lines("ab", 0.0), ["a", "b"]);
    }

    #[test]
    fn texts_are_cut_to_their_room() {
        let long = "the squad breaks, or worse, and routs to the nearest woods hex";
        let set = Type::new(Face::Sans, 13.75);
        let cut = set.fitted(long, 120.0);
        assert!(cut.ends_with('…') && set.width(&cut) <= 120.0);
        assert_eq!(set.fitted(long, 10_000.0), long);
        assert_eq!(set.fitted(long, 0.0), "");
    }
}
