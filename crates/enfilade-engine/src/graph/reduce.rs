//! A loop, reduced place by place until nothing is left of it (Grassmann, Taksar, Heyman 1985).
//!
//! Whoever comes to a place goes on from it in the end: so it can be taken out, and its row is put into those
//! that lead to it. What leads back to the same place goes nowhere: the divisor is what leaves the place, added
//! up, and never 1 − what comes back. As nothing is ever subtracted, every number is right to nearly all its
//! digits, however rarely the loop is left.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::number::Number;

/// A share by the place it is of.
type Share<N> = (u32, N);

/// The system of a loop: of each place what leads to others of the loop, and how much leads out of it.
pub(crate) struct System<N> {
    rows: Vec<Vec<Share<N>>>,
    exits: Vec<N>,
}

impl<N: Number> System<N> {
    /// Of so many places of which nothing is known.
    pub(crate) fn new(places: usize) -> Self {
        System { rows: vec![Vec::new(); places], exits: vec![N::nothing(); places] }
    }

    /// What leads from a place to another; to the same, it goes nowhere.
    pub(crate) fn lead(&mut self, from: usize, to: u32, share: N) {
        if from as u32 != to {
            match self.rows[from].iter_mut().find(|(other, _)| *other == to) {
                Some((_, sum)) => sum.add(&share),
                None => self.rows[from].push((to, share)),
            }
        }
    }

    /// What leads out.
    pub(crate) fn exit(&mut self, from: usize, share: &N) {
        self.exits[from].add(share);
    }

    /// Whether anything does.
    pub(crate) fn is_left(&self) -> bool {
        self.exits.iter().any(|exit| !exit.is_nothing())
    }
}

/// Places up to which the next is found by looking at all.
const FEW: usize = 24;

/// Places left up to which a block in which every place leads to every other is not worth while.
const SPARSE: usize = 48;

/// Places of a dense block, at most: 128 MiB.
const MOST_DENSE: usize = 4096;

/// Memory for rows.
const MEMORY: usize = 2 << 30;

/// Why a reduction stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The next place costs more than was allowed.
    Cost,
    /// What is left is as good as full of shares.
    Dense,
    /// The rows are too many, a number has too many digits, or a share is too small to be held.
    Beyond,
    /// Nothing is left.
    End,
}

/// A loop being reduced.
pub(crate) struct Reduction<N> {
    system: System<N>,
    /// By place: which led to it, with those that have been taken out since; and how many still do.
    columns: Vec<Vec<u32>>,
    coming: Vec<u32>,
    gone: Vec<bool>,
    left: usize,
    /// Places by what it costs to take them out, as it was at some time.
    costs: BinaryHeap<Reverse<(u64, u32)>>,
    taken: Vec<Taken<N>>,
    /// By place: where it stands in the row under work.
    at: Vec<u32>,
    /// Shares that are held.
    held: usize,
    /// Products made.
    products: usize,
}

/// A place that was taken out.
pub(crate) struct Taken<N> {
    place: u32,
    divisor: N,
    /// Where it led, as shares of the divisor.
    row: Vec<Share<N>>,
    /// What led to it.
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

    /// The place that costs least, the first among equals.
    fn cheapest(&mut self) -> Option<(u64, u32)> {
        let places = self.gone.len();
        if places <= FEW {
            let left = (0..places as u32).filter(|place| !self.gone[*place as usize]);
            return left.map(|place| (self.cost(place), place)).min();
        }
        // What was noted may have changed since: then it was noted anew.
        while let Some(&Reverse((cost, place))) = self.costs.peek() {
            if !self.gone[place as usize] && self.cost(place) == cost {
                return Some((cost, place));
            }
            self.costs.pop();
        }
        None
    }

    /// Takes places out while none costs more than `most`, until a `dense` block is left, if there is to be one;
    /// `go_on` is told how many products were made.
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

    /// Takes one place out; false where its numbers cannot be held.
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

    /// Puts the row of a place into one that leads to it, and returns by how much that did.
    fn put_into(&mut self, from: usize, place: u32, row: &[Share<N>]) -> N {
        let target = &mut self.system.rows[from];
        // Scattered, so that each share finds its place at once.
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

    /// What is left, as rows over new numbers, with what each of the new was before.
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

    /// The places taken out, in their order.
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

/// What comes in, put on from the places that were taken out to those that were left.
pub(crate) fn put_on<N: Number>(taken: &[Taken<N>], comes: &mut [N]) {
    for Taken { place, row, .. } in taken {
        let here = comes[*place as usize].clone();
        if !here.is_nothing() {
            row.iter().for_each(|(to, share)| comes[*to as usize].add(&share.times(&here)));
        }
    }
}

/// How often the places that were taken out are visited, when it is known of those that were left.
pub(crate) fn put_back<N: Number>(taken: &[Taken<N>], visits: &mut [N]) {
    for Taken { place, divisor, column, .. } in taken.iter().rev() {
        let mut sum = visits[*place as usize].clone();
        column.iter().for_each(|(from, share)| sum.add(&visits[*from as usize].times(share)));
        visits[*place as usize] = sum.over(divisor);
    }
}

/// What each place is worth, when each has so much of its own and whatever it leads to adds its share.
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
