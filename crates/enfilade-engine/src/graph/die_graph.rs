//! Compiled contest.

use super::node::{DieOrTallyNode, TallyNodeAmount, VertexId};
use super::node_interning::NodesWithTargets;
use enfilade_model::combat::Ending;

/// Compiled contest: every die of a rule, with the faces that lead to each next die or ending.
///
/// Its *vertices* are numbered: first the endings, sorted by field values, then the loop heads,
/// then the nodes; every node comes after all targets of its faces. So one sweep from the last
/// vertex down to the first node moves all the probability of a round.
///
/// A contest of copies has endings and a [`CopiedPartAndSums`], and all other vertices are in its
/// part.
///
/// ```
/// use enfilade_model::combat::{AnyCombat, Combat, Measure, OutcomeField, OutcomeVocabulary};
/// use enfilade_model::dice::Dice;
/// use enfilade_engine::graph::{DieGraph, CompiledContestLimits};
///
/// struct Coin;
///
/// impl Combat for Coin {
///     type State = u8;
///     type Outcome = u8;
///     fn initial_state(&self) -> u8 { 0 }
///     fn play_one_step(&self, _: u8, dice: &mut impl Dice) -> u8 { dice.die(2) }
///     fn outcome_if_over(&self, state: &u8) -> Option<u8> { (*state > 0).then_some(*state) }
///     fn vocabulary(&self) -> OutcomeVocabulary<u8> {
///         let side = OutcomeField::new("side", "the side that lies up", |&side: &u8| side.into());
///         let heads = Measure::probability("p_heads", "heads lies up", |&side: &u8| side == 2);
///         OutcomeVocabulary { fields: vec![side], measures: vec![heads] }
///     }
/// }
///
/// let graph = DieGraph::compile_within_limits(&AnyCombat::new(Coin), CompiledContestLimits::default())?;
/// assert_eq!((graph.dice_count(), graph.endings().len()), (1, 2));
/// # Ok::<(), enfilade_engine::error::SolveError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DieGraph {
    pub(super) endings: Vec<Ending>,
    /// Vertex where the trials waiting at each loop head continue.
    pub(super) ports: Vec<VertexId>,
    pub(super) nodes: NodesWithTargets<VertexId>,
    pub(super) start: VertexId,
    pub(super) states: usize,
    pub(super) tallies: Vec<TallyNodeAmount>,
    pub(super) counters: usize,
    pub(super) copies: Option<Box<CopiedPartAndSums>>,
}

/// Part, and the sums of its copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedPartAndSums {
    /// Graph of one copy, which must end.
    pub part: DieGraph,
    /// Number of copies.
    pub count: u32,
    /// Sum after a copy, by sum and ending of the part. No effect leads to a lower number, and the
    /// empty sum is 0.
    pub(super) next: Vec<u32>,
    /// Ending of the whole by sum, once all copies are played.
    pub(super) endings: Vec<VertexId>,
}

impl CopiedPartAndSums {
    /// Returns the number of sums.
    pub fn sum_count(&self) -> usize {
        self.endings.len()
    }

    /// Returns, by ending of the part, the sum that follows `sum`.
    pub fn next_sums_after(&self, sum: usize) -> &[u32] {
        let effects = self.part.endings().len();
        &self.next[sum * effects..][..effects]
    }

    /// Returns the ending of the whole by sum.
    pub fn ending_vertex_by_sum(&self) -> &[VertexId] {
        &self.endings
    }
}

impl DieGraph {
    /// Returns the endings, sorted by field values; ending `i` is vertex `i`.
    pub fn endings(&self) -> &[Ending] {
        &self.endings
    }

    /// Returns, by loop head, the vertex where its trials continue in the next round; loop head `i`
    /// is vertex `endings().len() + i`. Empty if the contest must end.
    pub fn next_vertex_by_loop_head(&self) -> &[VertexId] {
        &self.ports
    }

    /// Returns, by loop head, whether a trial that waits there can still reach an ending.
    pub fn can_exit_by_loop_head(&self) -> Vec<bool> {
        let first = self.first_node_vertex();
        let faces = self.nodes().enumerate().flat_map(|(index, node)| {
            node.branches.iter().map(move |branch| (branch.to, (first + index) as VertexId))
        });
        can_end_by_loop_head(self.first_loop_head_vertex(), &self.ports, faces)
    }

    /// Returns the vertex of the first loop head.
    pub fn first_loop_head_vertex(&self) -> usize {
        self.endings.len()
    }

    /// Returns the vertex of the first node.
    pub fn first_node_vertex(&self) -> usize {
        self.endings.len() + self.ports.len()
    }

    /// Returns the number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.first_node_vertex() + self.nodes.len()
    }

    /// Returns the nodes in the order of their vertices: the targets of a node come before it.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = DieOrTallyNode<'_>> + ExactSizeIterator {
        (0..self.nodes.len()).map(|index| self.nodes.node_at(index))
    }

    /// Returns the target of branch `at` of a vertex, counted from 0: a loop head has one.
    pub(crate) fn successor_at_branch(&self, place: VertexId, at: usize) -> Option<VertexId> {
        let place = place as usize;
        match place.checked_sub(self.first_node_vertex()) {
            Some(index) => self.nodes.branches(index).get(at).map(|branch| branch.to),
            None => {
                let port = place.checked_sub(self.first_loop_head_vertex()).filter(|_| at == 0)?;
                self.ports.get(port).copied()
            }
        }
    }

    /// Returns the sides of a vertex and the targets of its faces: a loop head has one.
    pub(crate) fn sides_and_targets(
        &self,
        place: VertexId,
    ) -> (u8, impl Iterator<Item = (VertexId, u8)> + '_) {
        let index = (place as usize).checked_sub(self.first_node_vertex());
        let port =
            (place as usize).checked_sub(self.first_loop_head_vertex()).filter(|_| index.is_none());
        let sides = index.map_or(1, |index| self.nodes.sides(index));
        let branches = index.map_or(&[][..], |index| self.nodes.branches(index));
        let port = port.and_then(|port| self.ports.get(port)).map(|to| (*to, 1));
        (sides, branches.iter().map(|branch| (branch.to, branch.faces)).chain(port))
    }

    /// Returns the tally of a vertex, if it is a tally node.
    pub(crate) fn tally_of_vertex(&self, place: VertexId) -> Option<&TallyNodeAmount> {
        let node = (place as usize).checked_sub(self.first_node_vertex())?;
        let at = self.tallies.binary_search_by_key(&node, |tally| tally.node).ok()?;
        Some(&self.tallies[at])
    }

    /// Returns the vertex where a trial starts.
    pub fn start_vertex(&self) -> VertexId {
        self.start
    }

    /// Returns the number of states reached in the combat, or in one copy.
    pub fn reached_state_count(&self) -> usize {
        self.states
    }

    /// Returns the part and the sums of its copies, for a contest of copies.
    pub fn copied_part_and_sums(&self) -> Option<&CopiedPartAndSums> {
        self.copies.as_deref()
    }

    /// Returns the tally nodes, in their order.
    pub fn tally_node_amounts(&self) -> &[TallyNodeAmount] {
        &self.tallies
    }

    /// Returns the number of counters in use.
    pub fn counter_count(&self) -> usize {
        self.counters
    }

    /// Returns the number of dice; for a contest of copies, those of one copy.
    pub fn dice_count(&self) -> usize {
        let own = self.nodes.len() - self.tallies.len();
        self.copied_part_and_sums().map_or(own, |repeated| repeated.part.dice_count())
    }
}

/// Returns, by loop head of a graph numbered like a [`DieGraph`], whether an ending can be reached
/// from it. `faces` are pairs of a face's target and its node.
pub(crate) fn can_end_by_loop_head(
    endings: usize,
    ports: &[VertexId],
    faces: impl Iterator<Item = (VertexId, VertexId)>,
) -> Vec<bool> {
    let waiting = ports.iter().zip(endings as VertexId..).map(|(&on, port)| (on, port));
    let mut edges: Vec<(VertexId, VertexId)> = faces.chain(waiting).collect();
    // Sorted by target, so that all edges to a vertex are adjacent.
    edges.sort_unstable();
    let most = edges.iter().map(|(to, from)| to.max(from)).max();
    let places = most.map_or(0, |most| *most as usize + 1).max(endings + ports.len());
    let mut ends = vec![false; places];
    // Backwards from the endings: a vertex that is not found never ends.
    let mut head_vertices: Vec<VertexId> = (0..endings as VertexId).collect();
    while let Some(place) = head_vertices.pop() {
        let before = edges.partition_point(|(to, _)| *to < place);
        for (_, from) in edges[before..].iter().take_while(|(to, _)| *to == place) {
            if !std::mem::replace(&mut ends[*from as usize], true) {
                head_vertices.push(*from);
            }
        }
    }
    ends[endings..endings + ports.len()].to_vec()
}
