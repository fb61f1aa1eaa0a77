//! What is emitted for other engines, run: names of files are data there, whatever letters they
//! have.
//!
//! GNU parallel is the real one. Slurm and HyperQueue are stood for by scripts that do what these
//! do with arguments and environment; `tests/engines` has the real Slurm.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use crate::desk::Desk;

/// Four cells of the fire table, a shard each.
const FILE: &str = "name = 'swept'\n[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [2, 8]\n\
    drm = { from = 0, to = 1 }\ntarget = { kind = 'squad', morale = 7 }\n";

/// Names that a shell, parallel, a template or a command line could take for something else.
const NAMES: [&str; 8] = [
    "my plan.json",
    "it's \"one\".json",
    "p$(touch PWN).json",
    "p`touch PWN`;touch PWN.json",
    "{} {.} {#}.json",
    "{= system('touch PWN') =}.json",
    "a@HASH@b\\c.json",
    "-q.json",
];

/// In place of `sbatch`: an array is a loop, and a wrapped command is given to a shell.
const SBATCH: &str = r#"#!/bin/bash
for word; do
    case $word in
        --array=0-*) last=${word#--array=0-} ;;
        --wrap=*) wrap=${word#--wrap=} ;;
        --*) ;;
        *) script=$word ;;
    esac
done
if [ -n "${wrap:-}" ]; then
    sh -c "$wrap" >&2
else
    for task in $(seq 0 "$last"); do SLURM_ARRAY_TASK_ID=$task bash "$script" >&2; done
fi
echo 1
"#;

/// In place of `hq`.
const HQ: &str = r#"#!/bin/bash
while [ "$1" != -- ]; do
    case $1 in
        --array) last=${2#0-}; shift ;;
        --env) export "$2"; shift ;;
    esac
    shift
done
shift
for task in $(seq 0 "$last"); do HQ_TASK_ID=$task "$@" || exit 1; done
"#;

fn done(output: Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{} {}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// A desk with a plan of that name, and what is emitted of it for `engine`.
fn emitted(engine: &str, plan: &str) -> Desk {
    let desk = Desk::with(FILE);
    let out = format!("--out={plan}");
    let sweep = ["sweep", "plan", "x.toml", "--exact-only", "--cells-per-shard", "1", &out];
    done(desk.command(&sweep).output().expect("it starts"));
    let text =
        done(desk.command(&["sweep", "emit", engine, "--", plan]).output().expect("it starts"));
    desk.write("sweep.sh", &text);
    for (name, text) in [("sbatch", SBATCH), ("hq", HQ)] {
        desk.write(&format!("bin/{name}"), text);
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(desk.path("bin").join(name), mode).expect("it is ours");
    }
    desk
}

/// Runs what was emitted, with names of folders no better than the plan's.
fn runs(engine: &str, plan: &str) {
    let desk = emitted(engine, plan);
    let (parts, out) = (format!("parts of {plan}"), format!("{plan} out"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", desk.path("bin").display());
    let run = Command::new("bash")
        .arg("sweep.sh")
        .current_dir(desk.folder.path())
        .env("PATH", path)
        .env("PARTS", &parts)
        .env("OUT", &out)
        .env("HOME", desk.folder.path())
        .env("ENFILADE", env!("CARGO_BIN_EXE_enfilade"))
        .output();
    done(run.expect("there is a bash"));
    let rows = desk.read(&format!("{out}/cells.csv"));
    assert_eq!(rows.lines().count(), 5, "{engine} {plan}: {rows}");
    assert_eq!(fs::read_dir(desk.path(&parts)).expect("it is there").count(), 4);
    assert!(!desk.path("PWN").exists(), "{engine} {plan}");
}

#[test]
#[cfg_attr(not(has_parallel), ignore = "needs GNU parallel, which is not installed")]
fn parallel_takes_names_for_names() {
    NAMES.iter().for_each(|name| runs("parallel", name));
}

#[test]
fn slurm_takes_names_for_names() {
    NAMES.iter().for_each(|name| runs("slurm", name));
}

#[test]
fn hyperqueue_takes_names_for_names() {
    NAMES.iter().for_each(|name| runs("hyperqueue", name));
}

/// Runs Python with what was emitted as its first argument.
fn python(desk: &Desk, code: &str) -> String {
    desk.write("check.py", code);
    let run = Command::new("python3")
        .args(["check.py", "sweep.sh", env!("CARGO_BIN_EXE_enfilade")])
        .current_dir(desk.folder.path())
        .output();
    done(run.expect("there is a Python"))
}

#[test]
#[cfg_attr(not(has_python), ignore = "needs Python, which is not installed")]
fn dask_and_snakemake_take_names_for_names() {
    for name in NAMES {
        for engine in ["dask", "snakemake"] {
            let desk = emitted(engine, name);
            let read = "import sys\nline = [line for line in open(sys.argv[1]) if line.startswith('PLAN = ')]\n\
                exec(line[0])\nprint(open(PLAN).read(10), end='')\n";
            let plan = if name.starts_with('-') { format!("./{name}") } else { name.to_owned() };
            assert_eq!(python(&desk, read), desk.read(&plan)[..10], "{engine} {name}");
        }
    }
    // Braces in a pattern are a wildcard of Snakemake, which has no other way to say them.
    let desk = emitted("snakemake", "plan.json");
    let head = "import os, sys\nos.environ['PARTS'] = 'my {parts}'\n\
        head = open(sys.argv[1]).read().split('rule merge')[0]\n\
        try:\n    exec(head)\nexcept SystemExit as end:\n    print(end)\n";
    assert!(python(&desk, head).contains("braces would be read as wildcards"));
}

/// The program that `--ship` sends is run as it was sent, whatever lies under its name, and nobody
/// else can change where it lies.
#[test]
#[cfg_attr(not(has_python), ignore = "needs Python, which is not installed")]
fn a_shipped_program_is_the_one_that_was_sent() {
    let desk = emitted("dask", "plan.json");
    let told = python(&desk, include_str!("shipped.py"));
    assert_eq!(told, "as it was sent\n");
}
