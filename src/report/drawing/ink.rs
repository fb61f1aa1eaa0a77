//! Colours, and how well one is read on another.

/// A colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink(pub u8, pub u8, pub u8);

impl Ink {
    /// Text and axes.
    pub const BLACK: Ink = Ink(0x1a, 0x1a, 0x1a);
    /// The paper.
    pub const WHITE: Ink = Ink(0xff, 0xff, 0xff);
    /// Captions.
    pub const GREY: Ink = Ink(0x55, 0x55, 0x55);
    /// Grid lines.
    pub const LIGHT: Ink = Ink(0xdd, 0xdd, 0xdd);
    /// Places without a value.
    pub const EMPTY: Ink = Ink(0xf0, 0xf0, 0xf0);

    /// Relative luminance, 0 to 1, as the Web Content Accessibility Guidelines define it.
    pub fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.03928 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// Contrast with another colour, 1 to 21.
    pub fn contrast(self, other: Ink) -> f64 {
        let (a, b) = (self.luminance() + 0.05, other.luminance() + 0.05);
        if a > b { a / b } else { b / a }
    }

    /// This colour with `share` of another in it, 0 to 1.
    pub fn mixed(self, other: Ink, share: f64) -> Ink {
        let part = |a: u8, b: u8| (f64::from(a) + share * (f64::from(b) - f64::from(a))).round();
        let mixed = |a, b| part(a, b) as u8;
        Ink(mixed(self.0, other.0), mixed(self.1, other.1), mixed(self.2, other.2))
    }

    /// Pure black or white, whichever is easier to read on this colour: one of them always has
    /// the contrast of 4.5 that the guidelines ask for.
    pub fn text(self) -> Ink {
        let black = Ink(0, 0, 0);
        if self.contrast(black) >= self.contrast(Ink::WHITE) {
            return black;
        }
        Ink::WHITE
    }
}
