//! Attacks one after another by brute force: `rof`, `attacks`, replacement of poor units, and the
//! incremental table.
//!
//! The stack is a plain list; the dead are counted and removed between two attacks. Only the
//! contest under test comes from `enfilade_games`.

use dashu_int::UBig;

use crate::asl::oracle::{
    COLUMNS, Dist, Man, SQUAD, STILL, Shot, Stack, WHOLE, add, oracle, outcome, pairs, split,
    suffer,
};
use crate::asl::play::{Law, law_of};

const TWO: &str = "[[target]]\nkind = 'squad'\nmorale = 7\n[[target]]\nleader = '8-1'\n";

fn two() -> Stack {
    let leader = Man { size: 0, morale: 8, broken_morale: 8, leads: Some(-1), ..SQUAD };
    vec![SQUAD, leader]
}

fn law(rows: Dist<Vec<i32>>) -> Law {
    let rows = rows.into_iter().map(|(row, weight)| (row, weight.into()));
    Law { whole: UBig::from(WHOLE), rows: rows.collect() }
}

/// Returns the living, and the number of dead.
fn buried(stack: Stack, dead: i32) -> (Stack, i32) {
    let gone = stack.iter().filter(|man| man.dead).count() as i32;
    let mut living: Stack = stack.into_iter().filter(|man| !man.dead).collect();
    living.sort();
    (living, dead + gone)
}

/// Gun: its rate of fire, its breakdown number, its largest number of attacks, and whether it stops
/// early.
#[derive(Clone, Copy)]
struct Gun {
    rate: i32,
    breakdown: i32,
    most: i32,
    until_clear: bool,
}

fn fired(stack: Stack, gun: Gun, shot: Shot) -> Law {
    let mut over = Dist::new();
    let mut open = Dist::from([((stack, 0), WHOLE)]);
    for made in 1..=gun.most {
        let mut next = Dist::new();
        for ((stack, dead), weight) in open {
            for (coloured, white) in pairs() {
                let broke = coloured + white >= gun.breakdown;
                let cowered = coloured == white && shot.cowers > 0;
                let keeps = coloured <= gun.rate && !broke && !cowered && made < gun.most;
                let after = shot.at(&stack, coloured, white, split(weight, 36));
                for (stack, weight) in after {
                    let (living, dead) = buried(stack, dead);
                    if keeps && !(gun.until_clear && living.is_empty()) {
                        add(&mut next, (living, dead), weight);
                        continue;
                    }
                    let mut row = outcome(&living);
                    row[0] = dead;
                    row[8] = i32::from(broke);
                    row.push(made);
                    add(&mut over, row, weight);
                }
            }
        }
        open = next;
    }
    law(over)
}

#[test]
fn a_gun_fires_on_as_enumerated() {
    let cases = [
        (3, 12, 4, false, 1, false),
        (3, 12, 3, true, 1, true),
        (1, 11, 4, false, 2, false),
        (2, 9, 3, false, 0, true),
        (6, 10, 3, true, 0, false),
    ];
    for (rate, breakdown, most, until_clear, cowers, pair) in cases {
        let (targets, stack) = match pair {
            true => (TWO, two()),
            false => ("[[target]]\nkind = 'squad'\nmorale = 7\n", vec![SQUAD]),
        };
        let text = format!(
            "fp = 8\ndrm = -1\nrof = {rate}\nbreakdown = {breakdown}\nmax_attacks = {most}\n\
             until_clear = {until_clear}\ncowers = {}\ninexperienced = {}\n{targets}",
            cowers > 0,
            cowers == 2
        );
        let gun = Gun { rate, breakdown, most, until_clear };
        let shot = Shot { column: 4, drm: -1, cowers, loss: true, ..STILL };
        assert!(law_of("rof", &text).equals(&fired(stack, gun, shot)), "{text}");
    }
}

/// Returns the distribution of this number of attacks one after another, each by other firers.
pub fn volleys(stack: Stack, shot: Shot, attacks: usize) -> Law {
    one_by_one(stack, &vec![shot; attacks])
}

/// Returns the distribution of these attacks one after another.
pub fn one_by_one(stack: Stack, shots: &[Shot]) -> Law {
    let mut open = Dist::from([((stack, 0), WHOLE)]);
    for shot in shots {
        let mut next = Dist::new();
        for ((stack, dead), weight) in open {
            for (coloured, white) in pairs() {
                let after = shot.at(&stack, coloured, white, split(weight, 36));
                for (stack, weight) in after {
                    add(&mut next, buried(stack, dead), weight);
                }
            }
        }
        open = next;
    }
    let mut rows = Dist::new();
    for ((living, dead), weight) in open {
        let mut row = outcome(&living);
        row[0] = dead;
        add(&mut rows, row, weight);
    }
    law(rows)
}

#[test]
fn equal_attacks_add_up_as_enumerated() {
    for (attacks, cowers) in [(2, 0), (2, 1), (3, 0)] {
        let shot = Shot { column: 3, cowers, ..STILL };
        let text = format!("fp = 6\nattacks = {attacks}\ncowers = {}\n{TWO}", cowers > 0);
        let expected = volleys(two(), shot, attacks);
        assert!(law_of("fire", &text).equals(&expected), "{text}");
    }
}

#[test]
fn a_gun_fires_on_at_a_stack_that_moves_as_enumerated() {
    let squads = "[[target]]\nkind = 'squad'\nmorale = 7\ncount = 2\n";
    for (targets, stack) in [(TWO, two()), (squads, vec![SQUAD, SQUAD])] {
        for (column, drm, most) in [(2, 2, 3), (4, 2, 2), (6, 1, 2)] {
            let shot = Shot { column, drm, moving: -2, ..STILL };
            let gun = Gun { rate: 3, breakdown: 12, most, until_clear: false };
            let text = format!(
                "fp = {}\ndrm = {drm}\nrof = 3\nmax_attacks = {most}\n\
                 modifiers = ['FFMO', 'FFNAM']\n{targets}",
                COLUMNS[column]
            );
            let expected = fired(stack.clone(), gun, shot);
            assert!(law_of("rof", &text).equals(&expected), "{text}");
        }
    }
}

/// Lone German squad: its quality 0 to 2, half-squad, broken, pinned.
type Lone = (usize, bool, bool, bool);

/// Morale, broken morale, and both of the half-squad: 4-6-7, 4-4-7, 4-3-6.
const QUALITY: [[i32; 4]; 3] = [[7, 7, 7, 6], [7, 7, 7, 6], [6, 5, 6, 4]];

/// Applies one roll of a morale check with this number; `None` when the unit dies.
fn checked((quality, half, broken, pinned): Lone, roll: i32, n: i32, elr: i32) -> Option<Lone> {
    let level = QUALITY[quality][2 * usize::from(half) + usize::from(broken)];
    let excess = roll + n - level;
    if roll < 12 && excess <= 0 {
        return Some((quality, half, broken, pinned || excess == 0 && !broken));
    }
    if broken {
        let survives = roll < 12 && !half;
        return survives.then_some((quality, true, true, false));
    }
    if roll == 12 && half {
        return None;
    }
    let worse = usize::from(excess > elr);
    Some(((quality + worse).min(2), half || roll == 12, true, false))
}

fn suffers(unit: Lone, result: &str, elr: i32, weight: u128) -> Dist<Option<Lone>> {
    let (quality, half, broken, pinned) = unit;
    let number = |text: &str| text.parse::<i32>().expect("a digit");
    let mut after = Dist::new();
    let mut check = |unit, n| {
        for (a, b) in pairs() {
            add(&mut after, checked(unit, a + b, n, elr), split(weight, 36));
        }
    };
    match (result.as_bytes()[0], result.as_bytes().get(1)) {
        (b'-', _) => add(&mut after, Some(unit), weight),
        (b'P', _) if broken || pinned => add(&mut after, Some(unit), weight),
        (b'P', _) => {
            let level = QUALITY[quality][2 * usize::from(half)];
            for (a, b) in pairs() {
                let unit = (quality, half, false, a + b > level);
                add(&mut after, Some(unit), split(weight, 36));
            }
        }
        (b'k', _) if half => add(&mut after, None, weight),
        (b'k', _) => check((quality, true, broken, pinned), number(&result[1..])),
        (_, Some(b'M')) => check(unit, number(&result[..1])),
        _ => add(&mut after, None, weight),
    }
    after
}

/// Returns the lone squad after this number of attacks, each starting from every outcome of the one
/// before.
fn lone_after(attacks: i32, shot: Shot, elr: i32) -> Dist<Option<Lone>> {
    let mut open = Dist::from([(Some((0, false, false, false)), WHOLE)]);
    for _ in 0..attacks {
        let mut next = Dist::new();
        for (unit, weight) in open {
            for (coloured, white) in pairs() {
                let weight = split(weight, 36);
                let after = match unit {
                    None => Dist::from([(None, weight)]),
                    Some(unit) => suffers(unit, shot.result(coloured, white), elr, weight),
                };
                for (unit, weight) in after {
                    add(&mut next, unit, weight);
                }
            }
        }
        open = next;
    }
    open
}

/// Returns the outcome fields of the lone squad, `replaced` last.
fn lone_row(unit: Option<Lone>) -> Vec<i32> {
    let [dead, half, broken, pinned, replaced] = match unit {
        None => [1, 0, 0, 0, 0],
        Some((quality, half, broken, pinned)) => {
            [0, half.into(), broken.into(), (pinned && !broken).into(), (quality > 0).into()]
        }
    };
    vec![dead, half, broken, pinned, 0, 0, 0, 0, 0, replaced]
}

#[test]
fn who_fails_by_more_than_the_elr_is_replaced_as_enumerated() {
    for (elr, attacks, column) in [(0, 2, 4), (1, 3, 4), (2, 2, 6), (5, 2, 6), (3, 3, 2)] {
        let shot = Shot { column, drm: -1, cowers: 1, loss: true, ..STILL };
        let mut rows = Dist::new();
        for (unit, weight) in lone_after(attacks, shot, elr) {
            add(&mut rows, lone_row(unit), weight);
        }
        let fp = COLUMNS[column];
        let text = format!(
            "fp = {fp}\ndrm = -1\nattacks = {attacks}\nelr = {elr}\n[[target]]\nunit = '4-6-7'"
        );
        assert!(law_of("fire", &text).equals(&law(rows)), "{text}");
    }
}

/// Reads the incremental table from its file: firepower of the columns in halves, and the lines.
fn incremental() -> (Vec<i64>, Vec<Vec<String>>) {
    let text = include_str!("../../../data/asl_iift.tsv");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let head = lines.next().expect("a head").split('\t').skip(1);
    let halves = head.map(|fp| (fp.parse::<f64>().expect("a number") * 2.0) as i64);
    let cell = |cell: &str| match cell {
        "-" => "-".to_owned(),
        "PTC" | "CTC" => "P".to_owned(),
        "NMC" => "0M".to_owned(),
        k if k.starts_with("K/") => format!("k{}", &k[2..]),
        other => other[..2].to_owned(),
    };
    let table = lines.map(|line| line.split('\t').skip(1).map(cell).collect());
    (halves.collect(), table.collect())
}

#[test]
fn every_column_of_the_incremental_table_is_read_and_cowers_as_enumerated() {
    const STANDARD: [i64; 11] = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36];
    let (halves, table) = incremental();
    assert_eq!((halves.len(), table.len()), (40, 16));
    for (column, fp) in halves.iter().enumerate() {
        for (drm, lost) in [(-3, 1), (1, 2), (4, 0)] {
            // A7.371: to the next lower standard column first, then as many more as are lost.
            let at = STANDARD.iter().rposition(|s| 2 * s <= *fp).expect("1 FP");
            let lower = at.checked_sub(lost).map(|at| {
                halves.iter().position(|half| *half == 2 * STANDARD[at]).expect("standard")
            });
            let mut rows: Dist<Vec<i32>> = Dist::new();
            for (a, b) in pairs() {
                let doubled = a == b && lost > 0;
                let column = if doubled { lower } else { Some(column) };
                let line = (a + b + drm).clamp(0, 15) as usize;
                let cell = column.map_or("-", |column| &table[line][column]);
                for (stack, weight) in suffer(&vec![SQUAD], cell, split(WHOLE, 36), true) {
                    add(&mut rows, outcome(&stack), weight);
                }
            }
            let text = format!(
                "table = 'iift'\nfp = {}\ndrm = {drm}\ncowers = {}\ninexperienced = {}\n\
                 [[target]]\nkind = 'squad'\nmorale = 7",
                *fp as f64 / 2.0,
                lost > 0,
                lost == 2
            );
            assert!(law_of("fire", &text).equals(&law(rows)), "{text}");
        }
    }
}

#[test]
fn the_series_of_one_is_the_single_attack() {
    let shot = Shot { column: 6, drm: 0, cowers: 1, loss: true, ..STILL };
    let gun = Gun { rate: 0, breakdown: 13, most: 1, until_clear: false };
    let single = oracle(&two(), shot);
    let series = fired(two(), gun, shot);
    let of = |row: &Vec<i32>| {
        let mut row = row.clone();
        row.push(1);
        series.rows.get(&row).cloned()
    };
    assert!(single.rows.iter().all(|(row, weight)| of(row).as_ref() == Some(weight)));
}
