//! The papers of printers.

/// A sheet of paper and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// 210 × 297 mm.
    A4,
    /// A4 on its long side.
    A4Landscape,
    /// 8½ × 11 in.
    Letter,
    /// Letter on its long side.
    LetterLandscape,
}

impl Paper {
    /// Every paper.
    pub const ALL: [Paper; 4] =
        [Paper::A4, Paper::A4Landscape, Paper::Letter, Paper::LetterLandscape];

    /// Width and height in points of 1/72 in.
    pub fn size(self) -> (f64, f64) {
        match self {
            Paper::A4 => (595.28, 841.89),
            Paper::A4Landscape => (841.89, 595.28),
            Paper::Letter => (612.0, 792.0),
            Paper::LetterLandscape => (792.0, 612.0),
        }
    }

    /// Its name in style sheets.
    pub fn css(self) -> &'static str {
        match self {
            Paper::A4 => "A4 portrait",
            Paper::A4Landscape => "A4 landscape",
            Paper::Letter => "letter portrait",
            Paper::LetterLandscape => "letter landscape",
        }
    }
}
