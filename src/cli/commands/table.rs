//! `enfilade table`.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::cancel::NEVER_CANCELLED;
use crate::catalogue::Catalogue;
use crate::cli::args::output_format::{self, OutputFormat};
use crate::cli::args::question_args::{self, QuestionArgs};
use crate::cli::args::{CellSolutionArgs, ExtraRulebookArgs};
use crate::cli::command_output::OutputAndError;
use crate::cli::command_steps::{self, CellCountLimit};
use crate::cli::compared_files::{AnsweredBaseline, BaselineOfCard, FileWithAnswers};
use crate::cli::error_report;
use crate::error::Error;
use crate::plain_file::{self, MAX_OWN_TABLE_BYTES};
use crate::report::blocks::WIDTHLESS_BLOCK_FORMATS;
use crate::report::card::card_csv::CardPartPerCsvRecord;
use crate::report::card::{self, OrientedPaperSheet, SheetSize, WrittenCardFormat};
use crate::report::drawing::{PICTURE_FORMATS, PictureFormat};
use crate::report::folder::staging::AtomicOutputFile;
use crate::report::text::sentences::replace_control_chars;
use crate::study::experiment::ExperimentSpec;

/// Print odds cards from a grid
///
/// The [[card]] tables of the file set the content and layout of the cards; without any, a sensible
/// card is laid out for every contest.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade table asl fire fp=2..12 drm=-2..3 target.unit=4-4-7 target.nation=Russian
  enfilade table experiments/cards/fire_table.toml --paper letter --out fire-table.pdf
  enfilade table experiments/variants/no_cowering.toml --less experiments/variants/cowering.toml")]
pub struct TableArgs {
    /// The question: a file, or a rulebook with an action and fields
    #[command(flatten)]
    pub question: QuestionArgs,
    /// Print the differences of FILE from OTHER: another file, or a contest of FILE
    #[arg(long, value_name = "OTHER")]
    pub less: Option<PathBuf>,
    /// How to write the cards [default: the format of the name of --out, else pdf]
    #[arg(long, value_parser = output_format::output_format_parser::<CardOutputFormat>())]
    pub format: Option<OutputFormat<CardOutputFormat>>,
    /// The paper of pdf, svg, png and html
    #[arg(long, value_parser = output_format::parser_of_words(OFFERED_SHEET_SIZES, SheetSize::name_and_description), default_value = "a4")]
    pub paper: SheetSize,
    /// Turn the paper on its long side
    #[arg(long)]
    pub landscape: bool,
    /// The file to write [default: NAME.pdf, or NAME-less.pdf, for pdf; standard output for the
    /// others]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace a file whose name does not end with the format
    #[arg(long)]
    pub overwrite: bool,
    /// The records of CSV
    #[command(flatten)]
    pub records: CsvLayout,
    /// Rulebooks in text files
    #[command(flatten)]
    pub rulebooks: ExtraRulebookArgs,
    /// Options of the solution
    #[command(flatten)]
    pub options: CellSolutionArgs,
}

/// The layout of CSV records.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Records of --format csv")]
#[group(multiple = false)]
pub struct CsvLayout {
    /// One number per record, in full: the default
    #[arg(long)]
    pub long: bool,
    /// The card as it looks
    #[arg(long)]
    pub wide: bool,
    /// One row per record, for the data merge of nanDECK and InDesign
    #[arg(long)]
    pub merge: bool,
}

/// Formats of cards, in addition to those of every report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CardOutputFormat {
    /// Pages as pictures.
    Picture(&'static PictureFormat),
    /// A web page that prints well.
    Html,
    /// Comma-separated values.
    Csv,
}

impl ValueEnum for CardOutputFormat {
    fn value_variants<'a>() -> &'a [CardOutputFormat] {
        static ALL_CARD_FILE_FORMATS: LazyLock<Vec<CardOutputFormat>> = LazyLock::new(|| {
            PICTURE_FORMATS
                .iter()
                .map(CardOutputFormat::Picture)
                .chain([CardOutputFormat::Html, CardOutputFormat::Csv])
                .collect()
        });
        &ALL_CARD_FILE_FORMATS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            CardOutputFormat::Picture(picture) => {
                PossibleValue::new(picture.ending).help(picture.about)
            }
            CardOutputFormat::Html => {
                PossibleValue::new("html").help("A web page that prints well")
            }
            CardOutputFormat::Csv => PossibleValue::new("csv").help("Comma-separated values"),
        })
    }
}

/// The paper sizes of cards.
const OFFERED_SHEET_SIZES: &[SheetSize] = &[
    SheetSize::A4,
    SheetSize::Letter,
    SheetSize::A5,
    SheetSize::A6,
    SheetSize::Poker,
    SheetSize::EightUp,
];

/// The number of cards of a small paper that is worth a remark.
const MANY_CARDS: usize = 8;

/// Whether a paper is smaller than A5.
fn is_smaller_than_a5(sheet: SheetSize) -> bool {
    matches!(sheet, SheetSize::A6 | SheetSize::Poker | SheetSize::EightUp)
}

/// The marker in every PDF of this program.
const PDF_CREATOR_MARKER: &[u8] = b"enfilade ";

impl TableArgs {
    /// Lays the cards out and writes them.
    ///
    /// # Errors
    /// When the arguments do not fit together, the file cannot be read or has faults, a contest is
    /// too large, or the cards cannot be written.
    pub fn write_cards(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let format = self.chosen_card_format()?;
        let input =
            question_args::open_file_or_question(catalogue, &self.rulebooks, &self.question)?;
        let own = command_steps::plan_run_of_input(
            catalogue,
            &self.rulebooks,
            &self.options,
            (input, CellCountLimit::Shown),
        )?;
        let how = (&self.rulebooks, &self.options);
        let other = |path| BaselineOfCard::find_contest_or_file(catalogue, how, &own, path);
        let other = self.less.as_deref().map(other).transpose()?;
        let place = self.path_of_card_file(&own.spec, format);
        let file = place.as_ref().map(|path| self.open_card_file(path)).transpose()?;
        let mut own = FileWithAnswers::solve_plan_cells(own, &self.options)?;
        let less = other
            .map(|other| AnsweredBaseline::answer_if_other_file(other, &self.options))
            .transpose()?;
        let table_file = match &less {
            // Half a card is useless, and may not replace a whole one.
            _ if own.solved.interrupted => None,
            Some(AnsweredBaseline { side: Some(side), .. }) if side.solved.interrupted => None,
            Some(less) => Some(less.render_difference_cards(&own, format)?),
            None => Some(card::encode_cards(&own.experiment, &own.solved.answers, format)?),
        };
        self.remark_many_cards(&own, format)?;
        let others = less.and_then(|less| less.side).and_then(|side| side.error);
        let error = own.error.take().or(others);
        let Some(table_file) = table_file else {
            return Ok(OutputAndError::new("", error));
        };
        let text = match (place, file) {
            (Some(path), Some(file)) => {
                file.write_whole_content(&table_file)?;
                format!("wrote {}\n", replace_control_chars(&path.display().to_string()))
                    .into_bytes()
            }
            _ => table_file,
        };
        Ok(OutputAndError::new(text, error))
    }

    /// Prints the number of cards on standard error where a small paper needs many of them.
    fn remark_many_cards(
        &self,
        own: &FileWithAnswers,
        format: WrittenCardFormat,
    ) -> Result<(), Error> {
        let WrittenCardFormat::Picture(_, paper) = format else { return Ok(()) };
        if self.less.is_some() || own.solved.interrupted || !is_smaller_than_a5(self.paper) {
            return Ok(());
        }
        let answers = &own.solved.answers;
        let pages =
            card::lay_out_card_pages(&own.experiment, answers, paper, &NEVER_CANCELLED)?.len();
        if pages > MANY_CARDS {
            error_report::write_remark_to_stderr(&format!(
                "{pages} cards: to have fewer, give the [[card]] fewer `lines`, or a larger --paper, such as a5"
            ));
        }
        Ok(())
    }

    /// Opens the file of the cards, before any work.
    fn open_card_file(&self, path: &Path) -> Result<AtomicOutputFile, Error> {
        let read: Vec<_> = [&self.question.file].into_iter().chain(&self.less).cloned().collect();
        let single = AtomicOutputFile::prepare_at_path(path, &read)?;
        let there = path.metadata().is_ok_and(|metadata| metadata.is_file());
        if there && !self.overwrite && !self.may_overwrite_card(path) {
            return Err(Error::Usage(format!(
                "{} exists and does not look like a card: give another --out, or replace it with --overwrite",
                path.display(),
            )));
        }
        Ok(single)
    }

    /// Whether `path` is a card that may be replaced: under a name that the user gave, if it ends
    /// with the format; under a default name, if its content shows that this program wrote it.
    fn may_overwrite_card(&self, path: &Path) -> bool {
        if self.out.is_some() {
            return self.format.is_none_or(|format| format_from_path(path).ok() == Some(format));
        }
        let content = plain_file::read_bytes_up_to(path, MAX_OWN_TABLE_BYTES).unwrap_or_default();
        content.windows(PDF_CREATOR_MARKER.len()).any(|window| window == PDF_CREATOR_MARKER)
    }

    /// Path of the cards; `None` for standard output.
    fn path_of_card_file(
        &self,
        experiment: &ExperimentSpec,
        format: WrittenCardFormat,
    ) -> Option<PathBuf> {
        let less = if self.less.is_some() { "-less" } else { "" };
        let own = || PathBuf::from(format!("{}{less}.pdf", experiment.default_result_folder()));
        let pdf =
            matches!(format, WrittenCardFormat::Picture(picture, _) if picture.ending == "pdf");
        self.out.clone().or_else(|| pdf.then(own))
    }

    fn chosen_card_format(&self) -> Result<WrittenCardFormat, Error> {
        let kind = match (self.format, &self.out) {
            (Some(kind), _) => kind,
            (None, Some(path)) => format_from_path(path)?,
            (None, None) => format_for_extension("pdf")?,
        };
        let records = self.records;
        // A silently ignored option would look as if it had been followed.
        if kind != OutputFormat::Own(CardOutputFormat::Csv)
            && (records.long || records.wide || records.merge)
        {
            let problem = "--long, --wide and --merge apply to CSV only: add --format csv";
            return Err(Error::Usage(problem.to_owned()));
        }
        let paper = OrientedPaperSheet { sheet: self.paper, landscape: self.landscape };
        let kind = match kind {
            OutputFormat::Page(writer) => return Ok(WrittenCardFormat::Text(writer)),
            OutputFormat::Own(kind) => kind,
        };
        Ok(match kind {
            CardOutputFormat::Picture(picture) if picture.ending == "png" && self.out.is_none() => {
                let problem = "a PNG is not text: name its file with --out";
                return Err(Error::Usage(problem.to_owned()));
            }
            CardOutputFormat::Picture(picture) => WrittenCardFormat::Picture(picture, paper),
            CardOutputFormat::Html => WrittenCardFormat::Html(paper),
            CardOutputFormat::Csv => WrittenCardFormat::Csv(records.to_csv_record_layout()),
        })
    }
}

impl CsvLayout {
    fn to_csv_record_layout(self) -> CardPartPerCsvRecord {
        match self {
            CsvLayout { wide: true, .. } => CardPartPerCsvRecord::Wide,
            CsvLayout { merge: true, .. } => CardPartPerCsvRecord::Merge,
            _ => CardPartPerCsvRecord::Long,
        }
    }
}

/// The format that matches the ending of a file name.
fn format_from_path(path: &Path) -> Result<OutputFormat<CardOutputFormat>, Error> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let ending = ending.unwrap_or_default();
    format_for_extension(&ending)
}

/// The format with this file name ending.
fn format_for_extension(ending: &str) -> Result<OutputFormat<CardOutputFormat>, Error> {
    if let Some(picture) = PictureFormat::format_for_extension(ending) {
        return Ok(OutputFormat::Own(CardOutputFormat::Picture(picture)));
    }
    let page = || WIDTHLESS_BLOCK_FORMATS.iter().find(|writer| writer.endings.contains(&ending));
    match ending {
        "html" | "htm" => Ok(OutputFormat::Own(CardOutputFormat::Html)),
        "csv" => Ok(OutputFormat::Own(CardOutputFormat::Csv)),
        _ => page().map(OutputFormat::Page).ok_or_else(|| {
            Error::Usage(
                "the name after --out does not end with pdf, svg, png, html, md or csv: choose one with --format"
                    .to_owned(),
            )
        }),
    }
}
