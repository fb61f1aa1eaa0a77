//! Names the build by its sources, as the program does: a page and a program of the same sources
//! have one name.

use std::env;
use std::io;
use std::path::Path;

#[path = "../../build_id.rs"]
mod build_id;

fn main() -> io::Result<()> {
    // Otherwise every address and index has the five bytes that it may need: a tenth of the module.
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo:rustc-link-arg-cdylib=--compress-relocations");
    }
    println!("cargo:rustc-env=ENFILADE_BUILD={}", build_id::of(Path::new("../.."))?);
    Ok(())
}
