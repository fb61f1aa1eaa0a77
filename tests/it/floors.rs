//! Dependency is gravity: a room of the library uses only the floors below its own.
//!
//! The sources are read as text. What a comment mentions does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The floors, lowest first. Rooms of the ground may use each other; on every other floor rooms
/// are strangers.
const FLOORS: [&[&str]; 9] = [
    &[
        "dice",
        "combat",
        "bounds",
        "form",
        "error",
        "stream",
        "pieces",
        "halt",
        "packed",
        "plain_file",
        "shared",
        "catalogue",
        "arsenal",
    ],
    &["rulebook", "stats"],
    &["systems"],
    &["graph", "waves"],
    &["exact", "simulate", "play"],
    &["study"],
    &["report", "bench"],
    &["studio"],
    &["cli"],
];

/// Libraries that only one room may name.
const LODGERS: [(&str, &str); 16] = [
    ("axum", "studio/"),
    ("tokio", "studio/"),
    ("toml_edit", "study/"),
    ("polars_parquet", "report/"),
    ("plotters", "report/drawing/"),
    ("krilla", "report/drawing/"),
    ("ttf_parser", "report/drawing/"),
    ("clap", "cli/"),
    ("clap_complete", "cli/"),
    ("clap_mangen", "cli/"),
    ("rust_xlsxwriter", "report/"),
    ("miette", "cli/"),
    ("cpu_time", "bench/"),
    ("microlp", "stats/"),
    ("nalgebra", "stats/"),
    ("rand_xoshiro", "play/"),
];

/// Every source file under `src/` by its path there, without comments.
fn sources() -> BTreeMap<String, String> {
    texts().into_iter().map(|(file, text)| (file, without_comments(&text))).collect()
}

/// Every source file under `src/` by its path there.
pub(crate) fn texts() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("sources can be read") {
            let path: PathBuf = entry.expect("sources can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
                let name = path
                    .strip_prefix(&root)
                    .expect("it is under src")
                    .to_string_lossy()
                    .into_owned();
                found.insert(name, text);
            }
        }
    }
    assert!(found.len() > 30, "the sources are where this test looks");
    found
}

pub(crate) fn without_comments(text: &str) -> String {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    code.collect::<Vec<_>>().join("\n")
}

/// The floor of a room, if it is one.
fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

/// The room a file belongs to: its folder, or itself.
pub(crate) fn room(file: &str) -> &str {
    file.split(['/', '.']).next().unwrap_or(file)
}

/// The names that come right after `prefix`, also in `prefix{a, b::c}`.
fn names_after(code: &str, prefix: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim().chars().take_while(|&c| c.is_alphanumeric() || c == '_').collect()
    };
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            None => names.push(word(rest)),
            Some(group) => {
                let group = &group[..group.find("};").unwrap_or(group.len())];
                names.extend(group.split(',').map(word));
            }
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[test]
fn no_room_uses_a_floor_above_or_a_neighbour() {
    let mut wrong = Vec::new();
    for (file, code) in sources() {
        let own = room(&file);
        let Some(floor_here) = floor(own) else {
            assert!(["lib", "main"].contains(&own), "{file} is on no floor");
            continue;
        };
        for name in names_after(&code, "crate::") {
            let Some(floor_there) = floor(&name) else {
                continue;
            };
            let ground = floor_here == 0 && floor_there == 0;
            if name != own && floor_there >= floor_here && !ground {
                wrong.push(format!("{file} uses {name}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// A file as a path of modules: `report/card/mod.rs` is `["report", "card"]`.
fn module(file: &str) -> Vec<&str> {
    let mut path: Vec<_> = file.trim_end_matches(".rs").split('/').collect();
    path.pop_if(|last| *last == "mod");
    path
}

/// The paths that a tree of a `use` stands for: `a::{b, c::{d, e}}` is `a::b`, `a::c::d`, `a::c::e`.
fn paths(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((before, group)) = tree.split_once('{') else {
        return vec![tree.to_owned()];
    };
    let group = group.strip_suffix('}').unwrap_or(group);
    let mut depth = 0;
    let branches = group.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let branches = branches.filter(|branch| !branch.trim().is_empty());
    branches.flat_map(|branch| paths(&format!("{before}{}", branch.trim()))).collect()
}

/// The text of a file without the modules written out inside it: for them, `super` is the file itself.
pub(crate) fn without_inner_modules(code: &str) -> String {
    let mut inside = false;
    let outer = code.lines().filter(|line| {
        let was = inside;
        inside = match was {
            false => line.trim_start_matches("pub ").starts_with("mod ") && line.ends_with('{'),
            true => *line != "}",
        };
        !was && !inside
    });
    outer.collect::<Vec<_>>().join("\n")
}

/// The files that a file imports from, of those in `known`: what is named in its `use` lines.
fn imported<'a>(file: &str, code: &str, known: &BTreeMap<Vec<&str>, &'a str>) -> Vec<&'a str> {
    let code = without_inner_modules(code);
    let lines = code.split("use ").skip(1).filter_map(|rest| rest.split_once(';'));
    let own = module(file);
    let named = lines.flat_map(|(tree, _)| paths(tree)).filter_map(|path| {
        let mut at = own.clone();
        let words: Vec<_> = path.split("::").map(str::trim).collect();
        for (place, word) in words.iter().enumerate() {
            match *word {
                "crate" if place == 0 => at.clear(),
                "self" => {}
                "super" => drop(at.pop()),
                word => at.push(word),
            }
        }
        let ends = (1..=at.len()).rev().find_map(|length| known.get(&at[..length]));
        ends.copied().filter(|found| *found != file)
    });
    named.collect()
}

#[test]
fn files_import_each_other_in_no_circle() {
    let sources = sources();
    let modules = sources.keys().map(|file| (module(file), file.as_str())).collect();
    let mut left: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (file, code) in &sources {
        let from: BTreeSet<_> = imported(file, code, &modules).into_iter().collect();
        left.insert(file, from.into_iter().collect());
    }
    // Who imports from nobody that is left goes, and whom nobody imports; a circle stays.
    loop {
        let known: Vec<_> = left.keys().copied().collect();
        left.values_mut().for_each(|from| from.retain(|file| known.contains(file)));
        let wanted: BTreeSet<_> = left.values().flatten().copied().collect();
        left.retain(|file, from| !from.is_empty() && wanted.contains(file));
        if left.len() == known.len() {
            break;
        }
    }
    assert_eq!(left, BTreeMap::new(), "these hang together");
}

#[test]
fn only_the_catalogue_names_the_rule_systems() {
    for id in crate::built_in().ids() {
        for (file, code) in sources() {
            if file == "systems/mod.rs" || file.starts_with(&format!("systems/{id}")) {
                continue;
            }
            for path in [format!("systems::{id}"), format!("super::{id}::")] {
                assert!(!code.contains(&path), "{file} names {path}");
            }
        }
    }
}

#[test]
fn every_library_lives_in_its_room() {
    for (file, code) in sources() {
        for (library, home) in LODGERS {
            let here = file.starts_with(home) || (library == "clap" && file == "main.rs");
            // Resampling is no dice: it shares the generator with the witness, never a stream.
            let shared = ["simulate/rng.rs", "stats/draws.rs"];
            let test_twin = library == "rand_xoshiro" && shared.contains(&file.as_str());
            let yardstick = library == "rand_xoshiro" && file.starts_with("bench/");
            let named = [format!("{library}::"), format!("use {library};")];
            let named = named.iter().any(|name| mentions(&code, name));
            assert!(here || test_twin || yardstick || !named, "{file} names {library}");
        }
    }
}

/// Whether `code` has `name` where no longer name ends with it.
fn mentions(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// The longest that a file of the sources may be, its tests and comments among its lines.
const LONGEST: usize = 500;

#[test]
fn a_file_is_read_in_one_sitting() {
    let long = sources().into_iter().map(|(file, code)| (code.lines().count(), file));
    let long: Vec<_> = long.filter(|(lines, _)| *lines > LONGEST).collect();
    assert!(long.is_empty(), "more than {LONGEST} lines: {long:?}");
}

#[test]
fn unsafe_code_is_in_one_file() {
    for (file, code) in sources() {
        let unsafe_code = mentions(&code, "unsafe ") || mentions(&code, "unsafe{");
        assert!(file == "simulate/rng.rs" || !unsafe_code, "{file} has unsafe code");
    }
}

#[test]
fn the_reading_of_sources_sees_what_it_should() {
    let code = without_comments(
        "use crate::a::b; // crate::c\nuse crate::{d, e::F};\nlet x = crate::g::h();",
    );
    assert_eq!(names_after(&code, "crate::"), ["a", "d", "e", "g"]);
    assert!(mentions("use clap::Args", "clap::") && !mentions("use my_clap::Args", "clap::"));
    assert_eq!(paths("a::{b, c::{d, e},}"), ["a::b", "a::c::d", "a::c::e"]);
    let known = BTreeMap::from([(vec!["a"], "a/mod.rs"), (vec!["a", "c"], "a/c.rs")]);
    let code = "use super::{c::D, E};\nuse crate::a::F;";
    assert_eq!(imported("a/b.rs", code, &known), ["a/c.rs", "a/mod.rs", "a/mod.rs"]);
    assert_eq!((room("dice.rs"), room("systems/asl/fire.rs")), ("dice", "systems"));
}
