//! `skirmishers` typed independently: cards as rows of marks, attacks resolved by brute force over
//! all dice, compared with the distribution of the built-in rules. Only the entry point of
//! `enfilade_games` is used.

use std::collections::BTreeMap;

use crate::harness::walk::{CountedDistribution, law_in};

/// Mark of one cell, from label 10 (place 0) to label 0 (place 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    Clean,
    Half,
    Full,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card {
    pub cells: [Mark; 11],
    /// Number of marks that advanced armour on each cell still takes.
    pub plates: [u8; 11],
    pub armour: u8,
    pub past_end: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Hit {
    pub lethal: u8,
    pub bludgeoning: u8,
}

impl Card {
    pub fn fresh() -> Card {
        Card { cells: [Mark::Clean; 11], plates: [0; 11], armour: 0, past_end: false }
    }

    pub fn dead(&self) -> bool {
        self.past_end || self.cells[10] == Mark::Full
    }

    pub fn hp(&self) -> i32 {
        if self.dead() {
            return 0;
        }
        let lowest = self.cells.iter().rposition(|&mark| mark == Mark::Full);
        lowest.map_or(10, |place| 9 - place as i32)
    }

    pub fn take(&mut self, start: usize, hit: Hit) {
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

/// Returns the number of ways of 36 for each sum of 2d6.
pub fn sums() -> BTreeMap<usize, u128> {
    let mut sums = BTreeMap::new();
    for a in 1..=6 {
        for b in 1..=6 {
            *sums.entry(a + b).or_insert(0) += 1;
        }
    }
    sums
}

pub fn start(sum: usize, column: bool) -> usize {
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
    /// Returns the distribution of (hits, dead, out of action, HP, armour left, the attack that put
    /// the target out) over 36^(2·shots).
    fn law(&self) -> CountedDistribution {
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
            let key = vec![hits, card.dead().into(), out.into(), card.hp(), armour, killed];
            *outcomes.entry(key).or_insert(0) += n;
        }
        CountedDistribution::from_rows(outcomes)
    }

    fn check(&self, toml: &str) {
        let fields = ["hits", "dead", "out_of_action", "hp", "armour_left", "shots_to_kill"];
        let told = law_in("skirmishers", "attack", toml, &fields);
        assert_eq!(told, self.law(), "{toml}");
    }
}

pub fn lethal(points: u8) -> Hit {
    Hit { lethal: points, bludgeoning: 0 }
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
            Case { needed, hit: lethal(points), shots: 3, card: Card::fresh(), column }
                .check(&toml);
        }
    }
}

#[test]
fn standard_armour_has_the_law_of_the_rulebook() {
    for (armour, cells) in [("basic", 2), ("standard", 4), ("heavy", 6)] {
        let card = Card { armour: cells, ..Card::fresh() };
        for hit in [lethal(3), Hit { lethal: 1, bludgeoning: 4 }, Hit { lethal: 0, bludgeoning: 8 }]
        {
            let damage = match (hit.lethal, hit.bludgeoning) {
                (n, 0) => format!("{n}X"),
                (0, n) => format!("{n}\\"),
                (n, m) => format!("{n}X+{m}\\"),
            };
            let toml = format!("damage = '{damage}'\nshots = 3\ntarget_armour = '{armour}'");
            Case { needed: 6, hit, shots: 3, card: card.clone(), column: false }.check(&toml);
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
            Hit { lethal: 1, bludgeoning: 4 },
            Hit { lethal: 0, bludgeoning: 5 },
        ] {
            let damage = match (hit.lethal, hit.bludgeoning) {
                (n, 0) => format!("{n}X"),
                (0, n) => format!("{n}\\"),
                (n, m) => format!("{n}X+{m}\\"),
            };
            let toml = format!(
                "damage = '{damage}'\nshots = 3\ntarget_armour = '{armour}'\nadvanced_armour = true\narmour_from = {from}"
            );
            Case { needed: 6, hit, shots: 3, card: card.clone(), column: false }.check(&toml);
        }
    }
}

#[test]
fn a_wounded_target_starts_lower() {
    let mut card = Card::fresh();
    card.cells[..5].fill(Mark::Full);
    let toml = "damage = '3X'\nshots = 2\ntarget_hp = 5";
    Case { needed: 6, hit: lethal(3), shots: 2, card, column: false }.check(toml);
}
