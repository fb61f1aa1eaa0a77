//! Names this build by what it is made of, so that results say which sources made them, and a
//! run that was begun by one build is not gone on with by another. Looks for the programs that some
//! tests look at pages and terminals with: a test that lacks its program is ignored, and says so.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

mod build_id;
#[cfg(feature = "studio")]
mod page_assets;
#[cfg(feature = "studio")]
mod site_pack;

/// What tests can look at pages and terminals with, or give work to, and the program that does it.
const LOOKERS: [(&str, &str); 5] = [
    ("has_browser", "chromedriver"),
    ("has_parallel", "parallel"),
    ("has_poppler", "pdftotext"),
    ("has_python", "python3"),
    ("has_terminal", "script"),
];

fn main() -> io::Result<()> {
    look();
    found_module();
    merge_equal_functions();
    println!("cargo:rustc-check-cfg=cfg(fully_optimised)");
    let of = |name| env::var(name).unwrap_or_default();
    if of("OPT_LEVEL") == "3" && of("PROFILE") == "release" {
        println!("cargo:rustc-cfg=fully_optimised");
    }
    println!("cargo:rustc-env=ENFILADE_BUILD={}", build_id::of(Path::new(""))?);
    #[cfg(feature = "studio")]
    page_assets::pack(Path::new(&of("OUT_DIR")))?;
    #[cfg(feature = "studio")]
    site_pack::pack(&Path::new(&of("OUT_DIR")).join("site.bin"))?;
    Ok(())
}

/// Takes the packed module of the page that `ENFILADE_MODULE` names into the program, and the one
/// of cards, reports and workbooks beside it: packaging/page makes them.
fn found_module() {
    println!("cargo:rustc-check-cfg=cfg(has_module, has_sheets_module)");
    println!("cargo:rerun-if-env-changed=ENFILADE_MODULE");
    let Some(module) = env::var_os("ENFILADE_MODULE").map(PathBuf::from) else { return };
    println!("cargo:rerun-if-changed={}", module.display());
    match module.canonicalize() {
        Ok(path) => {
            println!("cargo:rustc-cfg=has_module");
            println!("cargo:rustc-env=ENFILADE_MODULE_FILE={}", path.display());
        }
        Err(why) => println!("cargo:warning=no module at {}: {why}", module.display()),
    }
    if let Ok(path) = module.with_file_name("enfilade-sheets.wasm.gz").canonicalize() {
        println!("cargo:rerun-if-changed={}", path.display());
        println!("cargo:rustc-cfg=has_sheets_module");
        println!("cargo:rustc-env=ENFILADE_SHEETS_MODULE_FILE={}", path.display());
    }
}

/// Asks the linker to keep one of several functions with the same instructions: a fiftieth of the
/// program. Only rust-lld knows the argument, so it is left out where the toolchain has none, or
/// where another linker is named.
fn merge_equal_functions() {
    let of = |name| env::var(name).unwrap_or_default();
    let target = of("TARGET");
    let other = env::var_os("RUSTC_LINKER").is_some()
        || ["link-arg", "linker"].iter().any(|word| of("CARGO_ENCODED_RUSTFLAGS").contains(word));
    let sysroot = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--print", "sysroot"])
        .output();
    let sysroot = sysroot.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let linker = format!("lib/rustlib/{target}/bin/gcc-ld/ld.lld");
    let is_default = target == "x86_64-unknown-linux-gnu"
        && sysroot.is_ok_and(|root| Path::new(&root).join(linker).is_file());
    if is_default && !other {
        println!("cargo:rustc-link-arg-bins=-Wl,--icf=all");
    }
}

/// Says which of [`LOOKERS`], and whether axe-core, are there. Where `CI` is set all of them have
/// to be: there a test that lacks its program fails.
fn look() {
    println!("cargo:rerun-if-env-changed=PATH");
    println!("cargo:rerun-if-env-changed=CI");
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<_> = env::split_paths(&path).collect();
    for (name, program) in LOOKERS {
        println!("cargo:rustc-check-cfg=cfg({name})");
        let program = format!("{program}{}", env::consts::EXE_SUFFIX);
        if env::var_os("CI").is_some() || folders.iter().any(|at| at.join(&program).is_file()) {
            println!("cargo:rustc-cfg={name}");
        }
    }
    println!("cargo:rustc-check-cfg=cfg(has_axe)");
    println!("cargo:rerun-if-env-changed=XDG_CACHE_HOME");
    if env::var_os("CI").is_some() || axe().is_some_and(|axe| axe.is_file()) {
        println!("cargo:rustc-cfg=has_axe");
    }
}

/// Where `.ci/run` installs axe-core, which looks pages over for those who cannot see or point.
fn axe() -> Option<PathBuf> {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    Some(cache.or_else(home)?.join("enfilade/axe/node_modules/axe-core/axe.min.js"))
}
