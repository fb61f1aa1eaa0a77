//! From cells to answers: compiled, exact, simulated or played, compared.

use std::borrow::Borrow;
use std::sync::Arc;

use rayon::prelude::*;

use super::answer::{Answer, Engine, Estimate, MeasureAnswer, OutcomeAnswer};
use super::estimate::{self, share};
use super::experiment::{Cell, Stop};
use super::journal::Journal;
use super::keeper::Keeper;
use super::known::{Compiled, Known};
use super::record::{Part, Record, counted, counts, is_right, met, met_again, recorded, tallied};
use super::refusal::{beyond, went_wrong};
use crate::bounds::TRIALS;
use crate::combat::{Ending, MeasureHead, MeasureKind};
use crate::error::{Error, TooLarge};
use crate::graph::DieGraph;
use crate::halt::{Halt, NEVER};
use crate::pieces::{self, Pieces};
use crate::play::{self, Tally};
use crate::simulate::{self, CHUNK, Counts, Isa, Met, Plan, UNIT, resume_in_waves};
use crate::stats::agreement::{self, Verdict};
use crate::stats::precision::trials_for;
use crate::stream::Stream;
use crate::waves::Extent;

/// Chance that a whole run reports a disagreement where there is none, shared out over its cells.
const FALSE_ALARM: f64 = 1e-9;

/// Trials of a cell whose precision needs fewer: so that means have an interval too, and rare
/// outcomes a bound.
const LEAST: u64 = 100_000;

/// How cells are answered.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Seed of every cell.
    pub seed: u64,
    /// When a simulation has rolled enough.
    pub stop: Stop,
    /// Instruction set of the hot loop.
    pub isa: Isa,
    /// Whether to leave out the simulation.
    pub exact_only: bool,
    /// Whether to give exact probabilities as fractions too.
    pub fractions: bool,
    /// Whether to roll one trial at a time; then a contest too large for a graph has no exact law.
    pub played: bool,
    /// Most states that a contest without a graph may hold at once; as many as fit into 2 GiB where
    /// nothing is said.
    pub states: Option<usize>,
}

/// Who watches the work, and may stop it.
pub trait Watch: Sync {
    /// Some trials have been made.
    fn trials(&self, _made: u64) {}

    /// A cell has been answered.
    fn answered(&self, _cell: usize) {}

    /// A cell without a graph has come so far.
    fn waded(&self, _extent: &Extent) {}

    /// What is asked when the work is to stop.
    fn halt(&self) -> &Halt {
        &NEVER
    }
}

/// Nobody watches.
pub struct Unwatched;

impl Watch for Unwatched {}

/// What became of a set of cells.
#[derive(Debug)]
pub struct Solved {
    /// The answers, in the order of their cells; without the cells that were not finished.
    pub answers: Vec<Answer>,
    /// Whether the watcher stopped the work before the end.
    pub interrupted: bool,
}

/// Answers `cells`, on the threads of the current rayon pool.
///
/// The answers do not depend on the threads. Trials recorded in `journal` are not made again, and
/// new ones are recorded there.
///
/// # Errors
/// When players decide in a contest that is too large to be compiled, or only exact laws are asked for
/// and one is too large for that.
pub fn solve(
    cells: &[Cell],
    settings: &Settings,
    watch: &dyn Watch,
    journal: &Journal,
) -> Result<Solved, Error> {
    solve_all(cells.par_iter(), settings, watch, journal)
}

/// As [`solve`]; each cell is given up as soon as it is answered, so that of a large grid contests
/// and answers never stand in memory together.
///
/// # Errors
/// As for [`solve`].
pub fn solve_and_drop(
    cells: Vec<Cell>,
    settings: &Settings,
    watch: &dyn Watch,
    journal: &Journal,
) -> Result<Solved, Error> {
    solve_all(cells.into_par_iter(), settings, watch, journal)
}

/// What became of a cell that may have to wait.
enum Reply<C> {
    /// It was answered, or the watcher stopped it.
    Answer(Option<Answer>),
    /// It is too large for a graph, and goes alone.
    Large(C, TooLarge),
}

/// Cells with a graph side by side, then the others one by one: each of those fills the memory that
/// there is, and all threads.
fn solve_all<C: Borrow<Cell> + Send>(
    cells: impl IndexedParallelIterator<Item = C>,
    settings: &Settings,
    watch: &dyn Watch,
    journal: &Journal,
) -> Result<Solved, Error> {
    let count = cells.len();
    let alpha = FALSE_ALARM / count.max(1) as f64;
    let answered = |work: Option<Work<'_>>| -> Result<Option<Answer>, Error> {
        let Some(work) = work else { return Ok(None) };
        let answer = work.answer(watch, journal)?;
        watch.answered(work.cell.index);
        Ok(answer)
    };
    let first = |cell: C| -> Result<Reply<C>, Error> {
        let known = Compiled::of(cell.borrow(), settings, watch)?;
        if let Known::Large(refusal) = known {
            return Ok(Reply::Large(cell, refusal));
        }
        answered(Work::new(cell.borrow(), settings, alpha, known)).map(Reply::Answer)
    };
    let replies: Vec<_> = cells.map(first).collect::<Result<_, Error>>()?;
    let second = |reply: Reply<C>| match reply {
        Reply::Answer(answer) => Ok(answer),
        Reply::Large(cell, refusal) => {
            let known = Compiled::in_waves(cell.borrow(), refusal, settings, watch)?;
            answered(Work::new(cell.borrow(), settings, alpha, known))
        }
    };
    let answers: Vec<_> = replies.into_iter().map(second).collect::<Result<_, Error>>()?;
    let answers: Vec<Answer> = answers.into_iter().flatten().collect();
    Ok(Solved { interrupted: answers.len() < count, answers })
}

/// One cell being answered.
struct Work<'a> {
    cell: &'a Cell,
    settings: &'a Settings,
    alpha: f64,
    /// The compiled contest and its exact law, unless it is too large.
    compiled: Option<Compiled>,
    /// Why there is none.
    refusal: Option<TooLarge>,
    /// Whether one trial is rolled at a time.
    played: bool,
}

impl<'a> Work<'a> {
    /// With what is known before any die is rolled; `None` when the watcher stopped that.
    fn new(cell: &'a Cell, settings: &'a Settings, alpha: f64, known: Known) -> Option<Self> {
        let (compiled, refusal) = match known {
            Known::Exactly(compiled) => (Some(*compiled), None),
            Known::Nothing(refusal) | Known::Large(refusal) => (None, Some(refusal)),
            Known::Stopped => return None,
        };
        // Of trials that are not told apart nobody knows how far their tallies stray.
        let tallies = cell.played.combat.counters() > 0;
        let played = settings.played || compiled.is_none() && tallies;
        Some(Work { cell, settings, alpha, compiled, refusal, played })
    }

    fn answer(&self, watch: &dyn Watch, journal: &Journal) -> Result<Option<Answer>, Error> {
        if self.settings.exact_only && self.compiled.is_some() {
            return Ok(Some(self.assemble(None)));
        }
        let trials = self.trials();
        let key = Record::key(&self.stream(), trials, self.rolled());
        if let Some(record) = journal.recall(&key, trials) {
            watch.trials(trials);
            return Ok(Some(self.assemble(Some(record))));
        }
        let keeper = Keeper::new(journal, &key, trials);
        let part = self.roll(trials, journal.recall_part(&key), watch, &keeper);
        keeper.trouble()?;
        if let Some(mishap) = self.cell.played.combat.fault() {
            return Err(went_wrong(self.cell, mishap));
        }
        if part.sum.trials() < trials {
            journal.record_part(&key, trials, &part)?;
            return Ok(None);
        }
        journal.record(&key, &part.sum)?;
        Ok(Some(self.assemble(Some(part.sum))))
    }

    fn measures(&self) -> &[Arc<MeasureHead>] {
        self.cell.played.combat.measures()
    }

    fn stream(&self) -> Stream {
        Stream { seed: self.settings.seed, fingerprint: self.cell.fingerprint() }
    }

    /// How many trials to make: as many as asked for, or enough for the precision asked for.
    fn trials(&self) -> u64 {
        let wanted = match self.settings.stop {
            Stop::Trials(trials) => return trials,
            Stop::Precision(wanted) => wanted,
        };
        let exact = self.compiled.iter().flat_map(|compiled| {
            let value = |(i, head): (usize, &Arc<MeasureHead>)| compiled.measure(i, head);
            let heads = self.measures().iter().enumerate();
            let probabilities = heads.filter(|(_, head)| head.kind == MeasureKind::Event);
            probabilities.filter_map(value)
        });
        trials_for(wanted, exact, TRIALS.high as u64).max(LEAST)
    }

    /// Makes the trials, from where an earlier run stopped until the watcher stops this one.
    fn roll(
        &self,
        trials: u64,
        start: Option<Part>,
        watch: &dyn Watch,
        keeper: &Keeper<'_>,
    ) -> Part {
        if self.played {
            return self.play(trials, start, watch, keeper);
        }
        match self.compiled.as_ref().and_then(|compiled| compiled.graph()) {
            Some(graph) => self.simulate(graph, trials, start, watch, keeper),
            None => self.wade(trials, start, watch, keeper),
        }
    }

    /// How the trials are made, as the name of their stream.
    fn rolled(&self) -> &'static str {
        match self.compiled.as_ref().and_then(|compiled| compiled.graph()) {
            _ if self.played => "played",
            Some(_) => "simulated",
            None => "waves",
        }
    }

    fn simulate(
        &self,
        graph: &DieGraph,
        trials: u64,
        start: Option<Part>,
        watch: &dyn Watch,
        keeper: &Keeper<'_>,
    ) -> Part {
        let endings = graph.endings();
        let start = start.filter(|part| is_right(part, UNIT, trials));
        let start = start.and_then(|part| counts(part, endings, graph.counters()));
        let start = start.unwrap_or_else(|| pieces::Part {
            pieces: Pieces::default(),
            sum: Counts::none(endings.len()),
        });
        watch.trials(start.sum.trials());
        let made = |part: &pieces::Part<Counts>, size| {
            watch.trials(size);
            keeper.keep(|| counted(part.clone(), endings)) && !watch.halt().asked()
        };
        let (plan, isa) = (Plan::new(graph), self.settings.isa);
        let stream = self.stream();
        let part = simulate::resume(&plan, trials, &stream, isa, start, watch.halt(), &made);
        counted(part, endings)
    }

    /// Simulates without a graph.
    fn wade(
        &self,
        trials: u64,
        start: Option<Part>,
        watch: &dyn Watch,
        keeper: &Keeper<'_>,
    ) -> Part {
        let start = start.filter(|part| is_right(part, CHUNK, trials));
        let combat = &self.cell.played.combat;
        let start = start.and_then(|part| met_again(part, combat.counters())).unwrap_or_default();
        watch.trials(start.sum.trials());
        let made = |part: &pieces::Part<Met>, size| {
            watch.trials(size);
            keeper.keep(|| met(part.clone())) && !watch.halt().asked()
        };
        let (stream, isa) = (self.stream(), self.settings.isa);
        met(resume_in_waves(combat, trials, &stream, isa, start, watch.halt(), &made))
    }

    fn play(
        &self,
        trials: u64,
        start: Option<Part>,
        watch: &dyn Watch,
        keeper: &Keeper<'_>,
    ) -> Part {
        let start = start.filter(|part| is_right(part, play::CHUNK, trials));
        let counters = self.cell.played.combat.counters();
        let start = start.and_then(|part| tallied(part, counters));
        let start = start.unwrap_or_default();
        watch.trials(start.sum.trials());
        let made = |part: &pieces::Part<Tally>, size| {
            watch.trials(size);
            keeper.keep(|| recorded(part.clone())) && !watch.halt().asked()
        };
        let combat = &self.cell.played.combat;
        let part = play::resume(combat, trials, &self.stream(), start, watch.halt(), &made);
        recorded(part)
    }

    fn assemble(&self, record: Option<Record>) -> Answer {
        let cell = self.cell;
        let engine = match record {
            None => Engine::ExactOnly,
            Some(_) if self.played => Engine::Played,
            Some(_) => Engine::Simulated,
        };
        let record = record.map(|record| self.aligned(record));
        let compiled = self.compiled.as_ref();
        Answer {
            cell: cell.index,
            contest: cell.contest,
            name: cell.name.clone(),
            system: Arc::clone(&cell.system),
            action: Arc::clone(&cell.action),
            params: cell.form.clone(),
            axes: cell.axes.clone(),
            fields: Arc::clone(&cell.played.combat.heads().fields),
            outcomes: self.outcomes(record.as_ref()),
            measures: self.measured(record.as_ref()),
            seed: self.settings.seed,
            trials: record.as_ref().map_or(0, Record::trials),
            unsettled_trials: record.as_ref().map_or(0, |record| record.unsettled),
            unsettled: compiled.map(|compiled| compiled.law.unsettled),
            engine,
            states: compiled.map(Compiled::states),
            nodes: compiled.and_then(|compiled| compiled.graph()).map(DieGraph::dice),
            agrees: self.agrees(record.as_ref()),
            notes: self.notes(),
        }
    }

    /// What a reader must know, before all that there is no exact law, and why.
    fn notes(&self) -> Vec<String> {
        let refusal = self.refusal.iter().map(|refusal| beyond(self.cell, refusal, self.played));
        refusal.chain(self.cell.played.notes.iter().cloned()).collect()
    }

    /// The record with every ending of the graph, in its order; what was seen and is not in the
    /// graph, which agreement then refuses, comes last.
    fn aligned(&self, record: Record) -> Record {
        let Some(compiled) = &self.compiled else {
            return record;
        };
        let mut record = record;
        let seen = std::mem::take(&mut record.endings).into_iter();
        let mut seen: std::collections::BTreeMap<Ending, u64> = seen.collect();
        let known = compiled.endings().iter();
        let mut endings: Vec<_> =
            known.map(|ending| (*ending, seen.remove(ending).unwrap_or(0))).collect();
        endings.extend(seen);
        Record { endings, ..record }
    }

    fn outcomes(&self, record: Option<&Record>) -> Vec<OutcomeAnswer> {
        let endings: Vec<Ending> = match (record, &self.compiled) {
            (Some(record), _) => record.endings.iter().map(|(ending, _)| *ending).collect(),
            (None, Some(compiled)) => compiled.endings().to_vec(),
            (None, None) => Vec::new(),
        };
        let columns = self.cell.played.combat.fields().len();
        let outcome = |(i, ending): (usize, &Ending)| OutcomeAnswer {
            values: ending.fields[..columns].to_vec(),
            exact: self.compiled.as_ref().map(|compiled| compiled.probability(i)),
            fraction: self.compiled.as_ref().and_then(|compiled| compiled.fraction(i)),
            count: record.map(|record| record.endings[i].1),
            simulated: record.map(|record| share(record.endings[i].1, record.trials())),
        };
        endings.iter().enumerate().map(outcome).collect()
    }

    fn measured(&self, record: Option<&Record>) -> Vec<MeasureAnswer> {
        let heads = self.measures().iter().enumerate();
        let answer = |(i, head): (usize, &Arc<MeasureHead>)| MeasureAnswer {
            head: Arc::clone(head),
            exact: self.compiled.as_ref().and_then(|compiled| compiled.measure(i, head)),
            fraction: self
                .compiled
                .as_ref()
                .and_then(|compiled| compiled.measure_fraction(i, head)),
            simulated: record.and_then(|record| self.estimate(record, i, head)),
        };
        heads.map(answer).collect()
    }

    fn estimate(&self, record: &Record, index: usize, head: &MeasureHead) -> Option<Estimate> {
        if let MeasureKind::Tally(counter) = head.kind {
            let (sum, variance) = self.tallied(record, counter.into())?;
            return Some(estimate::tally(head, sum, record.trials(), variance));
        }
        let weight = |(ending, count): &(Ending, u64)| (ending.weights[index], *count);
        let weighed: Vec<_> = record.endings.iter().map(weight).collect();
        let ends = self.compiled.as_ref();
        let ends = ends.is_some_and(|c| c.law.unsettled == 0.0 && record.unsettled == 0);
        let unsettled = (!ends).then_some(record.unsettled);
        estimate::measure(head, &weighed, unsettled)
    }

    /// What all trials tallied, and the variance of one of them. Trials that were played are told
    /// apart; of those simulated by counts only the sum is known, and the variance is the exact one.
    fn tallied(&self, record: &Record, counter: usize) -> Option<(i128, f64)> {
        let total = record.totals.get(counter)?;
        if !self.played {
            let exact = self.compiled.as_ref()?.law.tallies.get(counter)?;
            return Some((total.sum, exact.variance));
        }
        let n = record.trials() as f64;
        let square = (total.sum as f64 / n).powi(2);
        Some((total.sum, (total.squares as f64 / n - square).max(0.0)))
    }

    /// Whether the trials agree with the exact law, where there are both, and with the exact mean of
    /// every tally.
    fn agrees(&self, record: Option<&Record>) -> Option<bool> {
        let (record, compiled) = (record?, self.compiled.as_ref()?);
        let sums: Vec<i128> = record.totals.iter().map(|total| total.sum).collect();
        let alpha = self.alpha / (1 + sums.len()) as f64;
        let tallies = estimate::judge_tallies(&compiled.law, &sums, record.trials(), alpha);
        let mut law = compiled.law.probabilities.clone();
        law.resize(record.endings.len(), 0.0);
        law.push(compiled.law.unsettled);
        let mut counts: Vec<_> = record.endings.iter().map(|(_, count)| *count).collect();
        counts.push(record.unsettled);
        let agrees = agreement::law(&counts, record.trials(), &law, alpha).agrees();
        Some(agrees && tallies.iter().all(Verdict::agrees))
    }
}
