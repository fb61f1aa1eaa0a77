//! Blocks as Markdown.

use super::{ReportBlock, ReportTableCell, StyledSentence, TextEmphasis, TextTable};
use crate::text::sentences::replace_control_chars;

/// Renders the blocks, with an empty line between two of them.
pub fn markdown_text(blocks: &[ReportBlock]) -> String {
    let blocks: Vec<_> = blocks.iter().map(render_block).filter(|text| !text.is_empty()).collect();
    blocks.join("\n")
}

fn render_block(block: &ReportBlock) -> String {
    match block {
        ReportBlock::Title(text) => format!("# {}\n", escape_markdown(text)),
        ReportBlock::Heading(text) => format!("## {}\n", escape_markdown(text)),
        ReportBlock::Sentence(said) => format!("{}\n", render_sentence(said)),
        ReportBlock::List(lines) => render_list("- ", lines),
        ReportBlock::Table(_, shown) => render_table(shown),
        // Markdown has no box; a quotation takes its place.
        ReportBlock::Boxed(title, lines) => {
            format!("> **{}**\n>\n{}", escape_markdown(title), render_list("> - ", lines))
        }
        ReportBlock::Command(line) => format!("    {}\n", replace_control_chars(line)),
        ReportBlock::Picture(figure) => {
            format!("![{}]({})\n", escape_markdown(&figure.picture.title), figure.picture.file)
        }
        ReportBlock::Ranges(ranges) => {
            format!(
                "{}\n{}",
                render_table(&ranges.to_text_table()),
                render_list("- ", &ranges.list_range_reasons())
            )
        }
        ReportBlock::Choices(..) => String::new(),
    }
}

fn render_list(mark: &str, lines: &[StyledSentence]) -> String {
    lines.iter().map(|line| format!("{mark}{}\n", render_sentence(line))).collect()
}

fn render_sentence(sentence: &StyledSentence) -> String {
    sentence.render_parts_with(|voice, text| match voice {
        TextEmphasis::Plain => escape_markdown(text),
        TextEmphasis::Strong => format!("**{}**", escape_markdown(text)),
    })
}

/// Renders one table, numbers flush right.
fn render_table(table: &TextTable) -> String {
    let rule = |column: usize| {
        let numbers = table.rows.iter().any(|row| row[column].is_flush_right());
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
    for c in replace_control_chars(text).chars() {
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
        assert_eq!(
            render_sentence(&StyledSentence::with_label("*", "_[a](b)")),
            "**\\*** _\\[a\\](b)"
        );
    }

    #[test]
    fn every_row_has_as_many_cells_as_the_head() {
        let mut answers = test_answers::build_grid();
        for answer in &mut answers {
            answer.axes[0].1 = enfilade_model::form::Value::Text("a|b".into());
        }
        let shown = markdown_text(&answer_tables::build_report_blocks(&answers));
        let unescaped = |line: &str| line.replace("\\|", "").matches('|').count();
        let bars: Vec<_> =
            shown.lines().filter(|line| line.starts_with('|')).map(unescaped).collect();
        assert_eq!(bars, vec![6; 14]);
        assert!(shown.contains("| a\\|b | +1 | 8.33 (8.33 ± 0.05) |"));
    }
}
