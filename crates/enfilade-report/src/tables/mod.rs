//! The two tables of a run as typed columns, independent of the file format.
//!
//! * `cells`: one row per cell: `cell`, `contest`, every parameter that some contest varies, then for
//!   every measure `NAME_exact`, `NAME_sim`, `NAME_low`, `NAME_high`, then `trials`, `unsettled_trials`,
//!   `unsettled`, `seed`, `engine`, `states`, `agrees`, `notes`, and at the end what is mostly the same
//!   everywhere: `system`, `action` and all other parameters.
//! * `outcomes`: one row per outcome of a cell: `contest`, `cell`, its axes, the outcome fields, `p_exact`,
//!   `fraction` (if requested), `count`, `p_sim`, `low`, `high`.
//!
//! A parameter of a table inside is `target_morale`, or `target_2_morale` when there are several. A
//! missing value is null. A parameter or outcome field with the name of another column gets
//! `param_` or `outcome_` in front. Probabilities are shares of 1, intervals are at 95 %, counts
//! are whole numbers of 64 bits and never summed in a narrower type.

mod builder;
pub mod column_docs;
mod column_values;
pub mod csv;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod table_writer;
mod typed_table;
#[cfg(feature = "xlsx")]
pub mod xlsx;

use std::borrow::Cow;
use std::sync::Arc;

use super::answers::answers_json::engine;
use enfilade_study::answer::{Answer, Estimate, OutcomeAnswer};
use enfilade_study::parameters;

use builder::{Axes, Frame, Place, Row};
pub use column_values::Values;
use column_values::{Datum, datum};
use typed_table::SYSTEM;
pub use typed_table::{CONSTANTS, Column, Rows, Table};

/// Builds the table of the cells.
pub fn cells(answers: &[Answer]) -> Table {
    Frame::cells(axes(answers)).filled(answers.len(), answers.iter())
}

/// Builds the table of the outcomes.
pub fn outcomes(answers: &[Answer]) -> Table {
    let fractions = answers.iter().flat_map(|answer| &answer.outcomes);
    let fractions = fractions.filter(|o| o.fraction.is_some()).count() > 0;
    let expected = answers.iter().map(|answer| answer.outcomes.len()).sum();
    Frame::outcomes().filled(expected, ended(answers, fractions))
}

/// Both tables in batches with the same columns: those of the sample cells.
#[derive(Debug)]
pub struct Batches {
    cells: Frame,
    outcomes: Frame,
    /// Whether there is a column for fractions.
    fractions: bool,
}

impl Batches {
    /// Starts batches with the columns of `sample`, for whose cells only the reported names must be
    /// known.
    pub fn of(sample: &[Answer], fractions: bool) -> Batches {
        let (mut cells, mut outcomes) = (Frame::cells(axes(sample)), Frame::outcomes());
        // Of consecutive answers with the same columns one is enough.
        for like in sample.chunk_by(alike) {
            let answer = &like[0];
            cells.fill(1, std::iter::once(answer));
            let outcome = &OutcomeAnswer::none(answer.fields.len());
            outcomes.fill(0, std::iter::once(Ended { answer, outcome, fractions }));
        }
        drop((cells.table(), outcomes.table()));
        Batches { cells, outcomes, fractions }
    }

    /// Replaces every answer with other columns by a refusal.
    pub fn fit(&self, answers: &mut Vec<Answer>) {
        let mut last: Option<usize> = None;
        for at in 0..answers.len() {
            // Most answers have the columns of the one before; this comparison is cheaper than a
            // lookup of all columns.
            if last.is_some_and(|last| alike(&answers[last], &answers[at]))
                || self.hold(&answers[at])
            {
                last = Some(at);
                continue;
            }
            let why = "it reports what no cell does that differs from the first on one axis alone: \
                make it a contest of its own";
            let answer = answers.remove(at);
            answers.insert(at, answer.refused(why.to_owned()));
        }
    }

    fn hold(&self, answer: &Answer) -> bool {
        let outcome = &OutcomeAnswer::none(answer.fields.len());
        let fractions = self.fractions;
        self.cells.holds(&answer) && self.outcomes.holds(&Ended { answer, outcome, fractions })
    }

    /// Returns the next rows of the table of the cells, which must fit.
    pub fn cells(&mut self, answers: &[Answer]) -> Table {
        self.cells.fill(answers.len(), answers.iter());
        self.cells.table()
    }

    /// Returns the next rows of the table of the outcomes, which must fit.
    pub fn outcomes(&mut self, answers: &[Answer]) -> Table {
        self.outcomes.fill(answers.len(), ended(answers, self.fractions));
        self.outcomes.table()
    }
}

/// Whether two answers have the same columns in both tables; may be false for equal columns.
fn alike(one: &Answer, other: &Answer) -> bool {
    Arc::ptr_eq(&one.fields, &other.fields) && Row::is_like(&one, &other) && same_axes(one, other)
}

/// Whether two answers vary the same parameters, in values of the same types.
fn same_axes(one: &Answer, other: &Answer) -> bool {
    let mut pairs = one.axes.iter().zip(&other.axes);
    one.axes.len() == other.axes.len()
        && pairs.all(|((a, x), (b, y))| {
            a == b && std::mem::discriminant(x) == std::mem::discriminant(y)
        })
}

/// Returns the columns of parameters that some contest varies.
fn axes(answers: &[Answer]) -> Axes {
    let mut last: Option<&Answer> = None;
    let mut axes = Axes::new();
    for answer in answers {
        if last.is_none_or(|last| last.contest != answer.contest) {
            axes.extend(answer.axes.iter().flat_map(|(path, _)| outer_and_own(path)));
        }
        last = Some(answer);
    }
    axes
}

/// Returns the column of an axis, and that of the named entries it may belong to: `modifiers` for
/// `modifiers.smoke`.
fn outer_and_own(path: &str) -> Vec<String> {
    let outer = path.match_indices('.').map(|(end, _)| column_of(&path[..end]));
    outer.chain([column_of(path)]).collect()
}

/// Returns the column of a path: `target_2_morale` for `target.2.morale`.
fn column_of(path: &str) -> String {
    path.replace('.', "_")
}

/// The last columns of the results in a table of cells.
const TAIL: &[&str] =
    &["trials", "unsettled_trials", "unsettled", "seed", "engine", "states", "agrees", "notes"];

/// The further columns of a cell that may never end.
const LOOPS: &[&str] = &["never", "bound"];

fn ended(answers: &[Answer], fractions: bool) -> impl Iterator<Item = Ended<'_>> {
    answers.iter().flat_map(move |answer| {
        let outcomes = answer.outcomes.iter();
        outcomes.map(move |outcome| Ended { answer, outcome, fractions })
    })
}

impl Row for &Answer {
    fn names(&self, axes: &Axes) -> Vec<Place<String>> {
        let params = parameters::names(&self.params).into_iter();
        let params = params.map(|name| (if axes.contains(&name) { 1 } else { 4 }, name));
        let measures = self.measures.iter().flat_map(|measure| {
            let name = &measure.head.name;
            ["exact", "sim", "low", "high"].map(|part| (2, format!("{name}_{part}")))
        });
        let whose = placed(0, &["cell", "contest"]).chain(placed(3, &[SYSTEM, "action"]));
        let loops = self.never.map_or(&[][..], |_| LOOPS);
        whose.chain(params).chain(measures).chain(placed(2, TAIL)).chain(placed(2, loops)).collect()
    }

    fn is_like(&self, other: &Self) -> bool {
        let mut heads = self.measures.iter().zip(&other.measures);
        self.measures.len() == other.measures.len()
            && self.never.is_some() == other.never.is_some()
            && heads.all(|(a, b)| a.head.name == b.head.name)
            && parameters::same_columns(&self.params, &other.params)
    }

    fn each_value(&self, take: &mut dyn FnMut(Datum<'_>)) {
        // Values are in the order of `names`.
        take(Datum::Count(Some(self.cell as u64)));
        take(text(&self.name));
        take(text(&self.system.id));
        take(text(&self.action.name));
        parameters::each_value(&self.params, &mut |value| take(datum(value)));
        for measure in &self.measures {
            take(Datum::Number(measure.exact));
            simulated(measure.simulated).into_iter().for_each(&mut *take);
        }
        take(Datum::Count(Some(self.trials)));
        take(Datum::Count(Some(self.unsettled_trials)));
        take(Datum::Number(self.unsettled));
        take(Datum::Count(Some(self.seed)));
        take(text(engine(self.engine)));
        take(Datum::Count(self.states.map(|n| n as u64)));
        take(Datum::Flag(self.agrees));
        let notes = (!self.notes.is_empty()).then(|| self.notes.join("; "));
        take(Datum::Text(notes.map(Cow::Owned)));
        for number in [self.never, self.bound].into_iter().flatten() {
            take(Datum::Number(Some(number)));
        }
    }
}

/// An outcome of a cell.
struct Ended<'a> {
    answer: &'a Answer,
    outcome: &'a OutcomeAnswer,
    /// Whether there is a column for fractions.
    fractions: bool,
}

impl Row for Ended<'_> {
    fn names(&self, _: &Axes) -> Vec<Place<String>> {
        let axes = self.answer.axes.iter().map(|(path, _)| (1, column_of(path)));
        let fields = self.answer.fields.iter().map(|field| (2, field.name.to_string()));
        let exact: &[&str] = if self.fractions { &["p_exact", "fraction"] } else { &["p_exact"] };
        let odds = placed(3, exact).chain(placed(3, &["count", "p_sim", "low", "high"]));
        placed(0, &["contest", "cell"]).chain(axes).chain(fields).chain(odds).collect()
    }

    fn is_like(&self, other: &Self) -> bool {
        let names = |row: &Self| row.answer.fields.iter().map(|field| field.name.clone());
        std::ptr::eq(self.answer, other.answer)
            || (names(self).eq(names(other)) && same_axes(self.answer, other.answer))
    }

    fn each_value(&self, take: &mut dyn FnMut(Datum<'_>)) {
        let (answer, outcome) = (self.answer, self.outcome);
        take(text(&answer.name));
        take(Datum::Count(Some(answer.cell as u64)));
        answer.axes.iter().for_each(|(_, value)| take(datum(value)));
        for value in &outcome.values {
            take(Datum::Whole(Some((*value).into())));
        }
        take(Datum::Number(outcome.exact));
        if self.fractions {
            take(Datum::Text(outcome.fraction.as_deref().map(Cow::Borrowed)));
        }
        take(Datum::Count(outcome.count));
        simulated(outcome.simulated).into_iter().for_each(take);
    }
}

fn placed(section: usize, names: &[&str]) -> impl Iterator<Item = Place<String>> {
    names.iter().map(move |name| (section, (*name).to_owned()))
}

fn text(text: &str) -> Datum<'_> {
    Datum::Text(Some(Cow::Borrowed(text)))
}

fn simulated(estimate: Option<Estimate>) -> [Datum<'static>; 3] {
    let number = |end: fn(Estimate) -> f64| Datum::Number(estimate.map(end));
    [number(|e| e.value), number(|e| e.low), number(|e| e.high)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;
    use enfilade_model::form::{Form, Value};

    fn names(table: &Table) -> Vec<&str> {
        table.columns.iter().map(|c| c.name.as_str()).collect()
    }

    #[test]
    fn the_columns_are_the_documented_ones() {
        let table = cells(&test_answers::grid());
        let expected = "cell contest fp drm \
            p_kill_exact p_kill_sim p_kill_low p_kill_high \
            p_break_exact p_break_sim p_break_low p_break_high \
            e_losses_exact e_losses_sim e_losses_low e_losses_high \
            trials unsettled_trials unsettled seed engine states agrees notes system action";
        assert_eq!(names(&table), expected.split_whitespace().collect::<Vec<_>>());
        assert_eq!(table.rows(), 12);
        assert!(table.columns.iter().all(|column| column.values.len() == 12));
        let table = outcomes(&test_answers::grid());
        let expected = "contest cell fp drm eliminated broken p_exact count p_sim low high";
        assert_eq!(names(&table), expected.split_whitespace().collect::<Vec<_>>());
        assert_eq!(table.rows(), 36);
    }

    #[test]
    fn columns_have_types_even_where_everything_is_null() {
        let table = cells(&test_answers::played());
        assert_eq!(table.column("p_kill_exact"), Some(&Values::Number(vec![None])));
        assert_eq!(table.column("states"), Some(&Values::Count(vec![None])));
        assert_eq!(table.column("agrees"), Some(&Values::Flag(vec![None])));
        let table = outcomes(&test_answers::exact_only());
        assert_eq!(table.column("count"), Some(&Values::Count(vec![None; 3])));
        let fractions = ["20/36", "12/36", "4/36"].map(|f| Some(f.to_owned()));
        assert_eq!(table.column("fraction"), Some(&Values::words(fractions.into_iter())));
    }

    fn with_params(contest: usize, entries: Vec<(&'static str, Value)>) -> Answer {
        let mut answer = test_answers::answer(Vec::new(), 1, 2);
        (answer.contest, answer.cell) = (contest, contest);
        answer.params = Form::from_entries(entries);
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
        let table = cells(&answers);
        let column = |name| table.column(name).expect("there is such a column");
        assert_eq!(column("fp"), &Values::Number(vec![Some(1.0), None, Some(2.5)]));
        assert_eq!(column("cowers"), &Values::Flag(vec![Some(true), None, None]));
        let morale = [None, Some("7".to_owned()), Some("high".to_owned())];
        assert_eq!(column("morale"), &Values::words(morale.into_iter()));
        // None of its values is on an axis: the column follows the results.
        let place = |name: &str| names(&table).iter().position(|n| *n == name);
        assert!(place("system") < place("morale") && place("notes") < place("system"));
    }

    #[test]
    fn a_parameter_gives_way_to_a_documented_column() {
        let answers =
            [with_params(0, vec![("seed", Value::Int(3)), ("p_kill_low", Value::Int(4))])];
        let table = cells(&answers);
        assert_eq!(table.column("seed"), Some(&Values::Count(vec![Some(7)])));
        assert_eq!(table.column("param_seed"), Some(&Values::Whole(vec![Some(3)])));
        assert_eq!(table.column("param_p_kill_low"), Some(&Values::Whole(vec![Some(4)])));
    }

    /// By hand: the grid varies both its parameters, so that only the game and its action are equal
    /// everywhere; of three other contests `morale` is missing in the first.
    #[test]
    fn what_is_the_same_everywhere_stands_apart() {
        let (varies, constants) = cells(&test_answers::grid()).parted();
        let constants = constants.expect("a table of cells has them");
        let words = |name: &str| constants.column(name).cloned();
        let expected = ["system", "action"].map(|word| Some(word.to_owned()));
        assert_eq!(words("column"), Some(Values::words(expected.into_iter())));
        let expected = ["asl", "fire"].map(|word| Some(word.to_owned()));
        assert_eq!(words("value"), Some(Values::words(expected.into_iter())));
        assert_eq!(names(&varies).last(), Some(&"notes"));
        let differ = [
            with_params(0, vec![("fp", Value::Int(8))]),
            with_params(1, vec![("fp", Value::Int(8)), ("morale", Value::Int(7))]),
        ];
        let (varies, constants) = cells(&differ).parted();
        assert_eq!(names(&varies).last(), Some(&"morale"));
        let fields = ["system", "action", "fp"].map(|word| Some(word.to_owned()));
        let constants = constants.expect("as above");
        assert_eq!(constants.column("column"), Some(&Values::words(fields.into_iter())));
        assert_eq!(outcomes(&test_answers::grid()).parted().1, None);
    }

    #[test]
    fn without_answers_there_are_no_rows() {
        assert_eq!(cells(&[]).rows(), 0);
        assert_eq!(outcomes(&[]).rows(), 0);
    }
}
