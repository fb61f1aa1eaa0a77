//! The compiled contest, to be read.

use super::intern::Nodes;
use super::node::{Node, Place, Toll};
use enfilade_model::combat::Ending;

/// A compiled contest.
///
/// Its *places* are numbered: first the endings, sorted by field values, then the ports, then the
/// nodes, every node after all places its faces lead to. So one sweep from the last place down to
/// the first node moves everything that will move this round.
///
/// A contest of copies has endings and a [`Repetition`], and all other places are in its part.
///
/// ```
/// use enfilade_model::combat::{AnyCombat, Combat, Measure, OutcomeField, Vocabulary};
/// use enfilade_model::dice::Dice;
/// use enfilade_engine::graph::{DieGraph, Limits};
///
/// struct Coin;
///
/// impl Combat for Coin {
///     type State = u8;
///     type Outcome = u8;
///     fn open(&self) -> u8 { 0 }
///     fn step(&self, _: u8, dice: &mut impl Dice) -> u8 { dice.die(2) }
///     fn outcome(&self, state: &u8) -> Option<u8> { (*state > 0).then_some(*state) }
///     fn vocabulary(&self) -> Vocabulary<u8> {
///         let side = OutcomeField::new("side", "the side that lies up", |&side: &u8| side.into());
///         let heads = Measure::probability("p_heads", "heads lies up", |&side: &u8| side == 2);
///         Vocabulary { fields: vec![side], measures: vec![heads] }
///     }
/// }
///
/// let graph = DieGraph::of(&AnyCombat::new(Coin), Limits::default())?;
/// assert_eq!((graph.dice(), graph.endings().len()), (1, 2));
/// # Ok::<(), enfilade_model::error::Unsolved>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DieGraph {
    pub(super) endings: Vec<Ending>,
    /// Where the trials waiting in each port go on.
    pub(super) ports: Vec<Place>,
    pub(super) nodes: Nodes<Place>,
    pub(super) start: Place,
    pub(super) states: usize,
    pub(super) tolls: Vec<Toll>,
    pub(super) counters: usize,
    pub(super) repeated: Option<Box<Repetition>>,
}

/// A part, and what its copies add up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The graph of one copy, which must end.
    pub part: DieGraph,
    /// How many copies.
    pub count: u32,
    /// By sum and ending of the part: the sum with that effect. No effect leads to a lower number,
    /// and the empty sum is 0.
    pub(super) next: Vec<u32>,
    /// By sum: the ending of the whole when all copies are played.
    pub(super) endings: Vec<Place>,
}

impl Repetition {
    /// Number of sums.
    pub fn sums(&self) -> usize {
        self.endings.len()
    }

    /// By ending of the part: the sum that `sum` becomes.
    pub fn next(&self, sum: usize) -> &[u32] {
        let effects = self.part.endings().len();
        &self.next[sum * effects..][..effects]
    }

    /// By sum: the ending of the whole.
    pub fn endings(&self) -> &[Place] {
        &self.endings
    }
}

impl DieGraph {
    /// The endings, sorted by field values; ending `i` is place `i`.
    pub fn endings(&self) -> &[Ending] {
        &self.endings
    }

    /// The places where trials wait for the next round, and where they go on; port `i` is place
    /// `endings().len() + i`. Empty when the contest must end.
    pub fn ports(&self) -> &[Place] {
        &self.ports
    }

    /// By port: whether a trial that waits there can still come to an ending.
    pub fn ports_that_end(&self) -> Vec<bool> {
        let first = self.first_node();
        let faces = self.nodes().enumerate().flat_map(|(index, node)| {
            node.branches.iter().map(move |branch| (branch.to, (first + index) as Place))
        });
        ports_that_end(self.first_port(), &self.ports, faces)
    }

    /// The place of the first port.
    pub fn first_port(&self) -> usize {
        self.endings.len()
    }

    /// The place of the first node.
    pub fn first_node(&self) -> usize {
        self.endings.len() + self.ports.len()
    }

    /// Number of places.
    pub fn places(&self) -> usize {
        self.first_node() + self.nodes.len()
    }

    /// The nodes in the order of their places: whatever a node leads to comes before it.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node<'_>> + ExactSizeIterator {
        (0..self.nodes.len()).map(|index| self.nodes.node(index))
    }

    /// Where a place leads by its branch `at`, counted from 0: a port has one.
    pub(crate) fn lead(&self, place: Place, at: usize) -> Option<Place> {
        let place = place as usize;
        match place.checked_sub(self.first_node()) {
            Some(index) => self.nodes.branches(index).get(at).map(|branch| branch.to),
            None => {
                let port = place.checked_sub(self.first_port()).filter(|_| at == 0)?;
                self.ports.get(port).copied()
            }
        }
    }

    /// The sides of a place and where its faces lead: a port has one.
    pub(crate) fn faces(&self, place: Place) -> (u8, impl Iterator<Item = (Place, u8)> + '_) {
        let index = (place as usize).checked_sub(self.first_node());
        let port = (place as usize).checked_sub(self.first_port()).filter(|_| index.is_none());
        let sides = index.map_or(1, |index| self.nodes.sides(index));
        let branches = index.map_or(&[][..], |index| self.nodes.branches(index));
        let port = port.and_then(|port| self.ports.get(port)).map(|to| (*to, 1));
        (sides, branches.iter().map(|branch| (branch.to, branch.faces)).chain(port))
    }

    /// What is tallied at a place, if it is a toll.
    pub(crate) fn toll(&self, place: Place) -> Option<&Toll> {
        let node = (place as usize).checked_sub(self.first_node())?;
        let at = self.tolls.binary_search_by_key(&node, |toll| toll.node).ok()?;
        Some(&self.tolls[at])
    }

    /// Where a trial starts.
    pub fn start(&self) -> Place {
        self.start
    }

    /// How many states of the combat were reached, or of one copy.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The part and what its copies add up to, for a contest made of copies.
    pub fn repeated(&self) -> Option<&Repetition> {
        self.repeated.as_deref()
    }

    /// The nodes that are tolls, in their order.
    pub fn tolls(&self) -> &[Toll] {
        &self.tolls
    }

    /// How many counters are asked for.
    pub fn counters(&self) -> usize {
        self.counters
    }

    /// How many dice there are, those of one copy for a contest made of copies.
    pub fn dice(&self) -> usize {
        let own = self.nodes.len() - self.tolls.len();
        self.repeated().map_or(own, |repeated| repeated.part.dice())
    }
}

/// By port of a graph whose places are numbered as those of a [`DieGraph`]: whether an ending can be reached
/// from it. `faces`: where the faces of its nodes lead, and from which.
pub(crate) fn ports_that_end(
    endings: usize,
    ports: &[Place],
    faces: impl Iterator<Item = (Place, Place)>,
) -> Vec<bool> {
    let waiting = ports.iter().zip(endings as Place..).map(|(&on, port)| (on, port));
    let mut edges: Vec<(Place, Place)> = faces.chain(waiting).collect();
    // By where they lead, so that all that leads to a place stands together.
    edges.sort_unstable();
    let most = edges.iter().map(|(to, from)| to.max(from)).max();
    let places = most.map_or(0, |most| *most as usize + 1).max(endings + ports.len());
    let mut ends = vec![false; places];
    // Backwards from the endings: what is never found never ends.
    let mut found: Vec<Place> = (0..endings as Place).collect();
    while let Some(place) = found.pop() {
        let before = edges.partition_point(|(to, _)| *to < place);
        for (_, from) in edges[before..].iter().take_while(|(to, _)| *to == place) {
            if !std::mem::replace(&mut ends[*from as usize], true) {
                found.push(*from);
            }
        }
    }
    ends[endings..endings + ports.len()].to_vec()
}
