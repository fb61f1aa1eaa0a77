//! A battle of the tests' own, between lists of units that are known one by one: what a price is
//! for is tried by it. It shares no code with the program and takes from it only what a volley
//! does, where a test does not work that out itself.
//!
//! All of one side act, then all of the other, the same side first for six rounds. A shot falls on
//! anybody of the other side, with a weight by kind: what one of it does to that side, to the power
//! one half. Who has lost fewer points has won; those of a unit are lost with its last Damage
//! Point.

pub mod definition;

use super::known::Chance;

/// By what a unit has left, from 1: what it has left after a shot, with its chances.
pub type Law = Vec<Vec<(usize, f64)>>;

/// What every kind does to every other, `[round][by][at]`, in `shots[by]` shots.
#[derive(Clone, Debug)]
pub struct Kinds {
    /// Damage Points.
    pub whole: Vec<usize>,
    /// Shots in an activation.
    pub shots: Vec<usize>,
    pub laws: Vec<Vec<Vec<Law>>>,
}

/// How many of each kind.
pub type List = Vec<usize>;

struct Unit {
    kind: usize,
    left: usize,
}

struct Side {
    units: Vec<Unit>,
    /// By kind: how much fire it draws.
    weights: Vec<f64>,
    /// Points of a whole unit, by kind.
    points: Vec<f64>,
}

impl Side {
    fn of(list: &List, kinds: &Kinds, weights: &[f64], points: &[f64]) -> Side {
        let all = list.iter().enumerate().flat_map(|(kind, many)| vec![kind; *many]);
        let units = all.map(|kind| Unit { kind, left: kinds.whole[kind] }).collect();
        Side { units, weights: weights.to_vec(), points: points.to_vec() }
    }

    fn points_left(&self) -> f64 {
        self.units.iter().map(|unit| self.points[unit.kind]).sum()
    }

    /// Who is shot at.
    fn picked(&self, at: f64) -> usize {
        let all: f64 = self.units.iter().map(|unit| self.weights[unit.kind]).sum();
        let mut left = at * all;
        for (place, unit) in self.units.iter().enumerate() {
            left -= self.weights[unit.kind];
            if left < 0.0 {
                return place;
            }
        }
        self.units.len() - 1
    }
}

impl Kinds {
    /// What a unit of one kind takes of one of another in a round, as a share of it.
    fn harm(&self, by: usize, at: usize) -> f64 {
        let whole = self.whole[at];
        let taken = |(left, p): &(usize, f64)| p * (whole - left) as f64 / whole as f64;
        let of = |laws: &Vec<Vec<Law>>| laws[by][at][whole - 1].iter().map(taken).sum::<f64>();
        self.shots[by] as f64 * self.laws.iter().map(of).sum::<f64>() / self.laws.len() as f64
    }

    /// How much fire each kind draws of a side that is to be kept from `against`.
    fn weights(&self, against: &List) -> Vec<f64> {
        let each = |by: usize| {
            let harm = (0..against.len()).map(|at| against[at] as f64 * self.harm(by, at));
            harm.sum::<f64>().sqrt().max(1e-9)
        };
        (0..self.whole.len()).map(each).collect()
    }

    /// Of `battles` the share that `a` wins against `b`; units are lost at these points.
    pub fn won(&self, [a, b]: [&List; 2], points: [&[f64]; 2], battles: u64, seed: u64) -> f64 {
        let (of_a, of_b) = (self.weights(b), self.weights(a));
        let mut sum = 0.0;
        for battle in 0..battles {
            let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9).wrapping_add(battle));
            let mut sides =
                [Side::of(a, self, &of_a, points[0]), Side::of(b, self, &of_b, points[1])];
            self.fight(&mut sides, (battle % 2) as usize, &mut chance);
            let left = [0, 1].map(|side| sides[side].points_left());
            sum += match (sides[0].units.is_empty(), sides[1].units.is_empty()) {
                (false, true) => 1.0,
                (true, false) => 0.0,
                _ if (left[0] - left[1]).abs() < 1e-9 => 0.5,
                _ => f64::from(u8::from(left[0] > left[1])),
            };
        }
        sum / battles as f64
    }

    fn fight(&self, sides: &mut [Side; 2], first: usize, chance: &mut Chance) {
        for laws in &self.laws {
            for side in [first, 1 - first] {
                let firing: Vec<usize> = sides[side].units.iter().map(|unit| unit.kind).collect();
                let target = &mut sides[1 - side];
                for by in firing {
                    for _ in 0..self.shots[by] {
                        if target.units.is_empty() {
                            return;
                        }
                        let place = target.picked(chance.uniform());
                        let unit = &mut target.units[place];
                        let law = &laws[by][unit.kind][unit.left - 1];
                        unit.left = after(law, chance.uniform());
                        if unit.left == 0 {
                            target.units.swap_remove(place);
                        }
                    }
                }
            }
        }
    }
}

fn after(law: &[(usize, f64)], mut at: f64) -> usize {
    for &(left, p) in law {
        if at < p {
            return left;
        }
        at -= p;
    }
    law.last().expect("a law has an outcome").0
}

/// A list of 2 to 4 kinds, every kind as likely: units of them are bought until nothing fits.
fn bought(prices: &[f64], budget: f64, chance: &mut Chance) -> List {
    let mut kinds: Vec<usize> = (0..prices.len()).collect();
    let many = 2 + (chance.uniform() * 3.0) as usize;
    while kinds.len() > many {
        kinds.swap_remove((chance.uniform() * kinds.len() as f64) as usize);
    }
    let (mut list, mut left) = (vec![0; prices.len()], budget);
    loop {
        kinds.retain(|kind| prices[*kind] <= left);
        if kinds.is_empty() {
            return list;
        }
        let kind = kinds[(chance.uniform() * kinds.len() as f64) as usize];
        list[kind] += 1;
        left -= prices[kind];
    }
}

/// How even battles between random lists of equal points are.
#[derive(Clone, Copy, Debug)]
pub struct Even {
    /// Mean distance from 50 of 100.
    pub mean: f64,
    /// The share of pairs within 45 to 55.
    pub within: f64,
}

/// Random pairs of lists that cost `budget`, totals within 1.2 %, 600 battles each.
pub fn even(kinds: &Kinds, prices: &[f64], budget: f64, pairs: usize) -> Even {
    let mut chance = Chance(77);
    let (mut sum, mut within, mut fought) = (0.0, 0.0, 0);
    while fought < pairs {
        let lists = [0, 1].map(|_| bought(prices, budget, &mut chance));
        let total = |list: &List| list.iter().zip(prices).map(|(n, p)| *n as f64 * p).sum::<f64>();
        let [a, b] = [total(&lists[0]), total(&lists[1])];
        if (a / b).ln().abs() > 0.012 {
            continue;
        }
        fought += 1;
        let won = kinds.won([&lists[0], &lists[1]], [prices, prices], 600, fought as u64);
        let off = 100.0 * (won - 0.5).abs();
        sum += off;
        within += f64::from(u8::from(off <= 5.0));
    }
    Even { mean: sum / pairs as f64, within: within / pairs as f64 }
}

/// Battles of copies of a kind beside some of the troops, against as many of the troops and further
/// ones.
#[derive(Clone, Copy)]
pub struct Meeting<'a> {
    pub kinds: &'a Kinds,
    pub kind: usize,
    pub troops: usize,
    /// How many of the troops there are on both sides.
    pub base: usize,
    pub copies: usize,
    pub battles: u64,
}

impl Meeting<'_> {
    /// The share that is won against so many further troops, as log odds. The copies count for
    /// these points.
    fn odds(&self, further: usize) -> f64 {
        let Meeting { kinds, kind, troops, base, copies, battles } = *self;
        let mut a = vec![0; kinds.whole.len() + 1];
        let mut b = a.clone();
        // The troops beside it are a kind of their own, since it is worth what stands in its place.
        (a[troops], b[troops]) = (base, base + further);
        let last = kinds.whole.len();
        a[last] = copies;
        let twin = kinds.with_twin(kind);
        let mut points = vec![1.0; last + 1];
        points[last] = further as f64 / copies as f64;
        let won = twin.won([&a, &b], [&points, &points], battles, 5);
        (won / (1.0 - won)).ln().clamp(-CERTAIN, CERTAIN)
    }

    /// Log odds against 0, 1, 2 … further troops, until hardly a battle is won.
    pub fn curve(&self) -> Vec<f64> {
        let mut odds = vec![self.odds(0)];
        while odds.last().is_some_and(|last| *last > HARDLY) && odds.len() <= 120 {
            odds.push(self.odds(odds.len()));
        }
        odds
    }

    /// How many troops one of the kind is worth: where the share of wins passes one half, by log
    /// odds between two whole numbers.
    pub fn worth(&self) -> f64 {
        let (mut above, mut further) = (self.odds(0), 0);
        loop {
            let below = self.odds(further + 1);
            if below < 0.0 || further > 120 {
                return (further as f64 + above / (above - below)) / self.copies as f64;
            }
            (above, further) = (below, further + 1);
        }
    }
}

/// Log odds of a battle that is always won.
const CERTAIN: f64 = 9.0;

/// Log odds below which a curve is not followed: 7 of 100.
const HARDLY: f64 = -2.6;

impl Kinds {
    /// The same with a kind at its end that is like another.
    fn with_twin(&self, kind: usize) -> Kinds {
        let mut twin = self.clone();
        twin.whole.push(self.whole[kind]);
        twin.shots.push(self.shots[kind]);
        for laws in &mut twin.laws {
            laws.iter_mut().for_each(|at| at.push(at[kind].clone()));
            laws.push(laws[kind].clone());
        }
        twin
    }
}
