//! Paper sizes of printers and playing cards.

/// The size of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperSize {
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
pub struct CardPaper {
    /// Its size.
    pub sheet: PaperSize,
    /// Whether the paper lies on its long side.
    pub landscape: bool,
}

/// Points of 1/72 in in a millimetre.
const POINTS_PER_MM: f64 = 72.0 / 25.4;

/// White at every edge of an office page.
const MARGIN: f64 = 36.0;

impl PaperSize {
    /// Returns its name in a command, and its description.
    pub fn name_and_description(self) -> (&'static str, &'static str) {
        match self {
            PaperSize::A4 => ("a4", "210 × 297 mm"),
            PaperSize::Letter => ("letter", "8½ × 11 in"),
            PaperSize::A5 => ("a5", "148 × 210 mm"),
            PaperSize::A6 => ("a6", "105 × 148 mm"),
            PaperSize::Poker => ("poker", "63 × 88 mm, a playing card"),
            PaperSize::EightUp => ("eight-up", "Eight playing cards on A4, to be cut"),
        }
    }
}

impl CardPaper {
    /// 210 × 297 mm.
    pub const A4: CardPaper = CardPaper { sheet: PaperSize::A4, landscape: false };

    /// Returns all papers.
    pub fn all_papers() -> impl Iterator<Item = CardPaper> {
        use PaperSize::{A4, A5, A6, EightUp, Letter, Poker};
        let sheets = [A4, Letter, A5, A6, Poker, EightUp].into_iter();
        sheets.flat_map(|sheet| [false, true].map(|landscape| CardPaper { sheet, landscape }))
    }

    /// Returns width and height in points of 1/72 in.
    pub fn size(self) -> (f64, f64) {
        let (width, height) = match self.sheet {
            PaperSize::A4 => (595.28, 841.89),
            PaperSize::Letter => (612.0, 792.0),
            PaperSize::A5 => (419.53, 595.28),
            PaperSize::A6 => (297.64, 419.53),
            PaperSize::Poker => (63.0 * POINTS_PER_MM, 88.0 * POINTS_PER_MM),
            // Two rows of four in either orientation.
            PaperSize::EightUp => {
                return if self.landscape { (595.28, 841.89) } else { (841.89, 595.28) };
            }
        };
        if self.landscape { (height, width) } else { (width, height) }
    }

    /// Returns the white margin at every edge, in points.
    pub fn margin(self) -> f64 {
        match self.sheet {
            PaperSize::A4 | PaperSize::Letter => MARGIN,
            PaperSize::A5 => 26.0,
            PaperSize::A6 => 18.0,
            PaperSize::Poker | PaperSize::EightUp => 10.0,
        }
    }

    /// Returns the paper that each card is laid out on: the paper itself, or one part of a sheet
    /// that is cut.
    pub fn card_paper(self) -> CardPaper {
        match self.sheet {
            PaperSize::EightUp => CardPaper { sheet: PaperSize::Poker, ..self },
            _ => self,
        }
    }

    /// Formats the options of a command: `--paper a6 --landscape`.
    pub fn format_option(self) -> String {
        let (name, _) = self.sheet.name_and_description();
        format!("--paper {name}{}", if self.landscape { " --landscape" } else { "" })
    }

    /// Returns its name in style sheets.
    pub fn css_name(self) -> &'static str {
        match (self.sheet, self.landscape) {
            (PaperSize::A4, false) | (PaperSize::EightUp, true) => "A4 portrait",
            (PaperSize::A4, true) | (PaperSize::EightUp, false) => "A4 landscape",
            (PaperSize::Letter, false) => "letter portrait",
            (PaperSize::Letter, true) => "letter landscape",
            (PaperSize::A5, false) => "A5 portrait",
            (PaperSize::A5, true) => "A5 landscape",
            (PaperSize::A6, false) => "105mm 148mm",
            (PaperSize::A6, true) => "148mm 105mm",
            (PaperSize::Poker, false) => "63mm 88mm",
            (PaperSize::Poker, true) => "88mm 63mm",
        }
    }
}
