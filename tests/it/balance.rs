//! The command that prices an arsenal, and its files.

use assert_cmd::Command;
use serde_json::Value as Json;

use crate::harness::known::near_and_far;

fn small() -> String {
    let weapons = "[[weapon]]\nname = 'LMG'\n[[weapon]]\nname = 'rifle'\nprice = 4000";
    near_and_far("small", weapons)
}

fn balance(arguments: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("enfilade").expect("it is built");
    command.args(["balance", "-", "--quiet"]).args(arguments);
    command.write_stdin(small()).output().expect("it runs")
}

#[test]
fn the_command_prices_an_arsenal_the_same_on_every_number_of_threads() {
    let one = balance(&["--format", "json", "--threads", "1"]);
    assert!(one.status.success(), "{}", String::from_utf8_lossy(&one.stderr));
    assert_eq!(one.stdout, balance(&["--format", "json", "--threads", "3"]).stdout);
    let document: Json = serde_json::from_slice(&one.stdout).expect("it is JSON");
    let keys = [
        "name", "price", "worth", "floor", "even", "low", "high", "low90", "high90", "shown",
        "verdict", "eighth",
    ];
    for weapon in document["weapons"].as_array().expect("a list") {
        for key in keys {
            assert!(!weapon[key].is_null(), "{key}: {weapon}");
        }
    }
    // A rifle among riflemen is worth what theirs cost; two opponents are too few for a verdict.
    let rifle = &document["weapons"][1];
    let worth = rifle["worth"]["best"].as_f64().expect("a number");
    assert!((worth - 159.0).abs() < 1e-9);
    assert_eq!(rifle["even"], rifle["worth"]["best"]);
    assert_eq!((&rifle["verdict"], &document["scale"]), (&"open".into(), &Json::Null));
    assert_eq!(document["schema"], 4);
    assert_eq!(document["scenarios"].as_array().map(Vec::len), Some(2));
}

#[test]
fn the_command_writes_a_folder_and_refuses_what_is_wrong() {
    let out = tempfile::TempDir::new().expect("a temporary folder");
    let folder = out.path().join("prices");
    let done = balance(&["--out", folder.to_str().expect("a name")]);
    assert!(done.status.success());
    let page = String::from_utf8(done.stdout).expect("text");
    assert!(page.contains("unit") && page.contains("report.html"), "{page}");
    let all = String::from_utf8(balance(&["--all"]).stdout).expect("text");
    assert!(all.contains("What these prices do not see") && all.contains("All numbers"), "{all}");
    assert!(folder.join("manifest.json").exists());
    let summary = std::fs::read_to_string(folder.join("summary.md")).expect("readable");
    assert!(summary.contains("It counts for") && summary.contains("manoeuvre"));
    // An option of old is read, does nothing and says so.
    let old = balance(&["--anchor", "arsenal"]);
    assert!(old.status.success());
    assert!(String::from_utf8_lossy(&old.stderr).contains("--anchor has no effect any more"));
}

/// One weapon alone is told in one row, with the same even price; its range may be wider.
#[test]
fn one_weapon_can_be_asked_for_alone() {
    let all = balance(&["--format", "json"]);
    let one = balance(&["--format", "json", "--only", "Rifle"]);
    let weapons = |output: &std::process::Output| {
        let document: Json = serde_json::from_slice(&output.stdout).expect("it is JSON");
        document["weapons"].as_array().expect("a list").clone()
    };
    let (all, one) = (weapons(&all), weapons(&one));
    assert_eq!((one.len(), &one[0]["name"]), (1, &"rifle".into()));
    assert_eq!((&one[0]["even"], &one[0]["worth"]), (&all[1]["even"], &all[1]["worth"]));
    let wrong = balance(&["--only", "rifel"]);
    assert_eq!(wrong.status.code(), Some(2));
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(said.contains("did you mean \"rifle\"?"), "{said}");
}

#[test]
fn the_catalogue_lists_what_an_arsenal_may_say() {
    let said = |id: &str| {
        let mut program = assert_cmd::Command::cargo_bin("enfilade").expect("it is built");
        let output = program.args(["systems", id]).output().expect("it runs");
        String::from_utf8(output.stdout).expect("it is text")
    };
    let skirmishers = said("skirmishers");
    for wanted in ["weapon.price", "scenario.target.troopers", "attention", "arc  [1, 2, 4]"] {
        assert!(skirmishers.contains(wanted), "{wanted}");
    }
    // Any number may be a weight, also 0.3.
    assert!(skirmishers.contains("a number, 0 to 1000000; may be left out"));
    assert!(said("asl").contains("rally  [0.17, 0.42, 0.72]"));
}
