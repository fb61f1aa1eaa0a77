//! The whole program with a rulebook of its own beside those that are built in:
//! `cargo run --example toy -- systems toy`.

use std::process::ExitCode;

use enfilade::{cli, systems};

mod rulebook;

fn main() -> ExitCode {
    let catalogue = systems::built_in_catalogue().with_rulebook(rulebook::toy());
    cli::run_program(&catalogue, std::env::args_os())
}
