//! `enfilade odds`.

use std::io::{BufWriter, ErrorKind, Write};
use std::sync::Arc;

use clap::Args;

use super::influence_pictures;
use super::one_distribution::ShowOrTallyDistributionQuery;
use crate::cancel::NEVER_CANCELLED;
use crate::catalogue::Catalogue;
use crate::cli::args::output_format::{self, OutputFormat};
use crate::cli::args::question_args::{self, QuestionArgs};
use crate::cli::args::{CellSolutionArgs, ExtraRulebookArgs};
use crate::cli::command_output::OutputAndError;
use crate::cli::command_steps::{self, CellCountLimit};
use crate::cli::progress::TerminalRunProgress;
use crate::error::{Error, FileError};
use crate::report::answers::answer_tables::TablesOfContest;
use crate::report::answers::{strategy_report, strategy_table, trade_off_tables};
use crate::report::run::streaming_output::{AnswerStreamSink, StreamableFormat};
use crate::report::tables::csv::DecimalSign;
use crate::report::tables::table_writer::TableFormat;
use crate::report::terminal::TerminalCapabilities;
use crate::report::{self, ReportStyle};
use crate::seek::measure_influences;
use crate::study::checkpoint::run_journal::CellOrBlockJournal;
use crate::study::file::source_document::SourceInput;
use crate::study::solve::streaming::{self, AnswerSink};
use crate::study::solve::{AnswersAndInterruption, RunPlan};
use crate::study::strategy;

/// Answer the contests of a file, or one question, on the terminal
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade odds asl fire fp=8 drm=-1 target.unit=4-4-7 target.nation=Russian
  enfilade odds asl fire fp=4,8,16 drm=-2..2 target.kind=squad target.morale=7 --exact-only
  printf 'contest = { system = \"asl\", action = \"fire\", fp = [4, 8, 16],
    target = { kind = \"squad\", morale = 7 } }' | enfilade odds -")]
pub struct OddsArgs {
    /// The question: a file, or a rulebook with an action and fields
    #[command(flatten)]
    pub question: QuestionArgs,
    /// How to write the answers
    #[arg(long, value_parser = output_format::output_format_parser::<OddsOutputFormat>(), default_value = "table")]
    pub format: OutputFormat<OddsOutputFormat>,
    /// The form of numbers in CSV: with decimal commas, semicolons separate the fields
    #[arg(long, value_parser = output_format::parser_of_words(&[DecimalSign::Point, DecimalSign::Comma], decimal_word_and_example), default_value = "point")]
    pub decimal: DecimalSign,
    /// Show instead the worth of one step of every other field in steps of this one: `--worth drm`
    #[arg(long, value_name = "FIELD")]
    pub worth: Option<String>,
    /// Show instead the effect of one step of every number on a measure, of fields and of numbers
    /// of the rulebook alike, and the share of each axis in its variance: `--matters p_kill`
    #[arg(long, value_name = "MEASURE", num_args = 0..=1, conflicts_with = "worth")]
    pub matters: Option<Option<String>>,
    /// Show instead the distribution of one shown value, or of one tally, alone: `--law lost`
    #[arg(long, value_name = "NAME", conflicts_with_all = ["worth", "matters"])]
    pub law: Option<String>,
    /// Count only the trials that end so, with --law: `--given won`, `--given "lost >= 2"`
    #[arg(long, value_name = "TEST", requires = "law")]
    pub given: Option<String>,
    /// Show also the option of best play at each `choose`, and the shortest rule for it
    #[arg(long, conflicts_with_all = ["worth", "matters", "law"])]
    pub strategy: bool,
    /// Rulebooks in text files
    #[command(flatten)]
    pub rulebooks: ExtraRulebookArgs,
    /// Options of the solution
    #[command(flatten)]
    pub options: CellSolutionArgs,
}

/// The word of a decimal mark, with an example.
fn decimal_word_and_example(way: DecimalSign) -> (&'static str, &'static str) {
    match way {
        DecimalSign::Point => ("point", "0.5"),
        DecimalSign::Comma => ("comma", "0,5"),
    }
}

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum OddsOutputFormat {
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

impl OddsArgs {
    /// Answers every cell.
    ///
    /// # Errors
    /// When the file cannot be read or has faults, or a contest is too large.
    pub fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        if self.decimal == DecimalSign::Comma
            && self.format != OutputFormat::Own(OddsOutputFormat::Csv)
        {
            let problem = "--decimal comma applies to CSV only: add --format csv";
            return Err(Error::Usage(problem.to_owned()));
        }
        if let Some(currency) = &self.worth {
            return self.print_step_trade_offs(catalogue, currency);
        }
        if let Some(name) = &self.law {
            return self.render_distribution(catalogue, name);
        }
        if let Some(measure) = &self.matters {
            return self.render_influences(catalogue, measure.as_deref());
        }
        if self.strategy {
            return self.render_with_strategies(catalogue);
        }
        let text = |style| self.render_answers(catalogue, report::PrintedAnswerFormat::Text(style));
        let format = match self.format {
            OutputFormat::Own(OddsOutputFormat::Csv) => {
                StreamableFormat::Table(TableFormat::Csv(self.decimal))
            }
            OutputFormat::Own(OddsOutputFormat::Jsonl) => StreamableFormat::Jsonl,
            #[cfg(feature = "parquet")]
            OutputFormat::Own(OddsOutputFormat::Parquet) => {
                StreamableFormat::Table(TableFormat::Parquet)
            }
            OutputFormat::Own(OddsOutputFormat::Table) => {
                return text(ReportStyle::Terminal(TerminalCapabilities::from_stdout()));
            }
            OutputFormat::Own(OddsOutputFormat::Json) => {
                return self.render_answers(catalogue, report::PrintedAnswerFormat::Json);
            }
            #[cfg(feature = "xlsx")]
            OutputFormat::Own(OddsOutputFormat::Xlsx) => {
                return self.build_workbook_output(catalogue);
            }
            OutputFormat::Page(writer) => return text(ReportStyle::Page(writer)),
        };
        match self.stream_all_answers(catalogue, format) {
            // A reader that closes early, such as `head`, is no error.
            Err(Error::File(FileError { source, .. }))
                if source.kind() == ErrorKind::BrokenPipe =>
            {
                Ok(OutputAndError::from(String::new()))
            }
            other => other,
        }
    }

    fn read_question_input(&self, catalogue: &Catalogue) -> Result<SourceInput, Error> {
        question_args::open_file_or_question(catalogue, &self.rulebooks, &self.question)
    }

    /// Streams the answers.
    fn stream_all_answers(
        &self,
        catalogue: &Catalogue,
        format: StreamableFormat,
    ) -> Result<OutputAndError, Error> {
        let plan = self.plan_odds_run(catalogue, CellCountLimit::Any)?;
        let experiment = Arc::clone(&plan.spec);
        // Few enough to be collected, so an error is reported at its place in the file, not in a
        // row.
        if plan.collects_all_answers() {
            let (solved, _) = command_steps::collect_answers_of_plan(
                plan,
                &self.options,
                &mut CellOrBlockJournal::None,
            )?;
            let error = command_steps::disagreement_or_interruption(&solved, experiment.cell_count);
            let mut bytes = Vec::new();
            let mut lines = AnswerStreamSink::new(format, &solved.answers, &mut bytes)?;
            let mut answers = solved.answers.into_iter();
            while !answers.as_slice().is_empty() {
                lines.receive_answer_block(
                    answers.by_ref().take(streaming::CELLS_PER_BLOCK as usize).collect(),
                )?;
            }
            lines.finish_stream()?;
            return Ok(OutputAndError::new(bytes, error));
        }
        // A few cells determine the columns: the table begins before all are answered.
        let mut lines = AnswerStreamSink::new(format, &plan.rows_without_results(), open_stdout())?;
        let end = command_steps::run_plan_into_sink(
            plan,
            &self.options,
            &mut CellOrBlockJournal::None,
            &mut lines,
        )?;
        command_steps::remark_broken_checks(&lines.left_out, experiment.cell_count);
        let error = command_steps::error_to_report_after_stream(&lines, end, &experiment);
        lines.finish_stream()?;
        Ok(OutputAndError::new("", error))
    }

    /// Writes all answers to a workbook.
    #[cfg(feature = "xlsx")]
    fn build_workbook_output(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let (solved, error) = self.collect_answers(catalogue)?;
        Ok(OutputAndError::new(
            report::tables::xlsx::build_workbook_of_answers(&solved.answers, &NEVER_CANCELLED)?,
            error,
        ))
    }

    fn render_answers(
        &self,
        catalogue: &Catalogue,
        format: report::PrintedAnswerFormat,
    ) -> Result<OutputAndError, Error> {
        let (solved, error) = self.collect_answers(catalogue)?;
        let mut text = Vec::new();
        report::print_answers(&solved.answers, format, &mut text)?;
        Ok(OutputAndError::new(text, error))
    }

    /// Prints the answers with best play at each decision.
    fn render_with_strategies(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let style = match self.format {
            OutputFormat::Own(OddsOutputFormat::Table) => {
                Some(ReportStyle::Terminal(TerminalCapabilities::from_stdout()))
            }
            OutputFormat::Page(writer) => Some(ReportStyle::Page(writer)),
            OutputFormat::Own(OddsOutputFormat::Json | OddsOutputFormat::Csv) => None,
            OutputFormat::Own(_) => {
                let problem = "--strategy writes a table, CSV, JSON, Markdown or a page: use one of these formats";
                return Err(Error::Usage(problem.to_owned()));
            }
        };
        let (solved, error) = self.collect_answers(catalogue)?;
        let rulebooks = solved
            .answers
            .iter()
            .map(|answer| strategy::compute_strategies(answer, &NEVER_CANCELLED));
        let rulebooks = rulebooks.collect::<Result<Vec<_>, _>>()?;
        let Some(style) = style else {
            let text = match self.format {
                OutputFormat::Own(OddsOutputFormat::Csv) => {
                    strategy_table::render_strategy_csv(&solved.answers, &rulebooks, self.decimal)
                }
                _ => strategy_report::render_strategy_json(&solved.answers, &rulebooks),
            };
            return Ok(OutputAndError::new(text, error));
        };
        let mut text = Vec::new();
        report::print_answers(
            &solved.answers,
            report::PrintedAnswerFormat::Text(style),
            &mut text,
        )?;
        let cells = solved.answers.iter().zip(&rulebooks);
        let blocks: Vec<_> = cells
            .flat_map(|(cell, own)| strategy_report::build_blocks_of_cell(cell, own))
            .collect();
        text.extend_from_slice(style.render_blocks(&blocks).as_bytes());
        Ok(OutputAndError::new(text, error))
    }

    /// Prints the distribution of one show or tally, in every cell.
    fn render_distribution(
        &self,
        catalogue: &Catalogue,
        name: &str,
    ) -> Result<OutputAndError, Error> {
        let (solved, error) = self.collect_answers(catalogue)?;
        let style = match self.format {
            OutputFormat::Own(OddsOutputFormat::Table) => {
                ReportStyle::Terminal(TerminalCapabilities::from_stdout())
            }
            OutputFormat::Page(writer) => ReportStyle::Page(writer),
            OutputFormat::Own(_) => {
                let problem = "--law writes a table, Markdown or a page: use one of these formats";
                return Err(Error::Usage(problem.to_owned()));
            }
        };
        let query =
            ShowOrTallyDistributionQuery::parse_name_and_condition(name, self.given.as_deref())?;
        let blocks = solved.answers.iter().map(|answer| query.distribution_blocks(answer));
        let blocks: Vec<_> = blocks.collect::<Result<Vec<_>, _>>()?.concat();
        Ok(OutputAndError::new(style.render_blocks(&blocks), error))
    }

    /// Prints the trade-off of one step in the steps of a field.
    fn print_step_trade_offs(
        &self,
        catalogue: &Catalogue,
        currency: &str,
    ) -> Result<OutputAndError, Error> {
        let (solved, error) = self.collect_answers(catalogue)?;
        let worths = trade_off_tables::tables_in_steps_of_axis(&solved.answers, currency)?;
        let style = match self.format {
            OutputFormat::Own(OddsOutputFormat::Table) => {
                ReportStyle::Terminal(TerminalCapabilities::from_stdout())
            }
            OutputFormat::Page(writer) => ReportStyle::Page(writer),
            OutputFormat::Own(_) => {
                let problem = "--worth writes tables, Markdown or a page: use one of these formats";
                return Err(Error::Usage(problem.to_owned()));
            }
        };
        let blocks: Vec<_> =
            worths.into_iter().flat_map(TablesOfContest::into_titled_blocks).collect();
        let text = style.render_blocks(&blocks);
        Ok(OutputAndError::new(text, error))
    }

    /// Prints the effects of one step of every number on a measure.
    fn render_influences(
        &self,
        catalogue: &Catalogue,
        measure: Option<&str>,
    ) -> Result<OutputAndError, Error> {
        let writer = match self.format {
            OutputFormat::Own(OddsOutputFormat::Table) => None,
            OutputFormat::Page(writer) => Some(writer),
            OutputFormat::Own(_) => {
                let problem =
                    "--matters writes a table, Markdown or a page: use one of these formats";
                return Err(Error::Usage(problem.to_owned()));
            }
        };
        let input = self.read_question_input(catalogue)?;
        let experiment = command_steps::parse_experiment(catalogue, &self.rulebooks, &input)?;
        let progress = TerminalRunProgress::new(experiment.cell_count, self.options.machine.quiet)?;
        let pool = self.options.machine.build_thread_pool()?;
        let influences = pool.install(|| {
            measure_influences::influences_on_each_contest(&experiment, measure, &progress)
        });
        progress.remove_bar();
        let influences = influences?;
        Ok(OutputAndError::from(match writer {
            None => measure_influences::render_influences(&influences),
            Some(writer) => ReportStyle::Page(writer)
                .render_blocks(&influence_pictures::build_influence_blocks(&influences)),
        }))
    }

    /// Collects all answers, or those that a search selects, with the error to report after them.
    fn collect_answers(
        &self,
        catalogue: &Catalogue,
    ) -> Result<(AnswersAndInterruption, Option<Error>), Error> {
        let plan = self.plan_odds_run(catalogue, CellCountLimit::Shown)?;
        let experiment = Arc::clone(&plan.spec);
        let (solved, left_out) = command_steps::collect_answers_of_plan(
            plan,
            &self.options,
            &mut CellOrBlockJournal::None,
        )?;
        command_steps::remark_broken_checks(&left_out, experiment.cell_count);
        let nothing = experiment.search.is_some() && solved.answers.is_empty();
        let error = match nothing && !solved.interrupted {
            true => command_steps::no_fit_error(&experiment, &left_out),
            false => command_steps::disagreement_or_interruption(&solved, experiment.cell_count),
        };
        Ok((solved, error))
    }

    fn plan_odds_run(&self, catalogue: &Catalogue, size: CellCountLimit) -> Result<RunPlan, Error> {
        let input = self.read_question_input(catalogue)?;
        command_steps::plan_run_of_input(catalogue, &self.rulebooks, &self.options, (input, size))
    }
}

/// Opens standard output with a buffer.
fn open_stdout() -> impl Write + Send {
    BufWriter::with_capacity(1 << 16, std::io::stdout())
}
