//! Distributions on a terminal, with bars as long as there is room for.

use super::{
    DiceExpressionOdds, ShareShownPerValue, ValueWithShareByQuery, collect_notes,
    describe_mean_deviation, format_possible_percent, head_of_value_column, rows_of_all_values,
    share_of_value, value_label_by_meaning, value_rows_of_distribution,
};
use crate::terminal::{TerminalCapabilities, wrap_text};
use enfilade_dice::MeaningOfValues;

/// Characters of the longest expression that can head a column.
const MAX_COLUMN_HEAD_CHARS: usize = 16;

/// Characters of a share in percent.
const PERCENT_COLUMN_WIDTH: usize = 8;

/// The share below which values at the ends are summed up.
const NEGLIGIBLE_END_SHARE: f64 = 0.000_000_5;

/// The number of rows up to which all are shown.
const MAX_ROWS_SHOWN_ALL: usize = 12;

/// The longest bar, and the shortest.
const BAR_LENGTH_LIMITS: (usize, usize) = (40, 4);

/// Renders one distribution, or several side by side while there is room, each in words too.
pub fn render_bar_tables(
    queries: &[DiceExpressionOdds],
    shares: ShareShownPerValue,
    screen: TerminalCapabilities,
) -> String {
    let mut blocks = Vec::new();
    for alike in queries.chunk_by(|a, b| a.law.answers == b.law.answers) {
        // Beside the values each distribution needs at least its percents.
        let value = char_width_of_widest(
            rows_of_all_values(alike, shares)
                .iter()
                .map(|row| value_label_by_meaning(row.0.1, row.0.0)),
        )
        .max(6);
        let room = screen.width.saturating_sub(value + 3) / (PERCENT_COLUMN_WIDTH + 2);
        blocks.extend(
            alike.chunks(room.max(1)).map(|some| render_side_by_side(some, shares, screen)),
        );
    }
    let mut out = blocks.join("\n");
    for line in describe_mean_deviation(queries).into_iter().chain(collect_notes(queries)) {
        out.push_str(&wrap_text(&line, screen.width));
    }
    out
}

fn char_width_of_widest(texts: impl Iterator<Item = String>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

/// The content of a column.
enum TextOrBarColumn {
    Text { head: String, cells: Vec<String>, left: bool },
    Bars(Vec<f64>),
}

impl TextOrBarColumn {
    fn right_aligned_column(head: &str, cells: Vec<String>) -> TextOrBarColumn {
        TextOrBarColumn::Text { head: head.to_owned(), cells, left: false }
    }

    /// Returns its width with the space before it, and none for bars.
    fn width_with_space(&self) -> usize {
        match self {
            TextOrBarColumn::Text { head, cells, .. } => {
                2 + char_width_of_widest(cells.iter().cloned().chain([head.clone()]))
            }
            TextOrBarColumn::Bars(_) => 0,
        }
    }

    /// Formats the cell of a row, or of the head.
    fn format_row_or_head(
        &self,
        row: Option<usize>,
        bar: usize,
        screen: TerminalCapabilities,
    ) -> String {
        match (self, row) {
            (TextOrBarColumn::Text { head, cells, left }, row) => {
                let text = row.map_or(head, |row| &cells[row]);
                let space = " ".repeat(self.width_with_space() - 2 - text.chars().count());
                if *left { format!("{text}{space}") } else { format!("{space}{text}") }
            }
            (TextOrBarColumn::Bars(_), None) => " ".repeat(bar),
            (TextOrBarColumn::Bars(shares), Some(row)) => {
                let drawn = draw_bar_of_length(shares[row] * bar as f64, screen.ascii);
                let space = " ".repeat(bar.saturating_sub(drawn.chars().count()));
                drawn + &space
            }
        }
    }
}

/// Draws a bar of this many characters, in eighths.
fn draw_bar_of_length(length: f64, ascii: bool) -> String {
    if ascii {
        return "#".repeat(length.round() as usize);
    }
    let eighths = (8.0 * length).round() as usize;
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    "█".repeat(eighths / 8) + part
}

fn render_side_by_side(
    queries: &[DiceExpressionOdds],
    shares: ShareShownPerValue,
    screen: TerminalCapabilities,
) -> String {
    let (rows, columns) = build_columns(queries, shares, screen);
    let used_width: usize =
        columns.iter().map(TextOrBarColumn::width_with_space).sum::<usize>() - 2;
    let bars = columns.iter().filter(|column| matches!(column, TextOrBarColumn::Bars(_))).count();
    // Bars fill the remaining width; without room for them they are dropped first, and then the
    // columns.
    let room = (screen.width.saturating_sub(used_width) / bars.max(1)).saturating_sub(2);
    let bar = if room < BAR_LENGTH_LIMITS.1 { 0 } else { room.min(BAR_LENGTH_LIMITS.0) };
    let shown = |column: &&TextOrBarColumn| bar > 0 || !matches!(column, TextOrBarColumn::Bars(_));
    if width_of_text_columns(&columns) > screen.width {
        return render_each_row_as_sentence(rows, &columns, screen);
    }
    let line = |row: Option<usize>| {
        let cells =
            columns.iter().filter(shown).map(|column| column.format_row_or_head(row, bar, screen));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines: Vec<_> = std::iter::once(None).chain((0..rows).map(Some)).map(line).collect();
    let rule = if screen.ascii { "-" } else { "─" };
    lines.insert(1, rule.repeat(char_width_of_widest(lines.iter().cloned())));
    for (letter, name) in assign_letters_if_too_long(queries) {
        lines.extend(
            wrap_text(&format!("{letter}: {name}"), screen.width).lines().map(str::to_owned),
        );
    }
    lines.join("\n") + "\n"
}

/// Returns the width of the columns of words and numbers side by side.
fn width_of_text_columns(columns: &[TextOrBarColumn]) -> usize {
    let texts = columns.iter().filter(|column| !matches!(column, TextOrBarColumn::Bars(_)));
    texts.map(TextOrBarColumn::width_with_space).sum::<usize>().saturating_sub(2)
}

/// Renders each row as a sentence, for screens on which columns have no room.
fn render_each_row_as_sentence(
    rows: usize,
    columns: &[TextOrBarColumn],
    screen: TerminalCapabilities,
) -> String {
    let row = |row: usize| {
        let cells = columns.iter().filter(|column| !matches!(column, TextOrBarColumn::Bars(_)));
        let cells =
            cells.map(|column| column.format_row_or_head(Some(row), 0, screen).trim().to_owned());
        wrap_text(&cells.collect::<Vec<_>>().join(" "), screen.width)
    };
    (0..rows).map(row).collect()
}

/// Builds the columns of some distributions, and returns their number of rows.
fn build_columns(
    queries: &[DiceExpressionOdds],
    shares: ShareShownPerValue,
    screen: TerminalCapabilities,
) -> (usize, Vec<TextOrBarColumn>) {
    let answers = queries[0].law.answers;
    let (rows, labels) = rows_with_rare_ends_summed(queries, shares, screen);
    let head = head_of_value_column(answers).to_owned();
    let left = answers != MeaningOfValues::Number;
    let mut columns = vec![TextOrBarColumn::Text { head, cells: labels, left }];
    // All distributions share one scale, so that bars side by side can be compared.
    let most = rows.iter().flat_map(|row| row.1.iter().flatten());
    let most = most.fold(0.0, |most: f64, share| most.max(*share));
    let letters = assign_letters_if_too_long(queries);
    for (law, one) in queries.iter().enumerate() {
        let cells: Vec<_> = rows.iter().map(|row| row.1[law]).collect();
        let decimals = if queries.len() == 1 { 4 } else { 2 };
        let percents = cells.iter().map(|cell| {
            cell.map_or(String::new(), |share| format_possible_percent(share, decimals))
        });
        let head = match (queries.len(), shares, letters.is_empty()) {
            (1, ShareShownPerValue::Exactly, _) => "probability",
            (1, ShareShownPerValue::AtLeast, _) => "at least",
            (1, ShareShownPerValue::AtMost, _) => "at most",
            (_, _, true) => &one.text,
            (_, _, false) => &letters[law].0,
        };
        columns.push(TextOrBarColumn::right_aligned_column(head, percents.collect()));
        if queries.len() == 1 && shares == ShareShownPerValue::Exactly {
            columns.extend(at_least_and_fraction_columns(one, &rows, &columns, screen));
        }
        columns.push(TextOrBarColumn::Bars(
            cells.iter().map(|cell| cell.unwrap_or(0.0) / most).collect(),
        ));
    }
    (rows.len(), columns)
}

/// Assigns letters to expressions that are too long to head a column; none if all fit.
fn assign_letters_if_too_long(queries: &[DiceExpressionOdds]) -> Vec<(String, &str)> {
    if queries.len() == 1
        || queries.iter().all(|query| query.text.chars().count() <= MAX_COLUMN_HEAD_CHARS)
    {
        return Vec::new();
    }
    let letter = |place: usize| match u8::try_from(place) {
        Ok(place @ 0..26) => char::from(b'A' + place).to_string(),
        _ => format!("{}", place + 1),
    };
    queries.iter().enumerate().map(|(place, query)| (letter(place), &*query.text)).collect()
}

/// Builds the further columns of one distribution while a bar still fits beside them: at least, and
/// the fraction unless it is too long to read.
fn at_least_and_fraction_columns(
    query: &DiceExpressionOdds,
    rows: &[ValueWithShareByQuery],
    columns: &[TextOrBarColumn],
    screen: TerminalCapabilities,
) -> Vec<TextOrBarColumn> {
    let lines = value_rows_of_distribution(&query.law);
    let at_least = |row: &ValueWithShareByQuery| {
        share_of_value(&lines, row.0.1, ShareShownPerValue::AtLeast)
            .map(|share| format_possible_percent(share, 4))
    };
    // A row that sums up others has no fraction.
    let own = |row: &ValueWithShareByQuery| {
        let line = lines.iter().find(|line| line.value == row.0.1);
        line.filter(|line| row.1[0] == Some(line.share)).map(|line| line.fraction.clone())
    };
    let text = |cell: Option<String>| cell.unwrap_or_default();
    let fractions: Vec<_> = rows.iter().map(own).map(text).collect();
    let mut all = Vec::new();
    if query.law.answers == MeaningOfValues::Number {
        all.push(TextOrBarColumn::right_aligned_column(
            "at least",
            rows.iter().map(at_least).map(text).collect(),
        ));
    }
    if fractions.iter().all(|fraction| fraction.len() <= super::MAX_SHOWN_FRACTION_CHARS) {
        all.push(TextOrBarColumn::right_aligned_column("fraction", fractions));
    }
    let mut used_width: usize =
        columns.iter().map(TextOrBarColumn::width_with_space).sum::<usize>() + BAR_LENGTH_LIMITS.1;
    all.retain(|column| {
        used_width += column.width_with_space();
        used_width <= screen.width
    });
    all
}

/// Returns the rows and their labels; the rarest at both ends of a long table are summed up.
fn rows_with_rare_ends_summed(
    queries: &[DiceExpressionOdds],
    shares: ShareShownPerValue,
    screen: TerminalCapabilities,
) -> (Vec<ValueWithShareByQuery>, Vec<String>) {
    let mut rows = rows_of_all_values(queries, shares);
    // The left side is named first, and wins with the highest value.
    if queries[0].law.answers == MeaningOfValues::Versus {
        rows.reverse();
    }
    let name = |row: &ValueWithShareByQuery| value_label_by_meaning(row.0.1, row.0.0);
    if rows.len() <= MAX_ROWS_SHOWN_ALL || queries[0].law.answers != MeaningOfValues::Number {
        let labels = rows.iter().map(name).collect();
        return (rows, labels);
    }
    let laws: Vec<_> = queries.iter().map(|query| value_rows_of_distribution(&query.law)).collect();
    let ends = |row: &ValueWithShareByQuery, shares| {
        laws.iter().map(|law| share_of_value(law, row.0.1, shares)).collect::<Vec<_>>()
    };
    let rare = |row: &&ValueWithShareByQuery, shares| {
        ends(row, shares).iter().all(|share| share.is_none_or(|share| share < NEGLIGIBLE_END_SHARE))
    };
    let low = rows.iter().take_while(|row| rare(row, ShareShownPerValue::AtMost)).count();
    let high = rows.iter().rev().take_while(|row| rare(row, ShareShownPerValue::AtLeast)).count();
    // The last of the rare rows stays and sums up all of them.
    rows.truncate(rows.len() - high.saturating_sub(1));
    rows.drain(..low.saturating_sub(1));
    let mut labels: Vec<_> = rows.iter().map(name).collect();
    let last = rows.len() - 1;
    let signs = if screen.ascii { ["<=", ">="] } else { ["≤", "≥"] };
    let cut = [(low, 0, ShareShownPerValue::AtMost), (high, last, ShareShownPerValue::AtLeast)];
    for ((many, place, end), sign) in cut.into_iter().zip(signs) {
        if many > 1 && shares == ShareShownPerValue::Exactly {
            labels[place] = format!("{sign} {}", labels[place]);
            rows[place].1 = ends(&rows[place], end);
        }
    }
    (rows, labels)
}
