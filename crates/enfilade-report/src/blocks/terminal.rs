//! Blocks on a terminal.
//!
//! Text from files is sanitized: characters that would control the terminal are shown as `�`
//! ([`replace_control_chars`]). Without [`TerminalCapabilities::bold`] there is no escape sequence
//! at all.

use std::ffi::OsString;
use std::io::IsTerminal;

use comfy_table::{CellAlignment, ColumnConstraint, Row, Table, Width, presets};

use super::{ReportBlock, ReportTableCell, StyledSentence, TextTable, terminal_bars};
use crate::text::sentences::replace_control_chars;

/// The screen on which output is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalCapabilities {
    /// Whether headings may be bold.
    pub bold: bool,
    /// Whether the screen has ASCII characters only.
    pub ascii: bool,
    /// Width in columns; no table is wider.
    pub width: usize,
}

/// Columns of a screen of unknown width.
const DEFAULT_SCREEN_WIDTH: usize = 80;

/// Columns below which nothing is readable.
const MIN_SCREEN_WIDTH: usize = 20;

impl TerminalCapabilities {
    /// The screen of a file: no escape sequences, and room for every column.
    pub const FOR_FILE: Self = Self { bold: false, ascii: false, width: usize::MAX };

    /// Detects the screen of standard output. `NO_COLOR` and a dumb terminal are respected; the
    /// width is that in `COLUMNS`, that of the terminal, or 80.
    pub fn from_stdout() -> TerminalCapabilities {
        let stdout = std::io::stdout();
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        #[cfg(any(unix, windows))]
        let terminal = || terminal_size::terminal_size_of(&stdout).map(|(width, _)| width.0.into());
        // A page has none.
        #[cfg(not(any(unix, windows)))]
        let terminal = || None;
        let width: usize = columns.or_else(terminal).unwrap_or(DEFAULT_SCREEN_WIDTH);
        let (bold, width) = (stream_supports_colors(&stdout), width.max(MIN_SCREEN_WIDTH));
        let ascii = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        TerminalCapabilities { bold, ascii, width }
    }

    /// Converts a page to the character set of the screen.
    pub fn to_terminal_charset(self, page: String) -> String {
        if !self.ascii {
            return page;
        }
        let sign = |c: char| match c {
            '─' | '╌' => '-',
            '═' | '━' => '=',
            '●' => 'o',
            '◆' => '#',
            '–' => '-',
            '−' => '-',
            '│' | '┆' => '|',
            '\u{2500}'..='\u{257f}' => '+',
            '\u{a0}' | '\u{202f}' => ' ',
            other => other,
        };
        page.chars().map(sign).collect()
    }

    /// Formats a heading, bold where possible.
    pub fn format_heading(self, text: &str) -> String {
        if self.bold {
            return format!("\u{1b}[1m{text}\u{1b}[0m");
        }
        text.to_owned()
    }
}

/// Whether `stream` takes bold and colours: a terminal that is not dumb, without `NO_COLOR`.
pub fn stream_supports_colors(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && environment_allows_colors(|name| std::env::var_os(name))
}

fn environment_allows_colors(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let refused = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused && variable("TERM").is_none_or(|term| term != "dumb")
}

/// Writes the blocks, most important first. Pictures are left out.
pub fn text_for_terminal(blocks: &[ReportBlock], screen: TerminalCapabilities) -> String {
    let mut out = String::new();
    let paper =
        |block: &ReportBlock| matches!(block, ReportBlock::Picture(_) | ReportBlock::Choices(..));
    let shown = |block: &&ReportBlock| !paper(block);
    let mut last: Option<&ReportBlock> = None;
    let mut folded = Vec::new();
    for block in blocks.iter().filter(shown) {
        if last.is_some_and(|last| !attaches_to_previous(last, block)) {
            out.push('\n');
        }
        match block {
            ReportBlock::Table(_, table) => {
                let mut table = table.clone();
                folded = drop_means_and_return_heads(&mut table, screen.width);
                push_table_split_to_width(&mut out, &table, screen.width);
                push_omitted_columns_note(&mut out, &folded, screen.width);
            }
            // A table that is left out needs no explanation.
            ReportBlock::List(lines) if matches!(last, Some(ReportBlock::Table(..))) => {
                let is_shown = |line: &&StyledSentence| {
                    let starts = |head: &String| {
                        sentence_as_plain_text(line).starts_with(&format!("{head} ("))
                    };
                    !folded.iter().any(starts)
                };
                lines
                    .iter()
                    .filter(is_shown)
                    .for_each(|one| push_unstyled_sentence(&mut out, one, screen));
            }
            other => push_terminal_block(&mut out, other, screen),
        }
        last = Some(block);
    }
    screen.to_terminal_charset(out)
}

/// Whether a block follows another without an empty line: text below its heading, text below text,
/// and the explanation of a table below the table.
fn attaches_to_previous(above: &ReportBlock, below: &ReportBlock) -> bool {
    use ReportBlock::{Heading, List, Sentence, Table, Title};
    matches!(
        (above, below),
        (Title(_) | Heading(_), Sentence(_) | List(_))
            | (Sentence(_), Sentence(_))
            | (Table(..), List(_))
    )
}

fn push_terminal_block(out: &mut String, block: &ReportBlock, screen: TerminalCapabilities) {
    let width = screen.width;
    match block {
        ReportBlock::Title(text) | ReportBlock::Heading(text) => {
            out.push_str(
                &screen.format_heading(wrap_text(&replace_control_chars(text), width).trim_end()),
            );
            out.push('\n');
        }
        ReportBlock::Sentence(said) => push_unstyled_sentence(out, said, screen),
        ReportBlock::List(lines) => {
            lines.iter().for_each(|line| push_unstyled_sentence(out, line, screen))
        }
        ReportBlock::Boxed(title, lines) => {
            out.push_str(&draw_box_around_lines(title, lines, width))
        }
        ReportBlock::Command(line) => out.push_str(&format!("{}\n", replace_control_chars(line))),
        ReportBlock::Ranges(ranges) => {
            out.push_str(&terminal_bars::price_range_bars_text(ranges, width));
            for line in ranges.list_range_reasons() {
                out.push('\n');
                push_unstyled_sentence(out, &line, screen);
            }
        }
        ReportBlock::Table(..) | ReportBlock::Picture(_) | ReportBlock::Choices(..) => {}
    }
}

fn push_unstyled_sentence(out: &mut String, line: &StyledSentence, screen: TerminalCapabilities) {
    out.push_str(&wrap_text(&sentence_as_plain_text(line), screen.width));
}

fn push_omitted_columns_note(out: &mut String, folded: &[String], width: usize) {
    if !folded.is_empty() {
        let names = folded.join(", ");
        let line = format!("Left out at this width: {names}; --format markdown has all.");
        out.push_str(&wrap_text(&line, width));
    }
}

fn sentence_as_plain_text(sentence: &StyledSentence) -> String {
    sentence.render_parts_with(|_, text| replace_control_chars(text))
}

/// Draws a frame around lines.
fn draw_box_around_lines(title: &str, lines: &[StyledSentence], width: usize) -> String {
    let inner = width.clamp(20, 100) - 4;
    let rule = "─".repeat(inner + 2);
    let mut out = format!("┌{rule}┐\n");
    for line in std::iter::once(replace_control_chars(title))
        .chain(lines.iter().map(sentence_as_plain_text))
    {
        for part in wrap_text(&line, inner).lines() {
            let pad = inner.saturating_sub(part.chars().count());
            out.push_str(&format!("│ {part}{} │\n", " ".repeat(pad)));
        }
    }
    out + &format!("└{rule}┘\n")
}

/// Removes columns of means from a table that is too wide, the last first, as long as chances
/// remain. Returns the heads of the removed columns.
fn drop_means_and_return_heads(table: &mut TextTable, width: usize) -> Vec<String> {
    let mut folded = Vec::new();
    let shares = table.heads[table.fixed..].iter().any(|head| head.ends_with('%'));
    while shares && framed_width_of_columns(table, &Vec::from_iter(0..table.heads.len())) > width {
        let mean = table.heads[table.fixed..].iter().rposition(|head| !head.ends_with('%'));
        let Some(column) = mean.map(|place| place + table.fixed) else {
            break;
        };
        folded.insert(0, table.heads.remove(column));
        table.rows.iter_mut().for_each(|row| drop(row.remove(column)));
    }
    folded
}

/// Pushes a table, split into parts that fit the width; every part repeats the fixed columns. Texts
/// of a part that is still too wide are wrapped, or the table becomes records, a line an entry.
pub fn push_table_split_to_width(out: &mut String, table: &TextTable, width: usize) {
    for columns in split_columns_to_fit(table, width) {
        match find_widths_with_wrapping(table, &columns, width) {
            Some(widths) => {
                out.push_str(&draw_rows_in_chunks(table, &columns, &widths, ROWS_AT_ONCE))
            }
            None => out.push_str(&format_rows_as_records(table, &columns, width)),
        }
    }
}

/// Returns the screen width of some columns: two spaces and a border each, and one border more.
fn framed_width_of_columns(table: &TextTable, columns: &[usize]) -> usize {
    1 + columns.iter().map(|&column| column_width(table, column) + 3).sum::<usize>()
}

/// The smallest width to which a column of text is wrapped.
const MIN_COLUMN_WIDTH: usize = 12;

/// Returns the width of each column, the widest wrapped; `None` if that is not enough.
fn find_widths_with_wrapping(
    table: &TextTable,
    columns: &[usize],
    width: usize,
) -> Option<Vec<usize>> {
    let mut widths: Vec<_> = columns.iter().map(|&column| column_width(table, column)).collect();
    let over = framed_width_of_columns(table, columns).saturating_sub(width);
    if over == 0 {
        return Some(widths);
    }
    let text = |place: &usize| !has_flush_right_entry(table, columns[*place]);
    let widest = (0..columns.len()).filter(text).max_by_key(|place| widths[*place])?;
    widths[widest] = widths[widest].checked_sub(over).filter(|left| *left >= MIN_COLUMN_WIDTH)?;
    Some(widths)
}

fn has_flush_right_entry(table: &TextTable, column: usize) -> bool {
    table.rows.iter().any(|row| row[column].is_flush_right())
}

/// Formats the rows as records: a line for each entry, and an empty line between the rows.
fn format_rows_as_records(table: &TextTable, columns: &[usize], width: usize) -> String {
    let line = |row: &Vec<ReportTableCell>, column: usize| {
        let entry = row[column].entry_in_one_line();
        wrap_text(&format!("{} {entry}", table.heads[column]), width)
    };
    let record = |row| columns.iter().map(|&column| line(row, column)).collect();
    table.rows.iter().map(record).collect::<Vec<String>>().join("\n")
}

/// Rows laid out at a time, because the library keeps several copies of the rows that it lays out.
const ROWS_AT_ONCE: usize = 1000;

fn draw_rows_in_chunks(
    table: &TextTable,
    columns: &[usize],
    widths: &[usize],
    at_once: usize,
) -> String {
    let blocks: Vec<&[Vec<ReportTableCell>]> = match table.rows.as_slice() {
        [] => vec![&[]],
        rows => rows.chunks(at_once).collect(),
    };
    let is_number = |&column: &usize| has_flush_right_entry(table, column);
    let numbers: Vec<_> = columns.iter().map(is_number).collect();
    let drawn = |rows: &[Vec<ReportTableCell>]| build_library_table(table, columns, &numbers, rows);
    let mut out = String::new();
    for (number, rows) in blocks.iter().enumerate() {
        let mut block = drawn(rows);
        for (column, width) in block.column_iter_mut().zip(widths) {
            // With a space on each side.
            let fixed = u16::try_from(width + 2).unwrap_or(u16::MAX);
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(fixed)));
        }
        let lines: Vec<_> = block.lines().collect();
        // The head is above the first batch, and the last line below the last batch.
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

/// Builds a table of the library from some rows; the columns with `numbers` are set flush right.
fn build_library_table(
    table: &TextTable,
    columns: &[usize],
    numbers: &[bool],
    rows: &[Vec<ReportTableCell>],
) -> Table {
    let mut drawn = Table::new();
    drawn.load_style(presets::UTF8_FULL_CONDENSED);
    drawn.set_header(columns.iter().map(|&c| table.heads[c].as_str()));
    for row in rows {
        let entries = columns.iter().map(|&c| row[c].entry_lines().join("\n"));
        drawn.add_row(Row::from(entries));
    }
    for (column, _) in drawn.column_iter_mut().zip(numbers).filter(|(_, n)| **n) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    drawn
}

/// Splits the columns into parts that fit the width.
fn split_columns_to_fit(table: &TextTable, width: usize) -> Vec<Vec<usize>> {
    let fixed: Vec<usize> = (0..table.fixed.min(table.heads.len())).collect();
    let fixed_room = framed_width_of_columns(table, &fixed);
    let rest = fixed.len()..table.heads.len();
    let taken = |c: usize| column_width(table, c) + 3;
    // If nothing fits beside the fixed columns, repeating them is useless.
    if rest.clone().any(|c| fixed_room + taken(c) > width) {
        return vec![(0..table.heads.len()).collect()];
    }
    let mut parts = Vec::new();
    let (mut part, mut used_width) = (fixed.clone(), fixed_room);
    for c in rest {
        if used_width + taken(c) > width && part.len() > fixed.len() {
            parts.push(std::mem::replace(&mut part, fixed.clone()));
            used_width = fixed_room;
        }
        used_width += taken(c);
        part.push(c);
    }
    parts.push(part);
    parts
}

fn column_width(table: &TextTable, column: usize) -> usize {
    let entries = table.rows.iter().flat_map(|row| row[column].entry_lines());
    let widths = entries.map(|line| line.chars().count());
    widths.chain([table.heads[column].chars().count()]).max().unwrap_or(0)
}

/// Wraps a text between words and ends each line.
pub fn wrap_text(text: &str, width: usize) -> String {
    let (mut out, mut used_width) = (String::new(), 0);
    for word in text.split(' ') {
        let length = word.chars().count();
        // A word that is wider than the screen has a line for itself.
        if used_width > 0 && used_width + 1 + length > width {
            out.push('\n');
            used_width = 0;
        }
        if used_width > 0 {
            out.push(' ');
            used_width += 1;
        }
        out.push_str(word);
        used_width += length;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::answer_tables;
    use crate::test_answers;
    use enfilade_study::answer::Answer;

    fn render(answers: &[Answer], screen: TerminalCapabilities) -> String {
        text_for_terminal(&answer_tables::build_report_blocks(answers), screen)
    }

    #[test]
    fn a_plain_screen_gets_no_escape_sequences() {
        let mut answers = test_answers::build_single();
        answers[0].name = "evil\u{1b}]0;title\u{7}".into();
        let shown = render(&answers, TerminalCapabilities::FOR_FILE);
        assert!(shown.contains("evil\u{fffd}]0;title\u{fffd} (asl fire)"));
        let allowed = |c: char| c == '\n' || !c.is_control();
        assert!(shown.chars().all(allowed), "{shown}");
    }

    #[test]
    fn a_heading_may_be_bold() {
        let screen = TerminalCapabilities { bold: true, ascii: false, width: 80 };
        assert!(
            render(&test_answers::build_single(), screen)
                .starts_with("\u{1b}[1masl fire\u{1b}[0m\n")
        );
    }

    #[test]
    fn a_dumb_terminal_and_whoever_says_so_gets_no_colours() {
        let with = |set: &[(&str, &str)]| {
            environment_allows_colors(|name| {
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
        let answers = test_answers::build_grid();
        for width in [20, 40, 60, 80, 200] {
            let shown = render(&answers, TerminalCapabilities { bold: false, ascii: false, width });
            let widest = shown.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(width), "{width}: {widest:?}\n{shown}");
            for head in ["killed %", "any break %", "squads lost on average"] {
                let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(shown.contains(head), "{width}: {head}");
            }
        }
    }

    /// A long text is wrapped, numbers never; where that is not enough each entry has a line.
    #[test]
    fn a_table_is_wrapped_or_turned_before_it_is_too_wide() {
        let text = "a sentence that goes on for some time";
        let row = vec![
            ReportTableCell::Text("p".into()),
            ReportTableCell::Number("12345".into()),
            ReportTableCell::Text(text.into()),
        ];
        let heads = ["name", "n", "meaning"].map(str::to_owned).to_vec();
        let table = TextTable { heads, rows: vec![row], fixed: 1 };
        let shown = |width| {
            let mut out = String::new();
            push_table_split_to_width(&mut out, &table, width);
            assert!(out.lines().all(|line| line.chars().count() <= width), "{out}");
            out
        };
        assert_eq!(shown(80).lines().count(), 5);
        assert!(shown(44).contains("┆ 12345 ┆"), "{}", shown(44));
        assert_eq!(shown(20), "name p\nn 12345\nmeaning a sentence\nthat goes on for\nsome time\n");
    }

    #[test]
    fn a_dumb_terminal_gets_signs_that_it_has() {
        let screen = TerminalCapabilities { bold: false, ascii: true, width: 80 };
        let shown = render(&test_answers::build_grid(), screen);
        assert!(!shown.contains(['│', '─', '┆']) && shown.contains("| firepower |"), "{shown}");
        assert!(shown.contains("| -1 |") || shown.contains(" -1 |"), "{shown}");
    }

    /// The widest entry may be in any block.
    #[test]
    fn a_table_drawn_in_blocks_is_the_same_table() {
        let row = |n: usize| {
            let exact = Some("9".repeat(1 + n % 7));
            let simulated = (n != 3).then(|| "± 1".to_owned());
            vec![
                ReportTableCell::Text("é".repeat(n % 5)),
                ReportTableCell::Number(n.to_string()),
                ReportTableCell::Odds { exact, simulated },
            ]
        };
        let table = TextTable {
            heads: ["unit", "n", "p %"].map(str::to_owned).to_vec(),
            rows: (0..23).map(row).collect(),
            fixed: 1,
        };
        let widths = [0, 1, 2].map(|column| column_width(&table, column));
        let whole = draw_rows_in_chunks(&table, &[0, 1, 2], &widths, 1000);
        assert_eq!(whole.lines().count(), 3 + 2 * 23 - 1 + 1);
        for at_once in [1, 5, 22, 23] {
            let drawn = draw_rows_in_chunks(&table, &[0, 1, 2], &widths, at_once);
            assert_eq!(drawn, whole, "{at_once}");
        }
    }

    #[test]
    fn engine_trials_and_agreement_are_always_said() {
        let shown = render(&test_answers::build_grid(), TerminalCapabilities::FOR_FILE);
        assert!(shown.contains("N = 1 000 000 trials a cell"));
        assert!(shown.contains("Exact and simulated agree."));
        let shown = render(&test_answers::build_simulated_only(), TerminalCapabilities::FOR_FILE);
        assert!(shown.contains("Played one trial at a time"));
    }
}
