//! The two tables of a run as typed columns, independent of the file format.
//!
//! * `cells`: one row per cell: `cell`, `contest`, every parameter that some contest varies, then
//!   for every measure `NAME_exact`, `NAME_sim`, `NAME_low`, `NAME_high`, then `trials`,
//!   `unsettled_trials`, `unsettled`, `seed`, `engine`, `states`, `agrees`, `notes`, and at the end
//!   what is mostly the same everywhere: `system`, `action` and all other parameters.
//! * `outcomes`: one row per outcome of a cell: `contest`, `cell`, its axes, the outcome fields,
//!   `p_exact`, `fraction` (if requested), `count`, `p_sim`, `low`, `high`.
//!
//! A parameter of a table inside is `target_morale`, or `target_2_morale` when there are several. A
//! missing value is null. A parameter or outcome field with the name of another column gets
//! `param_` or `outcome_` in front. Probabilities are shares of 1, intervals are at 95 %, counts
//! are whole numbers of 64 bits and never summed in a narrower type.

pub mod column_docs;
mod column_values;
pub mod csv;
#[cfg(feature = "parquet")]
pub mod parquet;
mod table_builder;
pub mod table_writer;
mod typed_table;
#[cfg(feature = "xlsx")]
pub mod xlsx;

use std::borrow::Cow;
use std::sync::Arc;

use super::answers::answers_json::engine_name;
use enfilade_study::answer::{Answer, Estimate, OutcomeWithProbability};
use enfilade_study::parameters;

pub use column_values::ColumnValues;
use column_values::{ColumnValue, to_column_value};
use table_builder::{RowInSections, SectionColumn, SectionedTableBuilder, VariedColumns};
use typed_table::FIRST_CONSTANT_COLUMN;
pub use typed_table::{CONSTANTS_TABLE_NAME, ColumnBuilderFromRows, TypedColumn, TypedTable};

/// Builds the table of the cells.
pub fn build_cells_table(answers: &[Answer]) -> TypedTable {
    SectionedTableBuilder::for_cells(columns_of_axes(answers))
        .build_table_of_rows(answers.len(), answers.iter())
}

/// Builds the table of the outcomes.
pub fn build_outcome_table(answers: &[Answer]) -> TypedTable {
    let fractions = answers.iter().flat_map(|answer| &answer.outcomes);
    let fractions = fractions.filter(|o| o.fraction.is_some()).count() > 0;
    let expected = answers.iter().map(|answer| answer.outcomes.len()).sum();
    SectionedTableBuilder::for_outcomes()
        .build_table_of_rows(expected, outcomes_with_cells(answers, fractions))
}

/// Both tables in batches with the same columns: those of the sample cells.
#[derive(Debug)]
pub struct CellAndOutcomeBatches {
    cells: SectionedTableBuilder,
    outcomes: SectionedTableBuilder,
    /// Whether there is a column for fractions.
    fractions: bool,
}

impl CellAndOutcomeBatches {
    /// Starts batches with the columns of `sample`, for whose cells only the reported names must be
    /// known.
    pub fn from_sample_answers(sample: &[Answer], fractions: bool) -> CellAndOutcomeBatches {
        let (mut cells, mut outcomes) = (
            SectionedTableBuilder::for_cells(columns_of_axes(sample)),
            SectionedTableBuilder::for_outcomes(),
        );
        // Of consecutive answers with the same columns one is enough.
        for like in sample.chunk_by(have_same_columns) {
            let answer = &like[0];
            cells.add_rows(1, std::iter::once(answer));
            let outcome = &OutcomeWithProbability::unknown_with_field_count(answer.fields.len());
            outcomes.add_rows(0, std::iter::once(OutcomeWithCell { answer, outcome, fractions }));
        }
        drop((cells.take_rows_keep_columns(), outcomes.take_rows_keep_columns()));
        CellAndOutcomeBatches { cells, outcomes, fractions }
    }

    /// Replaces every answer with other columns by a refusal.
    pub fn refuse_unfitting_answers(&self, answers: &mut Vec<Answer>) {
        let mut last: Option<usize> = None;
        for at in 0..answers.len() {
            // Most answers have the columns of the one before; this comparison is cheaper than a
            // lookup of all columns.
            if last.is_some_and(|last| have_same_columns(&answers[last], &answers[at]))
                || self.fits_columns(&answers[at])
            {
                last = Some(at);
                continue;
            }
            let why = "this cell reports a column that no sampled cell has: move it to its own [[contest]]";
            let answer = answers.remove(at);
            answers.insert(at, answer.refuse_cell_with_reason(why.to_owned()));
        }
    }

    fn fits_columns(&self, answer: &Answer) -> bool {
        let outcome = &OutcomeWithProbability::unknown_with_field_count(answer.fields.len());
        let fractions = self.fractions;
        self.cells.fits_row(&answer)
            && self.outcomes.fits_row(&OutcomeWithCell { answer, outcome, fractions })
    }

    /// Returns the next rows of the table of the cells, which must fit.
    pub fn next_cell_rows(&mut self, answers: &[Answer]) -> TypedTable {
        self.cells.add_rows(answers.len(), answers.iter());
        self.cells.take_rows_keep_columns()
    }

    /// Returns the next rows of the table of the outcomes, which must fit.
    pub fn next_outcome_rows(&mut self, answers: &[Answer]) -> TypedTable {
        self.outcomes.add_rows(answers.len(), outcomes_with_cells(answers, self.fractions));
        self.outcomes.take_rows_keep_columns()
    }
}

/// Whether two answers have the same columns in both tables; may be false for equal columns.
fn have_same_columns(one: &Answer, other: &Answer) -> bool {
    Arc::ptr_eq(&one.fields, &other.fields)
        && RowInSections::has_same_columns(&one, &other)
        && have_same_axes(one, other)
}

/// Whether two answers vary the same parameters, in values of the same types.
fn have_same_axes(one: &Answer, other: &Answer) -> bool {
    let mut pairs = one.axes.iter().zip(&other.axes);
    one.axes.len() == other.axes.len()
        && pairs.all(|((a, x), (b, y))| {
            a == b && std::mem::discriminant(x) == std::mem::discriminant(y)
        })
}

/// Returns the columns of parameters that some contest varies.
fn columns_of_axes(answers: &[Answer]) -> VariedColumns {
    let mut last: Option<&Answer> = None;
    let mut axes = VariedColumns::new();
    for answer in answers {
        if last.is_none_or(|last| last.contest != answer.contest) {
            axes.extend(answer.axes.iter().flat_map(|(path, _)| columns_of_path_and_parents(path)));
        }
        last = Some(answer);
    }
    axes
}

/// Returns the column of an axis, and that of the named entries it may belong to: `modifiers` for
/// `modifiers.smoke`.
fn columns_of_path_and_parents(path: &str) -> Vec<String> {
    let outer = path.match_indices('.').map(|(end, _)| column_of_path(&path[..end]));
    outer.chain([column_of_path(path)]).collect()
}

/// Returns the column of a path: `target_2_morale` for `target.2.morale`.
fn column_of_path(path: &str) -> String {
    path.replace('.', "_")
}

/// The last columns of the results in a table of cells.
const LAST_RESULT_COLUMNS: &[&str] =
    &["trials", "unsettled_trials", "unsettled", "seed", "engine", "states", "agrees", "notes"];

/// Returns the columns of a measure, behind its name.
fn suffixes_of_measure_columns(with_errors: bool) -> &'static [&'static str] {
    match with_errors {
        true => &["exact", "error", "sim", "low", "high"],
        false => &["exact", "sim", "low", "high"],
    }
}

/// The further columns of a cell that may never end.
const MAY_NEVER_END_COLUMNS: &[&str] = &["never", "bound"];

fn outcomes_with_cells(
    answers: &[Answer],
    fractions: bool,
) -> impl Iterator<Item = OutcomeWithCell<'_>> {
    answers.iter().flat_map(move |answer| {
        let outcomes = answer.outcomes.iter();
        outcomes.map(move |outcome| OutcomeWithCell { answer, outcome, fractions })
    })
}

impl RowInSections for &Answer {
    fn columns_with_their_sections(&self, axes: &VariedColumns) -> Vec<SectionColumn<String>> {
        let params = parameters::column_names_of_form(&self.params).into_iter();
        let params = params.map(|name| (if axes.contains(&name) { 1 } else { 4 }, name));
        let measures = self.measures.iter().flat_map(|measure| {
            let name = &measure.head.name;
            let parts = suffixes_of_measure_columns(self.shows_errors).iter();
            parts.map(move |part| (2, format!("{name}_{part}")))
        });
        let whose = pair_names_with_section(0, &["cell", "contest"])
            .chain(pair_names_with_section(3, &[FIRST_CONSTANT_COLUMN, "action"]));
        let loops = self.never.map_or(&[][..], |_| MAY_NEVER_END_COLUMNS);
        whose
            .chain(params)
            .chain(measures)
            .chain(pair_names_with_section(2, LAST_RESULT_COLUMNS))
            .chain(pair_names_with_section(2, loops))
            .collect()
    }

    fn has_same_columns(&self, other: &Self) -> bool {
        let mut heads = self.measures.iter().zip(&other.measures);
        self.measures.len() == other.measures.len()
            && self.never.is_some() == other.never.is_some()
            && self.shows_errors == other.shows_errors
            && heads.all(|(a, b)| a.head.name == b.head.name)
            && parameters::has_same_columns(&self.params, &other.params)
    }

    fn visit_column_values(&self, take: &mut dyn FnMut(ColumnValue<'_>)) {
        // Values are in the order of `names`.
        take(ColumnValue::Count(Some(self.cell as u64)));
        take(text_value(&self.name));
        take(text_value(&self.system.id));
        take(text_value(&self.action.name));
        parameters::visit_column_values(&self.params, &mut |value| take(to_column_value(value)));
        for measure in &self.measures {
            take(ColumnValue::Number(measure.exact));
            if self.shows_errors {
                take(ColumnValue::Number(measure.exact.map(|_| measure.error)));
            }
            estimate_and_interval_values(measure.simulated).into_iter().for_each(&mut *take);
        }
        take(ColumnValue::Count(Some(self.trials)));
        take(ColumnValue::Count(Some(self.unsettled_trials)));
        take(ColumnValue::Number(self.unsettled));
        take(ColumnValue::Count(Some(self.seed)));
        take(text_value(engine_name(self.engine)));
        take(ColumnValue::Count(self.states.map(|n| n as u64)));
        take(ColumnValue::Flag(self.agrees));
        let notes = (!self.notes.is_empty()).then(|| self.notes.join("; "));
        take(ColumnValue::Text(notes.map(Cow::Owned)));
        for number in [self.never, self.bound].into_iter().flatten() {
            take(ColumnValue::Number(Some(number)));
        }
    }
}

/// An outcome of a cell.
struct OutcomeWithCell<'a> {
    answer: &'a Answer,
    outcome: &'a OutcomeWithProbability,
    /// Whether there is a column for fractions.
    fractions: bool,
}

impl RowInSections for OutcomeWithCell<'_> {
    fn columns_with_their_sections(&self, _: &VariedColumns) -> Vec<SectionColumn<String>> {
        let axes = self.answer.axes.iter().map(|(path, _)| (1, column_of_path(path)));
        let fields = self.answer.fields.iter().map(|field| (2, field.name.to_string()));
        let bounds: &[&str] = if self.answer.shows_errors { &["p_error"] } else { &[] };
        let fractions: &[&str] = if self.fractions { &["fraction"] } else { &[] };
        let odds = pair_names_with_section(3, &["p_exact"])
            .chain(pair_names_with_section(3, bounds))
            .chain(pair_names_with_section(3, fractions))
            .chain(pair_names_with_section(3, &["count", "p_sim", "low", "high"]));
        pair_names_with_section(0, &["contest", "cell"])
            .chain(axes)
            .chain(fields)
            .chain(odds)
            .collect()
    }

    fn has_same_columns(&self, other: &Self) -> bool {
        let names = |row: &Self| row.answer.fields.iter().map(|field| field.name.clone());
        std::ptr::eq(self.answer, other.answer)
            || (names(self).eq(names(other)) && have_same_axes(self.answer, other.answer))
    }

    fn visit_column_values(&self, take: &mut dyn FnMut(ColumnValue<'_>)) {
        let (answer, outcome) = (self.answer, self.outcome);
        take(text_value(&answer.name));
        take(ColumnValue::Count(Some(answer.cell as u64)));
        answer.axes.iter().for_each(|(_, value)| take(to_column_value(value)));
        for value in &outcome.values {
            take(ColumnValue::Whole(Some((*value).into())));
        }
        take(ColumnValue::Number(outcome.exact));
        if answer.shows_errors {
            take(ColumnValue::Number(outcome.exact.map(|_| outcome.error)));
        }
        if self.fractions {
            take(ColumnValue::Text(outcome.fraction.as_deref().map(Cow::Borrowed)));
        }
        take(ColumnValue::Count(outcome.count));
        estimate_and_interval_values(outcome.simulated).into_iter().for_each(take);
    }
}

fn pair_names_with_section(
    section: usize,
    names: &[&str],
) -> impl Iterator<Item = SectionColumn<String>> {
    names.iter().map(move |name| (section, (*name).to_owned()))
}

fn text_value(text: &str) -> ColumnValue<'_> {
    ColumnValue::Text(Some(Cow::Borrowed(text)))
}

fn estimate_and_interval_values(estimate: Option<Estimate>) -> [ColumnValue<'static>; 3] {
    let number = |end: fn(Estimate) -> f64| ColumnValue::Number(estimate.map(end));
    [number(|e| e.value), number(|e| e.low), number(|e| e.high)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;
    use enfilade_model::form::{Form, Value};

    fn names(table: &TypedTable) -> Vec<&str> {
        table.columns.iter().map(|c| c.name.as_str()).collect()
    }

    #[test]
    fn the_columns_are_the_documented_ones() {
        let table = build_cells_table(&test_answers::build_grid());
        let expected = "cell contest fp drm \
            p_kill_exact p_kill_sim p_kill_low p_kill_high \
            p_break_exact p_break_sim p_break_low p_break_high \
            e_losses_exact e_losses_sim e_losses_low e_losses_high \
            trials unsettled_trials unsettled seed engine states agrees notes system action";
        assert_eq!(names(&table), expected.split_whitespace().collect::<Vec<_>>());
        assert_eq!(table.row_count(), 12);
        assert!(table.columns.iter().all(|column| column.values.len() == 12));
        let table = build_outcome_table(&test_answers::build_grid());
        let expected = "contest cell fp drm eliminated broken p_exact count p_sim low high";
        assert_eq!(names(&table), expected.split_whitespace().collect::<Vec<_>>());
        assert_eq!(table.row_count(), 36);
    }

    /// The bound of each exact number is the column after it.
    #[test]
    fn bounds_are_columns_where_they_are_shown() {
        let mut answers = test_answers::build_exact_only();
        (answers[0].shows_errors, answers[0].measures[0].error) = (true, 3e-17);
        let table = build_cells_table(&answers);
        let names_of_cells = names(&table).join(" ");
        assert!(
            names_of_cells.contains("p_kill_exact p_kill_error p_kill_sim"),
            "{names_of_cells}"
        );
        let error = table.column_by_name("p_kill_error");
        assert_eq!(error, Some(&ColumnValues::Number(vec![Some(3e-17)])));
        let table = build_outcome_table(&answers);
        assert!(names(&table).join(" ").contains("p_exact p_error fraction count"));
    }

    #[test]
    fn columns_have_types_even_where_everything_is_null() {
        let table = build_cells_table(&test_answers::build_simulated_only());
        assert_eq!(table.column_by_name("p_kill_exact"), Some(&ColumnValues::Number(vec![None])));
        assert_eq!(table.column_by_name("states"), Some(&ColumnValues::Count(vec![None])));
        assert_eq!(table.column_by_name("agrees"), Some(&ColumnValues::Flag(vec![None])));
        let table = build_outcome_table(&test_answers::build_exact_only());
        assert_eq!(table.column_by_name("count"), Some(&ColumnValues::Count(vec![None; 3])));
        let fractions = ["20/36", "12/36", "4/36"].map(|f| Some(f.to_owned()));
        assert_eq!(
            table.column_by_name("fraction"),
            Some(&ColumnValues::from_optional_words(fractions.into_iter()))
        );
    }

    fn with_params(contest: usize, entries: Vec<(&'static str, Value)>) -> Answer {
        let mut answer = test_answers::squad_answer_from_36ths(Vec::new(), 1, 2);
        (answer.contest, answer.cell) = (contest, contest);
        answer.params = Form::from_checked_entries(entries);
        answer
    }

    #[test]
    fn a_parameter_that_a_contest_lacks_is_null() {
        let answers = [
            with_params(0, vec![("fp", Value::Int(1)), ("cowers", Value::Flag(true))]),
            with_params(1, vec![("morale", Value::Int(7))]),
            with_params(
                2,
                vec![("fp", Value::Fraction(160)), ("morale", Value::Text("high".into()))],
            ),
        ];
        let table = build_cells_table(&answers);
        let column = |name| table.column_by_name(name).expect("there is such a column");
        assert_eq!(column("fp"), &ColumnValues::Number(vec![Some(1.0), None, Some(2.5)]));
        assert_eq!(column("cowers"), &ColumnValues::Flag(vec![Some(true), None, None]));
        let morale = [None, Some("7".to_owned()), Some("high".to_owned())];
        assert_eq!(column("morale"), &ColumnValues::from_optional_words(morale.into_iter()));
        // None of its values is on an axis: the column follows the results.
        let place = |name: &str| names(&table).iter().position(|n| *n == name);
        assert!(place("system") < place("morale") && place("notes") < place("system"));
    }

    #[test]
    fn a_parameter_gives_way_to_a_documented_column() {
        let answers =
            [with_params(0, vec![("seed", Value::Int(3)), ("p_kill_low", Value::Int(4))])];
        let table = build_cells_table(&answers);
        assert_eq!(table.column_by_name("seed"), Some(&ColumnValues::Count(vec![Some(7)])));
        assert_eq!(table.column_by_name("param_seed"), Some(&ColumnValues::Whole(vec![Some(3)])));
        assert_eq!(
            table.column_by_name("param_p_kill_low"),
            Some(&ColumnValues::Whole(vec![Some(4)]))
        );
    }

    /// By hand: the grid varies both its parameters, so that only the game and its action are equal
    /// everywhere; of three other contests `morale` is missing in the first.
    #[test]
    fn what_is_the_same_everywhere_stands_apart() {
        let (varies, constants) =
            build_cells_table(&test_answers::build_grid()).split_off_constant_parameters();
        let constants = constants.expect("a table of cells has them");
        let words = |name: &str| constants.column_by_name(name).cloned();
        let expected = ["system", "action"].map(|word| Some(word.to_owned()));
        assert_eq!(words("column"), Some(ColumnValues::from_optional_words(expected.into_iter())));
        let expected = ["asl", "fire"].map(|word| Some(word.to_owned()));
        assert_eq!(words("value"), Some(ColumnValues::from_optional_words(expected.into_iter())));
        assert_eq!(names(&varies).last(), Some(&"notes"));
        let differ = [
            with_params(0, vec![("fp", Value::Int(8))]),
            with_params(1, vec![("fp", Value::Int(8)), ("morale", Value::Int(7))]),
        ];
        let (varies, constants) = build_cells_table(&differ).split_off_constant_parameters();
        assert_eq!(names(&varies).last(), Some(&"morale"));
        let fields = ["system", "action", "fp"].map(|word| Some(word.to_owned()));
        let constants = constants.expect("as above");
        assert_eq!(
            constants.column_by_name("column"),
            Some(&ColumnValues::from_optional_words(fields.into_iter()))
        );
        assert_eq!(
            build_outcome_table(&test_answers::build_grid()).split_off_constant_parameters().1,
            None
        );
    }

    #[test]
    fn without_answers_there_are_no_rows() {
        assert_eq!(build_cells_table(&[]).row_count(), 0);
        assert_eq!(build_outcome_table(&[]).row_count(), 0);
    }
}
