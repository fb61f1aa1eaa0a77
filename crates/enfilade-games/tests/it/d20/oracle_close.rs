//! `d20` hand to hand and against vehicles, against an independent implementation: the oracle of
//! `oracle_d20`, one d20 after another, on a scale of 20^n.

use std::collections::BTreeMap;

use crate::d20::oracle::{Counts, d20, passes, rows};
use crate::harness::play::contest;
use crate::harness::walk::{CountedDistribution, count_fields};

/// Attackers, defenders, successes and ones of each, deadlock.
type Brawl = [i32; 7];

fn brawl(
    attackers: i32,
    defenders: i32,
    rounds: i32,
    skills: impl Fn(Brawl, i32) -> (i32, i32),
) -> Counts<Brawl> {
    let mut counts = Counts::from([([attackers, defenders, 0, 0, 0, 0, 0], 1)]);
    for round in 0..rounds {
        for figure in 0..attackers {
            counts = d20(counts, |s, roll| blow(s, figure, roll, 0, skills(s, round).0));
        }
        for figure in 0..defenders {
            counts = d20(counts, |s, roll| blow(s, figure, roll, 1, skills(s, round).1));
        }
        counts = counts.into_iter().fold(Counts::new(), |mut sum, (s, n)| {
            *sum.entry(casualties(s)).or_insert(0) += n;
            sum
        });
    }
    counts
}

fn blow(mut s: Brawl, figure: i32, roll: i32, side: usize, skill: i32) -> Brawl {
    let fought_out = s[0] == 0 || s[1] == 0;
    if !fought_out && figure < s[side] {
        s[2 + side] += i32::from(passes(roll, skill));
        s[4 + side] += i32::from(roll == 1);
    }
    s
}

fn casualties(s: Brawl) -> Brawl {
    let [a, d, hits_a, hits_d, ones_a, ones_d, last] = s;
    if a == 0 || d == 0 {
        return [a, d, 0, 0, 0, 0, last];
    }
    let deadlock = hits_a == hits_d && hits_a > 0;
    let each = i32::from(deadlock && a > d);
    let lost_d = ones_a + each + i32::from(hits_a > hits_d);
    let lost_a = ones_d + each + i32::from(hits_d > hits_a);
    [(a - lost_a).max(0), (d - lost_d).max(0), 0, 0, 0, 0, i32::from(deadlock)]
}

const MELEE: &[&str] = &["attacker_casualties", "defender_casualties", "deadlock"];

#[test]
fn melee_is_the_enumerated_law() {
    for (attackers, defenders, rounds) in [(1, 1, 1), (3, 2, 1), (2, 3, 2), (2, 1, 3), (1, 1, 4)] {
        // Charging +4 in the first round; +4 per figure more; attackers have one SMG (+4),
        // defenders are Hesitant (-2).
        let skills = |s: Brawl, round: i32| {
            let attack =
                9 + if round == 0 { 4 } else { 0 } + 4 * (s[0] - s[1]).max(0) + 4 * s[0].min(1);
            (attack, 11 - 2 + 4 * (s[1] - s[0]).max(0))
        };
        let toml = format!(
            "figures = {attackers}\ntarget_figures = {defenders}\nrounds = {rounds}\nmelee = 9\ntarget_melee = 11\n\
             attacker_smgs = 1\ntarget_hesitant = 'morale'"
        );
        let row = |s: Brawl| vec![attackers - s[0], defenders - s[1], s[6]];
        let expected = rows(brawl(attackers, defenders, rounds, skills), row);
        assert_eq!(count_fields(&contest("d20", "melee", &toml), MELEE), expected, "{toml}");
    }
}

/// Returns the distribution of two attackers against `occupants` with these skills, after a grenade
/// of two dice for each occupant, the best of which decides; `pins` is added by a casualty of it to
/// the skill of the remaining ones.
fn assault(occupants: i32, melee: (i32, i32), pins: i32) -> CountedDistribution {
    let mut counts = Counts::from([([occupants, 0, 0], 1)]);
    for _ in 0..occupants {
        counts = d20(counts, |[left, _, stunned], roll| {
            [left, i32::from(roll >= 13), stunned.max(i32::from(roll < 13))]
        });
        counts = d20(counts, |[left, dead, stunned], roll| match (dead, roll >= 13) {
            (1, _) | (0, true) => [left - 1, 0, stunned],
            _ => [left, 0, 1],
        });
    }
    // The first die of a casualty can stun the room before the second kills.
    let mut ended = BTreeMap::new();
    for ([left, _, stunned], n) in counts {
        let felled = left < occupants;
        let state = if stunned == 1 { -6 } else { 0 } + if felled { pins } else { 0 };
        let skills = |s: Brawl, _: i32| {
            let defence = melee.1 + state + 4 * (s[1] - s[0]).max(0);
            (melee.0 + 4 * (s[0] - s[1]).max(0), defence)
        };
        let fought = brawl(2, left, 1, skills);
        let scale = 20_u128.pow((occupants - left) as u32);
        for (s, m) in fought {
            let row = vec![
                2 - s[0],
                occupants - s[1],
                s[6],
                i32::from(stunned == 1 && s[1] > 0),
                i32::from(pins < 0 && felled && s[1] > 0),
            ];
            *ended.entry(row).or_insert(0) += n * m * scale;
        }
    }
    CountedDistribution::from_rows(ended)
}

#[test]
fn a_building_assault_is_a_grenade_and_a_melee() {
    let fields = ["attacker_casualties", "defender_casualties", "deadlock", "stunned", "pinned"];
    for (occupants, (own, others)) in [(2, (12, 11)), (3, (11, 13))] {
        for (toggle, pins) in [("", -6), ("\ngrenade_pins = false", 0)] {
            let toml = format!(
                "figures = 2\ntarget_figures = {occupants}\nmelee = {own}\ntarget_melee = {others}{toggle}"
            );
            let combat = contest("d20", "building-assault", &toml);
            let expected = assault(occupants, (own, others), pins);
            assert_eq!(count_fields(&combat, &fields), expected, "{toml}");
        }
    }
    // Two against three, whom a casualty of the grenade makes Stunned and Pinned, or Stunned only.
    let lost = |pins| {
        let law = assault(3, (11, 13), pins);
        let mean = |side: usize| {
            let sum = law.rows.iter().map(|(row, n)| row[side] as f64 * *n as f64);
            sum.sum::<f64>() / law.ways as f64
        };
        [mean(0), mean(1)].map(|mean| (mean * 1e6).round() / 1e6)
    };
    assert_eq!(lost(-6), [0.092376, 2.558001]);
    assert_eq!(lost(0), [0.189404, 2.489920]);
}

/// Spotted or hit, armour of the location, penetrated, then the flags of the outcome.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Tank {
    going: bool,
    armour: i32,
    through: bool,
    table: i32,
    hit: bool,
    penetrated: bool,
    suppressed: bool,
    spalling: bool,
    crew: bool,
    mobility: bool,
    mission: bool,
    catastrophic: bool,
    out: bool,
    lost: i32,
}

fn tank(
    shots: i32,
    (spot, shoot): (i32, i32),
    (hull, turret): (i32, i32),
    pen: i32,
    passengers: i32,
) -> Counts<Tank> {
    let mut counts = Counts::from([(Tank::default(), 1)]);
    for _ in 0..shots {
        counts = d20(counts, |t, roll| Tank {
            going: !t.mission && !t.catastrophic && passes(roll, spot),
            ..t
        });
        counts = d20(counts, |t, roll| {
            let going = t.going && passes(roll, shoot);
            Tank { going, hit: t.hit || going, ..t }
        });
        counts =
            d20(counts, |t, roll| Tank { armour: if roll <= 14 { hull } else { turret }, ..t });
        counts = d20(counts, |t, roll| {
            let added = match roll {
                1 => 3,
                2..=5 => 2,
                6..=10 => 1,
                11..=19 => 0,
                _ => -1,
            };
            let through = t.going && pen > t.armour + added;
            let bounced = t.going && !through;
            Tank {
                through,
                armour: 0,
                going: false,
                penetrated: t.penetrated || through,
                suppressed: t.suppressed || bounced,
                ..t
            }
        });
        counts = d20(counts, |t, roll| Tank {
            table: if t.through { roll } else { 0 },
            through: false,
            ..t
        });
        counts = d20(counts, |t, roll| penetrated(t, roll, passengers));
    }
    counts
}

fn penetrated(mut t: Tank, sub: i32, passengers: i32) -> Tank {
    let aboard = passengers > 0 && !t.out && t.lost == 0;
    match std::mem::take(&mut t.table) {
        0 => {}
        1..=5 => {
            (t.spalling, t.suppressed, t.crew, t.out) =
                (true, true, t.crew || sub <= 15, t.out || aboard)
        }
        6..=10 => (t.mobility, t.suppressed, t.out) = (true, true, t.out || aboard),
        11..=15 if aboard && sub <= 15 => (t.mission, t.lost) = (true, passengers),
        11..=15 => (t.mission, t.out) = (true, t.out || aboard),
        _ => (t.catastrophic, t.lost) = (true, if aboard { passengers } else { t.lost }),
    }
    t
}

const TANK: &[&str] = &[
    "hit",
    "penetrated",
    "suppressed",
    "spalling",
    "crew_injured",
    "mobility_kill",
    "mission_kill",
    "catastrophic",
    "passengers_lost",
    "disembarked",
];

fn tank_row(t: Tank) -> Vec<i32> {
    let flags = [
        t.hit,
        t.penetrated,
        t.suppressed,
        t.spalling,
        t.crew,
        t.mobility,
        t.mission,
        t.catastrophic,
    ];
    let mut row: Vec<i32> = flags.map(i32::from).into();
    row.extend([t.lost, i32::from(t.out)]);
    row
}

#[test]
fn vehicles_are_the_enumerated_law() {
    // Every vehicle is +4 to spot and to hit.
    let plain = contest(
        "d20",
        "vehicle",
        "pen = 9\nspot = 8\nfirearms = 6\npassengers = 4\n[armour.front]\nhull = 8\nturret = 7",
    );
    let expected = rows(tank(1, (12, 10), (8, 7), 9, 4), tank_row);
    assert_eq!(count_fields(&plain, TANK), expected);
    // Two shots without a turret; smoke -10 and open-topped +4 on both rolls, moving +4/-4.
    let two = contest(
        "d20",
        "vehicle",
        "pen = 9\nfigures = 2\nspot = 12\nfirearms = 16\nturret = false\nfacing = 'rear'\nsmoke = true\nopen_topped = true\ntarget_moving = true\npassengers = 2\n[armour.rear]\nhull = 7",
    );
    let expected = rows(tank(2, (14, 10), (7, 7), 9, 2), tank_row);
    assert_eq!(count_fields(&two, TANK), expected);
}
