//! The libraries of the program and of its tests are the same builds: nothing is compiled twice by
//! `cargo run --release` and `cargo test --release`.

use std::collections::BTreeSet;
use std::process::Command;

/// Libraries that a program compiles, itself not counted, that wants a chance of a rule of its own
/// and nothing else.
const FEW: usize = 25;

#[test]
fn a_chance_takes_few_libraries() {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p}"])
        .args(["--package", "enfilade-engine", "--no-default-features", "--edges", "normal"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("Cargo runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let text = String::from_utf8(tree.stdout).expect("Cargo writes UTF-8");
    let libraries: BTreeSet<&str> =
        text.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    assert!(
        libraries.iter().any(|library| library.starts_with("enfilade-model ")),
        "{libraries:?}"
    );
    assert!(libraries.len() <= FEW, "{} libraries: {libraries:#?}", libraries.len());
}

/// Returns every library with its version and features, as Cargo resolves them for these kinds of
/// dependencies.
fn libraries(edges: &str, packages: &[&str]) -> BTreeSet<String> {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p} {f}"])
        .args(["--edges", edges])
        .args(packages)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("Cargo runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let text = String::from_utf8(tree.stdout).expect("Cargo writes UTF-8");
    text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn no_library_is_compiled_a_second_time_for_the_tests() {
    let program = libraries("normal,build", &["--package", "enfilade"]);
    // Tests of all crates are compiled together.
    let tests = libraries("normal,build,dev", &["--workspace", "--exclude", "enfilade-wasm"]);
    let twice: Vec<&String> = program.difference(&tests).collect();
    assert!(program.len() > 100, "{} libraries", program.len());
    assert!(twice.is_empty(), "compiled again with other features: {twice:#?}");
}

/// The crates of the workspace, too: with one feature more in one of them all would be compiled
/// again.
#[test]
fn no_crate_is_compiled_a_second_time_for_the_tests() {
    let own = |selection: &[&str]| -> BTreeSet<String> {
        let tree = Command::new(env!("CARGO"))
            .args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p} {f}"])
            .args(["--edges", "normal"])
            .args(selection)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("Cargo runs");
        let text = String::from_utf8(tree.stdout).expect("Cargo writes UTF-8");
        let lines = text.lines().map(|line| line.trim_end_matches(" (*)").to_owned());
        // The kit is of tests alone.
        let ours = |line: &String| line.starts_with("enfilade") && !line.contains("-testkit ");
        lines.filter(ours).collect()
    };
    let program = own(&["--package", "enfilade"]);
    assert!(program.len() >= 10, "{program:#?}");
    // What only tests have in common is in no program.
    let mut workspace = own(&["--workspace", "--exclude", "enfilade-wasm"]);
    workspace.retain(|line| !line.starts_with("enfilade-testkit "));
    assert_eq!(program, workspace);
}

#[test]
fn tables_are_written_without_data_frames() {
    let libraries = libraries("normal", &[]);
    let frames = libraries.iter().filter(|library| library.starts_with("polars-core "));
    assert_eq!(frames.count(), 0);
}

/// Bytes of the program at most, without its symbols.
#[cfg(all(unix, fully_optimised))]
const SIZE: u64 = 30_000_000;

/// The program as it is shipped. It may only become smaller; of a build that is not optimised
/// nothing is known.
#[test]
#[cfg(all(unix, fully_optimised))]
fn the_program_does_not_grow() {
    let program = std::fs::metadata(env!("CARGO_BIN_EXE_enfilade")).expect("it is built");
    assert!(program.len() <= SIZE, "{} bytes, and {SIZE} at most", program.len());
}
