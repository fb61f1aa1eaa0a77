//! The program, with the rulebooks that are built in.

use std::process::ExitCode;

use enfilade::{cli, systems};
use mimalloc::MiMalloc;

/// An answer is hundreds of small pieces, made on one thread and dropped on another: with the allocator of
/// the C library a third of the time of a large grid goes there.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::run(&systems::built_in(), std::env::args_os())
}
