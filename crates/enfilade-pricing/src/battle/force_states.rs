//! States of a force of equal units, and the transitions between them.
//!
//! A state is a multiset of conditions and has a number; a transition table is indexed by that
//! number. Tables are built once for a battle and applied to many distributions.

use rustc_hash::FxHashMap;

use enfilade_model::weapons::{BattleUnit, ConditionTransitions, RoundFire, ShotEffect};

/// Probability below which a state is left as it is or dropped: all of these together stay below
/// 1e-13.
pub const NEGLIGIBLE_STATE: f64 = 1e-19;

/// A force of units of one kind: its states, which are multisets of conditions, and its recovery.
#[derive(Debug)]
pub struct ForceStates {
    /// The kind.
    pub unit: BattleUnit,
    /// The multisets by number, smaller ones first: by condition, the number of units in it.
    pub sets: Vec<Vec<u8>>,
    numbers: FxHashMap<Vec<u8>, u32>,
    /// Transitions of an activation on the force itself; `None` if nothing changes.
    pub rest: Option<ChainTransitions>,
}

impl ForceStates {
    /// All states of at most `most` units.
    pub fn new(unit: &BattleUnit, most: usize) -> ForceStates {
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
        let states = ForceStates { unit: unit.clone(), sets, numbers, rest: None };
        ForceStates { rest: states.build_recovery(), ..states }
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
            let numbered = rows.into_iter().map(|(set, p)| (self.number_of_multiset(&set), p));
            merge_equal_successors(numbered.collect(), self.number_of_multiset(set))
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

    fn number_of_multiset(&self, set: &[u8]) -> u32 {
        self.numbers[set]
    }

    /// Number of the state of `count` units that have not fought.
    pub fn number_of_fresh(&self, count: usize) -> usize {
        let mut set = vec![0; self.sets[0].len()];
        set[self.unit.start] = count as u8;
        self.number_of_multiset(&set) as usize
    }

    /// Number of multisets with at most `most` units: they come first.
    pub fn states_up_to(&self, most: usize) -> usize {
        self.sets.partition_point(|set| count_units_left(set) <= most as u32)
    }

    /// Number of the multiset after one unit changed from one condition to another, or was lost.
    fn number_after_move(&self, set: &[u8], from: usize, to: usize) -> u32 {
        let mut after = set.to_vec();
        after[from] -= 1;
        if let Some(place) = after.get_mut(to) {
            *place += 1;
        }
        self.number_of_multiset(&after)
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
            return apply_unit_loss_to_mass(mass, chance * p);
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

/// Removes one unit with chance `p` from a force whose states are the number of units left.
fn apply_unit_loss_to_mass(mass: &mut [f64], p: f64) {
    for standing in 1..mass.len() {
        mass[standing - 1] += mass[standing] * p;
        mass[standing] *= 1.0 - p;
    }
}

/// Adds the effect of a shot on one of the units of `set`, of which those in a condition draw
/// `draw` of all fire; `to` is the number of the state after one unit has changed.
fn add_shot_effect(
    row: &mut Vec<(u32, f64)>,
    (set, draw): (&[u8], impl Fn(u8) -> f64),
    effect: &ShotEffect,
    to: impl Fn(usize, usize) -> u32,
) {
    for (condition, &count) in set.iter().enumerate().filter(|(_, count)| **count > 0) {
        let drawn = draw(count);
        let leads = effect[condition].iter();
        row.extend(leads.map(|&(next, p)| (to(condition, next), drawn * p)));
    }
}

/// Builds the transition of a shot at one unit of a force, each equally likely.
pub fn build_shot_transitions(crowd: &ForceStates, effect: &ShotEffect) -> ChainTransitions {
    let row = |set: &Vec<u8>| {
        let all = f64::from(count_units_left(set));
        let mut row = Vec::new();
        let drawn = |count| f64::from(count) / all;
        let to = |condition, to| crowd.number_after_move(set, condition, to);
        add_shot_effect(&mut row, (set, drawn), effect, to);
        merge_equal_successors(row, crowd.number_of_multiset(set))
    };
    // With one condition a state is the number of units left, place 1 means gone, and no table is
    // needed.
    let loses = match &effect[..] {
        [leads] => Some(leads.iter().filter(|(to, _)| *to == 1).map(|(_, p)| p).sum()),
        _ => None,
    };
    ChainTransitions { loses, ..ChainTransitions::from_transition_rows(crowd.sets.iter().map(row)) }
}

/// Adds up transitions to the same state; an empty row stays at its state.
fn merge_equal_successors(mut row: Vec<(u32, f64)>, here: u32) -> Vec<(u32, f64)> {
    if row.is_empty() {
        return vec![(here, 1.0)];
    }
    row.sort_by_key(|&(to, _)| to);
    row.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    row.retain(|&(_, p)| p > 0.0);
    row
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

/// Builds the transition of a shot at the side with the weapon.
pub fn weapon_side_shot_transitions(
    troops: &ForceStates,
    weapons: &ForceStates,
    round: &RoundFire,
    draws: f64,
) -> ChainTransitions {
    let wide = weapons.sets.len() as u32;
    let mut rows = Vec::with_capacity(troops.sets.len() * weapons.sets.len());
    for (own, set) in troops.sets.iter().enumerate() {
        for (armed, guns) in weapons.sets.iter().enumerate() {
            let (own, armed) = (own as u32, armed as u32);
            let all = f64::from(count_units_left(set)) + draws * f64::from(count_units_left(guns));
            let mut row = Vec::new();
            // Sides are numbered row by row: the weapons of a row together with the same troops.
            let drawn = |count| f64::from(count) / all;
            let to = |from, to| troops.number_after_move(set, from, to) * wide + armed;
            add_shot_effect(&mut row, (set, drawn), &round.on_troops, to);
            let drawn = |count| draws * f64::from(count) / all;
            let to = |from, to| own * wide + weapons.number_after_move(guns, from, to);
            add_shot_effect(&mut row, (guns, drawn), &round.on_weapon, to);
            rows.push(merge_equal_successors(row, own * wide + armed));
        }
    }
    ChainTransitions::from_transition_rows(rows.into_iter())
}
