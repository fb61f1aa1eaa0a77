//! Printed cells of data and tables: their types and values.

use std::sync::Arc;

use super::game::{
    ColumnType, ResolvedRulebook, SpecialRuleMarkPatterns, TopLevelMeaning, number_in_matching_cell,
};
use super::name_faults::{report_repeated_names, report_unknown};
use crate::diagnostics::Faults;
use crate::syntax::ast::{DataRowsDecl, Ident, RowDecl};
use crate::value_types::{ContestValue, RecordValue, ScalarType, VARIABLE_RANGE, ValueRange};

/// Largest numbers of rows and columns of data.
const MAX_DATA_SHAPE: (usize, usize) = (1000, 32);

/// Kind of a printed cell before its list is known.
enum UntypedCellKind {
    Blank,
    Number(i64),
    YesNo(bool),
    Word,
}

/// Converts a printed word to a name: `Anti tank` becomes `anti_tank`.
pub fn name_of_printed_word(cell: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
    cell.chars().map(plain).collect()
}

/// Classifies a cell before its column is known.
fn classify_untyped_cell(cell: &str) -> UntypedCellKind {
    let die = cell.strip_prefix('d').filter(|rest| !rest.is_empty());
    let digits = die.unwrap_or(cell.strip_prefix('-').unwrap_or(cell));
    let number = digits.bytes().all(|b| b.is_ascii_digit());
    match cell {
        "" | "-" => UntypedCellKind::Blank,
        "yes" => UntypedCellKind::YesNo(true),
        "no" => UntypedCellKind::YesNo(false),
        _ if number => match die.unwrap_or(cell).parse() {
            Ok(n) if (VARIABLE_RANGE.0..=VARIABLE_RANGE.1).contains(&n) => {
                UntypedCellKind::Number(n)
            }
            _ => UntypedCellKind::Word,
        },
        _ => UntypedCellKind::Word,
    }
}

/// Returns whether a cell is a dice formula such as `2d6+1`, which no cell may be; a single `D6`
/// may be a word.
fn is_dice_code(cell: &str) -> bool {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (count, rest) = cell.split_at(digits(cell));
    let Some(rest) = rest.strip_prefix(['d', 'D']) else { return false };
    let (sides, more) = match rest.strip_prefix('%') {
        Some(more) => ("%", more),
        None => rest.split_at(digits(rest)),
    };
    let bonus = more.strip_prefix(['+', '-', '−', '*', 'x', '×']);
    let whole = more.is_empty() || bonus.is_some_and(|n| !n.is_empty() && digits(n) == n.len());
    !sides.is_empty() && whole && (!count.is_empty() || !more.is_empty() || sides == "%")
}

/// Reports a dice formula in a cell, and explains how to write it.
fn report_dice_cell(cell: &Ident, faults: &mut Faults) -> ScalarType {
    let problem =
        format!("`{}` is dice, and a cell holds a number, a word or one die as `d6`", cell.text);
    let help = "write how many in one column and their sides in another: `(gun.dice) d(gun.sides) + gun.plus` \
        rolls them";
    faults.add_fault_at_span(cell.span.clone(), problem, help);
    ScalarType::Any
}

/// Returns the type of cells, compatible with all of them.
pub(super) fn common_cell_type(
    game: &mut ResolvedRulebook,
    name: &str,
    cells: &[&Ident],
    faults: &mut Faults,
) -> ScalarType {
    if let Some(code) = cells.iter().find(|cell| is_dice_code(&cell.text)) {
        return report_dice_cell(code, faults);
    }
    let mut kind = ScalarType::Any;
    let mut words: Vec<&Ident> = Vec::new();
    for cell in cells {
        let own = match classify_untyped_cell(&cell.text) {
            UntypedCellKind::Blank => kind,
            UntypedCellKind::Number(_) => ScalarType::Number,
            UntypedCellKind::YesNo(_) => ScalarType::YesNo,
            UntypedCellKind::Word => {
                words.push(cell);
                kind
            }
        };
        if !kind.is_compatible_with(own) {
            report_mixed_cells(cell, name, faults);
        }
        kind = own;
    }
    match words.first() {
        None => kind,
        Some(_) if kind == ScalarType::Any => find_or_add_word_list(game, name, &words, faults),
        Some(word) => {
            report_mixed_cells(word, name, faults);
            kind
        }
    }
}

/// Returns the list that contains all words of the cells; a new list if none contains any of them.
fn find_or_add_word_list(
    game: &mut ResolvedRulebook,
    name: &str,
    cells: &[&Ident],
    faults: &mut Faults,
) -> ScalarType {
    let words: Vec<String> = cells.iter().map(|cell| name_of_printed_word(&cell.text)).collect();
    let has = |list: u16, word: &String| game.index_of_word_in_list(list, word).is_some();
    let mut lists = 0..game.words.len() as u16;
    if let Some(list) = lists.clone().find(|list| words.iter().all(|word| has(*list, word))) {
        return ScalarType::Word(list);
    }
    if let Some(list) = lists.find(|list| words.iter().any(|word| has(*list, word))) {
        let odd = words.iter().position(|word| !has(list, word));
        let odd = cells[odd.unwrap_or(0)];
        let list = &game.words[usize::from(list)];
        let problem = format!("there is no word `{}` in `{}`", odd.text, list.name);
        report_unknown(odd, problem, list.iter(), faults);
        return ScalarType::Any;
    }
    // Words of no declared list.
    if cells.iter().all(|cell| is_dice_code(&format!("1{}", cell.text))) {
        return report_dice_cell(cells[0], faults);
    }
    let mut list: Vec<(String, String)> = Vec::new();
    for (word, cell) in words.into_iter().zip(cells) {
        if list.iter().all(|(known, _)| *known != word) {
            let label = if word == cell.text { String::new() } else { cell.text.clone() };
            list.push((word, label));
        }
    }
    ScalarType::Word(game.find_or_add_list(name, list))
}

/// Reports a number among words, or a yes among numbers.
fn report_mixed_cells(cell: &Ident, name: &str, faults: &mut Faults) {
    let problem = format!("`{}` has another type than the other cells of `{name}`", cell.text);
    faults.add_fault_at_span(cell.span.clone(), problem, "numbers, words and yes/no do not mix");
}

/// Parses a cell of a known type.
pub fn parse_cell(
    game: &ResolvedRulebook,
    kind: ScalarType,
    cell: &str,
    absent: impl Fn() -> String,
) -> ContestValue {
    let value = match (classify_untyped_cell(cell), kind) {
        (UntypedCellKind::Blank, _) => return ContestValue::Absent(absent().into()),
        (UntypedCellKind::Number(n), _) => n,
        (UntypedCellKind::YesNo(yes), _) => yes.into(),
        (UntypedCellKind::Word, ScalarType::Word(list)) => {
            game.index_of_word_in_list(list, &name_of_printed_word(cell)).unwrap_or(0) as i64
        }
        (UntypedCellKind::Word, _) => 0,
    };
    ContestValue::from_number(kind, value)
}

/// Parses the cells of a registered data block.
pub fn parse_data_block(
    game: &mut ResolvedRulebook,
    name: &Ident,
    mut block: DataRowsDecl,
    faults: &mut Faults,
) {
    let Some(TopLevelMeaning::Data(at)) = game.names.get(&name.text).copied() else { return };
    if !check_data_size(name, &mut block, faults) {
        return;
    }
    let columns = 0..block.heads.len();
    let kinds: Vec<ColumnType> = columns
        .clone()
        .map(|column| marks_or_inferred_type(game, &block, column, faults))
        .collect();
    let cell = |row: &RowDecl, column: usize| match kinds[column] {
        ColumnType::Typed(kind) => parse_cell(game, kind, &row.cells[column].text, || {
            let head = &block.heads[column].text;
            format!("`{}` has no `{head}`: the cell is blank", row.key.text)
        }),
        ColumnType::Marks(marks) => {
            parse_comma_separated_marks(game, marks, &row.cells[column].text).0
        }
    };
    let row = |row: &RowDecl| columns.clone().map(|column| cell(row, column)).collect();
    let cells: Vec<Vec<ContestValue>> = block.rows.iter().map(row).collect();
    let text = |row: &RowDecl| row.cells.iter().map(|cell| cell.text.clone()).collect();
    let data = &mut game.data[at];
    data.printed_cells = block.rows.iter().map(text).collect();
    data.ranges = columns.map(|column| column_range(&cells, column)).collect();
    (data.cells, data.kinds) = (cells, kinds);
}

/// Returns whether a data block is within its size limits. Every cell of a row of the wrong length
/// becomes blank, so that the row keeps its index.
fn check_data_size(name: &Ident, block: &mut DataRowsDecl, faults: &mut Faults) -> bool {
    if block.rows.len() > MAX_DATA_SHAPE.0 || block.heads.len() > MAX_DATA_SHAPE.1 {
        let problem =
            format!("data have at most {} rows and {} columns", MAX_DATA_SHAPE.0, MAX_DATA_SHAPE.1);
        faults.add_fault_at_span(name.span.clone(), problem, "");
        return false;
    }
    report_repeated_names(block.rows.iter().map(|row| &row.key), "a row of these data", faults);
    let long = check_row_lengths(name, &block.heads, block.heads.len(), &block.rows, faults);
    for (row, _) in block.rows.iter_mut().zip(long).filter(|(_, long)| !long) {
        let blank = Ident { text: "-".into(), span: row.key.span.clone() };
        row.cells = vec![blank; block.heads.len()];
    }
    true
}

/// Resolves the type of a column: marks if the block declares so.
fn marks_or_inferred_type(
    game: &mut ResolvedRulebook,
    block: &DataRowsDecl,
    column: usize,
    faults: &mut Faults,
) -> ColumnType {
    let head = &block.heads[column].text;
    let Some((_, marks)) = block.marks.iter().find(|(name, _)| name.text == *head) else {
        let cells: Vec<&Ident> = block.rows.iter().map(|row| &row.cells[column]).collect();
        return ColumnType::Typed(common_cell_type(game, head, &cells, faults));
    };
    if let Some(marks) = game.mark_names.get(&marks.text) {
        return ColumnType::Marks(*marks);
    }
    let problem = format!("there are no `marks {}`", marks.text);
    report_unknown(marks, problem, game.mark_names.keys().map(String::as_str), faults);
    ColumnType::Typed(ScalarType::Any)
}

/// Returns the range of a column's numbers.
fn column_range(cells: &[Vec<ContestValue>], column: usize) -> Option<ValueRange> {
    cells.iter().filter_map(|row| row.get(column)?.number_range()).reduce(ValueRange::union)
}

/// Parses a comma-separated list of marks. Returns them with the texts that match no pattern.
pub fn parse_comma_separated_marks(
    game: &ResolvedRulebook,
    of: u16,
    text: &str,
) -> (ContestValue, Vec<String>) {
    let list = &game.marks[usize::from(of)];
    let absent = |name: &String| ContestValue::Absent(format!("there is no `{name}` here").into());
    let names = mark_names_of_list(list);
    let mut marks: Vec<ContestValue> = names.iter().map(absent).collect();
    let mut unknown = Vec::new();
    let texts = text.split(',').map(str::trim);
    for text in texts.filter(|text| !text.is_empty() && *text != "-") {
        let explained = list.marks.iter().find_map(|(pattern, name)| {
            let number = number_in_matching_cell(pattern, text)?;
            Some((names.iter().position(|known| known == name)?, number))
        });
        match explained {
            Some((place, number)) => {
                marks[place] = ContestValue::from_number(ScalarType::Number, number)
            }
            None => unknown.push(text.to_owned()),
        }
    }
    (ContestValue::Marks(of, marks.into()), unknown)
}

/// Returns the distinct names of marks.
pub fn mark_names_of_list(list: &SpecialRuleMarkPatterns) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (_, name) in &list.marks {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Checks that every row has a cell for each column. If all rows have the same other length, the
/// heads are reported instead. Returns, for each row, whether it has the right length.
pub(super) fn check_row_lengths(
    name: &Ident,
    heads: &[Ident],
    columns: usize,
    rows: &[RowDecl],
    faults: &mut Faults,
) -> Vec<bool> {
    let long: Vec<bool> = rows.iter().map(|row| row.cells.len() == columns).collect();
    let plural = |n: usize| format!("{n} {}", if n == 1 { "column" } else { "columns" });
    if let [first, _, ..] = rows
        && long.iter().all(|long| !long)
        && rows.iter().all(|row| row.cells.len() == first.cells.len())
    {
        let span = match heads {
            [] => name.span.clone(),
            [first, ..] => first.span.start..heads[heads.len() - 1].span.end,
        };
        let problem =
            format!("{} here, and each row below has {}", plural(columns), first.cells.len());
        faults.add_fault_at_span(span, problem, row_length_help(first.cells.len(), columns));
        faults.suppress([name.text.clone()]);
        return long;
    }
    for (row, _) in rows.iter().zip(&long).filter(|(_, long)| !**long) {
        let cells = row.cells.len();
        let problem = format!(
            "this row has {cells} cell{}, and there {} {}",
            if cells == 1 { "" } else { "s" },
            if columns == 1 { "is" } else { "are" },
            plural(columns)
        );
        let end = row.cells.last().map_or(row.key.span.end, |cell| cell.span.end);
        faults.add_fault_at_span(row.key.span.start..end, problem, row_length_help(cells, columns));
        faults.suppress([name_of_printed_word(&row.key.text), row.key.text.clone()]);
    }
    long
}

/// Returns the help for a row that is too long or too short.
fn row_length_help(cells: usize, columns: usize) -> &'static str {
    match (cells > columns, columns) {
        (_, 0) => "separate columns by spaces, in a file by tabs, not by commas or semicolons",
        (true, _) => "put a name or a cell with spaces in quotes",
        (false, _) => "a blank cell is `-`",
    }
}

/// Returns whether a contest leaves all printed numbers of a record unchanged.
pub fn keeps_printed_numbers(game: &ResolvedRulebook, record: &Arc<RecordValue>) -> bool {
    let printed = game.printed_records.get(record.record).and_then(Option::as_ref);
    printed.is_some_and(|printed| Arc::ptr_eq(printed, record))
}

/// Encodes a contest value completely, as comparable numbers.
pub fn append_whole_value_to_key(
    game: &ResolvedRulebook,
    fixed: &ContestValue,
    key: &mut Vec<i64>,
) {
    game.append_read_parts_to_key(fixed, &|_| true, key);
}
