//! Single dice and the targets of their faces.

/// Number of a vertex: an ending, a loop head or a node.
pub type VertexId = u32;

/// Amount that every trial tallies at a node with one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TallyNodeAmount {
    /// Index of the node.
    pub node: usize,
    /// Counter.
    pub counter: u8,
    /// Amount.
    pub amount: i64,
}

/// Die of the graph, or a tally node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DieOrTallyNode<'a> {
    /// Number of faces, at least 2; 1 for a tally node.
    pub sides: u8,
    /// Targets of the faces, ascending, each with its number of faces. The faces add up to `sides`.
    pub branches: &'a [FacesWithSameTarget<VertexId>],
}

/// Group of faces with the same target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FacesWithSameTarget<T> {
    /// Target.
    pub to: T,
    /// Number of faces.
    pub faces: u8,
}
