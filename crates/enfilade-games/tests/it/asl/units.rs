//! Rows of the unit tables, typed from the counters independently.

/// Nation, squad, class, broken morale, A for Assault Fire and S for Spraying Fire, half-squad.
const SQUADS: [&str; 41] = [
    "German | 8-3-8 | E | 8 | AS | 3-3-8",
    "German | 5-4-8 | E | 8 | AS | 2-3-8",
    "German | 4-6-8 | E | 8 | S | 2-4-8",
    "German | 4-6-7 | 1 | 7 | S | 2-4-7",
    "German | 4-4-7 | 2 | 7 | S | 2-3-7",
    "German | 4-3-6 | C | 5 | S | 2-3-6",
    "German SS | 6-5-8 | SS | 9 | S | 3-4-8",
    "German SS | 8-3-8 | SS | 9 | AS | 3-3-8",
    "German SS | 5-4-8 | SS | 9 | AS | 2-3-8",
    "German SS | 4-6-8 | SS | 9 | S | 2-4-8",
    "Russian | 6-2-8 | E | 8 | AS | 3-2-8",
    "Russian | 4-5-8 | E | 8 | - | 2-4-8",
    "Russian | 5-2-7 | 1 | 7 | AS | 2-2-7",
    "Russian | 4-4-7 | 1 | 7 | - | 2-3-7",
    "Russian | 4-2-6 | C | 5 | - | 2-2-6",
    "Russian NKVD | 6-2-8 | 2nd | 9 | S | 3-2-8",
    "American | 7-4-7 | E | 8 | AS | 3-3-7",
    "American | 6-6-7 | E | 8 | A | 3-4-7",
    "American | 6-6-6 | 1 | 8 | A | 3-4-6",
    "American | 5-4-6 | 2 | 7 | A | 2-3-6",
    "American | 5-3-6 | G | 7 | A | 2-2-6",
    "USMC | 7-6-8 | M | 8 | AS | 3-4-8",
    "USMC | 6-6-8 | M | 8 | A | 3-4-8",
    "British | 6-4-8 | E | 8 | AS | 3-3-8",
    "British | 4-5-8 | E | 8 | - | 2-4-8",
    "British | 4-5-7 | 1 | 7 | - | 2-4-7",
    "British | 4-4-7 | 2 | 7 | - | 2-3-7",
    "British | 4-3-6 | G | 6 | - | 2-2-6",
    "French | 4-5-8 | E | 7 | - | 2-4-8",
    "French | 4-5-7 | 1 | 6 | - | 2-3-7",
    "French | 4-3-7 | G | 6 | - | 2-2-7",
    "Italian | 4-4-7 | E | 7 | - | 2-4-7",
    "Italian | 3-4-6 | 1 | 5 | - | 1-3-6",
    "Italian | 3-3-6 | C | 5 | - | 1-2-6",
    "Finnish | 8-3-8 | E | 8 | AS | 3-3-8",
    "Finnish | 6-4-8 | 1 | ? | AS | 2-4-8",
    "Finnish | 5-3-8 | G | ? | AS | 2-3-8",
    "Japanese | 4-4-8 | E | ? | - | 2-3-8",
    "Japanese | 4-4-7 | 1 | ? | - | 2-3-7",
    "Japanese | 3-4-7 | 2 | ? | - | 1-3-7",
    "Japanese | 3-3-6 | C | ? | - | 1-2-6",
];

/// Leader, morale, leadership, broken morale.
const LEADERS: [[&str; 4]; 8] = [
    ["10-3", "10", "-3", "10"],
    ["10-2", "10", "-2", "10"],
    ["9-2", "9", "-2", "9"],
    ["9-1", "9", "-1", "9"],
    ["8-1", "8", "-1", "8"],
    ["8-0", "8", "+0", "8"],
    ["7-0", "7", "+0", "7"],
    ["6+1", "6", "+1", "6"],
];

fn rows(name: &str) -> Vec<Vec<String>> {
    let system = crate::built_in().rulebook_by_id("asl").expect("asl is in the catalogue");
    let data_tables = (system.data_tables)();
    let shelf = data_tables.into_iter().find(|shelf| shelf.name == name);
    shelf.expect("the shelf exists").rows
}

#[test]
fn every_squad_is_as_on_its_counter() {
    let found = rows("squads").into_iter().map(|row| {
        let fire = match (row[4].as_str(), row[5].as_str()) {
            ("yes", "yes") => "AS",
            ("yes", _) => "A",
            (_, "yes") => "S",
            _ => "-",
        };
        format!("{} | {} | {} | {} | {fire} | {}", row[0], row[1], row[2], row[3], row[6])
    });
    assert_eq!(found.collect::<Vec<_>>(), SQUADS);
}

#[test]
fn every_leader_is_as_on_his_counter() {
    assert_eq!(rows("leaders"), LEADERS);
}

#[test]
fn lower_quality_is_as_the_classes_go() {
    // A25.1: a 4-6-8 is replaced three times before it is inexperienced, a 5-4-8 twice.
    let squads = rows("squads");
    let chain = |nation: &str, first: &str| {
        let mut names = vec![first.to_owned()];
        loop {
            let last = &names[names.len() - 1];
            let row = squads.iter().find(|row| row[0] == nation && row[1] == *last);
            match row.map(|row| row[8].clone()).filter(|next| !next.is_empty()) {
                Some(next) => names.push(next),
                None => return names.join(" "),
            }
        }
    };
    assert_eq!(chain("German", "4-6-8"), "4-6-8 4-6-7 4-4-7 4-3-6");
    assert_eq!(chain("German", "5-4-8"), "5-4-8 4-4-7 4-3-6");
    assert_eq!(chain("Russian", "6-2-8"), "6-2-8 5-2-7 4-2-6");
    assert_eq!(chain("Russian", "4-5-8"), "4-5-8 4-4-7 4-2-6");
    assert_eq!(chain("American", "6-6-7"), "6-6-7 6-6-6 5-4-6 5-3-6");
    assert_eq!(chain("British", "4-5-8"), "4-5-8 4-5-7 4-4-7 4-3-6");
    assert_eq!(chain("French", "4-5-8"), "4-5-8 4-5-7 4-3-7");
    assert_eq!(chain("Italian", "4-4-7"), "4-4-7 3-4-6 3-3-6");
    assert_eq!(chain("Finnish", "6-4-8"), "6-4-8 5-3-8");
    assert_eq!(chain("USMC", "7-6-8"), "7-6-8");
}
