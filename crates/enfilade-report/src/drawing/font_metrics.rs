//! Metrics of the one font family of all pictures, DejaVu: the width of a text, and its lines in a
//! given room.
//!
//! Advance widths are compiled in as a table: the font files are forty times its size, and only
//! what embeds them needs them. A test compares the two. Kerning, which only draws letters
//! together, is ignored, so that no text is wider than measured.

use std::sync::LazyLock;

use super::color::RgbColor;

/// Widths of the characters that the family has, regular and bold: for each the width of the box in
/// place of a character that is missing, the number of runs, and the runs. A run is a gap, a number
/// of consecutive characters, and their width. All are numbers of seven bits a byte, lowest first.
const PACKED_WIDTH_TABLE: &[u8] = include_bytes!("advance_widths.bin");

/// Units of an em in the font files.
const FONT_UNITS_PER_EM: u32 = 2048;

/// A face of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SansOrCondensedFace {
    /// DejaVu Sans, for screens.
    Sans,
    /// DejaVu Sans Condensed, for paper.
    Condensed,
}

impl SansOrCondensedFace {
    /// Returns the font file of the face. If it were inlined, each of its callers would have a copy
    /// of all four.
    #[inline(never)]
    pub fn font_file(self, bold: bool) -> &'static [u8] {
        match (self, bold) {
            (SansOrCondensedFace::Sans, false) => dejavu::sans::regular(),
            (SansOrCondensedFace::Sans, true) => dejavu::sans::bold(),
            (SansOrCondensedFace::Condensed, false) => dejavu::sans_condensed::regular(),
            (SansOrCondensedFace::Condensed, true) => dejavu::sans_condensed::bold(),
        }
    }

    fn advance_widths(self, bold: bool) -> &'static CharacterWidths {
        static LAZY_FONT_WIDTHS: [LazyLock<CharacterWidths>; 4] = [
            LazyLock::new(|| CharacterWidths::decode_for_face(SansOrCondensedFace::Sans, false)),
            LazyLock::new(|| CharacterWidths::decode_for_face(SansOrCondensedFace::Sans, true)),
            LazyLock::new(|| {
                CharacterWidths::decode_for_face(SansOrCondensedFace::Condensed, false)
            }),
            LazyLock::new(|| {
                CharacterWidths::decode_for_face(SansOrCondensedFace::Condensed, true)
            }),
        ];
        &LAZY_FONT_WIDTHS
            [2 * usize::from(self == SansOrCondensedFace::Condensed) + usize::from(bold)]
    }

    /// The width in this face of a character that has `units` in the wide one: the files of the
    /// condensed face have nine tenths, rounded down.
    fn width_in_face_from_wide(self, units: u32) -> u32 {
        match self {
            SansOrCondensedFace::Sans => units,
            SansOrCondensedFace::Condensed => units * 9 / 10,
        }
    }
}

/// Advance widths of a font, in parts of an em.
struct CharacterWidths {
    /// Runs of characters with one width: the first, the end, and the width.
    runs: Vec<(u32, u32, f64)>,
    /// Width of the box in place of a character that the font lacks.
    missing: f64,
    /// Widths of the first 256 characters.
    first_widths: [f64; 256],
}

impl CharacterWidths {
    fn decode_for_face(face: SansOrCondensedFace, bold: bool) -> CharacterWidths {
        let mut bytes = PACKED_WIDTH_TABLE.iter();
        let regular = CharacterWidths::read_from_table(&mut bytes, face);
        if bold { CharacterWidths::read_from_table(&mut bytes, face) } else { regular }
    }

    fn read_from_table(
        bytes: &mut std::slice::Iter<'_, u8>,
        face: SansOrCondensedFace,
    ) -> CharacterWidths {
        let mut number = || read_varint_number(bytes);
        let width =
            |units| f64::from(face.width_in_face_from_wide(units)) / f64::from(FONT_UNITS_PER_EM);
        let (missing, count) = (width(number()), number());
        let mut end = 0;
        let runs = (0..count).map(|_| {
            let first = end + number();
            end = first + number();
            (first, end, width(number()))
        });
        let mut widths =
            CharacterWidths { runs: runs.collect(), missing, first_widths: [0.0; 256] };
        widths.first_widths =
            std::array::from_fn(|code| widths.width_of_char_or_missing(char::from(code as u8)));
        widths
    }

    fn width_of_char_or_missing(&self, c: char) -> f64 {
        let code = u32::from(c);
        let after = self.runs.partition_point(|&(first, ..)| first <= code);
        let run = after.checked_sub(1).and_then(|at| self.runs.get(at));
        run.filter(|&&(_, end, _)| code < end).map_or(self.missing, |&(.., width)| width)
    }

    fn cached_width_of_char(&self, c: char) -> f64 {
        self.first_widths
            .get(c as usize)
            .copied()
            .unwrap_or_else(|| self.width_of_char_or_missing(c))
    }
}

/// Reads a number of the table.
fn read_varint_number(bytes: &mut std::slice::Iter<'_, u8>) -> u32 {
    let mut value = 0;
    for (shift, &byte) in (0..28).step_by(7).zip(bytes) {
        value |= u32::from(byte & 127) << shift;
        if byte < 128 {
            break;
        }
    }
    value
}

/// The height from the highest letter of the family to the lowest, in ems.
pub const LINE_HEIGHT_IN_EMS: f64 = 1.164;

/// The style of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextFontAndColor {
    /// Its face.
    pub face: SansOrCondensedFace,
    /// Its size: the em.
    pub size: f64,
    /// Whether the font is bold.
    pub bold: bool,
    /// Its colour.
    pub ink: RgbColor,
}

impl TextFontAndColor {
    /// Returns regular type in black.
    pub const fn regular_black(face: SansOrCondensedFace, size: f64) -> TextFontAndColor {
        TextFontAndColor { face, size, bold: false, ink: RgbColor(0, 0, 0) }
    }

    /// Returns the type in bold.
    pub const fn to_bold(self) -> TextFontAndColor {
        TextFontAndColor { bold: true, ..self }
    }

    /// Returns the type in a grey, 0 black to 255 white.
    pub const fn with_grey(self, grey: u8) -> TextFontAndColor {
        TextFontAndColor { ink: RgbColor(grey, grey, grey), ..self }
    }

    /// Returns the width of a text, in the unit of the type size, as all lengths here.
    pub fn width_of_text(self, text: &str) -> f64 {
        let widths = self.face.advance_widths(self.bold);
        text.chars().map(|c| widths.cached_width_of_char(c)).sum::<f64>() * self.size
    }

    /// Returns the width of the widest word of a text.
    pub fn measure_longest_word(self, text: &str) -> f64 {
        text.split_whitespace().map(|word| self.width_of_text(word)).fold(0.0, f64::max)
    }

    /// Wraps a text in lines of at most `room`, broken between words; a word that is longer than a
    /// line is broken anywhere. An empty text has no line.
    pub fn wrap_to_width(self, text: &str, room: f64) -> Vec<String> {
        self.wrap_first_line_shorter(text, room, 0.0)
    }

    /// Wraps a text whose first line is `indent` shorter.
    pub fn wrap_first_line_shorter(self, text: &str, room: f64, indent: f64) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let left = |line: &str, first: bool| {
            let room = if first { room - indent } else { room };
            room - self.width_of_text(line)
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
            // A word too long for the indented line but not for a whole one is not broken, and the
            // first line stays empty.
            if lines.is_empty() && left(word, true) < 0.0 && left(word, false) >= 0.0 {
                lines.push(String::new());
            }
            lines.push(String::new());
            append_broken_word(word, &mut lines, &left);
        }
        lines
    }

    /// Truncates a text with `…` if it is wider than `room`.
    pub fn truncate_to_width(self, text: &str, room: f64) -> String {
        if self.width_of_text(text) <= room {
            return text.to_owned();
        }
        let mut shortened: String = text.to_owned();
        while shortened.pop().is_some() {
            let cut = format!("{}…", shortened.trim_end());
            if self.width_of_text(&cut) <= room {
                return cut;
            }
        }
        String::new()
    }

    /// Returns the height from the highest letter to the lowest.
    pub fn type_height(self) -> f64 {
        LINE_HEIGHT_IN_EMS * self.size
    }

    /// Returns the height from the upper edge of a line of type to its base line.
    pub fn ascent_to_base_line(self) -> f64 {
        0.93 * self.size
    }

    /// Returns the distance from one base line to the next.
    pub fn line_spacing(self) -> f64 {
        1.2 * self.size
    }

    /// Returns the height of a capital above the base line.
    pub fn capital_height(self) -> f64 {
        0.73 * self.size
    }
}

/// Appends a word to the lines, the last of which is empty, letter by letter.
fn append_broken_word(word: &str, lines: &mut Vec<String>, left: &impl Fn(&str, bool) -> f64) {
    for letter in word.chars() {
        let first = lines.len() == 1;
        let Some(line) = lines.last_mut() else { return };
        line.push(letter);
        // A line has at least one letter, however narrow it is.
        if left(line, first) < 0.0 && line.chars().count() > 1 {
            line.pop();
            lines.push(letter.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_widths_of_the_font_files() {
        for (face, bold) in [SansOrCondensedFace::Sans, SansOrCondensedFace::Condensed]
            .map(|face| [(face, false), (face, true)])
            .concat()
        {
            let file = ttf_parser::Face::parse(face.font_file(bold), 0).expect("it is a font");
            assert_eq!(u32::from(file.units_per_em()), FONT_UNITS_PER_EM);
            let widths = face.advance_widths(bold);
            for c in '\0'..=char::MAX {
                let glyph = file.glyph_index(c).unwrap_or(ttf_parser::GlyphId(0));
                let units = file.glyph_hor_advance(glyph).expect("every glyph has a width");
                assert_eq!(
                    widths.cached_width_of_char(c),
                    f64::from(units) / 2048.0,
                    "{face:?} {bold} {c:?}"
                );
            }
        }
    }

    /// From the tables of the files, as `ttx` of fonttools prints `hmtx`: of 2048 units an em.
    #[test]
    fn widths_are_those_of_the_font_files() {
        let units = |face, bold, text| {
            let set = TextFontAndColor { bold, ..TextFontAndColor::regular_black(face, 2048.0) };
            set.width_of_text(text)
        };
        assert_eq!(units(SansOrCondensedFace::Condensed, false, "A"), 1260.0);
        assert_eq!(units(SansOrCondensedFace::Condensed, true, "A"), 1426.0);
        assert_eq!(units(SansOrCondensedFace::Condensed, false, "–"), 921.0);
        assert_eq!(units(SansOrCondensedFace::Sans, false, "A"), 1401.0);
        assert_eq!(units(SansOrCondensedFace::Sans, true, "A"), 1585.0);
        // Letters are set side by side, without kerning.
        assert_eq!(units(SansOrCondensedFace::Condensed, false, "AVA"), 3.0 * 1260.0);
        assert_eq!(units(SansOrCondensedFace::Sans, false, ""), 0.0);
        // A character that no face has appears as a box.
        assert!(units(SansOrCondensedFace::Sans, false, "\u{10fffd}") > 0.0);
    }

    #[test]
    fn lines_keep_to_their_room_and_lose_nothing() {
        let text = "units eliminated, or squads that lost half and live on (A7.302)";
        let set = TextFontAndColor::regular_black(SansOrCondensedFace::Condensed, 9.0);
        for room in [20.0, 60.0, 120.0, 1000.0] {
            let lines = set.wrap_first_line_shorter(text, room, 15.0);
            assert!(lines.iter().all(|line| set.width_of_text(line) <= room), "{room}");
            assert!(set.width_of_text(&lines[0]) <= room - 15.0 || lines[0].is_empty());
            let letters = |text: &str| text.replace(' ', "");
            assert_eq!(letters(&lines.concat()), letters(text), "{room}");
        }
        assert_eq!(set.wrap_to_width(text, 1000.0), [text]);
        assert_eq!(set.wrap_to_width(" ", 100.0), Vec::<String>::new());
        assert_eq!(set.wrap_to_width("ab", 0.0), ["a", "b"]);
    }

    #[test]
    fn texts_are_cut_to_their_room() {
        let long = "the squad breaks, or worse, and routs to the nearest woods hex";
        let set = TextFontAndColor::regular_black(SansOrCondensedFace::Sans, 13.75);
        let cut = set.truncate_to_width(long, 120.0);
        assert!(cut.ends_with('…') && set.width_of_text(&cut) <= 120.0);
        assert_eq!(set.truncate_to_width(long, 10_000.0), long);
        assert_eq!(set.truncate_to_width(long, 0.0), "");
    }
}
