//! A search where cells are dear: what is solved bounds what is not, and designs are solved in
//! waves until all are decided.
//!
//! The designs with the fewest changes come first, so that the first of the answer is known early.
//! Each wave then solves the designs that lie between most undecided ones. Waves depend on solved
//! values alone, so threads change no result.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use enfilade_study::solve::SolveObserver;

use crate::design_join::{DesignSearch, WantAndConditionMask};
use crate::design_order::{count_changes, total_step_count};
use crate::error::SeekError;
use crate::fenced_grid::{MonotoneOrientedPlace, PartlySolvedGrid};
use crate::scope_solver::{SolvedScopes, solve_places};
use crate::seek_question::SeekQuestion;
use crate::wanted_cells::WantWithCells;

/// Designs of one wave.
const WAVE: usize = 64;

/// Designs of one wave while the first design is sought.
const FIRST_WAVE: usize = 4;

/// Largest number of undecided designs that are compared with each other.
const MAX_COMPARED: usize = 4096;

/// What a fence has decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecidedDesignsExtent {
    /// Numbers along which a measure both rises and falls, by their place in the question.
    pub both_ways: Vec<usize>,
    /// Number of changes up to which every design is decided; `None` if all designs are.
    pub decided_changes: Option<u64>,
    /// Number of cells after which the first design of the answer was proved to be the first.
    pub cells_to_first: Option<u64>,
    /// Whether designs were found by steps once the work was used up.
    pub found_by_steps: bool,
}

/// A search that solves few cells of its dear grids.
pub(crate) struct SearchByCellBounds<'q> {
    pub question: &'q SeekQuestion,
    watch: &'q dyn SolveObserver,
    pub solved: SolvedScopes,
    /// Cells that may still be solved.
    pub cells_left: u64,
    /// Cells that may be solved in all.
    all_cells: u64,
    proof: DecidedDesignsExtent,
}

/// The unsolved places of an undecided design: the first in the order of the answer.
#[derive(Clone)]
pub(crate) struct UnsolvedPlacesOfDesign {
    /// By fence: the cell and the place.
    places: Vec<(usize, usize)>,
    oriented: MonotoneOrientedPlace,
    /// Changed numbers and steps of the first design that reads these places.
    key: (u64, u64),
}

impl<'q> SearchByCellBounds<'q> {
    /// A search that starts with the first solved cells.
    pub fn new(
        question: &'q SeekQuestion,
        solved: SolvedScopes,
        watch: &'q dyn SolveObserver,
    ) -> SearchByCellBounds<'q> {
        let states = solved.states_per_cell.max(1);
        let most = question.work.map_or(u64::MAX, |work| work / states);
        let proof = DecidedDesignsExtent::default();
        SearchByCellBounds { question, watch, cells_left: most, all_cells: most, solved, proof }
    }

    /// Decides every design, the first in the order of the answer before all others; and if none
    /// fits, the nearest one and each want alone.
    ///
    /// # Errors
    /// If the work was stopped.
    pub fn decide_all(mut self) -> Result<(SolvedScopes, Option<DecidedDesignsExtent>), SeekError> {
        let all = WantAndConditionMask::select_all(self.question);
        if self.question.order.is_empty() {
            self.solve_until_first_decided(&all)?;
        }
        let left = self.solve_waves_until_decided(&all)?;
        let decided = left.iter().map(|one| one.key.0).min();
        if left.is_empty() && !self.has_solved_fitting_design(&all) {
            self.solve_until_nearest_decided(&all)?;
            self.settle_each_want()?;
        } else if left.is_empty() {
            self.solve_steps_of_first(&all)?;
        } else if !self.has_solved_fitting_design(&all) {
            // As much work again, for what is no proof.
            self.cells_left = self.all_cells;
            self.proof.found_by_steps = self.search_by_steps()?;
        }
        let both_ways =
            self.solved.fences.iter().flatten().flat_map(PartlySolvedGrid::non_monotone_numbers);
        let mut both_ways: Vec<usize> = both_ways.collect();
        both_ways.sort_unstable();
        both_ways.dedup();
        self.proof.both_ways = both_ways;
        self.proof.decided_changes = decided.map(|changes| changes.saturating_sub(1));
        Ok((self.solved, Some(self.proof)))
    }

    /// Solves designs with few changes until no undecided one precedes the first that fits.
    fn solve_until_first_decided(&mut self, all: &WantAndConditionMask) -> Result<(), SeekError> {
        while self.cells_left > 0 {
            let first = self.first_solved_key(all);
            let mut open = self.unsolved_designs_within_miss(all, 0.0);
            open.retain(|one| first.is_none_or(|first| one.key < first));
            let Some(fewest) = open.iter().map(|one| one.key).min() else {
                self.proof.cells_to_first = first.map(|_| self.solved.solved_contests);
                return Ok(());
            };
            // One change alone: the middle of each line says most. Of several changes the nearest
            // come first.
            open.retain(
                |one| if fewest.0 <= 1 { one.key.0 == fewest.0 } else { one.key == fewest },
            );
            self.solve_wave(&open, FIRST_WAVE)?;
        }
        Ok(())
    }

    /// Solves waves of designs until the wants of a selection are decided in all of them; returns
    /// those that are left.
    fn solve_waves_until_decided(
        &mut self,
        selection: &WantAndConditionMask,
    ) -> Result<Vec<UnsolvedPlacesOfDesign>, SeekError> {
        loop {
            let open = self.unsolved_designs_within_miss(selection, 0.0);
            if open.is_empty() || self.cells_left == 0 {
                return Ok(open);
            }
            self.solve_wave(&open, WAVE)?;
        }
    }

    /// Solves designs until none can miss the selection by less than the nearest.
    fn solve_until_nearest_decided(
        &mut self,
        selection: &WantAndConditionMask,
    ) -> Result<(), SeekError> {
        while self.cells_left > 0 {
            let nearest = self
                .design_search_for(selection)
                .min_miss_design_where(&|design| self.solved.is_design_solved(design));
            let miss = nearest.map_or(f64::INFINITY, |(miss, ..)| miss);
            let open = self.unsolved_designs_within_miss(selection, miss * (1.0 - 1e-9));
            if miss == 0.0 || open.is_empty() {
                return Ok(());
            }
            self.solve_wave(&open, FIRST_WAVE)?;
        }
        Ok(())
    }

    /// Decides each want alone, so that the wants that exclude each other can be counted.
    fn settle_each_want(&mut self) -> Result<(), SeekError> {
        for want in 0..self.question.cells.wants.len() {
            let mut alone = WantAndConditionMask::select_none(self.question);
            alone.wants[want] = true;
            loop {
                let own = &self.question.cells.wants[want];
                let open = self.unsolved_within_miss_where(&alone, 0.0, &|design| {
                    self.is_want_undecided(own, design)
                });
                if open.is_empty() || self.cells_left == 0 {
                    break;
                }
                self.solve_wave(&open, WAVE)?;
            }
            self.solve_until_nearest_decided(&alone)?;
        }
        Ok(())
    }

    /// Whether a want may hold or fail in a design.
    fn is_want_undecided(&self, want: &WantWithCells, design: &[u16]) -> bool {
        let certain = |part| self.solved.grids.is_comparison_certain(part, design);
        !want.parts.iter().all(certain)
    }

    /// Solves the designs one step from the first that fits.
    fn solve_steps_of_first(&mut self, all: &WantAndConditionMask) -> Result<(), SeekError> {
        let join = self.design_search_for(all);
        let Some((.., first)) =
            join.find_first_fitting_where(&|design| self.solved.is_design_solved(design))
        else {
            return Ok(());
        };
        let mut open = Vec::new();
        for (number, own) in self.question.numbers.iter().enumerate() {
            let at = usize::from(first[number]);
            let ends = [at.checked_sub(1), (at + 1 < own.values.len()).then_some(at + 1)];
            for value in ends.into_iter().flatten() {
                let mut design = first.clone();
                design[number] = value as u16;
                open.extend(self.undecided_unless_solved(&design));
            }
        }
        self.solve_places_of_designs(open.iter())
    }

    /// The join of a selection on what is known.
    fn design_search_for(&self, selection: &WantAndConditionMask) -> DesignSearch<'_> {
        DesignSearch::new(self.question, &self.solved.grids, selection, &[])
    }

    /// The places of a design, if one of them is not solved.
    pub fn undecided_unless_solved(&self, design: &[u16]) -> Option<UnsolvedPlacesOfDesign> {
        if self.solved.is_design_solved(design) {
            return None;
        }
        let mut oriented = MonotoneOrientedPlace::default();
        let mut places = Vec::new();
        for (fence, cell, place) in self.solved.fences_with_place_of_design(design) {
            fence.turn_monotone_axes_upward(place, &mut oriented);
            places.push((cell, place));
        }
        let numbers = &self.question.numbers;
        let key = (count_changes(design, numbers), total_step_count(design, numbers));
        Some(UnsolvedPlacesOfDesign { places, oriented, key })
    }

    /// Whether a solved design meets a selection.
    fn has_solved_fitting_design(&self, selection: &WantAndConditionMask) -> bool {
        self.first_solved_key(selection).is_some()
    }

    /// Changes and steps of the first solved design that meets a selection.
    fn first_solved_key(&self, selection: &WantAndConditionMask) -> Option<(u64, u64)> {
        let found = self
            .design_search_for(selection)
            .find_first_fitting_where(&|design| self.solved.is_design_solved(design));
        let numbers = &self.question.numbers;
        found.map(|(.., design)| {
            (count_changes(&design, numbers), total_step_count(&design, numbers))
        })
    }

    /// The designs that are not solved and may miss by at most this much.
    fn unsolved_designs_within_miss(
        &self,
        selection: &WantAndConditionMask,
        most_miss: f64,
    ) -> Vec<UnsolvedPlacesOfDesign> {
        self.unsolved_within_miss_where(selection, most_miss, &|_| true)
    }

    fn unsolved_within_miss_where(
        &self,
        selection: &WantAndConditionMask,
        most_miss: f64,
        is_open: &dyn Fn(&[u16]) -> bool,
    ) -> Vec<UnsolvedPlacesOfDesign> {
        let mut found: BTreeMap<Vec<(usize, usize)>, UnsolvedPlacesOfDesign> = BTreeMap::new();
        self.design_search_for(selection).visit_within_miss(most_miss, &mut |design| {
            if let Some(one) = self.undecided_unless_solved(design).filter(|_| is_open(design)) {
                let known = found.entry(one.places.clone()).or_insert_with(|| one.clone());
                known.key = known.key.min(one.key);
            }
            !self.watch.cancel_token().is_cancelled()
        });
        found.into_values().collect()
    }

    /// Solves the designs between most of the others.
    fn solve_wave(
        &mut self,
        open: &[UnsolvedPlacesOfDesign],
        size: usize,
    ) -> Result<(), SeekError> {
        let most = usize::try_from(self.cells_left).unwrap_or(usize::MAX).min(size);
        let chosen = choose_wave(open, most);
        self.solve_places_of_designs(chosen.into_iter().map(|at| &open[at]))
    }

    pub fn solve_places_of_designs<'o>(
        &mut self,
        wave: impl Iterator<Item = &'o UnsolvedPlacesOfDesign>,
    ) -> Result<(), SeekError> {
        let mut places: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (cell, place) in wave.flat_map(|one| one.places.iter().copied()) {
            let own = places.entry(cell).or_default();
            if !own.contains(&place) && !self.is_place_solved(cell, place) {
                own.push(place);
            }
        }
        for (cell, places) in places {
            self.solve_places_of_cell(cell, &places)?;
        }
        Ok(())
    }

    fn is_place_solved(&self, cell: usize, place: usize) -> bool {
        self.solved.fences[cell].as_ref().is_none_or(|fence| fence.is_solved[place])
    }

    /// Solves places of one fence and draws its bounds anew.
    fn solve_places_of_cell(&mut self, cell: usize, places: &[usize]) -> Result<(), SeekError> {
        let Some(mut fence) = self.solved.fences[cell].take() else { return Ok(()) };
        let solved =
            solve_places(self.question, cell, fence.shape(), places, self.watch, &mut self.solved);
        if let Ok(solved) = &solved {
            self.cells_left = self.cells_left.saturating_sub(solved.len() as u64);
        }
        for one in solved? {
            fence.add_solved_and_compare(one.place, one.values);
        }
        self.solved.grids.cells[cell] = fence.build_grid();
        self.solved.fences[cell] = Some(fence);
        Ok(())
    }
}

/// Chooses the designs with most undecided ones both above and below, and passes over those that a
/// chosen one bounds.
fn choose_wave(open: &[UnsolvedPlacesOfDesign], size: usize) -> Vec<usize> {
    let step = open.len().div_ceil(MAX_COMPARED);
    let shown: Vec<usize> = (0..open.len()).step_by(step.max(1)).collect();
    let weight = |at: &usize| {
        let (mut above, mut below) = (0_usize, 0_usize);
        for other in &shown {
            match open[*other].oriented.compare(&open[*at].oriented) {
                Some(Ordering::Greater) => above += 1,
                Some(Ordering::Less) => below += 1,
                _ => {}
            }
        }
        (above.min(below), above + below)
    };
    let mut ranked: Vec<((usize, usize), usize)> =
        shown.iter().map(|at| (weight(at), *at)).collect();
    ranked.sort_by_key(|(weight, at)| (std::cmp::Reverse(*weight), open[*at].key, *at));
    let mut chosen: Vec<usize> = Vec::new();
    for (_, at) in ranked {
        let is_bounded =
            |known: &usize| open[*known].oriented.compare(&open[at].oriented).is_some();
        if chosen.len() < size && !chosen.iter().any(is_bounded) {
            chosen.push(at);
        }
    }
    chosen
}
