//! Exact stage of a cell: its distribution, through the graph or by the frontier engine.

use std::sync::Arc;

use crate::experiment::Cell;
use crate::solve::build_answer::Exact;
use crate::solve::errors::{decides, unsolved};
use crate::solve::forecast::{Engine, Forecast};
use crate::solve::pace;
use crate::solve::settings::{Settings, Watch};
use enfilade_engine::cancel::Halt;
use enfilade_engine::exact::{self, Found, Law, Weights, law_in_waves};
use enfilade_engine::frontier::{Extent, Terms};
use enfilade_engine::graph::{DieGraph, Limits};
use enfilade_model::combat::{Ending, MeasureHead};
use enfilade_model::error::{Error, TooLarge, Unsolved};

/// Contest with its exact distribution.
pub(crate) struct Compiled {
    way: Way,
    /// Distribution.
    law: Law,
    weights: Option<Weights>,
}

/// Method that solved an exact distribution.
enum Way {
    /// Through the graph.
    Graph(Arc<DieGraph>),
    /// By the frontier engine, because the graph would be too large: with these endings.
    Waves(Vec<Ending>, Extent),
}

/// Result of the exact stage.
pub(crate) enum Known {
    /// Solved.
    Exactly(Box<Compiled>),
    /// Too large for a graph.
    Large(TooLarge),
    /// Too large, or to be played without a graph.
    Nothing(TooLarge),
    /// Cancelled.
    Stopped,
}

/// Largest number of states of a graph where the frontier engine can replace it: it is as exact and
/// by then at least as fast, and a failed attempt is soon over.
const STATES: usize = 1 << 17;

/// Default for the largest number of states of the graph of a contest that may never end: the
/// frontier engine would count its rounds.
const ENDLESS: usize = 1 << 22;

/// Returns the limits of the graph. Fractions and decisions need a graph, and so does a contest
/// that is played and needs an exact distribution beside it.
fn limits(cell: &Cell, settings: &Settings) -> Limits {
    let largest = Limits::default();
    if settings.fractions || settings.played || decides(cell) {
        return largest;
    }
    Limits { states: STATES, endless: settings.states.unwrap_or(ENDLESS), ..largest }
}

/// Number of face sequences of a graph that is compiled without notifying the observer: some tenths
/// of a second.
const FEW: usize = 100_000;

/// Compiles the graph of a cell. If that takes long, the observer is notified and the little work
/// before is repeated: nothing but the notice depends on it.
fn graph(cell: &Cell, limits: &Limits, watch: &dyn Watch) -> Result<Arc<DieGraph>, Unsolved> {
    let (combat, halt) = (&cell.played.combat, watch.halt());
    if watch.foresees() {
        let few = Limits { sequences: FEW, ..*limits };
        match DieGraph::shared(combat, &few, halt) {
            Err(Unsolved::TooLarge(refusal)) if refusal.limit == FEW => {}
            found => return found,
        }
        watch.foresee(cell, &|| forecast_of_graph(cell, limits, halt));
        halt.unless_asked()?;
    }
    DieGraph::shared(combat, limits, halt)
}

/// Forecasts the graph of a cell; if it will be too large, the part of it that is compiled and the
/// frontier after it.
fn forecast_of_graph(cell: &Cell, limits: &Limits, halt: &Halt) -> Option<Forecast> {
    let graph = Forecast::soon(cell, Engine::Graph, 0, halt);
    // Decisions need the graph, whatever its size.
    if decides(cell) || graph.as_ref().is_some_and(|graph| graph.states <= limits.states as f64) {
        return graph;
    }
    let waves = Forecast::soon(cell, Engine::Waves, 0, halt)?;
    // If no smaller graph was finished in time, its cost is derived from that of the frontier
    // engine.
    let (states, seconds) = graph.map_or_else(
        || (waves.states, waves.seconds * GRAPH_TO_WAVES),
        |graph| (graph.states, graph.seconds),
    );
    let share = limits.states as f64 / states;
    let seconds = if share >= 1.0 { seconds } else { waves.seconds + seconds * share };
    Some(Forecast { seconds, ..waves })
}

/// Seconds of a graph for each second of the frontier engine on the same contest; two to six were
/// measured.
const GRAPH_TO_WAVES: f64 = 3.0;

impl Compiled {
    /// Compiles a contest and solves its distribution.
    ///
    /// # Errors
    /// If a contest with decisions is too large, or the rule fails.
    pub(crate) fn of(cell: &Cell, settings: &Settings, watch: &dyn Watch) -> Result<Known, Error> {
        let halt = watch.halt();
        let graph = match graph(cell, &limits(cell, settings), watch) {
            Ok(graph) => graph,
            Err(Unsolved::Stopped) => return Ok(Known::Stopped),
            Err(Unsolved::TooLarge(refusal)) if !decides(cell) => {
                return Ok(Known::Large(refusal));
            }
            Err(why) => return Err(unsolved(cell, why)),
        };
        let mut law = pace::law(cell, &graph, watch);
        if let Some(law) = &mut law {
            let heads = cell.played.combat.measures().iter().map(AsRef::as_ref);
            law.tally_figures = exact::tally_figures(&graph, heads, &law.probabilities, halt);
        }
        let weights = law.is_some() && settings.fractions;
        let weights = weights.then(|| exact::weights_unless(&graph, halt)).flatten();
        let way = Way::Graph(graph);
        // A cancellation after the distribution may have cut off the fractions, which would look as
        // if they had not been requested.
        Ok(match law.filter(|_| !halt.asked()) {
            Some(law) => Known::Exactly(Box::new(Compiled { way, law, weights })),
            None => Known::Stopped,
        })
    }

    /// Solves the distribution of a contest without its graph, unless it is to be played.
    ///
    /// # Errors
    /// If only the exact distribution is requested and the contest is too large for it, or the rule
    /// fails.
    pub(crate) fn in_waves(
        cell: &Cell,
        refusal: TooLarge,
        settings: &Settings,
        watch: &dyn Watch,
    ) -> Result<Known, Error> {
        // A request for played trials gets no distribution here; the sentence on agreement explains
        // it.
        if settings.played {
            return Ok(Known::Nothing(refusal));
        }
        // Only now, where minutes may follow: a forecast alone takes some tenths of a second.
        let trials = if settings.exact_only { 0 } else { settings.least_trials() };
        watch.foresee(cell, &|| Forecast::soon(cell, Engine::Waves, trials, watch.halt()));
        let seen = |extent: &Extent| {
            watch.waded(extent);
            true
        };
        let terms = Terms { states: settings.states, halt: watch.halt(), seen: &seen };
        match law_in_waves(&cell.played.combat, &terms) {
            Ok(Found { endings, law, extent }) => {
                let way = Way::Waves(endings, extent);
                Ok(Known::Exactly(Box::new(Compiled { way, law, weights: None })))
            }
            Err(Unsolved::Stopped) => Ok(Known::Stopped),
            // It is simulated instead, with a note in every output.
            Err(Unsolved::TooLarge(refusal)) if !settings.exact_only => Ok(Known::Nothing(refusal)),
            Err(why) => Err(unsolved(cell, why)),
        }
    }

    /// Returns the endings, sorted by field values.
    fn endings(&self) -> &[Ending] {
        match &self.way {
            Way::Graph(graph) => graph.endings(),
            Way::Waves(endings, _) => endings,
        }
    }

    /// Returns the number of states; without a graph, of states that were expanded.
    fn states(&self) -> usize {
        match &self.way {
            Way::Graph(graph) => graph.states(),
            Way::Waves(_, extent) => extent.stepped as usize,
        }
    }

    /// Returns the graph, if there is one.
    pub(crate) fn graph(&self) -> Option<&DieGraph> {
        match &self.way {
            Way::Graph(graph) => Some(graph),
            Way::Waves(..) => None,
        }
    }

    /// Returns the exact value of the measure at `index`; `None` if the distribution does not
    /// determine it.
    pub(crate) fn measure(&self, index: usize, head: &MeasureHead) -> Option<f64> {
        self.law.measure(self.endings(), index, head)
    }

    /// Converts the solution to the values of an answer.
    pub(crate) fn exact(self) -> Exact {
        let (states, nodes) = (self.states(), self.graph().map(DieGraph::dice));
        let endings = match self.way {
            Way::Graph(graph) => graph.endings().to_vec(),
            Way::Waves(endings, _) => endings,
        };
        Exact { endings, law: self.law, states, nodes, weights: self.weights }
    }
}
