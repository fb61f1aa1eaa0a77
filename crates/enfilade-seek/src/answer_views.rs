//! The solved grids of an answer as pictures need them: no cell is solved for them.

use crate::design_join::{DesignSearch, WantAndConditionMask};
use crate::measure_influences::MeasureOverGrid;
use crate::seek_answer::SeekAnswer;
use crate::seek_design::FoundDesign;
use crate::seek_question::SeekQuestion;
use crate::solved_grids::MeasureGridsOfCell;
use crate::value_text::format_with_percent_if_share;
use crate::wanted_cells::WantComparisonOverCells;

/// Effects of single steps on the quantity of a want, from one design.
#[derive(Clone, Debug, PartialEq)]
pub struct WantSingleStepEffects {
    /// The want.
    pub want: usize,
    /// The quantity in the design.
    pub value: f64,
    /// Numbers with the change by a step down and by a step up, the largest first; `None` at an end
    /// or where the cell is not solved.
    pub steps: Vec<(usize, Option<f64>, Option<f64>)>,
}

/// Shares of numbers in the variance of the quantity of a want, all values alike.
#[derive(Clone, Debug, PartialEq)]
pub struct VarianceSharesOfNumbers {
    /// The want.
    pub want: usize,
    /// Numbers with their share alone and with all others.
    pub shares: Vec<(String, f64, f64)>,
    /// Two numbers with the largest share beyond their own.
    pub strongest_pair: Option<(String, String, f64)>,
}

/// The number of designs that fit, by the values of two numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct FitCountsByNumberPair {
    /// The two numbers.
    pub numbers: (usize, usize),
    /// By value of the second number, then of the first.
    pub counts: Vec<Vec<u64>>,
}

/// The solved cells of one scope.
#[derive(Debug)]
pub struct ScopeTable<'a> {
    /// The contest.
    pub contest: &'a str,
    /// Its place on the axes of its contest, as `cover = 1`.
    pub circumstance: String,
    /// The numbers that it reads.
    pub numbers: &'a [usize],
    /// The names of its measures.
    pub measures: &'a [String],
    grid: &'a MeasureGridsOfCell,
    solved: Option<&'a [bool]>,
}

/// Largest number of places of a grid whose variance is divided.
const MAX_DIVIDED_PLACES: usize = 1_000_000;

/// Largest number of changes for which the least miss is sought.
const MAX_CHANGES_OF_FRONT: u64 = 6;

impl SeekAnswer {
    /// The design from which steps are taken: the current one, else the first that fits, else the
    /// nearest.
    pub fn design_to_step_from(&self) -> Option<&FoundDesign> {
        let near = self.no_fit.as_ref().and_then(|missing| missing.nearest.as_ref());
        self.now.as_ref().or(self.best_designs.first()).or(near)
    }

    /// The effects of single steps from a design, for each want.
    pub fn single_step_effects_by_want(
        &self,
        question: &SeekQuestion,
        design: &FoundDesign,
    ) -> Vec<WantSingleStepEffects> {
        let wants = 0..question.cells.wants.len();
        wants.map(|want| self.single_step_effects_of_want(question, design, want)).collect()
    }

    fn single_step_effects_of_want(
        &self,
        question: &SeekQuestion,
        design: &FoundDesign,
        want: usize,
    ) -> WantSingleStepEffects {
        let here = self.value_of_want_in_design(question, want, &design.values);
        let value = here.unwrap_or(f64::NAN);
        let step = |number: usize, up: bool| {
            let at = design.values[number];
            let next = if up { at.checked_add(1) } else { at.checked_sub(1) }?;
            let mut values = design.values.clone();
            values[number] = next;
            let is_there = usize::from(next) < question.numbers[number].values.len();
            let stepped =
                is_there.then(|| self.value_of_want_in_design(question, want, &values))?;
            Some(stepped? - value)
        };
        let read = self.numbers_of_want(question, want).into_iter();
        let mut steps: Vec<_> =
            read.map(|number| (number, step(number, false), step(number, true))).collect();
        let size = |one: &(usize, Option<f64>, Option<f64>)| {
            [one.1, one.2].into_iter().flatten().map(f64::abs).fold(0.0, f64::max)
        };
        steps.sort_by(|a, b| size(b).total_cmp(&size(a)));
        WantSingleStepEffects { want, value, steps }
    }

    /// The quantity of a want in a design, if its cells are solved.
    fn value_of_want_in_design(
        &self,
        question: &SeekQuestion,
        want: usize,
        values: &[u16],
    ) -> Option<f64> {
        let part = question.cells.wants[want].parts.first()?;
        let own = self.solved.grids.bounds_of_term_in_design(&part.left_side, values);
        (own.lo == own.hi).then_some(own.lo)
    }

    /// The numbers that the quantity of a want reads.
    fn numbers_of_want(&self, question: &SeekQuestion, want: usize) -> Vec<usize> {
        let part = question.cells.wants[want].parts.first();
        let cells = part.into_iter().flat_map(|part| &part.left_side.cells);
        let read =
            cells.flat_map(|(cell, ..)| self.solved.grids.cells[*cell].scope.iter().copied());
        let mut read: Vec<usize> = read.collect();
        read.sort_unstable();
        read.dedup();
        read
    }

    /// Shares of the numbers in the variance of each want's quantity; none where conditions or
    /// numbers that are alike make the numbers depend on each other.
    ///
    /// # Errors
    /// The reason why there are none.
    pub fn variance_shares(
        &self,
        question: &SeekQuestion,
    ) -> Result<Vec<VarianceSharesOfNumbers>, String> {
        if !question.conditions.is_empty() || !question.interchangeable.is_empty() {
            let why = "subject_to and alike make the numbers depend on each other, so shares of the variance \
                       have no meaning";
            return Err(why.to_owned());
        }
        let wants = 0..question.cells.wants.len();
        let shares = wants.filter_map(|want| self.shares_of_want(question, want)).collect();
        Ok(shares)
    }

    fn shares_of_want(
        &self,
        question: &SeekQuestion,
        want: usize,
    ) -> Option<VarianceSharesOfNumbers> {
        let read = self.numbers_of_want(question, want);
        let sizes: Vec<usize> =
            read.iter().map(|number| question.numbers[*number].values.len()).collect();
        let count = sizes.iter().try_fold(1_usize, |all, size| all.checked_mul(*size))?;
        if count > MAX_DIVIDED_PLACES {
            return None;
        }
        let grid =
            MeasureGridsOfCell { scope: read.clone(), sizes: sizes.clone(), measures: Vec::new() };
        let mut design = vec![0_u16; question.numbers.len()];
        let values = (0..count).map(|place| {
            let own = grid.value_indices_at(place);
            read.iter().zip(own).for_each(|(number, at)| design[*number] = at as u16);
            self.value_of_want_in_design(question, want, &design)
        });
        let values: Vec<f64> = values.collect::<Option<_>>()?;
        let names: Vec<String> =
            read.iter().map(|number| question.numbers[*number].name.clone()).collect();
        let parts = MeasureOverGrid { sizes: &sizes, values: &values };
        let (shares, strongest_pair) = parts.compute_variance_shares(&names);
        (!shares.is_empty()).then_some(VarianceSharesOfNumbers { want, shares, strongest_pair })
    }

    /// The number of designs that fit for each pair of values of the two numbers that are most
    /// open; `None` if fewer than two are.
    pub fn map_of_pairs(&self, question: &SeekQuestion) -> Option<FitCountsByNumberPair> {
        let mut open: Vec<usize> =
            (0..self.occurring.len()).filter(|at| self.occurring[*at].len() > 1).collect();
        open.sort_by_key(|at| std::cmp::Reverse(self.occurring[*at].len()));
        let [first, second] = *open.get(..2)? else { return None };
        let size = |number: usize| question.numbers[number].values.len();
        let mut counts = vec![vec![0; size(first)]; size(second)];
        for design in &self.best_designs {
            counts[usize::from(design.values[second])][usize::from(design.values[first])] += 1;
        }
        Some(FitCountsByNumberPair { numbers: (first, second), counts })
    }

    /// The least worst miss of all designs with up to this many changes, from none to the number
    /// with which one fits.
    pub fn least_miss_by_changes(&self, question: &SeekQuestion) -> Vec<(u64, f64)> {
        let all = WantAndConditionMask::select_all(question);
        let join = DesignSearch::new(question, &self.solved.grids, &all, &[]);
        let most = (question.numbers.len() as u64).min(MAX_CHANGES_OF_FRONT);
        let mut front: Vec<(u64, f64)> = Vec::new();
        for changes in 0..=most {
            let near = join.min_miss_design_within_changes(changes, &|design| {
                self.solved.is_design_solved(design)
            });
            let Some((miss, ..)) = near.filter(|near| near.0.is_finite()) else { continue };
            front.push((changes, miss));
            if miss == 0.0 {
                break;
            }
        }
        front
    }

    /// The solved scopes.
    pub fn scope_tables<'a>(&'a self, question: &'a SeekQuestion) -> Vec<ScopeTable<'a>> {
        let cells = question.cells.cells.iter().zip(&self.solved.grids.cells).enumerate();
        cells
            .map(|(at, (cell, grid))| {
                let contest = &question.contests[cell.contest];
                let place = contest.circumstances[cell.circumstance].at.iter();
                let place = place.map(|(axis, value)| format!("{axis} = {value}"));
                let fence = self.solved.fences.get(at).and_then(Option::as_ref);
                ScopeTable {
                    contest: &contest.name,
                    circumstance: place.collect::<Vec<_>>().join(", "),
                    numbers: &grid.scope,
                    measures: &cell.measures,
                    grid,
                    solved: fence.map(|fence| fence.is_solved.as_slice()),
                }
            })
            .collect()
    }
}

impl ScopeTable<'_> {
    /// The number of places of the grid.
    pub fn len(&self) -> usize {
        self.grid.len()
    }

    /// Whether the grid has no place.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values of its numbers at a place, by their indices.
    pub fn value_indices_at(&self, place: usize) -> Vec<usize> {
        self.grid.value_indices_at(place)
    }

    /// A measure at a place with its error; `None` if it has no answer or is not solved.
    pub fn measure_and_error_at(&self, measure: usize, place: usize) -> Option<(f64, f64)> {
        if self.solved.is_some_and(|solved| !solved[place]) {
            return None;
        }
        let own = self.grid.measures.get(measure)?.bounds_at_place(place);
        (own.lo == own.hi).then_some((own.lo, own.error))
    }
}

/// The band in which a want holds, in tolerances from its target; an end without a bound is
/// infinite.
pub fn want_band_in_tolerances(question: &SeekQuestion, want: usize) -> (f64, f64) {
    use crate::want::WantSign;
    let Some(part) = question.cells.wants[want].parts.first() else {
        return (f64::NEG_INFINITY, f64::INFINITY);
    };
    let width = |part: &WantComparisonOverCells| if part.tolerance > 0.0 { 1.0 } else { 0.0 };
    match part.sign {
        WantSign::AtMost | WantSign::Less => (f64::NEG_INFINITY, width(part)),
        WantSign::AtLeast | WantSign::More => (-width(part), f64::INFINITY),
        WantSign::Equal => (-width(part), width(part)),
    }
}

/// The cost of one step of each number from the first design, a line each.
pub fn describe_single_steps(question: &SeekQuestion, answer: &SeekAnswer) -> Vec<String> {
    let line = |step: &crate::seek_answer::NumberStepFromDesign| {
        let (name, sign) = (&question.numbers[step.number].name, if step.up { "+1" } else { "-1" });
        match step.lost_want {
            None => format!("{name} {sign} still fits"),
            Some((want, value)) => {
                let want = &question.cells.wants[want];
                let value = format_with_percent_if_share(value, want.is_share);
                format!("{name} {sign} loses {}: {value}", want.quantity)
            }
        }
    };
    answer.steps.iter().map(line).collect()
}

/// The quantity of a want, and whether it is a share.
pub fn quantity_text_and_is_share(question: &SeekQuestion, want: usize) -> (&str, bool) {
    let want = &question.cells.wants[want];
    (&want.quantity, want.is_share)
}
