//! Names the build by its sources, as the program does: a page and a program of the same sources have one name.

use std::io;
use std::path::Path;

#[path = "../../build_id.rs"]
mod build_id;

fn main() -> io::Result<()> {
    println!("cargo:rustc-env=ENFILADE_BUILD={}", build_id::of(Path::new("../.."))?);
    Ok(())
}
