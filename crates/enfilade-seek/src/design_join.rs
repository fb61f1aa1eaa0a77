//! The join: grids of scopes are combined, number by number, to the designs that meet the wants.
//!
//! Numbers that most scopes read are fixed first. While others are open, every quantity is an
//! interval; a comparison that no value of the interval can meet ends that branch. So all designs
//! are decided and few are visited.

use crate::condition::ComparisonChainOnNumbers;
use crate::design_order::{count_changes, value_of_name};
use crate::seek_numbers::{ChangeableNumber, find_number_with_column};
use crate::seek_question::SeekQuestion;
use crate::solved_grids::SolvedGrids;
use crate::wanted_cells::WantComparisonOverCells;

/// The largest number of branches that are visited.
const MAX_VISITED_BRANCHES: u64 = 100_000_000;

/// The wants and conditions that a search asks for.
#[derive(Clone, Debug)]
pub(crate) struct WantAndConditionMask {
    pub wants: Vec<bool>,
    pub conditions: Vec<bool>,
}

impl WantAndConditionMask {
    /// Selects all of them.
    pub fn select_all(question: &SeekQuestion) -> WantAndConditionMask {
        WantAndConditionMask {
            wants: vec![true; question.cells.wants.len()],
            conditions: vec![true; question.conditions.len()],
        }
    }

    /// Selects none of them.
    pub fn select_none(question: &SeekQuestion) -> WantAndConditionMask {
        WantAndConditionMask {
            wants: vec![false; question.cells.wants.len()],
            conditions: vec![false; question.conditions.len()],
        }
    }
}

impl WantAndConditionMask {
    /// Whether the want with this index is selected; higher indices are conditions.
    pub fn is_want_or_condition_selected(&self, at: usize) -> bool {
        let all = self.wants.iter().chain(&self.conditions);
        all.copied().nth(at).unwrap_or(false)
    }

    /// Selects or deselects the want with this index; higher indices are conditions.
    pub fn set_want_or_condition_selected(&mut self, at: usize, on: bool) {
        let mut all = self.wants.iter_mut().chain(&mut self.conditions);
        if let Some(place) = all.nth(at) {
            *place = on;
        }
    }

    /// The comparisons that are selected.
    fn wanted_comparisons<'q>(
        &self,
        question: &'q SeekQuestion,
    ) -> Vec<&'q WantComparisonOverCells> {
        let selected_wants = question.cells.wants.iter().zip(&self.wants).filter(|(_, on)| **on);
        selected_wants.flat_map(|(want, _)| &want.parts).collect()
    }

    /// The conditions that are selected.
    fn selected_conditions<'q>(
        &self,
        question: &'q SeekQuestion,
    ) -> Vec<&'q ComparisonChainOnNumbers> {
        let conditions = question.conditions.iter().zip(&self.conditions);
        conditions.filter(|(_, on)| **on).map(|(condition, _)| condition).collect()
    }
}

/// A join of the selected wants.
pub(crate) struct DesignSearch<'q> {
    question: &'q SeekQuestion,
    grids: &'q SolvedGrids,
    /// Numbers that are fixed, in this order; all others stay as they are.
    order: Vec<usize>,
    /// By number: its index in the order.
    rank: Vec<usize>,
    /// By index in the order: the comparisons that may be decided after that number.
    parts: Vec<Vec<&'q WantComparisonOverCells>>,
    all_parts: Vec<&'q WantComparisonOverCells>,
    conditions: Vec<Vec<&'q ComparisonChainOnNumbers>>,
    /// Pairs of places in the order whose numbers are interchangeable, the first of the two at most
    /// the second.
    alike: Vec<Vec<(usize, usize)>>,
}

/// A visit of branches: how much a design may miss, and what takes it.
struct DesignVisitorWithinMiss<'v> {
    most_miss: f64,
    nodes: u64,
    take: &'v mut dyn FnMut(&[u16]) -> bool,
}

/// A search for the nearest design that passes a test.
struct NearestSearch<'v> {
    best: Option<NearestDesign>,
    nodes: u64,
    /// Largest number of changed numbers.
    most_changes: u64,
    passes: &'v dyn Fn(&[u16]) -> bool,
}

/// The nearest design so far: its worst miss, its place in the order, and its values.
pub(crate) type NearestDesign = (f64, Vec<f64>, Vec<u16>);

impl<'q> DesignSearch<'q> {
    /// Builds the join of the selected parts; the numbers in `more` are fixed as well.
    pub fn new(
        question: &'q SeekQuestion,
        grids: &'q SolvedGrids,
        selection: &WantAndConditionMask,
        more: &[usize],
    ) -> DesignSearch<'q> {
        let all_parts = selection.wanted_comparisons(question);
        let conditions = selection.selected_conditions(question);
        let order = fixing_order(question, grids, &all_parts, &conditions, more);
        let mut rank = vec![usize::MAX; question.numbers.len()];
        order.iter().enumerate().for_each(|(at, number)| rank[*number] = at);
        let empty = |_| Vec::new();
        let mut join = DesignSearch {
            parts: (0..order.len()).map(empty).collect(),
            conditions: (0..order.len()).map(|_| Vec::new()).collect(),
            alike: (0..order.len()).map(|_| Vec::new()).collect(),
            question,
            grids,
            order,
            rank,
            all_parts,
        };
        join.note_parts_by_number_read();
        join.index_conditions_by_number(&conditions);
        join.index_interchangeable_by_number();
        join
    }

    /// Notes, for each number, the comparisons that may be decided once it is fixed: those that
    /// read it.
    fn note_parts_by_number_read(&mut self) {
        for part in &self.all_parts {
            let cells = part.indices_of_cells_read().flat_map(|cell| &self.grids.cells[cell].scope);
            let mut ranks: Vec<usize> = cells.map(|number| self.rank[*number]).collect();
            ranks.sort_unstable();
            ranks.dedup();
            ranks.iter().for_each(|at| self.parts[*at].push(part));
        }
    }

    /// Notes, for each number, the conditions that are decided once it is fixed: those of which it
    /// is the last.
    fn index_conditions_by_number(&mut self, conditions: &[&'q ComparisonChainOnNumbers]) {
        for condition in conditions {
            let numbers = numbers_in_condition(condition, &self.question.numbers);
            if let Some(last) = numbers.iter().map(|number| self.rank[*number]).max() {
                self.conditions[last].push(condition);
            }
        }
    }

    /// Notes, for each number, the interchangeable ones that are compared once it is fixed.
    fn index_interchangeable_by_number(&mut self) {
        for pair in self.question.interchangeable.iter().flat_map(|group| group.windows(2)) {
            let (a, b) = (self.rank[pair[0]], self.rank[pair[1]]);
            if a.max(b) < self.order.len() {
                self.alike[a.max(b)].push((a, b));
            }
        }
    }

    /// The design of the current numbers.
    fn design_of_current_values(&self) -> Vec<u16> {
        self.question.numbers.iter().map(|number| number.index_of_fallback() as u16).collect()
    }

    /// Number of designs that one found design represents: the values of the numbers that are not
    /// fixed.
    pub fn designs_per_solution(&self) -> u64 {
        let is_fixed = |number: usize| self.rank[number] != usize::MAX;
        let grouped: Vec<usize> = self.question.interchangeable.iter().flatten().copied().collect();
        let numbers = self.question.numbers.iter().enumerate();
        let free = numbers.filter(|(at, _)| !is_fixed(*at) && !grouped.contains(at));
        let free =
            free.fold(1_u64, |all, (_, number)| all.saturating_mul(number.values.len() as u64));
        let groups = self.question.interchangeable.iter().filter(|group| !is_fixed(group[0]));
        groups.fold(free, |all, group| {
            all.saturating_mul(count_multisets_of_size(
                self.question.numbers[group[0]].values.len(),
                group.len(),
            ))
        })
    }

    /// Passes the designs that meet the selected parts to `take` until it returns `false`; returns
    /// whether all were passed.
    pub fn visit_fitting_designs(&self, take: &mut dyn FnMut(&[u16]) -> bool) -> bool {
        let meets = |design: &[u16]| {
            self.all_parts.iter().all(|part| self.grids.judge_comparison(part, design).is_met)
        };
        if self.order.is_empty() && !meets(&self.design_of_current_values()) {
            return true;
        }
        self.visit_within_miss(0.0, &mut |design| !meets(design) || take(design))
    }

    /// Passes the designs that may miss by at most this many tolerances to `take` until it returns
    /// `false`; returns whether all were passed. Where cells are not solved, their bounds count.
    pub fn visit_within_miss(&self, most_miss: f64, take: &mut dyn FnMut(&[u16]) -> bool) -> bool {
        let mut visit = DesignVisitorWithinMiss { most_miss, nodes: 0, take };
        self.visit_branch(0, &mut self.design_of_current_values(), &mut visit)
    }

    fn visit_branch(
        &self,
        depth: usize,
        design: &mut Vec<u16>,
        visit: &mut DesignVisitorWithinMiss<'_>,
    ) -> bool {
        let Some(&number) = self.order.get(depth) else { return (visit.take)(design) };
        for value in 0..self.question.numbers[number].values.len() {
            design[number] = value as u16;
            visit.nodes += 1;
            if visit.nodes > MAX_VISITED_BRANCHES {
                return false;
            }
            let is_fixed = |number: usize| self.rank[number] <= depth;
            let may = self.meets_decided_conditions(depth, design)
                && self.parts[depth].iter().all(|part| {
                    self.grids.least_miss_over_open_numbers(part, design, &is_fixed)
                        <= visit.most_miss
                });
            if may && !self.visit_branch(depth + 1, design, visit) {
                return false;
            }
        }
        true
    }

    /// Finds the first design in the order of the answer that meets the selected parts and passes a
    /// test; returns its keys in that order as well.
    pub fn find_first_fitting_where(
        &self,
        passes: &dyn Fn(&[u16]) -> bool,
    ) -> Option<(Vec<f64>, Vec<u16>)> {
        let mut first: Option<(Vec<f64>, Vec<u16>)> = None;
        self.visit_fitting_designs(&mut |design| {
            if passes(design) {
                let numbers = &self.question.numbers;
                let keys = self.question.order.sort_keys(design, numbers, self.grids);
                let new = (keys, design.to_vec());
                if first.as_ref().is_none_or(|old| new < *old) {
                    first = Some(new);
                }
            }
            true
        });
        first
    }

    /// Whether the conditions that are decided once a number is fixed are met.
    fn meets_decided_conditions(&self, depth: usize, design: &[u16]) -> bool {
        let numbers = &self.question.numbers;
        let ordered = |(a, b): &(usize, usize)| design[self.order[*a]] <= design[self.order[*b]];
        self.alike[depth].iter().all(ordered)
            && self.conditions[depth]
                .iter()
                .all(|one| one.is_met_with_values(&|name| value_of_name(name, design, numbers)))
    }

    /// Finds the design whose worst miss is least among those that pass a test; of equal ones the
    /// first in the order of the file.
    pub fn min_miss_design_where(&self, passes: &dyn Fn(&[u16]) -> bool) -> Option<NearestDesign> {
        self.min_miss_design_within_changes(u64::MAX, passes)
    }

    /// Finds the nearest of the designs with at most this many changed numbers that pass a test.
    pub fn min_miss_design_within_changes(
        &self,
        most_changes: u64,
        passes: &dyn Fn(&[u16]) -> bool,
    ) -> Option<NearestDesign> {
        let mut search = NearestSearch { best: None, nodes: 0, most_changes, passes };
        self.search_for_nearest(0, &mut self.design_of_current_values(), &mut search);
        search.best
    }

    fn search_for_nearest(
        &self,
        depth: usize,
        design: &mut Vec<u16>,
        search: &mut NearestSearch<'_>,
    ) {
        let worst = self.lower_bound_of_worst_miss(depth, design);
        let is_hopeless =
            !worst.is_finite() || is_branch_worse_than_best(search.best.as_ref(), worst);
        if is_hopeless || search.nodes > MAX_VISITED_BRANCHES {
            return;
        }
        search.nodes += 1;
        let Some(&number) = self.order.get(depth) else {
            if (search.passes)(design) {
                self.store_if_nearer(design, &mut search.best);
            }
            return;
        };
        let before = design[number];
        for value in 0..self.question.numbers[number].values.len() {
            design[number] = value as u16;
            let is_near = count_changes(design, &self.question.numbers) <= search.most_changes;
            if is_near && self.meets_decided_conditions(depth, design) {
                self.search_for_nearest(depth + 1, design, search);
            }
        }
        design[number] = before;
    }

    /// A lower bound of the worst miss of a branch.
    fn lower_bound_of_worst_miss(&self, depth: usize, design: &[u16]) -> f64 {
        let is_fixed = |number: usize| self.rank[number] < depth;
        let misses = self.all_parts.iter();
        misses
            .map(|part| self.grids.least_miss_over_open_numbers(part, design, &is_fixed))
            .fold(0.0, f64::max)
    }

    /// Stores a design if it is nearer than the best, or as near and earlier in the order.
    fn store_if_nearer(&self, design: &[u16], best: &mut Option<NearestDesign>) {
        let misses =
            self.all_parts.iter().map(|part| self.grids.judge_comparison(part, design).miss);
        let miss = misses.fold(0.0, f64::max);
        let keys = self.question.order.sort_keys(design, &self.question.numbers, self.grids);
        let new = (miss, keys, design.to_vec());
        if best.as_ref().is_none_or(|old| is_nearer(&new, old)) {
            *best = Some(new);
        }
    }
}

/// Whether a branch with this miss is worse than the best design.
fn is_branch_worse_than_best(best: Option<&NearestDesign>, worst: f64) -> bool {
    best.is_some_and(|(miss, ..)| worst > miss * (1.0 + 1e-12))
}

/// Whether a design misses by less than another one, or by as much and is earlier in the order.
fn is_nearer(new: &NearestDesign, old: &NearestDesign) -> bool {
    match (new.0 - old.0).abs() <= 1e-12 * old.0 {
        true => (&new.1, &new.2) < (&old.1, &old.2),
        false => new.0 < old.0,
    }
}

/// Number of ways to fill `count` places with `size` values if their order does not matter.
pub(crate) fn count_multisets_of_size(size: usize, count: usize) -> u64 {
    (0..count as u64).fold(1, |all, at| all * (size as u64 + at) / (at + 1))
}

/// The numbers that a condition reads.
pub(crate) fn numbers_in_condition(
    condition: &ComparisonChainOnNumbers,
    numbers: &[ChangeableNumber],
) -> Vec<usize> {
    condition
        .names_in_condition()
        .iter()
        .filter_map(|name| Some(find_number_with_column(name, numbers)?.0))
        .collect()
}

/// Orders the numbers that are fixed: those of most scopes first, then in the order of the file.
fn fixing_order(
    question: &SeekQuestion,
    grids: &SolvedGrids,
    parts: &[&WantComparisonOverCells],
    conditions: &[&ComparisonChainOnNumbers],
    more: &[usize],
) -> Vec<usize> {
    let mut cells: Vec<usize> =
        parts.iter().flat_map(|part| part.indices_of_cells_read()).collect();
    cells.sort_unstable();
    cells.dedup();
    let of_conditions =
        conditions.iter().flat_map(|one| numbers_in_condition(one, &question.numbers));
    let mut read: Vec<usize> = of_conditions.chain(more.iter().copied()).collect();
    read.extend(cells.iter().flat_map(|cell| grids.cells[*cell].scope.iter().copied()));
    // Of interchangeable numbers all are fixed, or none.
    let groups =
        question.interchangeable.iter().filter(|group| group.iter().any(|n| read.contains(n)));
    let groups: Vec<usize> = groups.flatten().copied().collect();
    read.extend(groups);
    read.sort_unstable();
    read.dedup();
    // The order is that of the grids.
    let ranks = &question.cells.ranks;
    read.sort_by_key(|number| ranks.get(*number).copied().unwrap_or(*number));
    read
}
