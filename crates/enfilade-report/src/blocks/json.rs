//! Blocks as JSON: for a page that makes its own elements of them, as a script must where no markup is taken.
//!
//! A list of objects with one key each, what the block is: `{"heading": "Why"}`. A sentence is a list of
//! pairs, whether it is to be found by the eye and its words; a cell of a table, whether it is a number and its words.
//! Pictures are for paper; ranges are the table of their numbers.

use serde_json::{Value as Json, json};

use super::{Block, Entry, Sentence, TextTable, Voice};

/// The blocks, most important first.
pub fn write(blocks: &[Block]) -> Json {
    blocks.iter().flat_map(each).collect()
}

/// Ranges are the table of their numbers, and their reasons.
fn each(block: &Block) -> Vec<Json> {
    match block {
        Block::Ranges(ranges) => {
            let shown = json!({ "table": [ranges.name, table(&ranges.table())] });
            std::iter::once(shown).chain(one(&Block::List(ranges.reasons()))).collect()
        }
        other => one(other).into_iter().collect(),
    }
}

fn one(block: &Block) -> Option<Json> {
    let choice = |(called, shown): &(String, TextTable)| json!([called, table(shown)]);
    Some(match block {
        Block::Title(text) => json!({ "title": text }),
        Block::Heading(text) => json!({ "heading": text }),
        Block::Sentence(said) => json!({ "sentence": sentence(said) }),
        Block::List(lines) => json!({ "list": list(lines) }),
        Block::Table(name, shown) => json!({ "table": [name, table(shown)] }),
        Block::Boxed(title, lines) => json!({ "boxed": [title, list(lines)] }),
        Block::Command(line) => json!({ "command": line }),
        Block::Choices(title, choices) => {
            json!({ "choices": [title, choices.iter().map(choice).collect::<Vec<_>>()] })
        }
        Block::Picture(_) | Block::Ranges(_) => return None,
    })
}

fn sentence(said: &Sentence) -> Json {
    said.0.iter().map(|(voice, text)| json!([*voice == Voice::Strong, text])).collect()
}

fn list(lines: &[Sentence]) -> Json {
    lines.iter().map(sentence).collect()
}

fn table(table: &TextTable) -> Json {
    let entry = |entry: &Entry| json!([entry.is_number(), entry.inline()]);
    let row = |row: &Vec<Entry>| row.iter().map(entry).collect::<Json>();
    let rows: Json = table.rows.iter().map(row).collect();
    json!({ "heads": table.heads, "rows": rows, "fixed": table.fixed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_an_object_that_says_what_it_is() {
        let shown = TextTable {
            heads: vec!["weapon".to_owned(), "price".to_owned()],
            rows: vec![vec![Entry::Text("<b>".to_owned()), Entry::Number("33".to_owned())]],
            fixed: 1,
        };
        let blocks = [
            Block::Heading("Why".to_owned()),
            Block::Sentence(Sentence::of("MMG:", "dear")),
            Block::Table("It".to_owned(), shown),
            Block::Choices("Other".to_owned(), Vec::new()),
        ];
        let table = json!(["It", { "heads": ["weapon", "price"], "rows": [[[false, "<b>"], [true, "33"]]], "fixed": 1 }]);
        let expected = json!([
            { "heading": "Why" }, { "sentence": [[true, "MMG:"], [false, "dear"]] }, { "table": table },
            { "choices": ["Other", []] },
        ]);
        assert_eq!(write(&blocks), expected);
    }
}
