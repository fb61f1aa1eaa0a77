//! What a report page carries for its script: every cell of every contest, as columns of tokens.
//!
//! The shape is between this file and `page.js` alone. Numbers are texts, made by the one place
//! that rounds ([`decimals`](crate::stats::decimals)) and shortened by [`token`]; the page computes
//! no probability. A [`Cut`] says how much of it goes in.

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::contest::{Piece, literal, template};
use super::token::{column, token};
use std::sync::Arc;

use crate::combat::{FieldHead, MeasureHead};
use crate::form::Value;
use crate::report::blocks::Entry;
use crate::report::idle::Idle;
use crate::report::tables;
use crate::report::words;
use crate::report::words::clean;
use crate::stats::decimals::{exact_percent, grouped, simulated_percent};
use crate::stats::intervals::Interval;
use crate::study::answer::{Answer, OutcomeAnswer};

/// How much of the answers goes into a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Outcomes of each law, the likeliest; 0 for no laws at all.
    pub outcomes: usize,
    /// Whether simulated numbers are there where there are exact ones too.
    pub simulated: bool,
    /// Whether fractions are there.
    pub fractions: bool,
    /// Measures of each contest, the first ones.
    pub measures: usize,
}

impl Cut {
    /// Nothing is left out but what is too rare to be looked at.
    pub const NONE: Cut =
        Cut { outcomes: 60, simulated: true, fractions: true, measures: usize::MAX };

    /// From all to next to nothing, each smaller than the one before.
    pub fn ladder() -> impl Iterator<Item = Cut> {
        let whole = Cut::NONE;
        let plain = Cut { fractions: false, ..whole };
        let laws = [60, 40, 24, 16, 12, 8, 6, 4, 0];
        let laws = laws.map(|outcomes| Cut { outcomes, ..plain });
        let bare = Cut { outcomes: 0, simulated: false, ..plain };
        let few = [usize::MAX, 12, 8, 6, 4, 3, 2, 1];
        let few = few.map(|measures| Cut { measures, ..bare });
        [whole].into_iter().chain(laws).chain(few)
    }
}

/// What all contests of a page share, and the contests.
#[derive(Debug, Serialize)]
pub struct Data {
    /// Name, unit and meaning of measures, and name and meaning of outcome fields, each once.
    heads: Vec<[String; 3]>,
    contests: Vec<Contest>,
}

/// One contest.
#[derive(Debug, Serialize)]
struct Contest {
    title: String,
    axes: Vec<Axis>,
    /// Where on the grid each cell stands, the last axis counting ones; left out when that is its
    /// position in the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Vec<usize>>,
    /// The number of the first cell in its experiment.
    first: usize,
    /// The numbers of all cells, where they do not simply follow the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<Vec<usize>>,
    cells: usize,
    trials: String,
    measures: Vec<Measure>,
    /// Outcome fields as positions in the heads.
    fields: Vec<usize>,
    /// Values of the fields, each combination once: `1 0 2`; nothing between two blanks where
    /// a cell does not count a field.
    outcomes: Vec<String>,
    /// One law per cell: tokens, with the outcome in front where it is not the next one.
    laws: Vec<String>,
    /// What of each law is not shown: how many outcomes and their probability, `12 0.31`; empty
    /// when that is nothing in every cell.
    rarer: String,
    /// What of each cell is not settled: exact and trials, `0.31 12`; empty when all is.
    unsettled: String,
    /// Cells in which exact and simulated disagree.
    disagree: Vec<usize>,
    notes: Vec<String>,
    /// The notes of each cell, where not every cell has them all.
    #[serde(skip_serializing_if = "Option::is_none")]
    noted: Option<Vec<Vec<usize>>>,
    toml: Vec<Piece>,
}

#[derive(Debug, Serialize)]
struct Axis {
    name: String,
    values: Vec<String>,
    toml: Vec<String>,
    numbers: bool,
}

#[derive(Debug, Serialize)]
struct Measure {
    head: usize,
    odds: String,
}

/// The data of `answers`, as much of it as `cut` allows.
pub fn data(answers: &[Answer], cut: Cut) -> Data {
    let mut heads = IndexSet::new();
    let contests = words::by_contest(answers);
    let contests = contests.map(|cells| contest(cells, cut, &mut heads)).collect();
    let heads = heads.into_iter().collect();
    Data { heads, contests }
}

fn contest(cells: &[Answer], cut: Cut, heads: &mut IndexSet<[String; 3]>) -> Contest {
    let first = &cells[0];
    let idle = Idle::of(cells);
    let axes = axes(cells);
    let trials: Vec<_> = cells.iter().map(|cell| grouped(cell.trials)).collect();
    let laws = Laws::of(cells, &idle, cut);
    let (notes, noted) = notes(cells);
    Contest {
        title: title(first),
        at: at(cells, &axes),
        axes: axes.iter().map(axis).collect(),
        first: first.cell,
        numbers: numbers(cells),
        cells: cells.len(),
        trials: column(trials.iter().map(String::as_str)),
        measures: measures(cells, &idle, cut, heads),
        fields: fields(&laws.fields, heads),
        outcomes: laws.outcomes(),
        laws: laws.laws,
        rarer: column(laws.rarer.iter().map(String::as_str)),
        unsettled: unsettled(cells),
        disagree: positions(cells, |cell| cell.agrees == Some(false)),
        notes,
        noted,
        toml: template(first),
    }
}

/// What a contest is called where several are to choose from.
fn title(first: &Answer) -> String {
    let asked = first.asked();
    match first.name == asked {
        true => asked,
        false => format!("{} ({asked})", clean(&first.name)),
    }
}

/// The axes of a contest: path, and the values in the order of the cells.
type Steps = IndexMap<String, Value>;

fn axes(cells: &[Answer]) -> Vec<(String, Steps)> {
    let paths = cells[0].axes.iter().enumerate();
    let of = |(i, (path, _)): (usize, &(String, Value))| {
        let values = cells.iter().filter_map(|cell| cell.axes.get(i));
        let values = values.map(|(_, value)| (literal(value), value.clone()));
        (path.clone(), values.collect())
    };
    paths.map(of).collect()
}

fn axis((path, values): &(String, Steps)) -> Axis {
    let number = |value: &Value| matches!(value, Value::Int(_) | Value::Fraction(_));
    Axis {
        name: clean(path),
        values: values.values().map(|v| clean(&v.to_string())).collect(),
        toml: values.keys().cloned().collect(),
        numbers: values.values().all(number),
    }
}

fn at(cells: &[Answer], axes: &[(String, Steps)]) -> Option<Vec<usize>> {
    let place = |cell: &Answer| {
        let steps = cell.axes.iter().zip(axes);
        steps.fold(0, |place, ((_, value), (_, values))| {
            let position = values.get_index_of(&literal(value)).unwrap_or(0);
            place * values.len() + position
        })
    };
    let at: Vec<_> = cells.iter().map(place).collect();
    let in_order = at.iter().enumerate().all(|(i, place)| i == *place);
    (!in_order).then_some(at)
}

fn numbers(cells: &[Answer]) -> Option<Vec<usize>> {
    let numbers: Vec<_> = cells.iter().map(|cell| cell.cell).collect();
    let follow = (numbers[0]..).zip(&numbers).all(|(a, b)| a == *b);
    (!follow).then_some(numbers)
}

fn measures(
    cells: &[Answer],
    idle: &Idle,
    cut: Cut,
    heads: &mut IndexSet<[String; 3]>,
) -> Vec<Measure> {
    let measures = words::measures(cells).into_iter();
    let measures = measures.filter(|head| !idle.has_measure(&head.name));
    let measures = measures.take(cut.measures);
    let measure = |head: Arc<MeasureHead>| {
        let words = [&*head.name, head.kind.sign(), &head.about].map(str::to_owned);
        let tokens = cells.iter().map(|cell| of_measure(cell, &head.name, cut));
        let tokens: Vec<_> = tokens.collect();
        Measure {
            head: heads.insert_full(words).0,
            odds: column(tokens.iter().map(String::as_str)),
        }
    };
    measures.map(measure).collect()
}

fn of_measure(cell: &Answer, name: &str, cut: Cut) -> String {
    let Some(measure) = cell.measure(name) else {
        return token(None, None, "");
    };
    let odds = tables::odds(measure, cell.trials);
    shortened(&odds, measure.fraction.as_deref(), cell.trials, cut)
}

fn fields(fields: &[FieldHead], heads: &mut IndexSet<[String; 3]>) -> Vec<usize> {
    let head = |field: &FieldHead| {
        let words = [&*field.name, "", &field.about].map(str::to_owned);
        heads.insert_full(words).0
    };
    fields.iter().map(head).collect()
}

fn shortened(odds: &Entry, fraction: Option<&str>, trials: u64, cut: Cut) -> String {
    let (exact, simulated) = match odds {
        Entry::Odds { exact, simulated } => (exact.as_deref(), simulated.as_deref()),
        _ => (None, None),
    };
    let simulated = simulated.filter(|_| cut.simulated || exact.is_none());
    let short = token(exact, simulated, &grouped(trials));
    match fraction.filter(|_| cut.fractions) {
        Some(fraction) => format!("{short}|{fraction}"),
        None => short,
    }
}

/// No outcome is left out.
const NOTHING: &str = "0 0";

/// An outcome by the fields of all cells; nothing for a field that its cell does not count.
type Values = Vec<Option<i32>>;

/// The laws of the cells of a contest.
#[derive(Default)]
struct Laws {
    fields: Vec<FieldHead>,
    known: IndexSet<Values>,
    laws: Vec<String>,
    rarer: Vec<String>,
}

impl Laws {
    fn of(cells: &[Answer], idle: &Idle, cut: Cut) -> Laws {
        let mut fields = words::fields(cells);
        fields.retain(|field| !idle.has_field(&field.name));
        let mut laws = Laws { fields, ..Laws::default() };
        if cut.outcomes == 0 {
            return laws;
        }
        let shown: Vec<_> = cells.iter().map(|cell| Shown::of(cell, cut)).collect();
        for (cell, shown) in cells.iter().zip(&shown) {
            let outcomes = shown.likely.iter();
            let values = outcomes.map(|outcome| values(&laws.fields, cell, outcome));
            laws.known.extend(values);
        }
        laws.known.sort();
        for (cell, shown) in cells.iter().zip(&shown) {
            laws.add(cell, shown, cut);
        }
        if laws.rarer.iter().all(|rarer| rarer == NOTHING) {
            laws.rarer.clear();
        }
        laws
    }

    fn add(&mut self, cell: &Answer, shown: &Shown<'_>, cut: Cut) {
        let (mut tokens, mut next) = (Vec::new(), 0);
        for outcome in &shown.likely {
            let values = values(&self.fields, cell, outcome);
            let place = self.known.get_index_of(&values).unwrap_or(0);
            let odds = Entry::Odds {
                exact: outcome.exact.map(exact_percent),
                simulated: simulated(outcome, cell.trials),
            };
            let short = shortened(&odds, outcome.fraction.as_deref(), cell.trials, cut);
            tokens.push(match place == next {
                true => short,
                false => format!("{place}:{short}"),
            });
            next = place + 1;
        }
        self.laws.push(tokens.join(";"));
        self.rarer.push(shown.rarer.clone());
    }

    fn outcomes(&self) -> Vec<String> {
        let text = |value: &Option<i32>| value.map_or(String::new(), |value| value.to_string());
        let joined = |values: &Values| values.iter().map(text).collect::<Vec<_>>().join(" ");
        self.known.iter().map(joined).collect()
    }
}

fn values(fields: &[FieldHead], cell: &Answer, outcome: &OutcomeAnswer) -> Values {
    let value = |field: &FieldHead| {
        let column = cell.fields.iter().position(|own| own.name == field.name);
        column.map(|column| outcome.values[column])
    };
    fields.iter().map(value).collect()
}

fn simulated(outcome: &OutcomeAnswer, trials: u64) -> Option<String> {
    let estimate = outcome.simulated?;
    let interval = Interval { low: estimate.low, high: estimate.high };
    Some(simulated_percent(estimate.value, interval, trials))
}

/// The outcomes of a cell that are shown, in their order, and the sum of the others.
struct Shown<'a> {
    likely: Vec<&'a OutcomeAnswer>,
    rarer: String,
}

impl Shown<'_> {
    fn of(cell: &Answer, cut: Cut) -> Shown<'_> {
        let mut order: Vec<_> = (0..cell.outcomes.len()).collect();
        order.sort_by(|&a, &b| share(&cell.outcomes[b]).total_cmp(&share(&cell.outcomes[a])));
        let rest = order.split_off(cut.outcomes.min(order.len()));
        order.sort_unstable();
        // In the order of the law, so that the sum is the same wherever it is taken.
        let mut rest = rest;
        rest.sort_unstable();
        let sum: f64 = rest.iter().map(|&i| share(&cell.outcomes[i])).sum();
        Shown {
            likely: order.iter().map(|&i| &cell.outcomes[i]).collect(),
            rarer: match rest.len() {
                0 => NOTHING.to_owned(),
                n => format!("{n} {}", exact_percent(sum)),
            },
        }
    }
}

fn share(outcome: &OutcomeAnswer) -> f64 {
    let simulated = outcome.simulated.map(|estimate| estimate.value);
    outcome.exact.or(simulated).unwrap_or(0.0)
}

fn unsettled(cells: &[Answer]) -> String {
    let open = |cell: &Answer| cell.unsettled_trials > 0 || cell.unsettled.unwrap_or(0.0) > 0.0;
    if !cells.iter().any(open) {
        return String::new();
    }
    let said = cells.iter().map(|cell| {
        let exact = cell.unsettled.map_or("–".to_owned(), exact_percent);
        format!("{exact} {}", grouped(cell.unsettled_trials))
    });
    column(said.collect::<Vec<_>>().iter().map(String::as_str))
}

fn positions(cells: &[Answer], wanted: impl Fn(&Answer) -> bool) -> Vec<usize> {
    let found = cells.iter().enumerate().filter(|(_, cell)| wanted(cell));
    found.map(|(i, _)| i).collect()
}

/// Every note once, and which of them each cell has, unless every cell has them all.
fn notes(cells: &[Answer]) -> (Vec<String>, Option<Vec<Vec<usize>>>) {
    let notes: IndexSet<&String> = cells.iter().flat_map(|cell| &cell.notes).collect();
    let of = |cell: &Answer| -> Vec<usize> {
        let own = cell.notes.iter();
        own.filter_map(|note| notes.get_index_of(note)).collect()
    };
    let noted: Vec<_> = cells.iter().map(of).collect();
    let everywhere = noted.iter().all(|own| own.len() == notes.len());
    let notes = notes.iter().map(|note| clean(note)).collect();
    (notes, (!everywhere).then_some(noted))
}
