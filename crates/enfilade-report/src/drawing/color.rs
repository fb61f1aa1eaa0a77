//! Colours, and the contrast between them.

/// A colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RgbColor(pub u8, pub u8, pub u8);

/// The lightness on which black and white have the same contrast.
const EQUAL_CONTRAST_LIGHTNESS: f64 = 0.5655;

/// The factor by which the dark-mode image is nearer the middle: white becomes a dark grey and not
/// black.
const DARK_CONTRAST_FACTOR: f64 = 0.742;

impl RgbColor {
    /// The colour of text and axes.
    pub const TEXT_AND_AXIS_BLACK: RgbColor = RgbColor(0x1a, 0x1a, 0x1a);
    /// The colour of paper.
    pub const PAPER_WHITE: RgbColor = RgbColor(0xff, 0xff, 0xff);
    /// The colour of captions.
    pub const CAPTION_GREY: RgbColor = RgbColor(0x55, 0x55, 0x55);
    /// The colour of grid lines.
    pub const GRID_LINE_GREY: RgbColor = RgbColor(0xdd, 0xdd, 0xdd);
    /// The colour of places without a value.
    pub const NO_VALUE_GREY: RgbColor = RgbColor(0xf0, 0xf0, 0xf0);

    /// Formats six hexadecimal digits, as SVG and style sheets have them.
    pub fn to_css_hex_color(self) -> String {
        let RgbColor(r, g, b) = self;
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Returns the relative luminance, 0 to 1, as the Web Content Accessibility Guidelines define
    /// it.
    pub fn relative_luminance(self) -> f64 {
        0.2126 * channel_to_light(self.0)
            + 0.7152 * channel_to_light(self.1)
            + 0.0722 * channel_to_light(self.2)
    }

    /// Returns the contrast with another colour, 1 to 21.
    pub fn contrast_ratio_with(self, other: RgbColor) -> f64 {
        let (a, b) = (self.relative_luminance() + 0.05, other.relative_luminance() + 0.05);
        if a > b { a / b } else { b / a }
    }

    /// Mixes this colour with `share` of another, 0 to 1.
    pub fn mix_with(self, other: RgbColor, share: f64) -> RgbColor {
        let part = |a: u8, b: u8| (f64::from(a) + share * (f64::from(b) - f64::from(a))).round();
        let mixed = |a, b| part(a, b) as u8;
        RgbColor(mixed(self.0, other.0), mixed(self.1, other.1), mixed(self.2, other.2))
    }

    /// Returns the dark-mode image of a colour on white paper: the lightness of OKLab (Ottosson
    /// 2020) mirrored about the lightness at which black and white are equally readable, with hue
    /// and chroma unchanged. White becomes a dark grey, and texts in pure black and pure white
    /// change places, so that a text that is readable on a colour is readable on its image, too.
    pub fn dark_mode_color(self) -> RgbColor {
        let [lightness, a, b] = self.to_oklab();
        RgbColor::from_oklab([
            EQUAL_CONTRAST_LIGHTNESS
                + DARK_CONTRAST_FACTOR * (EQUAL_CONTRAST_LIGHTNESS - lightness),
            a,
            b,
        ])
    }

    /// Returns lightness 0 to 1, green to red, blue to yellow.
    fn to_oklab(self) -> [f64; 3] {
        let [r, g, b] = [self.0, self.1, self.2].map(channel_to_light);
        let l = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let m = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let s = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        [
            0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
            1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
            0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
        ]
    }

    /// Returns the nearest colour that a screen has.
    fn from_oklab([lightness, a, b]: [f64; 3]) -> RgbColor {
        let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
        let channel = |linear: f64| {
            let linear = linear.clamp(0.0, 1.0);
            let share = match linear <= 0.003_130_8 {
                true => 12.92 * linear,
                false => 1.055 * linear.powf(1.0 / 2.4) - 0.055,
            };
            (255.0 * share).round() as u8
        };
        RgbColor(
            channel(4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s),
            channel(-1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s),
            channel(-0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s),
        )
    }

    /// Returns pure black or white, whichever is easier to read on this colour: one of them always
    /// has the contrast of 4.5 that the guidelines require.
    pub fn readable_text_color(self) -> RgbColor {
        let black = RgbColor(0, 0, 0);
        if self.contrast_ratio_with(black) >= self.contrast_ratio_with(RgbColor::PAPER_WHITE) {
            return black;
        }
        RgbColor::PAPER_WHITE
    }
}

/// Converts a channel to an amount of light, 0 to 1.
fn channel_to_light(channel: u8) -> f64 {
    let share = f64::from(channel) / 255.0;
    if share <= 0.03928 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every fifth step of every channel.
    fn all() -> impl Iterator<Item = RgbColor> {
        let steps = || (0..=255).step_by(5);
        steps()
            .flat_map(move |r| steps().flat_map(move |g| steps().map(move |b| RgbColor(r, g, b))))
    }

    #[test]
    fn colours_come_back_from_oklab() {
        assert!(all().all(|ink| RgbColor::from_oklab(ink.to_oklab()) == ink));
    }

    #[test]
    fn images_are_dark_where_colours_are_light() {
        let [white, grey, black] =
            [RgbColor::PAPER_WHITE, RgbColor::CAPTION_GREY, RgbColor::TEXT_AND_AXIS_BLACK]
                .map(RgbColor::dark_mode_color);
        assert_eq!(white, RgbColor(0x20, 0x20, 0x20));
        // Texts and captions on the background meet the guidelines.
        assert!(black.contrast_ratio_with(white) >= 7.0 && grey.contrast_ratio_with(white) >= 4.5);
        let light = RgbColor::GRID_LINE_GREY.dark_mode_color().contrast_ratio_with(white);
        assert!((1.2..2.0).contains(&light), "lines of a grid recede: {light}");
    }

    #[test]
    fn greys_stay_grey_and_hues_stay() {
        assert!(
            (0..=255)
                .map(|v| RgbColor(v, v, v).dark_mode_color())
                .all(|RgbColor(r, g, b)| r == g && g == b)
        );
        let RgbColor(r, g, b) = RgbColor(0x35, 0x5f, 0x8d).dark_mode_color();
        assert!(r < g && g < b);
    }
}
