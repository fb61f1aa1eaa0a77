//! The program, with the rulebooks that are built in.

use std::process::ExitCode;

use enfilade::{cli, systems};
use mimalloc::MiMalloc;

/// An answer is hundreds of small pieces, allocated on one thread and dropped on another: the
/// allocator of the C library takes a third of the time of a large grid.
#[global_allocator]
static GLOBAL_ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::run_program(&systems::built_in_catalogue(), std::env::args_os())
}
