//! Sequence form of a region (Koller, Megiddo, von Stengel 1996), and its solution.
//!
//! A sequence is what one player has chosen so far. A player who forgets nothing has come to each
//! view by one sequence, so a mixture is a weight for each sequence, and the mean is linear in the
//! weights of either player. All worths are raised by a constant until none is negative. Then more
//! weight never harms the one player, and the worth of a view is never negative: equations become
//! bounds, and the program can begin at 0.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::regions::ViewId;
use super::simplex::{LinearProgram, LinearProgramNumber, LinearProgramOptimum};
use crate::cancel::CancelToken;
use crate::error::SolveError;
use crate::graph::fraction::Fraction;

/// Sequence of a player's choices; 0 is the empty one.
pub(super) type SequenceId = u32;

/// Player: 0 wants the goal high, 1 wants it low.
pub(super) type PlayerId = usize;

/// View of a player: the sequence that leads there, and the sequences that end with its options.
#[derive(Clone, Copy)]
pub(super) struct ViewWithSequences {
    pub(super) view: ViewId,
    pub(super) parent: SequenceId,
    first: SequenceId,
    options: u32,
}

impl ViewWithSequences {
    fn sequences_ending_with_options(&self) -> std::ops::Range<SequenceId> {
        self.first..self.first + self.options
    }
}

/// Views of one player, in an order in which each comes after those that lead to it.
#[derive(Default)]
pub(super) struct PlayerViews {
    views: Vec<ViewWithSequences>,
    known: FxHashMap<ViewId, usize>,
    last: SequenceId,
}

impl PlayerViews {
    /// Returns a view where the player comes after the sequence `parent`; the one known has the
    /// sequence by which it was first reached.
    pub(super) fn find_or_add_view(
        &mut self,
        view: ViewId,
        parent: SequenceId,
        options: u32,
    ) -> ViewWithSequences {
        let at = *self.known.entry(view).or_insert_with(|| {
            self.views.push(ViewWithSequences { view, parent, first: self.last + 1, options });
            self.last += options;
            self.views.len() - 1
        });
        self.views[at]
    }

    /// Returns the sequence after an option of a view.
    pub(super) fn sequence_after_option(view: ViewWithSequences, option: usize) -> SequenceId {
        view.first + option as u32
    }

    /// Returns the view whose option ends a sequence.
    pub(super) fn view_of_last_option(&self, sequence: SequenceId) -> Option<ViewId> {
        self.views
            .iter()
            .find(|view| view.sequences_ending_with_options().contains(&sequence))
            .map(|view| view.view)
    }

    pub(super) fn sequence_count(&self) -> usize {
        self.last as usize + 1
    }

    pub(super) fn view_count(&self) -> usize {
        self.views.len()
    }

    /// Returns, by view, the weights of its options.
    fn weights_by_view<N: Clone>(&self, weights: &[N]) -> impl Iterator<Item = (ViewId, Vec<N>)> {
        let of = |view: &ViewWithSequences| {
            let range = view.first as usize..(view.first + view.options) as usize;
            (view.view, weights[range].to_vec())
        };
        self.views.iter().map(of)
    }
}

/// Region as a game between two players who each have a list of sequences.
#[derive(Default)]
pub(super) struct SequenceFormGame {
    pub(super) players: [PlayerViews; 2],
    /// Probability of each pair of sequences that ends the region, and its sum of worths.
    pub(super) ends: BTreeMap<[SequenceId; 2], (Fraction, Fraction)>,
}

/// Weights of the options by view.
pub(super) enum OptionWeightsByView {
    Exact(Vec<(ViewId, Vec<Fraction>)>),
    Rounded(Vec<(ViewId, Vec<f64>)>),
}

/// Largest number of sequences of both players that are solved in fractions.
const MAX_FRACTION_SEQUENCES: usize = 64;

impl SequenceFormGame {
    pub(super) fn total_sequence_count(&self) -> usize {
        self.players.iter().map(PlayerViews::sequence_count).sum()
    }

    /// Adds the end of games that come there after a pair of sequences.
    pub(super) fn add_ending_worth(
        &mut self,
        after: [SequenceId; 2],
        share: &Fraction,
        worth: &Fraction,
    ) {
        let nothing = || (Fraction::zero(), Fraction::zero());
        let (shares, worths) = self.ends.entry(after).or_insert_with(nothing);
        *shares = &*shares + share;
        *worths = &*worths + &(share * worth);
    }

    /// Finds the best mixtures of both players, given the least worth of any end. Returns `None` if
    /// the program has no optimum.
    pub(super) fn solve_mixtures(
        &self,
        least: &Fraction,
        halt: &CancelToken,
    ) -> Result<Option<OptionWeightsByView>, SolveError> {
        if self.total_sequence_count() <= MAX_FRACTION_SEQUENCES {
            let optimum = self.build_linear_program::<Fraction>(least).pivot_to_optimum(halt)?;
            return Ok(
                optimum.map(|found| OptionWeightsByView::Exact(self.mixtures_from_optimum(&found)))
            );
        }
        let optimum = self.build_linear_program::<f64>(least).pivot_to_optimum(halt)?;
        Ok(optimum.map(|found| OptionWeightsByView::Rounded(self.mixtures_from_optimum(&found))))
    }

    /// Returns the program of the first player. Columns are the weights of their sequences, and the
    /// worths of the other's views with that of the whole in front. Rows are the other's sequences,
    /// each of which holds down the worth of the view that it ends, and then the own views, where
    /// the weights share the weight of the sequence before.
    fn build_linear_program<N: LinearProgramNumber>(&self, least: &Fraction) -> LinearProgram<N> {
        let [own, other] = &self.players;
        let (weights, answers) = (own.sequence_count(), other.sequence_count());
        let rows = answers + 1 + own.view_count();
        let mut program = LinearProgram::new(rows, weights + 1 + other.view_count());
        let one = N::one;
        program.set_factor(0, weights, one());
        for (view, column) in other.views.iter().zip(weights + 1..) {
            for sequence in view.sequences_ending_with_options() {
                program.set_factor(sequence as usize, column, one());
            }
            program.set_factor(view.parent as usize, column, one().negate());
        }
        for ([weight, answer], (share, worth)) in &self.ends {
            let raised = worth + &(share * &least.multiply_by_integer(-1));
            let factor = N::from_fraction(&raised).negate();
            program.set_factor(*answer as usize, *weight as usize, factor);
        }
        program.set_factor(answers, 0, one());
        program.set_bound(answers, one());
        for (view, row) in own.views.iter().zip(answers + 1..) {
            for sequence in view.sequences_ending_with_options() {
                program.set_factor(row, sequence as usize, one());
            }
            program.set_factor(row, view.parent as usize, one().negate());
        }
        program.set_objective_factor(weights, one());
        program
    }

    /// Returns the weights of the options by view: those of the first player are the columns, those
    /// of the second the prices of the rows.
    fn mixtures_from_optimum<N: LinearProgramNumber>(
        &self,
        optimum: &LinearProgramOptimum<N>,
    ) -> Vec<(ViewId, Vec<N>)> {
        let [own, other] = &self.players;
        own.weights_by_view(&optimum.columns)
            .chain(other.weights_by_view(&optimum.prices))
            .collect()
    }
}
