//! Elimination of a loop, vertex by vertex (Grassmann, Taksar, Heyman 1985).
//!
//! Every trial at a vertex leaves it in the end, so the vertex can be eliminated: its row is
//! substituted into the rows that lead to it. An edge back to the same vertex is dropped: the
//! divisor is the sum of the shares that leave the vertex, and never 1 − the returning share. As
//! nothing is ever subtracted, every number is correct to nearly all its digits, however rarely the
//! loop is left.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::number::Number;

/// Share with its vertex.
type Share<N> = (u32, N);

/// Linear system of a loop: the edges of each vertex to others of the loop, and the share that
/// leaves the loop.
pub(crate) struct System<N> {
    rows: Vec<Vec<Share<N>>>,
    exits: Vec<N>,
}

impl<N: Number> System<N> {
    /// Creates the system of this number of vertices, without edges.
    pub(crate) fn new(places: usize) -> Self {
        System { rows: vec![Vec::new(); places], exits: vec![N::nothing(); places] }
    }

    /// Adds an edge between two vertices; an edge to the same vertex is dropped.
    pub(crate) fn lead(&mut self, from: usize, to: u32, share: N) {
        if from as u32 != to {
            match self.rows[from].iter_mut().find(|(other, _)| *other == to) {
                Some((_, sum)) => sum.add(&share),
                None => self.rows[from].push((to, share)),
            }
        }
    }

    /// Adds a share that leaves the loop.
    pub(crate) fn exit(&mut self, from: usize, share: &N) {
        self.exits[from].add(share);
    }

    /// Returns whether any share leaves the loop.
    pub(crate) fn is_left(&self) -> bool {
        self.exits.iter().any(|exit| !exit.is_nothing())
    }
}

/// Number of vertices up to which the next one is found by comparing all.
const FEW: usize = 24;

/// Number of remaining vertices up to which a dense block is not worth its setup.
const SPARSE: usize = 48;

/// Largest number of vertices of a dense block: 128 MiB.
const MOST_DENSE: usize = 4096;

/// Memory for rows, in bytes.
const MEMORY: usize = 2 << 30;

/// Reason why a reduction stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
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
    system: System<N>,
    /// Predecessors by vertex, including eliminated ones, and the number of those that remain.
    columns: Vec<Vec<u32>>,
    coming: Vec<u32>,
    gone: Vec<bool>,
    left: usize,
    /// Vertices by elimination cost, as of some earlier time.
    costs: BinaryHeap<Reverse<(u64, u32)>>,
    taken: Vec<Taken<N>>,
    /// Position of each vertex in the current row.
    at: Vec<u32>,
    /// Number of stored shares.
    held: usize,
    /// Number of products computed.
    products: usize,
}

/// Eliminated vertex.
pub(crate) struct Taken<N> {
    place: u32,
    divisor: N,
    /// Outgoing edges, as shares of the divisor.
    row: Vec<Share<N>>,
    /// Incoming edges.
    column: Vec<Share<N>>,
}

const NOWHERE: u32 = u32::MAX;

impl<N: Number> Reduction<N> {
    pub(crate) fn new(system: System<N>) -> Self {
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
            gone: vec![false; places],
            left: places,
            costs: BinaryHeap::new(),
            taken: Vec::with_capacity(places),
            at: vec![NOWHERE; places],
            held,
            products: 0,
        };
        if places > FEW {
            (0..places as u32).for_each(|place| reduction.note(place));
        }
        reduction
    }

    pub(crate) fn left(&self) -> usize {
        self.left
    }

    pub(crate) fn products(&self) -> usize {
        self.products
    }

    fn cost(&self, place: u32) -> u64 {
        let place = place as usize;
        self.system.rows[place].len() as u64 * u64::from(self.coming[place])
    }

    fn note(&mut self, place: u32) {
        self.costs.push(Reverse((self.cost(place), place)));
    }

    /// Returns the vertex with the least cost, the first among equals.
    fn cheapest(&mut self) -> Option<(u64, u32)> {
        let places = self.gone.len();
        if places <= FEW {
            let left = (0..places as u32).filter(|place| !self.gone[*place as usize]);
            return left.map(|place| (self.cost(place), place)).min();
        }
        // An entry may be outdated; then a newer one exists.
        while let Some(&Reverse((cost, place))) = self.costs.peek() {
            if !self.gone[place as usize] && self.cost(place) == cost {
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
    ) -> Stop {
        while let Some((cost, place)) = self.cheapest() {
            let half = (self.left as u64).div_ceil(2);
            let dense = dense && self.left > SPARSE && cost > half * half;
            if dense && self.left <= MOST_DENSE {
                return Stop::Dense;
            }
            if cost > most {
                return Stop::Cost;
            }
            let bytes = self.held * size_of::<Share<N>>();
            if bytes > MEMORY || !go_on(self.products) || !self.take(place as usize) {
                return Stop::Beyond;
            }
        }
        Stop::End
    }

    /// Eliminates one vertex. Returns false if its numbers are out of range.
    fn take(&mut self, place: usize) -> bool {
        let mut row = std::mem::take(&mut self.system.rows[place]);
        let column = std::mem::take(&mut self.columns[place]);
        let mut divisor = self.system.exits[place].clone();
        row.iter().for_each(|(_, share)| divisor.add(share));
        if !divisor.divides() {
            return false;
        }
        let out = self.system.exits[place].over(&divisor);
        for (to, share) in &mut row {
            *share = share.over(&divisor);
            self.coming[*to as usize] -= 1;
        }
        self.gone[place] = true;
        self.left -= 1;
        let mut kept = Vec::with_capacity(column.len());
        for from in column {
            if self.gone[from as usize] {
                continue;
            }
            let share = self.put_into(from as usize, place as u32, &row);
            self.system.exits[from as usize].add(&share.times(&out));
            kept.push((from, share));
        }
        if self.gone.len() > FEW {
            kept.iter().for_each(|(from, _)| self.note(*from));
            row.iter().for_each(|(to, _)| self.note(*to));
        }
        self.taken.push(Taken { place: place as u32, divisor, row, column: kept });
        true
    }

    /// Substitutes the row of a vertex into one that leads to it, and returns the share of that
    /// edge.
    fn put_into(&mut self, from: usize, place: u32, row: &[Share<N>]) -> N {
        let target = &mut self.system.rows[from];
        // Scattered, so that each share finds its position at once.
        for (at, (to, _)) in (0..).zip(target.iter()) {
            self.at[*to as usize] = at;
        }
        let here = self.at[place as usize] as usize;
        let by = target[here].1.clone();
        let before = target.len();
        for (to, share) in row.iter().filter(|(to, _)| *to as usize != from) {
            let share = share.times(&by);
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
        self.held += 2 * (target.len() - before);
        target.swap_remove(here);
        by
    }

    /// Returns the remainder as rows over new numbers, with the old number of each.
    pub(crate) fn rest(&self) -> (Vec<u32>, System<N>) {
        let places = self.gone.len() as u32;
        let left: Vec<u32> = (0..places).filter(|place| !self.gone[*place as usize]).collect();
        let mut number = vec![NOWHERE; self.gone.len()];
        (0..).zip(&left).for_each(|(at, place)| number[*place as usize] = at);
        let mut rest = System::new(left.len());
        for (at, place) in left.iter().enumerate() {
            let row = self.system.rows[*place as usize].iter();
            rest.rows[at] = row.map(|(to, p)| (number[*to as usize], p.clone())).collect();
            rest.exits[at] = self.system.exits[*place as usize].clone();
        }
        (left, rest)
    }

    /// Returns the eliminated vertices, in their order.
    pub(crate) fn taken(&self) -> &[Taken<N>] {
        &self.taken
    }
}

impl<N: Number> System<N> {
    pub(crate) fn rows(&self) -> &[Vec<Share<N>>] {
        &self.rows
    }

    pub(crate) fn exits(&self) -> &[N] {
        &self.exits
    }
}

/// Moves inflow from the eliminated vertices to the remaining ones.
pub(crate) fn put_on<N: Number>(taken: &[Taken<N>], comes: &mut [N]) {
    for Taken { place, row, .. } in taken {
        let here = comes[*place as usize].clone();
        if !here.is_nothing() {
            row.iter().for_each(|(to, share)| comes[*to as usize].add(&share.times(&here)));
        }
    }
}

/// Computes the visits of the eliminated vertices from those of the remaining ones.
pub(crate) fn put_back<N: Number>(taken: &[Taken<N>], visits: &mut [N]) {
    for Taken { place, divisor, column, .. } in taken.iter().rev() {
        let mut sum = visits[*place as usize].clone();
        column.iter().for_each(|(from, share)| sum.add(&visits[*from as usize].times(share)));
        visits[*place as usize] = sum.over(divisor);
    }
}

/// Computes the worth of each vertex from its own worth and the worth of its successors.
pub(crate) fn worths<N: Number>(taken: &[Taken<N>], own: &mut [N]) {
    for Taken { place, divisor, column, .. } in taken {
        let here = own[*place as usize].over(divisor);
        column.iter().for_each(|(from, share)| own[*from as usize].add(&share.times(&here)));
        own[*place as usize] = here;
    }
    for Taken { place, row, .. } in taken.iter().rev() {
        let mut sum = own[*place as usize].clone();
        row.iter().for_each(|(to, share)| sum.add(&share.times(&own[*to as usize])));
        own[*place as usize] = sum;
    }
}
