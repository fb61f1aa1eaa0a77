//! Single dice, and where their faces lead.

/// The number of a place: an ending, a port or a node.
pub type Place = u32;

/// What is tallied by every trial that comes to a node of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toll {
    /// Which of the nodes it is.
    pub node: usize,
    /// Under which counter.
    pub counter: u8,
    /// How much.
    pub amount: i64,
}

/// One die of the graph, or a toll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node<'a> {
    /// Number of faces, at least 2; 1 of a toll.
    pub sides: u8,
    /// Where the faces lead: places in rising order, with how many faces lead to each. The faces
    /// add up to `sides`.
    pub branches: &'a [Branch<Place>],
}

/// A group of faces that lead to the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch<T> {
    /// Where they lead.
    pub to: T,
    /// How many faces of the die do.
    pub faces: u8,
}
