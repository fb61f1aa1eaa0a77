//! Equivalence classes of cards.
//!
//! A duel only uses whether a wounded trooper still acts and how well they shoot, now and after
//! every hit to come. Two cards with the same answers for ever are one class. The classes are the
//! coarsest partition of the reachable cards that preserves the answers (Moore 1956): start with
//! the current answers, then split cards that a hit sends to different classes, until nothing
//! splits. Under an HMG a trooper without armour has three classes beside "gone", where the card
//! has 2¹⁰ marks.

use rustc_hash::{FxHashMap, FxHashSet};

use super::aim::HitMarking;
use super::hit_card::{HitCard, LethalAndBludgeoning};
use super::unit_card::TWO_DICE_SUM_COUNT;

/// Class of troopers who are out of action or dead.
pub const OUT_OF_ACTION_CLASS: u8 = u8::MAX;

/// Classes of a card under one kind of hit. A higher number is more wounded: see [`WoundSeverity`].
#[derive(Clone, Debug)]
pub struct WoundClasses {
    next: Vec<[u8; TWO_DICE_SUM_COUNT]>,
    modifiers: Vec<i64>,
    /// First card of each class, and the class of every card.
    cards: Vec<HitCard>,
    of_card: FxHashMap<HitCard, u8>,
}

/// Distinction between cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardDistinction {
    /// Future answers only.
    Answers,
    /// Marks too, in the order of the answers.
    Marks,
}

impl WoundClasses {
    /// Computes the classes of troopers who begin with these cards under hits of `damage`;
    /// `modifier` is the trooper's own by HP, `None` when out of action. `None` when there are more
    /// classes than fit.
    pub fn from_reachable_cards(
        begin: &[HitCard],
        damage: LethalAndBludgeoning,
        marks: HitMarking,
        modifier: impl Fn(u8) -> Option<i64>,
        apart: CardDistinction,
    ) -> Option<WoundClasses> {
        let acts = |card: &HitCard| {
            if card.can_trooper_act() { modifier(card.remaining_hp()) } else { None }
        };
        let (cards, next) =
            cards_reached_with_successors(begin, damage, marks, MAX_REACHABLE_CARDS)?;
        let answers: Vec<_> = cards.iter().map(acts).collect();
        let mut classes = number_equal_signatures(&answers);
        loop {
            let class_key = |place: usize| (classes[place], next[place].map(|to| classes[to]));
            let signatures: Vec<_> = (0..cards.len()).map(class_key).collect();
            let finer = number_equal_signatures(&signatures);
            // A pass that splits no class has found the coarsest partition.
            if finer.iter().max() == classes.iter().max() {
                return WoundClasses::number_classes_by_severity(
                    &cards, &classes, &next, &answers, apart,
                );
            }
            classes = finer;
        }
    }

    /// Numbers the classes of troopers in action from 0, the more wounded the higher, and equally
    /// wounded ones in order of appearance. The unhurt class is the first, unless wounded men shoot
    /// better on a custom card.
    fn number_classes_by_severity(
        cards: &[HitCard],
        classes: &[usize],
        next: &[[usize; TWO_DICE_SUM_COUNT]],
        answers: &[Option<i64>],
        apart: CardDistinction,
    ) -> Option<WoundClasses> {
        let mut classes_seen = FxHashSet::default();
        let acting = || (0..classes.len()).filter(|&place| answers[place].is_some());
        let mut firsts: Vec<_> =
            acting().filter(|&place| classes_seen.insert(classes[place])).collect();
        firsts.sort_by_cached_key(|&first| compute_wound_severity(first, next, answers));
        let ranks = firsts.iter().zip(0..).map(|(&first, n)| (classes[first], n));
        let ranks: FxHashMap<_, usize> = ranks.collect();
        if apart == CardDistinction::Marks {
            firsts = acting().collect();
            firsts.sort_by_key(|&place| ranks[&classes[place]]);
        }
        // The state stores a class in one byte.
        if firsts.len() > usize::from(OUT_OF_ACTION_CLASS) {
            return None;
        }
        let own =
            |place: usize| if apart == CardDistinction::Marks { place } else { classes[place] };
        let numbers = firsts.iter().zip(0..).map(|(&first, n)| (own(first), n));
        let numbers: FxHashMap<_, u8> = numbers.collect();
        let number = |place: usize| match answers[place] {
            Some(_) => numbers.get(&own(place)).copied().unwrap_or(OUT_OF_ACTION_CLASS),
            None => OUT_OF_ACTION_CLASS,
        };
        Some(WoundClasses {
            of_card: cards.iter().enumerate().map(|(at, card)| (*card, number(at))).collect(),
            next: firsts.iter().map(|&first| next[first].map(number)).collect(),
            modifiers: firsts.iter().map(|&first| answers[first].unwrap_or(0)).collect(),
            cards: firsts.iter().filter_map(|&first| cards.get(first).copied()).collect(),
        })
    }

    /// Returns the number of classes beside [`OUT_OF_ACTION_CLASS`].
    pub fn in_action_class_count(&self) -> usize {
        self.next.len()
    }

    /// Returns the class of a trooper who begins with this card.
    pub fn class_of_card(&self, card: &HitCard) -> u8 {
        self.of_card.get(card).copied().unwrap_or(OUT_OF_ACTION_CLASS)
    }

    /// Returns the first card of a class, the only one where [marks](CardDistinction::Marks)
    /// distinguish cards.
    pub fn first_card_of_class(&self, class: u8) -> Option<HitCard> {
        self.cards.get(usize::from(class)).copied()
    }

    /// Returns the class after a hit at the cell that `sum` picks.
    pub fn class_after_hit_with_sum(&self, class: u8, sum: u8) -> u8 {
        self.next[usize::from(class)][usize::from(sum) - 2]
    }

    /// Returns whether a hit leads to the same class at every cell.
    pub fn is_hit_cell_irrelevant(&self, class: u8) -> bool {
        let next = self.next[usize::from(class)];
        next.iter().all(|&to| to == next[0])
    }

    /// Returns the modifier of the trooper's own attacks.
    pub fn attack_modifier_of_class(&self, class: u8) -> i64 {
        self.modifiers[usize::from(class)]
    }
}

/// Severity of wounds: how badly the trooper shoots, by how many of the 36 outcomes of 2d6 the next
/// hit puts them out of action, and how badly they shoot after it, cell by cell. All three are the
/// same for all cards of a class.
type WoundSeverity = (Option<i64>, u32, [i64; TWO_DICE_SUM_COUNT]);

fn compute_wound_severity(
    card: usize,
    next: &[[usize; TWO_DICE_SUM_COUNT]],
    answers: &[Option<i64>],
) -> WoundSeverity {
    let after = next[card].map(|to| answers[to].unwrap_or(i64::MAX));
    let ways = after.iter().zip(2..).map(|(&after, sum)| match after {
        i64::MAX => 6 - 7_u32.abs_diff(sum),
        _ => 0,
    });
    (answers[card], ways.sum(), after)
}

/// Largest number of cards.
const MAX_REACHABLE_CARDS: usize = 20_000;

/// Lists every card that hits lead to, starting cards first, in order of appearance, and the
/// successor for each sum. Troopers out of action are not followed further. `None` when there are
/// more than `most` cards.
fn cards_reached_with_successors(
    begin: &[HitCard],
    damage: LethalAndBludgeoning,
    marks: HitMarking,
    most: usize,
) -> Option<(Vec<HitCard>, Vec<[usize; TWO_DICE_SUM_COUNT]>)> {
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
        let mut row = [next.len(); TWO_DICE_SUM_COUNT];
        if card.can_trooper_act() {
            for (to, sum) in row.iter_mut().zip(2..) {
                let hit = marks.mark_damage_at_sum(card, damage, sum);
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
fn number_equal_signatures<S: std::hash::Hash + Eq>(signatures: &[S]) -> Vec<usize> {
    let mut numbers = FxHashMap::default();
    let number = signatures.iter().map(|signature| {
        let fresh = numbers.len();
        *numbers.entry(signature).or_insert(fresh)
    });
    number.collect()
}

#[cfg(test)]
mod tests {
    use super::super::hit_card::BludgeoningRules;
    use super::super::unit_card::UnitCard;
    use super::*;

    const MARKS: HitMarking = HitMarking {
        starts: [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10],
        bludgeoning: BludgeoningRules { kills_past_zero: true, passes_armour: false },
    };

    fn classes(points: u8, armour: u8) -> WoundClasses {
        let damage = LethalAndBludgeoning { lethal: points, bludgeoning: 0 };
        let unit = UnitCard::default_of_rulebook();
        let fresh = HitCard::new(10, armour, 0, 10);
        let modifier = |hp| unit.attack_modifier(hp);
        WoundClasses::from_reachable_cards(
            &[fresh],
            damage,
            MARKS,
            modifier,
            CardDistinction::Answers,
        )
        .expect("few enough")
    }

    #[test]
    fn one_more_hit_of_a_machine_gun_ends_everybody() {
        // 7X from 10 leaves 3 (+2), from 9 and 8 it leaves 2 and 1 (+3); the next hit ends each.
        for points in [5, 6, 7, 10] {
            let classes = classes(points, 0);
            let wounded = (1..classes.in_action_class_count() as u8).all(|class| {
                (2..=12)
                    .all(|sum| classes.class_after_hit_with_sum(class, sum) == OUT_OF_ACTION_CLASS)
            });
            assert!(wounded, "{points}X");
        }
        let hmg = classes(7, 0);
        assert_eq!(hmg.in_action_class_count(), 3);
        assert_eq!(
            [10, 9, 8]
                .map(|sum| hmg.attack_modifier_of_class(hmg.class_after_hit_with_sum(0, sum))),
            [2, 3, 3]
        );
        // The higher the number, the worse the trooper shoots.
        assert_eq!([0, 1, 2].map(|class| hmg.attack_modifier_of_class(class)), [0, 2, 3]);
        assert_eq!(
            (hmg.class_after_hit_with_sum(0, 12), hmg.class_after_hit_with_sum(0, 7)),
            (hmg.class_after_hit_with_sum(0, 10), OUT_OF_ACTION_CLASS)
        );
    }

    #[test]
    fn cards_and_classes_are_counted_up_to_their_limits() {
        // 13X kills from every cell: the unhurt card and the dead one.
        let lethal = |points| LethalAndBludgeoning { lethal: points, bludgeoning: 0 };
        let fresh = HitCard::new(10, 0, 0, 10);
        let cards = |points, most| {
            let found = cards_reached_with_successors(&[fresh], lethal(points), MARKS, most);
            found.map(|(cards, _)| cards.len())
        };
        assert_eq!((cards(13, 2), cards(13, 1)), (Some(2), None));
        // The first hit of 1X crosses one of the cells 10 to 2: from one card to ten at once.
        assert_eq!(cards(1, 5), None);
        let alike = |count: usize| {
            let classes: Vec<_> = (0..count).collect();
            let next: Vec<_> = classes.iter().map(|&class| [class; TWO_DICE_SUM_COUNT]).collect();
            let table = WoundClasses::number_classes_by_severity(
                &[],
                &classes,
                &next,
                &vec![Some(0); count],
                CardDistinction::Answers,
            );
            table.map(|classes| classes.in_action_class_count())
        };
        // 255 is the number of troopers who are gone.
        assert_eq!((alike(255), alike(256)), (Some(255), None));
    }

    #[test]
    fn classes_answer_as_their_cards_do() {
        let damage = LethalAndBludgeoning { lethal: 4, bludgeoning: 0 };
        let unit = UnitCard::default_of_rulebook();
        let fresh = HitCard::new(10, 4, 0, 10);
        let of = |apart| {
            WoundClasses::from_reachable_cards(
                &[fresh],
                damage,
                MARKS,
                |hp| unit.attack_modifier(hp),
                apart,
            )
        };
        let (classes, marks) =
            (of(CardDistinction::Answers).expect("few"), of(CardDistinction::Marks).expect("few"));
        // Every sequence of three hits.
        for first in 2..=12 {
            for second in 2..=12 {
                for third in 2..=12 {
                    let (mut card, mut class) = (fresh, 0);
                    let mut marked = marks.class_of_card(&fresh);
                    for sum in [first, second, third] {
                        if class != OUT_OF_ACTION_CLASS {
                            card = MARKS.mark_damage_at_sum(card, damage, sum);
                            class = classes.class_after_hit_with_sum(class, sum);
                            marked = marks.class_after_hit_with_sum(marked, sum);
                        }
                    }
                    assert_eq!(
                        (classes.class_of_card(&card), marks.class_of_card(&card)),
                        (class, marked)
                    );
                    assert_eq!(
                        marks.first_card_of_class(marked),
                        (class != OUT_OF_ACTION_CLASS).then_some(card)
                    );
                    assert_eq!(class == OUT_OF_ACTION_CLASS, !card.can_trooper_act());
                    if class != OUT_OF_ACTION_CLASS {
                        assert_eq!(
                            Some(classes.attack_modifier_of_class(class)),
                            unit.attack_modifier(card.remaining_hp())
                        );
                    }
                }
            }
        }
    }
}
