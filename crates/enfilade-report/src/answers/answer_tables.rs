//! The answers of a contest as tables of text.
//!
//! A grid has a row per cell and a column per measure; a single cell has a row per measure and,
//! below, the distribution of its outcomes.

use crate::answers::filled_answer_columns::{FilledAnswerColumns, nonzero_measures};
use crate::answers::show_distributions;
use crate::answers::zero_columns::ZeroColumns;
use crate::blocks::{ReportBlock, ReportTableCell, TextTable};
use crate::text::median_tries::{self, MedianTriesUntilEvent};
use crate::text::{labels, measure_format, sentences};
use std::borrow::Borrow;
use std::sync::Arc;

use crate::text::number_format::format_exact_percent;
use enfilade_model::combat::{MeasureHead, OutcomeFieldHead};
use enfilade_model::form::Value;
use enfilade_model::form::sanitize::group_digits;
use enfilade_study::answer::{Answer, MeasureAnswer, OutcomeWithProbability};
use enfilade_study::parameters;

/// The largest number of outcomes shown of one distribution; the likeliest stay.
const MAX_DISTRIBUTION_ROWS: usize = 60;

/// The tables of one contest, with the text above and below them.
#[derive(Debug)]
pub struct TablesOfContest {
    /// The heading: `asl fire`, or the contest's name.
    pub title: String,
    /// The parameters that are equal in every cell; `None` without any.
    pub parameters: Option<String>,
    /// The measures.
    pub measures: TextTable,
    /// The meaning of the columns of a grid, one line each.
    pub legend: Vec<String>,
    /// The law of each show by itself, where the law of all together is long.
    pub alone: Vec<ReportBlock>,
    /// Whether those come before the law of all together.
    pub alone_first: bool,
    /// The distribution of the outcomes; only for a single cell.
    pub outcomes: Option<TextTable>,
    /// Engine, agreement, unfinished share, notes.
    pub remarks: Vec<String>,
}

impl TablesOfContest {
    /// Returns heading, table, legend, distribution and remarks.
    pub fn into_titled_blocks(self) -> Vec<ReportBlock> {
        let mut blocks = vec![ReportBlock::Heading(self.title)];
        blocks.extend(self.parameters.map(ReportBlock::new_paragraph));
        // An action may have no measures; its distribution is then the whole answer.
        if !self.measures.rows.is_empty() {
            blocks.push(ReportBlock::Table("Measures".to_owned(), self.measures));
        }
        blocks.extend(ReportBlock::new_list_if_any(self.legend));
        let joint = self.outcomes.map(|law| ReportBlock::Table("What happens".to_owned(), law));
        match self.alone_first {
            true => blocks.extend(self.alone.into_iter().chain(joint)),
            false => blocks.extend(joint.into_iter().chain(self.alone)),
        }
        blocks.extend(self.remarks.into_iter().map(ReportBlock::new_paragraph));
        blocks
    }
}

/// Builds the blocks of all contests, one after the other.
pub fn build_report_blocks(answers: &[Answer]) -> Vec<ReportBlock> {
    sentences::split_by_contest(answers)
        .flat_map(|cells| build_contest_tables(cells).into_titled_blocks())
        .collect()
}

/// Which columns of a contest are shown, and in which order.
#[derive(Debug, Default)]
pub struct HiddenAxesAndFirstMeasures<'v> {
    /// Axes without a column.
    pub hidden: Vec<&'v str>,
    /// Measures that come before all others.
    pub first: Vec<&'v str>,
}

impl HiddenAxesAndFirstMeasures<'_> {
    /// The axes of a cell that have a column.
    fn axes_shown_as_columns<'c>(
        &self,
        cell: &'c Answer,
    ) -> impl Iterator<Item = &'c (String, Value)> {
        cell.axes.iter().filter(|(path, _)| !self.hidden.contains(&path.as_str()))
    }

    /// Returns the position of a measure among those shown first; others come after all of these.
    fn order_of_measure(&self, measure: &str) -> usize {
        self.first.iter().position(|name| *name == measure).unwrap_or(usize::MAX)
    }
}

/// Builds the tables of the cells of one contest.
///
/// The cells must belong to one contest, and there must be at least one.
pub fn build_contest_tables(cells: &[impl Borrow<Answer>]) -> TablesOfContest {
    let cells: Vec<&Answer> = cells.iter().map(Borrow::borrow).collect();
    build_contest_tables_in_view(&cells, &HiddenAxesAndFirstMeasures::default())
}

/// Builds the tables with the columns of a view.
pub(crate) fn build_contest_tables_in_view(
    cells: &[&Answer],
    view: &HiddenAxesAndFirstMeasures<'_>,
) -> TablesOfContest {
    let idle = ZeroColumns::from_contest_cells(cells);
    let first = cells[0];
    let grid = cells.len() > 1 || view.axes_shown_as_columns(first).next().is_some();
    let mut heads = sentences::collect_measures(cells.iter().copied());
    heads.retain(|head| !idle.is_measure_zero(&head.name));
    heads.sort_by_key(|head| view.order_of_measure(&head.name));
    let measures = match grid {
        true => build_cell_table(cells, heads.clone(), view),
        false => build_measure_table(first, &idle, view),
    };
    TablesOfContest {
        title: title_of_contest(first),
        parameters: format_non_default_parameters(first),
        measures,
        legend: if grid { build_measure_legend(&heads, cells) } else { Vec::new() },
        alone: if cells.len() == 1 {
            show_distributions::build_show_distribution_blocks(first, &idle)
        } else {
            Vec::new()
        },
        alone_first: show_distributions::are_marginals_shown_first(first),
        outcomes: (cells.len() == 1 && !first.outcomes.is_empty())
            .then(|| build_distribution_table(first, &idle)),
        remarks: remarks_below_tables(cells.iter().copied())
            .into_iter()
            .chain(zero_columns_note(&idle.distinct_labels()))
            .collect(),
    }
}

fn zero_columns_note(idle: &[&str]) -> Option<String> {
    let names = || idle.join(", ");
    (!idle.is_empty()).then(|| format!("Always 0 and left out: {}.", names()))
}

/// Collects the remarks below the tables of one contest.
pub fn remarks_below_tables<'a>(
    cells: impl IntoIterator<Item = &'a Answer> + Clone,
) -> Vec<String> {
    let mut remarks = vec![sentences::describe_method(cells.clone())];
    remarks.extend(sentences::describe_engine_agreement(cells.clone()));
    remarks.extend(sentences::unfinished_note(cells.clone()));
    remarks.extend(sentences::unmet_condition_sentences(cells.clone()));
    remarks.extend(sentences::collect_notes(cells));
    remarks
}

fn title_of_contest(first: &Answer) -> String {
    let action_name = first.rulebook_and_action();
    if first.name == action_name {
        return action_name;
    }
    format!("{} ({action_name})", sentences::replace_control_chars(&first.name))
}

/// Formats the parameters that are neither axes nor defaults: "firepower 8, table: IIFT".
pub(crate) fn format_non_default_parameters(first: &Answer) -> Option<String> {
    let chosen = parameters::non_default_values_by_path(&first.action, &first.params);
    let fixed =
        parameters::remove_axis_parameters(chosen, first.axes.iter().map(|(path, _)| &**path));
    let texts = labels::parameter_phrases(first, &fixed);
    (!texts.is_empty()).then(|| texts.join(", "))
}

fn build_measure_legend(heads: &[Arc<MeasureHead>], cells: &[&Answer]) -> Vec<String> {
    let line = |head: &Arc<MeasureHead>| match format_largest_error(head, cells) {
        Some(error) => format!("{}; error at most {error}", explain_measure(head)),
        None => explain_measure(head),
    };
    heads.iter().map(line).collect()
}

/// Formats the largest error that the exact number of a measure has in a cell; `None` where errors
/// are not shown.
fn format_largest_error(head: &MeasureHead, cells: &[&Answer]) -> Option<String> {
    let shown = cells.iter().filter(|cell| cell.shows_errors);
    let measures = shown.filter_map(|cell| cell.measure_answer_by_name(&head.name));
    let largest = measures.map(|measure| measure.error).reduce(f64::max)?;
    Some(measure_format::format_error_rounded_up(head.kind.is_shown_in_percent(), largest))
}

/// Explains a measure: its label, its column, and its meaning unless the label is enough.
pub(crate) fn explain_measure(head: &MeasureHead) -> String {
    let named = format!(
        "{} ({})",
        measure_label_with_unit(head),
        sentences::replace_control_chars(&head.name)
    );
    match head.about.to_lowercase() == labels::measure_label(head).to_lowercase() {
        true => named,
        false => format!("{named}: {}", head.about),
    }
}

/// Returns the label of a measure with the sign of its unit: "killed %".
pub(crate) fn measure_label_with_unit(head: &MeasureHead) -> String {
    format!("{} {}", median_tries::measure_or_median_label(head), head.kind.unit_sign())
        .trim_end()
        .to_owned()
}

fn build_cell_table(
    cells: &[&Answer],
    measures: Vec<Arc<MeasureHead>>,
    view: &HiddenAxesAndFirstMeasures<'_>,
) -> TextTable {
    let first = cells[0];
    let axes =
        view.axes_shown_as_columns(first).map(|(path, _)| labels::label_of_parameter(first, path));
    TextTable {
        heads: axes.chain(measures.iter().map(|head| measure_label_with_unit(head))).collect(),
        rows: cells.iter().map(|cell| build_cell_row(cell, &measures, view)).collect(),
        fixed: view.axes_shown_as_columns(first).count(),
    }
}

fn build_cell_row(
    cell: &Answer,
    measures: &[Arc<MeasureHead>],
    view: &HiddenAxesAndFirstMeasures<'_>,
) -> Vec<ReportTableCell> {
    let axes = view
        .axes_shown_as_columns(cell)
        .map(|(path, value)| axis_value_as_table_cell(cell, path, value));
    let odds = |head: &Arc<MeasureHead>| match cell.measure_answer_by_name(&head.name) {
        Some(measure) => value_or_median_tries_cell(cell, measure),
        None => ReportTableCell::Text("–".to_owned()),
    };
    axes.chain(measures.iter().map(odds)).collect()
}

pub(crate) fn axis_value_as_table_cell(
    cell: &Answer,
    path: &str,
    value: &Value,
) -> ReportTableCell {
    let shown = labels::value_label(cell, path, value);
    match value {
        Value::Int(_) | Value::Fraction(_) => ReportTableCell::Number(shown),
        _ => ReportTableCell::Text(shown),
    }
}

/// Builds the entry of a measure; of tries until an event, their median and the share within them.
pub fn value_or_median_tries_cell(cell: &Answer, measure: &MeasureAnswer) -> ReportTableCell {
    match MedianTriesUntilEvent::from_measure(cell, measure) {
        Some(until) => ReportTableCell::Number(until.median_and_share_text()),
        None => exact_and_simulated_cell(measure, cell.trials),
    }
}

/// Builds the entry of a measure of any kind.
pub fn exact_and_simulated_cell(measure: &MeasureAnswer, trials: u64) -> ReportTableCell {
    let kind = measure.head.kind;
    let simulated = measure.simulated.as_ref();
    ReportTableCell::Odds {
        exact: measure.exact.map(|value| {
            measure_format::format_exact_percent_or_mean(kind.is_shown_in_percent(), value)
        }),
        simulated: simulated.map(|estimate| {
            measure_format::format_simulated_value(kind.is_shown_in_percent(), estimate, trials)
        }),
    }
}

fn build_measure_table(
    cell: &Answer,
    idle: &ZeroColumns,
    view: &HiddenAxesAndFirstMeasures<'_>,
) -> TextTable {
    let columns = FilledAnswerColumns::from_answer(cell, idle);
    let mut measures = nonzero_measures(cell, idle).collect::<Vec<_>>();
    measures.sort_by_key(|measure| view.order_of_measure(&measure.head.name));
    let heads = columns.build_column_heads("measure", "exact", "simulated", "meaning");
    let row = |measure: &MeasureAnswer| {
        let numbers = match value_or_median_tries_cell(cell, measure) {
            ReportTableCell::Odds { exact, simulated } => {
                [exact, format_error_of_measure(measure), measure.fraction.clone(), simulated]
            }
            entry if measure.exact.is_some() => [Some(entry.entry_in_one_line()), None, None, None],
            entry => [None, None, None, Some(entry.entry_in_one_line())],
        };
        let name = measure_label_with_unit(&measure.head);
        let numbers = columns.cells_of_filled_columns(numbers);
        let about = ReportTableCell::Text(measure.head.about.to_string());
        [ReportTableCell::Text(name)].into_iter().chain(numbers).chain([about]).collect()
    };
    TextTable { heads, rows: measures.into_iter().map(row).collect(), fixed: 1 }
}

/// Formats the bound of the error of a measure.
fn format_error_of_measure(measure: &MeasureAnswer) -> Option<String> {
    let share = measure.head.kind.is_shown_in_percent();
    measure.exact.map(|_| measure_format::format_error_rounded_up(share, measure.error))
}

fn build_distribution_table(cell: &Answer, idle: &ZeroColumns) -> TextTable {
    let columns = FilledAnswerColumns::from_answer(cell, idle);
    let mut heads = columns.build_column_heads("outcome", "exact %", "simulated %", "count");
    if !columns.has_simulated_numbers() {
        heads.pop();
    }
    TextTable { fixed: 1, rows: build_distribution_rows(cell, &columns, idle), heads }
}

fn build_distribution_rows(
    cell: &Answer,
    columns: &FilledAnswerColumns,
    idle: &ZeroColumns,
) -> Vec<Vec<ReportTableCell>> {
    let floor = least_shown_probability(cell);
    let shown = |outcome: &&OutcomeWithProbability| outcome.best_available_chance() >= floor;
    let outcomes = cell.outcomes.iter().filter(shown).take(MAX_DISTRIBUTION_ROWS);
    let mut rows: Vec<_> = outcomes.map(|o| build_outcome_row(cell, o, columns, idle)).collect();
    if rows.len() < cell.outcomes.len() {
        rows.push(build_rarer_count_row(cell, rows.len(), columns));
    }
    rows
}

/// Returns the likelihood of the rarest outcome shown.
fn least_shown_probability(cell: &Answer) -> f64 {
    let mut all: Vec<_> =
        cell.outcomes.iter().map(OutcomeWithProbability::best_available_chance).collect();
    all.sort_by(|a, b| b.total_cmp(a));
    all.get(MAX_DISTRIBUTION_ROWS - 1).copied().unwrap_or(0.0)
}

fn build_outcome_row(
    cell: &Answer,
    outcome: &OutcomeWithProbability,
    columns: &FilledAnswerColumns,
    idle: &ZeroColumns,
) -> Vec<ReportTableCell> {
    let all = cell.fields.iter().zip(&outcome.values);
    let shown = all.filter(|(field, _)| !idle.is_field_zero(&field.name));
    let (fields, values): (Vec<OutcomeFieldHead>, Vec<i32>) =
        shown.map(|(field, value)| (field.clone(), *value)).unzip();
    let text = sentences::replace_control_chars(&labels::describe_outcome(&fields, &values));
    let simulated = outcome
        .simulated
        .as_ref()
        .map(|e| measure_format::format_simulated_value(true, e, cell.trials));
    let error = outcome.exact.map(|_| measure_format::format_error_rounded_up(true, outcome.error));
    let exact = outcome.exact.map(format_exact_percent);
    let numbers = [exact, error, outcome.fraction.clone(), simulated];
    let count = outcome.count.map_or("–".to_owned(), group_digits);
    let count = columns.has_simulated_numbers().then_some(ReportTableCell::Number(count));
    [ReportTableCell::Text(text)]
        .into_iter()
        .chain(columns.cells_of_filled_columns(numbers))
        .chain(count)
        .collect()
}

/// Builds the one row for all outcomes that are not shown.
fn build_rarer_count_row(
    cell: &Answer,
    shown: usize,
    columns: &FilledAnswerColumns,
) -> Vec<ReportTableCell> {
    let hidden = cell.outcomes.len() - shown;
    let first = [ReportTableCell::Text(format!("{hidden} rarer"))].into_iter();
    let numbers = columns.cells_of_filled_columns([None, None, None, None]);
    let count = columns.has_simulated_numbers().then(|| ReportTableCell::Number("–".into()));
    first.chain(numbers).chain(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    #[test]
    fn a_grid_has_a_row_per_cell_and_a_column_per_measure() {
        let tables = build_contest_tables(&test_answers::build_grid());
        assert_eq!(
            tables.measures.heads,
            ["firepower", "total modifier", "killed %", "any break %", "squads lost on average"]
        );
        assert_eq!(tables.measures.rows.len(), 12);
        // fp 2, drm 1: eliminated in 3 and broken in 9 of 36 cases.
        let row: Vec<_> =
            tables.measures.rows[4].iter().map(ReportTableCell::entry_in_one_line).collect();
        assert_eq!(row[..2], ["2", "+1"]);
        assert_eq!(row[2], "8.33 (8.33 ± 0.05)");
        assert_eq!(row[3], "33.33 (33.33 ± 0.09)");
        assert_eq!(tables.legend[0], "killed % (p_kill): the squad is eliminated");
        assert!(tables.outcomes.is_none());
    }

    #[test]
    fn a_measure_that_some_cells_lack_has_its_column() {
        let mut cells = test_answers::build_grid();
        cells[0].measures.remove(1);
        cells[5].measures.remove(2);
        let tables = build_contest_tables(&cells);
        let heads =
            ["firepower", "total modifier", "killed %", "squads lost on average", "any break %"];
        assert_eq!(tables.measures.heads, heads);
        let lacks = |row: usize, column: usize| {
            tables.measures.rows[row][column].entry_in_one_line() == "–"
        };
        for (row, cell) in tables.measures.rows.iter().enumerate() {
            assert_eq!(cell.len(), heads.len());
            assert_eq!((lacks(row, 4), lacks(row, 3)), (row == 0, row == 5));
        }
        assert_eq!(tables.legend.len(), 3);
    }

    #[test]
    fn a_single_cell_has_a_row_per_measure_and_its_law() {
        let tables = build_contest_tables(&test_answers::build_single());
        assert_eq!(tables.measures.heads, ["measure", "exact", "simulated", "meaning"]);
        let law = tables.outcomes.expect("there is one cell");
        assert_eq!(law.heads, ["outcome", "exact %", "simulated %", "count"]);
        // Eliminated in 4 of 36 cases: 11.11 %, of 1 000 000 trials 111 111.
        let row: Vec<_> = law.rows[2].iter().map(ReportTableCell::entry_in_one_line).collect();
        assert_eq!(row, ["1 squad eliminated", "11.11", "11.11 ± 0.06", "111 111"]);
    }

    #[test]
    fn columns_that_nothing_fills_are_left_out() {
        let tables = build_contest_tables(&test_answers::build_exact_only());
        assert_eq!(tables.measures.heads, ["measure", "exact", "as a fraction", "meaning"]);
        let law = tables.outcomes.expect("there is one cell");
        let expected = ["outcome", "exact %", "as a fraction"];
        assert_eq!(law.heads, expected);
        assert!(law.rows.iter().all(|row| row.len() == expected.len()));
        let tables = build_contest_tables(&test_answers::build_simulated_only());
        assert_eq!(tables.measures.heads, ["measure", "simulated", "meaning"]);
    }

    /// Errors are in the unit of their number: 3e-17 of 1 is 3e-15 percent.
    #[test]
    fn bounds_are_a_column_after_the_exact_numbers() {
        let mut answers = test_answers::build_exact_only();
        answers[0].shows_errors = true;
        answers[0].measures[0].error = 3e-17;
        let tables = build_contest_tables(&answers);
        let heads = ["measure", "exact", "error at most", "as a fraction", "meaning"];
        assert_eq!(tables.measures.heads, heads);
        let row = tables.measures.rows[0].iter().map(ReportTableCell::entry_in_one_line);
        assert_eq!(row.skip(1).take(3).collect::<Vec<_>>(), ["11.11", "3.0e-15", "4/36"]);
        let law = tables.outcomes.expect("there is one cell");
        assert_eq!(law.heads, ["outcome", "exact %", "error at most", "as a fraction"]);
    }

    /// A grid has the largest error of each measure in the legend: 5e-17 of 1 is 5e-15 percent.
    #[test]
    fn bounds_of_a_grid_are_in_its_legend() {
        let mut cells = test_answers::build_grid();
        let lines = build_contest_tables(&cells).legend;
        assert!(lines.iter().all(|line| !line.contains("error")), "{lines:?}");
        cells.iter_mut().for_each(|cell| cell.shows_errors = true);
        (cells[2].measures[0].error, cells[7].measures[0].error) = (3e-17, 5e-17);
        let lines = build_contest_tables(&cells).legend;
        assert!(lines[0].ends_with("; error at most 5.0e-15"), "{lines:?}");
        assert!(lines[1].ends_with("; error at most 0"), "{lines:?}");
    }

    #[test]
    fn a_long_law_keeps_its_likeliest_outcomes() {
        let mut answers = test_answers::build_single();
        let rare = answers[0].outcomes[0].clone();
        answers[0].outcomes = (0..100)
            .map(|i| {
                let mut outcome = rare.clone();
                outcome.values = vec![i, 0];
                outcome.exact = Some(f64::from(i) / 4950.0);
                outcome
            })
            .collect();
        let law = build_contest_tables(&answers).outcomes.expect("there is one cell");
        assert_eq!(law.rows.len(), MAX_DISTRIBUTION_ROWS + 1);
        assert_eq!(law.rows[0][0], ReportTableCell::Text("40 squads eliminated".into()));
        assert_eq!(law.rows[MAX_DISTRIBUTION_ROWS][0], ReportTableCell::Text("40 rarer".into()));
    }
}
