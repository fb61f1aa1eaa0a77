//! The questions and the press room know no rulebook: no rulebook's name, and no word of its own.
//!
//! The sources are read as text, without comments and without their tests. What a room must know of
//! a word (which outcome is worse, what a player calls it) the vocabulary says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use enfilade::study::samples;

/// The folders that know no rulebook.
const ROOMS: [&str; 4] = [
    "crates/enfilade-report/src",
    "crates/enfilade-dice/src",
    "crates/enfilade-pricing/src",
    "crates/enfilade-study/src",
];

/// Every source file of the rooms by its path, as the compiler has it without tests.
fn sources() -> BTreeMap<String, Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<PathBuf> = ROOMS.iter().map(|room| root.join(room)).collect();
    let mut found = BTreeMap::new();
    let mut tests = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("sources can be read") {
            let path = entry.expect("sources can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
                let place = path.strip_prefix(root).expect("it is in the repository");
                let name = place.to_string_lossy().into_owned();
                let (code, modules) = without_tests(&text);
                tests.extend(modules.iter().map(|module| in_file(&name, module)));
                found.insert(name, read(&code));
            }
        }
    }
    assert!(found.len() > 80, "the sources are where this test looks");
    found.retain(|name, _| !tests.iter().any(|test| name.starts_with(test.as_str())));
    found
}

/// Where the module called `module` of a file is: the path without `.rs` or what is in the folder.
fn in_file(file: &str, module: &str) -> String {
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let folder = ["/mod", "/lib"].iter().find_map(|end| stem.strip_suffix(end)).unwrap_or(stem);
    format!("{folder}/{module}.rs")
}

/// The code without items that are there for tests, and the modules among them that are files.
fn without_tests(code: &str) -> (String, Vec<String>) {
    let (mut kept, mut modules) = (String::new(), Vec::new());
    let mut rest = code;
    while let Some(at) = rest.find("#[cfg(test)]") {
        kept += &rest[..at];
        let item = &rest[at + "#[cfg(test)]".len()..];
        let brace = item.find('{').unwrap_or(item.len());
        match item.find(';').filter(|end| *end < brace) {
            Some(end) => {
                modules.extend(item[..end].split_whitespace().last().map(str::to_owned));
                rest = &item[end + 1..];
            }
            None => {
                // Items are formatted: one ends with a brace under the place where it begins.
                let line = kept.rfind('\n').map_or(0, |at| at + 1);
                let end = format!("\n{}}}", &kept[line..]);
                rest = item.find(&end).map_or("", |at| &item[at + end.len()..]);
            }
        }
    }
    (kept + rest, modules)
}

/// A source without its comments.
struct Source {
    /// Everything but the comments and the string literals.
    code: String,
    /// The string literals, as they are written.
    literals: Vec<String>,
}

impl Source {
    /// The words in it: letters, digits and `_`.
    fn words(&self) -> impl Iterator<Item = &str> {
        let texts = std::iter::once(&self.code).chain(&self.literals);
        texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'))
    }
}

/// Takes a source apart.
fn read(text: &str) -> Source {
    let (mut code, mut literals) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (taken, literal) = match c {
            '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), false),
            'r' if !code.ends_with(char::is_alphanumeric) && raw(rest).is_some() => {
                (raw(rest).unwrap_or(1), true)
            }
            '"' => (quoted(rest), true),
            '\'' => (character(rest), false),
            c => (c.len_utf8(), false),
        };
        let piece = &rest[..taken];
        match c {
            _ if literal => literals.push(piece.trim_matches(['r', '#']).trim_matches('"').into()),
            '/' if taken > 1 => {}
            _ => code += piece,
        }
        rest = &rest[taken..];
    }
    Source { code, literals }
}

/// The length of the string that `text` begins with.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// The length of the raw string that `text` begins with, if it does.
fn raw(text: &str) -> Option<usize> {
    let marks = text[1..].bytes().take_while(|&b| b == b'#').count();
    let inside = text[1 + marks..].strip_prefix('"')?;
    let end = inside.find(&format!("\"{}", "#".repeat(marks)))?;
    Some(1 + marks + 1 + end + 1 + marks)
}

/// The length of the character that `text` begins with, or of its mark where it is a lifetime.
fn character(text: &str) -> usize {
    let inside = &text[1..];
    let escape = inside.starts_with('\\');
    let first = inside.chars().next().map_or(0, char::len_utf8) + usize::from(escape);
    match inside.get(first..) {
        Some(after) if escape || after.starts_with('\'') => {
            first + after.find('\'').map_or(0, |at| at + 1) + 1
        }
        _ => 1,
    }
}

/// What the built-in rulebooks call their outcome fields, measures and actions.
fn names() -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for system in crate::built_in().rulebooks_created_on_demand() {
        for action in &system.actions {
            let whose = format!("{} {}", system.id, action.name);
            let reported = samples::output_columns_of_action(action);
            let fields = reported.fields.iter().map(|field| field.name.to_string());
            let measures = reported.measures.iter();
            let measures = measures.map(|measure| measure.name.to_string());
            for name in fields.chain(measures).chain([action.name.to_string()]) {
                names.entry(name).or_insert_with(|| whose.clone());
            }
        }
    }
    assert!(names.len() > 100, "the rulebooks are where this test looks");
    names
}

#[test]
fn no_room_names_a_rulebook() {
    let catalogue = crate::built_in();
    let ids: Vec<&str> = catalogue.rulebook_ids().collect();
    let mut named = Vec::new();
    for (file, source) in sources() {
        let known = source.words().filter(|word| ids.contains(word));
        named.extend(known.map(|id| format!("{file} names {id}")));
    }
    assert_eq!(named, Vec::<String>::new());
}

/// Whether a literal is a piece of a name and of nothing else: `_to_kill`, `p_`.
fn is_piece(literal: &str) -> bool {
    let of_names = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    literal.len() > 1 && literal.contains('_') && literal.chars().all(of_names)
}

/// The names that a literal is, or is a piece of.
fn whose<'a>(
    names: &'a BTreeMap<String, String>,
    literal: &str,
) -> Option<(&'a String, &'a String)> {
    let known = |name: &str| name == literal || is_piece(literal) && name.contains(literal);
    names.iter().find(|(name, _)| known(name))
}

/// Words that mean something else there: what players write about dice, a key of the forms,
/// the columns of a chain, and what is assumed of every battle.
const OWN: [(&str, &str); 8] = [
    ("crates/enfilade-dice/src/", "hits"),
    ("crates/enfilade-dice/src/", "hit"),
    ("crates/enfilade-report/src/forms_json.rs", "actions"),
    ("crates/enfilade-pricing/src/doctrine.rs", "turns"),
    ("crates/enfilade-pricing/src/doctrine.rs", "fire"),
    ("crates/enfilade-pricing/src/doctrine.rs", "wounded"),
    ("crates/enfilade-study/src/follow_up/", "turns"),
    ("crates/enfilade-study/src/follow_up/", "e_"),
];

#[test]
fn no_room_reads_a_word_of_a_rulebook_or_a_piece_of_one() {
    let names = names();
    let mut read = Vec::new();
    for (file, source) in sources() {
        for literal in &source.literals {
            if OWN.iter().any(|(room, own)| file.starts_with(room) && literal == own) {
                continue;
            }
            if let Some((name, action)) = whose(&names, literal) {
                read.push(format!("{file} has \"{literal}\" of {name} in {action}"));
            }
        }
    }
    assert_eq!(read, Vec::<String>::new());
}

/// What reports looked for in names before the vocabulary said it.
#[test]
fn pieces_of_names_are_found() {
    let names = names();
    for piece in ["eliminated", "p_kill", "_to_kill", "_per_100_", "p_", "e_"] {
        assert!(whose(&names, piece).is_some(), "{piece}");
    }
    for own in ["kill %", "_exact", "p_exact", "total", "_"] {
        assert!(whose(&names, own).is_none(), "{own}");
    }
}

#[test]
fn how_a_measure_is_computed_is_no_business_of_the_press_room() {
    for (file, source) in sources() {
        let named = source.words().any(|word| word == "MeasureKind");
        assert!(
            !(file.starts_with("crates/enfilade-report/src/") && named),
            "{file} names MeasureKind"
        );
    }
}

#[test]
fn the_reading_of_sources_sees_what_it_should() {
    let text = "let a = \"asl\"; // d20\nlet b = r#\"x\"//aic\"#; let c = ('\"', '\\'', f::<'a>());\n\"g\\\"h\"";
    let source = read(text);
    assert_eq!(source.literals, ["asl", "x\"//aic", "g\\\"h"]);
    let known = |word: &str| source.words().any(|known| known == word);
    assert!(known("asl") && known("aic") && known("let") && !known("d20"));
    let file = "fn a() {}\n#[cfg(test)]\nmod fixture;\nimpl D {\n    #[cfg(test)]\n    fn e() {\n    }\n    fn f() {}\n}\n#[cfg(test)]\nmod tests {\n    fn b() {\n    }\n}\nfn c() {}";
    let (kept, modules) = without_tests(file);
    assert!(kept.contains("fn a") && kept.contains("fn c") && !kept.contains("fn b"));
    assert!(kept.contains("fn f") && !kept.contains("fn e"));
    assert_eq!(modules, ["fixture"]);
    assert_eq!(
        in_file("crates/enfilade-report/src/mod.rs", "test_answers"),
        "crates/enfilade-report/src/test_answers.rs"
    );
    assert_eq!(
        in_file("crates/enfilade-study/src/file/document.rs", "tests"),
        "crates/enfilade-study/src/file/document/tests.rs"
    );
}
