//! A run from its file to its folder, by the program.

use std::fs;

use enfilade::report::folder::staging::FolderClaim;
use tempfile::TempDir;

use crate::desk::Desk;

/// Three d12 together have 1 728 outcomes, all equally likely. On the terminal, in the summary, on
/// the page and in the picture each die alone comes first, and "others" nowhere before it.
#[test]
fn of_many_outcomes_each_number_alone_comes_first() {
    let desk = Desk::with(
        "name = 'heap'\nrules = 'heap.rules'\ntrials = 10000\n[[contest]]\nsystem = 'heap'\n\
         action = 'throw'\n",
    );
    desk.write(
        "heap.rules",
        "action throw:\n    a = d12\n    b = d12\n    c = d12\n    show a \"first\"\n    \
         show b \"second\"\n    show c \"third\"\n",
    );
    let odds = desk.run(&["odds", "x.toml"]);
    let run = desk.run(&["run", "x.toml", "--out", "heap", "--quiet"]);
    assert_eq!((odds.code, run.code), (Some(0), Some(0)), "{odds:?} {run:?}");
    let picture = desk
        .files("heap")
        .into_iter()
        .find(|(path, _)| path.extension().is_some_and(|extension| extension == "svg"));
    let picture = String::from_utf8(picture.expect("a picture").1).expect("a text");
    let joint: &[&str] = &[" others", " rarer", "first: 1, second: 1"];
    let texts = [
        ("terminal", odds.out, "first ┆ exact %", joint),
        ("summary", desk.read("heap/summary.md"), "| first | exact %", joint),
        ("page", desk.read("heap/report.html"), "id=\"alone\"", &["id=\"law"]),
        ("picture", picture, "first: 1 to 2", joint),
    ];
    for (place, text, alone, later) in texts {
        let at = text.find(alone).unwrap_or_else(|| panic!("{place}: no {alone} in {text}"));
        for joint in later {
            assert!(text.find(joint).is_none_or(|found| found > at), "{place}: {joint} first");
        }
    }
    // What comes later is there, but on the picture.
    assert!(desk.read("heap/summary.md").contains(" rarer"));
    assert!(desk.read("heap/report.html").contains("id=\"law"));
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("written");
    let refused = FolderClaim::claim_to_overwrite_all(&file.join("inside"));
    let refused = enfilade::Error::from(refused.expect_err("a file is no folder"));
    assert_eq!(refused.exit_code(), 3);
}
