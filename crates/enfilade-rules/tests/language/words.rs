//! Colours for editors: the grammar is JSON, and knows every word of the language.

use enfilade_testkit::source_files::repository_folder;

use enfilade_rules::syntax::parser::{DECLARATION_KEYWORDS, RESERVED_WORDS};
use serde_json::Value;

/// Further words that are read by their place.
const BY_PLACE: [&str; 41] = [
    "out",
    "extends",
    "from",
    "named",
    "changes",
    "column",
    "columns",
    "cell",
    "exact",
    "rare",
    "assumed",
    "optional",
    "harm",
    "gain",
    "keep",
    "when",
    "chance",
    "mean",
    "of",
    "one",
    "die",
    "to",
    "down",
    "with",
    "random",
    "lowest",
    "highest",
    "high",
    "low",
    "reroll",
    "again",
    "on",
    "up",
    "shift",
    "least",
    "most",
    "question",
    "unit",
    "called",
    "headline",
    "finishing",
];

const FUNCTIONS: [&str; 7] = ["sum", "min", "max", "step", "given", "length", "d"];

fn patterns(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("match" | "begin" | "end", Value::String(pattern)) => {
                        found.push(pattern.clone())
                    }
                    _ => patterns(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| patterns(value, found)),
        _ => {}
    }
}

#[test]
fn the_colours_know_every_word() {
    let path = repository_folder().join("editors/enfilade-rules.tmLanguage.json");
    let text = std::fs::read_to_string(path).expect("the grammar is there");
    let grammar: Value = serde_json::from_str(&text).expect("the grammar is JSON");
    assert_eq!(grammar["scopeName"], "source.enfilade-rules");
    assert_eq!(grammar["fileTypes"][0], "rules");
    let mut found = Vec::new();
    patterns(&grammar, &mut found);
    let part = |c: char| !(c.is_alphanumeric() || c == '_');
    // `\b`, `\s` and the like are no words.
    let bare: Vec<String> = found
        .iter()
        .map(|pattern| {
            let mut bare = String::new();
            let mut letters = pattern.chars();
            while let Some(letter) = letters.next() {
                match letter {
                    '\\' => {
                        letters.next();
                        bare.push(' ');
                    }
                    letter => bare.push(letter),
                }
            }
            bare
        })
        .collect();
    let words: Vec<&str> = bare.iter().flat_map(|pattern| pattern.split(part)).collect();
    for word in
        DECLARATION_KEYWORDS.iter().chain(&RESERVED_WORDS).chain(&BY_PLACE).chain(&FUNCTIONS)
    {
        assert!(words.contains(word), "no pattern has `{word}`");
    }
    // Every `include` leads somewhere.
    let includes = text.matches("\"#").count();
    let repository = grammar["repository"].as_object().expect("a repository");
    assert_eq!(includes, repository.len());
}
