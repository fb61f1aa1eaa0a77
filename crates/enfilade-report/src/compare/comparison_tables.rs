//! Two experiments side by side as tables of text.

use indexmap::IndexSet;

use super::ShownCellLimit;
use crate::answers::answer_tables::{self, TablesOfContest};
use crate::blocks::{ReportTableCell, TextTable};
use crate::text::median_tries::MedianTriesUntilEvent;
use crate::text::{labels, measure_format, sentences};
use enfilade_model::form::Value;
use enfilade_model::form::sanitize::group_digits;
use enfilade_study::answer::{Answer, MeasureAnswer};
use enfilade_study::comparison::{
    CellPair, ExperimentComparison, MeasureDifference, ParameterChange,
};

/// The largest number of cells without a partner listed by name.
const MAX_UNPAIRED_CELLS_NAMED: usize = 12;

/// Builds one section per contest of A; with `most` only the cells that differ most, and only
/// measures that differ.
pub fn build_contest_sections(
    comparison: &ExperimentComparison<'_>,
    most: Option<ShownCellLimit>,
) -> Vec<TablesOfContest> {
    let contests = comparison.pairs.chunk_by(|a, b| a.a.contest == b.a.contest);
    contests.map(|pairs| section_of_contest(pairs, most)).collect()
}

fn section_of_contest(pairs: &[CellPair<'_>], most: Option<ShownCellLimit>) -> TablesOfContest {
    let (shown, cut) = select_shown_pairs(pairs, most);
    let idle = find_zero_measures(pairs);
    // A cell that is no contest has no measures.
    let first = pairs.iter().find(|pair| !pair.differences.is_empty()).unwrap_or(&pairs[0]);
    let mut heads: Vec<_> =
        first.a.axes.iter().map(|(path, _)| labels::label_of_parameter(first.a, path)).collect();
    let fixed = heads.len() + 1;
    heads.extend(["measure", "A", "B", "B less A"].map(str::to_owned));
    let same = if most.is_some() { find_unchanged_measures(pairs, &idle) } else { Vec::new() };
    // Means repeat the chances beside them.
    let shares = first.differences.iter().any(|found| found.head.kind.is_shown_in_percent());
    let is_shown = |difference: &MeasureDifference<'_>| {
        most.is_none() || !shares || difference.head.kind.is_shown_in_percent()
    };
    let busy = |difference: &&MeasureDifference<'_>| {
        let name = &&*difference.head.name;
        !idle.contains(name) && !same.contains(name) && is_shown(difference)
    };
    let row = |pair: &&CellPair<'_>| {
        let differences = pair.differences.iter().filter(busy);
        differences.map(|found| row_of_measure_difference(pair, found)).collect::<Vec<_>>()
    };
    let legend = first.differences.iter().filter(busy);
    let legend = legend.map(|found| answer_tables::explain_measure(found.head));
    let mut remarks: Vec<_> = cut.into_iter().collect();
    remarks.extend(describe_engines_of_both(pairs));
    if !idle.is_empty() {
        remarks.push(format!(
            "Always 0 in both and left out: {}.",
            join_labels_of_measures(first, &idle)
        ));
    }
    if !same.is_empty() {
        remarks.push(format!(
            "The same in both and left out: {}.",
            join_labels_of_measures(first, &same)
        ));
    }
    TablesOfContest {
        alone: Vec::new(),
        alone_first: false,
        title: title_of_compared_contests(first),
        parameters: None,
        measures: TextTable { heads, rows: shown.iter().flat_map(row).collect(), fixed },
        legend: legend.collect(),
        outcomes: None,
        remarks,
    }
}

/// Joins the labels of some measures of a pair.
fn join_labels_of_measures(pair: &CellPair<'_>, names: &[&str]) -> String {
    let named = names.iter().filter_map(|name| pair.difference_of_measure(name));
    let named: IndexSet<_> = named.map(|found| labels::measure_label(found.head)).collect();
    named.into_iter().collect::<Vec<_>>().join(", ")
}

/// Returns the pairs to show, in order, and the note on those left out.
fn select_shown_pairs<'p, 'a>(
    pairs: &'p [CellPair<'a>],
    most: Option<ShownCellLimit>,
) -> (Vec<&'p CellPair<'a>>, Option<String>) {
    let Some(ShownCellLimit { cells: most, rest }) = most.filter(|most| pairs.len() > most.cells)
    else {
        return (pairs.iter().collect(), None);
    };
    let size = |pair: &CellPair<'_>| {
        let sizes = pair.differences.iter().filter(|found| found.head.kind.is_shown_in_percent());
        let sizes = sizes.filter_map(|found| Some(found.best_available()?.value.abs()));
        sizes.fold(0.0, f64::max)
    };
    let mut order: Vec<_> = (0..pairs.len()).collect();
    order.sort_by(|&a, &b| size(&pairs[b]).total_cmp(&size(&pairs[a])));
    order.truncate(most);
    // Pairs are chosen by size and listed in the order of the file.
    order.sort_unstable();
    let all = group_digits(pairs.len() as u64);
    let cut = format!("The {most} of {all} cells that differ most; {rest}.");
    (order.into_iter().map(|index| &pairs[index]).collect(), Some(cut))
}

fn title_of_compared_contests(pair: &CellPair<'_>) -> String {
    let action_name = pair.a.rulebook_and_action();
    let names = match pair.a.name == pair.b.name {
        true => sentences::replace_control_chars(&pair.a.name),
        false => {
            format!(
                "{} / {}",
                sentences::replace_control_chars(&pair.a.name),
                sentences::replace_control_chars(&pair.b.name)
            )
        }
    };
    if names == action_name { action_name } else { format!("{names} ({action_name})") }
}

/// Returns the measures that are 0 in every cell of both.
fn find_zero_measures<'a>(pairs: &[CellPair<'a>]) -> Vec<&'a str> {
    let zero = |measure: &MeasureAnswer| {
        let simulated = measure.simulated.map_or(0.0, |estimate| estimate.value);
        measure.exact == Some(0.0) && simulated == 0.0
    };
    let always = |name: &str| {
        let mut differences = pairs.iter().filter_map(|pair| pair.difference_of_measure(name));
        differences.all(|found| zero(found.a) && zero(found.b))
    };
    measure_names_each_once(pairs).into_iter().filter(|name| always(name)).collect()
}

/// Returns the measures that are exactly equal in every pair.
fn find_unchanged_measures<'a>(pairs: &[CellPair<'a>], idle: &[&str]) -> Vec<&'a str> {
    let equal = |name: &str| {
        let mut differences = pairs.iter().filter_map(|pair| pair.difference_of_measure(name));
        differences.all(|found| found.exact == Some(0.0))
    };
    measure_names_each_once(pairs)
        .into_iter()
        .filter(|name| !idle.contains(name) && equal(name))
        .collect()
}

/// Returns the measures of some pairs, each once.
fn measure_names_each_once<'a>(pairs: &[CellPair<'a>]) -> IndexSet<&'a str> {
    let all = pairs.iter().flat_map(|pair| &pair.differences);
    all.map(|found| &*found.head.name).collect()
}

fn row_of_measure_difference(
    pair: &CellPair<'_>,
    difference: &MeasureDifference<'_>,
) -> Vec<ReportTableCell> {
    let axes = pair.a.axes.iter();
    let axes =
        axes.map(|(path, value)| answer_tables::axis_value_as_table_cell(pair.a, path, value));
    let name = ReportTableCell::Text(answer_tables::measure_label_with_unit(difference.head));
    let both = [
        answer_tables::value_or_median_tries_cell(pair.a, difference.a),
        answer_tables::value_or_median_tries_cell(pair.b, difference.b),
    ];
    axes.chain([name]).chain(both).chain([table_cell_of_difference(pair, difference)]).collect()
}

fn table_cell_of_difference(
    pair: &CellPair<'_>,
    difference: &MeasureDifference<'_>,
) -> ReportTableCell {
    if let (Some(a), Some(b)) = (
        MedianTriesUntilEvent::from_measure(pair.a, difference.a),
        MedianTriesUntilEvent::from_measure(pair.b, difference.b),
    ) {
        let less = a
            .median
            .zip(b.median)
            .map(|(a, b)| labels::format_axis_number(&Value::Int((b - a).into()), true));
        return ReportTableCell::Number(less.unwrap_or("–".to_owned()));
    }
    let kind = difference.head.kind;
    // If only one side is exact, the difference is as uncertain as the other.
    let estimate = difference.simulated.or(difference.mixed);
    ReportTableCell::Odds {
        exact: difference.exact.map(|value| {
            measure_format::format_exact_difference(kind.is_shown_in_percent(), value)
        }),
        simulated: estimate.map(|estimate| {
            measure_format::format_simulated_difference(kind.is_shown_in_percent(), &estimate)
        }),
    }
}

/// Describes how the numbers were computed, and whether the engines agree.
fn describe_engines_of_both(pairs: &[CellPair<'_>]) -> Vec<String> {
    let a: Vec<&Answer> = pairs.iter().map(|pair| pair.a).collect();
    let b: Vec<&Answer> = pairs.iter().map(|pair| pair.b).collect();
    let mut texts = Vec::new();
    for (name, answers) in [("A", &a), ("B", &b)] {
        let answers = answers.iter().copied();
        let mut sentences = vec![sentences::describe_method(answers.clone())];
        sentences.extend(sentences::describe_engine_agreement(answers.clone()));
        sentences.extend(sentences::unfinished_note(answers));
        texts.push(format!("{name}: {}", sentences.join(" ")));
    }
    if pairs.iter().any(|pair| pair.differences.iter().any(|found| found.simulated.is_some())) {
        texts.push("Behind a difference of simulated values, ± is the wider half of its 95 % interval (square and add: Newcombe 1998, Zou and Donner 2008).".to_owned());
    }
    texts.extend(sentences::collect_notes(a.into_iter().chain(b)));
    texts
}

/// Describes the changed parameters, one line each.
pub fn changed_parameter_lines(comparison: &ExperimentComparison<'_>) -> Vec<String> {
    if comparison.changes.is_empty() {
        return vec!["Nothing was changed.".to_owned()];
    }
    let line = |change: &ParameterChange| {
        let (contest, cells, path) =
            (&change.contest, count_cells_phrase(change.cells), &change.path);
        let CellPair { a, b, .. } = comparison.pairs[change.pair];
        let value = |cell: &Answer, value: &Option<Value>| {
            value.as_ref().map_or("none".to_owned(), |value| labels::value_label(cell, path, value))
        };
        let (old, new) = (value(a, &change.a), value(b, &change.b));
        let name = labels::label_of_parameter(if change.a.is_some() { a } else { b }, path);
        let number =
            |value: &Option<Value>| matches!(value, Some(Value::Int(_) | Value::Fraction(_)));
        let changed = match number(&change.a) && number(&change.b) {
            true => format!("{name} from {old} to {new}"),
            false => format!("{name}: {old} in A, {new} in B"),
        };
        sentences::replace_control_chars(&format!("Changed in {contest}, {cells}: {changed}."))
    };
    comparison.changes.iter().map(line).collect()
}

/// Describes the cells that only one side has, in a line; `None` without any.
pub fn cells_of_one_side_note(side: &str, alone: &[&Answer]) -> Option<String> {
    if alone.is_empty() {
        return None;
    }
    let places: Vec<_> = alone
        .iter()
        .take(MAX_UNPAIRED_CELLS_NAMED)
        .map(|cell| sentences::describe_cell_place(cell))
        .collect();
    let more = match alone.len() > MAX_UNPAIRED_CELLS_NAMED {
        true => format!("; and {} more", alone.len() - MAX_UNPAIRED_CELLS_NAMED),
        false => String::new(),
    };
    Some(format!(
        "Only in {side}, {}: {}{more}.",
        count_cells_phrase(alone.len()),
        places.join("; ")
    ))
}

fn count_cells_phrase(count: usize) -> String {
    match count {
        1 => "1 cell".to_owned(),
        _ => format!("{} cells", group_digits(count as u64)),
    }
}
