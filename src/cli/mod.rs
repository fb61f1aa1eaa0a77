//! The command line: from arguments to a checked plan, from an answer to a page of text.
//!
//! Nothing outside this folder depends on clap. A command returns its [`OutputAndError`]; only
//! [`run_program()`] prints it.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::catalogue::Catalogue;
use crate::error::Error;

pub mod args;
pub mod command_output;
mod command_steps;
pub mod commands;
mod compared_files;
pub mod error_report;
mod forecast;
mod help;
mod progress;
pub mod signals;
pub mod text_sheet;

pub use command_output::OutputAndError;

/// Runs the program with `arguments`, the program's name first, and the rulebooks of `catalogue`,
/// and prints its output or its error.
///
/// A program with a custom rulebook is one line:
/// `run(enfilade::systems::built_in().with(my_game()), std::env::args_os())`.
pub fn run_program<A: Into<OsString> + Clone>(
    catalogue: &Catalogue,
    arguments: impl IntoIterator<Item = A>,
) -> ExitCode {
    signals::turn_size_limit_into_error();
    let cli = CliArgs::try_parse_from(arguments);
    // Help and versions end here too: to clap they are errors.
    let cli = cli.unwrap_or_else(|error| {
        error_report::make_safe_and_suggest_command(catalogue, error).exit()
    });
    match cli.command.run_command(catalogue).and_then(OutputAndError::print_output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            error_report::write_error_to_stderr(&error);
            ExitCode::from(signals::exit_code_of_error(&error))
        }
    }
}

/// Exact odds, simulation and point costs for tabletop wargames.
#[derive(Debug, Parser)]
#[command(name = "enfilade", version, about, max_term_width = 100, subcommand_required = true)]
#[command(after_help = "Example:\n  enfilade dice \"d8 + 4d6 >= 20\"")]
pub struct CliArgs {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Answer an experiment and write its results to a folder
    Run(commands::run::RunArgs),
    /// Answer the contests of a file, or one question, on the terminal
    Odds(commands::odds::OddsArgs),
    /// Answer an experiment of any size in shards, on one machine or on many
    #[cfg(feature = "parquet")]
    Sweep(commands::sweep::SweepArgs),
    /// Find the numbers of a game from wanted odds
    Seek(args::seek_args::SeekArgs),
    /// Print odds cards from a grid
    Table(commands::table::TableArgs),
    /// Set two variants of an experiment side by side
    Compare(commands::compare::CompareArgs),
    /// Compute what the weapons of an arsenal should cost
    #[command(visible_alias = "price")]
    Balance(commands::balance::BalanceArgs),
    /// Explain one contest roll by roll, with rule references
    Explain(commands::explain::ExplainArgs),
    /// Check that exact, simulated and played results agree
    Verify(commands::verify::VerifyArgs),
    /// Write a file to start from
    New(commands::new::NewArgs),
    /// Compute the exact distribution of dice
    Dice(commands::dice::DiceArgs),
    /// Measure the simulation on this machine, against plain loops
    Bench(commands::bench::BenchArgs),
    /// Write, check and format rulebooks in text files
    Rules(commands::rules::RulesArgs),
    /// Open the studio in the browser: odds while you type
    #[cfg(feature = "studio")]
    Studio(commands::studio::StudioArgs),
    /// Answer other programs: a line of JSON in, a line out
    #[cfg(feature = "studio")]
    Serve(commands::serve::ServeArgs),
    /// Write the studio as one HTML file that computes: with nothing to install and no network
    #[cfg(feature = "studio")]
    Page(commands::live::StudioFileArgs),
    /// Show the rule systems, built in and in files
    Systems(commands::systems::SystemsArgs),
    /// Print the JSON Schema of experiments and arsenals, for editors
    Schema(commands::schema::SchemaArgs),
    /// Print the manual pages
    Man(commands::man::ManArgs),
    /// Print completions for a shell
    Completions(commands::completions::CompletionsArgs),
}

impl Command {
    /// Runs the command with the rulebooks of `catalogue`.
    ///
    /// # Errors
    /// The error that ended the command before there was output.
    pub fn run_command(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        // Dice, manual pages and measurements need no rulebook.
        match self {
            Command::Run(run) => run.run(catalogue),
            Command::Odds(odds) => odds.run(catalogue),
            #[cfg(feature = "parquet")]
            Command::Sweep(sweep) => sweep.run_sweep_command(catalogue),
            Command::Seek(seek) => seek.run(catalogue),
            Command::Table(table) => table.write_cards(catalogue),
            Command::Compare(compare) => compare.run(catalogue),
            Command::Balance(balance) => balance.run(catalogue),
            Command::Verify(verify) => verify.verify_samples_or_folder(catalogue),
            Command::Explain(explain) => explain.run(catalogue),
            Command::New(new) => new.run(catalogue),
            Command::Dice(dice) => dice.run(),
            Command::Man(man) => man.run(),
            Command::Bench(bench) => bench.time_against_plain_loops(),
            Command::Rules(rules) => rules.run_rules_subcommand(catalogue),
            #[cfg(feature = "studio")]
            Command::Studio(desk) => desk.run_studio(catalogue),
            #[cfg(feature = "studio")]
            Command::Serve(serve) => serve.serve_input_lines(catalogue),
            #[cfg(feature = "studio")]
            Command::Page(page) => page.write_studio_page(catalogue),
            Command::Systems(systems) => systems.run(catalogue),
            Command::Schema(schema) => schema.run(catalogue),
            Command::Completions(completions) => completions.run(catalogue),
        }
    }
}
