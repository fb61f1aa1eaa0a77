//! `skirmishers` re-typed: cards as rows of marks, attacks resolved by brute force over all dice,
//! compared with the law of the built-in rules. Nothing of `enfilade::systems` but the door is used.

use std::collections::BTreeMap;

use super::walk_drop::{Law, law_in};

/// Marks of one cell, from label 10 (place 0) to label 0 (place 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Clean,
    Half,
    Full,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Card {
    cells: [Mark; 11],
    /// Marks that advanced armour on the cell still takes.
    plates: [u8; 11],
    armour: u8,
    past_end: bool,
}

#[derive(Clone, Copy, Debug)]
struct Hit {
    lethal: u8,
    bludgeoning: u8,
}

impl Card {
    fn fresh() -> Card {
        Card {
            cells: [Mark::Clean; 11],
            plates: [0; 11],
            armour: 0,
            past_end: false,
        }
    }

    fn dead(&self) -> bool {
        self.past_end || self.cells[10] == Mark::Full
    }

    fn hp(&self) -> i32 {
        if self.dead() {
            return 0;
        }
        let lowest = self.cells.iter().rposition(|&mark| mark == Mark::Full);
        lowest.map_or(10, |place| 9 - place as i32)
    }

    fn take(&mut self, start: usize, hit: Hit) {
        let mut lethal = hit.lethal;
        while lethal > 0 && self.armour > 0 {
            (lethal, self.armour) = (lethal - 1, self.armour - 1);
        }
        let mut place = start;
        while lethal > 0 && !self.dead() {
            if place > 10 {
                self.past_end = true;
            } else if self.cells[place] == Mark::Full {
                place += 1;
            } else {
                if self.plates[place] > 0 {
                    self.plates[place] -= 1;
                } else {
                    self.cells[place] = Mark::Full;
                }
                (lethal, place) = (lethal - 1, place + 1);
            }
        }
        let mut bludgeoning = if self.armour > 0 { 0 } else { hit.bludgeoning };
        let mut place = start;
        while bludgeoning > 0 && !self.dead() {
            if place > 10 {
                self.past_end = true;
            } else if self.cells[place] == Mark::Full {
                place += 1;
            } else {
                if self.plates[place] == 0 {
                    self.cells[place] = match self.cells[place] {
                        Mark::Clean => Mark::Half,
                        _ => Mark::Full,
                    };
                }
                (bludgeoning, place) = (bludgeoning - 1, place + 1);
            }
        }
    }
}

/// How often each sum of 2d6 comes up in 36.
fn sums() -> BTreeMap<usize, u128> {
    let mut sums = BTreeMap::new();
    for a in 1..=6 {
        for b in 1..=6 {
            *sums.entry(a + b).or_insert(0) += 1;
        }
    }
    sums
}

fn start(sum: usize, column: bool) -> usize {
    if column { sum - 2 } else { 10 - sum.min(10) }
}

struct Case {
    needed: usize,
    hit: Hit,
    shots: u32,
    card: Card,
    column: bool,
}

impl Case {
    /// Law of (hits, dead, out of action, HP, armour left, the shot that put him out) over 36^(2·shots).
    fn law(&self) -> Law {
        let mut states = BTreeMap::from([((self.card.clone(), 0, 0), 1_u128)]);
        for shot in 1..=self.shots {
            let mut next = BTreeMap::new();
            for ((card, hits, killed), n) in states {
                if card.dead() {
                    *next.entry((card, hits, killed)).or_insert(0) += n * 36 * 36;
                    continue;
                }
                for (roll, ways) in sums() {
                    if roll < self.needed {
                        *next.entry((card.clone(), hits, killed)).or_insert(0) += n * ways * 36;
                        continue;
                    }
                    for (sum, more) in sums() {
                        let mut card = card.clone();
                        card.take(start(sum, self.column), self.hit);
                        let out = killed == 0 && card.hp() == 0;
                        let killed = if out { shot as i32 } else { killed };
                        *next.entry((card, hits + 1, killed)).or_insert(0) += n * ways * more;
                    }
                }
            }
            states = next;
        }
        let mut outcomes = BTreeMap::new();
        for ((card, hits, killed), n) in states {
            let out = !card.dead() && card.hp() == 0;
            let plates = card.plates.iter().filter(|&&marks| marks > 0).count();
            let armour = i32::from(card.armour) + plates as i32;
            let key = vec![
                hits,
                card.dead().into(),
                out.into(),
                card.hp(),
                armour,
                killed,
            ];
            *outcomes.entry(key).or_insert(0) += n;
        }
        Law {
            sixths: 4 * self.shots,
            outcomes,
        }
    }

    fn check(&self, toml: &str) {
        let fields = [
            "hits",
            "dead",
            "out_of_action",
            "hp",
            "armour_left",
            "shots_to_kill",
        ];
        let told = law_in("skirmishers", "attack", toml, &fields);
        assert!(
            told.equals(&self.law()),
            "{toml}\n{:?}\n{:?}",
            told.outcomes,
            self.law().outcomes
        );
    }
}

fn lethal(points: u8) -> Hit {
    Hit {
        lethal: points,
        bludgeoning: 0,
    }
}

#[test]
fn attacks_on_a_bare_card_have_the_law_of_the_rulebook() {
    for (points, needed) in [(3, 6), (4, 8), (5, 6), (7, 7), (10, 6), (13, 2)] {
        for column in [false, true] {
            let mapping = if column { "column" } else { "label" };
            let toml = format!(
                "damage = '{points}X'\nshots = 3\nmodifier = {}\ncell_mapping = '{mapping}'",
                needed as i32 - 6
            );
            Case {
                needed,
                hit: lethal(points),
                shots: 3,
                card: Card::fresh(),
                column,
            }
            .check(&toml);
        }
    }
}

#[test]
fn standard_armour_has_the_law_of_the_rulebook() {
    for (armour, cells) in [("basic", 2), ("standard", 4), ("heavy", 6)] {
        let card = Card {
            armour: cells,
            ..Card::fresh()
        };
        for hit in [
            lethal(3),
            Hit {
                lethal: 1,
                bludgeoning: 4,
            },
            Hit {
                lethal: 0,
                bludgeoning: 8,
            },
        ] {
            let damage = match (hit.lethal, hit.bludgeoning) {
                (n, 0) => format!("{n}X"),
                (0, n) => format!("{n}\\"),
                (n, m) => format!("{n}X+{m}\\"),
            };
            let toml = format!("damage = '{damage}'\nshots = 3\ntarget_armour = '{armour}'");
            Case {
                needed: 6,
                hit,
                shots: 3,
                card: card.clone(),
                column: false,
            }
            .check(&toml);
        }
    }
}

#[test]
fn advanced_armour_has_the_law_of_the_rulebook() {
    for (armour, cells, from) in [
        ("basic", 2, 10),
        ("standard", 4, 10),
        ("heavy", 6, 8),
        ("standard", 4, 4),
        ("heavy", 6, 5),
    ] {
        let mut card = Card::fresh();
        for label in (0..=from).rev().take(cells) {
            card.plates[10 - label] = 2;
        }
        for hit in [
            lethal(4),
            lethal(7),
            Hit {
                lethal: 1,
                bludgeoning: 4,
            },
            Hit {
                lethal: 0,
                bludgeoning: 5,
            },
        ] {
            let damage = match (hit.lethal, hit.bludgeoning) {
                (n, 0) => format!("{n}X"),
                (0, n) => format!("{n}\\"),
                (n, m) => format!("{n}X+{m}\\"),
            };
            let toml = format!(
                "damage = '{damage}'\nshots = 3\ntarget_armour = '{armour}'\nadvanced_armour = true\narmour_from = {from}"
            );
            Case {
                needed: 6,
                hit,
                shots: 3,
                card: card.clone(),
                column: false,
            }
            .check(&toml);
        }
    }
}

#[test]
fn a_wounded_target_starts_lower() {
    let mut card = Card::fresh();
    card.cells[..5].fill(Mark::Full);
    let toml = "damage = '3X'\nshots = 2\ntarget_hp = 5";
    Case {
        needed: 6,
        hit: lethal(3),
        shots: 2,
        card,
        column: false,
    }
    .check(toml);
}

/// One side of a duel in plain numbers.
#[derive(Clone)]
struct Squad {
    cards: Vec<Card>,
}

fn modifier(hp: i32) -> i32 {
    match hp {
        8..=10 => 0,
        6..=7 => 1,
        3..=5 => 2,
        _ => 3,
    }
}

fn chance(needed: i32) -> f64 {
    let hits: u128 = sums()
        .iter()
        .filter(|(sum, _)| **sum as i32 >= needed)
        .map(|(_, n)| n)
        .sum();
    hits as f64 / 36.0
}

/// Ways of one attack: the card after it, and its probability.
fn struck(card: &Card, needed: i32, points: u8) -> BTreeMap<Card, f64> {
    let p = chance(needed);
    let mut law = BTreeMap::from([(card.clone(), 1.0 - p)]);
    for (sum, ways) in sums() {
        let mut after = card.clone();
        after.take(start(sum, false), lethal(points));
        *law.entry(after).or_insert(0.0) += p * ways as f64 / 36.0;
    }
    law
}

type Table = (Vec<Card>, Vec<Card>, u32);

/// Every attack of a duel in turn, on tables of whole cards: squad, crew, activations of silence.
fn duel(
    troopers: usize,
    crew: usize,
    moves: i32,
    gun: (i32, u8, i32),
    armour: u8,
) -> BTreeMap<(usize, usize), f64> {
    let (short, points, range) = gun;
    let trooper = Card {
        armour,
        ..Card::fresh()
    };
    let squad = Squad {
        cards: vec![trooper; troopers],
    };
    let mut tables: BTreeMap<Table, f64> =
        BTreeMap::from([((squad.cards, vec![Card::fresh(); crew], 0), 1.0)]);
    for turn in 0..moves {
        let dots = range - 8 * turn;
        let long = |short: i32| if dots > short { 2 } else { 0 };
        for target in 0..troopers {
            tables = every(tables, |(squad, crew, silent)| {
                let gunner = crew.iter().find(|card| card.hp() > 0);
                let fires = *silent == 0 && squad[target].hp() > 0;
                let Some(gunner) = gunner.filter(|_| fires) else {
                    return vec![];
                };
                let needed = 6 + long(short) + modifier(gunner.hp());
                let after = struck(&squad[target], needed, points).into_iter();
                after
                    .map(|(card, p)| {
                        let mut squad = squad.clone();
                        squad[target] = card;
                        ((squad, crew.clone(), *silent), p)
                    })
                    .collect()
            });
        }
        tables = every(tables, |(squad, crew, silent)| {
            vec![((squad.clone(), crew.clone(), silent.saturating_sub(1)), 1.0)]
        });
        for shooter in 0..troopers {
            tables = every(tables, |(squad, crew, silent)| {
                let gunner = crew.iter().position(|card| card.hp() > 0);
                let fires = squad[shooter].hp() > 0;
                let Some(gunner) = gunner.filter(|_| fires) else {
                    return vec![];
                };
                let needed = 6 + 2 + long(26) + modifier(squad[shooter].hp());
                let needed = if dots > 85 { 13 } else { needed };
                let after = struck(&crew[gunner], needed, 4).into_iter();
                after
                    .map(|(card, p)| {
                        let silent = if card.hp() == 0 { 1 } else { *silent };
                        let mut crew = crew.clone();
                        crew[gunner] = card;
                        ((squad.clone(), crew, silent), p)
                    })
                    .collect()
            });
        }
    }
    let alive = |cards: &[Card]| cards.iter().filter(|card| card.hp() > 0).count();
    let mut law = BTreeMap::new();
    for ((squad, crew, _), p) in tables {
        *law.entry((alive(&squad), alive(&crew))).or_insert(0.0) += p;
    }
    law
}

/// Replaces every table by what `step` makes of it; none means that nothing happens.
fn every(
    tables: BTreeMap<Table, f64>,
    step: impl Fn(&Table) -> Vec<(Table, f64)>,
) -> BTreeMap<Table, f64> {
    let mut next = BTreeMap::new();
    for (table, p) in tables {
        let after = step(&table);
        if after.is_empty() {
            *next.entry(table).or_insert(0.0) += p;
            continue;
        }
        for (table, q) in after {
            *next.entry(table).or_insert(0.0) += p * q;
        }
    }
    next
}

#[test]
fn crewed_duels_have_the_law_of_whole_cards() {
    let cases = [
        ("HMG", (36, 7, 60), 2, 2, 2, "none", 0),
        ("LMG", (29, 5, 35), 2, 1, 2, "none", 0),
        ("MMG", (34, 6, 90), 2, 2, 2, "none", 0),
        ("LMG", (29, 5, 30), 1, 2, 3, "basic", 2),
    ];
    for (weapon, gun, troopers, crew, moves, armour, cells) in cases {
        let toml = format!(
            "weapon = '{weapon}'\nrange = {}\ntroopers = {troopers}\ncrew = {crew}\nmoves = {moves}\n\
             target_armour = '{armour}'",
            gun.2
        );
        let told = law_in(
            "skirmishers",
            "crewed-duel",
            &toml,
            &["troopers_left", "crew_left"],
        );
        let expected = duel(troopers, crew, moves, gun, cells);
        for left in 0..=troopers {
            for served in 0..=crew {
                let p = expected.get(&(left, served)).copied().unwrap_or(0.0);
                let q = told.chance(|o| o == [left as i32, served as i32]);
                assert!((p - q).abs() < 1e-12, "{toml}\n{left} {served}: {p} {q}");
            }
        }
    }
}
