//! Distributions on a terminal, with bars as long as there is room for.

use super::{
    DiceQuery, ShareKind, SharedRow, collect_notes, collect_rows, describe_moments, format_percent,
    share_of_value, value_head, value_label, value_rows,
};
use crate::terminal::{Screen, wrap_text};
use enfilade_dice::ValueMeaning;

/// Characters of the longest expression that can head a column.
const MAX_HEAD_LENGTH: usize = 16;

/// Characters of a share in percent.
const PERCENT_WIDTH: usize = 8;

/// The share below which values at the ends are summed up.
const RARE_SHARE: f64 = 0.000_000_5;

/// The number of rows up to which all are shown.
const FEW_ROWS: usize = 12;

/// The longest bar, and the shortest.
const BAR_LENGTHS: (usize, usize) = (40, 4);

/// Renders one distribution, or several side by side while there is room, each in words too.
pub fn render_bars(asked: &[DiceQuery], shares: ShareKind, screen: Screen) -> String {
    let mut blocks = Vec::new();
    for alike in asked.chunk_by(|a, b| a.law.answers == b.law.answers) {
        // Beside the values each distribution needs at least its percents.
        let value = widest_text(
            collect_rows(alike, shares).iter().map(|row| value_label(row.0.1, row.0.0)),
        )
        .max(6);
        let room = screen.width.saturating_sub(value + 3) / (PERCENT_WIDTH + 2);
        blocks.extend(
            alike.chunks(room.max(1)).map(|some| render_side_by_side(some, shares, screen)),
        );
    }
    let mut out = blocks.join("\n");
    for line in describe_moments(asked).into_iter().chain(collect_notes(asked)) {
        out.push_str(&wrap_text(&line, screen.width));
    }
    out
}

fn widest_text(texts: impl Iterator<Item = String>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

/// The content of a column.
enum BarColumn {
    Text { head: String, cells: Vec<String>, left: bool },
    Bars(Vec<f64>),
}

impl BarColumn {
    fn new_right(head: &str, cells: Vec<String>) -> BarColumn {
        BarColumn::Text { head: head.to_owned(), cells, left: false }
    }

    /// Returns its width with the space before it, and none for bars.
    fn width(&self) -> usize {
        match self {
            BarColumn::Text { head, cells, .. } => {
                2 + widest_text(cells.iter().cloned().chain([head.clone()]))
            }
            BarColumn::Bars(_) => 0,
        }
    }

    /// Formats the cell of a row, or of the head.
    fn format_cell(&self, row: Option<usize>, bar: usize, screen: Screen) -> String {
        match (self, row) {
            (BarColumn::Text { head, cells, left }, row) => {
                let text = row.map_or(head, |row| &cells[row]);
                let space = " ".repeat(self.width() - 2 - text.chars().count());
                if *left { format!("{text}{space}") } else { format!("{space}{text}") }
            }
            (BarColumn::Bars(_), None) => " ".repeat(bar),
            (BarColumn::Bars(shares), Some(row)) => {
                let drawn = draw_bar(shares[row] * bar as f64, screen.ascii);
                let space = " ".repeat(bar.saturating_sub(drawn.chars().count()));
                drawn + &space
            }
        }
    }
}

/// Draws a bar of this many characters, in eighths.
fn draw_bar(length: f64, ascii: bool) -> String {
    if ascii {
        return "#".repeat(length.round() as usize);
    }
    let eighths = (8.0 * length).round() as usize;
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    "█".repeat(eighths / 8) + part
}

fn render_side_by_side(asked: &[DiceQuery], shares: ShareKind, screen: Screen) -> String {
    let (rows, columns) = build_columns(asked, shares, screen);
    let used: usize = columns.iter().map(BarColumn::width).sum::<usize>() - 2;
    let bars = columns.iter().filter(|column| matches!(column, BarColumn::Bars(_))).count();
    // Bars fill the remaining width; without room for them they are dropped first, and then the
    // columns.
    let room = (screen.width.saturating_sub(used) / bars.max(1)).saturating_sub(2);
    let bar = if room < BAR_LENGTHS.1 { 0 } else { room.min(BAR_LENGTHS.0) };
    let shown = |column: &&BarColumn| bar > 0 || !matches!(column, BarColumn::Bars(_));
    if total_width(&columns) > screen.width {
        return render_as_sentences(rows, &columns, screen);
    }
    let line = |row: Option<usize>| {
        let cells = columns.iter().filter(shown).map(|column| column.format_cell(row, bar, screen));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines: Vec<_> = std::iter::once(None).chain((0..rows).map(Some)).map(line).collect();
    let rule = if screen.ascii { "-" } else { "─" };
    lines.insert(1, rule.repeat(widest_text(lines.iter().cloned())));
    for (letter, name) in assign_letters(asked) {
        lines.extend(
            wrap_text(&format!("{letter}: {name}"), screen.width).lines().map(str::to_owned),
        );
    }
    lines.join("\n") + "\n"
}

/// Returns the width of the columns of words and numbers side by side.
fn total_width(columns: &[BarColumn]) -> usize {
    let texts = columns.iter().filter(|column| !matches!(column, BarColumn::Bars(_)));
    texts.map(BarColumn::width).sum::<usize>().saturating_sub(2)
}

/// Renders each row as a sentence, for screens on which columns have no room.
fn render_as_sentences(rows: usize, columns: &[BarColumn], screen: Screen) -> String {
    let row = |row: usize| {
        let cells = columns.iter().filter(|column| !matches!(column, BarColumn::Bars(_)));
        let cells = cells.map(|column| column.format_cell(Some(row), 0, screen).trim().to_owned());
        wrap_text(&cells.collect::<Vec<_>>().join(" "), screen.width)
    };
    (0..rows).map(row).collect()
}

/// Builds the columns of some distributions, and returns their number of rows.
fn build_columns(
    asked: &[DiceQuery],
    shares: ShareKind,
    screen: Screen,
) -> (usize, Vec<BarColumn>) {
    let answers = asked[0].law.answers;
    let (rows, labels) = fold_rare_rows(asked, shares, screen);
    let head = value_head(answers).to_owned();
    let left = answers != ValueMeaning::Number;
    let mut columns = vec![BarColumn::Text { head, cells: labels, left }];
    // All distributions share one scale, so that bars side by side can be compared.
    let most = rows.iter().flat_map(|row| row.1.iter().flatten());
    let most = most.fold(0.0, |most: f64, share| most.max(*share));
    let letters = assign_letters(asked);
    for (law, one) in asked.iter().enumerate() {
        let cells: Vec<_> = rows.iter().map(|row| row.1[law]).collect();
        let decimals = if asked.len() == 1 { 4 } else { 2 };
        let percents = cells
            .iter()
            .map(|cell| cell.map_or(String::new(), |share| format_percent(share, decimals)));
        let head = match (asked.len(), shares, letters.is_empty()) {
            (1, ShareKind::Exactly, _) => "probability",
            (1, ShareKind::AtLeast, _) => "at least",
            (1, ShareKind::AtMost, _) => "at most",
            (_, _, true) => &one.text,
            (_, _, false) => &letters[law].0,
        };
        columns.push(BarColumn::new_right(head, percents.collect()));
        if asked.len() == 1 && shares == ShareKind::Exactly {
            columns.extend(build_further_columns(one, &rows, &columns, screen));
        }
        columns
            .push(BarColumn::Bars(cells.iter().map(|cell| cell.unwrap_or(0.0) / most).collect()));
    }
    (rows.len(), columns)
}

/// Assigns letters to expressions that are too long to head a column; none if all fit.
fn assign_letters(asked: &[DiceQuery]) -> Vec<(String, &str)> {
    if asked.len() == 1 || asked.iter().all(|asked| asked.text.chars().count() <= MAX_HEAD_LENGTH) {
        return Vec::new();
    }
    let letter = |place: usize| match u8::try_from(place) {
        Ok(place @ 0..26) => char::from(b'A' + place).to_string(),
        _ => format!("{}", place + 1),
    };
    asked.iter().enumerate().map(|(place, asked)| (letter(place), &*asked.text)).collect()
}

/// Builds the further columns of one distribution while a bar still fits beside them: at least, and
/// the fraction unless it is too long to read.
fn build_further_columns(
    asked: &DiceQuery,
    rows: &[SharedRow],
    columns: &[BarColumn],
    screen: Screen,
) -> Vec<BarColumn> {
    let lines = value_rows(&asked.law);
    let at_least = |row: &SharedRow| {
        share_of_value(&lines, row.0.1, ShareKind::AtLeast).map(|share| format_percent(share, 4))
    };
    // A row that sums up others has no fraction.
    let own = |row: &SharedRow| {
        let line = lines.iter().find(|line| line.value == row.0.1);
        line.filter(|line| row.1[0] == Some(line.share)).map(|line| line.fraction.clone())
    };
    let text = |cell: Option<String>| cell.unwrap_or_default();
    let fractions: Vec<_> = rows.iter().map(own).map(text).collect();
    let mut all = Vec::new();
    if asked.law.answers == ValueMeaning::Number {
        all.push(BarColumn::new_right("at least", rows.iter().map(at_least).map(text).collect()));
    }
    if fractions.iter().all(|fraction| fraction.len() <= super::MAX_FRACTION_LENGTH) {
        all.push(BarColumn::new_right("fraction", fractions));
    }
    let mut used: usize = columns.iter().map(BarColumn::width).sum::<usize>() + BAR_LENGTHS.1;
    all.retain(|column| {
        used += column.width();
        used <= screen.width
    });
    all
}

/// Returns the rows and their labels; the rarest at both ends of a long table are summed up.
fn fold_rare_rows(
    asked: &[DiceQuery],
    shares: ShareKind,
    screen: Screen,
) -> (Vec<SharedRow>, Vec<String>) {
    let mut rows = collect_rows(asked, shares);
    // The left side is named first, and wins with the highest value.
    if asked[0].law.answers == ValueMeaning::Versus {
        rows.reverse();
    }
    let name = |row: &SharedRow| value_label(row.0.1, row.0.0);
    if rows.len() <= FEW_ROWS || asked[0].law.answers != ValueMeaning::Number {
        let labels = rows.iter().map(name).collect();
        return (rows, labels);
    }
    let laws: Vec<_> = asked.iter().map(|asked| value_rows(&asked.law)).collect();
    let ends = |row: &SharedRow, shares| {
        laws.iter().map(|law| share_of_value(law, row.0.1, shares)).collect::<Vec<_>>()
    };
    let rare = |row: &&SharedRow, shares| {
        ends(row, shares).iter().all(|share| share.is_none_or(|share| share < RARE_SHARE))
    };
    let low = rows.iter().take_while(|row| rare(row, ShareKind::AtMost)).count();
    let high = rows.iter().rev().take_while(|row| rare(row, ShareKind::AtLeast)).count();
    // The last of the rare rows stays and sums up all of them.
    rows.truncate(rows.len() - high.saturating_sub(1));
    rows.drain(..low.saturating_sub(1));
    let mut labels: Vec<_> = rows.iter().map(name).collect();
    let last = rows.len() - 1;
    let signs = if screen.ascii { ["<=", ">="] } else { ["≤", "≥"] };
    let cut = [(low, 0, ShareKind::AtMost), (high, last, ShareKind::AtLeast)];
    for ((many, place, end), sign) in cut.into_iter().zip(signs) {
        if many > 1 && shares == ShareKind::Exactly {
            labels[place] = format!("{sign} {}", labels[place]);
            rows[place].1 = ends(&rows[place], end);
        }
    }
    (rows, labels)
}
