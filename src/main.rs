//! The program: arguments, command, page, exit code.

use std::process::ExitCode;

use clap::Parser;
use enfilade::cli::{Cli, Page, failure, signals};

fn main() -> ExitCode {
    signals::survive_quotas();
    let command = Cli::parse().command;
    match command.run().and_then(Page::print) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            failure::report(&error);
            ExitCode::from(signals::exit_code(&error))
        }
    }
}
