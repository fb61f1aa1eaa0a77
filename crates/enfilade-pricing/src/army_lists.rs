//! Battles between lists: random lists of equal points, against each other.
//!
//! A price is right when lists of equal points win as often as they lose. This module tries it:
//! lists of two to four kinds are bought at given prices, every kind as likely, until nothing fits;
//! two whose totals are nearly equal fight some hundred battles. Every pair has its own dice, from
//! the seed and its number, so results do not depend on the threads.

mod list_evenness;
mod price_fit;

use std::ops::Range;

use enfilade_engine::parallel::prelude::*;

use crate::battle::battle_simulator::draws_of_lane;
use crate::battle::battlefield::{
    SimulatedBattlefield, UnitKindAndCount, scale_random_bits_to_index,
};
use crate::battle::encounter::{Doctrine, UnitKindsEncounter};
use crate::battle::resolver::EncounterTables;
use crate::battle::{LEAST_FIRE_DRAWN, win_share_of_random_length};
use crate::value_table::build_rows_from_fn;
use enfilade_stats::random_draws::RandomDraws;
pub use list_evenness::{ArmyList, FoughtListPair, RandomListBattles};

/// Number, points and battles of lists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ListBattleSettings {
    /// Points of a list.
    pub budget: f64,
    /// Pairs of lists.
    pub pairs: u64,
    /// Battles of each pair, one half begun by either side.
    pub battles: u64,
    /// Seed of lists and dice.
    pub seed: u64,
    /// Rounds of a battle.
    pub rounds: usize,
    /// Probability that a battle goes on after each round but the last.
    pub goes_on: f64,
    /// Fire that a unit draws, as a power of its harm.
    pub attention: f64,
    /// Order of turns and choice of targets.
    pub doctrine: Doctrine,
}

impl ListBattleSettings {
    /// Creates settings for 250 pairs of lists of `budget` points and 600 battles each, of `rounds`
    /// rounds.
    pub fn for_budget_and_rounds(budget: f64, rounds: usize) -> ListBattleSettings {
        let (pairs, battles, seed) = (250, 600, 1);
        let (goes_on, attention, doctrine) = (1.0, 0.5, Doctrine::default());
        ListBattleSettings { budget, pairs, battles, seed, rounds, goes_on, attention, doctrine }
    }
}

/// Ratio of the totals of two lists up to which their points count as equal.
const MAX_EQUAL_TOTAL_RATIO: f64 = 1.012;

/// Largest number of pairs of lists that are drawn in search of equal totals.
const MAX_EQUAL_TOTAL_TRIES: usize = 2000;

/// Kinds in a list.
const KIND_COUNTS_PER_LIST: [usize; 2] = [2, 4];

/// Random lists that each pure list meets.
const PURE_LIST_OPPONENTS: u64 = 24;

/// Kinds of units from which lists are bought.
#[derive(Debug)]
pub struct ListBattleSimulator {
    resolver: EncounterTables,
    /// By kind, by the kind that is hit: mean share of a unit that one takes in a round.
    harm: Vec<Vec<f64>>,
    settings: ListBattleSettings,
}

impl ListBattleSimulator {
    /// Builds the tables of `encounter`.
    pub fn for_encounter(
        encounter: &UnitKindsEncounter,
        settings: ListBattleSettings,
    ) -> ListBattleSimulator {
        let resolver = EncounterTables::new(encounter);
        let all = encounter.units.len();
        let harm = build_rows_from_fn(all, all, |by, at| resolver.mean_share_harmed(by, at));
        ListBattleSimulator { resolver, harm, settings }
    }

    /// Fights random lists bought at `prices` against each other, and pure lists against random
    /// ones. Returns `None` if the budget buys no unit.
    pub fn measure_price_evenness(&self, prices: &[f64]) -> Option<RandomListBattles> {
        budget_buys_any_unit(prices, self.settings.budget).then(|| {
            let draw = |draws: &mut RandomDraws| self.draw_lists_of_equal_total(prices, draws);
            let pairs = self.fight_pairs(prices, ("lists", 0..self.settings.pairs), draw);
            let pure = (0..prices.len()).into_par_iter();
            let pure = pure.map(|kind| self.win_share_of_pure_list(prices, kind)).collect();
            RandomListBattles::new(pairs, pure)
        })
    }

    /// Fights pairs of lists that `draw` buys; `purpose` and the number of a pair choose its dice.
    fn fight_pairs(
        &self,
        prices: &[f64],
        (purpose, numbers): (&str, Range<u64>),
        draw: impl Fn(&mut RandomDraws) -> [ArmyList; 2] + Sync,
    ) -> Vec<FoughtListPair> {
        let fight = |pair: u64| {
            let [mut draws, dice @ ..] = self.draws_for_pair_with_sides(purpose, pair);
            let lists = draw(&mut draws);
            let battles = self.settings.battles;
            let won = self.first_list_win_share(lists.each_ref(), prices, battles, dice);
            FoughtListPair { lists, won }
        };
        numbers.into_par_iter().map(fight).collect()
    }

    /// The dice of one pair: for buying, and for either side.
    fn draws_for_pair_with_sides(&self, purpose: &str, pair: u64) -> [RandomDraws; 3] {
        [0, 1, 2].map(|lane| draws_of_lane(self.settings.seed, (purpose, pair), lane))
    }

    /// Draws two random lists whose totals are equal, or as near as was found.
    fn draw_lists_of_equal_total(&self, prices: &[f64], draws: &mut RandomDraws) -> [ArmyList; 2] {
        let mut nearest = None;
        for _ in 0..MAX_EQUAL_TOTAL_TRIES {
            let lists = [0, 1].map(|_| draw_random_list(prices, self.settings.budget, draws));
            let [one, other] = lists.each_ref().map(|list| sum_points_of_list(list, prices));
            let apart = (one / other).max(other / one);
            if nearest.as_ref().is_none_or(|(least, _)| apart < *least) {
                nearest = Some((apart, lists));
            }
            if apart <= MAX_EQUAL_TOTAL_RATIO {
                break;
            }
        }
        nearest.expect("it was tried at least once").1
    }

    /// The share of `battles` that the first of two lists wins.
    pub fn first_list_win_share(
        &self,
        lists: [&ArmyList; 2],
        prices: &[f64],
        battles: u64,
        mut dice: [RandomDraws; 2],
    ) -> f64 {
        let sides =
            [0, 1].map(|side| self.units_with_fire_drawn(lists[side], lists[1 - side], prices));
        let sides = sides.each_ref().map(Vec::as_slice);
        let mut field = SimulatedBattlefield::new(&self.resolver, sides, self.settings.doctrine);
        let mut won = vec![0.0; self.settings.rounds];
        for battle in 0..battles {
            field.fight_and_add_scores((battle % 2) as usize, &mut dice, &mut won);
        }
        won.iter_mut().for_each(|won| *won /= battles as f64);
        win_share_of_random_length(&won, self.settings.goes_on)
    }

    /// The units of a list, with the fire they draw from those of another.
    fn units_with_fire_drawn(
        &self,
        list: &ArmyList,
        against: &ArmyList,
        prices: &[f64],
    ) -> Vec<UnitKindAndCount> {
        let bought = list.iter().enumerate().filter(|(_, count)| **count > 0);
        let contingent = |(kind, &count): (usize, &usize)| {
            let harm_by_opponent = against.iter().zip(&self.harm[kind]);
            let harm: f64 = harm_by_opponent.map(|(&many, harm)| many as f64 * harm).sum();
            let draw = harm.powf(self.settings.attention).max(LEAST_FIRE_DRAWN);
            UnitKindAndCount { kind, count, points: prices[kind], draw }
        };
        bought.map(contingent).collect()
    }

    /// Share of battles that a list of one kind wins against random lists; `None` if the budget
    /// buys none.
    fn win_share_of_pure_list(&self, prices: &[f64], kind: usize) -> Option<f64> {
        let count = (self.settings.budget / prices[kind]).floor();
        if !(count >= 1.0 && count.is_finite()) {
            return None;
        }
        let mut list = vec![0; prices.len()];
        list[kind] = count as usize;
        let battles = (self.settings.battles / 4).max(2);
        let pair_share = |pair: u64| {
            let [mut draws, dice @ ..] = self.draws_for_pair_with_sides("pure lists", pair);
            let other = draw_random_list(prices, self.settings.budget, &mut draws);
            self.first_list_win_share([&list, &other], prices, battles, dice)
        };
        Some((0..PURE_LIST_OPPONENTS).map(pair_share).sum::<f64>() / PURE_LIST_OPPONENTS as f64)
    }
}

/// Sums the points of a list. Prices of units that are not in it do not count: they may be
/// infinite.
pub fn sum_points_of_list(list: &ArmyList, prices: &[f64]) -> f64 {
    let bought = list.iter().zip(prices).filter(|(count, _)| **count > 0);
    bought.map(|(&count, price)| count as f64 * price).sum()
}

/// Whether a budget buys any unit.
fn budget_buys_any_unit(prices: &[f64], budget: f64) -> bool {
    prices.iter().any(|price| *price > 0.0 && *price <= budget)
}

/// Draws a list of two to four kinds, or fewer if there are not that many, every kind as likely:
/// units of these kinds are bought, each as likely, until nothing fits.
fn draw_random_list(prices: &[f64], budget: f64, draws: &mut RandomDraws) -> ArmyList {
    let fits = |kind: &usize| prices[*kind] > 0.0 && prices[*kind] <= budget;
    let mut kinds: Vec<usize> = (0..prices.len()).filter(fits).collect();
    let [fewest, most] = KIND_COUNTS_PER_LIST;
    let many = fewest + draw_index_below(most - fewest + 1, draws);
    while kinds.len() > many {
        kinds.swap_remove(draw_index_below(kinds.len(), draws));
    }
    let (mut list, mut left) = (vec![0; prices.len()], budget);
    loop {
        kinds.retain(|kind| prices[*kind] <= left);
        if kinds.is_empty() {
            return list;
        }
        let kind = kinds[draw_index_below(kinds.len(), draws)];
        list[kind] += 1;
        left -= prices[kind];
    }
}

/// Draws a number below `count`, each as likely.
fn draw_index_below(count: usize, draws: &mut RandomDraws) -> usize {
    scale_random_bits_to_index((draws.next_bits() >> 32) as u32, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::encounter::{RoundAttack, TargetChoice};
    use enfilade_model::weapons::{
        BattleUnit, LivingUnitCondition, ShotEffect, effect_of_kill_chance,
    };

    /// One round in which each kind has one shot at each, of these effects.
    fn one_shot_each(unit: &BattleUnit, effects: &[Vec<ShotEffect>]) -> UnitKindsEncounter {
        let attacks = |row: &Vec<ShotEffect>| {
            row.iter().map(|effect| RoundAttack::new(unit, 1, effect)).collect()
        };
        UnitKindsEncounter {
            units: vec![unit.clone(); effects.len()],
            rounds: vec![effects.iter().map(attacks).collect()],
        }
    }

    /// The same among units that are whole or gone, by the chances to kill.
    fn kill_chances<const KINDS: usize>(chances: [[f64; KINDS]; KINDS]) -> UnitKindsEncounter {
        let effects = chances.map(|row| row.map(effect_of_kill_chance).to_vec());
        one_shot_each(&BattleUnit::whole_or_gone(), &effects)
    }

    /// By hand: a unit loses half of its points with 1/2, and the dearer of two wins unless it
    /// alone does: the cheaper one wins 1/4. If both threw the same dice it never would. Their
    /// points are just as near as counts for equal.
    #[test]
    fn each_side_throws_its_own_dice() {
        let condition = |left: f64, here: usize| LivingUnitCondition {
            fires: 1.0,
            share_left: left,
            unhurt: left,
            rest: vec![(here, 1.0)],
        };
        let unit = BattleUnit { conditions: vec![condition(1.0, 0), condition(0.5, 1)], start: 0 };
        let hurt: ShotEffect = vec![vec![(0, 0.5), (1, 0.5)], vec![(1, 1.0)]];
        let encounter = one_shot_each(&unit, &vec![vec![hurt; 2]; 2]);
        let prices = [1.0, MAX_EQUAL_TOTAL_RATIO];
        let settings = ListBattleSettings {
            pairs: 40,
            battles: 2000,
            ..ListBattleSettings::for_budget_and_rounds(prices[1], 1)
        };
        let battle = ListBattleSimulator::for_encounter(&encounter, settings);
        let found = battle.measure_price_evenness(&prices).expect("one unit is bought");
        let mut cheap_met_dear = 0;
        for pair in &found.pairs {
            let expected = match [pair.lists[0][0], pair.lists[1][0]] {
                [1, 0] => 0.25,
                [0, 1] => 0.75,
                _ => 0.5,
            };
            cheap_met_dear += usize::from(pair.lists[0] != pair.lists[1]);
            // Four standard errors.
            assert!((pair.won - expected).abs() < 0.045, "{pair:?}");
        }
        assert!(cheap_met_dear > 0);
    }

    /// By hand: 2 units of which a shot takes 1/2 and 12 of which it takes 1/4 are a harm of 4, of
    /// which the root is 2.
    #[test]
    fn who_harms_many_draws_their_fire() {
        let encounter = kill_chances([[0.5, 0.25, 0.0], [0.0; 3], [1.0; 3]]);
        let settings = ListBattleSettings::for_budget_and_rounds(10.0, 1);
        let battle = ListBattleSimulator::for_encounter(&encounter, settings);
        let prices = [3.0, 4.0, 5.0];
        let found = battle.units_with_fire_drawn(&vec![1, 3, 0], &vec![2, 12, 7], &prices);
        let harmful = UnitKindAndCount { kind: 0, count: 1, points: 3.0, draw: 2.0 };
        let harmless = UnitKindAndCount { kind: 1, count: 3, points: 4.0, draw: LEAST_FIRE_DRAWN };
        assert_eq!(found, [harmful, harmless]);
    }

    /// A shot takes all 2 points of one unit, and 3/10 of a point of another that costs 3. At the
    /// first it leaves 3 points against 4, at the other 5 or 2.
    #[test]
    fn the_best_target_is_that_of_which_a_shot_takes_most_points() {
        let encounter = kill_chances([[0.0, 1.0, 0.1], [0.0; 3], [0.0; 3]]);
        let settings = ListBattleSettings {
            doctrine: Doctrine { fire: TargetChoice::Best, ..Doctrine::default() },
            ..ListBattleSettings::for_budget_and_rounds(5.0, 1)
        };
        let battle = ListBattleSimulator::for_encounter(&encounter, settings);
        let dice = [[5; 32], [6; 32]].map(RandomDraws::new);
        let lists = [&vec![1, 0, 0], &vec![0, 1, 1]];
        assert_eq!(battle.first_list_win_share(lists, &[4.0, 2.0, 3.0], 100, dice), 1.0);
    }

    /// The second unit shoots twice as well as the first: it is worth more, and less than two of
    /// them. The third costs more than a list may, so that no battle says anything of it.
    #[test]
    fn a_unit_that_no_list_can_pay_keeps_its_price() {
        let encounter = kill_chances([[0.1; 3], [0.2; 3], [0.0; 3]]);
        let settings =
            ListBattleSettings { battles: 20, ..ListBattleSettings::for_budget_and_rounds(1.0, 6) };
        let battle = ListBattleSimulator::for_encounter(&encounter, settings);
        let fitted = battle.fit_even_prices(&[0.15, 0.15, 1.01]).expect("units are bought");
        assert!((1.1..2.0).contains(&(fitted[1] / fitted[0])), "{fitted:?}");
        assert!((fitted[2] - 1.01).abs() < 1e-4, "{fitted:?}");
    }
}
