//! From answers to cards: rows, columns, tables, footnotes.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::card_model::{Card, CardLine, CardRow, CardTable};
use super::card_plan::{self, CardPlan};
use super::cell_values::CellValues;
use super::difference_card::BaselineCells;
use super::footnotes::{Footnotes, join_signs};
use super::legend;
use super::shading::with_shading;
use crate::error::ReportError;
use crate::text::labels;
use crate::text::sentences::sanitize;
use crate::text::short_labels;
use enfilade_engine::cancel::{CancelToken, NEVER};
use enfilade_model::catalogue::System;
use enfilade_model::form::{Value, name_matching};
use enfilade_study::answer::Answer;
use enfilade_study::comparison::Comparison;
use enfilade_study::experiment::{CardAxis, CardSpec, ExperimentSpec};

/// Builds the cards of an experiment; none without answers.
pub fn build_cards(experiment: &ExperimentSpec, answers: &[Answer]) -> Vec<Card> {
    let answers: Vec<&Answer> = answers.iter().collect();
    let plans = card_plan::build_plans(&experiment.cards, &answers, None);
    plans.iter().map(|plan| build_card(plan, &NEVER)).collect()
}

/// Builds the cards, unless the run is cancelled.
///
/// # Errors
/// [`ReportError::Interrupted`] after a cancellation.
pub fn try_build_cards(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    halt: &CancelToken,
) -> Result<Vec<Card>, ReportError> {
    let answers: Vec<&Answer> = answers.iter().collect();
    let plans = card_plan::build_plans(&experiment.cards, &answers, None);
    let cards = plans.iter().map(|plan| build_card(plan, halt)).collect();
    match halt.is_cancelled() {
        true => Err(ReportError::Interrupted("the cards were not made to their end".to_owned())),
        false => Ok(cards),
    }
}

/// Builds the cards of B, which is `experiment`, with the difference of every number from A: one or
/// more comparisons of the two, which are called `names`, A first.
pub fn build_difference_cards(
    experiment: &ExperimentSpec,
    comparisons: &[Comparison<'_>],
    names: (&str, &str),
) -> Vec<Card> {
    build_from_specs(&experiment.cards, comparisons, names)
}

/// Builds the cards of differences for `specs`.
pub(super) fn build_from_specs(
    specs: &[CardSpec],
    comparisons: &[Comparison<'_>],
    names: (&str, &str),
) -> Vec<Card> {
    let (cells, less) = BaselineCells::new(comparisons, names);
    let plans = card_plan::build_plans(specs, &cells, Some(&less));
    plans.iter().map(|plan| build_card(plan, &NEVER)).collect()
}

/// Builds a card; after a cancellation its remaining tables are left out.
fn build_card(plan: &CardPlan, halt: &CancelToken) -> Card {
    let rest = plan.spec.rest.as_deref();
    let readings = CellValues::new(&plan.stack.lines, rest, &plan.all_cells(), plan.baseline);
    let marks = Footnotes::new(&plan.cells, plan.baseline);
    let tables = group_by_table(plan);
    let tables: Vec<_> = tables
        .into_iter()
        .take_while(|_| !halt.is_cancelled())
        .map(|(place, cells)| {
            CardTableBuilder { plan, readings: &readings, marks: &marks, cells }.build_table(place)
        })
        .collect();
    with_shading(Card {
        title: legend::card_title(plan),
        legend: legend::build_legend(plan, &readings, &marks, &tables),
        footer: legend::build_footer(&plan.all_cells(), &tables),
        tables,
    })
}

/// Groups the cells by table: by the values that are equal in the whole table and are neither row
/// nor column.
fn group_by_table<'a>(plan: &CardPlan<'a>) -> IndexMap<String, Vec<&'a Answer>> {
    let mut places: IndexMap<String, Vec<&Answer>> = IndexMap::new();
    let several = plan.cells.iter().any(|cell| cell.contest != plan.cells[0].contest);
    let by_contest = plan.rows == CardAxis::Contests || plan.columns == CardAxis::Contests;
    // The name of an axis depends on all cells.
    let mut names: HashMap<&str, String> = HashMap::new();
    for cell in &plan.cells {
        let mut said = Vec::new();
        if several && !by_contest {
            said.push(sanitize(&cell.name));
        }
        for (path, value) in &cell.axes {
            let side = CardAxis::Axis(path.clone());
            if side != plan.rows && side != plan.columns {
                let field = cell.action.fields.find_at(path);
                let signed = labels::has_signs(field, &[value]);
                let name = names.entry(path).or_insert_with(|| plan.axis_name(path));
                said.push(short_labels::name_and_value(name, field, value, signed));
            }
        }
        places.entry(said.join(", ")).or_default().push(cell);
    }
    places
}

/// A value of a side: the key for lookups, its text, and its size if it has one.
struct AxisKey {
    name: String,
    label: String,
    size: Option<f64>,
}

/// Builder of one table.
struct CardTableBuilder<'p, 'a> {
    plan: &'p CardPlan<'a>,
    readings: &'p CellValues<'a>,
    marks: &'p Footnotes<'a>,
    cells: Vec<&'a Answer>,
}

impl CardTableBuilder<'_, '_> {
    fn build_table(&self, place: String) -> CardTable {
        let spec = &self.plan.spec;
        let (down, across) = (self.axis_keys(&self.plan.rows), self.axis_keys(&self.plan.columns));
        // Facts describe the rows and columns, and results have none.
        let facts: &[String] = if self.plan.rows == CardAxis::Results { &[] } else { &spec.facts };
        let head = self.plan.side_name(&self.plan.rows);
        let stubs = std::iter::once(head).chain(facts.iter().map(|name| name.replace('_', " ")));
        CardTable {
            place,
            subtitle: legend::build_subtitle(self.plan, &self.cells),
            stubs: stubs.map(|stub| sanitize(&stub)).collect(),
            across: self.plan.side_name(&self.plan.columns),
            has_labels: self.has_labels(),
            columns: match self.plan.columns {
                CardAxis::Results => {
                    self.readings.headings.iter().map(|line| line.label.clone()).collect()
                }
                _ => across.iter().map(|key| key.label.clone()).collect(),
            },
            rows: match (&self.plan.rows, &self.plan.columns) {
                (CardAxis::Results, _) => self.build_result_rows(&across),
                (_, CardAxis::Results) => self.build_across_rows(&down, facts),
                _ => self.build_line_rows(&down, &across, facts),
            },
        }
    }

    fn has_labels(&self) -> bool {
        let sides = [&self.plan.rows, &self.plan.columns];
        self.readings.headings.len() > 1 && !sides.contains(&&CardAxis::Results)
    }

    /// Returns the values of a side in the order of the file; numbers of several contests are
    /// sorted.
    fn axis_keys(&self, side: &CardAxis) -> Vec<AxisKey> {
        let mut keys: Vec<AxisKey> = Vec::new();
        let values: Vec<_> =
            self.cells.iter().filter_map(|cell| value_on_side(cell, side)).collect();
        let field = match side {
            CardAxis::Axis(path) => {
                self.cells.iter().find_map(|cell| cell.action.fields.find_at(path))
            }
            _ => None,
        };
        let signed = labels::has_signs(field, &values.iter().collect::<Vec<_>>());
        for value in &values {
            let name = value.to_string();
            if !keys.iter().any(|key| key.name == name) {
                let (label, size) = (
                    short_labels::short_value_label(field, value, signed),
                    short_labels::as_number(value),
                );
                keys.push(AxisKey { name, label, size });
            }
        }
        let several = self.cells.iter().any(|cell| cell.contest != self.cells[0].contest);
        // Within a file the author's order counts; several contests merely follow each other.
        if several && keys.iter().all(|key| key.size.is_some()) {
            keys.sort_by(|a, b| a.size.partial_cmp(&b.size).unwrap_or(std::cmp::Ordering::Equal));
        }
        drop_common_folders(&mut keys);
        keys
    }

    fn find_cell(&self, row: &AxisKey, column: &AxisKey) -> Option<&Answer> {
        let on = |cell: &Answer, side: &CardAxis, key: &AxisKey| {
            value_on_side(cell, side).is_some_and(|value| value.to_string() == key.name)
        };
        let mut cells = self.cells.iter();
        let found = cells
            .find(|cell| on(cell, &self.plan.rows, row) && on(cell, &self.plan.columns, column));
        found.copied()
    }

    fn cells_on_row(&self, row: &AxisKey) -> Vec<&Answer> {
        let here = |cell: &&&Answer| {
            value_on_side(cell, &self.plan.rows).is_some_and(|value| value.to_string() == row.name)
        };
        self.cells.iter().filter(here).copied().collect()
    }

    /// Builds rows of several lines, with results below each other.
    fn build_line_rows(
        &self,
        down: &[AxisKey],
        across: &[AxisKey],
        facts: &[String],
    ) -> Vec<CardRow> {
        let row = |key: &AxisKey| {
            // A footnote mark of the whole row is at its head, and not in every cell.
            let shared = self.marks.common_marks(&self.cells_on_row(key));
            let columns: Vec<_> =
                across.iter().map(|column| self.build_cell_lines(key, column, &shared)).collect();
            let line = |(at, heading): (usize, &super::cell_values::LineHeading)| CardLine {
                label: heading.label.clone(),
                tone: heading.tone,
                cells: columns
                    .iter()
                    .map(|column| column.as_ref().and_then(|c| c[at].clone()))
                    .collect(),
            };
            CardRow {
                heads: self.build_heads(key, &shared, facts),
                lines: self.readings.headings.iter().enumerate().map(line).collect(),
            }
        };
        down.iter().map(row).collect()
    }

    /// Builds the lines of one cell, the first marked with the footnotes that do not apply to the
    /// whole row.
    fn build_cell_lines(
        &self,
        row: &AxisKey,
        column: &AxisKey,
        shared: &[usize],
    ) -> Option<Vec<Option<super::card_model::CardCell>>> {
        let answer = self.find_cell(row, column)?;
        let own =
            self.marks.common_marks(&[answer]).into_iter().filter(|mark| !shared.contains(mark));
        let signs = join_signs(own);
        let mut cells = self.readings.values_of_cell(answer);
        match cells.iter_mut().flatten().next() {
            Some(cell) => cell.text.push_str(&signs),
            // A blank cell has the mark of the footnote that explains it.
            None if !signs.is_empty() => {
                if let Some(first) = cells.first_mut() {
                    *first = Some(super::card_model::CardCell::with_text_only(signs));
                }
            }
            None => {}
        }
        Some(cells)
    }

    /// Builds rows of one line, with results beside each other.
    fn build_across_rows(&self, down: &[AxisKey], facts: &[String]) -> Vec<CardRow> {
        let row = |key: &AxisKey| {
            let found = self.cells_on_row(key);
            let shared = self.marks.common_marks(&found);
            let line = CardLine {
                label: String::new(),
                tone: super::card_model::LineTone::Plain,
                cells: found.first().map_or(Vec::new(), |cell| self.readings.values_of_cell(cell)),
            };
            CardRow { heads: self.build_heads(key, &shared, facts), lines: vec![line] }
        };
        down.iter().map(row).collect()
    }

    /// Builds a row per result.
    fn build_result_rows(&self, across: &[AxisKey]) -> Vec<CardRow> {
        let column = |key: &AxisKey| {
            let mut cells = self.cells.iter();
            let here = |cell: &&&Answer| {
                value_on_side(cell, &self.plan.columns)
                    .is_some_and(|value| value.to_string() == key.name)
            };
            cells.find(here).map(|cell| self.readings.values_of_cell(cell))
        };
        let columns: Vec<_> = across.iter().map(column).collect();
        let row = |(at, heading): (usize, &super::cell_values::LineHeading)| CardRow {
            heads: vec![heading.label.clone()],
            lines: vec![CardLine {
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

    fn build_heads(&self, key: &AxisKey, shared: &[usize], facts: &[String]) -> Vec<String> {
        let head = format!("{}{}", key.label, join_signs(shared.iter().copied()));
        let found = facts.iter().map(|name| lookup_fact(&self.cells[0].system, &key.name, name));
        std::iter::once(head).chain(found).collect()
    }
}

/// Returns the value of a cell on a side.
fn value_on_side(cell: &Answer, side: &CardAxis) -> Option<Value> {
    match side {
        CardAxis::Axis(path) => {
            let axis = cell.axes.iter().find(|(name, _)| name == path);
            axis.map(|(_, value)| value.clone())
        }
        CardAxis::Contests => Some(Value::Text(cell.name.clone())),
        CardAxis::Results => None,
    }
}

/// Removes the common folders of paths.
fn drop_common_folders(keys: &mut [AxisKey]) {
    if keys.iter().any(|key| key.size.is_some() || !key.name.contains('/')) {
        return;
    }
    let mut labels: Vec<_> = keys.iter().map(|key| key.label.clone()).collect();
    short_labels::strip_common_folder(&mut labels);
    for (key, label) in keys.iter_mut().zip(labels) {
        key.label = label;
    }
}

/// Returns the built-in fact about `name` in the column `fact`; empty without one. The name is
/// found by the first one, two or three columns: `LMG`, `German LMG`, `UCM/Sabre/Railgun`.
fn lookup_fact(system: &System, name: &str, fact: &str) -> String {
    let wanted = name_matching::match_key(&name.replace('/', " "));
    for data_table in (system.data_tables)() {
        let Some(column) = data_table.columns.iter().position(|column| column == fact) else {
            continue;
        };
        let called = |row: &&Vec<String>| {
            (1..=row.len().min(3)).any(|n| name_matching::match_key(&row[..n].join(" ")) == wanted)
        };
        if let Some(row) = data_table.rows.iter().find(called) {
            return sanitize(&row[column]).replace('-', "–");
        }
    }
    String::new()
}
