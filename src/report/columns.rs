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

mod values;

use indexmap::IndexMap;

use super::json::engine;
use crate::study::answer::{Answer, Estimate, OutcomeAnswer};
use crate::study::params;

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
    assembled("cells", "param_", answers.len(), answers.iter())
}

/// The table of the outcomes.
pub fn outcomes(answers: &[Answer]) -> Table {
    let fractions = answers.iter().flat_map(|answer| &answer.outcomes);
    let fractions = fractions.filter(|o| o.fraction.is_some()).count() > 0;
    let rows = answers.iter().flat_map(|answer| {
        let outcomes = answer.outcomes.iter();
        outcomes.map(move |outcome| Ended { answer, outcome, fractions })
    });
    let expected = answers.iter().map(|answer| answer.outcomes.len()).sum();
    assembled("outcomes", "outcome_", expected, rows)
}

/// A row in four sections of columns.
trait Row {
    /// The names of its columns.
    fn names(&self) -> [Vec<String>; 4];

    /// Whether another row has the very same columns; it may say no although it has.
    fn is_like(&self, other: &Self) -> bool;

    /// Its values, in the order of the names.
    fn values(&self) -> [Vec<Datum>; 4];
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
            && params::same_names(&self.params, &other.params)
    }

    fn values(&self) -> [Vec<Datum>; 4] {
        let mut parameters = Vec::new();
        params::each_value(&self.params, &mut |value| parameters.push(datum(value)));
        let measures = self.measures.iter().flat_map(|measure| {
            let [sim, low, high] = simulated(measure.simulated);
            [Datum::Number(measure.exact), sim, low, high]
        });
        let identity = vec![
            Datum::Count(Some(self.cell as u64)),
            text(&self.name),
            text(&self.system.id),
            text(&self.action.name),
        ];
        [identity, parameters, measures.collect(), circumstances(self)]
    }
}

fn circumstances(answer: &Answer) -> Vec<Datum> {
    let notes = (!answer.notes.is_empty()).then(|| answer.notes.join("; "));
    vec![
        Datum::Count(Some(answer.trials)),
        Datum::Count(Some(answer.unsettled_trials)),
        Datum::Number(answer.unsettled),
        Datum::Count(Some(answer.seed)),
        text(engine(answer.engine)),
        Datum::Count(answer.states.map(|n| n as u64)),
        Datum::Flag(answer.agrees),
        Datum::Text(notes),
    ]
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

    fn values(&self) -> [Vec<Datum>; 4] {
        let (answer, outcome) = (self.answer, self.outcome);
        let identity = vec![text(&answer.name), Datum::Count(Some(answer.cell as u64))];
        let fields = outcome.values.iter();
        let fields = fields.map(|value| Datum::Whole(Some((*value).into())));
        let mut exact = vec![Datum::Number(outcome.exact)];
        if self.fractions {
            exact.push(Datum::Text(outcome.fraction.clone()));
        }
        let [sim, low, high] = simulated(outcome.simulated);
        let counted = vec![Datum::Count(outcome.count), sim, low, high];
        [identity, fields.collect(), exact, counted]
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn text(text: &str) -> Datum {
    Datum::Text(Some(text.to_owned()))
}

fn simulated(estimate: Option<Estimate>) -> [Datum; 3] {
    let number = |end: fn(Estimate) -> f64| Datum::Number(estimate.map(end));
    [number(|e| e.value), number(|e| e.low), number(|e| e.high)]
}

/// Columns section by section. Sections 0, 2 and 3 have the names the documentation promises; a
/// name of section 1, which the rules chose, gives way with `prefix`.
///
/// Names are looked up once for all rows that follow each other and have the same.
fn assembled<R: Row>(
    name: &'static str,
    prefix: &str,
    expected: usize,
    rows: impl Iterator<Item = R>,
) -> Table {
    let mut sections: [IndexMap<String, Values>; 4] = Default::default();
    let (mut count, mut last) = (0, None::<(R, [Vec<usize>; 4])>);
    for row in rows {
        let data = row.values();
        let places = match last {
            Some((like, places)) if like.is_like(&row) => places,
            _ => placed(&mut sections, row.names(), &data, expected),
        };
        for ((section, places), data) in sections.iter_mut().zip(&places).zip(data) {
            for (&place, datum) in places.iter().zip(data) {
                let values = &mut section[place];
                values.pad(count);
                values.push(datum);
            }
        }
        count += 1;
        last = Some((row, places));
    }
    let taken = |name: &str| [0, 2, 3].iter().any(|&i: &usize| sections[i].contains_key(name));
    let renamed: Vec<bool> = sections[1].keys().map(|name| taken(name)).collect();
    let mut renamed = renamed.into_iter();
    let mut columns = Vec::new();
    for (i, section) in sections.into_iter().enumerate() {
        for (name, mut values) in section {
            values.pad(count);
            let gives_way = i == 1 && renamed.next() == Some(true);
            let name = if gives_way { format!("{prefix}{name}") } else { name };
            columns.push(Column { name, values });
        }
    }
    Table { name, columns }
}

/// Where the columns of these names are; new ones have the types of `data`.
fn placed(
    sections: &mut [IndexMap<String, Values>; 4],
    names: [Vec<String>; 4],
    data: &[Vec<Datum>; 4],
    expected: usize,
) -> [Vec<usize>; 4] {
    let mut places: [Vec<usize>; 4] = Default::default();
    let columns = sections.iter_mut().zip(names).zip(data);
    for (places, ((section, names), data)) in places.iter_mut().zip(columns) {
        for (name, datum) in names.into_iter().zip(data) {
            let entry = section.entry(name);
            places.push(entry.index());
            entry.or_insert_with(|| datum.column(expected));
        }
    }
    places
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
        assert_eq!(table.column("fraction"), Some(&Values::Text(fractions.to_vec())));
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
        assert_eq!(column("morale"), &Values::Text(morale.to_vec()));
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
