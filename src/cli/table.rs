//! `enfilade table`.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use super::format::{self, Shown};
use super::options::{Options, Rulebooks};
use super::page::Page;
use super::question::{self, Question};
use super::sides::{Less, Other, Side};
use super::work::{self, Size};
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::plain_file::{self, TABLED};
use crate::report::blocks::WRITERS;
use crate::report::card::card_csv::Shape;
use crate::report::card::{self, Format, Paper, Sheet};
use crate::report::drawing::{PICTURES, Picture};
use crate::report::folder::staging::Single;
use crate::report::text::sentences::clean;
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
pub struct Table {
    /// The question: a file, or a rulebook with an action and fields
    #[command(flatten)]
    pub question: Question,
    /// Print the differences of FILE from OTHER: another file, or a contest of FILE
    #[arg(long, value_name = "OTHER")]
    pub less: Option<PathBuf>,
    /// How to write the cards [default: the format of the name of --out, else pdf]
    #[arg(long, value_parser = format::reader::<Kind>())]
    pub format: Option<Shown<Kind>>,
    /// The paper of pdf, svg, png and html
    #[arg(long, value_parser = format::one_of(SHEETS, Sheet::named), default_value = "a4")]
    pub paper: Sheet,
    /// Turn the paper on its long side
    #[arg(long)]
    pub landscape: bool,
    /// The file to write [default: NAME.pdf, or NAME-less.pdf, for pdf; standard output for the others]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace a file whose name does not end with the format
    #[arg(long)]
    pub overwrite: bool,
    /// The records of CSV
    #[command(flatten)]
    pub records: Records,
    /// Rulebooks in text files
    #[command(flatten)]
    pub rulebooks: Rulebooks,
    /// Options of the solution
    #[command(flatten)]
    pub options: Options,
}

/// The layout of CSV records.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Records of --format csv")]
#[group(multiple = false)]
pub struct Records {
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
pub enum Kind {
    /// Pages as pictures.
    Picture(&'static Picture),
    /// A web page that prints well.
    Html,
    /// Comma-separated values.
    Csv,
}

impl ValueEnum for Kind {
    fn value_variants<'a>() -> &'a [Kind] {
        static ALL: LazyLock<Vec<Kind>> = LazyLock::new(|| {
            PICTURES.iter().map(Kind::Picture).chain([Kind::Html, Kind::Csv]).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Kind::Picture(picture) => PossibleValue::new(picture.ending).help(picture.about),
            Kind::Html => PossibleValue::new("html").help("A web page that prints well"),
            Kind::Csv => PossibleValue::new("csv").help("Comma-separated values"),
        })
    }
}

/// The paper sizes of cards.
const SHEETS: &[Sheet] =
    &[Sheet::A4, Sheet::Letter, Sheet::A5, Sheet::A6, Sheet::Poker, Sheet::EightUp];

/// The marker in every PDF of this program.
const CREATOR: &[u8] = b"enfilade ";

impl Table {
    /// Lays the cards out and writes them.
    ///
    /// # Errors
    /// When the arguments do not fit together, the file cannot be read or has faults, a contest is
    /// too large, or the cards cannot be written.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let format = self.chosen()?;
        let input = question::input(catalogue, &self.rulebooks, &self.question)?;
        let own = work::plan(catalogue, &self.rulebooks, &self.options, (input, Size::Shown))?;
        let how = (&self.rulebooks, &self.options);
        let other = |path| Other::read(catalogue, how, &own, path);
        let other = self.less.as_deref().map(other).transpose()?;
        let place = self.place(&own.spec, format);
        let file = place.as_ref().map(|path| self.tried(path)).transpose()?;
        let mut own = Side::answered(own, &self.options)?;
        let less = other.map(|other| Less::answered(other, &self.options)).transpose()?;
        let made = match &less {
            // Half a card is useless, and may not replace a whole one.
            _ if own.solved.interrupted => None,
            Some(Less { side: Some(side), .. }) if side.solved.interrupted => None,
            Some(less) => Some(less.cards(&own, format)?),
            None => Some(card::write(&own.experiment, &own.solved.answers, format)?),
        };
        let others = less.and_then(|less| less.side).and_then(|side| side.trouble);
        let trouble = own.trouble.take().or(others);
        let Some(made) = made else {
            return Ok(Page::new("", trouble));
        };
        let text = match (place, file) {
            (Some(path), Some(file)) => {
                file.write(&made)?;
                format!("wrote {}\n", clean(&path.display().to_string())).into_bytes()
            }
            _ => made,
        };
        Ok(Page::new(text, trouble))
    }

    /// Opens the file of the cards, before any work.
    fn tried(&self, path: &Path) -> Result<Single, Error> {
        let read: Vec<_> = [&self.question.file].into_iter().chain(&self.less).cloned().collect();
        let single = Single::new(path, &read)?;
        let there = path.metadata().is_ok_and(|found| found.is_file());
        if there && !self.overwrite && !self.may_replace(path) {
            return Err(Error::Usage(format!(
                "{} exists and does not look like a card: give another --out, or replace it with --overwrite",
                path.display(),
            )));
        }
        Ok(single)
    }

    /// Whether `path` is a card that may be replaced: under a name that the user gave, if it ends
    /// with the format; under a default name, if its content shows that this program wrote it.
    fn may_replace(&self, path: &Path) -> bool {
        if self.out.is_some() {
            return self.format.is_none_or(|format| kind_of(path).ok() == Some(format));
        }
        let content = plain_file::read(path, TABLED).unwrap_or_default();
        content.windows(CREATOR.len()).any(|window| window == CREATOR)
    }

    /// Path of the cards; `None` for standard output.
    fn place(&self, experiment: &ExperimentSpec, format: Format) -> Option<PathBuf> {
        let less = if self.less.is_some() { "-less" } else { "" };
        let own = || PathBuf::from(format!("{}{less}.pdf", experiment.folder()));
        let pdf = matches!(format, Format::Picture(picture, _) if picture.ending == "pdf");
        self.out.clone().or_else(|| pdf.then(own))
    }

    fn chosen(&self) -> Result<Format, Error> {
        let kind = match (self.format, &self.out) {
            (Some(kind), _) => kind,
            (None, Some(path)) => kind_of(path)?,
            (None, None) => named("pdf")?,
        };
        let records = self.records;
        // A silently ignored option would look as if it had been followed.
        if kind != Shown::Own(Kind::Csv) && (records.long || records.wide || records.merge) {
            let problem = "--long, --wide and --merge apply to CSV only: add --format csv";
            return Err(Error::Usage(problem.to_owned()));
        }
        let paper = Paper { sheet: self.paper, landscape: self.landscape };
        let kind = match kind {
            Shown::Page(writer) => return Ok(Format::Text(writer)),
            Shown::Own(kind) => kind,
        };
        Ok(match kind {
            Kind::Picture(picture) if picture.ending == "png" && self.out.is_none() => {
                let problem = "a PNG is not text: name its file with --out";
                return Err(Error::Usage(problem.to_owned()));
            }
            Kind::Picture(picture) => Format::Picture(picture, paper),
            Kind::Html => Format::Html(paper),
            Kind::Csv => Format::Csv(records.shape()),
        })
    }
}

impl Records {
    fn shape(self) -> Shape {
        match self {
            Records { wide: true, .. } => Shape::Wide,
            Records { merge: true, .. } => Shape::Merge,
            _ => Shape::Long,
        }
    }
}

/// The format that matches the ending of a file name.
fn kind_of(path: &Path) -> Result<Shown<Kind>, Error> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let ending = ending.unwrap_or_default();
    named(&ending)
}

/// The format with this file name ending.
fn named(ending: &str) -> Result<Shown<Kind>, Error> {
    if let Some(picture) = Picture::ending(ending) {
        return Ok(Shown::Own(Kind::Picture(picture)));
    }
    let page = || WRITERS.iter().find(|writer| writer.endings.contains(&ending));
    match ending {
        "html" | "htm" => Ok(Shown::Own(Kind::Html)),
        "csv" => Ok(Shown::Own(Kind::Csv)),
        _ => page().map(Shown::Page).ok_or_else(|| {
            Error::Usage(
                "the name after --out does not end with pdf, svg, png, html, md or csv: choose one with --format"
                    .to_owned(),
            )
        }),
    }
}
