//! Cards as comma-separated records, in one of three shapes.
//!
//! `long` is tidy: one number per record, in full precision, for further computation. `wide` has
//! the layout of the card. `merge` has one record per row for the data merge of layout programs
//! (nanDECK, InDesign): its field names are plain words that these accept unchanged. A text that a
//! spreadsheet would run as a formula is guarded as in every CSV of the program.

use indexmap::IndexMap;

use super::card_model::{CardCell, CardLine, CardRow, CardTable, ReferenceCard};
use crate::tables::csv::quote_and_defuse_formula;

/// The content of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CardPartPerCsvRecord {
    /// A number.
    #[default]
    Long,
    /// A line of the card.
    Wide,
    /// A row of the card.
    Merge,
}

/// Renders the cards in a shape.
pub fn render_cards_csv(cards: &[ReferenceCard], shape: CardPartPerCsvRecord) -> String {
    match shape {
        CardPartPerCsvRecord::Long => render_long_csv(cards),
        CardPartPerCsvRecord::Wide => render_wide_csv(cards),
        CardPartPerCsvRecord::Merge => render_joined_csv(cards),
    }
}

fn format_csv_record(fields: impl IntoIterator<Item = String>) -> String {
    let fields: Vec<_> = fields.into_iter().collect();
    fields.join(",") + "\n"
}

/// Iterates over the rows of all cards with their tables and cards.
fn iterate_card_rows(
    cards: &[ReferenceCard],
) -> impl Iterator<Item = (&ReferenceCard, &CardTable, &CardRow)> {
    let tables = cards.iter().flat_map(|card| card.tables.iter().map(move |table| (card, table)));
    tables.flat_map(|(card, table)| table.rows.iter().map(move |row| (card, table, row)))
}

const NUMBER_RECORDS_HEAD: &str =
    "card,table,row,column,line,unit,value,exact,low,high,trials,shown\n";

fn render_long_csv(cards: &[ReferenceCard]) -> String {
    let mut out = NUMBER_RECORDS_HEAD.to_owned();
    for (card, table, row) in iterate_card_rows(cards) {
        for line in &row.lines {
            for (column, cell) in table.columns.iter().zip(&line.cells) {
                if let Some(cell) = cell {
                    let names = [&card.title, &table.place, &row.heads[0], column, &line.label];
                    out.push_str(&format_csv_record(
                        names
                            .iter()
                            .map(|name| csv_parsable_number_or_text(name))
                            .chain(csv_number_fields(cell)),
                    ));
                }
            }
        }
    }
    out
}

/// Normalizes a name for a field: a whole number loses its print signs, so that it can be parsed.
fn csv_parsable_number_or_text(name: &str) -> String {
    let digits = name.trim_start_matches(['−', '+']);
    let printed = digits.len() < name.len() && digits.parse::<u32>().is_ok();
    if printed {
        quote_and_defuse_formula(&name.replace('−', "-").replace('+', ""))
    } else {
        quote_and_defuse_formula(name)
    }
}

/// Returns unit, value, whether it is exact, interval, trials, and the printed text.
fn csv_number_fields(cell: &CardCell) -> [String; 7] {
    let unit = match (cell.percent, cell.difference) {
        (true, false) => "probability",
        (false, false) => "mean",
        (true, true) => "difference of probabilities",
        (false, true) => "difference of means",
    };
    // `{:?}` is the shortest text that reads back as the same number.
    let end = |end: Option<f64>| end.map_or(String::new(), |x| format!("{x:?}"));
    [
        unit.to_owned(),
        end(Some(cell.value).filter(|value| !value.is_nan())),
        cell.exact.to_string(),
        end(cell.interval.map(|(low, _)| low)),
        end(cell.interval.map(|(_, high)| high)),
        cell.trials.to_string(),
        quote_and_defuse_formula(&cell.text),
    ]
}

fn render_wide_csv(cards: &[ReferenceCard]) -> String {
    let mut blocks = Vec::new();
    for card in cards {
        for table in &card.tables {
            blocks.push(render_wide_table(card, table));
        }
        let footer = quote_and_defuse_formula(&card.footer.join(" "));
        blocks.push(footer + "\n");
    }
    blocks.join("\n")
}

fn render_wide_table(card: &ReferenceCard, table: &CardTable) -> String {
    let title = match table.place.as_str() {
        "" => card.title.clone(),
        place => format!("{} · {place}", card.title),
    };
    let mut out = format_csv_record([quote_and_defuse_formula(&title)])
        + &format_csv_record([quote_and_defuse_formula(&table.subtitle)]);
    let label = table.has_labels.then(|| table.across.clone());
    let heads = table.stubs.iter().cloned().chain(label).chain(table.columns.iter().cloned());
    out.push_str(&format_csv_record(heads.map(|head| quote_and_defuse_formula(&head))));
    for row in &table.rows {
        for line in &row.lines {
            let label = table.has_labels.then(|| line.label.clone());
            let cells = line.cells.iter().map(printed_text_or_empty);
            let fields = row.heads.iter().cloned().chain(label).chain(cells);
            out.push_str(&format_csv_record(fields.map(|field| quote_and_defuse_formula(&field))));
        }
    }
    out
}

fn printed_text_or_empty(cell: &Option<CardCell>) -> String {
    cell.as_ref().map_or(String::new(), |cell| cell.text.clone())
}

/// Renders one record per row, with the fields of all tables; empty where a table has no such
/// column.
fn render_joined_csv(cards: &[ReferenceCard]) -> String {
    let mut columns: IndexMap<String, usize> = IndexMap::new();
    let mut records = Vec::new();
    for (card, table, row) in iterate_card_rows(cards) {
        let mut fields: IndexMap<usize, String> = IndexMap::new();
        for (name, value) in fields_of_row(card, table, row) {
            let next = columns.len();
            let at = *columns.entry(name).or_insert(next);
            // Of two names that become one word, the first keeps it.
            fields.entry(at).or_insert(value);
        }
        records.push(fields);
    }
    let mut out = format_csv_record(columns.keys().cloned());
    for fields in records {
        let value = |at: usize| {
            fields.get(&at).map_or(String::new(), |value| quote_and_defuse_formula(value))
        };
        out.push_str(&format_csv_record((0..columns.len()).map(value)));
    }
    out
}

/// Returns the fields of a row: its place, its heads, and its numbers as printed, named by line and
/// column: `kill_m3` is "kill" at −3.
fn fields_of_row(card: &ReferenceCard, table: &CardTable, row: &CardRow) -> Vec<(String, String)> {
    let mut fields = vec![
        ("card".to_owned(), card.title.clone()),
        ("table".to_owned(), table.place.clone()),
        ("dice".to_owned(), table.subtitle.clone()),
        ("row".to_owned(), row.heads[0].clone()),
    ];
    let facts = table.stubs.iter().zip(&row.heads).skip(1);
    fields.extend(facts.map(|(stub, fact)| (build_csv_column_name(&["fact", stub]), fact.clone())));
    for line in &row.lines {
        fields.extend(csv_names_and_numbers_of_line(table, line));
    }
    fields
}

fn csv_names_and_numbers_of_line<'a>(
    table: &'a CardTable,
    line: &'a CardLine,
) -> impl Iterator<Item = (String, String)> + 'a {
    let cells = table.columns.iter().zip(&line.cells);
    cells.map(|(column, cell)| {
        (build_csv_column_name(&[&line.label, column]), printed_text_or_empty(cell))
    })
}

/// Builds a field name of letters, digits and `_`, a letter first: `m3` for −3, `p2` for +2.
fn build_csv_column_name(parts: &[&str]) -> String {
    let mut name = String::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        let part = part.replace(['−', '-'], "m").replace('+', "p");
        let part = part.to_lowercase();
        let words = part.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        for word in words {
            if !name.is_empty() {
                name.push('_');
            }
            name.push_str(word);
        }
    }
    match name.chars().next() {
        Some(first) if first.is_alphabetic() => name,
        _ => format!("c_{name}"),
    }
}
