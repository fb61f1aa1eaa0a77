//! Data of a chart, taken from answers: axes, values, and their labels.

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};

use crate::text::labels;
use crate::text::median_tries::{self, Until};
use crate::text::number_format::decimals_of;
use crate::text::sentences::{self, clean};
use crate::text::short_labels;
use enfilade_model::combat::{MeasureHead, Role};
use enfilade_model::form::Value;
use enfilade_study::answer::{Answer, Engine, Estimate, OutcomeAnswer};
use enfilade_study::parameters;

/// A grid axis with its values in the order of the file.
pub struct Axis {
    /// Its path: `drm`, `target.morale`.
    pub path: String,
    /// Its name for players: "firepower".
    pub name: String,
    /// Its name with its unit: "range, hexes".
    pub title: String,
    values: IndexMap<String, Value>,
    labels: Vec<String>,
}

impl Axis {
    /// Returns the axis `path` of these cells; `None` if they do not have it.
    pub fn of(cells: &[&Answer], path: &str) -> Option<Axis> {
        let values = cells.iter().filter_map(|cell| value_at(cell, path));
        let mut values: IndexMap<_, _> = values.collect();
        if path == CONTEST {
            tell_apart(&mut values, cells);
        }
        let first = cells.iter().find(|cell| value_at(cell, path).is_some())?;
        let label = |value: &Value| match path == CONTEST {
            true => clean(&value.to_string()),
            false => labels::value(first, path, value),
        };
        Some(Axis {
            labels: values.values().map(label).collect(),
            name: labels::axis(first, path),
            title: labels::axis_with_unit(first, path),
            path: path.to_owned(),
            values,
        })
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns the index of a cell on the axis; `None` if it is not on the axis.
    pub fn position(&self, cell: &Answer) -> Option<usize> {
        let (key, _) = value_at(cell, &self.path)?;
        self.values.get_index_of(&key)
    }

    /// Returns the labels of its values.
    pub fn labels(&self) -> Vec<String> {
        self.labels.clone()
    }

    /// Returns its values as numbers; `None` if they have no size.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.values.values().map(short_labels::number).collect()
    }
}

/// The axis along which whole contests are side by side.
pub const CONTEST: &str = "contest";

/// Returns the key of a cell's value on an axis, and the value.
fn value_at(cell: &Answer, path: &str) -> Option<(String, Value)> {
    if path == CONTEST {
        return Some((cell.contest.to_string(), Value::Text(cell.name.clone())));
    }
    let axis = cell.axes.iter().find(|(name, _)| name == path);
    axis.map(|(_, value)| (value.to_string(), value.clone()))
}

/// The largest number of parameters that distinguish contests of one name.
const APART: usize = 3;

/// Names contests of one name by the parameters in which they differ, or numbers them.
fn tell_apart(contests: &mut IndexMap<String, Value>, cells: &[&Answer]) {
    let names: Vec<_> = contests.values().map(ToString::to_string).collect();
    let firsts: Vec<_> = contests.keys().filter_map(|key| first_of(cells, key)).collect();
    let said = if names.windows(2).all(|two| two[0] == two[1]) { differing(&firsts) } else { None };
    for (number, (value, name)) in contests.values_mut().zip(&names).enumerate() {
        if let Some(said) = &said {
            *value = Value::Text(said[number].clone());
        } else if names.iter().filter(|other| *other == name).count() > 1 {
            *value = Value::Text(format!("{name} ({})", number + 1));
        }
    }
}

fn first_of<'a>(cells: &[&'a Answer], contest: &str) -> Option<&'a Answer> {
    cells.iter().copied().find(|cell| cell.contest.to_string() == contest)
}

/// Describes the parameters in which the cells differ, one text each: "firepower 8". `None` for too
/// many parameters, or if two texts would be equal.
fn differing(cells: &[&Answer]) -> Option<Vec<String>> {
    let given = |cell: &&Answer| -> IndexMap<String, Value> {
        let paths = parameters::paths(&cell.params).into_iter();
        let values = parameters::flattened(&cell.params).into_iter().map(|(_, value)| value);
        paths.zip(values).collect()
    };
    let all: Vec<_> = cells.iter().map(given).collect();
    let chosen = cells.iter().flat_map(|cell| parameters::chosen_at(&cell.action, &cell.params));
    let chosen: IndexSet<String> = chosen.map(|(path, _)| path).collect();
    // Values on an axis are labelled there.
    let varies =
        |path: &String| cells.iter().any(|cell| cell.axes.iter().any(|(at, _)| at == path));
    let apart = chosen.into_iter().filter(|path| !varies(path));
    let apart: Vec<_> =
        apart.filter(|path| all.iter().any(|own| own.get(path) != all[0].get(path))).collect();
    let said = |(cell, own): (&&Answer, &IndexMap<String, Value>)| {
        let known = apart.iter().filter_map(|path| Some((path.clone(), own.get(path)?.clone())));
        labels::given(cell, &known.collect::<Vec<_>>()).join(", ")
    };
    let names: Vec<String> = cells.iter().zip(&all).map(said).collect();
    let unique: IndexSet<_> = names.iter().filter(|name| !name.is_empty()).collect();
    (apart.len() <= APART && unique.len() == cells.len()).then_some(names)
}

/// A value to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The exact value, or the simulated one where there is none.
    pub value: f64,
    /// The simulated value with its interval.
    pub simulated: Option<Estimate>,
}

/// Returns the value of a measure, in percent for probabilities; `None` without a finite number.
pub fn point(cell: &Answer, measure: &str) -> Option<Point> {
    let found = cell.measure(measure)?;
    if found.head.role == Role::Until {
        let median = Until::told(cell)?.median?;
        return Some(Point { value: f64::from(median), simulated: None });
    }
    let scale = found.head.kind.display();
    let scaled =
        |e: Estimate| Estimate { value: scale * e.value, low: scale * e.low, high: scale * e.high };
    let finite = |e: &Estimate| e.value.is_finite() && e.low.is_finite() && e.high.is_finite();
    let simulated = found.simulated.map(scaled).filter(finite);
    let exact = found.exact.map(|exact| scale * exact).filter(|x| x.is_finite());
    let value = exact.or(simulated.map(|e| e.value))?;
    Some(Point { value, simulated })
}

/// Returns the title of a measure on an axis: "any break, %"; the median of tries, because their
/// mean would be truncated.
pub fn measured(head: &MeasureHead) -> String {
    match head.role {
        Role::Until => median_tries::label(head),
        _ => labels::measure_with_unit(head),
    }
}

/// Formats a value of a measure in few digits: a share in percent, or a number.
pub fn short(value: f64, share: bool) -> String {
    if share {
        return percent(value);
    }
    let decimals = (decimals_of(value.abs()) + 2).min(6);
    let decimals = if value.abs() >= 10.0 { 1 } else { decimals };
    match value {
        0.0 => "0".to_owned(),
        _ => format!("{value:.decimals$}"),
    }
}

/// Formats percents to one decimal, with `<0.1` and `>99.9` near the ends.
pub fn percent(value: f64) -> String {
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
pub fn share(outcome: &OutcomeAnswer) -> f64 {
    let share = outcome.likelihood();
    if share.is_finite() { 100.0 * share.clamp(0.0, 1.0) } else { 0.0 }
}

/// Returns the name of the axis in which the cells differ, and the label of each cell in order. If
/// they differ in several axes the name is empty and the labels contain the names of the axes.
pub fn told_apart(cells: &[&Answer]) -> (String, Vec<String>) {
    let mut paths: Vec<&str> = Vec::new();
    let known = cells.iter().flat_map(|cell| &cell.axes).map(|(path, _)| path.as_str());
    for path in std::iter::once(CONTEST).chain(known) {
        // Neighbours are enough: where each equals the next, all are equal.
        let differs = cells.windows(2).any(|two| value_at(two[0], path) != value_at(two[1], path));
        if differs && !paths.contains(&path) {
            paths.push(path);
        }
    }
    let said = |cell: &Answer, path: &str| match value_at(cell, path) {
        Some((_, value)) if path == CONTEST => clean(&value.to_string()),
        Some((_, value)) => labels::value(cell, path, &value),
        None => String::new(),
    };
    match paths[..] {
        [] => (String::new(), cells.iter().map(|cell| sentences::place(cell)).collect()),
        [path] => {
            (labels::axis(cells[0], path), cells.iter().map(|cell| said(cell, path)).collect())
        }
        _ => {
            let named = |cell: &Answer, path: &str| match value_at(cell, path) {
                Some((_, value)) if path != CONTEST => labels::at(cell, path, &value),
                _ => said(cell, path),
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
pub fn law_of(cell: &Answer, field: &str) -> Option<BTreeMap<i64, f64>> {
    let column = cell.fields.iter().position(|head| head.name == field)?;
    let mut law = BTreeMap::new();
    for outcome in &cell.outcomes {
        *law.entry(i64::from(outcome.values[column])).or_insert(0.0) += share(outcome);
    }
    (!law.is_empty()).then_some(law)
}

/// Describes the method: exact or simulated, N and seed, in a sentence or two.
pub fn made(cells: &[&Answer]) -> String {
    let exact = cells.iter().all(|cell| sentences::has_exact(cell));
    let simulated = cells.iter().any(|cell| cell.engine != Engine::ExactOnly);
    let seed = cells.first().map_or(0, |cell| cell.seed);
    let trials = sentences::trials_of(cells.iter().copied());
    match (exact, simulated) {
        (_, false) => "Exact values; nothing was simulated.".to_owned(),
        (true, true) => {
            let agree = cells.iter().all(|cell| cell.agrees != Some(false));
            let verdict = if agree { "agrees" } else { "DISAGREES" };
            format!("Exact values. The simulation {verdict}: N = {trials}, seed {seed}.")
        }
        (false, true) => {
            if let Some(alone) = sentences::alone(cells.iter().copied()) {
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
        assert_eq!(percent(6.0 * (100.0 / 6.0) - 1.5e-14), "100");
        assert_eq!((percent(100.0), percent(0.0)), ("100".into(), "0".into()));
        assert_eq!((percent(99.96), percent(100.0 - 1e-9)), (">99.9".into(), ">99.9".into()));
        assert_eq!((percent(1e-9), percent(33.34)), ("<0.1".into(), "33.3".into()));
    }

    #[test]
    fn axes_keep_the_order_of_the_file() {
        let answers = test_answers::grid();
        let cells: Vec<_> = answers.iter().collect();
        let axis = Axis::of(&cells, "fp").expect("there is such an axis");
        assert_eq!(axis.labels(), ["1", "2", "4", "8"]);
        assert_eq!(axis.numbers(), Some(vec![1.0, 2.0, 4.0, 8.0]));
        assert_eq!(axis.position(&answers[11]), Some(3));
        assert!(Axis::of(&cells, "range").is_none());
    }

    #[test]
    fn numbers_are_short_and_never_lie_about_the_ends() {
        assert_eq!(percent(0.0), "0");
        assert_eq!(percent(0.04), "<0.1");
        assert_eq!(percent(46.942), "46.9");
        assert_eq!(percent(99.96), ">99.9");
        assert_eq!(percent(100.0), "100");
        let mean = |value| short(value, false);
        assert_eq!(mean(0.0), "0");
        assert_eq!(mean(1.23456), "1.23");
        assert_eq!(mean(12.3456), "12.3");
        assert_eq!(mean(0.00123), "0.00123");
    }

    #[test]
    fn what_is_no_number_is_not_drawn() {
        let mut answer = test_answers::answer(Vec::new(), 4, 12);
        answer.measures[0].exact = Some(f64::NAN);
        let drawn = point(&answer, "p_kill").expect("there is a simulated value");
        assert!((drawn.value - 11.1111).abs() < 1e-9);
        answer.measures[0].simulated = None;
        assert_eq!(point(&answer, "p_kill"), None);
        assert_eq!(point(&answer, "p_nothing"), None);
    }
}
