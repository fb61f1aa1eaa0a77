//! From answers to cards: rows, columns, tables, footnotes.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::card_model::{CardLine, CardRow, CardTable, ReferenceCard};
use super::card_plan::{self, CardPlan};
use super::cell_values::CardLinesAndBands;
use super::difference_card::BaselineAnswers;
use super::footnotes::{FootnotesOfCard, join_footnote_marks};
use super::legend;
use super::shading::shade_all_cells;
use crate::error::ReportError;
use crate::text::labels;
use crate::text::sentences::replace_control_chars;
use crate::text::short_labels;
use enfilade_engine::cancel::{CancelToken, NEVER_CANCELLED};
use enfilade_model::catalogue::System;
use enfilade_model::form::{Value, name_matching};
use enfilade_study::answer::Answer;
use enfilade_study::comparison::ExperimentComparison;
use enfilade_study::experiment::{CardRowOrColumnAxis, CardSpec, ExperimentSpec};

/// Builds the cards of an experiment; none without answers.
pub fn build_cards(experiment: &ExperimentSpec, answers: &[Answer]) -> Vec<ReferenceCard> {
    let answers: Vec<&Answer> = answers.iter().collect();
    let plans = card_plan::plan_all_cards(&experiment.cards, &answers, None);
    plans.iter().map(|plan| build_card(plan, &NEVER_CANCELLED)).collect()
}

/// Builds the cards, unless the run is cancelled.
///
/// # Errors
/// [`ReportError::Interrupted`] after a cancellation.
pub fn build_cards_unless_cancelled(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    halt: &CancelToken,
) -> Result<Vec<ReferenceCard>, ReportError> {
    let answers: Vec<&Answer> = answers.iter().collect();
    let plans = card_plan::plan_all_cards(&experiment.cards, &answers, None);
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
    comparisons: &[ExperimentComparison<'_>],
    names: (&str, &str),
) -> Vec<ReferenceCard> {
    difference_cards_from_specs(&experiment.cards, comparisons, names)
}

/// Builds the cards of differences for `specs`.
pub(super) fn difference_cards_from_specs(
    specs: &[CardSpec],
    comparisons: &[ExperimentComparison<'_>],
    names: (&str, &str),
) -> Vec<ReferenceCard> {
    let (cells, less) = BaselineAnswers::new(comparisons, names);
    let plans = card_plan::plan_all_cards(specs, &cells, Some(&less));
    plans.iter().map(|plan| build_card(plan, &NEVER_CANCELLED)).collect()
}

/// Builds a card; after a cancellation its remaining tables are left out.
fn build_card(plan: &CardPlan, halt: &CancelToken) -> ReferenceCard {
    let rest = plan.spec.rest.as_deref();
    let readings =
        CardLinesAndBands::new(&plan.stack.lines, rest, &plan.cells_and_baseline(), plan.baseline);
    let marks = FootnotesOfCard::collect(&plan.cells, plan.baseline);
    let tables = group_cells_by_table(plan);
    let tables: Vec<_> = tables
        .into_iter()
        .take_while(|_| !halt.is_cancelled())
        .map(|(place, cells)| {
            let by_row = AnswersByValue::new(&cells, &plan.rows);
            let table =
                CardTableAssembly { plan, readings: &readings, marks: &marks, cells, by_row };
            table.build_table(place)
        })
        .collect();
    shade_all_cells(ReferenceCard {
        title: legend::title_of_card(plan),
        legend: legend::build_card_legend(plan, &readings, &marks, &tables),
        footer: legend::build_card_footer(&plan.cells_and_baseline(), &tables),
        tables,
    })
}

/// Groups the cells by table: by the values that are equal in the whole table and are neither row
/// nor column.
fn group_cells_by_table<'a>(plan: &CardPlan<'a>) -> IndexMap<String, Vec<&'a Answer>> {
    let mut places: IndexMap<String, Vec<&Answer>> = IndexMap::new();
    let several = plan.cells.iter().any(|cell| cell.contest != plan.cells[0].contest);
    let by_contest =
        plan.rows == CardRowOrColumnAxis::Contests || plan.columns == CardRowOrColumnAxis::Contests;
    // The name of an axis depends on all cells.
    let mut names: HashMap<&str, String> = HashMap::new();
    for cell in &plan.cells {
        let mut texts = Vec::new();
        if several && !by_contest {
            texts.push(replace_control_chars(&cell.name));
        }
        for (path, value) in &cell.axes {
            let side = CardRowOrColumnAxis::Axis(path.clone());
            if side != plan.rows && side != plan.columns {
                let field = cell.action.fields.find_field_at_path(path);
                let signed = labels::are_axis_values_signed(field, &[value]);
                let name = names.entry(path).or_insert_with(|| plan.axis_name(path));
                texts.push(short_labels::label_with_axis_name(name, field, value, signed));
            }
        }
        places.entry(texts.join(", ")).or_default().push(cell);
    }
    places
}

/// A value of a side: the key for lookups, its text, and its size if it has one.
struct RowOrColumnValue {
    name: String,
    label: String,
    size: Option<f64>,
}

/// Answers of a table by the names of their values on a side.
#[derive(Default)]
struct AnswersByValue<'a>(HashMap<String, Vec<&'a Answer>>);

impl<'a> AnswersByValue<'a> {
    fn new(cells: &[&'a Answer], side: &CardRowOrColumnAxis) -> Self {
        let mut answers = Self::default();
        for cell in cells {
            if let Some(value) = value_on_row_or_column_axis(cell, side) {
                answers.0.entry(value.to_string()).or_default().push(cell);
            }
        }
        answers
    }

    /// Returns the answers with this value, in the order of the cells.
    fn with_value(&self, key: &RowOrColumnValue) -> &[&'a Answer] {
        self.0.get(&key.name).map_or(&[], Vec::as_slice)
    }
}

/// Builder of one table.
struct CardTableAssembly<'p, 'a> {
    plan: &'p CardPlan<'a>,
    readings: &'p CardLinesAndBands<'a>,
    marks: &'p FootnotesOfCard<'a>,
    cells: Vec<&'a Answer>,
    by_row: AnswersByValue<'a>,
}

impl CardTableAssembly<'_, '_> {
    fn build_table(&self, place: String) -> CardTable {
        let spec = &self.plan.spec;
        let (down, across) =
            (self.values_of_side(&self.plan.rows), self.values_of_side(&self.plan.columns));
        // Facts describe the rows and columns, and results have none.
        let facts: &[String] =
            if self.plan.rows == CardRowOrColumnAxis::Results { &[] } else { &spec.facts };
        let head = self.plan.row_or_column_axis_name(&self.plan.rows);
        let stubs = std::iter::once(head).chain(facts.iter().map(|name| name.replace('_', " ")));
        CardTable {
            place,
            subtitle: legend::dice_and_axis_ranges_subtitle(self.plan, &self.cells),
            part_subtitle: legend::game_and_dice_subtitle(self.plan, &self.cells),
            stubs: stubs.map(|stub| replace_control_chars(&stub)).collect(),
            across: self.plan.row_or_column_axis_name(&self.plan.columns),
            has_labels: self.needs_line_label_column(),
            columns: match self.plan.columns {
                CardRowOrColumnAxis::Results => {
                    self.readings.headings.iter().map(|line| line.label.clone()).collect()
                }
                _ => across.iter().map(|key| key.label.clone()).collect(),
            },
            rows: match (&self.plan.rows, &self.plan.columns) {
                (CardRowOrColumnAxis::Results, _) => self.build_row_per_result(&across),
                (_, CardRowOrColumnAxis::Results) => self.build_single_line_rows(&down, facts),
                _ => self.build_multi_line_rows(&down, &across, facts),
            },
        }
    }

    fn needs_line_label_column(&self) -> bool {
        let sides = [&self.plan.rows, &self.plan.columns];
        self.readings.headings.len() > 1 && !sides.contains(&&CardRowOrColumnAxis::Results)
    }

    /// Returns the values of a side in the order of the file; numbers of several contests are
    /// sorted.
    fn values_of_side(&self, side: &CardRowOrColumnAxis) -> Vec<RowOrColumnValue> {
        let mut keys: Vec<RowOrColumnValue> = Vec::new();
        let values: Vec<_> =
            self.cells.iter().filter_map(|cell| value_on_row_or_column_axis(cell, side)).collect();
        let field = match side {
            CardRowOrColumnAxis::Axis(path) => {
                self.cells.iter().find_map(|cell| cell.action.fields.find_field_at_path(path))
            }
            _ => None,
        };
        let signed = labels::are_axis_values_signed(field, &values.iter().collect::<Vec<_>>());
        let mut names = HashSet::new();
        for value in &values {
            let name = value.to_string();
            if names.insert(name.clone()) {
                let (label, size) = (
                    short_labels::short_value_label(field, value, signed),
                    short_labels::axis_value_as_number(value),
                );
                keys.push(RowOrColumnValue { name, label, size });
            }
        }
        let several = self.cells.iter().any(|cell| cell.contest != self.cells[0].contest);
        // Within a file the author's order counts; several contests merely follow each other.
        if several && keys.iter().all(|key| key.size.is_some()) {
            keys.sort_by(|a, b| a.size.partial_cmp(&b.size).unwrap_or(std::cmp::Ordering::Equal));
        }
        strip_common_folders(&mut keys);
        keys
    }

    /// Builds rows of several lines, with results below each other.
    fn build_multi_line_rows(
        &self,
        down: &[RowOrColumnValue],
        across: &[RowOrColumnValue],
        facts: &[String],
    ) -> Vec<CardRow> {
        let row = |key: &RowOrColumnValue| {
            // A footnote mark of the whole row is at its head, and not in every cell.
            let row_answers = self.by_row.with_value(key);
            let shared = self.marks.marks_shared_by_cells(row_answers);
            let by_column = AnswersByValue::new(row_answers, &self.plan.columns);
            let answers = across.iter().map(|column| by_column.with_value(column).first());
            let columns: Vec<_> = answers
                .map(|answer| {
                    answer.map(|answer| self.build_line_cells_with_marks(answer, &shared))
                })
                .collect();
            let line = |(at, heading): (usize, &super::cell_values::CardLineHeading)| CardLine {
                label: heading.label.clone(),
                tone: heading.tone,
                cells: columns
                    .iter()
                    .map(|column| column.as_ref().and_then(|c| c[at].clone()))
                    .collect(),
            };
            CardRow {
                heads: self.build_row_heads(key, &shared, facts),
                lines: self.readings.headings.iter().enumerate().map(line).collect(),
            }
        };
        down.iter().map(row).collect()
    }

    /// Builds the lines of one cell, the first marked with the footnotes that do not apply to the
    /// whole row.
    fn build_line_cells_with_marks(
        &self,
        answer: &Answer,
        shared: &[usize],
    ) -> Vec<Option<super::card_model::CardCell>> {
        let own = self
            .marks
            .marks_shared_by_cells(&[answer])
            .into_iter()
            .filter(|mark| !shared.contains(mark));
        let signs = join_footnote_marks(own);
        let mut cells = self.readings.card_line_values(answer);
        match cells.iter_mut().flatten().next() {
            Some(cell) => cell.text.push_str(&signs),
            // A blank cell has the mark of the footnote that explains it.
            None if !signs.is_empty() => {
                if let Some(first) = cells.first_mut() {
                    *first = Some(super::card_model::CardCell::footnote_marks_only(signs));
                }
            }
            None => {}
        }
        cells
    }

    /// Builds rows of one line, with results beside each other.
    fn build_single_line_rows(&self, down: &[RowOrColumnValue], facts: &[String]) -> Vec<CardRow> {
        let row = |key: &RowOrColumnValue| {
            let row_answers = self.by_row.with_value(key);
            let shared = self.marks.marks_shared_by_cells(row_answers);
            let line = CardLine {
                label: String::new(),
                tone: super::card_model::LineEmphasis::Plain,
                cells: row_answers
                    .first()
                    .map_or(Vec::new(), |cell| self.readings.card_line_values(cell)),
            };
            CardRow { heads: self.build_row_heads(key, &shared, facts), lines: vec![line] }
        };
        down.iter().map(row).collect()
    }

    /// Builds a row per result.
    fn build_row_per_result(&self, across: &[RowOrColumnValue]) -> Vec<CardRow> {
        let by_column = AnswersByValue::new(&self.cells, &self.plan.columns);
        let column = |key: &RowOrColumnValue| {
            by_column.with_value(key).first().map(|cell| self.readings.card_line_values(cell))
        };
        let columns: Vec<_> = across.iter().map(column).collect();
        let row = |(at, heading): (usize, &super::cell_values::CardLineHeading)| CardRow {
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

    fn build_row_heads(
        &self,
        key: &RowOrColumnValue,
        shared: &[usize],
        facts: &[String],
    ) -> Vec<String> {
        let head = format!("{}{}", key.label, join_footnote_marks(shared.iter().copied()));
        let row_heads =
            facts.iter().map(|name| look_up_built_in_fact(&self.cells[0].system, &key.name, name));
        std::iter::once(head).chain(row_heads).collect()
    }
}

/// Returns the value of a cell on a side.
fn value_on_row_or_column_axis(cell: &Answer, side: &CardRowOrColumnAxis) -> Option<Value> {
    match side {
        CardRowOrColumnAxis::Axis(path) => {
            let axis = cell.axes.iter().find(|(name, _)| name == path);
            axis.map(|(_, value)| value.clone())
        }
        CardRowOrColumnAxis::Contests => Some(Value::Text(cell.name.clone())),
        CardRowOrColumnAxis::Results => None,
    }
}

/// Removes the common folders of paths.
fn strip_common_folders(keys: &mut [RowOrColumnValue]) {
    if keys.iter().any(|key| key.size.is_some() || !key.name.contains('/')) {
        return;
    }
    let mut labels: Vec<_> = keys.iter().map(|key| key.label.clone()).collect();
    short_labels::strip_common_folders(&mut labels);
    for (key, label) in keys.iter_mut().zip(labels) {
        key.label = label;
    }
}

/// Returns the built-in fact about `name` in the column `fact`; empty without one. The name is
/// found by the first one, two or three columns: `LMG`, `German LMG`, `UCM/Sabre/Railgun`.
fn look_up_built_in_fact(system: &System, name: &str, fact: &str) -> String {
    let wanted = name_matching::name_matching_key(&name.replace('/', " "));
    for data_table in (system.data_tables)() {
        let Some(column) = data_table.columns.iter().position(|column| column == fact) else {
            continue;
        };
        let called = |row: &&Vec<String>| {
            (1..=row.len().min(3))
                .any(|n| name_matching::name_matching_key(&row[..n].join(" ")) == wanted)
        };
        if let Some(row) = data_table.rows.iter().find(called) {
            return replace_control_chars(&row[column]).replace('-', "–");
        }
    }
    String::new()
}
