//! Merging of equal cells on a printed card: neighbouring columns and rows become one, "2–8", and a
//! table that depends only on the difference of row and column becomes one strip.
//!
//! Cells are equal when they print alike and their values are. Records keep every cell.

use std::collections::BTreeMap;

use super::card_model::{CardCell, CardLine, CardRow, CardTable, ReferenceCard};

/// The largest difference between equal values that were summed in different order.
const MERGED_VALUE_TOLERANCE: f64 = 1e-9;

/// Returns the card with equal rows and columns merged.
pub fn merge_rows_and_columns(card: &ReferenceCard) -> ReferenceCard {
    let table = |table: &CardTable| {
        let strip = collapse_by_row_minus_column(table);
        merge_equal_rows(merge_equal_columns(strip.unwrap_or_else(|| table.clone())))
    };
    ReferenceCard { tables: card.tables.iter().map(table).collect(), ..card.clone() }
}

fn are_equal_cells(a: &Option<CardCell>, b: &Option<CardCell>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            a.text == b.text && (a.value - b.value).abs() < MERGED_VALUE_TOLERANCE
        }
        (None, None) => true,
        _ => false,
    }
}

/// Parses a whole number as it is printed: `−3`, `+2`, `12`.
fn parse_printed_number(label: &str) -> Option<i64> {
    label.replace('−', "-").trim_start_matches('+').parse().ok()
}

/// Formats a merged range of numbers: "2–8", "−3 to −1".
fn format_merged_range(first: &str, last: &str) -> String {
    let signed = [first, last].iter().any(|label| label.starts_with(['−', '+']));
    if signed { format!("{first} to {last}") } else { format!("{first}–{last}") }
}

/// Finds the runs of neighbours that are equal one to the next, and whose names are numbers.
fn find_equal_runs(names: &[&str], like: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in 0..names.len() {
        let joins = |&(_, last): &(usize, usize)| {
            parse_printed_number(names[last]).is_some()
                && parse_printed_number(names[at]).is_some()
                && like(last, at)
        };
        match runs.last_mut() {
            Some(run) if joins(run) => run.1 = at,
            _ => runs.push((at, at)),
        }
    }
    runs
}

fn merged_run_name(names: &[&str], (first, last): (usize, usize)) -> String {
    if first == last {
        names[first].to_owned()
    } else {
        format_merged_range(names[first], names[last])
    }
}

/// Merges equal neighbouring columns. Columns that are results are not on an axis.
fn merge_equal_columns(table: CardTable) -> CardTable {
    if table.across.is_empty() {
        return table;
    }
    let names: Vec<_> = table.columns.iter().map(String::as_str).collect();
    let lines = || table.rows.iter().flat_map(|row| &row.lines);
    let runs = find_equal_runs(&names, |a, b| {
        lines().all(|line| are_equal_cells(&line.cells[a], &line.cells[b]))
    });
    // If all are equal the axis has no effect, which a table of one column would not show.
    if runs.len() == names.len() || runs.len() < 2 {
        return table;
    }
    let kept_line = |line: &CardLine| CardLine {
        cells: runs.iter().map(|(first, _)| line.cells[*first].clone()).collect(),
        ..line.clone()
    };
    let row =
        |row: &CardRow| CardRow { lines: row.lines.iter().map(kept_line).collect(), ..row.clone() };
    CardTable {
        columns: runs.iter().map(|run| merged_run_name(&names, *run)).collect(),
        rows: table.rows.iter().map(row).collect(),
        ..table.clone()
    }
}

/// Merges equal neighbouring rows.
fn merge_equal_rows(table: CardTable) -> CardTable {
    let names: Vec<_> = table.rows.iter().map(|row| row.heads[0].as_str()).collect();
    let like = |a: usize, b: usize| {
        let (a, b) = (&table.rows[a], &table.rows[b]);
        let cells =
            |row: &CardRow| row.lines.iter().flat_map(|l| l.cells.clone()).collect::<Vec<_>>();
        a.heads[1..] == b.heads[1..]
            && cells(a).iter().zip(&cells(b)).all(|(a, b)| are_equal_cells(a, b))
    };
    let runs = find_equal_runs(&names, like);
    if runs.len() == names.len() || runs.len() < 2 {
        return table;
    }
    let row = |run: &(usize, usize)| {
        let mut row = table.rows[run.0].clone();
        row.heads[0] = merged_run_name(&names, *run);
        row
    };
    CardTable { rows: runs.iter().map(row).collect(), ..table.clone() }
}

/// The smallest number of values of each side from which a dependence on their difference is no
/// accident.
const MIN_VALUES_FOR_DIFFERENCE: usize = 3;

/// Groups the cells by the difference of row and column; `None` if cells of one difference differ,
/// or one is empty.
fn group_by_row_minus_column<'t>(
    table: &'t CardTable,
    down: &[i64],
    across: &[i64],
) -> Option<BTreeMap<i64, Vec<&'t Option<CardCell>>>> {
    let mut cells_by_difference: BTreeMap<i64, Vec<&Option<CardCell>>> = BTreeMap::new();
    for (row, down) in table.rows.iter().zip(down) {
        for (at, across) in across.iter().enumerate() {
            let cells: Vec<_> = row.lines.iter().map(|line| &line.cells[at]).collect();
            let diagonal_cell =
                cells_by_difference.entry(down - across).or_insert_with(|| cells.clone());
            let same = diagonal_cell.iter().zip(&cells).all(|(a, b)| are_equal_cells(a, b));
            if diagonal_cell.iter().any(|cell| cell.is_none()) || !same {
                return None;
            }
        }
    }
    Some(cells_by_difference)
}

/// Returns the table as one row by the difference of row and column; `None` if it depends on more.
fn collapse_by_row_minus_column(table: &CardTable) -> Option<CardTable> {
    let numbers = |names: &mut dyn Iterator<Item = &String>| -> Option<Vec<i64>> {
        let numbers: Option<Vec<_>> = names.map(|name| parse_printed_number(name)).collect();
        numbers.filter(|numbers| numbers.len() >= MIN_VALUES_FOR_DIFFERENCE)
    };
    let across = numbers(&mut table.columns.iter())?;
    let down = numbers(&mut table.rows.iter().map(|row| &row.heads[0]))?;
    if table.across.is_empty() || table.stubs.len() != 1 {
        return None;
    }
    let diagonal_cells = group_by_row_minus_column(table, &down, &across)?;
    // A difference that occurs once proves nothing; of two runs of numbers without gaps most occur
    // again.
    let again = down.len() * across.len() - diagonal_cells.len();
    if again < MIN_VALUES_FOR_DIFFERENCE || 2 * again < (down.len() - 1) * (across.len() - 1) {
        return None;
    }
    let (least, most) = (diagonal_cells.values().next()?, diagonal_cells.values().next_back()?);
    // Merging rows or columns is better for a table that does not change along an axis.
    if diagonal_cells
        .values()
        .all(|cells| cells.iter().zip(least).all(|(a, b)| are_equal_cells(a, b)))
    {
        return None;
    }
    let rises =
        |cells: &[&Option<CardCell>]| cells.first().and_then(|cell| cell.as_ref().map(|c| c.value));
    // The difference that makes the first line rise.
    let turned = rises(least) > rises(most);
    let mut order: Vec<_> = diagonal_cells.into_iter().collect();
    if turned {
        order.reverse();
    }
    let position = |difference: i64| match if turned { -difference } else { difference } {
        n if n < 0 => format!("−{}", n.unsigned_abs()),
        n => n.to_string(),
    };
    let line = |(at, line): (usize, &CardLine)| CardLine {
        cells: order.iter().map(|(_, cells)| cells[at].clone()).collect(),
        ..line.clone()
    };
    let (rows, columns) = (&table.stubs[0], &table.across);
    Some(CardTable {
        across: match turned {
            false => format!("{rows} less {columns}"),
            true => format!("{columns} less {rows}"),
        },
        stubs: vec![String::new()],
        columns: order.iter().map(|(difference, _)| position(*difference)).collect(),
        rows: vec![CardRow {
            heads: vec![String::new()],
            lines: table.rows[0].lines.iter().enumerate().map(line).collect(),
        }],
        ..table.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::super::card_model::{LineEmphasis, NumberShading};
    use super::*;

    fn table(down: &[i64], across: &[i64], value: impl Fn(i64, i64) -> i64) -> CardTable {
        let cell = |percent: i64| {
            let (value, shown) = (percent as f64 / 100.0, percent.to_string());
            Some(CardCell::exactly(value, shown, NumberShading::Paper))
        };
        let row = |&down: &i64| CardRow {
            heads: vec![down.to_string()],
            lines: vec![CardLine {
                label: "kill".into(),
                tone: LineEmphasis::Strong,
                cells: across.iter().map(|&across| cell(value(down, across))).collect(),
            }],
        };
        CardTable {
            place: String::new(),
            subtitle: String::new(),
            part_subtitle: String::new(),
            stubs: vec!["PEN".into()],
            across: "armour".into(),
            has_labels: false,
            columns: across.iter().map(ToString::to_string).collect(),
            rows: down.iter().map(row).collect(),
        }
    }

    fn merged_table(table: CardTable) -> CardTable {
        let card = ReferenceCard {
            title: String::new(),
            tables: vec![table],
            legend: Vec::new(),
            footer: Vec::new(),
        };
        merge_rows_and_columns(&card).tables.remove(0)
    }

    fn shown(table: &CardTable) -> Vec<Vec<&str>> {
        let line = |line: &CardLine| line.cells.iter().flatten().count();
        assert!(
            table.rows.iter().flat_map(|row| &row.lines).all(|l| line(l) == table.columns.len())
        );
        table
            .rows
            .iter()
            .map(|row| row.lines[0].cells.iter().flatten().map(|c| &*c.text).collect())
            .collect()
    }

    #[test]
    fn equal_neighbours_are_one_column_and_one_row() {
        // 10 at 2 to 8 hexes and 5 beyond; rows 1 and 2 are equal.
        let value = |down: i64, across: i64| i64::from(across <= 8) * 5 + 5 + 10 * (down / 3);
        let made = merged_table(table(&[1, 2, 3], &[2, 4, 6, 8, 10, 12], value));
        assert_eq!(made.columns, ["2–8", "10–12"]);
        assert_eq!(made.rows.iter().map(|row| &*row.heads[0]).collect::<Vec<_>>(), ["1–2", "3"]);
        assert_eq!(shown(&made), [["10", "5"], ["20", "15"]]);
    }

    #[test]
    fn a_table_of_differences_is_one_strip() {
        let value = |down: i64, across: i64| (20 * (down - across)).clamp(0, 60);
        let made = merged_table(table(&[4, 5, 6, 7], &[3, 4, 5, 6], value));
        assert_eq!(made.across, "PEN less armour");
        assert_eq!(made.columns, ["−2 to 0", "1", "2", "3–4"]);
        assert_eq!(shown(&made), [["0", "20", "40", "60"]]);
        // In the other direction it rises with armour less penetration.
        let made =
            merged_table(table(&[4, 5, 6], &[3, 4, 5], |down, across| 50 - 10 * (down - across)));
        assert_eq!(made.across, "armour less PEN");
        assert_eq!(made.columns, ["−3", "−2", "−1", "0", "1"]);
    }

    /// Firepower 1, 8 and 16 at −1 to +1 have nine differences, none of them twice.
    #[test]
    fn differences_that_are_met_once_make_no_strip() {
        let made = merged_table(table(&[1, 8, 16], &[-1, 0, 1], |down, across| 3 * down + across));
        assert_eq!((made.columns.len(), made.rows.len()), (3, 3));
        assert_eq!(made.across, "armour");
    }

    #[test]
    fn what_differs_in_one_cell_stays_apart() {
        let value = |down: i64, across: i64| (down, across).eq(&(2, 2)).into();
        let made = merged_table(table(&[1, 2, 3], &[1, 2, 3], value));
        assert_eq!((made.columns.len(), made.rows.len()), (3, 3));
    }
}
