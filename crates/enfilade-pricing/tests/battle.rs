//! Force against force: the chain against an enumeration that knows every man by name.

use enfilade_model::weapons::{
    BattleSetup, BattleUnit, LivingUnitCondition, RoundFire, ShotEffect, effect_of_kill_chance,
};
use enfilade_pricing::battle::encounter::Doctrine;
use enfilade_pricing::battle::{
    ExactBattleSolver, TroopAndWeaponCounts, battle_simulator, win_share_of_random_length,
};

/// Chances of one shot, and how many shots.
#[derive(Clone, Copy)]
struct Fire {
    on_troops: f64,
    on_weapon: f64,
    by_weapon: f64,
    weapon_shots: u32,
}

/// A weapon with `crew` lives, silent for one activation after each loss but the last.
fn crewed(crew: usize) -> (BattleUnit, impl Fn(f64) -> ShotEffect) {
    // Conditions: crew left and silent or not, in pairs: 2 · (crew - left) + silent.
    let place = move |left: usize, silent: usize| match left {
        0 => 2 * crew,
        left => 2 * (crew - left) + silent,
    };
    let condition = |number: usize| {
        let (left, silent) = (crew - number / 2, number % 2);
        LivingUnitCondition {
            fires: if silent == 0 { 1.0 } else { 0.0 },
            share_left: left as f64 / crew as f64,
            unhurt: left as f64 / crew as f64,
            rest: vec![(place(left, 0), 1.0)],
        }
    };
    let unit = BattleUnit { conditions: (0..2 * crew).map(condition).collect(), start: 0 };
    let hit = move |p: f64| {
        let leads = |number: usize| {
            let left = crew - number / 2;
            vec![(number, 1.0 - p), (place(left - 1, 1), p)]
        };
        (0..2 * crew).map(leads).collect()
    };
    (unit, hit)
}

fn staging(fire: Fire, crew: usize, points: f64) -> BattleSetup {
    let (weapon, hit) = crewed(crew);
    BattleSetup {
        troops: BattleUnit::whole_or_gone(),
        weapon,
        troop_points: points,
        extra_points: 0.0,
        rounds: vec![RoundFire {
            troop_shots: 1,
            on_troops: effect_of_kill_chance(fire.on_troops),
            on_weapon: hit(fire.on_weapon),
            weapon_shots: fire.weapon_shots,
            by_weapon: effect_of_kill_chance(fire.by_weapon),
        }],
    }
}

/// A battle whose men are known one by one.
#[derive(Clone)]
struct Named {
    own: Vec<bool>,
    /// Crew left, and whether the weapon is silent.
    crew: usize,
    silent: bool,
    other: Vec<bool>,
}

/// The rules of the battle told again, with every sequence of shots followed.
struct Oracle {
    fire: Fire,
    crew: usize,
    points: f64,
    extra: usize,
    draws: f64,
}

impl Oracle {
    fn won(&self, now: &Named, weapon_first: bool, rounds: usize) -> f64 {
        if rounds == 0 {
            return self.score(now);
        }
        let then = |after: &Named| self.won(after, weapon_first, rounds - 1);
        if weapon_first {
            self.weapon_side(now, &|mid| self.other_side(mid, &then))
        } else {
            self.other_side(now, &|mid| self.weapon_side(mid, &then))
        }
    }

    fn score(&self, now: &Named) -> f64 {
        let count = |men: &[bool]| men.iter().filter(|&&stands| stands).count();
        let stands = count(&now.own) + now.crew > 0;
        if !stands {
            return 0.0;
        }
        if count(&now.other) == 0 {
            return 1.0;
        }
        let worth = self.extra as f64 * self.points;
        let lost_own = (now.own.len() - count(&now.own)) as f64 * self.points
            + worth * (self.crew - now.crew) as f64 / self.crew as f64;
        let lost_other = (now.other.len() - count(&now.other)) as f64 * self.points;
        match (lost_other - lost_own).abs() < 1e-9 {
            true => 0.5,
            false if lost_own < lost_other => 1.0,
            false => 0.0,
        }
    }

    fn weapon_side(&self, now: &Named, then: &dyn Fn(&Named) -> f64) -> f64 {
        let men = now.own.iter().filter(|&&stands| stands).count();
        let mut shots = vec![self.fire.on_troops; men];
        if now.crew > 0 && !now.silent {
            shots.extend(vec![self.fire.by_weapon; self.fire.weapon_shots as usize]);
        }
        self.at_other(now, &shots, &|after| {
            let mut rested = after.clone();
            rested.silent = false;
            then(&rested)
        })
    }

    fn at_other(&self, now: &Named, shots: &[f64], then: &dyn Fn(&Named) -> f64) -> f64 {
        let Some((&p, rest)) = shots.split_first() else {
            return then(now);
        };
        let standing: Vec<usize> = (0..now.other.len()).filter(|&man| now.other[man]).collect();
        if standing.is_empty() {
            return then(now);
        }
        let mut sum = 0.0;
        for &man in &standing {
            let mut hit = now.clone();
            hit.other[man] = false;
            let each = 1.0 / standing.len() as f64;
            sum += each * p * self.at_other(&hit, rest, then);
            sum += each * (1.0 - p) * self.at_other(now, rest, then);
        }
        sum
    }

    fn other_side(&self, now: &Named, then: &dyn Fn(&Named) -> f64) -> f64 {
        let shots = now.other.iter().filter(|&&stands| stands).count();
        self.at_own(now, shots, then)
    }

    fn at_own(&self, now: &Named, shots: usize, then: &dyn Fn(&Named) -> f64) -> f64 {
        let standing: Vec<usize> = (0..now.own.len()).filter(|&man| now.own[man]).collect();
        let gun = if now.crew > 0 { self.draws } else { 0.0 };
        let all = standing.len() as f64 + gun;
        if shots == 0 || all == 0.0 {
            return then(now);
        }
        let missed = self.at_own(now, shots - 1, then);
        let mut sum = 0.0;
        for &man in &standing {
            let mut hit = now.clone();
            hit.own[man] = false;
            let p = self.fire.on_troops;
            sum += (p * self.at_own(&hit, shots - 1, then) + (1.0 - p) * missed) / all;
        }
        if now.crew > 0 {
            let mut hit = now.clone();
            (hit.crew, hit.silent) = (now.crew - 1, now.crew > 1);
            let p = self.fire.on_weapon;
            sum += gun * (p * self.at_own(&hit, shots - 1, then) + (1.0 - p) * missed) / all;
        }
        sum
    }
}

const FIRE: Fire = Fire { on_troops: 0.3, on_weapon: 0.4, by_weapon: 0.6, weapon_shots: 2 };

#[test]
fn the_chain_is_what_every_sequence_of_shots_adds_up_to() {
    for (base, crew, extra, draws) in
        [(1, 1, 0, 1.0), (2, 2, 1, 1.7), (1, 2, 2, 0.5), (2, 1, 1, 3.0)]
    {
        let staging = staging(FIRE, crew, 10.0);
        let muster = TroopAndWeaponCounts { base, copies: 1, most: extra, draws };
        let won = ExactBattleSolver::new(&staging, muster).weapon_win_share_by_round(extra, 2);
        let oracle = Oracle { fire: FIRE, crew, points: 10.0, extra, draws };
        let start =
            Named { own: vec![true; base], crew, silent: false, other: vec![true; base + extra] };
        for rounds in 1..=2 {
            let both = [true, false].map(|first| oracle.won(&start, first, rounds));
            let expected = (both[0] + both[1]) / 2.0;
            let got = won[rounds - 1];
            assert!((got - expected).abs() < 1e-12, "{base} {crew} {extra}: {got} not {expected}");
        }
    }
}

/// Squads of `whole` models, of which a volley takes 0, 1 or 2; nobody rests.
fn worn(whole: usize, [none, one, two]: [f64; 3]) -> (BattleUnit, ShotEffect) {
    let condition = |lost: usize| LivingUnitCondition {
        fires: 1.0 - 0.3 * lost as f64 / whole as f64,
        share_left: 1.0 - lost as f64 / whole as f64,
        unhurt: 1.0 - lost as f64 / whole as f64,
        rest: vec![(lost, 1.0)],
    };
    let unit = BattleUnit { conditions: (0..whole).map(condition).collect(), start: 0 };
    let leads = |lost: usize| {
        let last = whole - lost;
        let all = if last == 1 {
            vec![(whole, one + two)]
        } else {
            vec![(lost + 1, one), (lost + 2, two)]
        };
        [vec![(lost, none)], all].concat()
    };
    (unit, (0..whole).map(leads).collect())
}

/// One battle for all: the chain and the dice give the same number within four standard errors of
/// their battles, on sixty meetings of men, crews, copies and units that are worn down, at every
/// round.
#[test]
fn what_is_rolled_is_what_the_chain_adds_up() {
    let dice = battle_simulator::BattleDice::new(11);
    let mut tried = 0;
    let mut compare = |staging: &BattleSetup, muster: TroopAndWeaponCounts| {
        for extra in 0..=muster.most {
            let exact = ExactBattleSolver::new(staging, muster).weapon_win_share_by_round(extra, 4);
            let clash =
                battle_simulator::BattleSimulator::from_battle_setup(staging, Doctrine::default());
            let (rolled, battles) = clash.weapon_win_chances_by_round(muster, extra, 4, &dice);
            for (exact, rolled) in exact.iter().zip(&rolled) {
                let error = (exact * (1.0 - exact) / battles as f64).sqrt();
                assert!(
                    (exact - rolled).abs() <= 4.0 * error + 1e-9,
                    "{muster:?}: {exact} {rolled}"
                );
            }
            tried += 1;
        }
    };
    for crew in [1, 3] {
        for (base, copies, draws) in [(3, 1, 1.0), (4, 2, 2.5), (2, 3, 0.0)] {
            compare(
                &staging(FIRE, crew, 10.0),
                TroopAndWeaponCounts { base, copies, most: 4, draws },
            );
        }
    }
    for whole in [2, 3] {
        let (troops, on_troops) = worn(2, [0.5, 0.3, 0.2]);
        let (weapon, on_weapon) = worn(whole, [0.4, 0.4, 0.2]);
        let round = |shots| RoundFire {
            troop_shots: 1,
            on_troops: on_troops.clone(),
            on_weapon: on_weapon.clone(),
            weapon_shots: shots,
            by_weapon: on_troops.clone(),
        };
        let staging = BattleSetup {
            troops,
            weapon,
            troop_points: 7.0,
            extra_points: 0.0,
            rounds: vec![round(1), round(3)],
        };
        for (base, copies, draws) in [(2, 1, 1.0), (3, 2, 0.4), (1, 4, 3.0)] {
            compare(&staging, TroopAndWeaponCounts { base, copies, most: 4, draws });
        }
    }
    assert_eq!(tried, 60);
}

/// By hand: one volley of 1/2, 3/10 and 2/10 for none, one and two Damage Points at a unit of two
/// that stands alone; a second volley ends it with 2/10 of a whole one, and with 1/2 of a hurt one.
#[test]
fn what_a_unit_has_left_is_kept_from_volley_to_volley() {
    let (unit, hurt) = worn(2, [0.5, 0.3, 0.2]);
    let still: ShotEffect = (0..2).map(|lost| vec![(lost, 1.0)]).collect();
    let round = RoundFire {
        troop_shots: 1,
        on_troops: still,
        on_weapon: hurt.clone(),
        weapon_shots: 0,
        by_weapon: hurt,
    };
    let staging = BattleSetup {
        troops: unit.clone(),
        weapon: unit,
        troop_points: 1.0,
        extra_points: 0.0,
        rounds: vec![round],
    };
    // Two of the others fire at a man who cannot be hurt and at the weapon, which draws all.
    let muster = TroopAndWeaponCounts { base: 1, copies: 1, most: 1, draws: 1e12 };
    let ended = 0.2 + 0.5 * 0.2 + 0.3 * 0.5;
    let hurt = 2.0 * 0.5 * 0.3;
    // The weapon stands for one point, and nobody else loses any: whole it is a tie.
    let won = ExactBattleSolver::new(&staging, muster).weapon_win_share_by_round(1, 1)[0];
    assert!((won - 0.5 * (1.0 - ended - hurt)).abs() < 1e-9, "{won}");
}

/// A weapon that is one more trooper.
fn mirror() -> BattleSetup {
    let fire = Fire { on_troops: 0.35, on_weapon: 0.35, by_weapon: 0.35, weapon_shots: 1 };
    BattleSetup {
        weapon: BattleUnit::whole_or_gone(),
        rounds: vec![RoundFire {
            on_weapon: effect_of_kill_chance(0.35),
            ..staging(fire, 1, 12.0).rounds[0].clone()
        }],
        ..staging(fire, 1, 12.0)
    }
}

#[test]
fn equal_forces_win_half_of_their_meetings() {
    let staging = mirror();
    for copies in 1..=3 {
        let muster = TroopAndWeaponCounts { base: 5, copies, most: copies, draws: 1.0 };
        for won in ExactBattleSolver::new(&staging, muster).weapon_win_share_by_round(copies, 8) {
            assert!((won - 0.5).abs() < 1e-12, "{copies} copies: {won}");
        }
    }
}

#[test]
fn more_troops_never_lose_more_often() {
    for staging in [mirror(), staging(FIRE, 3, 10.0)] {
        for base in [1, 4] {
            let muster = TroopAndWeaponCounts { base, copies: 1, most: 8, draws: 1.4 };
            let clash = ExactBattleSolver::new(&staging, muster);
            let courses: Vec<_> =
                (0..=8).map(|extra| clash.weapon_win_share_by_round(extra, 6)).collect();
            for pair in courses.windows(2) {
                for (fewer, more) in pair[0].iter().zip(&pair[1]) {
                    assert!(more <= &(fewer + 1e-12), "{fewer} rises to {more}");
                }
            }
        }
    }
}

#[test]
fn a_weapon_without_effect_is_worth_its_bodies() {
    let mute = Fire { on_troops: 0.35, on_weapon: 0.35, by_weapon: 0.0, weapon_shots: 1 };
    let muster = TroopAndWeaponCounts { base: 6, copies: 1, most: 2, draws: 1.0 };
    let won = |crew: usize, extra: usize| {
        let staging = staging(mute, crew, 10.0);
        ExactBattleSolver::new(&staging, muster).weapon_win_share_by_round(extra, 6)[5]
    };
    // One man who only draws fire is worth something, and less than one who fires.
    assert!(won(1, 0) > 0.5 && won(1, 1) < 0.5);
    // Two who stand one behind the other are worth more than one.
    assert!(won(2, 0) > won(1, 0));
    // Nobody can be hurt: whoever has more is not told apart, every meeting is a tie.
    let harmless = Fire { on_troops: 0.0, on_weapon: 0.0, ..mute };
    let staging = staging(harmless, 2, 10.0);
    let ties = ExactBattleSolver::new(&staging, muster).weapon_win_share_by_round(2, 3);
    assert_eq!(ties, [0.5; 3]);
}

/// Two of the troops against three, who cannot hurt each other: the three are ahead.
#[test]
fn without_a_weapon_the_larger_force_is_ahead() {
    let harmless = Fire { on_troops: 0.0, on_weapon: 0.0, by_weapon: 0.0, weapon_shots: 1 };
    let staging = staging(harmless, 1, 10.0);
    let muster = TroopAndWeaponCounts { base: 2, copies: 0, most: 1, draws: 1.0 };
    assert_eq!(ExactBattleSolver::new(&staging, muster).weapon_win_share_by_round(1, 2), [0.0; 2]);
    let (dice, rules) = (battle_simulator::BattleDice::new(1), Doctrine::default());
    let rolled = battle_simulator::BattleSimulator::from_battle_setup(&staging, rules);
    assert_eq!(rolled.weapon_win_chances_by_round(muster, 1, 2, &dice).0, [0.0; 2]);
}

#[test]
fn copies_of_a_weapon_stand_beside_each_other() {
    // Two men each with a shot that always hits against one man who hits half of the time.
    let staging = BattleSetup {
        rounds: vec![RoundFire {
            troop_shots: 1,
            on_troops: effect_of_kill_chance(0.0),
            on_weapon: effect_of_kill_chance(0.5),
            weapon_shots: 1,
            by_weapon: effect_of_kill_chance(0.5),
        }],
        ..mirror()
    };
    let muster = TroopAndWeaponCounts { base: 1, copies: 2, most: 0, draws: 1e12 };
    // Weapons first: 3/4. The other man first: he takes one with 1/2; then 1/2 or 3/4 that he
    // falls: 5/8. Otherwise the round ends with him ahead if he took somebody, else as a tie.
    // The weapons stand for no points here, so that losing one of them is no loss: all else ties.
    let first = 0.75 + 0.25 * 0.5;
    let second = 0.5 * (0.5 + 0.5 * 0.5) + 0.5 * (0.75 + 0.25 * 0.5);
    let won = ExactBattleSolver::new(&staging, muster).weapon_win_share_by_round(0, 1)[0];
    assert!((won - (first + second) / 2.0).abs() < 1e-9, "{won}");
}

#[test]
fn a_discount_ends_battles_early() {
    // It goes on with 3/4: ends after the first round with 1/4, after the second with 3/16.
    let won = win_share_of_random_length(&[0.5, 0.6, 0.9], 0.75);
    assert!((won - (0.25 * 0.5 + 0.1875 * 0.6 + 0.5625 * 0.9)).abs() < 1e-15);
    assert_eq!(win_share_of_random_length(&[0.2, 0.7], 1.0), 0.7);
    assert_eq!(win_share_of_random_length(&[0.7], 0.1), 0.7);
}
