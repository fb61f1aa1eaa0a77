//! Names this build by what it is made of, so that results say which sources made them, and a
//! run that was begun by one build is not gone on with by another. Looks for the programs that some
//! tests look at pages and terminals with: a test that lacks its program is ignored, and says so.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// Everything that can change a number.
const SOURCES: [&str; 6] = ["src", "crates", "data", "rulebooks", "Cargo.toml", "Cargo.lock"];

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
    let mut hasher = DefaultHasher::new();
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
        hash(Path::new(source), &mut hasher)?;
    }
    println!("cargo:rustc-check-cfg=cfg(fully_optimised)");
    let of = |name| env::var(name).unwrap_or_default();
    if of("OPT_LEVEL") == "3" && of("PROFILE") == "release" {
        println!("cargo:rustc-cfg=fully_optimised");
    }
    println!("cargo:rustc-env=ENFILADE_BUILD={:016x}", hasher.finish());
    Ok(())
}

/// Says which of [`LOOKERS`], and whether axe-core, are there. Where `CI` is set all of them have to be: there a test that lacks
/// its program fails.
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

/// Hashes a file with its name, or a folder in the order of its names.
fn hash(path: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    // A packaged crate may lack the lock file.
    if !path.exists() {
        return Ok(());
    }
    if path.is_dir() {
        let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
        let mut entries: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
        entries.sort();
        return entries.iter().try_for_each(|entry| hash(entry, hasher));
    }
    hasher.write(path.to_string_lossy().as_bytes());
    let content = fs::read(path)?;
    hasher.write_usize(content.len());
    hasher.write(&content);
    Ok(())
}
