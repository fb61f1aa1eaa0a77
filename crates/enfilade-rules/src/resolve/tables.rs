//! Tables: their keys, and their printed cells by a legend or by one type.

use super::game::{
    PrintedCellLegend, ResolvedRulebook, TableDef, TableRowOrColumnKeys, number_in_matching_cell,
};
use super::name_faults::report_repeated_names;
use super::printed_cells::{check_row_lengths, common_cell_type, name_of_printed_word, parse_cell};
use crate::diagnostics::{Faults, Span};
use crate::syntax::ast::{Ident, RowDecl, TableDecl};
use crate::value_types::{ContestValue, ScalarType, ValueRange};

/// Largest number of rows, and of columns, of a table.
const MAX_TABLE_KEYS: usize = 64;

/// Resolves a table with its keys and cells.
pub fn resolve_table(
    game: &mut ResolvedRulebook,
    name: Ident,
    block: TableDecl,
    faults: &mut Faults,
) -> TableDef {
    let width = block.columns.len().max(1);
    if block.rows.len() > MAX_TABLE_KEYS || width > MAX_TABLE_KEYS {
        let problem = format!("a table has at most {MAX_TABLE_KEYS} rows and columns");
        faults.add_fault_at_span(name.span.clone(), problem, "");
    }
    if block.rows.is_empty() {
        faults.add_fault_at_span(name.span.clone(), format!("`{}` has no rows", name.text), "");
    }
    let printed: Vec<RowDecl> = block.rows.iter().chain(&block.otherwise).cloned().collect();
    let long = check_row_lengths(&name, &block.columns, width, &printed, faults);
    let otherwise = block.otherwise.is_some() && long.last() == Some(&true);
    let rows: Vec<&RowDecl> =
        printed.iter().zip(long).filter(|(_, long)| *long).map(|(row, _)| row).collect();
    let keyed = &rows[..rows.len() - usize::from(otherwise)];
    let keys_of_rows =
        resolve_keys(keyed.iter().map(|row| &row.key).collect(), "rows", otherwise, faults);
    if let (Some(row), true) = (&block.otherwise, covers_all_numbers(&keys_of_rows)) {
        faults.add_fault_at_span(row.key.span.clone(), "nothing is left for `else`", "");
    }
    let heads: Vec<&Ident> = block.columns.iter().collect();
    let columns = (!heads.is_empty()).then(|| resolve_keys(heads, "columns", false, faults));
    let cells: Vec<&Ident> = rows.iter().flat_map(|row| &row.cells).collect();
    if block.has_broken_legend {
        let printed = cells.iter().map(|cell| cell.text.clone());
        faults.suppress(printed.chain([name.text.clone()]));
    }
    let legend = resolve_legend(game, &name, &block);
    let (kind, cells) = resolve_table_cells(game, &name.text, legend.as_ref(), &cells, faults);
    let (name, exact) = (name.text, block.exact || otherwise);
    TableDef { name, legend, kind, exact, otherwise, rows: keys_of_rows, columns, cells }
}

impl TableDef {
    /// Returns the keys of its rows that are words.
    pub(crate) fn keys_of_word_rows(&self) -> &[String] {
        match &self.rows {
            TableRowOrColumnKeys::Words(words) => words,
            TableRowOrColumnKeys::Numbers(_) => &[],
        }
    }
}

/// Returns whether rows of adjoining ranges take all numbers.
fn covers_all_numbers(rows: &TableRowOrColumnKeys) -> bool {
    let TableRowOrColumnKeys::Numbers(rows) = rows else { return false };
    let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
    let ends = rows.first().is_some_and(|row| row.0 == least)
        && rows.last().is_some_and(|row| row.1 == most);
    ends && rows.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0)
}

/// Parses the cells of a table by its legend; without one, all of them as one type.
fn resolve_table_cells(
    game: &mut ResolvedRulebook,
    name: &str,
    legend: Option<&PrintedCellLegend>,
    cells: &[&Ident],
    faults: &mut Faults,
) -> (ScalarType, Vec<ContestValue>) {
    if let Some(legend) = legend {
        let cells = cells.iter().map(|cell| parse_cell_by_legend(game, legend, cell, faults));
        return (ScalarType::Any, cells.collect());
    }
    let kind = common_cell_type(game, name, cells, faults);
    let blank = || format!("the cell of `{name}` is blank");
    (kind, cells.iter().map(|cell| parse_cell(game, kind, &cell.text, blank)).collect())
}

/// Resolves the `cell` lines of a table to a list of words and their patterns.
fn resolve_legend(
    game: &mut ResolvedRulebook,
    name: &Ident,
    block: &TableDecl,
) -> Option<PrintedCellLegend> {
    let mut words: Vec<(String, String)> = Vec::new();
    let mut patterns = Vec::new();
    for (pattern, word) in &block.legend {
        let word_index = words.iter().position(|(known, _)| *known == word.text);
        let place = word_index.unwrap_or_else(|| {
            words.push((word.text.clone(), String::new()));
            words.len() - 1
        });
        patterns.push((pattern.text.clone(), place));
    }
    let list = (!words.is_empty()).then(|| game.find_or_add_list(&name.text, words))?;
    Some(PrintedCellLegend { list, patterns })
}

/// Parses a printed cell by the legend to a word and a number.
pub fn read_by_legend(
    legend: &PrintedCellLegend,
    words: usize,
    cell: &str,
) -> Option<ContestValue> {
    let mut patterns = legend.patterns.iter();
    let (place, number) = patterns
        .find_map(|(pattern, place)| Some((*place, number_in_matching_cell(pattern, cell)?)))?;
    debug_assert!(place < words);
    Some(ContestValue::Cell(
        ValueRange::from_number(ScalarType::Word(legend.list), place as i64),
        ValueRange::from_number(ScalarType::Number, number),
    ))
}

/// Parses a printed cell by the legend, and reports one that no line explains.
fn parse_cell_by_legend(
    game: &ResolvedRulebook,
    legend: &PrintedCellLegend,
    cell: &Ident,
    faults: &mut Faults,
) -> ContestValue {
    let words = game.words[usize::from(legend.list)].words.len();
    read_by_legend(legend, words, &cell.text).unwrap_or_else(|| {
        let problem = format!("no `cell` line explains `{}`", cell.text);
        let digits = |c: char| c.is_ascii_digit();
        let like = legend.patterns.iter().find(|(pattern, _)| {
            let bare: String = pattern.chars().filter(|c| *c != '#').collect();
            !bare.is_empty() && bare == cell.text.replace(digits, "")
        });
        let words = &game.words[usize::from(legend.list)].words;
        let help = like.map_or(String::new(), |(pattern, place)| {
            format!("`{}` is a `{}`", pattern.replace('#', "1"), words[*place].0)
        });
        faults.add_fault_at_span(cell.span.clone(), problem, help);
        // Reported at the first occurrence only.
        faults.suppress([cell.text.clone()]);
        ContestValue::Absent("".into())
    })
}

/// Resolves the keys of rows or columns: words, or ranges of numbers, which adjoin unless a row of
/// all others takes the gaps.
fn resolve_keys(
    names: Vec<&Ident>,
    what: &str,
    takes_gaps: bool,
    faults: &mut Faults,
) -> TableRowOrColumnKeys {
    let numbers: Vec<Option<(i64, i64, bool)>> =
        names.iter().map(|name| parse_number_or_range_key(&name.text)).collect();
    if numbers.iter().all(Option::is_none) {
        report_repeated_names(names.iter().copied(), "a key of this table", faults);
        let words = names.iter().map(|name| name_of_printed_word(&name.text));
        return TableRowOrColumnKeys::Words(words.collect());
    }
    let mut keys: Vec<(i64, i64)> = Vec::new();
    let mut before: Option<(i64, bool, Span)> = None;
    for (number, name) in numbers.into_iter().zip(names) {
        let Some((from, to, spread)) = number else {
            let problem = format!("`{}` is no number, and other {what} are", name.text);
            faults.add_fault_at_span(name.span.clone(), problem, "");
            continue;
        };
        if let Some((end, is_spread, span)) = before {
            check_keys_adjoin(
                (end, is_spread && !takes_gaps),
                (from, spread && !takes_gaps),
                what,
                span.start..name.span.end,
                faults,
            );
        }
        before = Some((to, spread, name.span.clone()));
        keys.push((from, to));
    }
    TableRowOrColumnKeys::Numbers(keys)
}

/// Checks that a key adjoins the one before it, and reports gaps and overlaps.
fn check_keys_adjoin(
    (end, spread): (i64, bool),
    (from, next_spread): (i64, bool),
    what: &str,
    span: Span,
    faults: &mut Faults,
) {
    if from <= end {
        faults.add_fault_at_span(span, format!("{what} must ascend: {from} follows {end}"), "");
    } else if (spread || next_spread) && from > end + 1 && !follows_as_tens_and_ones(end, from) {
        let left_out = match from - end {
            2 => (end + 1).to_string(),
            _ => format!("{} to {}", end + 1, from - 1),
        };
        faults.add_fault_at_span(span, format!("these {what} leave out {left_out}"), "");
    }
}

/// Returns whether `from` is the next number after `end` that two dice can show as tens and ones:
/// `11..16` continues with `21`.
fn follows_as_tens_and_ones(end: i64, from: i64) -> bool {
    let shown = |n: &i64| (1..=6).contains(&(n / 10)) && (1..=6).contains(&(n % 10));
    shown(&end) && shown(&from) && !(end + 1..from).any(|n| shown(&n))
}

/// Parses a key of numbers: its ends, and whether both are written.
pub fn parse_number_or_range_key(text: &str) -> Option<(i64, i64, bool)> {
    let number = |text: &str| text.parse::<i32>().ok().map(i64::from);
    match text.split_once("..") {
        None => number(text).map(|n| (n, n, false)),
        Some(("", to)) => Some((i64::from(i32::MIN), number(to)?, true)),
        Some((from, "")) => Some((number(from)?, i64::from(i32::MAX), true)),
        Some((from, to)) => Some((number(from)?, number(to)?, true)),
    }
}

/// Returns the printed keys of a table's rows and columns; without columns a row is a cell.
pub fn printed_keys_of_table(game: &ResolvedRulebook, table: usize) -> (Vec<String>, Vec<String>) {
    let table = &game.tables[table];
    let columns = table.columns.as_ref().map_or(Vec::new(), printed_keys);
    (printed_keys(&table.rows), columns)
}

pub(crate) fn printed_keys(keys: &TableRowOrColumnKeys) -> Vec<String> {
    let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
    match keys {
        TableRowOrColumnKeys::Words(words) => words.clone(),
        TableRowOrColumnKeys::Numbers(numbers) => numbers
            .iter()
            .map(|(from, to)| match (*from == least, *to == most) {
                (true, _) => format!("..{to}"),
                (_, true) => format!("{from}.."),
                _ if from == to => from.to_string(),
                _ => format!("{from}..{to}"),
            })
            .collect(),
    }
}
