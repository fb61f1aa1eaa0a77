//! From answers to cards: rows, columns, tables, footnotes.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::card_plan::{self, Plan};
use super::cell_values::Readings;
use super::difference_card::Less;
use super::footnotes::{Marks, signs};
use super::legend;
use super::model::{Card, Line, Row, Table};
use super::shading::grounded;
use crate::text::labels;
use crate::text::sentences::clean;
use crate::text::short_labels;
use enfilade_engine::cancel::{Halt, NEVER};
use enfilade_model::catalogue::System;
use enfilade_model::error::Error;
use enfilade_model::form::{Value, name_matching};
use enfilade_study::answer::Answer;
use enfilade_study::comparison::Comparison;
use enfilade_study::experiment::{CardSpec, ExperimentSpec, Side};

/// Builds the cards of an experiment; none without answers.
pub fn cards(experiment: &ExperimentSpec, answers: &[Answer]) -> Vec<Card> {
    let plans = card_plan::plans(&experiment.cards, answers, None);
    plans.iter().map(|plan| card(plan, &NEVER)).collect()
}

/// Builds the cards, unless the run is cancelled.
///
/// # Errors
/// [`Error::Interrupted`] after a cancellation.
pub fn cards_unless(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    halt: &Halt,
) -> Result<Vec<Card>, Error> {
    let plans = card_plan::plans(&experiment.cards, answers, None);
    let cards = plans.iter().map(|plan| card(plan, halt)).collect();
    match halt.asked() {
        true => Err(Error::Interrupted("the cards were not made to their end".to_owned())),
        false => Ok(cards),
    }
}

/// Builds the cards of B, which is `experiment`, with the difference of every number from A: one or
/// more comparisons of the two, which are called `names`, A first.
pub fn differences(
    experiment: &ExperimentSpec,
    comparisons: &[Comparison<'_>],
    names: (&str, &str),
) -> Vec<Card> {
    laid(&experiment.cards, comparisons, names)
}

/// Builds the cards of differences for `specs`.
pub(super) fn laid(
    specs: &[CardSpec],
    comparisons: &[Comparison<'_>],
    names: (&str, &str),
) -> Vec<Card> {
    let (cells, less) = Less::new(comparisons, names);
    let plans = card_plan::plans(specs, &cells, Some(&less));
    plans.iter().map(|plan| card(plan, &NEVER)).collect()
}

/// Builds a card; after a cancellation its remaining tables are left out.
fn card(plan: &Plan, halt: &Halt) -> Card {
    let rest = plan.spec.rest.as_deref();
    let readings = Readings::new(&plan.stack.lines, rest, &plan.both(), plan.less);
    let marks = Marks::new(&plan.cells);
    let tables = places(plan);
    let tables: Vec<_> = tables
        .into_iter()
        .take_while(|_| !halt.asked())
        .map(|(place, cells)| {
            Maker { plan, readings: &readings, marks: &marks, cells }.table(place)
        })
        .collect();
    grounded(Card {
        title: legend::title(plan),
        legend: legend::entries(plan, &readings, &marks, &tables),
        footer: legend::footer(&plan.both(), &tables),
        tables,
    })
}

/// Groups the cells by table: by the values that are equal in the whole table and are neither row
/// nor column.
fn places<'a>(plan: &Plan<'a>) -> IndexMap<String, Vec<&'a Answer>> {
    let mut places: IndexMap<String, Vec<&Answer>> = IndexMap::new();
    let several = plan.cells.iter().any(|cell| cell.contest != plan.cells[0].contest);
    let by_contest = plan.rows == Side::Contests || plan.columns == Side::Contests;
    // The name of an axis depends on all cells.
    let mut names: HashMap<&str, String> = HashMap::new();
    for cell in &plan.cells {
        let mut said = Vec::new();
        if several && !by_contest {
            said.push(clean(&cell.name));
        }
        for (path, value) in &cell.axes {
            let side = Side::Axis(path.clone());
            if side != plan.rows && side != plan.columns {
                let field = cell.action.fields.at(path);
                let signed = labels::is_signed(field, &[value]);
                let name = names.entry(path).or_insert_with(|| plan.axis_name(path));
                said.push(short_labels::placed(name, field, value, signed));
            }
        }
        places.entry(said.join(", ")).or_default().push(cell);
    }
    places
}

/// A value of a side: the key for lookups, its text, and its size if it has one.
struct Key {
    name: String,
    label: String,
    size: Option<f64>,
}

/// Builder of one table.
struct Maker<'p, 'a> {
    plan: &'p Plan<'a>,
    readings: &'p Readings<'a>,
    marks: &'p Marks<'a>,
    cells: Vec<&'a Answer>,
}

impl Maker<'_, '_> {
    fn table(&self, place: String) -> Table {
        let spec = &self.plan.spec;
        let (down, across) = (self.keys(&self.plan.rows), self.keys(&self.plan.columns));
        // Facts describe the rows and columns, and results have none.
        let facts: &[String] = if self.plan.rows == Side::Results { &[] } else { &spec.facts };
        let head = self.plan.side_name(&self.plan.rows);
        let stubs = std::iter::once(head).chain(facts.iter().map(|name| name.replace('_', " ")));
        Table {
            place,
            subtitle: legend::subtitle(self.plan, &self.cells),
            stubs: stubs.map(|stub| clean(&stub)).collect(),
            across: self.plan.side_name(&self.plan.columns),
            labelled: self.labelled(),
            columns: match self.plan.columns {
                Side::Results => {
                    self.readings.headings.iter().map(|line| line.label.clone()).collect()
                }
                _ => across.iter().map(|key| key.label.clone()).collect(),
            },
            rows: match (&self.plan.rows, &self.plan.columns) {
                (Side::Results, _) => self.rows_of_results(&across),
                (_, Side::Results) => self.rows_across(&down, facts),
                _ => self.rows_of_lines(&down, &across, facts),
            },
        }
    }

    fn labelled(&self) -> bool {
        let sides = [&self.plan.rows, &self.plan.columns];
        self.readings.headings.len() > 1 && !sides.contains(&&Side::Results)
    }

    /// Returns the values of a side in the order of the file; numbers of several contests are
    /// sorted.
    fn keys(&self, side: &Side) -> Vec<Key> {
        let mut keys: Vec<Key> = Vec::new();
        let values: Vec<_> = self.cells.iter().filter_map(|cell| value_on(cell, side)).collect();
        let field = match side {
            Side::Axis(path) => self.cells.iter().find_map(|cell| cell.action.fields.at(path)),
            _ => None,
        };
        let signed = labels::is_signed(field, &values.iter().collect::<Vec<_>>());
        for value in &values {
            let name = value.to_string();
            if !keys.iter().any(|key| key.name == name) {
                let (label, size) =
                    (short_labels::value(field, value, signed), short_labels::number(value));
                keys.push(Key { name, label, size });
            }
        }
        let several = self.cells.iter().any(|cell| cell.contest != self.cells[0].contest);
        // Within a file the author's order counts; several contests merely follow each other.
        if several && keys.iter().all(|key| key.size.is_some()) {
            keys.sort_by(|a, b| a.size.partial_cmp(&b.size).unwrap_or(std::cmp::Ordering::Equal));
        }
        shorten(&mut keys);
        keys
    }

    fn find(&self, row: &Key, column: &Key) -> Option<&Answer> {
        let on = |cell: &Answer, side: &Side, key: &Key| {
            value_on(cell, side).is_some_and(|value| value.to_string() == key.name)
        };
        let mut cells = self.cells.iter();
        let found = cells
            .find(|cell| on(cell, &self.plan.rows, row) && on(cell, &self.plan.columns, column));
        found.copied()
    }

    fn on_row(&self, row: &Key) -> Vec<&Answer> {
        let here = |cell: &&&Answer| {
            value_on(cell, &self.plan.rows).is_some_and(|value| value.to_string() == row.name)
        };
        self.cells.iter().filter(here).copied().collect()
    }

    /// Builds rows of several lines, with results below each other.
    fn rows_of_lines(&self, down: &[Key], across: &[Key], facts: &[String]) -> Vec<Row> {
        let row = |key: &Key| {
            // A footnote mark of the whole row is at its head, and not in every cell.
            let shared = self.marks.shared(&self.on_row(key));
            let columns: Vec<_> =
                across.iter().map(|column| self.column(key, column, &shared)).collect();
            let line = |(at, heading): (usize, &super::cell_values::Heading)| Line {
                label: heading.label.clone(),
                tone: heading.tone,
                cells: columns
                    .iter()
                    .map(|column| column.as_ref().and_then(|c| c[at].clone()))
                    .collect(),
            };
            Row {
                heads: self.heads(key, &shared, facts),
                lines: self.readings.headings.iter().enumerate().map(line).collect(),
            }
        };
        down.iter().map(row).collect()
    }

    /// Builds the lines of one cell, the first marked with the footnotes that do not apply to the
    /// whole row.
    fn column(
        &self,
        row: &Key,
        column: &Key,
        shared: &[usize],
    ) -> Option<Vec<Option<super::model::Cell>>> {
        let answer = self.find(row, column)?;
        let own = self.marks.shared(&[answer]).into_iter().filter(|mark| !shared.contains(mark));
        let signs = signs(own);
        let mut cells = self.readings.of(answer);
        match cells.iter_mut().flatten().next() {
            Some(cell) => cell.shown.push_str(&signs),
            // A blank cell has the mark of the footnote that explains it.
            None if !signs.is_empty() => {
                if let Some(first) = cells.first_mut() {
                    *first = Some(super::model::Cell::blank(signs));
                }
            }
            None => {}
        }
        Some(cells)
    }

    /// Builds rows of one line, with results beside each other.
    fn rows_across(&self, down: &[Key], facts: &[String]) -> Vec<Row> {
        let row = |key: &Key| {
            let found = self.on_row(key);
            let shared = self.marks.shared(&found);
            let line = Line {
                label: String::new(),
                tone: super::model::Tone::Plain,
                cells: found.first().map_or(Vec::new(), |cell| self.readings.of(cell)),
            };
            Row { heads: self.heads(key, &shared, facts), lines: vec![line] }
        };
        down.iter().map(row).collect()
    }

    /// Builds a row per result.
    fn rows_of_results(&self, across: &[Key]) -> Vec<Row> {
        let column = |key: &Key| {
            let mut cells = self.cells.iter();
            let here = |cell: &&&Answer| {
                value_on(cell, &self.plan.columns)
                    .is_some_and(|value| value.to_string() == key.name)
            };
            cells.find(here).map(|cell| self.readings.of(cell))
        };
        let columns: Vec<_> = across.iter().map(column).collect();
        let row = |(at, heading): (usize, &super::cell_values::Heading)| Row {
            heads: vec![heading.label.clone()],
            lines: vec![Line {
                label: String::new(),
                tone: heading.tone,
                cells: columns
                    .iter()
                    .map(|column| column.as_ref().and_then(|c| c[at].clone()))
                    .collect(),
            }],
        };
        self.readings.headings.iter().enumerate().map(row).collect()
    }

    fn heads(&self, key: &Key, shared: &[usize], facts: &[String]) -> Vec<String> {
        let head = format!("{}{}", key.label, signs(shared.iter().copied()));
        let found = facts.iter().map(|name| fact(&self.cells[0].system, &key.name, name));
        std::iter::once(head).chain(found).collect()
    }
}

/// Returns the value of a cell on a side.
fn value_on(cell: &Answer, side: &Side) -> Option<Value> {
    match side {
        Side::Axis(path) => {
            let axis = cell.axes.iter().find(|(name, _)| name == path);
            axis.map(|(_, value)| value.clone())
        }
        Side::Contests => Some(Value::Text(cell.name.clone())),
        Side::Results => None,
    }
}

/// Removes the common folders of paths.
fn shorten(keys: &mut [Key]) {
    if keys.iter().any(|key| key.size.is_some() || !key.name.contains('/')) {
        return;
    }
    let mut labels: Vec<_> = keys.iter().map(|key| key.label.clone()).collect();
    short_labels::without_common_folder(&mut labels);
    for (key, label) in keys.iter_mut().zip(labels) {
        key.label = label;
    }
}

/// Returns the built-in fact about `name` in the column `fact`; empty without one. The name is
/// found by the first one, two or three columns: `LMG`, `German LMG`, `UCM/Sabre/Railgun`.
fn fact(system: &System, name: &str, fact: &str) -> String {
    let wanted = name_matching::key(&name.replace('/', " "));
    for data_table in (system.data_tables)() {
        let Some(column) = data_table.columns.iter().position(|column| column == fact) else {
            continue;
        };
        let called = |row: &&Vec<String>| {
            (1..=row.len().min(3)).any(|n| name_matching::key(&row[..n].join(" ")) == wanted)
        };
        if let Some(row) = data_table.rows.iter().find(called) {
            return clean(&row[column]).replace('-', "–");
        }
    }
    String::new()
}
