//! Cards as Markdown: a table per table, a line per line.

use super::model::{Card, Line, Row, Table, Tone};
use crate::report::markdown::escaped;

/// All cards.
pub fn render(cards: &[Card]) -> String {
    let cards: Vec<_> = cards.iter().map(card).collect();
    cards.join("\n")
}

fn card(card: &Card) -> String {
    let mut out = format!("# {}\n", escaped(&card.title));
    for table in &card.tables {
        if !table.place.is_empty() {
            out.push_str(&format!("\n## {}\n", escaped(&table.place)));
        }
        out.push_str(&format!("\n{}\n\n{}", escaped(&table.subtitle), grid(table)));
    }
    out.push('\n');
    for entry in &card.legend {
        let (term, text) = (escaped(&entry.term), escaped(&entry.text));
        out.push_str(&match entry.term.as_str() {
            "" => format!("- {text}\n"),
            _ => format!("- **{term}**: {text}\n"),
        });
    }
    format!("{out}\n{}\n", escaped(&card.footer.join(" ")))
}

fn grid(table: &Table) -> String {
    let both = table.heads_at_both_edges();
    let label = table.labelled.then(|| escaped(&table.across));
    let right = both.then(|| escaped(&table.stubs[0]));
    let stubs = table.stubs.iter().map(|stub| escaped(stub));
    let columns = table.columns.iter().map(|head| escaped(head));
    let heads = stubs.chain(label).chain(columns).chain(right);
    let mut out = row_of(heads);
    let named = table.stubs.len() + usize::from(table.labelled);
    let all = named + table.columns.len() + usize::from(both);
    let rule = |at: usize| {
        if (named..named + table.columns.len()).contains(&at) { "---:" } else { "---" }
    };
    out.push_str(&row_of((0..all).map(|at| rule(at).to_owned())));
    for row in &table.rows {
        let lines = row.lines.iter().enumerate();
        lines.for_each(|(at, line)| out.push_str(&row_of(cells(table, row, line, at == 0))));
    }
    out
}

/// The cells of a line; the heads stand on the first line of their row.
fn cells(table: &Table, row: &Row, line: &Line, first: bool) -> impl Iterator<Item = String> {
    let head = move |head: &String| if first { escaped(head) } else { String::new() };
    let mut cells: Vec<_> = row.heads.iter().map(head).collect();
    cells.extend(table.labelled.then(|| escaped(&line.label)));
    cells.extend(line.cells.iter().map(|cell| {
        let shown = cell.as_ref().map_or(String::new(), |cell| escaped(&cell.shown));
        match line.tone {
            Tone::Strong if !shown.is_empty() => format!("**{shown}**"),
            _ => shown,
        }
    }));
    cells.extend(table.heads_at_both_edges().then(|| head(&row.heads[0])));
    cells.into_iter()
}

fn row_of(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<_> = cells.collect();
    format!("| {} |\n", cells.join(" | "))
}
