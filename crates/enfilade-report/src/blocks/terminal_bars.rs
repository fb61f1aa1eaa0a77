//! Price ranges on a terminal: a line each, with a bar where it fits.

use super::price_range_bars::{LogPriceAxis, PriceRangeChart, PriceRangeRow, PriceVerdictKind};
use crate::text::sentences::replace_control_chars;

/// Columns of the widest output: on a wider screen only the bars would grow.
const MAX_OUTPUT_WIDTH: usize = 100;

/// Columns below which there are no bars.
const MIN_WIDTH_FOR_BARS: usize = 80;

/// Columns of the shortest bar.
const MIN_BAR_WIDTH: usize = 14;

/// Columns of the longest name.
const MAX_BAR_NAME_WIDTH: usize = 26;

/// Columns of a name that makes room for a bar.
const MIN_BAR_NAME_WIDTH: usize = 18;

/// Writes the ranges in lines that fit the screen.
pub fn price_range_bars_text(ranges: &PriceRangeChart, width: usize) -> String {
    let rows = &ranges.rows;
    let longest = |of: &dyn Fn(&PriceRangeRow) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let length = |text: &str| text.chars().count();
    let column_width = |i: usize, head: usize| longest(&|row| length(&row.texts[i])).max(head);
    let columns = [column_width(0, 3), column_width(1, 4), column_width(2, 5)];
    let word = longest(&|row| length(&row.word)).max(7);
    let head = ranges.beside.as_deref().map(replace_control_chars).unwrap_or_default();
    let beside = longest(&|row| length(&row.beside)).max(length(&head));
    let beside = if ranges.beside.is_some() { beside + 2 } else { 0 };
    let width = width.min(MAX_OUTPUT_WIDTH);
    let fixed = columns.iter().sum::<usize>() + 2 * 3 + 2 + word + beside;
    let name =
        longest(&|row| length(&replace_control_chars(&row.name))).clamp(4, MAX_BAR_NAME_WIDTH);
    let room = width.saturating_sub(fixed + MIN_BAR_WIDTH + 2);
    let name = if room >= MIN_BAR_NAME_WIDTH { name.min(room) } else { name };
    let left = width.saturating_sub(fixed + name);
    let drawn =
        ranges.common_axis().filter(|_| width >= MIN_WIDTH_FOR_BARS && left >= MIN_BAR_WIDTH + 2);
    let bar = if drawn.is_some() { left - 2 } else { 0 };
    let name = if width < fixed + name { width.saturating_sub(fixed).max(8) } else { name };
    let shape = RangeLineColumnWidths { name, columns, bar, beside };
    let ticks = drawn.map(|axis| format_axis_ticks(axis, bar)).unwrap_or_default();
    let heads = ["now", "even", "range"].map(str::to_owned);
    let mut out = shape.format_range_line("unit", &heads, &ticks, &head, "");
    for row in rows {
        let bar = drawn.map(|axis| draw_range_with_price_marks(row, axis, bar)).unwrap_or_default();
        out += &shape.format_range_line(
            &truncate_name(&replace_control_chars(&row.name), name),
            &row.texts,
            &bar,
            &row.beside,
            &row.word,
        );
    }
    out
}

/// The widths of the columns.
struct RangeLineColumnWidths {
    name: usize,
    columns: [usize; 3],
    bar: usize,
    beside: usize,
}

impl RangeLineColumnWidths {
    fn format_range_line(
        &self,
        name: &str,
        texts: &[String; 3],
        bar: &str,
        beside: &str,
        word: &str,
    ) -> String {
        let [now, even, range] = self.columns;
        let mut line = format!(
            "{name:<width$}  {:>now$}  {:>even$}  {:>range$}",
            texts[0],
            texts[1],
            texts[2],
            width = self.name
        );
        if self.bar > 0 {
            line += &format!("  {bar:<width$}", width = self.bar);
        }
        if self.beside > 0 {
            line += &format!("  {beside:>width$}", width = self.beside - 2);
        }
        format!("{line}  {word}").trim_end().to_owned() + "\n"
    }
}

/// Truncates a name that is too long.
fn truncate_name(name: &str, width: usize) -> String {
    if name.chars().count() <= width {
        return name.to_owned();
    }
    let short_name: String = name.chars().take(width - 1).collect();
    format!("{}.", short_name.trim_end())
}

fn screen_column_of(axis: LogPriceAxis, number: f64, width: usize) -> usize {
    (axis.position_of_number(number) * (width - 1) as f64).round() as usize
}

/// Formats the numbers of the axis, each ending at its position.
fn format_axis_ticks(axis: LogPriceAxis, width: usize) -> String {
    let mut line = String::new();
    for tick in axis.round_tick_numbers(width / 7) {
        let (text, end) = (tick.to_string(), screen_column_of(axis, tick, width) + 1);
        let used_width = line.chars().count();
        if end >= used_width + text.len() + usize::from(used_width > 0) {
            line += &format!("{text:>room$}", room = end - used_width);
        }
    }
    line
}

/// Draws a bar with a mark for the price now and one for the even price.
fn draw_range_with_price_marks(row: &PriceRangeRow, axis: LogPriceAxis, width: usize) -> String {
    let mut signs = vec![' '; width];
    if let Some((low, high)) = row.range {
        let ends = screen_column_of(axis, low, width)..=screen_column_of(axis, high, width);
        signs[ends].fill(if row.tone == PriceVerdictKind::Split { '┄' } else { '━' });
    }
    let [now, even] = [row.now, row.even].map(|at| at.map(|at| screen_column_of(axis, at, width)));
    now.into_iter().for_each(|at| signs[at] = '│');
    even.into_iter().for_each(|at| signs[at] = if now == Some(at) { '◆' } else { '●' });
    signs.into_iter().collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges() -> PriceRangeChart {
        let row = |name: &str, now: f64, even: f64, (low, high), word: &str| PriceRangeRow {
            name: name.to_owned(),
            now: Some(now),
            even: Some(even),
            range: Some((low, high)),
            texts: [now.to_string(), even.to_string(), format!("{low} – {high}")],
            word: word.to_owned(),
            ..PriceRangeRow::default()
        };
        let rows = vec![
            row("Odin Heavy Walker", 65.0, 150.0, (112.0, 199.0), "too cheap"),
            row("Rocket Technical", 10.0, 10.0, (5.0, 20.0), "right"),
            row("a name that goes on and on for ever", 40.0, 50.0, (36.0, 65.0), "open"),
        ];
        PriceRangeChart { name: "prices".to_owned(), rows, beside: None }
    }

    /// Every mark is at the position of its number, in every row on the same axis.
    #[test]
    fn bars_fit_into_eighty_columns() {
        let drawn = price_range_bars_text(&ranges(), 80);
        let lines: Vec<Vec<char>> = drawn.lines().map(|line| line.chars().collect()).collect();
        assert!(lines.iter().all(|line| line.len() <= 80), "{drawn}");
        let find = |line: usize, sign: char| lines[line].iter().position(|c| *c == sign);
        let (tick, even) = (find(1, '│').expect("now"), find(1, '●').expect("even"));
        assert!(tick < even, "{drawn}");
        assert!(find(2, '◆').expect("both") < tick, "{drawn}");
        assert!(drawn.contains("a name that goes on and o.") && drawn.contains("112 – 199"));
        // Equal factors are equal steps: from 5 to 20 is as far as from 50 to 200.
        let bar = |line: usize| lines[line].iter().filter(|c| "━●│◆".contains(**c)).count();
        assert!(bar(2) > bar(1), "{drawn}");
    }

    /// A row without one price has no bar below its marks.
    #[test]
    fn what_is_split_is_dashed() {
        let mut ranges = ranges();
        ranges.rows.truncate(1);
        ranges.rows[0].tone = PriceVerdictKind::Split;
        let drawn = price_range_bars_text(&ranges, 80);
        assert!(drawn.contains('┄') && !drawn.contains('━') && drawn.contains('●'), "{drawn}");
    }

    #[test]
    fn below_eighty_columns_the_verdict_stays() {
        let drawn = price_range_bars_text(&ranges(), 60);
        assert!(!drawn.contains('━') && drawn.contains("too cheap"), "{drawn}");
        assert!(drawn.lines().all(|line| line.chars().count() <= 60), "{drawn}");
        assert!(
            price_range_bars_text(&ranges(), usize::MAX)
                .lines()
                .all(|line| line.chars().count() <= 100)
        );
    }
}
