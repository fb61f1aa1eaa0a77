//! Every measure of `skirmishers` by name: the expected numbers are counted by hand from the rules
//! page, for contests small enough to list every ending.

use std::collections::BTreeMap;

use crate::harness::play::{contest, play_scripted, try_contest};
use crate::harness::walk::{assert_measures, compute_measures, count_fields};

/// 2d6 of 6 and more: 26 of 36.
const HIT: f64 = 26.0 / 36.0;

fn skirmish(action: &str, toml: &str) -> enfilade_model::combat::AnyCombat {
    contest("skirmishers", action, toml)
}

#[test]
fn measures_of_attacks_compare_two_shots_of_a_laser() {
    // 10X from cell 10 (6 of 36) leaves a trooper at HP 0, from a lower one (30 of 36) it kills; a
    // second hit kills him who is out of action.
    let combat = skirmish("attack", "weapon = 'semi-portable laser'\nrange = 40\nshots = 2");
    let (dead, out, miss) = (HIT * 30.0 / 36.0, HIT * 6.0 / 36.0, 1.0 - HIT);
    let any = HIT + miss * HIT;
    let killed = dead + out * HIT + miss * dead;
    let expected = [
        ("p_hit", any),
        ("p_kill", any),
        ("p_dead", killed),
        // The dead are not fired at, so only after a miss or beside cell 10 there is a second shot.
        ("e_hits", HIT + (miss + out) * HIT),
        ("e_hp_lost", 10.0 * any),
        ("e_dead", killed),
        ("e_kills", any),
        ("shots_to_kill", HIT + 2.0 * miss),
        // The laser costs 437 points.
        ("kills_per_100_pv", any * 100.0 / 437.0),
    ];
    assert_measures(&combat, &expected);
}

#[test]
fn measures_of_attacks_on_several_targets_leave_out_what_asks_for_one() {
    // 10X again, a shot at each of two: both hit, one, or none. Damage in numbers has no price.
    let toml = "damage = '10X'\nshots = 2\ntargets = 2\nallocation = 'spread'";
    let dead = HIT * 30.0 / 36.0;
    let any = 1.0 - (1.0 - HIT).powi(2);
    let expected = [
        ("p_hit", any),
        ("p_kill", any),
        ("p_dead", 1.0 - (1.0 - dead).powi(2)),
        ("e_hits", 2.0 * HIT),
        ("e_hp_lost", 20.0 * HIT),
        ("e_dead", 2.0 * dead),
        ("e_kills", 2.0 * HIT),
    ];
    assert_measures(&skirmish("attack", toml), &expected);
}

#[test]
fn measures_of_an_explosion_count_the_dead_and_those_out_of_action() {
    // 13X on the dot kills; a miss scatters one dot, whence 6X reaches it: from cell 5 and below
    // (10 of 36) it kills, from cell 6 (5 of 36) it leaves HP 0.
    let combat = skirmish("explosion", "weapon = 'anti-tank missile'\nrange = 50");
    let miss = 1.0 - HIT;
    let (dead, kills) = (HIT + miss * 10.0 / 36.0, HIT + miss * 15.0 / 36.0);
    let expected = [
        ("p_hit", HIT),
        ("p_kill", kills),
        ("p_dead", dead),
        ("e_dead", dead),
        ("e_kills", kills),
        // The missile costs 583 points.
        ("kills_per_100_pv", kills * 100.0 / 583.0),
    ];
    assert_measures(&combat, &expected);
    let own = skirmish("explosion", "damage = '13X'");
    let names: Vec<_> = compute_measures(&own).iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["p_hit", "p_kill", "p_dead", "e_dead", "e_kills"]);
}

#[test]
fn measures_of_a_breach_tell_whether_the_ammunition_was_enough() {
    // 8X on 10 needs two hits of 4 and more (33 of 36); the launcher has two rounds, three are
    // fired.
    let toml = "weapon = 'rocket launcher'\nrange = 50\nstructure = 'wall'\nrounds = 3";
    let (hit, miss) = (33.0 / 36.0, 3.0 / 36.0);
    let (breached, one) = (hit * hit + 2.0 * hit * miss * hit, 3.0 * hit * miss * miss);
    let expected = [
        ("p_breach", breached),
        ("p_ammo_enough", hit * hit),
        ("e_damage", 16.0 * breached + 8.0 * one),
    ];
    assert_measures(&skirmish("breach", toml), &expected);
    // Where rounds are not counted they are always enough.
    let gun = "weapon = 'HMG'\nrange = 30\nstructure = 'wall'\nrounds = 2\nonly_explosives = false";
    let expected =
        [("p_breach", hit * hit), ("p_ammo_enough", hit * hit), ("e_damage", 14.0 * hit)];
    assert_measures(&skirmish("breach", gun), &expected);
}

#[test]
fn a_trooper_on_his_last_cells_in_barbed_wire() {
    // HP 1: cells 1 and 0 are open. Three points and more run past 0 (4 of 6); one half crosses 1,
    // two half cross both. Free on 1 to 3. The second turn crosses 1: out of action after one point
    // and one or two more (2 of 6), or after two and one more (1 of 6); else dead. Half of those
    // who are out of action hang in the wire still. In 144:
    let combat = skirmish("barbed-wire", "turns = 2\ntarget_hp = 1");
    let law = count_fields(&combat, &["turns", "entangled", "hp", "dead", "out_of_action"]);
    let expected = BTreeMap::from([
        (vec![1, 0, 0, 1, 0], 96),
        (vec![1, 0, 1, 0, 0], 24),
        (vec![2, 0, 0, 0, 1], 3),
        (vec![2, 1, 0, 0, 1], 3),
        (vec![2, 0, 0, 1, 0], 18),
    ]);
    assert_eq!(law, crate::harness::walk::CountedDistribution::from_rows(expected));
    let expected = [
        ("p_entangled", 12.0 / 72.0),
        ("p_kill", 60.0 / 72.0),
        ("p_dead", 57.0 / 72.0),
        ("e_turns", 84.0 / 72.0),
        ("e_hp_lost", 60.0 / 72.0),
    ];
    assert_measures(&combat, &expected);
    // In armour nothing befalls him but the wire: half stay for a second turn.
    let armoured = skirmish("barbed-wire", "turns = 2\ntarget_armour = 'heavy'");
    let expected = [
        ("p_entangled", 0.5),
        ("p_kill", 0.0),
        ("p_dead", 0.0),
        ("e_turns", 1.5),
        ("e_hp_lost", 0.0),
    ];
    assert_measures(&armoured, &expected);
}

#[test]
fn measures_of_morale_count_those_who_fail() {
    // Regulars without their leader need 7 (21 of 36): two check, each fails with 15 of 36.
    let toml = "dead = 4\nsurvivors = 2\nleader_alive = false";
    let fail = 15.0 / 36.0;
    let expected = [
        ("p_fail", 1.0 - (1.0_f64 - fail).powi(2)),
        ("p_all_fail", fail * fail),
        ("e_failed", 2.0 * fail),
        ("e_left", 2.0 - 2.0 * fail),
    ];
    assert_measures(&skirmish("morale", toml), &expected);
}

/// Probability by troopers left, crew left and the activation that ended it.
type Ends = BTreeMap<[i32; 3], f64>;

/// Returns the endings of two troopers against a gun with a crew of one: every hit kills, and there
/// are two activations.
fn every_hit_kills() -> Ends {
    let miss: f64 = 1.0 - HIT;
    let mut ends = Ends::new();
    let mut left = BTreeMap::from([(2, 1.0)]);
    for turn in 1..=2 {
        let mut after = BTreeMap::new();
        for (troopers, p) in left {
            // One after another falls, or misses, or silences the gun and so saves all who follow.
            let mut holding = BTreeMap::from([(troopers, p)]);
            for _ in 0..troopers {
                let mut next = BTreeMap::new();
                for (alive, p) in holding {
                    *next.entry(alive - 1).or_default() += p * HIT;
                    *next.entry(alive).or_default() += p * miss * miss;
                    *ends.entry([alive, 0, turn]).or_default() += p * miss * HIT;
                }
                holding = next;
            }
            let wiped = holding.remove(&0).unwrap_or(0.0);
            *ends.entry([0, 1, turn]).or_default() += wiped;
            for (alive, p) in holding {
                *after.entry(alive).or_default() += p;
            }
        }
        left = after;
    }
    for (troopers, p) in left {
        ends.insert([troopers, 1, 0], p);
    }
    ends
}

#[test]
fn measures_of_a_duel_in_which_every_hit_kills() {
    let combat = skirmish(
        "crewed-duel",
        "weapon = 'heavy semi-portable laser'\ntroopers = 2\ncrew = 1\nmoves = 2\nrange = 30\n\
         answer = { damage = '13X', movement_fire = false }",
    );
    let ends = every_hit_kills();
    let told = count_fields(&combat, &["troopers_left", "crew_left", "ended"]);
    let whole: f64 = ends.values().sum();
    assert!((whole - 1.0).abs() < 1e-12, "{whole}");
    assert!(told.rows.keys().all(|row| ends.contains_key(row.as_slice())));
    for (end, p) in &ends {
        assert!((told.chance_over_rows(|row| row == end) - p).abs() < 1e-12, "{end:?}");
    }
    let mean = |value: &dyn Fn(&[i32; 3]) -> i32| -> f64 {
        let weighed = ends.iter().map(|(end, p)| f64::from(value(end)) * p);
        weighed.sum()
    };
    let expected = [
        ("p_gun_holds", mean(&|end| i32::from(end[1] > 0))),
        ("p_squad_gone", mean(&|end| i32::from(end[0] == 0))),
        ("p_gun_silenced", mean(&|end| i32::from(end[1] == 0))),
        ("e_troopers_left", mean(&|end| end[0])),
        ("e_troopers_lost", mean(&|end| 2 - end[0])),
        ("e_crew_left", mean(&|end| end[1])),
    ];
    assert_measures(&combat, &expected);
}

#[test]
fn out_of_range_a_duel_rolls_no_die() {
    // 200 dots, and 192 in the second activation: an LMG reaches 100, a rifle 85.
    let toml = "weapon = 'LMG'\ntroopers = 2\nmoves = 2\nrange = 200";
    let fields = ["troopers_left", "crew_left", "ended"];
    assert_eq!(play_scripted(&skirmish("crewed-duel", toml), &[], &fields), [2, 1, 0]);
}

#[test]
fn a_duel_notes_what_it_does_not_play_of_explosives() {
    let notes = |toml: &str| {
        let contest = try_contest("skirmishers", "crewed-duel", toml);
        contest.expect("sound").notes
    };
    let left_out =
        "is played at its point of detonation only: rings, scatter and ammunition are left out";
    assert!(notes("weapon = 'HMG'").is_empty());
    assert_eq!(notes("weapon = 'grenade launcher'"), [format!("the weapon {left_out}")]);
    assert_eq!(
        notes("weapon = 'HMG'\nanswer = { weapon = 'rocket launcher' }"),
        [format!("the squad's weapon {left_out}")]
    );
}
