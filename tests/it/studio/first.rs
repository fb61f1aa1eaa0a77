//! First contact: a folder that is not there yet.

use std::io::{BufRead, BufReader};

use crate::desk::Desk;

/// What a studio says until it can be stopped.
fn said(desk: &Desk, folder: &str) -> String {
    let mut child = desk.command(&["studio", folder, "--no-browser"]).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut said = String::new();
    while !said.contains("Ctrl-C") {
        assert!(lines.read_line(&mut said).expect("readable") > 0, "{said}");
    }
    let id = child.id().to_string();
    let kill = std::process::Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("there is such a command").success());
    assert!(child.wait().expect("it ends").success());
    said
}

#[test]
fn a_folder_that_is_not_there_is_made_and_told() {
    let desk = Desk::with("");
    let told = said(&desk, "my_game");
    assert!(told.contains("The folder my_game is new."), "{told}");
    // Nothing is put there before something is saved.
    assert_eq!(std::fs::read_dir(desk.path("my_game")).expect("it is there").count(), 0);
    assert!(!said(&desk, "my_game").contains("is new"));
}

#[test]
fn what_is_no_folder_is_told_as_that() {
    let desk = Desk::with("");
    let file = desk.run(&["studio", "x.toml", "--no-browser"]);
    file.refused(2, "x.toml is a file: name a folder for the studio");
    // A slip of the pen makes no row of folders.
    let deep = desk.run(&["studio", "gmaes/my_game", "--no-browser"]);
    assert!(deep.code != Some(0) && deep.err.contains("gmaes/my_game"), "{deep:?}");
    assert!(!desk.path("gmaes").exists());
}
