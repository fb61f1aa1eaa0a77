//! The two tables of a run as typed columns, whatever file they go into.
//!
//! * `cells`: one row per cell: `cell`, `contest`, `system`, `action`, every parameter, then for
//!   every measure `NAME_exact`, `NAME_sim`, `NAME_low`, `NAME_high`, and at the end `trials`,
//!   `unsettled_trials`, `unsettled`, `seed`, `engine`, `states`, `agrees`, `notes`.
//! * `outcomes`: one row per outcome of a cell: `contest`, `cell`, the outcome fields, `p_exact`,
//!   `fraction` (when asked for), `count`, `p_sim`, `low`, `high`.
//!
//! A parameter of a table inside is `target_morale`, or `target_2_morale` when there are several.
//! What a row does not have is null. A parameter or outcome field that is called like another
//! column gets `param_` or `outcome_` in front. Probabilities are shares of 1, intervals are at
//! 95 %, counts are whole numbers of 64 bits and never summed in a narrower type.

mod frame;
mod values;

use std::borrow::Cow;
use std::sync::Arc;

use super::json::engine;
use crate::study::answer::{Answer, Estimate, OutcomeAnswer};
use crate::study::params;

use frame::{Frame, Row};
pub use values::Values;
use values::{Datum, datum};

/// A table with typed columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name, the stem of its files.
    pub name: &'static str,
    /// Its columns.
    pub columns: Vec<Column>,
}

/// A named column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name, unique in its table.
    pub name: String,
    /// One value per row.
    pub values: Values,
}

impl Table {
    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// The values of the column called `name`.
    pub fn column(&self, name: &str) -> Option<&Values> {
        let mut columns = self.columns.iter();
        let column = columns.find(|column| column.name == name)?;
        Some(&column.values)
    }
}

/// The table of the cells.
pub fn cells(answers: &[Answer]) -> Table {
    Frame::cells().filled(answers.len(), answers.iter())
}

/// The table of the outcomes.
pub fn outcomes(answers: &[Answer]) -> Table {
    let fractions = answers.iter().flat_map(|answer| &answer.outcomes);
    let fractions = fractions.filter(|o| o.fraction.is_some()).count() > 0;
    let expected = answers.iter().map(|answer| answer.outcomes.len()).sum();
    Frame::outcomes().filled(expected, ended(answers, fractions))
}

/// Both tables in batches that all have the same columns: those of the cells that stand for the others.
#[derive(Debug)]
pub struct Batches {
    cells: Frame,
    outcomes: Frame,
    /// Whether there is a column for fractions.
    fractions: bool,
}

impl Batches {
    /// Batches with the columns of `sample`, of whose cells nothing need be known but what they report.
    pub fn of(sample: &[Answer], fractions: bool) -> Batches {
        let (mut cells, mut outcomes) = (Frame::cells(), Frame::outcomes());
        cells.fill(sample.len(), sample.iter());
        for answer in sample {
            let outcome = &OutcomeAnswer::none(answer.fields.len());
            outcomes.fill(0, std::iter::once(Ended { answer, outcome, fractions }));
        }
        drop((cells.table(), outcomes.table()));
        Batches { cells, outcomes, fractions }
    }

    /// Refuses, in its place, every answer that has other columns.
    pub fn fit(&self, answers: &mut [Answer]) {
        let mut last: Option<usize> = None;
        for at in 0..answers.len() {
            if last.is_some_and(|last| alike(&answers[last], &answers[at]))
                || self.hold(&answers[at])
            {
                last = Some(at);
                continue;
            }
            let why = "it reports what no cell does that differs from the first on one axis alone: \
                make it a contest of its own";
            answers[at] = answers[at].clone().refused(why.to_owned());
        }
    }

    fn hold(&self, answer: &Answer) -> bool {
        let outcome = &OutcomeAnswer::none(answer.fields.len());
        let fractions = self.fractions;
        self.cells.holds(&answer) && self.outcomes.holds(&Ended { answer, outcome, fractions })
    }

    /// The next rows of the table of the cells, which must fit.
    pub fn cells(&mut self, answers: &[Answer]) -> Table {
        self.cells.fill(answers.len(), answers.iter());
        self.cells.table()
    }

    /// The next rows of the table of the outcomes, which must fit.
    pub fn outcomes(&mut self, answers: &[Answer]) -> Table {
        self.outcomes.fill(answers.len(), ended(answers, self.fractions));
        self.outcomes.table()
    }
}

/// Whether two answers have the same columns in both tables; it may say no although they have.
fn alike(one: &Answer, other: &Answer) -> bool {
    Arc::ptr_eq(&one.fields, &other.fields) && Row::is_like(&one, &other)
}

fn ended(answers: &[Answer], fractions: bool) -> impl Iterator<Item = Ended<'_>> {
    answers.iter().flat_map(move |answer| {
        let outcomes = answer.outcomes.iter();
        outcomes.map(move |outcome| Ended { answer, outcome, fractions })
    })
}

impl Row for &Answer {
    fn names(&self) -> [Vec<String>; 4] {
        let measures = self.measures.iter().flat_map(|measure| {
            let name = &measure.head.name;
            ["exact", "sim", "low", "high"].map(|part| format!("{name}_{part}"))
        });
        [
            owned(&["cell", "contest", "system", "action"]),
            params::names(&self.params),
            measures.collect(),
            owned(&[
                "trials",
                "unsettled_trials",
                "unsettled",
                "seed",
                "engine",
                "states",
                "agrees",
                "notes",
            ]),
        ]
    }

    fn is_like(&self, other: &Self) -> bool {
        let mut heads = self.measures.iter().zip(&other.measures);
        self.measures.len() == other.measures.len()
            && heads.all(|(a, b)| a.head.name == b.head.name)
            && params::same_columns(&self.params, &other.params)
    }

    fn each_value(&self, take: &mut dyn FnMut(Datum<'_>)) {
        take(Datum::Count(Some(self.cell as u64)));
        take(text(&self.name));
        take(text(&self.system.id));
        take(text(&self.action.name));
        params::each_value(&self.params, &mut |value| take(datum(value)));
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
    fn names(&self) -> [Vec<String>; 4] {
        let fields = self.answer.fields.iter();
        let exact: &[&str] = match self.fractions {
            true => &["p_exact", "fraction"],
            false => &["p_exact"],
        };
        [
            owned(&["contest", "cell"]),
            fields.map(|field| field.name.to_string()).collect(),
            owned(exact),
            owned(&["count", "p_sim", "low", "high"]),
        ]
    }

    fn is_like(&self, other: &Self) -> bool {
        let names = |row: &Self| row.answer.fields.iter().map(|field| field.name.clone());
        std::ptr::eq(self.answer, other.answer) || names(self).eq(names(other))
    }

    fn each_value(&self, take: &mut dyn FnMut(Datum<'_>)) {
        let (answer, outcome) = (self.answer, self.outcome);
        take(text(&answer.name));
        take(Datum::Count(Some(answer.cell as u64)));
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

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
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
    use crate::form::{Form, Value};
    use crate::report::fixture;

    fn names(table: &Table) -> Vec<&str> {
        table.columns.iter().map(|c| c.name.as_str()).collect()
    }

    #[test]
    fn the_columns_are_the_documented_ones() {
        let table = cells(&fixture::grid());
        let expected = "cell contest system action fp drm \
            p_kill_exact p_kill_sim p_kill_low p_kill_high \
            p_break_exact p_break_sim p_break_low p_break_high \
            e_losses_exact e_losses_sim e_losses_low e_losses_high \
            trials unsettled_trials unsettled seed engine states agrees notes";
        assert_eq!(names(&table), expected.split_whitespace().collect::<Vec<_>>());
        assert_eq!(table.rows(), 12);
        assert!(table.columns.iter().all(|column| column.values.len() == 12));
        let table = outcomes(&fixture::grid());
        let expected = "contest cell eliminated broken p_exact count p_sim low high";
        assert_eq!(names(&table), expected.split_whitespace().collect::<Vec<_>>());
        assert_eq!(table.rows(), 36);
    }

    #[test]
    fn columns_have_types_even_where_everything_is_null() {
        let table = cells(&fixture::played());
        assert_eq!(table.column("p_kill_exact"), Some(&Values::Number(vec![None])));
        assert_eq!(table.column("states"), Some(&Values::Count(vec![None])));
        assert_eq!(table.column("agrees"), Some(&Values::Flag(vec![None])));
        let table = outcomes(&fixture::exact_only());
        assert_eq!(table.column("count"), Some(&Values::Count(vec![None; 3])));
        let fractions = ["20/36", "12/36", "4/36"].map(|f| Some(f.to_owned()));
        assert_eq!(table.column("fraction"), Some(&Values::words(fractions.into_iter())));
    }

    fn with_params(contest: usize, entries: Vec<(&'static str, Value)>) -> Answer {
        let mut answer = fixture::answer(Vec::new(), 1, 2);
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
        assert!(
            names(&table).iter().position(|n| *n == "morale")
                < names(&table).iter().position(|n| *n == "p_kill_exact")
        );
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

    #[test]
    fn without_answers_there_are_no_rows() {
        assert_eq!(cells(&[]).rows(), 0);
        assert_eq!(outcomes(&[]).rows(), 0);
    }
}
