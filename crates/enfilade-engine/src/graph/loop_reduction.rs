//! Elimination of a loop, vertex by vertex (Grassmann, Taksar, Heyman 1985).
//!
//! Every trial at a vertex leaves it in the end, so the vertex can be eliminated: its row is
//! substituted into the rows that lead to it. An edge back to the same vertex is dropped: the
//! divisor is the sum of the shares that leave the vertex, and never 1 − the returning share. As
//! nothing is ever subtracted, every number is correct to nearly all its digits, however rarely the
//! loop is left.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::loop_number::LoopSystemNumber;

/// Share with its vertex.
type VertexShare<N> = (u32, N);

/// Linear system of a loop: the edges of each vertex to others of the loop, and the share that
/// leaves the loop.
pub(crate) struct LoopLinearSystem<N> {
    rows: Vec<Vec<VertexShare<N>>>,
    exits: Vec<N>,
}

impl<N: LoopSystemNumber> LoopLinearSystem<N> {
    /// Creates the system of this number of vertices, without edges.
    pub(crate) fn new(places: usize) -> Self {
        LoopLinearSystem { rows: vec![Vec::new(); places], exits: vec![N::zero(); places] }
    }

    /// Adds an edge between two vertices; an edge to the same vertex is dropped.
    pub(crate) fn add_edge(&mut self, from: usize, to: u32, share: N) {
        if from as u32 != to {
            match self.rows[from].iter_mut().find(|(other, _)| *other == to) {
                Some((_, sum)) => sum.add(&share),
                None => self.rows[from].push((to, share)),
            }
        }
    }

    /// Adds a share that leaves the loop.
    pub(crate) fn add_exit_share(&mut self, from: usize, share: &N) {
        self.exits[from].add(share);
    }

    /// Returns whether any share leaves the loop.
    pub(crate) fn has_exit(&self) -> bool {
        self.exits.iter().any(|exit| !exit.is_zero())
    }
}

/// Number of vertices up to which the next one is found by comparing all.
const MAX_SCANNED_VERTICES: usize = 24;

/// Number of remaining vertices up to which a dense block is not worth its setup.
const MAX_SPARSE_VERTICES: usize = 48;

/// Largest number of vertices of a dense block: 128 MiB.
const MAX_DENSE_VERTICES: usize = 4096;

/// Memory for rows, in bytes.
const MAX_ROW_MEMORY_BYTES: usize = 2 << 30;

/// Reason why a reduction stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EliminationStopReason {
    /// The next elimination exceeds the allowed cost.
    Cost,
    /// The remainder is nearly full of shares.
    Dense,
    /// The rows are too many, a number has too many digits, or a share is out of range.
    Beyond,
    /// No vertex is left.
    End,
}

/// Loop in the course of elimination.
pub(crate) struct LoopElimination<N> {
    system: LoopLinearSystem<N>,
    /// Predecessors by vertex, including eliminated ones, and the number of those that remain.
    columns: Vec<Vec<u32>>,
    coming: Vec<u32>,
    is_eliminated: Vec<bool>,
    remaining: usize,
    /// Vertices by elimination cost, as of some earlier time.
    costs: BinaryHeap<Reverse<(u64, u32)>>,
    eliminated: Vec<EliminatedVertex<N>>,
    /// Position of each vertex in the current row.
    at: Vec<u32>,
    /// Number of stored shares.
    share_count: usize,
    /// Number of products computed.
    products: usize,
}

/// Eliminated vertex.
pub(crate) struct EliminatedVertex<N> {
    place: u32,
    divisor: N,
    /// Outgoing edges, as shares of the divisor.
    row: Vec<VertexShare<N>>,
    /// Incoming edges.
    column: Vec<VertexShare<N>>,
}

const NO_VERTEX: u32 = u32::MAX;

impl<N: LoopSystemNumber> LoopElimination<N> {
    pub(crate) fn new(system: LoopLinearSystem<N>) -> Self {
        let places = system.rows.len();
        let mut columns = vec![Vec::new(); places];
        for (from, row) in (0..).zip(&system.rows) {
            row.iter().for_each(|(to, _)| columns[*to as usize].push(from));
        }
        let coming = columns.iter().map(|column| column.len() as u32).collect();
        let edges = 2 * system.rows.iter().map(Vec::len).sum::<usize>();
        let mut reduction = LoopElimination {
            system,
            columns,
            coming,
            is_eliminated: vec![false; places],
            remaining: places,
            costs: BinaryHeap::new(),
            eliminated: Vec::with_capacity(places),
            at: vec![NO_VERTEX; places],
            share_count: edges,
            products: 0,
        };
        if places > MAX_SCANNED_VERTICES {
            (0..places as u32).for_each(|place| reduction.queue_vertex_by_cost(place));
        }
        reduction
    }

    pub(crate) fn remaining_vertex_count(&self) -> usize {
        self.remaining
    }

    pub(crate) fn multiplications_so_far(&self) -> usize {
        self.products
    }

    fn cost_of_elimination(&self, place: u32) -> u64 {
        let place = place as usize;
        self.system.rows[place].len() as u64 * u64::from(self.coming[place])
    }

    fn queue_vertex_by_cost(&mut self, place: u32) {
        self.costs.push(Reverse((self.cost_of_elimination(place), place)));
    }

    /// Returns the vertex with the least cost, the first among equals.
    fn peek_cheapest_vertex(&mut self) -> Option<(u64, u32)> {
        let places = self.is_eliminated.len();
        if places <= MAX_SCANNED_VERTICES {
            let left = (0..places as u32).filter(|place| !self.is_eliminated[*place as usize]);
            return left.map(|place| (self.cost_of_elimination(place), place)).min();
        }
        // An entry may be outdated; then a newer one exists.
        while let Some(&Reverse((cost, place))) = self.costs.peek() {
            if !self.is_eliminated[place as usize] && self.cost_of_elimination(place) == cost {
                return Some((cost, place));
            }
            self.costs.pop();
        }
        None
    }

    /// Eliminates vertices while none costs more than `most`, until a `dense` block is left, if one
    /// is wanted. `go_on` is called with the number of products computed.
    pub(crate) fn eliminate_while_cheap(
        &mut self,
        most: u64,
        dense: bool,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> EliminationStopReason {
        while let Some((cost, place)) = self.peek_cheapest_vertex() {
            // A row and a column that are both half full: lists of shares then cost more than a
            // block.
            let half = (self.remaining as u64).div_ceil(2);
            let dense = dense && self.remaining > MAX_SPARSE_VERTICES && cost > half * half;
            if dense && self.remaining <= MAX_DENSE_VERTICES {
                return EliminationStopReason::Dense;
            }
            if cost > most {
                return EliminationStopReason::Cost;
            }
            let bytes = self.share_count * size_of::<VertexShare<N>>();
            if bytes > MAX_ROW_MEMORY_BYTES
                || !go_on(self.products)
                || !self.eliminate_vertex(place as usize)
            {
                return EliminationStopReason::Beyond;
            }
        }
        EliminationStopReason::End
    }

    /// Eliminates one vertex. Returns false if its numbers are out of range.
    fn eliminate_vertex(&mut self, place: usize) -> bool {
        let mut row = std::mem::take(&mut self.system.rows[place]);
        let column = std::mem::take(&mut self.columns[place]);
        let mut divisor = self.system.exits[place].clone();
        row.iter().for_each(|(_, share)| divisor.add(share));
        if !divisor.can_divide_without_loss() {
            return false;
        }
        let out = self.system.exits[place].divide(&divisor);
        for (to, share) in &mut row {
            *share = share.divide(&divisor);
            self.coming[*to as usize] -= 1;
        }
        self.is_eliminated[place] = true;
        self.remaining -= 1;
        let mut kept_entries = Vec::with_capacity(column.len());
        for from in column {
            // Columns keep eliminated predecessors, because removing one would search its column.
            if self.is_eliminated[from as usize] {
                continue;
            }
            let share = self.substitute_row(from as usize, place as u32, &row);
            self.system.exits[from as usize].add(&share.product_with(&out));
            kept_entries.push((from, share));
        }
        if self.is_eliminated.len() > MAX_SCANNED_VERTICES {
            kept_entries.iter().for_each(|(from, _)| self.queue_vertex_by_cost(*from));
            row.iter().for_each(|(to, _)| self.queue_vertex_by_cost(*to));
        }
        self.eliminated.push(EliminatedVertex {
            place: place as u32,
            divisor,
            row,
            column: kept_entries,
        });
        true
    }

    /// Substitutes the row of a vertex into one that leads to it, and returns the share of that
    /// edge.
    fn substitute_row(&mut self, from: usize, place: u32, row: &[VertexShare<N>]) -> N {
        let target = &mut self.system.rows[from];
        // Scattered, so that each share finds its position at once.
        for (at, (to, _)) in (0..).zip(target.iter()) {
            self.at[*to as usize] = at;
        }
        let here = self.at[place as usize] as usize;
        let by = target[here].1.clone();
        let before = target.len();
        for (to, share) in row.iter().filter(|(to, _)| *to as usize != from) {
            let share = share.product_with(&by);
            match self.at[*to as usize] {
                NO_VERTEX => {
                    target.push((*to, share));
                    self.columns[*to as usize].push(from as u32);
                    self.coming[*to as usize] += 1;
                }
                at => target[at as usize].1.add(&share),
            }
        }
        target.iter().for_each(|(to, _)| self.at[*to as usize] = NO_VERTEX);
        self.products += row.len() + 1;
        self.share_count += 2 * (target.len() - before);
        target.swap_remove(here);
        by
    }

    /// Returns the remainder as rows over new numbers, with the old number of each.
    pub(crate) fn remaining_system(&self) -> (Vec<u32>, LoopLinearSystem<N>) {
        let places = self.is_eliminated.len() as u32;
        let left: Vec<u32> =
            (0..places).filter(|place| !self.is_eliminated[*place as usize]).collect();
        let mut number = vec![NO_VERTEX; self.is_eliminated.len()];
        (0..).zip(&left).for_each(|(at, place)| number[*place as usize] = at);
        let mut rest = LoopLinearSystem::new(left.len());
        for (at, place) in left.iter().enumerate() {
            let row = self.system.rows[*place as usize].iter();
            rest.rows[at] = row.map(|(to, p)| (number[*to as usize], p.clone())).collect();
            rest.exits[at] = self.system.exits[*place as usize].clone();
        }
        (left, rest)
    }

    /// Returns the eliminated vertices, in their order.
    pub(crate) fn eliminated_in_order(&self) -> &[EliminatedVertex<N>] {
        &self.eliminated
    }
}

impl<N: LoopSystemNumber> LoopLinearSystem<N> {
    pub(crate) fn edge_rows(&self) -> &[Vec<VertexShare<N>>] {
        &self.rows
    }

    pub(crate) fn total_exit_share_by_vertex(&self) -> &[N] {
        &self.exits
    }
}

/// Moves inflow from the eliminated vertices to the remaining ones.
pub(crate) fn move_inflow_to_remaining<N: LoopSystemNumber>(
    eliminated: &[EliminatedVertex<N>],
    inflow: &mut [N],
) {
    for EliminatedVertex { place, row, .. } in eliminated {
        let here = inflow[*place as usize].clone();
        if !here.is_zero() {
            row.iter().for_each(|(to, share)| inflow[*to as usize].add(&share.product_with(&here)));
        }
    }
}

/// Computes the visits of the eliminated vertices from those of the remaining ones.
pub(crate) fn solve_eliminated_visits<N: LoopSystemNumber>(
    eliminated: &[EliminatedVertex<N>],
    visits: &mut [N],
) {
    for EliminatedVertex { place, divisor, column, .. } in eliminated.iter().rev() {
        let mut sum = visits[*place as usize].clone();
        column
            .iter()
            .for_each(|(from, share)| sum.add(&visits[*from as usize].product_with(share)));
        visits[*place as usize] = sum.divide(divisor);
    }
}

/// Computes the worth of each vertex from its own worth and the worth of its successors.
pub(crate) fn add_successor_worths<N: LoopSystemNumber>(
    eliminated: &[EliminatedVertex<N>],
    own: &mut [N],
) {
    // Forward, so that each eliminated vertex passes its worth to those that lead to it; then back,
    // because a vertex depends on successors that were eliminated after it.
    for EliminatedVertex { place, divisor, column, .. } in eliminated {
        let here = own[*place as usize].divide(divisor);
        column.iter().for_each(|(from, share)| own[*from as usize].add(&share.product_with(&here)));
        own[*place as usize] = here;
    }
    for EliminatedVertex { place, row, .. } in eliminated.iter().rev() {
        let mut sum = own[*place as usize].clone();
        row.iter().for_each(|(to, share)| sum.add(&share.product_with(&own[*to as usize])));
        own[*place as usize] = sum;
    }
}

#[cfg(test)]
#[path = "../../tests/by_hand/elimination_stops.rs"]
mod elimination_stops;
