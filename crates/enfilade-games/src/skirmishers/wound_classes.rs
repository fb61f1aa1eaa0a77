//! Equivalence classes of cards.
//!
//! A duel only uses whether a wounded trooper still acts and how well they shoot, now and after
//! every hit to come. Two cards with the same answers for ever are one class. The classes are the
//! coarsest partition of the reachable cards that preserves the answers (Moore 1956): start with
//! the current answers, then split cards that a hit sends to different classes, until nothing
//! splits. Under an HMG a trooper without armour has three classes beside "gone", where the card
//! has 2¹⁰ marks.

use rustc_hash::{FxHashMap, FxHashSet};

use super::aim::Marks;
use super::hit_card::{Card, Damage};
use super::unit_card::SUMS;

/// Class of troopers who are out of action or dead.
pub const GONE: u8 = u8::MAX;

/// Classes of a card under one kind of hit. A higher number is more wounded: see [`Worse`].
#[derive(Clone, Debug)]
pub struct Classes {
    next: Vec<[u8; SUMS]>,
    modifiers: Vec<i64>,
    /// First card of each class, and the class of every card.
    cards: Vec<Card>,
    of_card: FxHashMap<Card, u8>,
}

/// Distinction between cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// Future answers only.
    Answers,
    /// Marks too, in the order of the answers.
    Marks,
}

impl Classes {
    /// Computes the classes of troopers who begin with these cards under hits of `damage`;
    /// `modifier` is the trooper's own by HP, `None` when out of action. `None` when there are more
    /// classes than fit.
    pub fn of(
        begin: &[Card],
        damage: Damage,
        marks: Marks,
        modifier: impl Fn(u8) -> Option<i64>,
        apart: Apart,
    ) -> Option<Classes> {
        let acts = |card: &Card| {
            if card.in_action() { modifier(card.hp()) } else { None }
        };
        let (cards, next) = reachable(begin, damage, marks, MAX_CARDS)?;
        let answers: Vec<_> = cards.iter().map(acts).collect();
        let mut classes = numbered(&answers);
        loop {
            let seen = |place: usize| (classes[place], next[place].map(|to| classes[to]));
            let signatures: Vec<_> = (0..cards.len()).map(seen).collect();
            let finer = numbered(&signatures);
            // A pass that splits no class has found the coarsest partition.
            if finer.iter().max() == classes.iter().max() {
                return Classes::table(&cards, &classes, &next, &answers, apart);
            }
            classes = finer;
        }
    }

    /// Numbers the classes of troopers in action from 0, the more wounded the higher, and equally
    /// wounded ones in order of appearance. The unhurt class is the first, unless wounded men shoot
    /// better on a custom card.
    fn table(
        cards: &[Card],
        classes: &[usize],
        next: &[[usize; SUMS]],
        answers: &[Option<i64>],
        apart: Apart,
    ) -> Option<Classes> {
        let mut seen = FxHashSet::default();
        let acting = || (0..classes.len()).filter(|&place| answers[place].is_some());
        let mut firsts: Vec<_> = acting().filter(|&place| seen.insert(classes[place])).collect();
        firsts.sort_by_cached_key(|&first| worse(first, next, answers));
        let ranks = firsts.iter().zip(0..).map(|(&first, n)| (classes[first], n));
        let ranks: FxHashMap<_, usize> = ranks.collect();
        if apart == Apart::Marks {
            firsts = acting().collect();
            firsts.sort_by_key(|&place| ranks[&classes[place]]);
        }
        // The state stores a class in one byte.
        if firsts.len() > usize::from(GONE) {
            return None;
        }
        let own = |place: usize| if apart == Apart::Marks { place } else { classes[place] };
        let numbers = firsts.iter().zip(0..).map(|(&first, n)| (own(first), n));
        let numbers: FxHashMap<_, u8> = numbers.collect();
        let number = |place: usize| match answers[place] {
            Some(_) => numbers.get(&own(place)).copied().unwrap_or(GONE),
            None => GONE,
        };
        Some(Classes {
            of_card: cards.iter().enumerate().map(|(at, card)| (*card, number(at))).collect(),
            next: firsts.iter().map(|&first| next[first].map(number)).collect(),
            modifiers: firsts.iter().map(|&first| answers[first].unwrap_or(0)).collect(),
            cards: firsts.iter().filter_map(|&first| cards.get(first).copied()).collect(),
        })
    }

    /// Returns the number of classes beside [`GONE`].
    pub fn count(&self) -> usize {
        self.next.len()
    }

    /// Returns the class of a trooper who begins with this card.
    pub fn of_card(&self, card: &Card) -> u8 {
        self.of_card.get(card).copied().unwrap_or(GONE)
    }

    /// Returns the first card of a class, the only one where [marks](Apart::Marks) distinguish
    /// cards.
    pub fn card(&self, class: u8) -> Option<Card> {
        self.cards.get(usize::from(class)).copied()
    }

    /// Returns the class after a hit at the cell that `sum` picks.
    pub fn hit(&self, class: u8, sum: u8) -> u8 {
        self.next[usize::from(class)][usize::from(sum) - 2]
    }

    /// Returns whether a hit leads to the same class at every cell.
    pub fn certain(&self, class: u8) -> bool {
        let next = self.next[usize::from(class)];
        next.iter().all(|&to| to == next[0])
    }

    /// Returns the modifier of the trooper's own attacks.
    pub fn modifier(&self, class: u8) -> i64 {
        self.modifiers[usize::from(class)]
    }
}

/// Severity of wounds: how badly the trooper shoots, by how many of the 36 outcomes of 2d6 the next
/// hit puts them out of action, and how badly they shoot after it, cell by cell. All three are the
/// same for all cards of a class.
type Worse = (Option<i64>, u32, [i64; SUMS]);

fn worse(card: usize, next: &[[usize; SUMS]], answers: &[Option<i64>]) -> Worse {
    let after = next[card].map(|to| answers[to].unwrap_or(i64::MAX));
    let ways = after.iter().zip(2..).map(|(&after, sum)| match after {
        i64::MAX => 6 - 7_u32.abs_diff(sum),
        _ => 0,
    });
    (answers[card], ways.sum(), after)
}

/// Largest number of cards.
const MAX_CARDS: usize = 20_000;

/// Lists every card that hits lead to, starting cards first, in order of appearance, and the
/// successor for each sum. Troopers out of action are not followed further. `None` when there are
/// more than `most` cards.
fn reachable(
    begin: &[Card],
    damage: Damage,
    marks: Marks,
    most: usize,
) -> Option<(Vec<Card>, Vec<[usize; SUMS]>)> {
    let mut places = FxHashMap::default();
    let mut cards = Vec::new();
    for card in begin {
        places.entry(*card).or_insert_with(|| {
            cards.push(*card);
            cards.len() - 1
        });
    }
    let mut next = Vec::new();
    while let Some(&card) = cards.get(next.len()) {
        // Troopers out of action lead to themselves: the duel goes on without them.
        let mut row = [next.len(); SUMS];
        if card.in_action() {
            for (to, sum) in row.iter_mut().zip(2..) {
                let hit = marks.at(card, damage, sum);
                *to = *places.entry(hit).or_insert(cards.len());
                if *to == cards.len() {
                    cards.push(hit);
                }
            }
        }
        next.push(row);
        if cards.len() > most {
            return None;
        }
    }
    Some((cards, next))
}

/// Numbers equal signatures equally, in order of appearance.
fn numbered<S: std::hash::Hash + Eq>(signatures: &[S]) -> Vec<usize> {
    let mut numbers = FxHashMap::default();
    let number = signatures.iter().map(|signature| {
        let fresh = numbers.len();
        *numbers.entry(signature).or_insert(fresh)
    });
    number.collect()
}

#[cfg(test)]
mod tests {
    use super::super::hit_card::Bludgeoning;
    use super::super::unit_card::UnitCard;
    use super::*;

    const MARKS: Marks = Marks {
        starts: [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10],
        bludgeoning: Bludgeoning { kills_past_zero: true, passes_armour: false },
    };

    fn classes(points: u8, armour: u8) -> Classes {
        let damage = Damage { lethal: points, bludgeoning: 0 };
        let unit = UnitCard::printed();
        let fresh = Card::new(10, armour, 0, 10);
        let modifier = |hp| unit.modifier(hp);
        Classes::of(&[fresh], damage, MARKS, modifier, Apart::Answers).expect("few enough")
    }

    #[test]
    fn one_more_hit_of_a_machine_gun_ends_everybody() {
        // 7X from 10 leaves 3 (+2), from 9 and 8 it leaves 2 and 1 (+3); the next hit ends each.
        for points in [5, 6, 7, 10] {
            let classes = classes(points, 0);
            let wounded = (1..classes.count() as u8)
                .all(|class| (2..=12).all(|sum| classes.hit(class, sum) == GONE));
            assert!(wounded, "{points}X");
        }
        let hmg = classes(7, 0);
        assert_eq!(hmg.count(), 3);
        assert_eq!([10, 9, 8].map(|sum| hmg.modifier(hmg.hit(0, sum))), [2, 3, 3]);
        // The higher the number, the worse the trooper shoots.
        assert_eq!([0, 1, 2].map(|class| hmg.modifier(class)), [0, 2, 3]);
        assert_eq!((hmg.hit(0, 12), hmg.hit(0, 7)), (hmg.hit(0, 10), GONE));
    }

    #[test]
    fn cards_and_classes_are_counted_up_to_their_limits() {
        // 13X kills from every cell: the unhurt card and the dead one.
        let lethal = |points| Damage { lethal: points, bludgeoning: 0 };
        let fresh = Card::new(10, 0, 0, 10);
        let cards = |points, most| {
            let found = reachable(&[fresh], lethal(points), MARKS, most);
            found.map(|(cards, _)| cards.len())
        };
        assert_eq!((cards(13, 2), cards(13, 1)), (Some(2), None));
        // The first hit of 1X crosses one of the cells 10 to 2: from one card to ten at once.
        assert_eq!(cards(1, 5), None);
        let alike = |count: usize| {
            let classes: Vec<_> = (0..count).collect();
            let next: Vec<_> = classes.iter().map(|&class| [class; SUMS]).collect();
            let table = Classes::table(&[], &classes, &next, &vec![Some(0); count], Apart::Answers);
            table.map(|classes| classes.count())
        };
        // 255 is the number of troopers who are gone.
        assert_eq!((alike(255), alike(256)), (Some(255), None));
    }

    #[test]
    fn classes_answer_as_their_cards_do() {
        let damage = Damage { lethal: 4, bludgeoning: 0 };
        let unit = UnitCard::printed();
        let fresh = Card::new(10, 4, 0, 10);
        let of = |apart| Classes::of(&[fresh], damage, MARKS, |hp| unit.modifier(hp), apart);
        let (classes, marks) = (of(Apart::Answers).expect("few"), of(Apart::Marks).expect("few"));
        // Every sequence of three hits.
        for first in 2..=12 {
            for second in 2..=12 {
                for third in 2..=12 {
                    let (mut card, mut class) = (fresh, 0);
                    let mut marked = marks.of_card(&fresh);
                    for sum in [first, second, third] {
                        if class != GONE {
                            card = MARKS.at(card, damage, sum);
                            class = classes.hit(class, sum);
                            marked = marks.hit(marked, sum);
                        }
                    }
                    assert_eq!((classes.of_card(&card), marks.of_card(&card)), (class, marked));
                    assert_eq!(marks.card(marked), (class != GONE).then_some(card));
                    assert_eq!(class == GONE, !card.in_action());
                    if class != GONE {
                        assert_eq!(Some(classes.modifier(class)), unit.modifier(card.hp()));
                    }
                }
            }
        }
    }
}
