//! Blocks as Markdown.

use super::{Block, Entry, Sentence, TextTable, Voice};
use crate::text::sentences::clean;

/// Renders the blocks, with an empty line between two of them.
pub fn write(blocks: &[Block]) -> String {
    let blocks: Vec<_> = blocks.iter().map(block).filter(|said| !said.is_empty()).collect();
    blocks.join("\n")
}

fn block(block: &Block) -> String {
    match block {
        Block::Title(text) => format!("# {}\n", escaped(text)),
        Block::Heading(text) => format!("## {}\n", escaped(text)),
        Block::Sentence(said) => format!("{}\n", sentence(said)),
        Block::List(lines) => list("- ", lines),
        Block::Table(_, shown) => table(shown),
        // Markdown has no box; a quotation takes its place.
        Block::Boxed(title, lines) => {
            format!("> **{}**\n>\n{}", escaped(title), list("> - ", lines))
        }
        Block::Command(line) => format!("    {}\n", clean(line)),
        Block::Picture(figure) => {
            format!("![{}]({})\n", escaped(&figure.picture.title), figure.picture.file)
        }
        Block::Ranges(ranges) => {
            format!("{}\n{}", table(&ranges.table()), list("- ", &ranges.reasons()))
        }
        Block::Choices(..) => String::new(),
    }
}

fn list(mark: &str, lines: &[Sentence]) -> String {
    lines.iter().map(|line| format!("{mark}{}\n", sentence(line))).collect()
}

fn sentence(said: &Sentence) -> String {
    said.joined(|voice, text| match voice {
        Voice::Plain => escaped(text),
        Voice::Strong => format!("**{}**", escaped(text)),
    })
}

/// Renders one table, numbers flush right.
fn table(table: &TextTable) -> String {
    let rule = |column: usize| {
        let numbers = table.rows.iter().any(|row| row[column].is_number());
        if numbers { "---:" } else { "---" }.to_owned()
    };
    let mut out = line(table.heads.iter().map(|head| escaped(head)));
    out.push_str(&line((0..table.heads.len()).map(rule)));
    for row in &table.rows {
        out.push_str(&line(row.iter().map(entry)));
    }
    out
}

fn entry(entry: &Entry) -> String {
    match entry {
        Entry::Strong(text) if !text.is_empty() => format!("**{}**", escaped(text)),
        _ => escaped(&entry.inline()),
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<_> = cells.collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Escapes a text, because names come from files and must not be markup.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '[' | ']' | '|' | '#' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::answer_tables;
    use crate::test_answers;

    #[test]
    fn a_name_is_no_markup() {
        let evil = "a|b\n<script>![x](y)`z`";
        assert_eq!(escaped(evil), "a\\|b\u{fffd}&lt;script&gt;!\\[x\\](y)\\`z\\`");
        assert_eq!(sentence(&Sentence::of("*", "_[a](b)")), "**\\*** _\\[a\\](b)");
    }

    #[test]
    fn every_row_has_as_many_cells_as_the_head() {
        let mut answers = test_answers::grid();
        for answer in &mut answers {
            answer.axes[0].1 = enfilade_model::form::Value::Text("a|b".into());
        }
        let shown = write(&answer_tables::report(&answers));
        let unescaped = |line: &str| line.replace("\\|", "").matches('|').count();
        let bars: Vec<_> =
            shown.lines().filter(|line| line.starts_with('|')).map(unescaped).collect();
        assert_eq!(bars, vec![6; 14]);
        assert!(shown.contains("| a\\|b | +1 | 8.33 (8.33 ± 0.05) |"));
    }
}
