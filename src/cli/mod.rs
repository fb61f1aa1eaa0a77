//! The command line: from arguments to a checked plan, from an answer to a page of text.
//!
//! Nothing outside this folder knows clap. A command returns its [`Page`]; only the program
//! prints it.

use clap::{Parser, Subcommand};

use crate::error::Error;

pub mod balance;
pub mod bench;
pub mod compare;
pub mod completions;
pub mod dice;
pub mod explain;
pub mod failure;
pub mod odds;
pub mod options;
pub mod page;
mod progress;
pub mod run;
pub mod schema;
pub mod sheet;
pub mod signals;
pub mod systems;
pub mod table;
pub mod verify;
mod work;

pub use page::Page;

/// Exact odds, simulation and point costs for tabletop wargames.
#[derive(Debug, Parser)]
#[command(
    name = "enfilade",
    version,
    about,
    max_term_width = 100,
    subcommand_required = true
)]
#[command(after_help = "Example:\n  enfilade dice \"d8 + 4d6 >= 20\"")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Answer an experiment and write its results to a folder
    Run(run::Run),
    /// Answer the contests of a file on the terminal
    Odds(odds::Odds),
    /// Print odds cards from a grid
    Table(table::Table),
    /// Set two variants of an experiment side by side
    Compare(compare::Compare),
    /// Say what the weapons of an arsenal should cost
    Balance(balance::Balance),
    /// Tell one contest roll by roll, with rule references
    Explain(explain::Explain),
    /// Check that exact, simulated and played results agree
    Verify(verify::Verify),
    /// Give the exact law of a dice expression
    Dice(dice::Dice),
    /// Measure the simulation on this machine, beside plain loops
    Bench(bench::Bench),
    /// Show the rule systems that are built in
    Systems(systems::Systems),
    /// Print the JSON Schema of experiment files, for editors
    Schema(schema::Schema),
    /// Print completions for a shell
    Completions(completions::Completions),
}

impl Command {
    /// Does what the command says.
    ///
    /// # Errors
    /// What went wrong before there was anything to print.
    pub fn run(&self) -> Result<Page, Error> {
        match self {
            Command::Run(run) => run.run(),
            Command::Odds(odds) => odds.run(),
            Command::Table(table) => table.run(),
            Command::Compare(compare) => compare.run(),
            Command::Balance(balance) => balance.run(),
            Command::Verify(verify) => verify.run(),
            Command::Explain(explain) => explain.run(),
            Command::Dice(dice) => dice.run(),
            Command::Bench(bench) => bench.run(),
            Command::Systems(systems) => systems.run(),
            Command::Schema(schema) => schema.run(),
            Command::Completions(completions) => completions.run(),
        }
    }
}
