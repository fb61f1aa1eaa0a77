//! A rule in Rust can be held against its rulebook: functions that decide something open with the
//! number or the heading of their rule. The sources are read as text.

use std::path::{Path, PathBuf};

/// By rulebook: the headings of its rules, none where they are numbered, and how many functions
/// open with one at least.
const FLOORS: [(&str, &[&str], usize); 3] = [
    ("asl", &[], 65),
    (
        "dropzone",
        &[
            "SHOOTING",
            "ACCURACY",
            "DAMAGE",
            "FORTITUDE",
            "SEARCHING",
            "TRANSPORTS",
            "AIRCRAFT",
            "COLLATERAL DAMAGE",
            "GARRISONS",
            "ENTERING & EXITING",
            "Destructible",
            "Flammable",
            "Focus-X",
            "Reduced-X",
            "AA-X",
            "Devastator-X",
            "Destroyer",
            "Area",
            "Cover",
            "Penetrative",
        ],
        42,
    ),
    (
        "skirmishers",
        &[
            "Base rules",
            "Unit card",
            "Crewed Weapons",
            "Body Armor",
            "Advanced Explosives",
            "Incendiary Weapons",
            "Advanced Terrain",
            "Movement Fire",
            "Large Targets",
            "Morale Checks",
        ],
        35,
    ),
];

fn sources(folder: PathBuf) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("sources can be read");
    let mut texts = Vec::new();
    for entry in entries {
        let path = entry.expect("sources can be read").path();
        match path.is_dir() {
            true => texts.extend(sources(path)),
            false => texts.push(std::fs::read_to_string(path).expect("sources are UTF-8")),
        }
    }
    texts
}

/// The docs of all functions, each as one line.
fn docs(text: &str) -> Vec<String> {
    let (mut docs, mut doc) = (Vec::new(), String::new());
    for line in text.lines().map(str::trim) {
        if let Some(more) = line.strip_prefix("///") {
            doc.push_str(more);
            continue;
        }
        let words = line.trim_start_matches("pub ").trim_start_matches("pub(super) ");
        if words.trim_start_matches("const ").starts_with("fn ") {
            docs.push(std::mem::take(&mut doc));
        }
        if !line.starts_with("#[") {
            doc.clear();
        }
    }
    docs
}

/// Whether a doc names a numbered rule: `A7.3`.
fn numbered(doc: &str) -> bool {
    doc.split(|c: char| !c.is_alphanumeric() && c != '.').any(|word| {
        let number = word.strip_prefix(['A', 'C', 'D', 'E']).and_then(|rest| rest.split_once('.'));
        let digits = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
        number.is_some_and(|(section, rule)| digits(section) && digits(rule))
    })
}

#[test]
fn functions_open_with_their_rules() {
    let systems = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (system, headings, least) in FLOORS {
        let texts = sources(systems.join(system));
        let docs: Vec<String> = texts.iter().flat_map(|text| docs(text)).collect();
        let opens = |doc: &&String| match headings {
            [] => numbered(doc),
            _ => headings.iter().any(|heading| doc.trim_start().starts_with(heading)),
        };
        let found = docs.iter().filter(opens).count();
        assert!(found >= least, "{system}: {found} of {} functions, {least} wanted", docs.len());
    }
}

#[test]
fn a_rule_is_seen_where_there_is_one() {
    let text =
        "/// A7.3: the DR.\nfn a() {}\n\n/// Nothing.\n#[must_use]\npub fn b() {}\nfn c() {}";
    assert_eq!(docs(text), [" A7.3: the DR.", " Nothing.", ""]);
    assert!(numbered("as A7.308 has it") && !numbered("the 3.5 of A"));
}
