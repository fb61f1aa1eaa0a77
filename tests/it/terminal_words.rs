//! What people read in a terminal speaks as players do: explanations, prices and searches, without
//! the names of files and columns. Pages, pictures and cards are tested in `enfilade-report`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[path = "../../crates/enfilade-report/tests/it/walked.rs"]
mod walked;

use walked::{WALKED, fault, read_of_markdown, without};

/// Where a cell stands, every roll and how it ended; a rulebook in text has its own lines.
#[test]
fn explanations_speak_as_players_do() {
    let (mut seen, mut faults) = (0, BTreeSet::new());
    for (path, (experiment, _)) in WALKED.iter() {
        let last = experiment.cells.last().map_or(0, |cell| cell.index);
        let arguments = ["explain", &path.to_string_lossy(), "--cell", &last.to_string()];
        let text = crate::cards::page(&arguments, "");
        for line in text.lines() {
            faults.extend(fault("an explanation", path, line));
            assert!(!["==", ">=", "<=", "!="].iter().any(|sign| line.contains(sign)), "{line}");
        }
        let Some(outcome) = text.lines().find(|line| line.starts_with("outcome: ")) else {
            assert!(text.contains("not over after"), "{}: {text}", path.display());
            continue;
        };
        assert!(!outcome.contains(" 0"), "{}: {outcome}", path.display());
        seen += 1;
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(seen > 15, "{seen}");
}

/// The first weapon has shooters and so has the second one: what is told of the second says so.
#[test]
fn what_is_called_alike_says_its_table() {
    let file = "[[contest]]\nsystem = 'dropzone'\naction = 'shoot'\ntarget = 'Scourge/Hunter Tank'\n\
        weapon = 'UCM/Sabre Tank/Avenger Railgun'\nsquad = 2\n[[contest.attack]]\n\
        weapon = 'UCM/Rapier AA Tank/AA Vindicator'\nsquad = [1, 3]\n";
    let said = crate::cards::page(&["odds", "-", "--format", "markdown", "--exact-only"], file);
    let given = "weapon: UCM/Sabre Tank/Avenger Railgun, shooters 2, weapon (attack): UCM/Rapier AA Tank/AA \
        Vindicator, target: Scourge/Hunter Tank";
    assert!(said.contains(given), "{said}");
    assert!(said.contains("| shooters (attack) |"), "{said}");
    // A unit is no weapon: those that it has are asked for.
    let unit = file.replace("/Avenger Railgun", "");
    let refused = crate::cards::refusal(&["odds", "-"], &unit);
    let meant = r#"did you mean "UCM/Sabre Tank/Avenger Railgun" or "UCM/Sabre Tank/Gatling Gun"?"#;
    assert!(refused.contains(meant), "{refused}");
}

/// The texts of a picture.
fn read_of_picture(svg: &str) -> Vec<String> {
    let texts = svg.split("<text").skip(1).filter_map(|part| part.split_once('>'));
    texts.map(|(_, text)| text.split("</text>").next().unwrap_or_default().to_owned()).collect()
}

/// Everything that a command leaves in a folder for people, and what it says on the terminal.
fn assert_folder_is_spoken(path: &Path, folder: &Path, screen: &str, own: &[&str]) {
    let mut faults = BTreeSet::new();
    let is_own = |line: &str| own.iter().any(|own| line.contains(own));
    let mut see = |what: &str, text: &str| {
        // Where the folder lies is a path.
        if !is_own(text) && !text.contains(&*folder.to_string_lossy()) {
            faults.extend(fault(what, path, text));
        }
    };
    for line in screen.lines() {
        line.split('┆').for_each(|text| see("the terminal", text.trim_matches(['│', ' '])));
    }
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    for line in read_of_markdown(&read("summary.md")).lines() {
        line.split('|').for_each(|text| see("a summary", text));
    }
    let page = ["script", "style", "svg", "code", "pre", "head"]
        .iter()
        .fold(read("report.html"), |page, tag| {
            without(&page, &format!("<{tag}"), &format!("</{tag}>"))
        });
    for (_, text) in page.split('<').filter_map(|part| part.split_once('>')) {
        see("a page", text.trim());
    }
    for entry in fs::read_dir(folder.join("charts")).expect("there are pictures") {
        let file = entry.expect("it can be listed").path();
        if file.extension().is_some_and(|end| end == "svg") {
            let svg = fs::read_to_string(file).expect("it can be read");
            read_of_picture(&svg).iter().for_each(|text| see("a picture", text));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn prices_speak_as_players_do() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/questions");
    for name in ["dropzone_04_price_of_my_tank", "skirmishers_04_price_of_my_autocannon"] {
        let path = root.join(name).with_extension("toml");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (file, out) = (path.to_string_lossy(), folder.path().to_string_lossy());
        let arguments = ["balance", &*file, "--out", &*out, "--trials", "200", "--quiet"];
        let screen = crate::cards::page(&arguments, "");
        assert!(screen.contains("Assumed:"), "{screen}");
        assert_folder_is_spoken(&path, folder.path(), &screen, &[]);
    }
}

/// The search over a million settings, among sixteen of them.
#[test]
fn a_search_speaks_as_players_do() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/design_space.toml");
    let mut text = fs::read_to_string(&path).expect("it can be read");
    let fewer = [
        ("fp = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36]", "fp = [8, 24]"),
        ("{ from = -8, to = 16 }", "[0, 3]"),
        ("[\"ift\", \"iift\"]", "\"ift\""),
        ("[true, false]", "[true, false]"),
        ("[\"10-3\", \"10-2\", \"9-2\", \"9-1\", \"8-1\", \"8-0\", \"7-0\"]", "\"9-1\""),
        ("[0, 1, 2, 3]", "[0, 2]"),
        ("{ from = 6, to = 10 }", "6"),
        ("{ from = 4, to = 10 }", "5"),
    ];
    for (much, little) in fewer {
        assert!(text.contains(much), "{much}");
        text = text.replace(much, little);
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().to_string_lossy();
    let arguments = ["run", "-", "--out", &*out, "--trials", "1000", "--quiet"];
    let screen = crate::cards::page(&arguments, &text);
    let own = ["**Question.**", "**Prediction.**"];
    assert_folder_is_spoken(&path, folder.path(), &screen, &own);
}
