//! Elimination of a loop, vertex by vertex (Grassmann, Taksar, Heyman 1985).
//!
//! Every trial at a vertex leaves it in the end, so the vertex can be eliminated: its row is
//! substituted into the rows that lead to it. An edge back to the same vertex is dropped: the
//! divisor is the sum of the shares that leave the vertex, and never 1 − the returning share. As
//! nothing is ever subtracted, every number is correct to nearly all its digits, however rarely the
//! loop is left.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::loop_number::LoopNumber;

/// Share with its vertex.
type PlaceShare<N> = (u32, N);

/// Linear system of a loop: the edges of each vertex to others of the loop, and the share that
/// leaves the loop.
pub(crate) struct LinearSystem<N> {
    rows: Vec<Vec<PlaceShare<N>>>,
    exits: Vec<N>,
}

impl<N: LoopNumber> LinearSystem<N> {
    /// Creates the system of this number of vertices, without edges.
    pub(crate) fn new(places: usize) -> Self {
        LinearSystem { rows: vec![Vec::new(); places], exits: vec![N::zero(); places] }
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
    pub(crate) fn add_exit(&mut self, from: usize, share: &N) {
        self.exits[from].add(share);
    }

    /// Returns whether any share leaves the loop.
    pub(crate) fn has_exit(&self) -> bool {
        self.exits.iter().any(|exit| !exit.is_zero())
    }
}

/// Number of vertices up to which the next one is found by comparing all.
const FEW_PLACES: usize = 24;

/// Number of remaining vertices up to which a dense block is not worth its setup.
const SPARSE_PLACES: usize = 48;

/// Largest number of vertices of a dense block: 128 MiB.
const MAX_DENSE_PLACES: usize = 4096;

/// Memory for rows, in bytes.
const MAX_ROW_BYTES: usize = 2 << 30;

/// Reason why a reduction stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReductionStop {
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
pub(crate) struct Reduction<N> {
    system: LinearSystem<N>,
    /// Predecessors by vertex, including eliminated ones, and the number of those that remain.
    columns: Vec<Vec<u32>>,
    coming: Vec<u32>,
    is_eliminated: Vec<bool>,
    left: usize,
    /// Vertices by elimination cost, as of some earlier time.
    costs: BinaryHeap<Reverse<(u64, u32)>>,
    taken: Vec<EliminatedPlace<N>>,
    /// Position of each vertex in the current row.
    at: Vec<u32>,
    /// Number of stored shares.
    share_count: usize,
    /// Number of products computed.
    products: usize,
}

/// Eliminated vertex.
pub(crate) struct EliminatedPlace<N> {
    place: u32,
    divisor: N,
    /// Outgoing edges, as shares of the divisor.
    row: Vec<PlaceShare<N>>,
    /// Incoming edges.
    column: Vec<PlaceShare<N>>,
}

const NOWHERE: u32 = u32::MAX;

impl<N: LoopNumber> Reduction<N> {
    pub(crate) fn new(system: LinearSystem<N>) -> Self {
        let places = system.rows.len();
        let mut columns = vec![Vec::new(); places];
        for (from, row) in (0..).zip(&system.rows) {
            row.iter().for_each(|(to, _)| columns[*to as usize].push(from));
        }
        let coming = columns.iter().map(|column| column.len() as u32).collect();
        let held = 2 * system.rows.iter().map(Vec::len).sum::<usize>();
        let mut reduction = Reduction {
            system,
            columns,
            coming,
            is_eliminated: vec![false; places],
            left: places,
            costs: BinaryHeap::new(),
            taken: Vec::with_capacity(places),
            at: vec![NOWHERE; places],
            share_count: held,
            products: 0,
        };
        if places > FEW_PLACES {
            (0..places as u32).for_each(|place| reduction.queue_place(place));
        }
        reduction
    }

    pub(crate) fn remaining_count(&self) -> usize {
        self.left
    }

    pub(crate) fn product_count(&self) -> usize {
        self.products
    }

    fn elimination_cost(&self, place: u32) -> u64 {
        let place = place as usize;
        self.system.rows[place].len() as u64 * u64::from(self.coming[place])
    }

    fn queue_place(&mut self, place: u32) {
        self.costs.push(Reverse((self.elimination_cost(place), place)));
    }

    /// Returns the vertex with the least cost, the first among equals.
    fn find_cheapest(&mut self) -> Option<(u64, u32)> {
        let places = self.is_eliminated.len();
        if places <= FEW_PLACES {
            let left = (0..places as u32).filter(|place| !self.is_eliminated[*place as usize]);
            return left.map(|place| (self.elimination_cost(place), place)).min();
        }
        // An entry may be outdated; then a newer one exists.
        while let Some(&Reverse((cost, place))) = self.costs.peek() {
            if !self.is_eliminated[place as usize] && self.elimination_cost(place) == cost {
                return Some((cost, place));
            }
            self.costs.pop();
        }
        None
    }

    /// Eliminates vertices while none costs more than `most`, until a `dense` block is left, if one
    /// is wanted. `go_on` is called with the number of products computed.
    pub(crate) fn reduce(
        &mut self,
        most: u64,
        dense: bool,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> ReductionStop {
        while let Some((cost, place)) = self.find_cheapest() {
            // A row and a column that are both half full: lists of shares then cost more than a block.
            let half = (self.left as u64).div_ceil(2);
            let dense = dense && self.left > SPARSE_PLACES && cost > half * half;
            if dense && self.left <= MAX_DENSE_PLACES {
                return ReductionStop::Dense;
            }
            if cost > most {
                return ReductionStop::Cost;
            }
            let bytes = self.share_count * size_of::<PlaceShare<N>>();
            if bytes > MAX_ROW_BYTES || !go_on(self.products) || !self.eliminate(place as usize) {
                return ReductionStop::Beyond;
            }
        }
        ReductionStop::End
    }

    /// Eliminates one vertex. Returns false if its numbers are out of range.
    fn eliminate(&mut self, place: usize) -> bool {
        let mut row = std::mem::take(&mut self.system.rows[place]);
        let column = std::mem::take(&mut self.columns[place]);
        let mut divisor = self.system.exits[place].clone();
        row.iter().for_each(|(_, share)| divisor.add(share));
        if !divisor.can_divide() {
            return false;
        }
        let out = self.system.exits[place].divide(&divisor);
        for (to, share) in &mut row {
            *share = share.divide(&divisor);
            self.coming[*to as usize] -= 1;
        }
        self.is_eliminated[place] = true;
        self.left -= 1;
        let mut kept = Vec::with_capacity(column.len());
        for from in column {
            // Columns keep eliminated predecessors, because removing one would search its column.
            if self.is_eliminated[from as usize] {
                continue;
            }
            let share = self.replace_in_row(from as usize, place as u32, &row);
            self.system.exits[from as usize].add(&share.multiply(&out));
            kept.push((from, share));
        }
        if self.is_eliminated.len() > FEW_PLACES {
            kept.iter().for_each(|(from, _)| self.queue_place(*from));
            row.iter().for_each(|(to, _)| self.queue_place(*to));
        }
        self.taken.push(EliminatedPlace { place: place as u32, divisor, row, column: kept });
        true
    }

    /// Substitutes the row of a vertex into one that leads to it, and returns the share of that
    /// edge.
    fn replace_in_row(&mut self, from: usize, place: u32, row: &[PlaceShare<N>]) -> N {
        let target = &mut self.system.rows[from];
        // Scattered, so that each share finds its position at once.
        for (at, (to, _)) in (0..).zip(target.iter()) {
            self.at[*to as usize] = at;
        }
        let here = self.at[place as usize] as usize;
        let by = target[here].1.clone();
        let before = target.len();
        for (to, share) in row.iter().filter(|(to, _)| *to as usize != from) {
            let share = share.multiply(&by);
            match self.at[*to as usize] {
                NOWHERE => {
                    target.push((*to, share));
                    self.columns[*to as usize].push(from as u32);
                    self.coming[*to as usize] += 1;
                }
                at => target[at as usize].1.add(&share),
            }
        }
        target.iter().for_each(|(to, _)| self.at[*to as usize] = NOWHERE);
        self.products += row.len() + 1;
        self.share_count += 2 * (target.len() - before);
        target.swap_remove(here);
        by
    }

    /// Returns the remainder as rows over new numbers, with the old number of each.
    pub(crate) fn remaining_system(&self) -> (Vec<u32>, LinearSystem<N>) {
        let places = self.is_eliminated.len() as u32;
        let left: Vec<u32> =
            (0..places).filter(|place| !self.is_eliminated[*place as usize]).collect();
        let mut number = vec![NOWHERE; self.is_eliminated.len()];
        (0..).zip(&left).for_each(|(at, place)| number[*place as usize] = at);
        let mut rest = LinearSystem::new(left.len());
        for (at, place) in left.iter().enumerate() {
            let row = self.system.rows[*place as usize].iter();
            rest.rows[at] = row.map(|(to, p)| (number[*to as usize], p.clone())).collect();
            rest.exits[at] = self.system.exits[*place as usize].clone();
        }
        (left, rest)
    }

    /// Returns the eliminated vertices, in their order.
    pub(crate) fn as_eliminated(&self) -> &[EliminatedPlace<N>] {
        &self.taken
    }
}

impl<N: LoopNumber> LinearSystem<N> {
    pub(crate) fn rows(&self) -> &[Vec<PlaceShare<N>>] {
        &self.rows
    }

    pub(crate) fn exits(&self) -> &[N] {
        &self.exits
    }
}

/// Moves inflow from the eliminated vertices to the remaining ones.
pub(crate) fn push_inflow<N: LoopNumber>(taken: &[EliminatedPlace<N>], comes: &mut [N]) {
    for EliminatedPlace { place, row, .. } in taken {
        let here = comes[*place as usize].clone();
        if !here.is_zero() {
            row.iter().for_each(|(to, share)| comes[*to as usize].add(&share.multiply(&here)));
        }
    }
}

/// Computes the visits of the eliminated vertices from those of the remaining ones.
pub(crate) fn solve_back<N: LoopNumber>(taken: &[EliminatedPlace<N>], visits: &mut [N]) {
    for EliminatedPlace { place, divisor, column, .. } in taken.iter().rev() {
        let mut sum = visits[*place as usize].clone();
        column.iter().for_each(|(from, share)| sum.add(&visits[*from as usize].multiply(share)));
        visits[*place as usize] = sum.divide(divisor);
    }
}

/// Computes the worth of each vertex from its own worth and the worth of its successors.
pub(crate) fn compute_worths<N: LoopNumber>(taken: &[EliminatedPlace<N>], own: &mut [N]) {
    // Forward, so that each eliminated vertex passes its worth to those that lead to it; then back,
    // because a vertex depends on successors that were eliminated after it.
    for EliminatedPlace { place, divisor, column, .. } in taken {
        let here = own[*place as usize].divide(divisor);
        column.iter().for_each(|(from, share)| own[*from as usize].add(&share.multiply(&here)));
        own[*place as usize] = here;
    }
    for EliminatedPlace { place, row, .. } in taken.iter().rev() {
        let mut sum = own[*place as usize].clone();
        row.iter().for_each(|(to, share)| sum.add(&share.multiply(&own[*to as usize])));
        own[*place as usize] = sum;
    }
}
