//! How wide a text is in DejaVu Sans Condensed, and its lines in a given room.
//!
//! Source: the advance widths of DejaVu 2.37, in units of which 2048 make the size of the type; a
//! test reads them from the font file again. They stand here so that pages are laid out alike with
//! and without the font compiled in. Kerning, which only draws letters together, is not counted.
//! Characters that are not in the tables are taken for the widest there are, so that they stay
//! within their room.

/// Units of the size of the type.
const UNITS: f64 = 2048.0;

/// No letter of a living Latin, Greek or Cyrillic alphabet is wider.
const WIDEST_LETTER: u16 = 2450;

/// Nothing in the font is wider.
const WIDEST: u16 = 3800;

/// From the space to the tilde, regular.
#[rustfmt::skip]
const REGULAR: [u16; 95] = [
    585, 738, 847, 1544, 1172, 1751, 1437, 506, 719, 719, 921, 1544, 585, 665, 585, 621, 1172, 1172,
    1172, 1172, 1172, 1172, 1172, 1172, 1172, 1172, 621, 621, 1544, 1544, 1544, 978, 1843, 1260,
    1264, 1287, 1419, 1164, 1060, 1428, 1386, 543, 543, 1208, 1026, 1590, 1378, 1450, 1111, 1450,
    1280, 1170, 1125, 1349, 1260, 1822, 1262, 1125, 1262, 719, 621, 719, 1544, 921, 921, 1129, 1170,
    1013, 1170, 1134, 648, 1170, 1168, 512, 512, 1067, 512, 1795, 1168, 1127, 1170, 1170, 757, 960,
    722, 1168, 1090, 1507, 1090, 1090, 967, 1172, 621, 1172, 1544,
];

/// From the space to the tilde, bold.
#[rustfmt::skip]
const BOLD: [u16; 95] = [
    641, 840, 960, 1544, 1282, 1846, 1607, 564, 842, 842, 963, 1544, 700, 765, 700, 673, 1282, 1282,
    1282, 1282, 1282, 1282, 1282, 1282, 1282, 1282, 737, 737, 1544, 1544, 1544, 1069, 1843, 1426,
    1404, 1352, 1530, 1259, 1259, 1512, 1542, 685, 685, 1428, 1174, 1834, 1542, 1566, 1350, 1566,
    1419, 1327, 1257, 1496, 1426, 2033, 1421, 1334, 1336, 842, 673, 842, 1544, 921, 921, 1243, 1319,
    1092, 1319, 1250, 801, 1319, 1312, 631, 631, 1225, 631, 1920, 1312, 1266, 1319, 1319, 909, 1097,
    881, 1312, 1201, 1702, 1188, 1201, 1072, 1312, 673, 1312, 1544,
];

/// From U+00A0 to U+00FF, regular.
#[rustfmt::skip]
const REGULAR_LATIN: [u16; 96] = [
    585, 738, 1172, 1172, 1172, 1172, 621, 921, 921, 1843, 868, 1127, 1544, 665, 1843, 921, 921,
    1544, 738, 738, 921, 1172, 1172, 585, 921, 738, 868, 1127, 1786, 1786, 1786, 978, 1260, 1260,
    1260, 1260, 1260, 1260, 1795, 1287, 1164, 1164, 1164, 1164, 543, 543, 543, 543, 1428, 1378,
    1450, 1450, 1450, 1450, 1450, 1544, 1450, 1349, 1349, 1349, 1349, 1125, 1115, 1161, 1129, 1129,
    1129, 1129, 1129, 1129, 1809, 1013, 1134, 1134, 1134, 1134, 512, 512, 512, 512, 1127, 1168,
    1127, 1127, 1127, 1127, 1127, 1544, 1127, 1168, 1168, 1168, 1168, 1090, 1170, 1090,
];

/// From U+00A0 to U+00FF, bold.
#[rustfmt::skip]
const BOLD_LATIN: [u16; 96] = [
    641, 840, 1282, 1282, 1172, 1282, 673, 921, 921, 1843, 1039, 1190, 1544, 765, 1843, 921, 921,
    1544, 807, 807, 921, 1356, 1172, 700, 921, 807, 1039, 1190, 1908, 1908, 1908, 1069, 1426, 1426,
    1426, 1426, 1426, 1426, 1999, 1352, 1259, 1259, 1259, 1259, 685, 685, 685, 685, 1544, 1542,
    1566, 1566, 1566, 1566, 1566, 1544, 1566, 1496, 1496, 1496, 1496, 1334, 1359, 1325, 1243, 1243,
    1243, 1243, 1243, 1243, 1931, 1092, 1250, 1250, 1250, 1250, 631, 631, 631, 631, 1266, 1312,
    1266, 1266, 1266, 1266, 1266, 1544, 1266, 1312, 1312, 1312, 1312, 1201, 1319, 1201,
];

/// Other signs that cards use: regular, bold.
const SIGNS: [(char, u16, u16); 16] = [
    ('–', 921, 921),
    ('—', 1843, 1843),
    ('‘', 585, 700),
    ('’', 585, 700),
    ('“', 954, 1211),
    ('”', 954, 1211),
    ('†', 921, 921),
    ('‡', 921, 921),
    ('•', 1087, 1178),
    ('…', 1843, 1843),
    ('→', 1544, 1544),
    ('−', 1544, 1544),
    ('≠', 1544, 1544),
    ('≤', 1544, 1544),
    ('≥', 1544, 1544),
    ('\u{fffd}', 1890, 2052),
];

/// Advance of a character in units.
fn advance(c: char, bold: bool) -> u16 {
    let (row, first): (&[u16], u32) = match (c, bold) {
        (' '..='~', false) => (&REGULAR, 0x20),
        (' '..='~', true) => (&BOLD, 0x20),
        ('\u{a0}'..='\u{ff}', false) => (&REGULAR_LATIN, 0xa0),
        ('\u{a0}'..='\u{ff}', true) => (&BOLD_LATIN, 0xa0),
        ('\u{100}'..='\u{17f}' | '\u{370}'..='\u{45f}', _) => return WIDEST_LETTER,
        _ => {
            let sign = SIGNS.iter().find(|(sign, ..)| *sign == c);
            let pick =
                |(_, regular, heavy): &(char, u16, u16)| if bold { *heavy } else { *regular };
            return sign.map_or(WIDEST, pick);
        }
    };
    row[(c as u32 - first) as usize]
}

/// Width of a text in points at a size in points.
pub fn width(text: &str, size: f64, bold: bool) -> f64 {
    let units: u32 = text.chars().map(|c| u32::from(advance(c, bold))).sum();
    f64::from(units) * size / UNITS
}

/// Width of the widest word.
pub fn longest_word(text: &str, size: f64, bold: bool) -> f64 {
    let words = text.split_whitespace().map(|word| width(word, size, bold));
    words.fold(0.0, f64::max)
}

/// The text in lines of at most `room` points, the first one `indent` shorter, broken between
/// words; a word that is longer than a line is broken anywhere. No line for no text.
pub fn wrapped(text: &str, size: f64, bold: bool, room: f64, indent: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let left = |line: &str, first: bool| {
        let room = if first { room - indent } else { room };
        room - width(line, size, bold)
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
        if lines.is_empty() && left(word, true) < 0.0 && left(word, false) >= 0.0 {
            lines.push(String::new());
        }
        lines.push(String::new());
        break_word(word, &mut lines, &left);
    }
    lines
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

    /// Advances read from the file of a TrueType font: its tables `cmap` (format 4), `hhea`, `hmtx`.
    #[cfg(any(feature = "pdf", feature = "charts"))]
    struct Font(&'static [u8]);

    #[cfg(any(feature = "pdf", feature = "charts"))]
    impl Font {
        fn number(&self, at: usize) -> usize {
            usize::from(u16::from_be_bytes([self.0[at], self.0[at + 1]]))
        }

        fn long(&self, at: usize) -> usize {
            self.number(at) << 16 | self.number(at + 2)
        }

        fn table(&self, tag: &[u8]) -> usize {
            let entry = (0..self.number(4)).map(|i| 12 + 16 * i);
            let entry = { entry }.find(|&at| &self.0[at..at + 4] == tag);
            self.long(entry.expect("the font has the table") + 8)
        }

        fn glyph(&self, c: char) -> usize {
            let cmap = self.table(b"cmap");
            let subtables = (0..self.number(cmap + 2)).map(|i| cmap + self.long(cmap + 8 + 8 * i));
            let four = { subtables }.find(|&at| self.number(at) == 4).expect("format 4");
            let doubled = self.number(four + 6);
            let (ends, starts) = (four + 14, four + 16 + doubled);
            let code = c as usize;
            let segment =
                (0..doubled / 2).find(|i| self.number(ends + 2 * i) >= code).expect("a segment");
            let (start, delta) = (starts + 2 * segment, starts + doubled + 2 * segment);
            let offset = delta + doubled;
            match self.number(offset) {
                0 => (code + self.number(delta)) % 65_536,
                range => self.number(offset + range + 2 * (code - self.number(start))),
            }
        }

        fn advance(&self, c: char) -> u16 {
            let long = self.number(self.table(b"hhea") + 34);
            let glyph = self.glyph(c).min(long - 1);
            self.number(self.table(b"hmtx") + 4 * glyph) as u16
        }
    }

    #[cfg(any(feature = "pdf", feature = "charts"))]
    #[test]
    fn widths_are_those_of_the_font_file() {
        let regular = Font(dejavu::sans_condensed::regular());
        let bold = Font(dejavu::sans_condensed::bold());
        let known = (' '..='~').chain('\u{a0}'..='\u{ff}');
        for c in known.chain(SIGNS.iter().map(|(sign, ..)| *sign)) {
            assert_eq!(advance(c, false), regular.advance(c), "{c:?}");
            assert_eq!(advance(c, true), bold.advance(c), "{c:?} in bold");
        }
        for c in '\u{100}'..='\u{fffd}' {
            assert!(regular.advance(c) <= advance(c, false), "{c:?}");
            assert!(bold.advance(c) <= advance(c, true), "{c:?} in bold");
        }
    }

    #[test]
    fn lines_keep_to_their_room_and_lose_nothing() {
        let text = "units eliminated, or squads that lost half and live on (A7.302)";
        for room in [20.0, 60.0, 120.0, 1000.0] {
            let lines = wrapped(text, 9.0, false, room, 15.0);
            assert!(lines.iter().all(|line| width(line, 9.0, false) <= room), "{room}");
            assert!(width(&lines[0], 9.0, false) <= room - 15.0 || lines[0].is_empty());
            let letters = |text: &str| text.replace(' ', "");
            assert_eq!(letters(&lines.concat()), letters(text), "{room}");
        }
        assert_eq!(wrapped(text, 9.0, false, 1000.0, 0.0), [text]);
        assert_eq!(wrapped(" ", 9.0, false, 100.0, 0.0), Vec::<String>::new());
        assert_eq!(wrapped("ab", 9.0, false, 0.0, 0.0), ["a", "b"]);
    }
}
