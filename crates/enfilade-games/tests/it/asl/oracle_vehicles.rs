//! Attacks on unarmoured vehicles and their passengers by brute force (A7.308, A7.309).
//!
//! Every roll, every draw of the vehicles that can be affected and every Unlikely Kill is listed;
//! Personnel and passengers use the brute force of [`crate::asl::oracle`].

use dashu_int::UBig;

use crate::asl::oracle::{
    COLUMNS, Dist, Man, SQUAD, STILL, Shot, Stack, WHOLE, add, outcome, pairs, split, suffer,
};
use crate::asl::play::{Law, law_of};

/// Kill Number and the largest number of affected vehicles, by column.
const KILL: [i32; 11] = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];
const MOST: [usize; 11] = [1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7];

const HALF_SQUAD: Man = Man { size: 1, ..SQUAD };

/// Target of an attack: vehicles, hull down or not, each with this half-squad or none, and a stack.
struct Target {
    vehicles: usize,
    hull_down: bool,
    passenger: Option<Man>,
    stack: Stack,
}

/// Returns the fates of a vehicle with their weights: nothing, immobilised, eliminated, burning.
fn fates(kill: i32, original: i32, end: i32, hull_down: bool, weight: u128) -> Dist<u8> {
    let base = match end - kill {
        _ if 2 * end <= kill => 3,
        ..=-1 => 2,
        0 if !hull_down => 1,
        _ => 0,
    };
    if original != 2 {
        return Dist::from([(base, weight)]);
    }
    let mut fates = Dist::new();
    for dr in 1..=6 {
        let lucky = match dr {
            1 => 3,
            2 => 2,
            3 if !hull_down => 1,
            _ => 0,
        };
        add(&mut fates, base.max(lucky), split(weight, 6));
    }
    fates
}

/// Returns every draw of `most` vehicles, each with the same weight.
fn draws(vehicles: usize, most: usize) -> Vec<u32> {
    let wanted = most.min(vehicles) as u32;
    (0..1u32 << vehicles).filter(|draw| draw.count_ones() == wanted).collect()
}

/// Returns one vehicle's passenger after its fate.
fn ride(man: Man, fate: u8, cell: &str, weight: u128) -> Dist<Stack> {
    let dead = vec![Man { dead: true, ..man }];
    match fate {
        3 => Dist::from([(dead, weight)]),
        2 => {
            let mut after = Dist::new();
            for (a, b) in pairs() {
                let survives = a + b <= man.morale;
                let stack = if survives { vec![man] } else { dead.clone() };
                add(&mut after, stack, split(weight, 36));
            }
            after
        }
        _ => suffer(&vec![man], cell, weight, true),
    }
}

/// Fates of the vehicles so far, and of their passengers.
type Convoy = (Vec<u8>, Vec<i32>);

/// Adds one vehicle to each convoy: its fate, and its passenger's.
fn joined(
    open: Dist<Convoy>,
    target: &Target,
    fate_of: impl Fn(u128) -> Dist<u8>,
    cell: &str,
) -> Dist<Convoy> {
    let mut next = Dist::new();
    for ((fates, row), weight) in open {
        for (fate, weight) in fate_of(weight) {
            let riders = match target.passenger {
                None => Dist::from([(Vec::new(), weight)]),
                Some(man) => ride(man, fate, cell, weight),
            };
            for (stack, weight) in riders {
                let fates = fates.iter().copied().chain([fate]).collect();
                add(&mut next, (fates, sum(&row, &outcome(&stack))), weight);
            }
        }
    }
    next
}

/// Returns the convoy after one roll of the attack.
fn convoy(target: &Target, shot: Shot, coloured: i32, white: i32, weight: u128) -> Dist<Convoy> {
    let mut after = Dist::new();
    let Some(column) = shot.column(coloured, white) else {
        return Dist::from([((Vec::new(), vec![0; 9]), weight)]);
    };
    let original = coloured + white;
    let cell = shot.result(coloured, white);
    let draws = draws(target.vehicles, MOST[column]);
    for draw in &draws {
        let weight = split(weight, draws.len() as u128);
        let mut open = Dist::from([((Vec::new(), vec![0; 9]), weight)]);
        for place in 0..target.vehicles {
            let fate_of = |weight| match draw >> place & 1 {
                1 => fates(KILL[column], original, original + shot.drm, target.hull_down, weight),
                _ => Dist::from([(0, weight)]),
            };
            open = joined(open, target, fate_of, cell);
        }
        for (key, weight) in open {
            add(&mut after, key, weight);
        }
    }
    after
}

/// Returns the distribution of an attack with one modifier for the stack and one for vehicles and
/// passengers.
fn attacked(target: &Target, shot: Shot, vehicle_drm: i32) -> Law {
    let outside = Shot { drm: vehicle_drm, ..shot };
    let mut rows = Dist::new();
    for (coloured, white) in pairs() {
        let result = shot.result(coloured, white);
        let convoys = convoy(target, outside, coloured, white, split(WHOLE, 36));
        for ((fates, mut row), weight) in convoys {
            for (place, fate) in [(5, 3), (6, 2), (7, 1)] {
                row[place] = fates.iter().filter(|f| **f == fate).count() as i32;
            }
            for (stack, weight) in suffer(&target.stack, result, weight, true) {
                add(&mut rows, sum(&row, &outcome(&stack)), weight);
            }
        }
    }
    let rows = rows.into_iter().map(|(row, weight)| (row, weight.into()));
    Law { whole: UBig::from(WHOLE), rows: rows.collect() }
}

fn sum(a: &[i32], b: &[i32]) -> Vec<i32> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

#[test]
fn vehicles_alone_are_the_enumerated_law() {
    for (column, fp) in COLUMNS.iter().enumerate() {
        for (drm, vehicles, hull_down) in
            [(0, 1, false), (3, 1, true), (-2, 3, false), (1, 4, true)]
        {
            let target = Target { vehicles, hull_down, passenger: None, stack: Vec::new() };
            let shot = Shot { column, drm, cowers: 1, loss: true, ..STILL };
            let text = format!(
                "fp = {fp}\ndrm = {drm}\n[[target]]\nvehicle = 'unarmoured'\ncount = {vehicles}\n\
                 hull_down = {hull_down}"
            );
            assert!(law_of("fire", &text).equals(&attacked(&target, shot, drm)), "{text}");
        }
    }
}

#[test]
fn passengers_and_bystanders_are_the_enumerated_law() {
    // The +2 counts against the squad alone; passengers are checked with their vehicle's modifiers.
    for (column, vehicles, cowers) in [(1, 1, 1), (4, 1, 0), (4, 2, 1), (6, 2, 2), (9, 1, 1)] {
        let target =
            Target { vehicles, hull_down: false, passenger: Some(HALF_SQUAD), stack: vec![SQUAD] };
        let shot = Shot { column, drm: 2, cowers, loss: true, ..STILL };
        let text = format!(
            "fp = {}\nmodifiers = {{ Foxhole = true }}\ncowers = {}\ninexperienced = {}\n\
             [[target]]\nkind = 'squad'\nmorale = 7\n\
             [[target]]\nvehicle = 'unarmoured'\ncount = {vehicles}\npassengers = 1\n\
             kind = 'half-squad'\nmorale = 7",
            COLUMNS[column],
            cowers > 0,
            cowers == 2
        );
        assert!(law_of("fire", &text).equals(&attacked(&target, shot, 0)), "{text}");
    }
}
