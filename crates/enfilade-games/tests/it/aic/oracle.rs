//! `aic` against an independent implementation of its rules, and against the worked examples of its
//! rulebook.
//!
//! The oracle rolls whole teams at once by nested loops over every face and adds up integer counts,
//! without states, steps or die graphs. It imports no rule.

use std::collections::BTreeMap;

use crate::harness::play::{contest, count_graph_size};
use crate::harness::walk::{CountedDistribution, count_fields};

/// Returns all sequences of faces of `dice`, each as a vector.
fn all_faces(dice: &[u8]) -> Vec<Vec<i32>> {
    dice.iter().fold(vec![Vec::new()], |sequences, &sides| {
        let longer = sequences.iter().flat_map(|faces| {
            (1..=i32::from(sides)).map(move |face| [faces.as_slice(), &[face]].concat())
        });
        longer.collect()
    })
}

/// Returns the counts of (KIA, Wounded, Pin) results over all rolls of one team's dice.
pub fn volley(
    experience: u8,
    weapons: &[u8],
    defense: i32,
    bands: (i32, i32, i32),
) -> BTreeMap<[i32; 3], u128> {
    let mut counts = BTreeMap::new();
    for faces in all_faces(&[&[experience], weapons].concat()) {
        let mut results = [0; 3];
        for weapon in &faces[1..] {
            match faces[0] + weapon - defense {
                margin if margin >= bands.2 => results[0] += 1,
                margin if margin >= bands.1 => results[1] += 1,
                margin if margin >= bands.0 => results[2] += 1,
                _ => {}
            }
        }
        *counts.entry(results).or_insert(0) += 1;
    }
    counts
}

/// Scales counts to a sum of `total`, which must be a multiple of the number of rolls.
fn scaled(counts: BTreeMap<[i32; 3], u128>, total: u128) -> Vec<([i32; 3], u128)> {
    let ways: u128 = counts.values().sum();
    assert_eq!(total % ways, 0);
    counts.into_iter().map(|(results, n)| (results, n * (total / ways))).collect()
}

pub const CLOSE: (i32, i32, i32) = (1000, 1, 3);
pub const RANGED: (i32, i32, i32) = (1, 3, 5);

/// Figures, Wounded, Pins.
pub type Team = [i32; 3];

/// 4.1: KIA, of Wounded figures first, Wounded, Pins; excess Wounded in twos with a figure; a lost
/// team loses its markers.
pub fn suffer(team: Team, [kia, wounded, pins]: [i32; 3], pin_each: bool) -> Team {
    let figures = team[0] - kia;
    let markers = (team[1] - kia).max(0) + wounded;
    let excess = (markers - figures).max(0);
    let (figures, markers) = (figures - excess, markers - 2 * excess);
    let pins = team[2] + pins + if pin_each { kia + wounded } else { 0 };
    if figures <= 0 { [0, 0, 0] } else { [figures, markers, pins] }
}

/// 4.1: places half of the results, rounded up and worst first, on the first team, the rest in
/// turn: on the `friends` that follow it, then on the others, fewest pins and most figures first.
pub fn share(teams: &[Team], results: [i32; 3], pin_each: bool, friends: usize) -> Vec<Team> {
    let mut teams = teams.to_vec();
    let mut list: Vec<usize> = (0..3).flat_map(|kind| vec![kind; results[kind] as usize]).collect();
    let mut order: Vec<usize> = (1..teams.len()).filter(|&t| teams[t][0] > 0).collect();
    order.sort_by_key(|&t| (t > friends, teams[t][2], -teams[t][0], teams[t][1]));
    let elsewhere = match order.is_empty() {
        true => Vec::new(),
        false => list.split_off(list.len().div_ceil(2)),
    };
    let mut got = vec![[0; 3]; teams.len()];
    list.iter().for_each(|&kind| got[0][kind] += 1);
    for (nth, &kind) in elsewhere.iter().enumerate() {
        got[order[nth % order.len()]][kind] += 1;
    }
    for (team, got) in teams.iter_mut().zip(got) {
        if team[0] > 0 {
            *team = suffer(*team, got, pin_each);
        }
    }
    teams
}

#[test]
fn rolling_experience_per_figure_would_be_another_game() {
    // 6.0 example: d8 and four d6 against Defense 9. "No result" is the team's one E failing all
    // four: 1/8 x (1 + 1 + 1 + (5/6)^4 + (4/6)^4 + (3/6)^4 + (2/6)^4 + (1/6)^4) = 4867 / 10368.
    let one_sided = contest(
        "aic",
        "close-combat",
        "strikes_back = false\nattacker = { experience = 'd8', figures = 4, weapon = 'd6' }\n\
         defender = { figures = 4, defense = 8, cover = 'medium' }",
    );
    let law = count_fields(&one_sided, &["kia", "wounded"]);
    let nothing = (law.rows[&vec![0, 0]], law.ways);
    assert_eq!(nothing.0 * 10_368, nothing.1 * 4867);
    assert!((law.chance_over_rows(|row| row == [0, 0]) - 0.4694).abs() < 5e-5);
    // Per figure: 33 of the 48 falls of d8 and d6 stay at 9 or less; (33/48)^4 = 0.2234.
    let single = volley(8, &[6], 9, CLOSE);
    let missed = single[&[0, 0, 0]] as f64 / 48.0;
    assert!((missed.powi(4) - 0.2234).abs() < 5e-5);
    assert_eq!(count_graph_size(&one_sided).0, 108);
}

#[test]
fn one_sided_close_combat_is_the_enumerated_law() {
    for (experience, weapons, defense) in
        [(8, vec![6, 6, 6, 6], 9), (4, vec![12, 4], 7), (10, vec![8, 6, 4], 11)]
    {
        let toml = format!(
            "strikes_back = false\nattacker = {{ experience = 'd{experience}', weapons = {:?} }}\n\
             defender = {{ figures = 3, wounded = 1, defense = {defense} }}",
            weapons.iter().map(|d| format!("d{d}")).collect::<Vec<_>>(),
        );
        let mut rows = BTreeMap::new();
        for (results, n) in volley(experience, &weapons, defense, CLOSE) {
            let after = suffer([3, 1, 0], results, false);
            *rows.entry(vec![3 - after[0], after[1]]).or_insert(0) += n;
        }
        let combat = contest("aic", "close-combat", &toml);
        assert_eq!(
            count_fields(&combat, &["kia", "wounded"]),
            CountedDistribution::from_rows(rows),
            "{toml}"
        );
    }
}

#[test]
fn both_sides_strike_before_losses_apply() {
    let combat = contest(
        "aic",
        "close-combat",
        "attacker = { experience = 'd8', weapons = ['d6', 'd6', 'd6'], wounded = 1, defense = 7 }\n\
         defender = { experience = 'd10', weapons = ['d6', 'd8'], prone = true, defense = 6, cover = 'hard' }",
    );
    // The wound makes one d6 a d4; Prone makes the d10 a d8. The defender's wounded d6 stays.
    let mut rows = BTreeMap::new();
    for (hits, n) in volley(8, &[6, 6, 4], 8, CLOSE) {
        for (blows, m) in volley(8, &[6, 8], 7, CLOSE) {
            let target = suffer([2, 0, 0], hits, false);
            let own = suffer([3, 1, 0], blows, false);
            let row = vec![2 - target[0], target[1], 3 - own[0], own[1]];
            *rows.entry(row).or_insert(0) += n * m;
        }
    }
    let fields = ["kia", "wounded", "friendly_kia", "friendly_wounded"];
    assert_eq!(count_fields(&combat, &fields), CountedDistribution::from_rows(rows));
}

#[test]
fn the_second_team_meets_what_the_first_has_left() {
    let combat = contest(
        "aic",
        "close-combat",
        "attacker = [{ experience = 'd6', weapons = ['d6', 'd6'], defense = 6 }, { experience = 'd4', weapons = ['d8'], defense = 7 }]\n\
         defender = { experience = 'd8', weapons = ['d6', 'd6'], defense = 6, cowering = true }",
    );
    // Cowering: d8 is a d6, both d6 are d4. Each wound takes another type off one d4: it stays d4.
    let mut rows = BTreeMap::new();
    for (hits, n) in volley(6, &[6, 6], 6, CLOSE) {
        for (blows, m) in volley(6, &[4, 4], 6, CLOSE) {
            let first = suffer([2, 0, 0], blows, false);
            let left = suffer([2, 0, 0], hits, false);
            let (own_kia, own_wounded) = (2 - first[0], first[1]);
            if left[0] == 0 {
                // The second team rolls nothing: 4 x 8 and 6 x 4 x 4 ways alike.
                *rows.entry(vec![2, 0, own_kia, own_wounded]).or_insert(0) += n * m * 32 * 96;
                continue;
            }
            let hands = vec![4; left[0] as usize];
            for (hits, i) in volley(4, &[8], 6, CLOSE) {
                for (blows, j) in scaled(volley(6, &hands, 7, CLOSE), 96) {
                    let second = suffer([1, 0, 0], blows, false);
                    let last = suffer(left, hits, false);
                    let row = vec![
                        2 - last[0],
                        last[1],
                        own_kia + 1 - second[0],
                        own_wounded + second[1],
                    ];
                    *rows.entry(row).or_insert(0) += n * m * i * j;
                }
            }
        }
    }
    let fields = ["kia", "wounded", "friendly_kia", "friendly_wounded"];
    assert_eq!(count_fields(&combat, &fields), CountedDistribution::from_rows(rows));
}

#[test]
fn fire_is_shared_out_over_the_squad() {
    for (bands, preset) in [(RANGED, "ranged"), ((0, 1, 3), "cc")] {
        for (adds, flag) in [(true, "true"), (false, "false")] {
            let toml = format!(
                "bands = '{preset}'\ncasualty_adds_pin = {flag}\n\
                 attacker = {{ experience = 'd8', weapons = ['d8', 'd6', 'd6'] }}\n\
                 defender = {{ figures = 3, defense = 5, pins = 1, squadmate = [{{ figures = 2, pins = 1, wounded = 1 }}, {{ figures = 4 }}] }}"
            );
            let start: [Team; 3] = [[3, 0, 1], [2, 1, 1], [4, 0, 0]];
            let mut rows = BTreeMap::new();
            for (results, n) in volley(8, &[8, 6, 6], 5, bands) {
                let after = share(&start, results, adds, 0);
                let sum = |i: usize| after.iter().map(|t| t[i]).sum::<i32>();
                let row =
                    vec![9 - sum(0), sum(1), sum(2), 3 - after[0][0], after[0][1], after[0][2]];
                *rows.entry(row).or_insert(0) += n;
            }
            let combat = contest("aic", "fire", &toml);
            let fields = ["kia", "wounded", "pins", "target_kia", "target_wounded", "target_pins"];
            assert_eq!(
                count_fields(&combat, &fields),
                CountedDistribution::from_rows(rows),
                "{toml}"
            );
        }
    }
}

#[test]
fn friends_in_contact_take_their_share() {
    let combat = contest(
        "aic",
        "firing-into-close-combat",
        "attacker = { experience = 'd10', weapons = ['d8', 'd6', 'd6', 'd6'] }\n\
         defender = { figures = 3, defense = 6, squadmate = { figures = 2 } }\nfriend = { figures = 1 }",
    );
    let mut rows = BTreeMap::new();
    for (results, n) in volley(10, &[8, 6, 6, 6], 6, RANGED) {
        // The friend is dealt to first, though the squadmate has more figures.
        let after = share(&[[3, 0, 0], [1, 0, 0], [2, 0, 0]], results, true, 1);
        let row = vec![
            5 - after[0][0] - after[2][0],
            1 - after[1][0],
            after[1][1],
            after[0][2] + after[2][2],
        ];
        *rows.entry(row).or_insert(0) += n;
    }
    let fields = ["kia", "friendly_kia", "friendly_wounded", "pins"];
    assert_eq!(count_fields(&combat, &fields), CountedDistribution::from_rows(rows));
}

#[test]
fn assault_fire_reduces_the_experience_die_of_both_rolls() {
    let combat = contest(
        "aic",
        "assault-fire",
        "attacker = { experience = 'd8', weapons = ['d6', 'd6'], defense = 6 }\n\
         defender = { experience = 'd4', weapons = ['d6', 'd6'], defense = 5 }",
    );
    // Weapon dice of the defender by figures left and wounds: 4 x 36, 4 x 24, 4 x 16, 4 x 6 and
    // 4 x 4 ways all divide 576; the attacker has 6 x 6 x 6.
    let mut rows = BTreeMap::new();
    for (fire, n) in volley(6, &[6, 6], 5, RANGED) {
        let left = suffer([2, 0, 0], fire, true);
        if left[0] == 0 {
            *rows.entry(vec![2, 0, 0, 0, 0]).or_insert(0) += n * 216 * 576;
            continue;
        }
        let hands = [vec![6; (left[0] - left[1]) as usize], vec![4; left[1] as usize]].concat();
        for (hits, i) in volley(6, &[6, 6], 5, CLOSE) {
            for (blows, j) in scaled(volley(4, &hands, 6, CLOSE), 576) {
                let last = suffer(left, hits, false);
                let own = suffer([2, 0, 0], blows, false);
                let row = vec![2 - last[0], last[1], last[2], 2 - own[0], own[1]];
                *rows.entry(row).or_insert(0) += n * i * j;
            }
        }
    }
    let fields = ["kia", "wounded", "pins", "friendly_kia", "friendly_wounded"];
    assert_eq!(count_fields(&combat, &fields), CountedDistribution::from_rows(rows));
}

#[test]
fn advancing_fire_is_fire_with_the_next_smaller_die() {
    let teams = "defender = { figures = 3, defense = 6, squadmate = { figures = 2 } }";
    let fields = ["kia", "wounded", "pins", "target_pins"];
    for (printed, rolled) in [(12, 10), (10, 8), (8, 6), (6, 4), (4, 4)] {
        let with = |die| {
            format!("attacker = {{ experience = 'd{die}', figures = 3, weapon = 'd8' }}\n{teams}")
        };
        let moving = contest("aic", "advancing-fire", &with(printed));
        let standing = contest("aic", "fire", &with(rolled));
        assert_eq!(count_fields(&moving, &fields), count_fields(&standing, &fields), "d{printed}");
    }
}

/// 5.0 and 5.1, typed independently: actions, Cowering, removed.
fn nerve(
    pins: i32,
    roll: i32,
    motivation: i32,
    cowering: bool,
    contact: bool,
) -> (i32, bool, bool) {
    let total = roll - pins - if cowering { 2 } else { 0 };
    let short = if total < 3 { 3 - total } else { 0 };
    let left = motivation - short;
    match (cowering, left > 0) {
        (false, true) => (left, false, false),
        (false, false) => (0, true, false),
        (true, false) => (0, false, true),
        (true, true) if contact && short > 0 => (0, false, true),
        (true, true) => (left - 1, false, false),
    }
}

#[test]
fn suppression_is_fire_then_one_die_for_the_squad() {
    let combat = contest(
        "aic",
        "suppression",
        "attacker = [{ experience = 'd6', weapons = ['d6', 'd6'] }, { experience = 'd4', weapons = ['d8', 'd6'] }]\n\
         defender = { experience = 'd8', figures = 2, defense = 4, motivation = 3, squadmate = [{ figures = 2, cowering = true, motivation = 2 }, { figures = 3, pins = 1 }] }",
    );
    let start: [Team; 3] = [[2, 0, 0], [2, 0, 0], [3, 0, 1]];
    let motivation = [3, 2, 3];
    let mut rows = BTreeMap::new();
    for (first, n) in volley(6, &[6, 6], 4, RANGED) {
        let between = share(&start, first, true, 0);
        for (second, m) in volley(4, &[8, 6], 4, RANGED) {
            let after = share_aimed(&between, second);
            for roll in 1..=8 {
                let mut row = vec![7 - after.iter().map(|t| t[0]).sum::<i32>(), 0, 0, 0, 0];
                for (place, team) in after.iter().enumerate().filter(|(_, team)| team[0] > 0) {
                    let (actions, cowers, gone) =
                        nerve(team[2], roll, motivation[place], place == 1, false);
                    row[1] += actions;
                    row[2] += i32::from(cowers);
                    row[3] += i32::from(gone);
                    row[0] += if gone { team[0] } else { 0 };
                    row[4] += if gone { 0 } else { team[1] };
                }
                *rows.entry(row).or_insert(0) += n * m;
            }
        }
    }
    let fields = ["kia", "actions", "cowering", "removed", "wounded"];
    assert_eq!(count_fields(&combat, &fields), CountedDistribution::from_rows(rows));
}

/// Returns the teams after the next team's fire at the first team that is left.
fn share_aimed(teams: &[Team], results: [i32; 3]) -> Vec<Team> {
    let aimed = teams.iter().position(|team| team[0] > 0).unwrap_or(0);
    let mut turned = teams.to_vec();
    turned.rotate_left(aimed);
    let mut after = share(&turned, results, true, 0);
    after.rotate_right(aimed);
    after
}

#[test]
fn morale_and_rally_are_the_enumerated_laws() {
    for motivation in 1..=4 {
        for pins in 0..=6 {
            for (sides, contact) in [(4, false), (8, true), (12, false)] {
                let toml = format!(
                    "defender = {{ experience = 'd{sides}', motivation = {motivation}, pins = {pins}, in_contact = {contact} }}"
                );
                for (action, cowering) in [("morale", false), ("rally", true)] {
                    let mut rows = BTreeMap::new();
                    for roll in 1..=sides {
                        let (actions, cowers, gone) = match pins == 0 && !cowering {
                            true => (motivation, false, false),
                            false => nerve(pins, roll, motivation, cowering, contact),
                        };
                        let row = vec![actions, i32::from(cowers), i32::from(gone)];
                        *rows.entry(row).or_insert(0) += 1;
                    }
                    let combat = contest("aic", action, &toml);
                    let fields = ["actions", "cowering", "removed"];
                    assert_eq!(
                        count_fields(&combat, &fields),
                        CountedDistribution::from_rows(rows),
                        "{action} {toml}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_steady_test_with_a_cowering_squadmate_only_when_a_team_is_pinned() {
    for (pins, mates) in [(0, 0), (2, 0), (0, 1)] {
        let mut rows = BTreeMap::new();
        for roll in 1..=6 {
            let (actions, cowers, _) = match pins + mates {
                0 => (2, false, false),
                _ => nerve(pins, roll, 2, false, false),
            };
            let (rallied, _, gone) = nerve(mates, roll, 2, true, false);
            let row = vec![actions + rallied, i32::from(cowers), i32::from(gone)];
            *rows.entry(row).or_insert(0) += 1;
        }
        let toml = format!(
            "defender = {{ experience = 'd6', motivation = 2, pins = {pins}, \
             squadmate = {{ figures = 2, cowering = true, pins = {mates} }} }}"
        );
        let combat = contest("aic", "morale", &toml);
        let fields = ["actions", "cowering", "removed"];
        assert_eq!(count_fields(&combat, &fields), CountedDistribution::from_rows(rows), "{toml}");
    }
}

#[test]
fn armored_assault_rolls_a_die_for_each_team() {
    let combat = contest(
        "aic",
        "armored-assault",
        "defender = [{ figures = 4 }, { figures = 1, wounded = 1, pins = 2 }]",
    );
    let mut rows = BTreeMap::new();
    for faces in all_faces(&[6, 6]) {
        let results = |face| match face {
            1 => [0, 1, 1],
            2 | 3 => [0, 0, 1],
            _ => [0, 0, 0],
        };
        let a = suffer([4, 0, 0], results(faces[0]), false);
        let b = suffer([1, 1, 2], results(faces[1]), false);
        *rows.entry(vec![5 - a[0] - b[0], a[1] + b[1], a[2] + b[2]]).or_insert(0) += 1;
    }
    assert_eq!(
        count_fields(&combat, &["kia", "wounded", "pins"]),
        CountedDistribution::from_rows(rows)
    );
}
