//! Loop solver in fractions: the distribution of a contest that may never end, without any
//! rounding.

use super::local::Local;
use crate::cancel::Halt;
use crate::graph::{
    Condensed, DieGraph, Fraction, Group, MOST_BITS, Place, Reduction, Stop, System, put_back,
    put_on,
};

/// Largest number of products for one contest.
const MOST_PRODUCTS: usize = 1 << 20;

/// Distribution of a graph in fractions.
pub(crate) struct Fractions {
    /// Probability by ending.
    pub(crate) probabilities: Vec<Fraction>,
    /// Mean of a trial's tally by counter; `None` where it is unbounded.
    pub(crate) tallies: Vec<Option<Fraction>>,
}

/// Solves the distribution of a graph with loop heads. Returns `None` if it would take too many
/// products, or `halt` was raised.
pub(crate) fn fractions(graph: &DieGraph, halt: &Halt) -> Option<Fractions> {
    let condensed = Condensed::of(graph);
    let mut pushing = Pushing {
        graph,
        halt,
        local: Local::new(graph),
        mass: vec![Fraction::zero(); graph.places()],
        tallies: vec![Some(Fraction::zero()); graph.counters()],
        products: 0,
    };
    pushing.mass[graph.start() as usize] = Fraction::from(1);
    for group in condensed.groups(graph) {
        match group {
            Group::Alone(place) => {
                let here = std::mem::replace(&mut pushing.mass[place as usize], Fraction::zero());
                pushing.push(place, &here)?;
            }
            Group::Loop(places) => pushing.together(places)?,
        }
    }
    pushing.mass.truncate(graph.endings().len());
    Some(Fractions { probabilities: pushing.mass, tallies: pushing.tallies })
}

struct Pushing<'a> {
    graph: &'a DieGraph,
    halt: &'a Halt,
    local: Local<'a>,
    mass: Vec<Fraction>,
    tallies: Vec<Option<Fraction>>,
    products: usize,
}

impl Pushing<'_> {
    /// Pushes the probability at a vertex along its branches, except to vertices of the same loop.
    fn push(&mut self, place: Place, here: &Fraction) -> Option<()> {
        if here.is_zero() {
            return Some(());
        }
        if let Some(toll) = self.graph.toll(place)
            && let Some(sum) = &mut self.tallies[usize::from(toll.counter)]
        {
            *sum = &*sum + &here.of_whole(toll.amount);
        }
        let (sides, faces) = self.graph.faces(place);
        for (to, faces) in faces {
            self.products += 1;
            if self.local.number(to).is_none() {
                let sum = &mut self.mass[to as usize];
                *sum = &*sum + &(here * &Fraction::share(faces, sides));
                if sum.bits() > MOST_BITS {
                    return None;
                }
            }
        }
        (self.products <= MOST_PRODUCTS && !self.halt.asked()).then_some(())
    }

    fn together(&mut self, places: &[Place]) -> Option<()> {
        let take =
            |place: &Place| std::mem::replace(&mut self.mass[*place as usize], Fraction::zero());
        let mut comes: Vec<Fraction> = places.iter().map(take).collect();
        self.local.enter(places);
        let system: System<Fraction> = self.local.system(places);
        if system.is_left() {
            self.reduced(system, &mut comes)?;
            for (place, visits) in places.iter().zip(&comes) {
                self.push(*place, visits)?;
            }
        } else if comes.iter().any(|comes| !comes.is_zero()) {
            for place in places {
                if let Some(toll) = self.graph.toll(*place) {
                    self.tallies[usize::from(toll.counter)] = None;
                }
            }
        }
        self.local.leave(places);
        Some(())
    }

    /// Converts the inflow to visits.
    fn reduced(&mut self, system: System<Fraction>, comes: &mut [Fraction]) -> Option<()> {
        let mut reduction = Reduction::new(system);
        let (before, halt) = (self.products, self.halt);
        let go_on = &mut |products| before + products <= MOST_PRODUCTS && !halt.asked();
        if reduction.reduce(u64::MAX, false, go_on) != Stop::End {
            return None;
        }
        self.products += reduction.products();
        put_on(reduction.taken(), comes);
        put_back(reduction.taken(), comes);
        Some(())
    }
}
