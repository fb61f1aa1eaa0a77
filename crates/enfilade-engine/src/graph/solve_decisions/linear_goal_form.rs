//! Linear forms, by which the states of a loop without decisions are substituted.

use std::collections::BTreeMap;

use crate::graph::fraction::Fraction;

/// Linear form of a vertex in a loop: the constant part of each goal, and the shares of the states
/// of the loop, by their order.
#[derive(Clone)]
pub(super) struct LinearGoalForm {
    pub(super) own: Vec<Fraction>,
    pub(super) of: BTreeMap<usize, Fraction>,
}

impl LinearGoalForm {
    /// Returns the form of a vertex without states, with this constant part.
    pub(super) fn from_constants(own: Vec<Fraction>) -> LinearGoalForm {
        LinearGoalForm { own, of: BTreeMap::new() }
    }

    pub(super) fn add_share_of_state(&mut self, row: usize, share: &Fraction) {
        let sum = self.of.entry(row).or_insert_with(Fraction::zero);
        *sum = &*sum + share;
    }

    pub(super) fn add_scaled_form(&mut self, other: &LinearGoalForm, share: &Fraction) {
        self.add_scaled_means(&other.own, share);
        for (&row, part) in &other.of {
            self.add_share_of_state(row, &(part * share));
        }
    }

    pub(super) fn add_scaled_means(&mut self, means: &[Fraction], share: &Fraction) {
        for (sum, mean) in self.own.iter_mut().zip(means) {
            *sum = &*sum + &(mean * share);
        }
    }

    pub(super) fn multiply_by_factor(mut self, factor: &Fraction) -> LinearGoalForm {
        let parts = self.own.iter_mut().chain(self.of.values_mut());
        parts.for_each(|part| *part = &*part * factor);
        self
    }
}
