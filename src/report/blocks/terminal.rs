//! Blocks on a terminal.
//!
//! Nothing that a file says reaches the terminal unchecked: characters that would steer it are
//! shown as `�` ([`clean`]). Without [`Screen::bold`] there is no escape
//! sequence at all.

use std::ffi::OsString;
use std::io::IsTerminal;

use comfy_table::{CellAlignment, ColumnConstraint, Row, Table, Width, presets};

use super::{Block, Entry, Sentence, TextTable};
use crate::report::words::clean;

/// What the output is shown on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Whether headings may be bold.
    pub bold: bool,
    /// Whether it has no other signs than those of ASCII.
    pub ascii: bool,
    /// Columns; no table is wider.
    pub width: usize,
}

/// Columns where nobody says how many there are.
const WIDTH: usize = 80;

/// Columns below which nothing can be read.
const NARROWEST: usize = 20;

impl Screen {
    /// A file: no escape sequences, and room for every column.
    pub const PLAIN: Screen = Screen { bold: false, ascii: false, width: usize::MAX };

    /// What standard output is. `NO_COLOR` and a dumb terminal are respected; the width is the one in
    /// `COLUMNS`, that of the terminal, or 80.
    pub fn of_stdout() -> Screen {
        let stdout = std::io::stdout();
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let terminal = || terminal_size::terminal_size_of(&stdout).map(|(width, _)| width.0.into());
        let width: usize = columns.or_else(terminal).unwrap_or(WIDTH).max(NARROWEST);
        let ascii = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Screen { bold: colours(&stdout), ascii, width }
    }

    /// A heading, bold where that is possible.
    pub fn heading(self, text: &str) -> String {
        if self.bold {
            return format!("\u{1b}[1m{text}\u{1b}[0m");
        }
        text.to_owned()
    }
}

/// Whether `stream` takes bold and coloured letters: it is a terminal, that is not dumb, and
/// `NO_COLOR` is not set.
pub fn colours(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && wants_colours(|name| std::env::var_os(name))
}

fn wants_colours(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let refused = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused && variable("TERM").is_none_or(|term| term != "dumb")
}

/// The blocks, most important first. Pictures and slips are for paper.
pub fn write(blocks: &[Block], screen: Screen) -> String {
    let mut out = String::new();
    let shown = |block: &&Block| !matches!(block, Block::Picture(_) | Block::Slips(..));
    let mut last: Option<&Block> = None;
    for block in blocks.iter().filter(shown) {
        if last.is_some_and(|last| !joined(last, block)) {
            out.push('\n');
        }
        push(&mut out, block, screen);
        last = Some(block);
    }
    out
}

/// Whether a block stands right below another: words below their heading and among each other, and
/// what explains a table below it.
fn joined(above: &Block, below: &Block) -> bool {
    use Block::{Heading, List, Sentence, Table, Title};
    matches!(
        (above, below),
        (Title(_) | Heading(_), Sentence(_) | List(_))
            | (Sentence(_), Sentence(_))
            | (Table(..), List(_))
    )
}

fn push(out: &mut String, block: &Block, screen: Screen) {
    let width = screen.width;
    match block {
        Block::Title(text) | Block::Heading(text) => {
            out.push_str(&screen.heading(wrapped(&clean(text), width).trim_end()));
            out.push('\n');
        }
        Block::Sentence(said) => out.push_str(&wrapped(&plain(said), width)),
        Block::List(lines) => {
            lines.iter().for_each(|line| out.push_str(&wrapped(&plain(line), width)))
        }
        Block::Table(_, table) => push_table(out, table, width),
        Block::Boxed(title, lines) => out.push_str(&boxed(title, lines, width)),
        Block::Command(line) => out.push_str(&format!("{}\n", clean(line))),
        Block::Picture(_) | Block::Slips(..) => {}
    }
}

fn plain(said: &Sentence) -> String {
    said.joined(|_, text| clean(text))
}

/// Lines with a frame.
fn boxed(title: &str, lines: &[Sentence], width: usize) -> String {
    let inner = width.clamp(44, 100) - 4;
    let rule = "─".repeat(inner + 2);
    let mut out = format!("┌{rule}┐\n");
    for line in std::iter::once(clean(title)).chain(lines.iter().map(plain)) {
        for part in wrapped(&line, inner).lines() {
            let pad = inner.saturating_sub(part.chars().count());
            out.push_str(&format!("│ {part}{} │\n", " ".repeat(pad)));
        }
    }
    out + &format!("└{rule}┘\n")
}

/// A table, in as many parts as the width asks for; every part repeats the fixed columns.
fn push_table(out: &mut String, table: &TextTable, width: usize) {
    for columns in parts(table, width) {
        out.push_str(&laid_out(table, &columns, AT_ONCE));
    }
}

/// Rows that are drawn at a time: the library keeps several copies of what it draws.
const AT_ONCE: usize = 1000;

fn laid_out(table: &TextTable, columns: &[usize], at_once: usize) -> String {
    let blocks: Vec<&[Vec<Entry>]> = match table.rows.as_slice() {
        [] => vec![&[]],
        rows => rows.chunks(at_once).collect(),
    };
    let numbers = |&c: &usize| table.rows.iter().any(|row| row[c].is_number());
    let numbers: Vec<_> = columns.iter().map(numbers).collect();
    let drawn = |rows: &[Vec<Entry>]| drawn(table, columns, &numbers, rows);
    let mut widths = vec![0; columns.len()];
    for rows in &blocks {
        let needed = drawn(rows).column_max_content_widths();
        for (width, needed) in widths.iter_mut().zip(needed) {
            *width = needed.max(*width);
        }
    }
    let mut out = String::new();
    for (number, rows) in blocks.iter().enumerate() {
        let mut block = drawn(rows);
        for (column, width) in block.column_iter_mut().zip(&widths) {
            // With a space on each side.
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width + 2)));
        }
        let lines: Vec<_> = block.lines().collect();
        // The head stands above the first block, the last line below the last one.
        let below_head = lines.iter().position(|line| line.starts_with('╞'));
        let from = below_head.filter(|_| number > 0).map_or(0, |line| line + 1);
        let to = lines.len() - usize::from(number + 1 < blocks.len());
        for line in &lines[from..to] {
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
    out
}

/// Some rows as a table of their own; the columns with `numbers` are set flush right.
fn drawn(table: &TextTable, columns: &[usize], numbers: &[bool], rows: &[Vec<Entry>]) -> Table {
    let mut drawn = Table::new();
    drawn.load_style(presets::UTF8_FULL_CONDENSED);
    drawn.set_header(columns.iter().map(|&c| table.heads[c].as_str()));
    for row in rows {
        let entries = columns.iter().map(|&c| row[c].lines().join("\n"));
        drawn.add_row(Row::from(entries));
    }
    for (column, _) in drawn.column_iter_mut().zip(numbers).filter(|(_, n)| **n) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    drawn
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
    widths.chain([table.heads[column].chars().count()]).max().unwrap_or(0)
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
    use crate::report::{fixture, tables};
    use crate::study::answer::Answer;

    fn render(answers: &[Answer], screen: Screen) -> String {
        write(&tables::report(answers), screen)
    }

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
        let screen = Screen { bold: true, ascii: false, width: 80 };
        assert!(render(&fixture::single(), screen).starts_with("\u{1b}[1masl fire\u{1b}[0m\n"));
    }

    #[test]
    fn a_dumb_terminal_and_whoever_says_so_gets_no_colours() {
        let with = |set: &[(&str, &str)]| {
            wants_colours(|name| {
                let mut set = set.iter();
                set.find(|(known, _)| *known == name).map(|(_, value)| value.into())
            })
        };
        assert!(with(&[]) && with(&[("TERM", "xterm")]) && with(&[("NO_COLOR", "")]));
        assert!(!with(&[("TERM", "dumb")]));
        assert!(!with(&[("NO_COLOR", "1"), ("TERM", "xterm")]));
    }

    #[test]
    fn no_line_is_wider_than_the_screen_and_no_column_is_lost() {
        let answers = fixture::grid();
        for width in [40, 60, 80, 200] {
            let shown = render(&answers, Screen { bold: false, ascii: false, width });
            let widest = shown.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(width), "{width}: {widest:?}\n{shown}");
            for head in ["p_kill %", "p_break %", "e_losses"] {
                assert!(shown.contains(head));
            }
        }
    }

    /// The widest entry may be in any block.
    #[test]
    fn a_table_drawn_in_blocks_is_the_same_table() {
        let row = |n: usize| {
            let exact = Some("9".repeat(1 + n % 7));
            let simulated = (n != 3).then(|| "± 1".to_owned());
            vec![
                Entry::Text("é".repeat(n % 5)),
                Entry::Number(n.to_string()),
                Entry::Odds { exact, simulated },
            ]
        };
        let table = TextTable {
            heads: ["unit", "n", "p %"].map(str::to_owned).to_vec(),
            rows: (0..23).map(row).collect(),
            fixed: 1,
        };
        let whole = laid_out(&table, &[0, 1, 2], 1000);
        assert_eq!(whole.lines().count(), 3 + 2 * 23 - 1 + 1);
        for at_once in [1, 5, 22, 23] {
            assert_eq!(laid_out(&table, &[0, 1, 2], at_once), whole, "{at_once}");
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
