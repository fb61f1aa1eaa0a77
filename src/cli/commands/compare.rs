//! `enfilade compare`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::catalogue::Catalogue;
use crate::cli::args::output_format::{self, OutputFormat};
use crate::cli::args::question_args;
use crate::cli::args::{CellSolutionArgs, ExtraRulebookArgs};
use crate::cli::command_output::OutputAndError;
use crate::cli::command_steps::{self, CellCountLimit, CommandStartTime};
use crate::cli::compared_files::{self, FileWithAnswers, no_common_cells_error};
use crate::error::Error;
use crate::pricing::arsenal::is_arsenal_text;
use crate::pricing::price::price_changes::compare_pricings;
use crate::report::compare::{self, TwoComparedFiles, arsenal_comparison};
use crate::report::folder::manifest::InputFileWithRulebooks;
use crate::report::{self, ReportStyle, terminal::TerminalCapabilities};
use crate::study::comparison::ExperimentComparison;
use crate::study::file::rulebook_loader::rulebook_name_of_path;
use crate::study::file::source_document::SourceInput;

/// Set two or more variants of an experiment, or two of an arsenal, side by side
///
/// With more than two files, a table has a row for each file, or for each cell of a grid. For two
/// arsenals, the changes of prices are shown, scenario by scenario.
///
/// Contests are matched by name, cells by the values of their axes. Each measure is shown in A, in
/// B, and as the difference B less A: exact if both are exact, else simulated with its interval.
/// Parameters that differ and cells without a partner are listed.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  enfilade compare experiments/variants/cowering.toml experiments/variants/no_cowering.toml")]
pub struct CompareArgs {
    /// The first file: the current variant
    a: PathBuf,
    /// The second file: the variant to compare with it
    b: PathBuf,
    /// More files, each a row or a column beside the first two
    more: Vec<PathBuf>,
    /// A folder for summary, table and picture
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace files in the folder that enfilade did not write, or that were changed since
    #[arg(long)]
    overwrite: bool,
    /// Show every cell and every measure on the terminal, not only the largest differences
    #[arg(long)]
    all: bool,
    /// How to write the comparison
    #[arg(long, value_parser = output_format::output_format_parser::<ComparisonFormat>(), default_value = "table")]
    format: OutputFormat<ComparisonFormat>,
    #[command(flatten)]
    rulebooks: ExtraRulebookArgs,
    #[command(flatten)]
    options: CellSolutionArgs,
}

/// How a comparison is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ComparisonFormat {
    /// Aligned columns for reading
    Table,
    /// One JSON document
    Json,
    /// Comma-separated values
    Csv,
}

impl CompareArgs {
    /// Answers both files and compares them; both are read before anything runs.
    ///
    /// # Errors
    /// When a file cannot be read or has faults, a contest is too large, no cell of one has a
    /// partner in the other, or the results cannot be written; in the page's trouble when engines
    /// disagree or the work was interrupted.
    pub fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let clock = CommandStartTime::now();
        if !self.more.is_empty() {
            return self.answer_and_compare_several(catalogue);
        }
        // Two arsenals have no cells to be paired; their text shows that they are arsenals.
        if let Some(both) = self.read_both_if_arsenals()? {
            return self.price_and_compare_arsenals(catalogue, both, &clock);
        }
        let read = |path| {
            let input = (question_args::read_unless_rulebook(path)?, CellCountLimit::Shown);
            command_steps::plan_run_of_input(catalogue, &self.rulebooks, &self.options, input)
        };
        let (a, b) = (read(&self.a)?, read(&self.b)?);
        let writes = compare::COMPARISON_FILE_NAMES.iter().map(|&name| name.to_owned()).collect();
        let claim = |folder| {
            command_steps::claim_result_folder(folder, &[&self.a, &self.b], self.overwrite, writes)
        };
        // Before any work, so that a fault of the folder is reported at once.
        let claim = self.out.as_deref().map(claim).transpose()?;
        let (a, b) = (
            FileWithAnswers::solve_plan_cells(a, &self.options)?,
            FileWithAnswers::solve_plan_cells(b, &self.options)?,
        );
        let comparison = ExperimentComparison::new(&a.solved.answers, &b.solved.answers);
        let interrupted = a.solved.interrupted || b.solved.interrupted;
        if comparison.pairs.is_empty() && !interrupted {
            return Err(no_common_cells_error([
                (&a.file.name, a.solved.answers.first()),
                (&b.file.name, b.solved.answers.first()),
            ]));
        }
        let names = compared_files::experiment_or_file_names(&a, &b);
        let sides = TwoComparedFiles { a: a.file, b: b.file, names };
        // Half a comparison may not replace a whole one.
        if let Some(claim) = claim.filter(|_| !interrupted) {
            compare::comparison_folder::write_comparison(
                &claim,
                &comparison,
                &sides,
                &clock.facts_of_finished_run(None, None),
            )?;
        }
        let text = compare::render_comparison(
            &comparison,
            &sides,
            to_answer_format(self.format),
            self.all,
        );
        Ok(OutputAndError::new(text, a.error.or(b.error)))
    }

    /// Answers more than two files and sets them side by side.
    fn answer_and_compare_several(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let report::PrintedAnswerFormat::Text(style) = to_answer_format(self.format) else {
            let why = "more than two files are compared as a table: give --format table, markdown or html";
            return Err(Error::Usage(why.to_owned()));
        };
        if self.out.is_some() {
            let why = "more than two files fill no folder: redirect the output of --format html to a file";
            return Err(Error::Usage(why.to_owned()));
        }
        let paths: Vec<_> = [&self.a, &self.b].into_iter().chain(&self.more).collect();
        let plans = paths.iter().map(|path| {
            let input = (question_args::read_unless_rulebook(path)?, CellCountLimit::Shown);
            command_steps::plan_run_of_input(catalogue, &self.rulebooks, &self.options, input)
        });
        // All are read before anything runs.
        let plans = plans.collect::<Result<Vec<_>, Error>>()?;
        let answered =
            plans.into_iter().map(|plan| FileWithAnswers::solve_plan_cells(plan, &self.options));
        let answered = answered.collect::<Result<Vec<_>, Error>>()?;
        for other in &answered[1..] {
            let sides = [&answered[0], other].map(|side| (&*side.file.name, &side.solved.answers));
            if ExperimentComparison::new(sides[0].1, sides[1].1).pairs.is_empty()
                && !other.solved.interrupted
            {
                return Err(no_common_cells_error(
                    sides.map(|(name, answers)| (name, answers.first())),
                ));
            }
        }
        let names: Vec<_> =
            answered.iter().map(|side| rulebook_name_of_path(Path::new(&side.file.name))).collect();
        let named: Vec<_> = names
            .iter()
            .map(String::as_str)
            .zip(answered.iter().map(|side| &*side.solved.answers))
            .collect();
        let text = compare::several::render_several_files(&named, style);
        Ok(OutputAndError::new(text, answered.into_iter().find_map(|side| side.error)))
    }

    /// Reads both files, if they are arsenals.
    fn read_both_if_arsenals(&self) -> Result<Option<[SourceInput; 2]>, Error> {
        // Any other file is read again as an experiment, from its path.
        if [&self.a, &self.b].into_iter().any(|path| path.as_os_str() == "-") {
            return Ok(None);
        }
        let both = [
            question_args::read_unless_rulebook(&self.a)?,
            question_args::read_unless_rulebook(&self.b)?,
        ];
        Ok(both.iter().all(|input| is_arsenal_text(&input.text)).then_some(both))
    }

    /// Prices both arsenals and compares them.
    fn price_and_compare_arsenals(
        &self,
        catalogue: &Catalogue,
        both: [SourceInput; 2],
        clock: &CommandStartTime,
    ) -> Result<OutputAndError, Error> {
        let machine = &self.options.machine;
        let read = |input| command_steps::parse_arsenal(catalogue, &self.rulebooks, input);
        let arsenals = [read(&both[0])?, read(&both[1])?];
        let writes =
            arsenal_comparison::ARSENAL_FILE_NAMES.iter().map(|&name| name.to_owned()).collect();
        let claim = |folder| {
            command_steps::claim_result_folder(folder, &[&self.a, &self.b], self.overwrite, writes)
        };
        let claim = self.out.as_deref().map(claim).transpose()?;
        let battles = command_steps::battle_settings(machine, self.options.trials);
        let priced = |arsenal| {
            command_steps::fight_battles_and_set_prices(arsenal, &battles, machine)
                .map(|(_, pricing)| pricing)
        };
        let [a, b] = [priced(&arsenals[0])?, priced(&arsenals[1])?];
        let file = |side: usize| {
            InputFileWithRulebooks::new(&*both[side].name, &both[side].text)
                .with_rulebooks(&arsenals[side].rulebooks_read_from_files())
        };
        let (price_moves, sides) =
            (compare_pricings(&a, &b), TwoComparedFiles::named_after_files(file(0), file(1)));
        if let Some(claim) = claim {
            compare::comparison_folder::write_arsenal_comparison(
                &claim,
                &price_moves,
                &sides,
                &clock.facts_of_finished_run(None, None),
            )?;
        }
        Ok(OutputAndError::from(arsenal_comparison::render_price_changes(
            &price_moves,
            &sides,
            to_answer_format(self.format),
        )))
    }
}

/// Converts a format to that of the report.
fn to_answer_format(format: OutputFormat<ComparisonFormat>) -> report::PrintedAnswerFormat {
    match format {
        OutputFormat::Own(ComparisonFormat::Table) => report::PrintedAnswerFormat::Text(
            ReportStyle::Terminal(TerminalCapabilities::from_stdout()),
        ),
        OutputFormat::Own(ComparisonFormat::Json) => report::PrintedAnswerFormat::Json,
        OutputFormat::Own(ComparisonFormat::Csv) => report::PrintedAnswerFormat::Csv,
        OutputFormat::Page(writer) => report::PrintedAnswerFormat::Text(ReportStyle::Page(writer)),
    }
}
