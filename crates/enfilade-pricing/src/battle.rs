//! Two mirrored forces meet, one of them with the weapon: a chain that is followed to its end.
//!
//! Each side begins with the same reference troops. One side also has the weapon with its crew; the
//! other has further troops worth some points. In a round each side has one activation, in which
//! every unit that is left fires. The battle ends when a side is gone or after a number of rounds;
//! then the side that lost fewer points has won, and a tie counts half. The weapon counts for the
//! points the other side has in its place: its current price decides nothing.
//!
//! # Why this state is enough
//!
//! Troops are alike, so a side is a multiset of conditions: standing troops are a count. The effect
//! of a shot comes from the engine as a distribution over conditions of the unit that is hit. A
//! shot falls on one of the units that are left, each with the same chance, but for the weapon,
//! which may draw more fire. So the chain of (own troops, weapons, enemy troops) forgets nothing
//! that its distributions depend on, and its probabilities are summed, not sampled. The side with
//! the first activation would have an advantage, so both orders are followed and averaged: equal
//! forces win exactly half.
//!
//! Not modelled: movement, objectives, command, and orders better than these.

mod alias_table;
pub mod battle_simulator;
pub mod battlefield;
pub mod encounter;
mod force_sizes;
mod force_states;
pub mod resolver;

use crate::value_table::position_or_push;
use enfilade_model::weapons::{BattleSetup, RoundFire};
pub(crate) use force_sizes::LEAST_FIRE_DRAWN;
pub use force_sizes::TroopAndWeaponCounts;
use force_sizes::score_by_points_left;
pub(crate) use force_states::count_multisets_up_to;
use force_states::{
    ChainTransitions, NEGLIGIBLE_STATE, UnitConditionMultisets, build_shot_transitions,
};

/// The steps of one round.
#[derive(Debug)]
struct RoundTransitions {
    on_side: ChainTransitions,
    by_troops: ChainTransitions,
    by_weapon: ChainTransitions,
    weapon_shots: u32,
    troop_shots: u32,
}

/// Solver of a battle between two forces.
#[derive(Debug)]
pub struct ExactBattleSolver {
    /// The sizes of the forces, with the largest number of further troops that the solver covers.
    pub sizes: TroopAndWeaponCounts,
    troop_points: f64,
    troops: UnitConditionMultisets,
    weapons: UnitConditionMultisets,
    others: UnitConditionMultisets,
    /// The transitions of rounds that differ.
    steps: Vec<RoundTransitions>,
    /// By round: the index of its transitions.
    course: Vec<usize>,
}

impl ExactBattleSolver {
    /// Computes every transition of the chain.
    ///
    /// # Panics
    /// When no troops meet, or more than 250.
    pub fn new(staging: &BattleSetup, sizes: TroopAndWeaponCounts) -> ExactBattleSolver {
        assert!(sizes.base > 0 && sizes.base + sizes.most <= 250 && sizes.copies <= 250);
        let troops = UnitConditionMultisets::new(&staging.troops, sizes.base);
        let weapons = UnitConditionMultisets::new(&staging.weapon, sizes.copies);
        let none = UnitConditionMultisets::new(&staging.weapon, 0);
        // One set of states serves every number of further troops: smaller multisets come first, so
        // that each battle uses the first rows of the transitions.
        let others = UnitConditionMultisets::new(&staging.troops, sizes.base + sizes.most);
        let mut rounds: Vec<&RoundFire> = Vec::new();
        let place = |round| position_or_push(&mut rounds, |known| *known == round, || round);
        let course = staging.rounds.iter().map(place).collect();
        let draws = sizes.fire_drawn_relative_to_trooper();
        let at_others =
            |effect| build_shot_transitions((&others, effect), (&none, &Vec::new()), draws);
        let steps = rounds.into_iter().map(|round| RoundTransitions {
            on_side: build_shot_transitions(
                (&troops, &round.on_troops),
                (&weapons, &round.on_weapon),
                draws,
            ),
            by_troops: at_others(&round.on_troops),
            by_weapon: at_others(&round.by_weapon),
            weapon_shots: round.weapon_shots,
            troop_shots: round.troop_shots,
        });
        let (steps, troop_points) = (steps.collect(), staging.troop_points);
        ExactBattleSolver { sizes, troop_points, troops, weapons, others, steps, course }
    }

    /// Win chances of the side with the weapon when the battle ends after 1, 2, … `rounds` rounds
    /// and the other side has `extra` troops in its place, at most [`TroopAndWeaponCounts::most`];
    /// ties count half, both orders of activation are averaged.
    pub fn weapon_win_share_by_round(&self, extra: usize, rounds: usize) -> Vec<f64> {
        let [first, second] = [true, false].map(|weapon_first| {
            let mut course = self.start_battle_against(extra);
            let mut won = Vec::with_capacity(rounds);
            while won.len() < rounds && course.undecided_probability() > NEGLIGIBLE_UNDECIDED {
                course.play_round(won.len(), weapon_first);
                won.push(course.win_chance_if_ended_now());
            }
            let last = won.last().copied().unwrap_or_else(|| course.win_chance_if_ended_now());
            // Once decided, the battle stays as it is for the remaining rounds.
            won.resize(rounds, last);
            won
        });
        let both = first.iter().zip(&second);
        both.map(|(first, second)| (first + second) / 2.0).collect()
    }

    fn start_battle_against(&self, extra: usize) -> ExactBattleProbabilities<'_> {
        let count = self.sizes.base + extra;
        let width = self.others.states_up_to(count);
        let sides = self.troops.sets.len() * self.weapons.sets.len();
        let troops = self.troops.number_of_fresh(self.sizes.base);
        let weapons = self.weapons.number_of_fresh(self.sizes.copies);
        let side = troops * self.weapons.sets.len() + weapons;
        let other = self.others.number_of_fresh(count);
        let mut mass = vec![0.0; sides * width];
        mass[side * width + other] = 1.0;
        ExactBattleProbabilities {
            clash: self,
            extra,
            width,
            mass,
            line: Vec::new(),
            scratch: Vec::new(),
        }
    }
}

/// A battle under way: the probability of every pair of sides.
struct ExactBattleProbabilities<'a> {
    clash: &'a ExactBattleSolver,
    extra: usize,
    /// States of the other side.
    width: usize,
    mass: Vec<f64>,
    line: Vec<f64>,
    scratch: Vec<f64>,
}

impl ExactBattleProbabilities<'_> {
    fn play_round(&mut self, round: usize, weapon_first: bool) {
        let last = self.clash.course.len() - 1;
        let steps = &self.clash.steps[self.clash.course[round.min(last)]];
        for weapon_side in [weapon_first, !weapon_first] {
            match weapon_side {
                true => self.fire_and_recover_weapon_side(steps),
                false => self.fire_and_recover_other_side(steps),
            }
        }
    }

    /// Applies the fire of the side with the weapon, and its recovery.
    fn fire_and_recover_weapon_side(&mut self, steps: &RoundTransitions) {
        let clash = self.clash;
        let guns = clash.weapons.sets.len();
        for side in 0..self.mass.len() / self.width {
            let line = &mut self.mass[side * self.width..][..self.width];
            if line.iter().all(|&mass| mass < NEGLIGIBLE_STATE) {
                continue;
            }
            let own = &clash.troops.sets[side / guns];
            let armed = &clash.weapons.sets[side % guns];
            let volleys = [
                (&steps.by_troops, own, &clash.troops, steps.troop_shots),
                (&steps.by_weapon, armed, &clash.weapons, steps.weapon_shots),
            ];
            for (step, set, force, shots) in volleys {
                for (condition, &count) in force.unit.conditions.iter().zip(set) {
                    // Shot by shot, because each falls on the units that the shot before has left.
                    for _ in 0..u32::from(count) * shots * u32::from(condition.fires > 0.0) {
                        step.apply_with_chance(line, condition.fires, &mut self.scratch);
                    }
                }
            }
        }
        self.recover_weapon_side();
    }

    fn recover_weapon_side(&mut self) {
        let clash = self.clash;
        if clash.troops.rest.is_none() && clash.weapons.rest.is_none() {
            return;
        }
        let guns = clash.weapons.sets.len();
        let mut after = vec![0.0; self.mass.len()];
        for side in 0..self.mass.len() / self.width {
            let from = &self.mass[side * self.width..][..self.width];
            if from.iter().all(|&mass| mass == 0.0) {
                continue;
            }
            after[side * self.width] += from[0];
            for (own, p) in clash.troops.state_odds_after_rest(side / guns) {
                for (armed, q) in clash.weapons.state_odds_after_rest(side % guns) {
                    let to = &mut after[(own * guns + armed) * self.width..][..self.width];
                    // A battle that is won is over: no unit recovers after it.
                    let pairs = to.iter_mut().zip(from).skip(1);
                    pairs.for_each(|(to, here)| *to += here * p * q);
                }
            }
        }
        self.mass = after;
    }

    /// Applies the fire of the other side, and its recovery.
    fn fire_and_recover_other_side(&mut self, steps: &RoundTransitions) {
        let clash = self.clash;
        let sets = &clash.others.sets[..self.width];
        for (place, condition) in clash.others.unit.conditions.iter().enumerate() {
            let shots = |set: &Vec<u8>| match condition.fires > 0.0 {
                true => u32::from(set[place]) * steps.troop_shots,
                false => 0,
            };
            // All states shoot together, as often as the one with the most men; the others skip the
            // rest.
            let most = sets.iter().map(shots).max().unwrap_or(0);
            for shot in 0..most {
                let made = |set| if shots(set) > shot { condition.fires } else { 0.0 };
                self.line.clear();
                self.line.extend(sets.iter().map(made));
                steps.on_side.apply_with_chance_per_lane(
                    &mut self.mass,
                    &self.line,
                    &mut self.scratch,
                );
            }
        }
        if let Some(rest) = &clash.others.rest {
            // In line 0 no unit of the weapon's side is left: the battle is over.
            for line in self.mass.chunks_mut(self.width).skip(1) {
                rest.apply_with_chance(line, 1.0, &mut self.scratch);
            }
        }
    }

    /// Probability that both sides have units left.
    fn undecided_probability(&self) -> f64 {
        // Without line 0 and column 0, in which a side is gone.
        let sides = self.mass.chunks(self.width).skip(1);
        sides.map(|line| line[1..].iter().sum::<f64>()).sum()
    }

    /// Win chance of the side with the weapon if the battle ends now.
    fn win_chance_if_ended_now(&self) -> f64 {
        let clash = self.clash;
        let points = self.extra as f64 * clash.troop_points;
        // The weapon counts for the troops in its place; its current price decides nothing.
        let each = points / clash.sizes.copies.max(1) as f64;
        let guns = clash.weapons.sets.len();
        let mut won = 0.0;
        for (side, line) in self.mass.chunks(self.width).enumerate() {
            let (own, armed) = (&clash.troops.sets[side / guns], &clash.weapons.sets[side % guns]);
            let left = clash.troop_points * clash.troops.worth_in_units(own)
                + each * clash.weapons.worth_in_units(armed);
            for (place, (&mass, set)) in line.iter().zip(&clash.others.sets).enumerate() {
                if mass == 0.0 {
                    continue;
                }
                let other = clash.troop_points * clash.others.worth_in_units(set);
                won += mass
                    // In line 0 and column 0 a side is gone.
                    * match (side, place) {
                        (1.., 0) => 1.0,
                        (0, 1..) => 0.0,
                        _ => score_by_points_left(left, other),
                    };
            }
        }
        won
    }
}

/// Undecided probability at which a battle is no longer followed.
const NEGLIGIBLE_UNDECIDED: f64 = 1e-13;

/// Expected share of wins of a battle that after every round but the last goes on with probability
/// `goes_on`, from the share `won[i]` when it ends after round i + 1.
///
/// A discount on late activations and a chance that the battle ends early are the same thing.
pub fn win_share_of_random_length(won: &[f64], goes_on: f64) -> f64 {
    let Some((last, before)) = won.split_last() else { return 0.5 };
    let (mut reached, mut sum) = (1.0, 0.0);
    for value in before {
        sum += reached * (1.0 - goes_on) * value;
        reached *= goes_on;
    }
    sum + reached * last
}
