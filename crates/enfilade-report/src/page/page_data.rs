//! Data of a report page for its script: every cell of every contest, as columns of tokens.
//!
//! The format is private to this file and `page.js`. Numbers are texts, rounded in one place
//! ([`number_format`](crate::text::number_format)) and shortened by [`encode_exact_and_simulated`];
//! the page computes no probability. A [`PageDetailLevel`] limits the amount of data.

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::contest_toml::{TemplateTextOrAxis, build_template_from_cell};
use super::marginals::{FieldMarginalByCell, marginals_if_joint_is_long};
use super::number_token::{encode_exact_and_simulated, join_with_repeats_blank};
use super::outcome_columns::EncodedOutcomeDistributions;
use super::size_budget::PageDetailLevel;
use std::sync::Arc;

use crate::answers::answer_tables;
use crate::answers::zero_columns::ZeroColumns;
use crate::headline_measure;
use crate::text::median_tries::{self, MedianTriesUntilEvent};
use crate::text::number_format::format_exact_percent;
use crate::text::sentences::replace_control_chars;
use crate::text::short_labels;
use crate::text::{labels, sentences};
use enfilade_model::combat::{MeasureHead, MeasureRoleBesideReports};
use enfilade_model::form::Value;
use enfilade_model::form::sanitize::group_digits;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::ChartSpec;
use enfilade_study::file::toml_writer::format_toml_value;

/// The data that all contests of a page share, and the contests.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "PageData"))]
pub struct PageDataDocument {
    /// Name, label, unit and meaning of measures, each once.
    heads: Vec<[String; 4]>,
    contests: Vec<PageContest>,
}

/// One contest.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "PageContest"))]
struct PageContest {
    title: String,
    axes: Vec<PageAxis>,
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
    measures: Vec<PageMeasure>,
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
    alone: Vec<FieldMarginalByCell>,
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
    toml: Vec<TemplateTextOrAxis>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "PageAxis"))]
struct PageAxis {
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
struct PageMeasure {
    head: usize,
    odds: String,
}

/// Builds the data of `answers`, as much of it as `cut` allows.
pub fn build_page_data(answers: &[Answer], cut: PageDetailLevel) -> PageDataDocument {
    let mut heads = IndexSet::new();
    let contests = sentences::split_by_contest(answers);
    let contests = contests.map(|cells| page_data_of_contest(cells, cut, &mut heads)).collect();
    let heads = heads.into_iter().collect();
    PageDataDocument { heads, contests }
}

impl PageDataDocument {
    /// Draws what the file draws: the measure of its first chart, for each contest that has it.
    pub fn with_headline_from_charts(mut self, charts: &[ChartSpec]) -> PageDataDocument {
        for contest in &mut self.contests {
            let heads = &self.heads;
            let place = |name: &String| {
                contest.measures.iter().position(|measure| heads[measure.head][0] == *name)
            };
            let drawn = charts.iter().filter_map(|chart| chart.measure.as_ref());
            contest.headline = drawn.filter_map(place).next().unwrap_or(contest.headline);
        }
        self
    }
}

fn page_data_of_contest(
    cells: &[Answer],
    cut: PageDetailLevel,
    heads: &mut IndexSet<[String; 4]>,
) -> PageContest {
    let first = &cells[0];
    let idle = ZeroColumns::from_contest_cells(cells);
    let axes = collect_axes(cells);
    let trials: Vec<_> = cells.iter().map(|cell| group_digits(cell.trials)).collect();
    let laws = EncodedOutcomeDistributions::from_cells(cells, &idle, cut);
    // A colour is written once and referred to by its index, because a page has thousands of
    // outcomes.
    let mut inks = IndexSet::new();
    let inked =
        laws.light_and_dark_colors(cells).into_iter().map(|ink| inks.insert_full(ink).0).collect();
    let (notes, noted) = collect_notes(cells);
    let measures = build_measures(cells, &idle, cut, heads);
    PageContest {
        title: contest_list_title(first),
        at: grid_places_if_unordered(cells, &axes),
        axes: axes.iter().map(|(path, values)| page_data_of_axis(first, path, values)).collect(),
        first: first.cell,
        numbers: cell_numbers_if_gaps(cells),
        cells: cells.len(),
        trials: join_with_repeats_blank(trials.iter().map(String::as_str)),
        headline: headline_measure_index(cells, &measures, heads),
        measures,
        outcomes: laws.describe_outcomes(),
        inks: inks.into_iter().collect(),
        inked,
        alone: if cut.alone { marginals_if_joint_is_long(cells, &idle) } else { Vec::new() },
        laws: laws.laws,
        rarer: join_with_repeats_blank(laws.rarer.iter().map(String::as_str)),
        unsettled: encode_unfinished_shares(cells),
        never: encode_endless_shares(cells),
        disagree: indices_of_cells_where(cells, |cell| cell.agrees == Some(false)),
        notes,
        noted,
        toml: build_template_from_cell(first),
    }
}

/// Returns the title of a contest in a list of several.
fn contest_list_title(first: &Answer) -> String {
    let action_name = first.rulebook_and_action();
    if first.name == action_name {
        action_name
    } else {
        format!("{} ({action_name})", replace_control_chars(&first.name))
    }
}

/// The axes of a contest: path, and the values in the order of the cells.
type AxisWithValues = IndexMap<String, Value>;

fn collect_axes(cells: &[Answer]) -> Vec<(String, AxisWithValues)> {
    let paths = cells[0].axes.iter().enumerate();
    let of = |(i, (path, _)): (usize, &(String, Value))| {
        let values = cells.iter().filter_map(|cell| cell.axes.get(i));
        let values = values.map(|(_, value)| (format_toml_value(value), value.clone()));
        (path.clone(), values.collect())
    };
    paths.map(of).collect()
}

fn page_data_of_axis(first: &Answer, path: &str, values: &AxisWithValues) -> PageAxis {
    let field = first.action.fields.find_field_at_path(path);
    let signed = labels::are_axis_values_signed(field, &values.values().collect::<Vec<_>>());
    let describe = |value: &Value| match value {
        Value::Int(_) => labels::format_axis_number(value, signed),
        other => labels::value_label(first, path, other),
    };
    let words = |value: &Value| matches!(value, Value::Text(_) | Value::Flag(_));
    // Dice are ordered and not proportional: d12 is not three times d4.
    let number = |value: &Value| match value {
        Value::Die(_) => None,
        other => short_labels::axis_value_as_number(other),
    };
    PageAxis {
        name: replace_control_chars(path),
        label: labels::label_of_parameter(first, path),
        words: values.values().all(words),
        values: values.values().map(describe).collect(),
        toml: values.keys().cloned().collect(),
        numbers: values.values().map(number).collect(),
    }
}

fn grid_places_if_unordered(
    cells: &[Answer],
    axes: &[(String, AxisWithValues)],
) -> Option<Vec<usize>> {
    let place = |cell: &Answer| {
        let steps = cell.axes.iter().zip(axes);
        steps.fold(0, |place, ((_, value), (_, values))| {
            let position = values.get_index_of(&format_toml_value(value)).unwrap_or(0);
            place * values.len() + position
        })
    };
    let at: Vec<_> = cells.iter().map(place).collect();
    let in_order = at.iter().enumerate().all(|(i, place)| i == *place);
    (!in_order).then_some(at)
}

fn cell_numbers_if_gaps(cells: &[Answer]) -> Option<Vec<usize>> {
    let numbers: Vec<_> = cells.iter().map(|cell| cell.cell).collect();
    let follow = (numbers[0]..).zip(&numbers).all(|(a, b)| a == *b);
    (!follow).then_some(numbers)
}

fn build_measures(
    cells: &[Answer],
    idle: &ZeroColumns,
    cut: PageDetailLevel,
    heads: &mut IndexSet<[String; 4]>,
) -> Vec<PageMeasure> {
    let measures = sentences::collect_measures(cells).into_iter();
    let measures = measures.filter(|head| !idle.is_measure_zero(&head.name));
    let measures = measures.take(cut.measures);
    let measure = |head: Arc<MeasureHead>| {
        let (label, about) = label_and_meaning(&head);
        let words = [head.name.to_string(), label, head.kind.unit_sign().to_owned(), about];
        let tokens = cells.iter().map(|cell| encode_measure_of_cell(cell, &head.name, cut));
        let tokens: Vec<_> = tokens.collect();
        PageMeasure {
            // Contests of one action have the same heads, which are written once for the page.
            head: heads.insert_full(words).0,
            odds: join_with_repeats_blank(tokens.iter().map(String::as_str)),
        }
    };
    measures.map(measure).collect()
}

/// Returns the label and the meaning of a measure; of tries until an event, those of the median.
fn label_and_meaning(head: &MeasureHead) -> (String, String) {
    let about = match head.role {
        MeasureRoleBesideReports::Until => format!("{}: median number of tries", head.about),
        _ => head.about.to_string(),
    };
    (median_tries::measure_or_median_label(head), about)
}

fn encode_measure_of_cell(cell: &Answer, name: &str, cut: PageDetailLevel) -> String {
    let Some(measure) = cell.measure_answer_by_name(name) else {
        return encode_exact_and_simulated(None, None, "");
    };
    if let Some(until) = MedianTriesUntilEvent::from_measure(cell, measure) {
        let median = until.median.map(|median| median.to_string());
        let beyond = until.format_median();
        let beyond = median.is_none().then_some(&*beyond);
        let short = encode_exact_and_simulated(median.as_deref(), beyond, "");
        return format!("{short}||{} {}", until.format_share_within(), until.tries);
    }
    let odds = answer_tables::exact_and_simulated_cell(measure, cell.trials);
    cut.encode_odds_within_budget(&odds, measure.fraction.as_deref(), cell.trials)
}

/// Returns the index of the most informative measure, or 0 if it is left out.
fn headline_measure_index(
    cells: &[Answer],
    measures: &[PageMeasure],
    heads: &IndexSet<[String; 4]>,
) -> usize {
    let wanted = headline_measure::choose_headline_measure(&cells.iter().collect::<Vec<_>>());
    let is = |measure: &PageMeasure| {
        wanted.as_ref().is_some_and(|head| *head.name == heads[measure.head][0])
    };
    measures.iter().position(is).unwrap_or(0)
}

fn encode_unfinished_shares(cells: &[Answer]) -> String {
    let open = |cell: &Answer| cell.unsettled_trials > 0 || cell.unsettled.unwrap_or(0.0) > 0.0;
    if !cells.iter().any(open) {
        return String::new();
    }
    let texts = cells.iter().map(|cell| {
        let exact = cell.unsettled.map_or("–".to_owned(), format_exact_percent);
        format!("{exact} {}", group_digits(cell.unsettled_trials))
    });
    join_with_repeats_blank(texts.collect::<Vec<_>>().iter().map(String::as_str))
}

fn encode_endless_shares(cells: &[Answer]) -> String {
    let describe = |cell: &Answer| format_exact_percent(cell.never.unwrap_or(0.0));
    if !cells.iter().any(|cell| cell.never.unwrap_or(0.0) > 0.0) {
        return String::new();
    }
    join_with_repeats_blank(
        cells.iter().map(describe).collect::<Vec<_>>().iter().map(String::as_str),
    )
}

fn indices_of_cells_where(cells: &[Answer], is_wanted: impl Fn(&Answer) -> bool) -> Vec<usize> {
    let matching_cells = cells.iter().enumerate().filter(|(_, cell)| is_wanted(cell));
    matching_cells.map(|(i, _)| i).collect()
}

/// Collects every note once, and the notes of each cell, unless every cell has them all.
fn collect_notes(cells: &[Answer]) -> (Vec<String>, Option<Vec<Vec<usize>>>) {
    let notes: IndexSet<&String> = cells.iter().flat_map(|cell| &cell.notes).collect();
    let of = |cell: &Answer| -> Vec<usize> {
        let own = cell.notes.iter();
        own.filter_map(|note| notes.get_index_of(note)).collect()
    };
    let noted: Vec<_> = cells.iter().map(of).collect();
    let everywhere = noted.iter().all(|own| own.len() == notes.len());
    let notes = notes.iter().map(|note| replace_control_chars(note)).collect();
    (notes, (!everywhere).then_some(noted))
}
