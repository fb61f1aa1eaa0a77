//! `enfilade odds`.

use std::io::{BufWriter, ErrorKind, Write};
use std::sync::Arc;

use clap::Args;

use super::format::{self, Shown};
use super::one_law::OneLaw;
use super::options::{Options, Rulebooks};
use super::page::Page;
use super::progress::Progress;
use super::question::{self, Question};
use super::work::{self, Size};
#[cfg(feature = "xlsx")]
use crate::cancel::NEVER;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::report::answers::answer_tables::ContestTables;
use crate::report::answers::{strategy_report, trade_off_tables};
use crate::report::run::streaming_output::{Flow, Lines};
use crate::report::tables::csv::Decimal;
use crate::report::tables::table_writer::Kind;
use crate::report::terminal::Screen;
use crate::report::{self, Style};
use crate::seek::matters;
use crate::study::checkpoint::run_journal::RunJournal;
use crate::study::file::document::Input;
use crate::study::solve::streaming::{self, AnswerSink};
use crate::study::solve::{RunPlan, Solved};
use crate::study::strategy;

/// Answer the contests of a file, or one question, on the terminal
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade odds asl fire fp=8 drm=-1 target.unit=4-4-7 target.nation=Russian
  enfilade odds asl fire fp=4,8,16 drm=-2..2 target.kind=squad target.morale=7 --exact-only
  printf 'contest = { system = \"asl\", action = \"fire\", fp = [4, 8, 16],
    target = { kind = \"squad\", morale = 7 } }' | enfilade odds -")]
pub struct Odds {
    /// The question: a file, or a rulebook with an action and fields
    #[command(flatten)]
    pub question: Question,
    /// How to write the answers
    #[arg(long, value_parser = format::reader::<Format>(), default_value = "table")]
    pub format: Shown<Format>,
    /// The form of numbers in CSV: with decimal commas, semicolons separate the fields
    #[arg(long, value_parser = format::one_of(&[Decimal::Point, Decimal::Comma], decimal), default_value = "point")]
    pub decimal: Decimal,
    /// Show instead the worth of one step of every other field in steps of this one: `--worth drm`
    #[arg(long, value_name = "FIELD")]
    pub worth: Option<String>,
    /// Show instead the effect of one step of every number on a measure, of fields and of numbers
    /// of the rulebook alike, and the share of each axis in its variance: `--matters p_kill`
    #[arg(long, value_name = "MEASURE", num_args = 0..=1, conflicts_with = "worth")]
    pub matters: Option<Option<String>>,
    /// Tell instead the law of one show, or of one tally, by itself: `--law lost`
    #[arg(long, value_name = "NAME", conflicts_with_all = ["worth", "matters"])]
    pub law: Option<String>,
    /// Tell the law of the trials alone that end so: `--given won`, `--given "lost >= 2"`
    #[arg(long, value_name = "TEST", requires = "law")]
    pub given: Option<String>,
    /// Tell also what best play does at each `choose`, and the shortest rule for it
    #[arg(long, conflicts_with_all = ["worth", "matters", "law"])]
    pub strategy: bool,
    /// Rulebooks in text files
    #[command(flatten)]
    pub rulebooks: Rulebooks,
    /// Options of the solution
    #[command(flatten)]
    pub options: Options,
}

/// The word of a decimal mark, with an example.
fn decimal(way: Decimal) -> (&'static str, &'static str) {
    match way {
        Decimal::Point => ("point", "0.5"),
        Decimal::Comma => ("comma", "0,5"),
    }
}

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Aligned columns for reading
    Table,
    /// One JSON document
    Json,
    /// A JSON object a line for every cell, of any number
    Jsonl,
    /// Comma-separated values, of any number of cells
    Csv,
    /// A Parquet file, of any number of cells
    #[cfg(feature = "parquet")]
    Parquet,
    /// A workbook for spreadsheets, two sheets for each contest
    #[cfg(feature = "xlsx")]
    Xlsx,
}

impl Odds {
    /// Answers every cell.
    ///
    /// # Errors
    /// When the file cannot be read or has faults, or a contest is too large.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        if self.decimal == Decimal::Comma && self.format != Shown::Own(Format::Csv) {
            let problem = "--decimal comma applies to CSV only: add --format csv";
            return Err(Error::Usage(problem.to_owned()));
        }
        if let Some(currency) = &self.worth {
            return self.told_in(catalogue, currency);
        }
        if let Some(name) = &self.law {
            return self.single_law(catalogue, name);
        }
        if let Some(measure) = &self.matters {
            return self.what_matters(catalogue, measure.as_deref());
        }
        if self.strategy {
            return self.with_strategy(catalogue);
        }
        let text = |style| self.printed(catalogue, report::Format::Text(style));
        let format = match self.format {
            Shown::Own(Format::Csv) => Flow::Table(Kind::Csv(self.decimal)),
            Shown::Own(Format::Jsonl) => Flow::Jsonl,
            #[cfg(feature = "parquet")]
            Shown::Own(Format::Parquet) => Flow::Table(Kind::Parquet),
            Shown::Own(Format::Table) => return text(Style::Terminal(Screen::of_stdout())),
            Shown::Own(Format::Json) => return self.printed(catalogue, report::Format::Json),
            #[cfg(feature = "xlsx")]
            Shown::Own(Format::Xlsx) => return self.workbook(catalogue),
            Shown::Page(writer) => return text(Style::Page(writer)),
        };
        match self.flown(catalogue, format) {
            // A reader that closes early, such as `head`, is no error.
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::BrokenPipe => {
                Ok(Page::from(String::new()))
            }
            other => other,
        }
    }

    fn input(&self, catalogue: &Catalogue) -> Result<Input, Error> {
        question::input(catalogue, &self.rulebooks, &self.question)
    }

    /// Streams the answers.
    fn flown(&self, catalogue: &Catalogue, format: Flow) -> Result<Page, Error> {
        let plan = self.plan(catalogue, Size::Any)?;
        let experiment = Arc::clone(&plan.spec);
        // Few enough to be collected: an error is told at its place in the file, and not in a row.
        if plan.is_kept() {
            let (solved, _) = work::collect(plan, &self.options, &mut RunJournal::None)?;
            let trouble = work::trouble(&solved, experiment.asked);
            let mut bytes = Vec::new();
            let mut lines = Lines::new(format, &solved.answers, &mut bytes)?;
            let mut answers = solved.answers.into_iter();
            while !answers.as_slice().is_empty() {
                lines.take(answers.by_ref().take(streaming::BLOCK as usize).collect())?;
            }
            lines.finish()?;
            return Ok(Page::new(bytes, trouble));
        }
        // A few cells determine the columns: the table begins before all are answered.
        let mut lines = Lines::new(format, &plan.sample(), out())?;
        let end = work::run(plan, &self.options, &mut RunJournal::None, &mut lines)?;
        work::remark_on(&lines.left_out, experiment.asked);
        let trouble = work::trouble_of_lines(&lines, end, &experiment);
        lines.finish()?;
        Ok(Page::new("", trouble))
    }

    /// Writes all answers to a workbook.
    #[cfg(feature = "xlsx")]
    fn workbook(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let (solved, trouble) = self.kept(catalogue)?;
        Ok(Page::new(report::tables::xlsx::workbook(&solved.answers, &NEVER)?, trouble))
    }

    fn printed(&self, catalogue: &Catalogue, format: report::Format) -> Result<Page, Error> {
        let (solved, trouble) = self.kept(catalogue)?;
        let mut text = Vec::new();
        report::print(&solved.answers, format, &mut text)?;
        Ok(Page::new(text, trouble))
    }

    /// The answers with what best play does.
    fn with_strategy(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let (solved, trouble) = self.kept(catalogue)?;
        let style = match self.format {
            Shown::Own(Format::Table) => Some(Style::Terminal(Screen::of_stdout())),
            Shown::Page(writer) => Some(Style::Page(writer)),
            Shown::Own(Format::Json) => None,
            Shown::Own(_) => {
                let problem = "a strategy is told as a table, JSON, Markdown or a page";
                return Err(Error::Usage(problem.to_owned()));
            }
        };
        let found = solved.answers.iter().map(|answer| strategy::strategies(answer, &NEVER));
        let found = found.collect::<Result<Vec<_>, _>>()?;
        let Some(style) = style else {
            let text = strategy_report::render(&solved.answers, &found);
            return Ok(Page::new(text, trouble));
        };
        let mut text = Vec::new();
        report::print(&solved.answers, report::Format::Text(style), &mut text)?;
        let cells = solved.answers.iter().zip(&found);
        let blocks: Vec<_> =
            cells.flat_map(|(cell, own)| strategy_report::blocks(cell, own)).collect();
        text.extend_from_slice(style.write(&blocks).as_bytes());
        Ok(Page::new(text, trouble))
    }

    /// The law of one thing by itself, in every cell.
    fn single_law(&self, catalogue: &Catalogue, name: &str) -> Result<Page, Error> {
        let (solved, trouble) = self.kept(catalogue)?;
        let style = match self.format {
            Shown::Own(Format::Table) => Style::Terminal(Screen::of_stdout()),
            Shown::Page(writer) => Style::Page(writer),
            Shown::Own(_) => {
                let problem = "the law of one thing is told as a table, Markdown or a page";
                return Err(Error::Usage(problem.to_owned()));
            }
        };
        let asked = OneLaw::parse(name, self.given.as_deref())?;
        let blocks = solved.answers.iter().map(|answer| asked.blocks(answer));
        let blocks: Vec<_> = blocks.collect::<Result<Vec<_>, _>>()?.concat();
        Ok(Page::new(style.write(&blocks), trouble))
    }

    /// Prints the trade-off of one step in the steps of a field.
    fn told_in(&self, catalogue: &Catalogue, currency: &str) -> Result<Page, Error> {
        let (solved, trouble) = self.kept(catalogue)?;
        let worths = trade_off_tables::of(&solved.answers, currency)?;
        let style = match self.format {
            Shown::Own(Format::Table) => Style::Terminal(Screen::of_stdout()),
            Shown::Page(writer) => Style::Page(writer),
            Shown::Own(_) => {
                let problem = "--worth writes tables, Markdown or a page: use one of these formats";
                return Err(Error::Usage(problem.to_owned()));
            }
        };
        let blocks: Vec<_> = worths.into_iter().flat_map(ContestTables::blocks).collect();
        let text = style.write(&blocks);
        Ok(Page::new(text, trouble))
    }

    /// Prints the effects of one step of every number on a measure.
    fn what_matters(&self, catalogue: &Catalogue, measure: Option<&str>) -> Result<Page, Error> {
        if self.format != Shown::Own(Format::Table) {
            return Err(Error::Usage("--matters writes a table: leave out --format".to_owned()));
        }
        let input = self.input(catalogue)?;
        let experiment = work::understood(catalogue, &self.rulebooks, &input)?;
        let progress = Progress::over(experiment.asked, self.options.machine.quiet)?;
        let pool = self.options.machine.pool()?;
        let found = pool.install(|| matters::matters(&experiment, measure, &progress));
        progress.finish();
        Ok(Page::from(matters::page(&found?)))
    }

    /// Collects all answers, or those that a search keeps, with the error to report after them.
    fn kept(&self, catalogue: &Catalogue) -> Result<(Solved, Option<Error>), Error> {
        let plan = self.plan(catalogue, Size::Shown)?;
        let experiment = Arc::clone(&plan.spec);
        let (solved, left_out) = work::collect(plan, &self.options, &mut RunJournal::None)?;
        work::remark_on(&left_out, experiment.asked);
        let nothing = experiment.search.is_some() && solved.answers.is_empty();
        let trouble = match nothing && !solved.interrupted {
            true => work::nothing_fits(&experiment, &left_out),
            false => work::trouble(&solved, experiment.asked),
        };
        Ok((solved, trouble))
    }

    fn plan(&self, catalogue: &Catalogue, size: Size) -> Result<RunPlan, Error> {
        let input = self.input(catalogue)?;
        work::plan(catalogue, &self.rulebooks, &self.options, (input, size))
    }
}

/// Opens standard output with a buffer.
fn out() -> impl Write + Send {
    BufWriter::with_capacity(1 << 16, std::io::stdout())
}
