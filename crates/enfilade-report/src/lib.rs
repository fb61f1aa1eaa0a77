//! Reports: text, tables, charts, cards and pages for people to read.
//!
//! Answers become text ([`blocks`]), JSON or CSV ([`print_answers()`]), or a folder of files
//! ([`write_run_folder`]). Prices have a separate module ([`pricing`]). Only this crate depends on
//! the libraries that write Parquet and draw charts. No probability is computed here: results are
//! only rounded, summed for a chart, and shortened with a note.
//!
//! ```
//! use enfilade_report::{PrintedAnswerFormat, print_answers};
//! use enfilade_study::{experiment::Experiment, solve::{settings::SolverSettings, solve_experiment}};
//! let file = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [4, 8]\ntarget = { kind = 'squad', morale = 7 }\n";
//! let experiment = Experiment::read_experiment_text(&enfilade_games::built_in_catalogue(), "two.toml", file)?;
//! let answers = solve_experiment(&experiment, &SolverSettings::for_exact_only())?;
//! let mut csv = Vec::new();
//! print_answers(&answers, PrintedAnswerFormat::Csv, &mut csv)?;
//! assert_eq!(String::from_utf8_lossy(&csv).lines().count(), 3, "a head and two cells");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io::Write;

use crate::error::ReportError;
use enfilade_model::error::FileError;
use enfilade_study::answer::Answer;

mod answer_format;
pub mod answers;
pub mod blocks;
pub mod card;
pub mod charts;
pub mod compare;
pub mod dice;
pub mod drawing;
pub mod error;
pub mod folder;
mod forms_document;
pub mod forms_json;
pub mod headline_measure;
pub mod json_text;
mod outcome_category;
pub mod page;
pub mod pricing;
pub mod run;
#[cfg(all(feature = "files", feature = "parquet"))]
pub mod shards;
pub mod tables;
#[cfg(test)]
pub(crate) mod test_answers;
pub mod text;
#[cfg(test)]
#[path = "../tests/types/mod.rs"]
mod typescript;

pub use answer_format::PrintedAnswerFormat;
pub use blocks::ReportStyle;
#[cfg(feature = "terminal")]
pub use blocks::terminal;
pub use charts::page_charts::{default_formats_beside_svg, draw_page_charts};
pub use folder::manifest::{InputFileWithRulebooks, RunFacts};
#[cfg(feature = "files")]
pub use folder::verify_folder::{FolderVerification, verify_result_folder};
#[cfg(feature = "files")]
pub use run::run_folder::{OptionalRunFiles, RUN_FILE_NAMES, RunFilesWritten, write_run_folder};
pub use text::excluded_settings::{explain_empty_search, sentences_on_broken_checks};

/// Prints answers in a format.
///
/// # Errors
/// When `out` cannot be written to. A closed pipe is an error of this kind; the caller decides
/// whether it matters.
pub fn print_answers(
    answers: &[Answer],
    format: PrintedAnswerFormat,
    out: &mut dyn Write,
) -> Result<(), ReportError> {
    let text = match format {
        PrintedAnswerFormat::Text(style) => {
            style.render_blocks(&answers::answer_tables::build_report_blocks(answers))
        }
        PrintedAnswerFormat::Json => answers::answers_json::render_answers_json(answers),
        PrintedAnswerFormat::Csv => tables::csv::render_csv(&tables::build_cells_table(answers)),
    };
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    Ok(written.map_err(FileError::io_error_converter("writing", "standard output"))?)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_format_ends_with_a_line_feed() {
        let pages = blocks::WIDTHLESS_BLOCK_FORMATS
            .iter()
            .map(|writer| PrintedAnswerFormat::Text(ReportStyle::Page(writer)));
        let formats = pages.chain([PrintedAnswerFormat::Json, PrintedAnswerFormat::Csv]);
        #[cfg(feature = "terminal")]
        let formats = formats.chain([PrintedAnswerFormat::Text(ReportStyle::Terminal(
            terminal::TerminalCapabilities::FOR_FILE,
        ))]);
        let formats: Vec<_> = formats.collect();
        for answers in [
            test_answers::build_grid(),
            test_answers::build_single(),
            test_answers::build_simulated_only(),
        ] {
            for &format in &formats {
                let mut out = Vec::new();
                print_answers(&answers, format, &mut out).expect("memory can be written to");
                assert_eq!(out.last(), Some(&b'\n'), "{format:?}");
            }
        }
    }

    /// The scripts of pages are checked against these types.
    #[test]
    fn the_types_of_what_is_sent_are_kept_for_scripts() {
        let types = typescript::Types::new()
            .with::<answers::answers_json::AnswersDocument>()
            .with::<answers::answer_view::AnswerInWords>()
            .with::<forms_json::FormsDocument>()
            .with::<forms_json::TilesDocument>()
            .with::<blocks::block_json::BlockJson>()
            .with::<dice::DistributionsDocument>()
            .with::<pricing::prices_json::PricesDocument>()
            .with::<page::page_data::PageDataDocument>();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("types.d.ts");
        types.hold(
            &path,
            "// Types of documents and of the data of report pages, generated from the structs that are written.",
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
        assert!(
            print_answers(&test_answers::build_single(), PrintedAnswerFormat::Json, &mut Closed)
                .is_err()
        );
    }
}
