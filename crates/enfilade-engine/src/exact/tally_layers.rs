//! Distribution of a tally, layer by layer: one layer for each number tallied so far.
//!
//! A tally node leads into a later layer. Within a layer, the loops that no tally node interrupts
//! are solved with factors that are computed once. From some layer on each is a multiple of the one
//! before to within rounding: then the remaining sum lies between two multiples of the last layer.

use super::solve_loops::{
    EliminatedLoop, LoopVertexNumbering, PowersByCounterAndEnding, solve_powers_of_all_tallies,
};
use crate::cancel::CancelToken;
use crate::graph::{Condensation, DieGraph, VertexGroup, VertexId};

/// Largest number of layers.
const MAX_TALLY_LAYERS: usize = 10_000;

/// Probability that may be left unfinished.
const NEGLIGIBLE_UNFINISHED: f64 = 1e-12;

/// Largest number of branches followed, over all layers.
const MAX_LAYER_BRANCHES: usize = 1 << 31;

/// Distribution of a tally together with the ending.
#[derive(Clone, Debug)]
pub struct TallyAndEndingDistribution {
    /// Probability by number tallied, then by ending.
    pub endings_by_layer: Vec<Vec<f64>>,
    /// Probability of a larger tally.
    pub open: f64,
    /// Bounds of the factor from one layer to the next, from the last layer on.
    pub ratio: Option<[f64; 2]>,
}

/// Solves the distribution of a counter by layers. Returns `None` if an amount is negative, or
/// `halt` was raised.
pub fn solve_tally_layers(
    graph: &DieGraph,
    counter: u8,
    halt: &CancelToken,
) -> Option<TallyAndEndingDistribution> {
    if graph.copied_part_and_sums().is_some()
        || !graph
            .tally_node_amounts()
            .iter()
            .all(|tally| tally.counter != counter || tally.amount > 0)
    {
        return None;
    }
    TallyLayerSolver::new(graph, counter, halt).solve_all_layers()
}

/// Computes, by ending, its probability and the sums of the powers 1 to 4 of the tally of the
/// trials that end there.
pub fn tally_powers_by_ending(
    graph: &DieGraph,
    counter: u8,
    halt: &CancelToken,
) -> Option<Vec<[f64; 5]>> {
    let PowersByCounterAndEnding { powers, .. } = solve_powers_of_all_tallies(graph, halt)?;
    powers.into_iter().find(|(number, _)| *number == counter).map(|(_, powers)| powers)
}

struct TallyLayerSolver<'a> {
    graph: &'a DieGraph,
    counter: u8,
    halt: &'a CancelToken,
    condensed: Condensation,
    /// Solvers of the loops of a layer, in their order.
    solvers: Vec<Option<EliminatedLoop<'a>>>,
    /// Numbering of the vertices of a loop.
    local: LoopVertexNumbering<'a>,
    /// Inflow of later layers, the next first.
    to_come: std::collections::VecDeque<Vec<f64>>,
}

impl<'a> TallyLayerSolver<'a> {
    fn new(graph: &'a DieGraph, counter: u8, halt: &'a CancelToken) -> Self {
        let condensed = Condensation::from_graph_without_counter(graph, counter);
        let (mut local, mut solvers) = (LoopVertexNumbering::new(graph), Vec::new());
        for group in condensed.groups(graph) {
            if let VertexGroup::Loop(places) = group {
                local.number_loop_vertices(places);
                let system = local.build_loop_equations(places);
                solvers.push(
                    system
                        .has_exit()
                        .then(|| EliminatedLoop::eliminate_loop_vertices(system, halt))
                        .flatten(),
                );
                local.clear_loop_numbers(places);
            }
        }
        let mut first = vec![0.0; graph.vertex_count()];
        first[graph.start_vertex() as usize] = 1.0;
        let to_come = std::collections::VecDeque::from([first]);
        TallyLayerSolver { graph, counter, halt, condensed, solvers, local, to_come }
    }

    fn solve_all_layers(mut self) -> Option<TallyAndEndingDistribution> {
        let mut layers =
            TallyAndEndingDistribution { endings_by_layer: Vec::new(), open: 1.0, ratio: None };
        let alike = self
            .graph
            .tally_node_amounts()
            .iter()
            .all(|tally| tally.counter != self.counter || tally.amount == 1);
        let most =
            MAX_TALLY_LAYERS.min(MAX_LAYER_BRANCHES / (4 * self.graph.vertex_count()).max(1));
        // What is open waits in a later layer, so there is one.
        while layers.open > NEGLIGIBLE_UNFINISHED && layers.endings_by_layer.len() <= most {
            if self.halt.is_cancelled() {
                return None;
            }
            let inflow = self.to_come.pop_front()?;
            let before = alike.then(|| inflow.clone());
            layers.endings_by_layer.push(self.propagate_tally_layer(inflow)?);
            layers.open = self.to_come.iter().flatten().sum();
            if let (Some(before), Some(next)) = (before, self.to_come.front()) {
                layers.ratio = bound_layer_ratio(&before, next);
            }
        }
        Some(layers)
    }

    /// Pushes one layer to its end, and its tallied probability into the later layers.
    fn propagate_tally_layer(&mut self, mut mass: Vec<f64>) -> Option<Vec<f64>> {
        let graph = self.graph;
        let condensed = std::mem::take(&mut self.condensed);
        let mut solvers = std::mem::take(&mut self.solvers);
        let mut next = solvers.iter_mut();
        for group in condensed.groups(graph) {
            match group {
                VertexGroup::Alone(place) => {
                    let here = std::mem::take(&mut mass[place as usize]);
                    self.propagate_vertex(place, here, &mut mass);
                }
                VertexGroup::Loop(places) => {
                    let inflow: Vec<f64> = places
                        .iter()
                        .map(|place| std::mem::take(&mut mass[*place as usize]))
                        .collect();
                    // A loop without an exit never ends, and tallies nothing more.
                    let Some(Some(solver)) = next.next() else { continue };
                    if inflow.iter().all(|inflow| *inflow == 0.0) {
                        continue;
                    }
                    let visits = solver.expected_visits_from_inflow(inflow)?;
                    self.local.number_loop_vertices(places);
                    for (place, visits) in places.iter().zip(visits) {
                        self.propagate_vertex(*place, visits, &mut mass);
                    }
                    self.local.clear_loop_numbers(places);
                }
            }
        }
        (self.condensed, self.solvers) = (condensed, solvers);
        mass.truncate(graph.endings().len());
        Some(mass)
    }

    /// Pushes the probability at a vertex along its branches, except to vertices of the same loop.
    fn propagate_vertex(&mut self, place: VertexId, here: f64, mass: &mut [f64]) {
        if here == 0.0 {
            return;
        }
        let (sides, faces) = self.graph.sides_and_targets(place);
        let tally = self.graph.tally_of_vertex(place).filter(|tally| tally.counter == self.counter);
        let later = tally.map(|tally| tally.amount as usize);
        for (to, faces) in faces {
            let share = here * f64::from(faces) / f64::from(sides);
            match later {
                Some(later) => {
                    while self.to_come.len() < later {
                        self.to_come.push_back(vec![0.0; self.graph.vertex_count()]);
                    }
                    self.to_come[later - 1][to as usize] += share;
                }
                None if self.local.index_within_loop(to).is_none() => mass[to as usize] += share,
                None => {}
            }
        }
    }
}

/// Returns bounds of the factor between two layers, vertex by vertex; `None` if they occupy
/// different vertices. The layer before occupies some vertex.
fn bound_layer_ratio(before: &[f64], next: &[f64]) -> Option<[f64; 2]> {
    let (mut least, mut most) = (f64::INFINITY, 0.0f64);
    for (before, next) in before.iter().zip(next) {
        if *before > 0.0 {
            (least, most) = (least.min(next / before), most.max(next / before));
        } else if *next > 0.0 {
            return None;
        }
    }
    (most < 1.0).then_some([least, most])
}

impl TallyAndEndingDistribution {
    /// Returns the probability of a `wanted` ending with a tally of at most `tallied`, if the
    /// layers reach that far.
    pub fn probability_of_tally_at_most(
        &self,
        tallied: usize,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Option<f64> {
        let whole = self.open <= NEGLIGIBLE_UNFINISHED || tallied < self.endings_by_layer.len();
        let layers = self
            .endings_by_layer
            .iter()
            .take(tallied + 1)
            .flat_map(|ended| ended.iter().enumerate());
        whole.then(|| layers.filter(|(ending, _)| is_wanted(*ending)).map(|(_, p)| p).sum())
    }

    /// The least number that is not exceeded with probability `share` among the endings that are
    /// `wanted`, whose probability is `all`. Beyond the last layer it is derived from the ratio of
    /// layers, where that leaves one number.
    pub fn quantile_of_tally(
        &self,
        share: f64,
        is_wanted: impl Fn(usize) -> bool,
        all: f64,
    ) -> Option<u64> {
        let mut reached = 0.0;
        for (tallied, ended) in self.endings_by_layer.iter().enumerate() {
            let here = ended.iter().enumerate().filter(|(ending, _)| is_wanted(*ending));
            reached += here.map(|(_, p)| p).sum::<f64>();
            if reached >= share * all - NEGLIGIBLE_UNFINISHED {
                return Some(tallied as u64);
            }
        }
        let more = self.ratio.filter(|[least, _]| *least > 0.0)?;
        // After k layers more it is (all − reached) · ratioᵏ that exceeds them.
        let left = (1.0 - share) * all / (all - reached);
        let layers = more.map(|ratio| left.ln() / ratio.ln());
        let [least, most] = layers.map(|layers| layers.ceil() as u64);
        (least == most).then(|| self.endings_by_layer.len() as u64 - 1 + least)
    }
}
