//! Paper sizes of printers and playing cards.

/// The size of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetSize {
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
pub struct OrientedPaperSheet {
    /// Its size.
    pub sheet: SheetSize,
    /// Whether the paper lies on its long side.
    pub landscape: bool,
}

/// Points of 1/72 in in a millimetre.
const POINTS_PER_MM: f64 = 72.0 / 25.4;

/// White at every edge of an office page.
const OFFICE_PAGE_MARGIN: f64 = 36.0;

impl SheetSize {
    /// Returns its name in a command, and its description.
    pub fn name_and_description(self) -> (&'static str, &'static str) {
        match self {
            SheetSize::A4 => ("a4", "210 × 297 mm"),
            SheetSize::Letter => ("letter", "8½ × 11 in"),
            SheetSize::A5 => ("a5", "148 × 210 mm"),
            SheetSize::A6 => ("a6", "105 × 148 mm"),
            SheetSize::Poker => ("poker", "63 × 88 mm, a playing card"),
            SheetSize::EightUp => ("eight-up", "Eight playing cards on A4, to be cut"),
        }
    }
}

impl OrientedPaperSheet {
    /// 210 × 297 mm.
    pub const A4: OrientedPaperSheet =
        OrientedPaperSheet { sheet: SheetSize::A4, landscape: false };

    /// Returns all papers.
    pub fn all_papers() -> impl Iterator<Item = OrientedPaperSheet> {
        use SheetSize::{A4, A5, A6, EightUp, Letter, Poker};
        let sheets = [A4, Letter, A5, A6, Poker, EightUp].into_iter();
        sheets.flat_map(|sheet| {
            [false, true].map(|landscape| OrientedPaperSheet { sheet, landscape })
        })
    }

    /// Returns width and height in points of 1/72 in.
    pub fn width_and_height(self) -> (f64, f64) {
        let (width, height) = match self.sheet {
            SheetSize::A4 => (595.28, 841.89),
            SheetSize::Letter => (612.0, 792.0),
            SheetSize::A5 => (419.53, 595.28),
            SheetSize::A6 => (297.64, 419.53),
            SheetSize::Poker => (63.0 * POINTS_PER_MM, 88.0 * POINTS_PER_MM),
            // Two rows of four in either orientation.
            SheetSize::EightUp => {
                return if self.landscape { (595.28, 841.89) } else { (841.89, 595.28) };
            }
        };
        if self.landscape { (height, width) } else { (width, height) }
    }

    /// Returns the white margin at every edge, in points.
    pub fn sheet_margin(self) -> f64 {
        match self.sheet {
            SheetSize::A4 | SheetSize::Letter => OFFICE_PAGE_MARGIN,
            SheetSize::A5 => 26.0,
            SheetSize::A6 => 18.0,
            SheetSize::Poker | SheetSize::EightUp => 10.0,
        }
    }

    /// Returns the paper that each card is laid out on: the paper itself, or one part of a sheet
    /// that is cut.
    pub fn paper_of_one_card(self) -> OrientedPaperSheet {
        match self.sheet {
            SheetSize::EightUp => OrientedPaperSheet { sheet: SheetSize::Poker, ..self },
            _ => self,
        }
    }

    /// Formats the options of a command: `--paper a6 --landscape`.
    pub fn as_command_options(self) -> String {
        let (name, _) = self.sheet.name_and_description();
        format!("--paper {name}{}", if self.landscape { " --landscape" } else { "" })
    }

    /// Returns its name in style sheets.
    pub fn size_name_in_css(self) -> &'static str {
        match (self.sheet, self.landscape) {
            (SheetSize::A4, false) | (SheetSize::EightUp, true) => "A4 portrait",
            (SheetSize::A4, true) | (SheetSize::EightUp, false) => "A4 landscape",
            (SheetSize::Letter, false) => "letter portrait",
            (SheetSize::Letter, true) => "letter landscape",
            (SheetSize::A5, false) => "A5 portrait",
            (SheetSize::A5, true) => "A5 landscape",
            (SheetSize::A6, false) => "105mm 148mm",
            (SheetSize::A6, true) => "148mm 105mm",
            (SheetSize::Poker, false) => "63mm 88mm",
            (SheetSize::Poker, true) => "88mm 63mm",
        }
    }
}
