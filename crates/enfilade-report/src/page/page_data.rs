//! Data of a report page for its script: every cell of every contest, as columns of tokens.
//!
//! The format is private to this file and `page.js`. Numbers are texts, rounded in one place
//! ([`decimals`](crate::text::number_format)) and shortened by [`token`]; the page computes no
//! probability. A [`Cut`] limits the amount of data.

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::contest_toml::{Piece, template};
use super::marginals::{Alone, marginals};
use super::number_token::{column, token};
use super::outcome_columns::Laws;
use super::size_budget::Cut;
use std::sync::Arc;

use crate::answers::answer_tables;
use crate::answers::zero_columns::Idle;
use crate::headline_measure;
use crate::text::median_tries::{self, Until};
use crate::text::number_format::exact_percent;
use crate::text::sentences::clean;
use crate::text::short_labels;
use crate::text::{labels, sentences};
use enfilade_model::combat::{MeasureHead, Role};
use enfilade_model::form::Value;
use enfilade_model::form::sanitize::grouped;
use enfilade_study::answer::Answer;
use enfilade_study::file::toml_writer::literal;

/// The data that all contests of a page share, and the contests.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "PageData"))]
pub struct Data {
    /// Name, label, unit and meaning of measures, each once.
    heads: Vec<[String; 4]>,
    contests: Vec<Contest>,
}

/// One contest.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "PageContest"))]
struct Contest {
    title: String,
    axes: Vec<Axis>,
    /// The place of each cell on the grid, in which the last axis varies fastest; left out if every
    /// place equals the index in the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<Vec<usize>>,
    /// The number of the first cell in its experiment.
    first: usize,
    /// The numbers of all cells, unless they follow the first one by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    numbers: Option<Vec<usize>>,
    cells: usize,
    trials: String,
    measures: Vec<Measure>,
    /// The index of the most informative measure.
    headline: usize,
    /// Every outcome in words, the worst first.
    outcomes: Vec<String>,
    /// The colours of outcomes in every picture, in light and dark mode; none if nothing is harm.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    inks: Vec<[String; 2]>,
    /// The index of the colour of each outcome.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    inked: Vec<usize>,
    /// The marginal distribution of each field of the outcome, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    alone: Vec<Alone>,
    /// One distribution per cell: tokens, each preceded by its outcome unless it is the next one.
    laws: Vec<String>,
    /// The part of each distribution that is not shown: the number of outcomes and their
    /// probability, `12 0.31`; empty if every cell is shown completely.
    rarer: String,
    /// The unfinished share of each cell: exact and trials, `0.31 12`; empty if all cells finish.
    unsettled: String,
    /// The percentage of each cell that never finishes; empty if all cells finish.
    #[serde(skip_serializing_if = "String::is_empty")]
    never: String,
    /// Cells in which exact and simulated disagree.
    disagree: Vec<usize>,
    notes: Vec<String>,
    /// The notes of each cell, unless every cell has them all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    noted: Option<Vec<Vec<usize>>>,
    toml: Vec<Piece>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "PageAxis"))]
struct Axis {
    name: String,
    label: String,
    /// Whether the values are words, which appear after a colon.
    words: bool,
    values: Vec<String>,
    toml: Vec<String>,
    /// The values as numbers, if all are numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    numbers: Option<Vec<f64>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "PageMeasure"))]
struct Measure {
    head: usize,
    odds: String,
}

/// Builds the data of `answers`, as much of it as `cut` allows.
pub fn data(answers: &[Answer], cut: Cut) -> Data {
    let mut heads = IndexSet::new();
    let contests = sentences::by_contest(answers);
    let contests = contests.map(|cells| contest(cells, cut, &mut heads)).collect();
    let heads = heads.into_iter().collect();
    Data { heads, contests }
}

fn contest(cells: &[Answer], cut: Cut, heads: &mut IndexSet<[String; 4]>) -> Contest {
    let first = &cells[0];
    let idle = Idle::of(cells);
    let axes = axes(cells);
    let trials: Vec<_> = cells.iter().map(|cell| grouped(cell.trials)).collect();
    let laws = Laws::of(cells, &idle, cut);
    // A colour is written once and referred to by its index, because a page has thousands of
    // outcomes.
    let mut inks = IndexSet::new();
    let inked = laws.inks(cells).into_iter().map(|ink| inks.insert_full(ink).0).collect();
    let (notes, noted) = notes(cells);
    let measures = measures(cells, &idle, cut, heads);
    Contest {
        title: title(first),
        at: at(cells, &axes),
        axes: axes.iter().map(|(path, values)| axis(first, path, values)).collect(),
        first: first.cell,
        numbers: numbers(cells),
        cells: cells.len(),
        trials: column(trials.iter().map(String::as_str)),
        headline: headline(cells, &measures, heads),
        measures,
        outcomes: laws.outcomes(),
        inks: inks.into_iter().collect(),
        inked,
        alone: if cut.alone { marginals(cells, &idle) } else { Vec::new() },
        laws: laws.laws,
        rarer: column(laws.rarer.iter().map(String::as_str)),
        unsettled: unsettled(cells),
        never: never(cells),
        disagree: positions(cells, |cell| cell.agrees == Some(false)),
        notes,
        noted,
        toml: template(first),
    }
}

/// Returns the title of a contest in a list of several.
fn title(first: &Answer) -> String {
    let asked = first.asked();
    if first.name == asked { asked } else { format!("{} ({asked})", clean(&first.name)) }
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

fn axis(first: &Answer, path: &str, values: &Steps) -> Axis {
    let field = first.action.fields.at(path);
    let signed = labels::is_signed(field, &values.values().collect::<Vec<_>>());
    let said = |value: &Value| match value {
        Value::Int(_) => labels::number(value, signed),
        other => labels::value(first, path, other),
    };
    let words = |value: &Value| matches!(value, Value::Text(_) | Value::Flag(_));
    // Dice are ordered and not proportional: d12 is not three times d4.
    let number = |value: &Value| match value {
        Value::Die(_) => None,
        other => short_labels::number(other),
    };
    Axis {
        name: clean(path),
        label: labels::axis(first, path),
        words: values.values().all(words),
        values: values.values().map(said).collect(),
        toml: values.keys().cloned().collect(),
        numbers: values.values().map(number).collect(),
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
    heads: &mut IndexSet<[String; 4]>,
) -> Vec<Measure> {
    let measures = sentences::measures(cells).into_iter();
    let measures = measures.filter(|head| !idle.has_measure(&head.name));
    let measures = measures.take(cut.measures);
    let measure = |head: Arc<MeasureHead>| {
        let (label, about) = worded(&head);
        let words = [head.name.to_string(), label, head.kind.sign().to_owned(), about];
        let tokens = cells.iter().map(|cell| of_measure(cell, &head.name, cut));
        let tokens: Vec<_> = tokens.collect();
        Measure {
            // Contests of one action have the same heads, which are written once for the page.
            head: heads.insert_full(words).0,
            odds: column(tokens.iter().map(String::as_str)),
        }
    };
    measures.map(measure).collect()
}

/// Returns the label and the meaning of a measure; of tries until an event, those of the median.
fn worded(head: &MeasureHead) -> (String, String) {
    let about = match head.role {
        Role::Until => format!("{}: median number of tries", head.about),
        _ => head.about.to_string(),
    };
    (median_tries::label(head), about)
}

fn of_measure(cell: &Answer, name: &str, cut: Cut) -> String {
    let Some(measure) = cell.measure(name) else {
        return token(None, None, "");
    };
    if let Some(until) = Until::of(cell, measure) {
        let median = until.median.map(|median| median.to_string());
        let beyond = until.median();
        let beyond = median.is_none().then_some(&*beyond);
        let short = token(median.as_deref(), beyond, "");
        return format!("{short}||{} {}", until.percent(), until.tries);
    }
    let odds = answer_tables::odds(measure, cell.trials);
    cut.odds(&odds, measure.fraction.as_deref(), cell.trials)
}

/// Returns the index of the most informative measure, or 0 if it is left out.
fn headline(cells: &[Answer], measures: &[Measure], heads: &IndexSet<[String; 4]>) -> usize {
    let wanted = headline_measure::of(&cells.iter().collect::<Vec<_>>());
    let is = |measure: &Measure| {
        wanted.as_ref().is_some_and(|head| *head.name == heads[measure.head][0])
    };
    measures.iter().position(is).unwrap_or(0)
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

fn never(cells: &[Answer]) -> String {
    let said = |cell: &Answer| exact_percent(cell.never.unwrap_or(0.0));
    if !cells.iter().any(|cell| cell.never.unwrap_or(0.0) > 0.0) {
        return String::new();
    }
    column(cells.iter().map(said).collect::<Vec<_>>().iter().map(String::as_str))
}

fn positions(cells: &[Answer], wanted: impl Fn(&Answer) -> bool) -> Vec<usize> {
    let found = cells.iter().enumerate().filter(|(_, cell)| wanted(cell));
    found.map(|(i, _)| i).collect()
}

/// Collects every note once, and the notes of each cell, unless every cell has them all.
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
