//! States of a force of equal units, and the transitions between them.
//!
//! A state is a multiset of conditions and has a number; a transition table is indexed by that
//! number. Tables are built once for a battle and applied to many distributions.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use enfilade_model::weapons::{BattleUnit, ConditionTransitions, ShotEffect};

/// Probability below which a state is left as it is or dropped: all of these together stay below
/// 1e-13.
pub const NEGLIGIBLE_STATE: f64 = 1e-19;

/// A force of units of one kind: its states, which are multisets of conditions, and its recovery.
#[derive(Debug)]
pub struct UnitConditionMultisets {
    /// The kind.
    pub unit: BattleUnit,
    /// The multisets by number, smaller ones first: by condition, the number of units in it.
    pub sets: Vec<Vec<u8>>,
    numbers: FxHashMap<Vec<u8>, u32>,
    /// Transitions of an activation on the force itself; `None` if nothing changes.
    pub rest: Option<ChainTransitions>,
}

impl UnitConditionMultisets {
    /// All states of at most `most` units.
    pub fn new(unit: &BattleUnit, most: usize) -> UnitConditionMultisets {
        let conditions = unit.gone_condition_index();
        let mut sets = vec![vec![0; conditions]];
        let mut from = 0;
        for _ in 0..most {
            let until = sets.len();
            for place in from..until {
                // Only conditions from the last used one on, so that every multiset comes once.
                let last = sets[place].iter().rposition(|&n| n > 0).unwrap_or(0);
                for condition in last..conditions {
                    let mut more = sets[place].clone();
                    more[condition] += 1;
                    sets.push(more);
                }
            }
            from = until;
        }
        let numbers = sets.iter().cloned().zip(0..).collect();
        let states = UnitConditionMultisets { unit: unit.clone(), sets, numbers, rest: None };
        UnitConditionMultisets { rest: states.build_recovery(), ..states }
    }

    /// Builds the transitions of an activation on the force itself; `None` if nothing changes.
    fn build_recovery(&self) -> Option<ChainTransitions> {
        if self.unit.is_unchanged_by_activating() {
            return None;
        }
        let conditions = &self.unit.conditions;
        let row = |set: &Vec<u8>| {
            let mut rows = vec![(vec![0_u8; set.len()], 1.0)];
            for (condition, &count) in set.iter().enumerate() {
                for _ in 0..count {
                    rows = add_unit_after_recovery(rows, &conditions[condition].rest);
                }
            }
            let numbered = rows.into_iter().map(|(set, p)| (self.numbers[&set], p));
            merge_equal_successors(numbered, self.numbers[set])
        };
        Some(ChainTransitions::from_transition_rows(self.sets.iter().map(row)))
    }

    /// States after an activation on the force itself, with their probabilities.
    pub fn state_odds_after_rest(&self, state: usize) -> Vec<(usize, f64)> {
        let Some(rest) = &self.rest else { return vec![(state, 1.0)] };
        rest.successors_with_chance(state).iter().map(|&(to, p)| (to as usize, p)).collect()
    }

    /// Worth of a state in whole units.
    pub fn worth_in_units(&self, set: &[u8]) -> f64 {
        let shares = set.iter().zip(&self.unit.conditions);
        shares.map(|(&n, c)| f64::from(n) * c.share_left).sum()
    }

    /// Number of the state of `count` units that have not fought.
    pub fn number_of_fresh(&self, count: usize) -> usize {
        let mut set = self.sets[0].clone();
        set[self.unit.start] = count as u8;
        self.numbers[&set] as usize
    }

    /// Number of multisets with at most `most` units: they come first.
    pub fn states_up_to(&self, most: usize) -> usize {
        self.sets.partition_point(|set| count_units_left(set) <= most as u32)
    }

    /// States after a shot at a unit of `set`, with the number of units that are alike to it and
    /// the probability of the effect.
    fn states_after_shot<'a>(
        &'a self,
        set: &'a [u8],
        effect: &'a ShotEffect,
    ) -> impl Iterator<Item = (f64, u32, f64)> + 'a {
        let hit = set.iter().enumerate().filter(|(_, count)| **count > 0);
        hit.flat_map(move |(condition, &count)| {
            effect[condition].iter().map(move |&(to, p)| {
                let mut after = set.to_vec();
                after[condition] -= 1;
                // Whoever is gone is in no condition.
                if let Some(place) = after.get_mut(to) {
                    *place += 1;
                }
                (f64::from(count), self.numbers[&after], p)
            })
        })
    }
}

/// Counts the multisets of at most `most` units.
pub fn count_multisets_up_to(conditions: usize, most: usize) -> f64 {
    (1..=conditions).map(|n| (most + n) as f64 / n as f64).product()
}

/// Counts the units that are left.
pub fn count_units_left(set: &[u8]) -> u32 {
    set.iter().map(|&n| u32::from(n)).sum()
}

/// Transitions of the chain, by state. Rows are stored one after the other.
#[derive(Debug)]
pub struct ChainTransitions {
    rows: Vec<usize>,
    successors: Vec<(u32, f64)>,
    /// The probability of a loss, if the loss of one unit is the only possible effect.
    loses: Option<f64>,
}

impl ChainTransitions {
    fn from_transition_rows(rows: impl Iterator<Item = Vec<(u32, f64)>>) -> ChainTransitions {
        let mut step = ChainTransitions { rows: vec![0], successors: Vec::new(), loses: None };
        for row in rows {
            step.successors.extend(row);
            step.rows.push(step.successors.len());
        }
        step
    }

    /// Successors of `state`, with probabilities that add up to 1.
    pub fn successors_with_chance(&self, state: usize) -> &[(u32, f64)] {
        &self.successors[self.rows[state]..self.rows[state + 1]]
    }

    /// Applies the transition to `mass`; with chance `1 - made` nothing happens.
    pub fn apply_with_chance(&self, mass: &mut [f64], chance: f64, after: &mut Vec<f64>) {
        if let Some(p) = self.loses {
            // The states are the numbers of units left.
            let lost = chance * p;
            for standing in 1..mass.len() {
                mass[standing - 1] += mass[standing] * lost;
                mass[standing] *= 1.0 - lost;
            }
            return;
        }
        after.clear();
        after.resize(mass.len(), 0.0);
        for (state, &here) in mass.iter().enumerate() {
            if here == 0.0 {
                continue;
            }
            after[state] += here * (1.0 - chance);
            for &(to, p) in self.successors_with_chance(state) {
                after[to as usize] += here * chance * p;
            }
        }
        mass.copy_from_slice(after);
    }

    /// Applies the transition to parallel lanes, the states in rows; each lane has its own chance
    /// `made`.
    ///
    /// Lanes before the first that moves are left alone: with units that are whole or gone, those
    /// are the lanes with few units left to fire.
    pub fn apply_with_chance_per_lane(
        &self,
        mass: &mut [f64],
        chances: &[f64],
        after: &mut Vec<f64>,
    ) {
        let (width, first) =
            (chances.len(), chances.iter().take_while(|&&made| made == 0.0).count());
        after.clear();
        after.resize(mass.len(), 0.0);
        for (state, from) in mass.chunks(width).enumerate() {
            let from = &from[first..];
            if from.iter().all(|&mass| mass < NEGLIGIBLE_STATE) {
                continue;
            }
            for &(to, p) in self.successors_with_chance(state) {
                let to = &mut after[to as usize * width + first..][..from.len()];
                to.iter_mut().zip(from).for_each(|(to, here)| *to += here * p);
            }
        }
        for (line, after) in mass.chunks_mut(width).zip(after.chunks(width)) {
            let lanes = line[first..].iter_mut().zip(&after[first..]).zip(&chances[first..]);
            lanes.for_each(|((mass, after), made)| *mass = *mass * (1.0 - made) + after * made);
        }
    }
}

/// Builds the transition of a shot at a side of troops and weapons, on each of which a shot has its
/// effect; a weapon draws `draws` times the fire of one of the troops.
pub fn build_shot_transitions(
    (troops, on_troops): (&UnitConditionMultisets, &ShotEffect),
    (weapons, on_weapon): (&UnitConditionMultisets, &ShotEffect),
    draws: f64,
) -> ChainTransitions {
    // Sides are numbered row by row: the weapons of a row together with the same troops.
    let wide = weapons.sets.len() as u32;
    let mut rows = Vec::with_capacity(troops.sets.len() * weapons.sets.len());
    for (own, set) in (0..).zip(&troops.sets) {
        for (armed, guns) in (0..).zip(&weapons.sets) {
            let all = f64::from(count_units_left(set)) + draws * f64::from(count_units_left(guns));
            let at_troops = troops.states_after_shot(set, on_troops);
            let at_troops = at_troops.map(|(count, to, p)| (to * wide + armed, count / all * p));
            let at_weapons = weapons.states_after_shot(guns, on_weapon);
            let at_weapons =
                at_weapons.map(|(count, to, p)| (own * wide + to, draws * count / all * p));
            rows.push(merge_equal_successors(at_troops.chain(at_weapons), own * wide + armed));
        }
    }
    // With one condition and no weapon a state is the number of units left, place 1 means gone, and
    // no table is needed.
    let loses = match &on_troops[..] {
        [leads] if wide == 1 => Some(leads.iter().filter(|(to, _)| *to == 1).map(|(_, p)| p).sum()),
        _ => None,
    };
    ChainTransitions { loses, ..ChainTransitions::from_transition_rows(rows.into_iter()) }
}

/// Adds up transitions to the same state; an empty row stays at its state.
fn merge_equal_successors(row: impl Iterator<Item = (u32, f64)>, here: u32) -> Vec<(u32, f64)> {
    let mut merged = BTreeMap::new();
    row.for_each(|(to, p)| *merged.entry(to).or_insert(0.0) += p);
    match merged.is_empty() {
        true => vec![(here, 1.0)],
        false => merged.into_iter().filter(|&(_, p)| p > 0.0).collect(),
    }
}

/// Adds one more unit to those that have recovered.
fn add_unit_after_recovery(
    rows: Vec<(Vec<u8>, f64)>,
    rest: &ConditionTransitions,
) -> Vec<(Vec<u8>, f64)> {
    let mut after: Vec<(Vec<u8>, f64)> = Vec::new();
    for (set, chance) in rows {
        for &(to, p) in rest.iter().filter(|(_, p)| *p > 0.0) {
            let mut set = set.clone();
            if let Some(place) = set.get_mut(to) {
                *place += 1;
            }
            match after.iter_mut().find(|(known, _)| *known == set) {
                Some((_, sum)) => *sum += chance * p,
                None => after.push((set, chance * p)),
            }
        }
    }
    after
}
