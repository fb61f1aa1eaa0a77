//! Probabilities as `f64`.

use super::convergence::{Ends, MAX_ROUNDS, PATIENT};
use super::measure_value::{error, value};
use super::tally_moments::{self, Moments};
use crate::cancel::{Halt, NEVER};
use crate::exact::approximation::{Approximation, BOUND};
use crate::graph::{DieGraph, Place, Repetition};
use enfilade_model::combat::{Ending, MeasureHead, MeasureKind};

/// The exact law of a contest.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    /// By ending of the graph: its probability.
    pub probabilities: Vec<f64>,
    /// Probability of not being over after the last round; 0 for a contest that must end.
    pub unsettled: f64,
    /// By counter: what a trial tallies, until it is over or the last round has passed.
    pub tallies: Vec<Moments>,
}

/// The law of `graph`, with an error below 1e-12.
///
/// A contest that must end takes one sweep. One that can go on for ever takes rounds, until less
/// than 1e-15 is unsettled of what can end, or [`MAX_ROUNDS`] have passed.
///
/// The copies of a contest made of them are added one by one: that is as many steps as sums, copies
/// and endings of the part, where laws multiplied with themselves would take sums times sums.
pub fn law(graph: &DieGraph) -> Law {
    law_unless(graph, &NEVER).unwrap_or_else(|| unreachable!("nobody can ask it to stop"))
}

/// As [`law`]; `None` when `halt` was asked before the end.
pub fn law_unless(graph: &DieGraph, halt: &Halt) -> Option<Law> {
    law_watched(graph, halt, &mut |_, _| {})
}

/// As [`law_unless`]; every few rounds `seen` is told how many have passed and how much probability waits.
pub fn law_watched(graph: &DieGraph, halt: &Halt, seen: &mut dyn FnMut(u32, f64)) -> Option<Law> {
    if let Some(repeated) = graph.repeated() {
        return law_of_copies(graph, repeated, halt);
    }
    let mut mass = vec![0.0; graph.places()];
    mass[graph.start() as usize] = 1.0;
    sweep(graph, &mut mass);
    let mut ends = Ends::unasked();
    for round in 1..MAX_ROUNDS {
        ends.after(round, graph);
        if ends.are_settled(ports(graph, &mass).iter().copied()) {
            break;
        }
        if halt.asked() {
            return None;
        }
        if round.is_multiple_of(PATIENT) {
            seen(round, ports(graph, &mass).iter().sum());
        }
        // One round more for what waits in the ports; what has ended stays where it is.
        reopen(graph, &mut mass);
        sweep(graph, &mut mass);
    }
    // Not shared out over the endings: a contest that does not end would look certain.
    let unsettled = ports(graph, &mass).iter().fold(0.0, |sum, mass| sum + mass);
    mass.truncate(graph.endings().len());
    Some(Law { probabilities: mass, unsettled, tallies: tally_moments::moments(graph, halt)? })
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
        unsettled: 0.0,
        tallies: tallies.into_iter().map(together).collect(),
    })
}

/// Moves the mass of every node to where its faces lead.
fn sweep(graph: &DieGraph, mass: &mut [f64]) {
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

/// By port: the mass that waits there.
fn ports<'m>(graph: &DieGraph, mass: &'m [f64]) -> &'m [f64] {
    &mass[graph.first_port()..graph.first_node()]
}

/// Lets what waits in the ports go on.
fn reopen(graph: &DieGraph, mass: &mut [f64]) {
    let ports = graph.first_port()..graph.first_node();
    let waiting: Vec<f64> = mass[ports.clone()].to_vec();
    mass[ports].fill(0.0);
    for (&place, waiting) in graph.ports().iter().zip(waiting) {
        mass[place as usize] += waiting;
    }
}

impl Law {
    /// The value of the measure at position `index` of the combat's measures, as
    /// [`value`] finds it.
    pub fn measure(&self, endings: &[Ending], index: usize, head: &MeasureHead) -> Option<f64> {
        if let MeasureKind::Tally(counter) = head.kind {
            let tallied = self.tallies.get(usize::from(counter))?;
            return Some(tallied.mean * head.scale.factor());
        }
        let weights = endings.iter().map(|ending| ending.weights[index]);
        let law = weights.zip(self.probabilities.iter().copied());
        value(head, law, self.unsettled)
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
            // The mean of what is tallied, of either sign, is at most the root of its mean square.
            let Moments { mean, variance, .. } = self.tallies.get(usize::from(counter))?;
            let size = (variance + mean * mean).sqrt() * head.scale.factor();
            return Some(Approximation::new(value, BOUND * size));
        }
        let weights = endings.iter().map(|ending| ending.weights[index]);
        let law = weights.zip(self.probabilities.iter().copied());
        Some(Approximation::new(value, error(head, law, self.unsettled)))
    }

    /// The probability of the ending at `place`.
    pub fn of(&self, place: Place) -> f64 {
        self.probabilities[place as usize]
    }
}
