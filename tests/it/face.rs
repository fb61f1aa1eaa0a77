//! What the crate shows to those who use it from Rust.

use std::path::{Path, PathBuf};

use enfilade_testkit::source_files::{list_crates, repository_folder};

/// More than this nobody reads, and nobody keeps from one version to the next.
const MOST: usize = 700;

/// Modules of a file that are shown, by the names of their files.
fn shown(file: &Path, text: &str) -> Vec<PathBuf> {
    let own = file.with_extension("");
    let root =
        ["mod", "lib"].contains(&own.file_name().and_then(|name| name.to_str()).unwrap_or(""));
    let folder = if root { own.parent().expect("it is in src").to_owned() } else { own };
    let lines: Vec<&str> = text.lines().collect();
    let modules = lines.iter().enumerate().filter_map(|(at, line)| {
        let name = line.strip_prefix("pub mod ")?.strip_suffix(';')?;
        let hidden = lines[..at].last().is_some_and(|above| *above == "#[doc(hidden)]");
        (!hidden).then_some(name)
    });
    let file = |name: &str| {
        let plain = folder.join(format!("{name}.rs"));
        if plain.exists() { plain } else { folder.join(name).join("mod.rs") }
    };
    modules.map(file).collect()
}

/// The lines of a file but those of items that documentation hides: they are for the other crates
/// of the workspace.
fn without_hidden(text: &str) -> String {
    let mut is_hidden = false;
    let shown = text.lines().filter(|line| {
        let line = line.trim_start();
        let was_hidden = is_hidden;
        is_hidden = line == "#[doc(hidden)]" || (is_hidden && line.starts_with("#["));
        !was_hidden || is_hidden
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// Items that are public in a file, and the names that it shows from elsewhere.
fn items(text: &str) -> usize {
    let code = without_hidden(text.split("mod tests {").next().unwrap_or(text));
    let starts = |line: &&str| {
        let line = line.trim_start();
        let kinds = ["fn", "const", "struct", "enum", "trait", "type", "static", "unsafe"];
        kinds.iter().any(|kind| line.starts_with(&format!("pub {kind} ")))
    };
    // What another crate shows is counted there.
    let uses = code.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let uses = uses.filter(|tree| !tree.starts_with("enfilade_"));
    let names = |tree: &str| tree.split(',').filter(|name| !name.trim().is_empty()).count();
    code.lines().filter(starts).count() + uses.map(names).sum::<usize>()
}

#[test]
fn what_is_shown_can_be_read() {
    let inner = ["api", "bench", "dice", "report", "stats", "testkit", "wasm"];
    let crates = list_crates().into_iter().filter(|name| !inner.contains(&&**name));
    let crates =
        crates.map(|name| repository_folder().join(format!("crates/enfilade-{name}/src/lib.rs")));
    let mut files: Vec<PathBuf> = crates.chain([repository_folder().join("src/lib.rs")]).collect();
    let mut count = 0;
    let mut read = 0;
    while let Some(file) = files.pop() {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|why| panic!("{file:?}: {why}"));
        files.extend(shown(&file, &text));
        count += items(&text);
        read += 1;
    }
    assert!(read > 20 && count > 100, "{count} items in {read} files");
    assert!(count <= MOST, "{count} public items in {read} files");
}

/// Whether a source defines a public item of this name with an example in its documentation.
fn shows_an_example(text: &str, name: &str) -> bool {
    let kinds = ["struct", "enum", "trait", "fn", "const"];
    let starts = |line: &str| {
        let rest = kinds.iter().find_map(|kind| line.strip_prefix(&format!("pub {kind} ")));
        rest.and_then(|rest| rest.strip_prefix(name))
            .is_some_and(|after| !after.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    let mut has_example = false;
    for line in text.lines() {
        if starts(line) && has_example {
            return true;
        }
        has_example = match line.trim_end_matches('\r') {
            line if line.starts_with("///") => has_example || line.starts_with("/// ```"),
            line => has_example && (line.starts_with("#[") || line.starts_with(' ')),
        };
    }
    false
}

/// Names that a user finds at the root: types by their capital, and functions; modules are told in
/// their own heads.
#[test]
fn every_item_at_the_root_has_an_example() {
    let root_text =
        std::fs::read_to_string(repository_folder().join("src/lib.rs")).expect("there is a face");
    let uses =
        root_text.lines().filter_map(|line| line.strip_prefix("pub use ")?.strip_suffix(';'));
    let words = |tree: &str| -> Vec<String> {
        let names = tree.rsplit_once("::").map_or(tree, |(_, names)| names);
        names.split(['{', '}', ',', ' ']).map(str::to_owned).collect()
    };
    let is_item = |name: &String| {
        name.starts_with(char::is_uppercase)
            || ["price_arsenal", "solve_experiment", "built_in_catalogue"].contains(&&**name)
    };
    let mut items: Vec<String> = uses.flat_map(words).filter(is_item).collect();
    items.push("PROGRAM_BUILD_ID".to_owned());
    assert!(items.len() > 15, "{items:?}");
    let texts = enfilade_testkit::source_files::read_sources();
    let lacks = |name: &&String| !texts.values().any(|text| shows_an_example(text, name));
    let lacking: Vec<_> = items.iter().filter(lacks).collect();
    assert!(lacking.is_empty(), "no example: {lacking:?}");
}
