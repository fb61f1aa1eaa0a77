//! What is known of a cell before any die is rolled: its exact law, through its graph or in waves.

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

/// A contest with its exact law.
pub(crate) struct Compiled {
    way: Way,
    /// Its law.
    law: Law,
    weights: Option<Weights>,
}

/// How an exact law was found.
enum Way {
    /// Through the graph.
    Graph(Arc<DieGraph>),
    /// In waves, because the graph would be too large: with these endings.
    Waves(Vec<Ending>, Extent),
}

/// What there is to know of a cell before any die is rolled.
pub(crate) enum Known {
    /// The law.
    Exactly(Box<Compiled>),
    /// It is too large for a graph.
    Large(TooLarge),
    /// It is too large, or to be played without its graph.
    Nothing(TooLarge),
    /// Somebody asked to stop.
    Stopped,
}

/// Most states of a graph where waves can take its place: they are as exact and by then at least as
/// quick, and an attempt that fails is soon over.
const STATES: usize = 1 << 17;

/// Most states of the graph of a contest that may go on for ever, where nothing is said: waves would count it out.
const ENDLESS: usize = 1 << 22;

/// How large a graph may become. Fractions and decisions need it, and so does what is played and shall
/// have an exact law beside it.
fn limits(cell: &Cell, settings: &Settings) -> Limits {
    let largest = Limits::default();
    if settings.fractions || settings.played || decides(cell) {
        return largest;
    }
    Limits { states: STATES, endless: settings.states.unwrap_or(ENDLESS), ..largest }
}

/// Sequences of faces of a graph that is compiled without a word: some tenths of a second.
const FEW: usize = 100_000;

/// The graph of a cell. Where it takes long the watcher hears of it, and the little that was done before is
/// done again: nothing but a word depends on it.
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

/// What the graph of a cell will take; of one that will be too large, what is done of it and then in waves.
fn forecast_of_graph(cell: &Cell, limits: &Limits, halt: &Halt) -> Option<Forecast> {
    let graph = Forecast::soon(cell, Engine::Graph, 0, halt);
    // Decisions need the graph, whatever its size.
    if decides(cell) || graph.as_ref().is_some_and(|graph| graph.states <= limits.states as f64) {
        return graph;
    }
    let waves = Forecast::soon(cell, Engine::Waves, 0, halt)?;
    // Where no smaller graph was finished in time, its cost is derived from that of the waves.
    let (states, seconds) = graph.map_or_else(
        || (waves.states, waves.seconds * GRAPH_TO_WAVES),
        |graph| (graph.states, graph.seconds),
    );
    let share = limits.states as f64 / states;
    let seconds = if share >= 1.0 { seconds } else { waves.seconds + seconds * share };
    Some(Forecast { seconds, ..waves })
}

/// The seconds of a graph for each second of waves over the same contest; two to six were measured.
const GRAPH_TO_WAVES: f64 = 3.0;

impl Compiled {
    /// Compiles a contest and finds its law.
    ///
    /// # Errors
    /// When players decide in a contest that is too large, or the rule goes wrong.
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
        // A stop after the law may have cut off the fractions, which would look as if never asked for.
        Ok(match law.filter(|_| !halt.asked()) {
            Some(law) => Known::Exactly(Box::new(Compiled { way, law, weights })),
            None => Known::Stopped,
        })
    }

    /// Finds the law of a contest without its graph, unless it is to be played.
    ///
    /// # Errors
    /// When only the exact law is asked for and the contest is too large for it, or the rule goes
    /// wrong.
    pub(crate) fn in_waves(
        cell: &Cell,
        refusal: TooLarge,
        settings: &Settings,
        watch: &dyn Watch,
    ) -> Result<Known, Error> {
        // Who asks for trials one at a time gets no law here; the sentence on agreement says so.
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

    /// Its endings, sorted by field values.
    fn endings(&self) -> &[Ending] {
        match &self.way {
            Way::Graph(graph) => graph.endings(),
            Way::Waves(endings, _) => endings,
        }
    }

    /// Its states; of one without a graph, those that were stepped from.
    fn states(&self) -> usize {
        match &self.way {
            Way::Graph(graph) => graph.states(),
            Way::Waves(_, extent) => extent.stepped as usize,
        }
    }

    /// Its graph, where it has one.
    pub(crate) fn graph(&self) -> Option<&DieGraph> {
        match &self.way {
            Way::Graph(graph) => Some(graph),
            Way::Waves(..) => None,
        }
    }

    /// The exact value of the measure at `index`; `None` where the law does not tell it.
    pub(crate) fn measure(&self, index: usize, head: &MeasureHead) -> Option<f64> {
        self.law.measure(self.endings(), index, head)
    }

    /// What an answer is made of.
    pub(crate) fn exact(self) -> Exact {
        let (states, nodes) = (self.states(), self.graph().map(DieGraph::dice));
        let endings = match self.way {
            Way::Graph(graph) => graph.endings().to_vec(),
            Way::Waves(endings, _) => endings,
        };
        Exact { endings, law: self.law, states, nodes, weights: self.weights }
    }
}
