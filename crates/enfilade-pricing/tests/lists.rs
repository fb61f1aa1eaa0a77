//! Lists that are fought, compared with an independent battle: plain loops over units that are
//! tracked one by one, which share no code with the crate.

mod given;

use enfilade_model::weapons::{BattleUnit, LivingUnitCondition, ShotEffect, effect_of_kill_chance};
use enfilade_pricing::army_lists::{ListBattleSettings, ListBattleSimulator, sum_points_of_list};
use enfilade_pricing::battle::encounter::{
    Doctrine, RoundAttack, TargetChoice, UnitKindsEncounter, UnitTurnOrder,
};
use enfilade_stats::random_draws::RandomDraws;
use given::PLANTED;

/// Worths over a rifle from other battles, with copies on either side: one side acts, then the
/// other; and unit by unit.
const SIDES: [f64; 12] = [0.82, 1.16, 1.17, 1.0, 1.63, 1.73, 1.15, 1.67, 1.80, 0.69, 2.06, 1.89];
const IN_TURN: [f64; 12] = [0.77, 1.19, 1.20, 1.0, 1.82, 1.96, 1.14, 1.84, 2.01, 0.69, 2.33, 2.08];

fn planted() -> UnitKindsEncounter {
    let attack = |by: usize, at: usize| {
        let (hits, saved) = ((7 - PLANTED[by].2) as f64 / 6.0, PLANTED[at].3 as f64 / 6.0);
        RoundAttack::new(
            &BattleUnit::whole_or_gone(),
            PLANTED[by].1 as u32,
            &effect_of_kill_chance(hits * (1.0 - saved)),
        )
    };
    let round: Vec<Vec<RoundAttack>> =
        (0..12).map(|by| (0..12).map(|at| attack(by, at)).collect()).collect();
    UnitKindsEncounter { units: vec![BattleUnit::whole_or_gone(); 12], rounds: vec![round] }
}

/// Lists of 20 muskets' points.
fn of_muskets(prices: &[f64], doctrine: Doctrine) -> ListBattleSimulator {
    let settings = ListBattleSettings {
        doctrine,
        ..ListBattleSettings::for_budget_and_rounds(20.0 * prices[0], 6)
    };
    ListBattleSimulator::for_encounter(&planted(), settings)
}

const UNITS_IN_TURN: Doctrine =
    Doctrine { turns: UnitTurnOrder::Alternate, fire: TargetChoice::Spread };

#[test]
fn lists_bought_at_their_worth_are_even() {
    let battle = of_muskets(&SIDES, Doctrine::default());
    let found = battle.measure_price_evenness(&SIDES).expect("units are bought");
    println!(
        "{} from 50, {} within",
        found.mean_distance_from_even(),
        found.pair_share_with_wins_between(0.45, 0.55)
    );
    assert!(
        found.mean_distance_from_even() <= 0.015
            && found.pair_share_with_wins_between(0.45, 0.55) >= 0.95
    );
    for pair in &found.pairs {
        let [one, other] = [0, 1].map(|side| sum_points_of_list(&pair.lists[side], &SIDES));
        assert!((one / other).ln().abs() <= 0.012 && one <= 20.0 * SIDES[0] + 1e-9);
        let kinds = |side: usize| pair.lists[side].iter().filter(|count| **count > 0).count();
        assert!((1..=4).contains(&kinds(0)) && (1..=4).contains(&kinds(1)));
    }
    let bent: Vec<f64> = SIDES.iter().map(|worth| worth.powf(1.4)).collect();
    let bent = of_muskets(&bent, Doctrine::default())
        .measure_price_evenness(&bent)
        .expect("units are bought");
    assert!(
        bent.mean_distance_from_even() > 2.0 * found.mean_distance_from_even(),
        "{}",
        bent.mean_distance_from_even()
    );
}

/// If units act in turn their number has a worth that no price of a unit contains: 85 of 100 pairs
/// within 40 to 60 is the best that is promised, and only at prices made for it.
#[test]
fn prices_are_made_for_one_order_of_turns() {
    let of = |prices: &[f64]| {
        let found = of_muskets(prices, UNITS_IN_TURN)
            .measure_price_evenness(prices)
            .expect("units are bought");
        println!(
            "{} {}",
            found.mean_distance_from_even(),
            found.pair_share_with_wins_between(0.4, 0.6)
        );
        (found.mean_distance_from_even(), found.pair_share_with_wins_between(0.4, 0.6))
    };
    let (made, within) = of(&IN_TURN);
    // To two digits; at prices that the program finds itself the mean is below 5.
    assert!(made <= 0.055 && within >= 0.85, "{made} {within}");
    assert!(of(&SIDES).0 > made + 0.015);
}

/// The bytes are the same on any number of threads, and others from another seed.
#[test]
fn threads_change_nothing() {
    let on = |threads: usize, seed: u64| {
        let settings = ListBattleSettings {
            pairs: 12,
            battles: 40,
            seed,
            ..ListBattleSettings::for_budget_and_rounds(14.0, 6)
        };
        let battle = ListBattleSimulator::for_encounter(&planted(), settings);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| battle.measure_price_evenness(&SIDES)).expect("units are bought")
    };
    assert_eq!(on(1, 1), on(3, 1));
    assert_ne!(on(1, 1).pairs, on(1, 2).pairs);
}

#[test]
fn nothing_is_bought_for_nothing() {
    let battle = |budget| {
        ListBattleSimulator::for_encounter(
            &planted(),
            ListBattleSettings::for_budget_and_rounds(budget, 6),
        )
    };
    assert_eq!(battle(0.5).measure_price_evenness(&SIDES), None);
    assert_eq!(battle(0.5).fit_even_prices(&SIDES), None);
    // One musket fits, and nothing else: both lists are one musket.
    let settings = ListBattleSettings {
        pairs: 2,
        battles: 400,
        ..ListBattleSettings::for_budget_and_rounds(0.83, 6)
    };
    let only = ListBattleSimulator::for_encounter(&planted(), settings)
        .measure_price_evenness(&SIDES)
        .expect("a musket is bought");
    assert!(only.pairs.iter().all(|pair| pair.lists[0] == pair.lists[1]));
    assert!(
        only.mean_distance_from_even() < 0.1 && only.pure[1].is_none() && only.pure[0].is_some()
    );
}

/// Independent random numbers.
struct Chance(u64);

impl Chance {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, count: usize) -> usize {
        ((self.uniform() * count as f64) as usize).min(count - 1)
    }
}

#[derive(Clone, Copy)]
struct Fighter {
    kind: usize,
    state: usize,
    done: bool,
}

/// The independent battle: its rules as written, one unit after another.
struct Plain<'a> {
    encounter: &'a UnitKindsEncounter,
    doctrine: Doctrine,
    prices: &'a [f64],
    weights: [Vec<f64>; 2],
}

impl Plain<'_> {
    /// The share of a whole unit that fire of a kind takes in a round.
    fn harm(&self, round: usize, by: usize, at: usize) -> f64 {
        let (attack, unit) = (&self.encounter.rounds[round][by][at], &self.encounter.units[at]);
        let share = |to: usize| unit.conditions.get(to).map_or(0.0, |c| c.unhurt);
        let each = attack.effect[unit.start].iter().map(|(to, p)| p * (1.0 - share(*to)));
        f64::from(attack.shots) * each.sum::<f64>()
    }

    /// Chooses the target.
    fn target(
        &self,
        round: usize,
        by: usize,
        side: usize,
        enemies: &[Fighter],
        dice: &mut Chance,
    ) -> usize {
        let hurt = |f: &Fighter| {
            let unit = &self.encounter.units[f.kind];
            unit.conditions[f.state].unhurt < unit.conditions[unit.start].unhurt
        };
        let takes = |f: &Fighter| self.harm(round, by, f.kind) * self.prices[f.kind];
        let among: Vec<usize> = match self.doctrine.fire {
            TargetChoice::Wounded if enemies.iter().any(hurt) => {
                (0..enemies.len()).filter(|&i| hurt(&enemies[i])).collect()
            }
            TargetChoice::Best => {
                let most = enemies.iter().map(takes).fold(0.0, f64::max);
                let first = enemies.iter().filter(|f| takes(f) == most).map(|f| f.kind).min();
                (0..enemies.len()).filter(|&i| Some(enemies[i].kind) == first).collect()
            }
            _ => (0..enemies.len()).collect(),
        };
        let weight = |i: usize| match self.doctrine.fire {
            TargetChoice::Best => 1.0,
            _ => self.weights[side][enemies[i].kind],
        };
        let mut left = dice.uniform() * among.iter().map(|&i| weight(i)).sum::<f64>();
        for &i in &among {
            left -= weight(i);
            if left < 0.0 {
                return i;
            }
        }
        among[among.len() - 1]
    }

    fn after(leads: &[(usize, f64)], dice: &mut Chance) -> usize {
        let mut at = dice.uniform();
        for &(to, p) in leads {
            at -= p;
            if at < 0.0 {
                return to;
            }
        }
        leads[leads.len() - 1].0
    }

    /// Fires all shots of a unit.
    fn fires(
        &self,
        round: usize,
        fighter: Fighter,
        other: usize,
        enemies: &mut Vec<Fighter>,
        dice: &mut Chance,
    ) {
        let attacks = &self.encounter.rounds[round][fighter.kind];
        for _ in 0..attacks[0].shots {
            if enemies.is_empty() {
                return;
            }
            let hit = self.target(round, fighter.kind, other, enemies, dice);
            let attack = &attacks[enemies[hit].kind];
            if dice.uniform() >= attack.fires[fighter.state] {
                continue;
            }
            let to = Self::after(&attack.effect[enemies[hit].state], dice);
            enemies[hit].state = to;
            if to == self.encounter.units[enemies[hit].kind].conditions.len() {
                enemies.remove(hit);
            }
        }
    }

    fn rests(&self, fighter: &mut Fighter, dice: &mut Chance) {
        let rest = &self.encounter.units[fighter.kind].conditions[fighter.state].rest;
        fighter.state = Self::after(rest, dice);
    }

    fn round(&self, round: usize, first: usize, sides: &mut [Vec<Fighter>; 2], dice: &mut Chance) {
        if self.doctrine.turns == UnitTurnOrder::Sides {
            for side in [first, 1 - first] {
                for fighter in sides[side].clone() {
                    self.fires(round, fighter, 1 - side, &mut sides[1 - side], dice);
                }
                if sides.iter().any(Vec::is_empty) {
                    return;
                }
                sides[side].iter_mut().for_each(|fighter| self.rests(fighter, dice));
            }
            return;
        }
        sides.iter_mut().flatten().for_each(|fighter| fighter.done = false);
        let mut side = first;
        loop {
            let fresh = |side: usize| -> Vec<usize> {
                (0..sides[side].len()).filter(|&i| !sides[side][i].done).collect()
            };
            if fresh(side).is_empty() {
                side = 1 - side;
            }
            let fresh = fresh(side);
            if fresh.is_empty() {
                return;
            }
            let chosen = fresh[dice.below(fresh.len())];
            sides[side][chosen].done = true;
            let fighter = sides[side][chosen];
            self.fires(round, fighter, 1 - side, &mut sides[1 - side], dice);
            if sides[1 - side].is_empty() {
                return;
            }
            let mut rested = fighter;
            self.rests(&mut rested, dice);
            sides[side][chosen] = rested;
            side = 1 - side;
        }
    }

    fn won(&self, lists: [&[usize]; 2], rounds: usize, battles: u64) -> f64 {
        let mut won = 0.0;
        for battle in 0..battles {
            let mut dice = Chance(battle * 7919 + 13);
            let side = |list: &[usize]| -> Vec<Fighter> {
                let of = |(kind, count): (usize, &usize)| {
                    let state = self.encounter.units[kind].start;
                    vec![Fighter { kind, state, done: false }; *count]
                };
                list.iter().enumerate().flat_map(of).collect()
            };
            let mut sides = [side(lists[0]), side(lists[1])];
            for round in 0..rounds {
                let last = self.encounter.rounds.len() - 1;
                self.round(round.min(last), (battle % 2) as usize, &mut sides, &mut dice);
                if sides.iter().any(Vec::is_empty) {
                    break;
                }
            }
            let points = |side: &[Fighter]| -> f64 {
                let left = |f: &Fighter| {
                    self.prices[f.kind]
                        * self.encounter.units[f.kind].conditions[f.state].share_left
                };
                side.iter().map(left).sum()
            };
            let ahead = points(&sides[0]) - points(&sides[1]);
            won += match (sides[0].is_empty(), sides[1].is_empty()) {
                (false, true) => 1.0,
                (true, false) => 0.0,
                _ if ahead.abs() < 1e-6 => 0.5,
                _ => f64::from(u8::from(ahead > 0.0)),
            };
        }
        won / battles as f64
    }
}

/// Units of three kinds: one that is whole or gone, one of three Damage Points that fires less when
/// hurt, one that may be shaken and recovers when it rests.
fn mixed() -> UnitKindsEncounter {
    let condition = |fires: f64, left: f64, rest: Vec<(usize, f64)>| LivingUnitCondition {
        fires,
        share_left: left,
        unhurt: left,
        rest,
    };
    let worn = BattleUnit {
        conditions: (0..3)
            .map(|lost| {
                condition(1.0 - 0.25 * lost as f64, 1.0 - lost as f64 / 3.0, vec![(lost, 1.0)])
            })
            .collect(),
        start: 0,
    };
    let nervous = BattleUnit {
        conditions: vec![
            condition(1.0, 1.0, vec![(0, 1.0)]),
            LivingUnitCondition { unhurt: 0.8, ..condition(0.0, 1.0, vec![(0, 0.5), (1, 0.5)]) },
        ],
        start: 0,
    };
    let on_worn: ShotEffect = vec![
        vec![(0, 0.4), (1, 0.4), (2, 0.1), (3, 0.1)],
        vec![(1, 0.4), (2, 0.4), (3, 0.2)],
        vec![(2, 0.4), (3, 0.6)],
    ];
    let on_nervous: ShotEffect = vec![vec![(0, 0.3), (1, 0.4), (2, 0.3)], vec![(1, 0.6), (2, 0.4)]];
    let units = vec![BattleUnit::whole_or_gone(), worn, nervous];
    let round = |better: f64| -> Vec<Vec<RoundAttack>> {
        let attack = |by: usize, at: usize| {
            let effects = [
                effect_of_kill_chance(better * [0.3, 0.5, 0.2][by]),
                on_worn.clone(),
                on_nervous.clone(),
            ];
            RoundAttack::new(&units[by], [2, 1, 1][by], &effects[at])
        };
        (0..3).map(|by| (0..3).map(|at| attack(by, at)).collect()).collect()
    };
    UnitKindsEncounter { rounds: vec![round(0.5), round(1.0), round(1.5)], units }
}

/// Sixty battles, ten by each doctrine: the same share of wins within four standard errors of both.
#[test]
fn every_doctrine_is_the_battle_that_plain_loops_fight() {
    let encounter = mixed();
    let prices = [1.0, 3.0, 1.5];
    let lists: [[[usize; 3]; 2]; 10] = [
        [[3, 1, 1], [3, 1, 1]],
        [[4, 0, 0], [0, 0, 3]],
        [[0, 2, 0], [3, 0, 2]],
        [[5, 0, 1], [0, 2, 1]],
        [[0, 3, 0], [0, 2, 2]],
        [[1, 1, 1], [2, 0, 2]],
        [[0, 0, 4], [2, 1, 0]],
        [[6, 0, 0], [5, 0, 0]],
        [[2, 2, 2], [2, 1, 4]],
        [[1, 0, 1], [0, 1, 0]],
    ];
    let battles = 4000;
    let mut met = 0;
    for turns in [UnitTurnOrder::Sides, UnitTurnOrder::Alternate] {
        for fire in [TargetChoice::Spread, TargetChoice::Wounded, TargetChoice::Best] {
            let doctrine = Doctrine { turns, fire };
            let settings = ListBattleSettings {
                doctrine,
                ..ListBattleSettings::for_budget_and_rounds(10.0, 5)
            };
            let battle = ListBattleSimulator::for_encounter(&encounter, settings);
            for [a, b] in lists {
                let plain = Plain {
                    encounter: &encounter,
                    doctrine,
                    prices: &prices,
                    weights: Default::default(),
                };
                // Harm to the power one half, on average over the rounds of the tables.
                let weights = |own: usize| -> Vec<f64> {
                    let against = [&b, &a][own];
                    let harm = |by: usize| -> f64 {
                        let at =
                            |at: usize| (0..3).map(|r| plain.harm(r, by, at)).sum::<f64>() / 3.0;
                        (0..3).map(|kind| against[kind] as f64 * at(kind)).sum()
                    };
                    (0..3).map(|by| harm(by).sqrt().max(1e-9)).collect()
                };
                let weights = [weights(0), weights(1)];
                let plain = Plain { weights, ..plain };
                let expected = plain.won([&a, &b], 5, battles);
                let dice = [RandomDraws::new([5; 32]), RandomDraws::new([6; 32])];
                let got =
                    battle.first_list_win_share([&a.to_vec(), &b.to_vec()], &prices, battles, dice);
                let error = (2.0 * 0.25 / battles as f64).sqrt();
                assert!(
                    (got - expected).abs() < 4.0 * error,
                    "{doctrine:?} {a:?} {b:?}: {got} {expected}"
                );
                met += 1;
            }
        }
    }
    assert_eq!(met, 60);
}

/// From equal prices for all, four rounds of the fit find some that are nearly as good as the
/// worths.
#[test]
fn the_fit_finds_prices_that_play_evenly() {
    let settings = ListBattleSettings {
        pairs: 100,
        battles: 200,
        ..ListBattleSettings::for_budget_and_rounds(24.0, 6)
    };
    let battle = ListBattleSimulator::for_encounter(&planted(), settings);
    let fitted = battle.fit_even_prices(&[1.3; 12]).expect("units are bought");
    let found = battle.measure_price_evenness(&fitted).expect("units are bought");
    let flat = battle.measure_price_evenness(&[1.3; 12]).expect("units are bought");
    println!(
        "{fitted:?}: {} for {}",
        found.mean_distance_from_even(),
        flat.mean_distance_from_even()
    );
    // 200 battles alone are 2.8 from 50 of 100 on average.
    assert!(found.mean_distance_from_even() < 0.03 && flat.mean_distance_from_even() > 0.1);
    for (kind, worth) in SIDES.iter().enumerate() {
        let ratio = fitted[kind] / fitted[3] / worth;
        assert!((ratio - 1.0).abs() < 0.1, "{}: {ratio}", PLANTED[kind].0);
    }
}
