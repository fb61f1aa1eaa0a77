//! `enfilade balance`.

use std::path::PathBuf;

use clap::Args;

use crate::catalogue::Catalogue;
use crate::cli::args::list_args::{ArmyListArgs, FoughtListsResult};
use crate::cli::args::output_format::{self, OutputFormat};
use crate::cli::args::question_args;
use crate::cli::args::{ExecutionArgs, ExtraRulebookArgs, SeedArg};
use crate::cli::command_output::{OutputAndError, file_to_open_hint};
use crate::cli::command_steps::{self, CommandStartTime};
use crate::cli::error_report;
use crate::error::Error;
use crate::pricing::battle_runs::{self, BattleSettings};
use crate::report::folder::archived_rules;
use crate::report::folder::manifest::InputFileWithRulebooks;
use crate::report::pricing::heading_sentences::weapon_reading_order;
use crate::report::pricing::{
    PriceFindings, build_first_screen, build_full_price_report, price_folder, prices_json,
};
use crate::report::terminal::{self, TerminalCapabilities};
use crate::report::text::sentences::replace_control_chars;

/// Compute what the weapons of an arsenal should cost
///
/// Forces meet in every scenario of the file, one side with the weapon, the other with more and
/// more troops in its place. The worth of a weapon is the number of points at which it wins as many
/// battles as it loses; times the cost of a point of worth in this list that is its even price. The
/// price comes with a range over opponents, assumptions and dice, and a verdict on the current
/// price.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade balance experiments/crewed_weapons.toml")]
pub struct BalanceArgs {
    /// The arsenal file, or - for standard input
    file: PathBuf,
    /// Price this weapon alone, quickly, and explain its price: of the others only the battles that
    /// set the scale are fought
    #[arg(long, value_name = "NAME", conflicts_with = "out")]
    only: Option<String>,
    /// How to write the prices
    #[arg(long, value_parser = output_format::output_format_parser::<PriceReportFormat>(), default_value = "table")]
    format: OutputFormat<PriceReportFormat>,
    /// Also write tables, charts, a summary and a manifest to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace files in the folder that enfilade did not write, or that were changed since
    #[arg(long)]
    overwrite: bool,
    /// Print everything: every reason, all tables, the method
    #[arg(long)]
    all: bool,
    /// Has no effect any more: the cost of a point of worth comes from the prices, or from
    /// `[scale]` in the file
    #[arg(long, value_name = "POINTS", hide = true)]
    anchor: Option<String>,
    /// Trials of each contest that is too large to be solved exactly [default: 1000000]
    #[arg(long, value_name = "N", value_parser = crate::cli::args::parse_trial_count)]
    trials: Option<u64>,
    /// The seed, or "random" [default: 1]
    #[arg(long, value_name = "S")]
    seed: Option<SeedArg>,
    /// Threads to use [default: one per processor]
    #[arg(long, value_name = "N", value_parser = crate::cli::args::parse_thread_count)]
    threads: Option<usize>,
    /// No progress bar and no remarks
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    lists: ArmyListArgs,
    #[command(flatten)]
    rulebooks: ExtraRulebookArgs,
}

/// How prices are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum PriceReportFormat {
    /// Tables and reasons for reading
    Table,
    /// One JSON document
    Json,
}

impl BalanceArgs {
    /// Prices the arsenal; no battle is fought before the file is checked.
    ///
    /// # Errors
    /// When the file cannot be read or has faults, the work is interrupted, or the results cannot
    /// be written.
    pub fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let input = question_args::read_unless_rulebook(&self.file)?;
        let arsenal = command_steps::parse_arsenal(catalogue, &self.rulebooks, &input)?;
        let rulebooks = arsenal.rulebooks_read_from_files();
        let writes = archived_rules::copy_and_written_file_names(
            price_folder::PRICING_FILE_NAMES,
            &rulebooks,
        );
        // The folder is claimed before any battle: one that cannot be written to must not cost the
        // wait.
        let claim = |folder| {
            command_steps::claim_result_folder(folder, &[&self.file], self.overwrite, writes)
        };
        let claim = self.out.as_deref().map(claim).transpose()?;
        let machine = self.shared_machine_args();
        if let Some(remark) = machine.random_seed_remark() {
            error_report::write_remark_to_stderr(&remark);
        }
        if self.anchor.is_some() {
            error_report::write_remark_to_stderr(ANCHOR_IGNORED_NOTE);
        }
        let clock = CommandStartTime::now();
        let only = self.only.as_deref().map(|name| battle_runs::index_of_weapon(&arsenal, name));
        let only = only.transpose().map_err(|why| Error::Usage(format!("--only: {why}")))?;
        let battles =
            BattleSettings { only, ..command_steps::battle_settings(&machine, self.trials) };
        let wanted = self.lists.plan_list_battles(&arsenal, &battles)?;
        if wanted.is_none() && !(self.quiet || arsenal.tries.is_empty()) {
            error_report::write_remark_to_stderr(NO_TRIES_REMARK);
        }
        let (evidence, mut pricing) =
            command_steps::fight_battles_and_set_prices(&arsenal, &battles, &machine)?;
        let about = (battles.seed, only);
        let fought = self.lists.fight_lists_and_unmet_units(
            wanted,
            (&arsenal, &mut pricing),
            &battles,
            &machine,
        )?;
        let lists = fought.as_ref().map(|fought| &fought.lists);
        let findings =
            PriceFindings { lists, ..PriceFindings::new(&arsenal, &evidence, &pricing, about) };
        if let Some(claim) = &claim {
            let input =
                InputFileWithRulebooks::new(input.name, &input.text).with_rulebooks(&rulebooks);
            let facts = clock.facts_of_finished_run(Some(input), None);
            price_folder::write_pricing_folder(claim, &findings, &facts)?;
        }
        let page = self.render_first_screen(&findings, fought.as_ref());
        Ok(OutputAndError::new(page, fought.and_then(FoughtListsResult::into_gate_error)))
    }

    fn render_first_screen(
        &self,
        findings: &PriceFindings,
        fought: Option<&FoughtListsResult>,
    ) -> String {
        let full = || build_full_price_report(findings, Vec::new());
        match self.format {
            OutputFormat::Own(PriceReportFormat::Table) => {
                let screen = TerminalCapabilities::from_stdout();
                let blocks = if self.all { full() } else { build_first_screen(findings) };
                let hint = match &self.out {
                    Some(out) => Some(file_to_open_hint(out)),
                    None => (!self.all).then(|| self.render_hints_for_details(findings, screen)),
                };
                let lists = fought.filter(|_| !self.all);
                let lists =
                    lists.map(|lists| lists.render_list_report(findings.pricing, screen.width));
                let below = hint.map(|hint| format!("\n{hint}")).into_iter().chain(lists);
                terminal::text_for_terminal(&blocks, screen) + &below.collect::<String>()
            }
            OutputFormat::Own(PriceReportFormat::Json) => prices_json::render_prices_json(findings),
            OutputFormat::Page(writer) => (writer.write)(&full()),
        }
    }

    /// Renders the details below the first screen.
    fn render_hints_for_details(
        &self,
        findings: &PriceFindings,
        screen: TerminalCapabilities,
    ) -> String {
        let file = replace_control_chars(&self.file.display().to_string());
        let why = match weapon_reading_order(findings)[..] {
            [first, _, ..] => {
                let name = replace_control_chars(&findings.pricing.weapons[first].name);
                format!("Why: enfilade balance {file} --only \"{name}\"  ")
            }
            _ => String::new(),
        };
        let hints = format!("{why}Everything: --all, or --out FOLDER");
        terminal::wrap_text(&hints, screen.width)
    }

    /// The options of other commands that this one shares.
    fn shared_machine_args(&self) -> ExecutionArgs {
        let (seed, threads, quiet) = (self.seed, self.threads, self.quiet);
        ExecutionArgs { seed, threads, quiet, ..ExecutionArgs::default() }
    }
}

const ANCHOR_IGNORED_NOTE: &str = "--anchor has no effect any more: the cost of a point of worth comes from the prices of \
    the other weapons; set it with `[scale]` in the file";

const NO_TRIES_REMARK: &str = "[prices.try]: the prices to try are bought in lists, and none is fought; add --lists POINTS, \
    or `lists = 500` to the file";
