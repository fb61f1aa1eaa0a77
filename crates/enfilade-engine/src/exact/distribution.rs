//! Probabilities as `f64`.

use super::convergence::OPEN;
use super::measure_value::{conditional, error, is_untold, value};
use super::solve;
use super::tally_moments::{self, Moments};
use crate::cancel::{Halt, NEVER};
use crate::exact::approximation::{Approximation, BOUND};
use crate::graph::{DieGraph, Place, Repetition};
use enfilade_model::combat::{Ending, MeasureHead, MeasureKind};

/// Exact distribution of a contest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Law {
    /// Probability by ending of the graph.
    pub probabilities: Vec<f64>,
    /// Probability that the engine gave up before its ending was determined; 0 for nearly all
    /// contests.
    pub unsettled: f64,
    /// Probability of reaching a vertex that no path leaves: such a trial never ends.
    pub never: f64,
    /// Bound of the error of each probability where loops were solved; 0 without loops.
    pub bound: f64,
    /// Mean number of loop vertices that a trial visits; 0 without loops.
    pub steps: f64,
    /// Moments by counter: the sum that a trial tallies until it is over or the last round has
    /// passed.
    pub tallies: Vec<Moments>,
    /// Figures of tallies by outcome, where they were computed: the position of the measure, its number and
    /// the bound of its error.
    pub tally_figures: Vec<(usize, Approximation)>,
}

/// Solves the distribution of `graph`, with an error below 1e-12.
///
/// A contest that must end takes one sweep. The loops of one that may never end are solved
/// (`solve`).
///
/// The copies of a contest of copies are added one by one. This takes sums × copies × endings of
/// the part, where multiplying distributions with themselves would take sums × sums.
pub fn law(graph: &DieGraph) -> Law {
    law_unless(graph, &NEVER).unwrap_or_else(|| unreachable!("nobody can ask it to stop"))
}

/// Solves the distribution like [`law`]. Returns `None` if `halt` was raised before the end.
pub fn law_unless(graph: &DieGraph, halt: &Halt) -> Option<Law> {
    law_watched(graph, halt, &mut |_| {})
}

/// Solves the distribution like [`law_unless`]; `seen` is called with the number of vertices of a
/// loop that will take long.
pub fn law_watched(graph: &DieGraph, halt: &Halt, seen: &mut dyn FnMut(usize)) -> Option<Law> {
    if let Some(repeated) = graph.repeated() {
        return law_of_copies(graph, repeated, halt);
    }
    if !graph.ports().is_empty() {
        return solve::law(graph, halt, seen).map(solved);
    }
    let mut mass = vec![0.0; graph.places()];
    mass[graph.start() as usize] = 1.0;
    sweep(graph, &mut mass);
    mass.truncate(graph.endings().len());
    Some(Law { probabilities: mass, tallies: tally_moments::moments(graph), ..Law::default() })
}

fn solved(found: solve::Solved) -> Law {
    let solve::Solved { probabilities, unsettled, never, bound, steps, tallies } = found;
    Law { probabilities, unsettled, never, bound, steps, tallies, tally_figures: Vec::new() }
}

fn law_of_copies(graph: &DieGraph, repeated: &Repetition, halt: &Halt) -> Option<Law> {
    let Law { probabilities: part, tallies, .. } = law_unless(&repeated.part, halt)?;
    let together = |one: Moments| one.of_copies(repeated.count);
    let mut mass = vec![0.0; repeated.sums()];
    mass[0] = 1.0;
    // Sums above this one have not been reached.
    let mut highest = 0;
    for _ in 0..repeated.count {
        if halt.asked() {
            return None;
        }
        for sum in (0..=highest).rev() {
            let here = std::mem::take(&mut mass[sum]);
            if here == 0.0 {
                continue;
            }
            for (&next, share) in repeated.next(sum).iter().zip(&part) {
                mass[next as usize] += here * share;
                highest = highest.max(next as usize);
            }
        }
    }
    let mut probabilities = vec![0.0; graph.endings().len()];
    for (&place, mass) in repeated.endings().iter().zip(mass) {
        probabilities[place as usize] += mass;
    }
    Some(Law {
        probabilities,
        tallies: tallies.into_iter().map(together).collect(),
        ..Law::default()
    })
}

/// Moves the probability of every node along its branches.
pub(super) fn sweep(graph: &DieGraph, mass: &mut [f64]) {
    let first = graph.first_node();
    for (index, node) in graph.nodes().enumerate().rev() {
        let here = std::mem::take(&mut mass[first + index]);
        if here == 0.0 {
            continue;
        }
        let share = here / f64::from(node.sides);
        for branch in node.branches {
            mass[branch.to as usize] += share * f64::from(branch.faces);
        }
    }
}

impl Law {
    /// Returns the value of the measure at position `index` of the combat's measures, as [`value`]
    /// computes it.
    pub fn measure(&self, endings: &[Ending], index: usize, head: &MeasureHead) -> Option<f64> {
        if let MeasureKind::Tally(counter) = head.kind {
            let tallied = self.tallies.get(usize::from(counter))?;
            // A sum that is tallied for ever has no mean.
            return Some(tallied.mean * head.scale.factor()).filter(|mean| mean.is_finite());
        }
        if let MeasureKind::Tallied(..) = head.kind {
            return Some(self.tally_figure(index)?.value * head.scale.factor());
        }
        if is_untold(head, self.never > 0.0) {
            return None;
        }
        let weights = endings.iter().map(|ending| ending.weights[index]);
        let law = weights.zip(self.probabilities.iter().copied());
        if head.is_conditional() && self.unsettled > OPEN * conditional(law.clone())?.1 {
            return None;
        }
        value(head, law, self.open())
    }

    fn tally_figure(&self, index: usize) -> Option<Approximation> {
        self.tally_figures.iter().find(|(measure, _)| *measure == index).map(|(_, figure)| *figure)
    }

    /// Returns the value of the measure at position `index` with a bound of its error.
    pub fn approximate(
        &self,
        endings: &[Ending],
        index: usize,
        head: &MeasureHead,
    ) -> Option<Approximation> {
        let value = self.measure(endings, index, head)?;
        if let MeasureKind::Tally(counter) = head.kind {
            // The mean of a tally, of either sign, is at most the root of its mean square.
            let Moments { mean, variance, .. } = self.tallies.get(usize::from(counter))?;
            let size = (variance + mean * mean).sqrt() * head.scale.factor();
            return Some(Approximation::new(value, BOUND * size));
        }
        if let MeasureKind::Tallied(..) = head.kind {
            let error = self.tally_figure(index)?.error * head.scale.factor();
            return Some(Approximation::new(value, error));
        }
        let weights = endings.iter().map(|ending| ending.weights[index]);
        let law = weights.zip(self.probabilities.iter().copied());
        // What never ends meets no condition.
        let open = if head.is_conditional() { self.unsettled } else { self.open() };
        Some(Approximation::new(value, error(head, law, open)))
    }

    /// Returns the probability of not being over, now or ever.
    pub fn open(&self) -> f64 {
        self.unsettled + self.never
    }

    /// Returns the probability of the ending at `place`.
    pub fn of(&self, place: Place) -> f64 {
        self.probabilities[place as usize]
    }
}
