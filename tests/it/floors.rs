//! Dependency is gravity: a room uses only the floors below its own.
//!
//! Between crates Cargo holds this: what a crate does not depend on it cannot name. Here it is held
//! inside the three crates that have floors of their own. The sources are read as text; what a
//! comment mentions does not count.

use std::collections::{BTreeMap, BTreeSet};

use enfilade_testkit::source_files::{
    list_crates, read_sources, without_comments, without_inner_modules,
};

/// The floors of a crate, lowest first: rooms of the lowest may use each other, on every other
/// floor rooms are strangers.
type Floors = &'static [&'static [&'static str]];

/// Crates with floors, by where their files are found in [`read_sources`].
const HOUSES: [(&str, Floors); 3] = [
    (
        "engine/",
        &[
            &["error", "cancel", "parallel", "random_stream"],
            &["work_units"],
            &["graph", "frontier"],
            &["exact", "simulate", "play"],
            &["odds"],
        ],
    ),
    (
        "rules/",
        &[
            &["value_types", "diagnostics", "source_map"],
            &["syntax", "vm"],
            &["resolve", "optimize"],
            &["lower"],
            &["check", "cache", "trace"],
            &["combat"],
            &["system"],
            &["loader"],
            &["tools"],
        ],
    ),
    ("", &[&["error"], &["studio"], &["cli"]]),
];

/// Libraries that only one room may name.
const LODGERS: [(&str, &str); 13] = [
    ("axum", "studio/"),
    ("tokio", "studio/"),
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
    ("rand_xoshiro", "engine/play.rs"),
];

/// Every source file as [`read_sources`] names it, without comments.
fn sources() -> BTreeMap<String, String> {
    read_sources().into_iter().map(|(file, text)| (file, without_comments(&text))).collect()
}

/// The floor of a room, if it is one.
fn floor(floors: Floors, room: &str) -> Option<usize> {
    floors.iter().position(|rooms| rooms.contains(&room))
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
    let (members, mut wrong) = (list_crates(), Vec::new());
    for (file, code) in sources() {
        let is_member = members.iter().any(|member| room(&file) == member);
        let house = HOUSES.iter().find(|(house, _)| match house.is_empty() {
            true => !is_member,
            false => file.starts_with(house),
        });
        let Some((house, floors)) = house else { continue };
        let own = room(&file[house.len()..]);
        let Some(floor_here) = floor(floors, own) else {
            assert!(["lib", "main"].contains(&own), "{file} is on no floor");
            continue;
        };
        for name in names_after(&code, "crate::") {
            let Some(floor_there) = floor(floors, &name) else {
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
    path.pop_if(|last| ["mod", "lib"].contains(last));
    path
}

/// The paths that a tree of a `use` stands for: `a::{b, c::{d, e}}` is `a::b`, `a::c::d`,
/// `a::c::e`.
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

/// The files of its own crate that a file imports from, of those in `known`: what is named in its
/// `use` lines.
fn imported<'a>(
    file: &str,
    code: &str,
    members: &[String],
    known: &BTreeMap<Vec<&str>, &'a str>,
) -> Vec<&'a str> {
    let code = without_inner_modules(code);
    let lines = code.split("use ").skip(1).filter_map(|rest| rest.split_once(';'));
    let own = module(file);
    let is_member = own.first().is_some_and(|first| members.iter().any(|member| member == first));
    let named = lines.flat_map(|(tree, _)| paths(tree)).filter_map(|path| {
        let mut at = own.clone();
        let words: Vec<_> = path.split("::").map(str::trim).collect();
        for (place, word) in words.iter().enumerate() {
            match *word {
                "crate" if place == 0 => at.truncate(usize::from(is_member)),
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
    let (sources, members) = (sources(), list_crates());
    let modules = sources.keys().map(|file| (module(file), file.as_str())).collect();
    let mut left: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (file, code) in &sources {
        let from: BTreeSet<_> = imported(file, code, &members, &modules).into_iter().collect();
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
    for id in crate::built_in().rulebook_ids() {
        for (file, code) in sources() {
            if file == "games/lib.rs" || file.starts_with(&format!("games/{id}")) {
                continue;
            }
            let crates = ["systems", "enfilade_games"].map(|games| format!("{games}::{id}"));
            let games = if room(&file) == "games" { "crate" } else { "systems" };
            let paths = [format!("{games}::{id}::"), format!("super::{id}::")];
            for path in crates.into_iter().chain(paths) {
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
            let shared = ["engine/simulate/rng.rs", "stats/random_draws.rs"];
            let test_twin = library == "rand_xoshiro" && shared.contains(&file.as_str());
            let yardstick = library == "rand_xoshiro" && file.starts_with("bench/");
            let patience = library == "cpu_time" && file == "testkit/test_timeout.rs";
            let named = [format!("{library}::"), format!("use {library};")];
            let named = named.iter().any(|name| mentions(&code, name));
            assert!(here || test_twin || yardstick || patience || !named, "{file} names {library}");
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
        // And where bytes pass the border of a module.
        let known = ["engine/simulate/rng.rs", "wasm/lib.rs"].contains(&file.as_str());
        assert!(known || !unsafe_code, "{file} has unsafe code");
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
    assert_eq!(imported("a/b.rs", code, &[], &known), ["a/c.rs", "a/mod.rs", "a/mod.rs"]);
    let known = BTreeMap::from([(vec!["m", "a"], "m/a.rs"), (vec!["m", "b"], "m/b.rs")]);
    assert_eq!(imported("m/a.rs", "use crate::b::F;", &["m".to_owned()], &known), ["m/b.rs"]);
    assert_eq!((room("main.rs"), room("games/asl/fire.rs")), ("main", "games"));
}

/// What a module has not in a browser: files, a clock, threads, a source of random numbers.
const OF_A_SYSTEM: [&str; 9] = [
    "std::fs",
    "std::net",
    "std::thread",
    "Instant::now",
    "SystemTime::now",
    "std::time::Instant",
    "tempfile::",
    "getrandom",
    "plain_file",
];

/// Where the crates name that: each file or folder behind a feature of its crate, or with another
/// body in a browser.
const SYSTEM_DOORS: [&str; 19] = [
    "bench/measure.rs",
    "model/clock.rs",
    "model/lib.rs",
    "model/plain_file.rs",
    "rules/loader.rs",
    "study/error.rs",
    "study/solve/forecast/mod.rs",
    "study/checkpoint/block_log/disk.rs",
    "study/checkpoint/cell_value_log.rs",
    "study/checkpoint/journal/disk_journal.rs",
    "study/file/rulebook_loader/rulebook_catalogue.rs",
    "study/file/source_document.rs",
    "report/folder/",
    "report/run/streaming_run.rs",
    "report/shards/shard_file.rs",
    "report/drawing/png.rs",
    "report/run/run_folder.rs",
    "testkit/source_files.rs",
    "wasm/lib.rs",
];

#[test]
fn crates_ask_a_system_for_nothing_but_at_their_doors() {
    let crates = list_crates();
    let mut found = BTreeSet::new();
    for (file, code) in sources() {
        if !crates.iter().any(|name| file.starts_with(&format!("{name}/"))) {
            continue;
        }
        // Unit tests close a file.
        let code = code.split("#[cfg(test)]").next().unwrap_or_default();
        let named = OF_A_SYSTEM.iter().filter(|word| code.contains(**word));
        found.extend(named.map(|word| (file.clone(), *word)));
    }
    assert!(found.len() > 10, "{found:?}");
    let elsewhere = |(file, _): &&(String, &str)| {
        !SYSTEM_DOORS.iter().any(|door| file.starts_with(door)) && !file.contains("/tests")
    };
    let elsewhere: Vec<_> = found.iter().filter(elsewhere).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:#?}");
}
