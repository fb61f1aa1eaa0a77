//! The formats of a command: its own, and those of every report.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::report::blocks::{WIDTHLESS_BLOCK_FORMATS, WholeReportTextFormat};
use crate::report::drawing::{PICTURE_FORMATS, PictureFormat};

/// A format from the command line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutputFormat<Own> {
    /// A format of the command itself.
    Own(Own),
    /// A format of every report.
    Page(&'static WholeReportTextFormat),
}

/// Parses the name of a format. A format of the command itself comes before one of the reports with
/// the same name.
pub fn output_format_parser<Own: ValueEnum + Send + Sync + 'static>()
-> impl TypedValueParser<Value = OutputFormat<Own>> {
    let pages =
        WIDTHLESS_BLOCK_FORMATS.iter().filter(|writer| Own::from_str(writer.name, false).is_err());
    let pages = pages.map(|writer| PossibleValue::new(writer.name).help(writer.about));
    let own = Own::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(own.chain(pages)).try_map(|name| {
        let page = WIDTHLESS_BLOCK_FORMATS
            .iter()
            .find(|writer| writer.name == name)
            .map(OutputFormat::Page);
        Own::from_str(&name, false).map(OutputFormat::Own).or_else(|unknown| page.ok_or(unknown))
    })
}

/// Parses the name of a picture format of this build.
pub fn picture_format_parser() -> impl TypedValueParser<Value = &'static PictureFormat> {
    let built = PICTURE_FORMATS.iter().filter(|picture| picture.is_in_this_build());
    let names = built.map(|picture| PossibleValue::new(picture.ending).help(picture.about));
    PossibleValuesParser::new(names)
        .try_map(|name| PictureFormat::format_for_extension(&name).ok_or("there is no such format"))
}

/// Parses the word of one of `values`, each described by its word and its meaning.
pub fn parser_of_words<T: Copy + Send + Sync + 'static>(
    values: &'static [T],
    describe: fn(T) -> (&'static str, &'static str),
) -> impl TypedValueParser<Value = T> {
    let words = values.iter().map(move |&value| {
        let (word, about) = describe(value);
        PossibleValue::new(word).help(about)
    });
    PossibleValuesParser::new(words).try_map(move |given| {
        let found = values.iter().copied().find(|&value| describe(value).0 == given);
        found.ok_or("there is no such word")
    })
}
