//! The program: arguments, command, page, exit code.

use std::process::ExitCode;

use clap::Parser;
use enfilade::cli::{Cli, Page, failure, signals};

fn main() -> ExitCode {
    signals::survive_quotas();
    let cli = Cli::try_parse().unwrap_or_else(|error| failure::refusal(error).exit());
    match cli.command.run().and_then(Page::print) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            failure::report(&error);
            ExitCode::from(signals::exit_code(&error))
        }
    }
}
