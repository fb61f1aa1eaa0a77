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

use indexmap::IndexMap;

use super::json::engine;
use crate::form::Value;
use crate::study::answer::{Answer, Estimate, OutcomeAnswer};
use crate::study::params;

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

/// The values of a column; `None` is null.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Counts and seeds.
    Count(Vec<Option<u64>>),
    /// Whole numbers with a sign.
    Whole(Vec<Option<i64>>),
    /// Numbers.
    Number(Vec<Option<f64>>),
    /// Switches.
    Flag(Vec<Option<bool>>),
    /// Words.
    Text(Vec<Option<String>>),
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
    let sections = answers.iter().map(|answer| {
        [
            identity(answer),
            parameters(answer),
            measures(answer),
            circumstances(answer),
        ]
    });
    assembled("cells", "param_", answers.len(), sections)
}

/// The table of the outcomes.
pub fn outcomes(answers: &[Answer]) -> Table {
    let fractions = answers.iter().flat_map(|answer| &answer.outcomes);
    let fractions = fractions.filter(|o| o.fraction.is_some()).count() > 0;
    let rows = answers.iter().flat_map(|answer| {
        let outcomes = answer.outcomes.iter();
        outcomes.map(move |outcome| outcome_row(answer, outcome, fractions))
    });
    let expected = answers.iter().map(|answer| answer.outcomes.len()).sum();
    assembled("outcomes", "outcome_", expected, rows)
}

/// Parts of one row: name and value of each column.
type Part = Vec<(String, Datum)>;

fn identity(answer: &Answer) -> Part {
    vec![
        part("cell", Datum::Count(Some(answer.cell as u64))),
        part("contest", text(&answer.name)),
        part("system", text(&answer.system.id)),
        part("action", text(&answer.action.name)),
    ]
}

fn parameters(answer: &Answer) -> Part {
    let columns = params::flattened(&answer.params);
    let columns = columns.into_iter();
    columns.map(|(name, value)| (name, datum(&value))).collect()
}

fn measures(answer: &Answer) -> Part {
    let columns = answer.measures.iter().flat_map(|measure| {
        let name = &measure.head.name;
        let [sim, low, high] = simulated(measure.simulated);
        [
            (format!("{name}_exact"), Datum::Number(measure.exact)),
            (format!("{name}_sim"), sim),
            (format!("{name}_low"), low),
            (format!("{name}_high"), high),
        ]
    });
    columns.collect()
}

fn circumstances(answer: &Answer) -> Part {
    let notes = (!answer.notes.is_empty()).then(|| answer.notes.join("; "));
    vec![
        part("trials", Datum::Count(Some(answer.trials))),
        part(
            "unsettled_trials",
            Datum::Count(Some(answer.unsettled_trials)),
        ),
        part("unsettled", Datum::Number(answer.unsettled)),
        part("seed", Datum::Count(Some(answer.seed))),
        part("engine", text(engine(answer.engine))),
        part("states", Datum::Count(answer.states.map(|n| n as u64))),
        part("agrees", Datum::Flag(answer.agrees)),
        part("notes", Datum::Text(notes)),
    ]
}

fn outcome_row(answer: &Answer, outcome: &OutcomeAnswer, fractions: bool) -> [Part; 4] {
    let identity = vec![
        part("contest", text(&answer.name)),
        part("cell", Datum::Count(Some(answer.cell as u64))),
    ];
    let fields = answer.fields.iter().zip(&outcome.values);
    let fields =
        fields.map(|(field, value)| part(&field.name, Datum::Whole(Some((*value).into()))));
    let [sim, low, high] = simulated(outcome.simulated);
    let mut exact = vec![part("p_exact", Datum::Number(outcome.exact))];
    if fractions {
        exact.push(part("fraction", Datum::Text(outcome.fraction.clone())));
    }
    let counted = vec![
        part("count", Datum::Count(outcome.count)),
        part("p_sim", sim),
        part("low", low),
        part("high", high),
    ];
    [identity, fields.collect(), exact, counted]
}

fn part(name: &str, datum: Datum) -> (String, Datum) {
    (name.to_owned(), datum)
}

fn text(text: &str) -> Datum {
    Datum::Text(Some(text.to_owned()))
}

fn simulated(estimate: Option<Estimate>) -> [Datum; 3] {
    let number = |end: fn(Estimate) -> f64| Datum::Number(estimate.map(end));
    [number(|e| e.value), number(|e| e.low), number(|e| e.high)]
}

/// One value, with a type even when it is null.
enum Datum {
    Count(Option<u64>),
    Whole(Option<i64>),
    Number(Option<f64>),
    Flag(Option<bool>),
    Text(Option<String>),
}

fn datum(value: &Value) -> Datum {
    match value {
        Value::Flag(on) => Datum::Flag(Some(*on)),
        Value::Int(n) => Datum::Whole(Some(*n)),
        Value::Fraction(parts) => Datum::Number(Some(*parts as f64 / 64.0)),
        other => Datum::Text(Some(other.to_string())),
    }
}

/// Columns section by section. Sections 0, 2 and 3 have the names the documentation promises; a
/// name of section 1, which the rules chose, gives way with `prefix`.
fn assembled(
    name: &'static str,
    prefix: &str,
    expected: usize,
    rows: impl Iterator<Item = [Part; 4]>,
) -> Table {
    let mut sections: [IndexMap<String, Values>; 4] = Default::default();
    let mut count = 0;
    for row in rows {
        for (section, part) in sections.iter_mut().zip(row) {
            for (name, datum) in part {
                let values = section
                    .entry(name)
                    .or_insert_with(|| datum.column(expected));
                values.pad(count);
                values.push(datum);
            }
        }
        count += 1;
    }
    let taken = |name: &str| {
        [0, 2, 3]
            .iter()
            .any(|&i: &usize| sections[i].contains_key(name))
    };
    let renamed: Vec<bool> = sections[1].keys().map(|name| taken(name)).collect();
    let mut renamed = renamed.into_iter();
    let mut columns = Vec::new();
    for (i, section) in sections.into_iter().enumerate() {
        for (name, mut values) in section {
            values.pad(count);
            let gives_way = i == 1 && renamed.next() == Some(true);
            let name = if gives_way {
                format!("{prefix}{name}")
            } else {
                name
            };
            columns.push(Column { name, values });
        }
    }
    Table { name, columns }
}

impl Datum {
    /// An empty column of this type, with room for so many rows.
    fn column(&self, rows: usize) -> Values {
        match self {
            Datum::Count(_) => Values::Count(Vec::with_capacity(rows)),
            Datum::Whole(_) => Values::Whole(Vec::with_capacity(rows)),
            Datum::Number(_) => Values::Number(Vec::with_capacity(rows)),
            Datum::Flag(_) => Values::Flag(Vec::with_capacity(rows)),
            Datum::Text(_) => Values::Text(Vec::with_capacity(rows)),
        }
    }

    fn text(self) -> Option<String> {
        match self {
            Datum::Count(n) => n.map(|n| n.to_string()),
            Datum::Whole(n) => n.map(|n| n.to_string()),
            Datum::Number(x) => x.map(|x| x.to_string()),
            Datum::Flag(on) => on.map(|on| on.to_string()),
            Datum::Text(text) => text,
        }
    }
}

impl Values {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Count(all) => all.len(),
            Values::Whole(all) => all.len(),
            Values::Number(all) => all.len(),
            Values::Flag(all) => all.len(),
            Values::Text(all) => all.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Nulls up to `rows` rows.
    fn pad(&mut self, rows: usize) {
        match self {
            Values::Count(all) => all.resize(rows, None),
            Values::Whole(all) => all.resize(rows, None),
            Values::Number(all) => all.resize(rows, None),
            Values::Flag(all) => all.resize(rows, None),
            Values::Text(all) => all.resize(rows, None),
        }
    }

    /// One more row. Contests may use one name for different things: whole numbers and numbers
    /// become numbers, everything else becomes text.
    fn push(&mut self, datum: Datum) {
        match (&mut *self, datum) {
            (Values::Count(all), Datum::Count(n)) => all.push(n),
            (Values::Whole(all), Datum::Whole(n)) => all.push(n),
            (Values::Number(all), Datum::Number(x)) => all.push(x),
            (Values::Number(all), Datum::Whole(n)) => all.push(n.map(|n| n as f64)),
            (Values::Flag(all), Datum::Flag(on)) => all.push(on),
            (Values::Text(all), datum) => all.push(datum.text()),
            (Values::Whole(all), Datum::Number(x)) => {
                let mut numbers: Vec<_> = all.iter().map(|n| n.map(|n| n as f64)).collect();
                numbers.push(x);
                *self = Values::Number(numbers);
            }
            (_, datum) => {
                let mut texts = self.texts();
                texts.push(datum.text());
                *self = Values::Text(texts);
            }
        }
    }

    fn texts(&self) -> Vec<Option<String>> {
        fn shown<T: ToString>(all: &[Option<T>]) -> Vec<Option<String>> {
            all.iter()
                .map(|one| one.as_ref().map(T::to_string))
                .collect()
        }
        match self {
            Values::Count(all) => shown(all),
            Values::Whole(all) => shown(all),
            Values::Number(all) => shown(all),
            Values::Flag(all) => shown(all),
            Values::Text(all) => all.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Form;
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
        assert_eq!(
            names(&table),
            expected.split_whitespace().collect::<Vec<_>>()
        );
        assert_eq!(table.rows(), 12);
        assert!(table.columns.iter().all(|column| column.values.len() == 12));
        let table = outcomes(&fixture::grid());
        let expected = "contest cell eliminated broken p_exact count p_sim low high";
        assert_eq!(
            names(&table),
            expected.split_whitespace().collect::<Vec<_>>()
        );
        assert_eq!(table.rows(), 36);
    }

    #[test]
    fn columns_have_types_even_where_everything_is_null() {
        let table = cells(&fixture::played());
        assert_eq!(
            table.column("p_kill_exact"),
            Some(&Values::Number(vec![None]))
        );
        assert_eq!(table.column("states"), Some(&Values::Count(vec![None])));
        assert_eq!(table.column("agrees"), Some(&Values::Flag(vec![None])));
        let table = outcomes(&fixture::exact_only());
        assert_eq!(table.column("count"), Some(&Values::Count(vec![None; 3])));
        let fractions = ["20/36", "12/36", "4/36"].map(|f| Some(f.to_owned()));
        assert_eq!(
            table.column("fraction"),
            Some(&Values::Text(fractions.to_vec()))
        );
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
            with_params(
                0,
                vec![("fp", Value::Int(1)), ("cowers", Value::Flag(true))],
            ),
            with_params(1, vec![("morale", Value::Int(7))]),
            with_params(
                2,
                vec![
                    ("fp", Value::Fraction(160)),
                    ("morale", Value::Text("high".into())),
                ],
            ),
        ];
        let table = cells(&answers);
        let column = |name| table.column(name).expect("there is such a column");
        assert_eq!(
            column("fp"),
            &Values::Number(vec![Some(1.0), None, Some(2.5)])
        );
        assert_eq!(
            column("cowers"),
            &Values::Flag(vec![Some(true), None, None])
        );
        let morale = [None, Some("7".to_owned()), Some("high".to_owned())];
        assert_eq!(column("morale"), &Values::Text(morale.to_vec()));
        assert!(
            names(&table).iter().position(|n| *n == "morale")
                < names(&table).iter().position(|n| *n == "p_kill_exact")
        );
    }

    #[test]
    fn a_parameter_gives_way_to_a_documented_column() {
        let answers = [with_params(
            0,
            vec![("seed", Value::Int(3)), ("p_kill_low", Value::Int(4))],
        )];
        let table = cells(&answers);
        assert_eq!(table.column("seed"), Some(&Values::Count(vec![Some(7)])));
        assert_eq!(
            table.column("param_seed"),
            Some(&Values::Whole(vec![Some(3)]))
        );
        assert_eq!(
            table.column("param_p_kill_low"),
            Some(&Values::Whole(vec![Some(4)]))
        );
    }

    #[test]
    fn without_answers_there_are_no_rows() {
        assert_eq!(cells(&[]).rows(), 0);
        assert_eq!(outcomes(&[]).rows(), 0);
    }
}
