//! Comparison of two experiments: matching cells, changed parameters, and the difference of each
//! measure.
//!
//! Contests match by name, the first of a name with the first; the remaining ones match in order,
//! if system and action are the same. For a rulebook from files the same action suffices, so that a
//! house rule is compared with the rule that it changes. Cells match if every axis has the same
//! value. Differences are B less A: exact where both are exact, and simulated with an interval
//! where both were simulated. Nothing is rolled here.

use std::cmp::Ordering;

use indexmap::IndexMap;

use super::answer::{Answer, Estimate, MeasureAnswer};
use super::parameters;
use enfilade_engine::exact::approximation::Approximation;
use enfilade_model::catalogue::{SourceFile, System};
use enfilade_model::combat::MeasureHead;
use enfilade_model::form::Value;
use enfilade_stats::difference::{ValueWithInterval, estimate_difference};
use enfilade_stats::intervals::Interval;

/// Comparison of two experiments.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ExperimentComparison<'a> {
    /// Matching cells, in the order of A.
    pub pairs: Vec<CellPair<'a>>,
    /// Cells that only A has.
    pub only_a: Vec<&'a Answer>,
    /// Cells that only B has.
    pub only_b: Vec<&'a Answer>,
    /// Parameters in which matching cells differ.
    pub changes: Vec<ParameterChange>,
}

/// Cell of A with the matching cell of B.
#[derive(Clone, Debug)]
pub struct CellPair<'a> {
    /// Cell of A.
    pub a: &'a Answer,
    /// Cell of B.
    pub b: &'a Answer,
    /// Measures that both report, in the order of A.
    pub differences: Vec<MeasureDifference<'a>>,
}

/// Difference of one measure of two cells.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MeasureDifference<'a> {
    /// Name, description and kind.
    pub head: &'a MeasureHead,
    /// Measure in A.
    pub a: &'a MeasureAnswer,
    /// Measure in B.
    pub b: &'a MeasureAnswer,
    /// Exact value of B less exact value of A.
    pub exact: Option<f64>,
    /// Simulated value of B less simulated value of A, with its 95 % interval.
    pub simulated: Option<Estimate>,
    /// Difference if one value is exact and the other simulated.
    pub mixed: Option<Estimate>,
}

impl MeasureDifference<'_> {
    /// Returns the best available difference: exact, or simulated with its interval, or one exact
    /// and one simulated.
    pub fn best_available(&self) -> Option<Estimate> {
        if let Some(value) = self.exact {
            return Some(Estimate { value, low: value, high: value });
        }
        self.simulated.or(self.mixed)
    }
}

/// Changed parameter.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ParameterChange {
    /// Name of the contest in A.
    pub contest: String,
    /// Column of the parameter, such as `target_morale`.
    pub name: String,
    /// Path of the parameter in files: `target.morale`.
    pub path: String,
    /// Value in A; `None` if it has none there.
    pub a: Option<Value>,
    /// Value in B.
    pub b: Option<Value>,
    /// First pair of cells with this difference.
    pub pair: usize,
    /// Number of pairs of cells with this difference.
    pub cells: usize,
}

impl<'a> ExperimentComparison<'a> {
    /// Compares the answers of two experiments.
    pub fn new(a: &'a [Answer], b: &'a [Answer]) -> ExperimentComparison<'a> {
        let mut comparison = ExperimentComparison::default();
        let mut found_in_b = vec![false; b.len()];
        let contests = match_contests_by_action(a, b);
        let mut places: IndexMap<CellCoordinates, usize> = IndexMap::new();
        for (index, cell) in b.iter().enumerate() {
            places.insert((cell.contest, sorted_axis_values_of_cell(cell)), index);
        }
        for cell in a {
            let partner = contests.get(&cell.contest).copied();
            let partner = partner
                .and_then(|contest| places.get(&(contest, sorted_axis_values_of_cell(cell))));
            match partner {
                Some(&index) => {
                    found_in_b[index] = true;
                    comparison.pairs.push(CellPair::new(cell, &b[index]));
                }
                None => comparison.only_a.push(cell),
            }
        }
        let left = b.iter().zip(found_in_b).filter(|(_, found)| !found);
        comparison.only_b = left.map(|(cell, _)| cell).collect();
        comparison.changes = collect_parameter_changes(&comparison.pairs);
        comparison
    }
}

/// Contest and the values of all axes, whatever their order.
type CellCoordinates = (usize, Vec<(String, String)>);

fn sorted_axis_values_of_cell(cell: &Answer) -> Vec<(String, String)> {
    let axis = |(path, value): &(String, Value)| (path.clone(), value.to_string());
    let mut axes: Vec<_> = cell.axes.iter().map(axis).collect();
    axes.sort();
    axes
}

/// Matches contests of A with contests of B.
fn match_contests_by_action(a: &[Answer], b: &[Answer]) -> IndexMap<usize, usize> {
    let (mut left_a, mut left_b) = (first_cells_of_contests(a), first_cells_of_contests(b));
    let mut matched = IndexMap::new();
    let same_name = |x: &Answer, y: &Answer| x.name == y.name;
    for same in [same_name as fn(&Answer, &Answer) -> bool, |_, _| true] {
        left_a.retain(|x| {
            let fits = |y: &&Answer| has_comparable_action(x, y) && same(x, y);
            let Some(place) = left_b.iter().position(fits) else {
                return true;
            };
            matched.insert(x.contest, left_b.remove(place).contest);
            false
        });
    }
    matched
}

/// Returns whether two contests ask the same question: the same action of one rulebook, or of two
/// of which one was read from files, such as a house rule and the rulebook that it extends.
fn has_comparable_action(a: &Answer, b: &Answer) -> bool {
    let read = a.system.is_from_text() || b.system.is_from_text();
    a.has_same_action(b) || read && a.action == b.action
}

/// Returns the first cell of every contest.
fn first_cells_of_contests(answers: &[Answer]) -> Vec<&Answer> {
    answers.chunk_by(|a, b| a.contest == b.contest).map(|cells| &cells[0]).collect()
}

impl<'a> CellPair<'a> {
    fn new(a: &'a Answer, b: &'a Answer) -> CellPair<'a> {
        let both = |measure: &'a MeasureAnswer| {
            let other = b.measure_answer_by_name(&measure.head.name)?;
            (other.head.kind == measure.head.kind)
                .then(|| MeasureDifference::new((measure, a.trials), (other, b.trials)))
        };
        CellPair { a, b, differences: a.measures.iter().filter_map(both).collect() }
    }

    /// Returns the difference of the measure called `name`; `None` if one side or both do not
    /// report it.
    pub fn difference_of_measure(&self, name: &str) -> Option<&MeasureDifference<'a>> {
        self.differences.iter().find(|found| found.head.name == name)
    }
}

impl<'a> MeasureDifference<'a> {
    /// Computes the difference of two measures with their numbers of trials.
    fn new(
        (a, n): (&'a MeasureAnswer, u64),
        (b, m): (&'a MeasureAnswer, u64),
    ) -> MeasureDifference<'a> {
        let exact = |measure: &MeasureAnswer| measure.exact.map(ValueWithInterval::from_exact);
        let bounded_value = |measure: &MeasureAnswer, trials| {
            measure.simulated.map(|e| bounded_value_of_estimate(e, trials))
        };
        let mixed = match (exact(a), exact(b)) {
            (Some(a), None) => Some(a).zip(bounded_value(b, m)),
            (None, Some(b)) => bounded_value(a, n).zip(Some(b)),
            _ => None,
        };
        MeasureDifference {
            head: &a.head,
            a,
            b,
            exact: exact_value_with_error_bound(a)
                .zip(exact_value_with_error_bound(b))
                .map(|(a, b)| difference_unless_overlapping(a, b)),
            simulated: bounded_value(a, n)
                .zip(bounded_value(b, m))
                .and_then(|(a, b)| difference_of_bounded(b, a)),
            mixed: mixed.and_then(|(a, b)| difference_of_bounded(b, a)),
        }
    }
}

/// Computes b − a; 0 if the numbers are equal within the error of exact numbers, which would look
/// like a change.
pub fn difference_or_zero_if_rounding(a: f64, b: f64) -> f64 {
    difference_unless_overlapping(
        Approximation::from_accumulated_rounding(a),
        Approximation::from_accumulated_rounding(b),
    )
}

/// Computes b − a of two numbers with errors; 0 if they are equal within these.
fn difference_unless_overlapping(a: Approximation, b: Approximation) -> f64 {
    match a.compare_overlapping_as_equal(b) {
        Ordering::Equal => 0.0,
        _ => b.value - a.value,
    }
}

/// Returns the exact value of a measure with a bound of its error.
fn exact_value_with_error_bound(measure: &MeasureAnswer) -> Option<Approximation> {
    Some(Approximation::new(measure.exact?, measure.error))
}

fn bounded_value_of_estimate(estimate: Estimate, trials: u64) -> ValueWithInterval {
    ValueWithInterval {
        value: estimate.value,
        interval: Interval { low: estimate.low, high: estimate.high },
        trials: Some(trials),
    }
}

fn difference_of_bounded(b: ValueWithInterval, a: ValueWithInterval) -> Option<Estimate> {
    let interval = estimate_difference(b, a);
    let estimate = Estimate { value: b.value - a.value, low: interval.low, high: interval.high };
    estimate.value.is_finite().then_some(estimate)
}

/// Collects the parameters in which pairs differ, each once per contest and pair of values.
fn collect_parameter_changes(pairs: &[CellPair<'_>]) -> Vec<ParameterChange> {
    let mut changes: IndexMap<[Option<String>; 4], ParameterChange> = IndexMap::new();
    for (number, pair) in pairs.iter().enumerate() {
        let (a, b) = (collect_parameters(pair.a), collect_parameters(pair.b));
        let names = a.keys().chain(b.keys().filter(|name| !a.contains_key(*name)));
        for name in names {
            let (old, new) = (a.get(name), b.get(name));
            let value = |side: Option<&ParameterAtPath>| side.map(|(_, value)| value.clone());
            let written = |side| value(side).map(|value| value.to_string());
            // Compared in writing: 2 may be a whole number here and 128 64ths in the other
            // rulebook.
            if written(old) == written(new) {
                continue;
            }
            let contest = pair.a.name.clone();
            let key = [Some(contest.clone()), Some(name.clone()), written(old), written(new)];
            let change = changes.entry(key).or_insert_with(|| ParameterChange {
                contest,
                name: name.clone(),
                path: old.or(new).map_or(name.clone(), |(path, _)| path.clone()),
                a: value(old),
                b: value(new),
                pair: number,
                cells: 0,
            });
            change.cells += 1;
        }
    }
    changes.into_values().collect()
}

/// Path of a parameter and its value.
type ParameterAtPath = (String, Value);

fn collect_parameters(cell: &Answer) -> IndexMap<String, ParameterAtPath> {
    let name = "rulebook".to_owned();
    let rulebook = (name.clone(), (name, Value::Text(rulebook_id_with_file_hashes(&cell.system))));
    let paths = parameters::file_paths_of_columns(&cell.params);
    let columns = parameters::column_names_and_values(&cell.params).into_iter().zip(paths);
    let columns = columns.map(|((name, value), path)| (name, (path, value)));
    [rulebook].into_iter().chain(columns).collect()
}

/// Returns a name of a rulebook that distinguishes it from others with the same id by the files
/// from which it was read.
fn rulebook_id_with_file_hashes(system: &System) -> String {
    let hash = |file: &SourceFile| file.sha256.chars().take(8).collect::<String>();
    let hashes: Vec<_> = system.files.iter().map(hash).collect();
    match system.is_from_text() {
        true => format!("{} ({})", system.id, hashes.join(" ")),
        false => system.id.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_no_change() {
        assert_eq!(difference_or_zero_if_rounding(0.1 + 0.2, 0.3), 0.0);
        assert_eq!(difference_or_zero_if_rounding(0.25, 0.5), 0.25);
        assert_eq!(difference_or_zero_if_rounding(1e6, 1e6 + 1e-7), 0.0);
        assert_eq!(difference_or_zero_if_rounding(0.0, 1e-9), 1e-9);
    }
}
