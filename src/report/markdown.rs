//! Tables as Markdown, for `--format markdown` and `summary.md`.

use super::tables::{self, ContestTables, TextTable};
use super::words::clean;
use crate::study::answer::Answer;

/// All answers as Markdown.
pub fn render(answers: &[Answer]) -> String {
    let contests = tables::contests(answers);
    let sections: Vec<_> = contests.iter().map(section).collect();
    sections.join("\n")
}

/// One contest: heading, table, legend, law, remarks.
pub fn section(contest: &ContestTables) -> String {
    let mut out = format!("## {}\n\n", escaped(&contest.title));
    if let Some(given) = &contest.given {
        out.push_str(&format!("{}\n\n", escaped(given)));
    }
    out.push_str(&table(&contest.measures));
    for line in &contest.legend {
        out.push_str(&format!("\n- {}", escaped(line)));
    }
    if !contest.legend.is_empty() {
        out.push('\n');
    }
    if let Some(law) = &contest.outcomes {
        out.push_str(&format!("\n{}", table(law)));
    }
    for remark in &contest.remarks {
        out.push_str(&format!("\n{}\n", escaped(remark)));
    }
    out
}

/// One table, numbers flush right.
pub fn table(table: &TextTable) -> String {
    let rule = |column: usize| {
        let numbers = table.rows.iter().any(|row| row[column].is_number());
        if numbers { "---:" } else { "---" }.to_owned()
    };
    let mut out = line(table.heads.iter().map(|head| escaped(head)));
    out.push_str(&line((0..table.heads.len()).map(rule)));
    for row in &table.rows {
        out.push_str(&line(row.iter().map(|entry| escaped(&entry.inline()))));
    }
    out
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<_> = cells.collect();
    format!("| {} |\n", cells.join(" | "))
}

/// A text in which nothing is markup: names come from files.
pub fn escaped(text: &str) -> String {
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
    use crate::report::fixture;

    #[test]
    fn a_name_is_no_markup() {
        let evil = "a|b\n<script>![x](y)`z`";
        assert_eq!(escaped(evil), "a\\|b\u{fffd}&lt;script&gt;!\\[x\\](y)\\`z\\`");
    }

    #[test]
    fn every_row_has_as_many_cells_as_the_head() {
        let mut answers = fixture::grid();
        for answer in &mut answers {
            answer.axes[0].1 = crate::form::Value::Text("a|b".into());
        }
        let shown = render(&answers);
        let unescaped = |line: &str| line.replace("\\|", "").matches('|').count();
        let bars: Vec<_> =
            shown.lines().filter(|line| line.starts_with('|')).map(unescaped).collect();
        assert_eq!(bars, vec![6; 14]);
        assert!(shown.contains("| a\\|b | 1 | 8.33 (8.33 ± 0.05) |"));
    }
}
