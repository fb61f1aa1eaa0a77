//! Cards as blocks: a table of text for each table, and a row for each line.

use super::model::{Card, Line, Row, Table, Tone};
use crate::blocks::{Block, Entry, Sentence, TextTable};

/// Builds the blocks of all cards.
pub fn blocks(cards: &[Card]) -> Vec<Block> {
    cards.iter().flat_map(card).collect()
}

fn card(card: &Card) -> Vec<Block> {
    let mut blocks = vec![Block::Title(card.title.clone())];
    for table in &card.tables {
        if !table.place.is_empty() {
            blocks.push(Block::Heading(table.place.clone()));
        }
        blocks.push(Block::said(&table.subtitle));
        blocks.push(Block::Table(table.place.clone(), grid(table)));
    }
    let legend = card.legend.iter().map(|entry| match entry.term.as_str() {
        "" => Sentence::plain(&entry.text),
        term => Sentence::of(format!("{term}:"), &entry.text),
    });
    blocks.push(Block::List(legend.collect()));
    blocks.push(Block::said(card.footer.join(" ")));
    blocks
}

fn grid(table: &Table) -> TextTable {
    let label = table.labelled.then_some(&table.across);
    let right = table.heads_at_both_edges().then(|| &table.stubs[0]);
    let heads = table.stubs.iter().chain(label).chain(&table.columns).chain(right);
    let rows = table.rows.iter().flat_map(|row| {
        row.lines.iter().enumerate().map(|(at, line)| cells(table, row, line, at == 0))
    });
    let fixed = table.stubs.len() + usize::from(table.labelled);
    TextTable { heads: heads.cloned().collect(), rows: rows.collect(), fixed }
}

/// Builds the entries of a line; the heads are in the first line of their row.
fn cells(table: &Table, row: &Row, line: &Line, first: bool) -> Vec<Entry> {
    let head = |head: &String| Entry::Text(if first { head.clone() } else { String::new() });
    let mut cells: Vec<_> = row.heads.iter().map(head).collect();
    cells.extend(table.labelled.then(|| Entry::Text(line.label.clone())));
    cells.extend(line.cells.iter().map(|cell| {
        let shown = cell.as_ref().map_or(String::new(), |cell| cell.shown.clone());
        match line.tone {
            Tone::Strong => Entry::Strong(shown),
            _ => Entry::Number(shown),
        }
    }));
    cells.extend(table.heads_at_both_edges().then(|| head(&row.heads[0])));
    cells
}
