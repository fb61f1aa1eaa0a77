//! Engagements of `dropzone` re-typed from its quick reference: squads kept as lists of models,
//! shot by shot and round by round, each shot by the brute force of [`Volley`].

use std::collections::BTreeMap;

use crate::dropzone::carried::together;
use crate::dropzone::oracle::{DICE, PLAIN, Volley};
use crate::harness::play::try_contest;
use crate::harness::walk::{CountedDistribution, law_in};

/// A duel of two squads in plain numbers: shots per model, and what one shot does to the other.
struct Fighter {
    shots: u32,
    reduced: u32,
    limited: u32,
    /// One shot in the first round, where it is another.
    first: Option<Volley>,
    strike: Volley,
}

/// CountedDistribution of (points of A's models, points of B's) after `rounds`, A first, over
/// 6^(2·shots fired), as floats because the number of shots differs.
fn duel(
    a: &Fighter,
    b: &Fighter,
    start: [Vec<i32>; 2],
    rounds: u32,
) -> BTreeMap<[Vec<i32>; 2], f64> {
    let full = [start[0][0], start[1][0]];
    let mut law = BTreeMap::from([(start, 1.0)]);
    for turn in 0..2 * rounds {
        let (me, fighter) = if turn % 2 == 0 { (0, a) } else { (1, b) };
        let mut next = BTreeMap::new();
        for (squads, p) in law {
            let alive = squads[me].iter().filter(|&&left| left > 0);
            let shots: u32 = alive
                .map(|left| {
                    fighter.shots.saturating_sub(fighter.reduced * (full[me] - left) as u32)
                })
                .sum();
            let shots = if turn / 2 < fighter.limited { shots } else { 0 };
            let first = fighter.first.as_ref().filter(|_| turn < 2);
            let strike = first.unwrap_or(&fighter.strike);
            for (squads, q) in fire(strike, shots, squads, 1 - me) {
                *next.entry(squads).or_insert(0.0) += p * q;
            }
        }
        law = next;
    }
    law
}

fn fire(
    strike: &Volley,
    shots: u32,
    squads: [Vec<i32>; 2],
    at: usize,
) -> BTreeMap<[Vec<i32>; 2], f64> {
    let mut law = BTreeMap::from([(squads, 1.0)]);
    let whole = 6_f64.powi(DICE as i32);
    for _ in 0..shots {
        let mut next = BTreeMap::new();
        for (squads, p) in law {
            for (damage, ways) in strike.shot() {
                let mut squads = squads.clone();
                squads[at] = strike.allot(squads[at].clone(), damage);
                *next.entry(squads).or_insert(0.0) += p * ways as f64 / whole;
            }
        }
        law = next;
    }
    law
}

fn check_duel(a: &Fighter, b: &Fighter, start: [Vec<i32>; 2], rounds: u32, toml: &str) {
    let points = |squads: &[Vec<i32>; 2]| [0, 1].map(|side| squads[side].iter().sum::<i32>());
    let full = points(&start);
    let expected = duel(a, b, start, rounds);
    let told = law_in("dropzone", "engagement", toml, &["shooter_damage", "damage"]);
    for lost_a in 0..=full[0] {
        for lost_b in 0..=full[1] {
            let left = [full[0] - lost_a, full[1] - lost_b];
            let p: f64 = expected.iter().filter(|(s, _)| points(s) == left).map(|(_, p)| p).sum();
            let q = told.chance_over_rows(|o| o == [lost_a, lost_b]);
            assert!((p - q).abs() < 1e-12, "{toml}\n{lost_a} {lost_b}: {p} {q}");
        }
    }
    if rounds > 1 {
        check_round_by_round(&told, toml, rounds);
    }
}

/// One round, and then the others turn by turn with what each side has left, are the rounds
/// together.
fn check_round_by_round(told: &CountedDistribution, toml: &str, rounds: u32) {
    let one = toml.replace(&format!("rounds = {rounds}"), "rounds = 1");
    let then = format!("carry = true\ntimes = {}\n", rounds - 1);
    let found = together("engagement", &one, &then, &["shooter_damage", "damage"]);
    for (row, p) in &found {
        let q = told.chance_over_rows(|o| *o == row[..]);
        assert!((p - q).abs() < 1e-12, "{toml}\n{row:?}: {p} {q}");
    }
    assert!((found.values().sum::<f64>() - 1.0).abs() < 1e-12, "{toml}");
}

#[test]
fn engagements_carry_losses_over() {
    let at_b = Volley { armour: 10, ..PLAIN };
    let at_a = Volley { energy: 6, armour: 9, ..PLAIN };
    let a = Fighter { shots: 2, reduced: 0, limited: 9, first: None, strike: at_b.clone() };
    let b = Fighter { shots: 2, reduced: 1, limited: 9, first: None, strike: at_a.clone() };
    let toml = "shots = 2\naccuracy = 3\nenergy = 8\narmour = 10\ndamage_points = 3\nrounds = 2\n\
                [shooter]\narmour = 9\ndamage_points = 2\n\
                [return_fire]\nshots = 2\naccuracy = 3\nenergy = 6\nspecials = ['Reduced-1']";
    check_duel(&a, &b, [vec![2], vec![3]], 2, toml);
    // Two shooters with one shot each against two models, and a weapon that fires once.
    let a = Fighter { shots: 1, limited: 1, ..a };
    let toml = "shots = 1\naccuracy = 3\nenergy = 8\narmour = 10\ndamage_points = 2\nrounds = 2\nsquad = 2\n\
                count = 2\nspecials = ['Limited-1']\n[shooter]\narmour = 9\ndamage_points = 2\n\
                [return_fire]\nshots = 2\naccuracy = 3\nenergy = 6\nspecials = ['Reduced-1']";
    check_duel(&a, &b, [vec![2, 2], vec![2, 2]], 2, toml);
    // Nobody shoots back.
    let silent = Fighter { shots: 0, reduced: 0, limited: 0, first: None, strike: at_a };
    let a = Fighter { shots: 2, reduced: 0, limited: 9, first: None, strike: at_b };
    let toml = "shots = 2\naccuracy = 3\nenergy = 8\narmour = 10\ndamage_points = 3\nrounds = 3";
    check_duel(&a, &silent, [vec![1], vec![3]], 3, toml);
}

/// A squad that enters a garrison or disembarks does so in the first round: the re-roll of damage
/// and the +2 are its first volley's, on either side.
#[test]
fn entering_and_disembarking_last_one_round() {
    let close = Volley { needed: 0, energy: 4, armour: 7, ..PLAIN };
    let from_afar = Volley { needed: 3, energy: 6, armour: 8, ..PLAIN };
    let fighter = |first: Volley, strike: &Volley| Fighter {
        shots: 1,
        reduced: 0,
        limited: 9,
        first: Some(first),
        strike: strike.clone(),
    };
    let entered = Volley { reroll: true, ..close.clone() };
    let disembarked = Volley { needed: 5, ..from_afar.clone() };
    let at_close = "shots = 1\naccuracy = 0\nclose_quarters = true\nenergy = 4\n";
    let afar = "shots = 1\naccuracy = 3\nenergy = 6\n";
    let a = fighter(entered, &close);
    let b = fighter(disembarked, &from_afar);
    let toml = format!(
        "{at_close}armour = 7\ndamage_points = 4\nrounds = 3\nentered_garrison = true\n\
         [shooter]\narmour = 8\ndamage_points = 3\n[return_fire]\n{afar}disembarked = true"
    );
    check_duel(&a, &b, [vec![3], vec![4]], 3, &toml);
    // The other way round, and the attackers' +2 for the same single round.
    let toml = format!(
        "{afar}armour = 8\ndamage_points = 3\nrounds = 3\ndisembarked = true\n\
         [shooter]\narmour = 7\ndamage_points = 4\n[return_fire]\n{at_close}entered_garrison = true"
    );
    check_duel(&b, &a, [vec![4], vec![3]], 3, &toml);
}

#[test]
fn an_engagement_of_one_round_is_a_volley() {
    let body = "weapon = 'UCM/Sabre Tank/Avenger Railgun'\nsquad = 3\ntarget = 'Scourge/Hunter'\ncount = 2";
    let fields = ["damage", "destroyed"];
    let volley = law_in("dropzone", "shoot", body, &fields);
    assert_eq!(volley, law_in("dropzone", "engagement", body, &fields));
    let refused = try_contest(
        "dropzone",
        "engagement",
        "shots = 1\naccuracy = 2\nenergy = 3\narmour = 4\n[return_fire]\nshots = 1\naccuracy = 2\nenergy = 3",
    );
    assert_eq!(refused.expect_err("who is shot at?")[0].path, "shooter");
}
