//! Attacks dealt in turn, typed independently: every target has a whole card and a place, compared
//! with the distribution of the built-in rule. The cards are those of the brute-force oracle of
//! attacks.

use std::collections::BTreeMap;

use crate::harness::play::{contest, play_scripted, trace_play};
use crate::harness::walk::compute_measure;
use crate::harness::walk::{CountedDistribution, law_in};
use crate::skirmishers::oracle::{Card, Hit, lethal, start, sums};

/// Cards by place, the place attacked last, and the hits.
type Table = (Vec<Card>, usize, i32);

struct Case {
    needed: usize,
    hit: Hit,
    shots: u32,
    cards: Vec<Card>,
}

/// Returns the next place after the last that is in action, or else the next that is not dead.
fn next(cards: &[Card], last: usize) -> Option<usize> {
    let round = || (1..=cards.len()).map(|step| (last + step) % cards.len());
    let standing = round().find(|&place| cards[place].hp() > 0);
    standing.or_else(|| round().find(|&place| !cards[place].dead()))
}

impl Case {
    /// Returns the distribution of (hits, dead, out of action, armour left) over 36^(2·shots).
    fn law(&self) -> CountedDistribution {
        let open: Table = (self.cards.clone(), self.cards.len() - 1, 0);
        let mut tables = BTreeMap::from([(open, 1_u128)]);
        for _ in 0..self.shots {
            let mut after: BTreeMap<Table, u128> = BTreeMap::new();
            for ((cards, last, hits), n) in tables {
                let Some(place) = next(&cards, last) else {
                    *after.entry((cards, last, hits)).or_insert(0) += n * 36 * 36;
                    continue;
                };
                for (roll, ways) in sums() {
                    if roll < self.needed {
                        *after.entry((cards.clone(), place, hits)).or_insert(0) += n * ways * 36;
                        continue;
                    }
                    for (sum, more) in sums() {
                        let mut cards = cards.clone();
                        cards[place].take(start(sum, false), self.hit);
                        *after.entry((cards, place, hits + 1)).or_insert(0) += n * ways * more;
                    }
                }
            }
            tables = after;
        }
        let mut outcomes = BTreeMap::new();
        for ((cards, _, hits), n) in tables {
            let dead = cards.iter().filter(|card| card.dead()).count() as i32;
            let down = cards.iter().filter(|card| card.hp() == 0).count() as i32;
            let armour: u8 = cards.iter().map(|card| card.armour).sum();
            let key = vec![hits, dead, down - dead, armour.into()];
            *outcomes.entry(key).or_insert(0) += n;
        }
        CountedDistribution::from_rows(outcomes)
    }
}

#[test]
fn attacks_in_turn_have_the_law_of_whole_cards() {
    // Points, number needed, attacks, targets, HP and armour of each.
    for (points, needed, shots, targets, hp, armour) in [
        (7, 6, 3, 2, 10, 0),
        (7, 6, 5, 2, 10, 0),
        (10, 4, 5, 3, 10, 0),
        (5, 6, 4, 3, 10, 0),
        (2, 6, 5, 2, 3, 0),
        (1, 2, 5, 2, 2, 0),
        (4, 6, 4, 2, 6, 2),
        (7, 7, 2, 4, 10, 0),
    ] {
        let armours = [(0, "none"), (2, "basic")];
        let worn = armours.iter().find(|(cells, _)| *cells == armour);
        let toml = format!(
            "damage = '{points}X'\nshots = {shots}\ntargets = {targets}\nallocation = 'spread'\n\
             modifier = {}\ntarget_hp = {hp}\ntarget_armour = '{}'",
            needed as i32 - 6,
            worn.expect("an armour of the list").1
        );
        let mut card = Card::fresh();
        card.armour = armour;
        card.cells[..10 - hp].fill(crate::skirmishers::oracle::Mark::Full);
        let expected = Case { needed, hit: lethal(points), shots, cards: vec![card; targets] };
        let fields = ["hits", "dead", "out_of_action", "armour_left"];
        let found = law_in("skirmishers", "attack", &toml, &fields);
        assert_eq!(found, expected.law(), "{toml}");
    }
}

#[test]
fn attacks_go_in_turn_to_those_who_stand() {
    let toml = "weapon = 'HMG'\nrange = 20\nshots = 3\ntargets = 2\nallocation = 'spread'";
    let combat = contest("skirmishers", "attack", toml);
    // From an enumeration of whole cards, written from the text.
    assert!((compute_measure(&combat, "e_kills") - 276_679.0 / 209_952.0).abs() < 1e-12);
    assert!((compute_measure(&combat, "e_hits") - 2.1013).abs() < 5e-5);
    // The first man dies, the second is missed, and the third attack is at him as well.
    let faces = [5, 4, 2, 1, 1, 1, 5, 4, 3, 3];
    let steps = trace_play(&combat, &faces);
    assert_eq!(steps.len(), 5);
    assert!(steps[4].1.ends_with("the target is dead."), "{}", steps[4].1);
    // HP 0 from cell 7: the trooper is left alone while the other is in action, and fired at when
    // that one falls.
    let fields = ["hits", "dead", "out_of_action"];
    let left_alone = play_scripted(&combat, &[5, 4, 3, 4, 1, 1, 5, 4, 1, 1], &fields);
    assert_eq!(left_alone, [2, 1, 1]);
    let again = play_scripted(&combat, &[5, 4, 3, 4, 5, 4, 1, 1, 5, 4, 1, 1], &fields);
    assert_eq!(again, [3, 2, 0]);
}
