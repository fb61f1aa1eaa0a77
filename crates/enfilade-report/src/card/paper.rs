//! Paper sizes of printers and playing cards.

/// The size of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// 210 × 297 mm.
    A4,
    /// 8½ × 11 in.
    Letter,
    /// 148 × 210 mm.
    A5,
    /// 105 × 148 mm.
    A6,
    /// 63 × 88 mm, a playing card.
    Poker,
    /// Eight playing cards on A4, to be cut.
    EightUp,
}

/// A sheet of paper and its orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Its size.
    pub sheet: Sheet,
    /// Whether it lies on its long side.
    pub landscape: bool,
}

/// Points of 1/72 in in a millimetre.
const MM: f64 = 72.0 / 25.4;

/// White at every edge of an office page.
const MARGIN: f64 = 36.0;

impl Sheet {
    /// Returns its name in a command, and its description.
    pub fn named(self) -> (&'static str, &'static str) {
        match self {
            Sheet::A4 => ("a4", "210 × 297 mm"),
            Sheet::Letter => ("letter", "8½ × 11 in"),
            Sheet::A5 => ("a5", "148 × 210 mm"),
            Sheet::A6 => ("a6", "105 × 148 mm"),
            Sheet::Poker => ("poker", "63 × 88 mm, a playing card"),
            Sheet::EightUp => ("eight-up", "Eight playing cards on A4, to be cut"),
        }
    }
}

impl Paper {
    /// 210 × 297 mm.
    pub const A4: Paper = Paper { sheet: Sheet::A4, landscape: false };

    /// Returns all papers.
    pub fn all() -> impl Iterator<Item = Paper> {
        use Sheet::{A4, A5, A6, EightUp, Letter, Poker};
        let sheets = [A4, Letter, A5, A6, Poker, EightUp].into_iter();
        sheets.flat_map(|sheet| [false, true].map(|landscape| Paper { sheet, landscape }))
    }

    /// Returns width and height in points of 1/72 in.
    pub fn size(self) -> (f64, f64) {
        let (width, height) = match self.sheet {
            Sheet::A4 => (595.28, 841.89),
            Sheet::Letter => (612.0, 792.0),
            Sheet::A5 => (419.53, 595.28),
            Sheet::A6 => (297.64, 419.53),
            Sheet::Poker => (63.0 * MM, 88.0 * MM),
            // Two rows of four in either orientation.
            Sheet::EightUp => {
                return if self.landscape { (595.28, 841.89) } else { (841.89, 595.28) };
            }
        };
        if self.landscape { (height, width) } else { (width, height) }
    }

    /// Returns the white margin at every edge, in points.
    pub fn margin(self) -> f64 {
        match self.sheet {
            Sheet::A4 | Sheet::Letter => MARGIN,
            Sheet::A5 => 26.0,
            Sheet::A6 => 18.0,
            Sheet::Poker | Sheet::EightUp => 10.0,
        }
    }

    /// Returns the paper that each card is laid out on: the paper itself, or one part of a sheet
    /// that is cut.
    pub fn part(self) -> Paper {
        match self.sheet {
            Sheet::EightUp => Paper { sheet: Sheet::Poker, ..self },
            _ => self,
        }
    }

    /// Formats the options of a command: `--paper a6 --landscape`.
    pub fn told(self) -> String {
        let (name, _) = self.sheet.named();
        format!("--paper {name}{}", if self.landscape { " --landscape" } else { "" })
    }

    /// Returns its name in style sheets.
    pub fn css(self) -> &'static str {
        match (self.sheet, self.landscape) {
            (Sheet::A4, false) | (Sheet::EightUp, true) => "A4 portrait",
            (Sheet::A4, true) | (Sheet::EightUp, false) => "A4 landscape",
            (Sheet::Letter, false) => "letter portrait",
            (Sheet::Letter, true) => "letter landscape",
            (Sheet::A5, false) => "A5 portrait",
            (Sheet::A5, true) => "A5 landscape",
            (Sheet::A6, false) => "105mm 148mm",
            (Sheet::A6, true) => "148mm 105mm",
            (Sheet::Poker, false) => "63mm 88mm",
            (Sheet::Poker, true) => "88mm 63mm",
        }
    }
}
