//! Sources of the workspace as text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Returns the folder of the repository.
///
/// # Panics
/// If this crate is not two folders below it.
pub fn repository_folder() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).expect("the crate is below `crates/`").to_owned()
}

/// Reads a page of `docs/`.
///
/// # Panics
/// If there is none of that name.
pub fn read_page(name: &str) -> String {
    std::fs::read_to_string(repository_folder().join("docs").join(name)).expect("the page is there")
}

/// Returns the crates below `crates/`, without their common prefix: `engine`, `games`.
///
/// # Panics
/// If the folder cannot be read, or has a crate without that prefix.
pub fn list_crates() -> Vec<String> {
    let folders = std::fs::read_dir(repository_folder().join("crates")).expect("there are crates");
    let names = folders.map(|folder| folder.expect("the folder can be read").file_name());
    let own = |name: std::ffi::OsString| {
        Some(name.to_str()?.strip_prefix("enfilade-").expect("its name").to_owned())
    };
    names.filter_map(own).collect()
}

/// Reads every source file of the workspace, by its path: below `src/` for the program,
/// `engine/graph/mod.rs` for a file of a crate.
///
/// # Panics
/// If a file cannot be read, or fewer than 400 are there.
pub fn read_sources() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let crates = list_crates().into_iter().map(|name| {
        (repository_folder().join(format!("crates/enfilade-{name}/src")), format!("{name}/"))
    });
    for (folder, prefix) in crates.chain([(repository_folder().join("src"), String::new())]) {
        collect_source_files(&folder, &prefix, &mut found);
    }
    assert!(found.len() > 400, "the sources are where this test looks");
    found
}

fn collect_source_files(root: &Path, prefix: &str, found: &mut BTreeMap<String, String>) {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("sources can be read") {
            let path: PathBuf = entry.expect("sources can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
                let name = path.strip_prefix(root).expect("it is below").to_string_lossy();
                found.insert(format!("{prefix}{name}"), text);
            }
        }
    }
}

/// Removes the comments from the text of a file.
pub fn without_comments(text: &str) -> String {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    code.collect::<Vec<_>>().join("\n")
}

/// Removes the inline modules from the text of a file, because their `super` is the file itself.
pub fn without_inner_modules(code: &str) -> String {
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
