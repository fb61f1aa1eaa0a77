//! The program, with the rulebooks that are built in.

use std::process::ExitCode;

use enfilade::{cli, systems};

fn main() -> ExitCode {
    cli::run(&systems::built_in(), std::env::args_os())
}
