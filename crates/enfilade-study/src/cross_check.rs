//! Cross-check of the engines: every built-in contest exact, simulated, played and along the
//! frontier, and all compared.
//!
//! The check covers the engines, the dice, the streams and the merging. All of them share the rule,
//! so the reading of the rulebook is not checked here; worked examples and oracles do that.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::experiment::{Cell, Experiment};
use super::samples;
use super::solve::Watch;
use super::solve::errors::{unsolved, went_wrong};
pub use super::solve::estimate::judge_tallies;
use super::solve::held::{self, Patience, held_of};
use super::solve::looped;
use enfilade_engine::exact::{self, Found, Law, OPEN, law_in_waves};
use enfilade_engine::frontier::Terms;
use enfilade_engine::graph::{DieGraph, Limits};
use enfilade_engine::play;
use enfilade_engine::random_stream::Stream;
use enfilade_engine::simulate::{Isa, MAX_ROUNDS, Plan, resume_in_waves, simulate};
use enfilade_engine::work_units::Part;
use enfilade_model::catalogue::{Action, Catalogue, System};
use enfilade_model::combat::Ending;
use enfilade_model::error::{Error, Unsolved};
use enfilade_stats::agreement::{Alarm, Budget, Verdict};

/// Number of simulated trials per contest.
pub const SIMULATED: u64 = 1 << 25;

/// Number of played trials per contest.
pub const PLAYED: u64 = 1 << 19;

/// Number of simulated trials per contest of a long check, which detects deviations of 0.005
/// percentage points.
pub const LONG_SIMULATED: u64 = 10_000_000_000;

/// Number of played trials per contest of a long check.
pub const LONG_PLAYED: u64 = 1 << 22;

/// Probability that one check raises a false alarm.
const ALPHA: f64 = 1e-9;

/// Probability of a false alarm for one tally: a contest may have several, and each is checked
/// twice.
const TALLY_ALPHA: f64 = 1e-10;

/// Probability of a false alarm for one distribution or tally of the frontier engine: the rest of
/// the budget.
const WAVES_ALPHA: f64 = 1e-11;

/// Budget of false alarms for a whole run. A test compares the checks of a run with it.
pub const BUDGET: Budget = Budget {
    alarms: &[
        Alarm { name: "law of a contest, simulated against exact", checks: 450, alpha: ALPHA },
        Alarm { name: "law of a contest, played against exact", checks: 450, alpha: ALPHA },
        Alarm {
            name: "mean of a tally, simulated and played against exact",
            checks: 900,
            alpha: TALLY_ALPHA,
        },
        Alarm {
            name: "law of a contest and mean of a tally, in waves against exact",
            checks: 900,
            alpha: WAVES_ALPHA,
        },
    ],
};

/// Settings of a cross-check.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    /// Seed of every contest.
    pub seed: u64,
    /// Number of simulated trials per contest.
    pub simulated: u64,
    /// Number of played trials per contest.
    pub played: u64,
    /// Instruction set of the resolver.
    pub isa: Isa,
}

/// Results of one contest.
#[derive(Clone, Debug)]
pub struct Check {
    /// System, action and number of the sample.
    pub name: String,
    /// Number of states of the contest.
    pub states: usize,
    /// Number of nodes of the die graph.
    pub nodes: usize,
    /// Number of outcomes of the distribution.
    pub outcomes: usize,
    /// Comparison of simulated with exact.
    pub simulated: Verdict,
    /// Comparison of played with exact.
    pub played: Verdict,
    /// Comparison without a graph; `None` for contests with decisions, which need one.
    pub waves: Option<Waves>,
    /// Comparison of the tallies by counter: simulated and played with exact.
    pub tallies: Vec<[Verdict; 2]>,
    /// Distance, for a contest that may never end, of its distribution from the ranges allowed by
    /// fractions, sweeps and doubled rounds; 0 within them.
    pub loops: Option<f64>,
}

/// Results of a contest with the frontier engine, run twice: exactly, and by counts of trials.
#[derive(Clone, Debug)]
pub struct Waves {
    /// Largest distance of the exact distributions of graph and frontier; infinite if they have
    /// different endings.
    pub apart: f64,
    /// Comparison of counts with exact.
    pub counted: Verdict,
    /// Comparison of the tallies with exact, by counter.
    pub tallies: Vec<Verdict>,
}

/// Largest allowed distance of two exact distributions: the sum of their errors.
pub const APART: f64 = 1e-12;

impl Waves {
    /// Returns whether all comparisons agree.
    pub fn agrees(&self) -> bool {
        let tallies = self.tallies.iter().all(Verdict::agrees);
        self.apart <= APART && self.counted.agrees() && tallies
    }
}

impl Check {
    /// Returns whether all engines agree.
    pub fn agrees(&self) -> bool {
        let tallies = self.tallies.iter().flatten().all(Verdict::agrees);
        let waves = self.waves.as_ref().is_none_or(Waves::agrees);
        let loops = self.loops.is_none_or(|beyond| beyond == 0.0);
        tallies && waves && loops && self.simulated.agrees() && self.played.agrees()
    }
}

/// Returns the samples of every action, or of the actions of one system, as cells.
///
/// # Errors
/// If a sample does not fit its own action: a mistake of the rule system, which tests detect.
pub fn samples(catalogue: &Catalogue, only: Option<&System>) -> Result<Vec<Cell>, Error> {
    let chosen = |system: &&Arc<System>| only.is_none_or(|only| only.id == system.id);
    let mut cells = Vec::new();
    for system in catalogue.systems().filter(chosen) {
        for action in &system.actions {
            for position in 0..action.samples.iter().count() {
                for cell in cells_of(catalogue, system, action, position)? {
                    let index = cells.len();
                    cells.push(Cell { index, ..cell });
                }
            }
        }
    }
    Ok(cells)
}

/// Returns the sample at index `position` of an action, as cells.
///
/// # Errors
/// In the cases of [`samples`].
pub fn cells_of(
    catalogue: &Catalogue,
    system: &System,
    action: &Action,
    position: usize,
) -> Result<Vec<Cell>, Error> {
    let text = action.samples.get(position).unwrap_or_default();
    let name = format!("{} {}, sample {}", system.id, action.name, position + 1);
    let read = Experiment::read(catalogue, &name, &samples::file(system, action, text))?;
    Ok(read.cells.into_iter().map(|cell| Cell { name: name.clone(), ..cell }).collect())
}

/// Returns why a contest of a rulebook from files cannot be compared, if it cannot: its minimal
/// contest may be a whole battle, with more states than the graph of the comparison can have, or
/// may never end. For a built-in contest either would be a mistake.
pub fn beyond(cell: &Cell) -> Option<&'static str> {
    if !cell.system.is_read() {
        return None;
    }
    match DieGraph::of(&cell.played.combat, Limits::default()) {
        Err(Unsolved::TooLarge(_)) => {
            Some("more states than a graph holds, a smaller `example` is compared")
        }
        Ok(graph) if is_beyond_trials(&exact::law(&graph)) => {
            Some("it may go on for ever, or nearly")
        }
        _ => None,
    }
}

/// Approximate number of steps that all trials of a contest together take in its loops when they
/// are played one at a time.
const MOST_STEPS: f64 = (1u64 << 26) as f64;

/// Returns how many of `trials` trials are played one at a time, and for how many steps each: fewer
/// for contests that go on for long.
fn followed(law: &Law, trials: u64) -> (u64, u64) {
    if law.bound == 0.0 {
        return (trials, play::MAX_STEPS);
    }
    let steps = (64.0 * law.steps) as u64 + (1 << 12);
    let steps = steps.min(play::MAX_STEPS);
    let mean = law.steps + law.never * steps as f64;
    let most = (MOST_STEPS / mean.max(1.0)) as u64;
    (trials.min(most.max(1 << 10)), steps)
}

/// Returns whether too many trials are unfinished when they are given up to compare the rest.
fn is_beyond_trials(law: &Law) -> bool {
    law.unsettled > OPEN || law.steps > f64::from(MAX_ROUNDS)
}

/// Plays every cell with all engines, on the threads of the current rayon pool. Cells not reached
/// when the observer cancels the work are left out.
///
/// # Errors
/// If a cell is too large to be compiled, or its rule fails.
pub fn verify(cells: &[Cell], gate: &Gate, watch: &dyn Watch) -> Result<Vec<Check>, Error> {
    let checked = cells.par_iter().map(|cell| {
        let check = check(cell, gate, watch)?;
        watch.answered(cell.index);
        Ok(check)
    });
    let checked: Result<Vec<_>, Error> = checked.collect();
    Ok(checked?.into_iter().flatten().collect())
}

fn check(cell: &Cell, gate: &Gate, watch: &dyn Watch) -> Result<Option<Check>, Error> {
    let combat = &cell.played.combat;
    let graph = DieGraph::of(combat, Limits::default()).map_err(|why| unsolved(cell, why))?;
    let law = exact::law(&graph);
    let stream = Stream { seed: gate.seed, fingerprint: cell.fingerprint() };
    let contest = Contest { cell, graph: &graph, law: &law, gate, stream, watch };
    let Some((simulated, counted)) = contest.simulated() else {
        return Ok(None);
    };
    let played = contest.played();
    // Checked first: a rule that fails ends the trials early, as a cancellation does.
    if let Some(mishap) = combat.fault() {
        return Err(went_wrong(cell, mishap));
    }
    let Some((played, told)) = played else {
        return Ok(None);
    };
    // Decisions are solved backwards, so the frontier engine cannot play them.
    let waves = match combat.decisions().is_empty() {
        true => contest.waded()?.map(Some),
        false => Some(None),
    };
    let Some(waves) = waves else {
        return Ok(None);
    };
    Ok(Some(Check {
        name: cell.name.clone(),
        states: graph.states(),
        nodes: graph.dice(),
        outcomes: graph.endings().len(),
        simulated,
        played,
        waves,
        tallies: counted.into_iter().zip(told).map(Into::into).collect(),
        loops: looped::beyond(&graph, &law, watch.halt()),
    }))
}

/// Contest with its exact distribution.
struct Contest<'a> {
    cell: &'a Cell,
    graph: &'a DieGraph,
    law: &'a Law,
    gate: &'a Gate,
    stream: Stream,
    watch: &'a dyn Watch,
}

impl Contest<'_> {
    fn simulated(&self) -> Option<(Verdict, Vec<Verdict>)> {
        let Contest { law, gate, stream, watch, .. } = self;
        let done = |made| {
            watch.trials(made);
            !watch.halt().asked()
        };
        let plan = Plan::new(self.graph);
        let counts = simulate(&plan, gate.simulated, stream, gate.isa, &done)?;
        let (open, trials) = (counts.unsettled, gate.simulated);
        let tallies = held::tallies(law, &counts.tallies, open, trials, TALLY_ALPHA);
        let verdict = judge(law, counts.endings, counts.unsettled, gate.simulated);
        Some((verdict, tallies))
    }

    fn played(&self) -> Option<(Verdict, Vec<Verdict>)> {
        let Contest { law, gate, stream, watch, .. } = self;
        let combat = &self.cell.played.combat;
        let (start, halt) = (Part::default(), watch.halt());
        let made = |_: &_, _| !halt.asked();
        let (trials, steps) = followed(law, gate.played);
        let tally = play::resume_within(combat, trials, steps, stream, start, halt, &made).sum;
        if tally.trials() < trials {
            return None;
        }
        watch.trials(trials);
        let counts = self.in_order(&tally.endings);
        let sums: Vec<i128> = tally.totals.iter().map(|total| total.sum).collect();
        let tallies = held::tallies(law, &sums, tally.unsettled, trials, TALLY_ALPHA);
        let patience = Patience::Steps(Some(steps));
        Some((held_of(law, &counts, tally.unsettled, trials, patience, ALPHA), tallies))
    }

    /// Returns `None` if the observer cancelled the work.
    fn waded(&self) -> Result<Option<Waves>, Error> {
        let Contest { cell, law, gate, watch, .. } = self;
        let combat = &cell.played.combat;
        let terms = Terms { states: None, halt: watch.halt(), seen: &|_| true };
        let found = match law_in_waves(combat, &terms) {
            Ok(found) => found,
            Err(Unsolved::Stopped) => return Ok(None),
            Err(why) => return Err(unsolved(cell, why)),
        };
        let (start, halt, stream) = (Part::default(), watch.halt(), &self.stream);
        let met = resume_in_waves(combat, gate.played, stream, gate.isa, start, halt, &|_, _| true);
        // Only a cancellation leaves trials out.
        if met.sum.trials() < gate.played {
            return Ok(None);
        }
        watch.trials(gate.played);
        let (counts, open) = (self.in_order(&met.sum.endings), met.sum.unsettled);
        Ok(Some(Waves {
            apart: apart(self.graph, law, &found),
            counted: judged(law, counts, open, gate.played, WAVES_ALPHA),
            tallies: held::tallies(law, &met.sum.tallies, open, gate.played, WAVES_ALPHA),
        }))
    }

    /// Returns the counts of endings in the order of the graph.
    fn in_order(&self, counts: &BTreeMap<Ending, u64>) -> Vec<u64> {
        let count = |ending| counts.get(ending).copied().unwrap_or(0);
        self.graph.endings().iter().map(count).collect()
    }
}

/// Computes the largest distance of the distributions of graph and frontier: in a probability, or
/// in the mean of a tally, relative to it where it is above 1. Infinite if the endings differ.
pub fn apart(graph: &DieGraph, law: &Law, found: &Found) -> f64 {
    let same = found.endings == graph.endings() && found.law.tallies.len() == law.tallies.len();
    if !same {
        return f64::INFINITY;
    }
    // The frontier stops after a number of steps: what it leaves unfinished may still end, or
    // never.
    let open = (found.law.unsettled - law.open()).max(0.0);
    let lacks = |solved: f64, waded: f64| (waded - solved).max(solved - waded - open).max(0.0);
    let both = law.probabilities.iter().zip(&found.law.probabilities);
    let chances = both.map(|(solved, waded)| lacks(*solved, *waded));
    let both = law.tallies.iter().zip(&found.law.tallies);
    // A tally that grows for ever has no mean, and an unfinished trial has tallied too little.
    let both = both.filter(|(solved, _)| solved.mean.is_finite() && open <= OPEN);
    let means = both.map(|(a, b)| (a.mean - b.mean).abs() / a.mean.abs().max(1.0));
    let unsettled = (law.open() - found.law.unsettled).max(0.0);
    chances.chain(means).fold(unsettled, f64::max)
}

/// Compares counts with the distribution. Counts that do not add up to the trials, because a batch
/// is lost or an ending is not in the graph, never agree.
pub fn judge(law: &Law, counts: Vec<u64>, unsettled: u64, trials: u64) -> Verdict {
    judged(law, counts, unsettled, trials, ALPHA)
}

fn judged(law: &Law, counts: Vec<u64>, unsettled: u64, trials: u64, alpha: f64) -> Verdict {
    held_of(law, &counts, unsettled, trials, Patience::Rounds, alpha)
}
