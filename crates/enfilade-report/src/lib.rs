//! The press room: what people look at.
//!
//! Answers become text ([`blocks`]), JSON or CSV ([`print()`]), or a folder of
//! files ([`write_run`]). Prices have a room of their own ([`balance`]). Only this room knows the
//! libraries that write Parquet and draw charts. No probability is made here: what is shown was
//! computed before, and is only rounded, added up for a chart, and cut where it says so.

use std::io::Write;

use enfilade_model::error::Error;
use enfilade_study::answer::Answer;

pub mod balance;
pub mod blocks;
pub mod card;
mod charted;
pub mod charts;
#[cfg(feature = "files")]
mod check;
pub mod columns;
pub mod compare;
pub mod csv;
pub mod decimals;
pub mod digest;
pub mod drawing;
pub mod escape;
mod figures;
#[cfg(feature = "files")]
pub mod files;
#[cfg(test)]
pub(crate) mod fixture;
pub mod forms;
mod forms_document;
mod found;
pub mod headline;
pub mod idle;
pub mod json;
#[cfg(feature = "files")]
pub mod large;
pub mod laws;
mod left_out;
pub mod lines;
pub mod manifest;
pub mod page;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg(all(feature = "files", feature = "parquet"))]
pub mod part;
mod rank;
mod repeating;
pub mod rulebooks;
#[cfg(feature = "files")]
mod run;
pub mod sheet;
pub mod spoken;
pub mod summary;
#[cfg(all(feature = "files", feature = "parquet"))]
mod sums;
#[cfg(all(feature = "files", feature = "parquet"))]
pub mod sweep;
pub mod tables;
pub mod told;
#[cfg(test)]
mod typescript;
pub mod until;
pub mod words;
pub mod worth;
mod written;
#[cfg(feature = "xlsx")]
pub mod xlsx;

pub use blocks::Style;
#[cfg(feature = "terminal")]
pub use blocks::terminal;
pub use charted::{charted, usual_pictures};
#[cfg(feature = "files")]
pub use check::{Checked, check};
pub use left_out::{broken, nothing};
pub use manifest::{InputFile, RunFacts};
#[cfg(feature = "files")]
pub use run::{FILES, Written, write_run};

/// How answers are printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    /// Tables for people.
    Text(Style),
    /// JSON with every number in full.
    Json,
    /// The table of the cells, as in `cells.csv`.
    Csv,
}

/// Prints answers in a format.
///
/// # Errors
/// When `out` cannot be written to. A closed pipe is such an error; whether it matters is the
/// caller's to decide.
pub fn print(answers: &[Answer], format: Format, out: &mut dyn Write) -> Result<(), Error> {
    let text = match format {
        Format::Text(style) => style.write(&tables::report(answers)),
        Format::Json => json::render(answers),
        Format::Csv => csv::render(&columns::cells(answers)),
    };
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(Error::io("writing", "standard output"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_format_ends_with_a_line_feed() {
        let pages = blocks::WRITERS.iter().map(|writer| Format::Text(Style::Page(writer)));
        let formats = pages.chain([Format::Json, Format::Csv]);
        #[cfg(feature = "terminal")]
        let formats = formats.chain([Format::Text(Style::Terminal(terminal::Screen::PLAIN))]);
        let formats: Vec<_> = formats.collect();
        for answers in [fixture::grid(), fixture::single(), fixture::played()] {
            for &format in &formats {
                let mut out = Vec::new();
                print(&answers, format, &mut out).expect("memory can be written to");
                assert_eq!(out.last(), Some(&b'\n'), "{format:?}");
            }
        }
    }

    /// What pages are sent, as their scripts are checked against it.
    #[test]
    fn the_types_of_what_is_sent_are_kept_for_scripts() {
        let types = typescript::Types::new()
            .with::<json::AnswersDocument>()
            .with::<told::AnswerView>()
            .with::<forms::FormsDocument>()
            .with::<blocks::json::BlockJson>()
            .with::<laws::DistributionsDocument>()
            .with::<balance::json::PricesDocument>()
            .with::<page::data::Data>();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("types.d.ts");
        types.hold(
            &path,
            "// What documents and report pages hold, made from the structs that are written.",
        );
    }

    #[test]
    fn a_closed_pipe_is_an_error_and_no_panic() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        assert!(print(&fixture::single(), Format::Json, &mut Closed).is_err());
    }
}
