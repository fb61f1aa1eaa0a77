//! Cards as blocks: a table of text for each table, and a row for each line.

use super::card_model::{CardLine, CardRow, CardTable, LineEmphasis, ReferenceCard};
use crate::blocks::{ReportBlock, ReportTableCell, StyledSentence, TextTable};

/// Builds the blocks of all cards.
pub fn build_card_blocks(cards: &[ReferenceCard]) -> Vec<ReportBlock> {
    cards.iter().flat_map(build_blocks_of_card).collect()
}

fn build_blocks_of_card(card: &ReferenceCard) -> Vec<ReportBlock> {
    let mut blocks = vec![ReportBlock::Title(card.title.clone())];
    for table in &card.tables {
        if !table.place.is_empty() {
            blocks.push(ReportBlock::Heading(table.place.clone()));
        }
        blocks.push(ReportBlock::new_paragraph(&table.subtitle));
        blocks.push(ReportBlock::Table(table.place.clone(), build_text_table(table)));
    }
    let legend = card.legend.iter().map(|entry| match entry.term.as_str() {
        "" => StyledSentence::new_plain(&entry.text),
        term => StyledSentence::with_label(format!("{term}:"), &entry.text),
    });
    blocks.push(ReportBlock::List(legend.collect()));
    blocks.push(ReportBlock::new_paragraph(card.footer.join(" ")));
    blocks
}

fn build_text_table(table: &CardTable) -> TextTable {
    let label = table.has_labels.then_some(&table.across);
    let right = table.needs_heads_on_both_sides().then(|| &table.stubs[0]);
    let heads = table.stubs.iter().chain(label).chain(&table.columns).chain(right);
    let rows = table.rows.iter().flat_map(|row| {
        row.lines.iter().enumerate().map(|(at, line)| build_line_entries(table, row, line, at == 0))
    });
    let fixed = table.stubs.len() + usize::from(table.has_labels);
    TextTable { heads: heads.cloned().collect(), rows: rows.collect(), fixed }
}

/// Builds the entries of a line; the heads are in the first line of their row.
fn build_line_entries(
    table: &CardTable,
    row: &CardRow,
    line: &CardLine,
    first: bool,
) -> Vec<ReportTableCell> {
    let head =
        |head: &String| ReportTableCell::Text(if first { head.clone() } else { String::new() });
    let mut cells: Vec<_> = row.heads.iter().map(head).collect();
    cells.extend(table.has_labels.then(|| ReportTableCell::Text(line.label.clone())));
    cells.extend(line.cells.iter().map(|cell| {
        let shown = cell.as_ref().map_or(String::new(), |cell| cell.text.clone());
        match line.tone {
            LineEmphasis::Strong => ReportTableCell::Strong(shown),
            _ => ReportTableCell::Number(shown),
        }
    }));
    cells.extend(table.needs_heads_on_both_sides().then(|| head(&row.heads[0])));
    cells
}
