//! Tables for the terminal.
//!
//! Nothing that a file says reaches the terminal unchecked: characters that would steer it are
//! shown as `�` ([`clean`](super::words::clean)). Without [`Screen::bold`] there is no escape
//! sequence at all.

use std::io::IsTerminal;

use comfy_table::{CellAlignment, Row, Table, presets};

use super::tables::{self, ContestTables, TextTable};
use crate::study::answer::Answer;

/// What the output is shown on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Whether headings may be bold.
    pub bold: bool,
    /// Columns; tables that are wider are split between measures.
    pub width: usize,
}

impl Screen {
    /// A file or a pipe: no escape sequences, and room for every column.
    pub const PLAIN: Screen = Screen {
        bold: false,
        width: usize::MAX,
    };

    /// What standard output is. `NO_COLOR` and a dumb terminal are respected, and the width is the
    /// one in `COLUMNS`, or 120.
    pub fn of_stdout() -> Screen {
        if !std::io::stdout().is_terminal() {
            return Screen::PLAIN;
        }
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let columns = std::env::var("COLUMNS").ok();
        let width = columns.and_then(|columns| columns.parse().ok());
        Screen {
            bold: !set("NO_COLOR") && !dumb,
            width: width.unwrap_or(120).max(40),
        }
    }

    /// A heading, bold where that is possible.
    pub fn heading(self, text: &str) -> String {
        if self.bold {
            return format!("\u{1b}[1m{text}\u{1b}[0m");
        }
        text.to_owned()
    }
}

/// All answers as tables.
pub fn render(answers: &[Answer], screen: Screen) -> String {
    let contests = tables::contests(answers);
    let sections: Vec<_> = contests.iter().map(|c| section(c, screen)).collect();
    sections.join("\n")
}

/// One contest: title, table, legend, law, remarks.
pub(super) fn section(contest: &ContestTables, screen: Screen) -> String {
    let mut out = format!("{}\n", screen.heading(&contest.title));
    if let Some(given) = &contest.given {
        out.push_str(&wrapped(given, screen.width));
    }
    out.push('\n');
    push_table(&mut out, &contest.measures, screen.width);
    for line in &contest.legend {
        out.push_str(&wrapped(line, screen.width));
    }
    if let Some(law) = &contest.outcomes {
        out.push('\n');
        push_table(&mut out, law, screen.width);
    }
    out.push('\n');
    for remark in &contest.remarks {
        out.push_str(&wrapped(remark, screen.width));
    }
    out
}

/// A table, in as many parts as the width asks for; every part repeats the fixed columns.
pub fn push_table(out: &mut String, table: &TextTable, width: usize) {
    for columns in parts(table, width) {
        out.push_str(&laid_out(table, &columns));
        out.push('\n');
    }
}

fn laid_out(table: &TextTable, columns: &[usize]) -> String {
    let mut laid_out = Table::new();
    laid_out.load_style(presets::UTF8_FULL_CONDENSED);
    laid_out.set_header(columns.iter().map(|&c| table.heads[c].as_str()));
    for row in &table.rows {
        let entries = columns.iter().map(|&c| row[c].lines().join("\n"));
        laid_out.add_row(Row::from(entries));
    }
    for (place, &c) in columns.iter().enumerate() {
        let numbers = table.rows.iter().any(|row| row[c].is_number());
        if let (true, Some(column)) = (numbers, laid_out.column_mut(place)) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    laid_out.trim_fmt()
}

/// Which columns go side by side.
fn parts(table: &TextTable, width: usize) -> Vec<Vec<usize>> {
    let fixed: Vec<usize> = (0..table.fixed.min(table.heads.len())).collect();
    // Every column has a space on each side and one line; the table one line more.
    let room = |c: &usize| column_width(table, *c) + 3;
    let fixed_room: usize = 1 + fixed.iter().map(room).sum::<usize>();
    let mut parts = Vec::new();
    let (mut part, mut used) = (fixed.clone(), fixed_room);
    for c in fixed.len()..table.heads.len() {
        if used + room(&c) > width && part.len() > fixed.len() {
            parts.push(std::mem::replace(&mut part, fixed.clone()));
            used = fixed_room;
        }
        used += room(&c);
        part.push(c);
    }
    parts.push(part);
    parts
}

fn column_width(table: &TextTable, column: usize) -> usize {
    let entries = table.rows.iter().flat_map(|row| row[column].lines());
    let widths = entries.map(|line| line.chars().count());
    widths
        .chain([table.heads[column].chars().count()])
        .max()
        .unwrap_or(0)
}

/// A line broken between words, each part ended.
pub fn wrapped(text: &str, width: usize) -> String {
    let (mut out, mut used) = (String::new(), 0);
    for word in text.split(' ') {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            out.push('\n');
            used = 0;
        }
        if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += length;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn a_plain_screen_gets_no_escape_sequences() {
        let mut answers = fixture::single();
        answers[0].name = "evil\u{1b}]0;title\u{7}".into();
        let shown = render(&answers, Screen::PLAIN);
        assert!(shown.contains("evil\u{fffd}]0;title\u{fffd} (asl fire)"));
        let allowed = |c: char| c == '\n' || !c.is_control();
        assert!(shown.chars().all(allowed), "{shown}");
    }

    #[test]
    fn a_heading_may_be_bold() {
        let screen = Screen {
            bold: true,
            width: 80,
        };
        assert!(render(&fixture::single(), screen).starts_with("\u{1b}[1masl fire\u{1b}[0m\n"));
    }

    #[test]
    fn no_line_is_wider_than_the_screen_and_no_column_is_lost() {
        let answers = fixture::grid();
        for width in [40, 60, 80, 200] {
            let shown = render(&answers, Screen { bold: false, width });
            let widest = shown.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(width), "{width}: {widest:?}\n{shown}");
            for head in ["p_kill %", "p_break %", "e_losses"] {
                assert!(shown.contains(head));
            }
        }
    }

    #[test]
    fn engine_trials_and_agreement_are_always_said() {
        let shown = render(&fixture::grid(), Screen::PLAIN);
        assert!(shown.contains("N = 1 000 000 trials a cell"));
        assert!(shown.contains("Exact and simulated agree."));
        let shown = render(&fixture::played(), Screen::PLAIN);
        assert!(shown.contains("Played one trial at a time"));
    }
}
