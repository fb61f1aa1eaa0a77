//! `crewed-duel` typed independently: every attack in its turn on whole cards, compared with the
//! distribution of the built-in rule. The cards are those of the brute-force oracle of attacks.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::harness::walk::law_in;
use crate::skirmishers::oracle::{Card, lethal, start, sums};

fn modifier(hp: i32) -> i32 {
    match hp {
        8..=10 => 0,
        6..=7 => 1,
        3..=5 => 2,
        _ => 3,
    }
}

fn chance(needed: i32) -> f64 {
    let hits: u128 = sums().iter().filter(|(sum, _)| **sum as i32 >= needed).map(|(_, n)| n).sum();
    hits as f64 / 36.0
}

/// Returns the severity of wounds under hits of this many points: the trooper's modifier, the
/// number of 36 hits that put them out, and the modifier after each.
fn worse(card: &Card, points: u8) -> (i32, u128, Vec<i32>) {
    let after = sums().into_iter().map(|(sum, ways)| {
        let mut card = card.clone();
        card.take(start(sum, false), lethal(points));
        if card.hp() > 0 { (0, modifier(card.hp())) } else { (ways, i32::MAX) }
    });
    let (out, after): (Vec<_>, Vec<_>) = after.unzip();
    (modifier(card.hp()), out.into_iter().sum(), after)
}

/// Returns the cards after one attack, with their probabilities.
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

/// Squad, crew, and the activations in which the gun is silent, this one included.
type Table = (Vec<Card>, Vec<Card>, u32);

/// Duel on tables of whole cards: an LMG-like gun against rifles fired on the move.
struct Duel {
    troopers: usize,
    crew: usize,
    moves: i32,
    /// Short range, damage and dots at the first activation.
    gun: (i32, u8, i32),
    armour: u8,
    man_by_man: bool,
    /// Number of activations that a take-over costs, the one in which the gunner falls included.
    silent: u32,
}

impl Duel {
    fn law(&self) -> BTreeMap<(usize, usize), f64> {
        let trooper = Card { armour: self.armour, ..Card::fresh() };
        let (squad, crew) = (vec![trooper; self.troopers], vec![Card::fresh(); self.crew]);
        let mut tables = BTreeMap::from([((squad, crew, 0), 1.0)]);
        for turn in 0..self.moves {
            let dots = self.gun.2 - 8 * turn;
            tables = every(tables, |(squad, crew, silent)| {
                let mut squad = squad.clone();
                squad.sort_by_cached_key(|card| Reverse(worse(card, self.gun.1)));
                vec![((squad, crew.clone(), *silent), 1.0)]
            });
            let every_one = 0..self.troopers;
            if self.man_by_man {
                for man in every_one {
                    tables = self.answer(self.fire(tables, man, dots), man, dots);
                }
            } else {
                tables = every_one.clone().fold(tables, |t, man| self.fire(t, man, dots));
                tables = every_one.fold(tables, |t, man| self.answer(t, man, dots));
            }
            tables = every(tables, |(squad, crew, silent)| {
                vec![((squad.clone(), crew.clone(), silent.saturating_sub(1)), 1.0)]
            });
        }
        let alive = |cards: &[Card]| cards.iter().filter(|card| card.hp() > 0).count();
        let mut law = BTreeMap::new();
        for ((squad, crew, _), p) in tables {
            *law.entry((alive(&squad), alive(&crew))).or_insert(0.0) += p;
        }
        law
    }

    fn fire(&self, tables: BTreeMap<Table, f64>, target: usize, dots: i32) -> BTreeMap<Table, f64> {
        let (short, points, _) = self.gun;
        every(tables, |(squad, crew, silent)| {
            let gunner = crew.iter().find(|card| card.hp() > 0);
            let fires = *silent == 0 && squad[target].hp() > 0;
            let Some(gunner) = gunner.filter(|_| fires) else {
                return vec![];
            };
            let needed = 6 + beyond(short, dots) + modifier(gunner.hp());
            let after = struck(&squad[target], needed, points).into_iter();
            let after = after.map(|(card, p)| {
                let mut squad = squad.clone();
                squad[target] = card;
                ((squad, crew.clone(), *silent), p)
            });
            after.collect()
        })
    }

    fn answer(&self, tables: BTreeMap<Table, f64>, man: usize, dots: i32) -> BTreeMap<Table, f64> {
        every(tables, |(squad, crew, silent)| {
            let gunner = crew.iter().position(|card| card.hp() > 0);
            let fires = squad[man].hp() > 0;
            let Some(gunner) = gunner.filter(|_| fires) else {
                return vec![];
            };
            let needed = 6 + 2 + beyond(26, dots) + modifier(squad[man].hp());
            let needed = if dots > 85 { 13 } else { needed };
            let after = struck(&crew[gunner], needed, 4).into_iter();
            let after = after.map(|(card, p)| {
                let silent = if card.hp() == 0 { self.silent } else { *silent };
                let mut crew = crew.clone();
                crew[gunner] = card;
                ((squad.clone(), crew, silent), p)
            });
            after.collect()
        })
    }
}

fn beyond(short: i32, dots: i32) -> i32 {
    if dots > short { 2 } else { 0 }
}

/// Replaces every table by the results of `step`; an empty result means that nothing happens.
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
        ("LMG", (29, 5, 30), 3, 1, 2, "none", 0),
        ("HMG", (36, 7, 30), 2, 2, 3, "none", 0),
        ("LMG", (29, 5, 30), 2, 1, 2, "basic", 2),
        ("MMG", (34, 6, 40), 2, 1, 2, "standard", 4),
    ];
    for (weapon, gun, troopers, crew, moves, armour, cells) in cases {
        // The rest of the activation in which the gunner falls and a whole one, or that rest alone.
        for (man_by_man, begins, silent) in
            [(true, "after", 2), (false, "after", 2), (true, "with", 1)]
        {
            let order = if man_by_man { "man-by-man" } else { "all-first" };
            let toml = format!(
                "weapon = '{weapon}'\nrange = {}\ntroopers = {troopers}\ncrew = {crew}\nmoves = {moves}\n\
                 target_armour = '{armour}'\norder = '{order}'\n\
                 take_over_begins = '{begins}-this-activation'",
                gun.2
            );
            let fields = ["troopers_left", "crew_left"];
            let told = law_in("skirmishers", "crewed-duel", &toml, &fields);
            let duel = Duel { troopers, crew, moves, gun, armour: cells, man_by_man, silent };
            let expected = duel.law();
            for left in 0..=troopers {
                for served in 0..=crew {
                    let p = expected.get(&(left, served)).copied().unwrap_or(0.0);
                    let q = told.chance_over_rows(|o| o == [left as i32, served as i32]);
                    assert!((p - q).abs() < 1e-12, "{toml}\n{left} {served}: {p} {q}");
                }
            }
        }
    }
}

#[test]
fn a_gun_that_is_silenced_spares_who_moves_after() {
    let silenced = |rest: &str| {
        let toml = format!("weapon = 'LMG'\ntroopers = 2\nrange = 40\n{rest}");
        let told = law_in("skirmishers", "crewed-duel", &toml, &["crew_left"]);
        told.chance_over_rows(|o| o == [0])
    };
    let told = [
        silenced("moves = 1"),
        silenced("moves = 2"),
        silenced("moves = 1\norder = 'all-first'"),
        silenced("moves = 2\norder = 'all-first'"),
    ];
    // From enumerations of whole cards, written from the text.
    let expected = [0.03890, 0.07652, 0.03694, 0.07248];
    for (p, q) in told.into_iter().zip(expected) {
        assert!((p - q).abs() < 5e-6, "{p}, {q}");
    }
}
