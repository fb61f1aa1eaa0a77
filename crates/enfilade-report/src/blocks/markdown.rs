//! Blocks as Markdown.

use super::{Block, ReportTableCell, Sentence, TextStyle, TextTable};
use crate::text::sentences::sanitize;

/// Renders the blocks, with an empty line between two of them.
pub fn write_markdown(blocks: &[Block]) -> String {
    let blocks: Vec<_> = blocks.iter().map(render_block).filter(|text| !text.is_empty()).collect();
    blocks.join("\n")
}

fn render_block(block: &Block) -> String {
    match block {
        Block::Title(text) => format!("# {}\n", escape_markdown(text)),
        Block::Heading(text) => format!("## {}\n", escape_markdown(text)),
        Block::Sentence(said) => format!("{}\n", render_sentence(said)),
        Block::List(lines) => render_list("- ", lines),
        Block::Table(_, shown) => render_table(shown),
        // Markdown has no box; a quotation takes its place.
        Block::Boxed(title, lines) => {
            format!("> **{}**\n>\n{}", escape_markdown(title), render_list("> - ", lines))
        }
        Block::Command(line) => format!("    {}\n", sanitize(line)),
        Block::Picture(figure) => {
            format!("![{}]({})\n", escape_markdown(&figure.picture.title), figure.picture.file)
        }
        Block::Ranges(ranges) => {
            format!(
                "{}\n{}",
                render_table(&ranges.to_text_table()),
                render_list("- ", &ranges.list_range_reasons())
            )
        }
        Block::Choices(..) => String::new(),
    }
}

fn render_list(mark: &str, lines: &[Sentence]) -> String {
    lines.iter().map(|line| format!("{mark}{}\n", render_sentence(line))).collect()
}

fn render_sentence(sentence: &Sentence) -> String {
    sentence.join_parts(|voice, text| match voice {
        TextStyle::Plain => escape_markdown(text),
        TextStyle::Strong => format!("**{}**", escape_markdown(text)),
    })
}

/// Renders one table, numbers flush right.
fn render_table(table: &TextTable) -> String {
    let rule = |column: usize| {
        let numbers = table.rows.iter().any(|row| row[column].is_number());
        if numbers { "---:" } else { "---" }.to_owned()
    };
    let mut out = render_table_line(table.heads.iter().map(|head| escape_markdown(head)));
    out.push_str(&render_table_line((0..table.heads.len()).map(rule)));
    for row in &table.rows {
        out.push_str(&render_table_line(row.iter().map(render_entry)));
    }
    out
}

fn render_entry(entry: &ReportTableCell) -> String {
    match entry {
        ReportTableCell::Strong(text) if !text.is_empty() => {
            format!("**{}**", escape_markdown(text))
        }
        _ => escape_markdown(&entry.entry_in_one_line()),
    }
}

fn render_table_line(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<_> = cells.collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Escapes a text, because names come from files and must not be markup.
fn escape_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in sanitize(text).chars() {
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
        assert_eq!(escape_markdown(evil), "a\\|b\u{fffd}&lt;script&gt;!\\[x\\](y)\\`z\\`");
        assert_eq!(render_sentence(&Sentence::with_label("*", "_[a](b)")), "**\\*** _\\[a\\](b)");
    }

    #[test]
    fn every_row_has_as_many_cells_as_the_head() {
        let mut answers = test_answers::build_grid();
        for answer in &mut answers {
            answer.axes[0].1 = enfilade_model::form::Value::Text("a|b".into());
        }
        let shown = write_markdown(&answer_tables::build_report_blocks(&answers));
        let unescaped = |line: &str| line.replace("\\|", "").matches('|').count();
        let bars: Vec<_> =
            shown.lines().filter(|line| line.starts_with('|')).map(unescaped).collect();
        assert_eq!(bars, vec![6; 14]);
        assert!(shown.contains("| a\\|b | +1 | 8.33 (8.33 ± 0.05) |"));
    }
}
