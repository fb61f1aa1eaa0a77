//! A folder of results whose manifest was changed, by chance or by somebody who hashed it again.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use enfilade::error::FolderDamaged;
use enfilade::report::error::ReportError;
use enfilade::report::folder::staging::hash_sha256;
use enfilade::report::verify_result_folder;
use serde_json::{Value as Json, json};

use crate::desk::Desk;
use crate::doors::{pipe, told};

/// Two cells with trials, one of a contest that never fires twice.
const FILE: &str = "name = 'sealed'\ntrials = 100_000\n[[contest]]\nsystem = 'asl'\naction = 'fire'\n\
    fp = [4, 8]\ntarget = { kind = 'squad', morale = 7 }\n[[chart]]\nkind = 'curves'\nx = 'fp'\n";

fn desk() -> Desk {
    let desk = Desk::with(FILE);
    let run = desk.run(&["run", "x.toml", "--out", "o", "--quiet"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    desk
}

fn faults(folder: &Path) -> Vec<String> {
    match verify_result_folder(folder) {
        Ok(_) => Vec::new(),
        Err(ReportError::Damaged(FolderDamaged { faults, .. })) => faults,
        Err(other) => vec![other.to_string()],
    }
}

/// Puts a changed manifest in its place, with the hash that its bytes have now.
fn forged(desk: &Desk, change: impl FnOnce(&mut Json)) {
    let mut manifest: Json = serde_json::from_str(&desk.read("o/manifest.json")).expect("JSON");
    change(&mut manifest);
    let zeros = "0".repeat(64);
    manifest["manifest_sha256"] = zeros.as_str().into();
    let text = format!("{manifest:#}\n");
    let hash = hash_sha256(text.as_bytes());
    let at = text.rfind(&zeros).expect("it is the last");
    desk.write("o/manifest.json", &format!("{}{hash}{}", &text[..at], &text[at + 64..]));
}

#[test]
fn no_bit_of_a_manifest_changes_unseen() {
    let desk = desk();
    let (folder, path) = (desk.path("o"), desk.path("o/manifest.json"));
    assert_eq!(faults(&folder), Vec::<String>::new());
    let whole = fs::read(&path).expect("readable");
    for flip in 0..300 {
        let bit = flip * (whole.len() * 8 - 1) / 299;
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, bytes).expect("written");
        assert!(!faults(&folder).is_empty(), "bit {bit}");
    }
}

/// A change of a manifest.
type Forgery = fn(&mut Json);

#[test]
fn a_manifest_that_was_hashed_again_is_held_against_the_tables_and_the_files() {
    let cases: [(&str, Forgery, &str); 12] = [
        ("seed", |m| m["seed"] = 999.into(), "seed is 999, and 1 in its identity"),
        (
            "both seeds",
            |m| (m["seed"], m["identity"]["seed"]) = (999.into(), 999.into()),
            "seed is 1 in its metadata and 999 in the manifest",
        ),
        (
            "trials",
            |m| m["trials"] = 5.0.into(),
            "trials is 200000.0 in its rows and 5.0 in the manifest",
        ),
        ("agreement", |m| m["agreement"]["verdict"] = "not compared".into(), "agreement is {"),
        ("stream", |m| m["stream_version"] = 77.into(), "and 77 in the manifest"),
        ("version", |m| m["enfilade"] = "9.9".into(), "and 9.9 in the manifest"),
        (
            "name",
            |m| m["experiment"] = "other".into(),
            "experiment is sealed in its metadata and other in the manifest",
        ),
        ("build", |m| m["build"] = "0".into(), "build is \"0\""),
        ("cells", |m| m["answered"] = 1.into(), "cells.parquet has 2 rows for 1 answered cells"),
        (
            "an entry less",
            |m| drop(m["files"].as_array_mut().expect("a list").remove(0)),
            "is there and not listed",
        ),
        (
            "an entry outside",
            |m| m["files"][0]["name"] = "../x".into(),
            "manifest.json lists 1 name outside the folder or without a hash",
        ),
        (
            "an entry twice",
            |m| {
                let first = m["files"][0].clone();
                m["files"].as_array_mut().expect("a list").push(first);
            },
            "is listed twice",
        ),
    ];
    for (what, change, why) in cases {
        let desk = desk();
        forged(&desk, change);
        let faults = faults(&desk.path("o"));
        assert!(faults.iter().any(|fault| fault.contains(why)), "{what}: {faults:?}");
    }
    // The forging itself is right.
    let desk = desk();
    forged(&desk, |manifest| manifest["command"] = json!(["enfilade"]));
    assert_eq!(faults(&desk.path("o")), Vec::<String>::new());
}

#[test]
fn pipes_and_links_in_the_place_of_results_are_not_waited_for() {
    for name in ["manifest.json", "cells.csv", "summary.md"] {
        for what in ["pipe", "zero", "copy"] {
            let desk = desk();
            fs::rename(desk.path("o").join(name), desk.path("aside")).expect("moved");
            match what {
                "pipe" => pipe(&desk, &format!("o/{name}")),
                "zero" => symlink("/dev/zero", desk.path("o").join(name)).expect("a link"),
                _ => symlink("../aside", desk.path("o").join(name)).expect("a link"),
            }
            let why =
                if what == "pipe" { "it is no plain file" } else { "it is a link, or behind one" };
            told(&desk, &["verify", "o"]).refused(5, &format!("{name} cannot be read: {why}"));
        }
    }
}

#[test]
fn what_lies_beside_the_results_is_said() {
    let desk = desk();
    desk.write("o/my notes.md", "mine");
    let verified = told(&desk, &["verify", "o"]);
    let said = "other files, not of these results: my notes.md";
    assert!(verified.code == Some(0) && verified.out.contains(said), "{verified:?}");
    desk.write("o/charts/9-curve-p_kill.svg", "not drawn here");
    told(&desk, &["verify", "o"]).refused(5, "charts/9-curve-p_kill.svg is there and not listed");
}
