//! Blocks as JSON, for a page that builds its own elements from them because it accepts no markup.
//!
//! A list of objects with one key each, the kind of the block: `{"heading": "Why"}`. A sentence is
//! a list of pairs: whether the part is emphasized, and its words. A cell of a table is whether it
//! is a number, and its words. Pictures are left out; ranges are the table of their numbers.

use serde::Serialize;

use super::{Block, Entry, Sentence, TextTable, Voice};

/// A block: an object with one key, its kind.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum BlockJson {
    /// The head of the page.
    Title(String),
    /// The head of a section.
    Heading(String),
    /// A sentence.
    Sentence(SentenceJson),
    /// Lines.
    List(Vec<SentenceJson>),
    /// A table and its name.
    Table(String, TableJson),
    /// Lines in a frame, and its head.
    Boxed(String, Vec<SentenceJson>),
    /// A command line.
    Command(String),
    /// Tables of which one is shown, each with its name, and the title of the choice.
    Choices(String, Vec<(String, TableJson)>),
}

/// Parts of a sentence: whether each is emphasized, and its words.
type SentenceJson = Vec<(bool, String)>;

/// A table: whether each cell is a number, and its words.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableJson {
    heads: Vec<String>,
    rows: Vec<Vec<(bool, String)>>,
    fixed: usize,
}

/// Converts the blocks, most important first.
pub fn write(blocks: &[Block]) -> Vec<BlockJson> {
    blocks.iter().flat_map(each).collect()
}

/// Converts one block; ranges become the table of their numbers, and their reasons.
fn each(block: &Block) -> Vec<BlockJson> {
    match block {
        Block::Ranges(ranges) => {
            let shown = BlockJson::Table(ranges.name.clone(), table(&ranges.table()));
            std::iter::once(shown).chain(one(&Block::List(ranges.reasons()))).collect()
        }
        other => one(other).into_iter().collect(),
    }
}

fn one(block: &Block) -> Option<BlockJson> {
    let choice = |(called, shown): &(String, TextTable)| (called.clone(), table(shown));
    Some(match block {
        Block::Title(text) => BlockJson::Title(text.clone()),
        Block::Heading(text) => BlockJson::Heading(text.clone()),
        Block::Sentence(said) => BlockJson::Sentence(sentence(said)),
        Block::List(lines) => BlockJson::List(list(lines)),
        Block::Table(name, shown) => BlockJson::Table(name.clone(), table(shown)),
        Block::Boxed(title, lines) => BlockJson::Boxed(title.clone(), list(lines)),
        Block::Command(line) => BlockJson::Command(line.clone()),
        Block::Choices(title, choices) => {
            BlockJson::Choices(title.clone(), choices.iter().map(choice).collect())
        }
        Block::Picture(_) | Block::Ranges(_) => return None,
    })
}

fn sentence(said: &Sentence) -> SentenceJson {
    said.0.iter().map(|(voice, text)| (*voice == Voice::Strong, text.to_string())).collect()
}

fn list(lines: &[Sentence]) -> Vec<SentenceJson> {
    lines.iter().map(sentence).collect()
}

fn table(table: &TextTable) -> TableJson {
    let entry = |entry: &Entry| (entry.is_number(), entry.inline().to_string());
    TableJson {
        heads: table.heads.clone(),
        rows: table.rows.iter().map(|row| row.iter().map(entry).collect()).collect(),
        fixed: table.fixed,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
        assert_eq!(json!(write(&blocks)), expected);
    }
}
