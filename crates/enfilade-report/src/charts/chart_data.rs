//! Data of a chart, taken from answers: axes, values, and their labels.

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};

use crate::text::labels;
use crate::text::median_tries::{self, MedianTriesUntilEvent};
use crate::text::number_format::decimals_to_first_digit;
use crate::text::sentences::{self, replace_control_chars};
use crate::text::short_labels;
use enfilade_model::combat::{MeasureHead, MeasureRoleBesideReports};
use enfilade_model::form::Value;
use enfilade_study::answer::{Answer, AnswerMethod, Estimate, OutcomeWithProbability};
use enfilade_study::parameters;

/// A grid axis with its values in the order of the file.
pub struct ChartAxis {
    /// Its path: `drm`, `target.morale`.
    pub path: String,
    /// Its name for players: "firepower".
    pub name: String,
    /// Its name with its unit: "range, hexes".
    pub title: String,
    values: IndexMap<String, Value>,
    labels: Vec<String>,
}

impl ChartAxis {
    /// Returns the axis `path` of these cells; `None` if they do not have it.
    pub fn from_axis_of_cells(cells: &[&Answer], path: &str) -> Option<ChartAxis> {
        let values = cells.iter().filter_map(|cell| key_and_value_on_axis(cell, path));
        let mut values: IndexMap<_, _> = values.collect();
        if path == CONTEST_AXIS_PATH {
            name_contests_apart(&mut values, cells);
        }
        let first = cells.iter().find(|cell| key_and_value_on_axis(cell, path).is_some())?;
        let label = |value: &Value| match path == CONTEST_AXIS_PATH {
            true => replace_control_chars(&value.to_string()),
            false => labels::value_label(first, path, value),
        };
        Some(ChartAxis {
            labels: values.values().map(label).collect(),
            name: labels::label_of_parameter(first, path),
            title: labels::axis_label_with_unit(first, path),
            path: path.to_owned(),
            values,
        })
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns the index of a cell on the axis; `None` if it is not on the axis.
    pub fn index_of_cell(&self, cell: &Answer) -> Option<usize> {
        let (key, _) = key_and_value_on_axis(cell, &self.path)?;
        self.values.get_index_of(&key)
    }

    /// Returns the labels of its values.
    pub fn labels_of_values(&self) -> Vec<String> {
        self.labels.clone()
    }

    /// Returns its values as numbers; `None` if they have no size.
    pub fn values_as_numbers(&self) -> Option<Vec<f64>> {
        self.values.values().map(short_labels::axis_value_as_number).collect()
    }
}

/// The axis along which whole contests are side by side.
pub const CONTEST_AXIS_PATH: &str = "contest";

/// Returns the key of a cell's value on an axis, and the value.
fn key_and_value_on_axis(cell: &Answer, path: &str) -> Option<(String, Value)> {
    if path == CONTEST_AXIS_PATH {
        return Some((cell.contest.to_string(), Value::Text(cell.name.clone())));
    }
    let axis = cell.axes.iter().find(|(name, _)| name == path);
    axis.map(|(_, value)| (value.to_string(), value.clone()))
}

/// The largest number of parameters that distinguish contests of one name.
const MAX_DISTINGUISHING_FIELDS: usize = 3;

/// Names contests of one name by the parameters in which they differ, or numbers them.
fn name_contests_apart(contests: &mut IndexMap<String, Value>, cells: &[&Answer]) {
    let names: Vec<_> = contests.values().map(ToString::to_string).collect();
    let firsts: Vec<_> =
        contests.keys().filter_map(|key| find_cell_of_contest(cells, key)).collect();
    let texts = if names.windows(2).all(|two| two[0] == two[1]) {
        describe_differing_parameters(&firsts)
    } else {
        None
    };
    for (number, (value, name)) in contests.values_mut().zip(&names).enumerate() {
        if let Some(text) = &texts {
            *value = Value::Text(text[number].clone());
        } else if names.iter().filter(|other| *other == name).count() > 1 {
            *value = Value::Text(format!("{name} ({})", number + 1));
        }
    }
}

fn find_cell_of_contest<'a>(cells: &[&'a Answer], contest: &str) -> Option<&'a Answer> {
    cells.iter().copied().find(|cell| cell.contest.to_string() == contest)
}

/// Describes the parameters in which the cells differ, one text each: "firepower 8". `None` for too
/// many parameters, or if two texts would be equal.
fn describe_differing_parameters(cells: &[&Answer]) -> Option<Vec<String>> {
    let parameters = |cell: &&Answer| -> IndexMap<String, Value> {
        let paths = parameters::file_paths_of_columns(&cell.params).into_iter();
        let values =
            parameters::column_names_and_values(&cell.params).into_iter().map(|(_, value)| value);
        paths.zip(values).collect()
    };
    let all: Vec<_> = cells.iter().map(parameters).collect();
    let chosen = cells
        .iter()
        .flat_map(|cell| parameters::non_default_values_by_path(&cell.action, &cell.params));
    let chosen: IndexSet<String> = chosen.map(|(path, _)| path).collect();
    // Values on an axis are labelled there.
    let varies =
        |path: &String| cells.iter().any(|cell| cell.axes.iter().any(|(at, _)| at == path));
    let apart = chosen.into_iter().filter(|path| !varies(path));
    let apart: Vec<_> =
        apart.filter(|path| all.iter().any(|own| own.get(path) != all[0].get(path))).collect();
    let describe = |(cell, own): (&&Answer, &IndexMap<String, Value>)| {
        let axis_values =
            apart.iter().filter_map(|path| Some((path.clone(), own.get(path)?.clone())));
        labels::parameter_phrases(cell, &axis_values.collect::<Vec<_>>()).join(", ")
    };
    let names: Vec<String> = cells.iter().zip(&all).map(describe).collect();
    let unique: IndexSet<_> = names.iter().filter(|name| !name.is_empty()).collect();
    (apart.len() <= MAX_DISTINGUISHING_FIELDS && unique.len() == cells.len()).then_some(names)
}

/// A value to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlottedValue {
    /// The exact value, or the simulated one where there is none.
    pub value: f64,
    /// The simulated value with its interval.
    pub simulated: Option<Estimate>,
}

/// Returns the value of a measure, in percent for probabilities; `None` without a finite number.
pub fn drawn_value_of_measure(cell: &Answer, measure: &str) -> Option<PlottedValue> {
    let found = cell.measure_answer_by_name(measure)?;
    if found.head.role == MeasureRoleBesideReports::Until {
        let median = MedianTriesUntilEvent::from_counted_tries(cell)?.median?;
        return Some(PlottedValue { value: f64::from(median), simulated: None });
    }
    let scale = found.head.kind.display_factor();
    let scaled =
        |e: Estimate| Estimate { value: scale * e.value, low: scale * e.low, high: scale * e.high };
    let finite = |e: &Estimate| e.value.is_finite() && e.low.is_finite() && e.high.is_finite();
    let simulated = found.simulated.map(scaled).filter(finite);
    let exact = found.exact.map(|exact| scale * exact).filter(|x| x.is_finite());
    let value = exact.or(simulated.map(|e| e.value))?;
    Some(PlottedValue { value, simulated })
}

/// Returns the title of a measure on an axis: "any break, %"; the median of tries, because their
/// mean would be truncated.
pub fn measure_axis_title(head: &MeasureHead) -> String {
    match head.role {
        MeasureRoleBesideReports::Until => median_tries::measure_or_median_label(head),
        _ => labels::measure_label_with_unit(head),
    }
}

/// Formats a value of a measure in few digits: a share in percent, or a number.
pub fn format_short_value(value: f64, share: bool) -> String {
    if share {
        return format_percent_or_inequality(value);
    }
    let decimals = (decimals_to_first_digit(value.abs()) + 2).min(6);
    let decimals = if value.abs() >= 10.0 { 1 } else { decimals };
    match value {
        0.0 => "0".to_owned(),
        _ => format!("{value:.decimals$}"),
    }
}

/// Formats percents to one decimal, with `<0.1` and `>99.9` near the ends.
pub fn format_percent_or_inequality(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        // The rounding of a sum is ignored.
        _ if (value - 100.0).abs() < 1e-10 => "100".to_owned(),
        _ if value < 0.05 => "<0.1".to_owned(),
        _ if value > 99.95 => ">99.9".to_owned(),
        _ => format!("{value:.1}"),
    }
}

/// Returns the share of an outcome in percent: exact, or else simulated.
pub fn outcome_percent(outcome: &OutcomeWithProbability) -> f64 {
    let share = outcome.best_available_chance();
    if share.is_finite() { 100.0 * share.clamp(0.0, 1.0) } else { 0.0 }
}

/// Returns the name of the axis in which the cells differ, and the label of each cell in order. If
/// they differ in several axes the name is empty and the labels contain the names of the axes.
pub fn differing_axis_and_labels(cells: &[&Answer]) -> (String, Vec<String>) {
    let mut paths: Vec<&str> = Vec::new();
    let axis_paths = cells.iter().flat_map(|cell| &cell.axes).map(|(path, _)| path.as_str());
    for path in std::iter::once(CONTEST_AXIS_PATH).chain(axis_paths) {
        // Neighbours are enough: where each equals the next, all are equal.
        let differs = cells
            .windows(2)
            .any(|two| key_and_value_on_axis(two[0], path) != key_and_value_on_axis(two[1], path));
        if differs && !paths.contains(&path) {
            paths.push(path);
        }
    }
    let describe = |cell: &Answer, path: &str| match key_and_value_on_axis(cell, path) {
        Some((_, value)) if path == CONTEST_AXIS_PATH => replace_control_chars(&value.to_string()),
        Some((_, value)) => labels::value_label(cell, path, &value),
        None => String::new(),
    };
    match paths[..] {
        [] => {
            (String::new(), cells.iter().map(|cell| sentences::describe_cell_place(cell)).collect())
        }
        [path] => (
            labels::label_of_parameter(cells[0], path),
            cells.iter().map(|cell| describe(cell, path)).collect(),
        ),
        _ => {
            let named = |cell: &Answer, path: &str| match key_and_value_on_axis(cell, path) {
                Some((_, value)) if path != CONTEST_AXIS_PATH => {
                    labels::axis_value_phrase(cell, path, &value)
                }
                _ => describe(cell, path),
            };
            let name = |cell: &&Answer| {
                let parts: Vec<_> = paths.iter().map(|path| named(cell, path)).collect();
                parts.join(", ")
            };
            (String::new(), cells.iter().map(name).collect())
        }
    }
}

/// Returns the distribution of one outcome field, value by value, in percent; `None` if the cell
/// does not count it or has no outcomes.
pub fn field_distribution_in_percent(cell: &Answer, field: &str) -> Option<BTreeMap<i64, f64>> {
    let column = cell.fields.iter().position(|head| head.name == field)?;
    let mut law = BTreeMap::new();
    for outcome in &cell.outcomes {
        *law.entry(i64::from(outcome.values[column])).or_insert(0.0) += outcome_percent(outcome);
    }
    (!law.is_empty()).then_some(law)
}

/// Describes the method: exact or simulated, N and seed, in a sentence or two.
pub fn describe_chart_method(cells: &[&Answer]) -> String {
    let exact = cells.iter().all(|cell| sentences::has_exact_distribution(cell));
    let simulated = cells.iter().any(|cell| cell.engine != AnswerMethod::ExactOnly);
    let seed = cells.first().map_or(0, |cell| cell.seed);
    let trials = sentences::describe_trials_of(cells.iter().copied());
    match (exact, simulated) {
        (_, false) => "Exact values; nothing was simulated.".to_owned(),
        (true, true) => {
            let agree = cells.iter().all(|cell| cell.agrees != Some(false));
            let verdict = if agree { "agrees" } else { "DISAGREES" };
            format!("Exact values. The simulation {verdict}: N = {trials}, seed {seed}.")
        }
        (false, true) => {
            if let Some(alone) = sentences::inexact_cells_note(cells.iter().copied()) {
                return format!("Exact values; {alone}: N = {trials}, seed {seed}.");
            }
            format!(
                "Simulated values, N = {trials}, seed {seed}; 95 % intervals are in the tables."
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    /// Six times a sixth is slightly below one in floating point.
    #[test]
    fn what_is_certain_is_100() {
        assert_eq!(format_percent_or_inequality(6.0 * (100.0 / 6.0) - 1.5e-14), "100");
        assert_eq!(
            (format_percent_or_inequality(100.0), format_percent_or_inequality(0.0)),
            ("100".into(), "0".into())
        );
        assert_eq!(
            (format_percent_or_inequality(99.96), format_percent_or_inequality(100.0 - 1e-9)),
            (">99.9".into(), ">99.9".into())
        );
        assert_eq!(
            (format_percent_or_inequality(1e-9), format_percent_or_inequality(33.34)),
            ("<0.1".into(), "33.3".into())
        );
    }

    #[test]
    fn axes_keep_the_order_of_the_file() {
        let answers = test_answers::build_grid();
        let cells: Vec<_> = answers.iter().collect();
        let axis = ChartAxis::from_axis_of_cells(&cells, "fp").expect("there is such an axis");
        assert_eq!(axis.labels_of_values(), ["1", "2", "4", "8"]);
        assert_eq!(axis.values_as_numbers(), Some(vec![1.0, 2.0, 4.0, 8.0]));
        assert_eq!(axis.index_of_cell(&answers[11]), Some(3));
        assert!(ChartAxis::from_axis_of_cells(&cells, "range").is_none());
    }

    #[test]
    fn numbers_are_short_and_never_lie_about_the_ends() {
        assert_eq!(format_percent_or_inequality(0.0), "0");
        assert_eq!(format_percent_or_inequality(0.04), "<0.1");
        assert_eq!(format_percent_or_inequality(46.942), "46.9");
        assert_eq!(format_percent_or_inequality(99.96), ">99.9");
        assert_eq!(format_percent_or_inequality(100.0), "100");
        let mean = |value| format_short_value(value, false);
        assert_eq!(mean(0.0), "0");
        assert_eq!(mean(1.23456), "1.23");
        assert_eq!(mean(12.3456), "12.3");
        assert_eq!(mean(0.00123), "0.00123");
    }

    #[test]
    fn what_is_no_number_is_not_drawn() {
        let mut answer = test_answers::squad_answer_from_36ths(Vec::new(), 4, 12);
        answer.measures[0].exact = Some(f64::NAN);
        let drawn = drawn_value_of_measure(&answer, "p_kill").expect("there is a simulated value");
        assert!((drawn.value - 11.1111).abs() < 1e-9);
        answer.measures[0].simulated = None;
        assert_eq!(drawn_value_of_measure(&answer, "p_kill"), None);
        assert_eq!(drawn_value_of_measure(&answer, "p_nothing"), None);
    }
}
