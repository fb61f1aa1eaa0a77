//! Blocks as JSON, for a page that builds its own elements from them because it accepts no markup.
//!
//! A list of objects with one key each, the kind of the block: `{"heading": "Why"}`. A sentence is
//! a list of pairs: whether the part is emphasized, and its words. A cell of a table is whether it
//! is a number, and its words. Pictures are left out; ranges are the table of their numbers.

use serde::Serialize;

use super::{ReportBlock, ReportTableCell, StyledSentence, TextEmphasis, TextTable};

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
pub fn blocks_to_json(blocks: &[ReportBlock]) -> Vec<BlockJson> {
    blocks.iter().flat_map(convert_with_ranges_as_table).collect()
}

/// Converts one block; ranges become the table of their numbers, and their reasons.
fn convert_with_ranges_as_table(block: &ReportBlock) -> Vec<BlockJson> {
    match block {
        ReportBlock::Ranges(ranges) => {
            let shown =
                BlockJson::Table(ranges.name.clone(), table_to_json(&ranges.to_text_table()));
            std::iter::once(shown)
                .chain(convert_text_or_table_block(&ReportBlock::List(ranges.list_range_reasons())))
                .collect()
        }
        other => convert_text_or_table_block(other).into_iter().collect(),
    }
}

fn convert_text_or_table_block(block: &ReportBlock) -> Option<BlockJson> {
    let choice = |(called, shown): &(String, TextTable)| (called.clone(), table_to_json(shown));
    Some(match block {
        ReportBlock::Title(text) => BlockJson::Title(text.clone()),
        ReportBlock::Heading(text) => BlockJson::Heading(text.clone()),
        ReportBlock::Sentence(said) => BlockJson::Sentence(styled_parts_to_json(said)),
        ReportBlock::List(lines) => BlockJson::List(list_to_json(lines)),
        ReportBlock::Table(name, shown) => BlockJson::Table(name.clone(), table_to_json(shown)),
        ReportBlock::Boxed(title, lines) => BlockJson::Boxed(title.clone(), list_to_json(lines)),
        ReportBlock::Command(line) => BlockJson::Command(line.clone()),
        ReportBlock::Choices(title, choices) => {
            BlockJson::Choices(title.clone(), choices.iter().map(choice).collect())
        }
        ReportBlock::Picture(_) | ReportBlock::Ranges(_) => return None,
    })
}

fn styled_parts_to_json(sentence: &StyledSentence) -> SentenceJson {
    sentence
        .0
        .iter()
        .map(|(voice, text)| (*voice == TextEmphasis::Strong, text.to_string()))
        .collect()
}

fn list_to_json(lines: &[StyledSentence]) -> Vec<SentenceJson> {
    lines.iter().map(styled_parts_to_json).collect()
}

fn table_to_json(table: &TextTable) -> TableJson {
    let entry =
        |entry: &ReportTableCell| (entry.is_flush_right(), entry.entry_in_one_line().to_string());
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
            rows: vec![vec![
                ReportTableCell::Text("<b>".to_owned()),
                ReportTableCell::Number("33".to_owned()),
            ]],
            fixed: 1,
        };
        let blocks = [
            ReportBlock::Heading("Why".to_owned()),
            ReportBlock::Sentence(StyledSentence::with_label("MMG:", "dear")),
            ReportBlock::Table("It".to_owned(), shown),
            ReportBlock::Choices("Other".to_owned(), Vec::new()),
        ];
        let table = json!(["It", { "heads": ["weapon", "price"], "rows": [[[false, "<b>"], [true, "33"]]], "fixed": 1 }]);
        let expected = json!([
            { "heading": "Why" }, { "sentence": [[true, "MMG:"], [false, "dear"]] }, { "table": table },
            { "choices": ["Other", []] },
        ]);
        assert_eq!(json!(blocks_to_json(&blocks)), expected);
    }
}
