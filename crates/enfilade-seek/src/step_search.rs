//! Steps of one and of two numbers, once the work of a fence is used up and no design fits: what
//! they find is found, and not proved to be the nearest.

use std::collections::BTreeSet;

use crate::error::SeekError;
use crate::fence::SearchByCellBounds;

/// Number of starts: the current design, and corners.
const STARTS: u64 = 16;

/// Designs that are solved together.
const STEPS_SOLVED_TOGETHER: usize = 16;

/// The least gain that counts as one.
const LEAST_GAIN: f64 = 1e-9;

impl SearchByCellBounds<'_> {
    /// Looks for a design that fits by steps from the current design and from corners; returns
    /// whether one was found.
    ///
    /// # Errors
    /// If the work was stopped.
    pub(crate) fn search_by_steps(&mut self) -> Result<bool, SeekError> {
        let mut seen = BTreeSet::new();
        for start in 0..STARTS {
            let mut here = self.current_or_corner_design(start);
            if !self.meets_conditions(&here) || !seen.insert(here.clone()) {
                continue;
            }
            self.solve_designs(std::slice::from_ref(&here))?;
            while let Some(next) = self.better_design_within_two_steps(&here)? {
                here = next;
                if self.worst_miss(&here) == 0.0 {
                    return Ok(true);
                }
                // Another start has been here, and its way on is known.
                if !seen.insert(here.clone()) {
                    break;
                }
            }
            if self.cells_left == 0 {
                break;
            }
        }
        Ok(false)
    }

    /// The current design, or a corner: each number at one of its ends, by the bits of a fixed
    /// sequence.
    fn current_or_corner_design(&self, start: u64) -> Vec<u16> {
        let numbers = self.question.numbers.iter();
        if start == 0 {
            return numbers.map(|number| number.index_of_fallback() as u16).collect();
        }
        let mut bits = start.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let corner = numbers.map(|number| {
            let last = (number.values.len() - 1) as u16;
            bits = bits.rotate_left(7);
            if bits & 1 == 0 { 0 } else { last }
        });
        corner.collect()
    }

    /// The best design one step away, or else two; `None` if none is better or the work is used up.
    fn better_design_within_two_steps(
        &mut self,
        here: &[u16],
    ) -> Result<Option<Vec<u16>>, SeekError> {
        let single = self.steps_of_one_number(here);
        if let Some(better) = self.solve_and_pick_better_design(here, &single)? {
            return Ok(Some(better));
        }
        let double: BTreeSet<Vec<u16>> =
            single.iter().flat_map(|one| self.steps_of_one_number(one)).collect();
        let double: Vec<Vec<u16>> = double.into_iter().filter(|one| one != here).collect();
        self.solve_and_pick_better_design(here, &double)
    }

    fn steps_of_one_number(&self, here: &[u16]) -> Vec<Vec<u16>> {
        let numbers = self.question.numbers.iter().enumerate();
        let stepped = numbers.flat_map(|(at, number)| {
            let value = usize::from(here[at]);
            let ends =
                [value.checked_sub(1), Some(value + 1).filter(|up| *up < number.values.len())];
            ends.into_iter().flatten().map(move |value| (at, value as u16))
        });
        let design = |(at, value): (usize, u16)| {
            let mut design = here.to_vec();
            design[at] = value;
            design
        };
        stepped.map(design).filter(|design| self.meets_conditions(design)).collect()
    }

    /// The best of some designs, if it is better than the present one.
    fn solve_and_pick_better_design(
        &mut self,
        here: &[u16],
        designs: &[Vec<u16>],
    ) -> Result<Option<Vec<u16>>, SeekError> {
        let mut best = (self.worst_miss(here) * (1.0 - LEAST_GAIN), None);
        for together in designs.chunks(STEPS_SOLVED_TOGETHER) {
            self.solve_designs(together)?;
            for design in together {
                let miss = self.worst_miss(design);
                if miss < best.0 {
                    best = (miss, Some(design.clone()));
                }
            }
            if best.0 == 0.0 {
                break;
            }
        }
        Ok(best.1)
    }

    /// Solves designs as far as the work allows.
    fn solve_designs(&mut self, designs: &[Vec<u16>]) -> Result<(), SeekError> {
        let most = usize::try_from(self.cells_left).unwrap_or(usize::MAX);
        let open = designs.iter().filter_map(|design| self.undecided_unless_solved(design));
        let open: Vec<_> = open.take(most).collect();
        self.solve_places_of_designs(open.iter())
    }

    /// The worst miss of a solved design in tolerances; infinite if it is not solved.
    fn worst_miss(&self, design: &[u16]) -> f64 {
        if !self.solved.is_design_solved(design) {
            return f64::INFINITY;
        }
        let parts = self.question.cells.wants.iter().flat_map(|want| &want.parts);
        let misses = parts.map(|part| self.solved.grids.judge_comparison(part, design).miss);
        misses.fold(0.0, f64::max)
    }

    fn meets_conditions(&self, design: &[u16]) -> bool {
        let numbers = &self.question.numbers;
        let value = |name: &str| crate::design_order::value_of_name(name, design, numbers);
        let groups = self.question.interchangeable.iter();
        let mut pairs = groups.flat_map(|group| group.windows(2));
        pairs.all(|pair| design[pair[0]] <= design[pair[1]])
            && self.question.conditions.iter().all(|one| one.is_met_with_values(&value))
    }
}
