//! Filter of a design space: the cells that meet conditions, the best of them, or those that no
//! other cell beats in every goal.
//!
//! Filtering the results of filtered shards gives the result of filtering the whole, so shards
//! filter their own cells, and a thousand million cells end in a table that a person can read.
//!
//! Equality is defined in one module, [`approximation`](enfilade_engine::exact::approximation): a
//! chance of 1/2 meets `>= 0.5` however it was added up. If a value and a bound are equal within
//! their errors, the contest is solved again in fractions, if it is small, and the fraction
//! decides.

use std::cmp::Ordering;

use enfilade_engine::exact::approximation::{Approximation, COMPUTED_RELATIVE_ERROR};
use enfilade_model::form::sanitize::shorten_and_make_safe;

pub(crate) mod comparison_edge;
#[doc(hidden)]
pub mod omitted_cells;

/// Comparison of a measure with a number.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureBoundCondition {
    /// Measure.
    pub measure: String,
    /// Comparison sign.
    pub sign: ComparisonOperator,
    /// Bound.
    pub bound: f64,
}

/// Comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonOperator {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
}

/// Measure to maximize or to minimize.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureGoal {
    /// Measure.
    pub measure: String,
    /// Whether less is better.
    pub least: bool,
}

/// Filter of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct CellSearch {
    /// Conditions that a cell must meet.
    pub keep: Vec<MeasureBoundCondition>,
    /// Number of cells, and the goal by which the best are chosen.
    pub best: Option<(usize, MeasureGoal)>,
    /// Goals of the Pareto front: cells that no other cell equals in all goals and beats in one; of
    /// equal ones the first.
    pub front: Vec<MeasureGoal>,
}

impl ComparisonOperator {
    /// Parses a sign; `None` for any other text.
    pub fn parse_comparison_sign(text: &str) -> Option<ComparisonOperator> {
        Some(match text {
            "<" => ComparisonOperator::Less,
            "<=" => ComparisonOperator::AtMost,
            ">" => ComparisonOperator::More,
            ">=" => ComparisonOperator::AtLeast,
            "==" => ComparisonOperator::Equal,
            _ => return None,
        })
    }

    /// Returns whether two numbers that compare like this meet the condition.
    pub fn accepts_ordering(self, ordering: Ordering) -> bool {
        match self {
            ComparisonOperator::Less => ordering.is_lt(),
            ComparisonOperator::AtMost => ordering.is_le(),
            ComparisonOperator::More => ordering.is_gt(),
            ComparisonOperator::AtLeast => ordering.is_ge(),
            ComparisonOperator::Equal => ordering.is_eq(),
        }
    }
}

impl MeasureBoundCondition {
    /// Parses conditions joined by `and`: `p_kill > 0.3 and p_pin < 0.2`.
    ///
    /// # Errors
    /// The part that is not a condition.
    pub fn parse_conditions(text: &str) -> Result<Vec<MeasureBoundCondition>, String> {
        let one = |part: &str| {
            let read = match part.split_whitespace().collect::<Vec<_>>()[..] {
                [measure, sign, bound] => ComparisonOperator::parse_comparison_sign(sign)
                    .zip(decimal_or_ratio_as_f64(bound))
                    .map(|read| (measure, read)),
                _ => None,
            };
            let read = read.filter(|(_, (_, bound))| f64::is_finite(*bound));
            let (measure, (sign, bound)) =
                read.ok_or_else(|| shorten_and_make_safe(part.trim()))?;
            Ok(MeasureBoundCondition { measure: measure.to_owned(), sign, bound })
        };
        text.split(" and ").map(one).collect()
    }

    /// Returns whether a whole number, or another exact number, meets the condition.
    pub fn is_met_by_exact_value(&self, value: f64) -> bool {
        value.partial_cmp(&self.bound).is_some_and(|ordering| self.sign.accepts_ordering(ordering))
    }

    /// Returns the size of the miss, relative to the bound or, for a bound below 1, absolute; 0 if
    /// the condition is met, and `None` if the value is unknown.
    fn miss_distance(&self, of: &impl MeasurableCell) -> Option<f64> {
        let value = find_measure_value(of, &self.measure)?;
        let (ordering, edge) = self.compare_with_bound(value, of);
        let distance = (value.value - self.bound).abs() / self.bound.abs().max(1.0);
        let holds = edge == Some(TieAtConditionBound::Open) || self.sign.accepts_ordering(ordering);
        // Equality misses `<` all the same.
        Some(if holds { 0.0 } else { distance.max(f64::MIN_POSITIVE) })
    }

    /// Compares a value with the bound, in fractions if both are equal within their errors and the
    /// contest is small.
    fn compare_with_bound(
        &self,
        value: Approximation,
        of: &impl MeasurableCell,
    ) -> (Ordering, Option<TieAtConditionBound>) {
        let wanted = Approximation::from_rounded(self.bound);
        match value.compare_overlapping_as_equal(wanted) {
            Ordering::Equal if value.error > 0.0 => {
                match of.compute_measure_by_fractions(&self.measure) {
                    Some(sharp) => {
                        let ordering = sharp.compare_overlapping_as_equal(wanted);
                        (ordering, ordering.is_eq().then_some(TieAtConditionBound::Tie))
                    }
                    None if value.error > MAX_ROUNDING_ERROR * value.value.abs() => {
                        (Ordering::Equal, Some(TieAtConditionBound::Open))
                    }
                    None => (Ordering::Equal, Some(TieAtConditionBound::Near)),
                }
            }
            ordering => (ordering, None),
        }
    }

    /// Describes the position of a rounded or unfinished value at the bound; `None` if it is not at
    /// the edge.
    fn describe_undecided_condition(&self, of: &impl MeasurableCell) -> Option<String> {
        let (_, edge) = self.compare_with_bound(find_measure_value(of, &self.measure)?, of);
        let MeasureBoundCondition { measure, bound, .. } = self;
        Some(match edge? {
            TieAtConditionBound::Tie => format!("{measure} = {bound}: equal by fractions"),
            TieAtConditionBound::Near => {
                format!("{measure} ≈ {bound}: equal within the error of rounding")
            }
            TieAtConditionBound::Open => {
                format!("{measure} ? {bound}: the unfinished part reaches over it")
            }
        })
    }
}

/// Position of a value at the edge of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TieAtConditionBound {
    /// Equal by fractions.
    Tie,
    /// Equal within the rounding error.
    Near,
    /// The unfinished part reaches over the bound.
    Open,
}

/// Relative error above which it is not due to rounding.
const MAX_ROUNDING_ERROR: f64 = 1000.0 * COMPUTED_RELATIVE_ERROR;

/// Returns the value of a measure, unless it is NaN.
fn find_measure_value(of: &impl MeasurableCell, measure: &str) -> Option<Approximation> {
    of.measure_with_error(measure).filter(|found| !found.value.is_nan())
}

/// Parses a number as a file writes it: `0.5`, or `31/36`.
fn decimal_or_ratio_as_f64(text: &str) -> Option<f64> {
    match text.split_once('/') {
        None => text.parse().ok(),
        Some((numerator, denominator)) => {
            let [n, d] = [numerator, denominator].map(|part| part.parse::<i32>().ok());
            Some(f64::from(n?) / f64::from(d.filter(|d| *d > 0)?))
        }
    }
}

impl MeasureGoal {
    /// Parses a goal: a measure, with `-` in front if less is better.
    pub fn parse_goal(text: &str) -> MeasureGoal {
        let text = text.trim();
        let measure = text.trim_start_matches('-').trim().to_owned();
        MeasureGoal { measure, least: text.starts_with('-') }
    }

    /// Returns the objective value: more is better, and numbers that compare as equal have equal
    /// values.
    fn goal_merit(&self, of: &impl MeasurableCell) -> Option<f64> {
        let value = find_measure_value(of, &self.measure)?;
        let key = value
            .sorting_key_if_certain()
            .or_else(|| of.compute_measure_by_fractions(&self.measure)?.sorting_key_if_certain());
        let key = key.unwrap_or_else(|| value.nearest_sorting_key());
        // Subtracted, so that 0 does not become −0.
        Some(if self.least { 0.0 - key } else { key })
    }
}

/// Cell whose measures can be compared with numbers.
pub trait MeasurableCell {
    /// Returns the value of a measure with a bound of its error; `None` if it is unknown.
    fn measure_with_error(&self, measure: &str) -> Option<Approximation>;

    /// Computes the value in fractions, rounded once; `None` if that is not possible or takes long.
    fn compute_measure_by_fractions(&self, measure: &str) -> Option<Approximation>;
}

/// Verdict of a search on a single cell.
#[derive(Clone, Debug, PartialEq)]
pub enum CellSearchVerdict {
    /// The cell does not meet the conditions: the size of each miss.
    Out(Vec<f64>),
    /// The cell meets the conditions: its objective values.
    In(Vec<f64>),
    /// A required value is unknown.
    Unknown,
}

impl CellSearch {
    /// Returns whether cells are compared with each other, and not with the conditions alone.
    pub fn compares_cells(&self) -> bool {
        self.best.is_some() || !self.front.is_empty()
    }

    /// Returns the goals, in the order of the file.
    pub fn goals_in_file_order(&self) -> impl Iterator<Item = &MeasureGoal> {
        self.best.iter().map(|(_, goal)| goal).chain(&self.front)
    }

    /// Describes the conditions at whose edge a cell is.
    pub(super) fn describe_undecided_conditions(&self, of: &impl MeasurableCell) -> Vec<String> {
        self.keep
            .iter()
            .filter_map(|condition| condition.describe_undecided_condition(of))
            .collect()
    }

    /// Judges a cell by exact values, or by simulated ones where there are none.
    pub fn judge_cell(&self, of: &impl MeasurableCell) -> CellSearchVerdict {
        let misses = self.keep.iter().map(|condition| condition.miss_distance(of));
        let misses: Vec<_> = misses.collect();
        if misses.iter().any(|miss| miss.is_some_and(|miss| miss > 0.0)) {
            // An unknown value is no nearer than a known one that misses.
            let misses = misses.into_iter().map(|miss| miss.unwrap_or(f64::INFINITY));
            return CellSearchVerdict::Out(misses.collect());
        }
        if misses.contains(&None) {
            return CellSearchVerdict::Unknown;
        }
        let merits = self.goals_in_file_order().map(|goal| goal.goal_merit(of));
        merits.collect::<Option<_>>().map_or(CellSearchVerdict::Unknown, CellSearchVerdict::In)
    }
}

/// Candidates of a search that [compares_cells](CellSearch::compares_cells) cells: the best, or the
/// front, of the cells so far.
#[derive(Debug)]
pub struct BestCellsSoFar<'a, T> {
    search: &'a CellSearch,
    candidates: Vec<CellSearchCandidate<T>>,
    aside: Vec<T>,
}

#[derive(Debug)]
struct CellSearchCandidate<T> {
    merits: Vec<f64>,
    cell: u64,
    what: T,
}

impl<'a, T> BestCellsSoFar<'a, T> {
    /// Creates a filter without candidates.
    pub fn new(search: &'a CellSearch) -> BestCellsSoFar<'a, T> {
        BestCellsSoFar { search, candidates: Vec::new(), aside: Vec::new() }
    }

    /// Returns the number of candidates.
    pub fn len(&self) -> usize {
        self.candidates.len() + self.aside.len()
    }

    /// Returns whether there are no candidates.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a value that is always reported, after all others.
    pub fn add_always_reported(&mut self, what: T) {
        self.aside.push(what);
    }

    /// Adds a cell with these objective values, if it is good enough. Of equal ones the first cell
    /// counts, so that the result does not depend on how the work was cut.
    pub fn add_if_good_enough(&mut self, cell: u64, merits: Vec<f64>, what: T) {
        let new = CellSearchCandidate { merits, cell, what };
        match &self.search.best {
            Some((count, _)) => {
                let before = |old: &CellSearchCandidate<T>| {
                    (old.merits[0], new.cell) > (new.merits[0], old.cell)
                };
                let place = self.candidates.partition_point(before);
                self.candidates.insert(place, new);
                self.candidates.truncate(*count);
            }
            None if self.candidates.iter().any(|old| old.dominates(&new)) => {}
            None => {
                self.candidates.retain(|old| !new.dominates(old));
                self.candidates.push(new);
            }
        }
    }

    /// Returns the candidates: the best in their order, a front in the order of the cells.
    pub fn into_candidates(mut self) -> Vec<T> {
        if self.search.best.is_none() {
            self.candidates.sort_by_key(|kept| kept.cell);
        }
        self.candidates.into_iter().map(|kept| kept.what).chain(self.aside).collect()
    }
}

impl<T> CellSearchCandidate<T> {
    /// Returns whether this candidate is nowhere worse, and better somewhere or of an earlier cell.
    fn dominates(&self, other: &CellSearchCandidate<T>) -> bool {
        self.merits.iter().zip(&other.merits).all(|(a, b)| a >= b)
            && (self.merits != other.merits || self.cell <= other.cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cell with one measure, `p`, and its error; nothing can be solved in fractions.
    struct Cell(f64, f64);

    impl MeasurableCell for Cell {
        fn measure_with_error(&self, measure: &str) -> Option<Approximation> {
            (measure == "p").then(|| Approximation::new(self.0, self.1))
        }

        fn compute_measure_by_fractions(&self, _: &str) -> Option<Approximation> {
            None
        }
    }

    fn search(keep: &str, best: Option<(usize, &str)>) -> CellSearch {
        CellSearch {
            keep: MeasureBoundCondition::parse_conditions(keep).expect("conditions"),
            best: best.map(|(count, goal)| (count, MeasureGoal::parse_goal(goal))),
            front: Vec::new(),
        }
    }

    #[test]
    fn a_condition_is_met_missed_by_so_much_or_open() {
        let met = CellSearchVerdict::In(Vec::new());
        let at_least = |cell| search("p >= 0.5", None).judge_cell(&cell);
        assert_eq!(at_least(Cell(0.75, 0.0)), met);
        assert_eq!(at_least(Cell(0.5, 0.0)), met);
        assert_eq!(at_least(Cell(0.25, 0.0)), CellSearchVerdict::Out(vec![0.25]));
        // The unfinished part reaches over the bound: nobody knows, and the cell stays.
        assert_eq!(at_least(Cell(0.25, 0.3)), met);
        // The bound itself misses `<`, by next to nothing.
        let verdict = search("p < 0.5", None).judge_cell(&Cell(0.5, 0.0));
        assert!(matches!(&verdict, CellSearchVerdict::Out(by) if by[0] > 0.0 && by[0] < 1e-9));
        let unknown = search("q < 0.5", None).judge_cell(&Cell(0.5, 0.0));
        assert_eq!(unknown, CellSearchVerdict::Unknown);
    }

    /// A number that is known exactly is at no edge, and a rounded one is, above 0 and below.
    #[test]
    fn only_a_rounded_number_is_told_to_be_at_a_bound() {
        let told = |keep, cell| search(keep, None).describe_undecided_conditions(&cell);
        let rounded = "equal within the error of rounding";
        assert_eq!(told("p >= 0.5", Cell(0.5, 0.0)), [""; 0]);
        assert_eq!(told("p >= 0.5", Cell(0.5, 1e-17)), [format!("p ≈ 0.5: {rounded}")]);
        assert_eq!(told("p >= -2", Cell(-2.0, 1e-16)), [format!("p ≈ -2: {rounded}")]);
        // Rounding alone makes no number smaller than the bound that it equals.
        let verdict = search("p < -2", None).judge_cell(&Cell(-2.0, 1e-16));
        assert!(matches!(verdict, CellSearchVerdict::Out(_)), "{verdict:?}");
    }

    /// Two goals: a cell that another one equals in one goal and beats in the other goes, in
    /// whatever order they come, and of equal cells the first stays.
    #[test]
    fn a_front_has_the_cells_that_no_other_cell_beats() {
        let front = ["a", "b"].map(MeasureGoal::parse_goal).to_vec();
        let search = CellSearch { front, ..search("p >= 0", None) };
        let merits = [[1.0, 1.0], [1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [3, 0, 4, 1, 2]] {
            let mut best = BestCellsSoFar::new(&search);
            for cell in order {
                best.add_if_good_enough(cell as u64, merits[cell].to_vec(), cell);
            }
            assert_eq!(best.into_candidates(), [1, 2], "{order:?}");
        }
    }

    #[test]
    fn the_least_of_rare_chances_is_the_best() {
        let search = search("p < 0.5", Some((2, "-p")));
        let mut best = BestCellsSoFar::new(&search);
        assert!(best.is_empty());
        for (cell, p) in [(0, 3e-20), (1, 1e-20), (2, 2e-20)] {
            let CellSearchVerdict::In(merits) = search.judge_cell(&Cell(p, 0.0)) else {
                panic!("{p} is below the bound")
            };
            best.add_if_good_enough(cell, merits, cell);
        }
        best.add_always_reported(7);
        assert_eq!(best.len(), 3);
        assert_eq!(best.into_candidates(), [1, 2, 7]);
    }
}
